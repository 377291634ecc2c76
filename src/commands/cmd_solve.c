/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn solve: its options. */
#include "src/commands/command.h"
#include "src/cli/memory.h"
#include "src/cli/options.h"
#include "src/run/launch.h"
#include "src/solve/solve.h"
#include "base/stop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEY_GOAL = 0x100,
	KEY_MAX_SUM,
	KEY_COUNT,
	KEY_WORK,
	KEY_POLICY,
	KEY_TABLE,
	KEY_NO_LAYERS,
	KEY_NO_TIMES
};

/* The command line; what was given of it that is not to go with other options. */
struct command_line {
	struct solve_options solve;
	bool goal;
};

static void parse_goal(struct argp_state *state, struct command_line *line, const char *text)
{
	line->goal = true;
	for (int goal = 0; goal < GOALS; goal++) {
		if (goal == GOAL_TARGET || strcmp(text, solve_goals[goal]) != 0)
			continue;
		line->solve.goal = (enum goal)goal;
		return;
	}
	option_error(state, "--goal: '%s' is none of score, moves, best-score, best-moves", text);
}

static void parse_target(struct argp_state *state, struct solve_options *options, const char *text)
{
	options->target = option_number(state, "--target", text, 2, (uint64_t)1 << 62);
	if ((options->target & (options->target - 1)) != 0)
		option_error(state, "--target: %s is no power of 2", text);
}

/* What says how best play is found does not go with a given agent. */
static void policy_check(struct argp_state *state, const struct command_line *line)
{
	const struct solve_options *options = &line->solve;
	if (options->table && !options->policy)
		option_error(state, "--table: it is what the agent of --policy is held against");
	if (options->table && !*options->table)
		option_error(state, "--table is empty");
	if (options->policy &&
	    (options->count || line->goal || options->target || options->out || options->work))
		option_error(state, "%s does not go with --policy",
			     options->count    ? "--count"
			     : line->goal      ? "--goal"
			     : options->target ? "--target"
			     : options->out    ? "--out"
					       : "--work");
}

static void options_check(struct argp_state *state, struct command_line *line)
{
	struct solve_options *options = &line->solve;
	policy_check(state, line);
	if (options->target && line->goal)
		option_error(state, "--target: it is the goal, and --goal names another");
	if (options->target)
		options->goal = GOAL_TARGET;
	if (options->count && (line->goal || options->out))
		option_error(state, "%s does not go with --count, which finds no values",
			     line->goal ? "--goal" : "--out");
	if ((options->work && !*options->work) || (options->out && !*options->out))
		option_error(state, "%s is empty",
			     options->work && !*options->work ? "--work" : "--out");
	if (!options->game.shape && !options->game.start)
		options->game.shape = "4x4";
}

/* The options without an argument. */
static error_t parse_flag(int key, struct solve_options *options)
{
	switch (key) {
	case KEY_COUNT:
		options->count = true;
		return 0;
	case KEY_NO_LAYERS:
		options->no_layers = true;
		return 0;
	case KEY_NO_TIMES:
		options->no_times = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command_line *line = state->input;
	struct solve_options *options = &line->solve;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->game;
		state->child_inputs[1] = &options->game;
		state->child_inputs[2] = &options->memory;
		state->child_inputs[3] = &options->pace;
		return 0;
	case KEY_GOAL:
		parse_goal(state, line, arg);
		return 0;
	case 't':
		parse_target(state, options, arg);
		return 0;
	case KEY_MAX_SUM:
		options->max_sum = option_number(state, "--max-sum", arg, 2, (uint64_t)1 << 62);
		return 0;
	case KEY_WORK:
		options->work = arg;
		return 0;
	case 'o':
		options->out = arg;
		return 0;
	case KEY_POLICY:
		options->policy = arg;
		return 0;
	case KEY_TABLE:
		options->table = arg;
		return 0;
	case ARGP_KEY_ARG:
		option_error(state, "unexpected argument '%s'", arg);
	case ARGP_KEY_END:
		options_check(state, line);
		return 0;
	default:
		return parse_flag(key, options);
	}
}

