/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * N-tuple networks as an agent, which learns by agents/ntuple/td.h and plays one move ahead, and as a
 * value for searches: parameters, what they make of a network and its training, and the two classes.
 */
#include "agents/ntuple/ntuple.h"

#include "agents/agent.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(struct ntuple_settings, name)

static const struct param ntuple_params[] = {
    {"file", PARAM_FILE, FIELD(file), "", 0, 0, NULL, "model file; its settings are taken with it"},
    {"tuples", PARAM_TEXT, FIELD(tuples), "auto", 0, 0, NULL,
     "cells in base 36, as in 012345,456789, or sets: lines, rectangles=RxC, snakes=N, group0, "
     "group1, group2, 4x6, 8x6; auto: 4x6, beyond 25 cells lines+rectangles=2x3"},
    {"iso", PARAM_CHOICE, FIELD(iso), "all", 0, 0, "all|1",
     "symmetric images of the board that share the weights of a tuple"},
    {"levels", PARAM_INT, FIELD(levels), "auto", 2, INDEXER_LEVELS, "auto",
     "exponents told apart, from 0 on; auto: enough for strong play"},
    {"above", PARAM_CHOICE, FIELD(above), "cap", 0, 0, "cap|downgrade",
     "larger tiles: count as the largest, or are halved with all above a missing one"},
    {"stages", PARAM_TEXT, FIELD(stages), "", 0, 0, NULL,
     "tiles from which on there are other weights, as in 8192+16384"},
    {"init", PARAM_REAL, FIELD(init), "0", -1e15, 1e15, NULL,
     "value of a position before anything is learned, points; large: optimistic"},
    {"rule", PARAM_CHOICE, FIELD(rule), "td-after", 0, 0, "td-after|td-state|q",
     "what has values: after-states, positions, or after-states with the points of the move"},
    {"update", PARAM_CHOICE, FIELD(update), "forward", 0, 0, "forward|backward",
     "learn after every move, or after the game from its end"},
    {"rate", PARAM_CHOICE, FIELD(rate), "fixed", 0, 0, "fixed|tc|visits",
     "a weight's own rate: 1, temporal coherence, 1/sqrt of its updates"},
    {"alpha", PARAM_REAL, FIELD(alpha), "0.1", 0, 1e6, NULL,
     "learning rate, shared out among the features"},
    {"alpha_end", PARAM_REAL, FIELD(alpha_end), "0.01", 1e-9, 1e6, NULL,
     "learning rate from training game alpha_games on"},
    {"alpha_games", PARAM_INT, FIELD(alpha_games), "0", 0, 1e15, NULL,
     "training games until then; 0: alpha stays"},
    {"decay", PARAM_CHOICE, FIELD(decay), "linear", 0, 0, "linear|geometric",
     "how alpha goes to alpha_end"},
    {"lambda", PARAM_REAL, FIELD(lambda), "0", 0, 1, NULL, "how far errors go back: TD(lambda)"},
    {"trace", PARAM_INT, FIELD(trace), "5", 1, TRACE_MAX, NULL,
     "moves that they go back, with update=forward"},
    {"gamma", PARAM_REAL, FIELD(gamma), "1", 0, 1, NULL, "discount of the next value"},
    {"epsilon", PARAM_REAL, FIELD(epsilon), "0", 0, 1, NULL,
     "probability of a random move in training"},
    {"error", PARAM_CHOICE, FIELD(error), "linear", 0, 0, "linear|sqrt",
     "error as it is, shared out, or its signed root for every feature"},
    {"terminal", PARAM_CHOICE, FIELD(terminal), "zero", 0, 0, "zero|neg-score",
     "reward at the end of a game: none, or minus the score"},
    {"carousel", PARAM_INT, FIELD(carousel), "0", 0, 1, NULL,
     "1: games start by turns where games began a stage"},
    {"lanes", PARAM_INT, FIELD(lanes), "auto", 1, LANES_MAX, "auto",
     "games at the same time, a thread, in training; auto: 2 up to 40 features, 1 beyond"},
    {0},
};

/* The exponent of the tile 2^k that TEXT begins with, 0 if it is none. */
static int tile_read(const char *text, char **end)
{
	const unsigned long long tile = strtoull(text, end, 10);
	if (*end == text || tile < 2 || (tile & (tile - 1)))
		return 0;
	return __builtin_ctzll(tile);
}

static enum status stages_read(const char *text, const struct game *game, struct network_plan *plan,
			       struct why *why)
{
	plan->stages = 1;
	for (const char *at = text; *at;) {
		char *end;
		const int k = tile_read(at, &end), last = plan->stages - 1;
		const bool rising = last == 0 || k > plan->threshold[last - 1];
		if (k == 0 || k > game->max_exponent || !rising || plan->stages == STAGES_MAX ||
		    (*end && (*end != '+' || !end[1])))
			return why_set(why, STATUS_INPUT,
				       "stages=%.60s: expected at most %d rising tiles that %s can "
				       "have, as in 2048+4096",
				       text, STAGES_MAX - 1, game->name);
		plan->threshold[last] = (uint8_t)k;
		plan->stages++;
		at = *end ? end + 1 : end;
	}
	return STATUS_OK;
}

