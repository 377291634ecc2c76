/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The games of a log played again; see paper.h.
 *
 * Which games: of each player at each point of training and seed, the share that comes first in the order of
 * a hash of the check's seed and the game, and at least one. So it depends neither on the order
 * of the log nor on threads.
 */
#include "src/paper/paper.h"

#include "analysis/logs/gamelog.h"
#include "src/run/logs.h"
#include "src/paper/paper_again.h"
#include "src/run/pool.h"
#include "base/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MODEL_FOLDERS = 2 };

/* A row that may be played, in its place. */
struct ranked {
	const struct gamelog_row *row;
	uint64_t rank;
};

/* All that is checked of a log. */
struct checking {
	struct job job;
	const struct paper_check *check;
	bool gap; /* the log is one of nxn gap */
	struct gamelog log;
	char models[MODEL_FOLDERS][FOLDER_PATH_MAX];
	struct ranked *ranked; /* by player, seed, rank */
	const struct gamelog_row **rows;
	struct again *replays; /* a player and seed each, in the order of ranked */
	size_t *sizes;	       /* games of each in the log */
	size_t count;
	bool stopped;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	const struct gamelog_player *p = x->row->player, *q = y->row->player;
	if (p != q && p->place != q->place)
		return p->place < q->place ? -1 : 1;
	if (p != q)
		return p->number < q->number ? -1 : 1;
	if (x->row->seed != y->row->seed)
		return x->row->seed < y->row->seed ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->row->game > y->row->game) - (x->row->game < y->row->game);
}

static bool same_replay(const struct ranked *a, const struct ranked *b)
{
	return a->row->player == b->row->player && a->row->seed == b->row->seed;
}

/* Makes the replay of the games FIRST to END of the ranking. */
static void replay_make(struct checking *c, size_t first, size_t end)
{
	const struct ranked *ranked = &c->ranked[first];
	const size_t games = end - first;
	size_t wanted = (size_t)ceil(c->check->fraction * (double)games);
	for (size_t i = first; i < end; i++)
		c->rows[i] = c->ranked[i].row;
	c->sizes[c->count] = games;
	c->replays[c->count++] = (struct again){
	    .player = ranked->row->player,
	    .seed = ranked->row->seed,
	    .rows = c->rows + first,
	    .row_count = wanted < 1	  ? 1
			 : wanted > games ? games
					  : wanted,
	    .models = c->models,
	    .model_folders = MODEL_FOLDERS,
	    .gap = c->gap,
	    .rule = &c->check->game,
	};
}

static enum status replays_make(struct checking *c, struct why *why)
{
	const size_t n = c->log.count;
	c->ranked = calloc(n, sizeof *c->ranked);
	c->rows = calloc(n, sizeof(struct gamelog_row *));
	c->replays = calloc(n, sizeof *c->replays);
	c->sizes = calloc(n, sizeof *c->sizes);
	if (!c->ranked || !c->rows || !c->replays || !c->sizes)
		return why_set(why, STATUS_SYSTEM, "%zu games: out of memory", n);
	for (size_t i = 0; i < n; i++) {
		const struct gamelog_row *row = &c->log.rows[i];
		const uint64_t key[3] = {row->player->config, row->seed, row->game};
		c->ranked[i] =
		    (struct ranked){row, XXH3_64bits_withSeed(key, sizeof key, c->check->seed)};
	}
	qsort(c->ranked, n, sizeof *c->ranked, by_rank);
	for (size_t first = 0, end = 1; end <= n; end++)
		if (end == n || !same_replay(&c->ranked[first], &c->ranked[end])) {
			replay_make(c, first, end);
			first = end;
		}
	return STATUS_OK;
}

static enum status check_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct checking *c = (struct checking *)(void *)job;
	(void)thread;
	(void)why;
	if (stop_requested() || again_run(&c->replays[unit]) == STATUS_STOPPED)
		c->stopped = true; /* all write the same */
	return STATUS_OK;
}

static enum status replays_run(struct checking *c, struct why *why)
{
	struct pool *pool;
	enum status status = pool_new(c->check->threads, &pool, why);
	if (status)
		return status;
	c->job = (struct job){.run = check_run, .end = c->count};
	pool_add(pool, &c->job);
	status = pool_run(pool, NULL, why);
	return status ? status : stop_requested() ? STATUS_STOPPED : STATUS_OK;
}

/* Whether two replays are of what a table calls one player. */
static bool same_player(const struct again *a, const struct again *b)
{
	return a->player->place == b->player->place &&
	       strcmp(a->player->board, b->player->board) == 0;
}

/* The line of the player of replay I, with all of its points of training; adds it to COUNT. */
static void player_tell(const struct checking *c, const char *run, size_t i,
			struct paper_count *count)
{
	const struct again *first = &c->replays[i];
	const char *bad = NULL, *unable = NULL;
	struct paper_count own = {0};
	uint64_t trained = 0;
	for (; i < c->count; i++) {
		const struct again *r = &c->replays[i];
		if (!same_player(first, r))
			continue;
		own.games += c->sizes[i];
		own.done += r->done;
		own.bad += r->bad;
		own.left += r->unable ? c->sizes[i] : 0;
		bad = !bad && r->bad ? r->reason : bad;
		trained = !unable && r->unable ? r->player->trained : trained;
		unable = !unable && r->unable ? r->reason : unable;
	}
	printf("%s: %s %s: %" PRIu64 " of %" PRIu64 " games played again", run,
	       first->player->board, first->player->label, own.done, own.games);
	if (own.done)
		printf(own.bad ? ", %" PRIu64 " DIFFERENT, the first" : ", all the same", own.bad);
	if (bad)
		printf(" %s", bad);
	if (unable && trained)
		printf("; %" PRIu64 " cannot be: after %" PRIu64 " training games %s", own.left,
		       trained, unable);
	else if (unable)
		printf("; %" PRIu64 " cannot be: %s", own.left, unable);
	putchar('\n');
	count->games += own.games;
	count->done += own.done;
	count->bad += own.bad;
	count->left += own.left;
}

static void players_tell(const struct checking *c, const char *run, struct paper_count *count)
{
	for (size_t i = 0; i < c->count; i++) {
		bool told = false;
		for (size_t k = 0; !told && k < i; k++)
			told = same_player(&c->replays[k], &c->replays[i]);
		if (!told)
			player_tell(c, run, i, count);
	}
	fflush(stdout);
}

/* Reads the game log in FOLDER, or its log of nxn gap. */
static enum status log_read(struct checking *c, const char *folder, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	if (!c->gap)
		return logs_read_folder(&c->log, folder, why);
	enum status status = path_format(path, why, "%s/gap.tsv", folder);
	return status ? status : again_gap_read(&c->log, path, why);
}

enum status paper_replay(const char *run, const char *folder, const char *other, bool gap,
			 const struct paper_check *check, struct paper_count *count,
			 struct why *why)
{
	struct checking c = {.check = check, .gap = gap};
	gamelog_init(&c.log);
	enum status status = path_format(c.models[0], why, "%s/models", folder);
	status = status ? status : path_format(c.models[1], why, "%s/models", other);
	status = status ? status : log_read(&c, folder, why);
	if (!status && c.log.count > 0) {
		status = replays_make(&c, why);
		status = status ? status : replays_run(&c, why);
		if (!status)
			players_tell(&c, run, count);
	}
	free(c.ranked);
	free(c.rows);
	free(c.replays);
	free(c.sizes);
	gamelog_fini(&c.log);
	return status;
}
