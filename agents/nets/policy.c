/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy network of Dedieu and Amar, Deep Reinforcement Learning for 2048, sections 2-4 and 6.
 *
 * A network maps the board to a probability for every legal move: the softmax of its outputs over
 * the legal moves (3.1). In training, moves are drawn with these probabilities (3.1.2), or the most
 * likely move is made except for some random ones (3.1.1). After a batch of games, the weights are
 * changed to make the moves of better games more likely. In play the most likely move is made
 * (5.1).
 *
 * The paper prints h_2 = relu(W_2 x) and p = S(W_3 x). The sizes of the matrices do not allow that,
 * and its own backward pass feeds each layer from the one before, as we do. The paper has no
 * biases; here they start at 0 and learn.
 *
 * Gradient. The gradient of the expected reward is E[R grad log p(a)] (3.2.3; Williams 1992). With
 * p the softmax of the outputs z, d log p(a) / dz = A - P, where A is the one-hot vector of the
 * move. So the backward pass starts with V = R (A - P), which section 3.2.2 prints for egreedy
 * moves. For probabilistic moves section 3.2.3 prints V = R (A - log P), and both print masks [h <
 * 0] for the hidden layers, where the derivative of the rectifier is [h > 0]. A rectified h is
 * never below 0, so as printed only the last layer learns. gradient=printed is the formula as
 * printed; gradient=reinforce is the correct one, which finite differences confirm.
 *
 * Credit, the R of a move:
 *
 * 	game    R of the whole game, the same for all its moves (3.2.1)
 * 	togo    G_t = r_t + gamma G_t+1, less the mean of G_t over the games of the batch, those
 * 		that are over counting as 0
 * 	critic  A_t = d_t + gamma lambda A_t+1, d_t = r_t + gamma V_t+1 - V_t with V by another
 * 		network, which learns A_t + V_t (Schulman and others, High-dimensional continuous
 * 		control using generalized advantage estimation, 2016)
 *
 * The credit is then centred and divided by its standard deviation over the batch. r_t is the
 * increase, by the move, of the measure of games; for the critic it is multiplied by 1 - gamma, so
 * that a value is a mean over the horizon of gamma.
 *
 * Recorded games are used in turn. With credit=game they are games of the batch like others, so
 * they are imitated as long as they are better (4.1). Other kinds of credit need the probability of
 * a move, which is unknown for recorded ones. In the first demo_only batches the network learns
 * from recorded games alone, with credit 1 for each move.
 *
 * "The idea is to then fit the policy network to the strategy learnt through the ADP, until a
 * convergence criterion is met" (4.2); the paper names no criterion. With demo_tolerance these
 * first batches end as soon as the loss (the mean of -log p(move) over the recorded moves of a
 * batch, before it is learned) of a window of batches is less than demo_tolerance below that of the
 * window before. A window shows every recorded game once, so both losses are those of the same
 * games.
 *
 * Additions to the paper: credit by what came after a move; minibatches; one symmetric image for
 * all; `clip`, which replaces the logarithm by the ratio of the move's probability to that when it
 * was made, and ignores gradients that would push the ratio beyond 1 +- clip (Schulman and others,
 * Proximal policy optimization algorithms, 2017), so that several steps can be made with one batch.
 *
 * Check value: on 4x4 with 200 and 100 hidden units, 256 * 200 + 200 * 100 + 100 * 4 weights and
 * 304 biases.
 */
#include "agents/nets/batch_policy.h"
#include "base/number.h"
#include "boards/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum policy_actions { ACTIONS_PROBABILISTIC, ACTIONS_EGREEDY };
enum policy_gradient { GRADIENT_REINFORCE, GRADIENT_PRINTED };
enum policy_reward { REWARD_SUM, REWARD_SCORE, REWARD_MAX, REWARD_MOVES, REWARD_WIN };
enum policy_credit { CREDIT_GAME, CREDIT_TOGO, CREDIT_CRITIC };

struct policy_settings {
	char hidden[FIELD_TEXT_MAX], stages[FIELD_TEXT_MAX];
	char demonstrations[FIELD_TEXT_MAX], weights[FIELD_TEXT_MAX];
	int input, symmetry, actions, gradient, reward, credit, optimiser; /* choices */
	int64_t batch, alpha_games, epsilon_games, minibatch, epochs;
	int64_t demo_games, demo_only;
	double demo_tolerance;
	double epsilon, epsilon_end, gamma, lambda, clip;
	double alpha, alpha_end, rho;
};

