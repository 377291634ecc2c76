/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What agents say of how they act, against how they act: the same move whatever came before, moves
 * as often as their chances say, images of moves in images of positions.
 */
#include "tests/agents/agent_of.h"
#include "tests/agents/folder.h"
#include "tests/agents/learning.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>

/* As each class is by its name alone, and with parameters that change what is to be said. */
static const struct {
	const char *agent;
	enum policy_kind policy_kind;
	bool symmetric;
} expected[] = {
    {"random", POLICY_CHANCES, true},
    {"greedy", POLICY_FIXED, false},
    {"greedy:ties=LURD", POLICY_FIXED, false},
    {"greedy:ties=random", POLICY_CHANCES, true},
    {"corners", POLICY_FIXED, false},
    {"expectimax:tt=1M", POLICY_FIXED, false},
    {"expectimax:depth=3,cutoff=0.01,tt=16K,threads=3,value=strong", POLICY_FIXED, false},
    {"expectimax:depth=1,nodes=3000,tt=64K", POLICY_FIXED, false},
    {"expectimax:depth=1,cutoff=1e-3,nodes=3000,tt=256K", POLICY_FIXED, false},
    {"expectimax:depth=1,nodes=2000,tt=0,value=linear9", POLICY_FIXED, false},
    {"expectimax:depth=auto,tt=1M,leaf=after,value=score", POLICY_FIXED, false},
    {"expectimax:ms=1", POLICY_UNKNOWN, false},
    {"adp", POLICY_FIXED, false},
    {"adp:ties=random", POLICY_CHANCES, false},
    {"adp:ties=random,lost=zero,batch=5", POLICY_CHANCES, false},
    {"qlearn", POLICY_FIXED, false},
    {"ntuple:tuples=lines", POLICY_FIXED, false},
    {"ntuple:tuples=lines,rule=td-state", POLICY_FIXED, false},
    {"ntuple:tuples=lines,rule=q", POLICY_FIXED, false},
    {"policy:hidden=20,10,batch=10", POLICY_FIXED, false},
    {"policy:hidden=20,10,batch=10,play=sample", POLICY_CHANCES, false},
    {"relative:batch_size=10", POLICY_FIXED, false},
    {"relative:batch_size=10,play=sample", POLICY_CHANCES, false},
    {"mcts", POLICY_UNKNOWN, false},
};
enum { EXPECTED = sizeof expected / sizeof expected[0], POSITIONS = 16 };

/* Learners have learned something, so that their moves are not those of equal weights. */
static struct agent *agent_ready(int i, const struct game *game)
{
	struct agent *agent = agent_of(expected[i].agent, game);
	if (agent->class->learn)
		train(agent, 20, 20);
	return agent;
}

/* POSITIONS turns that have a move. */
static void turns_fill(const struct game *game, struct board *boards, struct turn *turns)
{
	struct rng rng;
	rng_init(&rng, 3, RNG_TEST, (uint64_t)game->cells);
	for (int i = 0; i < POSITIONS; i++)
		do {
			random_board(game, i % 3, &rng, &boards[i]);
			turn_init(&turns[i], game, &boards[i], 4 * (uint64_t)i);
		} while (!turns[i].moves.legal);
}

static int act(struct agent *agent, const struct turn *turn, struct rng *rng,
	       struct decision *decision)
{
	decision_init(decision);
	return agent->class->act(agent->self, turn, rng, decision);
}

TEST(agents_say_what_is_expected_of_them)
{
	struct game game;
	game_of("3x3", &game);
	for (int i = 0; i < EXPECTED; i++) {
		struct agent *agent = agent_of(expected[i].agent, &game);
		if (agent_policy_kind(agent) != expected[i].policy_kind ||
		    agent_symmetric(agent) != expected[i].symmetric)
			fail_msg("%s", expected[i].agent);
		agent_free(agent);
	}
}

