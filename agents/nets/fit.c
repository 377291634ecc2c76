/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps along gradients, on many threads; see fit.h.
 *
 * A step has two rounds of work for the team: a task for each shard of the positions, then a task
 * for each slice of the weights, which adds up the shards' gradients and makes the step.
 */
#include "agents/nets/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLICES = 16 };

enum status fit_init(struct fit *fit, struct brain *brain, enum optimiser_kind kind,
		     struct why *why)
{
	*fit = (struct fit){.brain = brain};
	enum status status = STATUS_OK;
	for (int s = 0; !status && s < brain->plan.stages; s++)
		status = optimiser_init(&fit->optimiser[s], &brain->net, kind, why);
	if (status)
		fit_fini(fit);
	return status;
}

/* The memory of shard I. */
static enum status shard_init(struct fit *fit, int i, struct why *why)
{
	const struct brain *brain = fit->brain;
	enum status status = brain_work_init(&fit->work[i], brain, FIT_ROOM, why);
	for (int s = 0; !status && s < brain->plan.stages; s++) {
		fit->gradient[i][s] = perceptron_array(&brain->net);
		if (!fit->gradient[i][s])
			status = why_set(why, STATUS_SYSTEM, "out of memory for gradients");
	}
	return status;
}

static void shards_fini(struct fit *fit)
{
	for (int i = 0; i < FIT_SHARDS; i++) {
		brain_work_fini(&fit->work[i]);
		for (int s = 0; s < BRAIN_STAGES; s++) {
			free(fit->gradient[i][s]);
			fit->gradient[i][s] = NULL;
		}
	}
}

enum status fit_ready(struct fit *fit, struct why *why)
{
	enum status status = STATUS_OK;
	for (int i = 0; !fit->ready && !status && i < FIT_SHARDS; i++)
		status = shard_init(fit, i, why);
	if (status)
		shards_fini(fit);
	fit->ready = !status;
	return status;
}

void fit_fini(struct fit *fit)
{
	for (int s = 0; s < BRAIN_STAGES; s++)
		optimiser_fini(&fit->optimiser[s]);
	shards_fini(fit);
	*fit = (struct fit){0};
}

void fit_rates(struct fit *fit, double rho1, double rho, double eps)
{
	for (int s = 0; s < BRAIN_STAGES; s++) {
		fit->optimiser[s].rho1 = rho1;
		fit->optimiser[s].rho = rho;
		fit->optimiser[s].eps = eps;
	}
}

/* TASK for 0 .. TASKS - 1, by the team if there is one. */
static void share(struct thread_team *team, thread_team_task *task, void *context, size_t tasks)
{
	if (team)
		thread_team_run(team, task, context, tasks);
	for (size_t i = 0; !team && i < tasks; i++)
		task(context, i, 0);
}

/* The positions of a chunk, which grade() knows by their number in the whole. */
struct chunk {
	const struct fit_step *step;
	size_t first;
};

static void chunk_grade(void *context, size_t i, const float out[DIRECTIONS],
			float back[DIRECTIONS])
{
	const struct chunk *chunk = context;
	chunk->step->grade(chunk->step->context, chunk->first + i, out, back);
}

struct round {
	struct fit *fit;
	const struct fit_step *step;
};

static void shard_task(void *context, size_t shard, int worker)
{
	(void)worker;
	const struct round *round = context;
	const struct fit_step *step = round->step;
	struct fit *fit = round->fit;
	for (int s = 0; s < fit->brain->plan.stages; s++)
		memset(fit->gradient[shard][s], 0, fit->brain->net.size * sizeof(float));
	fit->seen[shard] = 0;
	const size_t end = step->n * (shard + 1) / FIT_SHARDS;
	for (size_t i = step->n * shard / FIT_SHARDS; i < end; i += FIT_ROOM) {
		struct chunk chunk = {.step = step, .first = i};
		fit->seen[shard] |=
		    brain_gradient(fit->brain, &fit->work[shard], step->board + i,
				   end - i < FIT_ROOM ? end - i : FIT_ROOM, chunk_grade, &chunk,
				   step->last, fit->gradient[shard]);
	}
}

/* The bounds of slice SLICE of the weights, in whole cache lines. */
static size_t slice_start(const struct fit *fit, size_t slice)
{
	const size_t lines = fit->brain->net.size / PERCEPTRON_LANE;
	return lines * slice / SLICES * PERCEPTRON_LANE;
}

