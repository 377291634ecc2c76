/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampled positions of a sweep, left in its folder as --positions and nxn eval read them. */
#ifndef NXN_SWEEP_LEAVE_H
#define NXN_SWEEP_LEAVE_H

#include "src/run/sweep_report.h"

#include <stdbool.h>

/*
 * Leaves positions.txt in the folder of RUN, complete or not at all; where this process is ALONE with the
 * folder, what is left of earlier attempts goes. One that holds these positions stays
 * as it is. STATUS_INPUT if there is one that no sweep wrote, which must not be lost; STATUS_SYSTEM if it
 * cannot be read or written.
 */
MUST_USE enum status positions_leave(const struct sweep_run *run, bool alone, struct why *why);

#endif
