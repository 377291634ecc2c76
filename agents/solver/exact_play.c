/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The games of an agent, exactly: forward over layers of the tile sum.
 *
 * A move keeps the sum of the tiles and a spawn adds to it, so the positions of a sum come out of those
 * of smaller sums only. For each position x that the agent can reach there is kept
 *
 *     P(x) = sum of p,   A(x) = sum of p g,   B(x) = sum of p g^2
 *
 * over all ways to it, p the probability of one and g the points made on it. A move of reward r that the
 * agent makes with probability q passes on q P, q (A + r P) and q (B + 2 r A + r^2 P); a spawn of
 * probability q passes on q P, q A and q B. Summed over lost positions A is the expected score and B that of its
 * square; P summed over the others is the expected number of moves. Nothing is needed of what
 * comes later, so layers are forgotten once they are done: memory is for two or three of them.
 *
 * Positions are the images that stand for all where the agent is symmetric (agents/agent.h). Against an
 * optimum V the loss of the agent, V(start) - score, is the sum over all its moves of the probability
 * to make it times what the move loses: V(x) less the worth of the move.
 *
 * Check value: random on 2x2 scores 19.6565401755 with standard deviation 14.6570431283.
 */
#include "agents/solver/exact_work.h"

#include "agents/solver/optimum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct exact_layer *exact_layer_at(struct exact_work *work, uint64_t sum)
{
	struct exact_layer **at = &work->layers;
	while (*at && (*at)->sum < sum)
		at = &(*at)->next;
	if (*at && (*at)->sum == sum)
		return *at;
	struct exact_layer *made = work->spare ? work->spare : calloc(1, sizeof *made);
	if (!made) {
		work->budget.wish = work->budget.used + sizeof *made;
		return NULL;
	}
	work->spare = NULL;
	made->sum = sum;
	made->next = *at;
	return *at = made;
}

static void layer_free(struct exact_work *work, struct exact_layer *layer)
{
	for (int i = 0; i < EXACT_PARTS && layer; i++)
		exact_table_fini(&work->budget, &layer->part[i]);
	free(layer);
}

/* The first layer is done. */
static void layer_drop(struct exact_work *work)
{
	struct exact_layer *layer = work->layers;
	work->layers = layer->next;
	layer_free(work, work->spare);
	work->spare = layer;
	for (int i = 0; i < EXACT_PARTS; i++)
		exact_table_clear(&layer->part[i]);
}

/* The largest sum there can be: one tile of each exponent from the largest down (boards/game.h). */
static uint64_t last_sum(const struct exact_play_task *task)
{
	const struct game *game = task->game;
	const uint64_t most = ((uint64_t)2 << game->max_exponent) -
			      ((uint64_t)1 << (game->max_exponent + 1 - game->cells));
	return task->max_sum && task->max_sum < most ? task->max_sum : most;
}

/* The largest exponent that a position within max_sum can have. */
static int max_exponent(const struct exact_play_task *task)
{
	const uint64_t last = last_sum(task);
	const int most = 63 - __builtin_clzll(last | 4); /* no narrower than EXACT_PART_BITS */
	return most < task->game->max_exponent ? most : task->game->max_exponent;
}

static enum status optimum_game_check(const struct optimum *optimum, const struct game *game,
				      struct why *why)
{
	const struct optimum_head *head = optimum_head(optimum);
	struct optimum_head asked = {0};
	char start[BOARD_TEXT_MAX], wanted[BOARD_TEXT_MAX];
	optimum_head_game(&asked, game);
	if (optimum_games_alike(head, &asked))
		return STATUS_OK;
	optimum_starts(head, start);
	optimum_starts(&asked, wanted);
	return why_set(why, STATUS_INPUT,
		       "%s: a table of other games (%s, %s, %s), expected one of %s, %s, %s",
		       optimum_path(optimum), head->board, head->spawn, start, asked.board,
		       asked.spawn, wanted);
}

/* Whether the optimum is one of these games' scores. */
static enum status optimum_check(const struct exact_play_task *task, struct why *why)
{
	const struct optimum_head *head = optimum_head(task->optimum);
	const char *path = optimum_path(task->optimum);
	if (head->goal != GOAL_SCORE)
		return why_set(why, STATUS_INPUT,
			       "%s: a table of the goal %s, expected one of the goal score", path,
			       goal_name(head->goal));
	if (head->max_sum != task->max_sum)
		return why_set(
		    why, STATUS_INPUT,
		    "%s: a table with the largest sum %llu, expected one with %llu (0: none)", path,
		    (unsigned long long)head->max_sum, (unsigned long long)task->max_sum);
	return optimum_game_check(task->optimum, task->game, why);
}

static enum status task_check(const struct exact_play_task *task, struct why *why)
{
	const struct game *game = task->game;
	const struct spawn_rule *spawn = &game->spawn;
	const uint64_t start = game->has_start ? board_sum(&game->start)
					       : (uint64_t)game->start_tiles
						     << spawn->exponent[spawn->kinds - 1];
	if (task->max_sum && start > task->max_sum)
		return why_set(why, STATUS_INPUT,
			       "largest sum %llu: games start with sums up to %llu, expected at "
			       "least that",
			       (unsigned long long)task->max_sum, (unsigned long long)start);
	return task->optimum ? optimum_check(task, why) : STATUS_OK;
}

