/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `nxn gap` from beginning to end; see gap.h. The optimum is in src/measure/gap_optimum.c.
 *
 * Points of training are in a geometric series over three decades that ends with all of it, so that
 * they lie evenly on a logarithmic axis. At each point a learner is saved under the number of its
 * training games, and in between once in a while and when it has to stop, under a name without. It
 * trains with one thread and as if there were no end, so that at every point it is what training in
 * one go would have made of it.
 *
 * Players whose moves are known are compared with the optimum in all their games at once
 * (agents/solver/exact_play.h), one after the other on each rank: each takes all threads and much
 * memory. Whether values are expected ones must not depend on the machine, so no clock decides but
 * a count: positions of the board times positions looked at for a move. What learned players look
 * at is in tables and networks: it counts as LEARNED_COST. Those trained here are estimated by
 * games throughout, so that points of a curve are of one kind.
 *
 * Invariant: a game is appended to the log once it is over and not before, so the log tells exactly
 * what is left to play.
 */
#include "base/text.h"
#include "base/xalloc.h"
#include "src/measure/gap.h"

#include "agents/solver/exact_play.h"
#include "agents/solver/solver.h"
#include "analysis/logs/rowlog.h"
#include "analysis/tables/tables.h"
#include "base/file.h"
#include "base/clock.h"
#include "base/stop.h"
#include "src/report/report.h"
#include "src/games/pool.h"
#include "src/games/ranks.h"
#include "src/learn/training.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* Seconds of training that a kill may cost. */
enum { CHECKPOINT_SECONDS = 30 };

/* Of what a move is worth, as a share: less is rounding. The same in expected values. */
#define TIE 1e-9

/*
 * Positions of the board times positions looked at for a move: up to so many, values are expected
 * ones.
 */
#define COST_MAX 1e8
#define LEARNED_COST 100.0
#define CURVE_SPAN 1000.0

/* A player after so much training. */
struct gap_stage {
	struct job games;
	struct gap_player *player;
	uint64_t trained;
	uint64_t config; /* that its games are logged under */
	bool exact;
	struct instances instances;
};

struct gap_player {
	struct job training;
	struct gap *gap;
	const struct experiment_entry *entry;
	bool trains;	 /* it learns here, from nothing */
	uint64_t number; /* among those that do, or among the others */
	struct gap_stage stage[GAP_POINTS_MAX];
	size_t stages;
};

/* All of a run. */
struct gap {
	struct launch_task task;
	const struct gap_options *options;
	const char *command;
	struct table_printer printer;
	struct game game;
	struct optimum *optimum;
	struct experiment experiment; /* the players as entries */
	struct gap_player *players;   /* of each entry */
	char models[FOLDER_PATH_MAX];
	struct shared_log log;
	struct provenance provenance;
	struct pool *pool;
	struct progress progress;
};

/* ---- Players and their stages. */

static enum status entry_add(struct gap *gap, const char *agent, struct why *why)
{
	const struct schedule schedule = {.games = gap->options->games};
	if (agent_label(agent))
		return why_set(why, STATUS_INPUT, "%s: a gap has no labels; leave out '%.*s='",
			       agent, (int)agent_label(agent), agent);
	return experiment_add(&gap->experiment, &gap->game, agent, NULL, &schedule, why);
}

/* The players as entries. */
static enum status entries_init(struct gap *gap, struct why *why)
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

/* ---- Games. */

/* Whether game INDEX is to be played here; expected values belong to game 0. */
static bool stage_owns(const struct gap_stage *stage, uint64_t index)
{
	const struct gap_player *player = stage->player;
	return share_owns(&player->gap->options->launch.share,
			  player->trains ? player->number : player->number + index);
}

/* Game INDEX of STAGE in LOG, or NULL. */
static const struct gap_row *game_find(const struct rowlog *log, const struct gap_stage *stage,
				       uint64_t index)
{
	const uint64_t seed = stage->player->gap->options->seed;
	return rowlog_find(log,
			   &(struct gap_row){.config = stage->config, .seed = seed, .game = index});
}

/* Whether the log of earlier runs has game INDEX of STAGE. */
static bool stage_has(const struct gap_stage *stage, uint64_t index)
{
	const struct gap *gap = stage->player->gap;
	return game_find(&gap->log.rows, stage, index);
}

