/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Targets, weights and losses against the article's examples and by hand; layouts of mini-games. */
#include "agents/nets/relative.c"
#include "boards/oracle.h"
#include "tests/random_board.h"
#include "tests/near.h"

#include <math.h>
#include <string.h>

enum { SEED = 20486, ALL = 15 };

static void assert_close(double x, double y)
{
	assert_near(x, y, 1e-12 * fmax(1, fabs(y)));
}

/* Math for reinforcement learning, part 2: "Formulation" and "Loss"; its order of moves is kept. */
static const double toy[DIRECTIONS] = {.1, .2, .6, .1};
enum { TOY_MOVE = 1 };

/* The loss of P against Y, times WEIGHT: the mean distance over the four moves ("Loss"). */
static double loss_of(const double p[DIRECTIONS], const double y[DIRECTIONS], double weight)
{
	double sum = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		sum += fabs(p[d] - y[d]);
	return weight * sum / DIRECTIONS;
}

static void the_loss_of_the_article_in_a_good_game_is_0_4(void **state)
{
	(void)state;
	static const double move[DIRECTIONS] = {0, 1, 0, 0};
	double y[DIRECTIONS];
	relative_target(ALL, TOY_MOVE, true, y);
	assert_memory_equal(y, move, sizeof y);
	assert_close(loss_of(toy, y, 1), 0.4);
}

/* It is printed as 0.2325, which is what (.33, 0, .33, .33) makes it: 1/3 makes it 0.2333... */
static void the_loss_of_the_article_in_a_bad_game_is_0_2325_with_thirds_rounded(void **state)
{
	(void)state;
	static const double rounded[DIRECTIONS] = {.33, 0, .33, .33};
	double y[DIRECTIONS];
	relative_target(ALL, TOY_MOVE, false, y);
	for (int d = 0; d < DIRECTIONS; d++) {
		assert_close(y[d], d == TOY_MOVE ? 0 : 1.0 / 3);
		assert_true(fabs(y[d] - rounded[d]) < 0.005);
	}
	assert_close(loss_of(toy, rounded, 1), 0.2325);
	assert_close(loss_of(toy, y, 1), 7.0 / 30);
}

static void the_loss_is_weighted_by_game_and_move(void **state)
{
	(void)state;
	double y[DIRECTIONS];
	relative_target(ALL, TOY_MOVE, true, y);
	assert_close(loss_of(toy, y, 0.5 * 0.25), 0.05);
	assert_close(loss_of(toy, y, 0), 0);
}

static void targets_are_chances_of_the_moves_among_alone(void **state)
{
	(void)state;
	static const struct {
		unsigned among;
		int move;
		double bad[DIRECTIONS];
	} cases[] = {
	    {15, 0, {0, 1. / 3, 1. / 3, 1. / 3}},
	    {11, 3, {.5, .5, 0, 0}},
	    {14, 2, {0, .5, 0, .5}},
	    {5, 0, {0, 0, 1, 0}},
	    {12, 3, {0, 0, 1, 0}},
	    {8, 3, {0, 0, 0, 1}},
	    {1, 0, {1, 0, 0, 0}}, /* nothing else could have been done */
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double y[DIRECTIONS];
		relative_target(cases[i].among, cases[i].move, true, y);
		for (int d = 0; d < DIRECTIONS; d++)
			assert_close(y[d], d == cases[i].move);
		relative_target(cases[i].among, cases[i].move, false, y);
		for (int d = 0; d < DIRECTIONS; d++)
			assert_close(y[d], cases[i].bad[d]);
	}
}

/* The softmax of Z over the moves AMONG. */
static void naive_softmax(const double z[DIRECTIONS], unsigned among, double p[DIRECTIONS])
{
	double sum = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		sum += p[d] = among >> d & 1 ? exp(z[d]) : 0;
	for (int d = 0; d < DIRECTIONS; d++)
		p[d] /= sum;
}

