/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The agent relative: its steps against the loss of the article, its games, its mini-games,
 * forged files.
 */
#include "agents/play.h"
#include "agents/nets/relative.c"
#include "tests/agents/learning.h"
#include "tests/random_board.h"

#include <math.h>

static struct agent *agent_on(const char *text, const char *shape, struct game *game)
{
	game_of(shape, game);
	return agent_of(text, game);
}

static struct relative *learner_of(struct agent *agent)
{
	assert_string_equal(agent->class->name, "relative");
	return agent->self;
}

/* Whether game I of the batch is better than the median, by counting. */
static bool naive_good(const struct relative *r, size_t i)
{
	const struct episodes *batch = &r->base.episodes;
	size_t below = 0;
	for (size_t k = 0; k < batch->count; k++)
		below += r->games[k].measure < r->games[i].measure;
	return below >= (batch->count + 1) / 2;
}

/* The loss of a move, from the formulas; OUT of the network. */
static double naive_loss(const struct relative *r, const struct episode_move *step, bool good,
			 const float out[DIRECTIONS])
{
	const unsigned among = r->settings.among == AMONG_ALL ? 15 : step->legal;
	const int others = __builtin_popcount(among) - 1;
	double sum = 0, loss = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		sum += among >> d & 1 ? exp((double)out[d]) : 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		const double p = among >> d & 1 ? exp((double)out[d]) / sum : 0;
		const double said = d == step->move;
		const double y = good || !others ? said : among >> d & 1 ? (1 - said) / others : 0;
		loss += fabs(p - y) / 4;
	}
	return loss;
}

/* Weights of a game and a move as the settings of the tests below have them. */
static double naive_weight(const struct relative *r, size_t game, size_t move)
{
	const struct episode *episode = &r->base.episodes.episode[game];
	const double x = ((double)move + 1) / (double)episode->outcome.moves;
	double j = 1, k = 1;
	if (r->settings.game_penalty_type != GAME_PENALTY_NONE)
		j = r->games[game].weight;
	if (r->settings.move_penalty_type == MOVE_PENALTY_LINEAR)
		k = x;
	if (r->settings.move_penalty_type == MOVE_PENALTY_EXPONENTIAL)
		k = 1 - exp(-3 * x);
	if (r->settings.move_penalty_type == MOVE_PENALTY_NONZERO)
		k = 1 - (double)board_empty(r->base.game, &episode->step[move].board) /
			    r->base.game->cells;
	return j * k * (naive_good(r, game) ? 1 : r->settings.bad);
}

/* The mean loss of the last batch, with the weights as they are now. */
static double batch_loss(struct relative *r)
{
	const struct episodes *batch = &r->base.episodes;
	double sum = 0, moves = 0;
	for (size_t i = 0; i < batch->count; i++)
		for (size_t k = 0; k < batch->episode[i].outcome.moves; k++) {
			const struct episode_move *step = &batch->episode[i].step[k];
			const struct board *board = &step->board;
			float out[1][DIRECTIONS];
			staged_outputs(&r->base.network, &r->base.work, &board, 1, out);
			sum +=
			    naive_weight(r, i, k) * naive_loss(r, step, naive_good(r, i), out[0]);
			moves++;
		}
	return sum / moves;
}

/*
 * After a batch, Adam's mean is a tenth of the gradient. Along it and against it the loss changes
 * by the square of its length, which only the gradient has.
 */
static void a_batch_goes_down_the_gradient_of_its_loss(void **state)
{
	(void)state;
	static const char *const agents[] = {
	    "relative",
	    "relative:input=onehot",
	    "relative:among=all",
	    "relative:input=onehot,symmetry=canonical,batch_size=7",
	    "relative:game_penalty_type=scores,move_penalty_type=nonzero",
	    "relative:game_penalty_type=log2_max,move_penalty_type=linear_move_num,bad=0.3",
	    "relative:game_penalty_type=max,move_penalty_type=exponential_move_num",
	    "relative:game_penalty_type=tile_sums,random_games=true,random_frac=0.5",
	    "relative:game_type=mini_random,mini_first=8,mini_last=16,among=all",
	};
	for (size_t i = 0; i < sizeof agents / sizeof agents[0]; i++) {
		struct game game;
		struct agent *agent = agent_on(agents[i], "3x3", &game);
		struct relative *r = learner_of(agent);
		train(agent, r->base.episodes.count, 1000);
		assert_int_equal(r->base.learned, 1);
		const struct optimiser *adam = &r->base.gradient.optimiser[0];
		assert_int_equal(adam->steps, 1);
		/* The weights before the step, and some way from there. */
		staged_start(&r->base.network, 1, 0);
		double squares = 0;
		for (size_t k = 0; k < r->base.network.net.size; k++)
			squares += 100 * (double)adam->mean[k] * (double)adam->mean[k];
		const double way = 1e-3 / sqrt(squares);
		double loss[2];
		for (int side = 0; side < 2; side++) {
			staged_start(&r->base.network, 1, 0);
			for (size_t k = 0; k < r->base.network.net.size; k++)
				r->base.network.weight[0][k] +=
				    (float)((side ? 1 : -1) * way * 10 * (double)adam->mean[k]);
			loss[side] = batch_loss(r);
		}
		/* What grows is minus the loss. */
		const double slope = (loss[0] - loss[1]) / (2 * way);
		if (!(fabs(slope - squares) < 0.01 * squares))
			fail_msg("%s: slope %g, squared length %g", agents[i], slope, squares);
		agent_free(agent);
	}
}

