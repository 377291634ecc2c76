/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search against published vectors, against the recurrence written out, and against itself. */
#include "agents/search/search.h"
#include "tests/agents/agent_of.h"
#include "tests/agents/value_of.h"
#include "boards/oracle.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>

static bool close_to(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* One line of expectimax.txt: LEAF SHAPE BOARD d V BEST qU qR qD qL. */
struct vector {
	char leaf[8], shape[8], board[BOARD_TEXT_MAX], best[8], q[DIRECTIONS][32];
	int depth;
	double value;
};

static bool vector_read(const char *line, struct vector *v)
{
	return line[0] != '#' && sscanf(line, "%7s %7s %468s %d %lf %7s %31s %31s %31s %31s",
					v->leaf, v->shape, v->board, &v->depth, &v->value, v->best,
					v->q[0], v->q[1], v->q[2], v->q[3]) == 10;
}

static void vector_check(const struct vector *v)
{
	struct game game;
	struct decision decision;
	const char *spec =
	    text_of("expectimax:depth=%d,cutoff=0,terminal=0,rewards=1,value=%s,tt=4M", v->depth,
		    strcmp(v->leaf, "zero") == 0 ? "score" : "empty");
	game_make(&(struct game_options){.start = v->board}, &game);
	struct agent *agent = agent_of(spec, &game);
	int move = board_ask(agent, &game.start, &decision);
	assert_int_equal(move < 0, v->best[0] == '-');
	if (move >= 0 &&
	    (!strchr(v->best, "URDL"[move]) || !close_to(decision.value[move], v->value)))
		fail_msg("%s %s: move %d, value %.12g", spec, v->board, move, decision.value[move]);
	for (int d = 0; d < DIRECTIONS; d++) {
		assert_int_equal(isnan(decision.value[d]), v->q[d][0] == '-' && !v->q[d][1]);
		if (!isnan(decision.value[d]))
			assert_true(close_to(decision.value[d], atof(v->q[d])));
	}
	agent_free(agent);
}

TEST(values_and_moves_equal_the_conformance_vectors)
{
	char line[1024];
	FILE *file = vectors_open("expectimax.txt");
	int checked = 0;
	while (fgets(line, sizeof line, file)) {
		struct vector vector;
		if (!vector_read(line, &vector))
			continue;
		vector_check(&vector);
		checked++;
	}
	fclose(file);
	assert_int_equal(checked, 208);
}

/*
 * The recurrence of agents/search/expectimax.c as it is printed there: no table, no batches, no
 * closed forms, the rules by the oracle.
 */
struct plain {
	const struct game *game;
	const struct value *value;
	double cutoff, move_p, terminal;
	bool rewards, after; /* leaf=after */
	uint64_t nodes;	     /* positions looked at, the root included */
};

/* The value of a position in which the player can move, where the search ends. */
static double plain_leaf(const struct plain *plain, const struct board *board,
			 const struct moves *moves)
{
	double best = -INFINITY, value;
	if (!plain->after) {
		value_eval(plain->value, board, 1, &value);
		return value;
	}
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(moves->legal >> d & 1))
			continue;
		value_eval(plain->value, &moves->after[d], 1, &value);
		best = fmax(best, value + (plain->rewards ? (double)moves->reward[d] : 0));
	}
	return best;
}

static double plain_value(struct plain *plain, const struct board *board, int depth, double p,
			  double q[DIRECTIONS])
{
	struct moves moves;
	double best = -INFINITY;
	plain->nodes++;
	oracle_moves(plain->game, board, &moves);
	if (!moves.legal)
		return plain->terminal;
	if (depth == 0 || p < plain->cutoff)
		return plain_leaf(plain, board, &moves);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(moves.legal >> d & 1))
			continue;
		const struct spawn_rule *spawn = &plain->game->spawn;
		uint8_t cells[CELLS_MAX];
		int count = board_empty_cells(plain->game, &moves.after[d], cells);
		double expected = 0;
		for (int kind = 0; kind < spawn->kinds; kind++) {
			double sum = 0;
			for (int i = 0; i < count; i++) {
				struct board child = moves.after[d];
				*board_at(&child, cells[i]) = spawn->exponent[kind];
				sum += plain_value(plain, &child, depth - 1,
						   p * plain->move_p *
						       (spawn->probability[kind] * (1.0 / count)),
						   NULL);
			}
			expected += spawn->probability[kind] * sum;
		}
		expected *= 1.0 / count;
		double value = expected + (plain->rewards ? (double)moves.reward[d] : 0);
		best = fmax(best, value);
		if (q)
			q[d] = value;
	}
	return best;
}

