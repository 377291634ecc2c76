/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn play: one game, move by move, the same that nxn compare plays for its seed and index; or
 * games for a record file; or a game of a person; or one from a record file.
 */
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/play/play.h"
#include "src/games/experiment.h"
#include "src/measure/launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { DELAY_DEFAULT = 100, DELAY_MAX = 60000 };

/* Refuses options that have no effect beside the others. */
static enum status options_check(void *input, struct why *why)
{
	const struct play_options *options = input;
	const bool recording = options->games, human = options->human, replay = options->replay;
	const bool moves = options->moves, watch = options->watch;
	const char *lacks = options->watch ? terminal_lacks() : NULL;
	if (lacks)
		return why_set(why, STATUS_INPUT, "--watch: %s; without it, play prints the moves",
			       lacks);
	const struct option_rule rules[] = {
	    {moves && watch, "--moves and --watch: expected one of them"},
	    {options->delay >= 0 && !watch, "--delay is for --watch"},
	    {recording && !options->record, "--games is for --record"},
	    {options->threads && !recording, "--threads is for --games"},
	    {(moves || watch) && recording,
	     "--moves and --watch: not with --games, which shows no game"},
	    {human && (recording || moves || watch),
	     "--games, --moves and --watch: not with --human"},
	    {options->player && !human, "--player is for --human"},
	    {options->trace && (options->record || human || replay || watch),
	     "--record, --human, --replay and --watch: not with --trace"},
	    {options->line && !replay, "--line is for --replay"},
	    {options->line && options->numbered, "--line and --game: expected one of them"},
	    {replay && moves && !options->numbered && !options->line,
	     "--moves: of which game? With --replay, also give --game or --line"},
	    {replay && (human || options->record || options->agent || options->untrained ||
			options->seeded || options->game.shape || options->game.spawn ||
			options->game.start || options->game.start_tiles),
	     "--replay: the file has board and player; only --game, --line, --moves, --watch and "
	     "--delay apply"},
	    {0},
	};
	return rules_check(rules, why);
}

#define FIELD(M) offsetof(struct play_options, M)

static const struct command_option options_table[] = {
    OPTION("agent", 'a', "SPEC", FIELD_TEXT, FIELD(agent),
	   "Agent that plays, NAME:KEY=VALUE,... (default expectimax); with --human, the one that "
	   "advises"),
    {
	.field = {.name = "game",
		  .kind = FIELD_COUNT,
		  .offset = FIELD(index),
		  .help = "Index of the game under its seed (default 0; with --human, the first "
			  "one missing from the record file)"},
	.letter = 'g',
	.argument = "N",
	.given = FIELD(numbered),
    },
    OPTION("moves", 0, NULL, FIELD_FLAG, FIELD(moves), "One line per move, also on a terminal"),
    OPTION("watch", 0, NULL, FIELD_FLAG, FIELD(watch),
	   "Watch games on the terminal: pause, step, go back, see the agent's value of each move"),
    OPTION_NUMBER(
	"delay", 0, "MS", FIELD_INT, FIELD(delay), 0, DELAY_MAX,
	"Milliseconds between moves at the start of --watch (default 100; 0: full speed)"),
    OPTION("record", 0, "FILE", FIELD_NAME, FIELD(record), "Append the game to a record file"),
    OPTION("trace", 0, "FILE", FIELD_NAME, FIELD(trace),
	   "Write a table of what the agent reports on each move: value, probability, uncertainty "
	   "and so on"),
    OPTION_NUMBER("games", 0, "N", FIELD_COUNT, FIELD(games), 1, COUNT_MAX,
		  "With --record: play N games from --game on without showing them, except those "
		  "that are in the file"),
    OPTION_NUMBER("threads", 'j', "N", FIELD_INT, FIELD(threads), 1, THREADS_MAX,
		  "Threads of --games (default: one per processor)"),
    OPTION("human", 0, NULL, FIELD_FLAG, FIELD(human),
	   "Play by keys, or by letters on standard input"),
    OPTION("player", 0, "NAME", FIELD_NAME, FIELD(player),
	   "Name of the --human player in the record file (default human, or human advised by the "
	   "agent)"),
    OPTION("replay", 0, "FILE", FIELD_NAME, FIELD(replay),
	   "Check the games of a record file, and show one of them; without --game and --line, "
	   "list them"),
    OPTION_NUMBER("line", 0, "N", FIELD_COUNT, FIELD(line), 1, UINT64_MAX,
		  "With --replay: the game on line N of the file"),
    BOARD_OPTION(game),
    UNTRAINED_OPTION(untrained, ""),
    RULE_OPTIONS(game),
    SEED_OPTION_GIVEN(seed, FIELD(seeded)),
    OPTIONS_END,
};

