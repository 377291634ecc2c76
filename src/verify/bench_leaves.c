/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing of leaves; see bench_leaves.h. A batch is timed many times over, so it is in the cache. */
#include "src/verify/bench_leaves.h"

#include "agents/search/leaves.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 16 };

/* Seconds for one batch from POSITIONS on. */
static double batch_time(struct leaves *leaves, const struct board *positions, double *values)
{
	for (size_t i = 0; i < BATCH_MAX; i++)
		batch_put(&leaves->batch, i, &positions[i], leaves->game->rows);
	double start = clock_seconds();
	for (int round = 0; round < ROUNDS; round++) {
		leaves->run[0] = (struct leaf_run){values, BATCH_MAX};
		leaves->n = BATCH_MAX;
		leaves->runs = 1;
		leaves_flush(leaves);
	}
	return (clock_seconds() - start) / ROUNDS;
}

double bench_leaf(const struct game *game, const char *name, const struct board *positions,
		  int count)
{
	const struct value_env env = {.game = game};
	const struct horizon horizon = {.terminal = -100};
	struct value *value = NULL;
	struct leaves *leaves = malloc(sizeof *leaves);
	double values[BATCH_MAX], seconds = NAN;
	int done = 0;
	if (!leaves || value_new(name, &value, NULL) || value_init(value, &env, NULL))
		goto done;
	leaves_init(leaves, game, value, &horizon);
	for (seconds = 0; done + BATCH_MAX <= count; done += BATCH_MAX)
		seconds += batch_time(leaves, positions + done, values);
done:
	value_free(value);
	free(leaves);
	return seconds / done * 1e9;
}
