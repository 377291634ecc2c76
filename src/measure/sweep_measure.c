/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep from beginning to end: positions, searches, games; see sweep.h. Games are those of a
 * tournament, so that `nxn report` reads them as well.
 *
 * Every cell searches its positions once a round, and a round takes the cells in random order. So
 * what slows the machine down for a while slows down some rounds of many cells instead of all
 * searches of a few, and the spread of the rounds shows it (interleaving and randomisation against
 * drift: Box, Hunter and Hunter, Statistics for Experimenters, 2005, section 3.1).
 *
 * A cell in a round is a unit of work, so that it is searched by one thread, in order, by a new
 * player who has seen none of the positions, which are of different games. So all rounds of a cell
 * search the same trees, whatever their order. A unit that is resumed searches what it has done
 * once more, untimed, so that its table is what it would have been. A search that is in the log
 * (analysis/logs/rowlog.h) is not timed again.
 *
 * The time of a search of one thread is the thread's time on a processor, or the time that passed
 * if that is less, so that a busy machine counts for little; for a search of several threads it is
 * the time that passed. Reading CLOCK_THREAD_CPUTIME_ID can take half a microsecond and more, as
 * much as a shallow search, and reading CLOCK_MONOTONIC some 20 ns. So the latter is read inside of
 * the former, and the lesser difference counts: that is the former only where the thread had to
 * wait.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "boards/simd/isa.h"
#include "src/games/pool.h"
#include "src/games/ranks.h"
#include "src/measure/sweep_run.h"
#include "src/measure/tournament.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* ---- Positions: sets, and files of them. */

static enum status set_grow(struct positions *set, struct why *why)
{
	size_t room = set->room ? 2 * set->room : 64;
	struct position *grown = aligned_alloc(_Alignof(struct position), room * sizeof *grown);
	if (!grown)
		return why_errno(why, "%zu positions", room);
	if (set->n)
		memcpy(grown, set->position, set->n * sizeof *grown);
	free(set->position);
	set->position = grown;
	set->room = room;
	return STATUS_OK;
}

/* Appends BOARD unless an image of it is there; whether it was ADDED. STATUS_SYSTEM: memory. */
static enum status positions_add(struct positions *set, const struct game *game,
				 const struct board *board, bool *added, struct why *why)
{
	struct position new = {.board = *board};
	board_canonical(game, board, &new.canonical);
	*added = false;
	for (size_t i = 0; i < set->n; i++)
		if (board_equal(&set->position[i].canonical, &new.canonical))
			return STATUS_OK;
	enum status status = set->n < set->room ? STATUS_OK : set_grow(set, why);
	if (status)
		return status;
	*added = true;
	set->position[set->n++] = new;
	return STATUS_OK;
}

static void positions_fini(struct positions *set)
{
	free(set->position);
	*set = (struct positions){0};
}

/* Adds the position TEXT to the set of its shape, if it is one of COUNT. */
static enum status text_add(struct positions *sets, const struct game *const *games, size_t count,
			    const char *text, struct why *why)
{
	struct board board;
	bool added;
	int rows, cols;
	enum status status = board_parse(text, &board, &rows, &cols, why);
	if (status)
		return status;
	size_t i = 0;
	while (i < count && (games[i]->rows != rows || games[i]->cols != cols))
		i++;
	if (i == count)
		return STATUS_OK;
	status = board_read(games[i], text, &board, why);
	if (status)
		return status;
	if (games[i]->over(&board))
		return why_set(why, STATUS_INPUT, "position %s has no legal move", text);
	status = positions_add(&sets[i], games[i], &board, &added, why);
	if (!status && !added)
		status = why_set(why, STATUS_INPUT,
				 "position %s is there already, perhaps turned or mirrored", text);
	return status;
}

