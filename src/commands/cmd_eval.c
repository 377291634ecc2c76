/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn eval: asks an agent about positions, or lets another program ask it. */
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/play/play.h"

struct options {
	struct eval_options eval; /* first, for argument_keep() */
	bool serve;
};

static enum status options_check(void *input, struct why *why)
{
	const struct options *options = input;
	if (options->serve && options->eval.path)
		return why_set(why, STATUS_INPUT,
			       "unexpected argument '%s': --serve reads requests from standard "
			       "input",
			       options->eval.path);
	if (options->serve && options->eval.game.spawn)
		return why_set(why, STATUS_INPUT,
			       "--spawn: not with --serve, where the request `new` sets it");
	return STATUS_OK;
}

#define FIELD(M) offsetof(struct options, M)

static const struct command_option options_table[] = {
    OPTION("agent", 'a', "SPEC", FIELD_TEXT, FIELD(eval.agent),
	   "Agent to ask, NAME:KEY=VALUE,... (default expectimax)"),
    OPTION("board", 'b', "RxC", FIELD_TEXT, FIELD(eval.game.shape),
	   "Accept only positions of this shape, 2x2 to 6x6"),
    SPAWN_OPTION(eval.game),
    UNTRAINED_OPTION(eval.untrained, ""),
    FORMAT_OPTION,
    OPTION("serve", 0, NULL, FIELD_FLAG, FIELD(serve),
	   "Answer requests of another program instead, by the protocol of docs/conformance.md"),
    OPTIONS_END,
};

static const char doc[] =
    "Asks an agent for its move in positions read from FILE or standard input.\v"
    "Each line is a position: rows from the top separated by '/', tiles by ',', 0 for empty. Blank "
    "lines and lines that begin with '#' are skipped. Without --board each line has its own "
    "shape.\n"
    "\n"
    "The answer to each is a row, written at once (an agent with batch=N answers N positions at "
    "once): the position; the move, or none; the values of up, right, down and left, NaN where the "
    "move is illegal or the agent reports none; positions searched; milliseconds. Columns are "
    "separated by tabs. On a terminal they are aligned, and values are rounded.\n"
    "\n"
    "With --serve each line is a request, so that another program can use nxn's agents or check "
    "its rules against nxn's:\n"
    "\n"
    "  hello 1             hello 1 moves act step acts=65536\n"
    "  new 4x4 2:0.9,4:0.1 new\n"
    "  moves POSITION      moves, REWARD:AFTER-STATE or - for up, right, down, left\n"
    "  act POSITION [DRAW] act, a letter of URDL, the agent's values of the moves\n"
    "  acts N              the same for N positions, in a binary frame\n"
    "  start SEED          start, POSITION LEGAL SCORE of a game on new's board\n"
    "  step MOVE           step, POSITION LEGAL SCORE after U, R, D or L and a tile\n"
    "  quit                ends the program, like the end of input\n"
    "\n"
    "Anything else is answered with error and a reason.\n"
    "\n"
    "EXAMPLES\n"
    "  echo 2,0,0,0/0,2,0,0/0,0,0,0/0,0,0,4 | nxn eval --agent expectimax:depth=3\n"
    "  printf '0,2/2,0\\n"
    "2,2,4/0,0,0/0,0,2\\n"
    "' | nxn eval --agent greedy\n"
    "  printf 'hello 1\\n"
    "moves 2,2/4,0\\n"
    "act 2,2/4,0\\n"
    "' | nxn eval --serve\n";

static enum status eval_run(void *input, const struct invocation *call, struct why *why)
{
	const struct options *options = input;
	const struct eval_options *eval = &options->eval;
	if (!options->serve)
		return play_eval(eval, call, why);
	return call->printer.format == FORMAT_TEXT
		   ? play_serve(eval, why)
		   : why_set(why, STATUS_INPUT, "--format: not with --serve");
}

static const struct options defaults = {.eval.agent = "expectimax"};

const struct command cmd_eval = {
    .options = options_table,
    .arguments = "[FILE]",
    .argument = argument_keep,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = eval_run,
};
