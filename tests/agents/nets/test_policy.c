/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy network: gradients against finite differences, credit worked out by hand, training
 * that is stopped, saved, shared by threads, and what it learns.
 */
#include "agents/fields.h"
#include "boards/record.h"
#include "tests/agents/learning.h"
#include "tests/agents/nets/own_batch.h"
#include "tests/near.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>

/* log of the chance of MOVE, in the test's own way. */
static double log_chance(const double z[DIRECTIONS], unsigned legal, int move)
{
	double sum = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		sum += legal >> d & 1 ? exp(z[d]) : 0;
	return z[move] - log(sum);
}

/* Settings of an agent, and what they say of gradients. */
struct graded {
	const char *settings;
	double clip;
};

/* What a move's share of the objective is: credit times log chance, or the clipped ratio. */
static double objective(const struct graded *s, const double z[DIRECTIONS], unsigned legal,
			int move, double credit, double before)
{
	const double log_p = log_chance(z, legal, move), ratio = exp(log_p) / before;
	if (s->clip > 0)
		return fmin(credit * ratio, credit * fmax(1 - s->clip, fmin(1 + s->clip, ratio)));
	return credit * log_p;
}

/* X standardised as section 3.2.1 says: mean 0, standard deviation 1. */
static void standardise_plain(double *x, int n)
{
	double mean = 0, squares = 0;
	for (int i = 0; i < n; i++)
		mean += x[i] / n;
	for (int i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean) / n;
	for (int i = 0; i < n; i++)
		x[i] = squares > 0 ? (x[i] - mean) / sqrt(squares) : 0;
}

/*
 * A learner of batches of three games on 2x2, with steps as long as gradients unless SETTINGS say.
 */
static struct agent *stepper_of(const char *settings, struct game *game)
{
	return agent_on(text_of("policy:hidden=1,batch=3,optimiser=sgd,reward=score%s%s%s",
				strstr(settings, "alpha") ? "" : ",alpha=1", *settings ? "," : "",
				settings),
			"2x2", game);
}

/* The step of its outputs, which were Z, along the mean gradient of OWN. */
static void step_take(struct agent *agent, struct own_batch *own, const double z[DIRECTIONS],
		      double step[DIRECTIONS])
{
	struct batch_policy *b = agent->self;
	outputs_set(b, z);
	own_batch_learn(b, own);
	for (size_t d = 0; d < DIRECTIONS; d++)
		step[d] = (double)b->network.weight[0][b->network.net.bias[1] + d] - z[d];
}

/* The first game of three is looked at; in the others no other move than the one made was legal. */
TEST(gradients_are_those_of_finite_differences)
{
	static const struct graded cases[] = {
	    {"", 0}, {"clip=0.2", 0.2}, {"actions=egreedy,gradient=printed", 0}};
	enum { CASES = sizeof cases / sizeof cases[0] };
	struct agent *agents[CASES];
	struct game game;
	struct rng rng;
	for (int i = 0; i < CASES; i++)
		agents[i] = stepper_of(cases[i].settings, &game);
	rng_init(&rng, 5, RNG_TEST, 0);
	for (int i = 0; i < 2000; i++) {
		const struct graded *s = &cases[i % CASES];
		const struct moves moves = {.legal = 1 + rng_below(&rng, 15)};
		const int move = moves_any(&moves, &rng);
		struct own_batch own;
		double z[DIRECTIONS], step[DIRECTIONS], credit[3];
		for (int d = 0; d < DIRECTIONS; d++)
			z[d] = (double)(float)(4 * rng_real(&rng) - 2);
		const double p = exp(log_chance(z, moves.legal, move));
		const double before = fmin(1, p * (0.5 + rng_real(&rng)));
		const double ratio = p / before;
		own_batch_init(&own, 3);
		for (int g = 0; g < 3; g++)
			credit[g] = (double)(own.episode[g].outcome.score = rng_below(&rng, 100));
		if (s->clip > 0 &&
		    (fabs(ratio - 1 - s->clip) < 1e-3 || fabs(ratio - 1 + s->clip) < 1e-3))
			continue; /* the kink */
		standardise_plain(credit, 3);
		own.step[0][0].legal = (uint8_t)moves.legal;
		own.step[0][0].move = (uint8_t)move;
		own.step[0][0].chance = (float)before;
		step_take(agents[i % CASES], &own, z, step);
		for (int d = 0; d < DIRECTIONS; d++) {
			const double h = 1e-5, at = z[d];
			z[d] = at + h;
			const double more = objective(s, z, moves.legal, move, credit[0], before);
			z[d] = at - h;
			const double less = objective(s, z, moves.legal, move, credit[0], before);
			z[d] = at;
			const double want = moves.legal >> d & 1 ? (more - less) / (2 * h) : 0;
			assert_near(3 * step[d], want, 1e-4);
		}
	}
	for (int i = 0; i < CASES; i++)
		agent_free(agents[i]);
}

