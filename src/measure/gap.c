/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `nxn gap`; see gap.h. The optimum is in src/measure/gap_optimum.c.
 *
 * Points of training are a geometric series over three decades that ends with the whole training,
 * so they are evenly spaced on a logarithmic axis. A tournament (src/measure/tournament.h) trains
 * the learner, keeps its model at each point, and plays the games; here a move is compared with the
 * optimum, and a game becomes a row of the log.
 *
 * Players with a known policy are compared with the optimum in all their games at once, by expected
 * values (agents/solver/exact_play.h), one player after the other on each rank: each takes all
 * threads and much memory. Whether a player gets expected values must not depend on the machine, so
 * a count decides and not a clock: positions of the board times positions searched per move.
 * Learned players use tables and networks instead, which count as LEARNED_COST. Learners trained
 * here are always estimated from games, so that points of a curve are of one kind.
 */
#include "base/text.h"
#include "base/xalloc.h"
#include "src/measure/gap.h"

#include "agents/solver/exact_play.h"
#include "agents/solver/solver.h"
#include "analysis/logs/rowlog.h"
#include "analysis/tables/tables.h"
#include "base/file.h"
#include "base/stop.h"
#include "src/measure/estimate.h"
#include "src/measure/tournament.h"
#include "src/report/report.h"
#include "src/games/pool.h"
#include "src/games/ranks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A move is optimal if it loses at most this share of the best value: less is rounding. */
#define TIE 1e-9

/*
 * The largest product of positions of the board and positions searched per move with which GAP_AUTO
 * computes expected values.
 */
#define COST_MAX 1e8
#define LEARNED_COST 100.0
#define CURVE_SPAN 1000.0

