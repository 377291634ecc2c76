/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assigns positions to the lanes of a block and collects results; see playout.h.
 * boards/simd/playout_template.h makes the moves, several steps per call.
 *
 * The moves do not count points. Merging 2s into a tile 2^k earns F(k) = (k-1) 2^k points in total,
 * so a game earned F of its last position, less F of its first position, less F of the tiles that
 * appeared in it.
 *
 * Check value: from an empty 2x2 board with two spawned tiles the mean score is 19.6565401755
 * (tests/vectors/exact.txt).
 */
#include "boards/simd/playout.h"

#include "boards/board.h"
#include "boards/simd/kernel.h"

#include <assert.h>
#include <string.h>

/* More exponents than any board has; F of the last one still fits into 64 bits. */
enum { EXPONENTS = 59 };

/* A spawn rule, its kinds by descending probability. */
struct odds {
	struct playout_odds now;
	uint64_t below[SPAWN_KINDS_MAX]; /* probability of the kinds before i, times 2^32 */
	uint64_t points[SPAWN_KINDS_MAX];
};

/* The lanes, their games, and the counts that were moved from block.count. */
struct playout_lanes {
	struct playout_block block;
	size_t game[PLAYOUT_LANES];
	uint64_t points[PLAYOUT_LANES];
	uint64_t count[SPAWN_KINDS_MAX][PLAYOUT_LANES];
	int steps; /* number of steps in block.count */

	/*
	 * Copied from the game for short loops: the places of cells in a struct board, the points
	 * of tiles.
	 */
	int cells, kinds;
	uint8_t place[CELLS_MAX];
	uint64_t earned[EXPONENTS];
};

static uint64_t tile_points(unsigned exponent)
{
	return exponent ? (uint64_t)(exponent - 1) << exponent : 0;
}