static double loss_at(const double z[DIRECTIONS], unsigned among, const double y[DIRECTIONS],
		      double weight)
{
	double p[DIRECTIONS];
	naive_softmax(z, among, p);
	return loss_of(p, y, weight);
}

static void gradients_are_finite_differences(void **state)
{
	(void)state;
	const double step = 1e-6;
	struct rng rng;
	int checked = 0;
	rng_init(&rng, SEED, RNG_TEST, 0);
	for (int i = 0; i < 4000; i++) {
		const unsigned among = 1 + rng_below(&rng, 15);
		int move;
		do
			move = (int)rng_below(&rng, DIRECTIONS);
		while (!(among >> move & 1));
		double z[DIRECTIONS], p[DIRECTIONS], y[DIRECTIONS], gradient[DIRECTIONS];
		const double weight = rng_real(&rng);
		for (int d = 0; d < DIRECTIONS; d++)
			z[d] = 6 * rng_real(&rng) - 3;
		relative_target(among, move, rng_below(&rng, 2), y);
		naive_softmax(z, among, p);
		relative_gradient(p, y, weight, gradient);
		for (int d = 0; d < DIRECTIONS; d++) {
			/* At a kink there is no derivative to compare with. */
			bool kink = false;
			for (int e = 0; e < DIRECTIONS; e++)
				kink = kink || (p[e] != y[e] && fabs(p[e] - y[e]) < 10 * step);
			if (kink)
				continue;
			double up[DIRECTIONS], down[DIRECTIONS];
			memcpy(up, z, sizeof up);
			memcpy(down, z, sizeof down);
			up[d] += step;
			down[d] -= step;
			const double slope =
			    (loss_at(up, among, y, weight) - loss_at(down, among, y, weight)) /
			    (2 * step);
			if (fabs(slope - gradient[d]) > 1e-8)
				fail_msg("case %d, move %d: %.12g, not %.12g", i, d, gradient[d],
					 slope);
			checked++;
		}
	}
	assert_true(checked > 15000);
}

static void the_gradient_of_even_chances_is_what_it_is_by_hand(void **state)
{
	(void)state;
	static const double even[DIRECTIONS] = {.25, .25, .25, .25};
	double y[DIRECTIONS], gradient[DIRECTIONS];
	relative_target(ALL, 0, true, y);
	relative_gradient(even, y, 1, gradient);
	/* Slopes -1/4, 1/4, 1/4, 1/4, their mean 1/8. */
	assert_close(gradient[0], .25 * (-.25 - .125));
	for (int d = 1; d < DIRECTIONS; d++)
		assert_close(gradient[d], .25 * (.25 - .125));
	relative_target(ALL, 0, false, y);
	relative_gradient(even, y, .5, gradient);
	/* Slopes 1/8, -1/8, -1/8, -1/8, their mean -1/16. */
	assert_close(gradient[0], .25 * (.125 + .0625));
	for (int d = 1; d < DIRECTIONS; d++)
		assert_close(gradient[d], .25 * (-.125 + .0625));
}

/*
 * A chance that is where it should be has no slope: this keeps a network that is right where it is.
 */
static void what_is_right_is_left_alone(void **state)
{
	(void)state;
	static const double sure[DIRECTIONS] = {0, 0, 1, 0};
	double y[DIRECTIONS], gradient[DIRECTIONS];
	relative_target(ALL, 2, true, y);
	relative_gradient(sure, y, 1, gradient);
	for (int d = 0; d < DIRECTIONS; d++)
		assert_true(gradient[d] == 0);
	assert_true(loss_of(sure, y, 1) == 0);
}

/*
 * The pull on a chance P > 1/3, the other three equal, when as many games are good as bad whatever
 * is played, and bad ones weigh BAD: up above (1 + 2 bad) / (4 - bad), down below
 * (docs/relative.md).
 */
