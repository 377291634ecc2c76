/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a block of training games comes to, kept in memory that does not grow with the games, so that
 * an unfinished block can be written down and gone on with by another process.
 *
 * Games that did not start where games start (outcome->partial) count as such and in the moves;
 * means and rates are without them.
 */
#ifndef NXN_TALLY_H
#define NXN_TALLY_H

#include "agents/agent.h"
#include "analysis/stats.h"

#include <stdio.h>

enum { TALLY_EXPONENTS = 64, TALLY_BRIEF_MAX = 256 };

/* Zeroed is no game. */
struct tally {
	uint64_t games, partial;
	uint64_t moves; /* of all games */
	double mean;	/* score */
	double squares; /* sum of squared deviations from the mean */
	uint64_t max;
	uint64_t ended[TALLY_EXPONENTS]; /* games by their largest exponent */
};

void tally_add(struct tally *tally, const struct outcome *outcome);

/* The mean score with Student's t, and the share of games with a tile of EXPONENT or more, Wilson. */
struct interval tally_mean(const struct tally *tally);
struct interval tally_reach(const struct tally *tally, int exponent);

/* The share of games whose largest tile is that of EXPONENT; NAN without games. */
double tally_ended(const struct tally *tally, int exponent);

/* One line for the screen: mean score, and the two or three tiles that tell most. */
void tally_brief(const struct tally *tally, char brief[TALLY_BRIEF_MAX]);

/* A table for the screen: each largest tile with the shares of games that reach it and end at it. */
void tally_report(const struct tally *tally, FILE *out);

/* Writes all of it as text without a newline, from which tally_scan() makes the same bits. */
void tally_print(const struct tally *tally, FILE *out);

/* False, and TALLY untouched, if TEXT is not what tally_print() writes. */
bool tally_scan(struct tally *tally, const char *text);

#endif
