/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn tune: what is asked for, and the parameters that are tuned. */
#ifndef NXN_TUNE_H
#define NXN_TUNE_H

#include "agents/agent.h"
#include "analysis/stats/cross_entropy.h"
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
	bool no_figures, no_times, untrained; /* the agent may be, or ask, an untrained learner */
	size_t held_out, check; /* games; generations between them, 0: in the end only */
	struct pace pace;
};

/* The parameters that are tuned, and where from. */
struct tune_space {
	char agent[SPEC_MAX]; /* the agent as it was given, canonical */
	size_t n;
	const char *name[TUNABLE_MAX];
	struct ce_axis axis[TUNABLE_MAX];
};

/*
 * Finds the parameters in the options' list, pieces GLOB[=MU][~SIGMA] between commas, among the
 * real ones of the agent bound to ENV; of two pieces that name the same, the later counts.
 * Without MU the mean is what the agent plays with; without SIGMA the deviation is a share of its
 * size, of the scale of the parameter if it is 0. Parameters stay in the order of their tables,
 * however the list names them, so that equal spaces draw equal candidates. STATUS_INPUT, listing
 * the parameters there are, if a piece names none; or as agent_new().
 */
MUST_USE enum status tune_space_init(struct tune_space *space, const struct tune_options *options,
				     const struct agent_env *env, struct why *why);

/*
 * Tunes SPACE, goes on with its games if there are some, and prints how the parameters found
 * compare with those at the start on held-out games, as the result of CALL. The games of FILE.tsv
 * are in the log FILE-games/games.tsv, which an interrupted tuning is continued from.
 * STATUS_STOPPED after Ctrl-C or SIGTERM.
 */
MUST_USE enum status tune_run(const struct tune_options *options, const struct game *game,
			      const struct tune_space *space, const struct invocation *call,
			      struct why *why);

#endif
