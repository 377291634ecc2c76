/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The agent relative: its targets, weights and steps against the article's examples and by hand;
 * its games, layouts and mini-games; forged files.
 */
#include "agents/fields.h"
#include "boards/oracle.h"
#include "tests/agents/learning.h"
#include "tests/agents/nets/own_batch.h"
#include "tests/near.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>

enum { SEED = 20486 };

static void assert_close(double x, double y)
{
	assert_near(x, y, 1e-6 * fmax(1, fabs(y)));
}

static struct batch_policy *learner_of(struct agent *agent)
{
	assert_string_equal(agent->class->name, "relative");
	return agent->self;
}

/*
 * Math for reinforcement learning, part 2: "Formulation", "Finding Y" and "Loss": the mean distance
 * over the four moves of chances P from those that a move should have had.
 */
static double loss_of(const double p[DIRECTIONS], unsigned among, int move, bool good)
{
	const int others = __builtin_popcount(among) - 1;
	double sum = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		const double made = d == move;
		const double y = good || !others ? made : among >> d & 1 ? (1 - made) / others : 0;
		sum += fabs(p[d] - y);
	}
	return sum / DIRECTIONS;
}

/* The second is printed as 0.2325, which is what (.33, 0, .33, .33) makes it. */
TEST(the_losses_of_the_article_are_0_4_and_7_30)
{
	static const double toy[DIRECTIONS] = {.1, .2, .6, .1};
	assert_close(loss_of(toy, 15, 1, true), 0.4);
	assert_close(loss_of(toy, 15, 1, false), 7.0 / 30);
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

static double loss_at(const double z[DIRECTIONS], unsigned among, int move, bool good)
{
	double p[DIRECTIONS];
	naive_softmax(z, among, p);
	return loss_of(p, among, move, good);
}

/* A network whose outputs are its last biases, whatever the board. */
struct biased {
	struct game game;
	struct agent *agent;
	struct batch_policy *b;
};

static void biased_init(struct biased *biased)
{
	biased->agent = agent_on("relative:hidden1=1,hidden2=1,batch_size=2", "2x2", &biased->game);
	biased->b = learner_of(biased->agent);
}

/*
 * The derivatives of the loss by the outputs Z, from a batch of two games. In the other one no
 * other move was legal than the one made, so it teaches nothing. Adam's first mean is a tenth of
 * the mean gradient of what is to grow.
 */
static void gradient_take(const struct biased *biased, const double z[DIRECTIONS], unsigned among,
			  int move, bool good, double gradient[DIRECTIONS])
{
	struct own_batch own;
	struct gradient *adam = &biased->b->gradient;
	const struct perceptron *net = &biased->b->network.net;
	own_batch_init(&own, 2);
	own.step[0][0].legal = (uint8_t)among;
	own.step[0][0].move = (uint8_t)move;
	own.episode[good ? 0 : 1].outcome.score = 100;
	memset(adam->mean, 0, net->size * sizeof(float));
	memset(adam->square, 0, net->size * sizeof(float));
	adam->stage[0].steps = 0;
	outputs_set(biased->b, z);
	own_batch_learn(biased->b, &own);
	for (int d = 0; d < DIRECTIONS; d++)
		gradient[d] = -20 * (double)adam->mean[net->bias[2] + (size_t)d];
}

TEST(gradients_are_finite_differences)
{
	const double step = 1e-6;
	struct biased biased;
	struct rng rng;
	int checked = 0;
	biased_init(&biased);
	rng_init(&rng, SEED, RNG_TEST, 0);
	for (int i = 0; i < 4000; i++) {
		const struct moves among = {.legal = 1 + rng_below(&rng, 15)};
		const int move = moves_any(&among, &rng);
		const bool good = rng_below(&rng, 2);
		double z[DIRECTIONS], gradient[DIRECTIONS];
		for (int d = 0; d < DIRECTIONS; d++)
			z[d] = (double)(float)(6 * rng_real(&rng) - 3);
		gradient_take(&biased, z, among.legal, move, good, gradient);
		for (int d = 0; d < DIRECTIONS; d++) {
			double up[DIRECTIONS], down[DIRECTIONS];
			memcpy(up, z, sizeof up);
			memcpy(down, z, sizeof down);
			up[d] += step;
			down[d] -= step;
			const double here = loss_at(z, among.legal, move, good),
				     above = loss_at(up, among.legal, move, good),
				     below = loss_at(down, among.legal, move, good);
			/* At a kink there is no derivative to compare with. */
			if (fabs(above + below - 2 * here) > 1e-9)
				continue;
			const double slope = (above - below) / (2 * step);
			if (fabs(slope - gradient[d]) > 1e-6)
				fail_msg("case %d, move %d: %.12g, not %.12g", i, d, gradient[d],
					 slope);
			checked++;
		}
	}
	assert_true(checked > 15000);
	agent_free(biased.agent);
}

TEST(the_gradient_of_even_chances_is_what_it_is_by_hand)
{
	static const double even[DIRECTIONS] = {0};
	struct biased biased;
	double gradient[DIRECTIONS];
	biased_init(&biased);
	/* Slopes -1/4, 1/4, 1/4, 1/4, their mean 1/8. */
	gradient_take(&biased, even, 15, 0, true, gradient);
	for (int d = 0; d < DIRECTIONS; d++)
		assert_close(gradient[d], .25 * ((d ? .25 : -.25) - .125));
	/* Slopes 1/4, -1/4, -1/4, -1/4, their mean -1/8; of two legal moves 1/4 and -1/4. */
	gradient_take(&biased, even, 15, 0, false, gradient);
	for (int d = 0; d < DIRECTIONS; d++)
		assert_close(gradient[d], .25 * ((d ? -.25 : .25) + .125));
	gradient_take(&biased, even, 5, 0, false, gradient);
	for (int d = 0; d < DIRECTIONS; d++)
		assert_close(gradient[d], d % 2 ? 0 : .5 * (d ? -.25 : .25));
	agent_free(biased.agent);
}

TEST(batches_are_judged_as_by_hand)
{
	static const struct {
		size_t n;
		uint64_t score[GAMES_MAX];
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
			struct game game;
			struct own_batch own;
			struct agent *agent =
			    agent_on(text_of("relative:hidden1=1,hidden2=1,batch_size=%zu,bad=0.5,"
					     "game_penalty_type=%s",
					     cases[i].n, weighted ? "scores" : "none"),
				     "2x2", &game);
			own_batch_init(&own, cases[i].n);
			for (size_t k = 0; k < cases[i].n; k++)
				own.episode[k].outcome.score = cases[i].score[k];
			own_batch_learn(learner_of(agent), &own);
			for (size_t k = 0; k < cases[i].n; k++) {
				const struct example *e = &learner_of(agent)->example[k];
				const double j = weighted ? cases[i].weight[k] : 1;
				assert_int_equal(e->good, cases[i].good[k]);
				assert_close((double)e->credit, e->good ? j : .5 * j);
			}
			agent_free(agent);
		}
}

/* What the settings of a test below say. */
struct relative_case {
	const char *text;
	char game_penalty,
	    move_penalty; /* the first letter of the type; 't' tile_sums, '2' log2_max */
	bool all;	  /* among=all */
	double bad;
};

static double naive_measure(const struct relative_case *c, const struct outcome *outcome)
{
	switch (c->game_penalty) {
	case 'm':
		return ldexp(1, board_max(&outcome->last));
	case '2':
		return board_max(&outcome->last);
	case 't':
		return (double)board_sum(&outcome->last);
	default:
		return (double)outcome->score;
	}
}

/* What game I of the last batch weighs, and whether it is better than the median, by counting. */
static double naive_game(const struct relative_case *c, const struct batch_policy *b, size_t i,
			 bool *good)
{
	const size_t n = b->episodes.count;
	const double own = naive_measure(c, &b->episodes.episode[i].outcome);
	double middle[2] = {0}, least = INFINITY, most = -INFINITY;
	for (size_t k = 0; k < n; k++) {
		const double x = naive_measure(c, &b->episodes.episode[k].outcome);
		size_t below = 0, same = 0;
		for (size_t m = 0; m < n; m++) {
			const double y = naive_measure(c, &b->episodes.episode[m].outcome);
			below += y < x;
			same += y == x;
		}
		for (size_t m = 0; m < 2; m++)
			if (below <= (n - 1 + m) / 2 && (n - 1 + m) / 2 < below + same)
				middle[m] = x;
		least = fmin(least, x);
		most = fmax(most, x);
	}
	const double median = (middle[0] + middle[1]) / 2;
	*good = own > median;
	if (c->game_penalty == 'n')
		return *good ? 1 : c->bad;
	if (own == median)
		return 0;
	return *good ? (own - median) / (most - median)
		     : c->bad * (median - own) / (median - least);
}

static double naive_move(const struct relative_case *c, const struct game *game,
			 const struct episode *episode, size_t move)
{
	const double x = ((double)move + 1) / (double)episode->outcome.moves;
	switch (c->move_penalty) {
	case 'l':
		return x;
	case 'e':
		return 1 - exp(-3 * x);
	case '0':
		return 1 - (double)board_empty(game, &episode->step[move].board) / game->cells;
	default:
		return 1;
	}
}

/* The mean loss of the last batch, with the weights as they are now. */
static double batch_loss(const struct relative_case *c, struct batch_policy *b)
{
	double sum = 0, moves = 0;
	for (size_t i = 0; i < b->episodes.count; i++) {
		const struct episode *episode = &b->episodes.episode[i];
		bool good;
		const double weight = naive_game(c, b, i, &good);
		for (size_t k = 0; k < episode->outcome.moves; k++, moves++) {
			const struct episode_move *step = &episode->step[k];
			const struct board *board = &step->board;
			float out[1][DIRECTIONS];
			double z[DIRECTIONS];
			staged_outputs(&b->network, &b->work, &board, 1, out);
			for (int d = 0; d < DIRECTIONS; d++)
				z[d] = (double)out[0][d];
			sum += weight * naive_move(c, b->game, episode, k) *
			       loss_at(z, c->all ? 15 : step->legal, step->move, good);
		}
	}
	return sum / moves;
}

/*
 * After a batch, Adam's mean is a tenth of the gradient. Along it and against it the loss changes
 * by the square of its length, which only the gradient has.
 */
TEST(a_batch_goes_down_the_gradient_of_its_loss)
{
	static const struct relative_case cases[] = {
	    {"relative", 'n', 'n', false, 1},
	    {"relative:input=onehot", 'n', 'n', false, 1},
	    {"relative:among=all", 'n', 'n', true, 1},
	    {"relative:input=onehot,symmetry=canonical,batch_size=7", 'n', 'n', false, 1},
	    {"relative:game_penalty_type=scores,move_penalty_type=nonzero", 's', '0', false, 1},
	    {"relative:game_penalty_type=log2_max,move_penalty_type=linear_move_num,bad=0.3", '2',
	     'l', false, 0.3},
	    {"relative:game_penalty_type=max,move_penalty_type=exponential_move_num", 'm', 'e',
	     false, 1},
	    {"relative:game_penalty_type=tile_sums,random_games=true,random_frac=0.5", 't', 'n',
	     false, 1},
	    {"relative:game_type=mini_random,mini_first=8,mini_last=16,among=all", 'n', 'n', true,
	     1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct agent *agent = agent_on(cases[i].text, "3x3", &game);
		struct batch_policy *b = learner_of(agent);
		train(agent, b->episodes.count, 1000);
		assert_int_equal(b->learned, 1);
		const float *mean = b->gradient.mean;
		assert_int_equal(b->gradient.stage[0].steps, 1);
		/* The weights before the step, and some way from there. */
		double squares = 0;
		for (size_t k = 0; k < b->network.net.size; k++)
			squares += 100 * (double)mean[k] * (double)mean[k];
		const double way = 1e-3 / sqrt(squares);
		double loss[2];
		for (int side = 0; side < 2; side++) {
			staged_start(&b->network, 1, 0);
			for (size_t k = 0; k < b->network.net.size; k++)
				b->network.weight[0][k] +=
				    (float)((side ? 1 : -1) * way * 10 * (double)mean[k]);
			loss[side] = batch_loss(&cases[i], b);
		}
		/* What grows is minus the loss. */
		const double slope = (loss[0] - loss[1]) / (2 * way);
		if (!(fabs(slope - squares) < 0.01 * squares))
			fail_msg("%s: slope %g, squared length %g", cases[i].text, slope, squares);
		agent_free(agent);
	}
}

/* The first step of Adam is the learning rate, against the sign of each derivative. */
TEST(a_first_step_is_as_long_as_lr)
{
	struct game game;
	struct agent *agent = agent_on("relative:lr=0.25", "4x4", &game);
	struct batch_policy *b = learner_of(agent);
	const size_t size = b->network.net.size;
	staged_start(&b->network, 1, 0);
	float *before = malloc(size * sizeof *before);
	assert_non_null(before);
	memcpy(before, b->network.weight[0], size * sizeof *before);
	train(agent, 10, 10);
	size_t moved = 0;
	for (size_t k = 0; k < size; k++) {
		const double way = (double)(b->network.weight[0][k] - before[k]);
		const double g = 10 * (double)b->gradient.mean[k];
		if (fabs(g) > 1e-5) {
			assert_true(fabs(way - copysign(.25, g)) < 1e-3);
			moved++;
		}
	}
	assert_true(moved > size / 20);
	free(before);
	agent_free(agent);
}

/* Every training game of a request. */
struct seen {
	uint64_t count;
	struct outcome outcome[4096];
};

static bool see(void *context, const struct outcome *outcome)
{
	struct seen *seen = context;
	seen->outcome[seen->count++] = *outcome;
	return true;
}

/* Games until END; the caller frees nothing. */
static struct seen *watch(struct agent *agent, uint64_t end)
{
	static struct seen seen;
	seen.count = 0;
	assert_true(end <= 4096);
	agent->class->learn(
	    agent->self, &(struct training_request){
			     .seed = 1, .end = end, .threads = 1, .over = see, .context = &seen});
	return &seen;
}

TEST(whole_games_end_at_the_tile_to_win)
{
	static const struct {
		const char *agent;
		int most;
	} cases[] = {{"relative:win=32", 5}, {"relative:win=64", 6}, {"relative:win=none", 99}};
	for (int i = 0; i < 3; i++) {
		struct game game;
		struct agent *agent = agent_on(cases[i].agent, "3x4", &game);
		const struct seen *seen = watch(agent, 200);
		int won = 0, most = 0;
		for (uint64_t k = 0; k < seen->count; k++) {
			const struct outcome *o = &seen->outcome[k];
			const bool win = o->max_exponent == cases[i].most;
			most = o->max_exponent > most ? o->max_exponent : most;
			assert_true(win || game.over(&o->last));
			assert_true(o->max_exponent <= cases[i].most);
			assert_false(o->partial);
			won += win;
		}
		assert_true(most == cases[i].most ? won > 10 : most > 6);
		agent_free(agent);
	}
}

/* On 2x2 random play scores 19.6565 on average, exactly; its standard deviation is below 16. */
TEST(random_games_are_random_and_do_not_count)
{
	static const char *const agents[] = {"relative:random_games=true,lr=0",
					     "relative:random_frac=1,lr=0",
					     "relative:random_frac=0.5,lr=0"};
	double mean[3][2] = {{0}}; /* of games that count, and of those that do not */
	for (int a = 0; a < 3; a++) {
		struct game game;
		struct agent *agent = agent_on(agents[a], "2x2", &game);
		const struct seen *seen = watch(agent, 4000);
		for (uint64_t i = 0; i < 4000; i++) {
			const bool partial = a == 0 && i % 20 >= 10;
			assert_int_equal(seen->outcome[i].partial, partial);
			mean[a][partial] += (double)seen->outcome[i].score / (a == 0 ? 2000 : 4000);
		}
		agent_free(agent);
	}
	assert_true(fabs(mean[0][1] - 19.6565) < 5 * 16 / sqrt(2000));
	assert_true(fabs(mean[1][0] - 19.6565) < 5 * 16 / sqrt(4000));
	/* The network of this seed without chance is far from random, and half of it is between. */
	assert_true(fabs(mean[0][0] - mean[2][0]) < 5);
}

/* The layout where the games of the next batch start. */
static struct board layout_of(const struct batch_policy *b)
{
	struct board board;
	assert_true(b->rules->layout(b, &board));
	return board;
}

TEST(mini_games_start_from_one_layout_and_end_at_the_next_tile)
{
	static const char *const agents[] = {
	    "relative:game_type=mini_random,mini_first=8,mini_last=64,mini_batches=2",
	    "relative:game_type=mini_iterative,mini_first=8,mini_last=64,mini_batches=2",
	};
	for (int a = 0; a < 2; a++) {
		struct game game;
		struct agent *agent = agent_on(agents[a], "4x4", &game);
		struct batch_policy *b = learner_of(agent);
		struct board before = {0};
		unsigned challenges = 0;
		int same = 0, solved = 0;
		for (uint64_t batch = 0; batch < 40; batch++) {
			/* Before the first request there is no seed yet. */
			const struct board start = layout_of(b);
			const int k = batch ? board_max(&start) : 3;
			const struct seen *seen = watch(agent, 10 * (batch + 1));
			const struct episode *episode = b->episodes.episode;
			for (int i = 0; i < 10; i++) {
				const struct outcome *o = &seen->outcome[i];
				assert_true(o->partial);
				assert_true(o->moves > 0);
				assert_true(batch == 0 ||
					    board_equal(&episode[i].step[0].board, &start));
				assert_true(board_equal(&episode[i].step[0].board,
							&episode[0].step[0].board));
				assert_int_equal(board_max(&episode[i].step[0].board), k);
				assert_true(o->max_exponent <= k + 1);
				assert_true(o->max_exponent == k + 1 || game.over(&o->last));
				solved += o->max_exponent == k + 1;
			}
			same += board_equal(&before, &episode[0].step[0].board);
			before = episode[0].step[0].board;
			challenges |= 1u << k;
			if (a == 0) /* the curriculum of mini_random does not depend on the games */
				assert_int_equal(k, 3 + batch / 2 % 4);
		}
		assert_int_equal(challenges, 0x78); /* 8, 16, 32, 64 */
		assert_true(a == 0 ? same == 0 : same >= 20);
		assert_true(solved > 100);
		agent_free(agent);
	}
}

static int count_of(const struct game *game, const struct board *board, int exponent)
{
	int count = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			count += board->cell[r][c] == exponent;
	return count;
}

/* A learner whose first layouts have the largest tile 2^K. */
static struct agent *layouts_from(int k, const struct game *game)
{
	const long long tile = 1LL << k;
	return agent_of(text_of("relative:hidden1=1,hidden2=1,game_type=mini_random,"
				"mini_first=%lld,mini_last=%lld",
				tile, tile),
			game);
}

static struct board layout_draw(struct agent *agent, uint64_t seed)
{
	struct batch_policy *b = learner_of(agent);
	b->rules->start(b, seed);
	return layout_of(b);
}

TEST(layouts_of_every_shape_can_be_played_and_have_one_largest_tile)
{
	for (int i = 0; i < 25; i++) {
		struct game game;
		shape_game(i, &game);
		/* The bound is cells + 1, the smallest spawn 1. */
		for (int k = 2; k <= game.cells; k++) {
			struct agent *agent = layouts_from(k, &game);
			for (uint64_t n = 0; n < 20; n++) {
				const struct board board = layout_draw(agent, n);
				struct moves moves;
				struct why why;
				assert_int_equal(board_max(&board), k);
				assert_int_equal(count_of(&game, &board, k), 1);
				assert_int_equal(game_admits(&game, &board, &why), STATUS_OK);
				oracle_moves(&game, &board, &moves);
				assert_true(moves.legal);
			}
			agent_free(agent);
		}
	}
}

TEST(layouts_follow_the_smallest_spawn)
{
	struct game game;
	game_make(&(struct game_options){.shape = "4x4", .spawn = "8:0.5,32:0.5"}, &game);
	struct agent *agent = layouts_from(5, &game);
	for (uint64_t n = 0; n < 200; n++) {
		const struct board board = layout_draw(agent, n);
		for (int k = 1; k < 8; k++)
			assert_true(k == 3 || k == 4 || count_of(&game, &board, k) == (k == 5));
	}
	agent_free(agent);
	expect_refused("relative:game_type=mini_random,mini_first=8", &game,
		       "expected a tile from 16 to");
}

/* On 2x2 with a 4 nothing is drawn again: 32 layouts, equally likely. */
TEST(layouts_are_drawn_as_written_down)
{
	enum { DRAWS = 32000 };
	struct game game;
	int seen[81] = {0}, layouts = 0;
	double squares = 0;
	game_of("2x2", &game);
	struct agent *agent = layouts_from(2, &game);
	for (uint64_t n = 0; n < DRAWS; n++) {
		const struct board board = layout_draw(agent, n);
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
	agent_free(agent);
}

/* On 4x4 with a 64: 7.5 others on average, each of 2 .. 32 as often. */
TEST(other_tiles_are_as_frequent_as_written_down)
{
	enum { DRAWS = 20000 };
	struct game game;
	double count[7] = {0};
	game_of("4x4", &game);
	struct agent *agent = layouts_from(6, &game);
	for (uint64_t n = 0; n < DRAWS; n++) {
		const struct board board = layout_draw(agent, n);
		for (int k = 1; k < 7; k++)
			count[k] += count_of(&game, &board, k);
	}
	/* 15 cells of chance 1/10 each; boards drawn again are rarer than one in a thousand. */
	for (int k = 1; k < 6; k++)
		assert_true(fabs(count[k] / DRAWS - 1.5) < 5 * sqrt(15 * .1 * .9 / DRAWS) + 0.002);
	assert_close(count[6], DRAWS);
	agent_free(agent);
}

/*
 * A course of mini-games from 8 to 32, two batches each, and batches of two games to feed it with.
 */
struct trip {
	struct game game;
	struct agent *agent;
};

static void trip_begin(struct trip *t, const char *type)
{
	t->agent = agent_on(text_of("relative:hidden1=1,hidden2=1,batch_size=2,mini_first=8,"
				    "mini_last=32,mini_batches=2,game_type=%s",
				    type),
			    "3x3", &t->game);
	const struct board start = layout_draw(t->agent, 1);
	assert_int_equal(board_max(&start), 3);
}

/* Two games that end with A and B, with so many points. */
static void trip_go(struct trip *t, const char *a, uint64_t points_a, const char *b,
		    uint64_t points_b)
{
	const char *const text[2] = {a, b};
	const uint64_t points[2] = {points_a, points_b};
	struct own_batch own;
	own_batch_init(&own, 2);
	for (int i = 0; i < 2; i++) {
		struct outcome *o = &own.episode[i].outcome;
		*o = (struct outcome){.partial = true, .score = points[i]};
		o->last = board_of(&t->game, text[i]);
		o->max_exponent = board_max(&o->last);
	}
	own_batch_learn(learner_of(t->agent), &own);
}

static void expect_start(const struct trip *t, const char *text)
{
	const struct board start = layout_of(learner_of(t->agent)),
			   board = board_of(&t->game, text);
	assert_true(board_equal(&board, &start));
}

TEST(the_next_challenge_starts_where_the_best_attempt_ended)
{
	struct trip t;
	trip_begin(&t, "mini_iterative");
	const struct board first = layout_of(learner_of(t.agent));
	/* Within a challenge the layout stays. */
	trip_go(&t, "16,0,0/0,0,0/0,0,2", 5, "16,2,0/0,0,0/0,0,0", 7);
	struct board now = layout_of(learner_of(t.agent));
	assert_true(board_equal(&first, &now));
	/* The best of all its batches; one that fell short of the tile does not count. */
	trip_go(&t, "16,4,0/0,0,0/0,0,0", 6, "8,4,0/0,0,0/0,0,0", 100);
	expect_start(&t, "16,2,0/0,0,0/0,0,0");
	/* What is full of different tiles is no place to start from. */
	trip_go(&t, "32,2,4/4,8,2/2,4,8", 50, "32,0,4/0,0,0/0,0,0", 4);
	trip_go(&t, "32,0,2/0,0,0/0,0,0", 4, "16,0,2/0,0,0/0,0,0", 4);
	expect_start(&t, "32,0,4/0,0,0/0,0,0");
	/* Behind the last tile it begins again, with another layout. */
	trip_go(&t, "64,0,4/0,0,0/0,0,0", 1, "64,0,2/0,0,0/0,0,0", 2);
	trip_go(&t, "64,0,4/0,0,0/0,0,0", 1, "64,0,2/0,0,0/0,0,0", 2);
	const struct board second = layout_of(learner_of(t.agent));
	assert_int_equal(board_max(&second), 3);
	assert_false(board_equal(&first, &second));
	/* And likewise when nobody has solved the challenge. */
	trip_go(&t, "8,0,4/0,0,0/0,0,0", 1, "8,0,2/0,0,0/0,0,0", 2);
	now = layout_of(learner_of(t.agent));
	assert_true(board_equal(&second, &now));
	trip_go(&t, "8,0,4/0,0,0/0,0,0", 1, "16,2,4/4,8,2/2,4,8", 2);
	now = layout_of(learner_of(t.agent));
	assert_int_equal(board_max(&now), 3);
	assert_false(board_equal(&second, &now));
	agent_free(t.agent);
}

TEST(random_challenges_get_a_layout_a_batch)
{
	struct trip t;
	trip_begin(&t, "mini_random");
	for (int i = 0; i < 12; i++) {
		const struct board before = layout_of(learner_of(t.agent));
		assert_int_equal(board_max(&before), 3 + i / 2 % 3);
		trip_go(&t, "16,0,4/0,0,0/0,0,0", 1, "16,0,2/0,0,0/0,0,0", 2);
		const struct board after = layout_of(learner_of(t.agent));
		assert_false(board_equal(&before, &after));
	}
	agent_free(t.agent);
}

/*
 * Numbers of the section of mini-games: 64 bits each, then the layout and the end, 48 bytes each.
 */
enum {
	AT_EXPONENT = 0,
	AT_BATCH = 8,
	AT_SOLVED = 16,
	AT_START = 32,
	AT_END = 80,
	MINI_BYTES = 128
};

TEST(forged_mini_games_are_refused)
{
	static unsigned char bytes[SECTION_ROOM];
	unsigned char forged[MINI_BYTES];
	struct game game;
	struct agent *agent =
	    agent_on("relative:hidden1=8,hidden2=8,game_type=mini_iterative,mini_first=8,"
		     "mini_last=32,mini_batches=3",
		     "3x3", &game);
	train(agent, 50, 100);
	save(agent, path);
	const char *text = text_of("relative:%s", other);
	assert_int_equal(section_take(path, 1, bytes), MINI_BYTES);
	section_forge(1, bytes, MINI_BYTES);
	agent_free(agent_of(text, &game));
	const struct board start = layout_of(learner_of(agent));
	const int k = board_max(&start);
	assert_memory_equal(bytes + AT_START, &start, sizeof start);
	for (int i = 0; i < 8; i++) {
		memcpy(forged, bytes, sizeof forged);
		struct board board = start;
		if (i < 3) /* exponents out of the course; more batches than a challenge has */
			field_put64(forged + (i < 2 ? AT_EXPONENT : AT_BATCH), i == 0	? 2
									       : i == 1 ? 6
											: 3);
		if (i == 3) /* not the largest tile of the challenge */
			board.cell[0][0] = 7;
		if (i == 4) /* beyond the board */
			board.cell[3][0] = 1;
		for (int c = 0; i >= 5 && i < 7 && c < 9;
		     c++) /* no move is legal; nine are the largest */
			board.cell[c / 3][c % 3] = (uint8_t)(i == 6 || c == 0 ? k : 1 + c % 2);
		memcpy(forged + AT_START, &board, sizeof board);
		if (i == 7) { /* solved by nothing */
			field_put64(forged + AT_SOLVED, 1);
			memset(forged + AT_END, 0, sizeof board);
		}
		section_forge(1, forged, sizeof forged);
		expect_refused(text, &game, "an impossible mini-game");
	}
	agent_free(agent);
}

TESTS(folder_setup, folder_remove)
