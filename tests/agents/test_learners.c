/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is true of every learner: a stop after any game changes nothing, no matter which threads or
 * instructions work; its file plays like it, and is refused where it is damaged, of another game,
 * or was trained with other settings.
 */
#include "agents/fields.h"
#include "agents/solver/exact_play.h"
#include "tests/random_board.h"
#include "tests/agents/learning.h"
#include "tests/test.h"

#include <pthread.h>

/* Learners on boards of all kinds; END games are a few batches of each. */
static const struct {
	const char *shape, *agent;
} learners[] = {
    {"2x2", "ntuple"},
    {"3x3", "ntuple:tuples=snakes=4,lanes=1"},
    {"3x3", "ntuple:tuples=lines+rectangles=2x2,rate=tc,alpha=1"},
    {"3x3", "ntuple:tuples=lines,update=backward,lambda=0.5,lanes=7"},
    {"4x3", "ntuple:tuples=lines,lambda=0.7,trace=3,rate=tc,init=100"},
    {"3x3", "ntuple:tuples=0134,1245,lambda=0.5,trace=32,rate=visits,error=sqrt,epsilon=0.1"},
    {"3x3", "ntuple:tuples=lines,rate=tc,lanes=5"},
    {"3x2", "ntuple:tuples=lines,update=backward,terminal=neg-score"},
    {"2x3", "ntuple:tuples=lines+rectangles=2x2,rule=td-state,levels=5"},
    {"2x3", "ntuple:rule=q,alpha_games=30,decay=geometric,lanes=64"},
    {"4x4", "ntuple:tuples=012,48c,share=none,gamma=0.99,lanes=3"},
    {"3x3", "ntuple:tuples=rectangles=1x2+rectangles=2x2,share=all,rate=tc,alpha=1"},
    {"3x4", "ntuple:tuples=lines+rectangles=2x2,share=all,curriculum=2x2:7+2x3:11+3x3:5,lanes=4"},
    {"3x3", "ntuple:tuples=lines+rectangles=1x2,share=all,curriculum=2x3:15"},
    {"3x3", "ntuple:tuples=lines,retries=7,lambda=0.5,lanes=3"},
    {"3x3", "ntuple:tuples=rectangles=1x2,share=all,curriculum=2x3:15,retries=3,update=backward"},
    {"2x2", "qlearn"},
    {"3x5", "qlearn"},
    {"2x6", "qlearn:levels=0"},
    {"3x4", "qlearn:epsilon=0.2"},
    {"3x3", "qlearn:reward=learned,levels=5"},
    {"4x4", "adp"},
    {"3x4", "adp:batch=7,ties=random"},
    {"4x4", "adp:update=lstsq,constant=1,standardise=0"},
    {"3x4", "adp:update=printed,alpha=0.01"},
    {"3x3", "adp:lost=zero"},
    {"2x2", "policy:hidden=8,batch=3"},
    {"3x3", "policy:hidden=12,7,optimiser=adam,alpha=0.001,symmetry=canonical"},
    {"4x4", "policy:hidden=16,actions=egreedy,epsilon=0.2,epsilon_games=30,optimiser=rmsprop"},
    {"2x3", "policy:hidden=9,stages=8+16,credit=critic,gamma=0.9,batch=7,minibatch=16,epochs=2,"
	    "clip=0.2,optimiser=adam,alpha=0.001,reward=score"},
    {"3x2",
     "policy:hidden=8,8,8,credit=togo,reward=moves,optimiser=sgd,alpha_games=20,input=exponents"},
    {"3x3", "policy:hidden=10,gradient=printed,reward=max,batch=1"},
    {"4x5", "relative"},
    {"2x3", "relative:input=onehot,batch_size=7,minibatch=64,lr=0.01"},
    {"3x5", "relative:symmetry=canonical,random_games=true,random_frac=0.2,batch_size=3"},
    {"5x5", "relative:game_type=mini_random,mini_first=4,mini_last=16,mini_batches=2,batch_size=4"},
    {"3x5",
     "relative:game_type=mini_iterative,mini_first=4,mini_last=16,mini_batches=3,batch_size=4"},
};
enum { LEARNERS = sizeof learners / sizeof learners[0], END = 24 };

