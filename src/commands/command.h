/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The subcommands of nxn: a file cmd_NAME.c and a line in commands.def each.
 *
 * A command gets argv[0] = "nxn NAME", parses its arguments with its NAME_line, whose --help ends
 * with examples, and returns its exit status: 0; 1 for what is not the user's doing; 2 for what is;
 * 75 after SIGTERM, SIGUSR1 or the end of --time-budget, when the same command would go on; 130 after
 * Ctrl-C, and, of a game by a person, 129 after SIGHUP.
 */
#ifndef NXN_COMMAND_H
#define NXN_COMMAND_H

#include "src/cli/command_exit.h"

#include "src/cli/options.h"

struct command {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
	const struct command_line *line; /* what run() parses by, and completion shows */
};

/* All of them, ending with a NULL name (main.c). */
extern const struct command commands[];

#define COMMAND(NAME, SUMMARY)                                                                     \
	int cmd_##NAME(int argc, char **argv);                                                     \
	extern const struct command_line NAME##_line;
#include "src/commands/commands.def"
#undef COMMAND

#endif
