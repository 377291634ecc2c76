/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files of the agent relative: numbers of games, the mini-game under way if there are any, the
 * weights, and the state of what fits them.
 */
#include "agents/nets/relative.h"

#include "agents/nets/chances.h"

#include <stdlib.h>

enum status relative_make(void *self, const struct game *game, struct why *why)
{
	struct relative *r = self;
	struct brain_plan plan;
	const size_t games = (size_t)r->settings.batch_size * (r->settings.random_games ? 2 : 1);
	r->game = game;
	enum status status = relative_plan(&r->settings, game, &plan, &r->limit, &r->course, why);
	if (!status)
		status = brain_init(&r->brain, game, &plan, why);
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
	if (!status)
		status = brain_work_init(&r->work, &r->brain, CHANCES_ROOM, why);
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

static void describe(const void *self, struct model_head *head)
{
	const struct relative *r = self;
	const int mini = r->course.type != GAME_FULL;
	head->sections = (uint32_t)(1 + mini + r->brain.plan.stages + fit_section_count(&r->fit));
	brain_layout(&r->brain, head->layout);
}

static void sections(void *self, struct model_file *file)
{
	struct relative *r = self;
	batches_section(&r->batches, file);
	if (r->course.type != GAME_FULL)
		relative_course_section(&r->course, file);
	brain_sections(&r->brain, file);
	fit_sections(&r->fit, file);
}

/* What a model is trained with; file and play come before it. */
const struct agent_model relative_model = {
    .params = relative_params + 2,
    .make = relative_make,
    .describe = describe,
    .sections = sections,
};
