/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `nxn gap`; see gap.h. The optimum is in src/measure/gap_optimum.c.
 *
 * Points of training are a geometric series over three decades that ends with the whole training,
 * so they are evenly spaced on a logarithmic axis. At each point a learner is saved under the
 * number of its training games; between points, regularly and on a stop, under a name without it.
 * It trains with one thread and as if there were no end, so at every point it equals the learner of
 * an uninterrupted training.
 *
 * Players with a known policy are compared with the optimum in all their games at once, by expected
 * values (agents/solver/exact_play.h), one player after the other on each rank: each takes all
 * threads and much memory. Whether a player gets expected values must not depend on the machine, so
 * a count decides and not a clock: positions of the board times positions searched per move.
 * Learned players use tables and networks instead, which count as LEARNED_COST. Learners trained
 * here are always estimated from games, so that points of a curve are of one kind.
 *
 * Invariant: a game is appended to the log when it is over and not before, so the log determines
 * which games are missing.
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
#include "src/measure/estimate.h"
#include "src/report/report.h"
#include "src/games/pool.h"
#include "src/games/ranks.h"
#include "src/learn/training.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* Seconds between checkpoints of a learner: a kill loses no more training. */
enum { CHECKPOINT_SECONDS = 30 };

/* A move is optimal if it loses at most this share of the best value: less is rounding. */
#define TIE 1e-9

/*
 * The largest product of positions of the board and positions searched per move with which GAP_AUTO
 * computes expected values.
 */
#define COST_MAX 1e8
#define LEARNED_COST 100.0
#define CURVE_SPAN 1000.0

/* A player at a point of its training. The stages of a learner are consecutive. */
struct gap_stage {
	struct job games;
	struct job training; /* in the first stage of a learner: all its training */
	struct gap *gap;
	const struct experiment_entry *entry;
	bool trains;	  /* a learner that is trained here */
	bool first, last; /* of its player */
	uint64_t number;  /* index of the player among the learners, or among the others */
	uint64_t trained;
	uint64_t config; /* key of its games in the log */
	bool exact;
	struct instances instances;
};

/* A run of the command. */
struct gap {
	struct launch_task task;
	const struct gap_options *options;
	struct game game;
	struct optimum *optimum;
	struct experiment experiment; /* the players as entries */
	struct gap_stage *stage;      /* [stages], by entry */
	size_t stages;
	struct job exact; /* unit I: the expected values of stage I */
	char models[FOLDER_PATH_MAX];
	struct shared_log log;
	struct pool *pool;
	struct progress progress;
};

static enum status entry_add(struct gap *gap, const char *agent, struct why *why)
{
	const struct schedule schedule = {.games = gap->options->games};
	if (agent_label(agent))
		return why_set(why, STATUS_INPUT, "%s: a gap has no labels; leave out '%.*s='",
			       agent, (int)agent_label(agent), agent);
	return experiment_add(&gap->experiment, &gap->game, agent, NULL, &schedule, why);
}

/* Whether ENTRY is trained here. */
static bool entry_trains(const struct experiment_entry *entry)
{
	return agent_class_of(entry->agent)->learn && entry->trained_before == 0;
}

/* Adds the players to the experiment. */
static enum status entries_init(struct gap *gap, struct why *why)
{
	const struct text_list *agents = &gap->options->agents;
	enum status status = STATUS_OK;
	gap->experiment = (struct experiment){
	    .seed = gap->options->seed,
	    .title = xasprintf("Players against the optimum on %s", gap->game.name)};
	for (size_t i = 0; !status && i < agents->n; i++)
		status = entry_add(gap, agents->item[i], why);
	for (size_t i = 0; !status && !agents->n && agent_classes[i]; i++)
		if (!agent_classes[i]->needs)
			status = entry_add(gap, agent_classes[i]->name, why);
	for (size_t i = 0; i < gap->experiment.count; i++)
		if (entry_trains(gap->experiment.entries[i]))
			gap->experiment.entries[i]->untrained = false;
	if (!status)
		status = experiment_untrained(&gap->experiment, gap->options->untrained, why);
	return status;
}

/* ---- Games. */

/* Whether game INDEX belongs to this share; expected values belong to the share of game 0. */
static bool stage_owns(const struct gap_stage *stage, uint64_t index)
{
	return share_owns(&stage->gap->options->launch.share,
			  stage->trains ? stage->number : stage->number + index);
}

