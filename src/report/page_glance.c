/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparison at a glance: for each board its players, best first, by their mean scores; players
 * against the optimum by their share of it; of a sweep, the settings on the front of score against time; of a
 * duel, how it ended.
 * Nothing is computed here: the numbers are those of the tables. Colours are those of the figures (plots/style.gp): by the order of players in the table sizes.
 */
#include "src/report/page_players.h"

#include "base/file.h"
#include "src/report/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SOURCE_BYTES_MAX = 1 << 22, BOARD_MAX = 16, DUEL_NAME_MAX = 512, SOURCES = 7 };

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
	qsort(rows, count, sizeof *rows, bar_row_order);
	if (count > 0)
		bars_write(w, "share of the optimum", BARS_SHARES, rows, count);
	free(rows);
	return STATUS_OK;
}

/* Cuts "3x3 A / B", a duel's name, into its words, in NAME. False for anything else. */
static bool duel_name_cut(char *name, char *words[3])
{
	char *space = strchr(name, ' '), *slash = space ? strstr(space, " / ") : NULL;
	if (!slash)
		return false;
	*space = *slash = '\0';
	words[0] = name;
	words[1] = space + 1;
	words[2] = slash + 3;
	return true;
}

/* The last look of a duel: both players, their ratio, the decision. False if BLOCK is no duel. */
static bool duel_write(struct page_writer *w, const struct sheet_block *block)
{
	char name[2 * DUEL_NAME_MAX], *words[3];
	size_t games, a, b, ratio, decision;
	snprintf(name, sizeof name, "%s", block->name);
	if (!duel_name_cut(name, words) || !sheet_find(block, "games", &games) ||
	    !sheet_find(block, "a", &a) || !sheet_find(block, "b", &b) ||
	    !sheet_find(block, "ratio", &ratio) || !sheet_find(block, "verdict", &decision))
		return false;
	const size_t last = block->rows - 1;
	const char *decided = sheet_cell(block, last, decision);
	struct bar_row rows[2];
	for (size_t i = 0; i < 2; i++)
		rows[i] = (struct bar_row){
		    .board = words[0],
		    .label = words[1 + i],
		    .value = sheet_number(block, last, i == 0 ? a : b),
		    .games = sheet_number(block, last, games).value,
		    .colour = series_colour(i),
		};
	qsort(rows, 2, sizeof *rows, bar_row_order);
	html_print(w->out, "<h4>%s</h4>\n<p class=\"verdict\"><b>%s</b> scores ", words[0],
		   words[1]);
	number_html(w->out, sheet_number(block, last, ratio));
	html_print(w->out, " times as much as %s: %s.</p>\n", words[2],
		   strcmp(decided, "equal") == 0 ? "equal within the bound of the duel"
		   : *decided			 ? "decided"
						 : "undecided");
	bars_write(w, words[0], BARS_SCORES, rows, 2);
	return true;
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
	if (has_rows(&s->duel) && duel_write(w, s->duel.blocks))
		return STATUS_OK;
	enum status status = sweep_write(w, s, &any);
	if (!any)
		nothing_write(w, section);
	return status;
}

enum status glance_write(struct page_writer *w, const struct page_section *section)
{
	static const char *const names[SOURCES] = {"summary", "tiles", "sizes", "ratios",
						   "gap",     "sweep", "duel"};
	struct source s = {0};
	struct sheet *sheets[SOURCES] = {&s.summary, &s.tiles, &s.sizes, &s.ratios,
					 &s.gap,     &s.sweep, &s.duel};
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
