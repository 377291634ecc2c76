/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep: its settings, read strictly from text; positions, searches and games; recommended cells.
 * See sweep.h.
 *
 * Games are those of a tournament, so that `nxn report` reads them as well.
 */
#include "src/measure/sweep_run.h"

#include "agents/agent.h"
#include "analysis/tables/summary.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/games/ranks.h"
#include "src/measure/tournament.h"
#include "src/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { DEPTH_MAX = 1000, DEFAULT_POSITIONS = 100 };

static enum status value_add(struct sweep_values *values, const char *what, double value,
			     const char *text, struct why *why)
{
	for (int i = 0; i < values->n; i++)
		if (values->value[i] == value)
			return why_set(why, STATUS_INPUT, "%s: %s is there twice", what, text);
	if (values->n == SWEEP_VALUES_MAX)
		return why_set(why, STATUS_INPUT, "%s: more than %d", what, SWEEP_VALUES_MAX);
	values->value[values->n] = value;
	snprintf(values->text[values->n++], SWEEP_TEXT_MAX, "%s", text);
	return STATUS_OK;
}

enum status sweep_add_depths(void *values, const char *what, const char *text, struct why *why)
{
	char first[SWEEP_TEXT_MAX], number[SWEEP_TEXT_MAX];
	uint64_t from, to;
	size_t length = strcspn(text, "-");
	const char *last = text[length] ? text + length + 1 : text;
	snprintf(first, sizeof first, "%.*s", (int)length, text);
	enum status status = number_parse(what, first, 1, DEPTH_MAX, &from, why);
	if (!status)
		status = number_parse(what, last, 1, DEPTH_MAX, &to, why);
	if (status)
		return status;
	if (to < from)
		return why_set(why, STATUS_INPUT,
			       "%s: '%.40s' has its end before its start; expected one depth, or "
			       "two as in 1-9",
			       what, text);
	for (; !status && from <= to; from++) {
		snprintf(number, sizeof number, "%d", (int)from);
		status = value_add(values, what, (double)from, number, why);
	}
	return status;
}

enum status sweep_add_cutoff(void *values, const char *what, const char *text, struct why *why)
{
	double cutoff;
	if (!real_parse(text, &cutoff) || !(cutoff >= 0 && cutoff <= 1) ||
	    strlen(text) >= SWEEP_TEXT_MAX)
		return why_set(why, STATUS_INPUT,
			       "%s: '%.40s' is not a probability from 0 to 1, such as 1e-4", what,
			       text);
	return value_add(values, what, cutoff, text, why);
}

enum status sweep_add_budget(void *values, const char *what, const char *text, struct why *why)
{
	static const struct field time = {.kind = FIELD_DURATION};
	double seconds;
	enum status status = field_read(&time, what, &seconds, text, why);
	if (!status && strlen(text) >= SWEEP_TEXT_MAX)
		return why_set(why, STATUS_INPUT, "%s: '%.40s...' is too long", what, text);
	return status ? status : value_add(values, what, seconds, text, why);
}

enum status sweep_set_positions(void *field, const char *what, const char *text, struct why *why)
{
	struct sweep *sweep = field;
	uint64_t number = 0;
	if (*text && strspn(text, "0123456789") == strlen(text)) {
		enum status status = number_parse(what, text, 1, POSITIONS_MAX, &number, why);
		if (status)
			return status;
		sweep->positions = number;
		sweep->file[0] = '\0';
		return STATUS_OK;
	}
	if (!*text || strlen(text) >= sizeof sweep->file)
		return why_set(why, STATUS_INPUT, "%s: expected a number of positions or a file",
			       what);
	snprintf(sweep->file, sizeof sweep->file, "%s", text);
	sweep->positions = 0;
	return STATUS_OK;
}

enum status sweep_set_agent(void *field, const char *what, const char *text, struct why *why)
{
	struct sweep *sweep = field;
	static const char *const own[] = {"depth", "cutoff"};
	for (int i = 0; i < 2; i++)
		if (agent_sets(text, own[i]))
			return why_set(why, STATUS_INPUT,
				       "%s: '%.80s' sets %s, which the cells differ in; it belongs "
				       "into the list of %ss",
				       what, text, own[i], own[i]);
	if (agent_label(text))
		return why_set(why, STATUS_INPUT,
			       "%s: '%.80s': the cells are called by depth and cutoff; leave out "
			       "'%.*s='",
			       what, text, (int)agent_label(text), text);
	const struct agent_class *class = agent_class_of(text);
	if (class && (!class->params || !field_find(class->params, "depth", strlen("depth"))))
		return why_set(why, STATUS_INPUT,
			       "%s: '%.80s' has no depth; expected a search, such as expectimax",
			       what, text);
	if (strlen(text) >= sizeof sweep->agent)
		return why_set(why, STATUS_INPUT, "%s: longer than %zu bytes", what,
			       sizeof sweep->agent - 1);
	snprintf(sweep->agent, sizeof sweep->agent, "%s", text);
	return STATUS_OK;
}

