/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All tables in all formats: TSV, JSON, text, blocks for gnuplot, Markdown and LaTeX have the same
 * rows and columns, whatever stands in a label. What the numbers are is tested where they are made.
 */
#include "analysis/tables/tables.h"
#include "src/report/print.h"
#include "tests/files.h"

#include <jansson.h>
#include <math.h>

/* A label that is markup, a quote, or the end of something in one format or another. */
#define EVIL "q\"1 %&#$_{x}|<b>"

static const char *const provenance[] = {"nxn 1", "command: nxn x", NULL};

/* Games of learners and others on five boards, some of whom tell chances and times. */
static void log_make(struct gamelog *log)
{
	static const struct {
		const char *board, *label;
		uint64_t config, trained;
		double uncertainty;
	} players[] = {
	    {"2x2", EVIL, 1, 0, NAN},	      {"2x3", EVIL, 2, 0, NAN},
	    {"2x4", EVIL, 3, 0, NAN},	      {"3x3", EVIL, 4, 0, NAN},
	    {"2x5", EVIL, 5, 0, NAN},	      {"3x3", "learner", 6, 10, 0.5},
	    {"3x3", "b", 8, 0, NAN},	      {"3x3", "learner", 7, 20, 0.25},
	    {"3x3", "learner 2", 9, 10, NAN}, {"3x3", "learner 2", 10, 30, NAN},
	};
	const size_t all = sizeof players / sizeof *players;
	gamelog_init(log);
	for (size_t i = 0; i < 20 * all; i++) {
		const size_t p = i % all;
		const struct gamelog_player player = {.config = players[p].config,
						      .board = players[p].board,
						      .label = players[p].label,
						      .agent = "agent",
						      .trained = players[p].trained};
		const struct gamelog_row row = {.seed = 1,
						.game = i / all,
						.score = 100 + i * i,
						.max_tile = UINT64_C(8) << (i / all % 4),
						.moves = 10 + i,
						.seconds = p == 6 ? NAN : 0.001 * (double)i,
						.sum = 40 + i,
						.uncertainty = players[p].uncertainty};
		assert_int_equal(gamelog_add(log, &player, &row, NULL), STATUS_OK);
	}
	gamelog_note_training(log, &(struct gamelog_training){7, 1.5, 0});
}

/* Cells of a learner and of another, one game each. */
static void gap_make(struct gap_cell cells[3])
{
	struct gap_row row = {.result = 24, .phase = {[1] = {2, 2, 0}, [2] = {3, 2, 1.5}}};
	const struct gap_row *rows = &row;
	cells[0] = (struct gap_cell){.label = "learner", .trained = 1, .learner = true};
	cells[1] =
	    (struct gap_cell){.label = "learner", .trained = 2, .learner = true, .last = true};
	cells[2] = (struct gap_cell){.label = EVIL, .last = true};
	for (int i = 0; i < 3; i++) {
		row.game = i == 2 ? GAP_EXACT : 0;
		gap_cell_estimate(&cells[i], &rows, 1, 30);
	}
	gap_cells_sort(cells, 3);
}

/* How many characters C there are in the LENGTH bytes of TEXT, less those behind a backslash. */
static size_t count_of(const char *text, size_t length, char c)
{
	size_t count = 0;
	for (size_t i = 0; i < length; i++)
		count += text[i] == c && (i == 0 || text[i - 1] != '\\');
	return count;
}

/* That the COLUMN of ROW in TSV is VALUE in JSON. */
static void assert_value(const struct tsv *tsv, size_t row, size_t column, const json_t *value)
{
	const char *cell = tsv_cell(tsv, row, column);
	const double x = tsv_number(tsv, row, column).value;
	assert_non_null(value);
	if (json_is_string(value)) {
		char *text = strdup(json_string_value(value));
		for (char *at = text; (at = strchr(at, '"'));)
			*at = '\'';
		assert_string_equal(cell, text);
		free(text);
	} else if (json_is_boolean(value)) {
		assert_string_equal(cell, json_is_true(value) ? "1" : "0");
	} else if (json_is_null(value)) {
		assert_true(isnan(x));
	} else {
		assert_true(fabs(json_number_value(value) - x) <= 1e-9 * fabs(x));
	}
}