static const double CRITIC_ALPHA = 0.001; /* learning rate of the critic, which adam fits */

/* Convergence of the batches that have recorded games alone. */
struct demonstration_fit {
	uint64_t ended;	  /* batches at convergence; 0: not converged */
	uint64_t batches; /* batches in the window so far */
	uint64_t moves;	  /* moves in these batches */
	double loss;	  /* sum over these moves */
	double before;	  /* mean of the previous window; INFINITY: none */
};

struct policy {
	struct batch_policy base; /* the actor */
	struct policy_settings settings;
	struct staged_network critic; /* has layers only with credit=critic */
	struct gradient critic_gradient;
	struct records demos;
	struct demonstration_fit fit;
};

#define FIELD(name) .offset = offsetof(struct policy, settings.name)

static const struct field policy_params[] = {
    {"file", FIELD_FILE, .offset = offsetof(struct policy, base.file), "", 0, 0, NULL,
     "model file; its settings are taken with it"},
    {"play", FIELD_CHOICE, .offset = offsetof(struct policy, base.play), "argmax", 0, 0,
     "argmax|sample", "moves outside training: the most likely, or drawn by their probabilities"},
    {"hidden", FIELD_CHARS, FIELD(hidden), "200,100", 0, 0, NULL, "units of each hidden layer"},
    {"input", FIELD_CHOICE, FIELD(input), "onehot", 0, 0, "onehot|exponents",
     "input of a cell: a vector with a 1 for its exponent, or the exponent"},
    {"symmetry", FIELD_CHOICE, FIELD(symmetry), "none", 0, 0, "none|canonical",
     "canonical: one of the board's symmetric images stands for all"},
    {"stages", FIELD_CHARS, FIELD(stages), "", 0, 0, NULL,
     "tiles (powers of two) from which on there is a separate network, as in 512+1024"},
    {"actions", FIELD_CHOICE, FIELD(actions), "probabilistic", 0, 0, "probabilistic|egreedy",
     "moves in training: drawn by their probabilities, or the most likely except for some at "
     "random"},
    {"epsilon", FIELD_REAL, FIELD(epsilon), "0.1", 0, 1, NULL,
     "probability of a random move with actions=egreedy"},
    {"epsilon_end", FIELD_REAL, FIELD(epsilon_end), "0", 0, 1, NULL,
     "epsilon from training game epsilon_games on", .scale = 0.1},
    {"epsilon_games", FIELD_INTEGER, FIELD(epsilon_games), "0", 0, 1e15, NULL,
     "training games until then; 0: epsilon stays"},
    {"batch", FIELD_INTEGER, FIELD(batch), "10", 1, 100000, NULL, "games per batch"},
    {"gradient", FIELD_CHOICE, FIELD(gradient), "reinforce", 0, 0, "reinforce|printed",
     "the gradient of the expected reward, or the formula as the paper prints it"},
    {"reward", FIELD_CHOICE, FIELD(reward), "sum", 0, 0, "sum|score|max|moves|win",
     "reward of a game: sum of the final tiles, points, largest tile, moves, or whether 2048 was "
     "reached"},
    {"credit", FIELD_CHOICE, FIELD(credit), "game", 0, 0, "game|togo|critic",
     "credit of a move: the reward of the whole game, the reward after it, or the reward after it "
     "less a critic's estimate"},
    {"gamma", FIELD_REAL, FIELD(gamma), "1", 0, 1, NULL,
     "discount per move of later rewards, with togo and critic"},
    {"lambda", FIELD_REAL, FIELD(lambda), "0.95", 0, 1, NULL,
     "how far the critic's errors update earlier moves, with credit=critic"},
    {"minibatch", FIELD_INTEGER, FIELD(minibatch), "0", 0, 1e9, NULL,
     "moves per step of the weights, in random order; 0: the whole batch in one step"},
    {"epochs", FIELD_INTEGER, FIELD(epochs), "1", 1, 100, NULL, "passes over each batch"},
    {"clip", FIELD_REAL, FIELD(clip), "0", 0, 10, NULL,
     "largest relative change of the probability of a move; 0: no limit", .scale = 0.2},
    {"optimiser", FIELD_CHOICE, FIELD(optimiser), "rmsprop-norm", 0, 0,
     "sgd|rmsprop|rmsprop-norm|adam", "how gradients become steps; -norm as the paper prints it"},
    {"alpha", FIELD_REAL, FIELD(alpha), "0.01", 0, 1e6, NULL, "learning rate"},
    {"alpha_end", FIELD_REAL, FIELD(alpha_end), "0.001", 0, 1e6, NULL,
     "learning rate from training game alpha_games on"},
    {"alpha_games", FIELD_INTEGER, FIELD(alpha_games), "0", 0, 1e15, NULL,
     "training games until then; 0: alpha stays"},
    {"rho", FIELD_REAL, FIELD(rho), "0.99", 0, 0.999999, NULL,
     "share of the past in the mean of squares"},
    {"weights", FIELD_FILE, FIELD(weights), "", 0, 0, NULL,
     "model file of another policy, whose weights learning begins with"},
    {"demonstrations", FIELD_FILE, FIELD(demonstrations), "", 0, 0, NULL,
     "record file of games to learn from"},
    {"demo_games", FIELD_INTEGER, FIELD(demo_games), "10", 1, 100000, NULL,
     "recorded games that are added to each batch"},
    {"demo_only", FIELD_INTEGER, FIELD(demo_only), "0", 0, 1e15, NULL,
     "number of first batches, which learn from recorded games alone"},
    {"demo_tolerance", FIELD_REAL, FIELD(demo_tolerance), "0", 0, 100, NULL,
     "end these batches when the loss (mean -log probability of the recorded moves) falls by less "
     "than this from one pass over the recorded games to the next; 0: never",
     .scale = 0.01},
    {0},
};

