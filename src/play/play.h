/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work of nxn play and nxn eval: games of an agent, of a person, and from record files;
 * positions.
 */
#ifndef NXN_SRC_PLAY_H
#define NXN_SRC_PLAY_H

#include "agents/agent.h"
#include "src/cli/options.h"

enum show_style {
	SHOW_BOARDS, /* a drawing of each position, for people */
	SHOW_MOVES,  /* a row per move */
};

/* Options; without the option a text is NULL and a number 0. */
struct play_options {
	struct game_options game;
	const char *agent; /* the player, or the adviser */
	uint64_t seed;
	bool numbered; /* `index` was given */
	bool seeded;   /* `seed` was given */
	uint64_t index;
	bool moves; /* --moves was given, which sets `style` */
	enum show_style style;
	bool watch;	     /* show games in the viewer instead of in `style` */
	int delay;	     /* milliseconds between moves in the viewer */
	const char *record;  /* record file to append games to */
	const char *trace;   /* file for the trace of a game */
	const char *replay;  /* record file to show games from */
	uint64_t line;	     /* line of `replay` with the game to show */
	const char *player;  /* name of a person in the record file */
	uint64_t games;	     /* number of games to record without showing them */
	int threads;	     /* threads that play these games */
	bool human;	     /* a person plays */
	bool untrained;	     /* untrained learners may play */
	const char *command; /* for provenance */
	const char *name;    /* name of the program, for messages */
};

/* Returns NULL if standard output can show a game, otherwise the reason why it cannot. */
const char *terminal_lacks(void);

/*
 * Plays and shows the game that nxn compare plays for the agent, seed and index, and appends it to
 * the record file unless it is there already, or writes its trace. In the viewer, shows as many
 * games as the user likes, starting with the index; appends every game that is over. With
 * options->games, plays as many games from the index on as are not in the record file yet, on
 * several threads. Errors as game_init(), agent_new(), experiment_add(), record_writer_open(),
 * record_writer_append(), and those of src/games/traces.h. STATUS_STOPPED after a signal.
 */
MUST_USE enum status play_agent(const struct play_options *options, struct why *why);

/*
 * Lets a person play a game, by keys on a terminal or letters on standard input: the game of the
 * given index, or the first that is not in the record file. The tiles are the same as for an agent
 * that makes the same moves. Taking back a move takes back its tile: the same move then gives the
 * same tile. With a record file moves cannot be taken back. At the end, also after a signal, the
 * terminal is restored, and the game is in the record file if it has a move. STATUS_STOPPED after a
 * signal; otherwise errors as play_agent().
 */
MUST_USE enum status play_human(const struct play_options *options, struct why *why);

/*
 * Checks all games of the file options->replay. Shows the game on the given line, or with the given
 * index; if neither is given, lists all games, a row per game, or in the viewer starts with the
 * first one. The viewer also shows the games after it. Warns on standard error about an incomplete
 * last line. STATUS_INPUT for anything wrong in the file, or if the index does not select exactly
 * one game; STATUS_STOPPED after a signal in the viewer.
 */
MUST_USE enum status play_replay(const struct play_options *options, struct why *why);

struct eval_options {
	const char *path; /* file of positions; NULL or "-": standard input; first */
	struct game_options game;
	const char *agent;
	bool untrained; /* untrained learners may answer */
};

/*
 * Prints the answer of an agent to each position of a file, as a table in the format of CALL
 * (eval.c). STATUS_INPUT, with file and line, for a line that is not a position; errors of
 * game_init() and agent_new().
 */
MUST_USE enum status play_eval(const struct eval_options *options, const struct invocation *call,
			       struct why *why);

/*
 * Serves the protocol of docs/conformance.md: answers the requests on standard input, for the board
 * of OPTIONS, or any shape if it has none, until `quit` or the end of input. STATUS_INPUT for an
 * agent or board that does not exist.
 */
MUST_USE enum status play_serve(const struct eval_options *options, struct why *why);

/* ---- A game on standard output, position by position, for any player (show.c). */

struct show {
	enum show_style style;
	uint64_t moves; /* moves shown so far */
};

/* Returns the prefix of a line that is not a row of the table. */
static inline const char *show_mark(const struct show *show)
{
	return show->style == SHOW_MOVES ? "# " : "";
}

/* Called before the first position; prints a table's header. */
void show_begin(const struct show *show);

/* Shows the position of TURN, unless it is part of the row of its move. */
void show_position(const struct show *show, const struct turn *turn);

/* Shows the move made in TURN, the position shown last. */
void show_move(struct show *show, const struct turn *turn, int move);

/* Called after the last position, that of LAST; prints score, largest tile, moves and REMARK. */
void show_end(const struct show *show, const struct turn *last, uint64_t moves, const char *remark);

#endif