static enum status lines_read(struct positions *sets, const struct game *const *games, size_t count,
			      const char *path, struct why *why)
{
	struct lines lines;
	enum status status = lines_open_stream(&lines, path, why);
	if (status)
		return status;
	while (!status && lines_next(&lines, &status, why)) {
		struct why reason;
		while (lines.length > 0 && strchr(" \t", lines.text[lines.length - 1]))
			lines.text[--lines.length] = '\0';
		if (*lines.text && *lines.text != '#')
			status = text_add(sets, games, count, lines.text, &reason);
		if (status)
			why_set(why, status, "%s:%zu: %s", path, lines.number, reason.text);
	}
	lines_close(&lines);
	return status;
}

/*
 * Reads the file PATH as nxn eval does, a position a line, blank lines and '#' comments left out,
 * into SETS, of which SETS[i] has positions of GAMES[i]; those of other shapes are left out.
 * STATUS_INPUT, with file and line, for what is no position, one that no game reaches, without a
 * legal move, or there already, perhaps turned or mirrored; and if a game has none.
 */
static enum status positions_read(struct positions *sets, const struct game *const *games,
				  size_t count, const char *path, struct why *why)
{
	enum status status = lines_read(sets, games, count, path, why);
	for (size_t i = 0; !status && i < count; i++)
		if (!sets[i].n)
			status = why_set(why, STATUS_INPUT, "%s: holds no position of %s", path,
					 games[i]->name);
	for (size_t i = 0; status && i < count; i++)
		positions_fini(&sets[i]);
	return status;
}

/* ---- Sampling. */

/*
 * One position a game, so that they are independent, as intervals over them require. Which move of
 * a game it is, is decided while the game is played (reservoir sampling, Vitter, Random sampling
 * with a reservoir, ACM TOMS 11, 1985, for a sample of one): move t takes the place of the position
 * kept with probability 1/t.
 */

/* The heuristic one move ahead: fast, and as good as a weak human. It needs no table. */
static const char positions_player[] = "expectimax:depth=1,tt=0,tuned=1";

enum { GAMES_A_POSITION = 50 };

/* A position kept of a game under way. */
struct reservoir {
	const struct pool *pool;
	struct rng rng;
	struct board kept;
	uint32_t moves;
};

static bool reservoir_move(void *context, const struct turn *turn, int move,
			   const struct decision *decision)
{
	struct reservoir *r = context;
	(void)move;
	(void)decision;
	if (rng_below(&r->rng, ++r->moves) == 0)
		r->kept = *turn->board;
	return !pool_ending(r->pool);
}

/* Games FIRST, FIRST + 1, ... as a job: the position of game FIRST + i goes to kept[i]. */
struct sample_round {
	struct job job;
	struct pool *pool;
	uint64_t seed, first;
	struct instances players;
	struct board *kept;
	bool *there; /* the game had a move */
};

static enum status round_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct sample_round *round = (struct sample_round *)job;
	struct agent *agent;
	struct outcome outcome;
	struct reservoir reservoir = {.pool = round->pool};
	struct play_watch watch = {.move = reservoir_move, .context = &reservoir};
	uint64_t index = round->first + unit;
	enum status status = instances_get(&round->players, thread, &agent, why);
	if (status)
		return status;
	rng_init(&reservoir.rng, round->seed, RNG_SAMPLE, index);
	if (!play_game(agent, round->seed, index, &watch, &outcome))
		return STATUS_STOPPED;
	round->there[unit] = reservoir.moves > 0;
	round->kept[unit] = reservoir.kept;
	return STATUS_OK;
}

/* Plays N games from round->first on. */
static enum status round_play(struct sample_round *round, uint64_t n, struct why *why)
{
	round->job = (struct job){.run = round_run, .end = n};
	round->pool = pool_new(round->players.threads);
	pool_add(round->pool, &round->job);
	return pool_run(round->pool, NULL, why);
}

