/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The training chain of a learner in an experiment: blocks of training games, each followed by an
 * evaluation; see entrant.h.
 *
 * Invariant: a model is saved before any game is played with it. So the saved model is never behind
 * the log, and where the log is behind the model, by lost lines, training starts anew.
 */
#include "src/entrant.h"

#include "agents/play.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
		status = entrant_instance(e, thread, &agent, why);
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
	entrant_drop(e);
	return entrant_instance(e, thread, &agent, why);
}

static bool training_over(void *context, const struct outcome *outcome)
{
	struct tournament *t = context;
	(void)outcome;
	atomic_fetch_add(&t->progress.training.done, 1);
	return !tournament_ending(t);
}

/* Trains up to the end of the block and saves; also when it has to stop on the way. */
static enum status training_block(struct entrant *e, struct why *why)
{
	struct agent *agent = e->owner;
	struct tournament *t = e->tournament;
	uint64_t trained = agent->class->trained(agent->self);
	uint64_t end = (trained / e->entry->schedule.train + 1) * e->entry->schedule.train;
	const struct lesson lesson = {
	    .seed = t->seed, .end = end, .threads = 1, .over = training_over, .context = t};
	if (!tournament_ending(t))
		agent->class->learn(agent->self, &lesson);
	trained = agent->class->trained(agent->self);
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
		status = entrant_play(e, e->owner, trained, config, i, why);
	return status;
}

void entrant_train(struct job *job, uint64_t unit, int thread)
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
		entrant_drop(e);
}
