/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the policy network learns from a batch of games.
 *
 * The gradient of the expected reward is E[R grad log p(a)] (Dedieu, Amar, section 3.2.3; Williams
 * 1992), and with p the softmax of the outputs z, d log p(a) / dz = A - P, A the vector of the move.
 * So the way back begins with V = R (A - P), which section 3.2.2 prints for egreedy moves; for
 * probabilistic ones section 3.2.3 prints V = R (A - log P), and both print masks [h < 0] for the
 * hidden layers, where the derivative of the rectifier is [h > 0]. A rectified h is never below 0,
 * so as printed no layer but the last learns. gradient=printed is that; gradient=reinforce is what
 * was meant, and what finite differences confirm.
 *
 * With clip, the ratio of the move's chance to what it was when it was made takes the place of its
 * logarithm, and what would push it beyond 1 +- clip is left out (Schulman and others, Proximal
 * policy optimization algorithms, 2017): several steps can then be made of one batch.
 */
#include "agents/nets/chances.h"
#include "agents/nets/policy.h"

#include <math.h>
#include <string.h>

double policy_rate(double first, double last, int64_t games, uint64_t game)
{
	if (games == 0)
		return first;
	const double t = (double)game / (double)games;
	return t >= 1 ? last : first + t * (last - first);
}

/* How much the clipped ratio grows with the logarithm of the chance. */
static double ratio_of(double clip, double chance, double before, double credit)
{
	const double ratio = chance / before;
	if (credit > 0 ? ratio > 1 + clip : ratio < 1 - clip)
		return 0;
	return ratio;
}

/* Adds what the entropy of P grows with: -p (log p + H). */
static void entropy_grade(double worth, const double p[DIRECTIONS], float back[DIRECTIONS])
{
	double entropy = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		entropy -= p[d] > 0 ? p[d] * log(p[d]) : 0;
	for (int d = 0; d < DIRECTIONS; d++)
		if (p[d] > 0)
			back[d] -= (float)(worth * p[d] * (log(p[d]) + entropy));
}

void policy_grade(const struct policy_settings *settings, const float out[DIRECTIONS],
		  unsigned legal, int move, float credit, float chance, float back[DIRECTIONS])
{
	double p[DIRECTIONS];
	policy_chances(out, legal, p);
	const bool printed =
	    settings->gradient == GRADIENT_PRINTED && settings->actions == ACTIONS_PROBABILISTIC;
	double scale = (double)credit;
	if (settings->clip > 0 && chance > 0)
		scale *= ratio_of(settings->clip, p[move], (double)chance, (double)credit);
	for (int d = 0; d < DIRECTIONS; d++) {
		const double a = d == move;
		const double from = printed ? log(fmax(p[d], 1e-30)) : p[d];
		back[d] = legal >> d & 1 ? (float)(scale * (a - from)) : 0;
	}
	if (settings->entropy > 0)
		entropy_grade(settings->entropy, p, back);
}

/* Moves of a minibatch. */
struct minibatch {
	const struct policy *policy;
	const size_t *pick;
};

static void actor_grade(void *context, size_t i, const float out[DIRECTIONS],
			float back[DIRECTIONS])
{
	const struct minibatch *m = context;
	const struct examples *l = &m->policy->examples;
	const size_t at = m->pick[i];
	policy_grade(&m->policy->settings, out, l->legal[at], l->move[at], l->credit[at],
		     l->chance[at], back);
}

/* The square of the error shrinks. */
static void critic_grade(void *context, size_t i, const float out[DIRECTIONS],
			 float back[DIRECTIONS])
{
	const struct minibatch *m = context;
	memset(back, 0, DIRECTIONS * sizeof *back);
	back[0] = m->policy->examples.target[m->pick[i]] - out[0];
}

/* A step along the gradient over the moves FIRST to END - 1 in the order of learning. */
static void minibatch_learn(struct policy *p, size_t first, size_t end, struct thread_team *team)
{
	const struct policy_settings *s = &p->settings;
	struct examples *l = &p->examples;
	struct minibatch m = {.policy = p, .pick = l->order + first};
	const struct board **board = l->board + l->room;
	for (size_t i = first; i < end; i++)
		board[i - first] = l->board[l->order[i]];
	const struct fit_step step = {
	    .board = board,
	    .n = end - first,
	    .grade = actor_grade,
	    .context = &m,
	    .alpha = policy_rate(s->alpha, s->alpha_end, s->alpha_games, p->batches.told),
	    .weight = 1.0 / (double)(end - first),
	    .last = s->gradient == GRADIENT_PRINTED};
	fit_make(&p->fit, team, &step);
	if (s->credit != CREDIT_CRITIC)
		return;
	struct fit_step critic = step;
	critic.grade = critic_grade;
	critic.alpha = s->critic_alpha;
	critic.last = false;
	fit_make(&p->critic_fit, team, &critic);
}

/* Shuffles the order of learning (Fisher, Yates). */
static void examples_shuffle(struct examples *l, uint64_t seed, uint64_t number)
{
	struct rng rng;
	rng_init(&rng, seed, RNG_SHUFFLE, number);
	for (size_t i = l->n; i > 1; i--) {
		const size_t j = rng_below(&rng, (uint32_t)i);
		const size_t swap = l->order[i - 1];
		l->order[i - 1] = l->order[j];
		l->order[j] = swap;
	}
}

static enum status policy_update(void *context, const struct episodes *batch, uint64_t seed,
				 struct thread_team *team, struct why *why)
{
	struct policy *p = context;
	const struct policy_settings *s = &p->settings;
	struct examples *l = &p->examples;
	enum status status = fit_ready(&p->fit, why);
	if (!status)
		status = policy_credit(p, batch, p->batches.learned, team, why);
	if (status)
		return status;
	brain_promote(&p->own, l->board, l->n);
	if (s->credit == CREDIT_CRITIC)
		brain_promote(&p->critic, l->board, l->n);
	const size_t size = s->minibatch ? (size_t)s->minibatch : l->n;
	for (int64_t epoch = 0; epoch < s->epochs; epoch++) {
		if (s->minibatch)
			examples_shuffle(
			    l, seed, p->batches.learned * (uint64_t)s->epochs + (uint64_t)epoch);
		for (size_t first = 0; first < l->n; first += size)
			minibatch_learn(p, first, l->n - first < size ? l->n : first + size, team);
	}
	return STATUS_OK;
}

static int policy_choose(const void *context, uint64_t index, const struct turn *turn,
			 const double chance[DIRECTIONS], struct rng *rng)
{
	const struct policy_settings *s = context;
	if (s->actions == ACTIONS_PROBABILISTIC)
		return chances_draw(chance, rng);
	const double epsilon = policy_rate(s->epsilon, s->epsilon_end, s->epsilon_games, index);
	return rng_real(rng) < epsilon ? moves_any(&turn->moves, rng) : chances_best(chance);
}

static void policy_start(void *context, uint64_t seed)
{
	struct policy *p = context;
	if (!p->settings.weights[0])
		brain_start(&p->own, seed, 0);
	/* Unless it is the other policy's, which need not have had one. */
	if (p->settings.credit == CREDIT_CRITIC && !brain_started(&p->critic))
		brain_start(&p->critic, seed, 1);
}

void policy_learn(void *self, const struct training_request *request)
{
	struct policy *p = self;
	const struct batch_rules rules = {
	    .brain = &p->own,
	    .play = {.choose = policy_choose, .context = &p->settings},
	    .start = policy_start,
	    .update = policy_update,
	    .context = p};
	batches_learn(&p->batches, &rules, request);
}
