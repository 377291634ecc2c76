/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep from beginning to end: positions, searches, games; see sweep.h. A cell is a job,
 * so that it is searched by one thread, in order. Games are those of a tournament, so that `nxn
 * stats` and `nxn plot` read them as well.
 *
 * A position is searched once in a cell, by a player who has not seen it: each cell has a new one,
 * and the positions of a set are of different games. One that is gone on with searches what it has
 * done once more, untimed, so that its table is what it would have been. A search that is in the
 * log (analysis/logs/rowlog.h) is not timed again, so resuming is measuring again.
 *
 * The time of a search of one thread is the thread's time on a processor, or the time that passed
 * if that is less, so that a busy machine counts for little; for a search of several threads it is
 * the time that passed. Reading CLOCK_THREAD_CPUTIME_ID can take half a microsecond and more, as
 * much as a shallow search, and reading CLOCK_MONOTONIC some 20 ns. So the latter is read inside of
 * the former, and the lesser difference counts: that is the former only where the thread had to
 * wait.
 */
#include "src/run/sweep_run.h"

#include "base/clock.h"
#include "boards/simd/isa.h"
#include "src/run/pool.h"
#include "src/run/ranks.h"
#include "src/run/tournament.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { WARM_SEARCHES = 200, WARM_NODES = 20000 };

/* ---- One search and its time. */

/* The whole number that SPEC, with all its parameters, sets KEY to, or FALLBACK. */
static uint64_t spec_number(const char *spec, const char *key, uint64_t fallback)
{
	const char *found = strstr(spec, key);
	return found ? strtoull(found + strlen(key), NULL, 10) : fallback;
}

/* Whether a search of ENTRY has threads of its own. */
static bool entry_threaded(const struct entry *entry)
{
	return spec_number(entry->settings, ",threads=", 1) > 1;
}

/* How many cells are timed at a time: THREADS, or one if its search has threads of its own. */
static int sweep_workers(const struct experiment *experiment, int threads)
{
	return entry_threaded(experiment->entries[0]) ? 1 : threads;
}

