/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A summary as text: two tables for people, nine for gnuplot. They format; they compute nothing. */
#ifndef NXN_SUMMARY_TABLES_H
#define NXN_SUMMARY_TABLES_H

#include "analysis/stats/summary.h"
#include "analysis/tables/table.h"

/*
 * results  the final cells; the goal as in curve; one block
 * summary  all cells; one block
 * spread   all cells; a block a quantity, "# block N: QUANTITY": score, largest tile, moves, seconds
 * tiles    a block a board, "# block N: BOARD": tile, then for each final label three columns
 *          "LABEL" "LABEL low" "LABEL high": share of the games whose largest tile it is
 * reach    the same, share of the games that reached at least the tile
 * scores   a block a final cell, "# block N: BOARD LABEL": score, cumulative share; one row a game,
 *          and at most 2000 evenly spaced ones
 * curve    a block a (board, label) that was trained, "# block N: BOARD LABEL", a row a point of
 *          its training; the goal is a tile for boards of that size
 * sizes    a block a final label, "# block N: LABEL", a row a board
 * ratios   a block a pair of labels, "# block N: A / B", a row a board
 *
 * For people: final cells in aligned columns, then for each board its best player against the
 * others; and for learners that tell the chances of their moves, how sure they are of them. About
 * 120 columns wide. All are made of a struct summary.
 */
extern const struct tables summary_tables;

/* The table spread for people, of a struct summary: final cells, a row a quantity. */
void spread_print(FILE *file, const void *summary);

#endif
