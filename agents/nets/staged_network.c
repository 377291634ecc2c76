/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perceptrons that look at boards; see staged_network.h.
 *
 * Positions are sorted by stage, so that each perceptron gets its own as one batch.
 * Check value: on 4x4 with hidden layers of 200 and 100 a position has 256 inputs, 16 of them 1.
 */
#include "agents/nets/staged_network.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int staged_levels(const struct game *game)
{
	const int most = game->cells < 16 ? 16 : game->cells;
	return game->max_exponent + 1 < most ? game->max_exponent + 1 : most;
}

/* Mirrored left-right, then top-bottom, then transposed, as board_symmetry() says. */
static uint8_t direction_turned(int image, int d)
{
	static const uint8_t transposed[DIRECTIONS] = {
	    [UP] = LEFT, [LEFT] = UP, [DOWN] = RIGHT, [RIGHT] = DOWN};
	const bool across = d == LEFT || d == RIGHT;
	if (image & (across ? 1 : 2))
		d = (d + 2) % DIRECTIONS;
	return image & 4 ? transposed[d] : (uint8_t)d;
}

static void turned_init(struct staged_network *network)
{
	for (int i = 0; i < network->game->symmetries; i++)
		for (int d = 0; d < DIRECTIONS; d++)
			network->turned[i][d] = direction_turned(i, d);
}

/* Before any memory is asked for. */
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
	*network = (struct staged_network){.game = game, .plan = *plan, .live = 1};
	const int inputs = plan->exponents ? game->cells : game->cells * plan->levels;
	perceptron_init(&network->net, game->isa, inputs, game->cells, plan->layers, plan->width);
	network->net.scaled = plan->exponents;
	turned_init(network);
	const enum status status = weights_check(network, why);
	if (status) {
		*network = (struct staged_network){0};
		return status;
	}
	for (int s = 0; s < plan->stages; s++) {
		network->weight[s] = perceptron_array(&network->net);
		if (!network->weight[s]) {
			staged_fini(network);
			return why_set(why, STATUS_SYSTEM, "out of memory for a network");
		}
	}
	return STATUS_OK;
}

void staged_borrow(struct staged_network *network, const struct staged_network *owner)
{
	*network = *owner;
	network->borrowed = true;
}

void staged_fini(struct staged_network *network)
{
	for (int s = 0; s < network->plan.stages && !network->borrowed; s++)
		free(network->weight[s]);
	*network = (struct staged_network){0};
}

void staged_start(struct staged_network *network, uint64_t seed, uint64_t number)
{
	for (int s = 0; s < network->plan.stages; s++)
		perceptron_start(&network->net, network->weight[s], network->plan.start,
				 (float)network->plan.last, seed,
				 number * STAGED_STAGES + (uint64_t)s);
}

bool staged_started(const struct staged_network *network)
{
	const float *w = network->weight[0];
	bool started = false;
	for (size_t i = network->net.weight[0]; !started && i < network->net.bias[0]; i++)
		started = w[i] != 0;
	return started;
}

enum status staged_work_init(struct staged_work *work, const struct staged_network *network,
			     size_t room, struct why *why)
{
	*work = (struct staged_work){.room = room};
	work->input = malloc(room * sizeof *work->input);
	work->place = malloc(room * sizeof *work->place);
	work->image = malloc(room);
	enum status status = STATUS_SYSTEM;
	if (work->input && work->place && work->image)
		status = perceptron_work_init(&work->work, &network->net, room, why);
	else
		why_set(why, STATUS_SYSTEM, "out of memory for %zu positions of a network", room);
	if (status)
		staged_work_fini(work);
	return status;
}

void staged_work_fini(struct staged_work *work)
{
	perceptron_work_fini(&work->work);
	free(work->input);
	free(work->place);
	free(work->image);
	*work = (struct staged_work){0};
}

/* The stage of BOARD, of the first STAGES. */
static int stage_of(const struct staged_network *network, const struct board *board, int stages)
{
	int stage = 0;
	if (stages > 1) {
		const int most = board_max(board);
		while (stage < stages - 1 && most >= network->plan.threshold[stage])
			stage++;
	}
	return stage;
}

bool staged_promote(struct staged_network *network, const struct board *const *board, size_t n)
{
	size_t beyond = 0;
	if (network->live == network->plan.stages)
		return false;
	for (size_t i = 0; i < n; i++)
		beyond += stage_of(network, board[i], network->plan.stages) >= network->live;
	if (beyond == 0 || 10 * beyond < n)
		return false;
	memcpy(network->weight[network->live], network->weight[network->live - 1],
	       network->net.size * sizeof(float));
	network->live++;
	return true;
}

/* Whether A's cells in reading order come before B's. */
static bool board_less(const struct board *a, const struct board *b)
{
	return memcmp(a->cell, b->cell, sizeof a->cell) < 0;
}

/* The largest image of BOARD, and which one that is. */
static int image_largest(const struct game *game, const struct board *board, struct board *largest)
{
	int best = 0;
	*largest = *board;
	for (int i = 1; i < game->symmetries; i++) {
		struct board image;
		board_symmetry(game, i, board, &image);
		if (board_less(largest, &image)) {
			*largest = image;
			best = i;
		}
	}
	return best;
}

