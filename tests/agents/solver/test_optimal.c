/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The agent optimal: what it plays and tells, against best play found naively; what it refuses. */
#include "agents/play.h"
#include "tests/agents/agent_of.h"
#include "tests/files.h"
#include "tests/exact_values.h"
#include "tests/agents/folder.h"
#include "tests/agents/tables.h"

static char spec[128], other_spec[128];

static int files_make(void **state)
{
	const int made = folder_setup(state);
	snprintf(spec, sizeof spec, "optimal:%s", path);
	snprintf(other_spec, sizeof other_spec, "optimal:%s", other);
	return made;
}

/* The game of SHAPE, and its table at `path`. */
static void table_of(const char *shape, struct solved *s)
{
	solve_naively(s, &(struct game_options){.shape = shape}, GOAL_SCORE, 0, 0);
	table_write(s, path);
}

static void every_move_is_a_best_one_and_told(void **state)
{
	(void)state;
	static const char *const shapes[] = {"2x2", "2x3"};
	for (int k = 0; k < 2; k++) {
		struct solved s;
		table_of(shapes[k], &s);
		struct agent *agent = agent_of(spec, &s.game);
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

static void games_score_what_the_start_is_worth(void **state)
{
	(void)state;
	static const char *const shapes[] = {"2x2", "2x3"};
	enum { GAMES = 20000 };
	for (int k = 0; k < 2; k++) {
		struct solved s;
		double sum = 0, squares = 0;
		table_of(shapes[k], &s);
		struct agent *agent = agent_of(spec, &s.game);
		for (uint64_t i = 0; i < GAMES; i++) {
			struct outcome outcome;
			assert_true(play_game(agent, 7, i, NULL, &outcome));
			sum += (double)outcome.score;
			squares += (double)outcome.score * (double)outcome.score;
		}
		const double mean = sum / GAMES, sd = sqrt(squares / GAMES - mean * mean);
		assert_true(fabs(mean - exact(shapes[k], "optimal_score")) < 4 * sd / sqrt(GAMES));
		agent_free(agent);
		naive_free(&s.naive);
	}
}

static void an_instance_borrows_the_table_of_another(void **state)
{
	(void)state;
	struct solved s;
	table_of("2x2", &s);
	struct agent *first = agent_of(spec, &s.game), *second;
	struct agent_env env = {.game = &s.game, .owner = first->self};
	struct why why;
	unlink(path);
	assert_int_equal(agent_new(spec, &env, &second, &why), STATUS_OK);
	struct outcome one, two;
	assert_true(play_game(first, 1, 2, NULL, &one));
	assert_true(play_game(second, 1, 2, NULL, &two));
	assert_true(one.score == two.score && one.moves == two.moves);
	agent_free(second);
	agent_free(first);
	naive_free(&s.naive);
}

/* With the target of the table in mind; the values are probabilities. */
static void the_goal_is_that_of_the_table(void **state)
{
	(void)state;
	struct solved s;
	enum { GAMES = 20000 };
	int reached = 0;
	solve_naively(&s, &(struct game_options){.shape = "2x2"}, GOAL_TARGET, 5, 0);
	table_write(&s, path);
	struct agent *agent = agent_of(spec, &s.game);
	for (uint64_t i = 0; i < GAMES; i++) {
		struct outcome outcome;
		assert_true(play_game(agent, 3, i, NULL, &outcome));
		reached += outcome.max_exponent >= 5;
	}
	const double p = exact("2x2", "p_reach.32");
	assert_true(fabs((double)reached / GAMES - p) < 4 * sqrt(p * (1 - p) / GAMES));
	agent_free(agent);
	naive_free(&s.naive);
}

static void an_unknown_position_is_played_for_its_points(void **state)
{
	(void)state;
	struct solved s;
	struct board board;
	struct decision decision;
	struct why why;
	solve_naively(&s, &(struct game_options){.shape = "2x2"}, GOAL_SCORE, 0, 20);
	table_write(&s, path);
	struct agent *agent = agent_of(spec, &s.game);
	/* Beyond the table's largest sum. Left and right make 16 points. */
	assert_int_equal(board_read(&s.game, "8,8/4,2", &board, &why), STATUS_OK);
	struct turn turn = turn_of(&s.game, &board);
	assert_int_equal(turn_ask(agent, &turn, 0, &decision), RIGHT);
	for (int d = 0; d < DIRECTIONS; d++)
		assert_true(isnan(decision.value[d]));
	agent_free(agent);
	naive_free(&s.naive);
}

static void refused(const char *text, const struct game *game, const char *part)
{
	struct agent *agent;
	struct agent_env env = {.game = game};
	struct why why = {""};
	assert_int_equal(agent_new(text, &env, &agent, &why), STATUS_INPUT);
	if (!strstr(why.text, part))
		fail_msg("'%s' does not say '%s'", why.text, part);
}

static void what_is_no_table_of_the_game_is_refused(void **state)
{
	(void)state;
	struct solved s;
	struct game game;
	size_t size;
	table_of("2x2", &s);
	refused("optimal", &s.game,
		"expected optimal:FILE, with a file of nxn solve --board 2x2 --out FILE");
	refused("optimal:not/there", &s.game, "optimal: not/there: cannot open the table: No such");
	game_of("3x3", &game);
	refused(spec, &game, "a table for 2x2 boards, expected one for 3x3");
	game_make(&(struct game_options){.shape = "2x2", .spawn = "2:0.8,4:0.2"}, &game);
	refused(spec, &game, "expected one for '2:0.8,4:0.2'");
	/* A value in the last layer of the file, which nothing has looked at yet. */
	unsigned char *bytes = file_load(path, &size);
	bytes[size / 2] ^= 4;
	file_store(other, bytes, size);
	refused(other_spec, &s.game, "damaged in layer");
	free(bytes);
	naive_free(&s.naive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_move_is_a_best_one_and_told),
	    cmocka_unit_test(games_score_what_the_start_is_worth),
	    cmocka_unit_test(an_instance_borrows_the_table_of_another),
	    cmocka_unit_test(the_goal_is_that_of_the_table),
	    cmocka_unit_test(an_unknown_position_is_played_for_its_points),
	    cmocka_unit_test(what_is_no_table_of_the_game_is_refused),
	};
	return cmocka_run_group_tests(tests, files_make, folder_remove);
}
