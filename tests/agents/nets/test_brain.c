/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Optimisers against their formulas in double precision; brains that look at boards: symmetry, stages,
 * inputs; steps that are the same for any number of threads.
 */
#include "agents/nets/fit.h"
#include "tests/games.h"
#include "tests/random_board.h"

#include <math.h>

enum { BOARDS = 300 };

/* Plans of brains, on shapes. */
static const struct {
	const char *shape;
	struct brain_plan plan;
} brains[] = {
    {"4x4", {.levels = 16, .layers = 3, .width = {20, 10, 4}, .stages = 1}},
    {"3x3", {.levels = 9, .layers = 2, .width = {17, 4}, .stages = 1, .canonical = true}},
    {"3x4", {.levels = 5, .layers = 2, .width = {16, 4}, .stages = 1, .canonical = true}},
    {"4x4", {.levels = 16, .layers = 3, .width = {33, 8, 4}, .stages = 3, .threshold = {4, 7}}},
    {"5x5", {.exponents = true, .levels = 26, .layers = 2, .width = {9, 4}, .stages = 1}},
    {"6x6",
     {.levels = 36,
      .layers = 2,
      .width = {8, 4},
      .stages = 2,
      .threshold = {9},
      .canonical = true}},
    {"2x3", {.levels = 7, .layers = 2, .width = {8, 1}, .stages = 1, .canonical = true}},
};
enum { BRAINS = sizeof brains / sizeof brains[0] };

static void brain_of(int i, struct game *game, struct brain *brain)
{
	struct why why;
	struct brain_plan plan = brains[i].plan;
	plan.start = START_TORCH;
	plan.last = 1;
	game_of(brains[i].shape, game);
	if (brain_init(brain, game, &plan, &why))
		fail_msg("%s", why.text);
	brain_start(brain, 7, (uint64_t)i);
	brain->live = plan.stages;
}

static void boards_draw(const struct game *game, struct board *board, const struct board **at)
{
	struct rng rng;
	rng_init(&rng, 77, RNG_TEST, 0);
	for (int i = 0; i < BOARDS; i++) {
		random_board(game, i % RANDOM_KINDS, &rng, &board[i]);
		at[i] = &board[i];
	}
}

static void outputs_of(const struct brain *brain, const struct board *const *at, size_t n,
		       float (*out)[DIRECTIONS])
{
	struct brain_work work;
	struct why why;
	assert_int_equal(brain_work_init(&work, brain, n, &why), STATUS_OK);
	brain_outputs(brain, &work, at, n, out);
	brain_work_fini(&work);
}

/* One output by its definition: input by input, layer by layer, in double precision. */
static double output_plain(const struct brain *brain, const struct board *board, int unit)
{
	const struct perceptron *p = &brain->net;
	const struct brain_plan *plan = &brain->plan;
	int stage = 0, cell = 0;
	while (stage < plan->stages - 1 && board_max(board) >= plan->threshold[stage])
		stage++;
	const float *w = brain->weight[stage];
	double now[64] = {0}, next[64];
	for (int j = 0; j < p->width[0]; j++)
		now[j] = (double)w[p->bias[0] + (size_t)j];
	for (int r = 0; r < brain->game->rows; r++)
		for (int c = 0; c < brain->game->cols; c++, cell++) {
			int k = board->cell[r][c];
			const int level = k < plan->levels ? k : plan->levels - 1;
			const int row = plan->exponents ? cell : cell * plan->levels + level;
			for (int j = 0; j < p->width[0]; j++)
				now[j] +=
				    (plan->exponents ? k : 1) *
				    (double)
					w[p->weight[0] + (size_t)row * p->stride[0] + (size_t)j];
		}
	for (int l = 1; l < p->layers; l++) {
		for (int j = 0; j < p->width[l]; j++) {
			next[j] = (double)w[p->bias[l] + (size_t)j];
			for (int i = 0; i < p->width[l - 1]; i++)
				next[j] +=
				    fmax(now[i], 0) *
				    (double)w[p->weight[l] + (size_t)i * p->stride[l] + (size_t)j];
		}
		memcpy(now, next, sizeof now);
	}
	return now[unit];
}