static enum status hidden_read(const char *text, struct staged_plan *plan, struct why *why)
{
	plan->layers = 0;
	for (const char *at = text;; at++) {
		uint64_t width;
		const char *end = whole_scan(at, &width);
		if (!end || width < 1 || width > PERCEPTRON_WIDTH ||
		    plan->layers == PERCEPTRON_LAYERS - 1 || (*end && *end != ','))
			return why_set(why, STATUS_INPUT,
				       "hidden=%.60s: expected 1 to %d widths from 1 to %d, as in "
				       "200,100",
				       text, PERCEPTRON_LAYERS - 1, PERCEPTRON_WIDTH);
		plan->width[plan->layers++] = (int)width;
		at = end;
		if (!*end)
			return STATUS_OK;
	}
}

/*
 * Reads ascending tiles, as in 512+1024, into EXPONENT. Returns their number, or -1 if TEXT is not
 * such a list or has more than STAGED_STAGES - 1.
 */
static int stages_read(const char *text, int *exponent)
{
	int count = 0, least = 2;
	for (const char *at = text; *at; count++) {
		uint64_t tile;
		const char *end = whole_scan(at, &tile);
		const int k = end && tile ? __builtin_ctzll(tile) : 0;
		if (!end || k < least || tile != 1ULL << k || count == STAGED_STAGES - 1 ||
		    (*end && (*end != '+' || !end[1])))
			return -1;
		exponent[count] = k;
		least = k + 1;
		at = end + (*end == '+');
	}
	return count;
}

static enum status network_plan(const struct policy_settings *settings, struct staged_plan *plan,
				struct why *why)
{
	*plan = (struct staged_plan){.exponents = settings->input, .canonical = settings->symmetry};
	enum status status = hidden_read(settings->hidden, plan, why);
	plan->stages = 1 + stages_read(settings->stages, plan->threshold);
	if (!status && !plan->stages)
		status = why_set(why, STATUS_INPUT,
				 "stages=%.60s: expected at most %d rising tiles (powers of two "
				 "from 4 on), as in 512+1024",
				 settings->stages, STAGED_STAGES - 1);
	plan->width[plan->layers++] = DIRECTIONS;
	return status;
}

static void policy_fini(void *self)
{
	struct policy *p = self;
	batch_policy_fini(&p->base);
	gradient_fini(&p->critic_gradient);
	staged_fini(&p->critic);
	records_free(&p->demos);
}

