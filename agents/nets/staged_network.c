/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perceptrons, and networks of them for boards; see staged_network.h.
 *
 * Backpropagation is the chain rule: with back_l the derivatives by the inputs of the units of
 * layer l,
 *
 *   dw_l = h_l-1^T back_l,   db_l = sum of back_l,   back_l-1 = (back_l w_l^T) where h_l-1 > 0.
 *
 * Invariant: the padding of widths is 0 in weights and gradients, whatever is computed. Positions
 * are sorted by stage, so that each perceptron gets its own as one batch. Check value: on 4x4 with
 * hidden layers of 200 and 100 a position has 256 inputs, 16 of them 1.
 */
#include "agents/nets/staged_network.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL static const struct perceptron_kernel perceptron_portable
#define FLOATS 4
#define BLOCK_ROWS 4
#define BLOCK_VECTORS 2
#include "agents/nets/perceptron_template.h"

static const struct perceptron_kernel *kernel(const struct perceptron *p)
{
	switch (p->isa) {
#if defined NXN_X86_64
	case ISA_AVX512:
		return &perceptron_avx512;
	case ISA_AVX2:
		return &perceptron_avx2;
#endif
	default:
		return &perceptron_portable;
	}
}

/* Returns N zeros, aligned, for free(); NULL if memory runs out. */
static float *floats_new(size_t n)
{
	float *made = aligned_alloc(64, n * sizeof *made);
	return made ? memset(made, 0, n * sizeof *made) : NULL;
}

/* Returns a zero for each weight of each stage. */
static float *stages_new(const struct staged_network *network)
{
	return floats_new((size_t)network->plan.stages * network->net.size);
}

/* Returns the padded number of inputs of layer L. */
static size_t rows_of(const struct perceptron *p, int l)
{
	return l ? p->stride[l - 1] : (size_t)p->inputs;
}

/*
 * Computes the layout of a perceptron of LAYERS layers with WIDTH[l] outputs; ACTIVE at most
 * CELLS_MAX, INPUTS at most 2^16.
 */
static void perceptron_init(struct perceptron *p, enum isa isa, int inputs, int active, int layers,
			    const int *width)
{
	assert(layers >= 1 && layers <= PERCEPTRON_LAYERS && active <= CELLS_MAX &&
	       inputs <= UINT16_MAX + 1);
	*p = (struct perceptron){.isa = isa, .inputs = inputs, .active = active, .layers = layers};
	for (int l = 0; l < layers; l++) {
		assert(width[l] >= 1 && width[l] <= PERCEPTRON_WIDTH);
		const size_t lanes = (size_t)(width[l] + PERCEPTRON_LANE - 1) / PERCEPTRON_LANE;
		p->width[l] = width[l];
		p->stride[l] = lanes * PERCEPTRON_LANE;
		p->weight[l] = p->size;
		p->bias[l] = p->size + rows_of(p, l) * p->stride[l];
		p->size = p->bias[l] + p->stride[l];
	}
	p->size = (p->size + 63) / 64 * 64;
}

/* Draws the initial weights from stream RNG_WEIGHTS NUMBER of SEED. */
static void perceptron_start(const struct perceptron *p, float *w, bool torch, uint64_t seed,
			     uint64_t number)
{
	struct rng rng;
	rng_init(&rng, seed, RNG_WEIGHTS, number);
	memset(w, 0, p->size * sizeof *w);
	for (int l = 0; l < p->layers; l++) {
		const int inputs = l ? p->width[l - 1] : p->inputs;
		const double s = sqrt((torch ? 1.0 : 3.0) / (l ? inputs : p->active));
		for (int i = 0; i < inputs; i++)
			for (int j = 0; j < p->width[l]; j++)
				w[p->weight[l] + (size_t)i * p->stride[l] + (size_t)j] =
				    (float)(s * (2 * rng_real(&rng) - 1));
		for (int j = 0; torch && j < p->width[l]; j++)
			w[p->bias[l] + (size_t)j] = (float)(s * (2 * rng_real(&rng) - 1));
	}
}

