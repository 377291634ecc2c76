/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on a position: counts, spawns, symmetries, text form. */
#ifndef NXN_BOARD_H
#define NXN_BOARD_H

#include "boards/game.h"
#include "boards/rng.h"
#include "boards/simd/bytes.h"

#include <string.h>

/* Longest text of a position: 36 tiles of at most 13 digits (2^43), separators and a NUL. */
enum { BOARD_TEXT_MAX = CELLS_MAX * 14 + 1 };

static inline bool board_equal(const struct board *a, const struct board *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

/* A hash of BOARD; every bit depends on all cells. */
static inline uint64_t board_hash(const struct board *board)
{
	/* Odd numbers without structure: digits of the golden ratio and of pi. */
	static const uint64_t factor[SIDE_MAX] = {0x9e3779b97f4a7c15, 0x243f6a8885a308d3,
						  0x13198a2e03707345, 0xa4093822299f31d1,
						  0x082efa98ec4e6c89, 0x452821e638d01377};
	uint64_t hash = 0;
	for (int r = 0; r < SIDE_MAX; r++)
		hash += row_load(board->cell[r]) * factor[r];
	hash = (hash ^ hash >> 32) * factor[0];
	return hash ^ hash >> 29;
}

/* The cell at PLACE, which is r * ROW_BYTES + c. */
static inline uint8_t *board_at(struct board *board, int place)
{
	return &board->cell[place / ROW_BYTES][place % ROW_BYTES];
}

int board_empty(const struct game *game, const struct board *board);

/*
 * Lists the places of the empty cells, in reading order, in CELLS (room for CELLS_MAX). Returns
 * their number.
 */
int board_empty_cells(const struct game *game, const struct board *board, uint8_t *cells);

/* Returns the largest exponent. */
int board_max(const struct board *board);

/* Whether one of the largest tiles is in a corner. */
bool board_max_in_corner(const struct game *game, const struct board *board);

/* The sum of the tiles. */
uint64_t board_sum(const struct board *board);

/*
 * Spawns a tile: a uniformly chosen empty cell, then a kind by the spawn rule. At least one cell
 * must be empty.
 */
static inline void board_spawn(const struct game *game, struct board *board, struct rng *rng)
{
	game->spawn_into(game, board, board, rng);
}

/* The number of moves in the set LEGAL, a bit each. */
static inline uint32_t legal_count(unsigned legal)
{
	return (uint32_t)(UINT64_C(0x4332322132212110) >> 4 * legal & 15);
}

/* Draws a legal move uniformly, with one draw. At least one move must be legal. */
static inline int moves_any(const struct moves *moves, struct rng *rng)
{
	/* Bits 2s and 2s + 1 of nth[n]: move number n, from 0, of the set s. */
	static const uint32_t nth[DIRECTIONS] = {0x12131210, 0x6b7c6840, 0xbcc08000, 0xc0000000};
	return (int)(nth[rng_below(rng, legal_count(moves->legal))] >> 2 * moves->legal & 3);
}

/* Makes a starting position: game->start, or start tiles spawned on an empty board. */
void board_start(const struct game *game, struct board *board, struct rng *rng);

/*
 * Writes symmetric image I < game->symmetries of IN to OUT; image 0 is IN. Bit 0 of I mirrors left
 * to right, bit 1 top to bottom, bit 2 (squares only) then transposes.
 */
void board_symmetry(const struct game *game, int i, const struct board *in, struct board *out);

/*
 * Writes the least symmetric image of IN to OUT: the first cell in which images differ, counted
 * from the last cell, decides.
 */
void board_canonical(const struct game *game, const struct board *in, struct board *out);

/*
 * Parses a position: rows from the top separated by '/', tiles by ',', 0 for an empty cell, as in
 * "0,2/4,0". Nothing else is allowed, not even blanks. Sets *ROWS and *COLS, each within 2 .. 6.
 * STATUS_INPUT with the first wrong character, its row and column.
 */
MUST_USE enum status board_parse(const char *text, struct board *board, int *rows, int *cols,
				 struct why *why);

/* Formats a position as board_parse() reads it. */
void board_format(const struct game *game, const struct board *board, char text[BOARD_TEXT_MAX]);

/*
 * board_parse() of a position of GAME: STATUS_INPUT also for another shape, or a position that
 * game_admits() rejects.
 */
MUST_USE enum status board_read(const struct game *game, const char *text, struct board *board,
				struct why *why);

#endif
