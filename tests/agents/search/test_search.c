/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Budgets, adaptive depth and threads of the search, against searches of a fixed depth. */
#include "agents/search/expectimax.c"
#include "agents/play.h"
#include "tests/agents/agent_of.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>

enum { POSITIONS = 24 };

struct positions {
	struct board board[POSITIONS];
	int count, seen;
};

static bool position_keep(void *context, const struct turn *turn, int move,
			  const struct decision *decision)
{
	struct positions *positions = context;
	(void)move;
	(void)decision;
	if (positions->seen++ % 9 == 8)
		positions->board[positions->count++] = *turn->board;
	return positions->count < POSITIONS;
}

/* Positions of games that are played with some skill. */
static void positions_make(const struct game *game, struct positions *positions)
{
	struct play_watch watch = {position_keep, positions};
	struct outcome outcome;
	struct agent *agent = agent_of("expectimax:depth=1,tt=0", game);
	*positions = (struct positions){0};
	for (uint64_t i = 0; positions->count < POSITIONS; i++)
		play_game(agent, 3, i, &watch, &outcome);
	agent_free(agent);
}

/* What a search of DEPTH says, by an agent like SPEC. */
static int fixed_act(const struct game *game, const char *spec, int depth,
		     const struct board *board, struct decision *decision)
{
	struct agent *agent = agent_of(text_of("%s,depth=%d", spec, depth), game);
	int move = board_ask(agent, board, decision);
	assert_int_equal(decision->depth, depth);
	agent_free(agent);
	return move;
}

static void decisions_equal(const struct decision *a, const struct decision *b)
{
	for (int d = 0; d < DIRECTIONS; d++)
		assert_true((isnan(a->value[d]) && isnan(b->value[d])) ||
			    a->value[d] == b->value[d]);
}

TEST(the_schedule_lowers_the_cutoff_as_it_raises_the_depth)
{
	struct step before = step_of(0, 1);
	assert_true(before.cutoff == 0.4 && before.depth == 3);
	for (double effort = 1; effort < effort_last; effort *= 1.1) {
		const struct step step = step_of(effort, 1), deep = step_of(effort, 9);
		assert_true(step.cutoff <= before.cutoff && step.depth >= before.depth);
		assert_true(step.cutoff >= 1e-4 && step.depth <= DEPTH_MAX);
		assert_true(deep.cutoff == step.cutoff && deep.depth >= 9);
		before = step;
	}
	assert_true(before.cutoff == 1e-4 && before.depth > 15);
}

/* What an agent of a budget and cutoff=auto says is what a search of its last step says. */
static int step_check(struct agent *agent, const struct board *board, const char *leaf)
{
	const struct expectimax *x = agent->self;
	struct decision with, fixed;
	const int move = board_ask(agent, board, &with);
	const char *spec =
	    text_of("expectimax:value=strong,leaf=%s,cutoff=%.17g", leaf, x->search.cutoff);
	assert_int_equal(move, fixed_act(agent->game, spec, with.depth, board, &fixed));
	decisions_equal(&with, &fixed);
	return with.depth;
}

/* All the same when a step was given up for a lesser one, as some have to be. */
TEST(a_budget_of_any_kind_searches_a_step_of_the_schedule)
{
	static const char *const shapes[] = {"3x3", "4x4"}, *const leaves[] = {"state", "after"};
	int deep = 0, given_up = 0, kept = 0;
	for (int j = 0; j < 4; j++) {
		struct game game;
		struct positions positions;
		game_of(shapes[j / 2], &game);
		positions_make(&game, &positions);
		struct agent *nodes = agent_of(
		    text_of("expectimax:nodes=6000,value=strong,leaf=%s", leaves[j % 2]), &game);
		struct agent *timed = agent_of(
		    text_of("expectimax:ms=0.3,value=strong,leaf=%s", leaves[j % 2]), &game);
		const struct expectimax *x = nodes->self;
		const double cutoff = step_of(6000 / effort_nodes(x), 1).cutoff;
		for (int i = 0; i < POSITIONS; i++) {
			step_check(nodes, &positions.board[i], leaves[j % 2]);
			given_up += x->search.cutoff > cutoff && x->search.cutoff < 0.4;
			kept += x->search.cutoff == cutoff;
			deep += step_check(timed, &positions.board[i], leaves[j % 2]) > 2;
		}
		agent_free(nodes);
		agent_free(timed);
	}
	assert_true(given_up > 0 && kept > 0 && deep > 0);
}

/* A game of 10000 moves whose searches take less and less and more, now and then much more. */
TEST(a_budget_of_time_is_kept_on_average)
{
	for (double each = 1e-8; each < 1e-4; each *= 10) {
		struct expectimax x = {.ms = 2};
		struct rng rng;
		double sum = 0;
		rng_init(&rng, 4, RNG_TEST, 0);
		speed_init(&x);
		for (int i = 0; i < 10000; i++) {
			const double effort = speed_effort(&x), slow = sin(i / 500.0),
				     much = rng_below(&rng, 20) ? 0.5 : 10;
			const double took =
			    fmin(BUDGET_MOST * 2e-3, each * effort * much * exp(slow));
			speed_add(&x.speed, i % 7 ? effort : 0, i % 7 ? took : 0);
			sum += i % 7 ? took : 0;
		}
		if (fabs(sum / 10000 / 2e-3 - 1) > 0.1)
			fail_msg("%g s an effort: %g ms a move, not 2", each, sum / 10);
	}
}

