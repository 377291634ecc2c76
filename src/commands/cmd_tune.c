/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn tune: the options of a tuning, which is in tune.c. */
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/run/launch.h"
#include "src/run/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEY_OBJECTIVE = 0x100,
	KEY_SIGMA,
	KEY_NOISE,
	KEY_CONSTANT,
	KEY_TOLERANCE,
	KEY_HELD_OUT,
	KEY_CHECK
};

enum { CANDIDATES_MAX = 100000, GAMES_MAX = 1000000, GENERATIONS_MAX = 100000 };

/* A number from MIN to MAX, or the end of the process. */
static double option_real(struct argp_state *state, const char *what, const char *text, double min,
			  double max)
{
	char *end;
	const double x = strtod(text, &end);
	const bool plain = strspn(text, "0123456789.eE-+") == strlen(text);
	if (!plain || end == text || *end || !(x >= min && x <= max))
		option_error(state, "%s: '%s' is not a number from %g to %g", what, text, min, max);
	return x;
}

static void parse_objective(struct argp_state *state, struct tune_options *options,
			    const char *text)
{
	static const char tile[] = "tile=";
	if (strcmp(text, "score") == 0) {
		options->aim = TUNE_SCORE;
	} else if (strcmp(text, "log") == 0) {
		options->aim = TUNE_LOG;
	} else if (strncmp(text, tile, strlen(tile)) == 0) {
		const uint64_t number =
		    option_number(state, "--objective: tile", text + strlen(tile), 2, INT64_MAX);
		if ((number & (number - 1)) != 0)
			option_error(state, "--objective: tile=%s is no power of 2",
				     text + strlen(tile));
		options->aim = TUNE_TILE;
		options->exponent = __builtin_ctzll(number);
	} else {
		option_error(state, "--objective: '%s' is none of score, log, tile=N", text);
	}
}

static void options_check(struct argp_state *state, struct tune_options *options)
{
	if (!options->agent)
		option_error(state, "--agent is missing; nxn info agents lists them");
	if (!options->params)
		option_error(state, "--params is missing; nxn info AGENT lists them");
	if (!options->path || !*options->path)
		option_error(state, "--out is missing: the file for the table of generations");
	if (options->elite > options->population)
		option_error(state, "--elite: %zu are more than the %zu of --population",
			     options->elite, options->population);
	if (!options->game.shape && !options->game.start)
		options->game.shape = "4x4";
}

static size_t option_count(struct argp_state *state, const char *what, const char *text,
			   uint64_t min, uint64_t max)
{
	return (size_t)option_number(state, what, text, min, max);
}

/* The options that say how it is looked for. */
static error_t parse_method(int key, char *arg, struct argp_state *state,
			    struct tune_options *options)
{
	switch (key) {
	case 'N':
		options->population = option_count(state, "--population", arg, 1, CANDIDATES_MAX);
		return 0;
	case 'm':
		options->elite = option_count(state, "--elite", arg, 1, CANDIDATES_MAX);
		return 0;
	case 'g':
		options->games = option_count(state, "--games", arg, 1, GAMES_MAX);
		return 0;
	case 'G':
		options->generations =
		    option_count(state, "--generations", arg, 1, GENERATIONS_MAX);
		return 0;
	case KEY_OBJECTIVE:
		parse_objective(state, options, arg);
		return 0;
	case KEY_SIGMA:
		options->sigma = option_real(state, "--sigma", arg, 1e-6, 1e6);
		return 0;
	case KEY_NOISE:
		options->noise = option_real(state, "--noise", arg, 0, 1e6);
		return 0;
	case KEY_CONSTANT:
		options->fades = false;
		return 0;
	case KEY_TOLERANCE:
		options->tolerance = option_real(state, "--tolerance", arg, 0, 1);
		return 0;
	case KEY_HELD_OUT:
		options->held_out = option_count(state, "--held-out", arg, 2, GAMES_MAX);
		return 0;
	case KEY_CHECK:
		options->check = option_count(state, "--check", arg, 1, GENERATIONS_MAX);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct tune_options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->game;
		state->child_inputs[1] = &options->game;
		state->child_inputs[2] = &options->seed;
		state->child_inputs[3] = &options->pace;
		return 0;
	case 'a':
		options->agent = arg;
		return 0;
	case 'p':
		options->params = arg;
		return 0;
	case 'o':
		options->path = arg;
		return 0;
	case ARGP_KEY_ARG:
		option_error(state, "unexpected argument '%s'", arg);
	case ARGP_KEY_END:
		options_check(state, options);
		return 0;
	default:
		return parse_method(key, arg, state, options);
	}
}