/* A position that play reaches: MOVES random moves into game INDEX, or fewer, so as not to lose. */
static void played_board(const struct game *game, uint64_t index, int moves, struct board *board)
{
	struct rng rng;
	struct moves next;
	rng_init(&rng, 11, RNG_TEST, index);
	board_start(game, board, &rng);
	for (int i = 0; i < moves; i++) {
		game->moves(board, &next);
		int d = (int)rng_below(&rng, DIRECTIONS);
		while (!(next.legal >> d & 1))
			d = (d + 1) % DIRECTIONS;
		board_spawn(game, &next.after[d], &rng);
		if (game->over(&next.after[d]))
			return;
		*board = next.after[d];
	}
}

struct value_setting {
	const char *shape, *spawn, *spec;
	int depth;
	double cutoff;
	bool rewards;
	double move_p; /* 0: 1 */
};

static const char *const tables[] = {"tt=0", "tt=1", "tt=2K", "tt=16M", "tt=4M,threads=3"};
enum { TABLES = sizeof tables / sizeof tables[0] };

/* What one search says of BOARD against the recurrence's values Q. */
static void search_check(struct agent *agent, const char *spec, const struct board *board,
			 const double q[DIRECTIONS], const struct plain *plain)
{
	struct decision decision;
	board_ask(agent, board, &decision);
	/* With leaf=state, closed forms look at positions that are not counted. */
	if (plain->after && strstr(spec, "tt=0"))
		assert_int_equal(decision.nodes, plain->nodes);
	else
		assert_true(decision.nodes <= plain->nodes);
	for (int d = 0; d < DIRECTIONS; d++)
		if (!(isnan(q[d]) && isnan(decision.value[d])) && q[d] != decision.value[d])
			fail_msg("%s on %s, move %d: %.17g, expected %.17g", spec,
				 agent->game->name, d, decision.value[d], q[d]);
}

static void recurrence_check(const struct value_setting *s, bool after)
{
	const double move_p = s->move_p > 0 ? s->move_p : 1;
	char spec[TABLES][256];
	struct agent *agents[TABLES];
	struct game game;
	game_make(&(struct game_options){.shape = s->shape, .spawn = s->spawn}, &game);
	struct value *value = value_of(s->spec, "", &game);
	for (int i = 0; i < TABLES; i++) {
		snprintf(
		    spec[i], sizeof spec[i],
		    "expectimax:depth=%d,cutoff=%.17g,value=%s,rewards=%d,leaf=%s,move_p=%g,%s",
		    s->depth, s->cutoff, s->spec, s->rewards, after ? "after" : "state", move_p,
		    tables[i]);
		agents[i] = agent_of(spec[i], &game);
	}
	for (uint64_t i = 0; i<12; i += SANITIZED_SHARE> 1 ? 7 : 3) {
		struct plain plain = {&game, value, s->cutoff, move_p, -100, s->rewards, after, 0};
		struct board board;
		double q[DIRECTIONS] = {NAN, NAN, NAN, NAN};
		played_board(&game, i, 2 + (int)i * 8, &board);
		plain_value(&plain, &board, s->depth, 1, q);
		for (int j = 0; j < TABLES; j++)
			search_check(agents[j], spec[j], &board, q, &plain);
	}
	for (int i = 0; i < TABLES; i++)
		agent_free(agents[i]);
	value_free(value);
}

/*
 * To the last bit, with and without a table, large or far too small, with one thread or several, on
 * boards of all kinds.
 */
