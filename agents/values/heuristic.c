/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The four terms of Mayer-Hirshfeld, Navarro and Saleh, AI Agent for 2048, section 5:
 *
 *   value = w_empty    * empty cells
 *         + w_corner   * (1 if a largest tile stands in a corner)
 *         + w_monotone * rows and columns that never rise, or never fall, from end to end
 *         + w_merge    * neighbouring pairs of equal tiles
 *
 * The paper prints the terms but neither weights nor exact counts: empty cells count as 0 in a line
 * that is tested for order, and every pair of equal neighbours counts once. A weight that is not given
 * is that of the shape in agents/values/heuristic_defaults.def, which says from what it came. Multiples of
 * 1/64 keep sums of these values exact in double, whatever their order; if all four are also at most
 * 127 times some power of two, they are added as bytes.
 */
#include "agents/agent.h"
#include "agents/shape_sets.h"
#include "agents/values/terms.h"
#include "agents/values/wide.h"

struct heuristic {
	int64_t tuned;
	struct terms_weights weights;
	struct terms_shape shape;
	const struct terms_kernel *kernel;
	const struct wide_kernel *wide;
};

#define WEIGHT(field, text)                                                                        \
	{                                                                                          \
		.name = "w_" #field, .kind = PARAM_REAL,                                           \
		.offset = offsetof(struct heuristic, weights.field), .fallback = "auto",           \
		.min = -1e6, .max = 1e6, .choices = "auto", .doc = text                            \
	}

static const struct param heuristic_params[] = {
    WEIGHT(empty, "weight of an empty cell"),
    WEIGHT(corner, "weight of a largest tile in a corner"),
    WEIGHT(monotone, "weight of a monotone row or column"),
    WEIGHT(merge, "weight of a pair of equal neighbours"),
    {.name = "tuned",
     .kind = PARAM_INT,
     .offset = offsetof(struct heuristic, tuned),
     .fallback = "2",
     .min = 1,
     .max = 2,
     .doc = "the set of weights that auto stands for; 1: the same on every board"},
    {0},
};

static const struct weights_line {
	struct shape_line shape;
	double empty, corner, monotone, merge;
} defaults[] = {
#define HEURISTIC(set, rows, cols, ...) {{set, rows, cols}, __VA_ARGS__},
#include "agents/values/heuristic_defaults.def"
};

static void weights_complete(struct terms_weights *weights, int set, const struct game *game)
{
	const struct weights_line *line = shape_sets_find(
	    defaults, sizeof defaults / sizeof defaults[0], sizeof defaults[0], set, game);
	shape_sets_fill(&weights->empty, line->empty);
	shape_sets_fill(&weights->corner, line->corner);
	shape_sets_fill(&weights->monotone, line->monotone);
	shape_sets_fill(&weights->merge, line->merge);
}

static enum status heuristic_init(void *self, const struct value_env *env, struct why *why)
{
	struct heuristic *h = self;
	(void)why;
	terms_shape_init(&h->shape, env->game);
	h->kernel = terms_kernel(env->game->isa);
	h->wide = wide_kernel(env->game);
	weights_complete(&h->weights, (int)h->tuned, env->game);
	h->weights.spawn = &env->game->spawn;
	terms_weights_scale(&h->weights);
	return STATUS_OK;
}

static double weigh(const struct terms_weights *w, const struct terms *terms)
{
	return w->empty * terms->empty + w->corner * terms->corner + w->monotone * terms->monotone +
	       w->merge * terms->merges;
}

static void heuristic_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct heuristic *h = self;
	for (size_t i = 0; i < n; i++) {
		struct terms terms;
		h->kernel->count(&h->shape, &boards[i], &terms);
		out[i] = weigh(&h->weights, &terms);
	}
}

static void heuristic_spawn_sums(const void *self, const struct board *after, const uint8_t *k,
				 int kinds, double *out)
{
	const struct heuristic *h = self;
	struct terms terms[SPAWN_KINDS_MAX];
	h->kernel->spawn_sums(&h->shape, after, k, kinds, terms);
	for (int i = 0; i < kinds; i++)
		out[i] = weigh(&h->weights, &terms[i]);
}

static bool heuristic_best(const void *self, const struct horizon *horizon,
			   const struct batch *batch, size_t n, double *out)
{
	const struct heuristic *h = self;
	if (horizon->rewards)
		return false;
	h->wide->terms_best(&h->weights, horizon, batch, n, out);
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