static void odds_init(struct odds *odds, const struct spawn_rule *rule)
{
	double below = 0;
	int order[SPAWN_KINDS_MAX];
	for (int i = 0; i < rule->kinds; i++) {
		int at = i;
		for (; at > 0 && rule->probability[order[at - 1]] < rule->probability[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	odds->now.kinds = rule->kinds;
	for (int i = 0; i < rule->kinds; i++) {
		odds->now.exponent[i] = rule->exponent[order[i]];
		odds->points[i] = tile_points(odds->now.exponent[i]);
		odds->below[i] = (uint64_t)((below < 1 ? below : 1) * 0x1p32 + 0.5);
		below += rule->probability[order[i]];
	}
}

/*
 * Rounds the odds to multiples of 2^-16, up or down. Over 65536 calls the phase takes all its
 * values, and the mean is exact. above[i] fits into its type: below[i] is at least 2^29, since the
 * first of at most 8 kinds is the likeliest.
 */
static void odds_round(struct odds *odds, uint64_t call)
{
	const uint64_t phase = call * 40503 & 0xffff;
	for (int i = 1; i < odds->now.kinds; i++)
		odds->now.above[i] = (int16_t)((int64_t)((odds->below[i] + phase) >> 16) - 32769);
}

static void random_init(struct playout_block *block, uint64_t seed, uint64_t index)
{
	struct rng rng;
	rng_init(&rng, seed, RNG_PLAYOUT, index);
	for (int stream = 0; stream < PLAYOUT_STREAMS; stream++)
		for (int i = 0; i < 4; i++) {
			const uint64_t high = rng_u32(&rng);
			block->random[i][stream] = high << 32 | rng_u32(&rng);
		}
}

static void lanes_init(struct playout_lanes *lanes, const struct game *game, uint64_t seed,
		       uint64_t index)
{
	memset(lanes, 0, sizeof *lanes);
	memset(lanes->block.cell, PLAYOUT_EMPTY, sizeof lanes->block.cell);
	random_init(&lanes->block, seed, index);
	lanes->cells = game->cells;
	lanes->kinds = game->spawn.kinds;
	for (int i = 0; i < game->cells; i++)
		lanes->place[i] = (uint8_t)(i / game->cols * ROW_BYTES + i % game->cols);
	for (unsigned k = 0; k < EXPONENTS; k++)
		lanes->earned[k] = tile_points(k);
}

/* Moves the counts of the block to the totals. */
static void lanes_count(struct playout_lanes *lanes)
{
	for (int kind = 0; kind < lanes->kinds; kind++) {
		uint8_t *counted = lanes->block.count[kind];
		for (int lane = 0; lane < PLAYOUT_LANES; lane++)
			lanes->count[kind][lane] += counted[lane];
		memset(counted, 0, PLAYOUT_LANES);
	}
	lanes->steps = 0;
}

/* Tries some moves in all lanes. Returns the lanes that have no legal move, one bit each. */
static uint64_t lanes_step(const struct game *game, struct playout_lanes *lanes,
			   const struct odds *odds)
{
	/* Lanes idle after a game until the call ends, which matters less if games are long. */
	const int steps = 4 * (game->cells < 6 ? 1 : (game->cells + 2) / 6);
	if (lanes->steps + steps > UINT8_MAX)
		lanes_count(lanes);
	lanes->steps += steps;
	return game->playout(&lanes->block, &odds->now, steps);
}

/* Starts game I in LANE from START. Returns false, and leaves the lane idle, if START is empty. */
static bool lane_start(struct playout_lanes *lanes, int lane, size_t i, const struct board *start)
{
	const uint8_t *from = start->cell[0];
	uint64_t points = 0;
	unsigned any = 0;
	for (int cell = 0; cell < lanes->cells; cell++) {
		const unsigned k = from[lanes->place[cell]];
		lanes->block.cell[cell][lane] = (uint8_t)(k ? k : PLAYOUT_EMPTY);
		points += lanes->earned[k];
		any |= k;
	}
	lanes->game[lane] = i;
	lanes->points[lane] = 0 - points;
	for (int kind = 0; kind < lanes->kinds; kind++)
		lanes->count[kind][lane] = 0;
	for (int kind = 0; kind < lanes->kinds; kind++)
		lanes->block.count[kind][lane] = 0;
	return any != 0;
}

/* One array per loop here: gcc 12.2 -O1 miscompiles a loop over two arrays with different steps. */
static struct playout lane_finish(const struct playout_lanes *lanes, const struct odds *odds,
				  int lane)
{
	uint64_t points = lanes->points[lane], count[SPAWN_KINDS_MAX];
	assert(lanes->kinds > 0);
	for (int cell = 0; cell < lanes->cells; cell++)
		points += lanes->earned[lanes->block.cell[cell][lane]];
	for (int kind = 0; kind < lanes->kinds; kind++)
		count[kind] = lanes->count[kind][lane];
	for (int kind = 0; kind < lanes->kinds; kind++)
		count[kind] += lanes->block.count[kind][lane];
	points -= count[0] * odds->points[0];
	for (int kind = 1; kind < lanes->kinds; kind++)
		points -= count[kind] * (odds->points[kind] - odds->points[kind - 1]);
	return (struct playout){.points = points, .moves = count[0]};
}

void playouts_run(const struct game *game, const struct board *starts, size_t n, uint64_t seed,
		  uint64_t index, struct playout *results, struct board *last)
{
	struct playout_lanes lanes;
	struct odds odds;
	size_t next = 0;
	uint64_t idle = ~(uint64_t)0;
	lanes_init(&lanes, game, seed, index);
	odds_init(&odds, &game->spawn);
	for (uint64_t call = 0;; call++) {
		for (; idle && next < n; next++) {
			results[next] = (struct playout){0};
			if (last)
				last[next] = (struct board){0};
			if (lane_start(&lanes, __builtin_ctzll(idle), next, &starts[next]))
				idle &= idle - 1;
		}
		if (!~idle)
			return;
		odds_round(&odds, call);
		uint64_t over = lanes_step(game, &lanes, &odds) & ~idle;
		idle |= over;
		for (; over; over &= over - 1) {
			const int lane = __builtin_ctzll(over);
			const size_t i = lanes.game[lane];
			results[i] = lane_finish(&lanes, &odds, lane);
			if (last)
				for (int cell = 0; cell < lanes.cells; cell++)
					*board_at(&last[i], lanes.place[cell]) =
					    lanes.block.cell[cell][lane];
		}
	}
}
