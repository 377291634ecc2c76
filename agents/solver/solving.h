/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A task while it is solved: what the parts of the solver share. See solver.h. */
#ifndef NXN_SOLVING_H
#define NXN_SOLVING_H

#include "agents/solver/code_set.h"
#include "agents/solver/layer.h"
#include "agents/solver/shelf.h"
#include "agents/solver/solver.h"
#include "boards/simd/keys.h"

enum {
	SOLVE_CHUNK = 256,		      /* positions that a thread takes at a time */
	SOLVE_KEYS = SOLVE_CHUNK * CELLS_MAX, /* that these can become by one kind of spawn */
};

/* What a thread works with, and what it counts. */
struct solve_worker {
	uint64_t source[SOLVE_CHUNK];
	uint64_t key[SOLVE_KEYS];
	double value[SOLVE_KEYS];
	struct solve_layer counts;
	int max_exponent;
};

/* A start position as a key, and as long as its layer has not been enumerated. */
struct solve_seed {
	uint64_t code, sum;
	double probability, value;
};

struct solving {
	const struct solve_task *task;
	const struct game *game;
	struct keys keys;
	struct budget budget;
	struct thread_team *team;
	int threads;
	struct solve_worker *workers;
	struct code_set set;
	struct shelf *shelf;

	uint64_t step;	      /* between sums: the least spawn */
	uint64_t first, last; /* sums of the first and the last layer there can be */
	uint64_t widest;      /* the largest spawn: layers further back do not matter */
	struct layer *ring;   /* layer SUM stands at SUM / step % ring_size */
	size_t ring_size;
	struct layer present; /* of the layer in work, the positions that are not in the ring */
	int highest; /* the largest exponent that fits a cell and the sum of the layer in work */

	struct solve_seed *seeds;
	size_t seed_count;
	struct solve_layer *layers; /* as in the result */
	size_t layer_count, layers_max;
	uint64_t states;
	int max_exponent;
};

static inline struct layer *solving_ring(const struct solving *solving, uint64_t sum)
{
	return &solving->ring[sum / solving->step % solving->ring_size];
}

/* The part of ring layer SUM with spawn KIND behind it; NULL if there is nothing in it. */
static inline const struct layer *solving_near(const struct solving *solving, uint64_t sum)
{
	const struct layer *layer = solving_ring(solving, sum);
	return layer->sum == sum && layer->n ? layer : NULL;
}

/* Whether the target stands in KEY; where it does not fit into a cell, no key has it. */
static inline bool solving_won(const struct solving *solving, uint64_t key)
{
	const int target = solving->task->target;
	return target && target >> solving->keys.bits == 0 && key_has(&solving->keys, key, target);
}

/* Adds all counts of MORE to SUM. */
void solve_layer_add(struct solve_layer *sum, const struct solve_layer *more);

/* The start positions. Errors of solve(). */
MUST_USE enum status solve_seeds(struct solving *solving, struct why *why);

/* All layers, ascending, to the shelf. Errors of solve(). */
MUST_USE enum status solve_forward(struct solving *solving, struct why *why);

/* The values of all layers, descending, to the shelf; those of the seeds. Errors of solve(). */
MUST_USE enum status solve_backward(struct solving *solving, struct why *why);

/* Says that what an earlier run left of layer SUM cannot be. */
enum status solving_refuse(const struct solving *solving, uint64_t sum, struct why *why);

/* The codes of KIND of layer SUM from the shelf into LAYER, with room for VALUES. Errors of solve(). */
MUST_USE enum status solving_load(struct solving *solving, enum piece kind, uint64_t sum,
				  bool values, struct layer *layer, struct why *why);

/* Chunk number CHUNK of N codes as keys, in worker->source; their number. */
size_t solving_chunk(const struct solving *solving, const uint64_t *code, size_t n, size_t chunk,
		     struct solve_worker *worker);

/* Says that the budget was not enough for layer SUM. */
enum status solving_short(const struct solving *solving, uint64_t sum, struct why *why);

#endif
