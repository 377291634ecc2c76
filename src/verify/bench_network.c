/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing of policy networks; see bench_network.h. One thread, and one batch of all positions. */
#include "src/verify/bench_network.h"

#include "agents/nets/gradient.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>

/* What a position asks to be changed does not matter for the time. */
static void grade(void *context, size_t i, const float out[DIRECTIONS], float back[DIRECTIONS])
{
	(void)context;
	(void)out;
	for (int d = 0; d < DIRECTIONS; d++)
		back[d] = (size_t)d == i % DIRECTIONS ? 0.75f : -0.25f;
}

/* Seconds for outputs of all boards, or for a step. */
static double once(struct gradient *gradient, const struct board *const *board, size_t n,
		   bool learns, float (*out)[DIRECTIONS])
{
	const struct gradient_batch batch = {
	    .board = board, .n = n, .grade = grade, .alpha = 1e-6, .weight = 1.0 / (double)n};
	double start = clock_seconds();
	if (learns)
		gradient_step(gradient, NULL, &batch);
	else
		gradient_outputs(gradient, NULL, board, n, out);
	return clock_seconds() - start;
}

double bench_network(const struct game *game, const struct board *positions, int count, bool learns)
{
	const struct staged_plan plan = {.levels = staged_levels(game),
					 .layers = 3,
					 .width = {200, 100, DIRECTIONS},
					 .stages = 1,
					 .start = START_PLAIN,
					 .last = 1};
	const size_t n = (size_t)count;
	struct staged_network network = {0};
	struct gradient gradient = {0};
	const struct board **board = malloc(n * sizeof *board);
	float(*out)[DIRECTIONS] = malloc(n * sizeof *out);
	double seconds = NAN;
	if (!board || !out || staged_init(&network, game, &plan, NULL) ||
	    gradient_init(&gradient, &network, OPTIMISER_RMSPROP_NORM, 0.99, 1e-5, NULL) ||
	    gradient_reserve(&gradient, NULL))
		goto done;
	staged_start(&network, 1, 0);
	for (size_t i = 0; i < n; i++)
		board[i] = &positions[i];
	once(&gradient, board, n, learns, out);
	seconds = once(&gradient, board, n, learns, out);
done:
	gradient_fini(&gradient);
	staged_fini(&network);
	free(board);
	free(out);
	return seconds / count * 1e9;
}
