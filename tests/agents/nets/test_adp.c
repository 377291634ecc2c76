/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Approximate dynamic programming: the order of grids against plain definitions, training against
 * a plain trainer.
 */
#include "agents/fields.h"
#include "agents/values/order.h"
#include "tests/agents/learning.h"
#include "boards/oracle.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>

enum { SEED = 4, WEIGHTS = ORDERS + 1, PATTERNS = 1 << ORDERS };

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

TEST(order_is_its_definition_on_every_shape)
{
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

TEST(order_by_hand)
{
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
		struct game game;
		game_of(cases[i].shape, &game);
		const struct board board = board_of(&game, cases[i].board);
		for (int j = 0; j < ORDERS; j++)
			if ((int)(order_of(&game, &board) >> j & 1) != cases[i].phi[j])
				fail_msg("indicator %d of %s", j, cases[i].board);
	}
}

static const double uneven[WEIGHTS] = {3, -0.5, 2.25, 1, 0.75};

/* A player with these WEIGHTs. */
static struct agent *player_of(const struct game *game, const char *settings,
			       const double weight[WEIGHTS])
{
	unsigned char bytes[WEIGHTS * 8];
	struct agent *agent = agent_of(settings, game);
	save(agent, path);
	struct model_header head = head_take(path);
	snprintf(head.layout, sizeof head.layout,
		 "corner %g, vertical %g, horizontal %g, diagonal %g, constant %g", weight[0],
		 weight[1], weight[2], weight[3], weight[4]);
	for (int i = 0; i < WEIGHTS; i++)
		field_put_double(bytes + 8 * i, weight[i]);
	model_forge(&head, 0, bytes, sizeof bytes);
	load(agent, other);
	return agent;
}

/* What a player says of a move that leads to AFTER. */
static double value_after(struct agent *agent, const struct board *after)
{
	struct turn turn = {.game = agent->game, .board = after, .moves.legal = 1};
	struct decision v;
	turn.moves.after[UP] = *after;
	decision_init(&v);
	agent->class->act(agent->self, &turn, NULL, &v);
	return v.value[UP];
}

/*
 * With ZERO_LOST the expectation of what is shown by positions that have a move; their probability.
 */
