/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Players at a glance, board after board: mean scores, the largest tile, how far ahead the best is. Nothing is
 * computed here: the numbers are those of the tables.
 */
#include "src/report/page_players.h"

#include "src/report/html.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int bar_row_order(const void *a, const void *b)
{
	const struct bar_row *x = a, *y = b;
	double p = x->value.value, q = y->value.value;
	if (isnan(p) || isnan(q))
		return isnan(p) - isnan(q);
	return (p < q) - (p > q);
}

uint32_t series_colour(size_t number)
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
		html_print(out, " times as much as <b>%s</b>", second->label);
	} else if (ratio_find(source, best->board, second->label, best->label, &ratio)) {
		html_print(out, "<p class=\"verdict\"><b>%s</b> leads; <b>%s</b> scores ",
			   best->label, second->label);
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
	qsort(rows, count, sizeof *rows, bar_row_order);
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

void boards_write(struct page_writer *w, const struct source *source, struct bar_row *rows,
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

enum status summary_write(struct page_writer *w, const struct source *source)
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