static bool sweep_has_positions(const struct sweep *sweep)
{
	return sweep->positions || *sweep->file;
}

enum status sweep_complete(struct sweep *sweep, struct why *why)
{
	static const char *const cutoffs[] = {"1e-2", "1e-3", "1e-4", "1e-5", "1e-6"};
	enum status status = STATUS_OK;
	if (!sweep->depths.n)
		status = sweep_add_depths(&sweep->depths, "depths", "1-9", why);
	for (size_t i = 0, none = !sweep->cutoffs.n; !status && none && i < 5; i++)
		status = sweep_add_cutoff(&sweep->cutoffs, "cutoffs", cutoffs[i], why);
	if (!sweep_has_positions(sweep) && !sweep->games)
		sweep->positions = DEFAULT_POSITIONS;
	const bool searches = sweep_has_positions(sweep);
	if (!status && !searches && (sweep->rounds || sweep->cell_limit > 0))
		return why_set(why, STATUS_INPUT, "%s: only with positions",
			       sweep->rounds ? "rounds" : "cell-limit");
	if (!status && isfinite(sweep->play_limit) && (!sweep->games || !searches))
		status = why_set(why, STATUS_INPUT,
				 "a limit for games (play-limit) needs games and positions");
	sweep->rounds = sweep->rounds ? sweep->rounds : 9;
	sweep->cell_limit = sweep->cell_limit > 0 ? sweep->cell_limit : 60;
	return status;
}

/* The indices of depth and cutoff of cell I of all. */
static int sweep_depth_of(const struct sweep *sweep, size_t i)
{
	return (int)(i % (size_t)sweep->depths.n);
}

static int sweep_cutoff_of(const struct sweep *sweep, size_t i)
{
	return (int)(i / (size_t)sweep->depths.n % (size_t)sweep->cutoffs.n);
}

/* Writes the agent of cell I, with depth and cutoff as the user wrote them. */
static void sweep_spec(const struct sweep *sweep, size_t i, char spec[SWEEP_SPEC_MAX])
{
	snprintf(spec, SWEEP_SPEC_MAX, "%s%cdepth=%s,cutoff=%s", sweep->agent,
		 strchr(sweep->agent, ':') ? ',' : ':',
		 sweep->depths.text[sweep_depth_of(sweep, i)],
		 sweep->cutoffs.text[sweep_cutoff_of(sweep, i)]);
}

enum status sweep_add_cells(const struct sweep *sweep, struct experiment *experiment,
			    const struct game *game, struct why *why)
{
	char spec[SWEEP_SPEC_MAX];
	const struct schedule schedule = {.games = sweep->games};
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < sweep_board_cells(sweep); i++) {
		sweep_spec(sweep, i, spec);
		status = experiment_add(experiment, game, spec, NULL, &schedule, why);
	}
	return status;
}

/* ---- The report. */

/* A hash of the games of CELL and their results. */
static uint64_t games_hash(const struct cell *cell)
{
	uint64_t hash = 0;
	for (size_t i = 0; i < cell->games; i++) {
		const struct gamelog_row *row = cell->rows[i];
		const uint64_t game[] = {row->seed, row->game, row->score, row->moves};
		hash = XXH3_64bits_withSeed(game, sizeof game, hash);
	}
	return hash;
}

/* Sets the scores of CELLS from the games in SELECTION. */
static enum status scores_fill(struct sweep_run *run, struct sweep_cell *cells,
			       const struct gamelog *selection, struct why *why)
{
	struct summary summary;
	enum status status = summary_init(&summary, selection, why);
	if (status)
		return status;
	for (size_t i = 0; i < run->experiment->count; i++) {
		const struct experiment_entry *entry = run->experiment->entries[i];
		const struct cell *cell = summary_find(&summary, entry->game.name, entry->label);
		if (!cell)
			continue;
		cells[i].games = cell->games;
		cells[i].games_hash = games_hash(cell);
		cells[i].score = cell->mean;
		cells[i].played = cell->ms_per_move;
	}
	if (summary.uncounted)
		provenance_add(&run->task.provenance, NOTE_COUNTED "%s", summary.uncounted);
	summary_fini(&summary);
	return status;
}

