/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batch-relative policy learning (Math for reinforcement learning, part 2, an article on a network
 * for 2048; its results are in a third part that we have not seen).
 *
 * A network with two hidden layers looks at the board and gives every legal move a chance. In
 * training moves are drawn by them. A batch of games is judged against its own median: moves of good
 * games are what should have been said, moves of bad ones are what should not (targets and weights:
 * agents/nets/relative_targets.c; how it learns: agents/nets/relative_learn.c; games that start from layouts:
 * agents/nets/relative_course.c). First weights and Adam are as the article's tools have them by default.
 *
 * Where the article is silent:
 * - It shows layouts as tiles. Here the input is exponents, or one-hot cells (input=onehot).
 * - What an illegal move does: here only legal ones are drawn, by their rescaled chances.
 * - How the trained network plays: argmax, its "simply choose the move with highest probability", or
 *   drawn as in training (play=sample).
 *
 * Beyond it: `bad`, `among`, `minibatch`, `symmetry`, any board. docs/relative.md says what helps.
 *
 * Check value: on 4x4 with exponents, 16 * 200 + 200 * 100 + 100 * 4 weights and 304 biases.
 */
#include "agents/nets/relative.h"

#include "agents/nets/chances.h"
#include "agents/agent.h"

static enum status relative_init(void *self, const struct agent_env *env, struct why *why)
{
	struct relative *r = self;
	const struct relative *owner = env->owner;
	enum status status = STATUS_OK;
	if (owner) {
		const int play = r->settings.play;
		r->settings = owner->settings;
		r->settings.play = play;
		r->game = env->game;
		brain_borrow(&r->brain, &owner->brain);
		r->owner = owner->owner ? owner->owner : owner;
		status = brain_work_init(&r->work, &r->brain, CHANCES_ROOM, why);
	} else if (r->settings.file[0]) {
		status = agent_restore(&relative_agent, r, env->game, r->settings.file, why);
	} else {
		status = relative_make(r, env->game, why);
		if (!status) /* untrained, it plays by chance weights; learning starts anew */
			brain_start(&r->brain, 1, 0);
	}
	return status;
}

static void relative_chances(void *self, const struct turn *turns, size_t n,
			     double (*chance)[DIRECTIONS])
{
	struct relative *r = self;
	brain_chances(&r->brain, &r->work, turns, n, chance);
}

static int relative_act(void *self, const struct turn *turn, struct rng *rng,
			struct decision *decision)
{
	struct relative *r = self;
	return brain_move(&r->brain, &r->work, turn, r->settings.play == RELATIVE_SAMPLE, rng,
			  decision);
}

static uint64_t relative_trained(const void *self)
{
	const struct relative *r = self;
	return r->owner ? r->owner->batches.told : r->batches.told;
}

static enum policy_kind relative_policy_kind(const void *self)
{
	const struct relative *r = self;
	return r->settings.play == RELATIVE_SAMPLE ? POLICY_CHANCES : POLICY_FIXED;
}

const struct agent_class relative_agent = {
    .name = "relative",
    .summary = "policy network, learns from games that are good or bad within their batch",
    .params = relative_params,
    .size = sizeof(struct relative),
    .init = relative_init,
    .act = relative_act,
    .chances = relative_chances,
    .policy_kind = relative_policy_kind,
    .learn = relative_learn,
    .uses_team = true,
    .trained = relative_trained,
    .model = &relative_model,
    .fini = relative_fini,
};