/* Computes the outputs for the first N inputs of WORK, in work->out[layers - 1]. */
static void perceptron_forward(const struct perceptron *p, const float *w, size_t n,
			       struct staged_work *work)
{
	const struct perceptron_kernel *k = kernel(p);
	for (int l = 0; l < p->layers; l++) {
		for (size_t i = 0; i < n; i++)
			memcpy(work->out[l] + i * p->stride[l], w + p->bias[l],
			       p->stride[l] * sizeof *w);
		if (l == 0)
			k->gather(p, w, work->input, n, work->out[0]);
		else
			k->product(&(struct perceptron_product){
			    n, (size_t)p->width[l - 1], p->stride[l], work->out[l - 1],
			    p->stride[l - 1], 1, w + p->weight[l], work->out[l]});
		if (l < p->layers - 1)
			k->rectify(work->out[l], n * p->stride[l]);
	}
}

/* Adds the derivatives by the weights of layer L > 0 and by the biases of any layer. */
static void layer_gradient(const struct perceptron *p, int l, size_t n,
			   const struct staged_work *work, float *gradient)
{
	const float *back = work->back[l];
	float *bias = gradient + p->bias[l];
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < p->stride[l]; j++)
			bias[j] += back[i * p->stride[l] + j];
	if (l)
		kernel(p)->product(&(struct perceptron_product){
		    (size_t)p->width[l - 1], n, p->stride[l], work->out[l - 1], 1, p->stride[l - 1],
		    back, gradient + p->weight[l]});
}

/* Computes back[l - 1] from back[l]. */
static void layer_back(const struct perceptron *p, const float *w, int l, size_t n,
		       struct staged_work *work)
{
	const struct perceptron_kernel *k = kernel(p);
	const size_t inputs = p->stride[l - 1], stride = p->stride[l];
	float *turned = work->turned[l];
	for (size_t j = 0; j < (size_t)p->width[l]; j++)
		for (size_t i = 0; i < inputs; i++)
			turned[j * inputs + i] = w[p->weight[l] + i * stride + j];
	memset(work->back[l - 1], 0, n * inputs * sizeof(float));
	k->product(&(struct perceptron_product){n, (size_t)p->width[l], inputs, work->back[l],
						stride, 1, turned, work->back[l - 1]});
	k->block(work->back[l - 1], work->out[l - 1], n * inputs);
}

/*
 * Called after perceptron_forward() for the same inputs: adds to GRADIENT (p->size floats, biases
 * included) the sum over inputs of the derivatives of an objective by the weights, given its
 * derivatives by the outputs in work->back[layers - 1], which are 0 in the padding. With LAST only
 * for the last layer, which must not be the first.
 */
static void perceptron_backward(const struct perceptron *p, const float *w, size_t n, bool last,
				struct staged_work *work, float *gradient)
{
	int l = p->layers - 1;
	layer_gradient(p, l, n, work, gradient);
	if (last)
		return;
	for (; l > 0; l--) {
		layer_back(p, w, l, n, work);
		layer_gradient(p, l - 1, n, work, gradient);
	}
	kernel(p)->scatter(p, work->back[0], work->input, n, gradient + p->weight[0]);
}

/*
 * Computes exp(x) for x <= 0: 2^i times the Taylor polynomial of e^r, x = i ln 2 + r, |r| <= ln 2 /
 * 2. The relative error is below 1e-15; the result is 0 for x < -700, so it is never subnormal.
 */
static double exp_of(double x)
{
	if (x < -700)
		return 0;
	const double i = rint(x * 1.4426950408889634);
	const double r = (x - i * 0.693147180369123816) - i * 1.90821492927058770e-10;
	double sum = 1;
	for (int k = 13; k > 0; k--)
		sum = 1 + sum * r / k;
	return ldexp(sum, (int)i);
}

/*
 * Sets equal probabilities for the outputs in MASK that equal GREATEST, or for all of MASK if none
 * does.
 */
static void softmax_share(const float *z, unsigned mask, float greatest, double *p)
{
	int equal = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		equal += (mask >> d & 1) && z[d] == greatest;
	for (int d = 0; d < DIRECTIONS; d++) {
		const bool in = (mask >> d & 1) && (!equal || z[d] == greatest);
		p[d] = in ? 1. / (equal ? equal : __builtin_popcount(mask)) : 0;
	}
}

void softmax(const float z[DIRECTIONS], unsigned mask, double p[DIRECTIONS])
{
	double most = -INFINITY, sum = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		if (mask >> d & 1)
			most = fmax(most, (double)z[d]);
	/* Sums are not finite if the weights diverged or were forged. */
	if (!isfinite(most)) {
		softmax_share(z, mask, INFINITY, p);
		return;
	}
	for (int d = 0; d < DIRECTIONS; d++) {
		p[d] = (mask >> d & 1) && !isnan(z[d]) ? exp_of((double)z[d] - most) : 0;
		sum += p[d];
	}
	for (int d = 0; d < DIRECTIONS; d++)
		p[d] /= sum;
}

