/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Approximate dynamic programming over an ordered grid (Dedieu, Amar: Deep Reinforcement Learning
 * for 2048, section 4.2).
 *
 *   J(x) = sum over k of lambda_k phi_k(x)
 *
 * with the four indicators phi of agents/values/order.h. The player makes the move with the largest
 * E J(x') over the spawns after it; of equal moves the first in the order up, right, down, left
 * (ties=first) or a random one (ties=random). Games are played in batches with the same weights,
 * initially 1. After a batch, over all states i of its games, including the first and the terminal
 * one, with y(i) the reward of the game (the sum of its last position), centred and standardised
 * within the batch (section 3.2.1):
 *
 *   Delta = gradient of sum over i of (y(i) - lambda phi(i))^2
 *         = 2 sum of phi(i) (lambda phi(i) - y(i))
 *   lambda := (1 - alpha) lambda + alpha Delta                      update=printed
 *
 * This formula adds the gradient and so increases the error: the weights move away from the
 * rewards, faster and faster where 2 lambda phi phi exceeds the pull of 1 - alpha. Hence
 *
 *   lambda := lambda - alpha Delta                                  update=descent, the default
 *   lambda := (1 - alpha) lambda + alpha argmin of the same sum     update=lstsq
 *
 * error=mean divides Delta by the number of states, so that alpha does not depend on the length of
 * games; error=sum does not, as printed. constant=1 adds a fifth feature, which is always 1. It
 * changes no move directly, but removes the mean of y from the other weights, which matters with
 * standardise=0.
 *
 * As printed, J does not distinguish lost positions. With lost=zero, terminal positions have J = 0
 * in the player's expectation and are not states of the sum.
 *
 * Only the indicators of a state matter, so a game is represented by sixteen counts. A model
 * file has a section with the weights as doubles, and one with the incomplete batch: the number of
 * its games, then each game in 64-bit numbers in the order of struct adp_game. The layout in its
 * header also contains the weights, so that nxn info shows them.
 *
 * Check value: with weights of 0 and ties=first the player makes the first legal move.
 */
#include "agents/model.h"
#include "agents/play.h"
#include "agents/values/order.h"
#include "base/number.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	ADP_WEIGHTS = ORDERS + 1, /* weights of the indicators, then of the constant */
	ADP_PATTERNS = 1 << ORDERS,
	ADP_BATCH_MAX = 1000,
};

/*
 * A training game, reduced to the input of learning: three candidates for y, and counts of states
 * by their indicators.
 */
struct adp_game {
	uint64_t score, sum; /* points; tile sum of the last position */
	uint64_t exponent;   /* of its largest tile */
	uint64_t states[ADP_PATTERNS];
};

enum adp_update { ADP_DESCENT, ADP_PRINTED, ADP_LSTSQ };
enum adp_error { ADP_MEAN, ADP_SUM };
enum adp_reward { ADP_REWARD_SUM, ADP_REWARD_SCORE, ADP_REWARD_MAX };
enum adp_ties { ADP_FIRST, ADP_RANDOM };
enum adp_lost { ADP_SHOWN, ADP_ZERO };

struct adp {
	char file[FIELD_TEXT_MAX];
	int update, error, reward, ties, lost; /* choices */
	double alpha;
	int64_t batch, constant, standardise;

	const struct game *game;
	const struct adp *learner; /* itself, or the instance whose weights it uses */
	/* Members of a learner: the weights, and the games of the incomplete batch. */
	uint64_t trained;
	double weight[ADP_WEIGHTS];
	size_t games;			 /* number of games, below ADP_BATCH_MAX */
	struct adp_game *games_of_batch; /* room for ADP_BATCH_MAX games; on the heap */
};

/* No training has as many states or points; the sums over a batch do not overflow. */
#define COUNT_MOST ((uint64_t)1 << 48)

#define FIELD(name) .offset = offsetof(struct adp, name)