static enum status critic_make(struct policy *p, struct why *why)
{
	struct staged_plan plan = p->base.network.plan;
	plan.width[plan.layers - 1] = 1;
	enum status status = staged_init(&p->critic, p->base.game, &plan, why);
	return status ? status
		      : gradient_init(&p->critic_gradient, &p->critic, OPTIMISER_ADAM, 0.999, why);
}

static const struct batch_rules policy_rules;

static enum status policy_make(void *self, const struct game *game, struct why *why)
{
	struct policy *p = self;
	struct staged_plan plan;
	const struct policy_settings *s = &p->settings;
	enum status status = STATUS_OK;
	p->fit = (struct demonstration_fit){.before = INFINITY};
	if (s->demo_tolerance > 0 && !s->demo_only)
		status = why_set(why, STATUS_INPUT,
				 "policy: demo_tolerance=%g without demo_only: it needs "
				 "demo_only=N, the most batches of recorded games alone",
				 s->demo_tolerance);
	if (!status)
		status = network_plan(s, &plan, why);
	if (!status)
		status = batch_policy_make(&p->base, &policy_rules, game, &plan, (size_t)s->batch,
					   s->demonstrations[0] ? (size_t)s->demo_games : 0,
					   (enum optimiser_kind)s->optimiser, s->rho, why);
	if (!status && s->credit == CREDIT_CRITIC)
		status = critic_make(p, why);
	if (status)
		policy_fini(p);
	return status;
}

/*
 * Returns a rate that changes from FIRST to LAST while training games go from 0 to GAMES; with
 * GAMES 0 it stays FIRST.
 */
static double policy_rate(double first, double last, int64_t games, uint64_t game)
{
	if (games == 0)
		return first;
	const double t = (double)game / (double)games;
	return t >= 1 ? last : first + t * (last - first);
}

/* Returns the derivative of the clipped ratio by the logarithm of the probability. */
static double ratio_of(double clip, double chance, double before, double credit)
{
	const double ratio = chance / before;
	if (credit > 0 ? ratio > 1 + clip : ratio < 1 - clip)
		return 0;
	return ratio;
}

/* Climbs the objective with the example's credit as weight. */
static void actor_grade(void *context, size_t i, const float out[DIRECTIONS],
			float back[DIRECTIONS])
{
	const struct policy *policy = context;
	const struct policy_settings *settings = &policy->settings;
	const struct example *e = &policy->base.example[i];
	const double chance = (double)e->chance;
	double p[DIRECTIONS], scale = (double)e->credit;
	softmax(out, e->legal, p);
	const bool printed =
	    settings->gradient == GRADIENT_PRINTED && settings->actions == ACTIONS_PROBABILISTIC;
	if (settings->clip > 0 && chance > 0)
		scale *= ratio_of(settings->clip, p[e->move], chance, scale);
	for (int d = 0; d < DIRECTIONS; d++) {
		const double a = d == e->move;
		const double from = printed ? log(fmax(p[d], 1e-30)) : p[d];
		back[d] = e->legal >> d & 1 ? (float)(scale * (a - from)) : 0;
	}
}

/* Descends the squared error. */
static void critic_grade(void *context, size_t i, const float out[DIRECTIONS],
			 float back[DIRECTIONS])
{
	const struct batch_policy *b = context;
	memset(back, 0, DIRECTIONS * sizeof *back);
	back[0] = b->example[i].target - out[0];
}

/* Returns the measure REWARD of BOARD: sum, largest tile, or whether 2048 was reached. */
static double potential(int reward, const struct board *board)
{
	switch (reward) {
	case REWARD_SUM:
		return (double)board_sum(board);
	case REWARD_MAX:
		return (double)((uint64_t)1 << board_max(board));
	default:
		return board_max(board) >= 11;
	}
}

/* Returns the reward of a whole game. */
static float game_reward(int reward, const struct outcome *outcome)
{
	if (reward == REWARD_SCORE)
		return (float)outcome->score;
	return reward == REWARD_MOVES ? (float)outcome->moves
				      : (float)potential(reward, &outcome->last);
}