static int levels_of(const struct game *game)
{
	const int most = game->cells < 16 ? 16 : game->cells;
	return game->max_exponent + 1 < most ? game->max_exponent + 1 : most;
}

/* Mirrors left to right, then top to bottom, then transposes, as in board_symmetry(). */
static uint8_t direction_turned(int image, int d)
{
	static const uint8_t transposed[DIRECTIONS] = {
	    [UP] = LEFT, [LEFT] = UP, [DOWN] = RIGHT, [RIGHT] = DOWN};
	const bool across = d == LEFT || d == RIGHT;
	if (image & (across ? 1 : 2))
		d = (d + 2) % DIRECTIONS;
	return image & 4 ? transposed[d] : (uint8_t)d;
}

/* Called before any allocation. */
static enum status weights_check(const struct staged_network *network, struct why *why)
{
	const size_t weights = network->net.size * (size_t)network->plan.stages;
	if (weights <= STAGED_WEIGHTS_MAX)
		return STATUS_OK;
	return why_set(why, STATUS_INPUT,
		       "a network of %.1f million weights (stages: %d), expected at most %.1f "
		       "million: fewer hidden units or stages",
		       (double)weights / 1e6, network->plan.stages, STAGED_WEIGHTS_MAX / 1e6);
}

enum status staged_init(struct staged_network *network, const struct game *game,
			const struct staged_plan *plan, struct why *why)
{
	*network = (struct staged_network){
	    .game = game, .plan = *plan, .levels = levels_of(game), .live = 1};
	const int inputs = plan->exponents ? game->cells : game->cells * network->levels;
	perceptron_init(&network->net, game->isa, inputs, game->cells, plan->layers, plan->width);
	for (int i = 0; i < game->symmetries; i++)
		for (int d = 0; d < DIRECTIONS; d++)
			network->turned[i][d] = direction_turned(i, d);
	const enum status status = weights_check(network, why);
	if (status) {
		*network = (struct staged_network){0};
		return status;
	}
	network->weight[0] = stages_new(network);
	if (!network->weight[0]) {
		staged_fini(network);
		return why_set(why, STATUS_SYSTEM, "out of memory for a network");
	}
	for (int s = 1; s < plan->stages; s++)
		network->weight[s] = network->weight[s - 1] + network->net.size;
	return STATUS_OK;
}

void staged_fini(struct staged_network *network)
{
	free(network->weight[0]);
	*network = (struct staged_network){0};
}

void staged_start(struct staged_network *network, uint64_t seed, uint64_t number)
{
	for (int s = 0; s < network->plan.stages; s++)
		perceptron_start(&network->net, network->weight[s], network->plan.torch, seed,
				 number * STAGED_STAGES + (uint64_t)s);
}

enum status staged_work_init(struct staged_work *work, const struct staged_network *network,
			     size_t room, struct why *why)
{
	const struct perceptron *p = &network->net;
	size_t size = 0;
	for (int l = 0; l < p->layers; l++)
		size += 2 * room * p->stride[l] + (l ? rows_of(p, l) * p->stride[l] : 0);
	*work = (struct staged_work){
	    .room = room, .input = malloc(room * sizeof *work->input), .memory = floats_new(size)};
	if (!work->input || !work->memory) {
		staged_work_fini(work);
		return why_set(why, STATUS_SYSTEM, "out of memory for %zu positions of a network",
			       room);
	}
	float *next = work->memory;
	for (int l = 0; l < p->layers; l++) {
		work->out[l] = next;
		work->back[l] = next + room * p->stride[l];
		work->turned[l] = next += 2 * room * p->stride[l];
		next += l ? rows_of(p, l) * p->stride[l] : 0;
	}
	return STATUS_OK;
}

void staged_work_fini(struct staged_work *work)
{
	free(work->memory);
	free(work->input);
	*work = (struct staged_work){0};
}

/* Returns the live stage of BOARD. */
static int stage_of(const struct staged_network *network, const struct board *board)
{
	int stage = 0;
	if (network->live > 1) {
		const int most = board_max(board);
		while (stage < network->live - 1 && most >= network->plan.threshold[stage])
			stage++;
	}
	return stage;
}

