/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * N-tuple networks as an agent, which learns by agents/ntuple/td.h and plays one move ahead, and as a value
 * for searches.
 */
#include "agents/ntuple/ntuple.h"

#include "agents/registry.h"

#include <assert.h>
#include <string.h>

/*
 * A second game hides the time that the weights of the first take to come, 1.15 times the moves a
 * second with the four 6-tuples of 4x4; but with eight the two compete for the cache, and lose as much.
 */
static int lanes_auto(const struct network *network)
{
	return network->indexer.features <= 40 ? 2 : 1;
}

enum status ntuple_make(struct ntuple *n, struct why *why)
{
	struct network_plan plan;
	struct td_options options;
	enum status status = ntuple_plan(&n->settings, n->game, &plan, why);
	ntuple_options(&n->settings, &options);
	if (!status)
		status = network_init(&n->own, n->game, &plan, why);
	if (status)
		return status;
	if (!options.lanes)
		options.lanes = lanes_auto(&n->own);
	status = td_init(&n->td, &n->own, &options, why);
	if (status) {
		network_fini(&n->own);
		return status;
	}
	n->network = &n->own;
	n->knowledge = &n->td;
	return STATUS_OK;
}

static enum status ntuple_init(struct ntuple *n, const struct game *game,
			       const struct ntuple *owner, struct why *why)
{
	n->game = game;
	if (!owner)
		return n->settings.file[0] ? ntuple_open(n, why) : ntuple_make(n, why);
	n->network = owner->network;
	n->knowledge = owner->knowledge;
	n->settings = owner->settings;
	return STATUS_OK;
}

void ntuple_fini(void *self)
{
	struct ntuple *n = self;
	if (n->knowledge != &n->td)
		return;
	td_fini(&n->td);
	network_fini(&n->own);
}

static enum status agent_init(void *self, const struct agent_env *env, struct why *why)
{
	return ntuple_init(self, env->game, env->owner, why);
}

static void ntuple_learn(void *self, const struct training_request *request)
{
	struct ntuple *n = self;
	assert(n->knowledge == &n->td);
	td_learn(&n->td, request);
}

static uint64_t ntuple_trained(const void *self)
{
	const struct ntuple *n = self;
	return atomic_load(&n->knowledge->games);
}

static int ntuple_act(void *self, const struct turn *turn, struct rng *rng,
		      struct decision *decision)
{
	const struct ntuple *n = self;
	(void)rng;
	return td_best(n->network, (enum td_rule)n->settings.rule, &turn->moves, decision->value);
}

static enum policy_kind ntuple_policy_kind(const void *self)
{
	(void)self;
	return POLICY_FIXED;
}

const struct agent_class ntuple_agent = {
    .name = "ntuple",
    .summary = "n-tuple network, one move ahead; learns by temporal differences",
    .params = ntuple_params,
    .size = sizeof(struct ntuple),
    .init = agent_init,
    .act = ntuple_act,
    .policy_kind = ntuple_policy_kind,
    .learn = ntuple_learn,
    .shared = true,
    .trained = ntuple_trained,
    .save = ntuple_save,
    .load = ntuple_load,
    .fini = ntuple_fini,
};

static const struct param value_params[] = {
    {"file", PARAM_FILE, offsetof(struct ntuple, settings.file), "", 0, 0, NULL,
     "model file of the agent ntuple"},
    {0},
};

static enum status value_start(void *self, const struct value_env *env, struct why *why)
{
	struct ntuple *n = self;
	if (!n->settings.file[0])
		return why_set(why, STATUS_INPUT,
			       "value=ntuple: expected a model file, as in value=ntuple:FILE");
	char file[PARAM_TEXT_MAX];
	memcpy(file, n->settings.file, sizeof file);
	params_default(ntuple_params, n);
	memcpy(n->settings.file, file, sizeof file);
	return ntuple_init(n, env->game, env->owner, why);
}

/* The largest Q of BOARD's moves, 0 if it has none. */
static double best_q(const struct ntuple *n, const struct board *board)
{
	struct moves moves;
	double value[DIRECTIONS];
	n->game->moves(board, &moves);
	return moves.legal ? value[td_best(n->network, RULE_Q, &moves, value)] : 0;
}

static void value_evaluate(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct ntuple *value = self;
	if (value->settings.rule != RULE_Q)
		network_eval(value->network, boards, n, out);
	else
		for (size_t i = 0; i < n; i++)
			out[i] = best_q(value, &boards[i]);
}

/* Q of an after-state holds the points of the move to it, which a search would add once more. */
static bool value_of_after_states(const void *self)
{
	return ((const struct ntuple *)self)->settings.rule == RULE_TD_AFTER;
}

const struct value_class ntuple_value = {
    .name = "ntuple",
    .summary = "n-tuple network out of a model file, in points",
    .params = value_params,
    .size = sizeof(struct ntuple),
    .in_points = true,
    .init = value_start,
    .fini = ntuple_fini,
    .of_after_states = value_of_after_states,
    .eval = value_evaluate,
};