/* Plays rounds of as many games as there are positions missing. */
static enum status rounds_play(struct sample_round *round, struct positions *set, size_t n,
			       struct why *why)
{
	bool added;
	enum status status = STATUS_OK;
	while (!status && set->n < n && round->first < (uint64_t)GAMES_A_POSITION * n) {
		uint64_t games = n - set->n;
		status = round_play(round, games, why);
		for (uint64_t i = 0; !status && i < games; i++)
			if (round->there[i])
				status = positions_add(set, round->players.game, &round->kept[i],
						       &added, why);
		round->first += games;
	}
	if (!status && set->n < n)
		status = why_set(why, STATUS_INPUT,
				 "positions: %zu games on %s have only %zu different positions "
				 "instead of %zu",
				 (size_t)round->first, round->players.game->name, set->n, n);
	return status;
}

/*
 * Fills the empty SET with N positions of GAME: one of each of the games 0, 1, ... of SEED that
 * a fast player plays, every move of the game equally likely. They depend on GAME, N and SEED
 * alone, and those of a smaller N are the first of them. STATUS_INPUT if the games hold too few
 * different ones.
 */
static enum status positions_sample(struct positions *set, const struct game *game, size_t n,
				    uint64_t seed, int threads, struct why *why)
{
	struct sample_round round = {
	    .seed = seed,
	    .kept = aligned_alloc(_Alignof(struct board), n * sizeof(struct board)),
	    .there = xcalloc(n, sizeof(bool)),
	};
	struct positions made = {0};
	instances_init(&round.players, game, positions_player, threads);
	enum status status =
	    round.kept ? rounds_play(&round, &made, n, why) : why_errno(why, "%zu positions", n);
	instances_fini(&round.players);
	free(round.kept);
	free(round.there);
	if (status)
		positions_fini(&made);
	else
		*set = made;
	return status;
}

/* A position near the end of game INDEX of SEED between random moves: cheap to search. */
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

/* ---- The sampled positions as a file, as --positions and nxn eval read them. */

/* Far more than what sampling makes. */
enum { POSITIONS_BYTES = 1 << 30 };

void positions_source(size_t n, uint64_t seed, char *text, size_t size)
{
	snprintf(text, size, "%zu of each board, one per game of %s with seed %" PRIu64, n,
		 positions_player, seed);
}

/* The positions as text, on the heap. */
static enum status text_make(const struct positions *sets, const struct game *const *games,
			     size_t count, uint64_t seed, char **text, size_t *length,
			     struct why *why)
{
	char source[256], board[BOARD_TEXT_MAX];
	FILE *out = stream_open(text, length);
	if (!out)
		return why_errno(why, "out of memory for positions");
	positions_source(sets->n, seed, source, sizeof source);
	fprintf(out, "# %s\n", source);
	for (size_t b = 0; b < count; b++)
		for (size_t i = 0; i < sets[b].n; i++) {
			board_format(games[b], &sets[b].position[i].board, board);
			fprintf(out, "%s\n", board);
		}
	return fclose(out) ? why_errno(why, "out of memory for positions") : STATUS_OK;
}

/* Where the lines behind the comments at the beginning of TEXT are. */
static const char *comments_skip(const char *text)
{
	while (*text == '#')
		text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
	return text;
}

/* Whether TEXT begins as positions_source() describes sampled positions. */
static bool is_ours(const char *text)
{
	int length = 0;
	sscanf(text, "# %*u of each board, one %*[a-z] game of %n", &length);
	return length > 0;
}

/* What is at PATH is to stay (*KEPT), or may be replaced, or must not. */
static enum status there_check(const char *path, const char *text, bool *kept, struct why *why)
{
	char *there;
	size_t size;
	*kept = false;
	if (access(path, F_OK) != 0)
		return STATUS_OK;
	enum status status = file_read(path, POSITIONS_BYTES, &there, &size, why);
	if (status)
		return status;
	size = lines_normalize(there, size);
	*kept = strlen(there) == size && strcmp(comments_skip(there), comments_skip(text)) == 0;
	if (!*kept && size && !is_ours(there))
		status = why_set(why, STATUS_INPUT,
				 "%s: exists and is not what nxn sweep wrote; expected that, or "
				 "none",
				 path);
	free(there);
	return status;
}

