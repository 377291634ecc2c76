/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing of policy networks; see bench_network.h. One thread, and one batch of all positions. */
#include "src/verify/bench_network.h"

#include "agents/nets/fit.h"
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
static double once(struct fit *fit, const struct board *const *board, size_t n, bool learns,
		   float (*out)[DIRECTIONS])
{
	const struct fit_step step = {
	    .board = board, .n = n, .grade = grade, .alpha = 1e-6, .weight = 1.0 / (double)n};
	double start = clock_seconds();
	if (learns)
		fit_make(fit, NULL, &step);
	else
		fit_outputs(fit, NULL, board, n, out);
	return clock_seconds() - start;
}

double bench_network(const struct game *game, const struct board *positions, int count, bool learns)
{
	const struct brain_plan plan = {.levels = brain_levels(game),
					.layers = 3,
					.width = {200, 100, DIRECTIONS},
					.stages = 1,
					.start = START_PLAIN,
					.last = 1};
	const size_t n = (size_t)count;
	struct brain brain = {0};
	struct fit fit = {0};
	const struct board **board = malloc(n * sizeof *board);
	float(*out)[DIRECTIONS] = malloc(n * sizeof *out);
	double seconds = NAN;
	if (!board || !out || brain_init(&brain, game, &plan, NULL) ||
	    fit_init(&fit, &brain, OPTIMISER_RMSPROP_NORM, NULL) || fit_ready(&fit, NULL))
		goto done;
	brain_start(&brain, 1, 0);
	for (size_t i = 0; i < n; i++)
		board[i] = &positions[i];
	once(&fit, board, n, learns, out);
	seconds = once(&fit, board, n, learns, out);
done:
	fit_fini(&fit);
	brain_fini(&brain);
	free(board);
	free(out);
	return seconds / count * 1e9;
}