/* Nobody who says more than UNKNOWN is missing above, and so in the other tests. */
TEST(every_class_that_says_something_is_tested)
{
	for (int c = 0; agent_classes[c]; c++) {
		struct game game;
		bool listed = false;
		game_of("2x3", &game);
		for (int i = 0; i < EXPECTED; i++)
			listed |= agent_class_of(expected[i].agent) == agent_classes[c];
		/* What cannot be had by its name alone has tests of its own. */
		if (listed || agent_classes[c]->needs)
			continue;
		struct agent *agent = agent_of(agent_classes[c]->name, &game);
		assert_int_equal(agent_policy_kind(agent), POLICY_UNKNOWN);
		assert_false(agent_symmetric(agent));
		agent_free(agent);
	}
}

static void steady_check(int i, const struct game *game)
{
	struct board boards[POSITIONS];
	struct turn turns[POSITIONS];
	int move[POSITIONS];
	struct decision decision, first[POSITIONS];
	struct rng rng, before;
	turns_fill(game, boards, turns);
	struct agent *agent = agent_ready(i, game);
	rng_init(&rng, 1, RNG_TEST, 1);
	before = rng;
	for (int j = 0; j < POSITIONS; j++)
		move[j] = act(agent, &turns[j], &rng, &first[j]);
	assert_memory_equal(&rng, &before, sizeof rng);
	for (int j = POSITIONS - 1; j >= 0; j--) {
		double chance[DIRECTIONS];
		rng_init(&rng, 2, RNG_TEST, (uint64_t)j);
		turns[j].score += 1000;
		if (act(agent, &turns[j], &rng, &decision) != move[j])
			fail_msg("%s: position %d of %s", expected[i].agent, j, game->name);
		assert_int_equal(decision.depth, first[j].depth);
		assert_memory_equal(decision.value, first[j].value, sizeof decision.value);
		agent_act_chances(agent, &turns[j], chance);
		for (int d = 0; d < DIRECTIONS; d++)
			assert_true(chance[d] == (d == move[j]));
	}
	agent_free(agent);
}

TEST(a_steady_agent_depends_on_the_position_alone)
{
	static const char *const shapes[] = {"2x3", "3x3", "4x4"};
	for (int s = 0; s < 3; s++)
		for (int i = 0; i < EXPECTED; i++) {
			struct game game;
			game_of(shapes[s], &game);
			if (expected[i].policy_kind == POLICY_FIXED)
				steady_check(i, &game);
		}
}

/* The chances in all of TURNS at once are those in one after the other. */
static void batch_check(struct agent *agent, const struct turn turns[POSITIONS])
{
	double together[POSITIONS][DIRECTIONS], alone[DIRECTIONS];
	if (!agent->class->chances)
		return;
	agent->class->chances(agent->self, turns, POSITIONS, together);
	for (int j = 0; j < POSITIONS; j++) {
		agent_act_chances(agent, &turns[j], alone);
		assert_memory_equal(together[j], alone, sizeof alone);
	}
}

/*
 * What the decision tells, and agent_act_chances(), agree; only legal moves have a chance, with
 * play=sample all of them.
 */
static void told_check(struct agent *agent, bool sample, const struct turn *turn,
		       double chance[DIRECTIONS])
{
	struct decision decision;
	struct rng rng;
	double sum = 0;
	rng_init(&rng, 5, RNG_TEST, 5);
	act(agent, turn, &rng, &decision);
	agent_act_chances(agent, turn, chance);
	assert_memory_equal(chance, decision.chance, sizeof decision.chance);
	for (int d = 0; d < DIRECTIONS; d++) {
		const bool legal = turn->moves.legal >> d & 1;
		assert_true(chance[d] >= 0 && (chance[d] == 0 || legal));
		assert_true(!sample || chance[d] > 0 || !legal);
		sum += chance[d];
	}
	assert_true(fabs(sum - 1) < 1e-12);
}

