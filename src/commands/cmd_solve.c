/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn solve: its options; the work and its report are in src/measure. */
#include "src/cli/options.h"
#include "src/commands/command.h"
#include "src/measure/solve_report.h"

#include <inttypes.h>
#include <string.h>

static enum status goal_read(void *input, const char *what, const char *text, struct why *why)
{
	struct solve_options *options = input;
	for (int goal = 0; goal < GOALS; goal++) {
		if (goal == GOAL_TARGET || strcmp(text, solve_goals[goal]) != 0)
			continue;
		options->goal = (enum goal)goal;
		options->goal_given = true;
		return STATUS_OK;
	}
	return why_set(why, STATUS_INPUT,
		       "%s: '%s' is none of score, moves, best-score, best-moves", what, text);
}

static enum status target_read(void *member, const char *what, const char *text, struct why *why)
{
	uint64_t target = 0;
	enum status status = number_parse(what, text, 2, (uint64_t)1 << 62, &target, why);
	if (!status && (target & (target - 1)) != 0)
		return why_set(why, STATUS_INPUT, "%s: %s is not a power of 2", what, text);
	if (!status)
		*(uint64_t *)member = target;
	return status;
}

static enum status options_check(void *input, struct why *why)
{
	struct solve_options *o = input;
	const bool policy = o->policy;
	const struct option_rule rules[] = {
	    {o->table && !policy, "--table: needs --policy, whose agent is compared with it"},
	    {o->untrained && !policy, "--untrained: only with --policy"},
	    {policy && o->count, "--count: not with --policy"},
	    {policy && o->goal_given, "--goal: not with --policy"},
	    {policy && o->target, "--target: not with --policy"},
	    {policy && o->out, "--out: not with --policy"},
	    {policy && o->work, "--work: not with --policy"},
	    {o->target && o->goal_given, "--target and --goal: expected one of them"},
	    {o->count && o->goal_given, "--goal: not with --count, which finds no values"},
	    {o->count && o->out, "--out: not with --count, which finds no values"},
	    {!o->game.shape && !o->game.start,
	     "--board is missing: 2x2, 2x3, 3x3 and 2x4 are solved in seconds, 2x5 in minutes"},
	    {0},
	};
	if (o->target)
		o->goal = GOAL_TARGET;
	return rules_check(rules, why);
}

#define FIELD(M) offsetof(struct solve_options, M)

static const struct command_option options_table[] = {
    OPTION_READER("goal", 0, "score|moves|best-score|best-moves", 0, goal_read,
		  "What to maximise: expected score or moves; best-score or best-moves, with the "
		  "best luck (default score)"),
    OPTION_READER("target", 't', "TILE", FIELD(target), target_read,
		  "The goal is to reach this tile; a game that has it is won"),
    OPTION_NUMBER("max-sum", 0, "S", FIELD_COUNT, FIELD(max_sum), 2, (uint64_t)1 << 62,
		  "A game ends when its tiles sum to more than S"),
    OPTION("count", 0, NULL, FIELD_FLAG, FIELD(count), "Count positions only"),
    OPTION("out", 'o', "FILE", FIELD_NAME, FIELD(out),
	   "Write the table that the agent optimal:FILE plays from"),
    OPTION("work", 0, "DIR", FIELD_NAME, FIELD(work),
	   "Keep layers in this folder, so that the same command continues after an interruption "
	   "(default: a temporary file)"),
    OPTION("policy", 0, "AGENT", FIELD_TEXT, FIELD(policy),
	   "Compute the exact results of this agent instead of those of the best play. The agent's "
	   "move, or the probabilities of its moves, must depend on the position alone"),
    UNTRAINED_OPTION(untrained, ""),
    OPTION("table", 0, "FILE", FIELD_NAME, FIELD(table),
	   "With --policy: a table of the same games, written by --out; shows the points that the "
	   "agent's moves lose against best play"),
    OPTION("full", 0, NULL, FIELD_FLAG, FIELD(full),
	   "Print all values, one key and value per line, below a row for each layer, or for each "
	   "largest tile with --table"),
    OPTION("no-times", 0, NULL, FIELD_FLAG, FIELD(no_times),
	   "Print neither time nor memory, so that equal runs agree"),
    FORMAT_OPTION,
    OPTION("board", 'b', "RxC", FIELD_TEXT, FIELD(game.shape),
	   "Board of R rows and C columns, 2x2 to 6x6; needed unless there is a --start"),
    RULE_OPTIONS(game),
    MEMORY_OPTION(memory),
    PACE_OPTIONS(pace),
    OPTIONS_END,
};

static const char doc[] =
    "Solves a board exactly: finds all positions that games reach, in layers by the sum of their "
    "tiles, and then, from the last layer to the first, the value of each under the best play.\v"
    "Prints the value of perfect play and the number of positions; --full prints all values, "
    "in which symmetric positions count once unless the key ends with _raw. docs/solver.md has the "
    "keys, and the time and memory of boards.\n"
    "\n"
    "Boards up to 3x3, and 2x4, take seconds. All of 3x4, 24,000 times 3x3, would take terabytes "
    "of disk: use --max-sum or --target. 4x4 and larger boards need one of them. "
    "The result depends neither on the number of threads nor on interruptions.\n"
    "\n"
    "With --policy it follows all games of an agent at once: its expected score, standard "
    "deviation and moves, and the probability of each largest tile at the end (p_max_tile) and "
    "ever (p_reach). With --table it also has the score as a share of the best, the points lost, "
    "and the share of moves that are as good as the best.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn solve --board 2x2\n"
    "  nxn solve --board 2x3 --out 2x3.opt --work 2x3.d\n"
    "  nxn solve --board 2x3 --target 64 --full\n"
    "  nxn solve --board 2x2 --goal best-moves\n"
    "  nxn solve --board 4x4 --max-sum 24 --count\n"
    "  nxn solve --board 2x3 --policy greedy:ties=random\n";

static enum status solve_run(void *input, const struct invocation *call, struct why *why)
{
	return solve_report(input, call, why);
}

static const struct solve_options defaults;

const struct command cmd_solve = {
    .options = options_table,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = solve_run,
};
