/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values: classes that estimate what a position is worth, for the leaves of a search. A new value
 * is a file with one struct value_class and a line in agents/agents.def.
 */
#ifndef NXN_VALUE_H
#define NXN_VALUE_H

#include "agents/param.h"
#include "boards/simd/bytes.h"
#include "boards/board.h"

struct agent;

/* The game and the learners for which an agent or a value is created. */
struct agent_env {
	const struct game *game; /* outlives the agent */
	/*
	 * The private state of another instance of the same specification, or NULL. It outlives
	 * this instance, which may use its learned weights, read-only, instead of loading them
	 * again.
	 */
	const void *owner;
	/*
	 * The learner that a model file named "{...}" refers to, or NULL. It outlives this instance
	 * and does not learn meanwhile.
	 */
	const struct agent *learner;
};

/* How a search evaluates its leaves; see value_best(). */
struct leaf_rule {
	bool spawns;	 /* leaves are positions after the spawn, not after-states */
	bool rewards;	 /* add the points of the move */
	double terminal; /* value of a position without a legal move */
	/* Probabilities of the spawn kinds, and 1/n for n empty cells. */
	double probability[SPAWN_KINDS_MAX], share[CELLS_MAX + 1];
};

/*
 * A chance node whose children by spawns of KINDS exponents k[i] are leaves: in all empty cells, or
 * for leaves after the spawn (leaf_rule.spawns) perhaps in some of them.
 */
struct leaf_node {
	const struct board *after; /* has an empty cell */
	int kinds, count;
	uint8_t k[SPAWN_KINDS_MAX];
	uint8_t cells[CELLS_MAX];     /* COUNT cells to try; with COUNT 0 all empty ones */
	double *sum[SPAWN_KINDS_MAX]; /* the values of the children are added here, in order */
};

/* A move, for values that evaluate the move and not only its after-state. */
struct transition {
	const struct board *before, *after;
	double reward; /* points */
};

struct value_class {
	const char *name, *summary;
	const struct field *params;
	size_t size;	/* bytes of private state, zeroed by value_new() */
	bool in_points; /* estimates future points, so a search adds rewards */
	/* Called once, after the parameters are set. NULL: nothing to do. */
	enum status (*init)(void *self, const struct agent_env *env, struct why *why);
	/* Frees what init() allocated. NULL: nothing. */
	void (*fini)(void *self);
	/*
	 * Whether the value is meant for after-states, not for positions before a move. NULL: no.
	 */
	bool (*of_after_states)(const void *self);
	/*
	 * Sets out[i], i < n, to the value of boards[i] with the player to move, whether a move is
	 * legal or not. Cannot fail, except as check() reports.
	 */
	void (*eval)(const void *self, const struct board *boards, size_t n, double *out);
	/*
	 * Sets out[i], i < kinds, to the sum of eval() over all positions that AFTER becomes when a
	 * tile of exponent k[i] appears in one of its empty cells; at least one is empty. The
	 * result equals the plain sum up to rounding. NULL if there is no shortcut.
	 */
	void (*spawn_sums)(const void *self, const struct board *after, const uint8_t *k, int kinds,
			   double *out);
	/*
	 * Sets out[i], i < n, to the value of MOVES[i] as the last move of a search: the value of
	 * the after-state and of the move itself. NULL if that is eval() of the after-state.
	 */
	void (*eval_moves)(const void *self, const struct transition *moves, size_t n, double *out);
	/*
	 * Computes value_best() for N positions of BATCH, bit for bit. Returns false, with OUT
	 * unchanged, if under this rule eval() and spawn_sums() of the after-states are as fast;
	 * NULL if they always are.
	 */
	bool (*best)(const void *self, const struct leaf_rule *rule, const struct batch *batch,
		     size_t n, double *out);
	/*
	 * value_leaf_sums(), bit for bit, for the first nodes of N. Returns the number of these;
	 * for the others best() is as fast. NULL if it always is.
	 */
	size_t (*leaf_sums)(const void *self, const struct leaf_rule *rule,
			    const struct leaf_node *nodes, size_t n);
	/*
	 * Returns an integer that is >= eval() of every position that AFTER can become by moves and
	 * at most SPAWNS spawns of the game's kinds; below 2^34 in magnitude. NULL if no bound is
	 * known.
	 */
	double (*bound)(const void *self, const struct board *after, int spawns);
	/* Like check() of an agent. NULL: the value cannot fail. */
	enum status (*check)(const void *self, struct why *why);
};

struct value {
	const struct value_class *class;
	void *self;
	bool ready; /* init() has succeeded */
};

/* The classes, ending with NULL. */
extern const struct value_class *const value_classes[];

/*
 * Creates a value: TEXT is its name, optionally followed by ':' and the first parameter. Sets
 * defaults but does not call init(). STATUS_INPUT lists the names that exist.
 */
MUST_USE enum status value_new(const char *text, struct value **value, struct why *why);

/* Binds a new value to a game, once. Each thread needs its own instance. */
MUST_USE enum status value_init(struct value *value, const struct agent_env *env, struct why *why);

void value_free(struct value *value);

/* Weights for a shape: a line of agents/values/weights.def, rows <= cols. */
struct shape_weights {
	int set, rows, cols;
	double w[9];
};

/*
 * Replaces those of the N weights W that are auto (NAN) by tuned ones: from the line of SET, or
 * else of the newest earlier set, among COUNT LINES, for the shape of GAME (or its transpose), or
 * else for the largest shape that has no more cells. Sets are in order; the first has a line for
 * 2x2.
 */
void weights_fill(double *w, size_t n, const struct shape_weights *lines, size_t count, int set,
		  const struct game *game);

/* Returns the leaf rule for GAME, with its spawn probabilities. */
struct leaf_rule leaf_rule_of(const struct game *game, bool spawns, bool rewards, double terminal);

static inline void value_eval(const struct value *value, const struct board *boards, size_t n,
			      double *out)
{
	value->class->eval(value->self, boards, n, out);
}

/*
 * Sets sums[i], i < KINDS, to the sum of the values of AFTER with a tile of exponent k[i] in each
 * of its COUNT empty CELLS; a position without a legal move counts as TERMINAL.
 */
void value_spawn_sums(const struct value *value, const struct game *game, double terminal,
		      const struct board *after, const uint8_t *cells, int count, const uint8_t *k,
		      int kinds, double *sums);

/*
 * The leaf evaluator. Sets out[i], i < N, to the value of position i of BATCH, with the player to
 * move, searched one own move further: the maximum over the legal moves of
 *
 *     leaf [+ reward]   with leaf = eval_moves(move) or eval(after-state), or, with rule->spawns,
 *     leaf = (sum over kinds j of probability[j] * S[j]) * share[empty cells],
 *
 * where S[j] is value_spawn_sums() of kind j; or `terminal` if no move is legal. The operations are
 * performed in exactly this order.
 */
void value_best(const struct value *value, const struct game *game, const struct leaf_rule *rule,
		const struct batch *batch, size_t n, double *out);

/*
 * Evaluates the leaves of N chance nodes: adds to *sum[i] of each the value_best() of the positions
 * that its after-state becomes when a tile of exponent k[i] appears in one of its empty cells, cell
 * by cell in reading order.
 */
void value_leaf_sums(const struct value *value, const struct game *game,
		     const struct leaf_rule *rule, const struct leaf_node *nodes, size_t n);

#endif