/* A player at a point of its training. */
struct gap_stage {
	struct experiment_entry entry; /* `alone` if it gets expected values; else it plays games */
	uint64_t config;	       /* key of its games in the log */
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

/* Sets ROW to the key of game INDEX of the stage ENTRY: a row without results. */
static void row_make(void *context, const struct experiment_entry *entry, uint64_t index, void *row)
{
	const struct gap *gap = context;
	*(struct gap_row *)row = (struct gap_row){
	    .config = ((const struct gap_stage *)entry)->config,
	    .trained = entry->trained_before,
	    .seed = gap->options->seed,
	    .board = gap->game.name,
	    .agent = entry->agent,
	    .game = entry->alone ? GAP_EXACT : index,
	};
}

/* A game in progress. */
struct scored_game {
	const struct optimum *optimum;
	const struct pool *pool;
	struct gap_row *row;
	bool won;     /* it ended by reaching the target tile */
	bool unknown; /* the table lacks a position of it */
};

static bool move_score(void *context, const struct turn *turn, int move,
		       const struct decision *decision)
{
	struct scored_game *scored = context;
	double worth[DIRECTIONS], best = -INFINITY;
	const struct optimum_header *head = optimum_header(scored->optimum);
	const int largest = board_max(turn->board);
	(void)decision;
	scored->won = head->goal == GOAL_TARGET && largest >= head->target;
	if (scored->won || pool_ending(scored->pool))
		return false;
	scored->unknown = !optimum_moves(scored->optimum, turn, worth);
	if (scored->unknown)
		return false;
	for (int d = 0; d < DIRECTIONS; d++)
		if (turn->moves.legal >> d & 1)
			best = fmax(best, worth[d]);
	struct gap_phase *phase = &scored->row->phase[largest];
	const double lost = best - worth[move];
	phase->moves++;
	phase->optimal += lost <= TIE * fmax(1, fabs(best));
	phase->lost += lost;
	return true;
}

/* Plays the game of ROW; STATUS_STOPPED if it was abandoned. */
static enum status game_score(const struct gap *gap, struct agent *agent, const struct pool *pool,
			      struct gap_row *row, struct why *why)
{
	const struct optimum_header *head = optimum_header(gap->optimum);
	struct outcome outcome;
	struct scored_game scored = {.optimum = gap->optimum, .pool = pool, .row = row};
	const struct play_watch watch = {.move = move_score, .context = &scored};
	const bool finished = play_game(agent, row->seed, row->game, &watch, &outcome);
	enum status status = agent_check(agent, why);
	if (status)
		return status;
	if (scored.unknown)
		return why_set(why, STATUS_INPUT,
			       "%s: does not know a position of game %" PRIu64
			       " of %s: it is damaged",
			       optimum_path(gap->optimum), row->game, row->agent);
	if (!finished && !scored.won)
		return STATUS_STOPPED;
	const bool reached = outcome.max_exponent >= head->target;
	row->result = head->goal == GOAL_TARGET ? reached : (double)outcome.score;
	return STATUS_OK;
}

/* ---- Expected values. */

/* Writes the player ENTRY as text; a player trained here has the model file as parameter. */
static enum status stage_spec(const struct gap *gap, const struct experiment_entry *entry,
			      char spec[SPEC_MAX], struct why *why)
{
	char folder[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	const char *agent = entry->agent;
	const struct field *file = agent_class_of(agent)->params;
	strcpy(spec, agent);
	if (!entry->from)
		return STATUS_OK;
	enum status status = path_format(folder, why, "%s/models", gap->options->launch.directory);
	status =
	    status ? status : entry_model_path(entry, folder, entry->trained_before, path, why);
	if (status)
		return status;
	if (snprintf(spec, SPEC_MAX, "%s%c%s=%s", agent, strchr(agent, ':') ? ',' : ':', file->name,
		     path) >= SPEC_MAX)
		return why_set(why, STATUS_INPUT, "%.80s...: the settings are too long", agent);
	return STATUS_OK;
}

static bool exact_continues(void *context, const struct solve_progress *progress)
{
	(void)progress;
	return !pool_ending(context);
}

/* Sets ROW to the expected values of ENTRY. */
static enum status stage_exact(const struct gap *gap, const struct experiment_entry *entry,
			       struct pool *pool, struct gap_row *row, struct why *why)
{
	char spec[SPEC_MAX];
	struct exact_play played;
	const struct exact_play_task task = {
	    .game = &gap->game,
	    .agent = spec,
	    .optimum = gap->optimum,
	    .tie = TIE,
	    .memory = gap->options->memory,
	    .threads = gap->options->launch.pace.threads,
	    .tell = exact_continues,
	    .context = pool,
	};
	enum status status = stage_spec(gap, entry, spec, why);
	if (!status)
		status = exact_play(&task, &played, why);
	if (status)
		return status;
	row->result = played.score;
	/* Rounding must not make more optimal moves than moves, or negative losses. */
	for (int k = 0; k < GAP_PHASES; k++)
		row->phase[k] = (struct gap_phase){
		    .moves = played.phase[k].visits,
		    .optimal = fmin(played.phase[k].optimal, played.phase[k].visits),
		    .lost = fmax(played.phase[k].loss, 0),
		};
	return STATUS_OK;
}

/* Completes ROW, whose player is the stage ENTRY. */
static enum status row_play(void *context, const struct experiment_entry *entry,
			    struct agent *agent, struct pool *pool, void *row, struct why *why)
{
	return entry->alone ? stage_exact(context, entry, pool, row, why)
			    : game_score(context, agent, pool, row, why);
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
	const struct agent_env env = {.game = &entry->game};
	const bool always = gap->options->exact == GAP_ALWAYS;
	*exact = false;
	if (gap->options->exact == GAP_NEVER ||
	    (!always && (entry_trains(entry) || optimum_header(gap->optimum)->goal != GOAL_SCORE)))
		return STATUS_OK;
	enum status status = agent_new(entry->agent, &env, &agent, why);
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

/* Appends the stage of PLAYER after TRAINED training games. */
static void stage_add(struct gap *gap, const struct experiment_entry *player, uint64_t trained,
		      bool exact)
{
	char text[64];
	const struct optimum_header *head = optimum_header(gap->optimum);
	struct gap_stage stage = {.entry = *player};
	/* The key of results includes the goal. */
	snprintf(text, sizeof text, "gap %s %d", goal_name(head->goal), head->target);
	stage.entry.trained_before = trained;
	stage.entry.keeps = false;
	stage.entry.from = entry_trains(player) ? player : NULL;
	stage.entry.alone = exact;
	stage.entry.schedule = (struct schedule){.games = exact ? 1 : gap->options->games};
	stage.config = XXH3_64bits_withSeed(text, strlen(text), entry_config(player, trained));
	gap->stage = xgrow(gap->stage, gap->stages, sizeof *gap->stage);
	gap->stage[gap->stages++] = stage;
}

/* Sets the points of the training of the learner PLAYER; the last one is the whole training. */
static void points_set(const struct gap_options *o, struct experiment_entry *player)
{
	struct schedule s = {.train = 1};
	for (uint64_t i = 1; i <= o->curve; i++) {
		const double left =
		    i < o->curve ? (double)(o->curve - i) / (double)(o->curve - 1) : 0;
		const double point = fmax(1, round((double)o->train * pow(CURVE_SPAN, -left)));
		if (s.repeat == 0 || point > s.points[s.repeat - 1])
			s.points[s.repeat++] = point;
	}
	player->schedule = s;
	player->keeps = true;
}

/* Adds the stages of PLAYER. */
static enum status player_add(struct gap *gap, struct experiment_entry *player, struct why *why)
{
	bool exact;
	enum status status = exact_decide(gap, player, &exact, why);
	if (status)
		return status;
	if (!entry_trains(player))
		stage_add(gap, player, player->trained_before, exact);
	else
		points_set(gap->options, player);
	for (uint64_t k = 1; k <= player->schedule.repeat; k++)
		stage_add(gap, player, (uint64_t)schedule_point(&player->schedule, k), exact);
	return STATUS_OK;
}

static enum status stages_init(struct gap *gap, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < gap->experiment.count; i++)
		status = player_add(gap, gap->experiment.entries[i], why);
	return status;
}

/* ---- The work. */

/* Plays the stages, after the learners of which they are in the list. */
static enum status stages_play(struct gap *gap, struct why *why)
{
	const struct measurement measure = {&gap_log_kind, row_make, row_play, gap};
	struct tournament_options tournament = launch_tournament(&gap->task);
	struct experiment all = {.seed = gap->options->seed};
	all.entries = xcalloc(gap->experiment.count + gap->stages, sizeof *all.entries);
	for (size_t i = 0; i < gap->experiment.count; i++)
		if (gap->experiment.entries[i]->keeps)
			all.entries[all.count++] = gap->experiment.entries[i];
	for (size_t i = 0; i < gap->stages; i++)
		all.entries[all.count++] = &gap->stage[i].entry;
	tournament.measure = &measure;
	tournament.times = false;
	const enum status status = tournament_play(&all, &tournament, &gap->task.games, NULL, why);
	free(all.entries);
	return status;
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
	status = status ? status : entries_init(gap, why);
	if (!status)
		alike_note(&gap->experiment);
	if (!status && o->table)
		status = gap_optimum_open(o, &gap->game, &gap->optimum, why);
	return status ? status : exact_check(gap, why);
}

/* Rank 0 solves the board; then the others open its table. */
static enum status gap_work(void *context, struct why *why)
{
	struct gap *gap = context;
	const bool first = ranks_rank() == 0;
	enum status status = launch_log_check(&gap->task, why);
	if (!status && first)
		status = gap_optimum_open(gap->options, &gap->game, &gap->optimum, why);
	status = ranks_agree("optimum", 0, status, why);
	if (!status && !first)
		status = gap_optimum_open(gap->options, &gap->game, &gap->optimum, why);
	status = status ? status : stages_init(gap, why);
	status = ranks_agree("gap players", gap->experiment.count, status, why);
	return status ? status : stages_play(gap, why);
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

/* Estimates the cell of the stage ENTRY from those of its rows in LOG that count. */
static void cell_make(struct gap *gap, struct gap_cell *cell, const struct experiment_entry *entry,
		      const struct rowlog *log, struct cell_work *work)
{
	const struct gap_options *o = gap->options;
	const struct optimum_header *optimum = optimum_header(gap->optimum);
	const struct games_plan plan = {.games = o->games,
					.workers = (uint64_t)o->launch.pace.threads *
						   (uint64_t)ranks_size()};
	struct gap_row key;
	const struct gap_row *row;
	size_t n = 0;
	*cell = (struct gap_cell){.trained = entry->trained_before,
				  .learner = entry->from,
				  .last = !entry->from || entry->trained_before == o->train,
				  .chance = optimum->goal == GOAL_TARGET};
	snprintf(cell->label, sizeof cell->label, "%s", entry->label);
	for (uint64_t i = 0; i < entry->schedule.games; i++) {
		row_make(gap, entry, i, &key);
		if ((row = rowlog_find(log, &key))) {
			work->game[n] = row->game;
			work->rows[n++] = row;
		}
	}
	const size_t counted = entry->alone ? n : stats_counted(work->game, n, &plan, 1);
	uncounted_add(&work->uncounted, cell->label, gap->game.name, counted, n, o->games,
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
		cell_make(gap, &cells[i], &gap->stage[i].entry, &log, &work);
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
	free(gap.stage);
	experiment_fini(&gap.experiment);
	optimum_close(gap.optimum);
	return status;
}
