/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact values of agents: against those of an independent program (tests/vectors/exact.txt),
 * against a recursion backwards over positions by the naive rules, and against games that are
 * played.
 *
 * With the argument `long`: 3x3, which takes minutes.
 */
#include "agents/solver/solver.h"
#include "tests/agents/agent_of.h"
#include "tests/exact_values.h"
#include "tests/agents/recursion.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <sys/stat.h>
#include <time.h>

/* GOT on SHAPE against exact.txt, where the agent is called NAME. */
static void vectors_compare(const char *shape, const char *name, const struct exact_play *got)
{
	const struct {
		const char *key;
		double value;
	} facts[] = {{"score", got->score}, {"sd", got->sd}, {"moves", got->moves}};
	for (int i = 0; i < 3; i++)
		if (!near_by(facts[i].value,
			     exact(shape, text_of("policy.%s.%s", name, facts[i].key)), 1e-9))
			fail_msg("%s: %s %s %.12g", shape, name, facts[i].key, facts[i].value);
	assert_int_equal(got->states, (uint64_t)exact(shape, text_of("policy.%s.states", name)));
	for (int k = 0; k < EXACT_EXPONENTS; k++) {
		const double p =
		    exact_look(shape, text_of("policy.%s.p_max_tile.%llu", name, 1ULL << k));
		if (isnan(p) ? got->max_tile[k] != 0 : !near_by(got->max_tile[k], p, 1e-9))
			fail_msg("%s: %s, 2^%d %.12g", shape, name, k, got->max_tile[k]);
	}
}

static void vectors_check(const char *shape, const char *agent, const char *name)
{
	struct game game;
	game_of(shape, &game);
	const struct exact_play got =
	    play_of(&(struct exact_play_task){.game = &game, .agent = agent, .threads = 2});
	vectors_compare(shape, name, &got);
}

TEST(simple_players_have_the_values_of_another_program)
{
	static const char *const shapes[] = {"2x2", "2x3"};
	for (int i = 0; i < 2; i++) {
		vectors_check(shapes[i], "random", "random");
		vectors_check(shapes[i], "greedy:ties=random", "greedy_random_ties");
		vectors_check(shapes[i], "greedy", "greedy_URDL");
	}
	vectors_check("2x3", "greedy:ties=LDRU", "greedy_LDRU");
}

TEST(searches_and_networks_have_the_value_of_their_moves)
{
	static const char *const agents[] = {
	    "expectimax:depth=2,tt=64K", "expectimax:depth=1,value=score,tt=4K",
	    "policy:hidden=6",		 "policy:hidden=6,play=sample",
	    "adp:ties=random",		 "ntuple:tuples=lines,init=10",
	};
	for (size_t i = 0; i < sizeof agents / sizeof agents[0]; i++) {
		struct game game;
		game_of("2x2", &game);
		struct agent *agent = agent_of(agents[i], &game);
		recursion_check(&(struct recursion_case){
		    .game = &game, .agent = agents[i], .chances = agent_chances, .context = agent});
		agent_free(agent);
	}
}

/* Whatever a game starts with, what appears in it, and the sum beyond which it ends. */
TEST(simple_players_have_the_values_of_their_rules_followed_naively)
{
	static const struct {
		struct game_options options;
		uint64_t max_sum;
	} games[] = {
	    {{.shape = "2x2"}, 0},
	    {{.shape = "2x3"}, 0},
	    {{.shape = "3x2"}, 0},
	    {{.shape = "2x2", .start_tiles = 1}, 0},
	    {{.shape = "2x2", .start_tiles = 4}, 0},
	    {{.shape = "2x3", .start_tiles = 3, .spawn = "2:1"}, 0},
	    {{.shape = "2x2", .spawn = "2:0.5,8:0.3,16:0.2"}, 0},
	    {{.shape = "2x2", .spawn = "4:0.5,2:0.5", .start_tiles = 3}, 0},
	    {{.start = "0,4,2/2,8,4"}, 0},
	    {{.start = "2,4/4,2"}, 0},
	    {{.start = "2,2/32,0"}, 0},
	    {{.shape = "2x3"}, 8},
	    {{.shape = "2x3"}, 9},
	    {{.shape = "2x3"}, 10},
	    {{.shape = "2x3"}, 24},
	    {{.shape = "2x3"}, 59},
	    {{.shape = "2x3"}, 100},
	    {{.shape = "2x3"}, 251},
	    {{.shape = "2x3"}, 252},
	    {{.shape = "2x3"}, 100000},
	};
	for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
		struct game game;
		game_make(&games[i].options, &game);
		struct recursion_case c = {.game = &game,
					   .agent = "random",
					   .chances = random_chances,
					   .max_sum = games[i].max_sum};
		recursion_check(&c);
		c.agent = "corners";
		c.chances = corners_chances;
		recursion_check(&c);
	}
}

