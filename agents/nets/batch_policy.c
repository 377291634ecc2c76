/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A policy that learns by batches; see batch_policy.h.
 *
 * Invariant: learned * size <= told <= (learned + 1) * size, with equality on the right only inside
 * batch_policy_learn().
 */
#include "agents/nets/batch_policy.h"

#include <stdlib.h>

enum status batch_policy_init(const struct agent_class *class, struct batch_policy *b,
			      const struct agent_env *env, struct why *why)
{
	const struct batch_policy *owner = env->owner;
	if (owner) {
		b->game = env->game;
		b->owner = owner->owner ? owner->owner : owner;
		staged_borrow(&b->network, &owner->network);
		return staged_work_init(&b->work, &b->network, CHANCES_ROOM, why);
	}
	if (b->file[0])
		return agent_restore(class, b, env->game, b->file, why);
	const enum status status = class->model->make(b, env->game, why);
	if (!status) /* untrained, it plays by chance weights; learning starts anew */
		staged_start(&b->network, 1, 0);
	return status;
}

void batch_policy_fini(struct batch_policy *b)
{
	staged_work_fini(&b->work);
	staged_fini(&b->network);
	gradient_fini(&b->gradient);
	episodes_fini(&b->episodes);
	thread_team_free(b->team);
	free(b->example);
	free(b->board);
	b->team = NULL;
	b->example = NULL;
	b->board = NULL;
	b->room = 0;
}

enum status batch_policy_make(struct batch_policy *b, const struct game *game,
			      const struct staged_plan *plan, size_t games,
			      enum optimiser_kind kind, double rho, double eps, struct why *why)
{
	b->game = game;
	enum status status = staged_init(&b->network, game, plan, why);
	if (!status)
		status = staged_work_init(&b->work, &b->network, CHANCES_ROOM, why);
	if (!status)
		status = episodes_init(&b->episodes, games, why);
	if (!status)
		status = gradient_init(&b->gradient, &b->network, kind, rho, eps, why);
	if (status)
		batch_policy_fini(b);
	return status;
}

void batch_policy_chances(void *self, const struct turn *turns, size_t n,
			  double (*chance)[DIRECTIONS])
{
	struct batch_policy *b = self;
	staged_chances(&b->network, &b->work, turns, n, chance);
}

int batch_policy_act(void *self, const struct turn *turn, struct rng *rng,
		     struct decision *decision)
{
	struct batch_policy *b = self;
	staged_chances(&b->network, &b->work, turn, 1, &decision->chance);
	for (int d = 0; d < DIRECTIONS; d++)
		if (turn->moves.legal >> d & 1)
			decision->value[d] = decision->chance[d];
	return b->play == PLAY_SAMPLE ? chances_draw(decision->chance, rng)
				      : chances_best(decision->chance);
}

uint64_t batch_policy_trained(const void *self)
{
	const struct batch_policy *b = self;
	return b->owner ? b->owner->told : b->told;
}

enum policy_kind batch_policy_kind(const void *self)
{
	const struct batch_policy *b = self;
	return b->play == PLAY_SAMPLE ? POLICY_CHANCES : POLICY_FIXED;
}

/* A team as the request wants it; fewer threads, if it cannot be had, do the same. */
static void team_suit(struct batch_policy *b, int threads)
{
	if (b->threads == threads)
		return;
	thread_team_free(b->team);
	b->team = NULL;
	if (threads > 1 && thread_team_new(threads, &b->team, NULL))
		threads = 1;
	b->threads = threads;
}

/* Tells of the games that have not been told of; false if one was the last for now. */
static bool batch_tell(struct batch_policy *b, const struct training_request *request)
{
	const uint64_t first = b->learned * b->episodes.count;
	while (b->told < first + b->episodes.count) {
		const struct outcome *outcome = &b->episodes.episode[b->told - first].outcome;
		if (b->told >= request->end)
			return false;
		b->told++;
		if (!request->over(request->context, outcome))
			return false;
	}
	return true;
}

