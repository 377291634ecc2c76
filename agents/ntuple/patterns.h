/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of n-tuples out of text, for every shape: tuples cell by cell, and sets by name.
 *
 * A list is items joined by ',' or '+'. In the text of an agent an item with '=' is joined by '+',
 * since behind a comma it would be another parameter. An item is one of
 *
 *   012345         the cells of a tuple, a base 36 digit each (0-9, a-z) in reading order: on 4x4
 *                  0123 is the first row and 048c the first column
 *   lines          every row and every column
 *   rectangles=RxC every place of an R x C and a C x R rectangle
 *   snakes=N       every N consecutive cells of the snake through the board: the first row from
 *                  left to right, the second from right to left, and so on
 *   group0 group1 group2 4x6 8x6    tuples of 4x4, as published; see patterns.c
 *
 * On 4x4 the published sets are what was printed. On another shape they are their forms: each
 * tuple, turned and mirrored, in every place where it fits; what fits nowhere is left out.
 *
 * A set made for the shape (all but the published ones on 4x4) leaves out tuples that consist of
 * the cells of an earlier one; where weights are shared by symmetry, also those that consist of
 * the cells of an earlier one's image, since they would be the same features again. What is
 * written cell by cell, or was published, stays as it is written. A name is a name even where
 * its letters are cells too (on 6x6 "lines"): such a tuple has its cells written in another
 * order.
 */
#ifndef NXN_PATTERNS_H
#define NXN_PATTERNS_H

#include "boards/game.h"

enum {
	PATTERN_CELLS = 8,  /* most cells of a tuple */
	PATTERNS_MAX = 128, /* most tuples of a list */
};

struct pattern {
	int length;		     /* cells */
	uint8_t cell[PATTERN_CELLS]; /* r * ROW_BYTES + c, as written; 0 behind the last */
};

struct patterns {
	int count;
	struct pattern pattern[PATTERNS_MAX];
};

/*
 * Reads the list TEXT for GAME's shape. SHARING: the weights of a tuple are also those of its
 * images under the symmetries of the shape. STATUS_INPUT: an unknown name, a cell that the shape
 * has not or that is twice in a tuple, more than PATTERN_CELLS cells, more than PATTERNS_MAX
 * tuples, the same tuple twice, a set without a tuple on this shape or without one that is not
 * there already.
 */
MUST_USE enum status patterns_read(const char *text, const struct game *game, bool sharing,
				   struct patterns *patterns, struct why *why);

/*
 * The image of IN under symmetry I of board_symmetry(), I < game->symmetries: its j-th cell
 * shows on a board what the j-th cell of IN shows on that board's I-th symmetric image. OUT may
 * be IN.
 */
void pattern_image(const struct game *game, int i, const struct pattern *in, struct pattern *out);

#endif
