/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game of 2048 on R x C cells: its shape, encoding, spawn rule and kernels.
 *
 * game_init() creates a struct game, which all other code takes as const. Only this struct holds
 * the size of a board. Cells hold exponents: 0 is empty, k is the tile 2^k.
 *
 * The largest tile. With n cells and spawns up to 2^e, let E = n + e - 1. In every position that a
 * game can reach, the i-th largest exponent (i = 0, 1, ...) is at most E - i. Proof: when the last
 * of the i + 1 largest tiles was made, the others were already on the board and left n - i cells
 * for making it. Merges and spawns preserve the bound, so a position that satisfies it never leads
 * to an exponent above E, and E determines the width of a packed cell: 2x2 has E = 5 (3 bits), 4x4
 * has 17 (5 bits), 6x6 has 37 (6 bits).
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
	SPAWN_TEXT_MAX = 128, /* enough for eight kinds with probabilities of 10 decimals */
};

/* UP moves tiles towards the first row. Ties are broken in this order. */
enum direction { UP, RIGHT, DOWN, LEFT, DIRECTIONS };
extern const char direction_letters[DIRECTIONS + 1]; /* "URDL" */
extern const char *const direction_names[DIRECTIONS];

/* The direction of LETTER, or DIRECTIONS if it has none. */
int direction_of_letter(char letter);

/*
 * Exponents, eight bytes per row. Bytes outside the shape are 0, so equal boards have equal bytes.
 */
struct board {
	_Alignas(16) uint8_t cell[SIDE_MAX][ROW_BYTES];
};

/*
 * The four after-states of a position. An illegal move has reward 0 and leaves the board unchanged.
 */
struct moves {
	struct board after[DIRECTIONS];
	uint64_t reward[DIRECTIONS]; /* points: the sum of the tiles that merging made */
	unsigned legal;		     /* bit d is set when direction d changes the board */
};

/* The tiles that appear in a uniformly chosen empty cell after a move. Probabilities sum to 1. */
struct spawn_rule {
	int kinds;
	uint8_t exponent[SPAWN_KINDS_MAX];   /* ascending */
	double probability[SPAWN_KINDS_MAX]; /* each > 0 */
	/* "2:0.9,4:0.1"; game_init() reads the same rule from it. */
	char text[SPAWN_TEXT_MAX];
};

struct rng;
struct playout_block;
struct playout_odds;
struct keys_kernel;

struct game {
	int rows, cols, cells;
	int max_exponent; /* E above */
	int bits;	  /* that hold any exponent */
	int symmetries;	  /* 8 on a square, 4 on another rectangle */
	uint64_t places;  /* the cells: bit r * ROW_BYTES + c for cell (r, c) */
	int start_tiles;  /* number of tiles spawned before the first move; ignored with `start` */
	bool has_start;
	struct board start;
	struct spawn_rule spawn;
	char name[8]; /* "4x4": rows x columns */
	enum isa isa; /* instruction set of the kernels below and of the values */

	/* Computes the after-states of BOARD. Cannot fail. Any thread. */
	void (*moves)(const struct board *board, struct moves *moves);
	/* Whether no move is legal. */
	bool (*over)(const struct board *board);
	/* Copies FROM, which may be TO, and spawns a tile on TO; see board_spawn(). */
	void (*spawn_into)(const struct game *game, const struct board *from, struct board *to,
			   struct rng *rng);
	/*
	 * For boards/simd/playout.h: tries STEPS random moves, a multiple of 4 below 256, in each
	 * game of BLOCK. Bit i of the result is set if game i is over and its board full.
	 */
	uint64_t (*playout)(struct playout_block *block, const struct playout_odds *odds,
			    int steps);
	const struct keys_kernel *keys; /* for boards/simd/keys.h */
};

/* The usual rules. */
#define SPAWN_DEFAULT "2:0.9,4:0.1"
enum { START_TILES_DEFAULT = 2 };

/* The user's choices for a game. NULL and 0 mean the default. */
struct game_options {
	const char *shape; /* "4x4"; may be NULL if `start` is given */
	const char *spawn; /* as SPAWN_DEFAULT */
	int start_tiles;
	const char *start; /* starting position in place of start tiles */
};

/*
 * Creates a game. STATUS_INPUT for a shape outside 2x2 .. 6x6, a malformed spawn rule or start,
 * more start tiles than cells, a start that no game of the shape can contain, or an instruction set
 * (NXN_ISA) that is not available.
 */
MUST_USE enum status game_init(struct game *game, const struct game_options *options,
			       struct why *why);

/*
 * Checks the bound on tiles that the head of this file derives. If BOARD satisfies the bound, no
 * exponent above max_exponent can follow. Every position from a user needs this check.
 * STATUS_INPUT if the bound is violated.
 */
MUST_USE enum status game_admits(const struct game *game, const struct board *board,
				 struct why *why);

#endif