/* Logs a row of STAGE, and counts it as a game. Any thread. */
static enum status row_log(struct gap_stage *stage, struct gap_row *row, struct why *why)
{
	struct gap *gap = stage->player->gap;
	row->board = gap->game.name;
	row->agent = stage->player->entry->agent;
	enum status status = shared_log_append(&gap->log, gap->pool, row, why);
	if (!status)
		atomic_fetch_add(&gap->progress.games.done, 1);
	return status;
}

/* A game under way. */
struct scored_game {
	const struct gap *gap;
	struct gap_row row;
	bool won;     /* it has the target, and is over for that */
	bool unknown; /* in a position that the table does not tell */
};

static bool move_score(void *context, const struct turn *turn, int move,
		       const struct decision *decision)
{
	struct scored_game *scored = context;
	double worth[DIRECTIONS], best = -INFINITY;
	const struct optimum_header *head = optimum_header(scored->gap->optimum);
	const int largest = board_max(turn->board);
	(void)decision;
	scored->won = head->goal == GOAL_TARGET && largest >= head->target;
	if (scored->won || pool_ending(scored->gap->pool))
		return false;
	scored->unknown = !optimum_moves(scored->gap->optimum, turn, worth);
	if (scored->unknown)
		return false;
	for (int d = 0; d < DIRECTIONS; d++)
		if (turn->moves.legal >> d & 1)
			best = fmax(best, worth[d]);
	struct gap_phase *phase = &scored->row.phase[largest];
	const double lost = best - worth[move];
	phase->moves++;
	phase->optimal += lost <= TIE * fmax(1, fabs(best));
	phase->lost += lost;
	return true;
}

/* Plays game INDEX; STATUS_STOPPED if it was abandoned. */
static enum status game_score(const struct gap_stage *stage, struct agent *agent, uint64_t index,
			      struct gap_row *row, struct why *why)
{
	const struct gap *gap = stage->player->gap;
	const struct optimum_header *head = optimum_header(gap->optimum);
	struct outcome outcome;
	struct scored_game scored = {.gap = gap,
				     .row = {.config = stage->config,
					     .trained = stage->trained,
					     .seed = gap->options->seed,
					     .game = index}};
	const struct play_watch watch = {.move = move_score, .context = &scored};
	const bool finished = play_game(agent, gap->options->seed, index, &watch, &outcome);
	enum status status = agent_check(agent, why);
	if (status)
		return status;
	if (scored.unknown)
		return why_set(why, STATUS_INPUT,
			       "%s: does not know a position of game %" PRIu64
			       " of %s: it is damaged",
			       optimum_path(gap->optimum), index, stage->player->entry->agent);
	if (!finished && !scored.won)
		return STATUS_STOPPED;
	const bool reached = outcome.max_exponent >= head->target;
	scored.row.result = head->goal == GOAL_TARGET ? reached : (double)outcome.score;
	*row = scored.row;
	return STATUS_OK;
}

static struct gap_stage *stage_of(struct job *job)
{
	return (struct gap_stage *)((char *)job - offsetof(struct gap_stage, games));
}

static enum status games_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct gap_stage *stage = stage_of(job);
	struct agent *agent;
	struct gap_row row;
	if (!stage_owns(stage, unit) || stage_has(stage, unit))
		return STATUS_OK;
	enum status status = instances_get(&stage->instances, thread, &agent, why);
	if (!status)
		status = game_score(stage, agent, unit, &row, why);
	return status ? status : row_log(stage, &row, why);
}

static void games_finish(struct job *job)
{
	instances_drop(&stage_of(job)->instances);
}

/* ---- Training. */

/* A learner under way. */
struct learning {
	struct gap_player *player;
	size_t number; /* of the stage that it trains for */
	struct training training;
};

/* The model file of STAGE. */
static enum status stage_model_path(const struct gap_stage *stage, char path[FOLDER_PATH_MAX],
				    struct why *why)
{
	char suffix[32];
	const struct gap *gap = stage->player->gap;
	snprintf(suffix, sizeof suffix, "-%" PRIu64 ".nxn", stage->trained);
	return entry_model_path(stage->player->entry, gap->options->seed, gap->models, suffix, path,
				why);
}

