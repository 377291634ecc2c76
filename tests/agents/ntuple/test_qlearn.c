/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Q-learning: its update by hand, its progress, forged files. */
#include "agents/fields.h"
#include "tests/agents/learning.h"
#include "tests/test.h"

#include <math.h>
#include <sys/resource.h>

TEST(before_training_q_is_the_reward)
{
	struct game game;
	struct decision v;
	struct agent *agent = agent_on("qlearn", "4x4", &game);
	assert_int_equal(text_ask(agent, "2,2,4,8/0,0,0,0/4,0,0,0/4,0,0,8", &v), UP);
	assert_true(v.value[UP] == 24 && v.value[DOWN] == 24);
	assert_true(v.value[LEFT] == 4 && v.value[RIGHT] == 4);
	assert_int_equal(text_ask(agent, "0,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0", &v), DOWN);
	assert_true(isnan(v.value[UP]) && isnan(v.value[RIGHT]));
	assert_int_equal(agent->class->trained(agent->self), 0);
	agent_free(agent);
}

/*
 * With nothing but fours appearing, this game has two moves:
 *
 *	2 0  up     2 8  left, 8 points   2 8
 *	4 8  -->    4 4  ------------->   8 4, lost
 *
 * First update: Q = 0, target 0 + gamma 8. Each of the four features of the first after-state,
 * 2,8/4,0, is new and moves by a. That makes Q = 8 + 2a for left and 8 + a for right, since
 * 2,8/8,0 shows the row 2,8 and the column 8,0 again. Second update, by left: the target is -8 or
 *8, and the features move by b, the two that are seen again by b / sqrt(2).
 */
TEST(an_update_is_what_it_is_by_hand)
{
	const double r2 = sqrt(2), r10 = sqrt(10);
	const struct {
		const char *agent;
		double a, b, again; /* again: what features seen twice move by, the second time */
	} cases[] = {
	    {"qlearn:eta=0.5", 2, -r10, -r10 / r2},
	    {"qlearn:eta=0.5,error=sqrt,terminal=neg-score,scale=visits", 2, -r10, -r10 / r2},
	    {"qlearn:eta=0.5,terminal=zero", 2, -r2, -1},
	    {"qlearn:eta=0.5,error=linear", 1, -2.25, -2.25 / r2},
	    {"qlearn:eta=0.5,error=linear,terminal=zero", 1, -0.25, -0.25 / r2},
	    {"qlearn:eta=0.5,terminal=zero,scale=none", 2, -r2, -r2},
	    {"qlearn:eta=0.5,terminal=zero,gamma=0.5", r2, -sqrt(r2), -sqrt(r2) / r2},
	    {"qlearn:terminal=zero,error=linear", 2, -1, -1 / r2},
	};
	struct game game;
	game_make(&(struct game_options){.spawn = "4:1", .start = "2,0/4,8"}, &game);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct agent *agent = agent_of(cases[i].agent, &game);
		double a = cases[i].a, b = cases[i].b, twice = a + cases[i].again;
		struct outcome outcome;
		struct decision v;
		outcome = train_to(agent, 1);
		assert_int_equal(outcome.score, 8);
		assert_int_equal(outcome.moves, 2);
		assert_int_equal(outcome.max_exponent, 3);
		text_ask(agent, "2,0/4,8", &v);
		assert_true(fabs(v.value[UP] - (2 * twice + 2 * a)) < 1e-5);
		assert_true(fabs(v.value[RIGHT]) < 1e-5);
		text_ask(agent, "2,8/4,4", &v);
		assert_true(fabs(v.value[LEFT] - (8 + 2 * twice + 2 * b)) < 1e-5);
		assert_true(fabs(v.value[RIGHT] - (8 + twice)) < 1e-5);
		assert_int_equal(agent->class->trained(agent->self), 1);
		agent_free(agent);
	}
}