/*
 * R (A - log P), with P of 1/4 1/4 1/2 over the three legal moves. The games have credit 1.22, 0
 * and -1.22; the last has R (1, 0, 0, 0), for the log P of its only move is 0.
 */
TEST(the_printed_gradient_is_as_printed)
{
	const double z[DIRECTIONS] = {0, 0, 5, log(2)}, credit = sqrt(1.5);
	const double want[DIRECTIONS] = {log(4) - 1, log(4), 0, 1 + log(2)};
	struct own_batch own;
	struct game game;
	double step[DIRECTIONS];
	struct agent *agent = stepper_of("gradient=printed", &game);
	own_batch_init(&own, 3);
	own.step[0][0].legal = 0xb;
	own.step[0][0].move = 3;
	own.episode[0].outcome.score = 20;
	own.episode[1].outcome.score = 10;
	step_take(agent, &own, z, step);
	for (int d = 0; d < DIRECTIONS; d++)
		assert_near(3 * step[d], credit * want[d], 1e-5);
	agent_free(agent);
}

/* Of a move among four even ones, of a game with credit 1.22, the gradient is 1.22 3/4. */
TEST(rates_go_down_and_stay)
{
	static const struct {
		const char *settings;
		uint64_t games;
		double rate;
	} cases[] = {
	    {"alpha=0.01,alpha_end=0.001", 5, 0.01},
	    {"alpha=0.01,alpha_end=0.002,alpha_games=100", 25, 0.008},
	    {"alpha=0.01,alpha_end=0.002,alpha_games=100", 100, 0.002},
	    {"alpha=0.01,alpha_end=0.002,alpha_games=100", 1000, 0.002},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		static const double even[DIRECTIONS] = {0};
		struct own_batch own;
		struct game game;
		double step[DIRECTIONS];
		struct agent *agent = stepper_of(cases[i].settings, &game);
		own_batch_init(&own, 3);
		own.step[0][0].legal = 15;
		own.episode[0].outcome.score = 20;
		own.episode[1].outcome.score = 10;
		((struct batch_policy *)agent->self)->ended = cases[i].games;
		step_take(agent, &own, even, step);
		assert_near(3 * step[0], cases[i].rate * sqrt(1.5) * 0.75, 1e-8);
		agent_free(agent);
	}
}

/* A batch of three games of 3, 1 and 2 moves on 2x2, whose boards nobody played, learned from. */
struct fixture {
	struct game game;
	struct agent *agent;
	const struct example *example;
	struct own_batch own;
};

enum { MOVES = 6 };

