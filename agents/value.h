/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values evaluate: a class that estimates what a position is worth, for a search to use at its
 * leaves. To add one: a file with one struct value_class, and one line in agents/agents.def.
 */
#ifndef NXN_VALUE_H
#define NXN_VALUE_H

#include "agents/param.h"
#include "boards/simd/bytes.h"
#include "boards/board.h"

struct value_env {
	const struct game *game; /* outlives the value */
	/* State of the same value in another thread, to borrow from, or NULL; outlives it. */
	const void *owner;
};

/* How a search evaluates the positions where it ends; see value_best(). */
struct leaf_rule {
	bool spawns;	 /* the leaf is the position after the spawn, not the after-state */
	bool rewards;	 /* points of the move are added */
	double terminal; /* of a position without a legal move */
	/* Probabilities of the game's spawn kinds, and 1/n for n empty cells. */
	double probability[SPAWN_KINDS_MAX], share[CELLS_MAX + 1];
};

/* A move, for values that look at moves and not only at where they lead. */
struct transition {
	const struct board *before, *after;
	double reward; /* its points */
};

struct value_class {
	const char *name, *summary;
	const struct field *params;
	size_t size;	/* bytes of private state, zeroed by value_new() */
	bool in_points; /* estimates points still to come, so a search should add rewards */
	/* Runs once, after the parameters are set. NULL if there is nothing to do. */
	enum status (*init)(void *self, const struct value_env *env, struct why *why);
	/* Gives back what init() took; NULL if nothing. */
	void (*fini)(void *self);
	/* Whether it was made for after-states, not positions before a move; NULL: not. */
	bool (*of_after_states)(const void *self);
	/*
	 * out[i]: the value of boards[i], i < n, the player to move, lost or not. Cannot fail, but
	 * for what check() tells.
	 */
	void (*eval)(const void *self, const struct board *boards, size_t n, double *out);
	/*
	 * out[i]: the sum of eval() over all positions that AFTER becomes when a tile of exponent
	 * k[i], i < kinds, appears in one of its empty cells; at least one is empty. NULL where
	 * there is no shorter way than to make them all; equal to that sum up to rounding.
	 */
	void (*spawn_sums)(const void *self, const struct board *after, const uint8_t *k, int kinds,
			   double *out);
	/*
	 * out[i]: the value of MOVES[i], i < n, as the last move that a search looks at: what its
	 * after-state is worth and what the move itself is. NULL where that is eval() of the
	 * after-state.
	 */
	void (*eval_moves)(const void *self, const struct transition *moves, size_t n, double *out);
	/*
	 * value_best(), bit for bit, for N positions of BATCH. False, with OUT untouched, if under
	 * this rule there is no faster way than eval() and spawn_sums() of their after-states; NULL
	 * if there never is.
	 */
	bool (*best)(const void *self, const struct leaf_rule *rule, const struct batch *batch,
		     size_t n, double *out);
	/*
	 * All leaves of a chance node: sums[i], i < KINDS, is the sum of value_best(), bit for bit,
	 * over the positions that AFTER becomes when a tile of exponent k[i] appears in one of its
	 * empty cells; at least one is empty. False, with SUMS untouched, if best() of these
	 * positions is as fast; NULL if it always is.
	 */
	bool (*leaf_sums)(const void *self, const struct leaf_rule *rule, const struct board *after,
			  const uint8_t *k, int kinds, double *sums);
	/*
	 * A whole number that is not below eval() of any position that AFTER becomes by moves and
	 * at most SPAWNS spawns, of the game's kinds; below 2^34 in size. NULL where none is
	 * known.
	 */
	double (*bound)(const void *self, const struct board *after, int spawns);
	/* As check() of an agent; NULL: nothing can fail. */
	enum status (*check)(const void *self, struct why *why);
};

struct value {
	const struct value_class *class;
	void *self;
	bool ready; /* init() has run */
};

/* The classes, ending with NULL. */
extern const struct value_class *const value_classes[];

/*
 * Makes a value by the name before the first ':' in TEXT; what follows goes to the first parameter.
 * Defaults are set; init has not run. STATUS_INPUT lists the names there are.
 */
MUST_USE enum status value_new(const char *text, struct value **value, struct why *why);

/* Binds a new value to a game, once. One instance a thread. */
MUST_USE enum status value_init(struct value *value, const struct value_env *env, struct why *why);

/* NULL is fine. */
void value_free(struct value *value);

/* Weights that were tuned on a shape, a line of agents/values/weights.def; rows <= cols. */
struct shape_weights {
	int set, rows, cols;
	double w[9];
};

/*
 * Fills in those of the N weights W that were left at auto, which is NAN: from the line of SET, or
 * else of the newest set before it, among COUNT LINES, for the shape of GAME either way round, or
 * for the largest shape that has no more cells. Sets are in order; the first has a line for 2x2.
 */
void weights_fill(double *w, size_t n, const struct shape_weights *lines, size_t count, int set,
		  const struct game *game);

/* The rule for GAME, with its probabilities. */
struct leaf_rule leaf_rule_of(const struct game *game, bool spawns, bool rewards, double terminal);

static inline void value_eval(const struct value *value, const struct board *boards, size_t n,
			      double *out)
{
	value->class->eval(value->self, boards, n, out);
}

/*
 * sums[i], i < KINDS: the sum of the values of AFTER with a tile of exponent k[i] in each of its
 * COUNT empty CELLS, in which a position without a legal move counts as TERMINAL.
 */
void value_spawn_sums(const struct value *value, const struct game *game, double terminal,
		      const struct board *after, const uint8_t *cells, int count, const uint8_t *k,
		      int kinds, double *sums);

/*
 * The leaf evaluator. out[i]: position i < N of BATCH, the player to move, looked at one own move
 * further: the largest over its legal moves of
 *     leaf [+ reward]   with leaf = eval_moves(move) or eval(after-state), or, with rule->spawns,
 *     leaf = (sum over kinds j of probability[j] * S[j]) * share[empty cells],
 * S[j] the value_spawn_sums() of kind j; and terminal if there is no legal move. The operations are
 * made in this order.
 */
void value_best(const struct value *value, const struct game *game, const struct leaf_rule *rule,
		const struct batch *batch, size_t n, double *out);

#endif