/* Reads into AGENT what was learned at the stage that is CONTEXT, perhaps on another rank. */
static enum status stage_load(void *context, struct agent *agent, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = stage_model_path(context, path, why);
	if (status)
		return status;
	file_wait(path);
	return agent_load(agent, path, why);
}

/* Where it is saved in between. */
static enum status checkpoint_path(const struct gap_player *player, char path[FOLDER_PATH_MAX],
				   struct why *why)
{
	const struct gap *gap = player->gap;
	return entry_model_path(player->entry, gap->options->seed, gap->models, ".nxn", path, why);
}

static bool learning_game(void *context, const struct outcome *outcome)
{
	struct learning *c = context;
	(void)outcome;
	atomic_fetch_add(&c->player->gap->progress.training.done, 1);
	return c->training.at.trained >= c->player->stage[c->number].trained;
}

static bool learning_ending(void *context)
{
	return pool_ending(((struct learning *)context)->player->gap->pool);
}

/* Under the name of its stage, or in between under one without a number. */
static enum status learning_save(void *context, struct why *why)
{
	struct learning *c = context;
	char path[FOLDER_PATH_MAX];
	const struct gap_stage *stage = &c->player->stage[c->number];
	enum status status = c->training.at.trained >= stage->trained
				 ? stage_model_path(stage, path, why)
				 : checkpoint_path(c->player, path, why);
	status = status ? status : link_refuse(path, "a model file", why);
	return status ? status : agent_save(c->training.agent, path, why);
}

static void learning_drop(struct learning *c)
{
	agent_free(c->training.agent);
	c->training.agent = NULL;
}

/* A new learner, or, if PATH is there, that in it. */
static enum status learning_load(struct learning *c, const char *path, struct why *why)
{
	const struct experiment_entry *entry = c->player->entry;
	const struct agent_env env = {.game = &entry->game};
	enum status status = agent_new(entry->agent, &env, &c->training.agent, why);
	c->training.at.trained = 0;
	if (status || !path || access(path, F_OK) != 0)
		return status;
	status = agent_load(c->training.agent, path, why);
	if (!status)
		c->training.at.trained = c->training.agent->class->trained(c->training.agent->self);
	return status;
}

/* The saved learner that is closest before its stage, whose model is not there, or a new one. */
static enum status learning_begin(struct learning *c, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	const struct gap_stage *stage = &c->player->stage[c->number];
	const uint64_t before = c->number ? stage[-1].trained : 0;
	enum status status = checkpoint_path(c->player, path, why);
	if (!status)
		status = learning_load(c, path, why);
	if (status ||
	    (c->training.at.trained >= before && c->training.at.trained <= stage->trained))
		return status;
	learning_drop(c);
	if (c->number)
		status = stage_model_path(&stage[-1], path, why);
	return status ? status : learning_load(c, c->number ? path : NULL, why);
}

/* Sees to it that the model of its stage is there. */
static enum status stage_train(struct learning *c, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	const struct gap_stage *stage = &c->player->stage[c->number];
	struct progress_count *count = &c->player->gap->progress.training;
	const uint64_t before = c->number ? stage[-1].trained : 0;
	enum status status = stage_model_path(stage, path, why);
	if (status)
		return status;
	if (access(path, F_OK) == 0) {
		learning_drop(c);
		atomic_fetch_add(&count->before, stage->trained - before);
		return STATUS_OK;
	}
	if (!c->training.agent) {
		status = learning_begin(c, why);
		if (!status)
			atomic_fetch_add(&count->before, c->training.at.trained - before);
	}
	if (status)
		return status;
	return c->training.at.trained < stage->trained ? training_run(&c->training, why)
						       : learning_save(c, why);
}

/* Trains a player, and adds the games of its stages as they are ready. */
static enum status player_train(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct gap_player *player =
	    (struct gap_player *)((char *)job - offsetof(struct gap_player, training));
	struct learning c = {.player = player,
			     .training = {.seed = player->gap->options->seed,
					  .threads = 1,
					  .end = UINT64_MAX,
					  .timed = true,
					  .clock = clock_seconds,
					  .checkpoint = UINT64_MAX,
					  .checkpoint_interval = CHECKPOINT_SECONDS,
					  .game = learning_game,
					  .ending = learning_ending,
					  .save = learning_save,
					  .context = &c}};
	char path[FOLDER_PATH_MAX];
	enum status status = STATUS_OK;
	(void)unit;
	(void)thread;
	for (; !status && c.number < player->stages; c.number++) {
		status = stage_train(&c, why);
		if (!status && !player->stage[c.number].exact)
			pool_add(player->gap->pool, &player->stage[c.number].games);
	}
	learning_drop(&c);
	/* What is saved in between is of no use once all points are. */
	if (!status)
		status = checkpoint_path(player, path, why);
	if (!status)
		unlink(path);
	return status;
}

