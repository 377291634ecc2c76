/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Approximate dynamic programming: the order of grids against plain definitions, fits by hand and
 * by finite differences, training against a plain trainer, stopped, saved and forged.
 */
#include "agents/nets/adp.c"
#include "agents/model.h"
#include "agents/play.h"
#include "tests/agents/agent_of.h"
#include "tests/files.h"
#include "tests/agents/folder.h"
#include "boards/oracle.h"
#include "tests/random_board.h"

#include <endian.h>
#include <math.h>
#include <string.h>

enum { SEED = 4 };

static int cell(const struct board *board, int r, int c)
{
	return board->cell[r][c];
}

/* The four indicators as they are said: look from every largest corner. */
static void plain_order(const struct game *game, const struct board *board, int phi[ORDERS])
{
	const int rows = game->rows, cols = game->cols;
	int largest = 0, most = 0;
	memset(phi, 0, ORDERS * sizeof *phi);
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < cols; c++) {
			const bool corner = (r == 0 || r == rows - 1) && (c == 0 || c == cols - 1);
			if (corner && cell(board, r, c) > largest)
				largest = cell(board, r, c);
			if (cell(board, r, c) > most)
				most = cell(board, r, c);
		}
	for (int i = 0; i < 4 && largest; i++) {
		const int r = i / 2 * (rows - 1), c = i % 2 * (cols - 1);
		const int down = r ? -1 : 1, right = c ? -1 : 1;
		int vertical = 1, horizontal = 1, diagonal = 1;
		if (cell(board, r, c) < largest)
			continue;
		for (int k = 1; k < rows; k++)
			if (cell(board, r + k * down, c) > cell(board, r + (k - 1) * down, c))
				vertical = 0;
		for (int k = 1; k < cols; k++)
			if (cell(board, r, c + k * right) > cell(board, r, c + (k - 1) * right))
				horizontal = 0;
		for (int k = 1; k < rows && k < cols; k++)
			if (cell(board, r + k * down, c + k * right) >
			    cell(board, r + (k - 1) * down, c + (k - 1) * right))
				diagonal = 0;
		phi[ORDER_CORNER] |= largest == most;
		phi[ORDER_VERTICAL] |= vertical;
		phi[ORDER_HORIZONTAL] |= horizontal;
		phi[ORDER_DIAGONAL] |= diagonal;
	}
}

/* Falls along its rows from a corner, but for some cells: boards that are in order now and then. */
static void ordered_board(const struct game *game, struct rng *rng, struct board *board)
{
	const int corner = (int)rng_below(rng, 4);
	*board = (struct board){0};
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			const int k = game->rows + game->cols - r - c - 2;
			board->cell[corner / 2 ? game->rows - 1 - r : r]
				   [corner % 2 ? game->cols - 1 - c : c] =
			    (uint8_t)(rng_below(rng, 12) ? k : (int)rng_below(rng, 5));
		}
}

static void some_board(const struct game *game, int n, struct rng *rng, struct board *board)
{
	if (n % (RANDOM_KINDS + 1) < RANDOM_KINDS)
		random_board(game, n % (RANDOM_KINDS + 1), rng, board);
	else
		ordered_board(game, rng, board);
}

static void order_is_its_definition_on_every_shape(void **state)
{
	(void)state;
	int seen[ORDERS][2] = {{0}};
	for (int s = 0; s < 25; s++) {
		struct game game;
		struct rng rng;
		shape_game(s, &game);
		rng_init(&rng, SEED, RNG_TEST, (uint64_t)s);
		for (int n = 0; n < 4000 / SANITIZED_SHARE; n++) {
			struct board board;
			int phi[ORDERS];
			some_board(&game, n, &rng, &board);
			plain_order(&game, &board, phi);
			const unsigned order = order_of(&game, &board);
			for (int i = 0; i < ORDERS; i++) {
				assert_int_equal(order >> i & 1, phi[i]);
				seen[i][phi[i]]++;
			}
			assert_int_equal(order >> ORDERS, 0);
		}
	}
	for (int i = 0; i < ORDERS; i++)
		assert_true(seen[i][0] > 100 && seen[i][1] > 100);
}

