/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparison at a glance: for each board its players, best first, by their mean scores; players
 * against the optimum by their share of it; of a sweep, the settings on the front of score against time.
 * Nothing is computed here: the numbers are those of the tables. Colours are those of the figures (plots/style.gp): by the order of players in the table sizes.
 */
#include "src/page_bars.h"

#include "src/folder.h"
#include "src/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SOURCE_BYTES_MAX = 1 << 22, BOARD_MAX = 16, SOURCES = 6 };

/* The tables of a section that are looked at; those that it does not have are empty. */
struct source {
	struct sheet summary, tiles, sizes, ratios, gap, sweep;
};

/* Best first, those without a value last; equal ones stay as they came. */
static int row_order(const void *a, const void *b)
{
	const struct bar_row *x = a, *y = b;
	double p = x->value.value, q = y->value.value;
	if (isnan(p) || isnan(q))
		return isnan(p) - isnan(q);
	return (p < q) - (p > q);
}

/* The colours of plots/style.gp. */
static uint32_t series_colour(size_t number)
{
	static const uint32_t colours[] = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
					   0x4d4d4d, 0x56b4e9, 0xd55e00, 0xf0e442};
	uint32_t c = colours[number % 8];
	if (number / 8 % 2 == 0)
		return c;
	return (c >> 16) * 11 / 20 << 16 | (c >> 8 & 0xff) * 11 / 20 << 8 | (c & 0xff) * 11 / 20;
}

static uint32_t label_colour(const struct source *source, const char *label)
{
	for (size_t b = 0; b < source->sizes.block_count; b++)
		if (strcmp(source->sizes.blocks[b].name, label) == 0)
			return series_colour(b);
	return series_colour(0);
}

/* The last tile of BOARD that LABEL reached in some game, and in what share of them it was the largest. */
static void tile_find(const struct source *source, struct bar_row *row)
{
	size_t column;
	for (size_t b = 0; b < source->tiles.block_count; b++) {
		const struct sheet_block *block = &source->tiles.blocks[b];
		if (strcmp(block->name, row->board) != 0 || !sheet_find(block, row->label, &column))
			continue;
		for (size_t r = 0; r < block->rows; r++) {
			struct interval share = sheet_number(block, r, column);
			if (!(share.value > 0))
				continue;
			row->tile = sheet_cell(block, r, 0);
			row->tile_share = share.value;
		}
	}
}

/* "A / B" of the ratios of BOARD. */
static bool ratio_find(const struct source *source, const char *board, const char *a, const char *b,
		       struct interval *ratio)
{
	size_t length = strlen(a), boards, column;
	for (size_t i = 0; i < source->ratios.block_count; i++) {
		const struct sheet_block *block = &source->ratios.blocks[i];
		const char *name = block->name;
		if (strncmp(name, a, length) != 0 || strncmp(name + length, " / ", 3) != 0 ||
		    strcmp(name + length + 3, b) != 0 || !sheet_find(block, "board", &boards) ||
		    !sheet_find(block, "ratio", &column))
			continue;
		for (size_t r = 0; r < block->rows; r++) {
			*ratio = sheet_number(block, r, column);
			if (strcmp(sheet_cell(block, r, boards), board) == 0)
				return true;
		}
	}
	return false;
}

/* How far ahead the best is, where a table tells. */
static void verdict_write(FILE *out, const struct source *source, const struct bar_row *best,
			  const struct bar_row *second)
{
	struct interval ratio;
	if (ratio_find(source, best->board, best->label, second->label, &ratio)) {
		html_print(out, "<p class=\"verdict\"><b>%s</b> scores ", best->label);
		number_html(out, ratio);
		html_print(out, " times as much as %s", second->label);
	} else if (ratio_find(source, best->board, second->label, best->label, &ratio)) {
		html_print(out, "<p class=\"verdict\"><b>%s</b> leads; %s scores ", best->label,
			   second->label);
		number_html(out, ratio);
		fputs(" times as much", out);
	} else {
		return;
	}
	bool sure = ratio.low > 1 || ratio.high < 1;
	fprintf(out, "%s.</p>\n", sure ? "" : ": the interval includes 1, so it is undecided");
}

