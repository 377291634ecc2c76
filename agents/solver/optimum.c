/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking up moves in a table; see optimum.h and optimum_format.h.
 *
 * A move keeps the sum of the tiles, so all after-states of a position stand in the layer of its own
 * sum. They are folded, mixed into their codes, and found by the directory and a scan of some ten
 * rests, after all that this takes was asked of the memory.
 *
 * Check value: on 2x2 the start 2,2/0,0 is worth 67.6962640788 points.
 */
#include "agents/fields.h"
#include "agents/solver/optimum_layers.h"

#include <inttypes.h>
#include <math.h>

const struct optimum_head *optimum_head(const struct optimum *optimum)
{
	return &optimum->head;
}

static bool layer_sound(struct optimum_layer *layer)
{
	int state = atomic_load_explicit(&layer->state, memory_order_relaxed);
	if (state == LAYER_UNCHECKED) {
		const size_t bytes = optimum_layer_bytes(&layer->codes);
		state = XXH3_64bits(layer->at, bytes) == layer->hash ? LAYER_SOUND : LAYER_DAMAGED;
		atomic_store_explicit(&layer->state, state, memory_order_relaxed);
	}
	return state == LAYER_SOUND;
}

enum status optimum_verify(const struct optimum *optimum, struct why *why)
{
	for (size_t i = 0; i < optimum->layer_count; i++)
		if (!layer_sound(&optimum->layers[i]))
			return why_set(why, STATUS_INPUT,
				       "%s: damaged in layer %" PRIu64
				       ", expected contents that match their checksum",
				       optimum->path, optimum->layers[i].sum);
	return STATUS_OK;
}

static struct optimum_layer *layer_find(const struct optimum *o, uint64_t sum)
{
	size_t low = 0, high = o->layer_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (o->layers[middle].sum < sum)
			low = middle + 1;
		else
			high = middle;
	}
	return low < o->layer_count && o->layers[low].sum == sum ? &o->layers[low] : NULL;
}

/* The value of the after-state with that code; NAN if it is not there, or not a number. */
static double value_find(const struct optimum_layer *layer, uint64_t code)
{
	const struct codes *codes = &layer->codes;
	const unsigned char *rests = layer->at + codes->directory;
	const uint64_t i = codes_find(codes, layer->at, rests, code);
	if (i == codes->count)
		return NAN;
	const double value = field_get_double(rests + codes->rests + i * sizeof(double));
	return isfinite(value) ? value : NAN;
}

static bool won(const struct optimum *o, const struct board *board)
{
	return o->head.goal == GOAL_TARGET && board_max(board) >= o->head.target;
}

static bool beyond(const struct optimum *o, uint64_t sum)
{
	return o->head.max_sum && sum > o->head.max_sum;
}

/* What the move itself adds to the goal. */
static double move_gain(const struct optimum *o, uint64_t reward)
{
	switch (o->head.goal) {
	case GOAL_SCORE:
	case GOAL_BEST_SCORE:
		return (double)reward;
	case GOAL_MOVES:
	case GOAL_BEST_MOVES:
		return 1;
	default:
		return 0;
	}
}

/* What is to be looked up of a position. */
struct asked {
	int n;
	int direction[DIRECTIONS];
	uint64_t code[DIRECTIONS];
};

/* Fetches what the look-ups will need, so that they wait for memory at the same time. */
static void layer_fetch(const struct optimum_layer *layer, const struct asked *asked)
{
	for (int i = 0; i < asked->n; i++)
		codes_fetch_directory(&layer->codes, layer->at, asked->code[i]);
	for (int i = 0; i < asked->n; i++) {
		const unsigned char *rests = layer->at + layer->codes.directory;
		const uint64_t place =
		    codes_fetch_rests(&layer->codes, layer->at, rests, asked->code[i]);
		__builtin_prefetch(rests + layer->codes.rests + place * sizeof(double));
	}
}

/*
 * The moves of TURN whose after-states are in LAYER, if they are known; WORTH of those that make the
 * target. False if a tile is too large.
 */
static bool moves_ask(const struct optimum *o, const struct turn *turn, double worth[DIRECTIONS],
		      struct asked *asked)
{
	asked->n = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		const struct board *after = &turn->moves.after[d];
		if (!(turn->moves.legal >> d & 1))
			continue;
		if (won(o, after)) {
			worth[d] = 1;
			continue;
		}
		if (board_max(after) > o->head.max_exponent)
			return false;
		asked->direction[asked->n] = d;
		asked->code[asked->n++] = keys_pack(&o->base.keys, after);
	}
	keys_fold(&o->base.keys, asked->code, (size_t)asked->n);
	keys_mix(&o->base.keys, asked->code, (size_t)asked->n);
	return true;
}

/* Whether all moves are known. */
static bool moves_find(const struct optimum *o, const struct turn *turn, double worth[DIRECTIONS])
{
	struct asked asked;
	const uint64_t sum = board_sum(turn->board);
	if ((beyond(o, sum) && !won(o, turn->board)) || !moves_ask(o, turn, worth, &asked))
		return false;
	if (asked.n == 0)
		return true;
	struct optimum_layer *layer = layer_find(o, sum);
	if (!layer || !layer_sound(layer))
		return false;
	layer_fetch(layer, &asked);
	for (int i = 0; i < asked.n; i++) {
		const int d = asked.direction[i];
		worth[d] = move_gain(o, turn->moves.reward[d]) + value_find(layer, asked.code[i]);
		if (isnan(worth[d]))
			return false;
	}
	return true;
}

bool optimum_moves(const struct optimum *o, const struct turn *turn, double worth[DIRECTIONS])
{
	for (int d = 0; d < DIRECTIONS; d++)
		worth[d] = NAN;
	if (moves_find(o, turn, worth))
		return true;
	for (int d = 0; d < DIRECTIONS; d++)
		worth[d] = NAN;
	return false;
}

double optimum_value(const struct optimum *o, const struct turn *turn)
{
	double worth[DIRECTIONS], best = NAN;
	if (won(o, turn->board))
		return 1;
	if (!turn->moves.legal || beyond(o, board_sum(turn->board)))
		return 0;
	if (!optimum_moves(o, turn, worth))
		return NAN;
	for (int d = 0; d < DIRECTIONS; d++)
		best = fmax(best, worth[d]);
	return best;
}
