/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment before it is played: its players, and how long it takes on this machine. */
#ifndef NXN_ESTIMATE_H
#define NXN_ESTIMATE_H

#include "src/games/experiment.h"

/*
 * Lets every player of EXPERIMENT play or learn for a moment, some seconds in all, and prints how
 * long the experiment takes with so many THREADS. STATUS_STOPPED after Ctrl-C. After stop_catch(); a
 * time budget that runs ends.
 */
MUST_USE enum status estimate_print(const struct experiment *experiment, int threads);

/* Prints the players of EXPERIMENT, or the cells of its sweep: a table, on a terminal lines that fit. */
void experiment_list(const struct experiment *experiment);

#endif
