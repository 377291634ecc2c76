/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * N-tuple networks: a position is worth the sum of the weights of what its tuples show.
 *
 *	V(b) = v0 + sum over features f of weight[stage(b)][index_f(b)]        (points)
 *
 * Features are the tuples in all symmetric images, or in one; images of one tuple share its table
 * (Szubert, Jaskowski: Temporal difference learning of n-tuple networks for the game 2048, CIG
 * 2014). With SHARE_ALL all tuples of one form do, wherever they lie and however they are turned or
 * mirrored, each place once: such a table knows nothing of the board's size, and can be gone on
 * with on another one.
 *
 * Exponents from `levels` on are above the tables: they are read as levels - 1, or, with
 * `downgrade`, tiles are halved as follows while one is too large: all tiles above the largest
 * exponent that is missing on the board below the largest (Guei, Chen, Wu: Optimistic temporal
 * difference learning for 2048, IEEE TG 2021, tile-downgrading).
 *
 * Stages (Yeh et al., IEEE TCIAIG 2017): a board belongs to stage s if its largest tile has reached
 * s of the thresholds; each stage has weights of its own. A weight of 0 was never learned and
 * stands for that of the stage before: weight promotion (Jaskowski, Mastering 2048 with delayed
 * temporal coherence learning, IEEE TG 2018), without copying what nobody visits.
 *
 * Weights on demand: all exponents of 6x6 have 10^11 indices. Such a network has a block of 64
 * weights for a box of 64 indices (agents/ntuple/indexer.h) from when network_grow() first asks for
 * one of them; without a block they are worth 0. `index` is then the place in the blocks.
 *
 * agents/ntuple/network.c makes networks, td.c evaluates and trains them, ntuple.c has the agents.
 */
#ifndef NXN_NTUPLE_H
#define NXN_NTUPLE_H

#include "agents/agent.h"
#include "agents/ntuple/indexer.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
	PATTERN_CELLS = 8,  /* most cells of a tuple */
	PATTERNS_MAX = 128, /* most tuples of a list */
};

struct pattern {
	int length;		     /* cells */
	uint8_t cell[PATTERN_CELLS]; /* r * ROW_BYTES + c, as written; 0 behind the last */
};

/* With SHARE_ALL the patterns are forms: their cells in reading order, at the top and the left. */
struct patterns {
	int count;
	struct pattern pattern[PATTERNS_MAX];
};

enum {
	STAGES_MAX = 8,
	NETWORK_BOX = 64, /* indices of a box, in a network on demand */
};

/* What has a table: a tuple in one image, in all symmetric ones, all tuples of one form. */
enum network_share { SHARE_NONE, SHARE_ORBIT, SHARE_ALL, SHARE_AUTO };
enum network_above { ABOVE_CAP, ABOVE_DOWNGRADE };

/* How far the updates of a weight agreed; see agents/ntuple/td.c. */
struct coherence {
	float sum, size; /* of updates, and of their absolute values */
};

/* What a network looks like, before it has weights. */
struct network_plan {
	const char *tuples; /* as patterns_read() reads them */
	enum network_share share;
	int levels; /* 0: as many as network_levels() says */
	enum network_above above;
	int stages;		   /* 1 .. STAGES_MAX */
	int threshold[STAGES_MAX]; /* threshold[s], s < stages - 1: exponent; ascending */
	bool coherence;		   /* there is to be a struct coherence for every weight */
	bool on_demand;		   /* weights in blocks that exist when asked for; one stage */
	bool visits;		   /* with on_demand: a number of updates for every weight */
	double start;		   /* v0, points */
};

struct network {
	const struct game *game;
	struct network_plan plan; /* its `tuples` is not to be used */
	struct patterns patterns;
	struct indexer indexer;
	uint64_t first[PATTERNS_MAX]; /* index of the pattern's table */
	uint64_t size;		     /* weights of a stage; on demand: of all blocks there can be */
	float *weight;		     /* weight[s * size + i]  s < stages, i < size; points */
	struct coherence *coherence; /* likewise; NULL without */
	/*
	 * On demand only. Weight j of the box i / 64, j = i % 64, is weight[block * directory[box]
	 * + j], and with visits the number of its updates is behind it by another 64.
	 */
	uint32_t block;	     /* floats of a block */
	uint64_t boxes;	     /* of all tuples */
	uint32_t *directory; /* [box]: its block, 0 while it has none; NULL: not on demand */
	uint64_t *box;	     /* box[b]: whose block it is, 0 < b < blocks */
	uint64_t blocks;     /* in use; block 0 stays zero */
	uint64_t capacity;   /* blocks that there can be */
};

/*
 * Maps the tables of PLAN for GAME. STATUS_INPUT if the tuples cannot be read or there are too many
 * features or weights (2^32 a stage, but on demand); STATUS_SYSTEM if the tables may outgrow the
 * memory, or on demand the address space.
 */
MUST_USE enum status network_init(struct network *network, const struct game *game,
				  const struct network_plan *plan, struct why *why);

/* Of a zeroed struct, too. */
void network_fini(struct network *network);

