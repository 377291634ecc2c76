/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Temporal difference learning against updates by hand, a plain trainer that follows the head
 * comment of agents/ntuple/td.c, and optimal play.
 *
 * The plain trainer plays one game after the other by boards/oracle.h, and keeps weights by what
 * tuples show. Where it chooses moves itself its sums are floats in the order of network_sum(),
 * since near ties are decided by the last bit; with epsilon = 1 no move depends on a value, and it
 * would agree in any order.
 */
#include "agents/ntuple/ntuple.h"
#include "tests/agents/learning.h"
#include "tests/agents/value_of.h"
#include "boards/oracle.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>

enum { TUPLES_MAX = 4 };

/* What is learned how; 0 stands for a value in settings_complete(). */
struct settings {
	const char *shape, *tuples;
	bool iso;
	enum td_rule rule;
	enum td_order order;
	enum td_rate rate;
	enum td_error error;
	enum td_terminal terminal;
	enum td_decay decay;
	enum td_lost lost;
	double init, alpha, lambda, gamma, epsilon;
	int alpha_games, trace, retries;
};

static const double alpha_end = 0.01;

static struct settings settings_complete(struct settings s)
{
	s.shape = s.shape ? s.shape : "2x3";
	s.tuples = s.tuples ? s.tuples : "0134,012";
	s.alpha = s.alpha > 0 ? s.alpha : 0.25;
	s.gamma = s.gamma > 0 ? s.gamma : 1;
	s.trace = s.lambda > 0 ? s.trace ? s.trace : 5 : 1;
	return s;
}

static const char *settings_format(const struct settings *s)
{
	return text_of("ntuple:tuples=%s,share=%s,levels=64,init=%g,rule=%s,update=%s,rate=%s,"
		       "alpha=%g,alpha_end=%g,alpha_games=%d,decay=%s,lambda=%g,trace=%d,gamma=%g,"
		       "epsilon=%g,error=%s,terminal=%s,retries=%d,lost=%s,lanes=1",
		       s->tuples, s->iso ? "orbit" : "none", s->init,
		       (const char *[]){"td-after", "td-state", "q"}[s->rule],
		       (const char *[]){"forward", "backward"}[s->order],
		       (const char *[]){"fixed", "tc", "visits"}[s->rate], s->alpha, alpha_end,
		       s->alpha_games, (const char *[]){"linear", "geometric"}[s->decay], s->lambda,
		       s->trace, s->gamma, s->epsilon, (const char *[]){"linear", "sqrt"}[s->error],
		       (const char *[]){"zero", "neg-score"}[s->terminal], s->retries,
		       (const char *[]){"estimate", "zero"}[s->lost]);
}

/* A weight, and what is known of its updates. */
struct plain_weight {
	float w, sum, size;
};

struct plain_step {
	struct board x;
	double reward;
};

enum { KEPT_MAX = 1000, STEPS_MAX = 4096 };

struct plain {
	struct settings s;
	const struct game *game;
	int levels, tuples, length[TUPLES_MAX], cell[TUPLES_MAX][PATTERN_CELLS];
	struct plain_weight *weight[TUPLES_MAX];
	struct plain_step path[STEPS_MAX];
	int steps;
	/* Where the game has been, every TRAIL_STEP moves. */
	struct outcome trail[KEPT_MAX];
	int noted, retried;
};

static struct plain *plain_new(const struct settings *s, const struct game *game)
{
	struct plain *p = calloc(1, sizeof *p);
	assert_non_null(p);
	p->s = *s;
	p->game = game;
	p->levels = game->max_exponent + 1;
	for (const char *at = s->tuples; *at; at += *at == ',') {
		size_t size = 1;
		int *length = &p->length[p->tuples];
		for (; *at && *at != ','; at++, size *= (size_t)p->levels)
			p->cell[p->tuples][(*length)++] = *at - '0';
		p->weight[p->tuples] = calloc(size, sizeof(struct plain_weight));
		assert_non_null(p->weight[p->tuples++]);
	}
	return p;
}

static void plain_free(struct plain *p)
{
	for (int t = 0; t < p->tuples; t++)
		free(p->weight[t]);
	free(p);
}

static int plain_features(const struct plain *p)
{
	return p->tuples * (p->s.iso ? p->game->symmetries : 1);
}

