/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long an experiment takes on this machine, before it is played. */
#ifndef NXN_ESTIMATE_H
#define NXN_ESTIMATE_H

#include "src/games/experiment.h"

/*
 * Lets every player of EXPERIMENT play or learn for a moment, some seconds in all, and prints how
 * long the experiment takes with so many THREADS. STATUS_STOPPED after Ctrl-C. After stop_catch(); a
 * time budget that runs ends.
 */
MUST_USE enum status estimate_print(const struct experiment *experiment, int threads);

#endif
