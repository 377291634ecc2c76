/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays the games of a tuning on several threads; see tune_match.h. A unit of work is a game; units
 * go out player after player, and the log gets them in that order, whichever ends first, so that it
 * is the same for any number of threads. A game that ends before its turn waits in memory.
 *
 * Rank 0 has the log. It lets the others know what an earlier run has played; these let it know what they
 * play, game by game; and when all is played it lets them know the rest, with which they do the same
 * sums.
 *
 * Invariant: games 0 .. logged-1 are in the log, and no other.
 */
#include "src/run/tune_match.h"

#include "agents/play.h"
#include "src/run/ranks.h"
#include "base/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 160, WAIT_MILLISECONDS = 250 };

/* The agent that a thread plays with. */
struct tune_seat {
	struct agent *agent;
	size_t player;
};

/* Keeps the first failure, if STATUS is one, and ends the match. Locked. */
static void failure_keep(struct tune_match *m, enum status status, const struct why *why)
{
	if (!status)
		return;
	if (!m->status) {
		m->status = status;
		m->why = *why;
	}
	atomic_store(&m->over, true);
}

static void match_fail(struct tune_match *m, enum status status, const struct why *why)
{
	pthread_mutex_lock(&m->lock);
	failure_keep(m, status, why);
	pthread_mutex_unlock(&m->lock);
}

/* "# game GENERATION PLAYER NUMBER " in LINE; its length. */
static size_t line_begin(const struct tune_match *m, size_t unit, char line[LINE_BYTES])
{
	char player[32];
	snprintf(player, sizeof player, "%zu", unit / m->games);
	return (size_t)snprintf(line, LINE_BYTES, "# game\t%" PRIu64 "\t%s\t%zu\t", m->generation,
				m->name ? m->name : player, unit % m->games);
}

/* Logs game m->logged and, with its player's last, that these are all. Locked. */
static enum status game_log(struct tune_match *m, struct why *why)
{
	char line[LINE_BYTES];
	const size_t unit = m->logged, used = line_begin(m, unit, line);
	const struct tune_result *r = &m->result[unit];
	snprintf(line + used, sizeof line - used, "%" PRIu64 "\t%" PRIu64 "\n", r->score,
		 UINT64_C(1) << r->max_exponent);
	enum status status = tune_log_line(m->log, line, why);
	m->logged++;
	if (!status && m->ended && m->logged % m->games == 0)
		status = m->ended(m->context, unit / m->games, why);
	return status;
}

/* Takes game UNIT from the next line of the log; false if it tells of no such game. */
static bool game_recall(struct tune_match *m, size_t unit)
{
	char line[LINE_BYTES], rest;
	const char *next = tune_log_next(m->log);
	const size_t used = line_begin(m, unit, line);
	uint64_t score, tile;
	if (!next || strncmp(next, line, used) != 0 ||
	    sscanf(next + used, "%" SCNu64 "\t%" SCNu64 "%c", &score, &tile, &rest) != 2 ||
	    tile < 2 || (tile & (tile - 1)) != 0)
		return false;
	m->result[unit] = (struct tune_result){score, __builtin_ctzll(tile)};
	return true;
}

/* What rank 0 knows, all know. On other ranks no line is written, but sums are done. */
static enum status games_share(struct tune_match *m, struct why *why)
{
	enum status status = STATUS_OK;
	uint64_t known = m->logged;
	if (ranks_size() == 1)
		return STATUS_OK;
	ranks_broadcast(&known, sizeof known);
	ranks_broadcast(m->result, known * sizeof *m->result);
	while (!status && m->logged < known)
		status = game_log(m, why);
	return ranks_agree("results", known, status, why);
}

/* What earlier runs have played. A line that does not fit is found out by game_log(). */
static enum status games_recall(struct tune_match *m, struct why *why)
{
	const size_t units = m->players * m->games;
	enum status status = STATUS_OK;
	while (!status && m->logged < units && tune_log_next(m->log)) {
		if (!game_recall(m, m->logged))
			m->result[m->logged] = (struct tune_result){0};
		m->played[m->logged] = true;
		status = game_log(m, why);
	}
	if (m->progress)
		atomic_fetch_add(&m->progress->games.before, m->logged);
	return status;
}