/*
 * The mirror image of the game above, where the second move is right, with reward=learned: Q is the
 * sum of weights and nothing else. First game: the first update finds Q = 0 and V = 0, and changes
 * nothing but the number of visits; the second, Q = 0 against 8, moves new features by 2 and the
 * row 8,2 and the column 8,0, which were seen before, by sqrt(2). Second game: the first
 * after-state's Q is 2 sqrt(2), and aims at V = 4 + 2 sqrt(2) without the points of the move to
 * come, which moves what is seen for the third time by sqrt(2/3), the others by 1; after that Q is
 * x above 8.
 */
TEST(points_can_be_left_to_the_weights)
{
	const double r2 = sqrt(2), r23 = sqrt(2.0 / 3), x = 2 * r2 + 2 * r23 - 4;
	struct game game;
	struct outcome outcome;
	struct decision v;
	game_make(&(struct game_options){.spawn = "4:1", .start = "0,2/8,4"}, &game);
	struct agent *agent = agent_of("qlearn:eta=0.5,terminal=zero,reward=learned", &game);
	assert_int_equal(text_ask(agent, "8,2/4,4", &v), RIGHT);
	assert_true(v.value[LEFT] == 0 && v.value[RIGHT] == 0);
	outcome = train_to(agent, 1);
	assert_int_equal(outcome.score, 8);
	assert_int_equal(outcome.moves, 2);
	text_ask(agent, "0,2/8,4", &v);
	assert_true(fabs(v.value[UP] - 2 * r2) < 1e-5);
	assert_true(fabs(v.value[LEFT]) < 1e-5);
	text_ask(agent, "8,2/4,4", &v);
	assert_true(fabs(v.value[RIGHT] - (4 + 2 * r2)) < 1e-5);
	assert_true(fabs(v.value[LEFT] - r2) < 1e-5);
	outcome = train_to(agent, 2);
	assert_int_equal(outcome.score, 8);
	double fourth = sqrt(x / 2) / 2, second = sqrt(x / 2) / r2;
	text_ask(agent, "0,2/8,4", &v);
	assert_true(fabs(v.value[UP] - (2 * r2 + 2 * r23 + 2 - 2 * fourth)) < 1e-5);
	text_ask(agent, "8,2/4,4", &v);
	assert_true(fabs(v.value[RIGHT] - (8 + x - 2 * fourth - 2 * second)) < 1e-5);
	agent_free(agent);
}

TEST(another_seed_or_exploration_is_another_history)
{
	struct game game;
	uint64_t x, y, z;
	struct agent *a = agent_on("qlearn", "4x4", &game), *b = agent_of("qlearn", &game);
	struct agent *c = agent_of("qlearn:epsilon=1", &game);
	x = train(a, 20, UINT64_MAX).score;
	y = train_seed(b, 2, 20, UINT64_MAX, 1).score;
	z = train(c, 20, UINT64_MAX).score;
	assert_true(x != y && x != z);
	agent_free(a);
	agent_free(b);
	agent_free(c);
}

/* With eta=0 the weights stay 0, and 2x2 has exact means of random play and of greedy play. */
TEST(exploration_is_as_frequent_as_epsilon_and_uniform)
{
	static const char *const agents[] = {
	    "qlearn:eta=0",
	    "qlearn:eta=0,epsilon=0.25",
	    "qlearn:eta=0,epsilon=0.75",
	    "qlearn:eta=0,epsilon=1",
	};
	double mean[4];
	for (int i = 0; i < 4; i++) {
		struct game game;
		struct agent *agent = agent_on(agents[i], "2x2", &game);
		mean[i] = (double)train(agent, 4000, UINT64_MAX).score / 4000;
		agent_free(agent);
	}
	assert_true(fabs(mean[0] - 26.7930) < 1);
	assert_true(mean[0] > mean[1] + 0.5);
	assert_true(mean[1] > mean[2] + 1);
	assert_true(mean[2] > mean[3] + 0.5);
	assert_true(fabs(mean[3] - 19.6565) < 1);
}

