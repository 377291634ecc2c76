/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batch-relative policy learning (Math for reinforcement learning, part 2, an article on a network
 * for 2048; its results are in a third part that we have not seen).
 *
 * A network with two hidden layers gives each legal move a probability, by which moves are drawn in
 * training. A game is good if its measure is above the median of its batch, else bad. With M the
 * move made, as a vector (sections "Formulation" and "Weighting"),
 *
 *	Y = M in a good game, (1 - M) / 3 in a bad one,
 *	loss = j k sum |p_i - Y_i| / 4,
 *	j = |measure - median| / |best - median|, in a bad game / |worst - median|,
 *
 * and Adam makes a step along the mean of the gradients over all moves of the batch, or a step for
 * each minibatch. Initial weights and the constants of Adam are defaults of the article's tools.
 *
 * Where the article is silent:
 * - It shows layouts as tiles. Here the input is exponents, or one-hot cells (input=onehot).
 * - It samples from all four moves and does not say what an illegal one does. Here only legal ones
 *   are made, by their rescaled probabilities. By default p and Y are probabilities of the legal
 *   moves alone: (1 - M) / 3 becomes (1 - M) / (number of legal moves - 1), and the only legal move
 *   has Y = M in any game. The sum is divided by 4 in both cases. among=all is the article's rule.
 * - How the trained network plays: argmax, its "simply choose the move with highest probability",
 *   or drawn as in training (play=sample).
 * - How many steps a batch makes: its text and its tools' defaults suggest one (L1Loss: the mean).
 * - The median of an even number of games is the mean of the two in the middle.
 * - When no bad game is below the median, j of all bad games is 0. So a batch of equal games
 *   teaches nothing, except without weights: then all of them are bad, with j = 1.
 * - Moves are counted from 1, so that the last one has k = 1 under linear_move_num.
 *
 * Derivatives. With p the softmax of z, dp_i / dz_k = p_i ([i = k] - p_k). Let g_i be weight / 4
 * times the sign of p_i - Y_i; then dloss / dz_k = p_k (g_k - sum of g_i p_i).
 *
 * Check values, the article's: p = (.1, .2, .6, .1) and the second move: 0.4 in a good game; in a
 * bad one 7/30, which it prints as 0.2325, since it rounds 1/3 to .33.
 *
 * Additions: `bad`, `among`, `minibatch`, `symmetry`, any board; docs/relative.md says what helps.
 * On 4x4 with exponents the network has 16 * 200 + 200 * 100 + 100 * 4 weights and 304 biases.
 */
#include "agents/nets/batch_policy.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The parameter game_type. */
enum game_type { GAME_FULL, GAME_MINI_ITERATIVE, GAME_MINI_RANDOM };

/* The measure of games, and whether they are weighted by it: the parameter game_penalty_type. */
enum game_penalty {
	GAME_PENALTY_NONE, /* the score separates good from bad; all games count alike */
	GAME_PENALTY_SCORES,
	GAME_PENALTY_MAX,
	GAME_PENALTY_LOG2_MAX,
	GAME_PENALTY_TILE_SUMS,
};

/* The weight of a move within its game: the parameter move_penalty_type. */
enum move_penalty {
	MOVE_PENALTY_NONE,
	MOVE_PENALTY_NONZERO,
	MOVE_PENALTY_LINEAR,
	MOVE_PENALTY_EXPONENTIAL,
};

enum relative_among { AMONG_LEGAL, AMONG_ALL };

struct relative_settings {
	int game_type, random_games, move_penalty_type, game_penalty_type;
	int input, symmetry, among;
	double random_frac, lr, bad;
	int64_t batch_size, hidden1, hidden2, minibatch;
	int64_t win, mini_first, mini_last, mini_batches;
};

/* Measures of the games of a batch. */
struct measures {
	double median, best, worst;
};

/* Mini-games: the layout where the games of a batch start, and the tile that ends them. */
struct curriculum {
	const struct game *game;
	enum game_type type;
	int first, last;  /* exponents that challenges start from; each ends at the next */
	uint64_t batches; /* batches per challenge */

