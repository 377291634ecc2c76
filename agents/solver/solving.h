/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A task while it is solved: the state that both passes of the solver share. See solver.h. */
#ifndef NXN_SOLVING_H
#define NXN_SOLVING_H

#include "agents/solver/key_sets.h"
#include "agents/solver/layer_file.h"
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

/* A start position by its code. */
struct solve_seed {
	uint64_t code, sum;
	double probability, value;
};

struct solving {
	const struct solve_task *task;
	const struct game *game;
	struct keys keys;
	int max_exponent_key; /* the largest exponent that a key has to hold */
	struct budget budget;
	struct thread_team *team;
	int threads;
	struct solve_worker *workers;
	struct key_set set;
	struct layer_file *file;

	uint64_t step;		/* between sums: the least spawn */
	uint64_t first, last;	/* sums of the first and the last layer there can be */
	uint64_t widest;	/* the largest spawn: layers further back do not matter */
	struct key_layer *ring; /* layer SUM stands at SUM / step % ring_size */
	size_t ring_size;
	struct key_layer present; /* of the layer in work, the positions that are not in the ring */
	int highest; /* the largest exponent that fits a cell and the sum of the layer in work */

	struct solve_seed *seeds; /* ascending by sum and code */
	size_t seed_count;
	struct solve_layer *layers; /* as in the result */
	size_t layer_count, layers_max;
	uint64_t states;
	int max_exponent;
};

/* A layer that threads work on, a chunk at a time. */
struct solve_pass {
	struct solving *solving;
	const struct key_layer *layer;
	size_t first; /* chunk, of the present round */
	int kind;     /* exponent of the spawn, or 0 for moves */
};

/* Opens all that TASK needs, and finds the starts. Errors of solve(); solving_fini() either way. */
MUST_USE enum status solving_init(struct solving *solving, const struct solve_task *task,
				  struct why *why);

void solving_fini(struct solving *solving);

static inline struct key_layer *solving_ring(const struct solving *solving, uint64_t sum)
{
	return &solving->ring[sum / solving->step % solving->ring_size];
}

/* Ring layer SUM; NULL if there is nothing in it. */
static inline const struct key_layer *solving_near(const struct solving *solving, uint64_t sum)
{
	const struct key_layer *layer = solving_ring(solving, sum);
	return layer->sum == sum && layer->n ? layer : NULL;
}

/* Whether the target is in KEY; where it does not fit into a cell, no key has it. */
static inline bool solving_won(const struct solving *solving, uint64_t key)
{
	const int target = solving->task->target;
	return target && target >> solving->keys.bits == 0 && key_has(&solving->keys, key, target);
}

/* Number of entries of a piece in the file, or SIZE_MAX. */
static inline size_t solving_pieces(const struct solving *solving, enum piece_kind kind,
				    uint64_t sum)
{
	return layer_file_count(solving->file, kind, sum);
}

/* The number of chunks of LAYER. */
static inline size_t solving_chunks(const struct key_layer *layer)
{
	return (layer->n + SOLVE_CHUNK - 1) / SOLVE_CHUNK;
}

/* Chunk number TASK of the round as keys, in worker->source; their number. */
size_t solving_chunk(const struct solve_pass *pass, size_t task, struct solve_worker *worker);

/* Reads the codes of KIND of layer SUM into LAYER, with memory for VALUES. Errors of solve(). */
MUST_USE enum status solving_load(struct solving *solving, enum piece_kind kind, uint64_t sum,
				  bool values, struct key_layer *layer, struct why *why);

/* Says that what an earlier run left of layer SUM cannot be. */
enum status solving_refuse(const struct solving *solving, uint64_t sum, struct why *why);

/* Says that the budget was not enough for layer SUM. */
enum status solving_short(const struct solving *solving, uint64_t sum, struct why *why);

/* The values of all layers, descending, into the file; those of the seeds. Errors of solve(). */
MUST_USE enum status solve_backward(struct solving *solving, struct why *why);

#endif