static enum status text_store(const char *path, const char *text, size_t length, struct why *why)
{
	struct atomic_file atomic;
	enum status status = atomic_file_begin(&atomic, path, "a file of positions", why);
	if (status)
		return status;
	status = atomic_file_write(&atomic, text, length, why);
	if (!status)
		return atomic_file_commit(&atomic, why);
	atomic_file_abort(&atomic);
	return status;
}

/*
 * Leaves the sampled SETS as positions.txt in DIRECTORY, complete or not at all. A file that holds
 * these positions stays as it is: several processes that share a sweep leave the same.
 * STATUS_INPUT if there is one that no sweep wrote, which must not be lost.
 */
static enum status positions_leave(const struct positions *sets, const struct game *const *games,
				   size_t count, uint64_t seed, const char *directory,
				   struct why *why)
{
	char path[FOLDER_PATH_MAX], *text = NULL;
	size_t length;
	bool kept;
	enum status status = path_format(path, why, "%s/positions.txt", directory);
	status = status ? status : link_refuse(path, "a file", why);
	if (status)
		return status;
	status = text_make(sets, games, count, seed, &text, &length, why);
	if (!status)
		status = there_check(path, text, &kept, why);
	if (!status && !kept)
		status = text_store(path, text, length, why);
	free(text);
	return status;
}

#define XXH_INLINE_ALL

enum { WARM_SEARCHES = 200, WARM_NODES = 20000 };

/* ---- One search and its time. */

/* The whole number that SPEC, with all its parameters, sets KEY to, or FALLBACK. */
static uint64_t spec_number(const char *spec, const char *key, uint64_t fallback)
{
	const char *found = strstr(spec, key);
	return found ? strtoull(found + strlen(key), NULL, 10) : fallback;
}

/* Whether a search of ENTRY has threads of its own. */
static bool entry_threaded(const struct experiment_entry *entry)
{
	return spec_number(entry->settings, ",threads=", 1) > 1;
}

/* How many cells are timed at a time: THREADS, or one if its search has threads of its own. */
static int sweep_workers(const struct experiment *experiment, int threads)
{
	return entry_threaded(experiment->entries[0]) ? 1 : threads;
}

/* What decides how long the searches of ENTRY take, with WORKERS of them at a time. */
static uint64_t search_config(const struct experiment_entry *entry, int workers)
{
	char text[1024], cpu[256];
	processor_name(cpu, sizeof cpu);
	int length = snprintf(text, sizeof text, "%016" PRIx64 " %s, %s, %s, %s, %d",
			      entry_config(entry, entry_trained(entry)), version_text,
			      compiler_text, isa_name(entry->game.isa), cpu, workers);
	return XXH3_64bits(text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

/* The clock that times the searches of ENTRY, in words. */
static const char *search_clock(const struct experiment_entry *entry)
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
static double search_time(const struct experiment_entry *entry, struct agent *agent,
			  const struct board *board, uint64_t seed, uint64_t number,
			  struct decision *decision)
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
static void search_warm(const struct experiment_entry *entry, struct agent *agent, uint64_t seed)
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

/* The seconds of searches in a round after which a cell ends. */
static double round_limit(const struct sweep *sweep)
{
	return sweep->cell_limit / (double)sweep->rounds;
}

/*
 * The searches of CONFIG in LOG that count in ROUND, in the order of SET: up to the first that is
 * missing or to the one with which LIMIT seconds were spent. Lists them in ROWS, which has room for
 * all, or is NULL; their number; and in SPENT their seconds.
 */
static size_t searches_list(const struct rowlog *log, uint64_t config, uint64_t round,
			    const struct game *game, const struct positions *set, double limit,
			    const struct sweep_row **rows, double *spent)
{
	char text[BOARD_TEXT_MAX];
	double sum = 0;
	size_t n = 0;
	for (; n < set->n && sum < limit; n++) {
		board_format(game, &set->position[n].board, text);
		const struct sweep_row *row = rowlog_find(
		    log, &(struct sweep_row){.config = config, .position = text, .round = round});
		if (!row)
			break;
		sum += row->seconds;
		if (rows)
			rows[n] = row;
	}
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
	double limit; /* seconds of searches of a cell in a round */
	uint64_t seed;
	struct job job;	  /* unit r * cells + i: the cell that comes i-th in round r */
	size_t *order;	  /* [rounds * cells] */
	uint64_t *config; /* [cells] */
};

/* A cell in a round. */
struct cell_pass {
	struct sweep_measurement *m;
	const struct experiment_entry *entry;
	const struct positions *set;
	uint64_t config, round;
	size_t done;  /* searches of earlier runs */
	double spent; /* seconds of them */
};

/*
 * Brings AGENT to where it was when the cell was left: what a search looks at depends on what the
 * table has of those before it. STATUS_STOPPED.
 */
static enum status cell_recall(const struct cell_pass *cell, struct agent *agent)
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
static enum status cell_search(const struct cell_pass *cell, struct agent *agent, struct why *why)
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
		status = agent_check(agent, why);
		if (status)
			return status;
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
		    .round = cell->round,
		};
		status = shared_log_append(&cell->m->log, cell->m->pool, &row, why);
		spent += seconds;
		atomic_fetch_add(&cell->m->progress.searches.done, !status);
	}
	if (!status)
		atomic_fetch_add(&cell->m->progress.searches.done, cell->set->n - i);
	return status;
}

