/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best spawns by the value strong. There is no short way to a sum over spawns, but the positions
 * of several leaves fill batches for the kernel of wide.h, which evaluates them many at once. All
 * values are whole numbers below 2^31, so that sums are exact in any order.
 */
#include "agents/values/strong_spawns.h"

#include <string.h>

/* Positions waiting to be evaluated, and the sums that their values go to. */
struct pool {
	const struct game *game;
	const struct wide_kernel *wide;
	const struct strong_bytes *bytes;
	size_t n;
	double *to[BATCH_MAX];
	struct batch batch;
};

static void pool_flush(struct pool *pool)
{
	double value[BATCH_MAX];
	pool->wide->strong_eval(pool->bytes, &pool->batch, pool->n, value);
	for (size_t i = 0; i < pool->n; i++)
		*pool->to[i] += value[i];
	pool->n = 0;
}

/* AFTER with exponent K in each of COUNT cells: their values are added to *SUM at a flush. */
static void pool_add(struct pool *pool, const struct board *after, const uint8_t *cells, int count,
		     uint8_t k, double *sum)
{
	for (int i = 0; i < count; i++) {
		if (pool->n == BATCH_MAX)
			pool_flush(pool);
		batch_put(&pool->batch, pool->n, after, pool->game->rows);
		pool->batch.row[cells[i] / ROW_BYTES][pool->n] |= (uint64_t)k
								  << 8 * (cells[i] % ROW_BYTES);
		pool->to[pool->n++] = sum;
	}
}

/* A position whose spawns are in the pool. */
struct pending {
	unsigned legal;
	int empty[DIRECTIONS];
	double sum[DIRECTIONS][SPAWN_KINDS_MAX];
};

static void pending_open(struct pool *pool, double terminal, const struct board *board,
			 struct pending *pending)
{
	const struct game *game = pool->game;
	struct moves moves;
	uint8_t cells[CELLS_MAX];
	game->moves(board, &moves);
	*pending = (struct pending){.legal = moves.legal};
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(moves.legal >> d & 1))
			continue;
		const int count = board_empty_cells(game, &moves.after[d], cells);
		pending->empty[d] = count;
		for (int j = 0; j < game->spawn.kinds; j++) {
			struct board full = moves.after[d];
			*board_at(&full, cells[0]) = game->spawn.exponent[j];
			/* Only the last empty cell leaves a full board, which may be lost. */
			if (count == 1 && game->over(&full))
				pending->sum[d][j] = terminal;
			else
				pool_add(pool, &moves.after[d], cells, count,
					 game->spawn.exponent[j], &pending->sum[d][j]);
		}
	}
}

static double pending_best(const struct pending *pending, const struct horizon *horizon, int kinds)
{
	double best = horizon->terminal;
	for (int d = 0, first = 1; d < DIRECTIONS; d++) {
		double sum = 0;
		if (!(pending->legal >> d & 1))
			continue;
		for (int j = 0; j < kinds; j++)
			sum += horizon->probability[j] * pending->sum[d][j];
		sum *= horizon->share[pending->empty[d]];
		best = first || sum > best ? sum : best;
		first = 0;
	}
	return best;
}

void strong_best_spawns(const struct game *game, const struct wide_kernel *wide,
			const struct strong_bytes *bytes, const struct horizon *horizon,
			const struct batch *batch, size_t n, double *out)
{
	enum { TOGETHER = 32 };
	struct pending pending[TOGETHER];
	struct pool pool;
	pool.game = game;
	pool.wide = wide;
	pool.bytes = bytes;
	pool.n = 0;
	for (size_t first = 0; first < n; first += TOGETHER) {
		const size_t count = n - first < TOGETHER ? n - first : TOGETHER;
		for (size_t i = 0; i < count; i++) {
			struct board board;
			batch_get(batch, first + i, &board, game->rows);
			pending_open(&pool, horizon->terminal, &board, &pending[i]);
		}
		pool_flush(&pool);
		for (size_t i = 0; i < count; i++)
			out[first + i] = pending_best(&pending[i], horizon, game->spawn.kinds);
	}
}
