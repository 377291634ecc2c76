/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a block of training games comes to, kept in memory that does not grow with the games, so
 * that an unfinished block can be written down and gone on with by another process.
 *
 * Games that did not start where games start (outcome->partial) count as such and in the moves;
 * means and rates are without them.
 */
#ifndef NXN_TALLY_H
#define NXN_TALLY_H

#include "agents/agent.h"
#include "analysis/stats/stats.h"

#include <stdio.h>

enum { TALLY_EXPONENTS = 64, TALLY_BRIEF_MAX = 256 };

/* A mean over N games. */
struct tally_mean {
	uint64_t n;
	double mean;
	double squares; /* sum of squared deviations from the mean */
};

/* Zeroed is no game. */
struct tally {
	uint64_t games, partial;
	uint64_t moves; /* of all games */
	struct tally_mean score;
	struct tally_mean sum; /* of the tiles in the end; n < games if some were not told */
	struct tally_mean uncertainty;	 /* of the games that told it, outcome.uncertainty */
	uint64_t max;			 /* score */
	uint64_t ended[TALLY_EXPONENTS]; /* games by their largest exponent */
};

void tally_add(struct tally *tally, const struct outcome *outcome);

/*
 * Means with Student's t: of the score; of the sum of the tiles in the end and of the mean distance
 * to certainty, NANs unless every game told it.
 */
struct interval tally_score(const struct tally *tally);
struct interval tally_sum(const struct tally *tally);
struct interval tally_uncertainty(const struct tally *tally);

/* The share of games with a tile of EXPONENT or more, Wilson. */
struct interval tally_reach(const struct tally *tally, int exponent);

/* The share of games whose largest tile is that of EXPONENT; NAN without games. */
double tally_ended(const struct tally *tally, int exponent);

/* One line for the screen: mean score, and the two or three tiles that tell most. */
void tally_brief(const struct tally *tally, char brief[TALLY_BRIEF_MAX]);

/*
 * A table for the screen: each largest tile with the shares of games that reach it and end at it.
 */
void tally_report(const struct tally *tally, FILE *out);

/* Writes all of it as text without a newline, from which tally_scan() makes the same bits. */
void tally_print(const struct tally *tally, FILE *out);

/* False, and TALLY untouched, if TEXT is not what tally_print() writes. */
bool tally_scan(struct tally *tally, const char *text);

#endif
