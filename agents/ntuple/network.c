/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * N-tuple networks: making them, and looking at boards; see network.h.
 *
 * Check value: a network without learning is worth v0 everywhere.
 */
#include "agents/ntuple/network.h"

#include "base/virtual_memory.h"

#include <assert.h>
#include <stdio.h>

/*
 * What strong players reach: 4x4 2^15, as is usual, 5x5 2^19, 6x6 2^21; a table of six cells is then
 * 64, 244 and 433 MiB. Even, because an odd number takes the room of the next.
 */
int network_levels(const struct game *game)
{
	const int grown = 10 + game->cells / 5 * 2, enough = grown < 22 ? grown : 22;
	const int all = game->max_exponent + 1;
	return all < enough ? all : enough;
}

static enum status tables_map(struct network *network, struct why *why)
{
	const uint64_t count = network->size * (uint64_t)network->plan.stages;
	size_t entry = sizeof *network->weight;
	char what[80];
	void *space;
	snprintf(what, sizeof what, "a network of %d tuples, %d levels, stages: %d,",
		 network->patterns.count, network->plan.levels, network->plan.stages);
	if (network->plan.coherence)
		entry += sizeof *network->coherence;
	enum status status = virtual_memory_fits(count, entry, what, why);
	if (!status)
		status = virtual_memory_map(count, sizeof *network->weight, what, &space, why);
	if (status)
		return status;
	network->weight = space;
	if (!network->plan.coherence)
		return STATUS_OK;
	status = virtual_memory_map(count, sizeof *network->coherence, what, &space, why);
	if (!status)
		network->coherence = space;
	return status;
}

/*
 * Puts the cells in the reverse of reading order, so that the first one is the digit that changes most
 * often. Ties go up, so tiles are large at the top and few differ at the bottom: 200 games on 5x5 touch
 * 31 MiB of the directory, and 38 MiB in reading order.
 */
static void pattern_turn(struct pattern *pattern)
{
	for (int i = 1; i < pattern->length; i++)
		for (int j = i; j > 0 && pattern->cell[j] > pattern->cell[j - 1]; j--) {
			const uint8_t cell = pattern->cell[j];
			pattern->cell[j] = pattern->cell[j - 1];
			pattern->cell[j - 1] = cell;
		}
}

/*
 * Address space only. Why a directory of blocks, and not one mapping of all weights, whose unit would be
 * a page of 4096 bytes? What play touches lies thinly. 400 games of Q-learning on 6x6 update 5.7 million
 * weights, with their visits 44 MiB: 3609 MiB of pages with one digit a cell, 1225 MiB with pages that
 * are boxes of 512 near contents, 429 MiB in boxes of 64 (635 MiB resident with the directory). 6000
 * games on 4x4, 12 MiB: 396, 149 and 79 MiB. Smaller boxes shrink the blocks (8 weights: 152 MiB on 6x6)
 * and swell the directory. Blocks are handed out in a row, so that huge pages cost nothing; the
 * directory has none.
 */
static enum status blocks_map(struct network *n, struct why *why)
{
	n->block = n->plan.visits ? 2 * NETWORK_BOX : NETWORK_BOX;
	const uint64_t most = (UINT32_MAX + UINT64_C(1)) / n->block;
	n->boxes = (n->size + NETWORK_BOX - 1) / NETWORK_BOX;
	n->capacity = n->boxes < most ? n->boxes + 1 : most;
	n->size = n->capacity * n->block;
	n->blocks = 1;
	n->directory = virtual_memory_reserve(n->boxes, sizeof *n->directory);
	n->box = virtual_memory_reserve(n->capacity, sizeof *n->box);
	n->weight = virtual_memory_reserve(n->size, sizeof *n->weight);
	if (!n->directory || !n->box || !n->weight)
		return why_errno(why,
				 "cannot map %.0f GiB of address space for weights, expected "
				 "`ulimit -v unlimited` and vm.overcommit_memory 0 or 1",
				 ((double)n->boxes * 4 + (double)n->capacity * 520) / 0x1p30 + 1);
	virtual_memory_widen(n->weight, n->size, sizeof *n->weight);
	return STATUS_OK;
}

enum status network_init(struct network *network, const struct game *game,
			 const struct network_plan *plan, struct why *why)
{
	struct network made = {.game = game, .plan = *plan};
	struct network *n = &made;
	assert(plan->stages >= 1 && plan->stages <= STAGES_MAX);
	assert(!plan->on_demand || (plan->stages == 1 && !plan->coherence));
	enum status status =
	    patterns_read(plan->tuples, game, plan->symmetries > 1, &n->patterns, why);
	if (status)
		return status;
	n->plan.tuples = NULL;
	if (!plan->levels)
		n->plan.levels = network_levels(game);
	const int features = n->patterns.count * plan->symmetries;
	if (features > FEATURES_MAX)
		return why_set(why, STATUS_INPUT,
			       "%d tuples in %d images are %d features, expected at most %d",
			       n->patterns.count, plan->symmetries, features, FEATURES_MAX);
	for (int p = 0; plan->on_demand && p < n->patterns.count; p++)
		pattern_turn(&n->patterns.pattern[p]);
	n->size = indexer_init(&n->indexer, game, &n->patterns, plan->symmetries, n->plan.levels,
			       plan->on_demand ? NETWORK_BOX : 1);
	if (n->size > UINT32_MAX && !plan->on_demand)
		return why_set(why, STATUS_INPUT,
			       "%.1f billion weights a stage, expected at most 4.2: fewer levels "
			       "(%d), fewer tuples or shorter ones",
			       (double)n->size / 1e9, n->plan.levels);
	status = plan->on_demand ? blocks_map(n, why) : tables_map(n, why);
	if (status) {
		network_fini(n);
		return status;
	}
	*network = made;
	return STATUS_OK;
}