/* Replays RECORD as EPISODE, without probabilities. STATUS_SYSTEM. */
static enum status record_replay(const struct game *game, const struct record *record,
				 struct episode *episode, struct why *why)
{
	struct board board = record->start;
	episode->outcome = (struct outcome){.score = record->score};
	for (size_t i = 0; i < record->moves; i++) {
		const struct record_move *move = &record->move[i];
		struct episode_move *step = episode_step(episode);
		struct moves moves;
		if (!step)
			return why_set(why, STATUS_SYSTEM, "out of memory for recorded games");
		game->moves(&board, &moves);
		*step = (struct episode_move){.board = board,
					      .legal = (uint8_t)moves.legal,
					      .move = (uint8_t)move->direction,
					      .reward = (float)moves.reward[move->direction]};
		episode->outcome.moves++;
		board = moves.after[move->direction];
		if (move->exponent)
			*board_at(&board, move->place) = move->exponent;
	}
	episode->outcome.last = board;
	return STATUS_OK;
}

/* Whether the batch learns from recorded games alone. */
static bool demonstrations_only(const struct policy *p)
{
	return p->demos.games > 0 && p->base.learned < (uint64_t)p->settings.demo_only &&
	       !p->fit.ended;
}

static const struct record *demo(const struct policy *p, size_t i)
{
	const uint64_t shown = (uint64_t)p->settings.demo_games;
	return &p->demos.game[(p->base.learned * shown + i) % p->demos.games];
}

/* Standardises every STEP-th of N floats to mean 0 and standard deviation 1; 0 if all are equal. */
static void standardise(float *x, size_t n, size_t step)
{
	double sum = 0, squares = 0;
	for (size_t i = 0; i < n; i++)
		sum += (double)x[i * step];
	const double mean = n ? sum / (double)n : 0;
	for (size_t i = 0; i < n; i++)
		squares += ((double)x[i * step] - mean) * ((double)x[i * step] - mean);
	const double deviation = n ? sqrt(squares / (double)n) : 0;
	for (size_t i = 0; i < n; i++)
		x[i * step] = deviation > 0 ? (float)(((double)x[i * step] - mean) / deviation) : 0;
}

static void credit_standardise(struct batch_policy *b)
{
	if (b->examples)
		standardise(&b->example->credit, b->examples, sizeof *b->example / sizeof(float));
}

/* The credit of a move is the reward of its game, standardised over the games. */
static void credit_game(struct policy *p, struct episode *game, size_t games)
{
	for (size_t g = 0; g < games; g++)
		game[g].reward = game_reward(p->settings.reward, &game[g].outcome);
	standardise(&game->reward, games, sizeof *game / sizeof(float));
	for (size_t g = 0; g < games; g++)
		for (size_t i = 0; i < game[g].outcome.moves; i++)
			p->base.example[game[g].first + i].credit = game[g].reward;
}

/* Converts the rewards of moves from points to r_t, the increase of the measure of games. */
static void rewards_make(struct policy *p, const struct episode *game, size_t games)
{
	const int kind = p->settings.reward;
	for (size_t g = 0; g < games && kind != REWARD_SCORE; g++)
		for (size_t i = 0; i < game[g].outcome.moves; i++) {
			struct example *at = &p->base.example[game[g].first + i];
			const bool end = i + 1 == game[g].outcome.moves;
			const struct board *next = end ? &game[g].outcome.last : at[1].board;
			at->reward =
			    kind == REWARD_MOVES
				? 1
				: (float)(potential(kind, next) - potential(kind, at->board));
		}
}

static enum status credit_togo(struct policy *p, const struct episode *game, size_t games,
			       struct why *why)
{
	size_t longest = 0;
	for (size_t g = 0; g < games; g++) {
		struct example *example = p->base.example + game[g].first;
		const size_t moves = (size_t)game[g].outcome.moves;
		double sum = 0;
		longest = moves > longest ? moves : longest;
		for (size_t i = moves; i-- > 0;) {
			sum = (double)example[i].reward + p->settings.gamma * sum;
			example[i].credit = (float)sum;
		}
	}
	double *mean = calloc(longest + 1, sizeof *mean);
	if (!mean)
		return why_set(why, STATUS_SYSTEM, "out of memory for the moves of a batch");
	for (size_t g = 0; g < games; g++)
		for (size_t i = 0; i < game[g].outcome.moves; i++)
			mean[i] +=
			    (double)p->base.example[game[g].first + i].credit / (double)games;
	for (size_t g = 0; g < games; g++)
		for (size_t i = 0; i < game[g].outcome.moves; i++)
			p->base.example[game[g].first + i].credit -= (float)mean[i];
	free(mean);
	credit_standardise(&p->base);
	return STATUS_OK;
}

