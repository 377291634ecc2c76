/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of blocks of training games, and learning curves with a row per block. */
#ifndef NXN_CURVE_H
#define NXN_CURVE_H

#include "agents/agent.h"
#include "analysis/stats/stats.h"
#include "analysis/tables/record.h"
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
 * Statistics of a block of training games. Their size does not grow with the games, so another
 * process can load an unfinished block and resume it.
 *
 * Partial games (outcome->partial) count in `partial` and in the moves; means and rates exclude
 * them. A zeroed tally has no games.
 */
struct tally {
	uint64_t games, partial;
	uint64_t moves; /* of all games, partial ones included */
	struct tally_mean score;
	struct tally_mean sum; /* sum of tiles at the end; n < games if some games lack it */
	struct tally_mean uncertainty;	 /* outcome.uncertainty of the games that report it */
	uint64_t max;			 /* largest score */
	uint64_t ended[TALLY_EXPONENTS]; /* ended[k]: games with largest exponent k */
};

struct curve {
	FILE *file;
	const char *path;
	int first, last; /* exponents of the tiles */
	bool fresh;	 /* the model has no file yet */
};

void tally_add(struct tally *tally, const struct outcome *outcome);

/* Returns a mean with its 95% interval by Student's t; NANs unless it covers all GAMES. */
struct interval tally_mean(const struct tally_mean *mean, uint64_t games);

/* Returns the number of games with a tile of EXPONENT or more. */
uint64_t tally_reached(const struct tally *tally, int exponent);
struct interval tally_reach(const struct tally *tally, int exponent);

/* Returns the proportion of games whose largest tile has EXPONENT; NAN without games. */
double tally_ended(const struct tally *tally, int exponent);

/* Formats one line for the screen: mean score, and the two or three most informative tiles. */
void tally_brief(const struct tally *tally, char brief[TALLY_BRIEF_MAX]);

/*
 * Prints a table for the screen: for each tile the proportions of games that reach it and that end
 * with it.
 */
void tally_report(const struct tally *tally, FILE *out);

/*
 * Adds to RECORD the columns of a learning curve about scores, tiles from exponent FIRST to LAST,
 * sums and uncertainty.
 */
void tally_columns(const struct tally *tally, int first, int last, struct record *record);

/* Prints TALLY as text without a newline. tally_scan() restores the same bits. */
void tally_print(const struct tally *tally, FILE *out);

/* Parses the text of tally_print(). Returns false, with TALLY unchanged, for any other text. */
bool tally_scan(struct tally *tally, const char *text);

/*
 * Opens the learning curve PATH, which must outlive CURVE, must not be a symbolic link, and must
 * not be open in another process. If the file is a curve of GAME's board, keeps the rows up to
 * at->trained games and sets at->seconds to the time of the last one. STATUS_INPUT, with the file
 * unchanged, if the file is something else, its header has another configuration or seed than
 * PROVENANCE, or it has rows though the model is FRESH, which means that no file of it exists.
 */
MUST_USE enum status curve_open(struct curve *curve, const char *path, const struct game *game,
				const struct provenance *provenance, bool fresh,
				struct training_point *at, struct why *why);

/* Appends a row for BLOCK, which ends at AT. */
MUST_USE enum status curve_row(struct curve *curve, const struct training_point *at,
			       const struct tally *block, struct why *why);

/* Writes the curve to the disk, before a model is saved. */
MUST_USE enum status curve_checkpoint(struct curve *curve, struct why *why);

MUST_USE enum status curve_close(struct curve *curve, struct why *why);

#endif