/* The name of the class of TEXT. */
static const char *name_of(const char *text)
{
	return agent_class_of(text)->name;
}

TEST(every_class_that_learns_is_here)
{
	for (int c = 0; agent_classes[c]; c++) {
		int found = !agent_classes[c]->learn;
		for (int i = 0; i < LEARNERS; i++)
			found += agent_class_of(learners[i].agent) == agent_classes[c];
		assert_true(found > 0);
	}
}

TEST(a_stop_after_any_game_changes_nothing)
{
	for (int i = 0; i < LEARNERS; i++) {
		struct game game;
		game_of(learners[i].shape, &game);
		train_and_save(learners[i].agent, &game, 1, END, path);
		train_in_pieces(learners[i].agent, name_of(learners[i].agent), &game, END, other);
		expect_equal_files(learners[i].agent);
	}
}

TEST(every_instruction_set_learns_the_same)
{
	for (int i = 0; i < LEARNERS; i++)
		for (enum isa isa = ISA_PORTABLE; isa < ISAS; isa++) {
			struct game game;
			if (!isa_ask(isa))
				continue;
			game_of(learners[i].shape, &game);
			assert_int_equal(game.isa, isa);
			train_and_save(learners[i].agent, &game, 1, END,
				       isa == ISA_PORTABLE ? path : other);
			if (isa != ISA_PORTABLE)
				expect_equal_files(learners[i].agent);
		}
	unsetenv("NXN_ISA");
}

TEST(threads_of_a_team_learn_what_one_learns)
{
	for (int i = 0; i < LEARNERS; i++) {
		struct game game;
		if (!agent_class_of(learners[i].agent)->uses_team)
			continue;
		game_of(learners[i].shape, &game);
		train_and_save(learners[i].agent, &game, 1, END, path);
		for (int threads = 2; threads <= 5; threads += 3) {
			train_and_save(learners[i].agent, &game, threads, END, other);
			expect_equal_files(learners[i].agent);
		}
	}
}

enum { THREADS = 3 };

/* One of the threads that train AGENT. */
struct trainer {
	struct agent *agent;
	struct training_request request;
	struct course course;
};

static void *trainer_run(void *context)
{
	struct trainer *t = context;
	t->request.context = &t->course;
	t->agent->class->learn(t->agent->self, &t->request);
	return NULL;
}