static void outputs_are_those_of_the_stage_s_network(void **state)
{
	(void)state;
	for (int i = 0; i < BRAINS; i++) {
		struct game game;
		struct brain brain;
		struct board board[BOARDS];
		const struct board *at[BOARDS];
		float out[BOARDS][DIRECTIONS];
		if (brains[i].plan.canonical)
			continue;
		brain_of(i, &game, &brain);
		boards_draw(&game, board, at);
		outputs_of(&brain, at, BOARDS, out);
		for (int b = 0; b < BOARDS; b++)
			for (int d = 0; d < DIRECTIONS; d++)
				assert_true(fabs((double)out[b][d] -
						 output_plain(&brain, at[b], d)) < 1e-4);
		brain_fini(&brain);
	}
}

static bool symmetric(const struct game *game, const struct board *board)
{
	bool any = false;
	for (int i = 1; i < game->symmetries; i++) {
		struct board image;
		board_symmetry(game, i, board, &image);
		any |= board_equal(&image, board);
	}
	return any;
}

/* Compares what BRAIN says of BOARD and of one image; the number of moves compared. */
static int compare_image(const struct brain *brain, const struct board *board, int image)
{
	const struct game *game = brain->game;
	struct board turned, after;
	const struct board *two[2] = {board, &turned};
	float out[2][DIRECTIONS];
	struct moves moves, turned_moves;
	const bool one = brain->net.width[brain->net.layers - 1] == 1;
	int compared = 0;
	board_symmetry(game, image, board, &turned);
	outputs_of(brain, two, 2, out);
	game->moves(board, &moves);
	game->moves(&turned, &turned_moves);
	for (int d = 0; d < DIRECTIONS; d++) {
		int found = 0, where = 0;
		board_symmetry(game, image, &moves.after[d], &after);
		for (int e = 0; e < DIRECTIONS && moves.legal >> d & 1; e++)
			if (turned_moves.legal >> e & 1 &&
			    board_equal(&after, &turned_moves.after[e])) {
				found++;
				where = e;
			}
		/* Two moves to one after-state do not tell which image of a move is which. */
		if (found == 1)
			assert_true(out[0][one ? 0 : d] == out[1][one ? 0 : where]);
		compared += found == 1;
	}
	return compared;
}

/*
 * Of an image, a canonical brain says the same of the move that leads to the image of the same
 * after-state.
 */
static void canonical_brains_know_all_images(void **state)
{
	(void)state;
	for (int i = 0; i < BRAINS; i++) {
		struct game game;
		struct brain brain;
		struct board board[BOARDS];
		const struct board *at[BOARDS];
		int compared = 0;
		if (!brains[i].plan.canonical)
			continue;
		brain_of(i, &game, &brain);
		boards_draw(&game, board, at);
		for (int b = 0; b < BOARDS; b++)
			for (int image = 1; image < game.symmetries; image++)
				if (!symmetric(&game, at[b]))
					compared += compare_image(&brain, at[b], image);
		assert_true(compared > BOARDS);
		brain_fini(&brain);
	}
}

/* Wants to grow: sum over d of (d + 1 + i % 3) * out[d]. */
static void grade_plain(void *context, size_t i, const float out[DIRECTIONS],
			float back[DIRECTIONS])
{
	(void)context;
	(void)out;
	for (int d = 0; d < DIRECTIONS; d++)
		back[d] = (float)(d + 1) + (float)(i % 3);
}

