/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays and trains one entry of an experiment; see entrant.h.
 *
 * Invariant: a game is appended to the log once it is over and not before, and a model is saved
 * before any game is played with it. So whatever kills the process, the log and the model tell
 * exactly what is left to do.
 */
#include "src/entrant.h"

#include "agents/play.h"
#include "src/stop.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool tournament_ending(const struct tournament *tournament)
{
	return stop_requested() || atomic_load_explicit(&tournament->failed, memory_order_relaxed);
}

void tournament_fail(struct tournament *tournament, enum status status, const struct why *why)
{
	pthread_mutex_lock(&tournament->lock);
	if (!tournament->status) {
		tournament->status = status;
		tournament->why = *why;
		atomic_store(&tournament->failed, true);
	}
	pthread_mutex_unlock(&tournament->lock);
}

/* Seconds of this thread on a processor, so that crowded machines do not look like slow players. */
static double thread_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool go_on(void *context, const struct turn *turn, int move, const struct verdict *verdict)
{
	(void)turn;
	(void)move;
	(void)verdict;
	return !tournament_ending(context);
}

/* Plays game INDEX, unless an earlier run has, and logs it. STATUS_STOPPED if it was abandoned. */
static enum status play_one(struct entrant *e, struct agent *agent, uint64_t trained,
			    uint64_t config, uint64_t index, struct why *why)
{
	struct tournament *t = e->tournament;
	if (gamelog_has(&t->played, config, t->seed, index))
		return STATUS_OK;
	struct outcome outcome;
	struct play_watch watch = {.move = go_on, .context = t};
	double start = thread_seconds();
	if (!play_game(agent, t->seed, index, &watch, &outcome))
		return STATUS_STOPPED;
	struct result result = {
	    .config = config,
	    .trained = trained,
	    .seed = t->seed,
	    .game = index,
	    .score = outcome.score,
	    .max_tile = UINT64_C(1) << outcome.max_exponent,
	    .moves = outcome.moves,
	    .seconds = t->times ? thread_seconds() - start : NAN,
	};
	snprintf(result.board, sizeof result.board, "%s", e->entry->game.name);
	snprintf(result.label, sizeof result.label, "%s", e->entry->label);
	snprintf(result.agent, sizeof result.agent, "%s", e->entry->agent);
	enum status status = gamelog_append(&t->log, &result, why);
	if (!status)
		atomic_fetch_add(&t->progress.games.done, 1);
	return status;
}

/* The instance of THREAD, made when it is first asked for. */
static enum status instance(struct entrant *e, int thread, struct agent **agent, struct why *why)
{
	enum status status = STATUS_OK;
	if (!e->agent[thread]) {
		pthread_mutex_lock(&e->lock);
		struct agent_env env = {.game = &e->entry->game,
					.owner = e->owner ? e->owner->self : NULL};
		status = agent_new(e->entry->agent, &env, &e->agent[thread], why);
		if (!status && !e->owner)
			e->owner = e->agent[thread];
		pthread_mutex_unlock(&e->lock);
	}
	*agent = e->agent[thread];
	return status;
}

static void instances_free(struct entrant *e)
{
	for (int i = 0; i < e->tournament->threads; i++) {
		if (e->agent[i] != e->owner)
			agent_free(e->agent[i]);
		e->agent[i] = NULL;
	}
	agent_free(e->owner);
	e->owner = NULL;
}

static void games_run(struct job *job, uint64_t unit, int thread)
{
	struct entrant *e = (struct entrant *)((char *)job - offsetof(struct entrant, games));
	struct agent *agent;
	struct why why;
	enum status status = instance(e, thread, &agent, &why);
	if (!status)
		status = play_one(e, agent, entry_trained(e->entry), e->config, unit, &why);
	if (status && status != STATUS_STOPPED)
		tournament_fail(e->tournament, status, &why);
}

static void games_finish(struct job *job)
{
	instances_free((struct entrant *)((char *)job - offsetof(struct entrant, games)));
}

/*
 * The file of the learner's weights. Its name tells board and label, and by a hash everything that
 * training depends on, so that what another experiment left in the folder is never taken for it.
 */