static enum status scores_estimate(struct sweep_run *run, struct sweep_cell *cells, struct why *why)
{
	struct gamelog selection;
	enum status status = STATUS_OK;
	/* This run has played no games: use those of earlier runs. */
	if (!run->played.count)
		status = logs_read_folder(&run->played, run->task.options->directory, why);
	status =
	    status ? status : selection_init(&selection, &run->played, run->experiment, false, why);
	if (status)
		return status;
	if (selection.count)
		status = scores_fill(run, cells, &selection, why);
	gamelog_fini(&selection);
	return status;
}

/* Estimates CELLS. SPECS receives their agents, with depth and cutoff as the user wrote them. */
static enum status cells_estimate(struct sweep_run *run, struct sweep_cell *cells,
				  char (*specs)[SWEEP_SPEC_MAX], struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; i < run->experiment->count; i++) {
		int d = sweep_depth_of(run->sweep, i), c = sweep_cutoff_of(run->sweep, i);
		sweep_spec(run->sweep, i, specs[i]);
		cells[i] =
		    sweep_cell_make(run->experiment->entries[i]->game.name, specs[i],
				    run->sweep->cutoffs.text[c], (int)run->sweep->depths.value[d]);
	}
	if (run->sweep->games)
		status = scores_estimate(run, cells, why);
	if (!status)
		status = sweep_times(run, cells, why);
	sweep_judge(cells, run->experiment->count);
	return status;
}

/* Prints how many cells of a finished sweep were not measured in full. */
static void limits_print(const struct sweep_run *run, const struct sweep_cell *cells)
{
	size_t cut = 0, unplayed = 0;
	char limit[GRID_TEXT_MAX];
	for (size_t i = 0; i < run->experiment->count; i++) {
		cut += cells[i].searched > 0 && cells[i].searched < cells[i].asked;
		unplayed += run->sweep->games > 0 && cells[i].games == 0;
	}
	if (cut)
		printf("%zu cell%s ended at the limit of %g s with the first positions of the "
		       "set.\n",
		       cut, cut > 1 ? "s" : "", run->sweep->cell_limit);
	if (unplayed && isfinite(run->sweep->play_limit)) {
		time_text(1e3 * run->sweep->play_limit, limit);
		printf("%zu cell%s played no games: the time per move is above the play-limit of "
		       "%s.\n",
		       unplayed, unplayed > 1 ? "s" : "", limit);
	} else if (unplayed) {
		printf("%zu cell%s played no games.\n", unplayed, unplayed > 1 ? "s" : "");
	}
}

#define NOTE_POSITIONS "positions: "

/* Prints notes on the table. */
static void notes_print(const struct sweep_run *run)
{
	text_printf(stdout, "Positions: %s.",
		    note_find(provenance_lines(&run->task.provenance), NOTE_POSITIONS));
	const char *value = strstr(run->experiment->entries[0]->settings, ",value=");
	if (value && !agent_sets(run->sweep->agent, "value"))
		text_printf(stdout,
			    "Evaluation function: %.*s, the default. For another one: "
			    "--agent expectimax:value=strong,leaf=after.",
			    (int)strcspn(value + 7, ",:"), value + 7);
	clocked_note(run->experiment);
}

/* Adds to the provenance how times were taken, and on which positions. */
static void head_add(struct sweep_run *run)
{
	char source[256];
	struct provenance *provenance = &run->task.provenance;
	positions_source(run->sets[0].n, run->experiment->seed, source, sizeof source);
	if (!run->sets[0].n)
		provenance_add(provenance, NOTE_POSITIONS "none; times are those of games");
	else if (*run->sweep->file)
		provenance_add(provenance, NOTE_POSITIONS "those of %s", run->sweep->file);
	else
		provenance_add(provenance, NOTE_POSITIONS "%s", source);
	provenance_add(provenance, "times: %s; %d cells at a time",
		       run->threaded ? "time that passed"
				     : "time of the thread on a processor, or that passed if less",
		       run->workers);
	if (agent_clocked(run->experiment->entries[0]->agent))
		provenance_add(provenance, "%s", report_clocked);
}

/* ---- Recommendations. */

/* The best cell of a board within a budget; an empty cell of depth 0 if there is none. */
struct advice_row {
	const struct game *game;
	const char *budget;
	struct sweep_cell cell;
};

struct advice {
	struct advice_row *rows; /* by board */
	size_t count;
};

