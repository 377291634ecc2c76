/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What there is to play with: boards; agents, aliases, values and their parameters; files. */
#ifndef NXN_DESCRIBE_H
#define NXN_DESCRIBE_H

#include "analysis/tables/table.h"
#include "src/cli/options.h"

#include <stdbool.h>

/* What is asked for: agents and aliases, values, or what has a name. */
struct description {
	bool agents, values;
	const char *name; /* NULL: all */
};

/* Of the data struct description; its table, for programs, has a row for each parameter. */
extern const struct tables description_tables;

/* "an agent", "an alias" or "a value" that is called NAME; NULL if nothing is. */
const char *description_kind(const char *name);

/* All boards; the data is NULL. After isa_choose(). */
extern const struct tables board_tables;

/*
 * Prints, as CALL has it, what the file PATH holds: a table of nxn solve if it says so, otherwise a
 * model. STATUS_INPUT if it is none, or if a checksum is wrong, then behind what could be read.
 */
MUST_USE enum status file_describe(const struct invocation *call, const char *path,
				   struct why *why);

#endif