static enum status model_path(const struct entrant *e, char path[FOLDER_PATH_MAX], struct why *why)
{
	char label[RESULT_NAME_MAX];
	snprintf(label, sizeof label, "%s", e->entry->label);
	for (char *c = label; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-=", *c))
			*c = '_';
	uint32_t hash = (uint32_t)entry_training(e->entry, e->tournament->seed);
	return path_format(path, why, "%s/%s-%s-%08" PRIx32 ".nxn", e->tournament->models,
			   e->entry->game.name, label, hash);
}

/* The training games behind the earliest game that is missing, or UINT64_MAX. */
static uint64_t training_needed(const struct entrant *e)
{
	const struct tournament *t = e->tournament;
	for (uint64_t k = 1; k <= e->entry->schedule.repeat; k++) {
		uint64_t trained = k * e->entry->schedule.train;
		uint64_t config = entry_config(e->entry, trained);
		for (uint64_t i = 0; i < entry_games(e->entry, trained); i++)
			if (!gamelog_has(&t->played, config, t->seed, i))
				return trained;
	}
	return UINT64_MAX;
}

/* Makes the learner as the saved model has it, or new if there is none that comes before NEEDED. */
static enum status training_resume(struct entrant *e, int thread, uint64_t needed, struct why *why)
{
	struct agent *agent;
	char path[FOLDER_PATH_MAX];
	enum status status = model_path(e, path, why);
	if (!status)
		status = instance(e, thread, &agent, why);
	if (status || access(path, F_OK) != 0)
		return status;
	status = agent->class->load(agent->self, path, why);
	if (status)
		return status;
	uint64_t trained = agent->class->trained(agent->self);
	if (trained <= needed) {
		atomic_fetch_add(&e->tournament->progress.training.before, trained);
		return STATUS_OK;
	}
	instances_free(e);
	return instance(e, thread, &agent, why);
}

/* Trains up to the end of the block and saves; also when it has to stop on the way. */
static enum status training_block(struct entrant *e, struct why *why)
{
	struct agent *agent = e->owner;
	struct tournament *t = e->tournament;
	uint64_t trained = agent->class->trained(agent->self);
	uint64_t end = (trained / e->entry->schedule.train + 1) * e->entry->schedule.train;
	for (; trained < end && !tournament_ending(t); trained++) {
		struct outcome outcome;
		agent->class->learn(agent->self, t->seed, trained, &outcome);
		atomic_fetch_add(&t->progress.training.done, 1);
	}
	char path[FOLDER_PATH_MAX];
	enum status status = model_path(e, path, why);
	if (!status)
		status = agent->class->save(agent->self, path, why);
	return status ? status : trained < end ? STATUS_STOPPED : STATUS_OK;
}

static enum status training_evaluate(struct entrant *e, uint64_t trained, struct why *why)
{
	enum status status = STATUS_OK;
	uint64_t config = entry_config(e->entry, trained);
	for (uint64_t i = 0; !status && i < e->entry->schedule.evaluate; i++)
		status = play_one(e, e->owner, trained, config, i, why);
	return status;
}

/* The whole chain: block after block of training, each with its evaluation. */
static void training_run(struct job *job, uint64_t unit, int thread)
{
	(void)unit;
	struct entrant *e = (struct entrant *)((char *)job - offsetof(struct entrant, training));
	struct tournament *t = e->tournament;
	uint64_t trained = 0, end = entry_trained(e->entry), needed = training_needed(e);
	if (needed == UINT64_MAX) {
		atomic_fetch_add(&t->progress.training.before, end);
		return;
	}
	struct why why;
	enum status status = training_resume(e, thread, needed, &why);
	if (!status)
		trained = e->owner->class->trained(e->owner->self);
	while (!status) {
		if (trained > 0 && trained % e->entry->schedule.train == 0)
			status = training_evaluate(e, trained, &why);
		if (status || trained == end)
			break;
		status = training_block(e, &why);
		trained = e->owner->class->trained(e->owner->self);
	}
	if (status && status != STATUS_STOPPED)
		tournament_fail(t, status, &why);
	else if (!status && e->games.next < e->games.end)
		pool_add(t->pool, &e->games);
	else
		instances_free(e);
}

enum status entrant_init(struct entrant *entrant, struct tournament *tournament,
			 const struct entry *entry, struct why *why)
{
	struct agent **agents = calloc((size_t)tournament->threads, sizeof(struct agent *));
	if (!agents)
		return why_errno(why, "%d threads", tournament->threads);
	*entrant = (struct entrant){
	    .training = {.run = training_run, .end = 1},
	    .games = {.run = games_run,
		      .finish = games_finish,
		      .next = entry->schedule.evaluate,
		      .end = entry->schedule.evaluate + entry->schedule.games},
	    .tournament = tournament,
	    .entry = entry,
	    .config = entry_config(entry, entry_trained(entry)),
	    .agent = agents,
	};
	pthread_mutex_init(&entrant->lock, NULL);
	return STATUS_OK;
}

void entrant_fini(struct entrant *entrant)
{
	instances_free(entrant);
	free(entrant->agent);
	pthread_mutex_destroy(&entrant->lock);
}

void entrant_enter(struct entrant *entrant)
{
	const struct entry *entry = entrant->entry;
	const struct tournament *t = entrant->tournament;
	struct progress *progress = &entrant->tournament->progress;
	uint64_t played = 0, last = entry->schedule.repeat;
	for (uint64_t k = last > 0; k <= last; k++) {
		uint64_t trained = entry->trained_before + k * entry->schedule.train;
		uint64_t config = entry_config(entry, trained);
		for (uint64_t i = 0; i < entry_games(entry, trained); i++)
			played += gamelog_has(&t->played, config, t->seed, i);
	}
	progress->games.total += entry_total(entry);
	progress->training.total += entry->schedule.train * entry->schedule.repeat;
	atomic_fetch_add(&progress->games.before, played);
	pool_add(t->pool, entry->schedule.train ? &entrant->training : &entrant->games);
}