static void fixture_make(struct fixture *f, const char *settings)
{
	static const struct {
		int moves;
		uint64_t score;
		float reward[3];
		uint8_t last[2][2];
	} games[3] = {
	    {3, 12, {4, 0, 8}, {{3, 2}, {1, 2}}}, /* sum 8 + 4 + 2 + 4 = 18 */
	    {1, 0, {0}, {{1, 2}, {2, 1}}},	  /* 2 + 4 + 4 + 2 = 12 */
	    {2, 24, {8, 16}, {{4, 1}, {2, 0}}},	  /* 16 + 2 + 4 = 22 */
	};
	f->agent = agent_on(text_of("policy:hidden=8,batch=3,%s", settings), "2x2", &f->game);
	own_batch_init(&f->own, 3);
	for (int g = 0; g < 3; g++) {
		struct outcome *o = &f->own.episode[g].outcome;
		for (int i = 0; i < games[g].moves; i++) {
			struct episode_move *step = &f->own.step[g][i];
			*step = (struct episode_move){
			    .legal = 0xf, .chance = 0.25f, .reward = games[g].reward[i]};
			step->board.cell[0][0] = (uint8_t)(1 + g);
			step->board.cell[1][0] = (uint8_t)(1 + i);
		}
		*o = (struct outcome){.score = games[g].score, .moves = (uint64_t)games[g].moves};
		for (int i = 0; i < 4; i++)
			o->last.cell[i / 2][i % 2] = games[g].last[i / 2][i % 2];
	}
	struct batch_policy *b = f->agent->self;
	b->rules->start(b, 9);
	own_batch_learn(b, &f->own);
	assert_int_equal(b->examples, MOVES);
	f->example = b->example;
}

static void expect_credit(const struct fixture *f, const double want[MOVES])
{
	for (int i = 0; i < MOVES; i++)
		assert_near((double)f->example[i].credit, want[i], 1e-5);
}

TEST(games_are_judged_against_their_batch)
{
	static const struct {
		const char *text;
		double judged[3];
	} cases[] = {
	    {"reward=sum", {18, 12, 22}}, {"reward=score", {12, 0, 24}}, {"reward=max", {8, 4, 16}},
	    {"reward=moves", {3, 1, 2}},  {"reward=win", {0}}, /* equal games teach nothing */
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fixture f;
		double r[3];
		memcpy(r, cases[i].judged, sizeof r);
		standardise_plain(r, 3);
		fixture_make(&f, cases[i].text);
		const double want[MOVES] = {r[0], r[0], r[0], r[1], r[2], r[2]};
		expect_credit(&f, want);
		agent_free(f.agent);
	}
}

/*
 * gamma = 1/2. By score: G of the games 4+0/2+8/4, 0+8/2, 8 | 0 | 8+16/2, 16; the means by move
 * (6+0+16)/3, (4+16)/3, 8/3.
 */
TEST(what_came_after_a_move_is_its_credit)
{
	struct fixture f;
	fixture_make(&f, "reward=score,credit=togo,gamma=0.5");
	const double first = 22.0 / 3, second = 20.0 / 3, third = 8.0 / 3;
	double want[MOVES] = {6 - first, 4 - second, 8 - third, 0 - first, 16 - first, 16 - second};
	standardise_plain(want, MOVES);
	expect_credit(&f, want);
	agent_free(f.agent);
}

/* Boards' sums are 2^(1+g) + 2^(1+i): they grow from move to move, at last to that of the end. */
TEST(sums_and_largest_tiles_grow_move_by_move)
{
	static const struct {
		const char *settings;
		float reward[MOVES];
	} cases[] = {{"reward=sum,credit=togo", {2, 4, 8, 6, 2, 10}},
		     {"reward=max,credit=togo", {2, 4, 0, 0, 0, 8}}};
	for (int k = 0; k < 2; k++) {
		struct fixture f;
		fixture_make(&f, cases[k].settings);
		for (int i = 0; i < MOVES; i++)
			assert_true(f.example[i].reward == cases[k].reward[i]);
		agent_free(f.agent);
	}
}

/* A network of one output, like the critic of AGENT. */
static void critic_init(struct staged_network *critic, const struct agent *agent)
{
	const struct staged_network *actor = &((const struct batch_policy *)agent->self)->network;
	struct staged_plan plan = actor->plan;
	struct why why;
	plan.width[plan.layers - 1] = 1;
	assert_int_equal(staged_init(critic, agent->game, &plan, &why), STATUS_OK);
}

