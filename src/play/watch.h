/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The viewer of games that are played, or were. */
#ifndef NXN_PLAY_WATCH_H
#define NXN_PLAY_WATCH_H

#include "src/play/terminal.h"

#include <pthread.h>

/* ---- Threads beside the one that has the terminal. Nobody waits for them. */

/*
 * Starts a thread that gets no signal but those of a fault of its own; others are for the thread
 * that has the terminal. STATUS_SYSTEM if it cannot be started.
 */
MUST_USE enum status side_thread_start(pthread_t *thread, void *(*run)(void *), void *context,
				       struct why *why);

/* Joins it if it ends in MILLISECONDS, or whenever it ends if they are negative; whether it has. */
bool side_thread_join(pthread_t thread, int milliseconds);

/* How long one that is to end may take; then it is left to the end of the process. */
enum { SIDE_THREAD_END_MS = 100 };

/*
 * ---- The game that is watched: state shared by the thread that plays it and the viewer. It has
 * every position so far, with what the agent told of it.
 */

enum { MOVE_NONE = -1 };

/* A position. */
struct ply {
	struct board board;
	uint64_t score;
	int move;      /* made in it, or MOVE_NONE as yet */
	float seconds; /* that the decision took; negative if not known */
	struct decision decision;
};

struct shared_game {
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t changed;
	struct ply *ply; /* the last is where the game has come to */
	size_t plies, capacity;
	const struct game *game;
	char title[2300];   /* who plays what */
	char remark[128];   /* what there is to say behind the game, or nothing */
	uint64_t games;	    /* begun so far */
	bool over;	    /* the game goes no further */
	size_t wanted;	    /* moves that are to be made in all, if the game has so many */
	bool next;	    /* the next game is to begin */
	bool quit;	    /* nothing more is to be done */
	double began;	    /* clock when thinking about the last position began; 0: not yet */
	double seconds;	    /* of thinking in this game */
	enum status status; /* of the first failure, which ends all */
	struct why why;
};

void shared_game_init(struct shared_game *shared);
void shared_game_fini(struct shared_game *shared);

/* Those below are called with the lock held. */

/* Begins a game with BOARD, under the title that FORMAT makes. STATUS_SYSTEM without memory. */
__attribute__((format(printf, 5, 6))) MUST_USE enum status shared_game_begin(
    struct shared_game *shared, const struct game *game, const struct board *board, struct why *why,
    const char *format, ...);

/*
 * MOVE was made after a DECISION of SECONDS, NULL and negative if they are not known; the game has
 * come to BOARD and SCORE. STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status shared_game_move(struct shared_game *shared, int move,
				      const struct decision *decision, double seconds,
				      const struct board *board, uint64_t score, struct why *why);

/* The game is over; REMARK, which may be empty, is to be told. */
void shared_game_end(struct shared_game *shared, const char *remark);

/* STATUS is a failure: nothing more will come. */
void shared_game_fail(struct shared_game *shared, enum status status, const struct why *why);

/* ---- The viewer. */

struct watch_options {
	int delay;  /* milliseconds between moves */
	bool timed; /* the time of thinking is told at the end */
	/*
	 * Puts the next game in the place of the shared one, or asks for it; false if there is
	 * none.
	 */
	bool (*next)(void *context, struct shared_game *shared);
	void *context;
};

/*
 * Shows the games of SHARED on TERMINAL, which is prepared, until a key, a signal, a failure, or,
 * if standard input is no terminal, the end of a game. SHARED has a game, or gets one. The position
 * looked at last and a line about the game stay on standard output. STATUS_STOPPED after a signal;
 * what SHARED fails with; else as terminal_open().
 */
MUST_USE enum status watch_run(struct shared_game *shared, struct terminal *terminal,
			       const struct watch_options *options, struct why *why);

#endif
