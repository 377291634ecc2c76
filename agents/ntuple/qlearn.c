/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Q-learning with tables of lines and rectangles (Mayer-Hirshfeld, Navarro, Saleh: AI Agent for
 * 2048, section 4).
 *
 * The features phi(s, a) are what each tuple (agents/ntuple/tuples.h) shows in the after-state of a. After
 * every move of a training game, which follows the greatest Q,
 *
 *	delta = Q(s, a) - (r + gamma V(s')),     V(s') = max over legal a' of Q(s', a')
 *	w_i  -= step(eta delta) / sqrt(freq_i)   for each feature i of phi(s, a)
 *
 * with freq_i the number of updates of w_i, this one included. When s' has no legal move, V(s') = 0
 * and r = -score, the score with the last reward in it (terminal=neg-score), or r as it is (zero).
 *
 * Where the paper leaves it open, or we deviate:
 * - Q(s, a) = r(s, a) + sum of w_i, for an after-state cannot tell the reward that led to it.
 *   reward=learned is the sum alone: the weights have to learn the points as well.
 * - error=sqrt: step(x) = sign(x) sqrt|x|, the printed square root made to work for both signs.
 * - error=linear: step(x) = x / (number of features). Without the division eta = 1 diverges: all
 *   features of one after-state would each correct the whole error.
 * - Ties go to the first of up, right, down, left. There is no exploration unless epsilon > 0.
 * What each part is worth on each board: docs/qlearning.md.
 *
 * Check value: one update from zero weights with error=linear makes Q(s, a) the target exactly.
 */
#include "agents/ntuple/lazy.h"
#include "agents/agent.h"
#include "agents/ntuple/tuples.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum step_kind { STEP_SQRT, STEP_LINEAR };
enum terminal_kind { TERMINAL_NEG_SCORE, TERMINAL_ZERO };
enum scale_kind { SCALE_VISITS, SCALE_NONE };
enum reward_kind { REWARD_ADDED, REWARD_LEARNED };

/* Weights and what they cost to learn. */
struct knowledge {
	struct lazy weights; /* one entry an index of struct tuples */
	uint64_t games;
};

struct qlearn {
	char file[PARAM_TEXT_MAX];
	double eta, gamma, epsilon;
	int64_t levels;
	int error, terminal, scale, reward;

	const struct game *game;
	struct tuples tuples;
	struct knowledge own;		   /* empty if borrowed */
	const struct knowledge *knowledge; /* own, or another instance's */
};

#define FIELD(name) offsetof(struct qlearn, name)

static const struct param qlearn_params[] = {
    {"file", PARAM_FILE, FIELD(file), "", 0, 0, NULL, "model file; its settings are taken with it"},
    {"eta", PARAM_REAL, FIELD(eta), "1", 0, 1e6, NULL, "step size, before the root is taken"},
    {"gamma", PARAM_REAL, FIELD(gamma), "1", 0, 1, NULL, "discount of the value of the next state"},
    {"epsilon", PARAM_REAL, FIELD(epsilon), "0", 0, 1, NULL,
     "probability of a random move in training"},
    {"error", PARAM_CHOICE, FIELD(error), "sqrt", 0, 0, "sqrt|linear",
     "what becomes of the error before it is spread over the features"},
    {"terminal", PARAM_CHOICE, FIELD(terminal), "neg-score", 0, 0, "neg-score|zero",
     "reward of a move that loses: minus the score, or its points"},
    {"scale", PARAM_CHOICE, FIELD(scale), "visits", 0, 0, "visits|none",
     "divide updates by the root of the number of visits, or not"},
    {"reward", PARAM_CHOICE, FIELD(reward), "added", 0, 0, "added|learned",
     "points of a move: added to the sum of weights, or left to them"},
    {"levels", PARAM_INT, FIELD(levels), "0", 0, LEVELS_MAX, NULL,
     "largest exponent told apart, plus 1; 0 for all of the board's"},
    {0},
};

