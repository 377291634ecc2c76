/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the moves of agents lose against the optimum: against a recursion by the naive rules, and
 * V(start) less the score. Best play, too, which loses nothing.
 */
#include "tests/files.h"
#include "tests/agents/folder.h"
#include "tests/agents/recursion.h"
#include "tests/agents/tables.h"
#include "tests/texts.h"
#include "tests/test.h"

static const struct {
	struct game_options options;
	uint64_t max_sum;
} games[] = {
    {{.shape = "2x2"}, 0},
    {{.shape = "2x3"}, 0},
    {{.shape = "3x2", .start_tiles = 3}, 100},
    {{.shape = "2x2", .spawn = "2:0.5,8:0.5"}, 0},
    {{.start = "2,4,0/8,0,2"}, 0},
};
enum { GAMES = sizeof games / sizeof games[0] };

/* The I-th of the games, its table at `path`. */
struct tabled {
	struct solved s;
	struct optimum *optimum;
};

static void tabled_make(struct tabled *t, int i)
{
	table_make(&t->s, &games[i].options, GOAL_SCORE, 0, games[i].max_sum, path);
	t->optimum = table_open(path, &t->s.game);
}

static void tabled_free(struct tabled *t)
{
	optimum_close(t->optimum);
	naive_free(&t->s.naive);
}

static double loss_of(const struct exact_play *play)
{
	double loss = 0;
	for (int k = 0; k < EXACT_EXPONENTS; k++)
		loss += play->phase[k].loss;
	return loss;
}

static double optimal_of(const struct exact_play *play)
{
	double optimal = 0;
	for (int k = 0; k < EXACT_EXPONENTS; k++)
		optimal += play->phase[k].optimal;
	return optimal;
}

TEST(every_move_loses_what_a_recursion_says)
{
	for (int i = 0; i < GAMES; i++) {
		struct tabled t;
		tabled_make(&t, i);
		struct recursion_case c = {.game = &t.s.game,
					   .agent = "random",
					   .chances = random_chances,
					   .max_sum = games[i].max_sum,
					   .optimum = t.optimum,
					   .naive = &t.s.naive};
		recursion_check(&c);
		c.agent = "corners";
		c.chances = corners_chances;
		recursion_check(&c);
		tabled_free(&t);
	}
}

/* Of one agent; whether it makes mistakes. */
static bool loss_check(const struct solved *s, const struct exact_play_task *task)
{
	const struct exact_play with = play_of(task);
	struct exact_play_task alone = *task;
	if (!near_by(loss_of(&with) + with.score, s->value, 1e-12))
		fail_msg("%s on %s: loses %.15g, of %.15g", task->agent, s->game.name,
			 loss_of(&with), s->value - with.score);
	const bool mistaken = loss_of(&with) > 1e-9;
	assert_true(mistaken ? optimal_of(&with) < with.moves
			     : near_by(optimal_of(&with), with.moves, 1e-12));
	alone.optimum = NULL;
	const struct exact_play without = play_of(&alone);
	assert_true(with.score == without.score && with.sd == without.sd);
	assert_true(loss_of(&without) == 0 && optimal_of(&without) == 0);
	return mistaken;
}

TEST(losses_add_up_to_the_distance_from_the_best_play)
{
	static const char *const agents[] = {"random",
					     "greedy:ties=random",
					     "corners",
					     "expectimax:depth=1,tt=64K",
					     "ntuple:tuples=lines",
					     "policy:hidden=6,play=sample"};
	int mistaken = 0;
	for (int i = 0; i < GAMES; i++) {
		struct tabled t;
		tabled_make(&t, i);
		struct exact_play_task task = {.game = &t.s.game,
					       .threads = 2,
					       .optimum = t.optimum,
					       .tie = 1e-9,
					       .max_sum = games[i].max_sum};
		for (int j = 0; j < 6; j++) {
			task.agent = agents[j];
			mistaken += loss_check(&t.s, &task);
		}
		task.agent = text_of("optimal:%s", path);
		assert_false(loss_check(&t.s, &task));
		tabled_free(&t);
	}
	/* Some play without a mistake: there are few to make on boards like these. */
	assert_true(mistaken > GAMES * 6 / 2);
}

/* The table of OPTIONS, GOAL and MAX_SUM is not for random on 2x2 with two start tiles. */
static void expect_refused(const struct game_options *options, enum goal goal, uint64_t max_sum,
			   const char *says)
{
	struct exact_play result;
	struct solved s;
	struct why why = {""};
	struct game game;
	game_of("2x2", &game);
	table_make(&s, options, goal, 0, max_sum, path);
	struct optimum *optimum = table_open(path, NULL);
	const struct exact_play_task task = {
	    .game = &game, .agent = "random", .threads = 1, .optimum = optimum};
	assert_int_equal(exact_play(&task, &result, &why), STATUS_INPUT);
	if (!strstr(why.text, says) || strchr(why.text, '\n'))
		fail_msg("'%s' does not say '%s'", why.text, says);
	optimum_close(optimum);
	naive_free(&s.naive);
}

TEST(tables_of_something_else_are_refused)
{
	const struct game_options usual = {.shape = "2x2"};
	expect_refused(&usual, GOAL_MOVES, 0, "of the goal moves, expected one of the goal score");
	expect_refused(&usual, GOAL_SCORE, 20, "the largest sum 20, expected one with 0");
	expect_refused(&(struct game_options){.shape = "2x3"}, GOAL_SCORE, 0,
		       "other games (2x3, 2:0.9,4:0.1");
	expect_refused(&(struct game_options){.shape = "2x2", .spawn = "2:1"}, GOAL_SCORE, 0,
		       "expected one of 2x2, 2:0.9,4:0.1, 2 start tiles");
	expect_refused(&(struct game_options){.shape = "2x2", .start_tiles = 1}, GOAL_SCORE, 0,
		       "2x2, 2:0.9,4:0.1, 1 start tile), expected");
	expect_refused(&(struct game_options){.start = "2,2/0,0"}, GOAL_SCORE, 0, "2,2/0,0");
}

/*
 * Whatever byte behind the head is turned, a position is missing, or the table is found to be
 * damaged.
 */
TEST(a_damaged_table_is_noticed)
{
	struct solved s;
	size_t size;
	int refused = 0;
	table_make(&s, &games[0].options, GOAL_SCORE, 0, 0, path);
	unsigned char *bytes = file_load(path, &size);
	for (size_t at = 0; at < size; at += 7) {
		struct optimum *optimum;
		struct exact_play result;
		struct why why = {""};
		bytes[at] ^= 64;
		file_store(other, bytes, size);
		bytes[at] ^= 64;
		if (optimum_open(other, &s.game, false, &optimum, &why))
			continue;
		const struct exact_play_task task = {
		    .game = &s.game, .agent = "random", .threads = 1, .optimum = optimum};
		if (exact_play(&task, &result, &why)) {
			assert_non_null(strstr(why.text, "it is damaged"));
			refused++;
		} else if (!optimum_verify(optimum, &why)) {
			assert_true(near_by(loss_of(&result) + result.score, s.value, 1e-12));
		}
		optimum_close(optimum);
	}
	assert_true(refused > 0);
	free(bytes);
	naive_free(&s.naive);
}

TESTS(folder_setup, folder_remove)
