/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The leaves of a search; see leaves.h. A value that looks at batches (`best`) does so; for any
 * other the definition in value.h is followed here, with all its moves in one call of judge() or
 * eval().
 */
#include "agents/search/leaves.h"

#include <string.h>

void leaves_init(struct leaves *leaves, const struct game *game, const struct value *value,
		 const struct horizon *horizon)
{
	*leaves = (struct leaves){.game = game, .value = value, .horizon = *horizon};
}

/* N positions from FIRST on become AFTER, four at a time, so up to three too many. */
enum { STRIDE = 4 };

static void rows_fill(struct leaves *leaves, size_t first, const struct board *after, int n)
{
	for (int r = 0; r < leaves->game->rows; r++) {
		const uint64_t row = row_load(after->cell[r]);
		uint64_t *rows = leaves->batch.row[r] + first;
		for (int i = 0; i < n; i += STRIDE)
			for (int j = 0; j < STRIDE; j++)
				rows[i + j] = row;
	}
}

/* The next N values go to TO; what goes side by side is one run. */
static void run_add(struct leaves *leaves, double *to, int n)
{
	struct leaf_run *next = &leaves->run[leaves->runs];
	if (leaves->runs && next[-1].to + next[-1].count == to)
		next[-1].count += n;
	else
		leaves->run[leaves->runs++] = (struct leaf_run){to, n};
	leaves->n += (size_t)n;
}

/* leaves_add() for as many kinds as fit into an empty batch. */
static void kinds_add(struct leaves *leaves, const struct board *after, const uint8_t *cells,
		      int count, const uint8_t *k, int kinds, double *to)
{
	const int n = count * kinds;
	if (leaves->n + (size_t)n + STRIDE > BATCH_MAX)
		leaves_flush(leaves);
	size_t next = leaves->n;
	rows_fill(leaves, next, after, n);
	for (int j = 0; j < kinds; j++)
		for (int i = 0; i < count; i++)
			leaves->batch.row[cells[i] / ROW_BYTES][next++] |=
			    (uint64_t)k[j] << 8 * (cells[i] % ROW_BYTES);
	run_add(leaves, to, n);
}

void leaves_add(struct leaves *leaves, const struct board *after, const uint8_t *cells, int count,
		const uint8_t *k, int kinds, double *to)
{
	const int most = (BATCH_MAX - STRIDE) / count;
	for (int j = 0; j < kinds; j += most)
		kinds_add(leaves, after, cells, count, k + j, kinds - j < most ? kinds - j : most,
			  to + j * count);
}

/* The sum of the values of AFTER with a tile of exponent K in each of its COUNT empty cells. */
static double spawns_sum(const struct leaves *leaves, const struct board *after,
			 const uint8_t *cells, int count, uint8_t k)
{
	struct board leaf[CELLS_MAX];
	double value[CELLS_MAX], sum = 0;
	int i = 0;
	do { /* a legal move leaves an empty cell */
		leaf[i] = *after;
		*board_at(&leaf[i], cells[i]) = k;
	} while (++i < count);
	/* Only a full board can be without a move, and only the last empty cell leaves one full. */
	if (count == 1 && leaves->game->over(&leaf[0]))
		return leaves->horizon.terminal;
	value_eval(leaves->value, leaf, (size_t)count, value);
	for (i = 0; i < count; i++)
		sum += value[i];
	return sum;
}

void leaves_sums(const struct leaves *leaves, const struct board *after, const uint8_t *cells,
		 int count, const uint8_t *k, int kinds, double *sums)
{
	const struct value_class *class = leaves->value->class;
	if (count > 1 && class->spawn_sums)
		class->spawn_sums(leaves->value->self, after, k, kinds, sums);
	else
		for (int i = 0; i < kinds; i++)
			sums[i] = spawns_sum(leaves, after, cells, count, k[i]);
}

/* The expectation over the spawns on AFTER. */
static double spawns_mean(const struct leaves *leaves, const struct board *after)
{
	const struct spawn_rule *spawn = &leaves->game->spawn;
	uint8_t cells[CELLS_MAX];
	double sums[SPAWN_KINDS_MAX], sum = 0;
	const int count = board_empty_cells(leaves->game, after, cells);
	leaves_sums(leaves, after, cells, count, spawn->exponent, spawn->kinds, sums);
	for (int i = 0; i < spawn->kinds; i++)
		sum += leaves->horizon.probability[i] * sums[i];
	return sum * leaves->horizon.share[count];
}