static double plain_expect(const struct game *game, const struct board *after, bool zero_lost,
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

static double plain_value(const struct game *game, const struct board *after, bool zero_lost,
			  const double w[WEIGHTS])
{
	double mean[ORDERS], sum = w[ORDERS] * plain_expect(game, after, zero_lost, mean);
	for (int i = 0; i < ORDERS; i++)
		sum += w[i] * mean[i];
	return sum;
}

/* Mirror images have the same expectations to the last bit: ties are ties. */
TEST(expectations_are_means_over_spawns_and_equal_for_images)
{
	static const char *const shapes[] = {"2x2", "3x5", "4x4", "6x6"};
	for (int s = 0; s < 4; s++) {
		struct game game;
		struct rng rng;
		game_of(shapes[s], &game);
		rng_init(&rng, SEED, RNG_TEST, 100 + (uint64_t)s);
		struct agent *agent = player_of(&game, "adp:constant=1", uneven);
		for (int n = 0; n < 400; n++) {
			struct board board, image;
			some_board(&game, n, &rng, &board);
			if (!board_empty(&game, &board))
				continue;
			const double x = value_after(agent, &board);
			assert_true(x == plain_value(&game, &board, false, uneven));
			for (int i = 0; i < 4; i++) {
				board_symmetry(&game, i, &board, &image);
				assert_true(value_after(agent, &image) == x);
			}
		}
		agent_free(agent);
	}
}

/* Boards with one empty cell, some of which are lost when it is filled. */
TEST(lost_positions_can_show_nothing)
{
	static const char *const shapes[] = {"2x2", "2x3", "4x4"};
	int some = 0, none = 0;
	for (int s = 0; s < 3; s++) {
		struct game game;
		struct rng rng;
		game_of(shapes[s], &game);
		rng_init(&rng, SEED, RNG_TEST, 150 + (uint64_t)s);
		struct agent *agent = player_of(&game, "adp:constant=1,lost=zero", uneven);
		for (int n = 0; n < 2000; n++) {
			struct board board = {0};
			double mean[ORDERS];
			for (int i = 0; i < game.cells; i++) {
				const int odd = (i / game.cols + i % game.cols) % 2;
				board.cell[i / game.cols][i % game.cols] =
				    (uint8_t)(1 + odd + 2 * (int)rng_below(&rng, 2));
			}
			board.cell[rng_below(&rng, (uint32_t)game.rows)]
				  [rng_below(&rng, (uint32_t)game.cols)] = 0;
			const double alive = plain_expect(&game, &board, true, mean);
			assert_true(value_after(agent, &board) ==
				    plain_value(&game, &board, true, uneven));
			some += alive < 1 && alive > 0;
			none += alive == 0;
		}
		agent_free(agent);
	}
	assert_true(some > 20 && none > 20);
}

TEST(the_value_ordered_weighs_them)
{
	static const double w[WEIGHTS] = {3, -0.5, 2.25, 1};
	struct game game;
	struct rng rng;
	game_of("3x4", &game);
	rng_init(&rng, SEED, RNG_TEST, 200);
	struct agent *agent = agent_of("expectimax:depth=1,value=ordered,leaf=state,w_corner=3,"
				       "w_vertical=-0.5,w_horizontal=2.25,terminal=0,cutoff=0",
				       &game);
	for (int n = 0; n < 100; n++) {
		struct board board;
		struct turn turn;
		struct decision v;
		some_board(&game, n, &rng, &board);
		turn_init(&turn, &game, &board, 0);
		board_ask(agent, &board, &v);
		for (int d = 0; d < DIRECTIONS; d++) {
			/* A full board may be lost, which the search counts as terminal. */
			if (!(turn.moves.legal >> d & 1) ||
			    board_empty(&game, &turn.moves.after[d]) < 2)
				continue;
			assert_true(fabs(v.value[d] - plain_value(&game, &turn.moves.after[d],
								  false, w)) < 1e-12);
		}
	}
	agent_free(agent);
}

/* The weights of AGENT, from its file. */
static void weights_of(const struct agent *agent, double w[WEIGHTS])
{
	save(agent, path);
	const struct model_header head = head_take(path);
	assert_int_equal(
	    sscanf(head.layout,
		   "corner %lf, vertical %lf, horizontal %lf, diagonal %lf, constant %lf", &w[0],
		   &w[1], &w[2], &w[3], &w[4]),
	    WEIGHTS);
}

/* What a trainer is told. */
struct way {
	const char *update, *error, *reward, *lost;
	int constant, standardise, batch;
	double alpha;
};

/* A plain trainer: every state of a batch is kept, with ties=first. */
struct plain {
	const struct way *way;
	double w[WEIGHTS];
	size_t states, first[6]; /* of each game of the batch */
	int games;
	double reward[6], phi[60000][WEIGHTS];
};

static bool says(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static int plain_move(const struct game *game, const struct plain *plain, const struct moves *moves)
{
	double most = -INFINITY;
	int best = -1;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(moves->legal >> d & 1))
			continue;
		const double x =
		    plain_value(game, &moves->after[d], says(plain->way->lost, "zero"), plain->w);
		best = x > most ? d : best;
		most = x > most ? x : most;
	}
	return best;
}

