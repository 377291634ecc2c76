/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn COMMAND ...: finds the command and runs it.
 *
 * To add one: a file cmd_NAME.c, its function in command.h, and a row below.
 */
#include "agents/param.h"
#include "src/command.h"
#include "src/provenance.h"
#include "src/stop.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct command {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
};

static const struct command commands[] = {
    {"compare", "Play agents on boards, all against all, and compare them", cmd_compare},
    {"run", "Run an experiment file", cmd_run},
    {"sweep", "Time a search over depths and cutoffs; recommend some", cmd_sweep},
    {"train", "Train a learning agent and save it", cmd_train},
    {"tune", "Tune parameters of an agent by the cross-entropy method", cmd_tune},
    {"stats", "Summarise game logs", cmd_stats},
    {"plot", "Make tables and figures from game logs", cmd_plot},
    {"play", "Play one game and show it", cmd_play},
    {"solve", "Solve a board exactly", cmd_solve},
    {"eval", "Ask an agent about positions", cmd_eval},
    {"serve", "Answer another program, line by line", cmd_serve},
    {"perft", "Count what is reachable from a position", cmd_perft},
    {"bench", "Time the hot paths; hash how nxn plays", cmd_bench},
    {"verify", "Check nxn, or another program, against known figures", cmd_verify},
    {"gap", "How far players are from the exact optimum", cmd_gap},
    {"info", "Tell about boards, agents, values and model files", cmd_info},
};

enum { COMMANDS = sizeof commands / sizeof *commands, NAME_MAX_LENGTH = 64 };

int command_exit(const char *name, enum status status, const struct why *why)
{
	switch (status) {
	case STATUS_OK:
		return 0;
	case STATUS_STOPPED:
		return stop_status();
	case STATUS_INPUT:
	case STATUS_SYSTEM:
		break;
	}
	fprintf(stderr, "%s: %s\n", name, why->text);
	return status == STATUS_INPUT ? 2 : 1;
}

static const struct command *command_find(const char *name)
{
	for (int i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

/* Ends the process, naming the closest command if there is one within two edits. */
static void command_unknown(struct argp_state *state, const char *name)
{
	int best = 3;
	const char *hint = NULL;
	for (int i = 0; i < COMMANDS; i++) {
		const char *other = commands[i].name;
		int distance = edit_distance(name, strlen(name), other, strlen(other));
		if (distance < best) {
			best = distance;
			hint = other;
		}
	}
	if (hint)
		argp_failure(state, 2, 0, "no command '%s'; did you mean '%s'?", name, hint);
	else
		argp_failure(state, 2, 0, "no command '%s'; nxn --help lists them", name);
}

/* The list of commands, from the table, in --help. */
static char *list_commands(int key, const char *text, void *input)
{
	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	char *list = NULL;
	size_t size;
	FILE *out = open_memstream(&list, &size);
	if (!out)
		return NULL;
	fputs("Commands:\n", out);
	for (int i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
	fputs("\n`nxn COMMAND --help' documents a command and shows examples of it.", out);
	return fclose(out) == 0 ? list : NULL;
}

/* Runs the command at ARGV[0] and keeps its exit status in the input. */
static error_t parse(int key, char *arg, struct argp_state *state)
{
	if (key == ARGP_KEY_NO_ARGS)
		argp_state_help(state, stderr, ARGP_HELP_STD_ERR);
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	const struct command *command = command_find(arg);
	if (!command)
		command_unknown(state, arg);
	char name[NAME_MAX_LENGTH];
	snprintf(name, sizeof name, "nxn %s", command->name);
	char **argv = &state->argv[state->next - 1];
	argv[0] = name;
	int *result = state->input;
	*result = command->run(state->argc - state->next + 1, argv);
	state->next = state->argc;
	return 0;
}

static void print_version(FILE *out, struct argp_state *state)
{
	(void)state;
	fprintf(out, "nxn %s\n", version_text);
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
	    .parser = parse,
	    .args_doc = "COMMAND [ARGUMENT...]",
	    .doc = "Compares players and learners of 2048 on boards of every size.\v",
	    .help_filter = list_commands,
	};
	int result = 2;
	argp_program_version_hook = print_version;
	argp_err_exit_status = 2;
	argv[0] = "nxn";
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &result);
	errno = 0;
	if (fflush(stdout) || ferror(stdout)) {
		/* An error that an earlier write met has left no errno. */
		fprintf(stderr, "nxn: standard output: %s\n",
			errno ? strerror(errno) : "write error");
		return result ? result : 1;
	}
	return result;
}
