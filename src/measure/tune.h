/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn tune: what is asked for, the parameters that are tuned, and the table. */
#ifndef NXN_TUNE_H
#define NXN_TUNE_H

#include "agents/agent.h"
#include "analysis/stats/cross_entropy.h"
#include "base/append.h"
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
	bool no_figures;
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
 * Tunes SPACE, goes on with the table if there is one, and prints how the parameters found compare
 * with those at the start on held-out games, as the result of CALL. STATUS_STOPPED after Ctrl-C
 * or SIGTERM: but for games that were being played, all is in the table.
 */
MUST_USE enum status tune_run(const struct tune_options *options, const struct game *game,
			      const struct tune_space *space, const struct invocation *call,
			      struct why *why);

/* ---- The table. */

struct tune_log {
	struct append_file
	    file;	 /* its descriptor is -1 on ranks other than 0, which take every line */
	char *text;	 /* what was there, its lines ended by NUL */
	size_t size, at; /* its bytes, and the next line's place among them */
	size_t in_file, torn; /* bytes of the file, and of its last line if it has no newline */
	size_t number;	      /* of that line, from 1 */
};

/*
 * Opens the table PATH with this HEAD, lines that each end in a newline, of which CONFIG is one
 * and COLUMNS the last. If the table exists, it must have those two; a torn last line is cut off.
 * STATUS_INPUT if it is something else, of another tuning or being written, STATUS_SYSTEM if it
 * cannot be written.
 */
MUST_USE enum status tune_log_open(struct tune_log *log, const char *path, const char *head,
				   const char *config, const char *columns, struct why *why);

/* The next line of an earlier run, without its newline, or NULL: from here on all is new. */
static inline const char *tune_log_next(const struct tune_log *log)
{
	return log->at < log->size ? log->text + log->at : NULL;
}

/*
 * The tuning has come to LINE, which ends in a newline. STATUS_INPUT if an earlier run came to
 * another one, STATUS_SYSTEM if it cannot be written.
 */
MUST_USE enum status tune_log_line(struct tune_log *log, const char *line, struct why *why);

/* The tuning is over. STATUS_INPUT if the table goes on. */
MUST_USE enum status tune_log_end(const struct tune_log *log, struct why *why);

/* Hands the table to the disk and closes it. STATUS_SYSTEM if that failed; closed anyway. */
MUST_USE enum status tune_log_close(struct tune_log *log, struct why *why);

#endif
