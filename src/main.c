/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn COMMAND ...: finds the command and runs it.
 *
 * A new command needs a file src/commands/cmd_NAME.c and a line in src/commands/commands.def.
 */
#include "base/text.h"
#include "src/commands/command.h"
#include "src/cli/describe.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"
#include "src/games/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct named_command commands[] = {
#define COMMAND(GROUP, NAME, SUMMARY) {GROUP, #NAME, SUMMARY, &cmd_##NAME},
#include "src/commands/commands.def"
#undef COMMAND
    {0},
};

enum { NAME_MAX_LENGTH = 64 };

static const struct named_command *command_find(const char *name)
{
	for (const struct named_command *c = commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* Reports that NAME is no command; suggests one within two edits, or names the agent or value. */
static int command_unknown(const char *name)
{
	const char *program = ranks_link.program, *kind = description_kind(name);
	struct suggestion suggestion = suggestion_start(name, strlen(name));
	for (const struct named_command *c = commands; c->name; c++)
		suggestion_try(&suggestion, c->name, strlen(c->name));
	if (kind)
		fprintf(stderr, "%s: no command '%s', but %s: nxn info %s\n", program, name, kind,
			name);
	else if (suggestion.name)
		fprintf(stderr, "%s: no command '%s'; did you mean '%s'?\n", program, name,
			suggestion.name);
	else
		fprintf(stderr, "%s: no command '%s'; %s --help lists them\n", program, name,
			program);
	return 2;
}

/* Prints the list of commands in --help. */
static void commands_list(FILE *out)
{
	const char *group = "";
	fputs("\nCommands:\n", out);
	for (const struct named_command *c = commands; c->name; c++) {
		if (ranks_link.possible && !c->command->shared)
			continue;
		if (strcmp(c->group, group) != 0)
			fprintf(out, "\n%s:\n", c->group);
		group = c->group;
		fprintf(out, "  %-10s  %s\n", c->name, c->summary);
	}
	fputs(ranks_link.possible
		  ? "\n"
		    "The ranks that mpirun or srun starts share the work of one command, whose\n"
		    "options and results are those of nxn: `nxn help COMMAND' documents it.\n"
		    "docs/cluster.md is about clusters.\n"
		    "\n"
		    "EXAMPLES\n"
		    "  mpirun -n 4 nxn-mpi compare -a random,corners -g 20 -o out/first\n"
		  : "\n`nxn help COMMAND' documents a command and shows examples of it.\n\n"
		    "EXAMPLES\n"
		    "  nxn compare --agents random,corners --games 20 --out out/first\n"
		    "  nxn play --agent corners --board 3x3\n"
		    "  nxn help train\n",
	      out);
}

/* nxn itself, whose only options are those that every command has. */
static const struct command program = {
    .arguments = "COMMAND [ARGUMENT...]",
    .doc = "Plays, searches and learns the game 2048 on boards from 2x2 to 6x6, and compares the "
	   "players with a 95% interval on every number.\v",
    .details = commands_list,
};

/* Runs the command ARGV[0] with the arguments after it, and returns its exit status. */
static int command_run(int argc, char **argv)
{
	const struct named_command *command = command_find(argv[0]);
	char called[NAME_MAX_LENGTH], mpirun[32] = "";
	if (!command)
		return command_unknown(argv[0]);
	if (ranks_link.possible && !command->command->shared) {
		fprintf(stderr, "%s: %s: has no use for ranks; the program for it is nxn: nxn %s\n",
			ranks_link.program, command->name, command->name);
		return 2;
	}
	snprintf(called, sizeof called, "nxn %s", command->name);
	argv[0] = called;
	if (ranks_size() > 1)
		snprintf(mpirun, sizeof mpirun, "mpirun -n %d ", ranks_size());
	/*
	 * Standard output of all ranks but the first is /dev/null, so that each message appears
	 * once.
	 */
	return command_start(command->command, argc, argv, mpirun, ranks_rank() ? stdout : stderr);
}

/* nxn help [COMMAND]: the --help of nxn, or that of a command; ARGV[0] is "help". */
static int help(int argc, char **argv)
{
	static char option[] = "--help";
	char *asked[] = {argc > 1 ? argv[1] : NULL, option, NULL};
	if (argc > 2) {
		fprintf(stderr, "%s: help: expected one COMMAND\n", ranks_link.program);
		return 2;
	}
	if (argc == 2)
		return command_run(2, asked);
	command_help(&program, ranks_link.program, stdout);
	return 0;
}

/* Runs a whole command line; returns the exit status. */
static int line_run(int argc, char **argv)
{
	const int first = options_skip(&program, argc, argv);
	if (first == argc) {
		fprintf(stderr, "%s: the command is missing; %s --help lists them\n", argv[0],
			argv[0]);
		return 2;
	}
	if (strcmp(argv[first], "version") == 0) {
		version_print(stdout);
		return 0;
	}
	if (strcmp(argv[first], "__complete") == 0) {
		if (first + 2 == argc)
			completion_print(argv[first + 1]);
		return 0;
	}
	return (strcmp(argv[first], "help") == 0 ? help : command_run)(argc - first, argv + first);
}

/*
 * Reports output that could not be written. This runs at exit, because --help and --version end the
 * process.
 */
static void output_check(int result, void *context)
{
	(void)context;
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return;
	/* An earlier failed write left no errno. */
	fprintf(stderr, "nxn: standard output: %s\n", errno ? strerror(errno) : "write error");
	fflush(stderr);
	_exit(result ? result : 1);
}

/*
 * Opens those of the descriptors 0 to 2 that are closed, so that no file gets their numbers and the
 * messages. 0 is opened for writing, 1 and 2 for reading, so that using them still fails with
 * EBADF.
 */
static void descriptors_open(void)
{
	for (int i = 0; i < 3; i++)
		/* cppcheck-suppress leakReturnValNotUsed */
		if (fcntl(i, F_GETFD) < 0 && open("/dev/null", i ? O_RDONLY : O_WRONLY) != i)
			_exit(1);
}

int main(int argc, char **argv)
{
	descriptors_open();
	/* A write beyond the limit on file sizes then fails with EFBIG, like one on a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	ranks_join(&argc, &argv);
	argv[0] = (char *)ranks_link.program;
	on_exit(output_check, NULL);
	return line_run(argc, argv);
}
