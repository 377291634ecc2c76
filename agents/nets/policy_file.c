/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files of the policy network: numbers of games, the actor's weights, the critic's, and the
 * state of what fits them.
 */
#include "agents/nets/policy.h"

#include "agents/agent.h"
#include "agents/trained.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a model is trained with; file and play come before it. */
static const struct param *const trained_params = policy_params + 2;

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

enum status policy_make(struct policy *p, struct why *why)
{
	struct brain_plan plan;
	const struct policy_settings *s = &p->settings;
	const bool adam = s->optimiser == OPTIMISER_ADAM;
	enum status status = policy_plan(s, p->game, &plan, why);
	if (!status)
		status = brain_init(&p->own, p->game, &plan, why);
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

static void head_fill(const struct policy *p, struct model_head *head)
{
	const bool critic = p->settings.credit == CREDIT_CRITIC;
	int sections = 1 + p->own.plan.stages + fit_sections(&p->fit);
	if (critic)
		sections += p->critic.plan.stages + fit_sections(&p->critic_fit);
	trained_head(&policy_agent, p->game, trained_params, p, head);
	head->games = p->batches.told;
	head->sections = (uint32_t)sections;
	brain_layout(&p->own, head->layout);
}

static enum status sections_write(const void *self, struct model_writer *writer, struct why *why)
{
	const struct policy *p = self;
	const bool critic = p->settings.credit == CREDIT_CRITIC;
	enum status status = batches_save(&p->batches, writer, why);
	if (!status)
		status = brain_save(&p->own, writer, why);
	if (!status)
		status = fit_save(&p->fit, writer, why);
	if (!status && critic)
		status = brain_save(&p->critic, writer, why);
	if (!status && critic)
		status = fit_save(&p->critic_fit, writer, why);
	return status;
}

enum status policy_save(const void *self, const char *path, struct why *why)
{
	struct model_head head;
	head_fill(self, &head);
	return trained_save(path, &head, sections_write, self, why);
}

/* Reads what follows the head into P, which is new and has its settings and nothing else. */
static enum status sections_read(struct policy *p, struct model_reader *reader, struct why *why)
{
	struct model_head want;
	const bool critic = p->settings.credit == CREDIT_CRITIC;
	enum status status = policy_make(p, why);
	if (status)
		return status;
	head_fill(p, &want);
	status = model_expect(reader, &want, why);
	if (!status)
		status = batches_load(&p->batches, model_head(reader)->games, reader, why);
	if (!status)
		status = brain_load(&p->own, reader, why);
	if (!status)
		status = fit_load(&p->fit, reader, why);
	if (!status && critic)
		status = brain_load(&p->critic, reader, why);
	if (!status && critic)
		status = fit_load(&p->critic_fit, reader, why);
	if (!status)
		status = model_finish(reader, why);
	if (status)
		policy_fini(p);
	return status;
}

/* P becomes what READ is; what points into READ must point into P. */
static void policy_move(struct policy *p, const struct policy *read)
{
	const struct brain_work work = p->work;
	const struct records demos = p->demos;
	p->work = (struct brain_work){0};
	p->demos = (struct records){0};
	policy_fini(p);
	*p = *read;
	p->work = work;
	p->demos = demos;
	p->fit.brain = &p->own;
	p->critic_fit.brain = &p->critic;
}

static enum status read_from(struct policy *p, struct model_reader *reader, struct why *why)
{
	struct policy *read = params_state(sizeof *read);
	if (!read)
		return why_set(why, STATUS_SYSTEM, "out of memory for a network");
	read->settings = p->settings;
	read->game = p->game;
	enum status status = sections_read(read, reader, why);
	if (!status)
		policy_move(p, read);
	free(read);
	return status;
}

enum status policy_load(void *self, const char *path, struct why *why)
{
	struct policy *p = self;
	struct model_reader *reader;
	assert(p->learner);
	enum status status = model_open(&reader, path, why);
	if (status)
		return status;
	status = read_from(p, reader, why);
	model_close(reader);
	return status;
}

enum status policy_open(struct policy *p, struct why *why)
{
	struct model_reader *reader;
	enum status status =
	    trained_open(p->settings.file, &policy_agent, p->game, trained_params, p, &reader, why);
	if (status)
		return status;
	status = read_from(p, reader, why);
	model_close(reader);
	return status;
}

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
