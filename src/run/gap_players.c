/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who is held against the optimum, at which points of training, and by games or by expected values;
 * see gap.h.
 *
 * Points of training are in a geometric series over three decades that ends with all of it, so that
 * they lie evenly on a logarithmic axis.
 *
 * Whether values are expected ones must not depend on the machine, so no clock decides but a count:
 * positions of the board times positions looked at for a move. What learned players look at is in
 * tables and networks: it counts as LEARNED_COST. Those trained here are estimated by games
 * throughout, so that points of a curve are of one kind.
 */
#include "src/run/gap.h"

#include "agents/play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

const double gap_cost_max = 1e8;

#define LEARNED_COST 100.0
#define CURVE_SPAN 1000.0

static enum status entry_add(struct gap *gap, const char *agent, struct why *why)
{
	const struct schedule schedule = {.games = gap->options->games};
	return experiment_add(&gap->experiment, &gap->game, agent, NULL, &schedule, why);
}

enum status gap_entries_init(struct gap *gap, struct why *why)
{
	const struct text_list *agents = &gap->options->agents;
	enum status status = STATUS_OK;
	gap->experiment = (struct experiment){.seed = gap->options->seed};
	for (size_t i = 0; !status && i < agents->n; i++)
		status = entry_add(gap, agents->item[i], why);
	for (size_t i = 0; !status && !agents->n && agent_classes[i]; i++)
		if (!agent_classes[i]->needs)
			status = entry_add(gap, agent_classes[i]->name, why);
	if (status)
		experiment_fini(&gap->experiment);
	return status;
}

/* What a game has cost so far. */
struct cost {
	uint64_t nodes, moves;
};

static bool cost_move(void *context, const struct turn *turn, int move,
		      const struct decision *decision)
{
	struct cost *cost = context;
	(void)turn;
	(void)move;
	cost->nodes += decision->nodes;
	cost->moves++;
	return (double)cost->nodes <= gap_cost_max;
}

/* Whether expected values take little: positions times positions looked at for a move in game 0. */
static bool cost_is_low(const struct gap *gap, struct agent *agent)
{
	struct cost cost = {0};
	struct outcome outcome;
	const struct play_watch watch = {.move = cost_move, .context = &cost};
	const double states = (double)optimum_head(gap->optimum)->states;
	const double learned = agent->class->learn ? LEARNED_COST : 1;
	if (states * learned > gap_cost_max)
		return false;
	play_game(agent, gap->options->seed, 0, &watch, &outcome);
	const double a_move = 1 + (double)cost.nodes / fmax(1, (double)cost.moves);
	return states * learned * a_move <= gap_cost_max;
}

/* Makes the player of ENTRY for a question. */
static enum status entry_agent(const struct entry *entry, struct agent **agent, struct why *why)
{
	const struct agent_env env = {.game = &entry->game};
	return agent_new(entry->agent, &env, agent, why);
}

enum status gap_exact_check(const struct gap *gap, struct why *why)
{
	enum status status = STATUS_OK;
	if (gap->options->exact != GAP_ALWAYS)
		return STATUS_OK;
	if (gap->optimum && optimum_head(gap->optimum)->goal != GOAL_SCORE)
		return why_set(why, STATUS_INPUT,
			       "--exact: always is for expected scores; the table is of a target");
	for (size_t i = 0; !status && i < gap->experiment.count; i++) {
		struct agent *agent;
		const struct entry *entry = gap->experiment.entries[i];
		status = entry_agent(entry, &agent, why);
		if (status)
			return status;
		if (agent_policy_kind(agent) == POLICY_UNKNOWN)
			status = why_set(why, STATUS_INPUT,
					 "--exact: not known how %s moves: only playing tells",
					 entry->agent);
		agent_free(agent);
	}
	return status;
}

static enum status exact_decide(const struct gap_player *player, bool *exact, struct why *why)
{
	const struct gap *gap = player->gap;
	struct agent *agent;
	*exact = gap->options->exact == GAP_ALWAYS;
	if (gap->options->exact != GAP_AUTO || player->trains ||
	    optimum_head(gap->optimum)->goal != GOAL_SCORE)
		return STATUS_OK;
	enum status status = entry_agent(player->entry, &agent, why);
	if (status)
		return status;
	*exact = agent_policy_kind(agent) != POLICY_UNKNOWN && cost_is_low(gap, agent);
	agent_free(agent);
	return STATUS_OK;
}

/* Appends a stage, unless it is that of the one before. */
static enum status stage_add(struct gap_player *player, uint64_t trained, bool exact,
			     struct why *why)
{
	char text[64];
	struct gap *gap = player->gap;
	struct gap_stage *stage = &player->stage[player->stages];
	if (player->stages && stage[-1].trained >= trained)
		return STATUS_OK;
	truth_text(gap, text);
	*stage = (struct gap_stage){
	    .games = {.run = gap_games_run, .finish = gap_games_finish, .end = gap->options->games},
	    .player = player,
	    .trained = trained,
	    .config =
		XXH3_64bits_withSeed(text, strlen(text), entry_config(player->entry, trained)),
	    .exact = exact,
	    .agent = calloc((size_t)gap->options->pace.threads, sizeof(struct agent *)),
	};
	if (!stage->agent)
		return why_errno(why, "%d threads", gap->options->pace.threads);
	pthread_mutex_init(&stage->lock, NULL);
	player->stages++;
	return STATUS_OK;
}

static enum status player_init(struct gap_player *player, struct why *why)
{
	bool exact;
	const struct gap_options *o = player->gap->options;
	const struct agent_class *class = agent_class_of(player->entry->agent);
	player->training = (struct job){.run = gap_train_run, .end = 1};
	player->trains = class->learn && player->entry->trained_before == 0;
	enum status status = exact_decide(player, &exact, why);
	if (!player->trains)
		return status ? status
			      : stage_add(player, player->entry->trained_before, exact, why);
	for (uint64_t i = 1; !status && i <= o->curve; i++) {
		const double left = (double)(o->curve - i) / fmax(1, (double)(o->curve - 1));
		const double games = round((double)o->train * pow(CURVE_SPAN, -left));
		status = stage_add(player, i == o->curve ? o->train : (uint64_t)fmax(1, games),
				   exact, why);
	}
	return status;
}

enum status gap_players_init(struct gap *gap, struct why *why)
{
	enum status status = STATUS_OK;
	const size_t count = gap->experiment.count;
	uint64_t number[2] = {0};
	gap->players = calloc(count, sizeof *gap->players);
	if (!gap->players)
		return why_errno(why, "%zu players", count);
	for (size_t i = 0; i < count; i++) {
		gap->players[i].gap = gap;
		gap->players[i].entry = gap->experiment.entries[i];
	}
	for (size_t i = 0; !status && i < count; i++) {
		status = player_init(&gap->players[i], why);
		gap->players[i].number = number[gap->players[i].trains]++;
	}
	return status;
}

void gap_players_fini(struct gap *gap)
{
	for (size_t i = 0; gap->players && i < gap->experiment.count; i++)
		for (size_t j = 0; j < gap->players[i].stages; j++) {
			struct gap_stage *stage = &gap->players[i].stage[j];
			gap_stage_drop(stage);
			free(stage->agent);
			pthread_mutex_destroy(&stage->lock);
		}
	free(gap->players);
	experiment_fini(&gap->experiment);
}