/* Game INDEX of STAGE in LOG, or NULL. */
static const struct gap_row *game_find(const struct rowlog *log, const struct gap_stage *stage,
				       uint64_t index)
{
	const uint64_t seed = stage->gap->options->seed;
	return rowlog_find(log,
			   &(struct gap_row){.config = stage->config, .seed = seed, .game = index});
}

/* Whether the log of earlier runs has game INDEX of STAGE. */
static bool stage_has(const struct gap_stage *stage, uint64_t index)
{
	return game_find(&stage->gap->log.rows, stage, index);
}

/* A row of game INDEX of STAGE, without results. */
static struct gap_row row_make(const struct gap_stage *stage, uint64_t index)
{
	return (struct gap_row){.config = stage->config,
				.trained = stage->trained,
				.seed = stage->gap->options->seed,
				.board = stage->gap->game.name,
				.agent = stage->entry->agent,
				.game = index};
}

/* Logs ROW, and counts it as a game. Any thread. */
static enum status row_log(struct gap *gap, const struct gap_row *row, struct why *why)
{
	enum status status = shared_log_append(&gap->log, gap->pool, row, why);
	if (!status)
		atomic_fetch_add(&gap->progress.games.done, 1);
	return status;
}

/* A game in progress. */
struct scored_game {
	const struct gap *gap;
	struct gap_row row;
	bool won;     /* it ended by reaching the target tile */
	bool unknown; /* the table lacks a position of it */
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

/* Plays game INDEX and logs it; STATUS_STOPPED if it was abandoned. */
static enum status game_score(const struct gap_stage *stage, struct agent *agent, uint64_t index,
			      struct why *why)
{
	struct gap *gap = stage->gap;
	const struct optimum_header *head = optimum_header(gap->optimum);
	struct outcome outcome;
	struct scored_game scored = {.gap = gap, .row = row_make(stage, index)};
	const struct play_watch watch = {.move = move_score, .context = &scored};
	const bool finished = play_game(agent, gap->options->seed, index, &watch, &outcome);
	enum status status = agent_check(agent, why);
	if (status)
		return status;
	if (scored.unknown)
		return why_set(why, STATUS_INPUT,
			       "%s: does not know a position of game %" PRIu64
			       " of %s: it is damaged",
			       optimum_path(gap->optimum), index, stage->entry->agent);
	if (!finished && !scored.won)
		return STATUS_STOPPED;
	const bool reached = outcome.max_exponent >= head->target;
	scored.row.result = head->goal == GOAL_TARGET ? reached : (double)outcome.score;
	return row_log(gap, &scored.row, why);
}

static struct gap_stage *stage_of(struct job *job)
{
	return (struct gap_stage *)((char *)job - offsetof(struct gap_stage, games));
}

static enum status games_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct gap_stage *stage = stage_of(job);
	struct agent *agent;
	if (!stage_owns(stage, unit) || stage_has(stage, unit))
		return STATUS_OK;
	enum status status = instances_get(&stage->instances, thread, &agent, why);
	return status ? status : game_score(stage, agent, unit, why);
}

static void games_finish(struct job *job)
{
	instances_drop(&stage_of(job)->instances);
}

/* ---- Training. */

static enum status entry_agent(const struct experiment_entry *entry, struct agent **agent,
			       struct why *why)
{
	const struct agent_env env = {.game = &entry->game};
	return agent_new(entry->agent, &env, agent, why);
}

/* A learner in training up to the end of a stage. */
struct learning {
	struct gap_stage *stage;
	struct training training;
};

/* The training games before STAGE. */
static uint64_t trained_before(const struct gap_stage *stage)
{
	return stage->first ? 0 : stage[-1].trained;
}

/* Writes the path of the model of STAGE; if BETWEEN, of its player's checkpoint between stages. */
static enum status model_path(const struct gap_stage *stage, bool between,
			      char path[FOLDER_PATH_MAX], struct why *why)
{
	char suffix[32] = ".nxn";
	const struct gap *gap = stage->gap;
	if (!between)
		snprintf(suffix, sizeof suffix, "-%" PRIu64 ".nxn", stage->trained);
	return entry_model_path(stage->entry, gap->models, suffix, path, why);
}

