/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The four terms of Mayer-Hirshfeld, Navarro and Saleh, AI Agent for 2048, section 5:
 *
 *   value = w_empty    * empty cells
 *         + w_corner   * (1 if a largest tile is in a corner)
 *         + w_monotone * rows and columns that never rise, or never fall, from end to end
 *         + w_merge    * neighbouring pairs of equal tiles
 *
 * The paper prints the terms but neither weights nor exact definitions: here empty cells count as 0
 * when a line is tested for order, and every pair of equal neighbours counts once. A weight that is
 * not set is that of the shape in agents/values/weights.def, which documents its source. With
 * weights that are multiples of 1/64, sums of these values are exact in double, in any order. If
 * all four weights are also at most 127 times a common power of two, they are summed as bytes.
 */
#include "agents/agent.h"
#include "agents/values/values_kernel.h"

#include <math.h>

struct heuristic {
	int64_t tuned;
	struct heuristic_weights weights;

	struct line_shape shape;
	const struct value_kernel *kernel;
};

#define WEIGHT(field, index, text)                                                                 \
	{                                                                                          \
		.name = "w_" #field, .kind = FIELD_REAL,                                           \
		.offset = offsetof(struct heuristic, weights.w[index]), .fallback = "auto",        \
		.min = -1e6, .max = 1e6, .choices = "auto", .help = text, .scale = 10              \
	}

static const struct field heuristic_params[] = {
    WEIGHT(empty, W_EMPTY, "weight of an empty cell"),
    WEIGHT(corner, W_CORNER, "weight of a largest tile in a corner"),
    WEIGHT(monotone, W_MONOTONE, "weight of a monotone row or column"),
    WEIGHT(merge, W_MERGE, "weight of a pair of equal neighbours"),
    {FIELD_MEMBER(FIELD_INTEGER, heuristic, tuned), .fallback = "2", .min = 1, .max = 2,
     .help = "the set of weights that auto stands for; 1: the same on every board"},
    {0},
};

static const struct shape_weights defaults[] = {
#define HEURISTIC(set, rows, cols, ...) {set, rows, cols, {__VA_ARGS__}},
#include "agents/values/weights.def"
};

static void line_shape_init(struct line_shape *shape, const struct game *game)
{
	*shape = (struct line_shape){.rows = game->rows, .cols = game->cols};
	for (int k = 0; k < SIDE_MAX; k++) {
		if (k < game->rows)
			shape->used[k][0] = ~(uint64_t)0 >> (64 - 8 * game->cols);
		if (k < game->cols)
			shape->used[k][1] = ~(uint64_t)0 >> (64 - 8 * game->rows);
	}
}

/* Sets `small` and returns true if all weights are multiples of UNIT that fit into a byte. */
static bool weights_scale(struct heuristic_weights *weights, double unit)
{
	for (int i = 0; i < HEURISTIC_WEIGHTS; i++) {
		const double x = weights->w[i] / unit;
		if (!(fabs(x) <= INT8_MAX && x == rint(x)))
			return false;
		weights->small[i] = (int8_t)x;
	}
	return true;
}

static enum status heuristic_init(void *self, const struct agent_env *env, struct why *why)
{
	struct heuristic *h = self;
	(void)why;
	line_shape_init(&h->shape, env->game);
	h->kernel = value_kernel(env->game);
	h->weights.spawn = &env->game->spawn;
	weights_fill(h->weights.w, HEURISTIC_WEIGHTS, defaults, sizeof defaults / sizeof *defaults,
		     (int)h->tuned, env->game);
	for (int exponent = 20; exponent >= -20 && h->weights.unit == 0; exponent--)
		if (weights_scale(&h->weights, ldexp(1, exponent)))
			h->weights.unit = ldexp(1, exponent);
	return STATUS_OK;
}

static double weigh(const double *w, const int counts[HEURISTIC_WEIGHTS])
{
	return w[W_EMPTY] * counts[W_EMPTY] + w[W_CORNER] * counts[W_CORNER] +
	       w[W_MONOTONE] * counts[W_MONOTONE] + w[W_MERGE] * counts[W_MERGE];
}

static void heuristic_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct heuristic *h = self;
	for (size_t i = 0; i < n; i++) {
		int counts[HEURISTIC_WEIGHTS];
		h->kernel->count(&h->shape, &boards[i], counts);
		out[i] = weigh(h->weights.w, counts);
	}
}

static void heuristic_spawn_sums(const void *self, const struct board *after, const uint8_t *k,
				 int kinds, double *out)
{
	const struct heuristic *h = self;
	int counts[SPAWN_KINDS_MAX][HEURISTIC_WEIGHTS];
	h->kernel->spawn_counts(&h->shape, after, k, kinds, counts);
	for (int i = 0; i < kinds; i++)
		out[i] = weigh(h->weights.w, counts[i]);
}

static bool heuristic_best(const void *self, const struct leaf_rule *rule,
			   const struct batch *batch, size_t n, double *out)
{
	const struct heuristic *h = self;
	if (rule->rewards)
		return false;
	h->kernel->heuristic_best(&h->weights, rule, batch, n, out);
	return true;
}

const struct value_class heuristic_value = {
    .name = "heuristic",
    .summary = "empty cells, corner, monotone lines and merges, weighted",
    .params = heuristic_params,
    .size = sizeof(struct heuristic),
    .init = heuristic_init,
    .eval = heuristic_eval,
    .spawn_sums = heuristic_spawn_sums,
    .best = heuristic_best,
};
