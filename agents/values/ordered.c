/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three simple values: `ordered` weighs the indicators of order.h, `empty` is the number of empty
 * cells, and `score` is 0, so that a search maximises the expected points within its depth.
 * tests/vectors/expectimax.txt has exact searches with the last two, from an independent program.
 */
#include "agents/agent.h"
#include "agents/values/order.h"

#include <string.h>

struct grid_value {
	const struct game *game;
	double w[ORDERS]; /* weights of `ordered` */
};

static enum status grid_init(void *self, const struct agent_env *env, struct why *why)
{
	(void)why;
	((struct grid_value *)self)->game = env->game;
	return STATUS_OK;
}

#define WEIGHT(field, i, text)                                                                     \
	{                                                                                          \
		.name = "w_" #field, .kind = FIELD_REAL,                                           \
		.offset = offsetof(struct grid_value, w[i]), .fallback = "1", .min = -1e6,         \
		.max = 1e6, .help = text                                                           \
	}

static const struct field ordered_params[] = {
    WEIGHT(corner, ORDER_CORNER, "a largest tile in a corner"),
    WEIGHT(vertical, ORDER_VERTICAL, "the column of a largest corner descends from it"),
    WEIGHT(horizontal, ORDER_HORIZONTAL, "its row descends"),
    WEIGHT(diagonal, ORDER_DIAGONAL, "its diagonal descends"),
    {0},
};

static void ordered_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct grid_value *o = self;
	for (size_t i = 0; i < n; i++) {
		const unsigned order = order_of(o->game, &boards[i]);
		out[i] = 0;
		for (int j = 0; j < ORDERS; j++)
			out[i] += order >> j & 1 ? o->w[j] : 0;
	}
}

const struct value_class ordered_value = {
    .name = "ordered",
    .summary = "four indicators of a grid that descends from a corner, weighted",
    .params = ordered_params,
    .size = sizeof(struct grid_value),
    .init = grid_init,
    .eval = ordered_eval,
};

static const struct field no_params[] = {{0}};

static void score_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	(void)self;
	(void)boards;
	memset(out, 0, n * sizeof *out);
}

static void score_spawn_sums(const void *self, const struct board *after, const uint8_t *k,
			     int kinds, double *out)
{
	(void)self;
	(void)after;
	(void)k;
	memset(out, 0, (size_t)kinds * sizeof *out);
}

const struct value_class score_value = {
    .name = "score",
    .summary = "no estimate (0): a search maximises the points of its depth",
    .params = no_params,
    .in_points = true,
    .eval = score_eval,
    .spawn_sums = score_spawn_sums,
};

static void empty_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct grid_value *grid = self;
	for (size_t i = 0; i < n; i++)
		out[i] = board_empty(grid->game, &boards[i]);
}

static void empty_spawn_sums(const void *self, const struct board *after, const uint8_t *k,
			     int kinds, double *out)
{
	const struct grid_value *grid = self;
	int empty = board_empty(grid->game, after);
	(void)k;
	for (int i = 0; i < kinds; i++)
		out[i] = (double)empty * (empty - 1);
}

const struct value_class empty_value = {
    .name = "empty",
    .summary = "the number of empty cells",
    .params = no_params,
    .size = sizeof(struct grid_value),
    .init = grid_init,
    .eval = empty_eval,
    .spawn_sums = empty_spawn_sums,
};