static enum status seat_take(struct tune_match *m, struct tune_seat *seat, size_t player,
			     struct why *why)
{
	const struct agent_env env = {.game = m->game};
	if (seat->agent && seat->player == player)
		return STATUS_OK;
	agent_free(seat->agent);
	seat->agent = NULL;
	seat->player = player;
	return agent_new(m->agent[player], &env, &seat->agent, why);
}

static bool move_watch(void *context, const struct turn *turn, int move,
		       const struct decision *decision)
{
	struct tune_match *m = context;
	(void)turn;
	(void)move;
	(void)decision;
	return !stop_requested() && !atomic_load_explicit(&m->over, memory_order_relaxed) &&
	       !pool_stopped(m->pool);
}

static struct tune_match *match_of(struct job *job)
{
	return (struct tune_match *)((char *)job - offsetof(struct tune_match, job));
}

/* A game is played, perhaps on another rank: logs it and those that waited for it. */
static void match_told(struct job *job, const uint64_t word[JOB_WORDS])
{
	struct tune_match *m = match_of(job);
	const uint64_t unit = word[0];
	struct why why;
	enum status status = STATUS_OK;
	pthread_mutex_lock(&m->lock);
	m->result[unit] = (struct tune_result){word[1], (int)word[2]};
	m->played[unit] = true;
	while (!status && !m->status && m->logged < m->players * m->games && m->played[m->logged])
		status = game_log(m, &why);
	/* Before another thread has the lock: behind a line that failed none may follow. */
	failure_keep(m, status, &why);
	pthread_mutex_unlock(&m->lock);
	if (m->progress)
		atomic_fetch_add(&m->progress->games.done, 1);
}

static void match_run(struct job *job, uint64_t unit, int thread)
{
	struct tune_match *m = match_of(job);
	struct tune_seat *seat = &m->seat[thread];
	struct outcome outcome;
	struct why why;
	const struct play_watch watch = {move_watch, m};
	enum status status = seat_take(m, seat, unit / m->games, &why);
	if (status) {
		match_fail(m, status, &why);
		return;
	}
	if (!play_game(seat->agent, m->seed, m->first + unit % m->games, &watch, &outcome)) {
		status = agent_check(seat->agent, &why);
		if (status)
			match_fail(m, status, &why);
		return;
	}
	const uint64_t word[JOB_WORDS] = {unit, outcome.score, (uint64_t)outcome.max_exponent};
	pool_tell(m->pool, job, word);
}

static enum status games_play(struct tune_match *m, struct why *why)
{
	const size_t units = m->players * m->games;
	enum status status = pool_new_shared(m->threads, &m->pool, why);
	status = ranks_agree("match", units, status, why);
	if (status) {
		pool_free(m->pool);
		return status;
	}
	m->job =
	    (struct job){.run = match_run, .told = match_told, .next = m->logged, .end = units};
	pool_add(m->pool, &m->job);
	status = pool_start(m->pool, why);
	while (!pool_wait(m->pool, WAIT_MILLISECONDS)) {
		if (stop_requested() || atomic_load(&m->over))
			pool_stop(m->pool);
		if (m->progress)
			progress_show(m->progress);
	}
	pool_free(m->pool);
	if (!status && m->status) {
		*why = m->why;
		status = m->status;
	}
	if (!status && ranks_rank() == 0 && m->logged < units)
		status = STATUS_STOPPED;
	return ranks_agree("games", units, status, why);
}

enum status tune_match_play(struct tune_match *m, struct why *why)
{
	const size_t units = m->players * m->games;
	pthread_mutex_init(&m->lock, NULL);
	m->seat = calloc((size_t)m->threads, sizeof *m->seat);
	m->played = calloc(units, sizeof *m->played);
	enum status status = STATUS_OK;
	if (!m->seat || !m->played)
		status = why_errno(why, "%zu games", units);
	if (!status)
		status = games_recall(m, why);
	status = ranks_agree("recall", units, status, why);
	if (!status)
		status = games_share(m, why);
	if (!status && m->logged < units) {
		status = games_play(m, why);
		if (!status)
			status = games_share(m, why);
	}
	for (int i = 0; m->seat && i < m->threads; i++)
		agent_free(m->seat[i].agent);
	free(m->seat);
	free(m->played);
	pthread_mutex_destroy(&m->lock);
	return status;
}
