/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Optimisers against their formulas in double precision; networks that look at boards: symmetry,
 * stages, inputs; steps that are the same for any number of threads.
 */
#include "agents/nets/staged_network.c"
#include "agents/nets/policy.c"
#include "tests/games.h"
#include "tests/random_board.h"

#include <math.h>

enum { BOARDS = 300 };

/* Plans of networks, on shapes. */
static const struct {
	const char *shape;
	struct staged_plan plan;
} networks[] = {
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
enum { NETWORKS = sizeof networks / sizeof networks[0] };

static void network_of(int i, struct game *game, struct staged_network *network)
{
	struct why why;
	struct staged_plan plan = networks[i].plan;
	plan.start = START_TORCH;
	plan.last = 1;
	game_of(networks[i].shape, game);
	if (staged_init(network, game, &plan, &why))
		fail_msg("%s", why.text);
	staged_start(network, 7, (uint64_t)i);
	network->live = plan.stages;
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

static void outputs_of(const struct staged_network *network, const struct board *const *at,
		       size_t n, float (*out)[DIRECTIONS])
{
	struct staged_work work;
	struct why why;
	assert_int_equal(staged_work_init(&work, network, n, &why), STATUS_OK);
	staged_outputs(network, &work, at, n, out);
	staged_work_fini(&work);
}

/* One output by its definition: input by input, layer by layer, in double precision. */
static double output_plain(const struct staged_network *network, const struct board *board,
			   int unit)
{
	const struct perceptron *p = &network->net;
	const struct staged_plan *plan = &network->plan;
	int stage = 0, cell = 0;
	while (stage < plan->stages - 1 && board_max(board) >= plan->threshold[stage])
		stage++;
	const float *w = network->weight[stage];
	double now[64] = {0}, next[64];
	for (int j = 0; j < p->width[0]; j++)
		now[j] = (double)w[p->bias[0] + (size_t)j];
	for (int r = 0; r < network->game->rows; r++)
		for (int c = 0; c < network->game->cols; c++, cell++) {
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
	for (int i = 0; i < NETWORKS; i++) {
		struct game game;
		struct staged_network network;
		struct board board[BOARDS];
		const struct board *at[BOARDS];
		float out[BOARDS][DIRECTIONS];
		if (networks[i].plan.canonical)
			continue;
		network_of(i, &game, &network);
		boards_draw(&game, board, at);
		outputs_of(&network, at, BOARDS, out);
		for (int b = 0; b < BOARDS; b++)
			for (int d = 0; d < DIRECTIONS; d++)
				assert_true(fabs((double)out[b][d] -
						 output_plain(&network, at[b], d)) < 1e-4);
		staged_fini(&network);
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
static int compare_image(const struct staged_network *network, const struct board *board, int image)
{
	const struct game *game = network->game;
	struct board turned, after;
	const struct board *two[2] = {board, &turned};
	float out[2][DIRECTIONS];
	struct moves moves, turned_moves;
	const bool one = network->net.width[network->net.layers - 1] == 1;
	int compared = 0;
	board_symmetry(game, image, board, &turned);
	outputs_of(network, two, 2, out);
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
 * Of an image, a canonical network says the same of the move that leads to the image of the same
 * after-state.
 */
static void canonical_brains_know_all_images(void **state)
{
	(void)state;
	for (int i = 0; i < NETWORKS; i++) {
		struct game game;
		struct staged_network network;
		struct board board[BOARDS];
		const struct board *at[BOARDS];
		int compared = 0;
		if (!networks[i].plan.canonical)
			continue;
		network_of(i, &game, &network);
		boards_draw(&game, board, at);
		for (int b = 0; b < BOARDS; b++)
			for (int image = 1; image < game.symmetries; image++)
				if (!symmetric(&game, at[b]))
					compared += compare_image(&network, at[b], image);
		assert_true(compared > BOARDS);
		staged_fini(&network);
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
	for (int i = 0; i < NETWORKS; i++) {
		float *first = NULL;
		for (int threads = 1; threads <= 5; threads++) {
			struct game game;
			struct staged_network network;
			struct gradient gradient;
			struct board board[BOARDS];
			const struct board *at[BOARDS];
			struct thread_team *team = NULL;
			struct why why;
			network_of(i, &game, &network);
			boards_draw(&game, board, at);
			assert_int_equal(
			    gradient_init(&gradient, &network, OPTIMISER_ADAM, 0.99, 1e-8, &why),
			    STATUS_OK);
			assert_int_equal(gradient_reserve(&gradient, &why), STATUS_OK);
			if (threads > 1)
				assert_int_equal(thread_team_new(threads, &team, &why), STATUS_OK);
			const struct gradient_batch batch = {.board = at,
							     .n = BOARDS,
							     .grade = grade_plain,
							     .alpha = 0.01,
							     .weight = 1.0 / BOARDS};
			for (int k = 0; k < 3; k++)
				gradient_step(&gradient, team, &batch);
			const size_t size = network.net.size * sizeof *first;
			float *last = network.weight[network.plan.stages - 1];
			if (!first)
				first = memcpy(malloc(size), last, size);
			assert_memory_equal(first, last, size);
			thread_team_free(team);
			gradient_fini(&gradient);
			staged_fini(&network);
		}
		free(first);
	}
}

static void one_step_goes_along_the_mean_gradient(void **state)
{
	(void)state;
	struct game game;
	struct staged_network network;
	struct gradient gradient;
	struct board board[BOARDS];
	const struct board *at[BOARDS];
	float before[BOARDS][DIRECTIONS];
	struct why why;
	network_of(0, &game, &network);
	boards_draw(&game, board, at);
	assert_int_equal(gradient_init(&gradient, &network, OPTIMISER_SGD, 0, 0, &why), STATUS_OK);
	assert_int_equal(gradient_reserve(&gradient, &why), STATUS_OK);
	outputs_of(&network, at, BOARDS, before);
	const struct gradient_batch batch = {.board = at,
					     .n = BOARDS,
					     .grade = grade_plain,
					     .alpha = 1,
					     .weight = 1.0 / BOARDS,
					     .last = true};
	const float *w = network.weight[0];
	const struct perceptron *p = &network.net;
	float bias[DIRECTIONS];
	memcpy(bias, w + p->bias[2], sizeof bias);
	const float elsewhere = w[p->weight[0] + 3];
	gradient_step(&gradient, NULL, &batch);
	/* The mean of d + 1 + i % 3 over 300 boards is d + 2; only the last layer has moved. */
	for (int d = 0; d < DIRECTIONS; d++)
		assert_true(fabsf(w[p->bias[2] + (size_t)d] - bias[d] - (float)(d + 2)) < 1e-4f);
	assert_true(w[p->weight[0] + 3] == elsewhere);
	gradient_fini(&gradient);
	staged_fini(&network);
}

/* Stages of exponents 4 and 7: begun one after the other, when a tenth of the boards are there. */
static void stages_begin_with_what_the_one_before_has_learned(void **state)
{
	(void)state;
	struct game game;
	struct staged_network network;
	struct board low = {0}, high = {0};
	const struct board *at[100];
	float out[3][DIRECTIONS];
	network_of(3, &game, &network);
	network.live = 1;
	low.cell[0][0] = 3;
	high.cell[0][0] = 9;
	for (int i = 0; i < 100; i++)
		at[i] = i < 9 ? &high : &low;
	assert_false(staged_promote(&network, at, 100));
	at[99] = &high;
	outputs_of(&network, at, 1, &out[0]);
	assert_true(staged_promote(&network, at, 100));
	assert_int_equal(network.live, 2);
	outputs_of(&network, at, 1, &out[1]);
	assert_memory_equal(out[0], out[1], sizeof out[0]);
	/* From now on they go their own ways. */
	network.weight[0][network.net.bias[2]] += 1;
	outputs_of(&network, at, 1, &out[2]);
	assert_memory_equal(out[1], out[2], sizeof out[1]);
	assert_true(staged_promote(&network, at, 100));
	assert_false(staged_promote(&network, at, 100));
	staged_fini(&network);
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
		assert_int_equal(
		    optimiser_init(&o, &p, (enum optimiser_kind)kind, 0.99, 1e-5, &why), STATUS_OK);
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
	struct staged_network owner, borrower;
	network_of(3, &game, &owner);
	staged_borrow(&borrower, &owner);
	for (int s = 0; s < owner.plan.stages; s++)
		assert_ptr_equal(owner.weight[s], borrower.weight[s]);
	staged_fini(&borrower);
	staged_fini(&owner);
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
		assert_int_equal(staged_levels(&game), cases[i].levels);
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
