/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files of the solver: layers of positions in memory and in a file, and the running
 * task. See solver.h.
 *
 * Positions are codes, that is, mixed keys (boards/simd/keys.h), in ascending order.
 *
 * A file of layers consists of pieces, each with checksums, that are appended and can be read in
 * any order. A piece is one kind of data of one layer. Only complete pieces count: an incomplete
 * one at the end, after the process was killed, is removed when the file is opened again. After a
 * power failure the middle of the file may be damaged, since pieces are not synced one by one; the
 * checksums detect that.
 *
 * Checksums detect accidents. A forged file with correct checksums causes no invalid access in the
 * functions for the file, but their callers must expect arbitrary codes, values and counts.
 *
 * Pieces are mapped to be read: if another process truncates the file, this process is killed.
 * Only one thread at a time may write, while no other reads; any number may read at the same time.
 */
#ifndef NXN_SOLVING_H
#define NXN_SOLVING_H

#include "agents/solver/budget.h"
#include "agents/solver/solver.h"
#include "base/thread_team.h"
#include "boards/simd/keys.h"

/* States and after-states are ascending codes; values are doubles; counts are bytes. */
enum piece_kind { PIECE_STATES, PIECE_AFTERSTATES, PIECE_VALUES, PIECE_COUNTS, PIECES };

enum { LAYER_TASK_MAX = 1024 };

struct layer_file;

/*
 * Opens a file of layers: an unnamed temporary file in $TMPDIR or /tmp if FOLDER is NULL, otherwise
 * FOLDER/layers.nxl, which is locked and, with its folders, created if necessary. TASK is a line of
 * less than LAYER_TASK_MAX bytes with everything that must agree for resuming: game, spawn rule,
 * start, goal, limits, version. Codes have WIDTH bits. STATUS_INPUT if the file is of another task,
 * in use by another process, not a file of layers, or damaged (an incomplete last piece is no
 * damage); STATUS_SYSTEM if it cannot be created or read.
 */
MUST_USE enum status layer_file_open(struct layer_file **file, const char *folder, const char *task,
				     int width, struct why *why);

/* Returns the number of entries of a piece, or SIZE_MAX if it does not exist. */
size_t layer_file_count(const struct layer_file *file, enum piece_kind kind, uint64_t sum);

/*
 * Appends the piece KIND of layer SUM, unless it exists, with N entries of DATA: codes (N < 2^32),
 * doubles, or bytes. STATUS_SYSTEM, with advice, if the disk is full; the other pieces are
 * unaffected.
 */
MUST_USE enum status layer_file_put(struct layer_file *file, enum piece_kind kind, uint64_t sum,
				    const void *data, size_t n, struct why *why);

/*
 * Reads an existing piece: layer_file_count() entries into DATA. STATUS_INPUT if its checksum is
 * wrong; STATUS_SYSTEM if it cannot be mapped. DATA is undefined on failure.
 */
MUST_USE enum status layer_file_get(const struct layer_file *file, enum piece_kind kind,
				    uint64_t sum, void *data, struct why *why);

/* Returns the size of the file. */
uint64_t layer_file_bytes(const struct layer_file *file);

/* Closes the file; syncs a file in a folder to the disk. NULL is allowed. */
void layer_file_close(struct layer_file *file);

/* The positions of one tile sum: codes, a value each, and a directory to find them. */
struct key_layer {
	uint64_t sum;
	size_t n;
	struct buffer codes;  /* uint64_t [n] */
	struct buffer values; /* double [n] */
	/*
	 * Private: starts[code >> shift] is the index of the first code with these bits or higher
	 * ones.
	 */
	struct buffer starts; /* uint32_t */
	int shift;
};

static inline uint64_t *key_layer_codes(const struct key_layer *layer)
{
	return layer->codes.data;
}

static inline double *key_layer_values(const struct key_layer *layer)
{
	return layer->values.data;
}

/* Allocates N codes, at most 2^32 - 2, and with VALUES as many values. False if memory runs out. */
bool key_layer_reserve(struct budget *budget, struct key_layer *layer, size_t n, bool values);

