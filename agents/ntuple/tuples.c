/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines and rectangles, and their mixed-radix indices; see tuples.h.
 *
 * Features: Yeh, Wu et al., Multistage temporal difference learning for 2048-like games, IEEE
 * TCIAIG 9(4), 2017, figure of the 4-tuples and 6-tuples; here with a table for each place on the
 * board.
 *
 * An index has one digit a cell, but each digit is split: its low bits, six in all, make up the
 * place in a box of 64 entries, its high part is a digit of the number of the box. A box therefore
 * holds what differs little, such as the contents before and after a merge, and boxes can exist or
 * not (agents/ntuple/lazy.h). Six cells give one low bit each, four give 2, 2, 1, 1, and so on.
 *
 * Invariant: a tuple's index, less its base, is the sum of one part a cell, and no two contents
 * have the same sum.
 */
#include "agents/ntuple/tuples.h"

#include "agents/ntuple/lazy.h"

#include <assert.h>

/* Every place of a ROWS x COLS rectangle. */
static void add_rectangles(struct tuples *t, const struct game *game, int rows, int cols)
{
	for (int r = 0; r + rows <= game->rows; r++) {
		for (int c = 0; c + cols <= game->cols; c++) {
			struct tuple *tuple = &t->tuple[t->count++];
			tuple->length = rows * cols;
			for (int j = 0; j < rows * cols; j++)
				tuple->cell[j] =
				    (uint8_t)((r + j / cols) * ROW_BYTES + c + j % cols);
		}
	}
}

/* Fills part[length] and returns the number of indices that a tuple of that length has. */
static uint64_t split_digits(struct tuples *t, int length)
{
	uint64_t boxes = 1;
	int shift = 0;
	for (int j = 0; j < length; j++) {
		int bits = LAZY_BITS / length + (j < LAZY_BITS % length);
		for (int e = 0; e < LEVELS_MAX; e++) {
			uint64_t digit = (uint64_t)(e < t->levels ? e : t->levels - 1);
			uint64_t low = digit & ((1u << bits) - 1);
			t->part[length][j][e] =
			    (digit >> bits) * boxes * LAZY_BLOCK + (low << shift);
		}
		boxes *= (uint64_t)((t->levels - 1) >> bits) + 1;
		shift += bits;
	}
	return boxes * LAZY_BLOCK;
}

void tuples_init(struct tuples *tuples, const struct game *game, int levels)
{
	assert(levels >= 2 && levels <= LEVELS_MAX);
	*tuples = (struct tuples){.levels = levels};
	add_rectangles(tuples, game, 1, game->cols);
	add_rectangles(tuples, game, game->rows, 1);
	add_rectangles(tuples, game, 2, 3);
	add_rectangles(tuples, game, 3, 2);
	for (int k = 0; k < tuples->count; k++) {
		tuples->base[k] = tuples->size;
		tuples->size += split_digits(tuples, tuples->tuple[k].length);
	}
}

void tuples_index(const struct tuples *tuples, const struct board *board,
		  uint64_t index[TUPLES_MAX])
{
	const uint8_t *cell = &board->cell[0][0];
	for (int k = 0; k < tuples->count; k++) {
		const struct tuple *tuple = &tuples->tuple[k];
		const uint64_t(*part)[LEVELS_MAX] = tuples->part[tuple->length];
		uint64_t sum = tuples->base[k];
		for (int j = 0; j < TUPLE_CELLS; j++)
			sum += part[j][cell[tuple->cell[j]]];
		index[k] = sum;
	}
}