static const struct argp_option table[] = {
    {"goal", KEY_GOAL, "score|moves|best-score|best-moves", 0,
     "What to be best at: score or moves, in expectation; best-score or best-moves, with the best "
     "luck (default score)",
     0},
    {"target", 't', "TILE", 0, "The goal is to reach this tile, and a game that has it is won", 0},
    {"max-sum", KEY_MAX_SUM, "S", 0, "A game ends when its tiles sum to more than S", 0},
    {"count", KEY_COUNT, NULL, 0, "Count positions only", 0},
    {"out", 'o', "FILE", 0, "Write the table that the agent optimal:FILE plays from", 0},
    {"work", KEY_WORK, "DIR", 0,
     "Keep layers in this folder, so that the same command goes on after an interruption (default: "
     "a temporary file)",
     0},
    {"policy", KEY_POLICY, "AGENT", 0,
     "Value the play of this agent instead of the best: one whose move is a function of the "
     "position, or is drawn by chances that are",
     0},
    {"table", KEY_TABLE, "FILE", 0,
     "With --policy: what its moves lose against this table, of the same games, that --out wrote",
     0},
    {"no-layers", KEY_NO_LAYERS, NULL, 0, "Print no rows for layers or phases, but the totals only",
     0},
    {"no-times", KEY_NO_TIMES, NULL, 0, "Print neither time nor memory, so that equal runs agree",
     0},
    {0},
};

static const struct argp_child children[] = {{.argp = &options_board},
					     {.argp = &options_rule},
					     {.argp = &options_memory},
					     {.argp = &options_pace},
					     {0}};

static const char doc[] =
    "Solves a board exactly: finds all positions that games reach, layer by layer of the sum of "
    "their tiles, then, from the last layer to the first, what each is worth under the best play."
    "\v"
    "Prints a row a layer, then lines of a key and a value. Symmetric positions count once, those "
    "of keys that end with _raw each. docs/solver.md has the keys, and what boards take.\n"
    "\n"
    "Boards up to 3x3, and 2x4, are a matter of seconds. All of 3x4, 24,000 times 3x3, would take "
    "terabytes of disk: give it a --max-sum or a --target. 4x4 has to have one, since a position "
    "must fit into 64 bits. The result depends neither on the number of threads nor on "
    "interruptions.\n"
    "\n"
    "With --policy it follows all games of an agent at once, and prints its expected score, "
    "standard deviation and moves, how likely each largest tile is at the end (p_max_tile) or ever "
    "(p_reach); with --table also which share of the best score that is, the points lost, and the "
    "share of moves that are as good as the best, with a row for each largest tile that a move was "
    "made with.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn solve --board 2x2\n"
    "  nxn solve --board 2x3 --out 2x3.opt --work 2x3.d\n"
    "  nxn solve --board 2x3 --target 64 --no-layers\n"
    "  nxn solve --board 2x2 --goal best-moves\n"
    "  nxn solve --board 4x4 --max-sum 24 --count\n"
    "  nxn solve --board 2x3 --policy greedy:ties=random\n";

const struct argp solve_argp = {
    .options = table, .parser = parse, .doc = doc, .children = children};

/* After Ctrl-C: how to go on. */
static void resume_print(const char *name, const struct solve_options *options, const char *resume)
{
	if (options->policy)
		fprintf(stderr, "%s: stopped; to begin anew:\n%s\n", name, resume);
	else if (options->work)
		fprintf(stderr, "%s: stopped; to go on:\n%s\n", name, resume);
	else
		fprintf(stderr, "%s: stopped; to begin anew, with layers kept:\n%s --work DIR\n",
			name, resume);
}

int cmd_solve(int argc, char **argv)
{
	struct why why;
	struct game game;
	struct launch_command command;
	struct command_line line = {
	    .solve = {.memory = memory_default(), .pace = {.threads = threads_default()}}};
	enum status status = launch_command_init(&command, argc, argv, &why);
	if (status)
		return command_exit(argv[0], status, &why);
	options_parse(&solve_argp, argc, argv, 0, &line);
	status = game_init(&game, &line.solve.game, &why);
	if (!status) {
		stop_catch();
		stop_after(line.solve.pace.budget);
		status = (line.solve.policy ? solve_policy : solve_optimum)(
		    &line.solve, &game, command.provenance, &why);
	}
	if (status == STATUS_STOPPED)
		resume_print(argv[0], &line.solve, command.resume);
	launch_command_fini(&command);
	return command_exit(argv[0], status, &why);
}
