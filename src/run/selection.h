/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The games of a log that belong to an experiment. */
#ifndef NXN_SELECTION_H
#define NXN_SELECTION_H

#include "analysis/logs/gamelog.h"
#include "src/run/experiment.h"

/*
 * Fills SELECTION with the games of LOG that EXPERIMENT asks for, in the experiment's order and
 * under its labels, whatever order they were played in. It is the caller's, for gamelog_fini().
 * STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status selection_init(struct gamelog *selection, const struct gamelog *log,
				    const struct experiment *experiment, struct why *why);

#endif