TEST(the_search_equals_the_recurrence_exactly)
{
	static const struct value_setting settings[] = {
	    {"2x2", NULL, "heuristic", 5, 0, false, 0},
	    {"2x2", NULL, "score", 6, 1e-3, true, 0},
	    {"2x3", NULL, "heuristic", 4, 1e-3, false, 0},
	    {"3x3", NULL, "heuristic", 3, 0, false, 0},
	    {"3x3", NULL, "heuristic", 4, 2e-3, false, 0},
	    {"3x3", NULL, "empty", 4, 5e-3, true, 0},
	    {"3x3", "2:0.5,4:0.25,8:0.25", "heuristic", 3, 3e-3, false, 0},
	    {"3x5", NULL, "heuristic", 3, 4e-3, false, 0},
	    {"5x2", NULL, "heuristic", 3, 4e-3, true, 0},
	    {"4x4", NULL, "heuristic", 3, 2e-3, false, 0},
	    {"4x4", NULL, "heuristic", 2, 0, false, 0},
	    {"5x5", NULL, "heuristic", 2, 1e-3, false, 0},
	    {"6x6", NULL, "heuristic", 2, 1e-2, false, 0},
	    {"6x6", NULL, "score", 2, 1e-3, true, 0},
	    /* Probabilities that equal the cutoff are searched on. */
	    {"2x2", "2:0.5,4:0.5", "score", 4, 0.0625, true, 0},
	    /* Many kinds of spawn; kinds that are cut off at different depths. */
	    {"2x3", "2:0.7,4:0.1,8:0.1,16:0.05,32:0.03,64:0.02", "heuristic", 3, 1e-3, false, 0},
	    {"2x3", NULL, "heuristic", 6, 5e-3, false, 0},
	    {"2x4", NULL, "heuristic", 5, 5e-3, false, 0},
	    /* Own moves that count in the probability of a path. */
	    {"3x3", NULL, "heuristic", 4, 1e-4, false, 0.25},
	    {"2x3", NULL, "score", 5, 1e-4, true, 0.5},
	};
	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
		recurrence_check(&settings[i], false);
		recurrence_check(&settings[i], true);
	}
}

/* Also where a value sums the leaves of whole chance nodes; node counts as well. */
TEST(the_search_with_strong_equals_the_recurrence_on_every_instruction_set)
{
	static const struct value_setting settings[] = {
	    {"4x4", NULL, "strong", 2, 1e-3, false, 0},
	    {"4x5", "2:0.5,4:0.3,8:0.2", "strong", 2, 4e-3, false, 0},
	    {"6x4", "2:1", "strong", 2, 3e-2, false, 0},
	    {"5x5", NULL, "strong", 2, 4e-3, false, 0},
	    {"5x6", NULL, "strong", 1, 0, false, 0},
	    {"6x6", NULL, "strong", 2, 2e-2, false, 0.5},
	    {"6x6", NULL, "strong", 1, 1e-3, true, 0},
	};
	for (int isa = 0; isa < ISAS; isa++)
		for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
			if (isa_ask((enum isa)isa))
				recurrence_check(&settings[i], true);
	unsetenv("NXN_ISA");
}

/* A search whose table has one bucket, and so two places. */
struct bucket {
	struct game game;
	struct value *value;
	struct search search;
};

static void bucket_init(struct bucket *b)
{
	struct why why;
	game_of("4x4", &b->game);
	b->value = value_of("score", "", &b->game);
	b->search = (struct search){.game = &b->game,
				    .value = b->value,
				    .cutoff = 1e-4,
				    .move_p = 1,
				    .rule = leaf_rule_of(&b->game, false, false, -100),
				    .table_bytes = 1};
	assert_int_equal(search_init(&b->search, 1, &why), STATUS_OK);
	search_begin(&b->search, 1);
}

static void bucket_fini(struct bucket *b)
{
	search_fini(&b->search);
	value_free(b->value);
}

/* Whether the table knew AFTER at DEPTH, so that no position was searched; then it does. */
static bool is_known(struct bucket *b, const struct board *after, int depth)
{
	struct moves moves = {.legal = 1};
	double value[DIRECTIONS];
	const uint64_t before = b->search.counts.nodes;
	moves.after[0] = *after;
	search_moves(&b->search, &moves, depth, value);
	return b->search.counts.nodes == before;
}

/*
 * With a move to go before the cutoff counts, positions are cut off below cutoff / q of their
 * after-state, q the probability of the spawn, and searched from there on. What was searched on one
 * side is not known on the other, however near: bounds that no float has are rounded inwards.
 */