/* Positions out of the batch, and their legal moves side by side. */
enum { SLICE = 64 };

struct slice {
	size_t n, total;
	struct board before[SLICE], after[SLICE * DIRECTIONS]; /* `before` for judge() only */
	double reward[SLICE * DIRECTIONS];
	size_t count[SLICE]; /* of moves */
};

static void slice_open(const struct leaves *leaves, size_t first, size_t n, struct slice *slice)
{
	const bool judged = leaves->value->class->judge, points = judged || leaves->horizon.rewards;
	struct board board;
	size_t total = 0;
	for (size_t i = 0; i < n; i++) {
		struct moves moves;
		batch_get(&leaves->batch, first + i, &board, leaves->game->rows);
		leaves->game->moves(&board, &moves);
		if (judged)
			slice->before[i] = board;
		slice->count[i] = total;
		for (int d = 0; d < DIRECTIONS; d++) {
			if (!(moves.legal >> d & 1))
				continue;
			slice->after[total] = moves.after[d];
			slice->reward[total++] = points ? (double)moves.reward[d] : 0;
		}
		slice->count[i] = total - slice->count[i];
	}
	slice->n = n;
	slice->total = total;
}

/* out[i]: what move I is worth as a move. */
static void slice_judge(const struct leaves *leaves, const struct slice *slice, double *out)
{
	struct passage passage[SLICE * DIRECTIONS];
	for (size_t i = 0, next = 0; i < slice->n; i++)
		for (size_t d = 0; d < slice->count[i]; d++, next++)
			passage[next] = (struct passage){&slice->before[i], &slice->after[next],
							 slice->reward[next]};
	leaves->value->class->judge(leaves->value->self, passage, slice->total, out);
}

/* out[i]: what move I is worth as the end. */
static void slice_value(const struct leaves *leaves, const struct slice *slice, double *out)
{
	if (leaves->horizon.spawns)
		for (size_t i = 0; i < slice->total; i++)
			out[i] = spawns_mean(leaves, &slice->after[i]);
	else if (leaves->value->class->judge)
		slice_judge(leaves, slice, out);
	else
		value_eval(leaves->value, slice->after, slice->total, out);
}

/* `best` for N positions from FIRST on, for values without it. */
static void slice_best(const struct leaves *leaves, size_t first, size_t n, double *out)
{
	struct slice slice; /* its arrays are not worth clearing */
	double value[SLICE * DIRECTIONS];
	const double rewards = leaves->horizon.rewards ? 1 : 0;
	slice_open(leaves, first, n, &slice);
	slice_value(leaves, &slice, value);
	for (size_t i = 0, next = 0; i < n; i++) {
		out[i] = leaves->horizon.terminal;
		for (size_t d = 0; d < slice.count[i]; d++, next++) {
			double sum = value[next] + rewards * slice.reward[next];
			out[i] = d == 0 || sum > out[i] ? sum : out[i];
		}
	}
}

static void batch_best(const struct leaves *leaves, double *out)
{
	const struct value_class *class = leaves->value->class;
	if (class->best &&
	    class->best(leaves->value->self, &leaves->horizon, &leaves->batch, leaves->n, out))
		return;
	for (size_t i = 0; i < leaves->n; i += SLICE)
		slice_best(leaves, i, leaves->n - i < SLICE ? leaves->n - i : SLICE, out + i);
}

void leaves_flush(struct leaves *leaves)
{
	double value[BATCH_MAX], *next = value;
	if (leaves->runs == 1) {
		batch_best(leaves, leaves->run[0].to);
	} else {
		batch_best(leaves, value);
		for (int i = 0; i < leaves->runs; i++) {
			memcpy(leaves->run[i].to, next,
			       sizeof *next * (size_t)leaves->run[i].count);
			next += leaves->run[i].count;
		}
	}
	leaves->n = 0;
	leaves->runs = 0;
}