static void plain_game(const struct game *game, struct plain *plain, uint64_t episode)
{
	const char *reward = plain->way->reward;
	struct board board;
	struct moves moves;
	struct rng rng;
	uint64_t score = 0;
	rng_init(&rng, 1, RNG_TRAIN, episode);
	board_start(game, &board, &rng);
	plain->first[plain->games] = plain->states;
	for (;;) {
		int phi[ORDERS];
		game->moves(&board, &moves);
		if (!moves.legal && says(plain->way->lost, "zero"))
			break;
		plain_order(game, &board, phi);
		for (int i = 0; i < ORDERS; i++)
			plain->phi[plain->states][i] = phi[i];
		plain->phi[plain->states++][ORDERS] = 1;
		if (!moves.legal)
			break;
		const int d = plain_move(game, plain, &moves);
		score += moves.reward[d];
		board = moves.after[d];
		board_spawn(game, &board, &rng);
	}
	plain->reward[plain->games++] = says(reward, "score") ? (double)score
					: says(reward, "max") ? ldexp(1, board_max(&board))
							      : (double)board_sum(&board);
	plain->first[plain->games] = plain->states;
}

/* Mean 0 and deviation 1 over the batch, if asked for. */
static void plain_standardise(struct plain *plain)
{
	double mean = 0, square = 0;
	for (int g = 0; g < plain->games; g++)
		mean += plain->reward[g] / plain->games;
	for (int g = 0; g < plain->games; g++)
		square += pow(plain->reward[g] - mean, 2) / plain->games;
	for (int g = 0; g < plain->games && plain->way->standardise; g++)
		plain->reward[g] = square > 0 ? (plain->reward[g] - mean) / sqrt(square) : 0;
}

/* The gradient at W of the sum of squared errors, state by state. */
static void plain_gradient(const struct plain *plain, const double w[WEIGHTS],
			   double delta[WEIGHTS])
{
	const int features = plain->way->constant ? WEIGHTS : ORDERS;
	memset(delta, 0, WEIGHTS * sizeof *delta);
	for (int g = 0; g < plain->games; g++)
		for (size_t i = plain->first[g]; i < plain->first[g + 1]; i++) {
			double error = -plain->reward[g];
			for (int k = 0; k < features; k++)
				error += w[k] * plain->phi[i][k];
			for (int k = 0; k < features; k++)
				delta[k] += 2 * plain->phi[i][k] * error;
		}
}

static void assert_weight(double x, double want, double margin)
{
	if (!(fabs(x - want) <= margin * (1 + fabs(want))))
		fail_msg("%.17g, not %.17g", x, want);
}

/* Learns from the batch what the agent with the weights LEARNED has. */
static void plain_batch(struct plain *plain, const double learned[WEIGHTS])
{
	const struct way *way = plain->way;
	const double a = way->alpha, states = says(way->error, "mean") ? (double)plain->states : 1;
	double delta[WEIGHTS], best[WEIGHTS];
	plain_standardise(plain);
	plain_gradient(plain, plain->w, delta);
	for (int k = 0; k < WEIGHTS; k++) {
		const double w = plain->w[k];
		best[k] = (learned[k] - (1 - a) * w) / a;
		if (says(way->update, "descent"))
			assert_weight(learned[k], w - a * delta[k] / states, 1e-9);
		else if (says(way->update, "printed"))
			assert_weight(
			    learned[k],
			    k < ORDERS || way->constant ? (1 - a) * w + a * delta[k] / states : w,
			    1e-9);
	}
	/* The least squares plus that of the step: no derivative is left there. */
	plain_gradient(plain, best, delta);
	for (int k = 0; says(way->update, "lstsq") && k < WEIGHTS; k++)
		if (k < ORDERS || way->constant)
			assert_true(fabs(delta[k] + 2 * (best[k] - plain->w[k])) <
				    1e-6 * (1 + fabs(plain->reward[0])) * (double)plain->states);
		else
			assert_true(learned[k] == plain->w[k]);
	memcpy(plain->w, learned, sizeof plain->w);
	plain->states = 0;
	plain->games = 0;
}