/* The sums written out, against the first weights of a critic: those of network 1 of the seed. */
TEST(credit_against_a_critic_is_the_sum_of_its_errors)
{
	const double gamma = 0.9, lambda = 0.7;
	const int first[3] = {0, 3, 4}, moves[3] = {3, 1, 2};
	struct fixture f;
	struct staged_network critic;
	struct staged_work work;
	struct why why;
	double value[MOVES], want[MOVES];
	fixture_make(&f, "reward=score,credit=critic,gamma=0.9,lambda=0.7");
	critic_init(&critic, f.agent);
	staged_start(&critic, 9, 1);
	assert_int_equal(staged_work_init(&work, &critic, 1, &why), STATUS_OK);
	for (int i = 0; i < MOVES; i++) {
		float out[1][DIRECTIONS];
		staged_outputs(&critic, &work, &f.example[i].board, 1, out);
		value[i] = (double)out[0][0];
	}
	staged_work_fini(&work);
	staged_fini(&critic);
	for (int g = 0; g < 3; g++)
		for (int i = 0; i < moves[g]; i++) {
			double sum = 0, factor = 1;
			for (int k = i; k < moves[g]; k++, factor *= gamma * lambda) {
				const int at = first[g] + k;
				const double next = k + 1 < moves[g] ? value[at + 1] : 0;
				sum += factor * ((1 - gamma) * (double)f.own.step[g][k].reward +
						 gamma * next - value[at]);
			}
			want[first[g] + i] = sum;
			assert_near((double)f.example[first[g] + i].target,
				    sum + value[first[g] + i], 1e-5);
		}
	standardise_plain(want, MOVES);
	expect_credit(&f, want);
	agent_free(f.agent);
}

/* Stages of exponents 4 and 7: begun one after the other, when a tenth of the boards are there. */
TEST(a_stage_begins_with_what_the_one_before_has_learned)
{
	static const int high[] = {9, 10, 10, 10}, live[] = {1, 2, 3, 3};
	struct game game;
	game_of("4x4", &game);
	struct agent *agent =
	    agent_of("policy:hidden=33,8,stages=16+128,alpha=0,optimiser=sgd,batch=10", &game);
	struct batch_policy *b = agent->self;
	b->rules->start(b, 1);
	assert_memory_not_equal(b->network.weight[0], b->network.weight[1], 1000);
	for (int n = 0; n < 4; n++) {
		struct own_batch own;
		own_batch_init(&own, 10);
		for (int i = 0; i < 100; i++) {
			own.episode[i % 10].outcome.moves = 10;
			own.step[i % 10][i / 10].board.cell[0][0] = i < high[n] ? 9 : 3;
		}
		own_batch_learn(b, &own);
		assert_int_equal(b->network.live, live[n]);
		for (int s = 1; s < live[n]; s++)
			assert_memory_equal(b->network.weight[s - 1], b->network.weight[s],
					    b->network.net.size * sizeof(float));
	}
	agent_free(agent);
}

enum { END = 40 };

/* Reads into CRITIC the critic in AGENT's file: weights, three sections of its optimiser. */
static void critic_read(struct staged_network *critic, const struct agent *agent)
{
	struct why why;
	save(agent, path);
	struct model_file *file = sections_skip(path, head_take(path).sections - 4, &why);
	critic_init(critic, agent);
	staged_sections(critic, file);
	assert_int_equal(model_status(file), STATUS_OK);
	model_close(file);
}

/* The number of layers in which the critics of A and B differ; PATH is lost. */
static int layers_differ(const struct agent *a, const struct agent *b)
{
	struct staged_network p, q;
	int differ = 0;
	critic_read(&p, a);
	critic_read(&q, b);
	for (int l = 0; l < p.net.layers; l++) {
		const size_t at = p.net.weight[l], size = p.net.bias[l] - at;
		differ += memcmp(p.weight[0] + at, q.weight[0] + at, size * sizeof(float)) != 0;
	}
	staged_fini(&p);
	staged_fini(&q);
	return differ;
}

static void expect_same_critic(const struct agent *a, const struct agent *b)
{
	assert_int_equal(layers_differ(a, b), 0);
}