/* What is to be done in UNIT; whether anything is missing of it here. */
static bool pass_find(struct sweep_measurement *m, uint64_t unit, struct cell_pass *pass)
{
	const struct sweep_run *run = m->run;
	const size_t cells = run->experiment->count, i = m->order[unit];
	const struct experiment_entry *entry = run->experiment->entries[i];
	*pass = (struct cell_pass){
	    .m = m,
	    .entry = entry,
	    .set = &run->sets[i / sweep_board_cells(run->sweep)],
	    .config = m->config[i],
	    .round = unit / cells,
	};
	pass->done = searches_list(&m->log.rows, pass->config, pass->round, &entry->game, pass->set,
				   m->limit, NULL, &pass->spent);
	return share_owns(&m->options->share, i) && pass->done < pass->set->n &&
	       pass->spent < m->limit;
}

static enum status unit_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct sweep_measurement *m =
	    (struct sweep_measurement *)((char *)job - offsetof(struct sweep_measurement, job));
	struct cell_pass pass;
	struct agent *agent;
	(void)thread;
	if (!pass_find(m, unit, &pass))
		return STATUS_OK;
	const struct agent_env env = {.game = &pass.entry->game};
	enum status status = agent_new(pass.entry->agent, &env, &agent, why);
	if (status)
		return status;
	status = cell_search(&pass, agent, why);
	agent_free(agent);
	return status;
}

/* Makes ORDER the cells 0 to N - 1 of each of so many ROUNDS, each in an order of its own. */
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

/* Lays out the rounds, which are the same on all ranks, and counts what there is to do. */
static void units_make(struct sweep_measurement *m)
{
	const struct experiment *experiment = m->run->experiment;
	rounds_shuffle(m->order, experiment->count, m->run->sweep->rounds, m->seed);
	for (size_t i = 0; i < experiment->count; i++)
		m->config[i] = search_config(experiment->entries[i], m->run->workers);
	for (uint64_t unit = 0; unit < m->job.end; unit++) {
		struct cell_pass pass;
		const bool missing = pass_find(m, unit, &pass);
		if (!share_owns(&m->options->share, m->order[unit]))
			continue;
		m->progress.searches.total += pass.set->n;
		atomic_fetch_add(&m->progress.searches.before, missing ? pass.done : pass.set->n);
	}
}

