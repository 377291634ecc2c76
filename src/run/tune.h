/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tuning the real parameters of an agent by the cross-entropy method. */
#ifndef NXN_TUNE_H
#define NXN_TUNE_H

#include "boards/game.h"
#include "src/cli/options.h"

#include <stddef.h>

/* What a game counts for. */
enum tune_aim { TUNE_SCORE, TUNE_LOG, TUNE_TILE };

struct tune_options {
	struct game_options game;
	const char *agent, *params; /* as the user wrote them */
	const char *path;	    /* of the table */
	uint64_t seed;
	size_t population, elite, games, generations;
	enum tune_aim aim;
	int exponent;	     /* of TUNE_TILE */
	double sigma;	     /* deviations at the start, as a share of the means */
	double noise;	     /* as a share of those */
	bool noise_constant; /* it does not fade to 0 in the last generation */
	double tolerance; /* ends when all deviations are below this share of those at the start */
	size_t held_out, check; /* games; generations between them, 0: in the end only */
	struct pace pace;
};

/*
 * Tunes, goes on with the table if there is one, and prints how the parameters found compare with
 * those at the start on held-out games. COMMAND is for provenance. STATUS_STOPPED after Ctrl-C or
 * SIGTERM: but for games that were being played, all is in the table.
 */
MUST_USE enum status tune_run(const struct tune_options *options, const char *command,
			      struct why *why);

#endif
