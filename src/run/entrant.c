/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays one entry of an experiment; see entrant.h. Training is in training.c.
 *
 * Invariant: a game is appended to the log once it is over and not before. So whatever kills the
 * process, the log tells exactly what is left to play.
 */
#include "src/run/entrant.h"

#include "agents/play.h"
#include "base/clock.h"
#include "base/stop.h"
#include "src/run/traces.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool tournament_ending(const struct tournament *tournament)
{
	return stop_requested() ||
	       atomic_load_explicit(&tournament->failed, memory_order_relaxed) ||
	       pool_stopped(tournament->pool);
}

/* Locked. */
static void failure_keep(struct tournament *tournament, enum status status, const struct why *why)
{
	if (tournament->status)
		return;
	tournament->status = status;
	tournament->why = *why;
	atomic_store(&tournament->failed, true);
}

void tournament_fail(struct tournament *tournament, enum status status, const struct why *why)
{
	pthread_mutex_lock(&tournament->lock);
	failure_keep(tournament, status, why);
	pthread_mutex_unlock(&tournament->lock);
}

static bool go_on(void *context, const struct turn *turn, int move, const struct decision *decision)
{
	(void)turn;
	(void)move;
	(void)decision;
	return !tournament_ending(context);
}

/*
 * Logs a game, unless one failed to be: what was then written of its line must stay the last, for
 * the next run to cut off.
 */
static enum status result_log(struct tournament *t, const struct result *result, struct why *why)
{
	enum status status = STATUS_STOPPED;
	pthread_mutex_lock(&t->lock);
	if (!t->status) {
		status = gamelog_append(&t->log, result, why);
		if (status)
			failure_keep(t, status, why);
	}
	pthread_mutex_unlock(&t->lock);
	if (!status)
		atomic_fetch_add(&t->progress.games.done, 1);
	return status;
}

bool entrant_trace_lacks(const struct entrant *e, uint64_t trained, uint64_t index)
{
	char path[FOLDER_PATH_MAX];
	const struct tournament *t = e->tournament;
	if (index >= t->traced)
		return false;
	/* What has no path is played, to say so. */
	return traces_path(t->traces, e->entry, trained, t->seed, index, path, NULL) ||
	       access(path, F_OK) != 0;
}

enum status entrant_game(struct entrant *e, struct agent *agent, uint64_t trained, uint64_t index,
			 struct outcome *outcome, struct why *why)
{
	struct tournament *t = e->tournament;
	char path[FOLDER_PATH_MAX];
	bool finished = false;
	const struct play_watch watch = {.move = go_on, .context = t};
	enum status status = STATUS_OK;
	if (entrant_trace_lacks(e, trained, index)) {
		status = traces_path(t->traces, e->entry, trained, t->seed, index, path, why);
		if (!status)
			status = traces_play(path, agent, trained, t->seed, index, &watch, outcome,
					     &finished, why);
	} else {
		finished = play_game(agent, t->seed, index, &watch, outcome);
	}
	status = status ? status : agent_check(agent, why);
	return status ? status : finished ? STATUS_OK : STATUS_STOPPED;
}

enum status entrant_play(struct entrant *e, struct agent *agent, uint64_t trained, uint64_t config,
			 uint64_t index, struct why *why)
{
	struct tournament *t = e->tournament;
	bool logged = gamelog_has(&t->played, config, t->seed, index);
	if (logged && !entrant_trace_lacks(e, trained, index))
		return STATUS_OK;
	struct outcome outcome;
	double start = clock_thread_seconds();
	enum status status = entrant_game(e, agent, trained, index, &outcome, why);
	if (status || logged)
		return status;
	struct result result = {
	    .config = config,
	    .trained = trained,
	    .seed = t->seed,
	    .game = index,
	    .score = outcome.score,
	    .max_tile = UINT64_C(1) << outcome.max_exponent,
	    .moves = outcome.moves,
	    .seconds = t->times ? clock_thread_seconds() - start : NAN,
	    .sum = isnan(outcome.uncertainty) ? 0 : board_sum(&outcome.last),
	    .uncertainty = outcome.uncertainty,
	};
	snprintf(result.board, sizeof result.board, "%s", e->entry->game.name);
	snprintf(result.label, sizeof result.label, "%s", e->entry->label);
	snprintf(result.agent, sizeof result.agent, "%s", e->entry->agent);
	return result_log(t, &result, why);
}

