/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn solve: its options. */
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/run/launch.h"
#include "src/solve/solve.h"
#include "base/stop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The command line; what was given of it that is not to go with other options. */
struct solve_line {
	struct solve_options solve;
	bool goal;
};

static void goal_take(struct argp_state *state, const char *what, char *text, void *input)
{
	struct solve_line *line = input;
	line->goal = true;
	for (int goal = 0; goal < GOALS; goal++) {
		if (goal == GOAL_TARGET || strcmp(text, solve_goals[goal]) != 0)
			continue;
		line->solve.goal = (enum goal)goal;
		return;
	}
	option_error(state, "%s: '%s' is none of score, moves, best-score, best-moves", what, text);
}

static void target_take(struct argp_state *state, const char *what, char *text, void *field)
{
	uint64_t *target = field;
	*target = option_number(state, what, text, 2, (uint64_t)1 << 62);
	if ((*target & (*target - 1)) != 0)
		option_error(state, "%s: %s is no power of 2", what, text);
}

/* What says how best play is found does not go with a given agent. */
static void policy_check(struct argp_state *state, const struct solve_line *line)
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

static void options_check(struct argp_state *state, void *input)
{
	struct solve_line *line = input;
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

#define FIELD(M) offsetof(struct solve_line, M)

static const struct command_option options_table[] = {
    OPTION_TAKEN("goal", 0, "score|moves|best-score|best-moves", 0, goal_take,
		 "What to be best at: score or moves, in expectation; best-score or best-moves, "
		 "with the best luck (default score)"),
    OPTION_TAKEN("target", 't', "TILE", FIELD(solve.target), target_take,
		 "The goal is to reach this tile, and a game that has it is won"),
    OPTION_NUMBER("max-sum", 0, "S", OPTION_COUNT, FIELD(solve.max_sum), 2, (uint64_t)1 << 62,
		  "A game ends when its tiles sum to more than S"),
    OPTION("count", 0, NULL, OPTION_FLAG, FIELD(solve.count), "Count positions only"),
    OPTION("out", 'o', "FILE", OPTION_TEXT, FIELD(solve.out),
	   "Write the table that the agent optimal:FILE plays from"),
    OPTION("work", 0, "DIR", OPTION_TEXT, FIELD(solve.work),
	   "Keep layers in this folder, so that the same command goes on after an interruption "
	   "(default: a temporary file)"),
    OPTION("policy", 0, "AGENT", OPTION_TEXT, FIELD(solve.policy),
	   "Value the play of this agent instead of the best: one whose move is a function of the "
	   "position, or is drawn by chances that are"),
    OPTION("table", 0, "FILE", OPTION_TEXT, FIELD(solve.table),
	   "With --policy: what its moves lose against this table, of the same games, that --out "
	   "wrote"),
    OPTION("no-layers", 0, NULL, OPTION_FLAG, FIELD(solve.no_layers),
	   "Print no rows for layers or phases, but the totals only"),
    OPTION("no-times", 0, NULL, OPTION_FLAG, FIELD(solve.no_times),
	   "Print neither time nor memory, so that equal runs agree"),
    BOARD_OPTION(solve.game),
    RULE_OPTIONS(solve.game),
    MEMORY_OPTION(solve.memory),
    PACE_OPTIONS(solve.pace),
    {0},
};

static const char doc[] =
    "Solves a board exactly: finds all positions that games reach, layer by layer of the sum of "
    "their tiles, then, from the last layer to the first, what each is worth under the best play.\v"
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

/* After Ctrl-C: how to go on. */
static void resume_print(const struct invocation *call, const struct solve_options *options)
{
	const bool anew = options->policy, kept = options->work;
	fprintf(stderr, "%s: stopped; to %s:\n%s%s\n", call->name,
		anew   ? "begin anew"
		: kept ? "go on"
		       : "begin anew, with layers kept",
		call->resume, anew || kept ? "" : " --work DIR");
}

static enum status solve_run(void *input, const struct invocation *call, struct why *why)
{
	const struct solve_options *options = &((struct solve_line *)input)->solve;
	struct game game;
	enum status status = game_init(&game, &options->game, why);
	if (status)
		return status;
	stop_catch();
	stop_after(options->pace.budget);
	status =
	    (options->policy ? solve_policy : solve_optimum)(options, &game, call->provenance, why);
	if (status == STATUS_STOPPED)
		resume_print(call, options);
	return status;
}

static const struct solve_line defaults;

const struct command cmd_solve = {
    .options = options_table,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = solve_run,
};