/* Everything between opening the log and closing it. */
static enum status cells_run(struct sweep_measurement *m, struct why *why)
{
	const struct sweep_run *run = m->run;
	const size_t count = run->experiment->count;
	m->job = (struct job){.run = unit_run, .end = run->sweep->rounds * count};
	m->order = xcalloc(m->job.end, sizeof *m->order);
	m->config = xcalloc(count, sizeof *m->config);
	m->pool = pool_new_shared(run->workers);
	enum status status = ranks_agree("cells", count, STATUS_OK, why);
	if (!status) {
		units_make(m);
		pool_add(m->pool, &m->job);
		status = shared_log_check(&m->log, &m->progress.searches, "searches", why);
		status = ranks_agree("searches", 0, status, why);
	}
	if (!status) {
		progress_start(&m->progress, m->options->pace.progress);
		status = pool_run(m->pool, &m->progress, why);
		progress_clear(&m->progress);
	} else {
		pool_free(m->pool);
	}
	free(m->order);
	free(m->config);
	const struct work_done done = progress_done(&m->progress.searches);
	if (!status && ranks_rank() == 0 && done.done < done.total)
		status = STATUS_STOPPED;
	return status;
}

/* The searches in DIRECTORY, those of all parts of the log; LOG, a new one, is the caller's. */
static enum status searches_read(struct rowlog *log, const char *directory, struct why *why)
{
	struct parts files;
	enum status status = parts_all(&sweep_log_kind, directory, &files, why);
	if (status)
		return status;
	*log = (struct rowlog){.kind = &sweep_log_kind};
	for (size_t i = 0; !status && i < files.n; i++)
		status = rowlog_read(log, &sweep_log_kind, files.path[i], why);
	if (status)
		rowlog_fini(log);
	parts_free(&files);
	return status;
}

/* Searches what is missing; COUNT is set unless the log could not be opened. */
static enum status searches_do(const struct sweep_run *run, const struct launch_options *options,
			       struct work_done *count, struct why *why)
{
	struct sweep_measurement m = {.run = run,
				      .options = options,
				      .limit = round_limit(run->sweep),
				      .seed = run->experiment->seed,
				      .log = {.kind = &sweep_log_kind,
					      .share = &options->share,
					      .directory = run->directory,
					      .provenance = &run->provenance}};
	enum status status = shared_log_open(&m.log, why);
	if (status)
		return status;
	status = cells_run(&m, why);
	*count = progress_done(&m.progress.searches);
	return shared_log_close(&m.log, status, why);
}

/*
 * Lists in ROWS what LOG has of cell I in ROUND; their number in N; whether the round is complete.
 */
static bool round_list(const struct sweep_run *run, const struct rowlog *log, uint64_t config,
		       size_t i, uint64_t round, const struct sweep_row **rows, size_t *n)
{
	double spent;
	const struct positions *set = &run->sets[i / sweep_board_cells(run->sweep)];
	*n = searches_list(log, config, round, &run->experiment->entries[i]->game, set,
			   round_limit(run->sweep), rows, &spent);
	return *n == set->n || spent >= round_limit(run->sweep);
}

/*
 * Sets FOUND to what LOG has of cell I: its complete rounds, each as far as all of them have come,
 * since a round may end at a limit of time; or, if no round is complete, the one that has come
 * furthest.
 */
static void cell_find(const struct sweep_run *run, const struct rowlog *log, size_t i,
		      struct cell_searches *found)
{
	const uint64_t rounds = run->sweep->rounds;
	const uint64_t config = search_config(run->experiment->entries[i], run->workers);
	const size_t all = run->sets[i / sweep_board_cells(run->sweep)].n;
	const struct sweep_row **rows = xcalloc(all + 1, sizeof *rows);
	size_t n, least = all, most = 0;
	uint64_t furthest = 0;
	*found = (struct cell_searches){.row = xcalloc(rounds * all + 1, sizeof *rows)};
	for (uint64_t r = 0; r < rounds; r++) {
		const bool complete = round_list(run, log, config, i, r, rows, &n);
		found->rounds += complete;
		least = complete && n < least ? n : least;
		furthest = n > most ? r : furthest;
		most = n > most ? n : most;
	}
	found->n = found->rounds ? least : most;
	const bool any = found->rounds;
	found->rounds = 0;
	for (uint64_t r = any ? 0 : furthest; r < (any ? rounds : furthest + 1); r++)
		if (round_list(run, log, config, i, r, rows, &n) == any && n >= found->n)
			memcpy(&found->row[found->n * found->rounds++], rows,
			       found->n * sizeof *rows);
	free(rows);
}