/*
 * The literature's tuples where there are any and, with temporal coherence, the tables stay within
 * 16 GiB; beyond 25 cells there are too many places for them.
 */
static const char *tuples_auto(const struct game *game)
{
	if (game->cells == 4)
		return "lines";
	return game->cells <= 25 ? "4x6" : "lines+rectangles=2x3";
}

/* The network that SETTINGS describe for GAME. STATUS_INPUT if the stages cannot be read. */
static enum status network_plan(const struct ntuple_settings *settings, const struct game *game,
				struct network_plan *plan, struct why *why)
{
	const bool any = strcmp(settings->tuples, "auto") == 0;
	*plan = (struct network_plan){
	    .tuples = any ? tuples_auto(game) : settings->tuples,
	    .symmetries = settings->iso == 0 ? game->symmetries : 1,
	    .levels = settings->levels == PARAM_WORD ? 0 : (int)settings->levels,
	    .above = (enum network_above)settings->above,
	    .coherence = settings->rate != RATE_FIXED && !settings->on_demand,
	    .on_demand = settings->on_demand,
	    .visits = settings->rate == RATE_VISITS && settings->on_demand,
	    .start = settings->init,
	};
	if (plan->levels > game->max_exponent + 1)
		plan->levels = game->max_exponent + 1;
	return stages_read(settings->stages, game, plan, why);
}

/* options->lanes is 0 where the network decides. */
static void training_options(const struct ntuple_settings *s, struct td_options *options)
{
	*options = (struct td_options){
	    .rule = (enum td_rule)s->rule,
	    .order = (enum td_order)s->update,
	    .rate = (enum td_rate)s->rate,
	    .error = (enum td_error)s->error,
	    .terminal = (enum td_terminal)s->terminal,
	    .alpha = s->alpha,
	    .alpha_end = s->alpha_end,
	    .alpha_games = (uint64_t)s->alpha_games,
	    .decay = (enum td_decay)s->decay,
	    .lambda = s->lambda,
	    .gamma = s->gamma,
	    .epsilon = s->epsilon,
	    .trace = s->lambda > 0 ? (int)s->trace : 1,
	    .lanes = s->lanes == PARAM_WORD ? 0 : (int)s->lanes,
	    .carousel = s->carousel != 0,
	    .choose_last = s->choose_last,
	};
}

/*
 * A second game hides the time that the weights of the first take to come, 1.15 times the moves a
 * second with the four 6-tuples of 4x4; but with eight the two compete for the cache, and lose as much.
 */
static int lanes_auto(const struct network *network)
{
	return network->indexer.features <= 40 ? 2 : 1;
}

enum status ntuple_make(void *self, const struct game *game, struct why *why)
{
	struct ntuple *n = self;
	struct network_plan plan;
	struct td_options options;
	enum status status = network_plan(&n->settings, game, &plan, why);
	n->game = game;
	training_options(&n->settings, &options);
	if (!status)
		status = network_init(&n->own, game, &plan, why);
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

enum status ntuple_init(const struct agent_class *class, void *self, const struct game *game,
			const struct ntuple *owner, struct why *why)
{
	struct ntuple *n = self;
	if (!owner)
		return n->settings.file[0] ? agent_restore(class, self, game, n->settings.file, why)
					   : class->model->make(self, game, why);
	n->game = game;
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
	return ntuple_init(&ntuple_agent, self, env->game, env->owner, why);
}

void ntuple_learn(void *self, const struct training_request *request)
{
	struct ntuple *n = self;
	assert(n->knowledge == &n->td);
	td_learn(&n->td, request);
}

uint64_t ntuple_trained(const void *self)
{
	const struct ntuple *n = self;
	return atomic_load(&n->knowledge->games);
}

int ntuple_act(void *self, const struct turn *turn, struct rng *rng, struct decision *decision)
{
	const struct ntuple *n = self;
	(void)rng;
	return td_best(n->network, (enum td_rule)n->settings.rule, &turn->moves, decision->value);
}

enum policy_kind ntuple_policy_kind(const void *self)
{
	(void)self;
	return POLICY_FIXED;
}

static const struct agent_model model = {
    .params = ntuple_params + 1,
    .make = ntuple_make,
    .describe = ntuple_describe,
    .sections = ntuple_sections,
};

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
    .model = &model,
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
	return ntuple_init(&ntuple_agent, n, env->game, env->owner, why);
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