/* Pearson's statistic of N moves, and how many degrees of freedom it has. */
static double chi_squared(struct agent *agent, bool sample, const struct turn *turn, int n,
			  struct rng *rng, int *freedom)
{
	double chance[DIRECTIONS], sum = 0;
	int count[DIRECTIONS] = {0};
	struct decision decision;
	told_check(agent, sample, turn, chance);
	for (int i = 0; i < n; i++)
		count[act(agent, turn, rng, &decision)]++;
	for (int d = 0, first = 1; d < DIRECTIONS; d++) {
		const double mean = n * chance[d];
		/* Too rare for the approximation; 40 would be out of all proportion. */
		if (mean < 5) {
			assert_true(count[d] < 40 && (mean > 0 || count[d] == 0));
			continue;
		}
		sum += (count[d] - mean) * (count[d] - mean) / mean;
		*freedom += !first;
		first = 0;
	}
	return sum;
}

/*
 * All positions together: a sum of Pearson's statistics stays below the quantile that one in a
 * million exceeds (Wilson and Hilferty, The distribution of chi-square, PNAS 17, 1931).
 */
static void told_frequencies(int i, const struct game *game)
{
	struct board boards[POSITIONS];
	struct turn turns[POSITIONS];
	struct rng rng;
	double sum = 0;
	int freedom = 0;
	turns_fill(game, boards, turns);
	struct agent *agent = agent_ready(i, game);
	const bool sample = strstr(expected[i].agent, "play=sample");
	batch_check(agent, turns);
	rng_init(&rng, 7, RNG_TEST, 7);
	for (int j = 0; j < POSITIONS; j++)
		sum +=
		    chi_squared(agent, sample, &turns[j], 2000 / SANITIZED_SHARE, &rng, &freedom);
	const double spread = 2.0 / (9 * (freedom ? freedom : 1));
	const double most = freedom * pow(1 - spread + 4.7534 * sqrt(spread), 3);
	if (sum > most)
		fail_msg("%s on %s: %g with %d degrees of freedom, expected at most %g",
			 expected[i].agent, game->name, sum, freedom, most);
	agent_free(agent);
}

TEST(moves_come_as_often_as_they_are_told_to)
{
	static const char *const shapes[] = {"2x3", "3x3"};
	for (int s = 0; s < 2; s++)
		for (int i = 0; i < EXPECTED; i++) {
			struct game game;
			game_of(shapes[s], &game);
			if (expected[i].policy_kind == POLICY_CHANCES)
				told_frequencies(i, &game);
		}
}

static void symmetric_check(struct agent *agent, const struct turn *turn)
{
	const struct game *game = agent->game;
	double chance[DIRECTIONS];
	agent_act_chances(agent, turn, chance);
	for (int i = 0; i < game->symmetries; i++) {
		struct board image, after;
		struct turn seen;
		double there[DIRECTIONS];
		board_symmetry(game, i, turn->board, &image);
		turn_init(&seen, game, &image, 0);
		agent_act_chances(agent, &seen, there);
		for (int d = 0; d < DIRECTIONS; d++) {
			const int to = direction_image(i, d);
			board_symmetry(game, i, &turn->moves.after[d], &after);
			assert_true(board_equal(&after, &seen.moves.after[to]));
			assert_true(there[to] == chance[d]);
		}
	}
}

TEST(symmetric_agents_play_images_of_their_moves)
{
	static const char *const shapes[] = {"2x2", "2x3", "3x3", "4x3", "4x4"};
	for (int s = 0; s < 5; s++)
		for (int i = 0; i < EXPECTED; i++) {
			struct board boards[POSITIONS];
			struct turn turns[POSITIONS];
			struct game game;
			if (!expected[i].symmetric)
				continue;
			game_of(shapes[s], &game);
			turns_fill(&game, boards, turns);
			struct agent *agent = agent_ready(i, &game);
			for (int j = 0; j < POSITIONS; j++)
				symmetric_check(agent, &turns[j]);
			agent_free(agent);
		}
}

TESTS(folder_setup, folder_remove)
