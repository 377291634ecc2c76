/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole games: what they draw, how they end and add up; means are in solver/test_exact_play.c. */
#include "tests/agents/agent_of.h"
#include "tests/exact_values.h"
#include "tests/test.h"

/* No 2x2 game lasts longer than 24 moves, so this search sees every game to its end. */
TEST(unbounded_search_plays_2x2_optimally)
{
	struct game game;
	game_of("2x2", &game);
	struct agent *agent =
	    agent_of("expectimax:depth=30,cutoff=0,value=score,rewards=1,terminal=0,tt=1M", &game);
	static const char *const starts[] = {"4,4/0,0", "4,2/0,0", "2,2/0,0", "0,4/2,0"};
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
		struct decision decision;
		const int move = text_ask(agent, starts[i], &decision);
		const double expected = exact("2x2", text_of("start_value.%s", starts[i]));
		assert_true(fabs(decision.value[move] - expected) < 1e-9 * expected);
	}
	agent_free(agent);
}

TEST(a_game_depends_on_seed_and_index_alone)
{
	struct game game;
	game_of("3x3", &game);
	struct agent *agent = agent_of("expectimax:depth=1,tt=4K", &game);
	struct outcome first[6], again, other;
	for (uint64_t i = 0; i < 6; i++)
		play_game(agent, 9, i, NULL, &first[i]);
	agent_free(agent);
	agent = agent_of("expectimax:depth=1,tt=4K", &game);
	for (uint64_t i = 6; i-- > 0;) {
		play_game(agent, 9, i, NULL, &again);
		assert_memory_equal(&again.last, &first[i].last, sizeof again.last);
		assert_int_equal(again.score, first[i].score);
		assert_int_equal(again.moves, first[i].moves);
	}
	play_game(agent, 10, 0, NULL, &other);
	assert_true(other.score != first[0].score || other.moves != first[0].moves);
	agent_free(agent);
}

/* The boards of a game played again from its streams, as agents/agent.h and boards/rng.h say. */
struct replay {
	const struct game *game;
	struct rng spawns, choices;
	struct board board;
};

static bool replay_move(void *context, const struct turn *turn, int move,
			const struct decision *decision)
{
	struct replay *replay = context;
	(void)decision;
	assert_memory_equal(turn->board, &replay->board, sizeof replay->board);
	unsigned legal = turn->moves.legal;
	for (uint32_t skip = rng_below(&replay->choices, (uint32_t)__builtin_popcount(legal));
	     skip > 0; skip--)
		legal &= legal - 1;
	assert_int_equal(move, __builtin_ctz(legal));
	replay->board = turn->moves.after[move];
	board_spawn(replay->game, &replay->board, &replay->spawns);
	return true;
}

TEST(spawns_and_players_draw_from_streams_of_their_own)
{
	struct game game;
	struct outcome outcome;
	game_of("3x4", &game);
	struct agent *agent = agent_of("random", &game);
	for (uint64_t i = 0; i < 20; i++) {
		struct replay replay = {.game = &game};
		struct play_watch watch = {replay_move, &replay};
		rng_init(&replay.spawns, 4, RNG_SPAWN, i);
		rng_init(&replay.choices, 4, RNG_AGENT, i);
		board_start(&game, &replay.board, &replay.spawns);
		assert_true(play_game(agent, 4, i, &watch, &outcome));
		assert_memory_equal(&outcome.last, &replay.board, sizeof replay.board);
		assert_int_equal(outcome.max_exponent, board_max(&replay.board));
	}
	agent_free(agent);
}

/* Full without a pair, and empty: neither has a move. */
TEST(a_game_that_is_over_at_its_start_has_no_moves)
{
	static const char *const starts[] = {"2,4/4,2", "2,4,2/4,2,4"};
	static const char *const agents[] = {"random", "greedy", "corners", "expectimax", "qlearn"};
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 5; j++) {
			struct game game;
			struct outcome outcome;
			game_make(&(struct game_options){.start = starts[i]}, &game);
			struct agent *agent = agent_of(agents[j], &game);
			assert_true(play_game(agent, 1, 0, NULL, &outcome));
			assert_int_equal(outcome.moves, 0);
			assert_int_equal(outcome.score, 0);
			assert_memory_equal(&outcome.last, &game.start, sizeof game.start);
			agent_free(agent);
		}
}

/* A tile 2^k made by merging from 2s has earned (k - 1) 2^k points, less 4 for each spawned 4. */
static bool moves_add_up(void *context, const struct turn *turn, int move,
			 const struct decision *decision)
{
	uint64_t *score = context;
	(void)decision;
	assert_int_equal(turn->score, *score);
	assert_true(turn->moves.legal >> move & 1);
	*score += turn->moves.reward[move];
	return true;
}

TEST(the_score_is_the_sum_of_the_rewards)
{
	static const char *const shapes[] = {"2x6", "4x4", "6x6", "5x3"};
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		struct game game;
		uint64_t score = 0, full = 0;
		struct play_watch watch = {moves_add_up, &score};
		struct outcome outcome;
		game_of(shapes[i], &game);
		struct agent *agent = agent_of("corners", &game);
		assert_true(play_game(agent, 3, 1, &watch, &outcome));
		agent_free(agent);
		assert_int_equal(outcome.score, score);
		assert_true(game.over(&outcome.last));
		for (int r = 0; r < game.rows; r++)
			for (int c = 0; c < game.cols; c++) {
				int k = outcome.last.cell[r][c];
				full += k ? (uint64_t)(k - 1) << k : 0;
			}
		assert_true(score <= full && (full - score) % 4 == 0);
	}
}

static bool stop_after_ten(void *context, const struct turn *turn, int move,
			   const struct decision *decision)
{
	int *moves = context;
	(void)turn;
	(void)move;
	(void)decision;
	return ++*moves <= 10;
}

TEST(a_watcher_can_abandon_a_game)
{
	struct game game;
	int moves = 0;
	struct play_watch watch = {stop_after_ten, &moves};
	struct outcome outcome;
	game_of("4x4", &game);
	struct agent *agent = agent_of("greedy", &game);
	assert_false(play_game(agent, 1, 1, &watch, &outcome));
	assert_int_equal(outcome.moves, 10);
	agent_free(agent);
}

TESTS(NULL, NULL)