/* Loads into AGENT the model of the stage CONTEXT, which another rank may have trained. */
static enum status stage_load(void *context, struct agent *agent, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = model_path(context, false, path, why);
	if (status)
		return status;
	file_wait(path);
	return agent_load(agent, path, why);
}

static bool learning_game(void *context, const struct outcome *outcome)
{
	struct learning *c = context;
	(void)outcome;
	atomic_fetch_add(&c->stage->gap->progress.training.done, 1);
	return c->training.at.trained >= c->stage->trained;
}

static bool learning_ending(void *context)
{
	return pool_ending(((struct learning *)context)->stage->gap->pool);
}

static enum status learning_save(void *context, struct why *why)
{
	struct learning *c = context;
	char path[FOLDER_PATH_MAX];
	enum status status =
	    model_path(c->stage, c->training.at.trained < c->stage->trained, path, why);
	status = status ? status : link_refuse(path, "a model file", why);
	return status ? status : agent_save(c->training.agent, path, why);
}

/* Creates the learner, and loads PATH if that exists. */
static enum status learning_load(struct learning *c, const char *path, struct why *why)
{
	agent_free(c->training.agent);
	c->training.agent = NULL;
	c->training.at.trained = 0;
	enum status status = entry_agent(c->stage->entry, &c->training.agent, why);
	if (status || !path || access(path, F_OK) != 0)
		return status;
	status = agent_load(c->training.agent, path, why);
	if (!status)
		c->training.at.trained = c->training.agent->class->trained(c->training.agent->self);
	return status;
}

/* Resumes from the latest checkpoint before the model of the stage, or starts training anew. */
static enum status learning_begin(struct learning *c, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	const struct gap_stage *stage = c->stage;
	const struct training_point *at = &c->training.at;
	enum status status = model_path(stage, true, path, why);
	status = status ? status : learning_load(c, path, why);
	if (!status && (at->trained < trained_before(stage) || at->trained > stage->trained)) {
		if (!stage->first)
			status = model_path(&stage[-1], false, path, why);
		status = status ? status : learning_load(c, stage->first ? NULL : path, why);
	}
	if (!status)
		atomic_fetch_add(&stage->gap->progress.training.before,
				 at->trained - trained_before(stage));
	return status;
}

