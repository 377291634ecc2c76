/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Descriptions of boards; of agents, aliases, values and their parameters; of model and table
 * files.
 */
#ifndef NXN_DESCRIBE_H
#define NXN_DESCRIBE_H

#include "analysis/tables/table.h"
#include "src/cli/options.h"

#include <stdbool.h>

/* What to describe: agents and aliases, values, or the one with this name. */
struct description {
	bool agents, values;
	const char *name; /* NULL: all */
};

/* The printer of a struct description; its table, for programs, has a row per parameter. */
extern const struct tables description_tables;

/* Returns "an agent", "an alias" or "a value" for NAME; NULL if nothing is called NAME. */
const char *description_kind(const char *name);

/* The printer of all boards; its data is NULL. Call isa_choose() first. */
extern const struct tables board_tables;

/*
 * Describes the file PATH, a table of nxn solve or else a model, in the format of CALL.
 * STATUS_INPUT if the file is neither, or, after the description was printed, if a checksum is
 * wrong.
 */
MUST_USE enum status file_describe(const struct invocation *call, const char *path,
				   struct why *why);

#endif
