/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn gap: the options of a run that holds players against the optimum, which is in gap.c. */
#include "src/commands/command.h"
#include "src/run/gap.h"
#include "src/cli/memory.h"
#include "src/cli/options.h"

#include <string.h>

enum { KEY_CURVE = 0x100, KEY_TABLE, KEY_EXACT, KEY_NO_FIGURES };

enum { GAMES_DEFAULT = 1000, GAMES_MAX = 10000000, TRAIN_DEFAULT = 100000, CURVE_DEFAULT = 7 };

static enum gap_exact parse_exact(struct argp_state *state, const char *text)
{
	static const char *const names[] = {"auto", "always", "never"};
	for (int i = GAP_AUTO; i <= GAP_NEVER; i++)
		if (strcmp(text, names[i]) == 0)
			return (enum gap_exact)i;
	option_error(state, "--exact: '%s' is none of auto, always, never", text);
}

static void options_check(struct argp_state *state, struct gap_options *options)
{
	if (!options->game.shape && !options->game.start)
		option_error(state, "--board is missing; it must be small enough to be solved");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct gap_options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->game;
		state->child_inputs[1] = &options->agents;
		state->child_inputs[2] = &options->seed;
		state->child_inputs[3] = &options->memory;
		state->child_inputs[4] = &options->launch.pace;
		state->child_inputs[5] = &options->launch.share;
		return 0;
	case 'b':
		options->game.shape = arg;
		return 0;
	case 'g':
		options->games = option_number(state, "--games", arg, 2, GAMES_MAX);
		return 0;
	case 't':
		options->train = option_number(state, "--train", arg, 1, COUNT_MAX);
		return 0;
	case KEY_CURVE:
		options->curve = option_number(state, "--curve", arg, 1, GAP_POINTS_MAX);
		return 0;
	case KEY_TABLE:
		options->table = option_text(state, "--table", arg);
		return 0;
	case KEY_NO_FIGURES:
		options->launch.no_figures = true;
		return 0;
	case KEY_EXACT:
		options->exact = parse_exact(state, arg);
		return 0;
	case 'o':
		options->launch.directory = option_text(state, "--out", arg);
		return 0;
	case ARGP_KEY_ARG:
		option_error(state, "unexpected argument '%s'", arg);
	case ARGP_KEY_END:
		options_check(state, options);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option table[] = {
    {"board", 'b', "RxC", 0, "Board of R rows and C columns, small enough to be solved", 0},
    {"games", 'g', "N", 0,
     "Games of each player, and of a learner at each point of its training (default 1000)", 0},
    {"train", 't', "N", 0,
     "Training games of each learner that does not come from a file (default 100000)", 0},
    {"curve", KEY_CURVE, "K", 0,
     "Hold learners against the optimum at K points of their training, in a geometric series from "
     "a thousandth of it to all of it; 1: only at its end (default 7)",
     0},
    {"table", KEY_TABLE, "FILE", 0,
     "The optimum, as nxn solve --out writes it, for the score or for a target; without it the "
     "board is solved for the score, and the table kept in DIR",
     0},
    {"exact", KEY_EXACT, "auto|always|never", 0,
     "Expected values in place of games: auto, for agents whose moves are known, where positions "
     "of "
     "the board times positions looked at for a move are at most 1e8 (100 for each move of what "
     "has learned; learners trained here always play games); always; never (default auto)",
     0},
    {"out", 'o', "DIR", 0,
     "Folder of the results (default out/gap); if it holds some, they are gone on with", 0},
    {"no-figures", KEY_NO_FIGURES, NULL, 0, "Write tables, but draw no figures", 0},
    {0},
};

static const struct argp_child children[] = {{.argp = &options_rule},
					     {.argp = &options_agents},
					     {.argp = &options_seed},
					     {.argp = &options_memory},
					     {.argp = &options_pace},
					     {.argp = &options_share},
					     {0}};

static const char doc[] =
    "Holds players against the exact optimum of a board: their expected score as a share of it, "
    "what their moves lose and how many of them are optimal, by the largest tile on the board, and "
    "learners over their training. Without --agents it is every agent that needs no file, learners "
    "trained first. Results go to a folder; what it holds already is not done again. "
    "`nxn gap -b 3x3` is every agent on 3x3, in some minutes."
    "\v"
    "A result and what its moves lost come to the optimum on average, whoever plays: what is "
    "beyond that was luck of the spawns. `less luck` is the mean score with `beta` of the luck "
    "taken "
    "off, as much as makes it most certain; `gain` games tell as much by their score alone as one "
    "does so. A move loses the difference of its worth to that of the best one; "
    "within 1e-9 of it, it is optimal. Results do not depend on the number of threads.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn gap -b 2x2 -a random,greedy,corners,expectimax -o out/g22\n"
    "  nxn gap -b 2x3 -a random,qlearn --train 2000 --curve 4 -g 200 -o out/g23\n"
    "  nxn gap -b 2x3 -a greedy --exact never -g 500 -o out/never --no-figures";

const struct argp gap_argp = {.options = table, .parser = parse, .doc = doc, .children = children};

int cmd_gap(int argc, char **argv)
{
	struct why why;
	struct launch_command command;
	struct gap_options options = {
	    .seed = 1,
	    .games = GAMES_DEFAULT,
	    .train = TRAIN_DEFAULT,
	    .curve = CURVE_DEFAULT,
	    .memory = memory_default(),
	    .launch = {.directory = "out/gap", .pace = {.threads = threads_default()}},
	};
	enum status status = launch_command_init(&command, argc, argv, &why);
	if (status)
		return command_exit(argv[0], status, &why);
	options_parse(&gap_argp, argc, argv, 0, &options);
	const int result = gap_launch(&options, &command);
	list_free(&options.agents);
	launch_command_fini(&command);
	return result;
}
