/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact solutions: solving a board, looking up a table, exact expectations of an agent; see nxn.h.
 *
 * Check values: on 3x3 optimal play scores 5468.486797 points, random play 178.743854.
 */
#include "lib/libnxn.h"

#include "agents/play.h"
#include "agents/solver/exact_play.h"
#include "agents/solver/optimum.h"
#include "agents/solver/solver.h"

#include <math.h>
#include <stdlib.h>

static enum status threads_check(int threads, struct nxn_why *why)
{
	return threads > 0
		   ? STATUS_OK
		   : why_set(reason(why), STATUS_INPUT, "%d threads: expected 1 or more", threads);
}

enum nxn_status nxn_solve(const struct nxn_game *game, const char *path, int threads,
			  uint64_t memory, struct nxn_solution *solution, struct nxn_why *why)
{
	const struct solve_task task = {.game = &game->game,
					.goal = GOAL_SCORE,
					.memory = memory ? memory : (uint64_t)1 << 30,
					.threads = threads,
					.out = path};
	struct solve_result result;
	enum status status = threads_check(threads, why);
	if (!status)
		status = solve(&task, &result, reason(why));
	if (status)
		return public_status(status);
	*solution = (struct nxn_solution){.value = result.value,
					  .states = result.total.states,
					  .afterstates = result.total.afterstates};
	solve_result_free(&result);
	return NXN_OK;
}

struct nxn_table {
	const struct nxn_game *game;
	struct optimum *optimum;
};

enum nxn_status nxn_table_open(const struct nxn_game *game, const char *path,
			       struct nxn_table **table, struct nxn_why *why)
{
	struct nxn_table *made = malloc(sizeof *made);
	if (!made)
		return public_status(
		    why_set(reason(why), STATUS_SYSTEM, "%s: out of memory for a table", path));
	made->game = game;
	const enum status status =
	    optimum_open(path, &game->game, true, &made->optimum, reason(why));
	if (status)
		free(made);
	else
		*table = made;
	return public_status(status);
}

void nxn_table_close(struct nxn_table *table)
{
	if (!table)
		return;
	optimum_close(table->optimum);
	free(table);
}

enum nxn_status nxn_table_check(const struct nxn_table *table, struct nxn_why *why)
{
	return public_status(
	    optimum_fits(table->optimum, &table->game->game, GOAL_SCORE, 0, reason(why)));
}

const char *nxn_table_goal(const struct nxn_table *table)
{
	return goal_name(optimum_header(table->optimum)->goal);
}

double nxn_table_value(const struct nxn_table *table)
{
	return optimum_header(table->optimum)->value;
}

enum nxn_status nxn_table_moves(const struct nxn_table *table, const uint8_t *cells, size_t n,
				double *worth, struct nxn_why *why)
{
	const struct game *game = &table->game->game;
	const enum nxn_status status = nxn_board_check(table->game, cells, n, why);
	for (size_t i = 0; !status && i < n; i++) {
		struct board board;
		struct turn turn;
		board_load(game, cells + i * (size_t)game->cells, &board);
		turn_init(&turn, game, &board, 0);
		optimum_moves(table->optimum, &turn, worth + i * DIRECTIONS);
	}
	return status;
}

_Static_assert((int)NXN_EXPONENTS == (int)EXACT_EXPONENTS, "the exponents of nxn.h");

/* Checks the agent TEXT as nxn_agent_ready() does. */
static enum nxn_status text_ready(const struct nxn_game *game, const char *text,
				  struct nxn_why *why)
{
	struct nxn_agent *agent;
	enum nxn_status status = nxn_agent_new(game, text, &agent, why);
	if (status)
		return status;
	status = nxn_agent_ready(agent, why);
	nxn_agent_free(agent);
	return status;
}

enum nxn_status nxn_exact_play(const struct nxn_game *game, const char *text,
			       const struct nxn_table *table, int threads, uint64_t memory,
			       struct nxn_exact_score *result, struct nxn_why *why)
{
	const struct exact_play_task task = {.game = &game->game,
					     .agent = text,
					     .optimum = table ? table->optimum : NULL,
					     .tie = 1e-9,
					     .memory = memory,
					     .threads = threads};
	struct exact_play played;
	enum status status = threads_check(threads, why);
	if (!status)
		status = (enum status)text_ready(game, text, why);
	if (!status)
		status = exact_play(&task, &played, reason(why));
	if (status)
		return public_status(status);
	*result = (struct nxn_exact_score){
	    .score = played.score, .sd = played.sd, .moves = played.moves, .states = played.states};
	for (int k = 0; k < EXACT_EXPONENTS; k++) {
		result->max_tile[k] = played.max_tile[k];
		result->visits[k] = played.phase[k].visits;
		result->optimal[k] = played.phase[k].optimal;
		result->loss[k] = played.phase[k].loss;
	}
	return NXN_OK;
}