static double pull_on(double p, double bad)
{
	const double chance[DIRECTIONS] = {p, (1 - p) / 3, (1 - p) / 3, (1 - p) / 3};
	double pull = 0;
	for (int move = 0; move < DIRECTIONS; move++)
		for (int good = 0; good < 2; good++) {
			double y[DIRECTIONS], gradient[DIRECTIONS];
			relative_target(ALL, move, good, y);
			relative_gradient(chance, y, good ? 1 : bad, gradient);
			pull -= chance[move] * gradient[0] / 2;
		}
	return pull;
}

static void games_that_tell_nothing_make_a_network_sure_or_unsure(void **state)
{
	(void)state;
	for (int i = 3; i <= 9; i++) {
		const double bad = i / 10., between = (1 + 2 * bad) / (4 - bad);
		assert_true(fabs(pull_on(between, bad)) < 1e-12);
		assert_true(pull_on(between + .02, bad) > 1e-4);
		assert_true(pull_on(between - .02, bad) < -1e-4);
	}
	for (int i = 34; i < 100; i++)
		assert_true(pull_on(i / 100., 1) < 0);
	/* Without bad games every lead grows; with equal ones none does below a third. */
	assert_true(pull_on(.26, 0) > 0 && fabs(pull_on(.3, 1)) < 1e-12);
}

enum { GAMES_MAX = 8 };

