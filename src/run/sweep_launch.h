/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `nxn sweep` and `nxn run` with a sweep have in common: measuring it and reporting on it. */
#ifndef NXN_SWEEP_LAUNCH_H
#define NXN_SWEEP_LAUNCH_H

#include "src/run/launch.h"
#include "src/run/sweep.h"

/*
 * Measures what is missing of SWEEP, whose cells are the entries of EXPERIMENT, prints the table
 * and what it recommends, and writes tables and figures; after Ctrl-C prints the table of what is
 * finished and how to resume. Returns the exit status of the command; errors are printed.
 *
 * The folder of the results gets searches.tsv, the log of the searches; games.tsv, the log of the
 * games; positions.txt, the positions if they were sampled; and tables/ and figures/.
 */
int sweep_launch(const struct experiment *experiment, const struct sweep *sweep,
		 const struct launch_options *options, const struct launch_command *command);

/* Lists the cells of SWEEP on standard output. */
void sweep_list(const struct experiment *experiment, const struct sweep *sweep);

#endif