static struct advice advice_make(const struct sweep_run *run, const struct sweep_cells *cells)
{
	const struct sweep_values *budgets = &run->sweep->budgets;
	struct advice advice = {xcalloc(run->boards * (size_t)budgets->n + 1, sizeof *advice.rows),
				0};
	for (size_t b = 0; b < run->boards; b++)
		for (int i = 0; i < budgets->n; i++) {
			const char *board = run->games[b]->name;
			const struct sweep_cell *best =
			    sweep_best(cells->cells, cells->count, board, 1e3 * budgets->value[i]);
			advice.rows[advice.count++] =
			    (struct advice_row){run->games[b], budgets->text[i],
						best ? *best : sweep_cell_make(board, "", "-", 0)};
		}
	return advice;
}

static void advice_rows(const struct table_out *out, const void *data)
{
	const struct advice *advice = data;
	for (size_t i = 0; i < advice->count; i++)
		table_put(out, &advice->rows[i]);
}

static void depth_text(const void *row, char text[GRID_TEXT_MAX])
{
	const int depth = ((const struct advice_row *)row)->cell.depth;
	snprintf(text, GRID_TEXT_MAX, depth ? "%d" : "-", depth);
}

#define ADVICE(title, kind, member) TABLE_COLUMN(struct advice_row, title, kind, member)

/* Prints the recommended cells, with their intervals, and commands that play them. */
static enum status advice_print(const struct advice *advice, bool games, struct why *why)
{
	static const struct table_column score = ADVICE("mean score [95%]", INTERVAL, cell.score),
					 nodes = TABLE_FIXED(struct advice_row, "nodes", REAL,
							     cell.nodes.value, 0);
	const struct table_column columns[] = {
	    ADVICE("board", TEXT, cell.board),
	    ADVICE("budget", TEXT, budget),
	    {.name = "depth", .text = depth_text},
	    ADVICE("cutoff", TEXT, cell.cutoff),
	    ADVICE("time per move [95%]", TIMES, cell.cost),
	    games ? score : nodes,
	    {0},
	};
	enum status status = STATUS_OK;
	if (!advice->count)
		return STATUS_OK;
	printf("\nRecommended, by %s:\n\n", games ? "mean score" : "nodes");
	table_view_print(
	    stdout,
	    &(struct table_view){
		.columns = columns, .left = 2, .rows = advice_rows, .data = advice, .fits = true});
	putchar('\n');
	const char *before = NULL;
	for (size_t i = 0; !status && i < advice->count; i++) {
		const struct advice_row *row = &advice->rows[i];
		if (row->cell.depth && row->cell.agent != before)
			status =
			    compare_command_print(row->game, row->cell.agent, false, 0, 0, why);
		before = row->cell.depth ? row->cell.agent : before;
	}
	return status;
}

/* Adds to the provenance "recommended: 4x4 within 1ms: AGENT; ...", if any cell is. */
static void advice_add(struct sweep_run *run, const struct advice *advice)
{
	char *text;
	size_t size;
	const char *between = "recommended: ";
	FILE *out = xstream_open(&text, &size);
	for (size_t i = 0; i < advice->count; i++) {
		const struct advice_row *row = &advice->rows[i];
		if (!row->cell.depth)
			continue;
		fprintf(out, "%s%s within %s: %s", between, row->cell.board, row->budget,
			row->cell.agent);
		between = "; ";
	}
	xstream_close(out);
	if (*text)
		provenance_add(&run->task.provenance, "%s", text);
	free(text);
}

/*
 * Prints the table of CELLS, and unless the sweep was STOPPED the best ones for the budgets; writes
 * tables if the folder is writable.
 */
static enum status cells_report(struct sweep_run *run, struct sweep_cells *cells, bool stopped,
				struct why *why)
{
	const char *const *lines = provenance_lines(&run->task.provenance);
	struct advice advice = {0};
	if (!stopped)
		advice = advice_make(run, cells);
	head_add(run);
	if (stopped)
		cells->unfinished = note_find(lines, NOTE_UNFINISHED);
	cells->uncounted = note_find(lines, NOTE_COUNTED);
	advice_add(run, &advice);
	enum status status = launch_tables(&run->task, &sweep_tables, cells, why);
	if (!status)
		notes_print(run);
	if (!status && !stopped) {
		limits_print(run, cells->cells);
		status = advice_print(&advice, run->sweep->games > 0, why);
	}
	free(advice.rows);
	return status;
}

static enum status sweep_report(void *context, bool stopped, struct why *why)
{
	struct sweep_run *run = context;
	const size_t count = run->experiment->count;
	struct sweep_cell *cells = xcalloc(count, sizeof *cells);
	char(*specs)[SWEEP_SPEC_MAX] = xcalloc(count, sizeof *specs);
	struct sweep_cells all = {.cells = cells, .count = count};
	if (stopped)
		unfinished_note(&run->task);
	enum status status = cells_estimate(run, cells, specs, why);
	status = status ? status : cells_report(run, &all, stopped, why);
	free(specs);
	free(cells);
	return status;
}