static const struct field adp_params[] = {
    {"file", FIELD_FILE, FIELD(file), "", 0, 0, NULL, "model file; its settings are taken with it"},
    {"update", FIELD_CHOICE, FIELD(update), "descent", 0, 0, "descent|printed|lstsq",
     "down the gradient; up and shrinking, as printed; towards least squares"},
    {"alpha", FIELD_REAL, FIELD(alpha), "0.05", 0, 1, NULL, "learning rate"},
    {"error", FIELD_CHOICE, FIELD(error), "mean", 0, 0, "mean|sum",
     "squared errors of a batch: their mean over its states, or their sum"},
    {"constant", FIELD_INTEGER, FIELD(constant), "0", 0, 1, NULL, "a feature that is always 1"},
    {"batch", FIELD_INTEGER, FIELD(batch), "10", 1, ADP_BATCH_MAX, NULL, "games between updates"},
    {"reward", FIELD_CHOICE, FIELD(reward), "sum", 0, 0, "sum|score|max",
     "reward of a game: the sum of its final tiles, its points, or its largest tile"},
    {"standardise", FIELD_INTEGER, FIELD(standardise), "1", 0, 1, NULL,
     "rewards of a batch have mean 0 and deviation 1"},
    {"ties", FIELD_CHOICE, FIELD(ties), "first", 0, 0, "first|random",
     "of equal moves the first of up, right, down, left, or any"},
    {"lost", FIELD_CHOICE, FIELD(lost), "shown", 0, 0, "shown|zero",
     "value of a lost position: that of its indicators, like any other, or 0"},
    {0},
};

/*
 * Adds the indicators of SPAWNED to COUNT, unless it is terminal and SKIP_LOST is set. Returns
 * whether it added them.
 */
static bool order_count(const struct game *game, const struct board *spawned, bool skip_lost,
			int count[ORDERS])
{
	if (skip_lost && game->over(spawned))
		return false;
	const unsigned order = order_of(game, spawned);
	for (int i = 0; i < ORDERS; i++)
		count[i] += (int)(order >> i & 1);
	return true;
}

/*
 * Sets mean[i] to the expectation of indicator i over the spawns on AFTER, which has an empty cell.
 * Counts are summed before probabilities, so that rounding does not make equal expectations
 * different. With ZERO_LOST a terminal position counts as if it had no indicator. Returns 1, or
 * with ZERO_LOST the probability that the position is not terminal.
 */
static double order_expect(const struct game *game, const struct board *after, bool zero_lost,
			   double mean[ORDERS])
{
	uint8_t cells[CELLS_MAX];
	const int n = board_empty_cells(game, after, cells);
	double lost = 0;
	for (int i = 0; i < ORDERS; i++)
		mean[i] = 0;
	for (int kind = 0; kind < game->spawn.kinds; kind++) {
		const double p = game->spawn.probability[kind];
		int count[ORDERS] = {0};
		for (int j = 0; j < n; j++) {
			struct board spawned = *after;
			*board_at(&spawned, cells[j]) = game->spawn.exponent[kind];
			/*
			 * Only a spawn in the last empty cell fills the board, and may be terminal.
			 */
			if (!order_count(game, &spawned, zero_lost && n == 1, count))
				lost += p;
		}
		for (int i = 0; i < ORDERS; i++)
			mean[i] += p * ((double)count[i] / n);
	}
	return 1 - lost;
}

/* Computes E J of each legal move. Returns the set of the best. */
static unsigned moves_evaluate(const struct adp *adp, const struct moves *moves,
			       double value[DIRECTIONS])
{
	const double *weight = adp->learner->weight;
	double most = -INFINITY;
	unsigned best = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		double mean[ORDERS];
		if (!(moves->legal >> d & 1))
			continue;
		value[d] = weight[ORDERS] *
			   order_expect(adp->game, &moves->after[d], adp->lost == ADP_ZERO, mean);
		for (int i = 0; i < ORDERS; i++)
			value[d] += weight[i] * mean[i];
		if (value[d] > most)
			best = 0;
		if (value[d] >= most) {
			best |= 1u << d;
			most = value[d];
		}
	}
	/* If the weights diverged, the values may be NaN; then all moves are equal. */
	best = best ? best : moves->legal;
	return adp->ties == ADP_FIRST ? best & -best : best;
}