/*
 * Gives TO, where nothing is learned, the weights of FROM, neither on demand: each table of FROM
 * goes to that of the same tuple or, with SHARE_ALL, of the same form. STATUS_INPUT if a table of
 * FROM has no place in TO, sharing or levels differ, boards differ without SHARE_ALL, or the stages
 * differ where FROM has several.
 */
MUST_USE enum status network_inherit(struct network *to, const struct network *from,
				     struct why *why);

/*
 * Makes *VIEW what OF, with SHARE_ALL, is on GAME: with the weights of OF, which stay its own.
 * STATUS_INPUT if no form, or too many, have places there.
 */
MUST_USE enum status network_view(struct network *view, const struct network *of,
				  const struct game *game, struct why *why);

/* Gives BOX < boxes a block; false if it has one, or no more are to be had. */
bool network_box_add(struct network *network, uint64_t box);

/* out[i]: V(boards[i]), i < n. */
void network_eval(const struct network *network, const struct board *boards, size_t n, double *out);

enum td_rule { RULE_TD_AFTER, RULE_TD_STATE, RULE_Q, RULE_Q_ADDED };
enum td_order { ORDER_FORWARD, ORDER_BACKWARD };
enum td_rate { RATE_FIXED, RATE_TC, RATE_VISITS, RATE_AUTO };
enum td_error { ERROR_LINEAR, ERROR_SQRT };
enum td_terminal { TERMINAL_ZERO, TERMINAL_NEG_SCORE };
enum td_decay { DECAY_LINEAR, DECAY_GEOMETRIC };
enum td_lost { LOST_ESTIMATE, LOST_ZERO };

enum { TRACE_MAX = 32, LANES_MAX = 64, RESTARTS_MAX = 1000 };

struct td_options {
	/* Choices: enum td_rule, td_order, td_rate, td_error, td_terminal, td_decay, td_lost. */
	int rule, order, rate, error, terminal, decay, lost;
	double alpha, alpha_end; /* the latter from game alpha_games on; 0 games: always alpha */
	double curriculum_alpha; /* in games on other boards */
	int64_t alpha_games;
	double lambda, gamma, epsilon;
	int64_t trace;	  /* after-states that an error goes back to; 1 if lambda is 0 */
	int64_t lanes;	  /* games at the same time, a thread */
	int64_t carousel; /* start games from positions where stages began, too */
	int64_t retries;  /* times that a game goes on from before its end; not on other boards */
	bool choose_last; /* choose a move when all before it has been learned, not just before */
};

/* One x of a game. */
struct td_step {
	struct board board;
	double reward; /* of the move to it, or for td-state from it */
};

/* A position that a game can go on from, and the points until then. */
struct td_restart {
	struct board board;
	uint64_t score;
};

enum { TRAIL_STEP = 16, TRAIL_MAX = 1024 };

/* Where a game has been, every TRAIL_STEP moves: entry[i % TRAIL_MAX], first <= i < end. */
struct td_trail {
	uint64_t first, end; /* TRAIL_MAX apart at most */
	struct td_restart entry[TRAIL_MAX];
};

/* A game under way. */
struct td_game {
	uint64_t episode;
	struct rng rng;
	struct outcome outcome; /* so far; `last` is the position */
	struct td_step *path;	/* forward: the last `trace` steps; backward: all; on the heap */
	size_t steps, capacity;
	struct td_trail *trail;	 /* with retries; else NULL; on the heap */
	uint64_t retried;	 /* times that it went back */
	struct td_restart ended; /* where it ended at first, if it ever went back */
};

/* Positions that began a stage, the latest of them. */
struct td_restarts {
	uint64_t count;		  /* all there were; entry i % RESTARTS_MAX is the i-th */
	struct td_restart *entry; /* RESTARTS_MAX of them, or NULL; on the heap */
};

/* Games that come before those of the network's board, on another. */
struct td_curriculum_stage {
	uint64_t end; /* the first training game that is of a later one */
	struct game game;
	struct network network; /* a view */
};

enum { LESSONS_MAX = 8 };

struct td {
	struct td_options options;
	struct network *network;
	struct td_curriculum_stage *lesson; /* on the heap; NULL without */
	int lessons;
	atomic_uint_least64_t games; /* that have ended */
	atomic_bool out_of_memory;   /* memory ran out in the midst of a game: not to be saved */
	/* The lock guards what follows. */
	pthread_mutex_t lock;
	uint64_t begun;		 /* games that have begun */
	int stage;		 /* that the last game began in */
	struct td_game *waiting; /* under way while nobody learns, in the order they go on */
	int count;
	struct td_restarts restarts[STAGES_MAX];
};

/* Frees what GAME has on the heap. */
void td_game_fini(struct td_game *game);

/* The board of training game EPISODE. */
const struct game *td_game_of(const struct td *td, uint64_t episode);

/*
 * learn() of the agent class. Any number of threads at once, but one of a network on demand; see
 * td.c on what that does. When memory runs out it ends, with td->starved.
 */
void td_learn(struct td *td, const struct training_request *request);

/*
 * The best legal move, the first of equals, and value[d] of all that are legal, as the rule in
 * OPTIONS chooses; at least one is legal.
 */
int td_best(const struct network *network, const struct td_options *options,
	    const struct moves *moves, double value[DIRECTIONS]);

#endif