/* A position as the learner sees it. */
struct view {
	struct moves moves;
	uint64_t index[DIRECTIONS][TUPLES_MAX]; /* phi(s, d) */
	double q[DIRECTIONS];
	int best; /* the first of the greatest; -1 if no move is legal */
};

/* Q of every legal move, from the weights as they are now. */
static void view_evaluate(const struct qlearn *q, struct view *view)
{
	view->best = -1;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(view->moves.legal >> d & 1))
			continue;
		double sum = q->reward == REWARD_ADDED ? (double)view->moves.reward[d] : 0;
		for (int k = 0; k < q->tuples.count; k++)
			sum +=
			    (double)lazy_entry(&q->knowledge->weights, view->index[d][k])->weight;
		view->q[d] = sum;
		if (view->best < 0 || sum > view->q[view->best])
			view->best = d;
	}
}

/* Fills in the rest when the moves are there. All memory is asked for before any of it is used. */
static void view_look(const struct qlearn *q, struct view *view)
{
	const struct lazy *weights = &q->knowledge->weights;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(view->moves.legal >> d & 1))
			continue;
		tuples_index(&q->tuples, &view->moves.after[d], view->index[d]);
		for (int k = 0; k < q->tuples.count; k++)
			lazy_prefetch_slot(weights, view->index[d][k]);
	}
	for (int d = 0; d < DIRECTIONS; d++)
		for (int k = 0; view->moves.legal >> d & 1 && k < q->tuples.count; k++)
			lazy_prefetch_entry(weights, view->index[d][k]);
	view_evaluate(q, view);
}

/* A training game on its way. */
struct training {
	struct rng rng;
	struct view views[2];
	struct view *now, *next;
	struct outcome outcome;
};

/* Initialise: the first position. */
static void training_init(const struct qlearn *q, uint64_t seed, uint64_t episode,
			  struct training *t)
{
	rng_init(&t->rng, seed, RNG_TRAIN, episode);
	t->now = &t->views[0];
	t->next = &t->views[1];
	t->outcome = (struct outcome){.uncertainty = NAN};
	board_start(q->game, &t->outcome.last, &t->rng);
	q->game->moves(&t->outcome.last, &t->now->moves);
	view_look(q, t->now);
}

/* The greedy move, or with probability epsilon any. */
static int training_choose(const struct qlearn *q, struct training *t)
{
	if (q->epsilon == 0 || rng_real(&t->rng) >= q->epsilon)
		return t->now->best;
	return moves_any(&t->now->moves, &t->rng);
}

/* w_i -= step(eta delta) / sqrt(freq_i). */
static void update(struct qlearn *q, const uint64_t index[TUPLES_MAX], double delta)
{
	double x = q->eta * delta;
	x = q->error == STEP_SQRT ? copysign(sqrt(fabs(x)), x) : x / q->tuples.count;
	for (int k = 0; k < q->tuples.count; k++) {
		struct entry *entry = lazy_touch(&q->own.weights, index[k]);
		entry->count += entry->count < UINT32_MAX;
		double scale = q->scale == SCALE_VISITS ? sqrt((double)entry->count) : 1;
		entry->weight = (float)((double)entry->weight - x / scale);
	}
}

/* Step: one move, and what it teaches. */
static void training_step(struct qlearn *q, struct training *t)
{
	struct outcome *outcome = &t->outcome;
	int a = training_choose(q, t);
	double reward = (double)t->now->moves.reward[a];
	outcome->score += t->now->moves.reward[a];
	outcome->moves++;
	outcome->last = t->now->moves.after[a];
	board_spawn(q->game, &outcome->last, &t->rng);
	q->game->moves(&outcome->last, &t->next->moves);
	view_look(q, t->next);

	double target;
	if (t->next->best >= 0)
		target = reward + q->gamma * t->next->q[t->next->best];
	else
		target = q->terminal == TERMINAL_NEG_SCORE ? -(double)outcome->score : reward;
	update(q, t->now->index[a], t->now->q[a] - target);

	/* The next after-states share features with this one. */
	view_evaluate(q, t->next);
	struct view *seen = t->now;
	t->now = t->next;
	t->next = seen;
}