/* The agent, one for each worker. */
static enum status agents_make(struct exact_work *work, struct why *why)
{
	const struct exact_play_task *task = work->task;
	for (int i = 0; i < task->threads; i++) {
		struct agent **agent = &work->worker[i].agent;
		const struct agent_env env = {.game = work->game,
					      .owner = i ? work->worker[0].agent->self : NULL};
		enum status status = agent_new(task->agent, &env, agent, why);
		if (status)
			return status;
		if (agent_policy_kind(*agent) == POLICY_UNKNOWN)
			return why_set(
			    why, STATUS_INPUT,
			    "%s: it has no exact value, expected an agent whose move is a "
			    "function of the position or drawn by chances that are",
			    task->agent);
	}
	work->folded = agent_symmetric(work->worker[0].agent);
	return STATUS_OK;
}

/* What came of the work up to layer SUM. */
static enum status work_status(const struct exact_work *work, uint64_t sum, struct why *why)
{
	if (work->budget.wish > work->budget.limit)
		return why_set(
		    why, STATUS_INPUT,
		    "%s on %s: positions with tiles up to sum %llu of %llu take more than %.1f MiB "
		    "of memory: allow more (--memory), or end earlier (--max-sum)",
		    work->task->agent, work->game->name, (unsigned long long)sum,
		    (unsigned long long)last_sum(work->task), (double)work->budget.limit / 0x1p20);
	if (work->budget.wish)
		return why_set(why, STATUS_SYSTEM,
			       "%s on %s: out of memory for positions with tiles up to sum %llu",
			       work->task->agent, work->game->name, (unsigned long long)sum);
	if (work->unknown)
		return why_set(why, STATUS_INPUT,
			       "%s: does not know all positions of %s with tiles up to sum %llu: "
			       "it is damaged",
			       optimum_path(work->task->optimum), work->game->name,
			       (unsigned long long)sum);
	for (int i = 0; i < work->task->threads; i++) {
		enum status status = agent_check(work->worker[i].agent, why);
		if (status)
			return status;
	}
	return STATUS_OK;
}

static enum status work_init(struct exact_work *work, struct why *why)
{
	const struct exact_play_task *task = work->task;
	work->worker = calloc((size_t)task->threads, sizeof *work->worker);
	if (!work->worker)
		return why_set(why, STATUS_SYSTEM, "out of memory for %d threads", task->threads);
	enum status status = agents_make(work, why);
	if (!status)
		status = keys_init(&work->keys, work->game, max_exponent(task), work->folded, why);
	if (!status)
		status = thread_team_new(task->threads, &work->team, why);
	for (int i = 0; i < task->threads && !status; i++)
		if (!exact_worker_init(work, &work->worker[i]))
			status = work_status(work, 0, why);
	return status;
}

static void work_fini(struct exact_work *work)
{
	while (work->layers)
		layer_drop(work);
	layer_free(work, work->spare);
	for (int i = 0; i < EXACT_PARTS; i++) {
		exact_table_fini(&work->budget, &work->after[i]);
		for (int kind = 0; kind < SPAWN_KINDS_MAX; kind++)
			exact_spill_fini(&work->budget, &work->spill[kind][i]);
	}
	thread_team_free(work->team);
	/* The first last: the others borrow from it. */
	for (int i = work->worker ? work->task->threads - 1 : -1; i >= 0; i--) {
		exact_draft_fini(&work->budget, &work->worker[i].draft);
		room_free(&work->budget, &work->worker[i].keys);
		agent_free(work->worker[i].agent);
	}
	free(work->worker);
	free(work);
}

static enum status layers_step(struct exact_work *work, struct why *why)
{
	const struct exact_play_task *task = work->task;
	exact_start(work);
	enum status status = work_status(work, 0, why);
	while (!status && work->layers) {
		const uint64_t sum = work->layers->sum;
		exact_step(work);
		status = work_status(work, sum, why);
		layer_drop(work);
		if (!status && task->tell &&
		    !task->tell(task->context, sum, last_sum(task), work->states))
			status = why_set(why, STATUS_STOPPED, "%s on %s: stopped at sum %llu",
					 task->agent, work->game->name, (unsigned long long)sum);
	}
	return status;
}

/* The parts in their order. */
static void result_sum(const struct exact_work *work, struct exact_play *result)
{
	double squares = 0;
	*result = (struct exact_play){
	    .states = work->states, .folded = work->folded, .peak = work->budget.peak};
	for (int i = 0; i < EXACT_PARTS; i++) {
		const struct exact_total *total = &work->total[i];
		result->score += total->score;
		squares += total->squares;
		for (int k = 0; k < EXACT_EXPONENTS; k++) {
			result->max_tile[k] += total->max_tile[k];
			result->phase[k].visits += total->phase[k].visits;
			result->phase[k].optimal += total->phase[k].optimal;
			result->phase[k].loss += total->phase[k].loss;
		}
	}
	for (int k = 0; k < EXACT_EXPONENTS; k++)
		result->moves += result->phase[k].visits;
	const double variance = squares - result->score * result->score;
	result->sd = variance > 0 ? sqrt(variance) : 0;
}

enum status exact_play(const struct exact_play_task *task, struct exact_play *result,
		       struct why *why)
{
	enum status status = task_check(task, why);
	if (status)
		return status;
	struct exact_work *work = calloc(1, sizeof *work);
	if (!work)
		return why_set(why, STATUS_SYSTEM, "out of memory for the games of %s",
			       task->agent);
	work->task = task;
	work->game = task->game;
	work->budget.limit = task->memory ? task->memory : UINT64_MAX;
	status = work_init(work, why);
	if (!status)
		status = layers_step(work, why);
	if (!status)
		result_sum(work, result);
	work_fini(work);
	return status;
}
