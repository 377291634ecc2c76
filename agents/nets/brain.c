/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perceptrons that look at boards; see brain.h.
 *
 * Positions are sorted by stage, so that each perceptron gets its own as one batch.
 * Check value: on 4x4 with hidden layers of 200 and 100 a position has 256 inputs, 16 of them 1.
 */
#include "agents/nets/brain.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int brain_levels(const struct game *game)
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

static void turned_init(struct brain *brain)
{
	for (int i = 0; i < brain->game->symmetries; i++)
		for (int d = 0; d < DIRECTIONS; d++)
			brain->turned[i][d] = direction_turned(i, d);
}

/* Before any memory is asked for. */
static enum status weights_check(const struct brain *brain, struct why *why)
{
	const size_t weights = brain->net.size * (size_t)brain->plan.stages;
	if (weights <= BRAIN_WEIGHTS_MAX)
		return STATUS_OK;
	return why_set(why, STATUS_INPUT,
		       "a network of %.1f million weights (stages: %d), expected at most %.1f "
		       "million: fewer hidden units or stages",
		       (double)weights / 1e6, brain->plan.stages, BRAIN_WEIGHTS_MAX / 1e6);
}

enum status brain_init(struct brain *brain, const struct game *game, const struct brain_plan *plan,
		       struct why *why)
{
	*brain = (struct brain){.game = game, .plan = *plan, .live = 1};
	const int inputs = plan->exponents ? game->cells : game->cells * plan->levels;
	perceptron_init(&brain->net, game->isa, inputs, game->cells, plan->layers, plan->width);
	brain->net.scaled = plan->exponents;
	turned_init(brain);
	const enum status status = weights_check(brain, why);
	if (status) {
		*brain = (struct brain){0};
		return status;
	}
	for (int s = 0; s < plan->stages; s++) {
		brain->weight[s] = perceptron_array(&brain->net);
		if (!brain->weight[s]) {
			brain_fini(brain);
			return why_set(why, STATUS_SYSTEM, "out of memory for a network");
		}
	}
	return STATUS_OK;
}

void brain_borrow(struct brain *brain, const struct brain *owner)
{
	*brain = *owner;
	brain->borrowed = true;
}

void brain_fini(struct brain *brain)
{
	for (int s = 0; s < brain->plan.stages && !brain->borrowed; s++)
		free(brain->weight[s]);
	*brain = (struct brain){0};
}

void brain_start(struct brain *brain, uint64_t seed, uint64_t number)
{
	for (int s = 0; s < brain->plan.stages; s++)
		perceptron_start(&brain->net, brain->weight[s], brain->plan.start,
				 (float)brain->plan.last, seed,
				 number * BRAIN_STAGES + (uint64_t)s);
}

bool brain_started(const struct brain *brain)
{
	const float *w = brain->weight[0];
	bool started = false;
	for (size_t i = brain->net.weight[0]; !started && i < brain->net.bias[0]; i++)
		started = w[i] != 0;
	return started;
}

enum status brain_work_init(struct brain_work *work, const struct brain *brain, size_t room,
			    struct why *why)
{
	*work = (struct brain_work){.room = room};
	work->input = malloc(room * sizeof *work->input);
	work->place = malloc(room * sizeof *work->place);
	work->image = malloc(room);
	enum status status = STATUS_SYSTEM;
	if (work->input && work->place && work->image)
		status = perceptron_work_init(&work->work, &brain->net, room, why);
	else
		why_set(why, STATUS_SYSTEM, "out of memory for %zu positions of a network", room);
	if (status)
		brain_work_fini(work);
	return status;
}

void brain_work_fini(struct brain_work *work)
{
	perceptron_work_fini(&work->work);
	free(work->input);
	free(work->place);
	free(work->image);
	*work = (struct brain_work){0};
}

/* The stage of BOARD, of the first STAGES. */
static int stage_of(const struct brain *brain, const struct board *board, int stages)
{
	int stage = 0;
	if (stages > 1) {
		const int most = board_max(board);
		while (stage < stages - 1 && most >= brain->plan.threshold[stage])
			stage++;
	}
	return stage;
}