/* Who starts with the weights of another plays like it, and goes on under settings of its own. */
TEST(learning_can_begin_with_the_weights_of_another)
{
	struct game game;
	struct agent *first =
	    agent_on("policy:hidden=12,credit=critic,optimiser=adam,alpha=0.001", "3x3", &game);
	train(first, 30, UINT64_MAX);
	save(first, path);
	struct agent *second =
	    agent_of(text_of("policy:hidden=12,credit=critic,alpha=0.003,weights=%s", path), &game);
	expect_same_games(first, second);
	assert_int_equal(second->class->trained(second->self), 0);
	const struct batch_policy *a = first->self, *b = second->self;
	expect_same_critic(first, second);
	save(first, path);
	train(second, 10, UINT64_MAX);
	assert_memory_not_equal(a->network.weight[0], b->network.weight[0],
				a->network.net.size * sizeof(float));
	/*
	 * Its own file tells where its weights came from, and needs that file no more to be played.
	 */
	save(second, other);
	unlink(path);
	agent_free(learned_from("policy", other, &game));
	save(first, path);
	expect_refused(text_of("policy:hidden=13,weights=%s", path), &game,
		       "expected 'one-hot cells of 11 levels, widths 13-4'");
	expect_refused("policy:weights=no/such/model", &game, "no/such/model");
	agent_free(first);
	agent_free(second);
}

/* The file of AGENT as OTHER, with a critic of which only the last bias is not 0, but 5. */
static void last_bias_forge(const struct agent *agent)
{
	unsigned char record[8 + 4 * 64 + 8] = {0};
	struct staged_network critic;
	critic_init(&critic, agent);
	const size_t at = critic.net.bias[critic.net.layers - 1];
	staged_fini(&critic);
	field_put64(record, at / 64);
	field_put32(record + 8 + 4 * (at % 64), 0x40a00000); /* 5.0 */
	field_put64(record + sizeof record - 8, UINT64_MAX);
	section_forge(-4, record, sizeof record);
}

/*
 * The other policy has no critic to give: trained without one, not at all, or with one that had no
 * weights and learned nothing but its last bias. The critic begins as it does without that policy,
 * and all of its layers learn; to be saved and read before that changes nothing.
 */
TEST(a_critic_that_is_not_inherited_begins_anew)
{
	static const char *const others[] = {
	    "policy:hidden=12,credit=game", "policy:hidden=12,credit=togo",
	    "policy:hidden=12,credit=critic", "policy:hidden=12,credit=critic"};
	struct game game;
	game_of("3x3", &game);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		struct agent *first = agent_of(others[i], &game);
		if (i < 2)
			train(first, 30, UINT64_MAX);
		save(first, path);
		if (i == 3)
			last_bias_forge(first);
		const char *text =
		    text_of("policy:hidden=12,credit=critic,optimiser=adam,alpha=0.001,weights=%s",
			    i == 3 ? other : path);
		struct agent *second = agent_of(text, &game), *third = agent_of(text, &game);
		struct agent *alone = agent_of("policy:hidden=12,credit=critic", &game);
		expect_same_games(first, second);
		save(second, other);
		load(third, other);
		train(alone, 5, UINT64_MAX);
		train(second, 5, UINT64_MAX);
		expect_same_critic(second, alone);
		train(second, 40, UINT64_MAX);
		train(third, 40, UINT64_MAX);
		expect_same_critic(second, third);
		assert_int_equal(layers_differ(second, alone), 2);
		agent_free(first);
		agent_free(second);
		agent_free(third);
		agent_free(alone);
	}
}

/*
 * Stages that live by inheritance are live in files, too, before they have made a step: a learner
 * that stops before that goes on with the weights it has, and does not begin the stage anew.
 */
