/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files of the policy network: numbers of games, the actor's weights, the critic's, and the
 * state of what fits them.
 */
#include "agents/nets/policy.h"

#include "agents/nets/chances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status critic_make(struct policy *p, struct why *why)
{
	struct brain_plan plan = p->own.plan;
	plan.width[plan.layers - 1] = 1;
	enum status status = brain_init(&p->critic, p->game, &plan, why);
	if (!status)
		status = fit_init(&p->critic_fit, &p->critic, OPTIMISER_ADAM, why);
	if (!status)
		fit_rates(&p->critic_fit, 0.9, 0.999, 1e-8);
	return status;
}

enum status policy_make(void *self, const struct game *game, struct why *why)
{
	struct policy *p = self;
	struct brain_plan plan;
	const struct policy_settings *s = &p->settings;
	const bool adam = s->optimiser == OPTIMISER_ADAM;
	p->game = game;
	enum status status = policy_plan(s, game, &plan, why);
	if (!status)
		status = brain_init(&p->own, game, &plan, why);
	if (status)
		return status;
	p->learner = true;
	status = batches_init(&p->batches, (size_t)s->batch, why);
	if (!status)
		status = fit_init(&p->fit, &p->own, (enum optimiser_kind)s->optimiser, why);
	if (!status)
		fit_rates(&p->fit, 0.9, s->rho, adam ? 1e-8 : 1e-5);
	if (!status && s->credit == CREDIT_CRITIC)
		status = critic_make(p, why);
	if (!status)
		status = brain_work_init(&p->work, &p->own, CHANCES_ROOM, why);
	if (status)
		policy_fini(p);
	return status;
}

void policy_fini(void *self)
{
	struct policy *p = self;
	brain_work_fini(&p->work);
	brain_fini(&p->own);
	if (!p->learner)
		return;
	fit_fini(&p->fit);
	fit_fini(&p->critic_fit);
	brain_fini(&p->critic);
	batches_fini(&p->batches);
	examples_fini(&p->examples);
	records_free(&p->demos);
	p->learner = false;
}

static void describe(const void *self, struct model_head *head)
{
	const struct policy *p = self;
	int sections = 1 + p->own.plan.stages + fit_section_count(&p->fit);
	if (p->settings.credit == CREDIT_CRITIC)
		sections += p->critic.plan.stages + fit_section_count(&p->critic_fit);
	head->sections = (uint32_t)sections;
	brain_layout(&p->own, head->layout);
}

static void sections(void *self, struct model_file *file)
{
	struct policy *p = self;
	batches_section(&p->batches, file);
	brain_sections(&p->own, file);
	fit_sections(&p->fit, file);
	if (p->settings.credit == CREDIT_CRITIC) {
		brain_sections(&p->critic, file);
		fit_sections(&p->critic_fit, file);
	}
}

/* Recorded games are in no model file. */
static void keep(void *self, void *before)
{
	struct policy *p = self, *from = before;
	p->demos = from->demos;
	from->demos = (struct records){0};
}

/* What a model is trained with; file and play come before it. */
const struct agent_model policy_model = {
    .params = policy_params + 2,
    .make = policy_make,
    .describe = describe,
    .sections = sections,
    .keep = keep,
};

/* A copy of the weights of FROM, which looks at boards as TO does. */
static void weights_copy(struct brain *to, const struct brain *from)
{
	for (int s = 0; s < to->plan.stages; s++)
		memcpy(to->weight[s], from->weight[s], to->net.size * sizeof *to->weight[s]);
	to->live = from->live;
}

enum status policy_weights(struct policy *p, struct why *why)
{
	char text[PARAM_TEXT_MAX + 16], mine[MODEL_LAYOUT_MAX] = "", theirs[MODEL_LAYOUT_MAX] = "";
	const struct agent_env env = {.game = p->game};
	struct agent *agent;
	snprintf(text, sizeof text, "policy:file=%s", p->settings.weights);
	enum status status = agent_new(text, &env, &agent, why);
	if (status)
		return status;
	const struct policy *other = agent->self;
	brain_layout(&p->own, mine);
	brain_layout(&other->own, theirs);
	if (strcmp(mine, theirs) != 0) {
		status = why_set(why, STATUS_INPUT, "%s: weights for '%s', expected '%s'",
				 p->settings.weights, theirs, mine);
	} else {
		weights_copy(&p->own, &other->own);
		if (p->settings.credit == CREDIT_CRITIC &&
		    other->settings.credit == CREDIT_CRITIC && brain_started(&other->critic))
			weights_copy(&p->critic, &other->critic);
	}
	agent_free(agent);
	return status;
}