static const struct argp_option table[] = {
    {"agent", 'a', "AGENT", 0, "Agent whose parameters are tuned", 0},
    {"params", 'p', "LIST", 0,
     "Parameters that are tuned, among the real ones of the agent and of its value: patterns such "
     "as 'w_*', each with a mean and a deviation for the start if they are not to come from the "
     "agent: w_empty=300~100. Of patterns that name the same, the last counts",
     0},
    {"out", 'o', "FILE", 0, "Table of the generations; if it exists, tuning goes on with it", 0},
    {"population", 'N', "N", 0, "Candidates of a generation (default 30)", 0},
    {"elite", 'm', "M", 0, "The best of them, which the next one is made of (default 8)", 0},
    {"games", 'g', "N", 0, "Games of each candidate (default 50)", 0},
    {"generations", 'G', "N", 0, "Generations at most (default 15)", 0},
    {"objective", KEY_OBJECTIVE, "score|log|tile=TILE", 0,
     "What candidates are judged by: the mean over their games of the score, of its logarithm "
     "(log), or the share that reached a tile (tile=2048) (default score)",
     0},
    {"sigma", KEY_SIGMA, "X", 0,
     "Deviations at the start, as a share of the means; X for a mean of 0 (default 0.5)", 0},
    {"noise", KEY_NOISE, "X", 0,
     "Deviation that is added after every generation, as a share of that at the start; it fades "
     "to 0 until the last (default 0.2)",
     0},
    {"constant-noise", KEY_CONSTANT, NULL, 0, "Do not let the noise fade", 0},
    {"tolerance", KEY_TOLERANCE, "X", 0,
     "End when all deviations are below so large a share of those at the start (default 0.05); 0 "
     "to go on",
     0},
    {"held-out", KEY_HELD_OUT, "N", 0,
     "Games, none of them tuned on, that compare the means with the start (default 200)", 0},
    {"check", KEY_CHECK, "K", 0, "Play them after every K generations, and not in the end only", 0},
    {0},
};

static const struct argp_child children[] = {{.argp = &options_board},
					     {.argp = &options_rule},
					     {.argp = &options_seed},
					     {.argp = &options_pace},
					     {0}};

static const char doc[] =
    "Tunes real parameters of an agent by the cross-entropy method: candidates are drawn from a "
    "normal distribution a parameter, play the same games, and the distributions are fitted to the "
    "best of them, generation after generation. What the means come to in the end is compared with "
    "the agent as it was given, on other games. Killed at any moment, the same command goes on, to "
    "the same table."
    "\v"
    "The result does not depend on the number of threads. The agent that is printed in the end can "
    "be given to any command.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn tune -a expectimax:1 -p 'w_*' -b 3x3 -N 12 -m 3 -G 4 -o tune.tsv\n"
    "  nxn tune -a expectimax:1 -p 'w_empty=8~4,w_merge' -b 3x3 -G 3 -o two.tsv\n"
    "  nxn tune -a expectimax:1,value=strong -p 'w_*' -b 3x4 -G 2 -g 9 -o s.tsv\n"
    "  nxn tune -a expectimax:1 -p 'w_*' -b 3x4 -G 2 --objective tile=256 -o r.tsv";

const struct argp tune_argp = {.options = table, .parser = parse, .doc = doc, .children = children};

int cmd_tune(int argc, char **argv)
{
	struct why why;
	struct launch_command command;
	struct tune_options options = {
	    .seed = 1,
	    .population = 30,
	    .elite = 8,
	    .games = 50,
	    .generations = 15,
	    .sigma = 0.5,
	    .noise = 0.2,
	    .fades = true,
	    .tolerance = 0.05,
	    .held_out = 200,
	    .pace = {.threads = threads_default()},
	};
	enum status status = launch_command_init(&command, argc, argv, &why);
	if (status)
		return command_exit(argv[0], status, &why);
	options_parse(&tune_argp, argc, argv, 0, &options);
	status = tune_run(&options, command.provenance, &why);
	fflush(stdout);
	if (status == STATUS_STOPPED)
		launch_resume_print(&command, "");
	launch_command_fini(&command);
	return command_exit(argv[0], status, &why);
}