/* An entry that was made with one cutoff is found with another where it is true. */
TEST(one_table_serves_searches_of_every_cutoff)
{
	static const char *const leaves[] = {"state", "after"};
	struct game game;
	struct rng rng;
	struct positions positions;
	game_make(&(struct game_options){.shape = "3x3", .spawn = "2:0.6,4:0.3,8:0.1"}, &game);
	positions_make(&game, &positions);
	rng_init(&rng, 5, RNG_TEST, 0);
	for (int j = 0; j < 2; j++) {
		struct agent *agent =
		    agent_of(text_of("expectimax:value=score,depth=4,leaf=%s", leaves[j]), &game);
		uint64_t fewer = 0;
		for (int i = 0; i<6 * POSITIONS; i += SANITIZED_SHARE> 1 ? 3 : 1) {
			const double cutoff = 0.3 * pow(0.01, rng_real(&rng));
			const struct board *board = &positions.board[i / 6];
			struct decision with, without;
			const char *spec = text_of(
			    "expectimax:value=score,tt=0,leaf=%s,cutoff=%.17g", leaves[j], cutoff);
			((struct expectimax *)agent->self)->search.cutoff = cutoff;
			assert_int_equal(board_ask(agent, board, &with),
					 fixed_act(&game, spec, 4, board, &without));
			decisions_equal(&with, &without);
			fewer += with.nodes < without.nodes / 4;
		}
		assert_true(fewer > POSITIONS / 8 || SANITIZED_SHARE > 1);
		agent_free(agent);
	}
}

TEST(a_budget_buys_the_deepest_search_that_it_finishes)
{
	struct game game;
	struct positions positions;
	game_of("4x4", &game);
	positions_make(&game, &positions);
	struct agent *small = agent_of("expectimax:nodes=500,depth=1,cutoff=1e-4", &game);
	struct agent *large = agent_of("expectimax:nodes=50000,depth=1,cutoff=1e-4", &game);
	struct agent *timed = agent_of("expectimax:ms=3,depth=1,cutoff=1e-4", &game);
	struct agent *least = agent_of("expectimax:nodes=1,depth=3,cutoff=1e-4", &game);
	int deeper = 0;
	for (int i = 0; i < POSITIONS; i += 2) {
		struct decision decisions[4], fixed;
		struct agent *agents[4] = {small, large, timed, least};
		for (int j = 0; j < 4; j++) {
			int move = board_ask(agents[j], &positions.board[i], &decisions[j]);
			assert_int_equal(move, fixed_act(&game, "expectimax:cutoff=1e-4",
							 decisions[j].depth, &positions.board[i],
							 &fixed));
			decisions_equal(&decisions[j], &fixed);
		}
		assert_true(decisions[0].depth <= decisions[1].depth);
		assert_int_equal(decisions[3].depth,
				 3); /* the least depth is searched at any cost */
		deeper += decisions[0].depth < decisions[1].depth;
	}
	assert_true(deeper > POSITIONS / 4);
	agent_free(small);
	agent_free(large);
	agent_free(timed);
	agent_free(least);
}

/* Where every path ends at the cutoff, more depth is the same search over and over again. */
TEST(what_only_the_cutoff_ends_is_not_deepened)
{
	static const char *const leaves[] = {"state", "after"}, *const shapes[] = {"4x4", "2x3",
										   "3x3"};
	static const char *const cutoffs[] = {"0.02", "0.07", "0.3"};
	for (int j = 0; j < 18; j++) {
		struct game game;
		struct positions positions;
		struct decision with, fixed;
		game_of(shapes[j % 3], &game);
		positions_make(&game, &positions);
		char spec[128];
		snprintf(spec, sizeof spec, "expectimax:cutoff=%s,leaf=%s", cutoffs[j / 3 % 3],
			 leaves[j / 9]);
		struct agent *agent = agent_of(text_of("%s,depth=1,nodes=1000000000", spec), &game);
		for (int i = 0; i < POSITIONS; i += j ? 12 : 4) {
			board_ask(agent, &positions.board[i], &with);
			assert_true(with.depth < 45); /* 0.9^38 < 0.02 */
			fixed_act(&game, spec, 50, &positions.board[i], &fixed);
			decisions_equal(&with, &fixed);
		}
		agent_free(agent);
	}
}