static const char doc[] =
    "Plays one game and shows every move; records and replays games; lets you play.\v"
    "On a terminal each position is drawn. Elsewhere each move is a tab-separated row: number, "
    "direction, reward, score after it, and the position before it. The last row, with the move "
    "none, is the end of the game. The game is the one that nxn compare plays for this agent, "
    "board, seed and index.\n"
    "\n"
    "A record file is text with one line per game: its start, every move and every new tile. With "
    "--games the same command continues after an interruption; lines are in the order in which "
    "games ended.\n"
    "\n"
    "Keys of --watch: space pauses and continues; right and left step forward and back, page up "
    "and page down ten moves, home and end to the start and the last move; + and - change the "
    "speed, 0 is full speed; r shows the game again, n the next one; ? lists all keys; q or Ctrl-C "
    "ends. Watching never changes the game. With --record each finished game is recorded; with "
    "--replay the games of the file are shown, from the chosen one on.\n"
    "\n"
    "Keys of --human: arrows, wasd, hjkl, or the letters U R D L of record files move; z takes a "
    "move back, but not with --record; ? asks the agent of --agent; q, Ctrl-C and the end of the "
    "input end. The game is then recorded as unfinished. If standard input is not a terminal, nxn "
    "reads these letters from it.\n"
    "\n"
    "--trace writes a table with one row per move: score, largest tile and empty cells of the "
    "position, direction (0 up, 1 right, 2 down, 3 left), value and probability of the move, its "
    "distance to certainty (uncertainty: 0 if it was certain, 1.5 if it was one of four equally "
    "probable moves), and the number of legal moves.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn play --agent corners --board 3x3\n"
    "  nxn play --agent random --board 3x3 --trace moves.tsv\n"
    "  nxn play --agent expectimax:depth=2 --board 5x5 --watch --delay 50\n"
    "  nxn play --agent greedy --seed 7 --game 3 --moves\n"
    "  nxn play --agent random --start 0,2/2,0 --spawn 2:1\n"
    "  nxn play --agent corners --board 3x3 --record out.rec --games 20\n"
    "  nxn play --replay out.rec --game 7\n"
    "  echo wasdwasd | nxn play --human --board 3x3 --record out.rec --player me\n";

/* Refuses an untrained learner; creates the agent only if it may be or contain a learner. */
static enum status trained_check(const struct play_options *options, struct why *why)
{
	struct game game;
	const struct agent_class *class = agent_class_of(options->agent);
	bool learns = !class || class->learn;
	for (const struct field *p = class ? class->params : NULL; p && p->name; p++)
		learns = learns || p->kind == FIELD_AGENT;
	if (!learns)
		return STATUS_OK;
	const enum status status = game_init(&game, &options->game, why);
	return status ? status : agent_trained_of(&game, options->agent, "add --untrained", why);
}

static enum status play(struct play_options *options, struct why *why)
{
	options->style = options->moves || !isatty(STDOUT_FILENO) ? SHOW_MOVES : SHOW_BOARDS;
	if (options->delay < 0)
		options->delay = DELAY_DEFAULT;
	if (!options->threads)
		threads_initial(&options->threads);
	if (options->replay)
		return play_replay(options, why);
	if (options->agent && !options->untrained) {
		const enum status status = trained_check(options, why);
		if (status)
			return status;
	}
	if (options->human)
		return play_human(options, why);
	if (!options->agent)
		options->agent = "expectimax";
	return play_agent(options, why);
}

static enum status play_run(void *input, const struct invocation *call, struct why *why)
{
	struct play_options *options = input;
	options->name = call->name;
	options->command = call->provenance;
	enum status status = play(options, why);
	fflush(stdout);
	if (status == STATUS_STOPPED && options->games)
		launch_resume_print(call, "");
	return status;
}

static const struct play_options defaults = {.seed = 1, .delay = -1};

const struct command cmd_play = {
    .options = options_table,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = play_run,
};
