/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of what is drawn at random, apart from where their figures are printed. */
#ifndef NXN_VERIFY_CHANCE_H
#define NXN_VERIFY_CHANCE_H

#include "src/verify/verify.h"

/*
 * The p-value (stats_chi_squared()) of DRAWS spawns of SPAWN in BOARD: every empty cell as likely as
 * another, kinds as the game's rule says.
 */
double spawns_p(const struct game *game, const struct board *board,
		void (*spawn)(const struct game *game, struct board *board, struct rng *rng),
		uint64_t seed, int draws);

/* The range of some p-values. */
struct p_range {
	double least, most;
	int n;
};

void range_add(struct p_range *range, double p);

/* verify_tell() of RANGE: such that a false alarm has a probability of 10^-5. */
void range_tell(struct verify *verify, const struct p_range *range, const char *what);

/* Tallies N playouts of A against the same of B, which is the same game. */
void playouts_compare(const struct game *a, const struct game *b, uint64_t seed, size_t n,
		      struct agreement *tally);

/*
 * verify_tell() of the MEAN score of N games: within four standard errors of the EXACT one, SD being the
 * exact standard deviation of a game.
 */
void mean_tell(struct verify *verify, const char *shape, const char *player, double mean,
	       uint64_t n, double exact, double sd);

#endif