/* Training game number EPISODE. */
static void training_game(struct qlearn *q, uint64_t seed, uint64_t episode,
			  struct outcome *outcome)
{
	struct training t;
	training_init(q, seed, episode, &t);
	while (t.now->best >= 0)
		training_step(q, &t);
	t.outcome.max_exponent = board_max(&t.outcome.last);
	q->own.games++;
	*outcome = t.outcome;
}

static void qlearn_learn(void *self, const struct training_request *request)
{
	struct qlearn *q = self;
	struct outcome outcome;
	assert(q->knowledge == &q->own);
	while (q->own.games < request->end) {
		training_game(q, request->seed, q->own.games, &outcome);
		if (!request->over(request->context, &outcome))
			break;
	}
}

/* Test: the greatest Q, and nothing is learned. */
static int qlearn_act(void *self, const struct turn *turn, struct rng *rng,
		      struct decision *decision)
{
	const struct qlearn *q = self;
	struct view view;
	(void)rng;
	view.moves = turn->moves;
	view_look(q, &view);
	for (int d = 0; d < DIRECTIONS; d++)
		if (turn->moves.legal >> d & 1)
			decision->value[d] = view.q[d];
	return view.best;
}

static uint64_t qlearn_trained(const void *self)
{
	const struct qlearn *q = self;
	return q->knowledge->games;
}

static void features_make(struct qlearn *q)
{
	const int exact = q->game->max_exponent + 1;
	tuples_init(&q->tuples, q->game, q->levels && q->levels < exact ? (int)q->levels : exact);
}

static enum status qlearn_make(void *self, const struct game *game, struct why *why)
{
	struct qlearn *q = self;
	if (q->levels == 1)
		return why_set(why, STATUS_INPUT, "qlearn: levels=1: expected 0, or from 2 to %d",
			       LEVELS_MAX);
	q->game = game;
	q->knowledge = &q->own;
	features_make(q);
	return lazy_init(&q->own.weights, q->tuples.size, why);
}

static void qlearn_describe(const void *self, struct model_head *head)
{
	head->sections = 1;
	snprintf(head->layout, sizeof head->layout, "lines and rectangles, levels=%d",
		 ((const struct qlearn *)self)->tuples.levels);
}

static void qlearn_sections(void *self, struct model_file *file)
{
	struct qlearn *q = self;
	q->own.games = model_head(file)->games;
	lazy_section(&q->own.weights, file);
}

static const struct agent_model qlearn_model = {
    .params = qlearn_params + 1, /* all but the file */
    .make = qlearn_make,
    .describe = qlearn_describe,
    .sections = qlearn_sections,
};

static enum status qlearn_init(void *self, const struct agent_env *env, struct why *why)
{
	struct qlearn *q = self;
	const struct qlearn *owner = env->owner;
	if (owner) {
		*q = *owner;
		q->own = (struct knowledge){0};
		return STATUS_OK;
	}
	return q->file[0] ? agent_restore(&qlearn_agent, q, env->game, q->file, why)
			  : qlearn_make(q, env->game, why);
}

static void qlearn_fini(void *self)
{
	struct qlearn *q = self;
	lazy_fini(&q->own.weights);
}

static enum policy_kind qlearn_policy_kind(const void *self)
{
	(void)self;
	return POLICY_FIXED;
}

const struct agent_class qlearn_agent = {
    .name = "qlearn",
    .summary = "Q-learning over lines and rectangles",
    .params = qlearn_params,
    .size = sizeof(struct qlearn),
    .init = qlearn_init,
    .act = qlearn_act,
    .policy_kind = qlearn_policy_kind,
    .learn = qlearn_learn,
    .trained = qlearn_trained,
    .model = &qlearn_model,
    .fini = qlearn_fini,
};
