/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn COMMAND ...: finds the command and runs it.
 *
 * To add one: a file src/commands/cmd_NAME.c and a line in src/commands/commands.def.
 */
#include "base/text.h"
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"
#include "src/run/ranks.h"

#include <argp.h>
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

enum { NAME_MAX_LENGTH = 64, LETTER_VERSION = 'v' };

static const struct named_command *command_find(const char *name)
{
	for (const struct named_command *c = commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* Ends the process: NAME is an agent or a value, or the closest command is within two edits. */
__attribute__((noreturn)) static void command_unknown(struct argp_state *state, const char *name)
{
	const char *kind = info_kind(name);
	struct guess guess = guess_start(name, strlen(name));
	if (kind)
		option_error(state, "no command '%s', but %s: nxn info %s", name, kind, name);
	for (const struct named_command *c = commands; c->name; c++)
		guess_try(&guess, c->name, strlen(c->name));
	if (guess.name)
		option_error(state, "no command '%s'; did you mean '%s'?", name, guess.name);
	option_error(state, "no command '%s'; %s --help lists them", name, state->name);
}

/* The list of commands, from the table, in --help. */
static char *list_commands(int key, const char *text, void *input)
{
	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	char *list = NULL;
	size_t size;
	FILE *out = stream_open(&list, &size);
	if (!out)
		return NULL;
	const char *group = "";
	fputs("Commands:\n", out);
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
		    "The ranks that mpirun or srun starts share the work of one command, whose "
		    "options and results are those of nxn: `nxn help COMMAND' documents it. "
		    "docs/cluster.md is about clusters.\n"
		    "\n"
		    "EXAMPLES\n"
		    "  mpirun -n 4 nxn-mpi compare -a random,corners -g 20 -o out/first"
		  : "\n`nxn help COMMAND' documents a command and shows examples of it.\n\n"
		    "EXAMPLES\n"
		    "  nxn compare --agents random,corners --games 20 --out out/first\n"
		    "  nxn play --agent corners --board 3x3\n"
		    "  nxn help train",
	      out);
	return fclose(out) == 0 ? list : NULL;
}

/* Runs the command NAME with the arguments that are left in STATE, and returns its exit status. */
static int command_run(struct argp_state *state, const char *name)
{
	const struct named_command *command = command_find(name);
	if (!command)
		command_unknown(state, name);
	if (ranks_link.possible && !command->command->shared)
		argp_failure(state, 2, 0,
			     "%s: has no use for ranks; the program for it is nxn: nxn %s", name,
			     name);
	char called[NAME_MAX_LENGTH], mpirun[32] = "";
	snprintf(called, sizeof called, "nxn %s", command->name);
	char **argv = &state->argv[state->next - 1];
	argv[0] = called;
	if (ranks_size() > 1)
		snprintf(mpirun, sizeof mpirun, "mpirun -n %d ", ranks_size());
	/*
	 * Ranks other than the first have their standard output in /dev/null, for all to be said
	 * once.
	 */
	return command_start(command->command, state->argc - state->next + 1, argv, mpirun,
			     ranks_rank() ? stdout : stderr);
}

/* nxn help [COMMAND]: the --help of nxn, or that of a command, which ends the process. */
static int help(struct argp_state *state)
{
	static char option[] = "--help";
	if (state->argc - state->next > 1)
		argp_failure(state, 2, 0, "help: expected one COMMAND");
	if (state->next == state->argc)
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
	char *name = state->argv[state->next];
	state->argv[state->next] = option;
	return command_run(state, name);
}

static void print_version(FILE *out, struct argp_state *state)
{
	(void)state;
	fprintf(out,
		"nxn %s\n"
		"Licence GPLv3+: GNU GPL version 3 or later <https://gnu.org/licenses/gpl.html>.\n"
		"This is free software: you are free to change and redistribute it.\n"
		"There is no warranty, to the extent permitted by law.\n"
		"\n"
		"Built with %s. `nxn info program' tells about this machine.\n",
		version_text, compiler_text);
}

/* Runs the command at ARGV[0] and keeps its exit status in the input. */
static error_t parse(int key, char *arg, struct argp_state *state)
{
	if (key == LETTER_VERSION || (key == ARGP_KEY_ARG && strcmp(arg, "version") == 0)) {
		print_version(stdout, state);
		exit(0);
	}
	if (key == ARGP_KEY_NO_ARGS) {
		argp_failure(state, 2, 0, "the command is missing; %s --help lists them",
			     state->name);
		exit(2);
	}
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	int *result = state->input;
	*result = strcmp(arg, "help") == 0 ? help(state) : command_run(state, arg);
	state->next = state->argc;
	return 0;
}

/*
 * What did not reach standard output is an error; here, because argp ends the process by itself
 * when it has shown a help or the version.
 */
static void output_check(int result, void *context)
{
	(void)context;
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return;
	/* An error that an earlier write met has left no errno. */
	fprintf(stderr, "nxn: standard output: %s\n", errno ? strerror(errno) : "write error");
	fflush(stderr);
	_exit(result ? result : 1);
}

/*
 * Opens each of the descriptors 0 to 2 that nxn was started without, so that no file gets its
 * number and what is meant for a terminal. Opened the wrong way round, reads and writes fail with
 * EBADF, as they would have.
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
	/* argp's own is -V. */
	static const struct argp_option options[] = {
	    {.key = LETTER_VERSION, .flags = OPTION_HIDDEN},
	    {0},
	};
	static const struct argp argp = {
	    .options = options,
	    .parser = parse,
	    .args_doc = "COMMAND [ARGUMENT...]",
	    .doc =
		"Plays, searches and learns the game 2048 on boards from 2x2 to 6x6, and compares "
		"the players with a 95% interval on every number.\v",
	    .help_filter = list_commands,
	};
	int result = 2;
	descriptors_open();
	/* A limit on the size of files is then an error like a full disk: EFBIG. */
	signal(SIGXFSZ, SIG_IGN);
	argp_program_version_hook = print_version;
	argp_err_exit_status = 2;
	ranks_join(&argc, &argv);
	argv[0] = (char *)ranks_link.program;
	on_exit(output_check, NULL);
	options_parse(&argp, argc, argv, ARGP_IN_ORDER, &result);
	return result;
}