/* Steps do what they say with any number of threads, to the last bit. */
static void threads_do_not_change_a_step(void **state)
{
	(void)state;
	for (int i = 0; i < BRAINS; i++) {
		float *first = NULL;
		for (int threads = 1; threads <= 5; threads++) {
			struct game game;
			struct brain brain;
			struct fit fit;
			struct board board[BOARDS];
			const struct board *at[BOARDS];
			struct thread_team *team = NULL;
			struct why why;
			brain_of(i, &game, &brain);
			boards_draw(&game, board, at);
			assert_int_equal(fit_init(&fit, &brain, OPTIMISER_ADAM, &why), STATUS_OK);
			assert_int_equal(fit_ready(&fit, &why), STATUS_OK);
			fit_rates(&fit, 0.9, 0.99, 1e-8);
			if (threads > 1)
				assert_int_equal(thread_team_new(threads, &team, &why), STATUS_OK);
			const struct fit_step step = {.board = at,
						      .n = BOARDS,
						      .grade = grade_plain,
						      .alpha = 0.01,
						      .weight = 1.0 / BOARDS};
			for (int k = 0; k < 3; k++)
				fit_make(&fit, team, &step);
			const size_t size = brain.net.size * sizeof *first;
			float *last = brain.weight[brain.plan.stages - 1];
			if (!first)
				first = memcpy(malloc(size), last, size);
			assert_memory_equal(first, last, size);
			thread_team_free(team);
			fit_fini(&fit);
			brain_fini(&brain);
		}
		free(first);
	}
}

static void one_step_goes_along_the_mean_gradient(void **state)
{
	(void)state;
	struct game game;
	struct brain brain;
	struct fit fit;
	struct board board[BOARDS];
	const struct board *at[BOARDS];
	float before[BOARDS][DIRECTIONS];
	struct why why;
	brain_of(0, &game, &brain);
	boards_draw(&game, board, at);
	assert_int_equal(fit_init(&fit, &brain, OPTIMISER_SGD, &why), STATUS_OK);
	assert_int_equal(fit_ready(&fit, &why), STATUS_OK);
	outputs_of(&brain, at, BOARDS, before);
	const struct fit_step step = {.board = at,
				      .n = BOARDS,
				      .grade = grade_plain,
				      .alpha = 1,
				      .weight = 1.0 / BOARDS,
				      .last = true};
	const float *w = brain.weight[0];
	const struct perceptron *p = &brain.net;
	float bias[DIRECTIONS];
	memcpy(bias, w + p->bias[2], sizeof bias);
	const float elsewhere = w[p->weight[0] + 3];
	fit_make(&fit, NULL, &step);
	/* The mean of d + 1 + i % 3 over 300 boards is d + 2; only the last layer has moved. */
	for (int d = 0; d < DIRECTIONS; d++)
		assert_true(fabsf(w[p->bias[2] + (size_t)d] - bias[d] - (float)(d + 2)) < 1e-4f);
	assert_true(w[p->weight[0] + 3] == elsewhere);
	fit_fini(&fit);
	brain_fini(&brain);
}

/* Stages of exponents 4 and 7: begun one after the other, when a tenth of the boards are there. */
static void stages_begin_with_what_the_one_before_has_learned(void **state)
{
	(void)state;
	struct game game;
	struct brain brain;
	struct board low = {0}, high = {0};
	const struct board *at[100];
	float out[3][DIRECTIONS];
	brain_of(3, &game, &brain);
	brain.live = 1;
	low.cell[0][0] = 3;
	high.cell[0][0] = 9;
	for (int i = 0; i < 100; i++)
		at[i] = i < 9 ? &high : &low;
	assert_false(brain_promote(&brain, at, 100));
	at[99] = &high;
	outputs_of(&brain, at, 1, &out[0]);
	assert_true(brain_promote(&brain, at, 100));
	assert_int_equal(brain.live, 2);
	outputs_of(&brain, at, 1, &out[1]);
	assert_memory_equal(out[0], out[1], sizeof out[0]);
	/* From now on they go their own ways. */
	brain.weight[0][brain.net.bias[2]] += 1;
	outputs_of(&brain, at, 1, &out[2]);
	assert_memory_equal(out[1], out[2], sizeof out[1]);
	assert_true(brain_promote(&brain, at, 100));
	assert_false(brain_promote(&brain, at, 100));
	brain_fini(&brain);
}

enum { STEPS = 5 };

