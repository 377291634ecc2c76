/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment before it is played: its players, and how long it takes on this machine. */
#ifndef NXN_ESTIMATE_H
#define NXN_ESTIMATE_H

#include "src/games/experiment.h"

/*
 * Prints for every player of EXPERIMENT what is left to play after the games in DIRECTORY, and how
 * long that and all takes with so many THREADS: by the log there, or by letting the player play or
 * learn for a moment, some seconds in all. STATUS_STOPPED after Ctrl-C. After stop_catch(); a
 * time budget that runs ends.
 */
MUST_USE enum status estimate_print(const struct experiment *experiment, const char *directory,
				    int threads, struct why *why);

/*
 * Prints the players of EXPERIMENT, or the cells of its sweep: a table, on a terminal lines that
 * fit.
 */
void experiment_list(const struct experiment *experiment);

#endif