/* Weights that stay 0 play alike in both, so that equal draws would give equal games. */
TEST(training_and_evaluation_do_not_share_draws)
{
	struct game game;
	struct agent *agent = agent_on("qlearn:eta=0", "4x4", &game);
	for (uint64_t i = 0; i < 10; i++) {
		const struct outcome trained = train_to(agent, i + 1);
		struct outcome played;
		play_game(agent, 1, i, NULL, &played);
		assert_memory_not_equal(&trained.last, &played.last, sizeof played.last);
	}
	agent_free(agent);
}

TEST(more_levels_than_the_board_has_are_all_of_them)
{
	struct game game;
	struct agent *all = agent_on("qlearn:levels=0", "2x6", &game),
		     *more = agent_of("qlearn:levels=64", &game);
	struct why why;
	train(more, 50, UINT64_MAX);
	assert_int_equal(agent_save(more, path, NULL, &why), STATUS_OK);
	assert_int_equal(agent_load(all, path, &why), STATUS_OK);
	assert_true(mean_score(all, 5) == mean_score(more, 5));
	agent_free(all);
	agent_free(more);
}

/* Writes NUMBER and returns the place after it; the same for BOARD. */
static unsigned char *number_forge(unsigned char *at, uint64_t number)
{
	field_put64(at, number);
	return at + 8;
}

static unsigned char *board_forge(unsigned char *at, const struct board *board)
{
	memcpy(at, board, sizeof *board);
	return at + sizeof *board;
}

/*
 * A game under way that is lost, with a last after-state whose weights have no blocks: learning
 * from it must not change what other positions are worth.
 */
TEST(a_game_without_its_blocks_changes_only_its_own_weights)
{
	enum { RANDOM_NUMBERS = 2 + 4 + 4 + 1 };
	unsigned char bytes[512] = {0}, *at = bytes;
	struct game game;
	struct board lost;
	struct decision v;
	struct why why;
	struct agent *agent = agent_on("qlearn", "4x4", &game);
	assert_int_equal(board_read(&game, "4,16,4,16/16,4,16,4/4,16,4,16/16,4,16,4", &lost, &why),
			 STATUS_OK);
	save(agent, path);
	at = number_forge(at, 1);     /* games that have begun */
	at = number_forge(at, 1);     /* games under way */
	at += 8 + 8 * RANDOM_NUMBERS; /* episode, generator */
	at = number_forge(at, 100);   /* score */
	at = number_forge(at, 1) + 8; /* moves, partial */
	at = board_forge(at, &lost);
	at = board_forge(number_forge(at, 1), &lost) + 8; /* steps; one without points */
	section_forge(0, bytes, (size_t)(at - bytes));
	load(agent, other);
	train_to(agent, 1);
	text_ask(agent, "0,1024,0,0/0,0,0,0/0,0,0,0/0,0,0,0", &v);
	assert_true(v.value[LEFT] == 0 && v.value[RIGHT] == 0 && v.value[DOWN] == 0);
	agent_free(agent);
}

/* Six million blocks of 512 bytes are 3.0 GiB; the file has a few hundred bytes. */
TEST(a_file_that_claims_more_than_the_memory_is_not_tried)
{
#ifdef __SANITIZE_ADDRESS__
	puts("# not run: AddressSanitizer needs more address space than the limit leaves");
	return;
#endif
	struct game game;
	struct why why;
	struct rlimit before, limit;
	unsigned char boxes[16];
	struct agent *agent = agent_on("qlearn", "4x4", &game);
	save(agent, path);
	agent_free(agent);
	field_put64(boxes, 6000000);
	field_put64(boxes + 8, 0);
	section_forge(1, boxes, sizeof boxes);
	assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
	limit = before;
	limit.rlim_cur = UINT64_C(5) << 30;
	assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
	struct agent *made;
	enum status status =
	    agent_new(text_of("qlearn:%s", other), &(struct agent_env){.game = &game}, &made, &why);
	assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
	assert_int_equal(status, STATUS_SYSTEM);
	assert_non_null(strstr(why.text, "fit into half of this machine's"));
}

TESTS(folder_setup, folder_remove)
