/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn play: one game, move by move, the very game that nxn compare plays for its seed and index; or
 * games for a record file; or a game by a person; or one out of a record file.
 */
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/play/play.h"
#include "src/run/experiment.h"
#include "src/run/launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { DELAY_DEFAULT = 100, DELAY_MAX = 60000 };

/* Options that say nothing where they stand. */
static void options_check(struct argp_state *state, void *input)
{
	const struct play_options *options = input;
	const bool recording = options->games, human = options->human, replay = options->replay;
	const bool moves = options->moves;
	const char *lacks = options->watch ? terminal_lacks() : NULL;
	if (lacks)
		option_error(state, "--watch: %s; without it, play prints the moves", lacks);
	if (moves && options->watch)
		option_error(state, "--moves and --watch: expected one of them");
	if (options->delay >= 0 && !options->watch)
		option_error(state, "--delay is for --watch");
	if (recording && !options->record)
		option_error(state, "--games is for --record");
	if (options->threads && !recording)
		option_error(state, "--threads is for --games");
	if ((moves || options->watch) && recording)
		option_error(state, "--games shows none of them: --moves and --watch do not apply");
	if (human && (recording || moves || options->watch))
		option_error(state, "--human: neither --games, --moves nor --watch applies");
	if (options->player && !human)
		option_error(state, "--player is for --human");
	if (options->trace && (options->record || human || replay || options->watch))
		option_error(state,
			     "--trace: neither --record, --human, --replay nor --watch applies");
	if (options->line && !replay)
		option_error(state, "--line is for --replay");
	if (options->line && options->numbered)
		option_error(state, "--line and --game: expected one of them");
	if (replay && (human || options->record || options->agent || options->game.shape ||
		       options->game.spawn || options->game.start || options->game.start_tiles))
		option_error(state,
			     "--replay: the file tells board and player; only --game, --line, "
			     "--moves, --watch and --delay apply");
}

static void game_take(struct argp_state *state, const char *what, char *text, void *input)
{
	struct play_options *options = input;
	options->index = option_number(state, what, text, 0, UINT64_MAX);
	options->numbered = true;
}

#define FIELD(M) offsetof(struct play_options, M)

static const struct command_option options_table[] = {
    OPTION("agent", 'a', "SPEC", OPTION_TEXT, FIELD(agent),
	   "Agent that plays, NAME:KEY=VALUE,... (default expectimax); with --human, that advises"),
    OPTION_TAKEN("game", 'g', "N", 0, game_take,
		 "Index of the game under its seed (default 0; with --human, the first that is not "
		 "in the record file)"),
    OPTION("moves", 0, NULL, OPTION_FLAG, FIELD(moves), "One line a move, also on a terminal"),
    OPTION("watch", 0, NULL, OPTION_FLAG, FIELD(watch),
	   "Watch games on the terminal: pause, step, go back, see what each move is worth"),
    OPTION_NUMBER(
	"delay", 0, "MS", OPTION_INT, FIELD(delay), 0, DELAY_MAX,
	"Milliseconds between moves of --watch to begin with (default 100; 0: as fast as it goes)"),
    OPTION("record", 0, "FILE", OPTION_NAME, FIELD(record), "Append the game to a record file"),
    OPTION("trace", 0, "FILE", OPTION_NAME, FIELD(trace),
	   "Write what the agent tells of each move, value, chance, uncertainty and so on, as a table"),
    OPTION_NUMBER("games", 0, "N", OPTION_COUNT, FIELD(games), 1, COUNT_MAX,
		  "With --record, without showing them: play N games from --game on, but for those "
		  "that are in the file"),
    OPTION_NUMBER("threads", 'j', "N", OPTION_INT, FIELD(threads), 1, THREADS_MAX,
		  "Threads of --games (default: one a processor)"),
    OPTION("human", 0, NULL, OPTION_FLAG, FIELD(human),
	   "Play by keys, or by letters on standard input"),
    OPTION("player", 0, "NAME", OPTION_TEXT, FIELD(player),
	   "Who --human is, in the record file (default human, or human advised by the agent)"),
    OPTION("replay", 0, "FILE", OPTION_NAME, FIELD(replay),
	   "Check the games of a record file; show one of them, or without --game and --line list "
	   "them"),
    OPTION_NUMBER("line", 0, "N", OPTION_COUNT, FIELD(line), 1, UINT64_MAX,
		  "The game on line N of the file that is replayed"),
    BOARD_OPTION(game),
    RULE_OPTIONS(game),
    SEED_OPTION(seed),
    {0},
};

static const char doc[] =
    "Plays one game and shows every move of it; records games; lets a person play.\v"
    "On a terminal each position is drawn; elsewhere a move is a tab-separated row: its number, "
    "direction, reward, the score with it, and the position in which it was made. The last row, "
    "whose move is none, is the end of the game. The game is the one that nxn compare plays for "
    "this agent, board, seed and index.\n"
    "\n"
    "A record file is text, a line a game: its start, every move and every tile that appeared. "
    "With --games it goes on where it was interrupted, and its lines are in the order in which "
    "games ended.\n"
    "\n"
    "Keys of --watch: space pauses and goes on; right and left step forward and back, page up and "
    "page down ten moves, home and end to the start and the last move; + and - change the speed, 0 "
    "is as fast as it goes; r shows the game again, n the next one; ? tells all keys; q or Ctrl-C "
    "ends. What is looked at never changes the game. With --record each game that is over is "
    "recorded; with --replay the games of the file are shown, from the one chosen on.\n"
    "\n"
    "Keys of --human: arrows, wasd or hjkl move; U R D L, the letters of record files, as well; z "
    "takes a move back, but not with --record; ? asks the agent of --agent; q ends, and so do "
    "Ctrl-C and the end of the input. The game so far is then recorded as unfinished. If standard "
    "input is no terminal, these letters are read from it.\n"
    "\n"
    "--trace writes a table with a row a move: score, largest tile and empty cells of the "
    "position, direction (0 up, 1 right, 2 down, 3 left), value and chance of the move, its "
    "distance to certainty (uncertainty: 0 if it was sure, 1.5 if it was one of four equal ones), and "
    "the number of legal moves.\n"
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

static enum status play(struct play_options *options, struct why *why)
{
	options->style = options->moves || !isatty(STDOUT_FILENO) ? SHOW_MOVES : SHOW_BOARDS;
	if (options->delay < 0)
		options->delay = DELAY_DEFAULT;
	if (!options->threads)
		threads_initial(&options->threads);
	if (options->replay)
		return play_replay(options, why);
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
