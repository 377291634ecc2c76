/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy network of Dedieu and Amar, Deep Reinforcement Learning for 2048, sections 2 to 4 and 6.
 *
 * A network looks at the board and gives every legal move a chance: the softmax of its outputs, over
 * what is legal only (3.1). In training moves are drawn by them (3.1.2), or the most likely one is
 * made but for some at random (3.1.1). After a batch of games the weights learn (agents/nets/policy_learn.c)
 * to make those moves more likely that better games were made of (agents/nets/policy_credit.c). In play
 * the most likely move is made (5.1).
 *
 * The paper prints h_2 = relu(W_2 x) and p = S(W_3 x): the sizes of the matrices do not allow it, and
 * its own way back feeds each layer with the one before, so that is what is done. It has no biases;
 * they begin at 0 here and learn.
 *
 * Beyond the paper: credit by what came after a move, against a critic if wanted; steps of
 * minibatches; one symmetric image for all.
 *
 * Check value: on 4x4 with 200 and 100 hidden units, 256 * 200 + 200 * 100 + 100 * 4 weights and 304
 * biases.
 */
#include "agents/nets/policy.h"

#include "agents/nets/chances.h"
#include "agents/agent.h"

static enum status policy_init(void *self, const struct agent_env *env, struct why *why)
{
	struct policy *p = self;
	const struct policy *owner = env->owner;
	enum status status;
	if (owner) {
		const int play = p->settings.play;
		p->settings = owner->settings;
		p->settings.play = play;
		p->game = env->game;
		brain_borrow(&p->own, &owner->own);
		status = brain_work_init(&p->work, &p->own, CHANCES_ROOM, why);
	} else if (p->settings.file[0]) {
		status = agent_restore(&policy_agent, p, env->game, p->settings.file, why);
	} else {
		status = policy_make(p, env->game, why);
		if (!status) /* untrained, it plays by chance weights; learning starts anew */
			brain_start(&p->own, 1, 0);
	}
	/* Who plays out of a file has no use for what it was shown. */
	const bool learns = !owner && !p->settings.file[0];
	if (!status && learns && p->settings.demonstrations[0])
		status = records_read(p->settings.demonstrations, p->game, &p->demos, why);
	if (!status && learns && p->settings.weights[0])
		status = policy_weights(p, why);
	if (status)
		policy_fini(p);
	return status;
}

static void policy_all_chances(void *self, const struct turn *turns, size_t n,
			       double (*chance)[DIRECTIONS])
{
	struct policy *p = self;
	brain_chances(&p->own, &p->work, turns, n, chance);
}

static int policy_act(void *self, const struct turn *turn, struct rng *rng,
		      struct decision *decision)
{
	struct policy *p = self;
	return brain_move(&p->own, &p->work, turn, p->settings.play == PLAY_SAMPLE, rng, decision);
}

static uint64_t policy_trained(const void *self)
{
	return ((const struct policy *)self)->batches.told;
}

static enum policy_kind policy_policy_kind(const void *self)
{
	const struct policy *p = self;
	return p->settings.play == PLAY_SAMPLE ? POLICY_CHANCES : POLICY_FIXED;
}

const struct agent_class policy_agent = {
    .name = "policy",
    .summary = "policy network, learns from batches of its own games or from recorded ones",
    .params = policy_params,
    .size = sizeof(struct policy),
    .init = policy_init,
    .act = policy_act,
    .chances = policy_all_chances,
    .policy_kind = policy_policy_kind,
    .learn = policy_learn,
    .uses_team = true,
    .trained = policy_trained,
    .model = &policy_model,
    .fini = policy_fini,
};