/* Makes the model of STAGE unless it exists. */
static enum status stage_train(struct gap_stage *stage, struct why *why)
{
	struct learning c = {.stage = stage,
			     .training = {.seed = stage->gap->options->seed,
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
	enum status status = model_path(stage, false, path, why);
	if (status)
		return status;
	if (access(path, F_OK) == 0) {
		atomic_fetch_add(&stage->gap->progress.training.before,
				 stage->trained - trained_before(stage));
		return STATUS_OK;
	}
	status = learning_begin(&c, why);
	if (!status)
		status = c.training.at.trained < stage->trained ? training_run(&c.training, why)
								: learning_save(&c, why);
	agent_free(c.training.agent);
	return status;
}

/* Trains a player, and adds the games of each stage once its model exists. */
static enum status player_train(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct gap_stage *stage =
	    (struct gap_stage *)((char *)job - offsetof(struct gap_stage, training));
	char path[FOLDER_PATH_MAX];
	(void)unit;
	(void)thread;
	enum status status = STATUS_OK;
	for (;; stage++) {
		status = stage_train(stage, why);
		if (status)
			return status;
		if (!stage->exact)
			pool_add(stage->gap->pool, &stage->games);
		if (stage->last)
			break;
	}
	/* The checkpoint is of no use once the models of all points exist. */
	status = model_path(stage, true, path, why);
	if (!status)
		unlink(path);
	return status;
}

/* ---- Expected values. */

/* Writes the player of STAGE as text; a player trained here has the model file as parameter. */
static enum status stage_spec(const struct gap_stage *stage, char spec[SPEC_MAX], struct why *why)
{
	char path[FOLDER_PATH_MAX];
	const char *agent = stage->entry->agent;
	const struct field *file = agent_class_of(agent)->params;
	strcpy(spec, agent);
	enum status status = stage->trains ? model_path(stage, false, path, why) : STATUS_OK;
	if (status || !stage->trains)
		return status;
	if (snprintf(spec, SPEC_MAX, "%s%c%s=%s", agent, strchr(agent, ':') ? ',' : ':', file->name,
		     path) >= SPEC_MAX)
		return why_set(why, STATUS_INPUT, "%.80s...: the settings are too long", agent);
	return STATUS_OK;
}

static bool exact_continues(void *context, const struct solve_progress *progress)
{
	(void)progress;
	return !pool_ending(((struct gap *)context)->pool);
}

static enum status stage_exact(const struct gap_stage *stage, struct why *why)
{
	char spec[SPEC_MAX];
	struct exact_play played;
	struct gap *gap = stage->gap;
	const struct exact_play_task task = {
	    .game = &gap->game,
	    .agent = spec,
	    .optimum = gap->optimum,
	    .tie = TIE,
	    .memory = gap->options->memory,
	    .threads = gap->options->launch.pace.threads,
	    .tell = exact_continues,
	    .context = gap,
	};
	enum status status = stage_spec(stage, spec, why);
	if (!status)
		status = exact_play(&task, &played, why);
	if (status)
		return status;
	struct gap_row row = row_make(stage, GAP_EXACT);
	row.result = played.score;
	/* Rounding must not make more optimal moves than moves, or negative losses. */
	for (int k = 0; k < GAP_PHASES; k++)
		row.phase[k] = (struct gap_phase){
		    .moves = played.phase[k].visits,
		    .optimal = fmin(played.phase[k].optimal, played.phase[k].visits),
		    .lost = fmax(played.phase[k].loss, 0),
		};
	return row_log(gap, &row, why);
}

static enum status exact_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	const struct gap *gap = (struct gap *)((char *)job - offsetof(struct gap, exact));
	const struct gap_stage *stage = &gap->stage[unit];
	(void)thread;
	if (!stage->exact || !stage_owns(stage, 0) || stage_has(stage, GAP_EXACT))
		return STATUS_OK;
	return pool_ending(gap->pool) ? STATUS_STOPPED : stage_exact(stage, why);
}

/* The cost of a game so far. */
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

/* Whether expected values are cheap: positions times positions searched per move in game 0. */
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

/*
 * Sets *EXACT to whether ENTRY gets expected values; STATUS_INPUT, with GAP_ALWAYS, if its policy
 * is unknown.
 */
static enum status exact_decide(const struct gap *gap, const struct experiment_entry *entry,
				bool *exact, struct why *why)
{
	struct agent *agent;
	const bool always = gap->options->exact == GAP_ALWAYS;
	*exact = false;
	if (gap->options->exact == GAP_NEVER ||
	    (!always && (entry_trains(entry) || optimum_header(gap->optimum)->goal != GOAL_SCORE)))
		return STATUS_OK;
	enum status status = entry_agent(entry, &agent, why);
	if (status)
		return status;
	const bool known = agent_policy_kind(agent) != POLICY_UNKNOWN;
	*exact = known && (always || cost_is_low(gap, agent));
	agent_free(agent);
	return known || !always
		   ? STATUS_OK
		   : why_set(why, STATUS_INPUT,
			     "--exact: not known how %s moves: only playing tells", entry->agent);
}

/* With GAP_ALWAYS, refuses before any work a table of a target, and players as exact_decide(). */
static enum status exact_check(const struct gap *gap, struct why *why)
{
	bool ignored;
	enum status status = STATUS_OK;
	if (gap->options->exact != GAP_ALWAYS)
		return STATUS_OK;
	if (gap->optimum && optimum_header(gap->optimum)->goal != GOAL_SCORE)
		return why_set(why, STATUS_INPUT,
			       "--exact: always is for expected scores; the table is of a target");
	for (size_t i = 0; !status && i < gap->experiment.count; i++)
		status = exact_decide(gap, gap->experiment.entries[i], &ignored, why);
	return status;
}

/* ---- Stages. */

/* Appends STAGE, whose player and training are set, and fills in the rest. */
static void stage_add(struct gap *gap, struct gap_stage stage)
{
	char text[64];
	const struct optimum_header *head = optimum_header(gap->optimum);
	/* The key of results includes the goal. */
	snprintf(text, sizeof text, "gap %s %d", goal_name(head->goal), head->target);
	stage.gap = gap;
	stage.games =
	    (struct job){.run = games_run, .finish = games_finish, .end = gap->options->games};
	stage.training = (struct job){.run = player_train, .end = 1};
	stage.config =
	    XXH3_64bits_withSeed(text, strlen(text), entry_config(stage.entry, stage.trained));
	gap->stage = xgrow(gap->stage, gap->stages, sizeof *gap->stage);
	gap->stage[gap->stages++] = stage;
}

/* Adds the stages of ENTRY; the last one has the whole training. */
static enum status player_add(struct gap *gap, const struct experiment_entry *entry,
			      uint64_t number[2], struct why *why)
{
	const struct gap_options *o = gap->options;
	const bool trains = entry_trains(entry);
	struct gap_stage stage = {.entry = entry, .trains = trains, .first = true};
	enum status status = exact_decide(gap, entry, &stage.exact, why);
	stage.number = number[trains]++;
	for (uint64_t i = 1; !status && trains && i < o->curve; i++) {
		const double left = (double)(o->curve - i) / (double)(o->curve - 1);
		const double games = round((double)o->train * pow(CURVE_SPAN, -left));
		const uint64_t trained = (uint64_t)fmax(1, games);
		if (trained <= stage.trained || trained >= o->train)
			continue;
		stage.trained = trained;
		stage_add(gap, stage);
		stage.first = false;
	}
	stage.trained = trains ? o->train : entry->trained_before;
	stage.last = true;
	if (!status)
		stage_add(gap, stage);
	return status;
}

static enum status stages_init(struct gap *gap, struct why *why)
{
	uint64_t number[2] = {0};
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < gap->experiment.count; i++)
		status = player_add(gap, gap->experiment.entries[i], number, why);
	for (size_t i = 0; !status && i < gap->stages; i++) {
		struct gap_stage *stage = &gap->stage[i];
		instances_init(&stage->instances, &gap->game, stage->entry->agent,
			       gap->options->launch.pace.threads);
		stage->instances.load = stage->trains ? stage_load : NULL;
		stage->instances.context = stage;
		if (!status && stage->trains && stage->first)
			status = folder_make_in(gap->models, why);
	}
	return status;
}