static void board_write(struct page_writer *w, const struct source *source, struct bar_row *rows,
			size_t count)
{
	qsort(rows, count, sizeof *rows, row_order);
	html_print(w->out, "<h4>%s</h4>\n", rows->board);
	if (count > 1)
		verdict_write(w->out, source, &rows[0], &rows[1]);
	bars_write(w, rows->board, rows->time.value > 0 ? BARS_TIMES : BARS_SCORES, rows, count);
}

/* Row R of a summary; false if that has not the columns for it. */
static bool row_read(const struct source *source, const struct sheet_block *block, size_t r,
		     struct bar_row *row)
{
	size_t board, label, agent, trained, games, mean;
	if (!sheet_find(block, "board", &board) || !sheet_find(block, "label", &label) ||
	    !sheet_find(block, "agent", &agent) || !sheet_find(block, "trained", &trained) ||
	    !sheet_find(block, "games", &games) || !sheet_find(block, "mean", &mean))
		return false;
	*row = (struct bar_row){
	    .board = sheet_cell(block, r, board),
	    .label = sheet_cell(block, r, label),
	    .agent = sheet_cell(block, r, agent),
	    .value = sheet_number(block, r, mean),
	    .games = sheet_number(block, r, games).value,
	    .trained = sheet_number(block, r, trained).value,
	};
	row->colour = label_colour(source, row->label);
	tile_find(source, row);
	return true;
}

/* Adds ROW; one of the same board and label is replaced by the later in training. */
static size_t row_add(struct bar_row *rows, size_t count, const struct bar_row *row)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(rows[i].board, row->board) != 0 ||
		    strcmp(rows[i].label, row->label) != 0)
			continue;
		if (!(row->trained < rows[i].trained))
			rows[i] = *row;
		return count;
	}
	rows[count] = *row;
	return count + 1;
}

/* Board after board, in the order in which they first come. */
static void boards_write(struct page_writer *w, const struct source *source, struct bar_row *rows,
			 size_t count)
{
	while (count > 0) {
		size_t same = 1;
		for (size_t i = 1; i < count; i++) {
			if (strcmp(rows[i].board, rows->board) != 0)
				continue;
			struct bar_row row = rows[i];
			memmove(&rows[same + 1], &rows[same], (i - same) * sizeof *rows);
			rows[same++] = row;
		}
		board_write(w, source, rows, same);
		rows += same;
		count -= same;
	}
}

static enum status summary_write(struct page_writer *w, const struct source *source)
{
	const struct sheet_block *block = source->summary.blocks;
	struct bar_row *rows = calloc(block->rows + 1, sizeof *rows), row;
	size_t count = 0;
	if (!rows)
		return why_errno(w->why, "%s", w->directory);
	for (size_t r = 0; r < block->rows; r++)
		if (row_read(source, block, r, &row))
			count = row_add(rows, count, &row);
	boards_write(w, source, rows, count);
	free(rows);
	return STATUS_OK;
}

static bool gap_row_read(const struct sheet_block *block, size_t r, struct bar_row *row)
{
	size_t agent, trained, games, exact, fraction;
	if (!sheet_find(block, "agent", &agent) || !sheet_find(block, "trained", &trained) ||
	    !sheet_find(block, "games", &games) || !sheet_find(block, "exact", &exact) ||
	    !sheet_find(block, "fraction", &fraction))
		return false;
	*row = (struct bar_row){
	    .label = sheet_cell(block, r, agent),
	    .value = sheet_number(block, r, fraction),
	    .games = sheet_number(block, r, games).value,
	    .trained = sheet_number(block, r, trained).value,
	    .colour = series_colour(r),
	};
	if (sheet_number(block, r, exact).value == 1)
		row->value.low = row->value.high = row->games = NAN;
	return true;
}

static enum status gap_write(struct page_writer *w, const struct sheet_block *block)
{
	size_t count = 0;
	struct bar_row *rows = calloc(block->rows + 1, sizeof *rows);
	if (!rows)
		return why_errno(w->why, "%s", w->directory);
	for (size_t r = 0; r < block->rows; r++)
		count += gap_row_read(block, r, &rows[count]);
	qsort(rows, count, sizeof *rows, row_order);
	if (count > 0)
		bars_write(w, "share of the optimum", BARS_SHARES, rows, count);
	free(rows);
	return STATUS_OK;
}

