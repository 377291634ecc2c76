/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The subcommands of nxn; each has a file cmd_NAME.c and a line in commands.def.
 *
 * Exit statuses: 1 if the system or a check fails; 2 for an error of the user; 75 after SIGTERM,
 * SIGHUP, SIGUSR1 or the end of --time-budget (the same command resumes); 130 after Ctrl-C.
 */
#ifndef NXN_COMMAND_H
#define NXN_COMMAND_H

#include "src/cli/options.h"

struct named_command {
	const char *group; /* its heading in --help */
	const char *name, *summary;
	const struct command *command;
};

/* All subcommands; the list ends with a NULL name (main.c). */
extern const struct named_command commands[];

/* Returns topic I of nxn info; NULL after the last (cmd_info.c). */
const char *info_topic(size_t i);

/* Prints the candidates for the last word of LINE, one per line; modifies LINE (complete.c). */
void completion_print(char *line);

#define COMMAND(GROUP, NAME, SUMMARY) extern const struct command cmd_##NAME;
#include "src/commands/commands.def"
#undef COMMAND

#endif