static void adp_chances(void *self, const struct turn *turns, size_t n,
			double (*chance)[DIRECTIONS])
{
	double value[DIRECTIONS];
	for (size_t i = 0; i < n; i++)
		chances_uniform(moves_evaluate(self, &turns[i].moves, value), chance[i]);
}

/* Returns one of the set BEST; draws only if there is a choice. */
static int best_pick(unsigned best, struct rng *rng)
{
	const struct moves any = {.legal = best};
	return best & (best - 1) ? moves_any(&any, rng) : __builtin_ctz(best);
}

static int adp_act(void *self, const struct turn *turn, struct rng *rng, struct decision *decision)
{
	const unsigned best = moves_evaluate(self, &turn->moves, decision->value);
	chances_uniform(best, decision->chance);
	return best_pick(best, rng);
}

/* Plays training game EPISODE and adds it to the batch. */
static void training_game(struct adp *adp, uint64_t seed, uint64_t episode, struct outcome *outcome)
{
	struct adp_game *game = &adp->games_of_batch[adp->games++];
	struct board board;
	struct turn turn;
	struct rng rng;
	double value[DIRECTIONS], uncertainty = 0;
	*outcome = (struct outcome){0};
	*game = (struct adp_game){0};
	rng_init(&rng, seed, RNG_TRAIN, episode);
	board_start(adp->game, &board, &rng);
	turn_init(&turn, adp->game, &board, 0);
	game->states[order_of(adp->game, &board)]++;
	for (; turn.moves.legal; outcome->moves++) {
		const unsigned best = moves_evaluate(adp, &turn.moves, value);
		uncertainty += 2 - 2.0 / __builtin_popcount(best);
		turn_move(&turn, &board, best_pick(best, &rng), &rng);
		if (adp->lost == ADP_SHOWN || turn.moves.legal)
			game->states[order_of(adp->game, &board)]++;
	}
	outcome->score = turn.score;
	outcome_end(outcome, &board, uncertainty);
	game->score = outcome->score;
	game->sum = board_sum(&board);
	game->exponent = (uint64_t)outcome->max_exponent;
}

static double reward_of(const struct adp *settings, const struct adp_game *game)
{
	switch ((enum adp_reward)settings->reward) {
	case ADP_REWARD_SCORE:
		return (double)game->score;
	case ADP_REWARD_MAX:
		return (double)((uint64_t)1 << game->exponent);
	default:
		return (double)game->sum;
	}
}