/* Random games come to every position: so many are there up to a sum (tests/vectors/layers.txt). */
TEST(random_games_reach_all_positions_of_4x4)
{
	enum { MAX_SUM = 24 };
	struct game game;
	char line[256], shape[8];
	unsigned long long sum, states, want = 0;
	FILE *file = vectors_open("layers.txt");
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "%7s %llu %llu", shape, &sum, &states) == 3 &&
		    strcmp(shape, "4x4") == 0 && sum <= MAX_SUM)
			want += states;
	fclose(file);
	game_of("4x4", &game);
	const struct exact_play got = play_of(&(struct exact_play_task){
	    .game = &game, .agent = "random", .threads = 2, .max_sum = MAX_SUM});
	assert_true(want > 1000 && got.folded);
	assert_int_equal(got.states, want);
}

static void expect_same_bits(const struct exact_play *a, const struct exact_play *b)
{
	assert_true(a->score == b->score && a->sd == b->sd && a->moves == b->moves);
	assert_int_equal(a->states, b->states);
	assert_memory_equal(a->max_tile, b->max_tile, sizeof a->max_tile);
	assert_memory_equal(a->phase, b->phase, sizeof a->phase);
}

/* Layers of 4x4 are long enough to be worked on in several rounds. */
TEST(any_number_of_threads_gives_the_same_bits)
{
	static const struct {
		const char *shape, *agent;
		uint64_t max_sum;
	} cases[] = {{"2x3", "random", 0},
		     {"2x3", "corners", 0},
		     {"2x2", "expectimax:depth=1,tt=64K", 0},
		     {"2x2", "policy:hidden=6,play=sample", 0},
		     {"4x4", "greedy", 16 / SANITIZED_SHARE + 20}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		game_of(cases[i].shape, &game);
		struct exact_play_task task = {.game = &game,
					       .agent = cases[i].agent,
					       .threads = 1,
					       .max_sum = cases[i].max_sum};
		const struct exact_play one = play_of(&task);
		task.threads = 3;
		const struct exact_play three = play_of(&task);
		expect_same_bits(&one, &three);
	}
}

/* Threads of this process: each has a folder in that of all, which `..` in it links to. */
static int threads_here(void)
{
	struct stat all;
	assert_int_equal(stat("/proc/self/task", &all), 0);
	return (int)all.st_nlink - 2;
}