static enum status credit_critic(struct policy *p, const struct episode *game, size_t games,
				 struct why *why)
{
	struct batch_policy *b = &p->base;
	const double gamma = p->settings.gamma;
	const double unit = gamma < 1 ? 1 - gamma : 0x1p-10;
	enum status status = gradient_reserve(&p->critic_gradient, why);
	if (status)
		return status;
	float(*out)[DIRECTIONS] = batch_policy_outputs(b, &p->critic_gradient, why);
	if (!out)
		return STATUS_SYSTEM;
	for (size_t g = 0; g < games; g++) {
		double next = 0, sum = 0;
		for (size_t i = game[g].first + game[g].outcome.moves; i-- > game[g].first;) {
			struct example *at = &b->example[i];
			const double value = (double)out[i][0];
			const double error = unit * (double)at->reward + gamma * next - value;
			sum = error + gamma * p->settings.lambda * sum;
			at->credit = (float)sum;
			at->target = (float)(sum + value);
			next = value;
		}
	}
	free(out);
	credit_standardise(b);
	return STATUS_OK;
}

static enum status examples_credit(struct policy *p, struct episode *game, size_t games,
				   struct why *why)
{
	enum status status = STATUS_OK;
	if (p->settings.credit == CREDIT_GAME) {
		credit_game(p, game, games);
	} else {
		rewards_make(p, game, games);
		status = p->settings.credit == CREDIT_TOGO ? credit_togo(p, game, games, why)
							   : credit_critic(p, game, games, why);
	}
	/* With recorded games alone, only a critic learns from rewards. */
	for (size_t i = 0; demonstrations_only(p) && i < p->base.examples; i++)
		p->base.example[i].credit = 1;
	return status;
}

/*
 * Makes the moves of the batch the examples: those of the games that were played, of recorded ones,
 * or of both. STATUS_SYSTEM.
 */
static enum status policy_credit(struct policy *p, struct why *why)
{
	const struct episodes *batch = &p->base.episodes;
	const bool only = demonstrations_only(p);
	/* Other kinds of credit need the probability of a move. */
	const bool mixed = p->demos.games && p->settings.credit == CREDIT_GAME;
	const size_t shown = only || mixed ? batch->recorded : 0;
	struct episode *recorded = batch->episode + batch->count;
	struct episode *game = only ? recorded : batch->episode;
	const size_t games = only ? shown : batch->count + shown;
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < shown; i++)
		status = record_replay(p->base.game, demo(p, i), &recorded[i], why);
	if (!status)
		status = batch_policy_examples(&p->base, game, games, why);
	return status ? status : examples_credit(p, game, games, why);
}

/*
 * Starts the next stage if at least a tenth of the N boards belong to it or to later ones. Returns
 * whether it did.
 */
static bool staged_promote(struct staged_network *network, const struct board *const *board,
			   size_t n)
{
	size_t beyond = 0;
	if (network->live == network->plan.stages)
		return false;
	for (size_t i = 0; i < n; i++)
		beyond += board_max(board[i]) >= network->plan.threshold[network->live - 1];
	if (beyond == 0 || 10 * beyond < n)
		return false;
	memcpy(network->weight[network->live], network->weight[network->live - 1],
	       network->net.size * sizeof(float));
	network->live++;
	return true;
}

/* Adds the loss of the batch to that of the window. */
static enum status loss_add(struct batch_policy *b, struct demonstration_fit *fit, struct why *why)
{
	float(*out)[DIRECTIONS] = batch_policy_outputs(b, &b->gradient, why);
	if (!out)
		return STATUS_SYSTEM;
	for (size_t i = 0; i < b->examples; i++) {
		double chance[DIRECTIONS];
		softmax(out[i], b->example[i].legal, chance);
		fit->loss -= log(fmax(chance[b->example[i].move], 1e-300));
	}
	free(out);
	fit->moves += b->examples;
	fit->batches++;
	return STATUS_OK;
}

/*
 * Before learning from a batch of recorded games alone, checks whether it is the last such batch.
 */