static struct plain_weight *plain_weight(const struct plain *p, const struct board *board, int f)
{
	const int images = p->s.iso ? p->game->symmetries : 1, t = f / images;
	struct board image;
	size_t shown = 0;
	board_symmetry(p->game, f % images, board, &image);
	for (int j = 0; j < p->length[t]; j++) {
		const int cell = p->cell[t][j];
		shown = shown * (size_t)p->levels +
			image.cell[cell / p->game->cols][cell % p->game->cols];
	}
	return &p->weight[t][shown];
}

static double plain_value(const struct plain *p, const struct board *board)
{
	const int features = plain_features(p);
	float sum[4] = {0};
	for (int f = 0; f < features; f++)
		sum[f < features / 4 * 4 ? f % 4 : 0] += plain_weight(p, board, f)->w;
	return (double)((float)p->s.init + ((sum[0] + sum[1]) + (sum[2] + sum[3])));
}

static double plain_alpha(const struct plain *p, uint64_t game)
{
	const double part = p->s.alpha_games ? fmin((double)game / p->s.alpha_games, 1) : 0;
	if (p->s.decay == DECAY_LINEAR)
		return p->s.alpha + (alpha_end - p->s.alpha) * part;
	return p->s.alpha * pow(alpha_end / p->s.alpha, part);
}

static void plain_adjust(struct plain *p, double alpha, const struct board *x, double delta)
{
	const int m = plain_features(p);
	const double root = copysign(sqrt(fabs(alpha * delta)), delta);
	const float step = (float)(p->s.error == ERROR_SQRT ? root : alpha * delta / m);
	float rate[64];
	for (int f = 0; f < m; f++) {
		const struct plain_weight *w = plain_weight(p, x, f);
		rate[f] = p->s.rate == RATE_TC && w->size > 0 ? fabsf(w->sum) / w->size : 1;
	}
	for (int f = 0; f < m; f++) {
		struct plain_weight *w = plain_weight(p, x, f);
		w->sum += (float)delta;
		w->size += p->s.rate == RATE_VISITS ? 1 : fabsf((float)delta);
		w->w += p->s.rate == RATE_VISITS ? step / sqrtf(w->size) : rate[f] * step;
	}
}

/* E V over what may appear on AFTER. */
static double plain_expected(const struct plain *p, const struct board *after)
{
	const struct game *game = p->game;
	double mean = 0;
	for (int kind = 0; kind < game->spawn.kinds; kind++) {
		double sum = 0;
		int n = 0;
		for (int r = 0; r < game->rows; r++)
			for (int c = 0; c < game->cols; c++) {
				struct board next = *after;
				struct moves moves;
				if (next.cell[r][c])
					continue;
				next.cell[r][c] = game->spawn.exponent[kind];
				oracle_moves(game, &next, &moves);
				sum += moves.legal || p->s.lost == LOST_ESTIMATE
					   ? plain_value(p, &next)
					   : 0;
				n++;
			}
		mean += game->spawn.probability[kind] * sum / n;
	}
	return mean;
}

static double plain_move_value(const struct plain *p, const struct moves *moves, int d)
{
	switch (p->s.rule) {
	case RULE_TD_AFTER:
		return (double)moves->reward[d] + plain_value(p, &moves->after[d]);
	case RULE_TD_STATE:
		return (double)moves->reward[d] + plain_expected(p, &moves->after[d]);
	default:
		return plain_value(p, &moves->after[d]);
	}
}

/* The first of the best moves. */
static int plain_best(const struct plain *p, const struct moves *moves, double *value)
{
	int best = -1;
	for (int d = 0; d < DIRECTIONS; d++) {
		const double v = moves->legal >> d & 1 ? plain_move_value(p, moves, d) : 0;
		if (moves->legal >> d & 1 && (best < 0 || v > *value)) {
			best = d;
			*value = v;
		}
	}
	return best;
}

static void plain_forward(struct plain *p, double alpha, double reward, double next)
{
	double delta = reward + p->s.gamma * next - plain_value(p, &p->path[p->steps - 1].x);
	for (int k = 0; k < p->s.trace && k < p->steps; k++) {
		plain_adjust(p, alpha, &p->path[p->steps - 1 - k].x, delta);
		delta *= p->s.gamma * p->s.lambda;
	}
}

