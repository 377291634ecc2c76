/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The training chain of a learner in an experiment: blocks of training, each followed by an
 * evaluation; see entrant.h.
 *
 * A block of so many seconds ends with the game in which the time that it and those before it have
 * is over. Where it once ended, by its mark, it ends ever after: whoever trains anew, because games
 * got lost that need earlier weights, comes by the same weights.
 *
 * Invariant: a model is saved before any game is played with it. So the saved model is never behind
 * the log, and where the log is behind the model, by lost lines, training starts anew.
 */
#include "src/run/entrant.h"

#include "base/clock.h"
#include "src/run/marks.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

/*
 * The file of the learner's weights. Its name tells board and label, and by a hash everything that
 * training depends on, so that what another experiment left in the folder is never taken for it.
 */
static enum status model_path(const struct entrant *e, char path[FOLDER_PATH_MAX], struct why *why)
{
	char label[RESULT_NAME_MAX];
	path_word(e->entry->label, label);
	uint32_t hash = (uint32_t)entry_training(e->entry, e->tournament->seed);
	return path_format(path, why, "%s/%s-%s-%08" PRIx32 ".nxn", e->tournament->models,
			   e->entry->game.name, label, hash);
}

static enum status marks_path(const struct entrant *e, char path[FOLDER_PATH_MAX], struct why *why)
{
	char model[FOLDER_PATH_MAX];
	enum status status = model_path(e, model, why);
	return status ? status : path_format(path, why, "%s.marks", model);
}

enum status entrant_recall(struct entrant *e, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = marks_path(e, path, why);
	return status ? status : marks_ends(path, e->entry->ends, e->entry->schedule.repeat, why);
}

enum status entrant_load(struct entrant *e, struct agent *agent, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = model_path(e, path, why);
	if (!status)
		file_await(path);
	if (!status && e->entry->ends)
		status = entrant_recall(e, why);
	if (!status)
		status = agent_load(agent, path, why);
	if (status)
		return status;
	const uint64_t trained = agent->class->trained(agent->self),
		       expected = entry_trained(e->entry);
	if (trained == expected)
		return STATUS_OK;
	return why_set(why, STATUS_SYSTEM,
		       "%s: is of %" PRIu64 " training games, not of all %" PRIu64, path, trained,
		       expected);
}

/* A learner in training. */
struct chain {
	struct entrant *entrant;
	struct agent *agent;
	uint64_t trained;
	double seconds; /* behind it, of processor time; NAN if unknown */
	uint64_t block; /* that ended with the last game; 0 in the midst of one, or before any */
	uint64_t next;	/* the block that is being trained, or the next */
	double started; /* seconds of this thread when learning began */
	uint64_t shown; /* whole seconds that the progress line knows of */
};

/* The seconds behind the learner now, while it learns. */
static double chain_seconds(const struct chain *c)
{
	return c->seconds + clock_thread_seconds() - c->started;
}

/* Whether the block in training ends with the last game. */
static bool block_ends(const struct chain *c)
{
	const struct entry *entry = c->entrant->entry;
	const struct schedule *s = &entry->schedule;
	uint64_t end = entry_stage(entry, c->next);
	return end ? c->trained == end : chain_seconds(c) >= (double)(s->seconds * c->next);
}

/* Finds out in which block a learner of c->trained games is. */
static void chain_place(struct chain *c)
{
	const struct entry *entry = c->entrant->entry;
	c->next = 1;
	c->block = 0;
	for (uint64_t k = 1; c->trained > 0 && k <= entry->schedule.repeat; k++) {
		uint64_t end = entry_stage(entry, k);
		if (end == 0 || end > c->trained)
			break;
		c->block = end == c->trained ? k : 0;
		c->next = k + 1;
	}
}

enum { NEEDED_NOTHING = -1, NEEDED_ANY = -2 };

/*
 * The training games behind the earliest game that is missing, or that nobody knows how many these
 * are, or that none is missing.
 */