/* Section 3.2.1: scales to mean 0 and standard deviation 1; all 0 if the games are equal. */
static void standardise(double *y, size_t n)
{
	double mean = 0, square = 0;
	for (size_t i = 0; i < n; i++)
		mean += y[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (y[i] - mean) * (y[i] - mean) / (double)n;
	for (size_t i = 0; i < n; i++)
		y[i] = square > 0 ? (y[i] - mean) / sqrt(square) : 0;
}

/* Sets y of the N games, standardised if SETTINGS say so. */
static void adp_rewards(const struct adp *settings, const struct adp_game *games, size_t n,
			double *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = reward_of(settings, &games[i]);
	if (settings->standardise)
		standardise(y, n);
}

/* Returns feature I of states with the indicators PATTERN. */
static double phi(int pattern, int i)
{
	return i == ORDERS ? 1 : pattern >> i & 1;
}

/*
 * Computes the gradient at WEIGHT of the sum over all states of N games of (y - weight phi)^2,
 * where phi is the first FEATURES (ORDERS or ADP_WEIGHTS) of indicators and constant. Returns the
 * number of states.
 */
static double adp_gradient(const struct adp_game *games, const double *y, size_t n,
			   const double weight[ADP_WEIGHTS], int features,
			   double gradient[ADP_WEIGHTS])
{
	double states = 0;
	for (int i = 0; i < ADP_WEIGHTS; i++)
		gradient[i] = 0;
	for (int pattern = 0; pattern < ADP_PATTERNS; pattern++) {
		double estimate = 0, error = 0;
		for (int i = 0; i < features; i++)
			estimate += weight[i] * phi(pattern, i);
		for (size_t g = 0; g < n; g++) {
			const double count = (double)games[g].states[pattern];
			error += count * (estimate - y[g]);
			states += count;
		}
		for (int i = 0; i < features; i++)
			gradient[i] += 2 * phi(pattern, i) * error;
	}
	return states;
}

/* Solves M X = B for a symmetric positive definite M of N rows by elimination; X replaces B. */
static void solve(double m[ADP_WEIGHTS][ADP_WEIGHTS], double *b, int n)
{
	for (int i = 0; i < n; i++)
		for (int r = i + 1; r < n; r++) {
			const double factor = m[r][i] / m[i][i];
			for (int c = i; c < n; c++)
				m[r][c] -= factor * m[i][c];
			b[r] -= factor * b[i];
		}
	for (int i = n - 1; i >= 0; i--) {
		for (int c = i + 1; c < n; c++)
			b[i] -= m[i][c] * b[c];
		b[i] /= m[i][i];
	}
}

/*
 * Computes the weights that minimise the sum of adp_gradient() plus the squared distance from
 * WEIGHT; so weights that the states do not determine stay. With x the step from WEIGHT, (sum of
 * phi phi' + 1) x = -gradient / 2.
 */
static void adp_lstsq(const struct adp_game *games, const double *y, size_t n,
		      const double weight[ADP_WEIGHTS], int features, double best[ADP_WEIGHTS])
{
	double m[ADP_WEIGHTS][ADP_WEIGHTS] = {{0}}, step[ADP_WEIGHTS];
	adp_gradient(games, y, n, weight, features, step);
	for (int i = 0; i < features; i++) {
		m[i][i] = 1;
		step[i] /= -2;
		for (int j = 0; j < features; j++)
			for (int pattern = 0; pattern < ADP_PATTERNS; pattern++)
				for (size_t g = 0; g < n; g++)
					m[i][j] += phi(pattern, i) * phi(pattern, j) *
						   (double)games[g].states[pattern];
	}
	solve(m, step, features);
	for (int i = 0; i < ADP_WEIGHTS; i++)
		best[i] = weight[i] + (i < features ? step[i] : 0);
}

/* Learns from the batch of ADP and empties it. */
static void adp_learn_batch(struct adp *adp)
{
	const struct adp_game *games = adp->games_of_batch;
	const int features = adp->constant ? ADP_WEIGHTS : ORDERS;
	const double alpha = adp->alpha, keep = adp->update == ADP_DESCENT ? 1 : 1 - alpha;
	double y[ADP_BATCH_MAX] = {0}, change[ADP_WEIGHTS];
	adp_rewards(adp, games, adp->games, y);
	if (adp->update == ADP_LSTSQ) {
		adp_lstsq(games, y, adp->games, adp->weight, features, change);
	} else {
		const double states =
		    adp_gradient(games, y, adp->games, adp->weight, features, change);
		const double sign = adp->update == ADP_DESCENT ? -1 : 1;
		for (int i = 0; i < features; i++)
			change[i] *= adp->error == ADP_MEAN ? sign / states : sign;
	}
	for (int i = 0; i < features; i++)
		adp->weight[i] = keep * adp->weight[i] + alpha * change[i];
	adp->games = 0;
}

static void adp_learn(void *self, const struct training_request *request)
{
	struct adp *adp = self;
	struct outcome outcome;
	assert(adp->learner == adp);
	while (adp->trained < request->end) {
		training_game(adp, request->seed, adp->trained, &outcome);
		adp->trained++;
		if (adp->games >= (size_t)adp->batch)
			adp_learn_batch(adp);
		if (!request->over(request->context, &outcome))
			break;
	}
}

static uint64_t adp_trained(const void *self)
{
	return ((const struct adp *)self)->learner->trained;
}

static void adp_fini(void *self)
{
	struct adp *adp = self;
	free(adp->games_of_batch);
	adp->games_of_batch = NULL;
}

/* Allocates a batch and sets the initial weights. */
static enum status adp_make(void *self, const struct game *game, struct why *why)
{
	struct adp *adp = self;
	adp->game = game;
	adp->learner = adp;
	for (int i = 0; i < ADP_WEIGHTS; i++)
		adp->weight[i] = i < ORDERS || adp->constant;
	adp->games_of_batch = calloc(ADP_BATCH_MAX, sizeof *adp->games_of_batch);
	return adp->games_of_batch
		   ? STATUS_OK
		   : why_set(why, STATUS_SYSTEM, "out of memory for the games of a batch");
}

static enum status adp_borrow(void *self, const struct game *game, const void *owner,
			      struct why *why)
{
	struct adp *adp = self;
	(void)game;
	(void)why;
	*adp = *(const struct adp *)owner;
	adp->games_of_batch = NULL;
	return STATUS_OK;
}

static enum policy_kind adp_policy_kind(const void *self)
{
	return ((const struct adp *)self)->ties == ADP_RANDOM ? POLICY_CHANCES : POLICY_FIXED;
}

static void adp_layout(const void *self, char *layout)
{
	static const char *const names[ADP_WEIGHTS] = {"corner", "vertical", "horizontal",
						       "diagonal", "constant"};
	const double *weight = ((const struct adp *)self)->learner->weight;
	int used = 0;
	for (int i = 0; i < ADP_WEIGHTS; i++) {
		char number[REAL_TEXT_MAX];
		real_format(weight[i], number);
		used += snprintf(layout + used, (size_t)(MODEL_LAYOUT_MAX - used), "%s%s %s",
				 i ? ", " : "", names[i], number);
	}
}

static void weights_section(double weight[ADP_WEIGHTS], struct model_file *file)
{
	for (int i = 0; i < ADP_WEIGHTS; i++) {
		weight[i] = model_real(file, weight[i]);
		if (isfinite(weight[i]))
			continue;
		if (model_reading(file))
			model_reject(file, "a weight is not finite", "finite numbers");
		else
			model_fail(file, STATUS_INPUT,
				   "%s: not written: a weight is not finite, training diverged",
				   model_path(file));
	}
	model_section_end(file);
}

static void game_section(struct adp_game *game, int max_exponent, struct model_file *file)
{
	game->score = model_number(file, game->score, COUNT_MOST);
	game->sum = model_number(file, game->sum, COUNT_MOST);
	game->exponent = model_number(file, game->exponent, UINT64_MAX);
	if (game->exponent > (uint64_t)max_exponent)
		model_reject(file, "a tile is too large", "one of the board");
	for (int i = 0; i < ADP_PATTERNS; i++)
		game->states[i] = model_number(file, game->states[i], COUNT_MOST);
}

static void adp_sections(void *self, struct model_file *file)
{
	struct adp *adp = self;
	adp->trained = model_header(file)->games;
	weights_section(adp->weight, file);
	const uint64_t games = model_number(file, adp->games, UINT64_MAX);
	if (games >= ADP_BATCH_MAX || games > adp->trained)
		model_reject(file, "a batch of too many games", "fewer");
	for (adp->games = 0; !model_status(file) && adp->games < games; adp->games++)
		game_section(&adp->games_of_batch[adp->games], adp->game->max_exponent, file);
	model_section_end(file);
}

static const struct agent_model adp_model = {
    .params = adp_params + 1,
    .make = adp_make,
    .borrow = adp_borrow,
    .layout = adp_layout,
    .layout_is_learned = true,
    .sections = adp_sections,
};

const struct agent_class adp_agent = {
    .name = "adp",
    .summary = "approximate dynamic programming over an ordered grid",
    .params = adp_params,
    .size = sizeof(struct adp),
    .act = adp_act,
    .chances = adp_chances,
    .policy_kind = adp_policy_kind,
    .learn = adp_learn,
    .trained = adp_trained,
    .model = &adp_model,
    .fini = adp_fini,
};