static void plain_backward(struct plain *p, double alpha, double last)
{
	double target = last;
	for (int t = p->steps - 1; t >= 0; t--) {
		plain_adjust(p, alpha, &p->path[t].x, target - plain_value(p, &p->path[t].x));
		if (t == 0)
			break;
		const double reward = p->path[p->s.rule == RULE_TD_AFTER ? t : t - 1].reward;
		target = reward + p->s.gamma * ((1 - p->s.lambda) * plain_value(p, &p->path[t].x) +
						p->s.lambda * target);
	}
}

static void plain_end(struct plain *p, double alpha, const struct outcome *outcome)
{
	double last = p->s.rule == RULE_TD_AFTER ? 0 : p->path[p->steps - 1].reward;
	if (p->s.terminal == TERMINAL_NEG_SCORE)
		last = -(double)outcome->score;
	if (p->s.order == ORDER_BACKWARD)
		plain_backward(p, alpha, last);
	else
		plain_forward(p, alpha, last, 0);
}

/* What a position whose best move is BEST, worth VALUE, teaches about the x before it. */
static void plain_middle(struct plain *p, double alpha, const struct board *board,
			 const struct moves *moves, int best, double value)
{
	const double before = p->path[p->steps - 1].reward, reward = (double)moves->reward[best];
	if (p->s.rule == RULE_TD_AFTER)
		plain_forward(p, alpha, reward, plain_value(p, &moves->after[best]));
	else if (p->s.rule == RULE_TD_STATE)
		plain_forward(p, alpha, before, plain_value(p, board));
	else
		plain_forward(p, alpha, before, value);
}

static void plain_start(struct plain *p, struct rng *rng, struct outcome *outcome)
{
	*outcome = (struct outcome){0};
	p->steps = 0;
	board_start(p->game, &outcome->last, rng);
}

static void plain_move(struct plain *p, const struct moves *moves, int d, struct rng *rng,
		       struct outcome *outcome)
{
	assert_true(p->steps < STEPS_MAX);
	p->path[p->steps++] = (struct plain_step){
	    p->s.rule == RULE_TD_STATE ? outcome->last : moves->after[d], (double)moves->reward[d]};
	outcome->last = moves->after[d];
	outcome->score += moves->reward[d];
	outcome->moves++;
	board_spawn(p->game, &outcome->last, rng);
}

static int plain_explore(const struct plain *p, const struct moves *moves, int best,
			 struct rng *rng)
{
	int legal[DIRECTIONS], n = 0;
	if (p->s.epsilon <= 0 || rng_real(rng) >= p->s.epsilon)
		return best;
	for (int d = 0; d < DIRECTIONS; d++)
		if (moves->legal >> d & 1)
			legal[n++] = d;
	return legal[rng_below(rng, (uint32_t)n)];
}

/* Plays and learns until the game is lost. */
static void plain_play(struct plain *p, double alpha, struct rng *rng, struct outcome *outcome)
{
	for (;;) {
		struct moves moves;
		double value = 0;
		if (outcome->moves % TRAIL_STEP == 0) {
			assert_true(p->noted < KEPT_MAX);
			p->trail[p->noted++] = *outcome;
		}
		oracle_moves(p->game, &outcome->last, &moves);
		const int best = plain_best(p, &moves, &value);
		if (best < 0)
			break;
		if (p->s.order == ORDER_FORWARD && p->steps)
			plain_middle(p, alpha, &outcome->last, &moves, best, value);
		plain_move(p, &moves, plain_explore(p, &moves, best, rng), rng, outcome);
	}
	if (p->steps)
		plain_end(p, alpha, outcome);
}

static void plain_game(struct plain *p, uint64_t seed, uint64_t number, struct outcome *outcome)
{
	const double alpha = plain_alpha(p, number);
	struct rng rng;
	rng_init(&rng, seed, RNG_TRAIN, number);
	plain_start(p, &rng, outcome);
	p->noted = 0;
	plain_play(p, alpha, &rng, outcome);
	struct outcome now = *outcome;
	for (p->retried = 0; p->retried < p->s.retries; p->retried++) {
		p->noted -= (int)pow(p->noted, rng_real(&rng));
		now.last = p->trail[p->noted].last;
		now.score = p->trail[p->noted++].score;
		p->steps = 0;
		plain_play(p, alpha, &rng, &now);
	}
	outcome->moves = now.moves;
	outcome->max_exponent = board_max(&outcome->last);
}