bool brain_promote(struct brain *brain, const struct board *const *board, size_t n)
{
	size_t beyond = 0;
	if (brain->live == brain->plan.stages)
		return false;
	for (size_t i = 0; i < n; i++)
		beyond += stage_of(brain, board[i], brain->plan.stages) >= brain->live;
	if (beyond == 0 || 10 * beyond < n)
		return false;
	memcpy(brain->weight[brain->live], brain->weight[brain->live - 1],
	       brain->net.size * sizeof(float));
	brain->live++;
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
static void look(const struct brain *brain, struct brain_work *work, size_t i, size_t place,
		 const struct board *board)
{
	const struct brain_plan *plan = &brain->plan;
	struct perceptron_input *in = &work->input[i];
	struct board image = *board;
	work->place[i] = place;
	work->image[i] = plan->canonical ? (uint8_t)image_largest(brain->game, board, &image) : 0;
	int cell = 0;
	for (int r = 0; r < brain->game->rows; r++)
		for (int c = 0; c < brain->game->cols; c++, cell++) {
			const int k = image.cell[r][c];
			const int level = k < plan->levels ? k : plan->levels - 1;
			in->row[cell] =
			    (uint16_t)(plan->exponents ? cell : cell * plan->levels + level);
			in->x[cell] = plan->exponents ? (float)k : 1;
		}
}

/* Looks at the boards of stage S, and computes the outputs; how many they are. */
static size_t stage_forward(const struct brain *brain, struct brain_work *work,
			    const struct board *const *board, size_t n, int s)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++)
		if (stage_of(brain, board[i], brain->live) == s)
			look(brain, work, found++, i, board[i]);
	if (found)
		perceptron_forward(&brain->net, brain->weight[s], work->input, found, &work->work);
	return found;
}

/* The output of input I that stands for direction D. */
static size_t output_at(const struct brain *brain, const struct brain_work *work, size_t i, int d)
{
	const int last = brain->net.layers - 1;
	const int unit = brain->net.width[last] == 1 ? 0 : brain->turned[work->image[i]][d];
	return i * brain->net.stride[last] + (size_t)unit;
}

/* The outputs that a brain has: directions or one. */
static int outputs(const struct brain *brain)
{
	return brain->net.width[brain->net.layers - 1];
}

static void output_read(const struct brain *brain, const struct brain_work *work, size_t i,
			float out[DIRECTIONS])
{
	const float *z = work->work.out[brain->net.layers - 1];
	for (int d = 0; d < DIRECTIONS; d++)
		out[d] = d < outputs(brain) ? z[output_at(brain, work, i, d)] : 0;
}

void brain_outputs(const struct brain *brain, struct brain_work *work,
		   const struct board *const *board, size_t n, float (*out)[DIRECTIONS])
{
	assert(n <= work->room);
	for (int s = 0; s < brain->live; s++) {
		const size_t found = stage_forward(brain, work, board, n, s);
		for (size_t i = 0; i < found; i++)
			output_read(brain, work, i, out[work->place[i]]);
	}
}

unsigned brain_gradient(const struct brain *brain, struct brain_work *work,
			const struct board *const *board, size_t n, brain_grade *grade,
			void *context, bool last, float *const *gradient)
{
	const int layer = brain->net.layers - 1;
	float *back = work->work.back[layer];
	unsigned seen = 0;
	assert(n <= work->room);
	for (int s = 0; s < brain->live; s++) {
		const size_t found = stage_forward(brain, work, board, n, s);
		seen |= (unsigned)(found > 0) << s;
		memset(back, 0, found * brain->net.stride[layer] * sizeof *back);
		for (size_t i = 0; i < found; i++) {
			float out[DIRECTIONS], by[DIRECTIONS];
			output_read(brain, work, i, out);
			grade(context, work->place[i], out, by);
			for (int d = 0; d < outputs(brain); d++)
				back[output_at(brain, work, i, d)] = by[d];
		}
		if (found && last)
			perceptron_backward_last(&brain->net, found, &work->work, gradient[s]);
		else if (found)
			perceptron_backward(&brain->net, brain->weight[s], work->input, found,
					    &work->work, gradient[s]);
	}
	return seen;
}

void brain_sections(struct brain *brain, struct model_file *file)
{
	for (int s = 0; s < brain->plan.stages; s++)
		model_floats(file, brain->weight[s], perceptron_whole(&brain->net));
}

void brain_layout(const struct brain *brain, char layout[MODEL_LAYOUT_MAX])
{
	const struct brain_plan *plan = &brain->plan;
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