static uint64_t training_needed(const struct entrant *e)
{
	const struct tournament *t = e->tournament;
	for (uint64_t k = 1; k <= e->entry->schedule.repeat; k++) {
		uint64_t trained = entry_stage(e->entry, k);
		if (!trained)
			return (uint64_t)NEEDED_ANY;
		uint64_t config = entry_config(e->entry, trained);
		for (uint64_t i = 0; i < entry_games(e->entry, trained); i++)
			if (!gamelog_has(&t->played, config, t->seed, i) ||
			    entrant_trace_lacks(e, trained, i))
				return trained;
	}
	return (uint64_t)NEEDED_NOTHING;
}

/* Traces games of the learner before it has learned anything, which are in no log. */
static enum status untrained_trace(struct entrant *e, int thread, struct why *why)
{
	enum status status = STATUS_OK;
	bool made = false;
	const struct training_request beginning = {.seed = e->tournament->seed, .threads = 1};
	for (uint64_t i = 0; !status && i < e->tournament->traced; i++) {
		struct agent *agent;
		struct outcome outcome;
		if (!entrant_trace_lacks(e, 0, i))
			continue;
		status = entrant_instance(e, thread, &agent, why);
		if (!status && !made)
			agent->class->learn(agent->self, &beginning);
		made = true;
		status = status ? status : entrant_game(e, agent, 0, i, &outcome, why);
	}
	if (made)
		entrant_drop(e);
	return status;
}

/* Makes the learner as the saved model has it, or new if there is none that comes before NEEDED. */
static enum status training_resume(struct chain *c, int thread, uint64_t needed, struct why *why)
{
	struct entrant *e = c->entrant;
	char path[FOLDER_PATH_MAX], marks[FOLDER_PATH_MAX];
	enum status status = model_path(e, path, why);
	if (!status)
		status = marks_path(e, marks, why);
	if (!status)
		status = entrant_instance(e, thread, &c->agent, why);
	if (status || access(path, F_OK) != 0)
		return status;
	status = agent_load(c->agent, path, why);
	if (status)
		return status;
	c->trained = c->agent->class->trained(c->agent->self);
	if (marks_seconds(marks, c->trained, &c->seconds, why))
		return STATUS_SYSTEM;
	bool lost = e->entry->ends && isnan(c->seconds);
	if (c->trained <= needed && !lost)
		return STATUS_OK;
	c->trained = 0;
	c->seconds = 0;
	entrant_drop(e);
	return entrant_instance(e, thread, &c->agent, why);
}

/* Tells the progress line of a game: games, or of training by time whole seconds. */
static void chain_show(struct chain *c)
{
	struct progress *progress = &c->entrant->tournament->progress;
	if (!c->entrant->entry->ends) {
		atomic_fetch_add(&progress->training.done, 1);
		return;
	}
	uint64_t seconds = (uint64_t)chain_seconds(c);
	if (seconds > c->shown) {
		atomic_fetch_add(&progress->seconds.done, seconds - c->shown);
		c->shown = seconds;
	}
}

static bool training_over(void *context, const struct outcome *outcome)
{
	struct chain *c = context;
	struct tournament *t = c->entrant->tournament;
	(void)outcome;
	c->trained++;
	chain_show(c);
	if (block_ends(c))
		c->block = c->next;
	return !c->block && !tournament_ending(t);
}

/* Writes down what is behind the weights, before they are saved. */
static enum status training_mark(const struct chain *c, struct why *why)
{
	struct entrant *e = c->entrant;
	char path[FOLDER_PATH_MAX];
	enum status status = marks_path(e, path, why);
	const struct mark mark = {.trained = c->trained, .seconds = c->seconds, .block = c->block};
	return status ? status : mark_append(path, &mark, why);
}

static enum status training_save(struct chain *c, struct why *why)
{
	struct entrant *e = c->entrant;
	char path[FOLDER_PATH_MAX];
	bool times = e->entry->ends || e->tournament->times;
	enum status status = model_path(e, path, why);
	if (!status && times && !isnan(c->seconds))
		status = training_mark(c, why);
	return status ? status : agent_save(c->agent, path, why);
}