/* V of POSITION, by the value of the agent's file; with rule=q that is of the best move. */
static double network_value(const struct agent *agent, const char *position)
{
	const struct board board = board_of(agent->game, position);
	double x;
	save(agent, path);
	struct value *value = value_of(text_of("ntuple:%s", path), "", agent->game);
	value_eval(value, &board, 1, &x);
	value_free(value);
	return x;
}

/* What AGENT says of move D in POSITION. */
static double move_value(struct agent *agent, const char *position, int d)
{
	struct decision v;
	text_ask(agent, position, &v);
	return v.value[d];
}

static bool near(double x, double want)
{
	return fabs(x - want) < 1e-4 * (1 + fabs(want));
}

/* Values of moves in BOARD, and the choice, by the agent and by the plain trainer. */
static void expect_same_decision(struct agent *agent, const struct plain *p,
				 const struct board *board, const char *text)
{
	struct turn turn;
	struct decision v = {.value = {NAN, NAN, NAN, NAN}};
	turn_init(&turn, agent->game, board, 0);
	if (!turn.moves.legal)
		return;
	const int move = agent->class->act(agent->self, &turn, NULL, &v);
	for (int d = 0; d < DIRECTIONS; d++) {
		const bool legal = turn.moves.legal >> d & 1;
		assert_int_equal(legal, !isnan(v.value[d]));
		if (legal && !near(v.value[d], plain_move_value(p, &turn.moves, d)))
			fail_msg("%s: move %d is worth %g, not %g", text, d, v.value[d],
				 plain_move_value(p, &turn.moves, d));
		if (legal && d != move)
			assert_true(d < move ? v.value[d] < v.value[move]
					     : v.value[d] <= v.value[move]);
	}
	assert_true(turn.moves.legal >> move & 1);
}

static void expect_same_values(struct agent *agent, const struct plain *p, const char *text)
{
	struct rng rng;
	rng_init(&rng, 5, RNG_TEST, 0);
	for (int i = 0; i < 20; i++) {
		struct board board;
		random_board(agent->game, i % RANDOM_KINDS, &rng, &board);
		expect_same_decision(agent, p, &board, text);
	}
	for (int i = 0; i < p->steps; i++)
		expect_same_decision(agent, p, &p->path[i].x, text);
}

/* GAMES training games by both, which must agree in every one and in what was learned. */
static void expect_agreement(struct settings s, uint64_t games)
{
	struct game game;
	s = settings_complete(s);
	const char *text = settings_format(&s);
	game_of(s.shape, &game);
	struct agent *agent = agent_of(text, &game);
	struct plain *p = plain_new(&s, &game);
	for (uint64_t i = 0; i < games; i++) {
		struct outcome outcome, want;
		outcome = train_to(agent, i + 1);
		plain_game(p, 1, i, &want);
		if (outcome.score != want.score || outcome.moves != want.moves ||
		    !board_equal(&outcome.last, &want.last) ||
		    outcome.max_exponent != want.max_exponent || outcome.partial != want.partial)
			fail_msg("%s: game %d has %llu points, not %llu", text, (int)i,
				 (unsigned long long)outcome.score, (unsigned long long)want.score);
	}
	expect_same_values(agent, p, text);
	agent_free(agent);
	plain_free(p);
}

/* All combinations of rule, update, rate, error and terminal reward; the rest varies along. */
static struct settings combination(int i)
{
	static const struct {
		const char *shape, *tuples;
	} boards[] = {
	    {"2x3", "0134,012"}, {"2x2", "0123"}, {"3x3", "0124,0134,345"}, {"3x2", "01,2345,3"}};
	return (struct settings){
	    .rule = (enum td_rule)(i % 3),
	    .rate = (enum td_rate)(i / 3 % 3),
	    .order = (enum td_order)(i / 9 % 2),
	    .error = (enum td_error)(i / 18 % 2),
	    .terminal = (enum td_terminal)(i / 36 % 2),
	    .lambda = (double)(i % 5) / 4,
	    .trace = 1 + i % 7,
	    .gamma = i % 8 ? 1 : 0.9,
	    .shape = boards[i % 4].shape,
	    .tuples = boards[i % 4].tuples,
	    .iso = i / 4 % 2,
	    .init = i % 11 == 0 ? 50 : 0,
	    .alpha = i % 6 ? 0.25 : 1,
	    .alpha_games = i % 7 == 3 ? 15 : 0,
	    .decay = (enum td_decay)(i / 7 % 2),
	    .lost = (enum td_lost)(i / 3 % 2),
	};
}