/* ---- Expected values. */

/* The player at STAGE as text: one that was trained here is that of its model file. */
static enum status stage_spec(const struct gap_stage *stage, char spec[SPEC_MAX], struct why *why)
{
	char path[FOLDER_PATH_MAX];
	const char *agent = stage->player->entry->agent;
	const struct field *file = agent_class_of(agent)->params;
	int length = snprintf(spec, SPEC_MAX, "%s", agent);
	if (stage->player->trains) {
		enum status status = stage_model_path(stage, path, why);
		if (status)
			return status;
		length = snprintf(spec, SPEC_MAX, "%s%c%s=%s", agent,
				  strchr(agent, ':') ? ',' : ':', file->name, path);
	}
	if (length < 0 || length >= SPEC_MAX)
		return why_set(why, STATUS_INPUT, "%.80s...: the settings are too long", agent);
	return STATUS_OK;
}

static bool go_on(void *context, uint64_t sum, uint64_t last, uint64_t states)
{
	(void)sum;
	(void)last;
	(void)states;
	return !pool_ending(((struct gap *)context)->pool);
}

static enum status stage_exact(struct gap_stage *stage, struct why *why)
{
	char spec[SPEC_MAX];
	struct exact_play played;
	struct gap *gap = stage->player->gap;
	const struct exact_play_task task = {
	    .game = &gap->game,
	    .agent = spec,
	    .optimum = gap->optimum,
	    .tie = TIE,
	    .memory = gap->options->memory,
	    .threads = gap->options->launch.pace.threads,
	    .tell = go_on,
	    .context = gap,
	};
	enum status status = stage_spec(stage, spec, why);
	if (!status)
		status = exact_play(&task, &played, why);
	if (status)
		return status;
	struct gap_row row = {.config = stage->config,
			      .trained = stage->trained,
			      .seed = gap->options->seed,
			      .game = GAP_EXACT,
			      .result = played.score};
	/* Rounding must not make more optimal moves than moves, or negative losses. */
	for (int k = 0; k < GAP_PHASES; k++)
		row.phase[k] = (struct gap_phase){
		    .moves = played.phase[k].visits,
		    .optimal = fmin(played.phase[k].optimal, played.phase[k].visits),
		    .lost = fmax(played.phase[k].loss, 0),
		};
	return row_log(stage, &row, why);
}

static enum status exact_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct gap_stage *stage = stage_of(job);
	(void)unit;
	(void)thread;
	return pool_ending(stage->player->gap->pool) ? STATUS_STOPPED : stage_exact(stage, why);
}

/*
 * Adds what is to be worked out here and has not been, in the place of games; whether there is any.
 */
static bool exact_add(struct gap *gap, bool only_ask)
{
	bool any = false;
	for (size_t i = 0; i < gap->experiment.count; i++)
		for (size_t j = 0; j < gap->players[i].stages; j++) {
			struct gap_stage *stage = &gap->players[i].stage[j];
			if (!stage->exact || !stage_owns(stage, 0) || stage_has(stage, GAP_EXACT))
				continue;
			any = true;
			stage->games = (struct job){.run = exact_run, .end = 1};
			if (!only_ask)
				pool_add(gap->pool, &stage->games);
		}
	return any;
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
	return (double)cost->nodes <= COST_MAX;
}

/* Whether expected values take little: positions times positions looked at for a move in game 0. */
static bool cost_is_low(const struct gap *gap, struct agent *agent)
{
	struct cost cost = {0};
	struct outcome outcome;
	const struct play_watch watch = {.move = cost_move, .context = &cost};
	const double states = (double)optimum_header(gap->optimum)->states;
	const double learned = agent->class->learn ? LEARNED_COST : 1;
	if (states * learned > COST_MAX)
		return false;
	play_game(agent, gap->options->seed, 0, &watch, &outcome);
	const double a_move = 1 + (double)cost.nodes / fmax(1, (double)cost.moves);
	return states * learned * a_move <= COST_MAX;
}

