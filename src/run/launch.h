/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `nxn compare` and `nxn run` have in common: playing an experiment and reporting on it. */
#ifndef NXN_LAUNCH_H
#define NXN_LAUNCH_H

#include "src/run/experiment.h"
#include "src/cli/options.h"
#include "src/run/share.h"

#include <argp.h>

struct launch_options {
	const char *directory; /* NULL: the command's default */
	struct pace pace;
	struct share share;
	bool no_figures, no_times;
};

/* --out, --threads, --time-budget, --shard, --no-figures, --no-times, --progress; input struct launch_options * */
extern const struct argp launch_argp;

/* The command line, for provenance and for resuming; the texts are the caller's, for free(). */
struct launch_command {
	const char *name; /* argv[0] */
	char *provenance; /* "nxn compare ..." */
	char *resume;	  /* the same with the program as it was called */
};

/* To be called before argp sorts ARGV. */
MUST_USE enum status launch_command_init(struct launch_command *command, int argc, char **argv,
					 struct why *why);
void launch_command_fini(struct launch_command *command);

/*
 * Plays what is missing of EXPERIMENT, prints the table and writes tables and figures; after Ctrl-C
 * prints the table of what is finished and how to resume. Returns the exit status of the command;
 * errors are printed.
 */
int launch(const struct experiment *experiment, const struct launch_options *options,
	   const struct launch_command *command);

#endif