/* The formulas of optimiser.h for one weight out of a layer, by themselves. */
static double optimise_plain(enum optimiser_kind kind, double w, const double g[STEPS],
			     const double layer[STEPS])
{
	const double a = 0.01, rho1 = 0.9, rho = 0.99, eps = 1e-5;
	double m = 0, s = 0;
	for (int t = 1; t <= STEPS; t++) {
		const double x = g[t - 1];
		switch (kind) {
		case OPTIMISER_SGD:
			w += a * x;
			break;
		case OPTIMISER_RMSPROP:
			s = rho * s + (1 - rho) * x * x;
			w += a * x / (sqrt(s) + eps);
			break;
		case OPTIMISER_RMSPROP_NORM:
			s = rho * s + (1 - rho) * layer[t - 1];
			w += a * x / (sqrt(s) + eps);
			break;
		case OPTIMISER_ADAM:
			m = rho1 * m + (1 - rho1) * x;
			s = rho * s + (1 - rho) * x * x;
			w += a * (m / (1 - pow(rho1, t))) / (sqrt(s / (1 - pow(rho, t))) + eps);
		}
	}
	return w;
}

static void optimisers_follow_their_formulas(void **state)
{
	(void)state;
	const int width[2] = {3, 2};
	struct perceptron p;
	perceptron_init(&p, ISA_PORTABLE, 5, 2, 2, width);
	for (int kind = OPTIMISER_SGD; kind <= OPTIMISER_ADAM; kind++) {
		struct optimiser o;
		struct why why;
		float *w = perceptron_array(&p), *g = perceptron_array(&p);
		double history[STEPS], layer[STEPS];
		const size_t at = p.weight[1] + p.stride[1] + 1;
		struct rng rng;
		rng_init(&rng, 3, RNG_TEST, (uint64_t)kind);
		assert_int_equal(optimiser_init(&o, &p, (enum optimiser_kind)kind, &why),
				 STATUS_OK);
		o.rho1 = 0.9;
		o.rho = 0.99;
		o.eps = 1e-5;
		for (int t = 0; t < STEPS; t++) {
			layer[t] = 0;
			for (size_t i = 0; i < p.size; i++) {
				g[i] = (float)(rng_real(&rng) - 0.3);
				if (i >= p.weight[1])
					layer[t] += (double)g[i] * (double)g[i];
			}
			history[t] = (double)g[at];
			optimiser_begin(&o, &p, g);
			/* In two pieces, one of which ends in the midst of a layer. */
			optimiser_step(&o, &p, 0.01, g, w, 0, 32);
			optimiser_step(&o, &p, 0.01, g, w, 32, p.size);
		}
		const double want = optimise_plain((enum optimiser_kind)kind, 0, history, layer);
		assert_true(fabs((double)w[at] - want) < 1e-6);
		optimiser_fini(&o);
		free(w);
		free(g);
	}
}

static void borrowed_weights_are_the_owner_s(void **state)
{
	(void)state;
	struct game game;
	struct brain owner, borrower;
	brain_of(3, &game, &owner);
	brain_borrow(&borrower, &owner);
	for (int s = 0; s < owner.plan.stages; s++)
		assert_ptr_equal(owner.weight[s], borrower.weight[s]);
	brain_fini(&borrower);
	brain_fini(&owner);
}

static void levels_follow_the_shape(void **state)
{
	(void)state;
	static const struct {
		const char *shape;
		int levels;
	} cases[] = {{"2x2", 6}, {"3x3", 11}, {"4x4", 16}, {"5x5", 25}, {"6x6", 36}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		game_of(cases[i].shape, &game);
		assert_int_equal(brain_levels(&game), cases[i].levels);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(outputs_are_those_of_the_stage_s_network),
	    cmocka_unit_test(canonical_brains_know_all_images),
	    cmocka_unit_test(threads_do_not_change_a_step),
	    cmocka_unit_test(one_step_goes_along_the_mean_gradient),
	    cmocka_unit_test(stages_begin_with_what_the_one_before_has_learned),
	    cmocka_unit_test(optimisers_follow_their_formulas),
	    cmocka_unit_test(borrowed_weights_are_the_owner_s),
	    cmocka_unit_test(levels_follow_the_shape),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
