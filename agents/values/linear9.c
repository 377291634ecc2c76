/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The evaluation function of Kalyanakrishnan and Devanand, IeorIITB2048:
 *
 *   value = w1 f1 + w2 f2 + ... + w9 f9
 *
 * with the nine features of agents/values/linear9_features.c, for a move: f3 is what the move changed, the
 * others are those of its after-state. A position by itself has f3 = 0. Their player is a search that uses
 * this one:
 *
 *   expectimax:depth=1,leaf=after,value=linear9,rewards=0,cutoff=0
 *
 * which expects, over the spawns after a move, the largest value of the moves that are then legal. The
 * text does not say what a position without a move is worth; here that is `terminal` of the search.
 *
 * f3=points takes the points of the move for f3 instead. The text calls f3 the reward and then defines
 * it as changes of tiles, which the points are not. A weight that is not given is that of the shape in
 * agents/values/linear9_defaults.def. Sums are made from f1 to f9.
 */
#include "agents/values/linear9.h"

#include "agents/agent.h"

#include <math.h>

enum { F3_CHANGES, F3_POINTS };

struct linear9 {
	int64_t tuned;
	int f3; /* a choice */
	double w[LINEAR9];

	struct linear9_shape shape;
};

#define WEIGHT(i, text)                                                                            \
	{                                                                                          \
		.name = "w" #i, .kind = PARAM_REAL, .offset = offsetof(struct linear9, w[i - 1]),  \
		.fallback = "auto", .min = -1e6, .max = 1e6, .choices = "auto", .doc = text        \
	}

static const struct param linear9_params[] = {
    {.name = "tuned",
     .kind = PARAM_INT,
     .offset = offsetof(struct linear9, tuned),
     .fallback = "2",
     .min = 1,
     .max = 2,
     .doc = "the set of weights that auto stands for; 1: chosen by hand"},
    {.name = "f3",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct linear9, f3),
     .fallback = "changes",
     .choices = "changes|points",
     .doc = "what w3 weighs: how much the tiles of all cells changed, or the points of the move"},
    WEIGHT(1, "a largest tile in a corner"),
    WEIGHT(2, "the second or third largest beside it"),
    WEIGHT(3, "reward of the move, in units of tiles"),
    WEIGHT(4, "a tile, whatever it is"),
    WEIGHT(5, "a tile that equals a neighbour, in corners and half of the inside"),
    WEIGHT(6, "a tile that equals a neighbour, on the border"),
    WEIGHT(7, "the line of the two largest tiles is full"),
    WEIGHT(8, "the line of the two largest tiles descends"),
    WEIGHT(9, "share of all tiles' sum that is in that line and beside it"),
    {0},
};

static const struct shape_weights {
	int set, rows, cols;
	double w[LINEAR9];
} defaults[] = {
#define LINEAR9_WEIGHTS(set, rows, cols, ...) {set, rows, cols, {__VA_ARGS__}},
#include "agents/values/linear9_defaults.def"
};

/* The weights of a shape, either way round, or of the largest one before it. */
static const struct shape_weights *shape_weights(int set, int rows, int cols)
{
	const struct shape_weights *best = NULL;
	for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++) {
		const struct shape_weights *w = &defaults[i];
		if (w->set == set && w->rows * w->cols <= rows * cols &&
		    (!best || w->rows * w->cols > best->rows * best->cols ||
		     (w->rows == (rows < cols ? rows : cols) &&
		      w->cols == (rows < cols ? cols : rows))))
			best = w;
	}
	return best;
}

static enum status linear9_init(void *self, const struct value_env *env, struct why *why)
{
	struct linear9 *l = self;
	(void)why;
	linear9_shape_init(&l->shape, env->game);
	const struct shape_weights *w =
	    shape_weights((int)l->tuned, env->game->rows, env->game->cols);
	for (int i = 0; i < LINEAR9; i++)
		if (isnan(l->w[i]))
			l->w[i] = w->w[i];
	return STATUS_OK;
}

static bool linear9_of_after_states(const void *self)
{
	(void)self;
	return true;
}

static double weigh(const struct linear9 *l, const double f[LINEAR9])
{
	double sum = 0;
	for (int i = 0; i < LINEAR9; i++)
		sum += l->w[i] * f[i];
	return sum;
}

static void linear9_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct linear9 *l = self;
	double f[LINEAR9];
	for (size_t i = 0; i < n; i++) {
		linear9_features(&l->shape, &boards[i], f);
		out[i] = weigh(l, f);
	}
}

static void linear9_judge(const void *self, const struct passage *moves, size_t n, double *out)
{
	const struct linear9 *l = self;
	double f[LINEAR9];
	for (size_t i = 0; i < n; i++) {
		linear9_features(&l->shape, moves[i].after, f);
		f[2] = l->f3 == F3_POINTS
			   ? moves[i].reward
			   : linear9_changes(&l->shape, moves[i].before, moves[i].after);
		out[i] = weigh(l, f);
	}
}

const struct value_class linear9_value = {
    .name = "linear9",
    .summary = "nine features of a move and where it leads, weighted",
    .params = linear9_params,
    .size = sizeof(struct linear9),
    .init = linear9_init,
    .of_after_states = linear9_of_after_states,
    .eval = linear9_eval,
    .judge = linear9_judge,
};
