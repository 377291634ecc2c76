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

#include <math.h>

static void shared_weights_go_on_on_another_board(void **state)
{
	struct game small, large;
	char text[160];
	(void)state;
	game_of("2x3", &small);
	game_of("4x3", &large);
	struct agent *agent = agent_of("ntuple:tuples=rectangles=1x2,share=all", &small);
	train(agent, 9, 9);
	save(agent, path);
	agent_free(agent);
	snprintf(text, sizeof text, "ntuple:%s", path);
	agent = agent_of(text, &large);
	assert_int_equal(agent->class->trained(agent->self), 9);
	agent_free(agent);
	snprintf(text, sizeof text,
		 "ntuple:tuples=rectangles=2x2+rectangles=1x2,share=all,weights=%s", path);
	agent = agent_of(text, &large);
	assert_int_equal(agent->class->trained(agent->self), 0);
	train(agent, 5, 5);
	save(agent, other);
	agent_free(agent);
	/* The model stands on its own. */
	assert_int_equal(remove(path), 0);
	snprintf(text, sizeof text, "ntuple:%s", other);
	agent = agent_of(text, &large);
	assert_int_equal(agent->class->trained(agent->self), 5);
	agent_free(agent);
	/* Moved, it is another model, which stands on its own, too. */
	snprintf(text, sizeof text, "ntuple:%s", other);
	agent = agent_of(text, &small);
	train(agent, 8, 8);
	save(agent, path);
	agent_free(agent);
	assert_int_equal(remove(other), 0);
	snprintf(text, sizeof text, "ntuple:%s", path);
	agent = agent_of(text, &small);
	assert_int_equal(agent->class->trained(agent->self), 8);
	save(agent, other);
	agent_free(agent);
	snprintf(text, sizeof text, "ntuple:tuples=rectangles=1x2,share=all,weights=%s", other);
	expect_refused(text, &small, "weights of a tuple of 4 cells");
	snprintf(text, sizeof text, "ntuple:tuples=rectangles=1x2,share=all,weights=no/such/model");
	expect_refused(text, &small, "no/such/model");
}

/* A file by somebody who knows the format, of 64-bit numbers; boards are six of them. */
enum { NUMBERS = 31, RECORD = 33 };

struct forgery {
	struct model_header head;
	uint64_t training[NUMBERS + 1]; /* the section of the training under way */
	int numbers;
	uint64_t weights[3 * RECORD]; /* records of a number and 64 floats */
	int words;
};

/* Places in `training` when one game is under way, one step long. */
enum {
	AT_BEGUN,
	AT_COUNT,
	AT_EPISODE,
	AT_KEY,
	AT_COUNTER = AT_KEY + 2,
	AT_BLOCK = AT_COUNTER + 4,
	AT_USED = AT_BLOCK + 4,
	AT_SCORE,
	AT_MOVES,
	AT_PARTIAL,
	AT_BOARD,
	AT_STEPS = AT_BOARD + 6,
	AT_X,
	AT_REWARD = AT_X + 6,
	AT_END,
};

/* A sound one for 2x2 with the settings of the model in PATH. */
static void forgery_begin(struct forgery *f)
{
	struct model_file *reader;
	struct why why;
	assert_int_equal(model_open(&reader, path, &why), STATUS_OK);
	*f = (struct forgery){.head = *model_header(reader), .numbers = NUMBERS, .words = 1};
	model_close(reader);
	f->training[AT_BEGUN] = f->head.games + 1;
	f->training[AT_COUNT] = 1;
	f->training[AT_EPISODE] = f->head.games;
	f->training[AT_USED] = 4;
	f->training[AT_BOARD] = f->training[AT_BOARD + 1] = 0x0102;
	f->training[AT_STEPS] = 1;
	f->training[AT_X] = 0x0102;
	f->training[AT_REWARD] = UINT64_C(0x4010000000000000); /* 4.0 */
	f->weights[0] = UINT64_MAX;
	assert_int_equal(AT_END, NUMBERS);
}

static void forgery_write(const struct forgery *f)
{
	struct model_file *writer;
	struct why why;
	assert_int_equal(model_create(&writer, other, &f->head, &why), STATUS_OK);
	assert_int_equal(model_write(writer, f->training, (size_t)f->numbers * 8), STATUS_OK);
	assert_int_equal(model_section_end(writer), STATUS_OK);
	assert_int_equal(model_write(writer, f->weights, (size_t)f->words * 8), STATUS_OK);
	assert_int_equal(model_section_end(writer), STATUS_OK);
	assert_int_equal(model_finish(writer), STATUS_OK);
	model_close(writer);
}

