/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long an experiment takes on this machine, before it is played. */
#ifndef NXN_ESTIMATE_H
#define NXN_ESTIMATE_H

#include "src/run/experiment.h"

/*
 * Lets every player of EXPERIMENT play or learn for a moment, some seconds in all, and prints
 * between which bounds the experiment will take with so many THREADS, after a line for each player
 * for which no upper bound is known. STATUS_STOPPED after Ctrl-C; STATUS_SYSTEM without memory.
 * After stop_catch(); a time budget that runs ends.
 */
MUST_USE enum status estimate_print(const struct experiment *experiment, int threads,
				    struct why *why);

#endif