/* ---- The work. */

static void stage_count(struct gap *gap, const struct gap_stage *stage)
{
	struct progress_count *games = &gap->progress.games;
	const uint64_t count = stage->exact ? 1 : gap->options->games;
	for (uint64_t i = 0; i < count; i++) {
		if (!stage_owns(stage, i))
			continue;
		games->total++;
		games->before += stage_has(stage, stage->exact ? GAP_EXACT : i);
	}
}

/* Training first: it cannot be shared among threads, so it must not be left to the end. */
static void jobs_add(struct gap *gap)
{
	for (size_t i = 0; i < gap->stages; i++) {
		struct gap_stage *stage = &gap->stage[i];
		stage_count(gap, stage);
		if (stage->trains && stage->first && stage_owns(stage, 0)) {
			gap->progress.training.total += gap->options->train;
			pool_add(gap->pool, &stage->training);
		}
	}
	for (size_t i = 0; i < gap->stages; i++)
		if (!gap->stage[i].trains && !gap->stage[i].exact)
			pool_add(gap->pool, &gap->stage[i].games);
	for (size_t i = 0; i < gap->stages; i++)
		if (gap->stage[i].trains)
			pool_announce(gap->pool, &gap->stage[i].games);
}

/* Runs the jobs of the pool, and agrees with the other ranks. */
static enum status jobs_run(struct gap *gap, struct why *why)
{
	enum status status =
	    shared_log_work(&gap->log, gap->pool, &gap->progress, &gap->progress.games, "games",
			    gap->options->launch.pace.progress, STATUS_OK, why);
	gap->pool = NULL;
	return ranks_agree("jobs", 0, status, why);
}

/* Does the work with an open log. Rank 0 solves the board; then the others open its table. */
static enum status log_fill(struct gap *gap, struct why *why)
{
	const bool first = ranks_rank() == 0;
	enum status status =
	    first ? gap_optimum_open(gap->options, &gap->game, &gap->optimum, why) : STATUS_OK;
	status = ranks_agree("optimum", 0, status, why);
	if (!status && !first)
		status = gap_optimum_open(gap->options, &gap->game, &gap->optimum, why);
	status = status ? status : stages_init(gap, why);
	status = ranks_agree("gap players", gap->experiment.count, status, why);
	if (status)
		return status;
	gap->pool = pool_new_shared(gap->options->launch.pace.threads);
	jobs_add(gap);
	status = jobs_run(gap, why);
	if (status)
		return status;
	/* One worker, since exact_play() starts its own threads. */
	gap->pool = pool_new_shared(1);
	gap->exact = (struct job){.run = exact_run, .end = gap->stages};
	pool_add(gap->pool, &gap->exact);
	return jobs_run(gap, why);
}

