/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn duel: the options of a duel, which is in duel.c. */
#include "src/commands/command.h"
#include "src/run/duel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEY_ALPHA = 0x200,
	KEY_BETA,
	KEY_BOUND,
	KEY_BATCH,
	KEY_POWER,
	KEY_SD,
	KEY_PILOT,
	KEY_NO_FIGURES,
	KEY_NO_TIMES
};

enum {
	BATCH_DEFAULT = 50,
	BATCH_MIN = DUEL_BATCH_MIN,
	MOST_DEFAULT = 10000,
	MOST_MAX = 100000000,
	PILOT_DEFAULT = 200
};

/* A share above 0 and at most MAX, as in 2% or 0.02; above 1 only in percent. */
static double option_share(struct argp_state *state, const char *what, const char *text, double max)
{
	char *end;
	double x = strtod(text, &end);
	/* strtod() knows more ways to write numbers than there should be here. */
	bool plain = end > text && strspn(text, "0123456789.e-") == (size_t)(end - text);
	bool percent = strcmp(end, "%") == 0;
	if (percent)
		x /= 100;
	if (!plain || (*end && !percent) || !(x >= 1e-9 && x <= max))
		option_error(state, "%s: '%s' is not a share such as 2%% or 0.02, at most %g%%",
			     what, text, 100 * max);
	/* Nobody who writes 5 means 500%. */
	if (!percent && x > 1)
		option_error(state, "%s: '%s' would be %g%%; write '%s%%', or that", what, text,
			     100 * x, text);
	return x;
}

static void options_check(struct argp_state *state, const struct duel_options *options)
{
	bool planned = options->effect > 0;
	if (options->agents == 0 && planned && options->sd > 0)
		return;
	if (options->agents < 2)
		option_error(state, "two agents are missing, as in nxn duel corners greedy; nxn "
				    "info lists the agents");
	if (!planned && options->sd > 0)
		option_error(state, "--sd: only with --power");
	if (planned && options->sd > 0)
		option_error(state, "--sd: with agents, a pilot finds it; leave out one or the "
				    "other");
}

static error_t parse_agent(char *arg, struct argp_state *state)
{
	struct duel_options *options = state->input;
	if (options->agents == 2)
		option_error(state, "unexpected argument '%s'; a duel is between two", arg);
	options->agent[options->agents++] = arg;
	return 0;
}

/* The options of the test. */
static error_t parse_test(int key, char *arg, struct argp_state *state)
{
	struct duel_options *options = state->input;
	switch (key) {
	case KEY_ALPHA:
		options->alpha = option_share(state, "--alpha", arg, 0.5);
		return 0;
	case KEY_BETA:
		options->beta = option_share(state, "--beta", arg, 0.5);
		return 0;
	case KEY_BOUND:
		options->bound = option_share(state, "--bound", arg, 10);
		return 0;
	case KEY_BATCH:
		options->batch = option_number(state, "--batch", arg, BATCH_MIN, MOST_MAX);
		return 0;
	case 'g':
		options->most = option_number(state, "--max-games", arg, BATCH_MIN, MOST_MAX);
		return 0;
	case KEY_POWER:
		options->effect = option_share(state, "--power", arg, 10);
		return 0;
	case KEY_SD:
		options->sd = option_share(state, "--sd", arg, 1000);
		return 0;
	case KEY_PILOT:
		options->pilot = option_number(state, "--pilot", arg, BATCH_MIN, MOST_MAX);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct duel_options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->game;
		state->child_inputs[1] = &options->game;
		state->child_inputs[2] = &options->seed;
		state->child_inputs[3] = &options->launch.pace;
		return 0;
	case 'o':
		options->launch.directory = option_text(state, "--out", arg);
		return 0;
	case KEY_NO_FIGURES:
		options->launch.no_figures = true;
		return 0;
	case KEY_NO_TIMES:
		options->launch.no_times = true;
		return 0;
	case ARGP_KEY_ARG:
		return parse_agent(arg, state);
	case ARGP_KEY_END:
		options_check(state, options);
		return 0;
	default:
		return parse_test(key, arg, state);
	}
}

