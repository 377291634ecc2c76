/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The learning curve is a table with a row for each block of training games. Columns: trained
 * (games after the block); games (in it, those that means and rates are of); seconds (of training
 * until then, those of earlier runs included); moves (in the block); mean, mean_low, mean_high
 * (of the score); max; and for each of some tiles T reach_T, reach_T_low, reach_T_high, end_T:
 * the shares of games that reached T and that ended with it as their largest; sum, sum_low,
 * sum_high (the mean of the sum of the tiles in the end); doubt, doubt_low, doubt_high (of the
 * distance to certainty, decision_uncertainty(); NaN for a learner that tells no chances).
 * Intervals are 95%. The tiles are 256 up to the largest that the shape can reach, at most 2^24;
 * a shape that cannot reach 8192 begins lower.
 *
 * A line `# open block: trained T ...` holds what a block has come to at a checkpoint in its midst,
 * after T games. While training runs, lines are only ever added, and before the model that they
 * belong to is saved; opening keeps the lines that belong to the model that there is. So curve and
 * model agree wherever the process was killed, and a row is of all games of its block.
 */
#ifndef NXN_CURVE_H
#define NXN_CURVE_H

#include "agents/agent.h"
#include "src/cli/provenance.h"

#include <stdio.h>

/* ---- Blocks. */

enum { TALLY_EXPONENTS = 64, TALLY_BRIEF_MAX = 256 };

/* A mean over N games. */
struct tally_mean {
	uint64_t n;
	double mean;
	double squares; /* sum of squared deviations from the mean */
};

/*
 * What a block of training games comes to, kept in memory that does not grow with the games, so
 * that an unfinished block can be written down and gone on with by another process.
 *
 * Games that did not start where games start (outcome->partial) count as such and in the moves;
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

void tally_add(struct tally *tally, const struct outcome *outcome);

/* One line for the screen: mean score, and the two or three tiles that tell most. */
void tally_brief(const struct tally *tally, char brief[TALLY_BRIEF_MAX]);

/*
 * A table for the screen: each largest tile with the shares of games that reach it and end at it.
 */
void tally_report(const struct tally *tally, FILE *out);

/* ---- The file. */

struct curve {
	FILE *file;
	const char *path;
	int first, last; /* exponents of the tiles */
};

/* Where training is. */
struct curve_point {
	uint64_t trained; /* games */
	double seconds;	  /* of training */
};

/*
 * Opens PATH, which must outlive CURVE, is no symbolic link, and which nobody else may open. If it
 * is a learning curve of a board such as GAME already, what belongs to a model of at->trained games
 * is kept, and at->seconds and the block OPEN are what they were then; otherwise they stay
 * untouched. STATUS_INPUT if the file is something else, or its head tells another configuration or
 * seed than PROVENANCE, and it is then left as it was.
 */
MUST_USE enum status curve_open(struct curve *curve, const char *path, const struct game *game,
				const struct provenance *provenance, struct curve_point *at,
				struct tally *open, struct why *why);

/* Adds a row for BLOCK, which ends at AT. */
MUST_USE enum status curve_row(struct curve *curve, const struct curve_point *at,
			       const struct tally *block, struct why *why);

/*
 * Hands to the disk what there is, before a model of AT is saved; BLOCK is open, and may be
 * empty.
 */
MUST_USE enum status curve_checkpoint(struct curve *curve, const struct curve_point *at,
				      const struct tally *block, struct why *why);

/*
 * Closes the file; if TIDY, without the open blocks that rows have taken the place of: only after
 * the model of AT has been saved.
 */
MUST_USE enum status curve_close(struct curve *curve, const struct curve_point *at, bool tidy,
				 struct why *why);

#endif