static void batches_are_judged_as_by_hand(void **state)
{
	(void)state;
	static const struct {
		size_t n;
		double measure[GAMES_MAX];
		bool good[GAMES_MAX];
		double weight[GAMES_MAX];
	} cases[] = {
	    /* The median 30 is a game of its own. */
	    {5, {10, 50, 30, 20, 130}, {false, true, false, false, true}, {1, .2, 0, .5, 1}},
	    /* The median of four is 25, between two games. */
	    {4, {20, 45, 5, 30}, {false, true, false, true}, {.25, 1, 1, .25}},
	    /* Several at the median: equal is bad, and counts nothing. */
	    {6,
	     {128, 128, 256, 128, 64, 512},
	     {false, false, true, false, false, true},
	     {0, 0, 1. / 3, 0, 1, 1}},
	    /* The median is the worst game. */
	    {5, {7, 7, 7, 9, 8}, {false, false, false, true, true}, {0, 0, 0, 1, .5}},
	    /* The median is the best game: none is good. */
	    {5, {7, 9, 9, 9, 8}, {false}, {1, 0, 0, 0, .5}},
	    /* All alike. */
	    {4, {3, 3, 3, 3}, {false}, {0}},
	    {1, {99}, {false}, {0}},
	    {2, {4, 8}, {false, true}, {1, 1}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (int weighted = 0; weighted < 2; weighted++) {
			struct ranked_game games[GAMES_MAX];
			double scratch[GAMES_MAX];
			for (size_t k = 0; k < cases[i].n; k++)
				games[k] = (struct ranked_game){.measure = cases[i].measure[k]};
			games_grade(games, cases[i].n, weighted, scratch);
			for (size_t k = 0; k < cases[i].n; k++) {
				assert_int_equal(games[k].good, cases[i].good[k]);
				assert_close(games[k].weight, weighted ? cases[i].weight[k] : 1);
			}
		}
}

/* Above the median is: at least half of all are below. Weights do not know units. */
static void judgements_agree_with_counting(void **state)
{
	(void)state;
	enum { GAMES = 41 };
	struct rng rng;
	rng_init(&rng, SEED, RNG_TEST, 1);
	for (int i = 0; i < 500; i++) {
		struct ranked_game games[GAMES], scaled[GAMES];
		double scratch[GAMES];
		const size_t n = 1 + rng_below(&rng, GAMES);
		for (size_t k = 0; k < n; k++) {
			games[k].measure = 4.0 * rng_below(&rng, 20);
			scaled[k].measure = 64 + 8 * games[k].measure;
		}
		games_grade(games, n, true, scratch);
		games_grade(scaled, n, true, scratch);
		for (size_t k = 0; k < n; k++) {
			size_t below = 0;
			for (size_t m = 0; m < n; m++)
				below += games[m].measure < games[k].measure;
			assert_int_equal(games[k].good, below >= (n + 1) / 2);
			assert_true(games[k].weight >= 0 && games[k].weight <= 1);
			assert_int_equal(games[k].good, scaled[k].good);
			assert_close(games[k].weight, scaled[k].weight);
		}
	}
}

static void games_are_measured_as_the_names_say(void **state)
{
	(void)state;
	struct game game;
	struct why why;
	struct outcome outcome = {.score = 1234, .max_exponent = 7};
	game_of("3x3", &game);
	assert_int_equal(board_read(&game, "128,64,2/0,4,0/2,0,0", &outcome.last, &why), STATUS_OK);
	assert_close(relative_measure(GAME_PENALTY_NONE, &outcome), 1234);
	assert_close(relative_measure(GAME_PENALTY_SCORES, &outcome), 1234);
	assert_close(relative_measure(GAME_PENALTY_MAX, &outcome), 128);
	assert_close(relative_measure(GAME_PENALTY_LOG2_MAX, &outcome), 7);
	assert_close(relative_measure(GAME_PENALTY_TILE_SUMS, &outcome), 200);
}

static void moves_weigh_as_the_names_say(void **state)
{
	(void)state;
	struct game game;
	struct board board;
	struct why why;
	game_of("4x4", &game);
	/* The article's layout. */
	assert_int_equal(board_read(&game, "0,16,8,0/2,32,4,0/0,0,8,0/0,0,0,0", &board, &why),
			 STATUS_OK);
	for (uint64_t i = 1; i <= 10; i++) {
		const double x = (double)i / 10;
		assert_close(relative_move_weight(MOVE_PENALTY_NONE, &game, &board, i, 10), 1);
		assert_close(relative_move_weight(MOVE_PENALTY_NONZERO, &game, &board, i, 10),
			     6. / 16);
		assert_close(relative_move_weight(MOVE_PENALTY_LINEAR, &game, &board, i, 10), x);
		assert_close(relative_move_weight(MOVE_PENALTY_EXPONENTIAL, &game, &board, i, 10),
			     1 - exp(-3 * x));
	}
	/* Numbers of a table: 1 - e^-3, 1 - e^-1.5. */
	const double last = relative_move_weight(MOVE_PENALTY_EXPONENTIAL, &game, &board, 8, 8);
	const double middle = relative_move_weight(MOVE_PENALTY_EXPONENTIAL, &game, &board, 4, 8);
	assert_true(fabs(last - 0.950213) < 1e-6 && fabs(middle - 0.776870) < 1e-6);
	game_of("2x3", &game);
	assert_int_equal(board_read(&game, "2,4,0/0,0,0", &board, &why), STATUS_OK);
	assert_close(relative_move_weight(MOVE_PENALTY_NONZERO, &game, &board, 1, 1), 2. / 6);
}

static int count_of(const struct game *game, const struct board *board, int exponent)
{
	int count = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			count += board->cell[r][c] == exponent;
	return count;
}

static void layouts_of_every_shape_can_be_played_and_have_one_largest_tile(void **state)
{
	(void)state;
	for (int i = 0; i < 25; i++) {
		struct game game;
		struct rng rng;
		int least, most;
		shape_game(i, &game);
		layout_range(&game, &least, &most);
		assert_int_equal(least, 2);
		assert_int_equal(most, game.cells); /* the bound is cells + 1 */
		rng_init(&rng, SEED, RNG_TEST, (uint64_t)i);
		for (int k = least; k <= most; k++)
			for (int n = 0; n < 20; n++) {
				struct board board;
				struct moves moves;
				struct why why;
				layout_draw(&game, k, &rng, &board);
				assert_int_equal(board_max(&board), k);
				assert_int_equal(count_of(&game, &board, k), 1);
				assert_int_equal(game_admits(&game, &board, &why), STATUS_OK);
				oracle_moves(&game, &board, &moves);
				assert_true(moves.legal);
			}
	}
}

static void layouts_follow_the_smallest_spawn(void **state)
{
	(void)state;
	struct game game;
	struct rng rng;
	int least, most;
	game_make(&(struct game_options){.shape = "4x4", .spawn = "8:0.5,32:0.5"}, &game);
	layout_range(&game, &least, &most);
	assert_int_equal(least, 4);
	assert_int_equal(most, game.max_exponent - 1);
	rng_init(&rng, SEED, RNG_TEST, 2);
	for (int n = 0; n < 200; n++) {
		struct board board;
		layout_draw(&game, 5, &rng, &board);
		for (int k = 1; k < 8; k++)
			assert_true(k == 3 || k == 4 || count_of(&game, &board, k) == (k == 5));
	}
}

/* On 2x2 with a 4 nothing is drawn again: 32 layouts, equally likely. */
static void layouts_are_drawn_as_written_down(void **state)
{
	(void)state;
	enum { DRAWS = 32000 };
	struct game game;
	struct rng rng;
	int seen[81] = {0}, layouts = 0;
	double squares = 0;
	game_of("2x2", &game);
	rng_init(&rng, SEED, RNG_TEST, 3);
	for (int n = 0; n < DRAWS; n++) {
		struct board board;
		layout_draw(&game, 2, &rng, &board);
		seen[board.cell[0][0] + 3 * board.cell[0][1] + 9 * board.cell[1][0] +
		     27 * board.cell[1][1]]++;
	}
	for (int i = 0; i < 81; i++) {
		layouts += seen[i] > 0;
		squares += seen[i] ? (seen[i] - 1000.) * (seen[i] - 1000.) / 1000 : 0;
	}
	assert_int_equal(layouts, 32);
	/* Chi-squared with 31 degrees of freedom: beyond 70 once in 10^4. */
	assert_true(squares < 70);
}

/* On 4x4 with a 64: 7.5 others on average, each of 2 .. 32 as often. */
static void other_tiles_are_as_frequent_as_written_down(void **state)
{
	(void)state;
	enum { DRAWS = 20000 };
	struct game game;
	struct rng rng;
	double count[7] = {0};
	game_of("4x4", &game);
	rng_init(&rng, SEED, RNG_TEST, 4);
	for (int n = 0; n < DRAWS; n++) {
		struct board board;
		layout_draw(&game, 6, &rng, &board);
		for (int k = 1; k < 7; k++)
			count[k] += count_of(&game, &board, k);
	}
	/* 15 cells of chance 1/10 each; boards drawn again are rarer than one in a thousand. */
	for (int k = 1; k < 6; k++)
		assert_true(fabs(count[k] / DRAWS - 1.5) < 5 * sqrt(15 * .1 * .9 / DRAWS) + 0.002);
	assert_close(count[6], DRAWS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_loss_of_the_article_in_a_good_game_is_0_4),
	    cmocka_unit_test(the_loss_of_the_article_in_a_bad_game_is_0_2325_with_thirds_rounded),
	    cmocka_unit_test(the_loss_is_weighted_by_game_and_move),
	    cmocka_unit_test(targets_are_chances_of_the_moves_among_alone),
	    cmocka_unit_test(gradients_are_finite_differences),
	    cmocka_unit_test(the_gradient_of_even_chances_is_what_it_is_by_hand),
	    cmocka_unit_test(what_is_right_is_left_alone),
	    cmocka_unit_test(games_that_tell_nothing_make_a_network_sure_or_unsure),
	    cmocka_unit_test(batches_are_judged_as_by_hand),
	    cmocka_unit_test(judgements_agree_with_counting),
	    cmocka_unit_test(games_are_measured_as_the_names_say),
	    cmocka_unit_test(moves_weigh_as_the_names_say),
	    cmocka_unit_test(layouts_of_every_shape_can_be_played_and_have_one_largest_tile),
	    cmocka_unit_test(layouts_follow_the_smallest_spawn),
	    cmocka_unit_test(layouts_are_drawn_as_written_down),
	    cmocka_unit_test(other_tiles_are_as_frequent_as_written_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
