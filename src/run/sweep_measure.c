/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times the cells of a sweep: a job a cell, so that a cell is searched by one thread, in order; see
 * sweep_measure.h.
 */
#include "src/run/sweep_measure.h"

#include "src/run/pool.h"
#include "src/run/progress.h"
#include "src/run/ranks.h"
#include "base/stop.h"
#include "src/run/sweep_search.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PROGRESS_MILLISECONDS = 250 };

size_t sweep_searches(const struct rowlog *log, uint64_t config, const struct game *game,
		      const struct positions *set, double limit, const struct sweep_row **rows,
		      double *spent)
{
	char text[BOARD_TEXT_MAX];
	double sum = 0;
	size_t n = 0;
	for (; n < set->n && sum < limit; n++) {
		board_format(game, &set->position[n].board, text);
		const struct sweep_row *row = sweep_log_find(log, config, text);
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
struct measurement {
	struct rowlog there;
	struct rowlog_writer log;
	struct pool *pool;
	struct progress progress;
	double limit;
	uint64_t seed;

	pthread_mutex_t lock; /* of the log's writer and of the two below */
	enum status status;   /* of the first failure */
	struct why why;
	atomic_bool failed;
};

struct cell_job {
	struct job job;
	struct measurement *m;
	const struct entry *entry;
	const struct positions *set;
	uint64_t config;
	size_t done;  /* searches of earlier runs */
	double spent; /* seconds of them */
};

static bool ending(struct measurement *m)
{
	return stop_requested() || atomic_load_explicit(&m->failed, memory_order_relaxed) ||
	       pool_stopped(m->pool);
}

static void fail(struct measurement *m, enum status status, const struct why *why)
{
	pthread_mutex_lock(&m->lock);
	if (!m->status) {
		m->status = status;
		m->why = *why;
	}
	atomic_store(&m->failed, true);
	pthread_mutex_unlock(&m->lock);
}

static enum status row_log(const struct cell_job *cell, const struct sweep_row *row,
			   struct why *why)
{
	struct measurement *m = cell->m;
	enum status status = STATUS_STOPPED;
	pthread_mutex_lock(&m->lock);
	struct sweep_row named = *row;
	named.board = cell->entry->game.name;
	named.agent = cell->entry->agent;
	if (!m->status)
		status = rowlog_append(&m->log, &named, why);
	if (status && !m->status) {
		m->status = status;
		m->why = *why;
		atomic_store(&m->failed, true);
	}
	pthread_mutex_unlock(&m->lock);
	return status;
}

/*
 * Brings AGENT to where it was when the cell was left: what a search looks at depends on what the table
 * has of those before it. STATUS_STOPPED.
 */
static enum status cell_recall(const struct cell_job *cell, struct agent *agent)
{
	struct decision decision;
	search_warm(cell->entry, agent, cell->m->seed);
	for (size_t i = 0; i < cell->done; i++) {
		if (ending(cell->m))
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
		if (ending(cell->m))
			return STATUS_STOPPED;
		double seconds =
		    search_time(cell->entry, agent, board, cell->m->seed, i, &decision);
		board_format(agent->game, board, text);
		struct sweep_row row = {
		    .config = cell->config,
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

static void cell_run(struct job *job, uint64_t unit, int thread)
{
	struct cell_job *cell = (struct cell_job *)job;
	struct agent_env env = {.game = &cell->entry->game};
	struct agent *agent;
	struct why why;
	(void)unit;
	(void)thread;
	enum status status = agent_new(cell->entry->agent, &env, &agent, &why);
	if (!status) {
		status = cell_search(cell, agent, &why);
		agent_free(agent);
	}
	if (status && status != STATUS_STOPPED)
		fail(cell->m, status, &why);
}

/* Makes a cell's job, and adds it to the pool if anything is missing of it. */
static void cell_enter(struct cell_job *cell, struct measurement *m, const struct entry *entry,
		       const struct positions *set, int workers)
{
	*cell = (struct cell_job){
	    .job = {.run = cell_run, .end = 1},
	    .m = m,
	    .entry = entry,
	    .set = set,
	    .config = sweep_config(entry, workers),
	};
	cell->done = sweep_searches(&m->there, cell->config, &entry->game, set, m->limit, NULL,
				    &cell->spent);
	bool over = cell->done == set->n || cell->spent >= m->limit;
	m->progress.searches.total += set->n;
	atomic_fetch_add(&m->progress.searches.before, over ? set->n : cell->done);
	if (!over)
		pool_add(m->pool, &cell->job);
}

static enum status cells_run(struct measurement *m, bool progress, struct why *why)
{
	progress_start(&m->progress, progress);
	pool_count(m->pool, &m->progress);
	enum status status = pool_start(m->pool, why);
	if (status)
		fail(m, status, why);
	while (!pool_wait(m->pool, PROGRESS_MILLISECONDS)) {
		if (ending(m))
			pool_stop(m->pool);
		progress_show(&m->progress);
	}
	progress_clear(&m->progress);
	return !status && pool_stopped(m->pool) ? STATUS_STOPPED : status;
}

/* Everything between opening the log and closing it. */
static enum status measure(struct measurement *m, const struct experiment *experiment,
			   const struct sweep *sweep, const struct positions *sets,
			   const struct measure_options *options, struct why *why)
{
	struct cell_job *cells = calloc(experiment->count, sizeof *cells);
	enum status status = cells ? pool_new_shared(options->workers, &m->pool, why)
				   : why_errno(why, "%zu cells", experiment->count);
	status = ranks_agree("cells", experiment->count, status, why);
	assert(cells || status);
	/* The longest cells are the last ones; they come first, so that no thread waits for another. */
	for (size_t i = experiment->count; !status && i-- > 0;)
		if (share_owns(&options->share, i))
			cell_enter(&cells[i], m, experiment->entries[i],
				   &sets[i / sweep_board_cells(sweep)], options->workers);
	if (!status)
		status = cells_run(m, options->progress, why);
	pool_free(m->pool);
	free(cells);
	if (m->status) {
		*why = m->why;
		return m->status;
	}
	const struct progress_count *searches = &m->progress.searches;
	if (!status && ranks_rank() == 0 && searches->before + searches->done < searches->total)
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

/* Opens the log that is written to, and reads all there is. */
static enum status log_take(struct measurement *m, const struct measure_options *options,
			    struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct rowlog own = {0}, all;
	const struct share *share = &options->share;
	enum status status = share_gather(share, &sweep_log_kind, options->directory, why);
	if (!status)
		status = share_log_path(share, &sweep_log_kind, options->directory, path, why);
	if (!status)
		status =
		    rowlog_open(&m->log, &sweep_log_kind, path, options->provenance, &own, why);
	rowlog_fini(&own);
	if (status)
		return status;
	if (m->log.file.cut)
		fprintf(stderr, "nxn: %s: cut off a torn last line of %zu bytes\n", path,
			m->log.file.cut);
	status = sweep_searches_read(&all, options->directory, why);
	if (status)
		close(m->log.file.fd);
	else
		m->there = all;
	return status;
}

/* Rank 0 first: the others read what it has merged, and open parts of the log. */
static enum status logs_take(struct measurement *m, const struct measure_options *options,
			     struct why *why)
{
	const bool first = ranks_rank() == 0;
	enum status status = first ? log_take(m, options, why) : STATUS_OK;
	bool open = first && !status;
	status = ranks_agree("sweep log", 0, status, why);
	if (!status && !first) {
		status = log_take(m, options, why);
		open = !status;
	}
	status = ranks_agree("sweep logs", m->there.count, status, why);
	if (status && open) {
		close(m->log.file.fd);
		rowlog_fini(&m->there);
	}
	return status;
}

/* The same back: closes this rank's log; then rank 0 merges all. STATUS is of what was done. */
static enum status logs_leave(struct measurement *m, const struct measure_options *options,
			      enum status status, struct why *why)
{
	struct why close_why;
	enum status closed = rowlog_close(&m->log, &close_why);
	if (closed && (!status || status == STATUS_STOPPED)) {
		status = closed;
		*why = close_why;
	}
	rowlog_fini(&m->there);
	status = ranks_agree("searched", 0, status, why);
	if (ranks_size() == 1 || (status && status != STATUS_STOPPED))
		return status;
	enum status merged =
	    share_merge(&options->share, &sweep_log_kind, options->directory, NULL, why);
	return ranks_agree("sweep merged", 0, merged ? merged : status, why);
}

enum status sweep_measure(const struct experiment *experiment, const struct sweep *sweep,
			  const struct positions *sets, const struct measure_options *options,
			  struct measure_count *count, struct why *why)
{
	struct measurement m = {
	    .limit = sweep->cell_limit,
	    .seed = experiment->seed,
	    .lock = PTHREAD_MUTEX_INITIALIZER,
	};
	enum status status = logs_take(&m, options, why);
	if (status)
		return status;
	status = measure(&m, experiment, sweep, sets, options, why);
	count->total = m.progress.searches.total;
	count->done = m.progress.searches.before + m.progress.searches.done;
	return logs_leave(&m, options, status, why);
}