void batch_policy_learn(struct batch_policy *b, const struct batch_rules *rules,
			const struct training_request *request)
{
	enum status status = STATUS_OK;
	bool more = b->told < request->end;
	team_suit(b, request->threads);
	if (!b->started)
		rules->start(b, request->seed);
	b->started = true;
	while (more && !status && !b->starved) {
		const uint64_t first = b->learned * b->episodes.count;
		status = episodes_play(&b->episodes, &b->network, &rules->play, request->seed,
				       first, b->team, b->threads, NULL);
		if (status)
			break;
		more = batch_tell(b, request);
		if (b->told < first + b->episodes.count)
			break;
		status = gradient_reserve(&b->gradient, NULL);
		if (!status)
			status = rules->update(b, request->seed, NULL);
		b->learned++;
		more &= b->told < request->end;
	}
	b->starved |= status != STATUS_OK;
}

enum status batch_policy_room(struct batch_policy *b, size_t n, struct why *why)
{
	b->examples = 0;
	if (n <= b->room)
		return STATUS_OK;
	const size_t room = n + n / 4;
	void *example = realloc(b->example, room * sizeof *b->example);
	b->example = example ? example : b->example;
	void *board = realloc(b->board, room * sizeof *b->board);
	b->board = board ? board : b->board;
	if (!example || !board)
		return why_set(why, STATUS_SYSTEM, "out of memory for the moves of a batch");
	b->room = room;
	return STATUS_OK;
}

void batch_policy_boards(struct batch_policy *b)
{
	for (size_t i = 0; i < b->examples; i++)
		b->board[i] = b->example[i].board;
}

/* Fisher, Yates. */
static void examples_shuffle(struct batch_policy *b, uint64_t seed, uint64_t number)
{
	struct rng rng;
	rng_init(&rng, seed, RNG_SHUFFLE, number);
	for (size_t i = b->examples; i > 1; i--) {
		const size_t j = rng_below(&rng, (uint32_t)i);
		const struct example swap = b->example[i - 1];
		b->example[i - 1] = b->example[j];
		b->example[j] = swap;
	}
}

void batch_policy_steps(struct batch_policy *b, int64_t minibatch, int64_t epochs, uint64_t seed,
			void (*step)(struct batch_policy *b, size_t first, size_t end))
{
	const size_t n = b->examples, size = minibatch ? (size_t)minibatch : n;
	for (int64_t epoch = 0; epoch < epochs; epoch++) {
		if (minibatch)
			examples_shuffle(b, seed, b->learned * (uint64_t)epochs + (uint64_t)epoch);
		for (size_t first = 0; first < n; first += size)
			step(b, first, n - first < size ? n : first + size);
	}
}

/* Examples while a step is made of them. */
struct minibatch {
	const struct batch_policy *b;
	const struct example *example;
	example_grade *grade;
};

static void minibatch_grade(void *context, size_t i, const float out[DIRECTIONS],
			    float back[DIRECTIONS])
{
	const struct minibatch *m = context;
	m->grade(m->b, &m->example[i], out, back);
}

void batch_policy_step(struct batch_policy *b, struct gradient *gradient, size_t first, size_t end,
		       example_grade *grade, double alpha, bool last)
{
	struct minibatch m = {.b = b, .example = b->example + first, .grade = grade};
	for (size_t i = first; i < end; i++)
		b->board[i] = b->example[i].board;
	gradient_step(gradient, b->team,
		      &(struct gradient_batch){.board = b->board + first,
					       .n = end - first,
					       .grade = minibatch_grade,
					       .context = &m,
					       .alpha = alpha,
					       .weight = 1.0 / (double)(end - first),
					       .last = last});
}

void batch_policy_numbers(struct batch_policy *b, struct model_file *file)
{
	if (b->starved)
		model_fail(file, STATUS_SYSTEM, "out of memory for the games of a batch");
	b->told = model_number(file, b->told, UINT64_MAX);
	b->learned = model_number(file, b->learned, UINT64_MAX);
	const uint64_t started = model_number(file, b->started, UINT64_MAX);
	b->started = started;
	if (model_reading(file) &&
	    (b->told != model_head(file)->games || b->learned != b->told / b->episodes.count ||
	     started > 1 || started < (b->told > 0)))
		model_reject(file, "numbers of games that do not agree",
			     "whole batches, and part of one");
	model_section_end(file);
}

void batch_policy_sections(struct batch_policy *b, struct model_file *file)
{
	staged_sections(&b->network, file);
	gradient_sections(&b->gradient, file);
}

int batch_policy_section_count(const struct batch_policy *b)
{
	return 1 + b->network.plan.stages + gradient_section_count(&b->gradient);
}