static void order_by_hand(void **state)
{
	(void)state;
	static const struct {
		const char *shape, *board;
		int phi[ORDERS];
	} cases[] = {
	    {"4x4", "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", {1, 1, 1, 1}},
	    {"4x4", "0,0,0,0/0,2,0,0/0,0,0,0/0,0,0,0", {0, 0, 0, 0}},
	    {"4x4", "8,4,4,0/4,16,2,0/2,0,0,0/4,0,0,0", {0, 0, 1, 0}},
	    /* Two largest corners, of which each has one line in order. */
	    {"3x3", "8,0,8/4,2,0/2,0,4", {1, 1, 0, 1}},
	    {"3x3", "8,0,8/0,2,4/2,16,0", {0, 1, 0, 1}},
	    /* The diagonal of a rectangle ends at its side. */
	    {"2x4", "0,0,2,0/0,0,4,8", {1, 1, 1, 1}},
	    {"2x4", "0,0,16,0/0,0,4,8", {0, 1, 1, 0}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct board board;
		struct game game;
		struct why why;
		game_of(cases[i].shape, &game);
		if (board_read(&game, cases[i].board, &board, &why))
			fail_msg("%s", why.text);
		for (int j = 0; j < ORDERS; j++)
			if ((int)(order_of(&game, &board) >> j & 1) != cases[i].phi[j])
				fail_msg("indicator %d of %s", j, cases[i].board);
	}
}

/*
 * With ZERO_LOST the expectation of what is shown by positions that have a move; their probability.
 */
static double plain_expect_of(const struct game *game, const struct board *after, bool zero_lost,
			      double mean[ORDERS])
{
	const int n = board_empty(game, after);
	double lost = 0;
	memset(mean, 0, ORDERS * sizeof *mean);
	for (int j = 0; j < game->spawn.kinds; j++) {
		int count[ORDERS] = {0}, phi[ORDERS];
		for (int i = 0; i < game->cells; i++) {
			struct board next = *after;
			uint8_t *at = &next.cell[i / game->cols][i % game->cols];
			if (*at)
				continue;
			*at = game->spawn.exponent[j];
			struct moves moves;
			oracle_moves(game, &next, &moves);
			if (zero_lost && !moves.legal) {
				lost += game->spawn.probability[j] / n;
				continue;
			}
			plain_order(game, &next, phi);
			for (int k = 0; k < ORDERS; k++)
				count[k] += phi[k];
		}
		for (int k = 0; k < ORDERS; k++)
			mean[k] += game->spawn.probability[j] * ((double)count[k] / n);
	}
	return 1 - lost;
}

static void plain_expect(const struct game *game, const struct board *after, double mean[ORDERS])
{
	plain_expect_of(game, after, false, mean);
}

/* Mirror images have the same expectations to the last bit: ties are ties. */
static void expectations_are_means_over_spawns_and_equal_for_images(void **state)
{
	(void)state;
	static const char *const shapes[] = {"2x2", "3x5", "4x4", "6x6"};
	for (int s = 0; s < 4; s++) {
		struct game game;
		struct rng rng;
		game_of(shapes[s], &game);
		rng_init(&rng, SEED, RNG_TEST, 100 + (uint64_t)s);
		for (int n = 0; n < 400; n++) {
			struct board board, image;
			double mean[ORDERS], expected[ORDERS];
			some_board(&game, n, &rng, &board);
			if (!board_empty(&game, &board))
				continue;
			assert_true(order_expect(&game, &board, false, mean) == 1);
			plain_expect(&game, &board, expected);
			for (int i = 0; i < ORDERS; i++)
				assert_true(mean[i] == expected[i]);
			for (int i = 0; i < 4; i++) {
				board_symmetry(&game, i, &board, &image);
				order_expect(&game, &image, false, expected);
				assert_memory_equal(mean, expected, sizeof mean);
			}
		}
	}
}

/* Boards with one empty cell, some of which are lost when it is filled. */
static void lost_positions_can_show_nothing(void **state)
{
	(void)state;
	static const char *const shapes[] = {"2x2", "2x3", "4x4"};
	int some = 0, none = 0;
	for (int s = 0; s < 3; s++) {
		struct game game;
		struct rng rng;
		game_of(shapes[s], &game);
		rng_init(&rng, SEED, RNG_TEST, 150 + (uint64_t)s);
		for (int n = 0; n < 2000; n++) {
			struct board board = {0};
			double mean[ORDERS], expected[ORDERS];
			for (int i = 0; i < game.cells; i++) {
				const int odd = (i / game.cols + i % game.cols) % 2;
				board.cell[i / game.cols][i % game.cols] =
				    (uint8_t)(1 + odd + 2 * (int)rng_below(&rng, 2));
			}
			board.cell[rng_below(&rng, (uint32_t)game.rows)]
				  [rng_below(&rng, (uint32_t)game.cols)] = 0;
			const double alive = order_expect(&game, &board, true, mean);
			assert_true(alive == plain_expect_of(&game, &board, true, expected));
			assert_memory_equal(mean, expected, sizeof mean);
			some += alive < 1 && alive > 0;
			none += alive == 0;
		}
	}
	assert_true(some > 20 && none > 20);
}

static void the_value_ordered_weighs_them(void **state)
{
	(void)state;
	static const double w[ORDERS] = {3, -0.5, 2.25, 1};
	struct game game;
	struct rng rng;
	game_of("3x4", &game);
	rng_init(&rng, SEED, RNG_TEST, 200);
	struct agent *agent = agent_of("expectimax:depth=1,value=ordered,leaf=state,w_corner=3,"
				       "w_vertical=-0.5,w_horizontal=2.25,terminal=0,cutoff=0",
				       &game);
	for (int n = 0; n < 100; n++) {
		struct board board;
		struct turn turn = {.game = &game, .board = &board};
		struct decision v;
		some_board(&game, n, &rng, &board);
		game.moves(&board, &turn.moves);
		decision_init(&v);
		if (turn.moves.legal)
			agent->class->act(agent->self, &turn, &rng, &v);
		for (int d = 0; d < DIRECTIONS; d++) {
			double mean[ORDERS], sum = 0;
			/* A full board may be lost, which the search counts as terminal. */
			if (!(turn.moves.legal >> d & 1) ||
			    board_empty(&game, &turn.moves.after[d]) < 2)
				continue;
			plain_expect(&game, &turn.moves.after[d], mean);
			for (int i = 0; i < ORDERS; i++)
				sum += w[i] * mean[i];
			assert_true(fabs(v.value[d] - sum) < 1e-12);
		}
	}
	agent_free(agent);
}

/* Games as if they had been played. */
static void games_make(struct rng *rng, size_t n, struct adp_game *games)
{
	for (size_t g = 0; g < n; g++) {
		games[g] = (struct adp_game){.score = 4 * rng_below(rng, 1000),
					     .sum = 2 * rng_below(rng, 500),
					     .exponent = 1 + rng_below(rng, 9)};
		for (int i = 0; i < ADP_PATTERNS; i++)
			games[g].states[i] = rng_below(rng, 3) ? rng_below(rng, 20) : 0;
	}
}

/* The sum of squared errors, state by state. */
static double loss(const struct adp_game *games, const double *y, size_t n, const double *weight,
		   int features)
{
	double sum = 0;
	for (size_t g = 0; g < n; g++)
		for (int p = 0; p < ADP_PATTERNS; p++)
			for (uint64_t i = 0; i < games[g].states[p]; i++) {
				double estimate = features > ORDERS ? weight[ORDERS] : 0;
				for (int k = 0; k < ORDERS; k++)
					estimate += p >> k & 1 ? weight[k] : 0;
				sum += (y[g] - estimate) * (y[g] - estimate);
			}
	return sum;
}

static void the_gradient_is_that_of_finite_differences(void **state)
{
	(void)state;
	enum { GAMES = 7 };
	struct rng rng;
	rng_init(&rng, SEED, RNG_TEST, 300);
	for (int round = 0; round < 20; round++) {
		const int features = round % 2 ? ADP_WEIGHTS : ORDERS;
		struct adp_game games[GAMES];
		double y[GAMES], weight[ADP_WEIGHTS], gradient[ADP_WEIGHTS], states = 0;
		games_make(&rng, GAMES, games);
		for (int i = 0; i < GAMES; i++)
			y[i] = 4 * rng_real(&rng) - 2;
		for (int i = 0; i < ADP_WEIGHTS; i++)
			weight[i] = 2 * rng_real(&rng) - 1;
		for (int i = 0; i < GAMES * ADP_PATTERNS; i++)
			states += (double)games[i / ADP_PATTERNS].states[i % ADP_PATTERNS];
		assert_true(adp_gradient(games, y, GAMES, weight, features, gradient) == states);
		for (int i = 0; i < features; i++) {
			/* Central differences of a quadratic are exact but for rounding. */
			const double h = 0x1p-6, at = weight[i];
			weight[i] = at + h;
			const double above = loss(games, y, GAMES, weight, features);
			weight[i] = at - h;
			const double below = loss(games, y, GAMES, weight, features);
			weight[i] = at;
			assert_true(fabs(gradient[i] - (above - below) / (2 * h)) <
				    1e-7 * (1 + fabs(gradient[i])));
		}
		assert_true(features == ADP_WEIGHTS || gradient[ORDERS] == 0);
	}
}

/* At the minimum of the sum of squares plus that of the step, no step makes it smaller. */
static void least_squares_are_least(void **state)
{
	(void)state;
	enum { GAMES = 5 };
	struct rng rng;
	rng_init(&rng, SEED, RNG_TEST, 400);
	for (int round = 0; round < 20; round++) {
		const int features = round % 2 ? ADP_WEIGHTS : ORDERS;
		struct adp_game games[GAMES];
		double y[GAMES], weight[ADP_WEIGHTS], best[ADP_WEIGHTS], least = INFINITY;
		games_make(&rng, GAMES, games);
		for (int i = 0; i < GAMES; i++)
			y[i] = 4 * rng_real(&rng) - 2;
		for (int i = 0; i < ADP_WEIGHTS; i++)
			weight[i] = 2 * rng_real(&rng) - 1;
		adp_lstsq(games, y, GAMES, weight, features, best);
		for (int step = 0; step <= 2 * features; step++) {
			double near[ADP_WEIGHTS], sum;
			memcpy(near, best, sizeof near);
			if (step > 0)
				near[(step - 1) / 2] += step % 2 ? 0.01 : -0.01;
			sum = loss(games, y, GAMES, near, features);
			for (int i = 0; i < ADP_WEIGHTS; i++)
				sum += (near[i] - weight[i]) * (near[i] - weight[i]);
			least = step ? least : sum;
			assert_true(step == 0 || sum > least);
		}
		assert_true(features == ADP_WEIGHTS || best[ORDERS] == weight[ORDERS]);
	}
}

/* Rewards that are a sum of features are found; a feature that no state shows stays as it was. */
static void least_squares_find_what_is_there(void **state)
{
	(void)state;
	struct adp_game games[3] = {{0}};
	const double y[3] = {5, 3, 7}, start[ADP_WEIGHTS] = {1, 1, 1, 1, 1};
	double best[ADP_WEIGHTS];
	games[0].states[1 << ORDER_CORNER] = 1000000000;
	games[1].states[1 << ORDER_CORNER | 1 << ORDER_VERTICAL] = 1000000000;
	games[2].states[1 << ORDER_DIAGONAL] = 1000000000;
	adp_lstsq(games, y, 3, start, ORDERS, best);
	assert_true(fabs(best[ORDER_CORNER] - 5) < 1e-6);
	assert_true(fabs(best[ORDER_VERTICAL] + 2) < 1e-6);
	assert_true(best[ORDER_HORIZONTAL] == 1);
	assert_true(fabs(best[ORDER_DIAGONAL] - 7) < 1e-6);
	assert_true(best[ORDERS] == 1);
}

static void rewards_are_what_is_asked_for(void **state)
{
	(void)state;
	const struct adp_game games[3] = {
	    {.score = 100, .sum = 60, .exponent = 5},
	    {.score = 300, .sum = 120, .exponent = 6},
	    {.score = 200, .sum = 90, .exponent = 5},
	};
	double y[3];
	struct adp adp = {.reward = ADP_REWARD_SCORE};
	adp_rewards(&adp, games, 3, y);
	assert_true(y[0] == 100 && y[1] == 300 && y[2] == 200);
	adp.reward = ADP_REWARD_SUM;
	adp_rewards(&adp, games, 3, y);
	assert_true(y[0] == 60 && y[1] == 120 && y[2] == 90);
	adp.reward = ADP_REWARD_MAX;
	adp_rewards(&adp, games, 3, y);
	assert_true(y[0] == 32 && y[1] == 64 && y[2] == 32);
	adp.standardise = 1;
	adp.reward = ADP_REWARD_SCORE;
	adp_rewards(&adp, games, 3, y);
	assert_true(fabs(y[0] + sqrt(1.5)) < 1e-12 && fabs(y[1] - sqrt(1.5)) < 1e-12);
	assert_true(fabs(y[2]) < 1e-12);
	adp_rewards(&adp, games + 1, 1, y);
	assert_true(y[0] == 0);
}

static bool take_outcome(void *context, const struct outcome *outcome)
{
	*(struct outcome *)context = *outcome;
	return true;
}

/* Training games up to END of seed 1. */
static void train(struct agent *agent, uint64_t end)
{
	struct outcome last;
	agent->class->learn(
	    agent->self,
	    &(struct training_request){
		.seed = 1, .end = end, .threads = 1, .over = take_outcome, .context = &last});
	assert_int_equal(agent->class->trained(agent->self), end);
}

static const double *weights_of(const struct agent *agent)
{
	return ((const struct adp *)agent->self)->knowledge->weight;
}

/* A plain trainer: every state of a batch is kept, with ties=first. */
struct plain {
	bool zero_lost;
	double w[ADP_WEIGHTS];
	size_t states;
	double phi[60000][ADP_WEIGHTS], y[60000];
};

static int plain_move(const struct game *game, const struct plain *plain, const struct moves *moves)
{
	double most = -INFINITY;
	int best = -1;
	for (int d = 0; d < DIRECTIONS; d++) {
		double mean[ORDERS], sum;
		if (!(moves->legal >> d & 1))
			continue;
		sum = plain->w[ORDERS] *
		      plain_expect_of(game, &moves->after[d], plain->zero_lost, mean);
		for (int i = 0; i < ORDERS; i++)
			sum += plain->w[i] * mean[i];
		best = sum > most ? d : best;
		most = sum > most ? sum : most;
	}
	return best;
}

static void plain_game(const struct game *game, struct plain *plain, uint64_t episode)
{
	const size_t first = plain->states;
	struct board board;
	struct moves moves;
	struct rng rng;
	rng_init(&rng, 1, RNG_TRAIN, episode);
	board_start(game, &board, &rng);
	for (;;) {
		int phi[ORDERS];
		game->moves(&board, &moves);
		if (!moves.legal && plain->zero_lost)
			break;
		plain_order(game, &board, phi);
		for (int i = 0; i < ORDERS; i++)
			plain->phi[plain->states][i] = phi[i];
		plain->phi[plain->states++][ORDERS] = 1;
		if (!moves.legal)
			break;
		board = moves.after[plain_move(game, plain, &moves)];
		board_spawn(game, &board, &rng);
	}
	for (size_t i = first; i < plain->states; i++)
		plain->y[i] = (double)board_sum(&board);
}

/* Five games to a batch; one learning rate. */
static void plain_batch(struct plain *plain, const char *update, bool mean, int features)
{
	double delta[ADP_WEIGHTS] = {0};
	for (size_t i = 0; i < plain->states; i++) {
		double error = -plain->y[i];
		for (int k = 0; k < features; k++)
			error += plain->w[k] * plain->phi[i][k];
		for (int k = 0; k < features; k++)
			delta[k] +=
			    2 * plain->phi[i][k] * error / (mean ? (double)plain->states : 1);
	}
	for (int k = 0; k < features; k++)
		plain->w[k] = strcmp(update, "printed") == 0
				  ? (1 - 0.001) * plain->w[k] + 0.001 * delta[k]
				  : plain->w[k] - 0.001 * delta[k];
	plain->states = 0;
}

static void training_is_that_of_a_plain_trainer(void **state)
{
	(void)state;
	static struct plain plain;
	static const char *const shapes[] = {"2x2", "2x3", "3x3", "4x4"};
	for (int s = 0; s < 4; s++)
		for (int way = 0; way < 6; way++) {
			const char *update = way % 2 ? "printed" : "descent";
			const bool mean = way<2, zero_lost = way> 3;
			char text[128];
			struct game game;
			game_of(shapes[s], &game);
			snprintf(text, sizeof text,
				 "adp:batch=5,alpha=0.001,standardise=0,update=%s,error=%s,"
				 "constant=%d,lost=%s",
				 update, mean ? "mean" : "sum", way == 2 || way == 4,
				 zero_lost ? "zero" : "shown");
			struct agent *agent = agent_of(text, &game);
			plain = (struct plain){.zero_lost = zero_lost,
					       .w = {1, 1, 1, 1, way == 2 || way == 4}};
			for (uint64_t i = 0; i < 15; i++) {
				plain_game(&game, &plain, i);
				if (i % 5 == 4)
					plain_batch(&plain, update, mean,
						    way == 2 || way == 4 ? ADP_WEIGHTS : ORDERS);
			}
			train(agent, 15);
			for (int k = 0; k < ADP_WEIGHTS; k++)
				assert_true(fabs(weights_of(agent)[k] - plain.w[k]) <=
					    1e-9 * (1 + fabs(plain.w[k])));
			agent_free(agent);
		}
}

/* A batch ends where it ends, and the weights change only then. */
static void weights_change_after_a_batch(void **state)
{
	(void)state;
	struct game game;
	game_of("3x3", &game);
	struct agent *agent = agent_of("adp:batch=4", &game);
	for (uint64_t end = 1; end <= 12; end++) {
		double before[ADP_WEIGHTS];
		memcpy(before, weights_of(agent), sizeof before);
		train(agent, end);
		assert_int_equal(memcmp(before, weights_of(agent), sizeof before) == 0,
				 end % 4 != 0);
	}
	agent_free(agent);
}

static void expect_equal_files(const struct agent *a, const struct agent *b)
{
	struct why why;
	size_t m, n;
	assert_int_equal(agent_save(a, path, &why), STATUS_OK);
	assert_int_equal(agent_save(b, other, &why), STATUS_OK);
	unsigned char *first = file_load(path, &m), *second = file_load(other, &n);
	assert_int_equal(m, n);
	assert_memory_equal(first, second, n);
	free(first);
	free(second);
}

/* Asks for the move in a position; the chances too. */
static int ask(struct agent *agent, const struct board *board, struct decision *decision,
	       struct rng *rng)
{
	struct turn turn = {.game = agent->game, .board = board};
	agent->game->moves(board, &turn.moves);
	decision_init(decision);
	return agent->class->act(agent->self, &turn, rng, decision);
}

static void equal_moves_are_told_apart_as_asked(void **state)
{
	(void)state;
	struct game game;
	struct board board = {0};
	struct decision v;
	struct rng rng;
	int made[DIRECTIONS] = {0};
	game_of("4x4", &game);
	rng_init(&rng, SEED, RNG_TEST, 500);
	struct agent *first = agent_of("adp", &game), *random = agent_of("adp:ties=random", &game);
	/*
	 * In the middle of an edge: left and right are images of each other, down is not worth
	 * more.
	 */
	board.cell[0][1] = board.cell[0][2] = 3;
	board.cell[1][1] = board.cell[1][2] = 1;
	assert_int_equal(ask(first, &board, &v, &rng), RIGHT);
	assert_true(v.value[LEFT] == v.value[RIGHT] && v.value[DOWN] < v.value[LEFT]);
	assert_true(isnan(v.value[UP]));
	assert_true(v.chance[RIGHT] == 1 && v.chance[LEFT] == 0 && v.chance[UP] == 0);
	for (int i = 0; i < 1000; i++)
		made[ask(random, &board, &v, &rng)]++;
	assert_true(v.chance[RIGHT] == 0.5 && v.chance[LEFT] == 0.5 && v.chance[DOWN] == 0);
	assert_int_equal(made[LEFT] + made[RIGHT], 1000);
	assert_true(abs(made[LEFT] - 500) < 80); /* five deviations */
	struct turn turn = {.game = &game, .board = &board};
	double chance[1][DIRECTIONS];
	game.moves(&board, &turn.moves);
	random->class->chances(random->self, &turn, 1, chance);
	assert_memory_equal(chance[0], v.chance, sizeof v.chance);
	agent_free(first);
	agent_free(random);
}

/* Every expectation is the same then. */
static void without_weights_it_makes_the_first_legal_move(void **state)
{
	(void)state;
	struct game game;
	struct rng rng;
	struct decision v;
	game_of("5x5", &game);
	rng_init(&rng, SEED, RNG_TEST, 600);
	struct agent *agent = agent_of("adp", &game);
	memset(((struct adp *)agent->self)->own.weight, 0, ADP_WEIGHTS * sizeof(double));
	for (int n = 0; n < 200; n++) {
		struct board board;
		struct moves moves;
		some_board(&game, n, &rng, &board);
		game.moves(&board, &moves);
		if (moves.legal)
			assert_int_equal(ask(agent, &board, &v, &rng), __builtin_ctz(moves.legal));
	}
	agent_free(agent);
}

/* Two games of uncertainty: none where the first of equal moves is made, some where any is. */
static void training_tells_how_certain_it_was(void **state)
{
	(void)state;
	struct game game;
	struct outcome outcome;
	game_of("4x4", &game);
	for (int i = 0; i < 2; i++) {
		struct agent *agent = agent_of(i ? "adp:ties=random" : "adp", &game);
		agent->class->learn(agent->self, &(struct training_request){.seed = 1,
									    .end = 1,
									    .threads = 1,
									    .over = take_outcome,
									    .context = &outcome});
		assert_true(i ? outcome.uncertainty > 0.01 && outcome.uncertainty < 1.5
			      : outcome.uncertainty == 0);
		agent_free(agent);
	}
}

/* A model with something wrong in it, though every checksum is right. */
struct forgery {
	const char *says;
	double weight; /* of the corner */
	const char *layout;
	uint64_t games, score, exponent, states;
	int more; /* bytes behind the batch */
};

static const char layout_of_ones[] = "corner 1, vertical 1, horizontal 1, diagonal 1, constant 0";

static void forge(const struct forgery *forgery)
{
	struct model_header head = {.agent = "adp",
				    .board = "3x3",
				    .spawn = "2:0.9,4:0.1",
				    .params = "",
				    .games = 2000,
				    .sections = 2};
	const double weight[ADP_WEIGHTS] = {forgery->weight, 1, 1, 1, 0};
	const uint64_t games = htole64(forgery->games);
	const uint64_t game[3] = {htole64(forgery->score), htole64(20), htole64(forgery->exponent)};
	uint64_t states[ADP_PATTERNS] = {htole64(forgery->states)};
	struct model_file *writer;
	struct why why;
	snprintf(head.layout, sizeof head.layout, "%s", forgery->layout);
	assert_int_equal(model_create(&writer, path, &head, &why), STATUS_OK);
	assert_int_equal(model_write(writer, weight, sizeof weight), STATUS_OK);
	assert_int_equal(model_section_end(writer), STATUS_OK);
	assert_int_equal(model_write(writer, &games, sizeof games), STATUS_OK);
	for (uint64_t i = 0; i < forgery->games && i < 1000; i++) {
		assert_int_equal(model_write(writer, game, sizeof game), STATUS_OK);
		assert_int_equal(model_write(writer, states, sizeof states), STATUS_OK);
	}
	assert_int_equal(model_write(writer, states, (size_t)forgery->more), STATUS_OK);
	assert_int_equal(model_section_end(writer), STATUS_OK);
	assert_int_equal(model_finish(writer), STATUS_OK);
	model_close(writer);
}

static void forged_models_are_refused(void **state)
{
	(void)state;
	static const char nan_layout[] =
	    "corner nan, vertical 1, horizontal 1, diagonal 1, constant 0";
	const struct forgery cases[] = {
	    {NULL, 1, layout_of_ones, 2, 100, 5, 30, 0},
	    {"a weight is not finite", NAN, nan_layout, 2, 100, 5, 30, 0},
	    {"a weight is not finite", INFINITY, layout_of_ones, 2, 100, 5, 30, 0},
	    {"expected layout 'corner 2, vertical 1", 2, layout_of_ones, 2, 100, 5, 30, 0},
	    {"too many games", 1, layout_of_ones, 1000, 100, 5, 30, 0},
	    {"too many games", 1, layout_of_ones, UINT64_MAX, 100, 5, 30, 0},
	    {"a tile is too large", 1, layout_of_ones, 2, 100, 11, 30, 0},
	    {"a tile is too large", 1, layout_of_ones, 2, 100, UINT64_MAX, 30, 0},
	    {"a number is too large", 1, layout_of_ones, 2, 100, 5, UINT64_MAX, 0},
	    {"a number is too large", 1, layout_of_ones, 2, UINT64_MAX, 5, 30, 0},
	    {"damaged", 1, layout_of_ones, 2, 100, 5, 30, 8},
	};
	struct game game;
	struct why why;
	game_of("3x3", &game);
	struct agent *agent = agent_of("adp", &game);
	train(agent, 13);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct agent *copy = agent_of("adp", &game);
		train(copy, 13);
		forge(&cases[i]);
		const enum status status = agent_load(copy, path, &why);
		if (cases[i].says) {
			assert_int_equal(status, STATUS_INPUT);
			if (!strstr(why.text, cases[i].says))
				fail_msg("'%s' does not say '%s'", why.text, cases[i].says);
			expect_equal_files(agent, copy);
		} else {
			assert_int_equal(status, STATUS_OK);
			assert_int_equal(copy->class->trained(copy->self), 2000);
		}
		agent_free(copy);
	}
	agent_free(agent);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(order_is_its_definition_on_every_shape),
	    cmocka_unit_test(order_by_hand),
	    cmocka_unit_test(expectations_are_means_over_spawns_and_equal_for_images),
	    cmocka_unit_test(lost_positions_can_show_nothing),
	    cmocka_unit_test(the_value_ordered_weighs_them),
	    cmocka_unit_test(the_gradient_is_that_of_finite_differences),
	    cmocka_unit_test(least_squares_are_least),
	    cmocka_unit_test(least_squares_find_what_is_there),
	    cmocka_unit_test(rewards_are_what_is_asked_for),
	    cmocka_unit_test(training_is_that_of_a_plain_trainer),
	    cmocka_unit_test(weights_change_after_a_batch),
	    cmocka_unit_test(equal_moves_are_told_apart_as_asked),
	    cmocka_unit_test(without_weights_it_makes_the_first_legal_move),
	    cmocka_unit_test(training_tells_how_certain_it_was),
	    cmocka_unit_test(forged_models_are_refused),
	};
	return cmocka_run_group_tests(tests, folder_setup, folder_remove);
}
