/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Players as bars, in a table of a page. */
#ifndef NXN_PAGE_BARS_H
#define NXN_PAGE_BARS_H

#include "src/report/page_parts.h"

/* A player of a board. Texts belong to others. */
struct bar_row {
	const char *board, *label;
	const char *agent; /* or NULL */
	struct interval value;
	double games, trained; /* NAN for games: the value is exact */
	const char *tile; /* the largest that was reached, in this share of the games; or NULL */
	double tile_share;
	struct interval time; /* milliseconds a move */
	uint32_t colour;
};

/* What the table is of: its column of values, and the one behind the bars. */
enum bars_kind { BARS_SCORES, BARS_SHARES, BARS_TIMES };

/*
 * Writes a table of ROWS, the best first, which is set off. The axis begins at 0; it is logarithmic where
 * values span more than a factor of 30, and a line below says so. Bars and axis are for the eye alone: the numbers are in the
 * table.
 */
void bars_write(struct page_writer *writer, const char *title, enum bars_kind kind,
		const struct bar_row *rows, size_t count);

#endif
