/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line protocol of docs/conformance.md: what other programs are asked, and their answers.
 *
 * All that asks a program fails with STATUS_SYSTEM and one line that names the program, the request
 * and what is wrong with the answer: a program that cannot be understood is like a broken disk.
 * What can be understood and is wrong is for the caller to find out.
 */
#ifndef NXN_PROTOCOL_H
#define NXN_PROTOCOL_H

#include "agents/agent.h"
#include "base/program.h"

enum { PROTOCOL_VERSION = 1 };

/* What a program can do. */
struct ability {
	bool moves, act, step; /* requests that it knows; `step` means `start` as well */
	bool some;	       /* only boards in the table below */
	bool board[SIDE_MAX + 1][SIDE_MAX + 1];
	int largest; /* exponent of the largest tile that it can hold; 0: any */
};

/* The first request: hello. */
MUST_USE enum status protocol_hello(struct program *program, struct ability *ability,
				    struct why *why);

/* Whether a program that can do that knows boards of this shape. */
bool ability_has(const struct ability *ability, int rows, int cols);

/* Requests of games on this board, with this spawn rule, follow. */
MUST_USE enum status protocol_new(struct program *program, const struct game *game,
				  struct why *why);

/* The program's moves in BOARD. An after-state of another shape cannot be understood. */
MUST_USE enum status protocol_moves(struct program *program, const struct game *game,
				    const struct board *board, struct moves *moves,
				    struct why *why);

/*
 * The program's move in a position, legal or not, and its values of the moves, NAN where it tells
 * none. DRAW is for a program that plays at random: the same draw, the same move.
 */
MUST_USE enum status protocol_act(struct program *program, const struct game *game,
				  const struct board *board, uint32_t draw, int *move,
				  double value[DIRECTIONS], struct why *why);

/* A game of the program's own, as it shows it. */
struct observation {
	struct board board;
	unsigned legal; /* bit d: direction d is legal */
	uint64_t score; /* points so far */
};

/*
 * The program begins a game on the board of the last protocol_new(), with SEED for its random
 * numbers. The position can be any of the shape, one that no game has included.
 */
MUST_USE enum status protocol_start(struct program *program, const struct game *game, uint32_t seed,
				    struct observation *seen, struct why *why);

/* It makes MOVE in that game, and a tile appears. */
MUST_USE enum status protocol_step(struct program *program, const struct game *game, int move,
				   struct observation *seen, struct why *why);

/* What a program answers to WORD, which is `start` or `step`. */
void protocol_seen_format(const struct game *game, const char *word, const struct observation *seen,
			  char line[PROGRAM_LINE_MAX]);

/* What a program answers to `moves`. */
void protocol_moves_format(const struct game *game, const struct moves *moves,
			   char line[PROGRAM_LINE_MAX]);

#endif