static enum status demonstrations_check(struct policy *p, struct why *why)
{
	const struct policy_settings *s = &p->settings;
	const uint64_t games = p->demos.games, shown = (uint64_t)s->demo_games;
	const uint64_t window = (games + shown - 1) / shown;
	struct demonstration_fit *fit = &p->fit;
	if (s->demo_tolerance <= 0 || !demonstrations_only(p))
		return STATUS_OK;
	const enum status status = loss_add(&p->base, fit, why);
	if (status || fit->batches < window || fit->moves == 0)
		return status;
	const double loss = fit->loss / (double)fit->moves;
	if (fit->before - loss < s->demo_tolerance)
		fit->ended = p->base.learned + 1;
	*fit = (struct demonstration_fit){.ended = fit->ended, .before = loss};
	return STATUS_OK;
}

static enum status policy_update(struct batch_policy *b, uint64_t seed, struct why *why)
{
	struct policy *p = (struct policy *)b;
	const struct policy_settings *s = &p->settings;
	const bool critic = s->credit == CREDIT_CRITIC;
	struct gradient_batch steps[] = {
	    {.gradient = &b->gradient,
	     .grade = actor_grade,
	     .alpha = policy_rate(s->alpha, s->alpha_end, s->alpha_games, b->ended),
	     .last = s->gradient == GRADIENT_PRINTED},
	    {.gradient = &p->critic_gradient, .grade = critic_grade, .alpha = CRITIC_ALPHA},
	};
	enum status status = policy_credit(p, why);
	if (status)
		return status;
	const struct board *const *board = batch_policy_boards(b);
	staged_promote(&b->network, board, b->examples);
	if (critic)
		staged_promote(&p->critic, board, b->examples);
	status = demonstrations_check(p, why);
	if (!status)
		batch_policy_steps(b, s->minibatch, s->epochs, seed, steps, critic ? 2 : 1);
	return status;
}

static int policy_choose(const struct batch_policy *b, uint64_t index, const struct turn *turn,
			 const double chance[DIRECTIONS], struct rng *rng)
{
	const struct policy_settings *s = &((const struct policy *)b)->settings;
	if (s->actions == ACTIONS_PROBABILISTIC)
		return chances_draw(chance, rng);
	const double epsilon = policy_rate(s->epsilon, s->epsilon_end, s->epsilon_games, index);
	return rng_real(rng) < epsilon ? moves_any(&turn->moves, rng) : chances_best(chance);
}

/*
 * Whether the network can learn: while all weights of the first layer are 0, as before
 * staged_start(), all gradients except those of the last biases are 0.
 */
static bool staged_started(const struct staged_network *network)
{
	const float *w = network->weight[0];
	bool started = false;
	for (size_t i = network->net.weight[0]; !started && i < network->net.bias[0]; i++)
		started = w[i] != 0;
	return started;
}

static void policy_start(struct batch_policy *b, uint64_t seed)
{
	struct policy *p = (struct policy *)b;
	if (!p->settings.weights[0])
		staged_start(&b->network, seed, 0);
	/* weights_inherit() may have copied the critic of the other policy. */
	if (p->settings.credit == CREDIT_CRITIC && !staged_started(&p->critic))
		staged_start(&p->critic, seed, 1);
}

static const struct batch_rules policy_rules = {
    .choose = policy_choose, .start = policy_start, .update = policy_update};

/* Copies the weights of FROM, which has the same layout as TO. */
static void weights_copy(struct staged_network *to, const struct staged_network *from)
{
	memcpy(to->weight[0], from->weight[0],
	       (size_t)to->plan.stages * to->net.size * sizeof *to->weight[0]);
	to->live = from->live;
}

/*
 * Copies the weights of the policy in settings.weights, and those of its critic if both policies
 * have one and the other's can learn. Otherwise policy_start() initialises the critic. STATUS_INPUT
 * if that policy has another layout.
 */
static enum status weights_inherit(struct policy *p, struct why *why)
{
	char text[FIELD_TEXT_MAX + 16], mine[MODEL_LAYOUT_MAX], theirs[MODEL_LAYOUT_MAX];
	const struct agent_env env = {.game = p->base.game};
	struct agent *agent;
	snprintf(text, sizeof text, "policy:file=%s", p->settings.weights);
	enum status status = agent_new(text, &env, &agent, why);
	if (status)
		return status;
	const struct policy *other = agent->self;
	staged_layout(&p->base.network, mine);
	staged_layout(&other->base.network, theirs);
	if (strcmp(mine, theirs) != 0) {
		status = why_set(why, STATUS_INPUT, "%s: weights for '%s', expected '%s'",
				 p->settings.weights, theirs, mine);
	} else {
		weights_copy(&p->base.network, &other->base.network);
		if (p->settings.credit == CREDIT_CRITIC &&
		    other->settings.credit == CREDIT_CRITIC && staged_started(&other->critic))
			weights_copy(&p->critic, &other->critic);
	}
	agent_free(agent);
	return status;
}