/* ---- The work. */

static enum status positions_make(const struct sweep_run *run, struct why *why)
{
	const struct sweep *sweep = run->sweep;
	const uint64_t seed = run->experiment->seed;
	enum status status = STATUS_OK;
	if (*sweep->file)
		return positions_read(run->sets, run->games, run->boards, sweep->file, why);
	for (size_t b = 0; !status && b < run->boards; b++)
		status = positions_sample(&run->sets[b], run->games[b], sweep->positions, seed,
					  run->task.options->pace.threads, why);
	return status || ranks_rank() > 0
		   ? status
		   : positions_leave(run->sets, run->games, run->boards, seed,
				     run->task.options->directory, why);
}

/* Selects for PLAYED the entries of this share whose time per move is within play_limit. */
static enum status entries_choose(const struct sweep_run *run, struct experiment *played,
				  struct why *why)
{
	const size_t count = run->experiment->count;
	const double limit = 1e3 * run->sweep->play_limit;
	struct sweep_cell *cells = xcalloc(count, sizeof *cells);
	for (size_t i = 0; i < count; i++)
		cells[i].board = run->experiment->entries[i]->game.name;
	enum status status = isfinite(limit) ? sweep_times(run, cells, why) : STATUS_OK;
	played->count = 0;
	for (size_t i = 0; !status && i < count; i++)
		if (share_owns(&run->task.options->share, i) &&
		    (!isfinite(limit) || (cells[i].searched && cells[i].mean.value <= limit)))
			played->entries[played->count++] = run->experiment->entries[i];
	free(cells);
	return status;
}

/* Plays the games. A share has whole cells, and their times. */
static enum status games_play(struct sweep_run *run, struct why *why)
{
	struct experiment played = *run->experiment;
	struct provenance provenance;
	struct tournament_options tournament = launch_tournament(&run->task);
	tournament.threads = run->workers;
	tournament.own = true;
	tournament.provenance = &provenance;
	played.entries = xcalloc(played.count, sizeof(struct experiment_entry *));
	enum status status = entries_choose(run, &played, why);
	if (!status && played.count) {
		status =
		    experiment_provenance(&played, run->task.call->provenance, &provenance, why);
		if (!status) {
			status = tournament_play(&played, &tournament, &run->task.games,
						 &run->played, why);
			provenance_fini(&provenance);
		}
	}
	free(played.entries);
	return status;
}

static enum status sweep_work(void *context, struct why *why)
{
	struct sweep_run *run = context;
	const bool positions = sweep_has_positions(run->sweep);
	enum status status = positions ? launch_log_check(&run->task, why) : STATUS_OK;
	if (!status && positions)
		status = positions_make(run, why);
	status = ranks_agree("positions", run->boards, status, why);
	if (!status && positions)
		status = searches_do(run, why);
	if (!status && run->sweep->games)
		status = games_play(run, why);
	return status;
}

enum status sweep_launch(const struct experiment *experiment, const struct launch_options *options,
			 const struct invocation *call, struct why *why)
{
	const struct sweep *sweep = experiment->sweep;
	const size_t boards = experiment->count / sweep_board_cells(sweep);
	struct sweep_run run = {
	    .task = {.experiment = experiment,
		     .options = options,
		     .call = call,
		     .work = sweep_work,
		     .report = sweep_report,
		     .log = sweep_has_positions(sweep) ? &sweep_log_kind : &gamelog_kind,
		     .nothing = "no search",
		     .title = "A search by depth and cutoff",
		     .results = "Searches and games in ",
		     .log_file = ""},
	    .experiment = experiment,
	    .sweep = sweep,
	    .boards = boards,
	    .games = xcalloc(boards, sizeof(struct game *)),
	    .sets = xcalloc(boards, sizeof(struct positions)),
	};
	gamelog_init(&run.played);
	searches_init(&run);
	if (experiment->title)
		printf("%s\n\n", experiment->title);
	for (size_t b = 0; b < boards; b++)
		run.games[b] = &experiment->entries[b * sweep_board_cells(sweep)]->game;
	const enum status status = launch_run(&run.task, why);
	for (size_t b = 0; b < boards; b++)
		positions_fini(&run.sets[b]);
	gamelog_fini(&run.played);
	free(run.config);
	free(run.games);
	free(run.sets);
	return status;
}