/* Makes the player of ENTRY for a question. */
static enum status entry_agent(const struct experiment_entry *entry, struct agent **agent,
			       struct why *why)
{
	const struct agent_env env = {.game = &entry->game};
	return agent_new(entry->agent, &env, agent, why);
}

/*
 * STATUS_INPUT if expected values are always asked for and a player does not tell how it moves, or
 * the table is not of expected scores.
 */
static enum status exact_check(const struct gap *gap, struct why *why)
{
	enum status status = STATUS_OK;
	if (gap->options->exact != GAP_ALWAYS)
		return STATUS_OK;
	if (gap->optimum && optimum_header(gap->optimum)->goal != GOAL_SCORE)
		return why_set(why, STATUS_INPUT,
			       "--exact: always is for expected scores; the table is of a target");
	for (size_t i = 0; !status && i < gap->experiment.count; i++) {
		struct agent *agent;
		const struct experiment_entry *entry = gap->experiment.entries[i];
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
	    optimum_header(gap->optimum)->goal != GOAL_SCORE)
		return STATUS_OK;
	enum status status = entry_agent(player->entry, &agent, why);
	if (status)
		return status;
	*exact = agent_policy_kind(agent) != POLICY_UNKNOWN && cost_is_low(gap, agent);
	agent_free(agent);
	return STATUS_OK;
}

/* What results are hashed by, beside the game. */
static void optimum_text(const struct optimum *optimum, char text[64])
{
	const struct optimum_header *head = optimum_header(optimum);
	snprintf(text, 64, "gap %s %d", goal_name(head->goal), head->target);
}

/* Appends a stage, unless it is that of the one before. */
static void stage_add(struct gap_player *player, uint64_t trained, bool exact)
{
	char text[64];
	struct gap *gap = player->gap;
	struct gap_stage *stage = &player->stage[player->stages];
	if (player->stages && stage[-1].trained >= trained)
		return;
	optimum_text(gap->optimum, text);
	*stage = (struct gap_stage){
	    .games = {.run = games_run, .finish = games_finish, .end = gap->options->games},
	    .player = player,
	    .trained = trained,
	    .config =
		XXH3_64bits_withSeed(text, strlen(text), entry_config(player->entry, trained)),
	    .exact = exact,
	};
	instances_init(&stage->instances, &gap->game, player->entry->agent,
		       gap->options->launch.pace.threads);
	if (player->trains)
		stage->instances.load = stage_load;
	stage->instances.context = stage;
	player->stages++;
}

static enum status player_init(struct gap_player *player, struct why *why)
{
	bool exact;
	const struct gap_options *o = player->gap->options;
	const struct agent_class *class = agent_class_of(player->entry->agent);
	player->training = (struct job){.run = player_train, .end = 1};
	player->trains = class->learn && player->entry->trained_before == 0;
	enum status status = exact_decide(player, &exact, why);
	if (status)
		return status;
	if (!player->trains)
		stage_add(player, player->entry->trained_before, exact);
	for (uint64_t i = 1; player->trains && i <= o->curve; i++) {
		const double left = (double)(o->curve - i) / fmax(1, (double)(o->curve - 1));
		const double games = round((double)o->train * pow(CURVE_SPAN, -left));
		stage_add(player, i == o->curve ? o->train : (uint64_t)fmax(1, games), exact);
	}
	return STATUS_OK;
}

static enum status players_init(struct gap *gap, struct why *why)
{
	enum status status = STATUS_OK;
	const size_t count = gap->experiment.count;
	uint64_t number[2] = {0};
	gap->players = xcalloc(count, sizeof *gap->players);
	for (size_t i = 0; !status && i < count; i++) {
		gap->players[i].gap = gap;
		gap->players[i].entry = gap->experiment.entries[i];
		status = player_init(&gap->players[i], why);
		gap->players[i].number = number[gap->players[i].trains]++;
	}
	return status;
}

