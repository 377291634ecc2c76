/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of what is drawn at random: the generator and spawns.
 *
 * With a fixed seed every figure is the same on every machine, so these checks do not fail by bad luck;
 * with another --seed they do, once in some 10^5 times: p-values must be above 10^-5 divided by their
 * number.
 */
#include "src/verify/verify_chance.h"

#include "analysis/stats/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { SPAWNS = 40000, BINS_MAX = CELLS_MAX * SPAWN_KINDS_MAX };

static const double uncertainty = 1e-5; /* the probability of a false alarm in a line of p-values */

enum status verify_streams(struct verify *verify, struct why *why)
{
	/* Random123's kat_vectors of philox4x32 with 10 rounds. */
	static const struct {
		uint32_t counter[4], key[2];
		const char *bits;
	} known[] = {
	    {{0, 0, 0, 0}, {0, 0}, "6627e8d5e169c58dbc57ac4c9b00dbd8"},
	    {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
	     {UINT32_MAX, UINT32_MAX},
	     "408f276d41c83b0ea20bc7c66d5451fd"},
	    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
	     {0xa4093822, 0x299f31d0},
	     "d16cfe0994fdcceb5001e42024126ea1"},
	};
	struct agreement tally = {0};
	(void)why;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		char bits[33] = "";
		struct rng rng = {.used = 4};
		memcpy(rng.counter, known[i].counter, sizeof rng.counter);
		memcpy(rng.key, known[i].key, sizeof rng.key);
		for (int n = 0; n < 4; n++)
			snprintf(bits + 8 * n, 9, "%08" PRIx32, rng_u32(&rng));
		agree_add(&tally, strcmp(bits, known[i].bits) == 0, "%s, not %s", bits,
			  known[i].bits);
	}
	verify_tally(verify, "published answers of Philox4x32-10", &tally);
	return STATUS_OK;
}

/* The bin of what appeared in AFTER: the number of the cell among the empty ones, and of the kind. */
static int spawn_bin(const struct game *game, const struct board *before, const struct board *after)
{
	int empty = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			if (before->cell[r][c])
				continue;
			for (int k = 0; k < game->spawn.kinds; k++)
				if (after->cell[r][c] == game->spawn.exponent[k])
					return empty * game->spawn.kinds + k;
			empty++;
		}
	return -1;
}

double spawns_p(const struct game *game, const struct board *board,
		void (*spawn)(const struct game *game, struct board *board, struct rng *rng),
		uint64_t seed, int draws)
{
	uint64_t count[BINS_MAX] = {0};
	double p[BINS_MAX];
	struct rng rng;
	const int cells = board_empty(game, board), bins = cells * game->spawn.kinds;
	for (int i = 0; i < bins; i++)
		p[i] = game->spawn.probability[i % game->spawn.kinds] / cells;
	rng_init(&rng, seed, RNG_TEST, (uint64_t)game->rows * ROW_BYTES + (uint64_t)game->cols);
	for (int i = 0; i < draws; i++) {
		struct board after = *board;
		spawn(game, &after, &rng);
		const int bin = spawn_bin(game, board, &after);
		if (bin < 0)
			return 0; /* it was no spawn */
		count[bin]++;
	}
	return stats_chi_squared(count, p, (size_t)bins);
}

void range_tell(struct verify *verify, const struct p_range *range, const char *what)
{
	char found[64], expected[64];
	const double bound = uncertainty / 2 / range->n;
	if (range->n > 1)
		snprintf(found, sizeof found, "p = %.4f .. %.4f", range->least, range->most);
	else
		snprintf(found, sizeof found, "p = %.4f", range->least);
	snprintf(expected, sizeof expected, "%.0e < p < 1-%.0e", bound, bound);
	verify_tell(verify, range->least > bound && range->most < 1 - bound, what, found, expected);
}

void range_add(struct p_range *range, double p)
{
	range->least = range->n ? fmin(range->least, p) : p;
	range->most = range->n ? fmax(range->most, p) : p;
	range->n++;
}

/* Spawns on every shape; with HALF, every other cell is taken. */
static enum status spawns_check(struct verify *verify, const char *spawn, bool half,
				const char *what, struct why *why)
{
	struct p_range range = {0};
	for (int i = 0; i < SHAPES; i++) {
		char shape[8];
		struct game game;
		struct board board = {0};
		shape_name(i, shape);
		const struct game_options options = {.shape = shape, .spawn = spawn};
		enum status status = game_init(&game, &options, why);
		if (status)
			return status;
		for (int r = 0; half && r < game.rows; r++)
			for (int c = r % 2; c < game.cols; c += 2)
				board.cell[r][c] = 1;
		range_add(&range, spawns_p(&game, &board, board_spawn, verify->seed, SPAWNS));
	}
	range_tell(verify, &range, what);
	return STATUS_OK;
}

enum status verify_spawns(struct verify *verify, struct why *why)
{
	enum status status =
	    spawns_check(verify, NULL, false, "cells and kinds on 25 empty boards", why);
	if (!status)
		status = spawns_check(verify, NULL, true,
				      "on 25 boards with every other cell taken", why);
	if (!status)
		status = spawns_check(verify, "2:0.5,4:0.3,8:0.2", false,
				      "three kinds on 25 empty boards", why);
	return status;
}