static void original_make(const char *text, struct game *game)
{
	game_of("2x2", game);
	struct agent *agent = agent_of(text, game);
	train(agent, 9, 9);
	save(agent, path);
	agent_free(agent);
}

static void expect_forgery_refused(const struct forgery *f, const struct game *game,
				   const char *says)
{
	char text[128];
	forgery_write(f);
	snprintf(text, sizeof text, "ntuple:%s", other);
	expect_refused(text, game, says);
}

static void forged_training_is_refused(void **state)
{
	(void)state;
	static const struct {
		int at;
		uint64_t number;
		const char *says;
	} cases[] = {
	    {AT_BEGUN, 9, "the games do not add up"},
	    {AT_BEGUN, UINT64_MAX, "the games do not add up"},
	    {AT_COUNT, 0, ""},
	    {AT_COUNT, 2, ""},
	    {AT_COUNT, 65536, ""},
	    {AT_COUNT, UINT64_C(1) << 40, "too large"},
	    {AT_KEY, UINT64_C(1) << 32, "too large"},
	    {AT_COUNTER + 3, UINT64_C(1) << 32, "too large"},
	    {AT_BLOCK + 3, UINT64_C(1) << 63, "too large"},
	    {AT_USED, 5, "too large"},
	    {AT_PARTIAL, 2, "too large"},
	    {AT_BOARD, 0x0601, "a board that the game cannot have"},
	    {AT_BOARD, 0x010101, "a board that the game cannot have"},
	    {AT_BOARD, 0x0505, "a board that the game cannot have"}, /* two of 32 */
	    {AT_BOARD + 2, 1, "a board that the game cannot have"},
	    {AT_STEPS, 2, "too large"},
	    {AT_STEPS, UINT64_MAX, "too large"},
	    {AT_X, 0xff, "a board that the game cannot have"},
	    {AT_REWARD, UINT64_C(0x7ff8000000000000), "a reward"}, /* not a number */
	    {AT_REWARD, UINT64_C(0xc010000000000000), "a reward"}, /* -4 */
	};
	struct game game;
	struct forgery f;
	original_make("ntuple:tuples=0123,lanes=1", &game);
	forgery_begin(&f);
	forgery_write(&f);
	struct agent *agent = learned_from("ntuple", other, &game);
	assert_int_equal(train(agent, 20, UINT64_MAX).ended, 11);
	agent_free(agent);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		forgery_begin(&f);
		f.training[cases[i].at] = cases[i].number;
		expect_forgery_refused(&f, &game, cases[i].says);
	}
	forgery_begin(&f);
	f.numbers = NUMBERS + 1;
	expect_forgery_refused(&f, &game, "a section is too long");
	f.numbers = NUMBERS - 1;
	expect_forgery_refused(&f, &game, "a section ends early");
}

/* Backward a game may be as long as it likes, but not longer than the file. */
static void forged_lengths_take_no_memory(void **state)
{
	(void)state;
	struct game game;
	struct forgery f;
	original_make("ntuple:tuples=0123,update=backward", &game);
	forgery_begin(&f);
	forgery_write(&f);
	struct agent *agent = learned_from("ntuple", other, &game);
	assert_int_equal(train(agent, 20, UINT64_MAX).ended, 11);
	agent_free(agent);
	f.training[AT_STEPS] = UINT64_MAX / 4;
	expect_forgery_refused(&f, &game, "");
}

