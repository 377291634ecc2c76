/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Q-learning with tables of lines and rectangles (Mayer-Hirshfeld, Navarro, Saleh: AI Agent for
 * 2048, section 4): an n-tuple network with the tuples and the update of the paper.
 *
 * The features phi(s, a) are what each row, column, 2x3 and 3x2 rectangle shows in the after-state of
 * a, each with weights of its own; no symmetry is shared. 4x4: 8 lines and 12 rectangles, 5x5: 10 and
 * 24, 6x6: 12 and 40. After every move of a training game, which follows the greatest Q,
 *
 *	delta = Q(s, a) - (r + gamma V(s')),     V(s') = max over legal a' of Q(s', a')
 *	w_i  -= step(eta delta) / sqrt(freq_i)   for each feature i of phi(s, a)
 *
 * with freq_i the number of updates of w_i, this one included (up to 2^24). When s' has no legal move,
 * V(s') = 0 and r = -score, the score with the last reward in it (terminal=neg-score), or r as it is
 * (zero).
 *
 * Where the paper leaves it open, or we deviate:
 * - Q(s, a) = r(s, a) + sum of w_i, for an after-state cannot tell the reward that led to it.
 *   reward=learned is the sum alone: the weights have to learn the points as well.
 * - error=sqrt: step(x) = sign(x) sqrt|x|, the printed square root made to work for both signs.
 * - error=linear: step(x) = x / (number of features). Without the division eta = 1 diverges: all
 *   features of one after-state would each correct the whole error.
 * - A move is chosen after the update by the one before. Ties go to the first of up, right, down, left.
 *   There is no exploration unless epsilon > 0.
 * What each part is worth on each board: docs/qlearning.md.
 *
 * Check value: one update from zero weights with error=linear makes Q(s, a) the target exactly.
 */
#include "agents/ntuple/ntuple.h"
#include "agents/agent.h"

#include <stdio.h>
#include <string.h>

struct qlearn {
	struct ntuple ntuple;
	int error, terminal, scale, reward; /* choices */
	int64_t levels;
};

#define FIELD(name) offsetof(struct qlearn, name)

static const struct param qlearn_params[] = {
    {"file", PARAM_FILE, FIELD(ntuple.settings.file), "", 0, 0, NULL,
     "model file; its settings are taken with it"},
    {"eta", PARAM_REAL, FIELD(ntuple.settings.alpha), "1", 0, 1e6, NULL,
     "step size, before the root is taken"},
    {"gamma", PARAM_REAL, FIELD(ntuple.settings.gamma), "1", 0, 1, NULL,
     "discount of the value of the next state"},
    {"epsilon", PARAM_REAL, FIELD(ntuple.settings.epsilon), "0", 0, 1, NULL,
     "probability of a random move in training"},
    {"error", PARAM_CHOICE, FIELD(error), "sqrt", 0, 0, "sqrt|linear",
     "what becomes of the error before it is spread over the features"},
    {"terminal", PARAM_CHOICE, FIELD(terminal), "neg-score", 0, 0, "neg-score|zero",
     "reward of a move that loses: minus the score, or its points"},
    {"scale", PARAM_CHOICE, FIELD(scale), "visits", 0, 0, "visits|none",
     "divide updates by the root of the number of visits, or not"},
    {"reward", PARAM_CHOICE, FIELD(reward), "added", 0, 0, "added|learned",
     "points of a move: added to the sum of weights, or left to them"},
    {"levels", PARAM_INT, FIELD(levels), "0", 0, INDEXER_LEVELS, NULL,
     "largest exponent told apart, plus 1; 0 for all of the board's"},
    {0},
};

/* On 2x2 there is no rectangle of 2x3. */
static enum status qlearn_make(void *self, const struct game *game, struct why *why)
{
	const struct qlearn *q = self;
	struct ntuple_settings *s = self;
	if (q->levels == 1)
		return why_set(why, STATUS_INPUT, "qlearn: levels=1: expected 0, or from 2 to %d",
			       INDEXER_LEVELS);
	strcpy(s->tuples, game->cells < 6 ? "lines" : "lines+rectangles=2x3");
	s->iso = 1;
	s->levels = q->levels ? q->levels : game->max_exponent + 1;
	s->rule = q->reward == 0 ? RULE_Q_ADDED : RULE_Q;
	s->rate = q->scale == 0 ? RATE_VISITS : RATE_FIXED;
	s->error = q->error == 0 ? ERROR_SQRT : ERROR_LINEAR;
	s->terminal = q->terminal == 0 ? TERMINAL_NEG_SCORE : TERMINAL_ZERO;
	s->lanes = 1;
	s->on_demand = s->choose_last = true;
	return ntuple_make(self, game, why);
}

static enum status qlearn_init(void *self, const struct agent_env *env, struct why *why)
{
	return ntuple_init(&qlearn_agent, self, env->game, env->owner, why);
}

static void qlearn_describe(const void *self, struct model_head *head)
{
	ntuple_describe(self, head);
	snprintf(head->layout, sizeof head->layout, "lines and rectangles, levels=%d",
		 ((const struct ntuple *)self)->network->plan.levels);
}

static const struct agent_model qlearn_model = {
    .params = qlearn_params + 1, /* all but the file */
    .make = qlearn_make,
    .describe = qlearn_describe,
    .sections = ntuple_sections,
};

const struct agent_class qlearn_agent = {
    .name = "qlearn",
    .summary = "Q-learning over lines and rectangles",
    .params = qlearn_params,
    .size = sizeof(struct qlearn),
    .init = qlearn_init,
    .act = ntuple_act,
    .policy_kind = ntuple_policy_kind,
    .learn = ntuple_learn,
    .trained = ntuple_trained,
    .model = &qlearn_model,
    .fini = ntuple_fini,
};
