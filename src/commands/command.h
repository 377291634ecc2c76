/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The subcommands of nxn: a file cmd_NAME.c and a line in commands.def each.
 *
 * Exit statuses: 0; 1 for what is not the user's doing; 2 for what is; 75 after SIGTERM, SIGHUP,
 * SIGUSR1 or the end of --time-budget, when the same command would go on; 130 after Ctrl-C.
 */
#ifndef NXN_COMMAND_H
#define NXN_COMMAND_H

#include "src/cli/options.h"

struct named_command {
	const char *group; /* the heading that --help lists it under */
	const char *name, *summary;
	const struct command *command;
};

/* All of them, ending with a NULL name (main.c). */
extern const struct named_command commands[];

/* Topic I of nxn info; NULL behind the last (cmd_info.c). */
const char *info_topic(size_t i);

/* Prints what the last word of LINE, which is cut up, can be, a word a line (complete.c). */
void completion_print(char *line);

#define COMMAND(GROUP, NAME, SUMMARY) extern const struct command cmd_##NAME;
#include "src/commands/commands.def"
#undef COMMAND

#endif