static enum status policy_init(void *self, const struct agent_env *env, struct why *why)
{
	struct policy *p = self;
	const struct policy_settings *s = &p->settings;
	enum status status = learner_init(&policy_agent, p, env, why);
	if (status)
		return status;
	/* A player from a file does not need recorded games. */
	const bool learns = !env->owner && !p->base.file[0];
	if (learns && s->demo_only && !s->demonstrations[0])
		status = why_set(why, STATUS_INPUT,
				 "policy: demo_only=%" PRId64 " without demonstrations: it needs "
				 "demonstrations=FILE, the recorded games",
				 s->demo_only);
	else if (learns && s->demonstrations[0])
		status = records_read(s->demonstrations, env->game, &p->demos, why);
	if (!status && learns && s->weights[0])
		status = weights_inherit(p, why);
	if (status)
		policy_fini(p);
	return status;
}

/* Appends the convergence of the fit to recorded games. */
static void policy_layout(const void *self, char *layout)
{
	const struct policy *p = self;
	const struct demonstration_fit *fit = &p->fit;
	char after[48] = "", loss[48] = "";
	batch_policy_layout(self, layout);
	if (p->settings.demo_tolerance <= 0)
		return;
	const size_t used = strlen(layout);
	if (fit->ended)
		snprintf(after, sizeof after, " after %" PRIu64 " batches", fit->ended);
	if (isfinite(fit->before))
		snprintf(loss, sizeof loss, ", loss %.4f", fit->before);
	snprintf(layout + used, MODEL_LAYOUT_MAX - used, "; recorded games: %sconverged%s%s",
		 fit->ended ? "" : "not ", after, loss);
}

/* Writes or reads the numbers of FIT, after LEARNED batches. */
static void fit_section(struct demonstration_fit *fit, uint64_t learned, struct model_file *file)
{
	fit->ended = model_number(file, fit->ended, learned);
	fit->batches = model_number(file, fit->batches, learned);
	fit->moves = model_number(file, fit->moves, UINT64_MAX);
	fit->loss = model_real(file, fit->loss);
	fit->before = model_real(file, fit->before);
	if (model_reading(file) && !(fit->loss >= 0 && fit->before >= 0))
		model_reject(file, "a loss that cannot be", "0 or more");
	model_section_end(file);
}

static void policy_sections(void *self, struct model_file *file)
{
	struct policy *p = self;
	batch_policy_numbers(&p->base, file);
	batch_policy_sections(&p->base, file);
	if (p->settings.credit == CREDIT_CRITIC) {
		staged_sections(&p->critic, file);
		gradient_sections(&p->critic_gradient, file);
	}
	if (p->settings.demo_tolerance > 0)
		fit_section(&p->fit, p->base.learned, file);
}

/* Model files do not contain recorded games. */
static void policy_keep(void *self, void *before)
{
	struct policy *p = self, *from = before;
	p->demos = from->demos;
	from->demos = (struct records){0};
}

static const struct agent_model policy_model = {
    .params = policy_params + 2, /* all parameters except file and play */
    .retired = ",levels=auto,start=plain,last=1,entropy=0,critic_alpha=0.001,demo_window=auto,",
    .make = policy_make,
    .borrow = batch_policy_borrow,
    .layout = policy_layout,
    .layout_is_learned = true, /* the part after the semicolon */
    .sections = policy_sections,
    .keep = policy_keep,
};

const struct agent_class policy_agent = {
    .name = "policy",
    .summary = "policy network, learns from batches of its own games or from recorded ones",
    .params = policy_params,
    .size = sizeof(struct policy),
    .init = policy_init,
    .act = batch_policy_act,
    .chances = batch_policy_chances,
    .policy_kind = batch_policy_kind,
    .learn = batch_policy_learn,
    .uses_team = true,
    .trained = batch_policy_trained,
    .model = &policy_model,
    .fini = policy_fini,
};