/* Up to END games, or MOST in a thread; the games that ended. */
static uint64_t train_together(struct agent *agent, uint64_t end, uint64_t most)
{
	pthread_t threads[THREADS];
	struct trainer trainers[THREADS];
	uint64_t ended = 0;
	for (int i = 0; i < THREADS; i++) {
		trainers[i] = (struct trainer){.agent = agent,
					       .request = {.seed = 1,
							   .end = end,
							   .thread = i,
							   .threads = THREADS,
							   .over = take_game},
					       .course.left = most};
		assert_int_equal(pthread_create(&threads[i], NULL, trainer_run, &trainers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		ended += trainers[i].course.ended;
	}
	return ended;
}

/* Each game is played and counted once; fewer threads continue what more have left. */
TEST(threads_that_share_weights_train_each_game_once)
{
	for (int i = 0; i < LEARNERS; i++) {
		struct game game;
		if (!agent_class_of(learners[i].agent)->shared)
			continue;
		game_of(learners[i].shape, &game);
		struct agent *agent = agent_of(learners[i].agent, &game);
		uint64_t ended = train_together(agent, 200, 25);
		assert_true(ended >= 25 && ended <= THREADS * 25);
		assert_int_equal(agent->class->trained(agent->self), ended);
		save(agent, path);
		agent_free(agent);
		agent = learned_from(name_of(learners[i].agent), path, &game);
		ended += train(agent, 200, 50).ended;
		ended += train_together(agent, 200, UINT64_MAX);
		assert_int_equal(ended, 200);
		assert_int_equal(agent->class->trained(agent->self), 200);
		agent_free(agent);
	}
}

/* Read by an agent, and borrowed from that one by another. */
TEST(a_file_plays_like_the_agent_that_wrote_it)
{
	for (int i = 0; i < LEARNERS; i++) {
		struct game game;
		struct agent *borrowed;
		struct why why;
		game_of(learners[i].shape, &game);
		struct agent *trained = agent_of(learners[i].agent, &game);
		train(trained, END, END);
		save(trained, path);
		const char *text = text_of("%s:%s", name_of(learners[i].agent), path);
		struct agent *read = agent_of(text, &game);
		const struct agent_env env = {.game = &game, .owner = read->self};
		assert_int_equal(agent_new(text, &env, &borrowed, &why), STATUS_OK);
		assert_int_equal(read->class->trained(read->self), END);
		expect_same_games(read, borrowed);
		/* Settings that are no training, such as ties of adp, are not in the file. */
		if (!strstr(learners[i].agent, "ties="))
			expect_same_games(trained, read);
		save(read, other);
		expect_equal_files(learners[i].agent);
		agent_free(borrowed);
		agent_free(read);
		agent_free(trained);
	}
}

/* The file of a borrower is not read: its owner has read it. */
TEST(a_borrower_plays_what_its_owner_learns)
{
	for (int i = 0; i < LEARNERS; i++) {
		struct game game;
		struct agent *borrower, *second;
		struct why why;
		game_of(learners[i].shape, &game);
		struct agent *owner = agent_of(learners[i].agent, &game);
		const struct agent_env env = {.game = &game, .owner = owner->self};
		assert_int_equal(agent_new(learners[i].agent, &env, &borrower, &why), STATUS_OK);
		const struct agent_env again = {.game = &game, .owner = borrower->self};
		const char *text = text_of("%s:no/such/model", name_of(learners[i].agent));
		assert_int_equal(agent_new(text, &again, &second, &why), STATUS_OK);
		train(owner, END, END);
		assert_int_equal(borrower->class->trained(borrower->self), END);
		assert_int_equal(second->class->trained(second->self), END);
		expect_same_games(owner, borrower);
		agent_free(second);
		agent_free(borrower);
		agent_free(owner);
	}
}

/* Also by a learner that has learned, which stays what it is and learns on. */
TEST(damaged_files_are_refused)
{
	static const struct {
		const char *shape, *agent;
	} cases[] = {
	    {"2x3", "ntuple:tuples=lines,rate=tc"},
	    {"2x3", "qlearn"},
	    {"2x3", "adp"},
	    {"2x3", "policy:hidden=8,credit=critic,optimiser=adam,batch=7"},
	    {"3x3", "relative:game_type=mini_iterative,mini_first=4,mini_last=16,batch_size=4"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct why why;
		game_of(cases[i].shape, &game);
		struct agent *agent = agent_of(cases[i].agent, &game);
		train(agent, 30, 20);
		expect_damage_refused(agent, name_of(cases[i].agent), &game);
		/* `other` is the last of the damaged files. */
		assert_int_equal(agent_load(agent, other, &why), STATUS_INPUT);
		assert_int_equal(agent_load(agent, "no/such/model", &why), STATUS_INPUT);
		assert_int_equal(agent_save(agent, "no/such/model", NULL, &why), STATUS_INPUT);
		assert_int_equal(agent->class->trained(agent->self), 20);
		save(agent, other);
		expect_equal_files(cases[i].agent);
		train(agent, 30, UINT64_MAX);
		save(agent, path);
		agent_free(agent);
		agent = agent_of(cases[i].agent, &game);
		train(agent, 30, UINT64_MAX);
		save(agent, other);
		expect_equal_files(cases[i].agent);
		agent_free(agent);
	}
}

/* Models of which parts are forged below. */
enum { NTUPLE, BACKWARD, QLEARN, ADP, POLICY, FORGED };

static const struct {
	const char *shape, *agent;
	uint64_t games;
} originals[FORGED] = {
    [NTUPLE] = {"2x2", "ntuple:tuples=0123,lanes=2", 9},
    [BACKWARD] = {"2x2", "ntuple:tuples=0123,lanes=2,update=backward", 9},
    [QLEARN] = {"2x2", "qlearn", 9},
    [ADP] = {"3x3", "adp", 13},
    [POLICY] = {"2x3", "policy:hidden=9,stages=8+16,batch=5", 40},
};

/* Places in the training of an ntuple with one game under way, one step long; boards are six. */
enum {
	AT_BEGUN = 0,
	AT_COUNT = 8,
	AT_KEY = 24,
	AT_COUNTER = 40,
	AT_BLOCK = 72,
	AT_USED = 104,
	AT_PARTIAL = 128,
	AT_BOARD = 136,
	AT_STEPS = 184,
	AT_X = 192,
	AT_REWARD = 240,
	RECORD = 8 + 64 * 4, /* of a number and weights */
};

/* A game of a batch of adp: its score, moves, exponent, and states by what they show. */
enum { AT_SCORE = 8, AT_EXPONENT = 24, AT_STATES = 32 };

static const uint64_t infinity = UINT64_C(0x7f80000000000000), not_a_number = 0x7fc00000,
		      real_nan = UINT64_C(0x7ff8000000000000);

/* A number of a section, 64 bits at AT, negative from its end; MORE bytes follow, or fewer. */
static const struct {
	int original, section, at, more;
	uint64_t number;
	const char *says;
} forgeries[] = {
    {NTUPLE, 0, AT_BEGUN, 0, 9, "the games do not add up"},
    {NTUPLE, 0, AT_BEGUN, 0, UINT64_MAX, "the games do not add up"},
    {NTUPLE, 0, AT_COUNT, 0, 0, ""},
    {NTUPLE, 0, AT_COUNT, 0, 2, ""},
    {NTUPLE, 0, AT_COUNT, 0, 65536, ""},
    {NTUPLE, 0, AT_COUNT, 0, UINT64_C(1) << 40, "too large"},
    {NTUPLE, 0, AT_KEY, 0, UINT64_C(1) << 32, "too large"},
    {NTUPLE, 0, AT_COUNTER + 24, 0, UINT64_C(1) << 32, "too large"},
    {NTUPLE, 0, AT_BLOCK + 24, 0, UINT64_C(1) << 63, "too large"},
    {NTUPLE, 0, AT_USED, 0, 5, "too large"},
    {NTUPLE, 0, AT_PARTIAL, 0, 2, "too large"},
    {NTUPLE, 0, AT_BOARD, 0, 0x0601, "a board that the game cannot have"},
    {NTUPLE, 0, AT_BOARD, 0, 0x010101, "a board that the game cannot have"},
    {NTUPLE, 0, AT_BOARD, 0, 0x0505, "a board that the game cannot have"}, /* two of 32 */
    {NTUPLE, 0, AT_BOARD + 16, 0, 1, "a board that the game cannot have"},
    {NTUPLE, 0, AT_STEPS, 0, 2, "too large"},
    {NTUPLE, 0, AT_STEPS, 0, UINT64_MAX, "too large"},
    {NTUPLE, 0, AT_X, 0, 0xff, "a board that the game cannot have"},
    {NTUPLE, 0, AT_REWARD, 0, real_nan, "a reward"},
    {NTUPLE, 0, AT_REWARD, 0, UINT64_C(0xc010000000000000), "a reward"}, /* -4 */
    {NTUPLE, 0, AT_BEGUN, 8, 10, "a section is too long"},
    {NTUPLE, 0, AT_BEGUN, -8, 10, "a section ends early"},
    /* Backward a game may be as long as it likes, but not longer than the file. */
    {BACKWARD, 0, AT_STEPS, 0, UINT64_MAX / 4, ""},
    {NTUPLE, 1, RECORD, 0, 0, "a block in a wrong place"},
    {NTUPLE, 1, 0, 0, 1000000, "a block in a wrong place"},
    {NTUPLE, 1, 0, 0, UINT64_C(1) << 60, "a block in a wrong place"},
    {NTUPLE, 1, 0, 0, UINT64_MAX - 1, "a block in a wrong place"},
    {NTUPLE, 1, 0, 0, UINT64_MAX, "a section is too long"},
    {NTUPLE, 1, 24, 0, infinity, "not finite"},
    {NTUPLE, 1, 24, 0, not_a_number, "not finite"},
    {NTUPLE, 1, -8, 0, UINT64_MAX - 1, "a block in a wrong place"},
    {NTUPLE, 1, 24, -8, 0, "a section ends early"},
    {NTUPLE, 1, 24, -24, 0, "a section ends early"},
    {NTUPLE, 1, 24, 8, 0, "a section is too long"},
    /* Its four boxes, and their weights. */
    {QLEARN, 1, 0, 0, 5, "more blocks than the board has boxes"},
    {QLEARN, 1, 0, 0, UINT64_MAX, "more blocks than the board has boxes"},
    {QLEARN, 1, 0, 0, 3, "a section is too long"},
    {QLEARN, 1, 0, -8, 4, "a section ends early"},
    {QLEARN, 1, 8, 0, 4, "a block in a wrong place"},
    {QLEARN, 1, 8, 0, UINT64_MAX, "a block in a wrong place"},
    {QLEARN, 2, 0, 0, 5, "a block in a wrong place"}, /* weights without a box */
    {QLEARN, 2, 0, 0, 0, "a block in a wrong place"}, /* weights of all that have none */
    {QLEARN, 2, 24, 0, infinity, "a weight is not finite"},
    {QLEARN, 2, 24, 0, not_a_number, "a weight is not finite"},
    {ADP, 0, 0, 0, real_nan, "a weight is not finite"},
    {ADP, 0, 0, 0, UINT64_C(0x7ff0000000000000), "a weight is not finite"}, /* infinity */
    {ADP, 0, 0, 0, UINT64_C(0x4000000000000000), "expected layout 'corner 2, vertical"},
    {ADP, 1, 0, 0, 1000, "too many games"},
    {ADP, 1, 0, 0, UINT64_MAX, "too many games"},
    {ADP, 1, AT_EXPONENT, 0, 11, "a tile is too large"},
    {ADP, 1, AT_EXPONENT, 0, UINT64_MAX, "a tile is too large"},
    {ADP, 1, AT_STATES, 0, UINT64_MAX, "a number is too large"},
    {ADP, 1, AT_SCORE, 0, UINT64_MAX, "a number is too large"},
    {ADP, 1, 0, 8, 3, "a section is too long"},
    {POLICY, 4, -8, 0, 0, "an impossible number of live stages, expected 1 up to all"},
    {POLICY, 4, -8, 0, 4, "an impossible number of live stages, expected 1 up to all"},
    {POLICY, 4, -8, 0, 1ULL << 32 | 2, "an impossible number of live stages"},
    {POLICY, 4, -8, 0, UINT64_MAX, "an impossible number of live stages"},
    {POLICY, 4, 0, -8, 0, "a section ends early"},
};

/* Whole files with right checksums, but not from agent_save(); the learner stays what it is. */
TEST(forged_files_are_refused)
{
	static unsigned char bytes[SECTION_ROOM];
	for (int i = 0; i < FORGED; i++) {
		struct game game;
		struct agent *agent = agent_on(originals[i].agent, originals[i].shape, &game);
		train(agent, originals[i].games + 9, originals[i].games);
		save(agent, path);
		for (size_t k = 0; k < sizeof forgeries / sizeof forgeries[0]; k++) {
			struct why why = {""};
			if (forgeries[k].original != i)
				continue;
			const size_t size = section_take(path, forgeries[k].section, bytes);
			section_forge(forgeries[k].section, bytes, size);
			load(agent, other);
			const int at = forgeries[k].at;
			field_put64(bytes + (at < 0 ? (int)size + at : at), forgeries[k].number);
			section_forge(forgeries[k].section, bytes,
				      (size_t)((int)size + forgeries[k].more));
			if (agent_load(agent, other, &why) != STATUS_INPUT ||
			    !strstr(why.text, forgeries[k].says))
				fail_msg("%s, row %zu: '%s' does not say '%s'", originals[i].agent,
					 k, why.text, forgeries[k].says);
			save(agent, other);
			expect_equal_files(originals[i].agent);
		}
		agent_free(agent);
	}
}

/* A model of 4x3, with the rules of the other columns. */
TEST(files_of_another_game_or_learner_are_refused)
{
	static const struct {
		struct game_options game;
		const char *says;
	} cases[] = {
	    {{.shape = "2x3"}, "a model for board '3x2', expected board '2x3'"},
	    {{.shape = "3x3"}, "a model for board '3x2', expected board '3x3'"},
	    {{.shape = "3x2", .spawn = "2:1"}, "expected spawn rule '2:1'"},
	};
	static const char *const names[] = {"ntuple", "qlearn", "adp", "policy", "relative"};
	enum { NAMES = sizeof names / sizeof names[0] };
	for (int n = 0; n < NAMES; n++) {
		struct game game;
		game_of("3x2", &game);
		train_and_save(names[n], &game, 1, 3, path);
		const char *another = names[(n + 1) % NAMES];
		expect_refused(text_of("%s:%s", another, path), &game,
			       text_of("expected agent '%s'", another));
		const char *file = text_of("%s:%s", names[n], path);
		for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
			game_make(&cases[i].game, &game);
			expect_refused(file, &game, cases[i].says);
		}
	}
}

/* A model plays with the settings it was trained with, so no others may be asked for. */
TEST(settings_that_contradict_a_file_are_refused)
{
	static const char ntuple[] = "ntuple:tuples=lines+rectangles=2x2,rate=tc,alpha=1,levels=6,"
				     "init=1";
	static const struct {
		const char *agent, *settings, *says; /* NULL: it is taken */
	} cases[] = {
	    {ntuple, "rate=visits", "was trained with rate=tc, not rate=visits"},
	    {ntuple, "tuples=lines+rectangles=2x2,alpha=0.5", "with alpha=1, not alpha=0.5"},
	    {ntuple, "tuples=lines", "not tuples=lines"},
	    {ntuple, "levels=5", "was trained with levels=6, not levels=5"},
	    {ntuple, "share=none", "was trained with share=auto, not share=none"},
	    {ntuple, "init=2", "was trained with init=1, not init=2"},
	    {ntuple, "nonsense=1", "nonsense"},
	    {ntuple, "rate=tc,tuples=lines+rectangles=2x2,levels=6", NULL},
	    {"qlearn", "levels=9", "was trained with levels=0, not levels=9"},
	    {"qlearn", "reward=learned", "was trained with reward=added, not reward=learned"},
	    {"policy:hidden=8,4", "hidden=9", "was trained with hidden=8,4, not hidden=9"},
	    {"policy:hidden=8,4", "batch=7", "was trained with batch=10, not batch=7"},
	    {"policy:hidden=8,4", "stages=16", "not stages=16"},
	    {"policy:hidden=8,4", "symmetry=canonical", "was trained with symmetry=none"},
	    {"policy:hidden=8,4", "play=sample,hidden=8,4,batch=10", NULL},
	    {"relative:hidden1=20", "hidden1=30", "was trained with hidden1=20, not hidden1=30"},
	    {"relative:hidden1=20", "play=sample", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		game_of("3x3", &game);
		train_and_save(cases[i].agent, &game, 1, 12, path);
		const char *text =
		    text_of("%s:%s,%s", name_of(cases[i].agent), path, cases[i].settings);
		if (cases[i].says)
			expect_refused(text, &game, cases[i].says);
		else
			agent_free(agent_of(text, &game));
	}
}

/* Checks that OTHER has the settings of PATH for this version, or is refused with SAYS. */
static void expect_settings(const char *says)
{
	char expected[MODEL_PARAMS_MAX], found[MODEL_PARAMS_MAX];
	struct model_file *file;
	struct why why;
	assert_int_equal(model_open(&file, path, &why), STATUS_OK);
	assert_int_equal(model_settings(file, &policy_agent, expected), STATUS_OK);
	assert_string_equal(expected, model_header(file)->params);
	model_close(file);
	assert_int_equal(model_open(&file, other, &why), STATUS_OK);
	assert_int_equal(model_settings(file, &policy_agent, found),
			 says ? STATUS_INPUT : STATUS_OK);
	assert_string_equal(found, says ? "" : expected);
	assert_true(!says || strstr(why.text, says));
	model_close(file);
}

/* Files of earlier versions have settings that are no parameters any more. */
TEST(settings_of_earlier_versions_are_those_there_are_or_refused)
{
	static const struct {
		const char *settings, *says; /* NULL: it is taken */
	} cases[] = {
	    {"levels=auto,start=plain,last=1", NULL},
	    {"entropy=0,critic_alpha=0.001,demo_window=auto", NULL},
	    {"entropy=0,entropy=0.1", "was trained with entropy=0.1, which this version"},
	    {"start=torch", "was trained with start=torch, which this version"},
	    {"last=1,2", "was trained with last=1,2, which this version"},
	    {"nonsense=1", "was trained with nonsense=1, which this version"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		game_of("3x3", &game);
		train_and_save("policy:hidden=8,4", &game, 1, 12, path);
		struct model_header head = head_take(path);
		snprintf(head.params, sizeof head.params, "hidden=8,4,%s", cases[i].settings);
		model_forge(&head, (int)head.sections, NULL, 0); /* nothing but the head */
		const char *text = text_of("policy:%s", other);
		if (cases[i].says)
			expect_refused(text, &game, cases[i].says);
		else
			agent_free(agent_of(text, &game));
		expect_settings(cases[i].says);
	}
}

/*
 * By agent_load(), which asks for no settings: those that differ show in the layout, or in
 * sections.
 */
TEST(a_learner_loads_only_models_of_its_layout)
{
	static const struct {
		const char *agent, *another, *says;
	} cases[] = {
	    {"ntuple:tuples=lines", "ntuple:tuples=lines,levels=5", "expected layout"},
	    {"policy:hidden=8", "policy:hidden=9", "expected layout"},
	    {"policy:hidden=8", "policy:hidden=8,credit=critic",
	     "a model of 7 sections, expected 3"},
	    {"relative:hidden1=20", "relative:hidden1=30", "expected layout"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct why why;
		game_of("3x3", &game);
		struct agent *one = agent_of(cases[i].agent, &game),
			     *two = agent_of(cases[i].another, &game);
		save(two, path);
		assert_int_equal(agent_load(one, path, &why), STATUS_INPUT);
		if (!strstr(why.text, cases[i].says))
			fail_msg("'%s' does not say '%s'", why.text, cases[i].says);
		agent_free(one);
		agent_free(two);
	}
}

/* The expected points of AGENT, exactly. */
static double exact_score(const struct agent *agent)
{
	struct exact_play got;
	struct why why;
	save(agent, path);
	const char *text = text_of("%s:%s", agent->class->name, path);
	const struct exact_play_task task = {.game = agent->game, .agent = text, .threads = 1};
	if (exact_play(&task, &got, &why))
		fail_msg("%s", why.text);
	return got.score;
}

/*
 * tests/vectors/exact.txt: on 2x2 random play has 19.6565 points, greedy play that prefers up,
 * right, down 26.7930, optimal play 66.9641. A tuple of all four cells can tell every position from
 * every other. Of qlearn only terminal=zero aims at the score itself.
 */
static const struct {
	const char *agent;
	uint64_t games;
	double least;
} pupils[] = {
#define NTUPLE "ntuple:alpha_end=0.001,decay=geometric,"
#define FALLS NTUPLE "alpha=0.5,alpha_games=20000,"
    {FALLS "tuples=0123", 20000, 65.6},
    {FALLS "tuples=0123,rule=td-state", 20000, 65.6},
    {FALLS "tuples=0123,rule=q,init=400", 20000, 65.6},
    {FALLS "tuples=0123,rule=q,epsilon=0.2,rate=visits", 20000, 65.6},
    {NTUPLE "alpha=1,alpha_games=0,tuples=0123,rate=tc", 20000, 65.6},
    {NTUPLE "alpha=1,alpha_games=0,tuples=0123,rate=tc,init=400", 20000, 65.6},
    {FALLS "tuples=0123,init=400", 20000, 65.6},
    {NTUPLE "alpha=0.1,alpha_games=20000,tuples=0123,init=400,lambda=0.5", 20000, 65.6},
    {FALLS "tuples=0123,init=400,share=none", 20000, 65.6},
    {FALLS "tuples=0123,update=backward,lambda=0.5", 20000, 65.6},
    {FALLS "tuples=lines", 20000, 46.8},
    {"qlearn", 5000, 45},
    {"qlearn:error=linear", 5000, 45},
    {"qlearn:error=linear,terminal=zero", 5000, 63},
    {"policy:hidden=32,16", 20000, 26.7930},
    {"policy:hidden=32,16,credit=critic,gamma=0.95,reward=score,optimiser=adam,alpha=0.003", 20000,
     26.7930},
    {"policy:hidden=32,16,credit=togo,reward=score,optimiser=rmsprop,alpha=0.003,stages=8", 20000,
     26.7930},
    {"relative:input=onehot,batch_size=100,lr=0.003,game_penalty_type=scores", 20000, 35},
};

/* With sanitizers from fewer games, which may teach less. */
TEST(learning_on_2x2_leads_towards_optimal_play)
{
	for (size_t i = 0; i < sizeof pupils / sizeof pupils[0]; i++) {
		struct game game;
		struct agent *agent = agent_on(pupils[i].agent, "2x2", &game);
		if (agent->class == agent_class_of("ntuple") && !strstr(pupils[i].agent, "init") &&
		    !strstr(pupils[i].agent, "rule=q"))
			assert_true(fabs(exact_score(agent) - 26.7930282727) < 1e-6);
		train(agent, pupils[i].games / SANITIZED_SHARE, UINT64_MAX);
		const double score = exact_score(agent);
		assert_true(score <= 66.9641494571 + 1e-6);
		if (score < pupils[i].least && SANITIZED_SHARE == 1)
			fail_msg("%s: only %g points", pupils[i].agent, score);
		agent_free(agent);
	}
}

/* A file of weights that no reader accepts would be a loss noticed too late. */
TEST(a_learner_that_diverged_is_not_saved)
{
	static const struct {
		const char *shape, *agent;
		uint64_t games;
	} cases[] = {
	    {"3x3", "ntuple:tuples=lines,alpha=1000", 300},
	    {"3x3", "qlearn:eta=1e6,error=linear", 200},
	    {"2x2", "adp:update=printed,error=sum,alpha=1,standardise=0,batch=2", 1000},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct why why;
		game_of(cases[i].shape, &game);
		struct agent *agent = agent_of(cases[i].agent, &game);
		train(agent, cases[i].games, UINT64_MAX);
		unlink(path);
		assert_int_equal(agent_save(agent, path, NULL, &why), STATUS_INPUT);
		assert_non_null(strstr(why.text, "diverged"));
		assert_int_not_equal(access(path, F_OK), 0);
		agent_free(agent);
	}
}

TESTS(folder_setup, folder_remove)