	int exponent;	    /* exponent of the current challenge */
	uint64_t batch;	    /* finished batches of the challenge */
	struct board start; /* starting layout of the current batch */
	bool solved;	    /* a game reached the tile and can continue */
	double best;	    /* measure of the best such game */
	struct board end;   /* final board of that game */
};

struct relative {
	struct batch_policy base;
	struct relative_settings settings;
	int limit; /* exponent that ends a full game; 0: none */
	struct curriculum curriculum;
};

#define FIELD(name) .offset = offsetof(struct relative, settings.name)

/*
 * The parameters from game_type to game_penalty_type are the article's "Final parameter list".
 * Where it has no default (batch_size), ours is usual for this kind of network.
 */
static const struct field relative_params[] = {
    {"file", FIELD_FILE, .offset = offsetof(struct relative, base.file), "", 0, 0, NULL,
     "model file; its settings are taken with it"},
    {"play", FIELD_CHOICE, .offset = offsetof(struct relative, base.play), "argmax", 0, 0,
     "argmax|sample", "moves outside training: the most likely, or drawn by their probabilities"},
    {"game_type", FIELD_CHOICE, FIELD(game_type), "full", 0, 0, "full|mini_iterative|mini_random",
     "training games: whole ones, or from a layout to the next tile"},
    {"random_games", FIELD_CHOICE, FIELD(random_games), "false", 0, 0, "false|true",
     "add the same number of games of random moves to each batch"},
    {"random_frac", FIELD_REAL, FIELD(random_frac), "0", 0, 1, NULL,
     "share of random moves in the other games", .scale = 0.1},
    {"batch_size", FIELD_INTEGER, FIELD(batch_size), "10", 1, 100000, NULL,
     "games per batch, which are compared with each other"},
    {"lr", FIELD_REAL, FIELD(lr), "0.001", 0, 1e6, NULL, "learning rate"},
    {"move_penalty_type", FIELD_CHOICE, FIELD(move_penalty_type), "none", 0, 0,
     "none|nonzero|linear_move_num|exponential_move_num",
     "weight of a move: constant, by the tiles on the board, or by its number in the game"},
    {"game_penalty_type", FIELD_CHOICE, FIELD(game_penalty_type), "none", 0, 0,
     "none|scores|max|log2_max|tile_sums",
     "measure that separates and weights good and bad games; none: the score, without weights"},
    {"hidden1", FIELD_INTEGER, FIELD(hidden1), "200", 1, PERCEPTRON_WIDTH, NULL,
     "units of the first hidden layer"},
    {"hidden2", FIELD_INTEGER, FIELD(hidden2), "100", 1, PERCEPTRON_WIDTH, NULL,
     "units of the second hidden layer"},
    {"input", FIELD_CHOICE, FIELD(input), "exponents", 0, 0, "exponents|onehot",
     "input of a cell: the exponent, or a vector with a 1 for it"},
    {"symmetry", FIELD_CHOICE, FIELD(symmetry), "none", 0, 0, "none|canonical",
     "canonical: one of the board's symmetric images stands for all"},
    {"among", FIELD_CHOICE, FIELD(among), "legal", 0, 0, "legal|all",
     "moves among which learning divides the probability; only legal moves are played"},
    {"bad", FIELD_REAL, FIELD(bad), "1", 0, 1000, NULL,
     "weight of bad games relative to good ones"},
    {"minibatch", FIELD_INTEGER, FIELD(minibatch), "0", 0, 1e9, NULL,
     "moves per step of the weights, in random order; 0: the whole batch in one step"},
    {"win", FIELD_INTEGER, FIELD(win), "2048", 2, 1e12, "none", "tile that ends a whole game"},
    {"mini_first", FIELD_INTEGER, FIELD(mini_first), "auto", 2, 1e12, "auto",
     "largest tile of the layouts of the first mini-games; auto: mini_last / 16, or the smallest "
     "that the board allows"},
    {"mini_last", FIELD_INTEGER, FIELD(mini_last), "auto", 2, 1e12, "auto",
     "largest tile of the layouts of the last ones; auto: 1024, or the largest that the board "
     "allows"},
    {"mini_batches", FIELD_INTEGER, FIELD(mini_batches), "10", 1, 1e15, NULL,
     "batches of mini-games before the tile is doubled"},
    {0},
};