/* A thread is still seen for a moment after it has been joined. */
TEST(threads_end_with_the_computation)
{
	struct game game;
	const int before = threads_here();
	game_of("2x2", &game);
	play_of(&(struct exact_play_task){.game = &game, .agent = "greedy", .threads = 3});
	for (int i = 0; threads_here() > before; i++) {
		assert_true(i < 1000);
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
}

static void played_games_agree(const struct game *game, const char *text, int games,
			       const struct exact_play *want)
{
	double score = 0, moves = 0;
	struct agent *agent = agent_of(text, game);
	for (int i = 0; i < games; i++) {
		struct outcome outcome;
		assert_true(play_game(agent, 11, (uint64_t)i, NULL, &outcome));
		score += (double)outcome.score;
		moves += (double)outcome.moves;
	}
	agent_free(agent);
	if (fabs(score / games - want->score) > 4 * want->sd / sqrt(games))
		fail_msg("%s on %s: mean %g, expected %g", text, game->name, score / games,
			 want->score);
	assert_true(near_by(moves / games, want->moves, 0.03));
}

/* With their names in exact.txt, which has no corners. */
static const struct {
	const char *agent, *name;
} players[] = {{"random", "random"},
	       {"greedy", "greedy_URDL"},
	       {"greedy:ties=random", "greedy_random_ties"},
	       {"corners", NULL}};
enum { PLAYERS = sizeof players / sizeof players[0], GAMES = 20000 };

TEST(means_of_games_agree)
{
	static const char *const shapes[] = {"2x2", "2x3"};
	for (int i = 0; i < 2 * PLAYERS; i++) {
		struct game game;
		game_of(shapes[i % 2], &game);
		const char *agent = players[i / 2].agent;
		const struct exact_play want =
		    play_of(&(struct exact_play_task){.game = &game, .agent = agent, .threads = 1});
		played_games_agree(&game, agent, GAMES / SANITIZED_SHARE, &want);
	}
}

static void all_that_is_known_of_3x3_agrees(void **state)
{
	(void)state;
	for (int i = 0; i < PLAYERS; i++) {
		struct game game;
		game_of("3x3", &game);
		const struct exact_play got = play_of(&(struct exact_play_task){
		    .game = &game, .agent = players[i].agent, .threads = 2});
		if (players[i].name)
			vectors_compare("3x3", players[i].name, &got);
		played_games_agree(&game, players[i].agent, GAMES, &got);
	}
}

static void expect_task_refused(const struct exact_play_task *task, enum status status,
				const char *says)
{
	struct exact_play result = {.score = 77};
	struct why why = {""};
	assert_int_equal(exact_play(task, &result, &why), status);
	assert_true(result.score == 77);
	if (!strstr(why.text, says) || strchr(why.text, '\n'))
		fail_msg("'%s' does not say '%s'", why.text, says);
}

TEST(what_has_no_exact_value_is_refused)
{
	static const struct {
		const char *shape, *agent;
		uint64_t memory;
		const char *says;
	} cases[] = {
	    {"2x2", "nobody", 0, "expected one of random, greedy"},
	    {"2x2", "greedy:ties=no", 0, "expected a permutation"},
	    {"2x2", "mcts", 0, "mcts: it has no exact value, expected an agent"},
	    {"2x2", "expectimax:ms=1", 0, "expectimax:ms=1: it has no exact value"},
	    {"4x4", "random", 0, "80 bits, expected at most 64"},
	    {"2x3", "random", 1000, "more than 0.0 MiB of memory: allow more"},
	    {"3x3", "random", 2 << 20, "of 2044 take more than 2.0 MiB"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		game_of(cases[i].shape, &game);
		expect_task_refused(&(struct exact_play_task){.game = &game,
							      .agent = cases[i].agent,
							      .threads = 1 + (int)i % 2,
							      .memory = cases[i].memory},
				    STATUS_INPUT, cases[i].says);
	}
}

/* What a run tells, and where it is to stop. */
struct told {
	uint64_t stop, sum, last, states;
	int calls;
};

static bool tell(void *context, const struct solve_progress *p)
{
	struct told *told = context;
	assert_true(told->calls == 0 || (p->sum > told->sum && p->states >= told->states));
	*told = (struct told){told->stop, p->sum, p->last, p->states, told->calls + 1};
	return p->sum != told->stop;
}

TEST(it_tells_how_far_it_is_and_stops_when_told)
{
	struct told told = {0};
	struct game game;
	game_of("2x3", &game);
	struct exact_play_task task = {
	    .game = &game, .agent = "random", .threads = 1, .tell = tell, .context = &told};
	const struct exact_play result = play_of(&task);
	assert_int_equal(told.last, 252);
	assert_int_equal(told.sum, 252);
	assert_int_equal(told.states, result.states);
	/* Sums are even from 4 on. */
	assert_int_equal(told.calls, 125);
	told = (struct told){.stop = 100};
	expect_task_refused(&task, STATUS_STOPPED, "stopped at sum 100");
	assert_int_equal(told.calls, 49);
}

/* What is taken stays within what is allowed, and the peak is enough. */
TEST(the_peak_is_what_must_be_allowed)
{
	struct game game;
	game_of("2x3", &game);
	struct exact_play_task task = {.game = &game, .agent = "corners", .threads = 1};
	const struct exact_play first = play_of(&task);
	task.memory = first.peak;
	const struct exact_play again = play_of(&task);
	expect_same_bits(&first, &again);
	assert_int_equal(again.peak, first.peak);
	task.memory--;
	expect_task_refused(&task, STATUS_INPUT, "allow more (--memory)");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest long_tests[] = {
	    cmocka_unit_test(all_that_is_known_of_3x3_agrees),
	};
	if (argc > 1 && strcmp(argv[1], "long") == 0)
		return cmocka_run_group_tests(long_tests, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
