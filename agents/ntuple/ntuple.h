/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * N-tuple networks: the value of a position is the sum of the weights that its tuples select.
 *
 * 	V(b) = v0 + sum over features f of weight[index_f(b)]        (points)
 *
 * Features are the tuples in all symmetric images, or in one; images of one tuple share its table
 * (Szubert, Jaskowski: Temporal difference learning of n-tuple networks for the game 2048, CIG
 * 2014). With SHARE_ALL all tuples of one form share a table, in every place and orientation, each
 * place once. Such a table does not depend on the size of the board, so training can continue on
 * another board.
 *
 * The tables have exponents below `levels`; larger ones count as levels - 1.
 *
 * Weights on demand: the networks of qlearn have 10^11 indices on 6x6. Such a network allocates a
 * block of 64 weights for a box of 64 indices (agents/ntuple/indexer.h) when network_grow() first
 * needs one of them; weights without a block are 0. `index` is then a place in the blocks.
 *
 * agents/ntuple/network.c creates networks, td.c evaluates and trains them, ntuple.c has the
 * agents.
 */
#ifndef NXN_NTUPLE_H
#define NXN_NTUPLE_H

#include "agents/agent.h"
#include "agents/ntuple/indexer.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
	PATTERN_CELLS = 8,  /* maximal number of cells of a tuple */
	PATTERNS_MAX = 128, /* maximal number of tuples of a list */
};

struct pattern {
	int length;		     /* number of cells */
	uint8_t cell[PATTERN_CELLS]; /* r * ROW_BYTES + c, as written; 0 after the last */
};

/*
 * A list of tuples. With SHARE_ALL they are forms: cells in reading order, moved to the top left.
 */
struct patterns {
	int count;
	struct pattern pattern[PATTERNS_MAX];
};

enum { NETWORK_BOX = 64 }; /* indices of a box in a network on demand */

/*
 * A table is for a tuple in one image, for all symmetric images of a tuple, or for all tuples of
 * one form. SHARE_AUTO is replaced before a network is created.
 */
enum network_share { SHARE_NONE, SHARE_ORBIT, SHARE_ALL, SHARE_AUTO };

/*
 * Parses the list TEXT for the shape of GAME. SHARE says which tuples share weights. STATUS_INPUT:
 * an unknown name, a cell outside the shape or twice in a tuple, more than PATTERN_CELLS cells,
 * more than PATTERNS_MAX tuples, the same tuple twice, or a set without (new) tuples on this shape.
 */
MUST_USE enum status patterns_read(const char *text, const struct game *game,
				   enum network_share share, struct patterns *patterns,
				   struct why *why);

/* The coherence of a weight (agents/ntuple/td.c). With RATE_VISITS `size` counts its updates. */
struct coherence {
	float sum, size; /* sum of the errors, and of their absolute values */
};

/* The parameters of network_init(). */
struct network_plan {
	const char *tuples; /* list for patterns_read() */
	enum network_share share;
	int levels;	/* 0: the number of network_levels() */
	bool coherence; /* allocate a struct coherence for every weight */
	bool on_demand; /* weights in blocks that are allocated on demand */
	bool visits;	/* with on_demand: count the updates of every weight */
	double start;	/* v0, points */
};

struct network {
	const struct game *game;
	struct network_plan plan; /* its `tuples` is NULL */
	struct patterns patterns;
	struct indexer indexer;
	uint64_t first[PATTERNS_MAX]; /* first index of the pattern's table */
	uint64_t size;		      /* number of weights; on demand: of all possible blocks */
	float *weight;		      /* weight[index_place(i)], i < size; points */
	struct coherence *coherence;  /* indexed like `weight`; NULL unless plan.coherence */
	/*
	 * On demand only. Index i has weight[block * directory[i / 64] + i % 64]; with `visits` the
	 * number of its updates is 64 places after it.
	 */
	uint32_t block;	     /* floats per block */
	uint64_t boxes;	     /* number of boxes of all tuples */
	uint32_t *directory; /* [box]: its block, 0: none; NULL: not on demand */
	uint64_t *box;	     /* box[b]: the box of block b, 0 < b < blocks */
	uint64_t blocks;     /* blocks in use; block 0 stays zero */
	uint64_t capacity;   /* maximal number of blocks */
};

/*
 * Creates a network and maps the tables of PLAN for GAME. STATUS_INPUT if the tuples cannot be
 * parsed or there are too many features or weights (2^32, except on demand);
 * STATUS_SYSTEM if the tables may exceed the memory, or on demand the address space.
 */
MUST_USE enum status network_init(struct network *network, const struct game *game,
				  const struct network_plan *plan, struct why *why);

/* Frees a network; accepts a zeroed struct. */
void network_fini(struct network *network);

