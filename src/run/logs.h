/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Game logs as arguments of a command, and of an experiment's folder. */
#ifndef NXN_LOGS_H
#define NXN_LOGS_H

#include "analysis/logs/gamelog.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"
#include "src/run/experiment.h"

/* What to say when there is no argument LOG... */
#define LOGS_MISSING                                                                               \
	"the game log is missing: a folder that compare, run or duel has left, or its games.tsv"

/*
 * Adds to LOG the games in DIRECTORY: those of its games.tsv, if it exists, and of all parts of
 * that. As gamelog_read() and parts_find().
 */
MUST_USE enum status logs_read_folder(struct gamelog *log, const char *directory, struct why *why);

/*
 * Reads the logs in PATHS, of which a folder means its games.tsv and the parts of that, into LOG,
 * which is the caller's for gamelog_fini(), and says on standard error which of them end in a torn
 * line. STATUS_INPUT for what is not a log, and if there is no game in any; STATUS_SYSTEM for what
 * cannot be read.
 */
MUST_USE enum status logs_read(struct gamelog *log, const struct text_list *paths, struct why *why);

/* Where the numbers of COMMAND come from: the hash is that of all configurations in LOG. */
MUST_USE enum status logs_provenance(const struct gamelog *log, const char *command,
				     struct provenance *provenance, struct why *why);

/*
 * Fills SELECTION with the games of LOG that EXPERIMENT asks for, in the experiment's order and
 * under its labels, whatever order they were played in. It is the caller's, for gamelog_fini().
 * STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status selection_init(struct gamelog *selection, const struct gamelog *log,
				    const struct experiment *experiment, struct why *why);

#endif
