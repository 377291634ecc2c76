/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The n-tuple learner as an agent and as a value: its weights on other boards, forged files, a
 * search over it. What is true of every learner is in test_learners.c.
 */
#include "agents/model.h"
#include "agents/ntuple/ntuple.h"
#include "agents/play.h"
#include "tests/agents/learning.h"
#include "boards/oracle.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>

/* The agent TEXT has had GAMES games; it is trained up to MORE and saved as TO. */
static void expect_trained(const char *text, const struct game *game, uint64_t games, uint64_t more,
			   const char *to)
{
	struct agent *agent = agent_of(text, game);
	assert_int_equal(agent->class->trained(agent->self), games);
	train(agent, more, UINT64_MAX);
	save(agent, to);
	agent_free(agent);
}

TEST(shared_weights_go_on_on_another_board)
{
	struct game small, large;
	game_of("2x3", &small);
	game_of("4x3", &large);
	const char *shares = "ntuple:tuples=rectangles=1x2,share=all";
	expect_trained(shares, &small, 0, 9, path);
	expect_trained(text_of("ntuple:%s", path), &large, 9, 9, other);
	expect_trained(
	    text_of("ntuple:tuples=rectangles=2x2+rectangles=1x2,share=all,weights=%s", path),
	    &large, 0, 5, other);
	/* The model stands on its own; moved, it is another one, which does so, too. */
	assert_int_equal(remove(path), 0);
	expect_trained(text_of("ntuple:%s", other), &large, 5, 5, other);
	expect_trained(text_of("ntuple:%s", other), &small, 5, 8, path);
	assert_int_equal(remove(other), 0);
	expect_trained(text_of("ntuple:%s", path), &small, 8, 8, other);
	expect_refused(text_of("%s,weights=%s", shares, other), &small,
		       "weights of a tuple of 4 cells");
	expect_refused(text_of("%s,weights=no/such/model", shares), &small, "no/such/model");
}

TEST(forged_settings_are_refused)
{
	static const char *const cases[] = {
	    "",
	    "=",
	    ",",
	    "nonsense",
	    "nonsense=1",
	    "tuples",
	    "tuples=",
	    "tuples=0123,,share=orbit",
	    "tuples=0123,iso",
	    "tuples=0123,share=",
	    "tuples=0123,share=3",
	    "tuples=0123,share=none",
	    "tuples=0123,levels=1",
	    "tuples=0123,levels=5",
	    "tuples=0123,rate=tc",
	    "tuples=0123,curriculum=8",
	    "tuples=0123,curriculum=,,,",
	    "tuples=0123,lanes=99999999999999999999",
	    "tuples=012",
	    "tuples=rectangles=2x2=3",
	    "tuples=+=+=+=",
	    "file=x,tuples=0123",
	    "=,=,=,=",
	    "===",
	};
	static unsigned char bytes[SECTION_ROOM];
	struct game game;
	game_of("2x2", &game);
	train_and_save("ntuple:tuples=0123,lanes=1", &game, 1, 9, path);
	const size_t size = section_take(path, 0, bytes);
	const char *forged = text_of("ntuple:%s", other);
	struct model_header head = head_take(path);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		snprintf(head.params, sizeof head.params, "%s", cases[i]);
		model_forge(&head, 0, bytes, size);
		expect_refused(forged, &game, "");
	}
	memset(head.params, '0', sizeof head.params - 1);
	for (int i = 0; i < 2; i++) {
		model_forge(&head, 0, bytes, size);
		expect_refused(forged, &game, "");
		memcpy(head.params, "tuples=", 7);
	}
}

/* What the values of moves of the trained agent come to: the best of them. */
static double best_of_moves(struct agent *agent, const struct turn *turn)
{
	struct decision v;
	decision_init(&v);
	return v.value[agent->class->act(agent->self, turn, NULL, &v)];
}

