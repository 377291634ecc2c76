/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn tune: its options, and the parameters that are tuned. */
#ifndef NXN_TUNE_H
#define NXN_TUNE_H

#include "agents/agent.h"
#include "analysis/stats/cross_entropy.h"
#include "src/cli/options.h"

#include <stddef.h>

/* The objective of a game. */
enum tune_aim { TUNE_SCORE, TUNE_LOG, TUNE_TILE };

struct tune_options {
	struct game_options game;
	const char *agent, *params; /* as the user wrote them */
	const char *path;	    /* path of the table */
	uint64_t seed;
	size_t population, elite, games, generations;
	enum tune_aim aim;
	int exponent;	     /* of TUNE_TILE */
	double sigma;	     /* deviations at the start, as a share of the means */
	double noise;	     /* added in every generation, as a share of those */
	bool noise_constant; /* the noise does not fade to 0 in the last generation */
	double tolerance; /* ends when all deviations are below this share of those at the start */
	bool no_figures, no_times, untrained; /* the agent may be, or use, an untrained learner */
	size_t held_out, check; /* games; generations between them, 0: at the end only */
	struct pace pace;
};

/* The parameters that are tuned, with their distributions at the start. */
struct tune_space {
	char agent[SPEC_MAX]; /* the given agent, canonical */
	size_t n;
	const char *name[TUNABLE_MAX];
	struct ce_axis axis[TUNABLE_MAX];
};

/*
 * Finds the parameters that the options' list names, in items GLOB[=MU][~SIGMA] between commas,
 * among the real ones of the agent bound to ENV; of several items that match a parameter the last
 * one counts. Without MU the mean is the agent's value; without SIGMA the deviation is
 * options->sigma times its magnitude, or times the scale of the parameter if it is 0. Parameters
 * keep the order of their tables, so that equal spaces draw equal candidates. STATUS_INPUT, listing
 * the existing parameters, if an item matches none; other errors as agent_new().
 */
MUST_USE enum status tune_space_init(struct tune_space *space, const struct tune_options *options,
				     const struct agent_env *env, struct why *why);

/*
 * Tunes SPACE, resuming if there are games, and prints, as the result of CALL, how the tuned
 * parameters compare with those at the start on held-out games. The games of the table FILE.tsv are
 * in the log FILE-games/games.tsv, from which an interrupted tuning resumes. STATUS_STOPPED after
 * Ctrl-C or SIGTERM.
 */
MUST_USE enum status tune_run(const struct tune_options *options, const struct game *game,
			      const struct tune_space *space, const struct invocation *call,
			      struct why *why);

#endif