/* Returns the measure of a game, in points or, for log2_max, as an exponent. */
static double relative_measure(enum game_penalty penalty, const struct outcome *outcome)
{
	switch (penalty) {
	case GAME_PENALTY_MAX:
		return ldexp(1, outcome->max_exponent);
	case GAME_PENALTY_LOG2_MAX:
		return outcome->max_exponent;
	case GAME_PENALTY_TILE_SUMS:
		return (double)board_sum(&outcome->last);
	default:
		return (double)outcome->score;
	}
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* STATUS_SYSTEM. */
static enum status batch_measure(const struct episodes *batch, enum game_penalty penalty,
				 struct measures *measures, struct why *why)
{
	const size_t n = batch->count;
	double *sorted = malloc(n * sizeof *sorted);
	if (!sorted)
		return why_set(why, STATUS_SYSTEM, "out of memory for a batch of games");
	for (size_t i = 0; i < n; i++)
		sorted[i] = relative_measure(penalty, &batch->episode[i].outcome);
	qsort(sorted, n, sizeof *sorted, by_size);
	*measures = (struct measures){.median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2,
				      .best = sorted[n - 1],
				      .worst = sorted[0]};
	free(sorted);
	return STATUS_OK;
}

/*
 * Returns j, from 0 to 1, of the game MEASURE of a batch. Source: Math for reinforcement learning,
 * part 2, "Defining j".
 */
static double game_weight(const struct measures *batch, double measure)
{
	const double distance = fabs(measure - batch->median);
	const bool good = measure > batch->median;
	const double most = good ? batch->best - batch->median : batch->median - batch->worst;
	return distance > 0 ? distance / most : 0;
}

/*
 * Returns k, from 0 to 1, of the move made in BOARD as number NUMBER, counted from 1, of MOVES
 * moves of its game. Source: the same article, "Defining k".
 */
static double relative_move_weight(enum move_penalty penalty, const struct game *game,
				   const struct board *board, uint64_t number, uint64_t moves)
{
	const double x = (double)number / (double)moves;
	assert(number > 0 && number <= moves);
	switch (penalty) {
	case MOVE_PENALTY_NONZERO:
		return (double)(game->cells - board_empty(game, board)) / game->cells;
	case MOVE_PENALTY_LINEAR:
		return x;
	case MOVE_PENALTY_EXPONENTIAL:
		return 1 - exp(-3 * x);
	default:
		return 1;
	}
}

/*
 * Computes Y, the target probabilities where MOVE was made; they sum to 1. Only moves of the set
 * AMONG, which contains MOVE, get any. Source: the same article, "Finding Y".
 */
static void relative_target(unsigned among, int move, bool good, double y[DIRECTIONS])
{
	const int others = __builtin_popcount(among) - 1;
	assert(among >> move & 1);
	for (int d = 0; d < DIRECTIONS; d++)
		if (good || others == 0)
			y[d] = d == move;
		else
			y[d] = d != move && among >> d & 1 ? 1.0 / others : 0;
}

/*
 * Computes the derivatives of the loss by the inputs of the softmax that produced P. Where an entry
 * of P equals that of Y, the derivative of the distance is taken as 0.
 */
static void relative_gradient(const double p[DIRECTIONS], const double y[DIRECTIONS], double weight,
			      double gradient[DIRECTIONS])
{
	double slope[DIRECTIONS], mean = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		slope[d] = weight / DIRECTIONS * ((p[d] > y[d]) - (p[d] < y[d]));
		mean += slope[d] * p[d];
	}
	for (int d = 0; d < DIRECTIONS; d++)
		gradient[d] = p[d] * (slope[d] - mean);
}

