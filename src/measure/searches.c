/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The timed searches of a sweep, and their log (analysis/logs/rowlog.h).
 *
 * Every cell searches its positions once per round, and a round takes the cells in random order. So
 * a temporary load of the machine slows down some rounds of many cells instead of all searches of a
 * few, and the spread of the rounds shows it (interleaving and randomisation against drift: Box,
 * Hunter and Hunter, Statistics for Experimenters, 2005, section 3.1).
 *
 * A cell in a round is a unit of work: one thread searches its positions, which are of different
 * games, in order and with a new agent. So all rounds of a cell search the same trees, whatever
 * their order. A resumed unit first repeats its finished searches, untimed, so that its table is
 * what it would have been. A search that is in the log is not timed again.
 *
 * The time of a search with one thread is the thread's processor time, or the elapsed time if that
 * is less, so that other load counts for little; with several threads it is the elapsed time.
 * Reading CLOCK_THREAD_CPUTIME_ID can take half a microsecond and more, as much as a shallow
 * search, and reading CLOCK_MONOTONIC some 20 ns. So the latter is read inside of the former, and
 * the smaller difference counts: that is the former only if the thread had to wait.
 */
#include "src/measure/sweep_run.h"

#include "base/clock.h"
#include "base/xalloc.h"
#include "boards/simd/isa.h"
#include "src/games/ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

enum { WARM_SEARCHES = 200, WARM_NODES = 20000 };

/* ---- One search and its time. */

/*
 * The hash of all that affects the searches of ENTRY and their times, with WORKERS of them at a
 * time, except the positions. SEED is that of their random numbers, and of those that warm a table.
 */