static const struct argp_option table[] = {
    {"max-games", 'g', "N", 0, "Games of each player at most (default 10000)", 0},
    {"batch", KEY_BATCH, "N", 0,
     "Games of each player before the first look; after that one looks whenever a fifth more have "
     "been played, rounded up to N (default 50)",
     0},
    {"alpha", KEY_ALPHA, "SHARE", 0,
     "False verdicts that are allowed, as in 5% or 0.05; intervals are 100% less that (default 5%)",
     0},
    {"bound", KEY_BOUND, "SHARE", 0,
     "Stop as well when the interval for the ratio of mean scores lies within this of 1, as in 2%: "
     "the players then are equal within it",
     0},
    {"power", KEY_POWER, "EFFECT", 0,
     "Play a pilot only, and tell how many games it takes to find a difference of mean scores of "
     "EFFECT, as in 2%",
     0},
    {"beta", KEY_BETA, "SHARE", 0,
     "Duels that may miss such an effect, for --power and for what was saved (default 10%)", 0},
    {"pilot", KEY_PILOT, "N", 0, "Games of each player in the pilot (default 200)", 0},
    {"sd", KEY_SD, "SHARE", 0,
     "In place of agents and a pilot: the spread of a pair, that is the standard deviation of the "
     "difference of scores as a share of the mean score, as in 60%",
     0},
    {"out", 'o', "DIR", 0,
     "Folder of the results (default out/duel); if it holds some, they are gone on with", 0},
    {"no-figures", KEY_NO_FIGURES, NULL, 0, "Write the table, but draw no figure", 0},
    {"no-times", KEY_NO_TIMES, NULL, 0,
     "Leave out how long games took, so that equal runs give equal logs", 0},
    {0},
};

static const struct argp_child children[] = {{.argp = &options_board},
					     {.argp = &options_rule},
					     {.argp = &options_seed},
					     {.argp = &options_pace},
					     {0}};

static const char doc[] =
    "Lets two agents play the same games until it is clear who has the higher mean score. Looks "
    "are taken after fixed numbers of games, with intervals that hold at all of them together: a "
    "duel ends when that for the ratio of mean scores leaves out 1, when it lies within --bound, "
    "or "
    "with --max-games. Choose these before looking at games. Results go to a folder, as games that "
    "nxn stats and nxn compare read."
    "\v"
    "Killed at any moment, the same command goes on and stops at the same game with the same "
    "verdict, for any number of threads. The exit status is 0 whatever the verdict. docs/duel.md "
    "has the method and its measured error rates.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn duel corners greedy --max-games 2000 -o out/d1\n"
    "  nxn duel corners greedy -b 2x3 --bound 20% -o out/d2\n"
    "  nxn duel corners greedy --power 2% -o out/d1\n"
    "  nxn duel --power 2% --sd 60%";

const struct argp duel_argp = {.options = table,
			       .parser = parse,
			       .args_doc = "[AGENT AGENT]",
			       .doc = doc,
			       .children = children};

int cmd_duel(int argc, char **argv)
{
	struct why why;
	struct launch_command command;
	struct duel_options options = {
	    .seed = 1,
	    .alpha = 0.05,
	    .beta = 0.1,
	    .batch = BATCH_DEFAULT,
	    .most = MOST_DEFAULT,
	    .pilot = PILOT_DEFAULT,
	    .launch = {.directory = "out/duel", .pace = {.threads = threads_default()}}};
	enum status status = launch_command_init(&command, argc, argv, &why);
	if (status)
		return command_exit(argv[0], status, &why);
	options_parse(&duel_argp, argc, argv, 0, &options);
	const int result = duel_launch(&options, &command);
	launch_command_fini(&command);
	return result;
}