/* Finds the largest symmetric image of BOARD. Returns its number. */
static int image_largest(const struct game *game, const struct board *board, struct board *largest)
{
	int best = 0;
	*largest = *board;
	for (int i = 1; i < game->symmetries; i++) {
		struct board image;
		board_symmetry(game, i, board, &image);
		if (memcmp(largest->cell, image.cell, sizeof image.cell) < 0) {
			*largest = image;
			best = i;
		}
	}
	return best;
}

/* Sets input I from board number PLACE. */
static void input_set(const struct staged_network *network, struct staged_work *work, size_t i,
		      size_t place, const struct board *board)
{
	const bool exponents = network->plan.exponents;
	const int levels = network->levels;
	struct perceptron_input *in = &work->input[i];
	struct board image = *board;
	in->place = place;
	in->image = 0;
	if (network->plan.canonical)
		in->image = (uint8_t)image_largest(network->game, board, &image);
	int cell = 0;
	for (int r = 0; r < network->game->rows; r++)
		for (int c = 0; c < network->game->cols; c++, cell++) {
			const int k = image.cell[r][c];
			const int level = k < levels ? k : levels - 1;
			in->row[cell] = (uint16_t)(exponents ? cell : cell * levels + level);
			in->x[cell] = exponents ? (float)k : 1;
		}
}

/* Computes the outputs for the boards of stage S. Returns their number. */
static size_t stage_forward(const struct staged_network *network, struct staged_work *work,
			    const struct board *const *board, size_t n, int s)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++)
		if (stage_of(network, board[i]) == s)
			input_set(network, work, found++, i, board[i]);
	if (found)
		perceptron_forward(&network->net, network->weight[s], found, work);
	return found;
}

/* Returns the index of the output of input I for direction D. */
static size_t output_at(const struct staged_network *network, const struct staged_work *work,
			size_t i, int d)
{
	const int last = network->net.layers - 1;
	const int unit =
	    network->net.width[last] == 1 ? 0 : network->turned[work->input[i].image][d];
	return i * network->net.stride[last] + (size_t)unit;
}

/* Returns the number of outputs of a network: four directions or one. */
static int outputs(const struct staged_network *network)
{
	return network->net.width[network->net.layers - 1];
}

static void output_read(const struct staged_network *network, const struct staged_work *work,
			size_t i, float out[DIRECTIONS])
{
	const float *z = work->out[network->net.layers - 1];
	for (int d = 0; d < DIRECTIONS; d++)
		out[d] = d < outputs(network) ? z[output_at(network, work, i, d)] : 0;
}

void staged_outputs(const struct staged_network *network, struct staged_work *work,
		    const struct board *const *board, size_t n, float (*out)[DIRECTIONS])
{
	assert(n <= work->room);
	for (int s = 0; s < network->live; s++) {
		const size_t found = stage_forward(network, work, board, n, s);
		for (size_t i = 0; i < found; i++)
			output_read(network, work, i, out[work->input[i].place]);
	}
}

/*
 * Adds to GRADIENT, from stages_new(), the derivatives by the weights of each stage of the
 * objective of grade(), summed over N <= work->room positions of BATCH from FIRST on. Bit s of the
 * result is set if there were positions of stage s.
 */
static unsigned staged_gradient(const struct staged_network *network, struct staged_work *work,
				const struct gradient_batch *batch, size_t first, size_t n,
				float *gradient)
{
	const int layer = network->net.layers - 1;
	float *back = work->back[layer];
	unsigned seen = 0;
	assert(n <= work->room);
	for (int s = 0; s < network->live; s++, gradient += network->net.size) {
		const size_t found = stage_forward(network, work, batch->board + first, n, s);
		seen |= (unsigned)(found > 0) << s;
		memset(back, 0, found * network->net.stride[layer] * sizeof *back);
		for (size_t i = 0; i < found; i++) {
			float out[DIRECTIONS], by[DIRECTIONS];
			output_read(network, work, i, out);
			batch->grade(batch->context, first + work->input[i].place, out, by);
			for (int d = 0; d < outputs(network); d++)
				back[output_at(network, work, i, d)] = by[d];
		}
		if (found)
			perceptron_backward(&network->net, network->weight[s], found, batch->last,
					    work, gradient);
	}
	return seen;
}