TEST(inherited_stages_survive_a_stop_before_their_first_step)
{
	static const char *const credits[][2] = {
	    {"game", "game"}, {"critic", "critic"}, {"togo", "critic"}};
	struct game game;
	char text[256], base[96];
	game_of("2x3", &game);
	snprintf(base, sizeof base, "%s/base", folder);
	for (size_t i = 0; i < sizeof credits / sizeof credits[0]; i++) {
		struct agent *first =
		    agent_of(text_of("policy:hidden=9,stages=8+16,optimiser=adam,batch=5,credit=%s",
				     credits[i][0]),
			     &game);
		train(first, 60, UINT64_MAX);
		assert_int_equal(((struct batch_policy *)first->self)->network.live, 3);
		save(first, base);
		snprintf(text, sizeof text,
			 "policy:hidden=9,stages=8+16,batch=20,credit=%s,weights=%s", credits[i][1],
			 base);
		struct agent *second = agent_of(text, &game);
		save(second, path);
		struct agent *third = learned_from("policy", path, &game);
		expect_same_games(first, third);
		save(third, other);
		expect_equal_files(text);
		train_and_save(text, &game, 1, END, path);
		train(third, END, UINT64_MAX);
		save(third, other);
		expect_equal_files(text);
		train_in_pieces(text, "policy", &game, END, other);
		expect_equal_files(text);
		agent_free(first);
		agent_free(second);
		agent_free(third);
		unlink(base);
	}
}

/* A game as it is recorded: its moves, each with the board that it left. */
struct recording {
	struct record record;
	struct record_move move[10000];
	struct board after;
	int made; /* -1: none */
};

static void spawn_record(struct recording *r, const struct board *now)
{
	if (r->made >= 0)
		r->move[r->record.moves++] = record_move_of(r->made, &r->after, now);
	else
		r->record.start = *now;
}

static bool move_keep(void *context, const struct turn *turn, int move,
		      const struct decision *decision)
{
	struct recording *r = context;
	(void)decision;
	spawn_record(r, turn->board);
	r->made = move;
	r->after = turn->moves.after[move];
	return true;
}

/* Games of the agent TEACHER, as a file. */
static void record_games(const char *teacher, const struct game *game, int games, const char *to)
{
	static struct recording r;
	struct record_writer writer;
	struct why why;
	struct agent *agent = agent_of(teacher, game);
	if (record_writer_open(&writer, to, "nobody", NULL, &why))
		fail_msg("%s", why.text);
	for (uint64_t g = 0; g < (uint64_t)games; g++) {
		struct outcome outcome;
		r = (struct recording){.record.finished = true, .made = -1};
		assert_true(play_game(agent, 3, g, &(struct play_watch){move_keep, &r}, &outcome));
		spawn_record(&r, &outcome.last);
		r.record.move = r.move;
		r.record.score = outcome.score;
		r.record.max_exponent = outcome.max_exponent;
		const struct record_line line = {
		    .game = game, .player = teacher, .record = r.record};
		assert_int_equal(record_writer_append(&writer, &line, &why), STATUS_OK);
	}
	assert_int_equal(append_close(&writer.file, &why), STATUS_OK);
	agent_free(agent);
}

/* Who is asked what he would have played, and how often that is what was played. */
struct pupil {
	struct agent *agent;
	int same, moves;
};

static bool move_compare(void *context, const struct turn *turn, int move,
			 const struct decision *decision)
{
	struct pupil *pupil = context;
	struct decision own;
	(void)decision;
	pupil->same += turn_ask(pupil->agent, turn, 0, &own) == move;
	pupil->moves++;
	return true;
}

/* How often AGENT makes the move that TEACHER makes, on positions of the latter's games. */
static double agreement(struct agent *agent, const char *teacher, const struct game *game)
{
	struct agent *player = agent_of(teacher, game);
	struct pupil pupil = {.agent = agent};
	for (uint64_t g = 0; g < 20; g++) {
		struct outcome outcome;
		play_game(player, 4, g, &(struct play_watch){move_compare, &pupil}, &outcome);
	}
	agent_free(player);
	return (double)pupil.same / pupil.moves;
}

/* Shown 60 games of corners and nothing else, it mostly plays like corners. */
TEST(recorded_games_are_learned_from)
{
	struct game game;
	game_of("3x3", &game);
	unlink(other);
	record_games("corners", &game, 60, other);
	struct agent *agent = agent_of(text_of("policy:hidden=64,32,optimiser=adam,alpha=0.003,"
					       "demonstrations=%s,demo_only=1000",
					       other),
				       &game);
	const double before = agreement(agent, "corners", &game);
	train(agent, 4000 / SANITIZED_SHARE, UINT64_MAX);
	const double after = agreement(agent, "corners", &game);
	if (after < before + (SANITIZED_SHARE == 1 ? 0.25 : 0.05))
		fail_msg("agreement %g before, %g after", before, after);
	/*
	 * A stop in the midst of this changes nothing either, and a file needs no recorded games.
	 */
	save(agent, path);
	agent_free(agent);
	unlink(other);
	agent = learned_from("policy", path, &game);
	assert_true(agreement(agent, "corners", &game) == after);
	agent_free(agent);
}

