/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game of 2048 on R x C cells: its shape, its encoding, its spawn rule and its kernels.
 *
 * A struct game is made once by game_init() and then passed around as const: it is the only place
 * that knows the size of a board. Cells hold exponents: 0 is empty, k is the tile 2^k.
 *
 * The largest tile. With n cells and spawns up to 2^e, let E = n + e - 1. In every position that
 * play can reach, the i-th largest exponent (i = 0, 1, ...) is at most E - i: when the last of the
 * i + 1 largest tiles was made, the others stood already and left n - i cells for it. Merging and
 * spawning keep that bound, so a position that satisfies it never exceeds E, and E decides the
 * width of a packed cell: 2x2 5 (3 bits), 4x4 17 (5 bits), 6x6 37 (6 bits).
 */
#ifndef NXN_GAME_H
#define NXN_GAME_H

#include "base/status.h"
#include "boards/simd/isa.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	SIDE_MIN = 2,
	SIDE_MAX = 6,
	CELLS_MAX = SIDE_MAX * SIDE_MAX,
	ROW_BYTES = 8,
	SPAWN_KINDS_MAX = 8,
	SPAWN_TEXT_MAX = 128, /* eight kinds with probabilities of 10 decimals fit */
};

/* Up moves tiles towards the first row. Ties are broken in this order. */
enum direction { UP, RIGHT, DOWN, LEFT, DIRECTIONS };

/* Exponents, eight bytes a row; bytes outside the shape are 0, so equal boards are equal bytes. */
struct board {
	_Alignas(16) uint8_t cell[SIDE_MAX][ROW_BYTES];
};

/* The four after-states of a position. What is not legal has reward 0 and an unchanged board. */
struct moves {
	struct board after[DIRECTIONS];
	uint64_t reward[DIRECTIONS]; /* points: the sum of the tiles that merging made */
	unsigned legal;		     /* bit d is set when direction d changes the board */
};

/* What appears in a uniformly chosen empty cell after a move; probabilities sum to 1. */
struct spawn_rule {
	int kinds;
	uint8_t exponent[SPAWN_KINDS_MAX];   /* ascending */
	double probability[SPAWN_KINDS_MAX]; /* each > 0 */
};

struct playout_block;
struct playout_odds;
struct keys_kernel;

struct game {
	int rows, cols, cells;
	int max_exponent; /* E above */
	int bits;	  /* a packed cell */
	int symmetries;	  /* 8 on a square, 4 on another rectangle */
	int start_tiles;  /* spawned before the first move, unless a start is given */
	bool has_start;
	struct board start;
	struct spawn_rule spawn;
	char name[8]; /* "4x4": rows x columns */
	enum isa isa; /* what the kernels below, and the values, are compiled for */

	/* The after-states of BOARD. Cannot fail; any thread. */
	void (*moves)(const struct board *board, struct moves *moves);
	/* True when no move is legal. */
	bool (*over)(const struct board *board);
	/*
	 * For boards/simd/playout.h: tries STEPS random moves, a multiple of 4 below 256, in each
	 * game of BLOCK. Bit i of the result: the i-th game is over, its board full.
	 */
	uint64_t (*playout)(struct playout_block *block, const struct playout_odds *odds,
			    int steps);
	const struct keys_kernel *keys; /* for boards/simd/keys.h */
};

/* What a game is made of, in the user's words. NULL and 0 take the default. */
struct game_options {
	const char *shape; /* "4x4"; may be NULL when start is given */
	const char *spawn; /* "2:0.9,4:0.1" */
	int start_tiles;   /* 2 */
	const char *start; /* a position to start from, instead of start tiles */
};

/*
 * Makes a game. STATUS_INPUT for a shape outside 2x2 .. 6x6, a malformed spawn rule or start, more
 * start tiles than cells, a start position that no game of that shape can hold, or an instruction
 * set (NXN_ISA) that is not there.
 */
MUST_USE enum status game_init(struct game *game, const struct game_options *options,
			       struct why *why);

/*
 * Whether play could reach tiles like these, so that nothing beyond max_exponent can follow; the
 * bound in the head comment. Positions given by a user are checked by it. STATUS_INPUT if not.
 */
MUST_USE enum status game_admits(const struct game *game, const struct board *board,
				 struct why *why);

/*
 * The spawn rule as text, "2:0.9,4:0.1", in ascending order and with all the digits it takes to
 * read the same rule back; it fits, since game_init() refuses rules that do not.
 */
void spawn_format(const struct spawn_rule *rule, char text[SPAWN_TEXT_MAX]);

#endif
