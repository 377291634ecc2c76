/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks that look at boards against plain loops in double precision and finite differences of
 * them: inputs, stages, symmetry; optimisers against their formulas; the same bits from every
 * instruction set, however batches are cut, and for any number of threads.
 */
#include "agents/nets/staged_network.h"
#include "tests/games.h"
#include "tests/near.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>

enum { SEED = 20487, BOARDS = 300, UNITS = 256 };

/* Plans of networks, on shapes. */
static const struct {
	const char *shape;
	struct staged_plan plan;
} networks[] = {
    {"4x4", {.layers = 3, .width = {20, 10, 4}, .stages = 1}},
    {"3x3", {.layers = 2, .width = {17, 4}, .stages = 1, .canonical = true}},
    {"3x4", {.layers = 2, .width = {16, 4}, .stages = 1, .canonical = true}},
    {"4x4", {.layers = 3, .width = {33, 8, 4}, .stages = 3, .threshold = {4, 7}}},
    {"5x5", {.exponents = true, .layers = 2, .width = {9, 4}, .stages = 1}},
    {"6x6", {.layers = 2, .width = {8, 4}, .stages = 2, .threshold = {9}, .canonical = true}},
    {"2x3", {.layers = 2, .width = {8, 1}, .stages = 1, .canonical = true}},
    {"4x4", {.exponents = true, .layers = 3, .width = {200, 100, 4}, .stages = 1}},
    {"6x6", {.layers = 3, .width = {64, 32, 4}, .stages = 1}},
    {"2x2", {.exponents = true, .layers = 1, .width = {4}, .stages = 1}},
    {"2x3", {.layers = 4, .width = {1, 17, 16, 4}, .stages = 2, .threshold = {3}}},
    {"2x5", {.layers = 5, .width = {15, 31, 1, 18, 4}, .stages = 1}},
    {"3x4", {.layers = 3, .width = {95, 130, 1}, .stages = 1}},
};
enum { NETWORKS = sizeof networks / sizeof networks[0] };

static void network_init(struct staged_network *network, const struct game *game,
			 const struct staged_plan *plan)
{
	struct why why;
	if (staged_init(network, game, plan, &why))
		fail_msg("%s", why.text);
}

