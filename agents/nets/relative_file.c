/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files of the agent relative: numbers of games, the mini-game under way if there are any, the
 * weights, and the state of what fits them.
 */
#include "agents/nets/relative.h"

#include "agents/agent.h"
#include "agents/trained.h"

#include <assert.h>
#include <stdlib.h>

/* What a model is trained with; file and play come before it. */
static const struct param *const trained_params = relative_params + 2;

enum status relative_make(struct relative *r, struct why *why)
{
	struct brain_plan plan;
	const size_t games = (size_t)r->settings.batch_size * (r->settings.random_games ? 2 : 1);
	enum status status =
	    relative_plan(&r->settings, r->game, &plan, &r->limit, &r->course, why);
	if (!status)
		status = brain_init(&r->brain, r->game, &plan, why);
	if (status)
		return status;
	r->learner = true;
	if (r->course.type != GAME_FULL)
		relative_course_begin(&r->course, 1);
	status = batches_init(&r->batches, games, why);
	if (!status)
		status = fit_init(&r->fit, &r->brain, OPTIMISER_ADAM, why);
	/* As the paper of Adam and the article's tools have it. */
	if (!status)
		fit_rates(&r->fit, 0.9, 0.999, 1e-8);
	r->games = calloc(games, sizeof *r->games);
	r->scratch = calloc(games, sizeof *r->scratch);
	if (!status && (!r->games || !r->scratch))
		status = why_set(why, STATUS_SYSTEM, "out of memory for a batch of games");
	if (status)
		relative_fini(r);
	return status;
}

void relative_fini(void *self)
{
	struct relative *r = self;
	brain_work_fini(&r->work);
	brain_fini(&r->brain);
	if (!r->learner)
		return;
	r->learner = false;
	fit_fini(&r->fit);
	batches_fini(&r->batches);
	free(r->games);
	free(r->scratch);
	free(r->lesson);
	free(r->board);
	r->games = NULL;
	r->scratch = NULL;
	r->lesson = NULL;
	r->board = NULL;
	r->room = 0;
}

static void head_fill(const struct relative *r, struct model_head *head)
{
	const int mini = r->course.type != GAME_FULL;
	trained_head(&relative_agent, r->game, trained_params, r, head);
	head->games = r->batches.told;
	head->sections = (uint32_t)(1 + mini + r->brain.plan.stages + fit_sections(&r->fit));
	brain_layout(&r->brain, head->layout);
}

static enum status sections_write(const void *self, struct model_writer *writer, struct why *why)
{
	const struct relative *r = self;
	enum status status = batches_save(&r->batches, writer, why);
	if (!status && r->course.type != GAME_FULL)
		status = relative_course_save(&r->course, writer, why);
	if (!status)
		status = brain_save(&r->brain, writer, why);
	if (!status)
		status = fit_save(&r->fit, writer, why);
	return status;
}

enum status relative_save(const void *self, const char *path, struct why *why)
{
	struct model_head head;
	head_fill(self, &head);
	return trained_save(path, &head, sections_write, self, why);
}

/* Reads what follows the head into R, which is new and has its settings and nothing else. */
static enum status sections_read(struct relative *r, struct model_reader *reader, struct why *why)
{
	struct model_head want;
	enum status status = relative_make(r, why);
	if (status)
		return status;
	head_fill(r, &want);
	status = model_expect(reader, &want, why);
	if (!status)
		status = batches_load(&r->batches, model_head(reader)->games, reader, why);
	if (!status && r->course.type != GAME_FULL)
		status = relative_course_load(&r->course, reader, why);
	if (!status)
		status = brain_load(&r->brain, reader, why);
	if (!status)
		status = fit_load(&r->fit, reader, why);
	if (!status)
		status = model_finish(reader, why);
	if (status)
		relative_fini(r);
	return status;
}

/* R becomes what READ is, but for the player's own memory; what points into READ points into R. */
static void relative_move(struct relative *r, const struct relative *read)
{
	const struct brain_work work = r->work;
	r->work = (struct brain_work){0};
	relative_fini(r);
	*r = *read;
	r->work = work;
	r->fit.brain = &r->brain;
}

static enum status read_from(struct relative *r, struct model_reader *reader, struct why *why)
{
	struct relative *read = params_state(sizeof *read);
	if (!read)
		return why_set(why, STATUS_SYSTEM, "out of memory for a network");
	read->settings = r->settings;
	read->game = r->game;
	enum status status = sections_read(read, reader, why);
	if (!status)
		relative_move(r, read);
	free(read);
	return status;
}

enum status relative_load(void *self, const char *path, struct why *why)
{
	struct relative *r = self;
	struct model_reader *reader;
	assert(r->learner);
	enum status status = model_open(&reader, path, why);
	if (status)
		return status;
	status = read_from(r, reader, why);
	model_close(reader);
	return status;
}

enum status relative_open(struct relative *r, struct why *why)
{
	struct model_reader *reader;
	enum status status = trained_open(r->settings.file, &relative_agent, r->game,
					  trained_params, r, &reader, why);
	if (status)
		return status;
	status = read_from(r, reader, why);
	model_close(reader);
	return status;
}
