/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The learning curve of `nxn train`: a table with a row for each block of training games.
 *
 * Columns: trained (games after the block), games (in it), mean mean_low mean_high (of the score),
 * max, and for the tiles 256 to 32768 reach_T reach_T_low reach_T_high. Intervals are 95%.
 */
#ifndef NXN_CURVE_H
#define NXN_CURVE_H

#include "agents/agent.h"
#include "src/provenance.h"

#include <stdio.h>

enum { CURVE_TILES = 8, CURVE_FIRST_EXPONENT = 8 };

struct curve {
	FILE *file;
	const char *path;
	double *scores; /* of the block so far */
	size_t games, room;
	size_t reached[CURVE_TILES];
};

/*
 * Opens PATH, which must outlive CURVE. If it is a learning curve already, the rows up to TRAINED
 * games are kept and later ones cut off. BLOCK is the largest number of games in a row.
 * STATUS_INPUT if the file is something else, STATUS_SYSTEM if it cannot be written.
 */
MUST_USE enum status curve_open(struct curve *curve, const char *path, uint64_t trained,
				size_t block, const struct provenance *provenance, struct why *why);

/* Takes in a training game; at most BLOCK until the next curve_row(). */
void curve_add(struct curve *curve, const struct outcome *outcome);

/* Ends the block after TRAINED games with a row, if there was a game in it. STATUS_SYSTEM. */
MUST_USE enum status curve_row(struct curve *curve, uint64_t trained, struct why *why);

/* STATUS_SYSTEM if not everything could be written. */
MUST_USE enum status curve_close(struct curve *curve, struct why *why);

#endif