void staged_sections(struct staged_network *network, struct model_file *file)
{
	const size_t count = network->net.size;
	for (int s = 0; s < network->plan.stages; s++) {
		if (model_reading(file))
			memset(network->weight[s], 0, count * sizeof *network->weight[s]);
		model_floats(file, network->weight[s], count, NULL);
	}
}

void staged_layout(const struct staged_network *network, char *layout)
{
	const struct staged_plan *plan = &network->plan;
	size_t used = (size_t)snprintf(layout, MODEL_LAYOUT_MAX, "%s of %d levels%s",
				       plan->exponents ? "exponents" : "one-hot cells",
				       network->levels, plan->canonical ? ", canonical" : "");
	for (int l = 0; l < plan->layers; l++)
		used += (size_t)snprintf(layout + used, MODEL_LAYOUT_MAX - used, "%s%d",
					 l ? "-" : ", widths ", plan->width[l]);
	for (int s = 0; s < plan->stages - 1; s++)
		used += (size_t)snprintf(layout + used, MODEL_LAYOUT_MAX - used, "%s%d",
					 s ? "+" : ", stages from exponent ", plan->threshold[s]);
}

/*
 * ---- Gradient steps on many threads.
 *
 * A step has three rounds of tasks for the team: one task for each shard of the positions; one for
 * each slice of the weights, which sums the shards' gradients; and one for each slice, which makes
 * the step. With g the gradient and a the learning rate:
 *
 * 	sgd           w += a g
 * 	rmsprop       s = rho s + (1 - rho) g^2,  w += a g / (sqrt(s) + eps) for each weight
 * 		(Karpathy, Pong from Pixels)
 * 	rmsprop-norm  s = rho s + (1 - rho) |g|^2 of a whole layer, as Dedieu and Amar, section
 * 		3.2.4, print
 * 	adam          m = rho1 m + (1 - rho1) g, s = rho s + (1 - rho) g^2,
 * 		w += a m' / (sqrt(s') + eps), m' = m / (1 - rho1^t), s' = s / (1 - rho^t)
 * 		(Kingma, Ba, ICLR 2015)
 *
 * eps is 1e-8 for adam, as in its paper, and else 1e-5, as Dedieu and Amar print.
 *
 * Check value: the first step of adam is a * sign(g), up to eps, whatever the size of g.
 */

enum { SLICES = 16 };

static const double RHO1 = 0.9, EPS = 1e-5, ADAM_EPS = 1e-8;

enum status gradient_init(struct gradient *gradient, struct staged_network *network,
			  enum optimiser_kind kind, double rho, struct why *why)
{
	const bool mean = kind == OPTIMISER_ADAM;
	const bool square = mean || kind == OPTIMISER_RMSPROP;
	*gradient = (struct gradient){.network = network, .kind = kind, .rho = rho};
	if (mean)
		gradient->mean = stages_new(network);
	if (square)
		gradient->square = stages_new(network);
	if ((!mean || gradient->mean) && (!square || gradient->square))
		return STATUS_OK;
	gradient_fini(gradient);
	return why_set(why, STATUS_SYSTEM, "out of memory for the optimiser of a network");
}

static void shards_fini(struct gradient *gradient)
{
	for (int i = 0; i < GRADIENT_SHARDS; i++) {
		staged_work_fini(&gradient->work[i]);
		free(gradient->sum[i]);
		gradient->sum[i] = NULL;
	}
}

enum status gradient_reserve(struct gradient *gradient, struct why *why)
{
	const struct staged_network *network = gradient->network;
	enum status status = STATUS_OK;
	if (gradient->sum[0])
		return STATUS_OK;
	for (int i = 0; !status && i < GRADIENT_SHARDS; i++) {
		gradient->sum[i] = stages_new(network);
		status = gradient->sum[i]
			     ? staged_work_init(&gradient->work[i], network, GRADIENT_ROOM, why)
			     : why_set(why, STATUS_SYSTEM, "out of memory for gradients");
	}
	if (status)
		shards_fini(gradient);
	return status;
}

void gradient_fini(struct gradient *gradient)
{
	free(gradient->mean);
	free(gradient->square);
	shards_fini(gradient);
	*gradient = (struct gradient){0};
}