static void players_fini(struct gap *gap)
{
	for (size_t i = 0; gap->players && i < gap->experiment.count; i++)
		for (size_t j = 0; j < gap->players[i].stages; j++)
			instances_fini(&gap->players[i].stage[j].instances);
	free(gap->players);
	experiment_fini(&gap->experiment);
}
/* ---- The work. */

static void stage_count(struct gap *gap, const struct gap_stage *stage)
{
	struct progress_count *games = &gap->progress.games;
	const uint64_t count = stage->exact ? 1 : gap->options->games;
	for (uint64_t i = 0; i < count; i++) {
		const uint64_t game = stage->exact ? GAP_EXACT : i;
		if (!stage_owns(stage, i))
			continue;
		games->total++;
		games->before += stage_has(stage, game);
	}
}

/* Training first: it cannot be shared among threads, so it must not be left to the end. */
static void jobs_add(struct gap *gap)
{
	for (size_t i = 0; i < gap->experiment.count; i++) {
		struct gap_player *player = &gap->players[i];
		for (size_t j = 0; j < player->stages; j++)
			stage_count(gap, &player->stage[j]);
		if (player->trains && stage_owns(&player->stage[0], 0)) {
			gap->progress.training.total += gap->options->train;
			pool_add(gap->pool, &player->training);
		}
	}
	for (size_t i = 0; i < gap->experiment.count; i++)
		if (!gap->players[i].trains && !gap->players[i].stage[0].exact)
			pool_add(gap->pool, &gap->players[i].stage[0].games);
	for (size_t i = 0; i < gap->experiment.count; i++)
		for (size_t j = 0; gap->players[i].trains && j < gap->players[i].stages; j++)
			pool_announce(gap->pool, &gap->players[i].stage[j].games);
}

/* Lets the jobs of the pool be done unless STATUS is a failure, and agrees with the other ranks. */
static enum status jobs_run(struct gap *gap, enum status status, struct why *why)
{
	if (status)
		pool_free(gap->pool);
	else
		status = ranks_agree("jobs", 0, pool_run(gap->pool, &gap->progress, why), why);
	gap->pool = NULL;
	return status;
}

/* Trains and plays all that is missing; then works out expected values. */
static enum status games_play(struct gap *gap, struct why *why)
{
	gap->pool = pool_new_shared(gap->options->launch.pace.threads);
	enum status status = ranks_agree("players", gap->experiment.count, STATUS_OK, why);
	if (!status) {
		jobs_add(gap);
		status = shared_log_check(&gap->log, &gap->progress.games, "games", why);
		status = ranks_agree("games", 0, status, why);
	}
	progress_start(&gap->progress, gap->options->launch.pace.progress);
	status = jobs_run(gap, status, why);
	if (!status && exact_add(gap, true)) {
		/* One thread, which starts others. */
		gap->pool = pool_new_shared(1);
		status = ranks_agree("exact", 0, STATUS_OK, why);
		if (!status)
			exact_add(gap, false);
		status = jobs_run(gap, status, why);
	}
	progress_clear(&gap->progress);
	return status;
}

/* Opens the table, or solves the board and opens that. */
static enum status optimum_find(struct gap *gap, struct why *why)
{
	return gap->optimum ? STATUS_OK
			    : gap_optimum_open(gap->options, &gap->game, &gap->optimum, why);
}

/* All that is done with an open log. Rank 0 solves the board; then the others open its table. */
static enum status log_fill(struct gap *gap, struct why *why)
{
	const bool first = ranks_rank() == 0;
	enum status status = first ? optimum_find(gap, why) : STATUS_OK;
	status = ranks_agree("optimum", 0, status, why);
	if (!status && !first)
		status = optimum_find(gap, why);
	if (!status)
		status = players_init(gap, why);
	for (size_t i = 0; !status && i < gap->experiment.count; i++)
		if (gap->players[i].trains)
			status =
			    folder_make_below(gap->options->launch.directory, gap->models, why);
	status = ranks_agree("gap players", gap->experiment.count, status, why);
	return status ? status : games_play(gap, why);
}

static enum status gap_work(struct gap *gap, struct why *why)
{
	const struct gap_options *o = gap->options;
	gap->log = (struct shared_log){.kind = &gap_log_kind,
				       .share = &o->launch.share,
				       .directory = o->launch.directory,
				       .provenance = &gap->provenance};
	enum status status = folder_make(o->launch.directory, why);
	if (!status)
		status =
		    experiment_provenance(&gap->experiment, gap->command, &gap->provenance, why);
	if (!status)
		status = shared_log_open(&gap->log, why);
	return status ? status : shared_log_close(&gap->log, log_fill(gap, why), why);
}