TEST(an_entry_of_the_table_claims_no_more_than_its_span)
{
	struct bucket b;
	struct rng rng;
	bucket_init(&b);
	rng_init(&rng, 13, RNG_TEST, 0);
	for (int i = 0; i < 1000; i++) {
		struct board board;
		random_board(&b.game, SPARSE, &rng, &board);
		const int empty = board_empty(&b.game, &board);
		if (empty == 0)
			continue;
		const double q = b.game.spawn.probability[0] / empty;
		const double bound = 0.1 + 0.8 * rng_real(&rng);
		b.search.cutoff = bound * q;
		b.search.move_p = bound * (i % 2 ? 1.01 : 0.99);
		assert_false(is_known(&b, &board, 2));
		assert_true(is_known(&b, &board, 2));
		b.search.move_p = bound * (i % 2 ? 1.005 : 0.995);
		assert_true(is_known(&b, &board, 2));
		b.search.move_p = i % 2 ? nextafter(bound, 0) : bound;
		assert_false(is_known(&b, &board, 2));
	}
	bucket_fini(&b);
}

/*
 * An entry that is used belongs to the present generation, be it in the first place or the second.
 */
TEST(a_full_bucket_loses_what_is_old_or_else_shallow)
{
	static const struct board board[4] = {
	    {.cell = {{1}}}, {.cell = {{2}}}, {.cell = {{3}}}, {.cell = {{4}}}};
	for (int used = 0; used < 2; used++) {
		struct bucket b;
		bucket_init(&b);
		for (int i = 0; i < 3; i++)
			assert_false(is_known(&b, &board[i], i ? 1 : 2));
		assert_true(is_known(&b, &board[0], 2) && is_known(&b, &board[2], 1));
		assert_false(is_known(&b, &board[1], 1)); /* and now in the place of number 2 */
		search_begin(&b.search, 1);
		assert_true(is_known(&b, &board[used], 2 - used));
		assert_false(is_known(&b, &board[3], 1));
		assert_true(is_known(&b, &board[used], 2 - used) && is_known(&b, &board[3], 1));
		assert_false(is_known(&b, &board[1 - used], 1 + used));
		assert_false(is_known(&b, &board[3], 2)); /* another depth is another entry */
		bucket_fini(&b);
	}
}

TEST(rewards_count_by_default_if_the_value_is_in_points)
{
	static const struct {
		const char *value;
		int rewards;
	} cases[] = {{"score", 1}, {"empty", 0}, {"heuristic", 0}};
	struct game game;
	game_make(&(struct game_options){.start = "2,2,4/4,0,0/8,0,2"}, &game);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct decision decision[3];
		static const char *const rewards[] = {"0", "1", "auto"};
		for (int j = 0; j < 3; j++) {
			struct agent *agent = agent_of(
			    text_of("expectimax:value=%s,rewards=%s", cases[i].value, rewards[j]),
			    &game);
			board_ask(agent, &game.start, &decision[j]);
			agent_free(agent);
		}
		assert_true(decision[0].value[LEFT] < decision[1].value[LEFT]);
		assert_true(decision[2].value[LEFT] == decision[cases[i].rewards].value[LEFT]);
	}
}

/* The four terms of positions that were counted by hand. */
TEST(the_heuristic_counts_what_the_paper_names)
{
	static const struct {
		const char *board;
		double terms[4]; /* empty, corner, monotone, merge */
	} cases[] = {
	    {"2,0/0,2", {2, 1, 4, 0}},
	    {"2,2/4,8", {0, 1, 4, 1}},
	    {"4,2,4/2,8,2/4,2,4", {0, 0, 0, 0}},
	    {"8,4,2/4,2,0/2,0,0", {3, 1, 6, 0}},
	    {"2,2,2,2/0,0,0,0/4,4,8,0", {5, 0, 3, 4}},
	    {"0,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0", {15, 0, 7, 0}},
	};
	static const char *const weights[] = {
	    "w_empty=1,w_corner=0,w_monotone=0,w_merge=0",
	    "w_empty=0,w_corner=1,w_monotone=0,w_merge=0",
	    "w_empty=0,w_corner=0,w_monotone=1,w_merge=0",
	    "w_empty=0,w_corner=0,w_monotone=0,w_merge=1",
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (int t = 0; t < 4; t++) {
			struct game game;
			double got;
			game_make(&(struct game_options){.start = cases[i].board}, &game);
			struct value *value = value_of("heuristic", weights[t], &game);
			value_eval(value, &game.start, 1, &got);
			if (got != cases[i].terms[t])
				fail_msg("%s %s: %g, expected %g", cases[i].board, weights[t], got,
					 cases[i].terms[t]);
			value_free(value);
		}
}

TESTS(NULL, NULL)