TEST(training_is_that_of_a_plain_trainer)
{
	static struct plain plain;
	static const char *const shapes[] = {"2x2", "2x3", "3x3", "4x4"};
	static const struct way ways[] = {
	    {"descent", "mean", "sum", "shown", 0, 0, 5, 0.001},
	    {"printed", "mean", "sum", "shown", 0, 0, 5, 0.001},
	    {"descent", "sum", "sum", "shown", 1, 0, 5, 0.001},
	    {"printed", "sum", "sum", "shown", 0, 0, 5, 0.001},
	    {"descent", "sum", "sum", "zero", 1, 0, 5, 0.001},
	    {"printed", "sum", "sum", "zero", 0, 0, 5, 0.001},
	    {"descent", "mean", "score", "shown", 0, 1, 5, 0.05},
	    {"descent", "mean", "max", "shown", 1, 1, 4, 0.05},
	    {"descent", "mean", "sum", "shown", 1, 1, 1, 0.05}, /* one game: rewards of 0 */
	    {"lstsq", "mean", "max", "shown", 0, 0, 5, 1},
	    {"lstsq", "mean", "score", "zero", 1, 0, 5, 0.5},
	    {"lstsq", "mean", "sum", "shown", 1, 1, 3, 0.25},
	};
	for (size_t i = 0; i < 4 * sizeof ways / sizeof ways[0]; i++) {
		const struct way *way = &ways[i / 4];
		struct game game;
		game_of(shapes[i % 4], &game);
		struct agent *agent = agent_of(
		    text_of("adp:batch=%d,alpha=%g,standardise=%d,update=%s,error=%s,constant=%d,"
			    "reward=%s,lost=%s",
			    way->batch, way->alpha, way->standardise, way->update, way->error,
			    way->constant, way->reward, way->lost),
		    &game);
		plain = (struct plain){.way = way, .w = {1, 1, 1, 1, way->constant}};
		for (int game_number = 0; game_number < 3 * way->batch; game_number++) {
			double learned[WEIGHTS];
			plain_game(&game, &plain, (uint64_t)game_number);
			train(agent, (uint64_t)game_number + 1, UINT64_MAX);
			weights_of(agent, learned);
			if (plain.games == way->batch)
				plain_batch(&plain, learned);
			else
				assert_memory_equal(learned, plain.w, sizeof learned);
		}
		agent_free(agent);
	}
}

TEST(equal_moves_are_told_apart_as_asked)
{
	struct game game;
	struct board board = {0};
	struct decision v;
	game_of("4x4", &game);
	struct agent *first = agent_of("adp", &game), *random = agent_of("adp:ties=random", &game);
	/*
	 * In the middle of an edge: left and right are images of each other, down is not worth
	 * more.
	 */
	board.cell[0][1] = board.cell[0][2] = 3;
	board.cell[1][1] = board.cell[1][2] = 1;
	assert_int_equal(board_ask(first, &board, &v), RIGHT);
	assert_true(v.value[LEFT] == v.value[RIGHT] && v.value[DOWN] < v.value[LEFT]);
	assert_true(isnan(v.value[UP]));
	assert_true(v.chance[RIGHT] == 1 && v.chance[LEFT] == 0 && v.chance[UP] == 0);
	board_ask(random, &board, &v);
	assert_true(v.chance[RIGHT] == 0.5 && v.chance[LEFT] == 0.5 && v.chance[DOWN] == 0);
	agent_free(first);
	agent_free(random);
}

/* Two games of uncertainty: none where the first of equal moves is made, some where any is. */
TEST(training_tells_how_certain_it_was)
{
	struct game game;
	game_of("4x4", &game);
	for (int i = 0; i < 2; i++) {
		struct agent *agent = agent_of(i ? "adp:ties=random" : "adp", &game);
		const struct outcome outcome = train_to(agent, 1);
		assert_true(i ? outcome.uncertainty > 0.01 && outcome.uncertainty < 1.5
			      : outcome.uncertainty == 0);
		agent_free(agent);
	}
}

TESTS(folder_setup, folder_remove)