/* Recorded games that are better than those of the batch are followed along with them. */
TEST(recorded_games_are_part_of_a_batch)
{
	struct game game;
	game_of("3x3", &game);
	unlink(other);
	record_games("expectimax:depth=1,value=strong", &game, 10, other);
	struct agent *agent = agent_of(
	    text_of("policy:hidden=16,demonstrations=%s,demo_games=5,batch=5", other), &game);
	train(agent, 5, UINT64_MAX);
	const struct batch_policy *b = agent->self;
	struct records records;
	double own = 0, shown = 0;
	size_t demos = 0;
	for (size_t i = 0; i < b->examples; i++) {
		demos += b->example[i].chance == 0;
		*(b->example[i].chance == 0 ? &shown : &own) += (double)b->example[i].credit;
	}
	size_t recorded = 0;
	assert_int_equal(records_read(other, &game, &records, NULL), STATUS_OK);
	for (int g = 0; g < 5; g++)
		recorded += records.game[g].moves;
	records_free(&records);
	assert_int_equal(demos, recorded);
	/* Depth 1 plays far better than an untrained network: its games are above the mean. */
	assert_true(shown / (double)demos > 0 && own / (double)(b->examples - demos) < 0);
	agent_free(agent);
	unlink(other);
}

/* Fitting to nine recorded games, two a batch: five batches show each of them. */
enum { FIT_GAMES = 9, FIT_SHOWN = 2, FIT_WINDOW = 5, FIT_BATCH = 2 };

static const char *fit_spec(const char *settings)
{
	return text_of(
	    "policy:hidden=16,optimiser=adam,alpha=0.003,batch=%d,demonstrations=%s/shown,"
	    "demo_games=%d,demo_only=1000,stages=32,minibatch=40%s",
	    FIT_BATCH, folder, FIT_SHOWN, settings);
}

/* The games to fit to, on 3x3. */
static const char *fit_games(struct game *game)
{
	const char *shown = text_of("%s/shown", folder);
	game_of("3x3", game);
	record_games("corners", game, FIT_GAMES, shown);
	return shown;
}

/* Adds up -log of the chances that AGENT gives to the moves of RECORD; their number. */
static size_t record_loss(struct agent *agent, const struct record *record, double *loss)
{
	struct board board = record->start;
	for (size_t i = 0; i < record->moves; i++) {
		const struct record_move *move = &record->move[i];
		struct turn turn;
		double chance[1][DIRECTIONS];
		turn_init(&turn, agent->game, &board, 0);
		agent->class->chances(agent->self, &turn, 1, chance);
		*loss -= log(chance[0][move->direction]);
		board = turn.moves.after[move->direction];
		if (move->exponent)
			*board_at(&board, move->place) = move->exponent;
	}
	return record->moves;
}

/* The loss of each of COUNT windows, by an agent that never looks at it itself. */
static void window_losses(const struct game *game, const struct records *records, int count,
			  double *loss)
{
	struct agent *agent = agent_of(fit_spec(""), game);
	train(agent, 0, 1); /* first weights */
	for (int w = 0; w < count; w++) {
		size_t moves = 0;
		loss[w] = 0;
		for (int i = w * FIT_WINDOW; i < (w + 1) * FIT_WINDOW; i++) {
			for (int g = i * FIT_SHOWN; g < (i + 1) * FIT_SHOWN; g++)
				moves +=
				    record_loss(agent, &records->game[g % FIT_GAMES], &loss[w]);
			train(agent, (uint64_t)(i + 1) * FIT_BATCH, UINT64_MAX);
		}
		loss[w] /= (double)moves;
	}
	agent_free(agent);
}