/*
 * Random layouts for mini-games (section "Everything's relative": "a random layout with 64 as its
 * largest tile"). Our reading: the largest tile is in a uniformly chosen cell; every other cell is
 * empty with probability 1/2, or holds one of the smaller exponents, from the smallest spawn on,
 * uniformly; all independently. A layout that no game can have (game_admits()), or without a legal
 * move, is drawn again.
 *
 * Check values: if none is drawn again, the number of tiles is 1 + (cells - 1) / 2 on average. On
 * 2x2 with the largest tile 4 none is redrawn: 3/8 of the 4 x 2^3 layouts have exactly two tiles.
 */

/*
 * Computes the range of exponents of the largest tile of layouts of GAME: from one above the
 * smallest spawn, so that there are smaller tiles, to one below the bound of the board, so that
 * there is a larger one to reach.
 */
static void layout_range(const struct game *game, int *least, int *most)
{
	*least = game->spawn.exponent[0] + 1;
	*most = game->max_exponent - 1;
}

static void layout_try(const struct game *game, int exponent, struct rng *rng, struct board *board)
{
	const uint32_t least = game->spawn.exponent[0], kinds = (uint32_t)exponent - least;
	const uint32_t largest = rng_below(rng, (uint32_t)game->cells);
	*board = (struct board){0};
	for (int i = 0; i < game->cells; i++) {
		uint8_t *cell = &board->cell[i / game->cols][i % game->cols];
		if ((uint32_t)i == largest)
			*cell = (uint8_t)exponent;
		else if (rng_below(rng, 2))
			*cell = (uint8_t)(least + rng_below(rng, kinds));
	}
}

/*
 * Draws a random layout with a legal move in which the tile 2^EXPONENT, within layout_range(), is
 * the largest and unique.
 */
static void layout_draw(const struct game *game, int exponent, struct rng *rng, struct board *board)
{
	struct why why;
	int least, most;
	layout_range(game, &least, &most);
	assert(least <= exponent && exponent <= most);
	do
		layout_try(game, exponent, rng, board);
	while (game->over(board) || game_admits(game, board, &why));
}

/*
 * The curriculum of mini-games (the same section). A challenge is to reach the next tile from a
 * layout with a given largest tile; a batch consists of attempts from one layout.
 *
 *  mini_random	a new random layout for every batch.
 *  mini_iterative	a random layout for the first challenge; each other one starts where the
 *  		best attempt at the previous one ended, by the measure of games.
 *
 * Our reading: a challenge lasts a number of batches. The first one, with a new layout, follows the
 * last one and, with mini_iterative, one whose tile no attempt reached with a legal move left.
 *
 * Invariant: `exponent` is the largest of `start`, and with `solved` one less than that of `end`.
 */
static void layout_new(struct curriculum *curriculum, uint64_t seed, uint64_t number)
{
	struct rng rng;
	rng_init(&rng, seed, RNG_LAYOUT, number);
	layout_draw(curriculum->game, curriculum->exponent, &rng, &curriculum->start);
}

static void challenge_set(struct curriculum *curriculum, int exponent)
{
	curriculum->exponent = exponent;
	curriculum->batch = 0;
	curriculum->solved = false;
	curriculum->best = 0;
	curriculum->end = (struct board){0};
}

static void curriculum_begin(struct curriculum *curriculum, uint64_t seed)
{
	challenge_set(curriculum, curriculum->first);
	layout_new(curriculum, seed, 0);
}

/* Stores the end of a game if it is the best so far from which the next challenge can start. */
static void attempt_add(struct curriculum *curriculum, const struct outcome *outcome,
			double measure)
{
	if (outcome->max_exponent != curriculum->exponent + 1 ||
	    curriculum->game->over(&outcome->last) ||
	    (curriculum->solved && measure <= curriculum->best))
		return;
	curriculum->solved = true;
	curriculum->best = measure;
	curriculum->end = outcome->last;
}

