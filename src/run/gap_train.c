/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trains a learner from point to point of its curve; see gap.h.
 *
 * At each point it is saved under the number of its training games, and in between once in a while
 * and when it has to stop, under a name without. It trains with one thread and as if there were no
 * end, so that at every point it is what training in one go would have made of it.
 */
#include "src/run/gap.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stddef.h>
#include <unistd.h>

/* Seconds of training that a kill may cost. */
enum { CHECKPOINT_SECONDS = 30 };

/* A learner under way. */
struct course {
	struct gap_player *player;
	struct agent *agent; /* NULL: none is made */
	uint64_t trained, end;
	double saved; /* seconds of clock.h */
};

/* Everything that training depends on is in the name, but for the number of games. */
static enum status model_name(const struct gap_player *player, char path[FOLDER_PATH_MAX],
			      struct why *why)
{
	char label[RESULT_NAME_MAX];
	path_word(player->entry->label, label);
	const uint32_t hash = (uint32_t)entry_training(player->entry, player->gap->options->seed);
	return path_format(path, why, "%s/%s-%s-%08" PRIx32, player->gap->models,
			   player->gap->game.name, label, hash);
}

enum status gap_model_path(const struct gap_stage *stage, char path[FOLDER_PATH_MAX],
			   struct why *why)
{
	char name[FOLDER_PATH_MAX];
	enum status status = model_name(stage->player, name, why);
	return status ? status : path_format(path, why, "%s-%" PRIu64 ".nxn", name, stage->trained);
}

/* Where it is saved in between. */
static enum status checkpoint_path(const struct gap_player *player, char path[FOLDER_PATH_MAX],
				   struct why *why)
{
	char name[FOLDER_PATH_MAX];
	enum status status = model_name(player, name, why);
	return status ? status : path_format(path, why, "%s.nxn", name);
}

static bool course_over(void *context, const struct outcome *outcome)
{
	struct course *c = context;
	struct gap *gap = c->player->gap;
	(void)outcome;
	c->trained++;
	atomic_fetch_add(&gap->progress.training.done, 1);
	return c->trained < c->end && !gap_ending(gap) &&
	       clock_seconds() - c->saved < CHECKPOINT_SECONDS;
}

static void course_drop(struct course *c)
{
	agent_free(c->agent);
	c->agent = NULL;
}

/* A new learner, or, if PATH is there, that in it. */
static enum status course_load(struct course *c, const char *path, struct why *why)
{
	const struct entry *entry = c->player->entry;
	const struct agent_env env = {.game = &entry->game};
	enum status status = agent_new(entry->agent, &env, &c->agent, why);
	c->trained = 0;
	if (status || !path || access(path, F_OK) != 0)
		return status;
	status = agent_load(c->agent, path, why);
	if (!status)
		c->trained = c->agent->class->trained(c->agent->self);
	return status;
}

/* The learner of which the least is missing to stage NUMBER, whose model is not there. */
static enum status course_begin(struct course *c, size_t number, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	const struct gap_stage *stage = &c->player->stage[number];
	const uint64_t before = number ? stage[-1].trained : 0;
	enum status status = checkpoint_path(c->player, path, why);
	if (!status)
		status = course_load(c, path, why);
	if (status || (c->trained >= before && c->trained <= stage->trained))
		return status;
	course_drop(c);
	if (number)
		status = gap_model_path(&stage[-1], path, why);
	return status ? status : course_load(c, number ? path : NULL, why);
}

/* Trains to the end of the stretch, with checkpoints; STATUS_STOPPED, saved, if it has to end. */
static enum status course_learn(struct course *c, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct agent *agent = c->agent;
	struct gap *gap = c->player->gap;
	const struct training_request request = {.seed = gap->options->seed,
						 .end = UINT64_MAX,
						 .threads = 1,
						 .over = course_over,
						 .context = c};
	enum status status = checkpoint_path(c->player, path, why);
	while (!status && c->trained < c->end) {
		const bool ending = gap_ending(gap);
		c->saved = clock_seconds();
		if (!ending)
			agent->class->learn(agent->self, &request);
		if (c->trained < c->end)
			status = agent_save(agent, path, why);
		if (!status && ending)
			status = STATUS_STOPPED;
	}
	return status;
}

/* Sees to it that the model of stage NUMBER is there. */
static enum status stage_train(struct course *c, size_t number, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct gap_stage *stage = &c->player->stage[number];
	struct gap *gap = c->player->gap;
	const uint64_t before = number ? stage[-1].trained : 0;
	enum status status = gap_model_path(stage, path, why);
	if (status)
		return status;
	if (access(path, F_OK) == 0) {
		course_drop(c);
		atomic_fetch_add(&gap->progress.training.before, stage->trained - before);
		return STATUS_OK;
	}
	if (!c->agent) {
		status = course_begin(c, number, why);
		if (!status)
			atomic_fetch_add(&gap->progress.training.before, c->trained - before);
	}
	c->end = stage->trained;
	if (!status)
		status = course_learn(c, why);
	return status ? status : agent_save(c->agent, path, why);
}

void gap_train_run(struct job *job, uint64_t unit, int thread)
{
	struct gap_player *player =
	    (struct gap_player *)((char *)job - offsetof(struct gap_player, training));
	struct course course = {.player = player};
	char path[FOLDER_PATH_MAX];
	enum status status = STATUS_OK;
	struct why why;
	(void)unit;
	(void)thread;
	for (size_t i = 0; !status && i < player->stages; i++) {
		status = stage_train(&course, i, &why);
		if (!status && !player->stage[i].exact)
			pool_add(player->gap->pool, &player->stage[i].games);
	}
	course_drop(&course);
	/* What is saved in between is of no use once all points are. */
	if (!status)
		status = checkpoint_path(player, path, &why);
	if (!status)
		unlink(path);
	if (status && status != STATUS_STOPPED)
		gap_fail(player->gap, status, &why);
}