/* What a search of depth 1 should think of AFTER; the value of a lost position is TERMINAL. */
static double expected_after(struct agent *agent, const struct board *after, double terminal)
{
	const struct game *game = agent->game;
	uint8_t cells[CELLS_MAX];
	const int n = board_empty_cells(game, after, cells);
	double mean = 0;
	for (int i = 0; i < n; i++)
		for (int kind = 0; kind < game->spawn.kinds; kind++) {
			struct board next = *after;
			struct turn turn;
			*board_at(&next, cells[i]) = game->spawn.exponent[kind];
			turn_init(&turn, game, &next, 0);
			mean += game->spawn.probability[kind] / n *
				(turn.moves.legal ? best_of_moves(agent, &turn) : terminal);
		}
	return mean;
}

/*
 * With td-state the agent itself looks at the positions after a move; with td-after and q its best
 * moves in them are the leaves.
 */
static void expect_search(struct agent *search, struct agent *trained, const struct board *board,
			  enum td_rule rule, double terminal)
{
	struct turn turn;
	struct decision v, own;
	turn_init(&turn, search->game, board, 0);
	if (!turn.moves.legal)
		return;
	decision_init(&v);
	decision_init(&own);
	search->class->act(search->self, &turn, NULL, &v);
	trained->class->act(trained->self, &turn, NULL, &own);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(turn.moves.legal >> d & 1))
			continue;
		const double want =
		    rule == RULE_TD_STATE
			? own.value[d]
			: (double)turn.moves.reward[d] +
			      expected_after(trained, &turn.moves.after[d], terminal);
		if (fabs(v.value[d] - want) > 1e-6 * (1 + fabs(want)))
			fail_msg("rule %d: move %d is worth %g, expected %g", rule, d, v.value[d],
				 want);
	}
}

TEST(a_search_looks_at_what_the_network_was_made_for)
{
	static const char *const rules[] = {"td-after", "td-state", "q"}, *const shapes[] = {
									      "2x3", "3x3", "4x3"};
	for (int i = 0; i < 9; i++) {
		struct game game;
		struct rng rng;
		game_of(shapes[i / 3], &game);
		const double terminal = i % 3 == RULE_TD_STATE ? 0 : -100;
		struct agent *trained =
		    agent_of(text_of("ntuple:tuples=lines,rule=%s,lost=zero", rules[i % 3]), &game);
		train(trained, 100, 100);
		save(trained, path);
		struct agent *search = agent_of(
		    text_of("expectimax:value=ntuple:%s,depth=1,cutoff=0,tt=1M,terminal=%g", path,
			    terminal),
		    &game);
		rng_init(&rng, 7, RNG_TEST, (uint64_t)i);
		for (int k = 0; k < 20; k++) {
			struct board board;
			random_board(&game, k % 2 ? SPARSE : CHAINS, &rng, &board);
			expect_search(search, trained, &board, (enum td_rule)(i % 3), terminal);
		}
		agent_free(search);
		agent_free(trained);
	}
}

/* Address space in use, MiB. */
static double address_space(void)
{
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%lu", &pages), 1);
	fclose(file);
	return (double)pages * (double)sysconf(_SC_PAGESIZE) / 0x1p20;
}

/* Six cells of 16 levels are 64 MiB of weights, or somewhat more. */
TEST(other_threads_borrow_the_network)
{
	struct game game;
	game_of("4x4", &game);
	train_and_save("ntuple:tuples=012456,levels=16", &game, 1, 5, path);
	const char *const agents[] = {text_of("ntuple:%s", path),
				      text_of("expectimax:value=ntuple:%s,depth=1,tt=0", path)};
	for (int i = 0; i < 2; i++) {
		struct agent *first, *second;
		struct why why;
		struct outcome a, b;
		const double before = address_space();
		first = agent_of(agents[i], &game);
		const double one = address_space();
		struct agent_env env = {.game = &game, .owner = first->self};
		assert_int_equal(agent_new(agents[i], &env, &second, &why), STATUS_OK);
		/* A sanitizer gives back at some time what was freed long before. */
		assert_true(one - before > 50 || SANITIZED_SHARE > 1);
		assert_true(address_space() - one < 50);
		assert_true(play_game(first, 1, 0, NULL, &a) && play_game(second, 1, 0, NULL, &b));
		assert_int_equal(a.score, b.score);
		agent_free(second);
		agent_free(first);
	}
}

TESTS(folder_setup, folder_remove)