static void curriculum_next(struct curriculum *curriculum, uint64_t seed, uint64_t number,
			    const struct episodes *batch, enum game_penalty penalty)
{
	for (size_t i = 0; i < batch->count; i++) {
		const struct outcome *outcome = &batch->episode[i].outcome;
		attempt_add(curriculum, outcome, relative_measure(penalty, outcome));
	}
	const bool over = ++curriculum->batch == curriculum->batches;
	const bool last = curriculum->exponent == curriculum->last;
	const bool iterative = curriculum->type == GAME_MINI_ITERATIVE;
	if (over && iterative && curriculum->solved && !last) {
		curriculum->start = curriculum->end;
		challenge_set(curriculum, curriculum->exponent + 1);
		return;
	}
	if (over)
		challenge_set(curriculum,
			      iterative || last ? curriculum->first : curriculum->exponent + 1);
	if (over || !iterative)
		layout_new(curriculum, seed, number + 1);
}

/* Whether EXPONENT is the largest of BOARD, and a move is legal. */
static bool layout_valid(const struct game *game, const struct board *board, int exponent)
{
	return model_board_valid(game, board) && board_max(board) == exponent && !game->over(board);
}

static void curriculum_section(struct curriculum *curriculum, struct model_file *file)
{
	const uint64_t exponent = model_number(file, (uint64_t)curriculum->exponent, UINT64_MAX);
	curriculum->batch = model_number(file, curriculum->batch, UINT64_MAX);
	const uint64_t solved = model_number(file, curriculum->solved, UINT64_MAX);
	curriculum->best = model_real(file, curriculum->best);
	model_bytes(file, &curriculum->start, sizeof curriculum->start);
	model_bytes(file, &curriculum->end, sizeof curriculum->end);
	curriculum->exponent = (int)exponent;
	curriculum->solved = solved;
	const bool within =
	    exponent >= (uint64_t)curriculum->first && exponent <= (uint64_t)curriculum->last;
	if (model_reading(file) &&
	    (!within || curriculum->batch >= curriculum->batches || solved > 1 ||
	     !layout_valid(curriculum->game, &curriculum->start, (int)exponent) ||
	     (solved && !layout_valid(curriculum->game, &curriculum->end, (int)exponent + 1))))
		model_reject(file, "an impossible mini-game", "one of the course of its settings");
	model_section_end(file);
}

/* Converts TILE to an exponent; STATUS_INPUT unless it is within LEAST .. MOST. */
static enum status exponent_read(const char *name, int64_t tile, const struct game *game, int least,
				 int most, int *exponent, struct why *why)
{
	const int k = __builtin_ctzll((uint64_t)tile);
	if (tile != (int64_t)1 << k || k < least || k > most)
		return why_set(why, STATUS_INPUT,
			       "relative: %s=%lld: expected a tile from %lld to %lld on %s", name,
			       (long long)tile, 1LL << least, 1LL << most, game->name);
	*exponent = k;
	return STATUS_OK;
}

enum { MINI_LAST = 10, MINI_STEPS = 4 };

/*
 * Plans the curriculum of mini-games. With whole games there is none, and its parameters are not
 * checked. Check values for auto: 64 to 1024 on 4x4 and larger boards, 32 to 512 on 3x3, 4 to 16 on
 * 2x2.
 */
static enum status curriculum_plan(const struct relative_settings *s, const struct game *game,
				   struct curriculum *curriculum, struct why *why)
{
	int least, most;
	*curriculum = (struct curriculum){.game = game,
					  .type = (enum game_type)s->game_type,
					  .batches = (uint64_t)s->mini_batches};
	if (curriculum->type == GAME_FULL)
		return STATUS_OK;
	layout_range(game, &least, &most);
	if (least > most)
		return why_set(
		    why, STATUS_INPUT,
		    "relative: no mini-games on %s: no tile is above the spawned ones and "
		    "below the largest; expected game_type=full",
		    game->name);
	const bool first = s->mini_first != FIELD_WORD, last = s->mini_last != FIELD_WORD;
	enum status status = STATUS_OK;
	if (first)
		status = exponent_read("mini_first", s->mini_first, game, least, most,
				       &curriculum->first, why);
	if (!status && last)
		status =
		    exponent_read("mini_last", s->mini_last, game,
				  first ? curriculum->first : least, most, &curriculum->last, why);
	if (!last) {
		curriculum->last = most < MINI_LAST ? most : MINI_LAST;
		if (curriculum->last < curriculum->first)
			curriculum->last = curriculum->first;
	}
	/* Four tiles below the last, as in the article's example, as far as the board allows. */
	if (!first)
		curriculum->first =
		    curriculum->last - MINI_STEPS > least ? curriculum->last - MINI_STEPS : least;
	return status;
}