/* A block that is trained again counts with the time that it took when it ended where it does. */
static enum status seconds_recall(struct chain *c, struct why *why)
{
	double seconds;
	char path[FOLDER_PATH_MAX];
	enum status status = marks_path(c->entrant, path, why);
	if (!status)
		status = marks_seconds(path, c->trained, &seconds, why);
	if (!status && !isnan(seconds))
		c->seconds = seconds;
	return status;
}

/* Trains up to the end of the block and saves; also when it has to stop on the way. */
static enum status training_block(struct chain *c, struct why *why)
{
	struct entrant *e = c->entrant;
	struct tournament *t = e->tournament;
	/* Without an end, so that the games to come are begun, and weights are those of longer training. */
	const struct training_request request = {
	    .seed = t->seed, .end = UINT64_MAX, .threads = 1, .over = training_over, .context = c};
	c->block = 0;
	c->started = clock_thread_seconds();
	if (!tournament_ending(t))
		c->agent->class->learn(c->agent->self, &request);
	c->seconds = chain_seconds(c);
	if (c->block && e->entry->ends)
		e->entry->ends[c->block - 1] = c->trained;
	c->next += c->block > 0;
	enum status status = c->block && e->entry->ends ? seconds_recall(c, why) : STATUS_OK;
	if (!status)
		status = training_save(c, why);
	return status ? status : c->block ? STATUS_OK : STATUS_STOPPED;
}

/* Logs the time behind the weights, unless an earlier run has. */
static enum status training_log(const struct chain *c, uint64_t config, struct why *why)
{
	struct tournament *t = c->entrant->tournament;
	enum status status = STATUS_OK;
	if (!t->times || isnan(c->seconds) || !isnan(gamelog_training(&t->played, config)))
		return STATUS_OK;
	pthread_mutex_lock(&t->lock);
	if (!t->status)
		status = gamelog_append_training(&t->log, config, c->seconds, why);
	pthread_mutex_unlock(&t->lock);
	return status;
}

static enum status training_evaluate(const struct chain *c, struct why *why)
{
	struct entrant *e = c->entrant;
	uint64_t config = entry_config(e->entry, c->trained);
	enum status status = training_log(c, config, why);
	for (uint64_t i = 0; !status && i < e->entry->schedule.evaluate; i++)
		status = entrant_play(e, c->agent, c->trained, config, i, why);
	return status;
}

/* Trains and evaluates to the end. */
static enum status training_run(struct chain *c, struct why *why)
{
	enum status status = STATUS_OK;
	const uint64_t last = c->entrant->entry->schedule.repeat;
	while (!status) {
		if (c->block)
			status = training_evaluate(c, why);
		if (status || c->block == last)
			break;
		status = training_block(c, why);
	}
	return status;
}

void entrant_train(struct job *job, uint64_t unit, int thread)
{
	(void)unit;
	struct why why;
	struct entrant *e = (struct entrant *)((char *)job - offsetof(struct entrant, training));
	struct tournament *t = e->tournament;
	struct chain c = {.entrant = e};
	e->loads = false;
	enum status status = untrained_trace(e, thread, &why);
	if (status) {
		if (status != STATUS_STOPPED)
			tournament_fail(t, status, &why);
		return;
	}
	uint64_t needed = training_needed(e);
	const struct schedule *s = &e->entry->schedule;
	if (needed == (uint64_t)NEEDED_NOTHING) {
		atomic_fetch_add(&t->progress.training.before, s->train * s->repeat);
		atomic_fetch_add(&t->progress.seconds.before, s->seconds * s->repeat);
		return;
	}
	status = training_resume(&c, thread, needed, &why);
	chain_place(&c);
	if (e->entry->ends)
		atomic_fetch_add(&t->progress.seconds.before, c.shown = (uint64_t)c.seconds);
	else
		atomic_fetch_add(&t->progress.training.before, c.trained);
	if (!status)
		status = training_run(&c, &why);
	if (status && status != STATUS_STOPPED)
		tournament_fail(t, status, &why);
	const bool plays = !status && e->games.next < e->games.end;
	/* All ranks play with the saved model, so this one forgets its own with them. */
	e->loads = t->ranks > 1;
	if (!plays || e->loads)
		entrant_drop(e);
	if (plays)
		pool_add(t->pool, &e->games);
}