/* STATUS_INPUT for a board that cannot be solved. */
static enum status board_check(const struct game *game, struct why *why)
{
	if (solve_check(&(struct solve_task){.game = game, .goal = GOAL_SCORE}, NULL))
		return why_set(why, STATUS_INPUT,
			       "--board: %s cannot be solved in full; expected one such "
			       "as 2x2, 2x3, 3x3 or 2x4",
			       game->name);
	return STATUS_OK;
}

/* What can be wrong before anything is done. */
static enum status gap_make(struct gap *gap, struct why *why)
{
	const struct gap_options *o = gap->options;
	enum status status = game_init(&gap->game, &o->game, why);
	if (!status && !o->table)
		status = board_check(&gap->game, why);
	if (!status && gap->game.max_exponent >= GAP_PHASES)
		status = why_set(why, STATUS_INPUT,
				 "%s: tiles of 2^%d and more cannot be compared with an optimum",
				 gap->game.name, GAP_PHASES);
	if (!status)
		status = path_format(gap->models, why, "%s/models", o->launch.directory);
	if (!status)
		status = entries_init(gap, why);
	if (!status && o->table)
		status = gap_optimum_open(o, &gap->game, &gap->optimum, why);
	return status ? status : exact_check(gap, why);
}

/* ---- The report. */

/* Standard errors between two estimates of one number that are worth a word. */
#define UNCERTAINTY_MAX 4.0

/* How many of the N games in ROWS, those that STAGE has finished, count; GAME is room for them. */
static size_t games_counted(const struct gap_stage *stage, const struct gap_row *const *rows,
			    size_t n, uint64_t *game)
{
	const struct gap_options *o = stage->player->gap->options;
	const struct games_plan plan = {.games = o->games,
					.workers = (uint64_t)o->launch.pace.threads *
						   (uint64_t)ranks_size()};
	for (size_t i = 0; i < n; i++)
		game[i] = rows[i]->game;
	return stats_counted(game, n, &plan, 1);
}

/* Room for what the cells of a report are made of. */
struct cell_work {
	const struct gap_row **rows; /* of a player */
	uint64_t *game;
	struct uncounted uncounted; /* of all */
};

/* Estimates the cell of STAGE from its rows in LOG. */
static void cell_make(struct gap_cell *cell, const struct gap_stage *stage,
		      const struct rowlog *log, struct cell_work *work)
{
	const struct gap_row **rows = work->rows;
	size_t n = 0;
	const struct gap_player *player = stage->player;
	const struct gap_options *o = player->gap->options;
	const struct optimum_header *optimum = optimum_header(player->gap->optimum);
	*cell = (struct gap_cell){.trained = stage->trained,
				  .learner = player->trains,
				  .chance = optimum->goal == GOAL_TARGET};
	cell->last = stage == &player->stage[player->stages - 1];
	snprintf(cell->label, sizeof cell->label, "%s", player->entry->label);
	if (stage->exact)
		n += (rows[n] = game_find(log, stage, GAP_EXACT)) != NULL;
	for (uint64_t i = 0; !stage->exact && i < o->games; i++)
		n += (rows[n] = game_find(log, stage, i)) != NULL;
	const size_t counted = stage->exact ? n : games_counted(stage, rows, n, work->game);
	uncounted_add(&work->uncounted, cell->label, player->gap->game.name, counted, n, o->games);
	gap_cell_estimate(cell, rows, counted, optimum->value);
}

/* Makes all cells, sorted; their number is COUNT. Says in UNCOUNTED whose games do not all count. */
static enum status cells_make(const struct gap *gap, struct gap_cell *cells, size_t *count,
			      char **uncounted, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct rowlog log = {0};
	const uint64_t games = gap->options->games;
	struct cell_work work = {.rows = xcalloc(games + 1, sizeof *work.rows),
				 .game = xcalloc(games + 1, sizeof *work.game)};
	enum status status = path_format(path, why, "%s/gap.tsv", gap->options->launch.directory);
	if (!status)
		status = rowlog_read(&log, &gap_log_kind, path, why);
	*count = 0;
	for (size_t i = 0; !status && i < gap->experiment.count; i++)
		for (size_t j = 0; j < gap->players[i].stages; j++)
			cell_make(&cells[(*count)++], &gap->players[i].stage[j], &log, &work);
	rowlog_fini(&log);
	free(work.rows);
	free(work.game);
	*uncounted = uncounted_end(&work.uncounted);
	gap_cells_sort(cells, *count);
	return status;
}

