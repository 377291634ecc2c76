/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What can be asked of a position: counts, spawns, symmetries, packed form, text form.
 */
#ifndef NXN_BOARD_H
#define NXN_BOARD_H

#include "boards/game.h"
#include "boards/rng.h"
#include "boards/simd/bytes.h"

#include <string.h>

/* R*C cells of game->bits bits, cell (r, c) at bit (r*C + c) * bits; unused words are 0. */
struct packed {
	uint64_t word[4];
};

/* Longest text of a position: 36 tiles of at most 13 digits (2^43), separators and a NUL. */
enum { BOARD_TEXT_MAX = CELLS_MAX * 14 + 1 };

static inline bool board_equal(const struct board *a, const struct board *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

/* The same for equal boards; every bit depends on all cells. */
static inline uint64_t board_hash(const struct board *board)
{
	/* Odd, without structure: digits of the golden ratio and of pi. */
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

/* The number of empty cells. */
int board_empty(const struct game *game, const struct board *board);

/*
 * Lists the places of the empty cells in reading order in CELLS (room for CELLS_MAX);
 * their number.
 */
int board_empty_cells(const struct game *game, const struct board *board, uint8_t *cells);

/* The largest exponent. */
int board_max(const struct board *board);

/* Whether one of the largest tiles stands in a corner. */
bool board_max_in_corner(const struct game *game, const struct board *board);

/* The sum of the tiles. */
uint64_t board_sum(const struct board *board);

/* One spawn: a uniform empty cell, then a kind by the spawn rule. At least one cell is empty. */
void board_spawn(const struct game *game, struct board *board, struct rng *rng);

/* A legal move, each as likely as the others; at least one is legal. One draw. */
static inline int moves_any(const struct moves *moves, struct rng *rng)
{
	unsigned legal = moves->legal;
	for (uint32_t n = rng_below(rng, (uint32_t)__builtin_popcount(legal)); n > 0; n--)
		legal &= legal - 1;
	return __builtin_ctz(legal);
}

/* The position a game starts from: the given one, or start tiles spawned on an empty board. */
void board_start(const struct game *game, struct board *board, struct rng *rng);

/*
 * The I-th symmetric image, I < game->symmetries; 0 is the identity. Bit 0 mirrors left-right, bit
 * 1 top-bottom, bit 2 (squares only) transposes afterwards.
 */
void board_symmetry(const struct game *game, int i, const struct board *in, struct board *out);

/* Packs exactly; every exponent must be at most game->max_exponent. Ordered by packed_compare(). */
void board_pack(const struct game *game, const struct board *board, struct packed *packed);
void board_unpack(const struct game *game, const struct packed *packed, struct board *board);
int packed_compare(const struct packed *a, const struct packed *b);

/* The symmetric image with the least packed form. */
void board_canonical(const struct game *game, const struct board *in, struct board *out);

/*
 * Reads rows from the top separated by '/', cells by ',', tile values, 0 for empty: "0,2/4,0".
 * Nothing else is allowed, not even blanks. Rows and columns are results, each within 2..6.
 * STATUS_INPUT names the first character that is wrong, its row and column.
 */
MUST_USE enum status board_parse(const char *text, struct board *board, int *rows, int *cols,
				 struct why *why);

/* Writes a position the way board_parse() reads it. */
void board_format(const struct game *game, const struct board *board, char text[BOARD_TEXT_MAX]);

/* board_parse() for a known game: the shape must be its own and game_admits() must agree. */
MUST_USE enum status board_read(const struct game *game, const char *text, struct board *board,
				struct why *why);

#endif