/* Adds up the gradients of slice SLICE into those of the first shard. */
static void sum_task(void *context, size_t slice, int worker)
{
	(void)worker;
	const struct round *round = context;
	struct fit *fit = round->fit;
	const size_t end = slice_start(fit, slice + 1);
	const float weight = (float)round->step->weight;
	for (int s = 0; s < fit->brain->plan.stages; s++) {
		float *sum = fit->gradient[0][s];
		for (int i = 1; i < FIT_SHARDS; i++)
			for (size_t j = slice_start(fit, slice); j < end; j++)
				sum[j] += fit->gradient[i][s][j];
		for (size_t j = slice_start(fit, slice); j < end; j++)
			sum[j] *= weight;
	}
}

/* Whether stage S has positions in this step: without any its optimiser stays as it is. */
static bool stage_seen(const struct fit *fit, int s)
{
	unsigned seen = 0;
	for (int i = 0; i < FIT_SHARDS; i++)
		seen |= fit->seen[i];
	return seen >> s & 1;
}

static void step_task(void *context, size_t slice, int worker)
{
	(void)worker;
	const struct round *round = context;
	struct fit *fit = round->fit;
	struct brain *brain = fit->brain;
	for (int s = 0; s < brain->plan.stages; s++)
		if (stage_seen(fit, s))
			optimiser_step(&fit->optimiser[s], &brain->net, round->step->alpha,
				       fit->gradient[0][s], brain->weight[s],
				       slice_start(fit, slice), slice_start(fit, slice + 1));
}

void fit_make(struct fit *fit, struct thread_team *team, const struct fit_step *step)
{
	struct round round = {.fit = fit, .step = step};
	share(team, shard_task, &round, FIT_SHARDS);
	share(team, sum_task, &round, SLICES);
	for (int s = 0; s < fit->brain->plan.stages; s++)
		if (stage_seen(fit, s))
			optimiser_begin(&fit->optimiser[s], &fit->brain->net, fit->gradient[0][s]);
	share(team, step_task, &round, SLICES);
}

struct outputs {
	struct fit *fit;
	const struct board *const *board;
	size_t n;
	float (*out)[DIRECTIONS];
};

static void outputs_task(void *context, size_t shard, int worker)
{
	(void)worker;
	const struct outputs *o = context;
	const size_t end = o->n * (shard + 1) / FIT_SHARDS;
	for (size_t i = o->n * shard / FIT_SHARDS; i < end; i += FIT_ROOM)
		brain_outputs(o->fit->brain, &o->fit->work[shard], o->board + i,
			      end - i < FIT_ROOM ? end - i : FIT_ROOM, o->out + i);
}

void fit_outputs(struct fit *fit, struct thread_team *team, const struct board *const *board,
		 size_t n, float (*out)[DIRECTIONS])
{
	struct outputs o = {.fit = fit, .board = board, .n = n, .out = out};
	share(team, outputs_task, &o, FIT_SHARDS);
}

int fit_section_count(const struct fit *fit)
{
	int tables = 0;
	for (int s = 0; s < fit->brain->plan.stages; s++)
		tables += (fit->optimiser[s].mean != NULL) + (fit->optimiser[s].square != NULL);
	return 1 + tables;
}

/* The numbers of an optimiser that change as it learns. */
static void numbers_section(struct optimiser *o, struct model_file *file)
{
	o->steps = model_number(file, o->steps, UINT64_MAX);
	for (int l = 0; l < PERCEPTRON_LAYERS; l++) {
		o->norm[l] = model_real(file, o->norm[l]);
		if (!(o->norm[l] >= 0 && isfinite(o->norm[l])))
			model_reject(file, "a sum of squares that is none", "numbers from 0 on");
	}
}

static void live_section(struct brain *brain, struct model_file *file)
{
	const uint64_t live = model_number(file, (uint64_t)brain->live, UINT64_MAX);
	if (live < 1 || live > (uint64_t)brain->plan.stages)
		model_reject(file, "a number of live stages that cannot be", "1 up to all of them");
	else
		brain->live = (int)live;
}

void fit_sections(struct fit *fit, struct model_file *file)
{
	const int stages = fit->brain->plan.stages;
	const uint64_t count = perceptron_whole(&fit->brain->net);
	for (int s = 0; s < stages; s++)
		numbers_section(&fit->optimiser[s], file);
	if (stages > 1)
		live_section(fit->brain, file);
	model_section_end(file);
	for (int s = 0; s < stages; s++) {
		const struct optimiser *o = &fit->optimiser[s];
		if (o->mean)
			model_floats(file, o->mean, count);
		if (o->square)
			model_floats(file, o->square, count);
	}
}