enum { COMBINATIONS = 72, GAMES = 30 / SANITIZED_SHARE + 5 };

/* All of them, by random games and by the best moves; then some with part of both. */
TEST(games_are_those_of_a_plain_trainer)
{
	static const struct {
		double epsilon[2]; /* of even and of odd ones */
		bool goes_back;
		int step;
	} cases[] = {
	    {{1, 1}, false, 1}, {{0, 0}, false, 1}, {{0.3, 0.3}, false, 5}, {{0, 0.5}, true, 5}};
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
		for (int i = 0; i < COMBINATIONS; i += cases[k].step) {
			struct settings s = combination(i);
			s.epsilon = cases[k].epsilon[i % 2];
			s.retries = cases[k].goes_back ? 1 + i % 4 : 0;
			expect_agreement(s, GAMES);
		}
}

/*
 * With nothing but fours appearing, and the first of equal moves made, this game has two moves:
 *
 *	0 2  up     8 2  right, 8 points   8 2
 *	8 4  -->    4 4  -------------->   0 8 4, lost
 *
 * The rows have a table each, so m = 2; alpha is 0.5, and V = 0 before. After-states are then worth
 * a (8,2/0,4) and b (8,2/0,8), which share their first row, positions c (0,2/8,4) and d (8,2/4,4).
 */
TEST(an_update_is_what_it_is_by_hand)
{
	static const struct {
		const char *settings;
		double x, y; /* values after the game: a and b, or c and d */
	} cases[] = {
	    /* 8 for a; b is then 2, and ends: -2 for b. */
	    {"rule=td-after", 2 + 1.5, 1.5 - 0.5},
	    /* The same with half of -2 for a. */
	    {"rule=td-after,lambda=0.5,trace=2", 1.25 + 1.75, 1.25 - 0.5},
	    {"rule=td-after,lambda=0.5,trace=1", 2 + 1.5, 1.5 - 0.5},
	    /* -8 - 2 for b. */
	    {"rule=td-after,terminal=neg-score", 2 - 0.5, -0.5 - 2.5},
	    /* 0 for b, then 8 for a. */
	    {"rule=td-after,update=backward", 4, 2},
	    /* -8 for b, which is then -4: 8 - 4 - -2 for a. */
	    {"rule=td-after,update=backward,terminal=neg-score", -2 + 2 * 1.5, -4 + 1.5},
	    /* a aims at 8 + G, G = -8: 0 - -2. */
	    {"rule=td-after,update=backward,terminal=neg-score,lambda=1", -2 + 2 * 0.5, -4 + 0.5},
	    /* b aims at 8 + 0 - 0; a at 0 + 0 before. */
	    {"rule=q", 2, 4},
	    {"rule=q,terminal=neg-score", -2, -4},
	    /* 8 for b, which is then 4: 0 + 4 - 2 for a, which has had 2. */
	    {"rule=q,update=backward", 2 + 2 * 0.5, 4 + 0.5},
	    {"rule=q,update=backward,gamma=0.5", 2, 4},
	    /* sqrt(0.5 8) = 2 for every weight, the same as a half of a half of 8; of 2: */
	    {"rule=q,error=sqrt,update=backward", 2 + 2, 4 + 1},
	    /* 2 are the updates of 8,2: the second has 1 / sqrt(2) of its step. */
	    {"rule=td-after,rate=visits", 4 - 0.5 * M_SQRT1_2, 1.5 - 0.5 * M_SQRT1_2},
	    /* 8 for d, and nothing is known of c; or c aims at d. */
	    {"rule=td-state", 0, 4},
	    {"rule=td-state,update=backward", 2, 4},
	    {"rule=td-state,update=backward,lambda=1", 4, 4},
	};
	struct game game;
	game_make(&(struct game_options){.spawn = "4:1", .start = "0,2/8,4"}, &game);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const bool states = strstr(cases[i].settings, "td-state");
		double x, y;
		const char *text =
		    text_of("ntuple:tuples=01,23,share=none,alpha=0.5,%s", cases[i].settings);
		struct agent *agent = agent_of(text, &game);
		const struct outcome outcome = train_to(agent, 1);
		assert_int_equal(outcome.score, 8);
		assert_int_equal(outcome.moves, 2);
		assert_int_equal(outcome.max_exponent, 3);
		x = states ? network_value(agent, "0,2/8,4") : move_value(agent, "0,2/8,4", UP);
		y = states ? network_value(agent, "8,2/4,4") : move_value(agent, "8,2/4,4", RIGHT);
		y -= strstr(cases[i].settings, "td-after") ? 8 : 0; /* the points of the move */
		if (!near(x, cases[i].x) || !near(y, cases[i].y))
			fail_msg("%s: %g and %g, expected %g and %g", text, x, y, cases[i].x,
				 cases[i].y);
		agent_free(agent);
	}
}