/* Called once before the slices of a step of stage S. */
static void optimiser_begin(struct gradient *gradient, size_t s)
{
	const struct perceptron *p = &gradient->network->net;
	const float *g = gradient->sum[0] + s * p->size;
	gradient->stage[s].steps++;
	for (int l = 0; gradient->kind == OPTIMISER_RMSPROP_NORM && l < p->layers; l++) {
		double sum = 0, *norm = &gradient->stage[s].norm[l];
		for (size_t i = p->weight[l]; i < p->bias[l] + p->stride[l]; i++)
			sum += (double)g[i] * (double)g[i];
		*norm = gradient->rho * *norm + (1 - gradient->rho) * sum;
	}
}

/* Weights FIRST to END - 1 of stage S, or their gradients. */
struct slice {
	size_t s, first, end;
};

/* A step of sgd or rmsprop-norm: all weights of a layer have the same rate. */
static void layers_step(const struct gradient *gradient, const struct slice *slice, double alpha,
			const float *g, float *w)
{
	const struct perceptron *p = &gradient->network->net;
	for (int l = 0; l < p->layers; l++) {
		const double root = sqrt(gradient->stage[slice->s].norm[l]);
		const bool norm = gradient->kind == OPTIMISER_RMSPROP_NORM;
		const float a = (float)(norm ? alpha / (root + EPS) : alpha);
		const size_t layer_end = p->bias[l] + p->stride[l];
		const size_t end = layer_end < slice->end ? layer_end : slice->end;
		for (size_t i = p->weight[l] > slice->first ? p->weight[l] : slice->first; i < end;
		     i++)
			w[i] += a * g[i];
	}
}

/* Makes the step of rate ALPHA for the weights of SLICE. */
static void slice_step(const struct gradient *gradient, const struct slice *slice, double alpha)
{
	const float rho1 = (float)RHO1, rho = (float)gradient->rho;
	const size_t stage = slice->s * gradient->network->net.size;
	const float *g = gradient->sum[0] + stage;
	float *w = gradient->network->weight[slice->s], a = (float)alpha;
	if (gradient->kind == OPTIMISER_RMSPROP) {
		float *square = gradient->square + stage;
		for (size_t i = slice->first; i < slice->end; i++) {
			square[i] = rho * square[i] + (1 - rho) * g[i] * g[i];
			w[i] += a * g[i] / (sqrtf(square[i]) + (float)EPS);
		}
	} else if (gradient->kind == OPTIMISER_ADAM) {
		float *mean = gradient->mean + stage, *square = gradient->square + stage;
		const double steps = (double)gradient->stage[slice->s].steps;
		const float root = (float)(1 / sqrt(1 - pow(gradient->rho, steps)));
		a = (float)(alpha / (1 - pow(RHO1, steps)));
		for (size_t i = slice->first; i < slice->end; i++) {
			mean[i] = rho1 * mean[i] + (1 - rho1) * g[i];
			square[i] = rho * square[i] + (1 - rho) * g[i] * g[i];
			w[i] += a * mean[i] / (root * sqrtf(square[i]) + (float)ADAM_EPS);
		}
	} else {
		layers_step(gradient, slice, alpha, g, w);
	}
}

/* Data shared by the tasks of a step, or of a computation of outputs. */
struct gradient_round {
	const struct gradient_batch *batch;
	float (*out)[DIRECTIONS]; /* destination of outputs; NULL: compute gradients */
	unsigned seen; /* stages with positions; the optimisers of others do not change */
};

static void shard_task(void *context, size_t shard, int worker)
{
	(void)worker;
	const struct gradient_round *round = context;
	const struct gradient_batch *batch = round->batch;
	struct gradient *gradient = batch->gradient;
	const struct staged_network *network = gradient->network;
	struct staged_work *work = &gradient->work[shard];
	float *sum = gradient->sum[shard];
	if (!round->out)
		memset(sum, 0, (size_t)network->plan.stages * network->net.size * sizeof *sum);
	gradient->seen[shard] = 0;
	const size_t all = batch->end - batch->first;
	const size_t end = batch->first + all * (shard + 1) / GRADIENT_SHARDS;
	for (size_t i = batch->first + all * shard / GRADIENT_SHARDS; i < end; i += GRADIENT_ROOM) {
		const size_t n = end - i < GRADIENT_ROOM ? end - i : GRADIENT_ROOM;
		if (round->out)
			staged_outputs(network, work, batch->board + i, n, round->out + i);
		else
			gradient->seen[shard] |= staged_gradient(network, work, batch, i, n, sum);
	}
}