/* Moves of the last batch that are of its own games; those of recorded ones have no chance. */
static int own_moves(const struct agent *agent)
{
	const struct batch_policy *b = agent->self;
	int own = 0;
	for (size_t i = 0; i < b->examples; i++)
		own += b->example[i].chance > 0;
	return own;
}

/* After how many batches the fit of AGENT ended, or 0, and the loss of the last window. */
static uint64_t fit_of(const struct agent *agent, double *loss)
{
	static unsigned char bytes[SECTION_ROOM];
	save(agent, path);
	assert_int_equal(section_take(path, -1, bytes), 40);
	*loss = field_get_double(bytes + 32);
	return field_get64(bytes);
}

TEST(a_fit_to_recorded_games_ends_when_a_window_gains_too_little)
{
	enum { WINDOWS = 12 };
	struct game game;
	struct records records;
	double loss[WINDOWS];
	int last = 1;
	const char *shown = fit_games(&game);
	assert_int_equal(records_read(shown, &game, &records, NULL), STATUS_OK);
	window_losses(&game, &records, WINDOWS, loss);
	assert_true(loss[1] < loss[0]);
	/* A tolerance that not the first window to be compared undercuts. */
	const double tolerance = 0.2 * (loss[0] - loss[1]);
	while (last < WINDOWS && loss[last - 1] - loss[last] >= tolerance)
		last++;
	assert_in_range(last, 3, WINDOWS - 1);
	const uint64_t ended = (uint64_t)(last + 1) * FIT_WINDOW;

	struct agent *agent = agent_of(fit_spec(text_of(",demo_tolerance=%.6g", tolerance)), &game);
	double at;
	train(agent, (ended - 1) * FIT_BATCH, UINT64_MAX);
	assert_int_equal(fit_of(agent, &at), 0);
	assert_int_equal(own_moves(agent), 0);
	train(agent, ended * FIT_BATCH, UINT64_MAX);
	assert_int_equal(fit_of(agent, &at), ended);
	assert_near(at, loss[last], 1e-6);
	/* From now on its own games are learned from as well. */
	train(agent, (ended + 1) * FIT_BATCH, UINT64_MAX);
	assert_true(own_moves(agent) > 0);
	assert_int_equal(fit_of(agent, &at), ended);
	agent_free(agent);
	records_free(&records);
	unlink(text_of("%s/shown", folder));
}

/* Trained to the end of a fit and beyond: at once, on threads, and stopped within windows. */
TEST(a_fit_may_be_stopped_and_shared_by_threads)
{
	enum { GAMES = 40 * FIT_BATCH + 1 };
	static unsigned char fit[SECTION_ROOM];
	char text[512];
	struct game game;
	fit_games(&game);
	snprintf(text, sizeof text, "%s", fit_spec(",demo_tolerance=0.02,credit=critic"));
	train_and_save(text, &game, 1, GAMES, path);
	train_and_save(text, &game, 3, GAMES, other);
	expect_equal_files(text);
	for (uint64_t done = 0; done < GAMES;) {
		struct agent *agent = agent_of(text, &game);
		if (done)
			load(agent, other);
		done += train(agent, GAMES, 7).ended;
		save(agent, other);
		agent_free(agent);
	}
	expect_equal_files(text);
	/* The head tells what came of it, and the file plays without the recorded games. */
	const struct model_header head = head_take(path);
	const char *told = strstr(head.layout, "; recorded games: converged after ");
	assert_non_null(told);
	assert_int_equal(strtol(told + 34, NULL, 10) % FIT_WINDOW, 0);
	assert_non_null(strstr(told, " batches, loss 0."));
	unlink(text_of("%s/shown", folder));
	agent_free(learned_from("policy", path, &game));
	/* A loss that is no number is none that was written. */
	const size_t fit_size = section_take(path, -1, fit);
	field_put_double(fit + fit_size - 8, (double)NAN);
	section_forge(-1, fit, fit_size);
	expect_refused(text_of("policy:%s", other), &game, "a loss that cannot be");
}

TESTS(folder_setup, folder_remove)