uint64_t sweep_config(const struct entry *entry, int workers)
{
	char text[1024], cpu[256];
	processor_name(cpu, sizeof cpu);
	int length = snprintf(text, sizeof text, "%016" PRIx64 " %s, %s, %s, %s, %d",
			      entry_config(entry, entry_trained(entry)), version_text,
			      compiler_text, isa_name(entry->game.isa), cpu, workers);
	return XXH3_64bits(text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

const char *search_clock(const struct entry *entry)
{
	return entry_threaded(entry) ? "time that passed"
				     : "time of the thread on a processor, or that passed if less";
}

static double thread_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*
 * Asks AGENT, the player of ENTRY, for its move on BOARD, which has one; the seconds that took.
 * What it draws at random depends on SEED and NUMBER alone.
 */
static double search_time(const struct entry *entry, struct agent *agent, const struct board *board,
			  uint64_t seed, uint64_t number, struct decision *decision)
{
	struct turn turn;
	struct rng rng;
	turn_init(&turn, agent->game, board, 0);
	rng_init(&rng, seed, RNG_AGENT, number);
	decision_init(decision);
	double cpu = thread_seconds(), start = clock_seconds();
	agent->class->act(agent->self, &turn, &rng, decision);
	double passed = clock_seconds() - start;
	cpu = thread_seconds() - cpu;
	return entry_threaded(entry) || passed < cpu ? passed : cpu;
}

/*
 * Has AGENT search other positions, cheap ones, often or long enough to touch all pages of its
 * table: they are made when they are first touched, which takes longer than a shallow search.
 */
static void search_warm(const struct entry *entry, struct agent *agent, uint64_t seed)
{
	struct decision decision;
	uint64_t nodes = 0;
	/* Counts and no clock decide, so that what a table holds afterwards is always the same. */
	for (uint64_t i = 0; i < WARM_SEARCHES && nodes < WARM_NODES; i++) {
		struct board board;
		position_late(agent->game, seed, i, &board);
		if (agent->game->over(&board))
			break;
		search_time(entry, agent, &board, seed, i, &decision);
		nodes += decision.nodes;
	}
}

/* ---- The searches of a sweep. */

size_t sweep_searches(const struct rowlog *log, uint64_t config, const struct game *game,
		      const struct positions *set, double limit, const struct sweep_row **rows,
		      double *spent)
{
	char text[BOARD_TEXT_MAX];
	double sum = 0;
	size_t n = 0;
	for (; n < set->n && sum < limit; n++) {
		board_format(game, &set->position[n].board, text);
		const struct sweep_row *row =
		    rowlog_find(log, &(struct sweep_row){.config = config, .position = text});
		if (!row)
			break;
		sum += row->seconds;
		if (rows)
			rows[n] = row;
	}
	if (spent)
		*spent = sum;
	return n;
}

/* What all cells share. */
struct sweep_measurement {
	const struct sweep_run *run;
	const struct launch_options *options;
	struct shared_log log;
	struct pool *pool;
	struct progress progress;
	double limit;
	uint64_t seed;
};

struct cell_job {
	struct job job;
	struct sweep_measurement *m;
	const struct entry *entry;
	const struct positions *set;
	uint64_t config;
	size_t done;  /* searches of earlier runs */
	double spent; /* seconds of them */
};

static enum status row_log(const struct cell_job *cell, const struct sweep_row *row,
			   struct why *why)
{
	struct sweep_measurement *m = cell->m;
	if (!pool_log_begin(m->pool))
		return STATUS_STOPPED;
	enum status status = rowlog_append(&m->log.writer, row, why);
	return pool_log_end(m->pool, status, why);
}

/*
 * Brings AGENT to where it was when the cell was left: what a search looks at depends on what the
 * table has of those before it. STATUS_STOPPED.
 */
static enum status cell_recall(const struct cell_job *cell, struct agent *agent)
{
	struct decision decision;
	search_warm(cell->entry, agent, cell->m->seed);
	for (size_t i = 0; i < cell->done; i++) {
		if (pool_ending(cell->m->pool))
			return STATUS_STOPPED;
		search_time(cell->entry, agent, &cell->set->position[i].board, cell->m->seed, i,
			    &decision);
	}
	return STATUS_OK;
}

/* Searches what is missing of the cell with AGENT. */
static enum status cell_search(const struct cell_job *cell, struct agent *agent, struct why *why)
{
	char text[BOARD_TEXT_MAX];
	double spent = cell->spent;
	size_t i = cell->done;
	enum status status = cell_recall(cell, agent);
	for (; !status && i < cell->set->n && spent < cell->m->limit; i++) {
		struct decision decision;
		const struct board *board = &cell->set->position[i].board;
		if (pool_ending(cell->m->pool))
			return STATUS_STOPPED;
		double seconds =
		    search_time(cell->entry, agent, board, cell->m->seed, i, &decision);
		board_format(agent->game, board, text);
		struct sweep_row row = {
		    .config = cell->config,
		    .board = cell->entry->game.name,
		    .agent = cell->entry->agent,
		    .position = text,
		    .seconds = seconds,
		    .nodes = decision.nodes,
		    .probes = decision.probes,
		    .hits = decision.hits,
		    .depth = (uint64_t)decision.depth,
		};
		status = row_log(cell, &row, why);
		spent += seconds;
		atomic_fetch_add(&cell->m->progress.searches.done, !status);
	}
	if (!status)
		atomic_fetch_add(&cell->m->progress.searches.done, cell->set->n - i);
	return status;
}

static enum status cell_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct cell_job *cell = (struct cell_job *)job;
	struct agent_env env = {.game = &cell->entry->game};
	struct agent *agent;
	(void)unit;
	(void)thread;
	enum status status = agent_new(cell->entry->agent, &env, &agent, why);
	if (status)
		return status;
	status = cell_search(cell, agent, why);
	agent_free(agent);
	return status;
}

/* Makes the job of cell I, and adds it to the pool if anything is missing of it. */
static void cell_enter(struct cell_job *cell, struct sweep_measurement *m, size_t i)
{
	const struct sweep_run *run = m->run;
	const struct entry *entry = run->experiment->entries[i];
	*cell = (struct cell_job){
	    .job = {.run = cell_run, .end = 1},
	    .m = m,
	    .entry = entry,
	    .set = &run->sets[i / sweep_board_cells(run->sweep)],
	    .config = sweep_config(entry, run->workers),
	};
	const size_t n = cell->set->n;
	cell->done = sweep_searches(&m->log.rows, cell->config, &entry->game, cell->set, m->limit,
				    NULL, &cell->spent);
	bool over = cell->done == n || cell->spent >= m->limit;
	m->progress.searches.total += n;
	atomic_fetch_add(&m->progress.searches.before, over ? n : cell->done);
	if (!over)
		pool_add(m->pool, &cell->job);
}

/* Everything between opening the log and closing it. */
static enum status cells_run(struct sweep_measurement *m, struct why *why)
{
	const struct sweep_run *run = m->run;
	const size_t count = run->experiment->count;
	struct cell_job *cells = calloc(count, sizeof *cells);
	enum status status = cells ? pool_new_shared(run->workers, &m->pool, why)
				   : why_errno(why, "%zu cells", count);
	status = ranks_agree("cells", count, status, why);
	assert(cells || status);
	if (status) {
		pool_free(m->pool);
		free(cells);
		return status;
	}
	/*
	 * The longest cells are the last ones; they come first, so that no thread waits for
	 * another.
	 */
	for (size_t i = count; i-- > 0;)
		if (share_owns(&m->options->share, i))
			cell_enter(&cells[i], m, i);
	progress_start(&m->progress, m->options->pace.progress);
	status = pool_run(m->pool, &m->progress, why);
	progress_clear(&m->progress);
	free(cells);
	const struct work_done done = progress_done(&m->progress.searches);
	if (!status && ranks_rank() == 0 && done.done < done.total)
		status = STATUS_STOPPED;
	return status;
}

enum status sweep_searches_read(struct rowlog *log, const char *directory, struct why *why)
{
	struct parts files;
	enum status status = share_logs(&sweep_log_kind, directory, &files, why);
	if (status)
		return status;
	status = parts_read(&files, &sweep_log_kind, log, why);
	parts_free(&files);
	return status;
}

/* Searches what is missing; COUNT is set unless the log could not be opened. */
static enum status searches_do(const struct sweep_run *run, const struct launch_options *options,
			       struct work_done *count, struct why *why)
{
	struct sweep_measurement m = {.run = run,
				      .options = options,
				      .limit = run->sweep->cell_limit,
				      .seed = run->experiment->seed,
				      .log = {.kind = &sweep_log_kind,
					      .share = &options->share,
					      .directory = run->directory,
					      .provenance = &run->provenance}};
	enum status status = shared_log_take(&m.log, why);
	if (status)
		return status;
	status = cells_run(&m, why);
	*count = progress_done(&m.progress.searches);
	return shared_log_leave(&m.log, status, why);
}

/* ---- The whole. */

static bool sweep_has_positions(const struct sweep *sweep)
{
	return sweep->positions || *sweep->file;
}

/* What is no log is to be told before positions are sampled and left beside it. */
static enum status log_check(const struct sweep_run *run, const struct share *share,
			     struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct rowlog log = {0};
	enum status status = share_log_path(share, &sweep_log_kind, run->directory, path, why);
	if (status || access(path, F_OK) != 0)
		return status;
	status = rowlog_read(&log, &sweep_log_kind, path, why);
	rowlog_fini(&log);
	return status;
}

static enum status positions_make(const struct sweep_run *run, const struct launch_options *options,
				  struct why *why)
{
	const struct sweep *sweep = run->sweep;
	enum status status = STATUS_OK;
	if (*sweep->file)
		return positions_read(run->sets, run->games, run->boards, sweep->file, why);
	for (size_t b = 0; !status && b < run->boards; b++)
		status = positions_sample(&run->sets[b], run->games[b], sweep->positions,
					  run->experiment->seed, options->pace.threads, why);
	return status || ranks_rank() > 0
		   ? status
		   : positions_leave(run->sets, run->games, run->boards, run->experiment->seed,
				     run->directory, !*options->share.part, why);
}

/* Whether entry I is measured here, and its mean time a move within the limit for games. */
static bool entry_plays(const struct sweep_run *run, const struct share *share,
			const struct rowlog *log, size_t i)
{
	double spent;
	const struct sweep *sweep = run->sweep;
	const struct entry *entry = run->experiment->entries[i];
	if (!share_owns(share, i) || !isfinite(sweep->play_limit))
		return share_owns(share, i);
	const size_t n = sweep_searches(log, sweep_config(entry, run->workers), &entry->game,
					&run->sets[i / sweep_board_cells(sweep)], sweep->cell_limit,
					NULL, &spent);
	return n && spent / (double)n <= sweep->play_limit;
}

/* Leaves in PLAYED the entries that play. */
static enum status entries_choose(const struct sweep_run *run, const struct share *share,
				  struct experiment *played, struct why *why)
{
	struct rowlog log = {0};
	enum status status = STATUS_OK;
	if (isfinite(run->sweep->play_limit))
		status = sweep_searches_read(&log, run->directory, why);
	played->count = 0;
	for (size_t i = 0; !status && i < run->experiment->count; i++)
		if (entry_plays(run, share, &log, i))
			played->entries[played->count++] = run->experiment->entries[i];
	rowlog_fini(&log);
	return status;
}

/* Plays the games; a share is that of whole cells, whose times it knows. */
static enum status games_play(struct sweep_run *run, const struct launch_options *options,
			      struct work_done *count, struct why *why)
{
	struct experiment played = *run->experiment;
	struct provenance provenance;
	const struct tournament_options tournament = {
	    .directory = run->directory,
	    .provenance = &provenance,
	    .threads = run->workers,
	    .share = options->share,
	    .own = true,
	    .times = !options->no_times,
	    .progress = options->pace.progress,
	};
	played.entries = calloc(played.count, sizeof(struct entry *));
	if (!played.entries)
		return why_errno(why, "%zu cells", played.count);
	enum status status = entries_choose(run, &options->share, &played, why);
	if (!status && played.count) {
		status = experiment_provenance(&played, run->command, &provenance, why);
		if (!status) {
			status = tournament_play(&played, &tournament, count, &run->played, why);
			provenance_fini(&provenance);
		}
	}
	free(played.entries);
	return status;
}

/* A sweep as a task. */
struct sweep_task {
	struct launch_task task;
	const struct launch_options *options;
	struct sweep_run run;
};

static enum status sweep_work(void *context, struct why *why)
{
	struct sweep_task *t = context;
	struct sweep_run *run = &t->run;
	const struct launch_options *options = t->options;
	const bool positions = sweep_has_positions(run->sweep);
	enum status status =
	    experiment_provenance(run->experiment, run->command, &run->provenance, why);
	if (!status)
		status = folder_make(run->directory, why);
	if (!status && positions)
		status = log_check(run, &options->share, why);
	if (!status && positions)
		status = positions_make(run, options, why);
	status = ranks_agree("positions", run->boards, status, why);
	if (!status && positions)
		status = searches_do(run, options, &t->task.searches, why);
	if (!status && run->sweep->games)
		status = games_play(run, options, &t->task.games, why);
	return status;
}

static enum status sweep_task_report(void *context, bool stopped, struct why *why)
{
	return sweep_report(&((struct sweep_task *)context)->run, stopped, why);
}

enum status sweep_launch(const struct experiment *experiment, const struct sweep *sweep,
			 const struct launch_options *options, const struct invocation *call,
			 struct why *why)
{
	enum status status;
	size_t boards = experiment->count / sweep_board_cells(sweep);
	struct sweep_task t = {
	    .task = {.work = sweep_work,
		     .report = sweep_task_report,
		     .context = &t,
		     .nothing = "no search",
		     .results = {"Searches and games in ", ""}},
	    .options = options,
	    .run = {.experiment = experiment,
		    .sweep = sweep,
		    .directory = options->directory,
		    .command = call->provenance,
		    .workers = sweep_workers(experiment, options->pace.threads),
		    .boards = boards,
		    .games = calloc(boards, sizeof(struct game *)),
		    .sets = calloc(boards, sizeof(struct positions))},
	};
	struct sweep_run *run = &t.run;
	gamelog_init(&run->played);
	if (experiment->title)
		printf("%s\n\n", experiment->title);
	if (run->games && run->sets) {
		for (size_t b = 0; b < boards; b++)
			run->games[b] = &experiment->entries[b * sweep_board_cells(sweep)]->game;
		status = launch_run(&t.task, options, call, why);
	} else {
		status = why_set(why, STATUS_SYSTEM, "out of memory for %zu boards", boards);
	}
	for (size_t b = 0; run->sets && b < boards; b++)
		positions_fini(&run->sets[b]);
	gamelog_fini(&run->played);
	provenance_fini(&run->provenance);
	free(run->games);
	free(run->sets);
	return status;
}

void sweep_list(const struct experiment *experiment, const struct sweep *sweep)
{
	if (experiment->title)
		printf("# %s\n", experiment->title);
	printf("board\tdepth\tcutoff\tagent\tgames\n");
	for (size_t i = 0; i < experiment->count; i++)
		printf("%s\t%s\t%s\t%s\t%" PRIu64 "\n", experiment->entries[i]->game.name,
		       sweep->depths.text[sweep_depth_of(sweep, i)],
		       sweep->cutoffs.text[sweep_cutoff_of(sweep, i)],
		       experiment->entries[i]->agent, sweep->games);
	printf("# %zu cells, ", experiment->count);
	if (*sweep->file)
		printf("each on the positions of %s", sweep->file);
	else
		printf("each on %" PRIu64 " positions", sweep->positions);
	printf(", with seed %" PRIu64 "\n", experiment->seed);
}