static const struct batch_rules relative_rules;

static enum status relative_make(void *self, const struct game *game, struct why *why)
{
	struct relative *r = self;
	const struct relative_settings *s = &r->settings;
	const size_t games = (size_t)s->batch_size * (s->random_games ? 2 : 1);
	const struct staged_plan plan = {
	    .exponents = s->input == 0,
	    .canonical = s->symmetry,
	    .layers = 3,
	    .width = {(int)s->hidden1, (int)s->hidden2, DIRECTIONS},
	    .stages = 1,
	    .torch = true,
	};
	enum status status = STATUS_OK;
	if (s->win != FIELD_WORD)
		status = exponent_read("win", s->win, game, game->spawn.exponent[0] + 1, 43,
				       &r->limit, why);
	if (!status)
		status = curriculum_plan(s, game, &r->curriculum, why);
	/* Adam with the constants of its paper and of the article's tools. */
	if (!status)
		status = batch_policy_make(&r->base, &relative_rules, game, &plan, games, 0,
					   OPTIMISER_ADAM, 0.999, why);
	if (!status && r->curriculum.type != GAME_FULL)
		curriculum_begin(&r->curriculum, 1);
	return status;
}

static const struct relative *relative_of(const struct batch_policy *b)
{
	return (const struct relative *)b;
}

/* Whether the moves of a game are random; such games follow those of the network in a batch. */
static bool game_random(const struct batch_policy *b, uint64_t index)
{
	const struct relative_settings *s = &relative_of(b)->settings;
	const uint64_t size = (uint64_t)s->batch_size;
	return s->random_games && index % (2 * size) >= size;
}

static bool game_layout(const struct batch_policy *b, struct board *board)
{
	const struct curriculum *curriculum = &relative_of(b)->curriculum;
	*board = curriculum->start;
	return curriculum->type != GAME_FULL;
}

static bool game_ends(const struct batch_policy *b, const struct board *board)
{
	const struct relative *r = relative_of(b);
	const int mini = r->curriculum.type != GAME_FULL;
	const int limit = mini ? r->curriculum.exponent + 1 : r->limit;
	return limit && board_max(board) >= limit;
}

static int game_choose(const struct batch_policy *b, uint64_t index, const struct turn *turn,
		       const double chance[DIRECTIONS], struct rng *rng)
{
	const double frac = relative_of(b)->settings.random_frac;
	if (game_random(b, index) || (frac > 0 && rng_real(rng) < frac))
		return moves_any(&turn->moves, rng);
	return chances_draw(chance, rng);
}

/* Measures the games of the batch; their moves, weighted, become the examples. STATUS_SYSTEM. */
static enum status examples_weigh(struct relative *r, struct why *why)
{
	struct batch_policy *b = &r->base;
	const struct relative_settings *s = &r->settings;
	const struct episodes *batch = &b->episodes;
	const enum game_penalty penalty = (enum game_penalty)s->game_penalty_type;
	struct measures measures = {0};
	enum status status = batch_measure(batch, penalty, &measures, why);
	if (!status)
		status = batch_policy_examples(b, batch->episode, batch->count, why);
	for (size_t i = 0; !status && i < batch->count; i++) {
		const double measure = relative_measure(penalty, &batch->episode[i].outcome);
		const bool good = measure > measures.median,
			   weighted = penalty != GAME_PENALTY_NONE;
		const double j =
		    (weighted ? game_weight(&measures, measure) : 1) * (good ? 1 : s->bad);
		const uint64_t moves = batch->episode[i].outcome.moves;
		struct example *example = b->example + batch->episode[i].first;
		for (uint64_t m = 0; m < moves; m++) {
			const double k =
			    relative_move_weight((enum move_penalty)s->move_penalty_type, b->game,
						 example[m].board, m + 1, moves);
			example[m].credit = (float)(j * k);
			example[m].good = good;
		}
	}
	return status;
}