/*
 * Copies the weights of FROM to TO, which is untrained; neither may be on demand. Each table of
 * FROM goes to that of the same tuple or, with SHARE_ALL, of the same form. STATUS_INPUT if a table
 * of FROM has no place in TO, sharing or levels differ, or boards differ without SHARE_ALL.
 */
MUST_USE enum status network_inherit(struct network *to, const struct network *from,
				     struct why *why);

/*
 * Makes *VIEW a network for the board of GAME that borrows the weights of OF, which has SHARE_ALL;
 * never pass it to network_fini(). STATUS_INPUT if the forms have no places there, or too many.
 */
MUST_USE enum status network_view(struct network *view, const struct network *of,
				  const struct game *game, struct why *why);

/* Allocates a block for BOX < boxes; false if it has one or no more are available. */
bool network_box_add(struct network *network, uint64_t box);

/* Sets out[i] to V(boards[i]), i < n. */
void network_eval(const struct network *network, const struct board *boards, size_t n, double *out);

enum td_rule { RULE_TD_AFTER, RULE_TD_STATE, RULE_Q, RULE_Q_ADDED };
enum td_order { ORDER_FORWARD, ORDER_BACKWARD };
enum td_rate { RATE_FIXED, RATE_TC, RATE_VISITS, RATE_AUTO };
enum td_error { ERROR_LINEAR, ERROR_SQRT };
enum td_terminal { TERMINAL_ZERO, TERMINAL_NEG_SCORE };
enum td_decay { DECAY_LINEAR, DECAY_GEOMETRIC };
enum td_lost { LOST_ESTIMATE, LOST_ZERO };

enum { TRACE_MAX = 32, LANES_MAX = 64 };

struct td_options {
	/* Choices: enum td_rule, td_order, td_rate, td_error, td_terminal, td_decay, td_lost. */
	int rule, order, rate, error, terminal, decay, lost;
	double alpha, alpha_end; /* alpha_end from game alpha_games on; 0 games: always alpha */
	double curriculum_alpha; /* in games on other boards */
	int64_t alpha_games;
	double lambda, gamma, epsilon;
	int64_t trace;	  /* number of steps that an error updates; 1 if lambda is 0 */
	int64_t lanes;	  /* concurrent games per thread */
	int64_t retries;  /* maximal number of restarts of a game; none on other boards */
	bool choose_last; /* choose a move after the update for the previous one, not before it */
};

/* One step x of a game. */
struct td_step {
	struct board board;
	double reward; /* of the move to it, or for td-state from it */
};

/* A position from which a game can restart, with the points so far. */
struct td_restart {
	struct board board;
	uint64_t score;
};

enum { TRAIL_STEP = 16, TRAIL_MAX = 1024 };

/* Positions of a game, every TRAIL_STEP moves: entry[i % TRAIL_MAX], first <= i < end. */
struct td_trail {
	uint64_t first, end; /* at most TRAIL_MAX apart */
	struct td_restart entry[TRAIL_MAX];
};

/* A running game. */
struct td_game {
	uint64_t episode;
	struct rng rng;
	struct outcome outcome; /* result so far; `last` is the position */
	struct td_step *path;	/* forward: the last `trace` steps; backward: all; on the heap */
	size_t steps, capacity;
	struct td_trail *trail;	 /* with retries, else NULL; on the heap */
	uint64_t retried;	 /* number of restarts */
	struct td_restart ended; /* its first end, if it was restarted */
};

/* A lesson of the curriculum: games on another board before those on the network's board. */
struct td_lesson {
	uint64_t end; /* first training game of the next lesson */
	struct game game;
	struct network network; /* a view of the network */
};

enum { LESSONS_MAX = 8 };

struct td {
	struct td_options options;
	struct network *network;
	struct td_lesson *lesson; /* on the heap; NULL: no curriculum */
	int lessons;
	atomic_uint_least64_t games; /* games that have ended */
	atomic_bool out_of_memory;   /* memory ran out during a game: must not be saved */
	/* The lock guards the members below. */
	pthread_mutex_t lock;
	uint64_t begun;		 /* games that have started */
	struct td_game *waiting; /* unfinished games that no thread plays */
	int count;
};

/* Makes room in the path of GAME for one more step; false if memory runs out. */
bool td_path_grow(const struct td *td, struct td_game *game);

/* Frees the heap memory of GAME. */
void td_game_fini(struct td_game *game);

/* Returns the board of training game EPISODE. */
const struct game *td_game_of(const struct td *td, uint64_t episode);

/*
 * learn() of the agent class. Any number of threads may call it at the same time (see td.c), but
 * only one for a network on demand. Stops with td->out_of_memory set if memory runs out.
 */
void td_learn(struct td *td, const struct training_request *request);

/*
 * Returns the best legal move by the rule in OPTIONS, the first of equal ones, and sets value[d]
 * for all legal moves. At least one move must be legal.
 */
int td_best(const struct network *network, const struct td_options *options,
	    const struct moves *moves, double value[DIRECTIONS]);

#endif
