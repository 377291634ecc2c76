/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Temporal difference learning of an n-tuple network from its own games.
 *
 * A game visits x_0, x_1, ..., each worth V(x_t) by the network, and after each move
 *
 *	delta = r + gamma V(x_t) - V(x_t-1)
 *
 * is shared out among the features of x_t-1 (and with lambda > 0 of those before). The rules differ in
 * what x is, what r is and how a move is chosen:
 *
 *	td-after   x after-states      r of the move to x_t     max of r + V(after-state)
 *	td-state   x positions         r of the move from x_t-1   max of r + E V(position after the spawn)
 *	q          x after-states      r of the move to x_t-1   max of V(after-state)
 *
 * With q, V(x_t) is Q(s, a): it holds the points of its own move, and its target is the largest Q of the
 * next position. At the end of a game V(x_t) = 0; with neg-score r is then minus the score, too.
 * q-added is q where V(x_t) is the points of the move to x_t and the weights. Both learn forward on a
 * network on demand, and q-added on no other.
 *
 * Every weight w of the m features of x learns, with e = delta or, for error=sqrt,
 * sign(delta) sqrt|alpha delta| m / alpha:
 *
 *	fixed    w += alpha e / m
 *	tc       w += alpha e / m * |E| / A, then E += delta, A += |delta|; 1 for |E| / A
 *		while A = 0
 *	visits   w += alpha e / m / sqrt(n), n the updates of w, this one included
 *
 * tc is temporal coherence (Beal, Smith, IJCAI 1999; Jaskowski, IEEE TG 2018), visits the frequency
 * scaling of Mayer-Hirshfeld, Navarro, Saleh (AI Agent for 2048, section 4), error=sqrt their root.
 *
 * forward: at every move, with truncated traces: x_t-1-k gets (gamma lambda)^k delta, k < trace
 * (Jaskowski 2018); where epsilon makes another move than the best, td-after and q learn from the
 * best all the same. backward: at the end of the game from the last x to the first, towards
 *	G_t-1 = r + gamma ((1 - lambda) V(x_t) + lambda G_t),
 * V as it is by then (as in the report on TD(0) that prints update_episode()).
 *
 * A thread plays `lanes` games in turn, a move each: while one waits for its weights the others go on.
 */
#ifndef NXN_TD_H
#define NXN_TD_H

#include "agents/agent.h"
#include "agents/ntuple/network.h"

#include <pthread.h>
#include <stdatomic.h>

enum td_rule { RULE_TD_AFTER, RULE_TD_STATE, RULE_Q, RULE_Q_ADDED };
enum td_order { ORDER_FORWARD, ORDER_BACKWARD };
enum td_rate { RATE_FIXED, RATE_TC, RATE_VISITS };
enum td_error { ERROR_LINEAR, ERROR_SQRT };
enum td_terminal { TERMINAL_ZERO, TERMINAL_NEG_SCORE };
enum td_decay { DECAY_LINEAR, DECAY_GEOMETRIC };

enum { TRACE_MAX = 32, LANES_MAX = 64, RESTARTS_MAX = 1000 };

struct td_options {
	enum td_rule rule;
	enum td_order order;
	enum td_rate rate;
	enum td_error error;
	enum td_terminal terminal;
	double alpha, alpha_end; /* the latter from game alpha_games on; 0 games: always alpha */
	uint64_t alpha_games;
	enum td_decay decay;
	double lambda, gamma, epsilon;
	int trace;	  /* after-states that an error goes back to; 1 if lambda is 0 */
	int lanes;	  /* games at the same time, a thread */
	bool carousel;	  /* start games from positions where stages began, too */
	bool choose_last; /* choose a move when all before it has been learned, not just before */
};

/* One x of a game. */
struct td_step {
	struct board board;
	double reward; /* of the move to it, or for td-state from it */
};

/* A game under way. */
struct td_game {
	uint64_t episode;
	struct rng rng;
	struct outcome outcome; /* so far; `last` is the position */
	struct td_step *path;	/* forward: the last `trace` steps; backward: all; on the heap */
	size_t steps, capacity;
};

/* Positions that began a stage, the latest of them, with the scores they had. */
struct td_restarts {
	uint64_t count; /* all there were; entry i % RESTARTS_MAX is the i-th */
	struct td_restart {
		struct board board;
		uint64_t score;
	} * entry; /* RESTARTS_MAX of them, or NULL; on the heap */
};

struct td {
	struct td_options options;
	struct network *network;
	atomic_uint_least64_t games; /* that have ended */
	atomic_bool starved;	     /* memory ran out in the midst of a game: not to be saved */
	/* The lock guards what follows. */
	pthread_mutex_t lock;
	uint64_t begun;		 /* games that have begun */
	int stage;		 /* that the last game began in */
	struct td_game *waiting; /* under way while nobody learns, in the order they go on */
	int count;
	struct td_restarts restarts[STAGES_MAX];
};

/*
 * NETWORK outlives TD, and has coherence, or visits for that rate, unless the rate is fixed. One on
 * demand learns forward, by one thread. STATUS_SYSTEM.
 */
MUST_USE enum status td_init(struct td *td, struct network *network,
			     const struct td_options *options, struct why *why);
void td_fini(struct td *td);

/*
 * learn() of the agent class. Any number of threads at once; see td.c on what that does. When memory
 * runs out it ends, and td_save() says so.
 */
void td_learn(struct td *td, const struct training_request *request);

/*
 * The best legal move, the first of equals, and value[d] of all that are legal, as RULE chooses; at
 * least one is legal.
 */
int td_best(const struct network *network, enum td_rule rule, const struct moves *moves,
	    double value[DIRECTIONS]);

/* The learning rate in training game number EPISODE. */
double td_alpha(const struct td_options *options, uint64_t episode);

#endif
