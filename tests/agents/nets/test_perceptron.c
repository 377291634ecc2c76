/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perceptrons against plain loops in double precision and finite differences of them; the same bits
 * from every instruction set and however batches are cut.
 */
#include "agents/nets/staged_network.c"
#include "tests/games.h"
#include "tests/random_board.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SEED = 20487, ROOM = 70 };

/* Networks: inputs, active ones of a position, widths. */
static const struct shape {
	int inputs, active;
	bool scaled;
	int layers, width[PERCEPTRON_LAYERS];
} shapes[] = {
    {16, 16, true, 3, {200, 100, 4}},	/* exponents of 4x4 */
    {272, 16, false, 3, {200, 100, 4}}, /* one-hot cells of 4x4 */
    {36 * 38, 36, false, 3, {64, 32, 4}},
    {36, 36, true, 2, {33, 4}},
    {4, 4, true, 1, {4}},
    {5, 1, false, 4, {1, 17, 16, 3}},
    {30, 6, true, 5, {15, 31, 1, 18, 20}},
    {12, 4, false, 3, {95, 130, 1}},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* A network with weights, and a batch for it with derivatives by its outputs. */
struct sample {
	struct perceptron p;
	float *w;
	struct perceptron_input in[ROOM];
	float wanted[ROOM][32]; /* derivatives by the outputs */
};

/* As positions make them: where every row is active, in their order; else a row of each cell. */
static void input_draw(const struct perceptron *p, struct rng *rng, struct perceptron_input *in)
{
	const uint32_t group = (uint32_t)(p->inputs / p->active);
	for (uint32_t k = 0; k < (uint32_t)p->active; k++) {
		in->row[k] = (uint16_t)(k * group + rng_below(rng, group));
		in->x[k] = p->scaled ? (float)rng_below(rng, 12) : 1;
	}
}

static void sample_init(struct sample *s, int shape, enum isa isa)
{
	const struct shape *as = &shapes[shape];
	struct rng rng;
	perceptron_init(&s->p, isa, as->inputs, as->active, as->layers, as->width);
	s->p.scaled = as->scaled;
	s->w = perceptron_array(&s->p);
	assert_non_null(s->w);
	perceptron_start(&s->p, s->w, START_TORCH, 1, SEED, (uint64_t)shape);
	rng_init(&rng, SEED, RNG_TEST, (uint64_t)shape);
	for (int i = 0; i < ROOM; i++) {
		input_draw(&s->p, &rng, &s->in[i]);
		for (int j = 0; j < as->width[as->layers - 1]; j++)
			s->wanted[i][j] = (float)(2 * rng_real(&rng) - 1);
	}
}

static void sample_fini(struct sample *s)
{
	free(s->w);
}

static int outputs_of(const struct perceptron *p)
{
	return p->width[p->layers - 1];
}

static const float *weight_at(const struct perceptron *p, const float *w, int l, int i, int j)
{
	return &w[p->weight[l] + (size_t)i * p->stride[l] + (size_t)j];
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

/* The definition, in loops; OUT has room for PERCEPTRON_WIDTH numbers. */
static void naive_forward(const struct perceptron *p, const float *w,
			  const struct perceptron_input *in, const struct nudge *nudge, double *out)
{
	static double before[PERCEPTRON_WIDTH];
	for (int l = 0; l < p->layers; l++) {
		for (int j = 0; j < p->width[l]; j++) {
			double sum = nudged(&w[p->bias[l] + (size_t)j], nudge);
			for (int k = 0; l == 0 && k < p->active; k++)
				sum += (p->scaled ? (double)in->x[k] : 1) *
				       nudged(weight_at(p, w, 0, in->row[k], j), nudge);
			for (int i = 0; l > 0 && i < p->width[l - 1]; i++)
				sum += before[i] * nudged(weight_at(p, w, l, i, j), nudge);
			out[j] = l < p->layers - 1 && sum < 0 ? 0 : sum;
		}
		memcpy(before, out, (size_t)p->width[l] * sizeof *out);
	}
}

/* The outputs of the first N positions, times the derivatives wanted. */
static double naive_objective(const struct sample *s, size_t n, const struct nudge *nudge)
{
	static double out[PERCEPTRON_WIDTH];
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		naive_forward(&s->p, s->w, &s->in[i], nudge, out);
		for (int j = 0; j < outputs_of(&s->p); j++)
			sum += out[j] * (double)s->wanted[i][j];
	}
	return sum;
}

static void work_make(struct perceptron_work *work, const struct perceptron *p)
{
	struct why why;
	if (perceptron_work_init(work, p, ROOM, &why))
		fail_msg("%s", why.text);
}

/* Positions FIRST .. FIRST + n - 1 forward; their outputs to OUT, if it is not NULL. */
static void forward(const struct sample *s, size_t first, size_t n, struct perceptron_work *work,
		    float (*out)[32])
{
	const int last = s->p.layers - 1;
	perceptron_forward(&s->p, s->w, s->in + first, n, work);
	for (size_t i = 0; out && i < n; i++)
		memcpy(out[first + i], work->out[last] + i * s->p.stride[last],
		       (size_t)s->p.width[last] * sizeof(float));
}

static void wanted_set(const struct sample *s, size_t first, size_t n, struct perceptron_work *work)
{
	const int last = s->p.layers - 1;
	memset(work->back[last], 0, n * s->p.stride[last] * sizeof(float));
	for (size_t i = 0; i < n; i++)
		memcpy(work->back[last] + i * s->p.stride[last], s->wanted[first + i],
		       (size_t)s->p.width[last] * sizeof(float));
}

/* Forward and back; adds to GRADIENT. */
static void backward(const struct sample *s, size_t first, size_t n, struct perceptron_work *work,
		     float *gradient)
{
	forward(s, first, n, work, NULL);
	wanted_set(s, first, n, work);
	perceptron_backward(&s->p, s->w, s->in + first, n, work, gradient);
}

static void outputs_are_those_of_plain_loops(void **state)
{
	(void)state;
	static double naive[PERCEPTRON_WIDTH];
	for (int i = 0; i < SHAPES; i++)
		for (int isa = 0; isa < ISAS; isa++) {
			if (!isa_available((enum isa)isa))
				continue;
			static float out[ROOM][32];
			struct sample s;
			struct perceptron_work work;
			sample_init(&s, i, (enum isa)isa);
			work_make(&work, &s.p);
			forward(&s, 0, ROOM, &work, out);
			for (int n = 0; n < ROOM; n++) {
				naive_forward(&s.p, s.w, &s.in[n], NULL, naive);
				for (int j = 0; j < outputs_of(&s.p); j++)
					if (!(fabs(naive[j] - (double)out[n][j]) <
					      1e-5 * fmax(1, fabs(naive[j]))))
						fail_msg("network %d: %.9g, not %.9g", i,
							 (double)out[n][j], naive[j]);
			}
			perceptron_work_fini(&work);
			sample_fini(&s);
		}
}

/* All that is not a weight or a bias. */
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

/* Some places of the array, or all of them where they are few. */
static size_t place_draw(const struct perceptron *p, struct rng *rng, size_t n, size_t draws)
{
	return p->size <= draws ? n : rng_below(rng, (uint32_t)p->size);
}

static void gradients_are_finite_differences(void **state)
{
	(void)state;
	enum { POSITIONS = 5, PLACES = 1500 };
	const double step = 1e-7;
	for (int i = 0; i < SHAPES; i++) {
		struct sample s;
		struct perceptron_work work;
		struct rng rng;
		double scale = 0;
		int moved = 0;
		sample_init(&s, i, ISA_PORTABLE);
		work_make(&work, &s.p);
		float *gradient = perceptron_array(&s.p);
		assert_non_null(gradient);
		backward(&s, 0, POSITIONS, &work, gradient);
		for (size_t k = 0; k < s.p.size; k++)
			scale = fmax(scale, fabs((double)gradient[k]));
		assert_true(scale > 0.01);
		rng_init(&rng, SEED, RNG_TEST, 100 + (uint64_t)i);
		const size_t places = s.p.size < PLACES ? s.p.size : PLACES / SANITIZED_SHARE;
		for (size_t k = 0; k < places; k++) {
			const size_t place = place_draw(&s.p, &rng, k, PLACES);
			if (filled_up(&s.p, place)) {
				assert_true(gradient[place] == 0);
				continue;
			}
			const struct nudge up = {s.w + place, step}, down = {s.w + place, -step};
			const double slope = (naive_objective(&s, POSITIONS, &up) -
					      naive_objective(&s, POSITIONS, &down)) /
					     (2 * step);
			if (!(fabs(slope - (double)gradient[place]) < 2e-5 * scale))
				fail_msg("network %d, weight %zu: %.9g, not %.9g", i, place,
					 (double)gradient[place], slope);
			moved += slope != 0;
		}
		assert_true(moved > 3);
		free(gradient);
		perceptron_work_fini(&work);
		sample_fini(&s);
	}
}

/* Outputs and gradients of a whole batch, as one instruction set computes them. */
static void batch_run(const struct sample *s, float (*out)[32], float *gradient)
{
	struct perceptron_work work;
	work_make(&work, &s->p);
	memset(out, 0, ROOM * sizeof *out);
	forward(s, 0, ROOM, &work, out);
	backward(s, 0, ROOM, &work, gradient);
	perceptron_work_fini(&work);
}

static void every_instruction_set_gives_the_same_bits(void **state)
{
	(void)state;
	for (int i = 0; i < SHAPES; i++) {
		static float out[ROOM][32], other[ROOM][32];
		struct sample s;
		sample_init(&s, i, ISA_PORTABLE);
		float *gradient = perceptron_array(&s.p);
		assert_non_null(gradient);
		batch_run(&s, out, gradient);
		for (int isa = 0; isa < ISAS; isa++) {
			if (!isa_available((enum isa)isa))
				continue;
			struct sample t;
			sample_init(&t, i, (enum isa)isa);
			assert_memory_equal(t.w, s.w, s.p.size * sizeof(float));
			float *g = perceptron_array(&t.p);
			assert_non_null(g);
			batch_run(&t, other, g);
			assert_memory_equal(other, out, sizeof out);
			assert_memory_equal(g, gradient, s.p.size * sizeof(float));
			free(g);
			sample_fini(&t);
		}
		free(gradient);
		sample_fini(&s);
	}
}

static void batches_cut_anywhere_give_the_same_bits(void **state)
{
	(void)state;
	static const size_t cuts[][4] = {
	    {ROOM}, {1, ROOM - 1}, {3, 30, 37}, {64, 6}, {17, 1, 1, 51}};
	for (int i = 0; i < SHAPES; i++)
		for (int isa = 0; isa < ISAS; isa++) {
			if (!isa_available((enum isa)isa))
				continue;
			static float out[ROOM][32], other[ROOM][32];
			struct sample s;
			sample_init(&s, i, (enum isa)isa);
			float *gradient = perceptron_array(&s.p), *g = perceptron_array(&s.p);
			assert_non_null(gradient);
			assert_non_null(g);
			batch_run(&s, out, gradient);
			for (size_t c = 0; c < sizeof cuts / sizeof cuts[0]; c++) {
				struct perceptron_work work;
				size_t first = 0;
				work_make(&work, &s.p);
				memset(other, 0, sizeof other);
				memset(g, 0, s.p.size * sizeof *g);
				for (int k = 0; k < 4 && first < ROOM; first += cuts[c][k++]) {
					forward(&s, first, cuts[c][k], &work, other);
					backward(&s, first, cuts[c][k], &work, g);
				}
				assert_memory_equal(other, out, sizeof out);
				assert_memory_equal(g, gradient, s.p.size * sizeof *g);
				perceptron_work_fini(&work);
			}
			free(gradient);
			free(g);
			sample_fini(&s);
		}
}

static void the_last_layer_alone_gets_what_it_gets_with_the_others(void **state)
{
	(void)state;
	for (int i = 0; i < SHAPES; i++) {
		struct sample s;
		struct perceptron_work work;
		sample_init(&s, i, ISA_PORTABLE);
		if (s.p.layers > 1) {
			float *whole = perceptron_array(&s.p), *alone = perceptron_array(&s.p);
			assert_non_null(whole);
			assert_non_null(alone);
			const size_t from = s.p.weight[s.p.layers - 1];
			work_make(&work, &s.p);
			backward(&s, 0, ROOM, &work, whole);
			perceptron_backward_last(&s.p, ROOM, &work, alone);
			assert_memory_equal(alone + from, whole + from,
					    (s.p.size - from) * sizeof(float));
			for (size_t k = 0; k < from; k++)
				assert_true(alone[k] == 0);
			perceptron_work_fini(&work);
			free(whole);
			free(alone);
		}
		sample_fini(&s);
	}
}

/* Variance s^2 / 3 of a uniform number, as perceptron.h has s^2; W of N active inputs. */
static void expect_uniform(const struct perceptron *p, const float *w, int l, double square)
{
	const int inputs = l ? p->width[l - 1] : p->inputs;
	double sum = 0, squares = 0, most = 0;
	const double count = (double)inputs * p->width[l];
	for (int i = 0; i < inputs; i++)
		for (int j = 0; j < p->width[l]; j++) {
			const double x = (double)*weight_at(p, w, l, i, j);
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

static void first_weights_are_as_large_as_they_should_be(void **state)
{
	(void)state;
	static const struct {
		enum perceptron_start start;
		double first, middle, last; /* s^2 times the number of inputs */
	} cases[] = {
	    {START_SCALED, 3, 6, 6 * .25},
	    {START_PLAIN, 3, 3, 3 * .25},
	    {START_TORCH, 1, 1, .25},
	};
	static const int width[] = {200, 100, 4};
	struct perceptron p;
	perceptron_init(&p, ISA_PORTABLE, 272, 16, 3, width);
	float *w = perceptron_array(&p), *again = perceptron_array(&p);
	assert_non_null(w);
	assert_non_null(again);
	for (int i = 0; i < 3; i++) {
		perceptron_start(&p, w, cases[i].start, .5F, SEED, 7);
		expect_uniform(&p, w, 0, cases[i].first / 16);
		expect_uniform(&p, w, 1, cases[i].middle / 200);
		expect_uniform(&p, w, 2, cases[i].last / 100);
		for (int l = 0; l < 3; l++) {
			double most = 0;
			for (int j = 0; j < width[l]; j++)
				most = fmax(most, fabs((double)w[p.bias[l] + (size_t)j]));
			assert_int_equal(most > 0, cases[i].start == START_TORCH);
		}
		for (size_t k = 0; k < p.size; k++)
			assert_true(w[k] == 0 || !filled_up(&p, k));
		perceptron_start(&p, again, cases[i].start, .5F, SEED, 7);
		assert_memory_equal(again, w, p.size * sizeof *w);
		perceptron_start(&p, again, cases[i].start, .5F, SEED, 8);
		assert_memory_not_equal(again, w, p.size * sizeof *w);
	}
	free(w);
	free(again);
}

static void softmax_is_its_definition(void **state)
{
	(void)state;
	struct rng rng;
	rng_init(&rng, SEED, RNG_TEST, 200);
	for (int i = 0; i < 3000; i++) {
		const int n = 1 + (int)rng_below(&rng, 8);
		const unsigned mask = 1 + rng_below(&rng, (1u << n) - 1);
		const double spread = i % 3 == 0 ? 1 : i % 3 == 1 ? 30 : 300;
		float z[8];
		double p[8], sum = 0, total = 0;
		for (int j = 0; j < n; j++)
			z[j] = (float)(spread * (2 * rng_real(&rng) - 1));
		softmax(z, n, mask, p);
		for (int j = 0; j < n; j++)
			sum += mask >> j & 1 ? exp((double)z[j]) : 0;
		for (int j = 0; j < n; j++) {
			const double want = mask >> j & 1 ? exp((double)z[j]) / sum : 0;
			assert_true(fabs(p[j] - want) <= 1e-13 * want);
			total += p[j];
		}
		assert_true(fabs(total - 1) < 1e-14);
	}
}

static void softmax_does_not_overflow(void **state)
{
	(void)state;
	static const float z[] = {3e38F, 3e38F, 2e38F, -3e38F};
	double p[4];
	softmax(z, 4, 15, p);
	assert_true(p[0] == .5 && p[1] == .5 && p[2] == 0 && p[3] == 0);
	softmax(z, 4, 2, p);
	assert_true(p[0] == 0 && p[1] == 1 && p[2] == 0 && p[3] == 0);
}

/* Finite weights can come to these: chances stay chances, and of what is in the mask. */
static void softmax_of_what_is_no_number(void **state)
{
	(void)state;
	static const struct {
		float z[4];
		unsigned mask;
		double p[4];
	} cases[] = {
	    {{INFINITY, 1, INFINITY, NAN}, 15, {.5, 0, .5, 0}},
	    {{INFINITY, 1, -INFINITY, NAN}, 14, {0, 1, 0, 0}},
	    {{NAN, 0, 0, NAN}, 15, {0, .5, .5, 0}},
	    {{0, NAN, NAN, NAN}, 6, {0, .5, .5, 0}},
	    {{0, -INFINITY, NAN, -INFINITY}, 10, {0, .5, 0, .5}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double p[4];
		softmax(cases[i].z, 4, cases[i].mask, p);
		for (int j = 0; j < 4; j++)
			assert_true(p[j] == cases[i].p[j]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(outputs_are_those_of_plain_loops),
	    cmocka_unit_test(gradients_are_finite_differences),
	    cmocka_unit_test(every_instruction_set_gives_the_same_bits),
	    cmocka_unit_test(batches_cut_anywhere_give_the_same_bits),
	    cmocka_unit_test(the_last_layer_alone_gets_what_it_gets_with_the_others),
	    cmocka_unit_test(first_weights_are_as_large_as_they_should_be),
	    cmocka_unit_test(softmax_is_its_definition),
	    cmocka_unit_test(softmax_does_not_overflow),
	    cmocka_unit_test(softmax_of_what_is_no_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