/* A cell of a sweep, if it is one that no other beats in both score and time. */
static bool sweep_row_read(const struct sheet_block *block, const char *board, size_t r,
			   struct bar_row *row)
{
	size_t agent, games, score, played, front;
	if (!sheet_find(block, "agent", &agent) || !sheet_find(block, "games", &games) ||
	    !sheet_find(block, "score", &score) || !sheet_find(block, "played", &played) ||
	    !sheet_find(block, "front", &front) || sheet_number(block, r, front).value != 1)
		return false;
	*row = (struct bar_row){
	    .board = board,
	    .label = sheet_cell(block, r, agent),
	    .value = sheet_number(block, r, score),
	    .games = sheet_number(block, r, games).value,
	    .time = sheet_number(block, r, played),
	    .colour = series_colour(0),
	};
	return true;
}

/* The rows of all blocks; their boards, the first words of the blocks' names, are cut off in place. */
static enum status sweep_write(struct page_writer *w, const struct source *source, bool *any)
{
	size_t count = 0, all = 0;
	const struct sheet *sheet = &source->sweep;
	for (size_t b = 0; b < sheet->block_count; b++)
		all += sheet->blocks[b].rows;
	struct bar_row *rows = calloc(all + 1, sizeof *rows);
	char *boards = calloc(sheet->block_count + 1, BOARD_MAX);
	if (rows && boards)
		for (size_t b = 0; b < sheet->block_count; b++) {
			const struct sheet_block *block = &sheet->blocks[b];
			char *board = boards + b * BOARD_MAX;
			snprintf(board, BOARD_MAX, "%.*s", (int)strcspn(block->name, " "),
				 block->name);
			for (size_t r = 0; r < block->rows; r++)
				count += sweep_row_read(block, board, r, &rows[count]);
		}
	*any = count > 0;
	if (*any)
		fputs("<p class=\"small\">The settings that no other beats in both score and "
		      "time.</p>\n",
		      w->out);
	if (rows && boards)
		boards_write(w, source, rows, count);
	enum status status = rows && boards ? STATUS_OK : why_errno(w->why, "%s", w->directory);
	free(rows);
	free(boards);
	return status;
}

/* Reads the table NAME of a section; leaves SHEET empty if there is none, or one that is too large. */
static enum status source_read(struct page_writer *w, const struct page_section *section,
			       const char *name, struct sheet *sheet)
{
	char path[FOLDER_PATH_MAX];
	for (size_t i = 0; i < section->table_count; i++) {
		if (strcmp(section->tables[i].name, name) != 0)
			continue;
		enum status status =
		    path_format(path, w->why, "%s/%s", w->directory, section->tables[i].path);
		struct stat file;
		if (status || (stat(path, &file) == 0 && file.st_size > SOURCE_BYTES_MAX))
			return status;
		return sheet_read(sheet, path, SOURCE_BYTES_MAX, w->why);
	}
	return STATUS_OK;
}

static bool has_rows(const struct sheet *sheet)
{
	return sheet->block_count > 0 && sheet->blocks->rows > 0;
}

static void nothing_write(struct page_writer *w, const struct page_section *section)
{
	fputs("<p>No players to compare: see <a href=\"#run-", w->out);
	html_word(w->out, section->name);
	fputs("\">its figures</a>.</p>\n", w->out);
}

static enum status players_write(struct page_writer *w, const struct page_section *section,
				 const struct source *s)
{
	bool any = false;
	if (has_rows(&s->summary))
		return summary_write(w, s);
	if (has_rows(&s->gap))
		return gap_write(w, s->gap.blocks);
	enum status status = sweep_write(w, s, &any);
	if (!any)
		nothing_write(w, section);
	return status;
}

enum status glance_write(struct page_writer *w, const struct page_section *section)
{
	static const char *const names[SOURCES] = {"summary", "tiles", "sizes",
						   "ratios",  "gap",   "sweep"};
	struct source s = {0};
	struct sheet *sheets[SOURCES] = {&s.summary, &s.tiles, &s.sizes,
					 &s.ratios,  &s.gap,   &s.sweep};
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < SOURCES; i++)
		status = source_read(w, section, names[i], sheets[i]);
	html_print(w->out, "<section class=\"card\"><h3>%s</h3>\n",
		   section->title ? section->title : section->name);
	if (!status)
		status = players_write(w, section, &s);
	fputs("</section>\n", w->out);
	for (size_t i = 0; i < SOURCES; i++)
		sheet_fini(sheets[i]);
	return status;
}
