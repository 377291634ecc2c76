/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Games in which every move is held against the optimum; see gap.h.
 *
 * Invariant: a game is appended to the log once it is over and not before, so the log tells exactly
 * what is left to play.
 */
#include "src/run/gap.h"

#include "agents/play.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

/* Of what a move is worth, as a share: less is rounding. The same in expected values. */
#define TIE 1e-9

/* A game under way. */
struct held {
	const struct gap *gap;
	struct gap_row row;
	bool won;     /* it has the target, and is over for that */
	bool unknown; /* in a position that the table does not tell */
};

static bool move_hold(void *context, const struct turn *turn, int move,
		      const struct decision *decision)
{
	struct held *held = context;
	double worth[DIRECTIONS], best = -INFINITY;
	const struct optimum_head *head = optimum_head(held->gap->optimum);
	const int largest = board_max(turn->board);
	(void)decision;
	held->won = head->goal == GOAL_TARGET && largest >= head->target;
	if (held->won || gap_ending(held->gap))
		return false;
	held->unknown = !optimum_moves(held->gap->optimum, turn, worth);
	if (held->unknown)
		return false;
	for (int d = 0; d < DIRECTIONS; d++)
		if (turn->moves.legal >> d & 1)
			best = fmax(best, worth[d]);
	struct gap_phase *phase = &held->row.phase[largest];
	const double lost = best - worth[move];
	phase->moves++;
	phase->optimal += lost <= TIE * fmax(1, fabs(best));
	phase->lost += lost;
	return true;
}

/* Plays game INDEX; STATUS_STOPPED if it was abandoned. */
static enum status game_hold(const struct gap_stage *stage, struct agent *agent, uint64_t index,
			     struct gap_row *row, struct why *why)
{
	const struct gap *gap = stage->player->gap;
	const struct optimum_head *head = optimum_head(gap->optimum);
	struct outcome outcome;
	struct held held = {.gap = gap,
			    .row = {.config = stage->config,
				    .trained = stage->trained,
				    .seed = gap->options->seed,
				    .game = index}};
	const struct play_watch watch = {.move = move_hold, .context = &held};
	const bool finished = play_game(agent, gap->options->seed, index, &watch, &outcome);
	enum status status = agent_check(agent, why);
	if (status)
		return status;
	if (held.unknown)
		return why_set(why, STATUS_INPUT,
			       "%s: does not know a position of game %" PRIu64
			       " of %s: it is damaged",
			       optimum_path(gap->optimum), index, stage->player->entry->agent);
	if (!finished && !held.won)
		return STATUS_STOPPED;
	const bool reached = outcome.max_exponent >= head->target;
	held.row.result = head->goal == GOAL_TARGET ? reached : (double)outcome.score;
	*row = held.row;
	return STATUS_OK;
}

enum status gap_stage_agent(const struct gap_stage *stage, const struct agent *owner,
			    struct agent **agent, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct agent *made;
	const struct entry *entry = stage->player->entry;
	const struct agent_env env = {.game = &entry->game, .owner = owner ? owner->self : NULL};
	enum status status = agent_new(entry->agent, &env, &made, why);
	if (status)
		return status;
	if (stage->player->trains && !owner) {
		status = gap_model_path(stage, path, why);
		if (!status) {
			file_await(path);
			status = agent_load(made, path, why);
		}
	}
	if (status)
		agent_free(made);
	else
		*agent = made;
	return status;
}

/* The instance of THREAD, made when it is first asked for. */
static enum status stage_instance(struct gap_stage *stage, int thread, struct agent **agent,
				  struct why *why)
{
	enum status status = STATUS_OK;
	if (!stage->agent[thread]) {
		pthread_mutex_lock(&stage->lock);
		status = gap_stage_agent(stage, stage->owner, &stage->agent[thread], why);
		if (!status && !stage->owner)
			stage->owner = stage->agent[thread];
		pthread_mutex_unlock(&stage->lock);
	}
	*agent = stage->agent[thread];
	return status;
}

void gap_stage_drop(struct gap_stage *stage)
{
	for (int i = 0; stage->agent && i < stage->player->gap->options->pace.threads; i++) {
		if (stage->agent[i] != stage->owner)
			agent_free(stage->agent[i]);
		stage->agent[i] = NULL;
	}
	agent_free(stage->owner);
	stage->owner = NULL;
}

static struct gap_stage *stage_of(struct job *job)
{
	return (struct gap_stage *)((char *)job - offsetof(struct gap_stage, games));
}

void gap_games_run(struct job *job, uint64_t unit, int thread)
{
	struct gap_stage *stage = stage_of(job);
	struct gap *gap = stage->player->gap;
	struct agent *agent;
	struct gap_row row;
	struct why why;
	if (!gap_owns(stage, unit) ||
	    gap_log_find(&gap->played, stage->config, gap->options->seed, unit))
		return;
	enum status status = stage_instance(stage, thread, &agent, &why);
	if (!status)
		status = game_hold(stage, agent, unit, &row, &why);
	if (!status)
		status = gap_result(stage, &row, &why);
	if (status && status != STATUS_STOPPED)
		gap_fail(gap, status, &why);
}

void gap_games_finish(struct job *job)
{
	gap_stage_drop(stage_of(job));
}