/* The first step of Adam is the learning rate, against the sign of each derivative. */
static void a_first_step_is_as_long_as_lr(void **state)
{
	(void)state;
	struct game game;
	struct agent *agent = agent_on("relative:lr=0.25", "4x4", &game);
	struct relative *r = learner_of(agent);
	const size_t size = r->base.network.net.size;
	staged_start(&r->base.network, 1, 0);
	float *before = perceptron_array(&r->base.network.net);
	assert_non_null(before);
	memcpy(before, r->base.network.weight[0], size * sizeof *before);
	train(agent, 10, 10);
	size_t moved = 0;
	for (size_t k = 0; k < size; k++) {
		const double way = (double)(r->base.network.weight[0][k] - before[k]);
		const double g = 10 * (double)r->base.gradient.optimiser[0].mean[k];
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

static void whole_games_end_at_the_tile_to_win(void **state)
{
	(void)state;
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
static void random_games_are_random_and_do_not_count(void **state)
{
	(void)state;
	struct game game;
	struct agent *agent = agent_on("relative:random_games=true,lr=0", "2x2", &game);
	const struct seen *seen = watch(agent, 4000);
	double random = 0, own = 0;
	for (uint64_t i = 0; i < 4000; i++) {
		const bool is_random = i % 20 >= 10;
		assert_int_equal(seen->outcome[i].partial, is_random);
		*(is_random ? &random : &own) += (double)seen->outcome[i].score / 2000;
	}
	assert_true(fabs(random - 19.6565) < 5 * 16 / sqrt(2000));
	agent_free(agent);

	agent = agent_on("relative:random_frac=1,lr=0", "2x2", &game);
	seen = watch(agent, 4000);
	double all = 0;
	for (uint64_t i = 0; i < 4000; i++) {
		all += (double)seen->outcome[i].score / 4000;
		assert_false(seen->outcome[i].partial);
	}
	assert_true(fabs(all - 19.6565) < 5 * 16 / sqrt(4000));
	agent_free(agent);

	/* The network of this seed without chance is far from random, and half of it is between. */
	agent = agent_on("relative:random_frac=0.5,lr=0", "2x2", &game);
	seen = watch(agent, 4000);
	double half = 0;
	for (uint64_t i = 0; i < 4000; i++)
		half += (double)seen->outcome[i].score / 4000;
	assert_true(fabs(own - half) < 5);
	agent_free(agent);
}

static void mini_games_start_from_one_layout_and_end_at_the_next_tile(void **state)
{
	(void)state;
	static const char *const agents[] = {
	    "relative:game_type=mini_random,mini_first=8,mini_last=64,mini_batches=2",
	    "relative:game_type=mini_iterative,mini_first=8,mini_last=64,mini_batches=2",
	};
	for (int a = 0; a < 2; a++) {
		struct game game;
		struct agent *agent = agent_on(agents[a], "4x4", &game);
		struct relative *r = learner_of(agent);
		struct board before = {0};
		unsigned challenges = 0;
		int same = 0, solved = 0;
		for (uint64_t batch = 0; batch < 40; batch++) {
			/* Before the first request there is no seed yet. */
			const int k = batch ? r->curriculum.exponent : 3;
			const struct board start = r->curriculum.start;
			const struct seen *seen = watch(agent, 10 * (batch + 1));
			const struct episode *episode = r->base.episodes.episode;
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
				assert_int_equal(r->curriculum.exponent, 3 + (batch + 1) / 2 % 4);
		}
		assert_int_equal(challenges, 0x78); /* 8, 16, 32, 64 */
		assert_true(a == 0 ? same == 0 : same >= 20);
		assert_true(solved > 100);
		agent_free(agent);
	}
}

/* A curriculum and a batch of two games to feed it with. */
struct trip {
	struct game game;
	struct curriculum curriculum;
	struct episode episode[2];
	struct ranked_game games[2];
	struct episodes batch;
};

static void trip_begin(struct trip *t, enum game_type type, uint64_t batches)
{
	game_of("3x3", &t->game);
	t->curriculum = (struct curriculum){
	    .game = &t->game, .type = type, .first = 3, .last = 5, .batches = batches};
	t->batch = (struct episodes){.count = 2, .episode = t->episode};
	curriculum_begin(&t->curriculum, 1);
	assert_int_equal(board_max(&t->curriculum.start), 3);
}

/* Two games that end with A and B, as good as they say. */
static void trip_go(struct trip *t, uint64_t number, const char *a, double good_a, const char *b,
		    double good_b)
{
	const char *const text[2] = {a, b};
	const double good[2] = {good_a, good_b};
	struct why why;
	for (int i = 0; i < 2; i++) {
		struct outcome *o = &t->episode[i].outcome;
		*o = (struct outcome){.partial = true};
		assert_int_equal(board_read(&t->game, text[i], &o->last, &why), STATUS_OK);
		o->max_exponent = board_max(&o->last);
		t->games[i].measure = good[i];
	}
	curriculum_next(&t->curriculum, 1, number, &t->batch, t->games);
}

static void expect_start(const struct trip *t, const char *text)
{
	struct board board;
	struct why why;
	assert_int_equal(board_read(&t->game, text, &board, &why), STATUS_OK);
	assert_true(board_equal(&board, &t->curriculum.start));
}

static void the_next_challenge_starts_where_the_best_attempt_ended(void **state)
{
	(void)state;
	static struct trip t;
	trip_begin(&t, GAME_MINI_ITERATIVE, 2);
	const struct board first = t.curriculum.start;
	/* Within a challenge the layout stays. */
	trip_go(&t, 0, "16,0,0/0,0,0/0,0,2", 5, "16,2,0/0,0,0/0,0,0", 7);
	assert_true(board_equal(&first, &t.curriculum.start));
	/* The best of all its batches; one that fell short of the tile does not count. */
	trip_go(&t, 1, "16,4,0/0,0,0/0,0,0", 6, "8,4,0/0,0,0/0,0,0", 100);
	expect_start(&t, "16,2,0/0,0,0/0,0,0");
	assert_int_equal(t.curriculum.exponent, 4);
	/* What is full of different tiles is no place to start from. */
	trip_go(&t, 2, "32,2,4/4,8,2/2,4,8", 50, "32,0,4/0,0,0/0,0,0", 4);
	trip_go(&t, 3, "32,0,2/0,0,0/0,0,0", 4, "16,0,2/0,0,0/0,0,0", 4);
	expect_start(&t, "32,0,4/0,0,0/0,0,0");
	assert_int_equal(t.curriculum.exponent, 5);
	/* Behind the last tile it begins again, with another layout. */
	trip_go(&t, 4, "64,0,4/0,0,0/0,0,0", 1, "64,0,2/0,0,0/0,0,0", 2);
	trip_go(&t, 5, "64,0,4/0,0,0/0,0,0", 1, "64,0,2/0,0,0/0,0,0", 2);
	assert_int_equal(t.curriculum.exponent, 3);
	assert_int_equal(board_max(&t.curriculum.start), 3);
	assert_false(board_equal(&first, &t.curriculum.start));
	/* And likewise when nobody has solved the challenge. */
	const struct board second = t.curriculum.start;
	trip_go(&t, 6, "8,0,4/0,0,0/0,0,0", 1, "8,0,2/0,0,0/0,0,0", 2);
	assert_true(board_equal(&second, &t.curriculum.start));
	trip_go(&t, 7, "8,0,4/0,0,0/0,0,0", 1, "16,2,4/4,8,2/2,4,8", 2);
	assert_int_equal(t.curriculum.exponent, 3);
	assert_false(board_equal(&second, &t.curriculum.start));
}

static void random_challenges_get_a_layout_a_batch(void **state)
{
	(void)state;
	static struct trip t;
	trip_begin(&t, GAME_MINI_RANDOM, 2);
	for (uint64_t i = 0; i < 12; i++) {
		const struct board before = t.curriculum.start;
		assert_int_equal(t.curriculum.exponent, 3 + i / 2 % 3);
		assert_int_equal(board_max(&before), t.curriculum.exponent);
		trip_go(&t, i, "16,0,4/0,0,0/0,0,0", 1, "16,0,2/0,0,0/0,0,0", 2);
		assert_false(board_equal(&before, &t.curriculum.start));
	}
}

/* Random play: 19.6565 on 2x2, exactly; optimal play 66.9641. */
static void learning_on_2x2_leaves_random_play_far_behind(void **state)
{
	(void)state;
	struct game game;
	struct agent *agent = agent_on("relative:input=onehot,batch_size=100,lr=0.003,"
				       "game_penalty_type=scores",
				       "2x2", &game);
	train(agent, 20000 / SANITIZED_SHARE, UINT64_MAX);
	const double mean = mean_score(agent, 2000);
	if (SANITIZED_SHARE == 1 && !(mean > 35 && mean < 66.9641 + 5))
		fail_msg("mean score %g", mean);
	agent_free(agent);
}

static void chances_are_a_policy_and_play_follows_it(void **state)
{
	(void)state;
	enum { DRAWS = 4000 };
	struct game game;
	struct board board;
	struct turn turn;
	struct why why;
	struct agent *best = agent_on("relative", "4x4", &game);
	struct agent *drawn = agent_of("relative:play=sample", &game);
	train(best, 40, 100);
	train(drawn, 40, 100);
	assert_int_equal(board_read(&game, "0,2,8,16/0,0,4,8/0,0,2,4/0,0,0,2", &board, &why),
			 STATUS_OK);
	turn_init(&turn, &game, &board, 0);
	double chance[1][DIRECTIONS], count[DIRECTIONS] = {0}, sum = 0;
	best->class->chances(best->self, &turn, 1, chance);
	struct rng rng;
	rng_init(&rng, 1, RNG_TEST, 0);
	int most = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		assert_int_equal(chance[0][d] > 0, turn.moves.legal >> d & 1);
		sum += chance[0][d];
		most = chance[0][d] > chance[0][most] ? d : most;
	}
	assert_true(fabs(sum - 1) < 1e-12);
	for (int i = 0; i < DRAWS; i++) {
		struct decision decision;
		decision_init(&decision);
		assert_int_equal(best->class->act(best->self, &turn, &rng, &decision), most);
		assert_memory_equal(decision.chance, chance[0], sizeof decision.chance);
		decision_init(&decision);
		count[drawn->class->act(drawn->self, &turn, &rng, &decision)]++;
	}
	for (int d = 0; d < DIRECTIONS; d++)
		assert_true(fabs(count[d] / DRAWS - chance[0][d]) <=
			    5 * sqrt(chance[0][d] * (1 - chance[0][d]) / DRAWS));
	agent_free(best);
	agent_free(drawn);
}

/* Writes a model with the curriculum that CURRICULUM says into PATH. */
static void forge(struct agent *agent, const struct curriculum *curriculum)
{
	struct relative *r = learner_of(agent);
	const struct curriculum kept = r->curriculum;
	r->curriculum = *curriculum;
	save(agent, path);
	r->curriculum = kept;
}

static void forged_mini_games_are_refused(void **state)
{
	(void)state;
	struct game game;
	char text[128];
	struct agent *agent = agent_on("relative:game_type=mini_iterative,mini_first=8,"
				       "mini_last=32,mini_batches=3",
				       "3x3", &game);
	train(agent, 50, 100);
	const struct curriculum true_one = learner_of(agent)->curriculum;
	snprintf(text, sizeof text, "relative:%s", path);
	forge(agent, &true_one);
	agent_free(agent_of(text, &game));
	for (int i = 0; i < 8; i++) {
		struct curriculum c = true_one;
		switch (i) {
		case 0:
			c.exponent = 2;
			break;
		case 1:
			c.exponent = 6;
			break;
		case 2:
			c.batch = 3;
			break;
		case 3: /* not the largest tile of the challenge */
			c.start.cell[0][0] = 7;
			break;
		case 4: /* beyond the board */
			c.start.cell[3][0] = 1;
			break;
		case 5: /* no move is legal */
			for (int k = 0; k < 9; k++)
				c.start.cell[k / 3][k % 3] = (uint8_t)(k ? 1 + k % 2 : c.exponent);
			break;
		case 6: /* solved by nothing */
			c.solved = true;
			c.end = (struct board){0};
			break;
		default: /* nine of the largest tile: no game comes to that */
			for (int k = 0; k < 9; k++)
				c.start.cell[k / 3][k % 3] = (uint8_t)c.exponent;
			break;
		}
		forge(agent, &c);
		expect_refused(text, &game, "an impossible mini-game");
	}
	agent_free(agent);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_batch_goes_down_the_gradient_of_its_loss),
	    cmocka_unit_test(a_first_step_is_as_long_as_lr),
	    cmocka_unit_test(whole_games_end_at_the_tile_to_win),
	    cmocka_unit_test(random_games_are_random_and_do_not_count),
	    cmocka_unit_test(mini_games_start_from_one_layout_and_end_at_the_next_tile),
	    cmocka_unit_test(the_next_challenge_starts_where_the_best_attempt_ended),
	    cmocka_unit_test(random_challenges_get_a_layout_a_batch),
	    cmocka_unit_test(learning_on_2x2_leaves_random_play_far_behind),
	    cmocka_unit_test(chances_are_a_policy_and_play_follows_it),
	    cmocka_unit_test(forged_mini_games_are_refused),
	};
	return cmocka_run_group_tests(tests, folder_setup, folder_remove);
}