enum status entrant_instance(struct entrant *e, int thread, struct agent **agent, struct why *why)
{
	enum status status = STATUS_OK;
	if (!e->agent[thread]) {
		pthread_mutex_lock(&e->lock);
		struct agent_env env = {.game = &e->entry->game,
					.owner = e->owner ? e->owner->self : NULL};
		status = agent_new(e->entry->agent, &env, &e->agent[thread], why);
		if (!status && !e->owner) {
			e->owner = e->agent[thread];
			if (e->loads)
				status = entrant_load(e, e->owner, why);
		}
		pthread_mutex_unlock(&e->lock);
	}
	*agent = e->agent[thread];
	return status;
}

void entrant_drop(struct entrant *e)
{
	for (int i = 0; i < e->tournament->threads; i++) {
		if (e->agent[i] != e->owner)
			agent_free(e->agent[i]);
		e->agent[i] = NULL;
	}
	agent_free(e->owner);
	e->owner = NULL;
}

/* Whether game INDEX is to be played here: a learner and its games stay together. */
static bool entrant_owns(const struct entrant *e, uint64_t index)
{
	const bool trains = schedule_trains(&e->entry->schedule);
	return share_owns(&e->tournament->share, trains ? e->number : e->number + index);
}

static void games_run(struct job *job, uint64_t unit, int thread)
{
	struct entrant *e = (struct entrant *)((char *)job - offsetof(struct entrant, games));
	struct agent *agent;
	struct why why;
	if (!entrant_owns(e, unit))
		return;
	enum status status = entrant_instance(e, thread, &agent, &why);
	if (!status) {
		const uint64_t trained = entry_trained(e->entry);
		status =
		    entrant_play(e, agent, trained, entry_config(e->entry, trained), unit, &why);
	}
	if (status && status != STATUS_STOPPED)
		tournament_fail(e->tournament, status, &why);
}

static void games_finish(struct job *job)
{
	entrant_drop((struct entrant *)((char *)job - offsetof(struct entrant, games)));
}

enum status entrant_init(struct entrant *entrant, struct tournament *tournament,
			 struct entry *entry, uint64_t number, struct why *why)
{
	struct agent **agents = calloc((size_t)tournament->threads, sizeof(struct agent *));
	if (!agents)
		return why_errno(why, "%d threads", tournament->threads);
	*entrant = (struct entrant){
	    .training = {.run = entrant_train, .end = 1},
	    .games = {.run = games_run,
		      .finish = games_finish,
		      .next = entry->schedule.evaluate,
		      .end = entry->schedule.evaluate + entry->schedule.games},
	    .tournament = tournament,
	    .entry = entry,
	    .number = number,
	    .loads = tournament->ranks > 1 && schedule_trains(&entry->schedule),
	    .agent = agents,
	};
	pthread_mutex_init(&entrant->lock, NULL);
	enum status status = entry->ends ? entrant_recall(entrant, why) : STATUS_OK;
	if (status)
		entrant_fini(entrant);
	return status;
}

void entrant_fini(struct entrant *entrant)
{
	entrant_drop(entrant);
	free(entrant->agent);
	pthread_mutex_destroy(&entrant->lock);
}

void entrant_enter(struct entrant *entrant)
{
	const struct entry *entry = entrant->entry;
	const struct tournament *t = entrant->tournament;
	struct progress *progress = &entrant->tournament->progress;
	const bool trains = schedule_trains(&entry->schedule);
	uint64_t owned = 0, played = 0, last = entry->schedule.repeat;
	pool_know(t->pool, &entrant->training);
	pool_know(t->pool, &entrant->games);
	if (trains && !entrant_owns(entrant, 0))
		return;
	for (uint64_t k = last > 0; k <= last; k++) {
		uint64_t trained = k ? entry_stage(entry, k) : entry->trained_before;
		if (k && !trained)
			continue;
		uint64_t config = entry_config(entry, trained);
		for (uint64_t i = 0; i < entry_games(entry, trained); i++) {
			if (!entrant_owns(entrant, i))
				continue;
			owned++;
			played += gamelog_has(&t->played, config, t->seed, i);
		}
	}
	progress->games.total += trains ? entry_total(entry) : owned;
	progress->training.total += entry->schedule.train * entry->schedule.repeat;
	progress->seconds.total += entry->schedule.seconds * entry->schedule.repeat;
	atomic_fetch_add(&progress->games.before, played);
	pool_add(t->pool, trains ? &entrant->training : &entrant->games);
}