/* The kinds of tiles less two, at least three. */
TEST(depth_follows_the_tiles)
{
	static const struct {
		const char *board;
		int depth;
	} cases[] = {
	    {"0,0,0,0/0,0,0,0/0,0,0,0/0,0,2,2", 3},
	    {"0,0,0,0/0,2,4,8/2,4,8,16/2,4,8,32", 3},
	    {"0,0,0,0/2,2,4,8/2,4,8,16/64,2,32,64", 4},
	    {"2,2,4/8,16,32/64,128,0", 5},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct decision decision, fixed;
		game_make(&(struct game_options){.start = cases[i].board}, &game);
		struct agent *agent = agent_of("expectimax:depth=auto,cutoff=1e-2", &game);
		board_ask(agent, &game.start, &decision);
		assert_int_equal(decision.depth, cases[i].depth);
		fixed_act(&game, "expectimax:cutoff=1e-2", cases[i].depth, &game.start, &fixed);
		decisions_equal(&decision, &fixed);
		agent_free(agent);
	}
}

/* On searches large enough to be shared, which those against the plain recurrence are not. */
TEST(any_number_of_threads_decides_alike)
{
	static const char *const shapes[] = {"4x4", "3x5"};
	static const char *const specs[] = {"expectimax:depth=5,cutoff=1e-3,leaf=after",
					    "expectimax:depth=6,cutoff=1e-3,leaf=state",
					    "expectimax:depth=5,cutoff=2e-3,tt=4K"};
	for (size_t s = 0; s < 2; s++)
		for (size_t j = 0; j < sizeof specs / sizeof specs[0]; j++) {
			struct game game;
			struct positions positions;
			struct decision one, many;
			game_of(shapes[s], &game);
			positions_make(&game, &positions);
			struct agent *alone = agent_of(specs[j], &game);
			struct agent *team = agent_of(text_of("%s,threads=4", specs[j]), &game);
			for (int i = 0; i < POSITIONS; i += 6) {
				assert_int_equal(board_ask(alone, &positions.board[i], &one),
						 board_ask(team, &positions.board[i], &many));
				decisions_equal(&one, &many);
			}
			agent_free(alone);
			agent_free(team);
		}
}

/* Searches of every STEP-th position by SPEC, with cuts and without: the same values. */
static void cuts_check(const struct game_options *options, const char *spec, int step,
		       uint64_t *in_full, uint64_t *cut)
{
	struct game game;
	struct positions positions;
	game_make(options, &game);
	positions_make(&game, &positions);
	struct agent *whole = agent_of(spec, &game), *cuts = agent_of(spec, &game);
	struct expectimax *x = whole->self;
	assert_true(x->search.cuts);
	x->search.cuts = false;
	for (int j = 0; j < POSITIONS; j += step) {
		struct decision a, b;
		assert_int_equal(board_ask(whole, &positions.board[j], &a),
				 board_ask(cuts, &positions.board[j], &b));
		decisions_equal(&a, &b);
		*in_full += a.nodes;
		*cut += b.nodes;
	}
	agent_free(whole);
	agent_free(cuts);
}

/*
 * What is cut off changes no value of a move, in any tree; and something is. On large boards the
 * likeliest spawns are searched on while the others are leaves, summed when these are done.
 */
TEST(moves_that_cannot_be_best_may_be_given_up)
{
	static const char *const specs[] = {
	    "leaf=after,cutoff=0",
	    "leaf=after,cutoff=1e-3,terminal=0",
	    "leaf=after,cutoff=3e-2,terminal=-1e6,tt=4K",
	    "leaf=state,cutoff=1e-3,terminal=3.7e6",
	    "leaf=state,cutoff=0,tt=0,w_mono=3",
	    "leaf=after,cutoff=0,tt=0,w_mono=300,mono_power=2,w_corner=0",
	    "leaf=after,cutoff=1e-3,move_p=0.5,w_mono=0,w_sum=0",
	};
	static const char *const shapes[] = {"4x4", "2x3", "3x3", "5x5", "3x4"}, *const large[] = {
										     "4x5", "6x4",
										     "5x5", "6x6"};
	static const char *const spawns[] = {"2:0.9,4:0.1", "2:1", "4:0.3,2:0.5,8:0.2"};
	enum { SPECS = sizeof specs / sizeof specs[0] };
	uint64_t in_full[2] = {0}, cut[2] = {0};
	for (int i = 0; i < 5 * SPECS; i++)
		cuts_check(
		    &(struct game_options){.shape = shapes[i % 5], .spawn = spawns[i % SPECS % 3]},
		    text_of("expectimax:value=strong,depth=%d,%s", i % 5 == 3 ? 2 : 1 + i / 5 % 4,
			    specs[i % SPECS]),
		    (i % 5 == 1 || i % 5 == 2) && SANITIZED_SHARE == 1 ? 2 : 8, &in_full[0],
		    &cut[0]);
	for (int i = 0; i < 8; i++)
		cuts_check(
		    &(struct game_options){.shape = large[i / 2], .spawn = spawns[i % 2 * 2]},
		    "expectimax:value=strong,leaf=after,depth=3,cutoff=1e-3", 8, &in_full[1],
		    &cut[1]);
	assert_true(cut[0] < in_full[0]);
}

TESTS(NULL, NULL)