/* Returns slice NUMBER of those of all stages; slices are whole cache lines. */
static struct slice slice_of(const struct gradient *gradient, size_t number)
{
	const size_t lines = gradient->network->net.size / PERCEPTRON_LANE;
	const size_t slice = number % SLICES;
	return (struct slice){.s = number / SLICES,
			      .first = lines * slice / SLICES * PERCEPTRON_LANE,
			      .end = lines * (slice + 1) / SLICES * PERCEPTRON_LANE};
}

/* Averages the gradients of slice NUMBER into those of the first shard. */
static void sum_task(void *context, size_t number, int worker)
{
	(void)worker;
	const struct gradient_round *round = context;
	const struct gradient_batch *batch = round->batch;
	struct gradient *gradient = batch->gradient;
	const struct slice slice = slice_of(gradient, number);
	const size_t stage = slice.s * gradient->network->net.size;
	const float weight = (float)(1.0 / (double)(batch->end - batch->first));
	float *sum = gradient->sum[0] + stage;
	for (int i = 1; i < GRADIENT_SHARDS; i++)
		for (size_t j = slice.first; j < slice.end; j++)
			sum[j] += gradient->sum[i][stage + j];
	for (size_t j = slice.first; j < slice.end; j++)
		sum[j] *= weight;
}

static void step_task(void *context, size_t number, int worker)
{
	(void)worker;
	const struct gradient_round *round = context;
	const struct slice slice = slice_of(round->batch->gradient, number);
	if (round->seen >> slice.s & 1)
		slice_step(round->batch->gradient, &slice, round->batch->alpha);
}

void gradient_step(struct thread_team *team, const struct gradient_batch *batch)
{
	struct gradient *gradient = batch->gradient;
	struct gradient_round round = {.batch = batch};
	const size_t stages = (size_t)gradient->network->plan.stages;
	thread_team_run(team, shard_task, &round, GRADIENT_SHARDS);
	thread_team_run(team, sum_task, &round, stages * SLICES);
	for (int i = 0; i < GRADIENT_SHARDS; i++)
		round.seen |= gradient->seen[i];
	for (size_t s = 0; s < stages; s++)
		if (round.seen >> s & 1)
			optimiser_begin(gradient, s);
	thread_team_run(team, step_task, &round, stages * SLICES);
}

void gradient_outputs(struct gradient *gradient, struct thread_team *team,
		      const struct board *const *board, size_t n, float (*out)[DIRECTIONS])
{
	const struct gradient_batch batch = {.gradient = gradient, .board = board, .end = n};
	struct gradient_round round = {.batch = &batch, .out = out};
	thread_team_run(team, shard_task, &round, GRADIENT_SHARDS);
}

/* Writes or reads the numbers of the optimiser of stage S that learning changes. */
static void numbers_section(struct gradient *gradient, size_t s, struct model_file *file)
{
	uint64_t *steps = &gradient->stage[s].steps;
	*steps = model_number(file, *steps, UINT64_MAX);
	for (int l = 0; l < PERCEPTRON_LAYERS; l++) {
		double *norm = &gradient->stage[s].norm[l];
		*norm = model_real(file, *norm);
		if (model_reading(file) && !(*norm >= 0 && isfinite(*norm)))
			model_reject(file, "an invalid sum of squares", "numbers from 0 on");
	}
}

static void live_section(struct staged_network *network, struct model_file *file)
{
	const uint64_t live = model_number(file, (uint64_t)network->live, UINT64_MAX);
	if (live < 1 || live > (uint64_t)network->plan.stages)
		model_reject(file, "an impossible number of live stages", "1 up to all of them");
	else
		network->live = (int)live;
}

void gradient_sections(struct gradient *gradient, struct model_file *file)
{
	const size_t stages = (size_t)gradient->network->plan.stages;
	const size_t count = gradient->network->net.size;
	for (size_t s = 0; s < stages; s++)
		numbers_section(gradient, s, file);
	if (stages > 1)
		live_section(gradient->network, file);
	model_section_end(file);
	for (size_t s = 0; s < stages; s++) {
		if (gradient->mean)
			model_floats(file, gradient->mean + s * count, count, NULL);
		if (gradient->square)
			model_floats(file, gradient->square + s * count, count, NULL);
	}
}