/* The I-th input, which is of board number PLACE. */
static void look(const struct staged_network *network, struct staged_work *work, size_t i,
		 size_t place, const struct board *board)
{
	const struct staged_plan *plan = &network->plan;
	struct perceptron_input *in = &work->input[i];
	struct board image = *board;
	work->place[i] = place;
	work->image[i] = plan->canonical ? (uint8_t)image_largest(network->game, board, &image) : 0;
	int cell = 0;
	for (int r = 0; r < network->game->rows; r++)
		for (int c = 0; c < network->game->cols; c++, cell++) {
			const int k = image.cell[r][c];
			const int level = k < plan->levels ? k : plan->levels - 1;
			in->row[cell] =
			    (uint16_t)(plan->exponents ? cell : cell * plan->levels + level);
			in->x[cell] = plan->exponents ? (float)k : 1;
		}
}

/* Looks at the boards of stage S, and computes the outputs; how many they are. */
static size_t stage_forward(const struct staged_network *network, struct staged_work *work,
			    const struct board *const *board, size_t n, int s)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++)
		if (stage_of(network, board[i], network->live) == s)
			look(network, work, found++, i, board[i]);
	if (found)
		perceptron_forward(&network->net, network->weight[s], work->input, found,
				   &work->work);
	return found;
}

/* The output of input I that stands for direction D. */
static size_t output_at(const struct staged_network *network, const struct staged_work *work,
			size_t i, int d)
{
	const int last = network->net.layers - 1;
	const int unit = network->net.width[last] == 1 ? 0 : network->turned[work->image[i]][d];
	return i * network->net.stride[last] + (size_t)unit;
}

/* The outputs that a network has: directions or one. */
static int outputs(const struct staged_network *network)
{
	return network->net.width[network->net.layers - 1];
}

static void output_read(const struct staged_network *network, const struct staged_work *work,
			size_t i, float out[DIRECTIONS])
{
	const float *z = work->work.out[network->net.layers - 1];
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
			output_read(network, work, i, out[work->place[i]]);
	}
}

unsigned staged_gradient(const struct staged_network *network, struct staged_work *work,
			 const struct gradient_batch *batch, size_t first, size_t n,
			 float *const *gradient)
{
	const int layer = network->net.layers - 1;
	float *back = work->work.back[layer];
	unsigned seen = 0;
	assert(n <= work->room);
	for (int s = 0; s < network->live; s++) {
		const size_t found = stage_forward(network, work, batch->board + first, n, s);
		seen |= (unsigned)(found > 0) << s;
		memset(back, 0, found * network->net.stride[layer] * sizeof *back);
		for (size_t i = 0; i < found; i++) {
			float out[DIRECTIONS], by[DIRECTIONS];
			output_read(network, work, i, out);
			batch->grade(batch->context, first + work->place[i], out, by);
			for (int d = 0; d < outputs(network); d++)
				back[output_at(network, work, i, d)] = by[d];
		}
		if (found && batch->last)
			perceptron_backward_last(&network->net, found, &work->work, gradient[s]);
		else if (found)
			perceptron_backward(&network->net, network->weight[s], work->input, found,
					    &work->work, gradient[s]);
	}
	return seen;
}

void staged_sections(struct staged_network *network, struct model_file *file)
{
	for (int s = 0; s < network->plan.stages; s++)
		model_floats(file, network->weight[s], perceptron_whole(&network->net));
}

void staged_layout(const struct staged_network *network, char layout[MODEL_LAYOUT_MAX])
{
	const struct staged_plan *plan = &network->plan;
	size_t used = (size_t)snprintf(layout, MODEL_LAYOUT_MAX, "%s of %d levels%s",
				       plan->exponents ? "exponents" : "one-hot cells",
				       plan->levels, plan->canonical ? ", canonical" : "");
	for (int l = 0; l < plan->layers; l++)
		used += (size_t)snprintf(layout + used, MODEL_LAYOUT_MAX - used, "%s%d",
					 l ? "-" : ", widths ", plan->width[l]);
	for (int s = 0; s < plan->stages - 1; s++)
		used += (size_t)snprintf(layout + used, MODEL_LAYOUT_MAX - used, "%s%d",
					 s ? "+" : ", stages from exponent ", plan->threshold[s]);
}

void moves_chances(const float out[DIRECTIONS], unsigned legal, double chance[DIRECTIONS])
{
	softmax(out, DIRECTIONS, legal, chance);
}

int chances_draw(const double chance[DIRECTIONS], struct rng *rng)
{
	double x = rng_real(rng);
	int last = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (chance[d] <= 0)
			continue;
		last = d;
		x -= chance[d];
		if (x < 0)
			break;
	}
	return last;
}

int chances_best(const double chance[DIRECTIONS])
{
	int best = 0;
	for (int d = 1; d < DIRECTIONS; d++)
		if (chance[d] > chance[best])
			best = d;
	return best;
}

/* Of 1 to CHANCES_ROOM turns. */
static void some_chances(const struct staged_network *network, struct staged_work *work,
			 const struct turn *turns, size_t n, double (*chance)[DIRECTIONS])
{
	const struct board *board[CHANCES_ROOM];
	float out[CHANCES_ROOM][DIRECTIONS];
	assert(n > 0 && n <= CHANCES_ROOM);
	for (size_t i = 0; i < n; i++)
		board[i] = turns[i].board;
	staged_outputs(network, work, board, n, out);
	for (size_t i = 0; i < n; i++)
		moves_chances(out[i], turns[i].moves.legal, chance[i]);
}

void staged_chances(const struct staged_network *network, struct staged_work *work,
		    const struct turn *turns, size_t n, double (*chance)[DIRECTIONS])
{
	for (size_t i = 0; i < n; i += CHANCES_ROOM)
		some_chances(network, work, turns + i, n - i < CHANCES_ROOM ? n - i : CHANCES_ROOM,
			     chance + i);
}
