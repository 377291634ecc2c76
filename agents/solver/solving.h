/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the solver share: layers of positions in memory and in a file, and the task
 * while it is solved. See solver.h.
 *
 * Positions are codes, which are mixed keys (boards/simd/keys.h), in ascending order.
 *
 * A file of layers has pieces appended to it, each with checksums, read back in
 * any order.
 *
 * A piece is what a layer has of one kind. Only whole pieces count: a torn one at the end is cut
 * off when the file is opened again, whenever the process was killed. A power cut may cost more:
 * pieces are not forced to the disk one by one, so damage in the middle is possible then, and
 * found.
 *
 * Checksums find accidents. A file that was forged, with the right ones, does no harm in here,
 * but its reader has to expect any codes, values and numbers of entries.
 *
 * One thread writes at a time, while no other reads; any number read at a time.
 */
#ifndef NXN_SOLVING_H
#define NXN_SOLVING_H

#include "agents/solver/budget.h"
#include "agents/solver/solver.h"
#include "base/thread_team.h"
#include "boards/simd/keys.h"

/* Of states and after-states ascending codes; doubles; bytes. */
enum piece_kind { PIECE_STATES, PIECE_AFTERSTATES, PIECE_VALUES, PIECE_COUNTS, PIECES };

enum { LAYER_TASK_MAX = 1024 };

struct layer_file;

/*
 * FOLDER NULL: an unnamed temporary file in $TMPDIR, or in /tmp. Otherwise FOLDER/layers.nxl,
 * which is locked, and made (with the folder) if it is missing. TASK is a line of less than
 * LAYER_TASK_MAX bytes with all that must be the same for going on: game, spawn rule, start,
 * goal, limits, version. Codes have WIDTH bits. STATUS_INPUT if the file was written for another
 * task, another process has it, it is something else, or damaged before its last piece;
 * STATUS_SYSTEM if it cannot be made or read.
 */
MUST_USE enum status layer_file_open(struct layer_file **file, const char *folder, const char *task,
				     int width, struct why *why);

/* Number of entries of a piece, or SIZE_MAX if it is not there. */
size_t layer_file_count(const struct layer_file *file, enum piece_kind kind, uint64_t sum);

/*
 * Appends the piece KIND of layer SUM, which is not there yet, with N entries of DATA: codes
 * (then N is below 2^32), doubles, or bytes. STATUS_SYSTEM, with what to do, if the disk is full;
 * the piece is not there then, and all others still are.
 */
MUST_USE enum status layer_file_put(struct layer_file *file, enum piece_kind kind, uint64_t sum,
				    const void *data, size_t n, struct why *why);

/*
 * Reads a piece that is there: layer_file_count() entries into DATA. STATUS_INPUT if its checksum
 * is wrong, or it has entries of another form than its kind, or codes of another width;
 * STATUS_SYSTEM if it cannot be read; DATA is undefined then.
 */
MUST_USE enum status layer_file_get(const struct layer_file *file, enum piece_kind kind,
				    uint64_t sum, void *data, struct why *why);

/* Its size on the disk. */
uint64_t layer_file_bytes(const struct layer_file *file);

/* A file in a folder is on the disk when this returns. NULL is fine. */
void layer_file_close(struct layer_file *file);

/*
 * All positions whose tiles have the same sum: their codes, a value each, a directory to find them.
 */
struct key_layer {
	uint64_t sum;
	size_t n;
	struct buffer codes;  /* uint64_t [n] */
	struct buffer values; /* double [n] */
	/* Private: starts[code >> shift] is the first entry with such bits, or a later one. */
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

/*
 * Takes memory for N codes, at most 2^32 - 2, and with VALUES for as many values. False: none left.
 */
bool key_layer_reserve(struct budget *budget, struct key_layer *layer, size_t n, bool values);

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
	struct key_set *set; /* forwards: the layer that is made */
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

/* Adds the counts of a layer to those of others. */
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

/* Enumerates all layers, ascending, into the file. Errors of solve(). */
MUST_USE enum status solve_forward(struct solving *solving, struct why *why);

#endif