static void network_of(int i, struct game *game, struct staged_network *network)
{
	struct staged_plan plan = networks[i].plan;
	plan.torch = true;
	game_of(networks[i].shape, game);
	network_init(network, game, &plan);
	staged_start(network, 7, (uint64_t)i);
	network->live = plan.stages;
	/* Stages of their own. */
	for (int s = 1; s < plan.stages; s++)
		for (size_t k = 0; k < network->net.size; k++)
			network->weight[s][k] *= 1 - 0.25F * (float)s;
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

/* A weight that differs from the one in the array: what finite differences are made of. */
struct nudge {
	const float *weight;
	double by;
};

static double nudged(const float *weight, const struct nudge *nudge)
{
	return (double)*weight + (nudge && nudge->weight == weight ? nudge->by : 0);
}

/* The outputs by their definition: input by input, layer by layer, in double precision. */
static void outputs_plain(const struct staged_network *network, const struct board *board,
			  const struct nudge *nudge, double now[UNITS])
{
	const struct perceptron *p = &network->net;
	const struct staged_plan *plan = &network->plan;
	double next[UNITS];
	int stage = 0;
	while (stage < plan->stages - 1 && board_max(board) >= plan->threshold[stage])
		stage++;
	const float *w = network->weight[stage];
	for (int j = 0; j < p->width[0]; j++)
		now[j] = nudged(&w[p->bias[0] + (size_t)j], nudge);
	for (int cell = 0; cell < network->game->cells; cell++) {
		const int k = board->cell[cell / network->game->cols][cell % network->game->cols];
		const int level = k < network->levels ? k : network->levels - 1;
		const int row = plan->exponents ? cell : cell * network->levels + level;
		const float *from = &w[p->weight[0] + (size_t)row * p->stride[0]];
		for (int j = 0; j < p->width[0]; j++)
			now[j] += (plan->exponents ? k : 1) * nudged(&from[j], nudge);
	}
	for (int l = 1; l < p->layers; l++) {
		for (int j = 0; j < p->width[l]; j++)
			next[j] = nudged(&w[p->bias[l] + (size_t)j], nudge);
		for (int i = 0; i < p->width[l - 1]; i++)
			for (int j = 0; j < p->width[l] && now[i] > 0; j++)
				next[j] +=
				    now[i] *
				    nudged(&w[p->weight[l] + (size_t)i * p->stride[l] + (size_t)j],
					   nudge);
		memcpy(now, next, sizeof next);
	}
}

static int outputs_count(const struct staged_network *network)
{
	return network->net.width[network->net.layers - 1];
}

TEST(outputs_are_those_of_plain_loops_in_the_stage_of_a_board)
{
	for (int i = 0; i < NETWORKS * ISAS; i++) {
		struct game game;
		struct staged_network network;
		struct board board[BOARDS];
		const struct board *at[BOARDS];
		float out[BOARDS][DIRECTIONS];
		if (networks[i / ISAS].plan.canonical || !isa_ask((enum isa)(i % ISAS)))
			continue;
		network_of(i / ISAS, &game, &network);
		boards_draw(&game, board, at);
		outputs_of(&network, at, BOARDS, out);
		for (int b = 0; b < BOARDS; b++) {
			double plain[UNITS];
			outputs_plain(&network, at[b], NULL, plain);
			for (int d = 0; d < DIRECTIONS; d++) {
				const double want = d < outputs_count(&network) ? plain[d] : 0;
				assert_near((double)out[b][d], want, 1e-5 * fmax(1, fabs(want)));
			}
		}
		staged_fini(&network);
	}
	unsetenv("NXN_ISA");
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

/* Compares what NETWORK says of BOARD and of one image; the number of moves compared. */
static int compare_image(const struct staged_network *network, const struct board *board, int image)
{
	struct board turned;
	const struct board *two[2] = {board, &turned};
	float out[2][DIRECTIONS];
	struct moves moves;
	const bool one = outputs_count(network) == 1;
	board_symmetry(network->game, image, board, &turned);
	outputs_of(network, two, 2, out);
	network->game->moves(board, &moves);
	for (int d = 0; d < DIRECTIONS; d++)
		if (moves.legal >> d & 1)
			assert_true(out[0][one ? 0 : d] ==
				    out[1][one ? 0 : direction_image(image, d)]);
	return __builtin_popcount(moves.legal);
}

/*
 * Of an image, a canonical network says the same of the move that leads to the image of the same
 * after-state.
 */
TEST(canonical_networks_know_all_images)
{
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

/* STEPS steps of the optimiser KIND along the mean gradient of the boards of BATCH. */
static void steps_take(struct staged_network *network, enum optimiser_kind kind, int steps,
		       int threads, struct gradient_batch *batch)
{
	struct gradient gradient;
	struct thread_team *team = NULL;
	struct why why;
	assert_int_equal(gradient_init(&gradient, network, kind, 0.99, &why), STATUS_OK);
	assert_int_equal(gradient_reserve(&gradient, &why), STATUS_OK);
	if (threads > 1)
		assert_int_equal(thread_team_new(threads, &team, &why), STATUS_OK);
	batch->gradient = &gradient;
	for (int k = 0; k < steps; k++)
		gradient_step(team, batch);
	thread_team_free(team);
	gradient_fini(&gradient);
}

/* Places of the array that are neither weights nor biases. */
static bool filled_up(const struct perceptron *p, size_t place)
{
	for (int l = 0; l < p->layers; l++) {
		const size_t rows = l ? (size_t)p->width[l - 1] : (size_t)p->inputs;
		const size_t width = (size_t)p->width[l];
		if (place >= p->weight[l] && place < p->weight[l] + rows * p->stride[l])
			return (place - p->weight[l]) % p->stride[l] >= width;
		if (place >= p->bias[l] && place < p->bias[l] + p->stride[l])
			return place - p->bias[l] >= width;
	}
	return true;
}

/* What grade_plain() wants of the first N boards. */
static double objective_plain(const struct staged_network *network, const struct board *const *at,
			      size_t n, const struct nudge *nudge)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		double out[UNITS];
		float back[DIRECTIONS];
		outputs_plain(network, at[i], nudge, out);
		grade_plain(NULL, i, NULL, back);
		for (int d = 0; d < outputs_count(network); d++)
			sum += out[d] * (double)back[d];
	}
	return sum;
}

/* Steps of sgd with a rate of the number of positions are sums of their gradients. */
TEST(gradients_are_finite_differences)
{
	enum { POSITIONS = 5, PLACES = 600 };
	const double step = 1e-7;
	for (int i = 0; i < NETWORKS; i++) {
		struct game game;
		struct staged_network before, after;
		struct board board[BOARDS];
		const struct board *at[BOARDS];
		struct rng rng;
		double scale = 0;
		int moved = 0;
		if (networks[i].plan.canonical)
			continue;
		network_of(i, &game, &before);
		network_of(i, &game, &after);
		boards_draw(&game, board, at);
		steps_take(
		    &after, OPTIMISER_SGD, 1, 1,
		    &(struct gradient_batch){
			.board = at, .end = POSITIONS, .grade = grade_plain, .alpha = POSITIONS});
		for (int s = 0; s < before.plan.stages; s++)
			for (size_t k = 0; k < before.net.size; k++)
				scale =
				    fmax(scale,
					 fabs((double)(after.weight[s][k] - before.weight[s][k])));
		assert_true(scale > 0.01);
		rng_init(&rng, SEED, RNG_TEST, (uint64_t)i);
		for (int k = 0; k < PLACES / (SANITIZED_SHARE > 1 ? 4 : 1); k++) {
			const uint32_t s = rng_below(&rng, (uint32_t)before.plan.stages);
			const size_t place = rng_below(&rng, (uint32_t)before.net.size);
			const float *weight = before.weight[s] + place;
			const double got = (double)after.weight[s][place] - (double)*weight;
			if (filled_up(&before.net, place)) {
				assert_true(got == 0 && *weight == 0);
				continue;
			}
			const struct nudge up = {weight, step}, down = {weight, -step};
			const double slope = (objective_plain(&before, at, POSITIONS, &up) -
					      objective_plain(&before, at, POSITIONS, &down)) /
					     (2 * step);
			if (!(fabs(slope - got) < 2e-5 * scale))
				fail_msg("network %d, weight %zu: %.9g, not %.9g", i, place, got,
					 slope);
			moved += slope != 0;
		}
		assert_true(moved > (SANITIZED_SHARE > 1 ? 0 : 3));
		staged_fini(&before);
		staged_fini(&after);
	}
}

static void weights_compare(const struct staged_network *a, const struct staged_network *b)
{
	for (int s = 0; s < a->plan.stages; s++)
		assert_memory_equal(a->weight[s], b->weight[s], a->net.size * sizeof(float));
}

/* Outputs of boards one by one, or some at a time, and weights after three steps. */
TEST(every_instruction_set_number_of_threads_and_batch_gives_the_same_bits)
{
	static const size_t cuts[] = {BOARDS, 1, 3, 17, 64};
	for (int i = 0; i < NETWORKS; i++) {
		struct staged_network first = {0};
		struct game first_game;
		float out[BOARDS][DIRECTIONS], others[BOARDS][DIRECTIONS];
		for (int run = 0; run < 5 + ISAS; run++) {
			struct game game;
			struct staged_network network;
			struct board board[BOARDS];
			const struct board *at[BOARDS];
			if (!isa_ask(run < 5 ? ISA_PORTABLE : (enum isa)(run - 5)))
				continue;
			network_of(i, &game, &network);
			boards_draw(&game, board, at);
			const size_t cut = cuts[run % 5];
			for (size_t k = 0; k < BOARDS; k += cut)
				outputs_of(&network, at + k, BOARDS - k < cut ? BOARDS - k : cut,
					   (run ? others : out) + k);
			if (run)
				assert_memory_equal(others, out, sizeof out);
			steps_take(
			    &network, OPTIMISER_ADAM, 3, 1 + run % 5,
			    &(struct gradient_batch){
				.board = at, .end = BOARDS, .grade = grade_plain, .alpha = 0.01});
			if (run == 0) {
				first = network;
				first_game = game;
				first.game = &first_game;
				continue;
			}
			weights_compare(&first, &network);
			staged_fini(&network);
		}
		staged_fini(&first);
	}
	unsetenv("NXN_ISA");
}

/* The last layer moves as it does with the others, which stay where they are. */
TEST(the_last_layer_may_learn_alone)
{
	for (int i = 0; i < NETWORKS; i++) {
		struct game game;
		struct staged_network start, whole, alone;
		struct board board[BOARDS];
		const struct board *at[BOARDS];
		struct gradient_batch batch = {
		    .board = at, .end = BOARDS, .grade = grade_plain, .alpha = 0.1};
		if (networks[i].plan.layers == 1)
			continue;
		network_of(i, &game, &start);
		network_of(i, &game, &whole);
		network_of(i, &game, &alone);
		boards_draw(&game, board, at);
		steps_take(&whole, OPTIMISER_SGD, 1, 1, &batch);
		batch.last = true;
		steps_take(&alone, OPTIMISER_SGD, 1, 1, &batch);
		const size_t from = start.net.weight[start.net.layers - 1];
		for (int s = 0; s < start.plan.stages; s++) {
			assert_memory_equal(alone.weight[s], start.weight[s], from * sizeof(float));
			assert_memory_equal(alone.weight[s] + from, whole.weight[s] + from,
					    (start.net.size - from) * sizeof(float));
		}
		assert_memory_not_equal(whole.weight[0], start.weight[0], from * sizeof(float));
		staged_fini(&start);
		staged_fini(&whole);
		staged_fini(&alone);
	}
}

/* Shards of more boards than fit into their buffers; the mean of d + 1 + i % 3 is d + 2. */
TEST(one_step_goes_along_the_mean_gradient)
{
	enum { MANY = GRADIENT_SHARDS * GRADIENT_ROOM + 900 };
	struct game game;
	struct staged_network network;
	struct board board[BOARDS];
	const struct board *at[BOARDS], *many[MANY / 3 * 3];
	float bias[DIRECTIONS];
	network_of(0, &game, &network);
	boards_draw(&game, board, at);
	for (int i = 0; i < MANY / 3 * 3; i++)
		many[i] = at[i % BOARDS];
	const float *last = network.weight[0] + network.net.bias[2];
	memcpy(bias, last, sizeof bias);
	steps_take(&network, OPTIMISER_SGD, 1, 1,
		   &(struct gradient_batch){
		       .board = many, .end = MANY / 3 * 3, .grade = grade_plain, .alpha = 1});
	for (int d = 0; d < DIRECTIONS; d++)
		assert_near((double)(last[d] - bias[d]), d + 2, 1e-4);
	staged_fini(&network);
}

enum { STEPS = 5 };

/* The formulas of optimiser.h for one weight out of a layer, by themselves. */
static double optimise_plain(enum optimiser_kind kind, double w, const double g[STEPS],
			     const double layer[STEPS])
{
	const double a = 0.01, rho1 = 0.9, rho = 0.99, eps = kind == OPTIMISER_ADAM ? 1e-8 : 1e-5;
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

/* Random derivatives by the outputs, the same for every output's step. */
static void grade_random(void *context, size_t i, const float out[DIRECTIONS],
			 float back[DIRECTIONS])
{
	struct rng *rng = context;
	(void)i;
	(void)out;
	for (int d = 0; d < DIRECTIONS; d++)
		back[d] = (float)(rng_real(rng) - 0.3);
}

/*
 * One layer from a board of four cells: the derivative by an output is that by its bias and by its
 * weights from the four active inputs, and so five times in the norm of the layer.
 */
TEST(optimisers_follow_their_formulas)
{
	const struct staged_plan plan = {.layers = 1, .width = {4}, .stages = 1};
	const struct board board = {0}, *at = &board;
	for (int kind = OPTIMISER_SGD; kind <= OPTIMISER_ADAM; kind++) {
		struct game game;
		struct staged_network network;
		struct rng rng, same;
		double history[STEPS][DIRECTIONS], layer[STEPS] = {0};
		game_of("2x2", &game);
		network_init(&network, &game, &plan);
		rng_init(&rng, 3, RNG_TEST, (uint64_t)kind);
		same = rng;
		for (int t = 0; t < STEPS; t++)
			for (int d = 0; d < DIRECTIONS; d++) {
				history[t][d] = (double)(float)(rng_real(&same) - 0.3);
				layer[t] += 5 * history[t][d] * history[t][d];
			}
		steps_take(&network, (enum optimiser_kind)kind, STEPS, 1,
			   &(struct gradient_batch){.board = &at,
						    .end = 1,
						    .grade = grade_random,
						    .context = &rng,
						    .alpha = 0.01});
		for (size_t d = 0; d < DIRECTIONS; d++) {
			double own[STEPS];
			for (int t = 0; t < STEPS; t++)
				own[t] = history[t][d];
			const double want =
			    optimise_plain((enum optimiser_kind)kind, 0, own, layer);
			/* The last cell, empty, and then with a 2. */
			const size_t cell = (size_t)(3 * network.levels) * network.net.stride[0];
			assert_near((double)network.weight[0][network.net.bias[0] + d], want, 1e-6);
			assert_near((double)network.weight[0][cell + d], want, 1e-6);
			assert_true(network.weight[0][cell + network.net.stride[0] + d] == 0);
		}
		staged_fini(&network);
	}
}

TEST(levels_follow_the_shape)
{
	static const struct {
		const char *shape;
		int levels;
	} cases[] = {{"2x2", 6}, {"3x3", 11}, {"4x4", 16}, {"5x5", 25}, {"6x6", 36}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct staged_plan plan = {.layers = 1, .width = {4}, .stages = 1};
		struct game game;
		struct staged_network network;
		game_of(cases[i].shape, &game);
		network_init(&network, &game, &plan);
		assert_int_equal(network.levels, cases[i].levels);
		staged_fini(&network);
	}
}

/* Variance s^2 / 3 of a uniform number, as staged_network.h has s^2; W of N active inputs. */
static void expect_uniform(const struct perceptron *p, const float *w, int l, double square)
{
	const int inputs = l ? p->width[l - 1] : p->inputs;
	double sum = 0, squares = 0, most = 0;
	const double count = (double)inputs * p->width[l];
	for (int i = 0; i < inputs; i++)
		for (int j = 0; j < p->width[l]; j++) {
			const double x =
			    (double)w[p->weight[l] + (size_t)i * p->stride[l] + (size_t)j];
			sum += x;
			squares += x * x;
			most = fmax(most, fabs(x));
		}
	const double s = sqrt(square);
	assert_true(most <= s * (1 + FLT_EPSILON) && most > 0.9 * s);
	/* Standard errors: s / sqrt(3 count) of a mean, s^2 sqrt(4/45 / count) of a square. */
	assert_true(fabs(sum / count) < 5 * s / sqrt(3 * count));
	assert_true(fabs(squares / count - square / 3) < 5 * square * sqrt(4. / 45 / count));
}

TEST(first_weights_are_as_large_as_they_should_be)
{
	struct game game;
	game_of("4x4", &game);
	for (int torch = 0; torch < 2; torch++) {
		const double square = torch ? 1 : 3; /* s^2 times the number of inputs */
		const struct staged_plan plan = {
		    .layers = 3, .width = {200, 100, 4}, .stages = 1, .torch = torch};
		struct staged_network network, again;
		network_init(&network, &game, &plan);
		network_init(&again, &game, &plan);
		staged_start(&network, SEED, 7);
		const struct perceptron *p = &network.net;
		const float *w = network.weight[0];
		expect_uniform(p, w, 0, square / 16);
		expect_uniform(p, w, 1, square / 200);
		expect_uniform(p, w, 2, square / 100);
		for (int l = 0; l < 3; l++) {
			double most = 0;
			for (int j = 0; j < p->width[l]; j++)
				most = fmax(most, fabs((double)w[p->bias[l] + (size_t)j]));
			assert_int_equal(most > 0, torch);
		}
		for (size_t k = 0; k < p->size; k++)
			assert_true(w[k] == 0 || !filled_up(p, k));
		staged_start(&again, SEED, 7);
		weights_compare(&again, &network);
		staged_start(&again, SEED, 8);
		assert_memory_not_equal(again.weight[0], w, p->size * sizeof *w);
		staged_fini(&network);
		staged_fini(&again);
	}
}

TEST(softmax_is_its_definition)
{
	struct rng rng;
	rng_init(&rng, SEED, RNG_TEST, 200);
	for (int i = 0; i < 3000; i++) {
		const unsigned mask = 1 + rng_below(&rng, (1u << DIRECTIONS) - 1);
		const double spread = i % 3 == 0 ? 1 : i % 3 == 1 ? 30 : 300;
		float z[DIRECTIONS];
		double p[DIRECTIONS], sum = 0, total = 0;
		for (int j = 0; j < DIRECTIONS; j++)
			z[j] = (float)(spread * (2 * rng_real(&rng) - 1));
		softmax(z, mask, p);
		for (int j = 0; j < DIRECTIONS; j++)
			sum += mask >> j & 1 ? exp((double)z[j]) : 0;
		for (int j = 0; j < DIRECTIONS; j++) {
			const double want = mask >> j & 1 ? exp((double)z[j]) / sum : 0;
			assert_true(fabs(p[j] - want) <= 1e-13 * want);
			total += p[j];
		}
		assert_true(fabs(total - 1) < 1e-14);
	}
}

/*
 * The largest numbers, and what finite weights can come to: chances stay chances, and of what is in
 * the mask.
 */
TEST(softmax_of_what_is_large_or_no_number)
{
	static const struct {
		float z[4];
		unsigned mask;
		double p[4];
	} cases[] = {
	    {{3e38F, 3e38F, 2e38F, -3e38F}, 15, {.5, .5, 0, 0}},
	    {{3e38F, 3e38F, 2e38F, -3e38F}, 2, {0, 1, 0, 0}},
	    {{INFINITY, 1, INFINITY, NAN}, 15, {.5, 0, .5, 0}},
	    {{INFINITY, 1, -INFINITY, NAN}, 14, {0, 1, 0, 0}},
	    {{NAN, 0, 0, NAN}, 15, {0, .5, .5, 0}},
	    {{0, NAN, NAN, NAN}, 6, {0, .5, .5, 0}},
	    {{0, -INFINITY, NAN, -INFINITY}, 10, {0, .5, 0, .5}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double p[4];
		softmax(cases[i].z, cases[i].mask, p);
		for (int j = 0; j < 4; j++)
			assert_true(p[j] == cases[i].p[j]);
	}
}

TESTS(NULL, NULL)
