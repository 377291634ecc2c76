/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The agent optimal: what it plays and tells, against best play found naively; what it refuses. */
#include "tests/agents/agent_of.h"
#include "tests/files.h"
#include "tests/agents/folder.h"
#include "tests/agents/tables.h"
#include "tests/test.h"

static struct agent *optimal_of(const struct solved *s)
{
	return agent_of(text_of("optimal:%s", path), &s->game);
}

TEST(every_move_is_a_best_one_and_told)
{
	static const struct {
		const char *shape;
		enum goal goal;
		int target;
	} cases[] = {{"2x2", GOAL_SCORE, 0}, {"2x3", GOAL_SCORE, 0}, {"2x2", GOAL_TARGET, 5}};
	for (int k = 0; k < 3; k++) {
		struct solved s;
		table_make(&s, &(struct game_options){.shape = cases[k].shape}, cases[k].goal,
			   cases[k].target, 0, path);
		struct agent *agent = optimal_of(&s);
		assert_int_equal(agent_policy_kind(agent), POLICY_FIXED);
		for (size_t i = 0; i < s.naive.capacity; i++) {
			const struct naive_entry *e = &s.naive.entries[i];
			struct decision decision;
			if (!e->used)
				continue;
			struct turn turn = turn_of(&s.game, &e->board);
			if (!turn.moves.legal)
				continue;
			const int move = turn_ask(agent, &turn, 0, &decision);
			assert_true(near(decision.value[move], e->value));
			for (int d = 0; d < DIRECTIONS; d++) {
				const bool legal = turn.moves.legal >> d & 1;
				assert_int_equal(isnan(decision.value[d]), !legal);
				/* The first of the best. */
				if (legal && d < move)
					assert_true(decision.value[d] < e->value * (1 - 1e-10));
			}
		}
		agent_free(agent);
		naive_free(&s.naive);
	}
}

TEST(an_instance_borrows_the_table_of_another)
{
	struct solved s;
	table_make(&s, &(struct game_options){.shape = "2x2"}, GOAL_SCORE, 0, 0, path);
	struct agent *first = optimal_of(&s), *second;
	struct agent_env env = {.game = &s.game, .owner = first->self};
	struct why why;
	unlink(path);
	assert_int_equal(agent_new(text_of("optimal:%s", path), &env, &second, &why), STATUS_OK);
	struct outcome one, two;
	assert_true(play_game(first, 1, 2, NULL, &one));
	assert_true(play_game(second, 1, 2, NULL, &two));
	assert_true(one.score == two.score && one.moves == two.moves);
	agent_free(second);
	agent_free(first);
	naive_free(&s.naive);
}

TEST(an_unknown_position_is_played_for_its_points)
{
	struct solved s;
	struct decision decision;
	table_make(&s, &(struct game_options){.shape = "2x2"}, GOAL_SCORE, 0, 20, path);
	struct agent *agent = optimal_of(&s);
	/* Beyond the table's largest sum. Left and right make 16 points. */
	assert_int_equal(text_ask(agent, "8,8/4,2", &decision), RIGHT);
	for (int d = 0; d < DIRECTIONS; d++)
		assert_true(isnan(decision.value[d]));
	agent_free(agent);
	naive_free(&s.naive);
}

TEST(what_is_no_table_of_the_game_is_refused)
{
	struct solved s;
	struct game game;
	size_t size;
	table_make(&s, &(struct game_options){.shape = "2x2"}, GOAL_SCORE, 0, 0, path);
	const char *spec = text_of("optimal:%s", path);
	expect_refused("optimal", &s.game,
		       "expected optimal:FILE, with a file of nxn solve --board 2x2 --out FILE");
	expect_refused("optimal:not/there", &s.game,
		       "optimal: not/there: cannot open the table: No such");
	game_of("3x3", &game);
	expect_refused(spec, &game, "a table for 2x2 boards, expected one for 3x3");
	game_make(&(struct game_options){.shape = "2x2", .spawn = "2:0.8,4:0.2"}, &game);
	expect_refused(spec, &game, "expected one for '2:0.8,4:0.2'");
	/* A value in the last layer of the file, which nothing has looked at yet. */
	unsigned char *bytes = file_load(path, &size);
	bytes[size / 2] ^= 4;
	file_store(other, bytes, size);
	expect_refused(text_of("optimal:%s", other), &s.game, "damaged in layer");
	free(bytes);
	naive_free(&s.naive);
}

TESTS(folder_setup, folder_remove)