enum status sweep_times(const struct sweep_run *run, struct sweep_cell *cells, struct why *why)
{
	const size_t count = run->experiment->count;
	struct rowlog log = {.kind = &sweep_log_kind};
	enum status status = run->sets[0].n ? searches_read(&log, run->directory, why) : STATUS_OK;
	if (status)
		return status;
	struct cell_searches *searches = xcalloc(count, sizeof *searches);
	for (size_t i = 0; i < count; i++) {
		cells[i].asked = run->sets[i / sweep_board_cells(run->sweep)].n;
		cell_find(run, &log, i, &searches[i]);
	}
	sweep_cells_estimate(cells, searches, count);
	for (size_t i = 0; i < count; i++)
		free(searches[i].row);
	free(searches);
	rowlog_fini(&log);
	return STATUS_OK;
}

/* ---- The whole. */

static bool sweep_has_positions(const struct sweep *sweep)
{
	return sweep->positions || *sweep->file;
}

/* Checks the log before positions are sampled and left beside it. */
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
				     run->directory, why);
}

/* Leaves in PLAYED the entries of SHARE whose time a move is within the limit for games. */
static enum status entries_choose(const struct sweep_run *run, const struct share *share,
				  struct experiment *played, struct why *why)
{
	const size_t count = run->experiment->count;
	const double limit = 1e3 * run->sweep->play_limit;
	struct sweep_cell *cells = xcalloc(count, sizeof *cells);
	for (size_t i = 0; i < count; i++)
		cells[i].board = run->experiment->entries[i]->game.name;
	enum status status = isfinite(limit) ? sweep_times(run, cells, why) : STATUS_OK;
	played->count = 0;
	for (size_t i = 0; !status && i < count; i++)
		if (share_owns(share, i) &&
		    (!isfinite(limit) || (cells[i].searched && cells[i].mean.value <= limit)))
			played->entries[played->count++] = run->experiment->entries[i];
	free(cells);
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
	played.entries = xcalloc(played.count, sizeof(struct experiment_entry *));
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
	struct sweep_task *t = context;
	enum status status =
	    stopped ? unfinished_note(&t->task, &t->run.provenance, why) : STATUS_OK;
	return status ? status : sweep_report(&t->run, stopped, !t->task.read_only, why);
}

enum status sweep_launch(const struct experiment *experiment, const struct sweep *sweep,
			 const struct launch_options *options, const struct invocation *call,
			 struct why *why)
{
	size_t boards = experiment->count / sweep_board_cells(sweep);
	struct sweep_task t = {
	    .task = {.work = sweep_work,
		     .report = sweep_task_report,
		     .context = &t,
		     .log = sweep_has_positions(sweep) ? &sweep_log_kind : &gamelog_kind,
		     .nothing = "no search",
		     .title = "A search by depth and cutoff",
		     .results = "Searches and games in ",
		     .log_file = ""},
	    .options = options,
	    .run = {.experiment = experiment,
		    .sweep = sweep,
		    .directory = options->directory,
		    .command = call->provenance,
		    .printer = call->printer,
		    .workers = sweep_workers(experiment, options->pace.threads),
		    .clock = search_clock(experiment->entries[0]),
		    .full = options->full,
		    .boards = boards,
		    .games = xcalloc(boards, sizeof(struct game *)),
		    .sets = xcalloc(boards, sizeof(struct positions))},
	};
	struct sweep_run *run = &t.run;
	gamelog_init(&run->played);
	if (experiment->title)
		printf("%s\n\n", experiment->title);
	for (size_t b = 0; b < boards; b++)
		run->games[b] = &experiment->entries[b * sweep_board_cells(sweep)]->game;
	const enum status status = launch_run(&t.task, options, call, why);
	for (size_t b = 0; b < boards; b++)
		positions_fini(&run->sets[b]);
	gamelog_fini(&run->played);
	provenance_fini(&run->provenance);
	free(run->games);
	free(run->sets);
	return status;
}