/* Prepares the run, and reports all errors that can be found before any work. */
static enum status gap_make(struct gap *gap, struct why *why)
{
	const struct gap_options *o = gap->options;
	enum status status = game_init(&gap->game, &o->game, why);
	if (!status && !o->table &&
	    solve_check(&(struct solve_task){.game = &gap->game, .goal = GOAL_SCORE}, NULL))
		status = why_set(why, STATUS_INPUT,
				 "--board: %s cannot be solved in full; expected one such "
				 "as 2x2, 2x3, 3x3 or 2x4",
				 gap->game.name);
	if (!status && gap->game.max_exponent >= GAP_PHASES)
		status = why_set(why, STATUS_INPUT,
				 "%s: tiles of 2^%d and more cannot be compared with an optimum",
				 gap->game.name, GAP_PHASES);
	if (!status)
		status = path_format(gap->models, why, "%s/models", o->launch.directory);
	status = status ? status : entries_init(gap, why);
	if (!status)
		alike_note(&gap->experiment);
	if (!status && o->table)
		status = gap_optimum_open(o, &gap->game, &gap->optimum, why);
	return status ? status : exact_check(gap, why);
}

static enum status gap_work(void *context, struct why *why)
{
	struct gap *gap = context;
	const struct gap_options *o = gap->options;
	gap->log = (struct shared_log){.kind = &gap_log_kind,
				       .share = &o->launch.share,
				       .directory = o->launch.directory,
				       .provenance = &gap->task.provenance};
	enum status status = shared_log_open(&gap->log, why);
	if (status)
		return status;
	status = shared_log_close(&gap->log, log_fill(gap, why), why);
	gap->task.games = progress_done(&gap->progress.games);
	return status;
}

/* ---- The report. */

/* A note is printed if luck is more than so many standard errors from zero. */
#define UNCERTAINTY_MAX 4.0

/* Buffers for the estimates of cells. */
struct cell_work {
	const struct gap_row **rows; /* of one stage */
	uint64_t *game;
	struct uncounted uncounted; /* of all cells */
};

/* Estimates the cell of STAGE from those of its rows in LOG that count. */
static void cell_make(struct gap_cell *cell, const struct gap_stage *stage,
		      const struct rowlog *log, struct cell_work *work)
{
	const struct gap_options *o = stage->gap->options;
	const struct optimum_header *optimum = optimum_header(stage->gap->optimum);
	const struct games_plan plan = {.games = o->games,
					.workers = (uint64_t)o->launch.pace.threads *
						   (uint64_t)ranks_size()};
	const struct gap_row *row;
	size_t n = 0;
	*cell = (struct gap_cell){.trained = stage->trained,
				  .learner = stage->trains,
				  .last = stage->last,
				  .chance = optimum->goal == GOAL_TARGET};
	snprintf(cell->label, sizeof cell->label, "%s", stage->entry->label);
	for (uint64_t i = 0; i < (stage->exact ? 1 : o->games); i++)
		if ((row = game_find(log, stage, stage->exact ? GAP_EXACT : i))) {
			work->game[n] = row->game;
			work->rows[n++] = row;
		}
	const size_t counted = stage->exact ? n : stats_counted(work->game, n, &plan, 1);
	uncounted_add(&work->uncounted, cell->label, stage->gap->game.name, counted, n, o->games,
		      counted < n && stats_lacks_share(work->game, n));
	gap_cell_estimate(cell, work->rows, counted, optimum->value);
}

/* Makes and sorts the cells of all stages; notes in the provenance which games do not count. */
static enum status cells_make(struct gap *gap, struct gap_cell *cells, struct why *why)
{
	struct rowlog log = {.kind = &gap_log_kind};
	const uint64_t games = gap->options->games;
	struct cell_work work = {.rows = xcalloc(games + 1, sizeof *work.rows),
				 .game = xcalloc(games + 1, sizeof *work.game)};
	enum status status =
	    rows_read_folder(&log, &gap_log_kind, gap->options->launch.directory, why);
	for (size_t i = 0; !status && i < gap->stages; i++)
		cell_make(&cells[i], &gap->stage[i], &log, &work);
	rowlog_fini(&log);
	free(work.rows);
	free(work.game);
	char *uncounted = uncounted_end(&work.uncounted);
	gap_cells_sort(cells, gap->stages);
	if (uncounted)
		provenance_add(&gap->task.provenance, NOTE_COUNTED "%s", uncounted);
	free(uncounted);
	return status;
}