enum {
	SOLVE_CHUNK = 256,		      /* positions per chunk */
	SOLVE_KEYS = SOLVE_CHUNK * CELLS_MAX, /* most successors of a chunk by one kind of spawn */
};

/* The buffers and counts of a thread. */
struct solve_worker {
	uint64_t source[SOLVE_CHUNK];
	uint64_t key[SOLVE_KEYS];
	double value[SOLVE_KEYS];
	struct solve_layer counts;
	int max_exponent;
};

struct solving {
	const struct solve_task *task;
	const struct game *game;
	struct keys keys;
	struct budget budget;
	struct thread_team *team;
	int threads;
	struct solve_worker *workers;
	struct key_set *set; /* forward pass: the layer in progress */
	struct layer_file *file;

	uint64_t step;		/* difference of neighbouring sums: the smallest spawn */
	uint64_t first, last;	/* first and last possible sum */
	uint64_t widest;	/* largest spawn: no layer depends on one further below */
	struct key_layer *ring; /* layer SUM is at SUM / step % ring_size */
	size_t ring_size;
	struct key_layer present; /* states of the layer; in the backward pass after-states */

	struct solve_start *starts; /* ascending by sum and key */
	size_t start_count;
	struct solve_layer *layers; /* for the result */
	size_t layer_count, layers_max;
	uint64_t states;
	int max_exponent;
};

/* A pass of the threads over a layer, chunk by chunk. */
struct solve_pass {
	struct solving *solving;
	const struct key_layer *layer;
	size_t first; /* first chunk of the present round */
	int kind;     /* exponent of the spawn; 0: moves */
};

static inline struct key_layer *solving_ring(const struct solving *solving, uint64_t sum)
{
	return &solving->ring[sum / solving->step % solving->ring_size];
}

/* Returns layer SUM if the ring has it and it is not empty; otherwise NULL. */
static inline const struct key_layer *solving_near(const struct solving *solving, uint64_t sum)
{
	const struct key_layer *layer = solving_ring(solving, sum);
	return layer->sum == sum && layer->n ? layer : NULL;
}

/* Whether KEY has the target; if the target does not fit into a cell, no key has it. */
static inline bool solving_won(const struct solving *solving, uint64_t key)
{
	const int target = solving->task->target;
	return target && target >> solving->keys.bits == 0 && key_has(&solving->keys, key, target);
}

static inline size_t solving_chunks(const struct key_layer *layer)
{
	return (layer->n + SOLVE_CHUNK - 1) / SOLVE_CHUNK;
}

/* Unpacks chunk TASK of the round into worker->source as keys. Returns their number. */
size_t solving_chunk(const struct solve_pass *pass, size_t task, struct solve_worker *worker);

/* Reads the codes of KIND of layer SUM into LAYER, with memory for VALUES. Errors of solve(). */
MUST_USE enum status solving_load(struct solving *solving, enum piece_kind kind, uint64_t sum,
				  bool values, struct key_layer *layer, struct why *why);

/* Reports that the data of layer SUM from an earlier run are invalid. */
enum status solving_refuse(const struct solving *solving, uint64_t sum, struct why *why);

/* Reports that the budget does not suffice for layer SUM. */
enum status solving_short(const struct solving *solving, uint64_t sum, struct why *why);

/* Adds the counts of a layer. */
static inline void solve_layer_add(struct solve_layer *sum, const struct solve_layer *more)
{
	sum->states += more->states;
	sum->states_raw += more->states_raw;
	sum->live += more->live;
	sum->live_raw += more->live_raw;
	sum->afterstates += more->afterstates;
	sum->afterstates_raw += more->afterstates_raw;
	sum->pairs += more->pairs;
	sum->pairs_raw += more->pairs_raw;
}

/* Enumerates all layers, ascending, and writes them to the file. Errors of solve(). */
MUST_USE enum status solve_forward(struct solving *solving, struct why *why);

#endif
