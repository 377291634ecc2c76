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
	bool moves, act, step, value; /* requests that it knows; `step` means `start` as well */
	bool some;		      /* only boards in the table below */
	bool board[SIDE_MAX + 1][SIDE_MAX + 1];
	int largest;	     /* exponent of the largest tile that it can hold; 0: any */
	size_t acts, values; /* positions that a frame of these may have; 0: it knows none */
};

enum { FRAME_MAX = 65536 };

/* Room for the bytes of frames of at most so many positions; frame_free(NULL) is fine. */
struct frame;
MUST_USE enum status frame_new(size_t positions, struct frame **frame, struct why *why);
void frame_free(struct frame *frame);

/*
 * program_start() of a COMMAND that a user wrote, with the stop of nxn. STATUS_INPUT also for an
 * empty one, or one with control characters.
 */
MUST_USE enum status protocol_open(const char *command, double seconds, struct program **program,
				   struct why *why);

/* The first request: hello. */
MUST_USE enum status protocol_hello(struct program *program, struct ability *ability,
				    struct why *why);

/* Whether a program that can do that knows boards of this shape. */
bool ability_has(const struct ability *ability, int rows, int cols);

/* STATUS_INPUT if PROGRAM, which can do that, does not know the board of GAME. */
MUST_USE enum status protocol_knows(struct program *program, const struct ability *ability,
				    const struct game *game, struct why *why);

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

/*
 * protocol_act() of N turns at once, in one binary frame, TURNS[i] with DRAW[i], on the board of
 * the last protocol_new(): the program's moves, legal or not, and in DECISIONS its values or its
 * chances of the four moves, NAN where it tells none. N is at most the positions of FRAME and what
 * the program takes.
 */
MUST_USE enum status protocol_acts(struct program *program, struct frame *frame,
				   const struct turn *turns, const uint32_t *draw, size_t n,
				   int *move, struct decision *decisions, struct why *why);

/* What the program thinks that BOARD is worth. */
MUST_USE enum status protocol_value(struct program *program, const struct game *game,
				    const struct board *board, double *value, struct why *why);

/* The same for N positions at once, in a binary frame; N as for protocol_acts(). */
MUST_USE enum status protocol_values(struct program *program, const struct game *game,
				     struct frame *frame, const struct board *boards, size_t n,
				     double *value, struct why *why);

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
