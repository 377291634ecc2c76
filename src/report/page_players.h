/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Players of a section at a glance: what its tables tell of them. */
#ifndef NXN_PAGE_PLAYERS_H
#define NXN_PAGE_PLAYERS_H

#include "src/report/page_bars.h"

/* The tables of a section that are looked at; those that it does not have are empty. */
struct source {
	struct sheet summary, tiles, sizes, ratios, gap, sweep, duel;
};

/* Of bar_rows, for qsort(): best first, those without a value last. */
int bar_row_order(const void *a, const void *b);

/* The colour of series NUMBER, from 0, as plots/style.gp has it. */
uint32_t series_colour(size_t number);

/*
 * Writes ROWS board after board, in the order in which these first come; sorts them. By times where they
 * have some, else by scores.
 */
void boards_write(struct page_writer *writer, const struct source *source, struct bar_row *rows,
		  size_t count);

/* The same for the table summary, each player after its last training. STATUS_SYSTEM. */
MUST_USE enum status summary_write(struct page_writer *writer, const struct source *source);

#endif
