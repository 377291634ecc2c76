/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two plainest values.
 *
 * score   0: no estimate, so that a search maximises the expected points of its depth.
 * empty   the number of empty cells.
 *
 * tests/vectors/expectimax.txt holds exact searches over both, from an independent program.
 */
#include "agents/agent.h"

struct counts {
	const struct game *game;
};

static const struct param no_params[] = {{0}};

static enum status counts_init(void *self, const struct value_env *env, struct why *why)
{
	(void)why;
	((struct counts *)self)->game = env->game;
	return STATUS_OK;
}

static void score_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	(void)self;
	(void)boards;
	for (size_t i = 0; i < n; i++)
		out[i] = 0;
}

static void score_spawn_sums(const void *self, const struct board *after, const uint8_t *k,
			     int kinds, double *out)
{
	(void)self;
	(void)after;
	(void)k;
	for (int i = 0; i < kinds; i++)
		out[i] = 0;
}

const struct value_class score_value = {
    .name = "score",
    .summary = "no estimate (0): a search maximises the points of its depth",
    .params = no_params,
    .size = sizeof(struct counts),
    .in_points = true,
    .init = counts_init,
    .eval = score_eval,
    .spawn_sums = score_spawn_sums,
};

static void empty_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct counts *counts = self;
	for (size_t i = 0; i < n; i++)
		out[i] = board_empty(counts->game, &boards[i]);
}

static void empty_spawn_sums(const void *self, const struct board *after, const uint8_t *k,
			     int kinds, double *out)
{
	const struct counts *counts = self;
	int empty = board_empty(counts->game, after);
	(void)k;
	for (int i = 0; i < kinds; i++)
		out[i] = (double)empty * (empty - 1);
}

const struct value_class empty_value = {
    .name = "empty",
    .summary = "the number of empty cells",
    .params = no_params,
    .size = sizeof(struct counts),
    .init = counts_init,
    .eval = empty_eval,
    .spawn_sums = empty_spawn_sums,
};
