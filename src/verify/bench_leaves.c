/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing of leaves; see bench_leaves.h. A batch is timed many times over, so it is in the cache. */
#include "src/verify/bench_leaves.h"

#include "agents/value.h"
#include "base/clock.h"

#include <math.h>

enum { ROUNDS = 16 };

/* Seconds for one batch from POSITIONS on. */
static double batch_time(const struct value *value, const struct game *game,
			 const struct board *positions)
{
	const struct leaf_rule rule = leaf_rule_of(game, false, false, -100);
	struct batch batch;
	double values[BATCH_MAX];
	for (size_t i = 0; i < BATCH_MAX; i++)
		batch_put(&batch, i, &positions[i], game->rows);
	const double start = clock_seconds();
	for (int round = 0; round < ROUNDS; round++)
		value_best(value, game, &rule, &batch, BATCH_MAX, values);
	return (clock_seconds() - start) / ROUNDS;
}

double bench_leaf(const struct game *game, const char *name, const struct board *positions,
		  int count)
{
	const struct value_env env = {.game = game};
	struct value *value = NULL;
	double seconds = 0;
	int done = 0;
	if (value_new(name, &value, NULL) || value_init(value, &env, NULL)) {
		value_free(value);
		return NAN;
	}
	for (; done + BATCH_MAX <= count; done += BATCH_MAX)
		seconds += batch_time(value, game, positions + done);
	value_free(value);
	return seconds / done * 1e9;
}