static void check_json(const struct tables *tables, const struct table *table, const void *data,
		       const struct tsv *tsv)
{
	FILE *file = printed();
	size_t row = 0;
	table_json(file, tables, table, data, provenance);
	char *text = taken(file), *rest = text;
	for (char *line; (line = strsep(&rest, "\n")) && *line; row++) {
		json_t *json = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
		const char *kind = json_string_value(json_object_get(json, "kind"));
		assert_non_null(kind);
		assert_string_equal(kind, row ? table->name : "provenance");
		for (size_t c = 0; row > 0 && c < tsv->columns; c++)
			assert_value(tsv, row - 1, c, json_object_get(json, tsv_name(tsv, c)));
		assert_int_equal(json_object_size(json), row ? tsv->columns + 1 : 4);
		json_decref(json);
	}
	assert_int_equal(row, tsv->rows + 1);
	free(text);
}

/* Text: lines that fit, and the names of players as they are. */
static void check_text(const struct tables *tables, const struct table *table, const void *data)
{
	FILE *file = printed();
	tables_text(file, tables, (const char *const[]){table->name, NULL}, data);
	char *text = taken(file);
	assert_true(strstr(text, EVIL) || strstr(text, "learner"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		assert_true(strlen(line) <= 80);
		assert_true(line[strlen(line) - 1] != ' ');
	}
	free(text);
}

/* Blocks: as many cells in each row of one as under its names, and series under their names. */
static void check_blocks(const struct tsv *tsv, const struct shown_table *shown)
{
	FILE *file = printed();
	size_t blocks = 0, cells = 0;
	tsv_blocks_write(file, tsv, shown);
	char *text = taken(file);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		const bool begins = strncmp(line, "# block ", 8) == 0;
		blocks += begins;
		if (*line == '#') {
			cells = begins ? 0 : cells;
			continue;
		}
		const size_t here = count_of(line, strlen(line), '\t');
		assert_true(!cells || here == cells);
		cells = here;
	}
	assert_true(blocks >= 1);
	free(text);
}

/* Print: as many cells in each row as in the first, and nothing of a label is markup. */
static void check_print(const struct tsv *tsv, const struct shown_table *shown, bool latex)
{
	FILE *file = printed();
	size_t cells = 0, rows = 0;
	table_print(file, tsv, shown, latex);
	char *text = taken(file);
	assert_null(strstr(text, "q\"1"));
	assert_null(strstr(text, "<b>"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		const bool begins = strncmp(line, "\\nxnfit{\\begin{tabular}", 22) == 0;
		cells = begins ? 0 : cells;
		if (*line == '%' || (latex && !strstr(line, " \\\\")))
			continue;
		const size_t here = count_of(line, strlen(line), latex ? '&' : '|');
		assert_true(!cells || here == cells);
		cells = here;
		rows++;
	}
	assert_true(rows >= 2);
	free(text);
}

/* All formats of TABLE. */
static void check_table(const struct tables *tables, const struct table *table, const void *data)
{
	const struct shown_table *shown = shown_table_find(table->name);
	struct tsv tsv;
	FILE *file = fopen(temporary_path, "w");
	assert_non_null(file);
	table_write(file, tables, table, data, provenance);
	assert_int_equal(fclose(file), 0);
	struct why why = {""};
	if (tsv_read(&tsv, temporary_path, 1 << 20, &why) != STATUS_OK)
		fail_msg("%s: %s", table->name, why.text);
	assert_true(tsv.rows > 0);
	assert_string_equal(tsv_note(&tsv, "command: "), "nxn x");
	check_json(tables, table, data, &tsv);
	if (shown) {
		assert_true(shown->caption[strlen(shown->caption) - 1] == '.');
		if (!shown->data)
			check_text(tables, table, data);
		if (shown->series)
			check_blocks(&tsv, shown);
		for (int latex = 0; latex < 2; latex++)
			check_print(&tsv, shown, latex);
	}
	tsv_fini(&tsv);
}

static void every_table_is_the_same_in_every_format(void **state)
{
	struct gamelog log;
	struct summary summary;
	struct gap_cell cells[3];
	const struct gap_cells gap = {"2x2", "points", 30, 1, cells, 3};
	(void)state;
	log_make(&log);
	gap_make(cells);
	assert_int_equal(summary_init(&summary, &log, NULL), STATUS_OK);
	const struct {
		const struct tables *tables;
		const void *data;
	} all[] = {{&gamelog_tables, &log}, {&summary_tables, &summary}, {&gap_tables, &gap}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (const struct table *t = all[i].tables->table; t->name; t++) {
			assert_true(i == 0 || shown_table_find(t->name));
			assert_ptr_equal(table_find(all[i].tables, t->name), t);
			check_table(all[i].tables, t, all[i].data);
		}
	assert_null(table_find(&summary_tables, "nothing"));
	assert_null(shown_table_find("nothing"));
	summary_fini(&summary);
	gamelog_fini(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(every_table_is_the_same_in_every_format, temporary_make,
					    temporary_remove),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