/* Says what the table cannot. */
static void notes_print(const struct gap *gap, const struct gap_cells *cells)
{
	const char *counted = report_note(provenance_lines(&gap->provenance), report_counted);
	if (counted && gap->printer.format == FORMAT_TEXT)
		text_printf(stdout, "Counted: %s.", counted);
	for (size_t i = 0; i < cells->count; i++)
		if (fabs(cells->cells[i].uncertainty) > UNCERTAINTY_MAX)
			text_printf(
			    stdout,
			    "Note: %s had luck %.1f standard errors from none; is the table that "
			    "of this game?",
			    cells->cells[i].label, cells->cells[i].uncertainty);
	for (size_t i = 0; i < gap->experiment.count; i++)
		if (agent_clocked(gap->experiment.entries[i]->agent)) {
			text_printf(stdout, "Note: %s.", report_clocked);
			break;
		}
}

static enum status report_make_of(const struct gap *gap, const struct gap_cells *cells,
				  struct why *why)
{
	const char *const *lines = provenance_lines(&gap->provenance);
	tables_print(&gap->printer, &gap_tables, "gap", cells, gap->options->launch.full, lines);
	notes_print(gap, cells);
	fflush(stdout);
	return gap->task.read_only
		   ? STATUS_OK
		   : tables_write(gap->options->launch.directory, &gap_tables, cells, lines, why);
}

/* Of results: four digits behind the point for a probability, a tenth of a point for thousands. */
static int decimals_for(double optimum)
{
	return optimum <= 1 ? 4 : optimum < 1000 ? 2 : 1;
}

static enum status gap_report(void *context, bool stopped, struct why *why)
{
	struct gap *gap = context;
	char unit[64];
	size_t count = 0;
	const struct optimum_header *head = optimum_header(gap->optimum);
	const double optimum = head->value;
	struct gap_cell *cells = xcalloc(gap->experiment.count * GAP_POINTS_MAX + 1, sizeof *cells);
	char *uncounted = NULL;
	enum status status = cells_make(gap, cells, &count, &uncounted, why);
	if (!status && stopped)
		status = unfinished_note(&gap->task, &gap->provenance, why);
	status = status ? status : report_counted_note(&gap->provenance, uncounted, why);
	free(uncounted);
	if (head->goal == GOAL_TARGET)
		snprintf(unit, sizeof unit, "(probability of a tile of %" PRIu64 ")",
			 UINT64_C(1) << head->target);
	else
		snprintf(unit, sizeof unit, "points");
	const struct gap_cells all = {.board = gap->game.name,
				      .unit = unit,
				      .optimum = optimum,
				      .decimals = decimals_for(optimum),
				      .cells = cells,
				      .count = count};
	if (!status)
		status = report_make_of(gap, &all, why);
	free(cells);
	return status;
}

static enum status work(void *context, struct why *why)
{
	struct gap *gap = context;
	enum status status = gap_make(gap, why);
	if (!status)
		status = gap_work(gap, why);
	gap->task.games = progress_done(&gap->progress.games);
	return status;
}

enum status gap_launch(const struct gap_options *options, const struct invocation *call,
		       struct why *why)
{
	struct gap *gap = xcalloc(1, sizeof *gap);
	*gap = (struct gap){.task = {.work = work,
				     .report = gap_report,
				     .context = gap,
				     .log = &gap_log_kind,
				     .title = "Players against the optimum",
				     .results = "Games in ",
				     .log_file = "gap.tsv"},
			    .options = options,
			    .command = call->provenance,
			    .printer = call->printer};
	enum status status = launch_run(&gap->task, &options->launch, call, why);
	players_fini(gap);
	provenance_fini(&gap->provenance);
	optimum_close(gap->optimum);
	free(gap);
	return status;
}