/* What is learned on a smaller board first is what training there teaches. */
TEST(games_of_a_curriculum_are_those_of_its_board)
{
	enum { EARLY = 60 };
	static const char tuples[] = "ntuple:tuples=rectangles=2x2+rectangles=1x3,share=all,"
				     "lanes=1,rate=tc,curriculum_alpha=0.5";
	static const char *const positions[] = {"2,4,0/8,2,0/0,0,0", "4,0,0/0,2,16/0,8,0",
						"2,2,2/4,4,4/8,8,8"};
	struct game small, large;
	struct outcome outcome;
	game_of("2x3", &small);
	game_of("3x3", &large);
	struct agent *there = agent_of(text_of("%s,alpha=0.5", tuples), &small);
	const struct outcome last = train_to(there, EARLY);
	save(there, other);
	agent_free(there);
	struct agent *first =
	    agent_of(text_of("%s,alpha=0.01,curriculum=2x3:%d", tuples, EARLY), &large);
	outcome = train_to(first, EARLY);
	assert_true(outcome.score == last.score && outcome.moves == last.moves);
	assert_memory_equal(&outcome.last, &last.last, sizeof last.last);
	struct agent *moved = agent_of(text_of("%s,weights=%s", tuples, other), &large);
	for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
		assert_true(network_value(first, positions[i]) ==
			    network_value(moved, positions[i]));
		assert_true(network_value(first, positions[i]) != 0);
	}
	/* The next game is one of the board. */
	outcome = train_to(first, EARLY + 1);
	unsigned below = 0;
	for (int c = 0; c < large.cols; c++)
		below |= outcome.last.cell[2][c];
	assert_true(below > 0);
	agent_free(first);
	agent_free(moved);
}

/* In game 1 the rate has come to its end, but for a geometric one from 0. */
TEST(from_a_rate_of_nothing_no_factor_leads_on)
{
	struct game game;
	game_make(&(struct game_options){.spawn = "4:1", .start = "0,2/8,4"}, &game);
	for (int linear = 0; linear < 2; linear++) {
		struct agent *agent =
		    agent_of(text_of("ntuple:tuples=01,23,share=none,alpha=0,alpha_end=0.5,"
				     "alpha_games=1,decay=%s",
				     linear ? "linear" : "geometric"),
			     &game);
		train_to(agent, 1);
		assert_true(network_value(agent, "8,2/0,4") == 0);
		train_to(agent, 2);
		assert_int_equal(network_value(agent, "8,2/0,4") != 0, linear);
		agent_free(agent);
	}
}

/* Scores of the games in the order they ended. */
struct scores {
	uint64_t score[256];
	int count;
};

static bool take_score(void *context, const struct outcome *outcome)
{
	struct scores *scores = context;
	scores->score[scores->count++ % 256] = outcome->score;
	return true;
}

static void scores_of(const char *text, const struct game *game, struct scores *scores)
{
	struct agent *agent = agent_of(text, game);
	*scores = (struct scores){0};
	agent->class->learn(
	    agent->self,
	    &(struct training_request){
		.seed = 3, .end = 100, .threads = 1, .over = take_score, .context = scores});
	assert_int_equal(scores->count, 100);
	agent_free(agent);
}

static int score_compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Without learning a game depends on its number alone. */
TEST(lanes_do_not_touch_each_other_s_games)
{
	struct game game;
	struct scores one, many;
	game_of("4x3", &game);
	scores_of("ntuple:alpha=0,epsilon=0.2,lanes=1", &game, &one);
	scores_of("ntuple:alpha=0,epsilon=0.2,lanes=9", &game, &many);
	assert_memory_not_equal(one.score, many.score, sizeof one.score);
	qsort(one.score, 100, sizeof one.score[0], score_compare);
	qsort(many.score, 100, sizeof many.score[0], score_compare);
	assert_memory_equal(one.score, many.score, sizeof one.score);
}

TESTS(folder_setup, folder_remove)