/* Descends the loss. */
static void relative_derivative(void *context, size_t i, const float out[DIRECTIONS],
				float back[DIRECTIONS])
{
	const struct relative *r = context;
	const struct example *e = &r->base.example[i];
	const bool all = r->settings.among == AMONG_ALL;
	const unsigned among = all ? (1u << DIRECTIONS) - 1 : e->legal;
	double p[DIRECTIONS], y[DIRECTIONS], gradient[DIRECTIONS];
	softmax(out, among, p);
	relative_target(among, e->move, e->good, y);
	relative_gradient(p, y, (double)e->credit, gradient);
	for (int d = 0; d < DIRECTIONS; d++)
		back[d] = (float)-gradient[d];
}

static enum status relative_update(struct batch_policy *b, uint64_t seed, struct why *why)
{
	struct relative *r = (struct relative *)b;
	const struct relative_settings *s = &r->settings;
	struct gradient_batch step = {
	    .gradient = &b->gradient, .grade = relative_derivative, .alpha = s->lr};
	const enum status status = examples_weigh(r, why);
	if (status)
		return status;
	batch_policy_steps(b, (size_t)s->minibatch < b->examples ? s->minibatch : 0, 1, seed, &step,
			   1);
	if (s->game_type != GAME_FULL)
		curriculum_next(&r->curriculum, seed, b->learned, &b->episodes,
				(enum game_penalty)s->game_penalty_type);
	return STATUS_OK;
}

static void relative_start(struct batch_policy *b, uint64_t seed)
{
	struct relative *r = (struct relative *)b;
	staged_start(&b->network, seed, 0);
	if (r->settings.game_type != GAME_FULL)
		curriculum_begin(&r->curriculum, seed);
}

static const struct batch_rules relative_rules = {.layout = game_layout,
						  .aside = game_random,
						  .ends = game_ends,
						  .choose = game_choose,
						  .start = relative_start,
						  .update = relative_update};

static void relative_sections(void *self, struct model_file *file)
{
	struct relative *r = self;
	batch_policy_numbers(&r->base, file);
	if (r->curriculum.type != GAME_FULL)
		curriculum_section(&r->curriculum, file);
	batch_policy_sections(&r->base, file);
}

static const struct agent_model relative_model = {
    .params = relative_params + 2, /* all parameters except file and play */
    .retired = ",levels=auto,",
    .make = relative_make,
    .borrow = batch_policy_borrow,
    .layout = batch_policy_layout,
    .sections = relative_sections,
};

static void relative_resolve(void *self, const struct game *game)
{
	struct relative *r = self;
	struct relative_settings *s = &r->settings;
	struct curriculum curriculum;
	if (s->game_type == GAME_FULL || curriculum_plan(s, game, &curriculum, NULL))
		return;
	s->mini_first = (int64_t)1 << curriculum.first;
	s->mini_last = (int64_t)1 << curriculum.last;
}

const struct agent_class relative_agent = {
    .name = "relative",
    .summary = "policy network, learns from games that are good or bad within their batch",
    .params = relative_params,
    .size = sizeof(struct relative),
    .act = batch_policy_act,
    .chances = batch_policy_chances,
    .policy_kind = batch_policy_kind,
    .resolve = relative_resolve,
    .learn = batch_policy_learn,
    .uses_team = true,
    .trained = batch_policy_trained,
    .model = &relative_model,
    .fini = batch_policy_fini,
};
