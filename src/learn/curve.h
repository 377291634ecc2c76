/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of training games, and the learning curve that has a row for each. */
#ifndef NXN_CURVE_H
#define NXN_CURVE_H

#include "agents/agent.h"
#include "analysis/stats/stats.h"
#include "src/cli/provenance.h"
#include "src/learn/training.h"

enum { TALLY_EXPONENTS = 64, TALLY_BRIEF_MAX = 256 };

/* A mean over N games. */
struct tally_mean {
	uint64_t n;
	double mean;
	double squares; /* sum of squared deviations from the mean */
};

/*
 * What a block of training games comes to, kept in memory that does not grow with the games, so
 * that an unfinished block can be saved and continued by another process.
 *
 * Games that are not whole games of the board (outcome->partial) count as such and in the moves;
 * means and rates are without them.
 *
 * Zeroed is no game.
 */
struct tally {
	uint64_t games, partial;
	uint64_t moves; /* of all games */
	struct tally_mean score;
	struct tally_mean sum; /* of the tiles in the end; n < games if some were not told */
	struct tally_mean uncertainty;	 /* of the games that told it, outcome.uncertainty */
	uint64_t max;			 /* score */
	uint64_t ended[TALLY_EXPONENTS]; /* games by their largest exponent */
};

struct curve {
	FILE *file;
	const char *path;
	int first, last; /* exponents of the tiles */
};

void tally_add(struct tally *tally, const struct outcome *outcome);

/* The mean of a block of so many GAMES, with Student's t; NANs unless every game told it. */
struct interval tally_mean(const struct tally_mean *mean, uint64_t games);

/* The games with a tile of EXPONENT or more; the share of games, Wilson. */
uint64_t tally_reached(const struct tally *tally, int exponent);
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

/*
 * Opens PATH, which must outlive CURVE, is no symbolic link, and which nobody else may open. If it
 * is a learning curve of a board such as GAME already, what belongs to a model of at->trained games
 * is kept, and at->seconds are those of its last row; otherwise they stay untouched. STATUS_INPUT if the file is something else, or its head tells another configuration or
 * seed than PROVENANCE, and it is then left as it was.
 */
MUST_USE enum status curve_open(struct curve *curve, const char *path, const struct game *game,
				const struct provenance *provenance, struct training_point *at,
				struct why *why);

/* Adds a row for BLOCK, which ends at AT. */
MUST_USE enum status curve_row(struct curve *curve, const struct training_point *at,
			       const struct tally *block, struct why *why);

/* Hands to the disk what there is, before a model is saved. */
MUST_USE enum status curve_checkpoint(struct curve *curve, struct why *why);

MUST_USE enum status curve_close(struct curve *curve, struct why *why);

#endif