static uint64_t search_config(const struct experiment_entry *entry, uint64_t seed, int workers)
{
	char text[1024], cpu[256];
	processor_name(cpu, sizeof cpu);
	int length = snprintf(text, sizeof text, "%016" PRIx64 " %" PRIu64 " %s, %s, %s, %s, %d",
			      entry_config(entry, entry_trained(entry)), seed, version_text,
			      compiler_text, isa_name(entry->game.isa), cpu, workers);
	return XXH3_64bits(text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

void searches_init(struct sweep_run *run)
{
	const struct experiment *experiment = run->experiment;
	const char *threads = strstr(experiment->entries[0]->settings, ",threads=");
	run->threaded = threads && strtoull(threads + strlen(",threads="), NULL, 10) > 1;
	run->workers = run->threaded ? 1 : run->task.options->pace.threads;
	run->config = xcalloc(experiment->count, sizeof *run->config);
	for (size_t i = 0; i < experiment->count; i++)
		run->config[i] =
		    search_config(experiment->entries[i], experiment->seed, run->workers);
}

/*
 * Returns the seconds that AGENT takes for its move on BOARD, which has one. Its random numbers
 * depend only on the seed and NUMBER.
 */
static double search_time(const struct sweep_run *run, struct agent *agent,
			  const struct board *board, uint64_t number, struct decision *decision)
{
	struct turn turn;
	struct rng rng;
	turn_init(&turn, agent->game, board, 0);
	rng_init(&rng, run->experiment->seed, RNG_AGENT, number);
	decision_init(decision);
	double cpu = clock_thread_seconds(), start = clock_seconds();
	agent->class->act(agent->self, &turn, &rng, decision);
	double passed = clock_seconds() - start;
	cpu = clock_thread_seconds() - cpu;
	return run->threaded || passed < cpu ? passed : cpu;
}

/* Sets BOARD to the last position with a move of a game of random moves: cheap to search. */
static void position_late(const struct game *game, uint64_t seed, uint64_t index,
			  struct board *board)
{
	struct rng rng;
	struct moves moves;
	struct board now;
	rng_init(&rng, seed, RNG_SAMPLE, index);
	board_start(game, &now, &rng);
	*board = now;
	for (game->moves(&now, &moves); moves.legal; game->moves(&now, &moves)) {
		int move;
		*board = now;
		do
			move = (int)rng_below(&rng, DIRECTIONS);
		while (!(moves.legal >> move & 1));
		now = moves.after[move];
		board_spawn(game, &now, &rng);
	}
}

/*
 * Lets AGENT search other positions, cheap ones, until the pages of its table have been touched:
 * the first touch of a page takes longer than a shallow search.
 */
static void search_warm(const struct sweep_run *run, struct agent *agent)
{
	struct decision decision;
	uint64_t nodes = 0;
	/* Counts and no clock end the loop: the table has reproducible contents. */
	for (uint64_t i = 0; i < WARM_SEARCHES && nodes < WARM_NODES; i++) {
		struct board board;
		position_late(agent->game, run->experiment->seed, i, &board);
		if (agent->game->over(&board))
			break;
		search_time(run, agent, &board, i, &decision);
		nodes += decision.nodes;
	}
}

/* ---- Finished searches of a cell in a round. */

/*
 * Changes the key ROW of a search on GAME to that of the next one, of BOARD. The configuration of a
 * search includes all positions up to its own, since it finds in the table what those have left.
 */
static void key_next(struct sweep_row *row, char text[BOARD_TEXT_MAX], const struct game *game,
		     const struct board *board)
{
	board_format(game, board, text);
	row->position = text;
	row->config = XXH3_64bits_withSeed(text, strlen(text), row->config);
}

struct cell_round {
	size_t n;     /* searches, in the order of its positions, up to the first that is missing */
	double spent; /* their seconds */
	bool complete; /* all positions, or as many as the time limit allows */
};

/* The seconds of searches after which a cell ends in a round. */
static double round_limit(const struct sweep_run *run)
{
	return run->sweep->cell_limit / (double)run->sweep->rounds;
}

/* Finds the searches in LOG that count for cell I in ROUND, and lists them in ROWS unless NULL. */
static struct cell_round round_find(const struct sweep_run *run, const struct rowlog *log, size_t i,
				    uint64_t round, const struct sweep_row **rows)
{
	const struct positions *set = cell_positions(run, i);
	struct cell_round found = {0};
	char text[BOARD_TEXT_MAX];
	struct sweep_row key = {.config = run->config[i], .round = round};
	while (found.n < set->n && found.spent < round_limit(run)) {
		key_next(&key, text, &run->experiment->entries[i]->game,
			 &set->position[found.n].board);
		const struct sweep_row *row = rowlog_find(log, &key);
		if (!row)
			return found;
		found.spent += row->seconds;
		if (rows)
			rows[found.n] = row;
		found.n++;
	}
	found.complete = true;
	return found;
}

/* ---- Searching. */

/* Logs a search with the KEY, of which DECISION is the result. */
static enum status search_log(struct sweep_run *run, const struct sweep_row *key,
			      const struct decision *decision, double seconds, struct why *why)
{
	struct sweep_row row = *key;
	row.seconds = seconds;
	row.nodes = decision->nodes;
	row.probes = decision->probes;
	row.hits = decision->hits;
	row.depth = (uint64_t)decision->depth;
	enum status status = shared_log_append(&run->log, run->pool, &row, why);
	atomic_fetch_add(&run->progress.searches.done, !status);
	return status;
}

/*
 * Searches with the new AGENT the positions of cell I in ROUND that THERE lacks. Repeats the
 * finished searches before, since a search depends on what earlier ones left in the table.
 */
static enum status cell_search(struct sweep_run *run, size_t i, uint64_t round,
			       struct cell_round there, struct agent *agent, struct why *why)
{
	const struct positions *set = cell_positions(run, i);
	const struct experiment_entry *entry = run->experiment->entries[i];
	struct sweep_row key = {.config = run->config[i],
				.board = entry->game.name,
				.agent = entry->agent,
				.round = round};
	char text[BOARD_TEXT_MAX];
	enum status status = STATUS_OK;
	size_t at = 0;
	search_warm(run, agent);
	for (; !status && at < set->n && (at < there.n || there.spent < round_limit(run)); at++) {
		struct decision decision;
		const struct board *board = &set->position[at].board;
		if (pool_ending(run->pool))
			return STATUS_STOPPED;
		key_next(&key, text, &entry->game, board);
		const double seconds = search_time(run, agent, board, at, &decision);
		status = agent_check(agent, why);
		if (status || at < there.n)
			continue;
		there.spent += seconds;
		status = search_log(run, &key, &decision, seconds, why);
	}
	if (!status)
		atomic_fetch_add(&run->progress.searches.done, set->n - at);
	return status;
}

static enum status unit_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct sweep_run *run = (struct sweep_run *)((char *)job - offsetof(struct sweep_run, job));
	const size_t i = run->order[unit];
	const struct experiment_entry *entry = run->experiment->entries[i];
	const uint64_t round = unit / run->experiment->count;
	const struct agent_env env = {.game = &entry->game};
	struct agent *agent;
	(void)thread;
	if (!share_owns(&run->task.options->share, i))
		return STATUS_OK;
	const struct cell_round there = round_find(run, &run->log.rows, i, round, NULL);
	if (there.complete)
		return STATUS_OK;
	enum status status = agent_new(entry->agent, &env, &agent, why);
	if (status)
		return status;
	status = cell_search(run, i, round, there, agent, why);
	agent_free(agent);
	return status;
}

/* Fills ORDER with the cells 0 to N - 1 for each of ROUNDS rounds, in random order. */
static void rounds_shuffle(size_t *order, size_t n, uint64_t rounds, uint64_t seed)
{
	for (uint64_t r = 0; r < rounds; r++, order += n) {
		struct rng rng;
		rng_init(&rng, seed, RNG_SHUFFLE, r);
		for (size_t i = 0; i < n; i++) {
			const size_t j = rng_below(&rng, (uint32_t)i + 1);
			order[i] = order[j];
			order[j] = i;
		}
	}
}

/* Orders the units, the same on all ranks, and counts the searches to do. */
static void units_make(struct sweep_run *run)
{
	struct progress_count *count = &run->progress.searches;
	const size_t cells = run->experiment->count;
	rounds_shuffle(run->order, cells, run->sweep->rounds, run->experiment->seed);
	for (uint64_t unit = 0; unit < run->job.end; unit++) {
		const size_t i = run->order[unit], all = cell_positions(run, i)->n;
		if (!share_owns(&run->task.options->share, i))
			continue;
		const struct cell_round there =
		    round_find(run, &run->log.rows, i, unit / cells, NULL);
		count->total += all;
		atomic_fetch_add(&count->before, there.complete ? all : there.n);
	}
}

/* Does the work with an open log. */
static enum status units_search(struct sweep_run *run, struct why *why)
{
	run->job =
	    (struct job){.run = unit_run, .end = run->sweep->rounds * run->experiment->count};
	run->order = xcalloc(run->job.end, sizeof *run->order);
	run->pool = pool_new_shared(run->workers);
	units_make(run);
	pool_add(run->pool, &run->job);
	enum status status =
	    shared_log_work(&run->log, run->pool, &run->progress, &run->progress.searches,
			    "searches", run->task.options->pace.progress, STATUS_OK, why);
	free(run->order);
	run->task.searches = progress_done(&run->progress.searches);
	if (!status && ranks_rank() == 0 && run->task.searches.done < run->task.searches.total)
		status = STATUS_STOPPED;
	return status;
}

enum status searches_do(struct sweep_run *run, struct why *why)
{
	run->log = (struct shared_log){.kind = &sweep_log_kind,
				       .share = &run->task.options->share,
				       .directory = run->task.options->directory,
				       .provenance = &run->task.provenance};
	enum status status = shared_log_open(&run->log, why);
	return status ? status : shared_log_close(&run->log, units_search(run, why), why);
}

/* ---- Estimates. */

/*
 * Sets FOUND to the searches of cell I in LOG: its complete rounds, cut to the length of the
 * shortest, since a round may end at a limit of time; or, if no round is complete, the longest one.
 * Without positions there are no rounds.
 */
static void cell_find(const struct sweep_run *run, const struct rowlog *log, size_t i,
		      struct cell_searches *found)
{
	const size_t all = cell_positions(run, i)->n;
	const uint64_t rounds = all ? run->sweep->rounds : 0;
	const struct sweep_row **row = xcalloc((rounds + 1) * all + 1, sizeof *row);
	size_t n = 0;
	bool any = false;
	for (uint64_t r = 0; r < rounds; r++) {
		const struct cell_round there = round_find(run, log, i, r, NULL);
		if (there.complete)
			n = !any || there.n < n ? there.n : n;
		else if (!any)
			n = there.n > n ? there.n : n;
		any = any || there.complete;
	}
	*found = (struct cell_searches){.row = row, .n = n};
	for (uint64_t r = 0; r < rounds && (any || !found->rounds); r++) {
		const struct cell_round there = round_find(run, log, i, r, row + n * found->rounds);
		found->rounds += there.complete == any && there.n >= n;
	}
}

enum status sweep_times(const struct sweep_run *run, struct sweep_cell *cells, struct why *why)
{
	const size_t count = run->experiment->count;
	struct rowlog log = {.kind = &sweep_log_kind};
	enum status status = run->sets[0].n ? rows_read_folder(&log, &sweep_log_kind,
							       run->task.options->directory, why)
					    : STATUS_OK;
	if (status) {
		rowlog_fini(&log);
		return status;
	}
	for (size_t i = 0; i < count; i++) {
		cells[i].asked = cell_positions(run, i)->n;
		cell_find(run, &log, i, &cells[i].searches);
	}
	sweep_cells_estimate(cells, count);
	for (size_t i = 0; i < count; i++)
		free(cells[i].searches.row);
	rowlog_fini(&log);
	return STATUS_OK;
}