void network_fini(struct network *network)
{
	const uint64_t count = network->size * (uint64_t)network->plan.stages;
	virtual_memory_unmap(network->weight, count, sizeof *network->weight);
	virtual_memory_unmap(network->coherence, count, sizeof *network->coherence);
	virtual_memory_unmap(network->box, network->capacity, sizeof *network->box);
	virtual_memory_unmap(network->directory, network->boxes, sizeof *network->directory);
	*network = (struct network){0};
}

/* Bit k: some cell shows exponent k. */
static uint64_t exponents(const struct board *board)
{
	uint64_t bits = 0;
	for (int r = 0; r < SIDE_MAX; r++)
		for (int c = 0; c < ROW_BYTES; c++)
			bits |= (uint64_t)1 << board->cell[r][c];
	return bits;
}

/* Halves large tiles until none is above the tables, or no exponent below is missing. */
static void downgrade(const struct network *network, struct board *board)
{
	for (;;) {
		uint64_t bits = exponents(board) | 1;
		const int largest = 63 - __builtin_clzll(bits);
		if (largest < network->plan.levels)
			return;
		const uint64_t missing = ~bits & (((uint64_t)1 << largest) - 1);
		if (!missing)
			return;
		const int gap = 63 - __builtin_clzll(missing);
		for (int r = 0; r < SIDE_MAX; r++)
			for (int c = 0; c < ROW_BYTES; c++)
				if (board->cell[r][c] > gap)
					board->cell[r][c]--;
	}
}

int network_stage(const struct network *network, const struct board *board)
{
	int stage = 0;
	if (network->plan.stages == 1)
		return 0;
	const int largest = board_max(board);
	while (stage < network->plan.stages - 1 && largest >= network->plan.threshold[stage])
		stage++;
	return stage;
}

float network_sum_staged(const struct network *network, int stage, const uint32_t *index)
{
	const int features = network->indexer.features, whole = features / 4 * 4;
	float sum[4] = {0};
	for (int f = 0; f < features; f++)
		sum[f < whole ? f % 4 : 0] += network_weight(network, stage, index[f]);
	return (float)network->plan.start + ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

bool network_box_add(struct network *network, uint64_t box)
{
	if (network->directory[box] || network->blocks == network->capacity)
		return false;
	network->box[network->blocks] = box;
	network->directory[box] = (uint32_t)network->blocks++;
	return true;
}

/* The places in the blocks, and requests for the weights there. */
static void blocks_find(const struct network *network, const uint64_t *wide, uint32_t *index)
{
	for (int f = 0; f < network->indexer.stride; f++) {
		const uint32_t block = network->directory[wide[f] / NETWORK_BOX];
		index[f] = block * network->block + (uint32_t)(wide[f] % NETWORK_BOX);
		__builtin_prefetch(&network->weight[index[f]], 0, 2);
	}
}

bool network_grow(struct network *network, const struct board *board, uint32_t *index)
{
	uint64_t wide[FEATURES_MAX];
	network->indexer.run_wide(&network->indexer, board, wide);
	for (int f = 0; f < network->indexer.features; f++) {
		const uint64_t box = wide[f] / NETWORK_BOX;
		if (!network->directory[box] && !network_box_add(network, box))
			return false;
	}
	blocks_find(network, wide, index);
	return true;
}

static int look_on_demand(const struct network *network, const struct board *board, uint32_t *index)
{
	uint64_t wide[FEATURES_MAX];
	network->indexer.run_wide(&network->indexer, board, wide);
	blocks_find(network, wide, index);
	return 0;
}

int network_look(const struct network *network, const struct board *board, uint32_t *index)
{
	const struct indexer *indexer = &network->indexer;
	if (__builtin_expect(network->directory != NULL, 0))
		return look_on_demand(network, board, index);
	const int stage = network_stage(network, board);
	if (network->plan.above == ABOVE_CAP) {
		indexer->run(indexer, board, index);
	} else {
		struct board lower = *board;
		downgrade(network, &lower);
		indexer->run(indexer, &lower, index);
	}
	const float *weight = network->weight + (uint64_t)stage * network->size;
	/* Into the second-level cache: the first is too small for several games' weights. */
	for (int f = 0; f < indexer->stride; f += FEATURES_STEP)
		UNROLL for (int j = 0; j < FEATURES_STEP; j += 2)
		{
			const struct index_pair two = index_two(index + f + j);
			__builtin_prefetch(&weight[two.a], 0, 2);
			__builtin_prefetch(&weight[two.b], 0, 2);
		}
	return stage;
}

/* A handful of boards at a time, so that memory works on all of them. */
void network_eval(const struct network *network, const struct board *boards, size_t n, double *out)
{
	enum { HANDFUL = 16 };
	uint32_t index[HANDFUL * FEATURES_MAX];
	int stage[HANDFUL];
	const size_t stride = (size_t)network->indexer.stride;
	for (size_t first = 0; first < n; first += HANDFUL) {
		const size_t count = n - first < HANDFUL ? n - first : HANDFUL;
		for (size_t i = 0; i < count; i++)
			stage[i] = network_look(network, &boards[first + i], index + i * stride);
		for (size_t i = 0; i < count; i++)
			out[first + i] = (double)network_sum(network, stage[i], index + i * stride);
	}
}
