/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line protocol of docs/conformance.md: requests to other programs, and their replies.
 *
 * A request fails with STATUS_SYSTEM and one line that names the program, the request, and what is
 * wrong with the reply: replies that cannot be parsed are errors of the system, as of a broken
 * disk. The caller checks the contents of replies that can be parsed.
 */
#ifndef NXN_PROTOCOL_H
#define NXN_PROTOCOL_H

#include "agents/agent.h"
#include "base/program.h"

enum { PROTOCOL_VERSION = 1 };

/* The abilities of a program. */
struct ability {
	bool moves, act, step, value; /* supported requests; `step` includes `start` */
	bool some;		      /* supports only the boards in the table below */
	bool board[SIDE_MAX + 1][SIDE_MAX + 1];
	int largest;	     /* largest exponent that it can represent; 0: any */
	size_t acts, values; /* maximal number of positions in a frame; 0: no frames */
};

enum { FRAME_MAX = 65536 };

/*
 * Bytes of a frame for each position: in a request it has its cells and a draw; in a reply a move
 * and four numbers.
 */
enum { FRAME_POSITION = CELLS_MAX + 4 };

/*
 * program_start() for a COMMAND from a user, then protocol_hello(); a request to stop nxn ends the
 * waiting. STATUS_INPUT also for an empty command or one with control characters. The caller ends
 * PROGRAM also on failure, unless it is NULL.
 */
MUST_USE enum status protocol_open(const char *command, double seconds, struct program **program,
				   struct ability *ability, struct why *why);

/* Sends the first request, hello. */
MUST_USE enum status protocol_hello(struct program *program, struct ability *ability,
				    struct why *why);

/* Whether a program with this ability supports boards of this shape. */
bool ability_has(const struct ability *ability, int rows, int cols);

/* STATUS_INPUT if PROGRAM, with this ability, does not support the board of GAME. */
MUST_USE enum status protocol_knows(struct program *program, const struct ability *ability,
				    const struct game *game, struct why *why);

/* Announces that requests for games on this board, with this spawn rule, follow. */
MUST_USE enum status protocol_new(struct program *program, const struct game *game,
				  struct why *why);

/* Asks for the program's after-states of BOARD. An after-state of another shape is an error. */
MUST_USE enum status protocol_moves(struct program *program, const struct game *game,
				    const struct board *board, struct moves *moves,
				    struct why *why);

/*
 * Asks for the program's move in a position, legal or not, and its values of the moves, NAN if it
 * sends none. DRAW is for random choices: the same draw should give the same move.
 */
MUST_USE enum status protocol_act(struct program *program, const struct game *game,
				  const struct board *board, uint32_t draw, int *move,
				  double value[DIRECTIONS], struct why *why);

/*
 * protocol_act() for N turns in one binary frame, TURNS[i] with a draw from RNG[i], on the board of
 * the last protocol_new(). Sets the program's moves, legal or not, and in DECISIONS its values or
 * probabilities of the four moves, NAN if it sends none. FRAME has N * FRAME_POSITION bytes; N must
 * not exceed the limit of the program.
 */
MUST_USE enum status protocol_acts(struct program *program, uint8_t *frame,
				   const struct turn *turns, struct rng *const *rng, size_t n,
				   int *move, struct decision *decisions, struct why *why);

/* Asks for the program's value of BOARD. */
MUST_USE enum status protocol_value(struct program *program, const struct game *game,
				    const struct board *board, double *value, struct why *why);

/* protocol_value() for N positions in a binary frame; N as for protocol_acts(). */
MUST_USE enum status protocol_values(struct program *program, const struct game *game,
				     uint8_t *frame, const struct board *boards, size_t n,
				     double *value, struct why *why);

/* The state of a game of the program's own. */
struct observation {
	struct board board;
	unsigned legal; /* bit d: direction d is legal */
	uint64_t score; /* points so far */
};

/*
 * Makes the program start a game on the board of the last protocol_new(), with SEED for its random
 * numbers. The position may be any of the shape, even one that no game can have.
 */
MUST_USE enum status protocol_start(struct program *program, const struct game *game, uint32_t seed,
				    struct observation *seen, struct why *why);

/* Makes the program play MOVE in that game and add a tile. */
MUST_USE enum status protocol_step(struct program *program, const struct game *game, int move,
				   struct observation *seen, struct why *why);

/* Formats a set of legal moves, "URL", or "-" if it is empty. */
void legal_format(unsigned legal, char text[DIRECTIONS + 1]);

/* Formats move D, as "4:4,0/0,0", or "-" if it is not legal; returns the length. */
size_t move_format(const struct game *game, const struct moves *moves, int d, char *text,
		   size_t size);

/* Formats a program's reply to WORD, which is `start` or `step`. */
void protocol_seen_format(const struct game *game, const char *word, const struct observation *seen,
			  char line[PROGRAM_LINE_MAX]);

/* Formats a program's reply to `moves`. */
void protocol_moves_format(const struct game *game, const struct moves *moves,
			   char line[PROGRAM_LINE_MAX]);

/* A game that nxn plays by the requests `start` and `step`. */
struct own_game {
	const struct game *game; /* NULL: none has begun */
	struct observation now;
	struct rng spawns;
};

/* Begins a game on GAME, which must outlive it; makes a legal move and adds a tile. */
void own_game_start(struct own_game *own, const struct game *game, uint64_t seed);
void own_game_step(struct own_game *own, int move);

#endif
