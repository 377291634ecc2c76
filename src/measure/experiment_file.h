/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments from files. */
#ifndef NXN_EXPERIMENT_FILE_H
#define NXN_EXPERIMENT_FILE_H

#include "src/games/experiment.h"

/*
 * Reads an experiment file (nxn compare --help). STATUS_INPUT as FILE:LINE:COLUMN: REASON;
 * STATUS_SYSTEM if it cannot be read. EXPERIMENT is untouched on failure; on success it is new, and
 * the caller frees it with experiment_fini().
 */
MUST_USE enum status experiment_read(struct experiment *experiment, const char *path,
				     struct why *why);

/* The same for the top level alone: makes no entries and does not report their errors. */
MUST_USE enum status experiment_read_head(struct experiment *experiment, const char *path,
					  struct why *why);

#endif
