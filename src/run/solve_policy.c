/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn solve for an agent: what it scores, exactly, and, against a table of the optimum, what its moves
 * lose. The keys are in docs/solver.md.
 */
#include "agents/solver/exact_play.h"
#include "agents/solver/optimum.h"
#include "base/clock.h"
#include "src/run/solve.h"
#include "src/run/solve_show.h"
#include "src/run/solve_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Values of a table are sums in another order than those they are compared with. */
static const double tie = 1e-9;

static bool tell(void *context, uint64_t sum, uint64_t last, uint64_t states)
{
	return solve_show(context, &(struct solve_progress){
				       .sum = sum, .last = last, .states = states, .done = states});
}

static void phases_print(const struct exact_play *play)
{
	puts("\"tile\"\t\"moves\"\t\"optimal\"\t\"loss\"");
	for (int k = 0; k < EXACT_EXPONENTS; k++)
		if (play->phase[k].visits > 0)
			printf("%" PRIu64 "\t%.12g\t%.12g\t%.12g\n", (uint64_t)1 << k,
			       play->phase[k].visits, play->phase[k].optimal, play->phase[k].loss);
	fputs("\n\n", stdout);
}

static void tiles_print(const struct exact_play *play)
{
	char key[64];
	double reach[EXACT_EXPONENTS + 1] = {0};
	for (int k = EXACT_EXPONENTS - 1; k >= 0; k--)
		reach[k] = reach[k + 1] + play->max_tile[k];
	for (int k = 0; k < EXACT_EXPONENTS; k++) {
		if (!(play->max_tile[k] > 0))
			continue;
		snprintf(key, sizeof key, "p_max_tile.%" PRIu64, (uint64_t)1 << k);
		solve_real_print(key, play->max_tile[k]);
	}
	for (int k = 1; k < EXACT_EXPONENTS; k++) {
		if (!(reach[k] > 0))
			break;
		snprintf(key, sizeof key, "p_reach.%" PRIu64, (uint64_t)1 << k);
		solve_real_print(key, fmin(1, reach[k])); /* but for rounding */
	}
}

static void gap_print(const struct exact_play *play, double best)
{
	double loss = 0, optimal = 0;
	for (int k = 0; k < EXACT_EXPONENTS; k++) {
		loss += play->phase[k].loss;
		optimal += play->phase[k].optimal;
	}
	solve_real_print("optimal_score", best);
	solve_real_print("fraction", play->score / best);
	solve_real_print("loss", loss);
	solve_real_print("optimal_share", optimal / play->moves);
}

static enum status policy_print(const struct solve_options *options, const struct game *game,
				const char *command, const struct optimum *optimum,
				const struct exact_play *play, double seconds, struct why *why)
{
	char agent[SPEC_MAX], what[SPEC_MAX + 64];
	enum status status = agent_canonical(options->policy, agent, why);
	if (status)
		return status;
	snprintf(what, sizeof what, "policy %s %" PRIu64, agent, options->max_sum);
	status = solve_head_print(game, command, what, why);
	if (status)
		return status;
	if (optimum && !options->no_layers)
		phases_print(play);
	solve_game_print(game);
	printf("policy\t%s\n", agent);
	if (options->max_sum)
		solve_count_print("max_sum_asked", options->max_sum);
	solve_count_print("symmetric", play->folded);
	solve_count_print("states", play->states);
	solve_real_print("expected_score", play->score);
	solve_real_print("sd", play->sd);
	solve_real_print("moves", play->moves);
	tiles_print(play);
	if (optimum)
		gap_print(play, optimum_head(optimum)->value);
	if (!options->no_times) {
		printf("seconds\t%.3f\n", seconds);
		solve_count_print("memory", play->peak);
	}
	return STATUS_OK;
}

enum status solve_policy(const struct solve_options *options, const struct game *game,
			 const char *command, struct why *why)
{
	struct solve_show show = {
	    .forced = options->pace.progress,
	    .partial = true,
	    /* what is known of all positions is not of those of an agent */ .what =
		options->policy};
	struct optimum *optimum = NULL;
	struct exact_play play;
	const double started = clock_seconds();
	enum status status = solve_check(options, game, why);
	if (!status && options->table)
		status = optimum_open(options->table, game, &optimum, why);
	if (!status)
		status = exact_play(&(struct exact_play_task){.game = game,
							      .agent = options->policy,
							      .optimum = optimum,
							      .tie = tie,
							      .max_sum = options->max_sum,
							      .memory = options->memory,
							      .threads = options->pace.threads,
							      .tell = tell,
							      .context = &show},
				    &play, why);
	solve_show_end(&show);
	if (!status)
		status = policy_print(options, game, command, optimum, &play,
				      clock_seconds() - started, why);
	optimum_close(optimum);
	return status;
}
