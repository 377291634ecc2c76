/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What nxn play and nxn eval do: games of an agent, of a person, and out of record files; positions. */
#ifndef NXN_SRC_PLAY_H
#define NXN_SRC_PLAY_H

#include "agents/agent.h"
#include "src/cli/options.h"

enum show_style {
	SHOW_BOARDS, /* each position drawn, for people */
	SHOW_MOVES,  /* a row per move */
};

/* Texts are NULL and numbers 0 where they are not given. */
struct play_options {
	struct game_options game;
	const char *agent; /* that plays, or gives advice */
	uint64_t seed;
	bool numbered; /* INDEX is given */
	uint64_t index;
	bool moves; /* --moves, which asks for the STYLE */
	enum show_style style;
	bool watch;	     /* in the viewer, in place of STYLE */
	int delay;	     /* milliseconds between its moves */
	const char *record;  /* path of the record file that games are added to */
	const char *trace;   /* path of the trace of a game */
	const char *replay;  /* path of the record file that games are shown of */
	uint64_t line;	     /* of REPLAY, with the game to show */
	const char *player;  /* who a person is in the record file */
	uint64_t games;	     /* to be recorded without being shown */
	int threads;	     /* that play them */
	bool human;	     /* a person plays */
	bool untrained;	     /* a learner may play that has learned nothing */
	const char *command; /* for provenance */
	const char *name;    /* of the program, for what is told on standard error */
};

/* NULL if standard output can show a game, else why not. */
const char *terminal_lacks(void);

/*
 * Plays and shows the game that nxn compare plays for AGENT, seed and INDEX, and appends it to the
 * record file, unless it is there, or writes its trace. Errors as game_init(), agent_new(),
 * experiment_add(), record_writer_open(), record_writer_append(), and those of src/games/traces.h. In the viewer,
 * as many games as the user likes from INDEX on; every game that is over is appended. With GAMES,
 * those of so many from INDEX on that are not in the record file yet, on several threads.
 * STATUS_STOPPED after a signal.
 */
MUST_USE enum status play_agent(const struct play_options *options, struct why *why);

/*
 * Lets a person play game INDEX of the seed, or the first that is not in the record file, by keys
 * on a terminal or letters on standard input. Its tiles appear as for an agent that makes the same
 * moves. A move that is taken back takes its tile back too: the same move gives the same tile
 * again; with a record file none is taken back. At the end, also by a signal, the terminal is as it
 * was and the game is in the record file, if it has a move. STATUS_STOPPED after a signal; else as
 * play_agent().
 */
MUST_USE enum status play_human(const struct play_options *options, struct why *why);

/*
 * Checks all games of the file REPLAY, and shows the one on LINE, or else the one whose number is
 * INDEX; or, if neither is given, lists them, a row per game, or begins with the first in the
 * viewer, which shows the games behind it as well. Tells on standard error of a torn last line.
 * STATUS_INPUT for whatever is wrong in the file, or if not exactly one game is meant;
 * STATUS_STOPPED after a signal in the viewer.
 */
MUST_USE enum status play_replay(const struct play_options *options, struct why *why);

struct eval_options {
	struct game_options game;
	const char *agent;
	const char *path; /* of the positions; NULL or "-": standard input */
	bool untrained;	  /* a learner may answer that has learned nothing */
};

/*
 * Prints the answer of an agent to each position of a file, as a table of CALL (eval.c).
 * STATUS_INPUT, with file and line, for what is no position; and errors of game_init(), agent_new().
 */
MUST_USE enum status play_eval(const struct eval_options *options, const struct invocation *call,
			       struct why *why);

/* ---- A game on standard output, position by position, whoever makes its moves (show.c). */

extern const char *const direction_names[DIRECTIONS];

struct show {
	enum show_style style;
	uint64_t moves; /* shown so far */
};

/* What begins a line that is no row of the table. */
static inline const char *show_mark(const struct show *show)
{
	return show->style == SHOW_MOVES ? "# " : "";
}

/* Before the first position: a header row, in a table. */
void show_begin(const struct show *show);

/* The position of TURN, unless it is in the row of its move. */
void show_position(const struct show *show, const struct turn *turn);

/* The move that is made in the position shown last, that of TURN. */
void show_move(struct show *show, const struct turn *turn, int move);

/* After the last position, of LAST: score, largest tile, moves, and REMARK. */
void show_end(const struct show *show, const struct turn *last, uint64_t moves, const char *remark);

#endif