static void forged_weights_are_refused(void **state)
{
	(void)state;
	enum { ANY = 5 };
	static const struct {
		uint64_t first, second, third; /* numbers of records; UINT64_MAX ends */
		int words;
		uint64_t bits; /* of two floats of the first */
		const char *says;
	} cases[] = {
	    {0, 1, UINT64_MAX, 2 * RECORD + 1, 0, NULL},
	    {1, 0, UINT64_MAX, 2 * RECORD + 1, 0, "a block in a wrong place"},
	    {1, 1, UINT64_MAX, 2 * RECORD + 1, 0, "a block in a wrong place"},
	    {0, 1000000, UINT64_MAX, 2 * RECORD + 1, 0, "a block in a wrong place"},
	    {UINT64_C(1) << 60, 0, 0, 2 * RECORD + 1, 0, "a block in a wrong place"},
	    {UINT64_MAX - 1, 0, 0, 2 * RECORD + 1, 0, "a block in a wrong place"},
	    {0, UINT64_MAX, 0, RECORD + 1, UINT64_C(0x7f80000000000000), "not finite"},
	    {0, UINT64_MAX, 0, RECORD + 1, UINT64_C(0x00000000ffc00000), "not finite"},
	    {0, 1, 2, 2 * RECORD, 0, "a section ends early"},
	    {0, 1, 2, 2 * RECORD - 3, 0, "a section ends early"},
	    {0, 0, 0, 0, 0, "a section ends early"},
	    {0, UINT64_MAX, 0, RECORD + 2, 0, "a section is too long"},
	    {UINT64_MAX, 0, 0, 2, 0, "a section is too long"},
	};
	struct game game;
	original_make("ntuple:tuples=0123,lanes=1", &game);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct forgery f;
		forgery_begin(&f);
		f.weights[0] = cases[i].first;
		f.weights[RECORD] = cases[i].second;
		f.weights[2 * RECORD] = cases[i].third;
		f.weights[1 + ANY] = cases[i].bits;
		f.words = cases[i].words;
		if (cases[i].says) {
			expect_forgery_refused(&f, &game, cases[i].says);
			continue;
		}
		forgery_write(&f);
		agent_free(learned_from("ntuple", other, &game));
	}
}

static void forged_settings_are_refused(void **state)
{
	(void)state;
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
	struct game game;
	struct forgery f;
	original_make("ntuple:tuples=0123,lanes=1", &game);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		forgery_begin(&f);
		snprintf(f.head.params, sizeof f.head.params, "%s", cases[i]);
		expect_forgery_refused(&f, &game, "");
	}
	forgery_begin(&f);
	memset(f.head.params, '0', sizeof f.head.params - 1);
	expect_forgery_refused(&f, &game, "");
	memcpy(f.head.params, "tuples=", 7);
	expect_forgery_refused(&f, &game, "");
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

static void a_search_looks_at_what_the_network_was_made_for(void **state)
{
	(void)state;
	static const char *const rules[] = {"td-after", "td-state", "q"}, *const shapes[] = {
									      "2x3", "3x3", "4x3"};
	for (int i = 0; i < 9; i++) {
		struct game game;
		struct rng rng;
		char text[160];
		game_of(shapes[i / 3], &game);
		const double terminal = i % 3 == RULE_TD_STATE ? 0 : -100;
		snprintf(text, sizeof text, "ntuple:tuples=lines,rule=%s,lost=zero", rules[i % 3]);
		struct agent *trained = agent_of(text, &game);
		train(trained, 100, 100);
		save(trained, path);
		snprintf(text, sizeof text,
			 "expectimax:value=ntuple:%s,depth=1,cutoff=0,tt=1M,terminal=%g", path,
			 terminal);
		struct agent *search = agent_of(text, &game);
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
static void other_threads_borrow_the_network(void **state)
{
	(void)state;
	static const char *const agents[] = {"ntuple:%s",
					     "expectimax:value=ntuple:%s,depth=1,tt=0"};
	struct game game;
	game_of("4x4", &game);
	struct agent *trained = agent_of("ntuple:tuples=012456,levels=16", &game);
	train(trained, 5, 5);
	save(trained, path);
	for (int i = 0; i < 2; i++) {
		char text[128];
		struct agent *first, *second;
		struct why why;
		struct outcome a, b;
		snprintf(text, sizeof text, i ? agents[1] : agents[0], path);
		const double before = address_space();
		first = agent_of(text, &game);
		const double one = address_space();
		struct agent_env env = {.game = &game, .owner = first->self};
		assert_int_equal(agent_new(text, &env, &second, &why), STATUS_OK);
		/* A sanitizer gives back at some time what was freed long before. */
		assert_true(one - before > 50 || SANITIZED_SHARE > 1);
		assert_true(address_space() - one < 50);
		assert_true(play_game(first, 1, 0, NULL, &a) && play_game(second, 1, 0, NULL, &b));
		assert_int_equal(a.score, b.score);
		agent_free(second);
		agent_free(first);
	}
	agent_free(trained);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(shared_weights_go_on_on_another_board),
	    cmocka_unit_test(forged_training_is_refused),
	    cmocka_unit_test(forged_lengths_take_no_memory),
	    cmocka_unit_test(forged_weights_are_refused),
	    cmocka_unit_test(forged_settings_are_refused),
	    cmocka_unit_test(a_search_looks_at_what_the_network_was_made_for),
	    cmocka_unit_test(other_threads_borrow_the_network),
	};
	return cmocka_run_group_tests(tests, folder_setup, folder_remove);
}