/* Prints notes on the table. */
static void notes_print(const struct gap *gap, const struct gap_cells *cells)
{
	const char *const *lines = provenance_lines(&gap->task.provenance);
	const char *counted = note_find(lines, NOTE_COUNTED),
		   *unfinished = note_find(lines, NOTE_UNFINISHED);
	if (unfinished && gap->task.call->printer.format == FORMAT_TEXT)
		text_printf(stdout, "Unfinished: %s.", unfinished);
	if (counted && gap->task.call->printer.format == FORMAT_TEXT)
		text_printf(stdout, "Counted: %s.", counted);
	for (size_t i = 0; i < cells->count; i++)
		if (fabs(cells->cells[i].uncertainty) > UNCERTAINTY_MAX)
			text_printf(
			    stdout,
			    "Note: %s had luck %.1f standard errors from none; is the table that "
			    "of this game?",
			    cells->cells[i].label, cells->cells[i].uncertainty);
	clocked_note(&gap->experiment);
}

static enum status gap_report(void *context, bool stopped, struct why *why)
{
	struct gap *gap = context;
	const struct optimum_header *head = optimum_header(gap->optimum);
	char unit[64] = "points";
	struct gap_cell *cells = xcalloc(gap->stages + 1, sizeof *cells);
	const struct gap_cells all = {.board = gap->game.name,
				      .unit = unit,
				      .optimum = head->value,
				      .decimals = head->value <= 1     ? 4
						  : head->value < 1000 ? 2
								       : 1,
				      .cells = cells,
				      .count = gap->stages};
	if (head->goal == GOAL_TARGET)
		snprintf(unit, sizeof unit, "(probability of a tile of %" PRIu64 ")",
			 UINT64_C(1) << head->target);
	if (stopped)
		unfinished_note(&gap->task);
	enum status status = cells_make(gap, cells, why);
	status = status ? status : launch_tables(&gap->task, &gap_tables, &all, why);
	if (!status)
		notes_print(gap, &all);
	free(cells);
	return status;
}

/*
 * Estimates the run with one entry per learner, which plays the games of all its points. The times
 * for solving and for expected values are not known beforehand.
 */
static enum status gap_dry_run(struct gap *gap, struct why *why)
{
	const struct gap_options *o = gap->options;
	struct launch_options launch = o->launch;
	launch.directory = NULL;
	launch.no_times = false;
	for (size_t i = 0; i < gap->experiment.count; i++) {
		struct experiment_entry *entry = gap->experiment.entries[i];
		if (entry_trains(entry))
			entry->schedule = (struct schedule){.games = o->games,
							    .train = o->train,
							    .evaluate = (o->curve - 1) * o->games,
							    .repeat = 1};
	}
	const enum status status = dry_run(&gap->experiment, &launch, gap->task.call, why);
	if (!status)
		printf("# if none of this is in %s yet, and all by games; solving %s is not "
		       "counted\n",
		       o->launch.directory, gap->game.name);
	return status;
}

enum status gap_launch(const struct gap_options *options, const struct invocation *call,
		       struct why *why)
{
	struct gap gap = {.task = {.experiment = &gap.experiment,
				   .options = &options->launch,
				   .call = call,
				   .work = gap_work,
				   .report = gap_report,
				   .log = &gap_log_kind,
				   .title = "Players against the optimum",
				   .results = "Games in ",
				   .log_file = "gap.tsv"},
			  .options = options};
	stop_catch();
	enum status status = launch_begun(gap_make(&gap, why), call);
	if (!status)
		status = options->dry_run ? gap_dry_run(&gap, why) : launch_run(&gap.task, why);
	for (size_t i = 0; i < gap.stages; i++)
		instances_fini(&gap.stage[i].instances);
	free(gap.stage);
	experiment_fini(&gap.experiment);
	optimum_close(gap.optimum);
	return status;
}
