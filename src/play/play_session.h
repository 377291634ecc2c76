/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A game as far as it was played: every position, and what was thought and done in it. */
#ifndef NXN_PLAY_SESSION_H
#define NXN_PLAY_SESSION_H

#include "agents/agent.h"

/* What an agent thought of a position; NAN as in struct decision. */
struct thought {
	double value[DIRECTIONS];
	float chance[DIRECTIONS];
	uint64_t nodes;
	float seconds; /* that it took; negative if not known */
	int depth;
};

enum { MOVE_NONE = -1 };

/* A position. */
struct moment {
	struct board board;
	uint64_t score;
	struct thought thought;
	int move; /* that was made in it, or MOVE_NONE as yet */
};

/* Zeroed is empty. The last moment is where the game has come to; 144 bytes each. */
struct session {
	struct moment *moment;
	size_t count, room;
};

/* Nothing is told. */
void thought_init(struct thought *thought);

struct thought thought_of(const struct decision *decision, double seconds);

/* Whether it tells a value or a chance of a move. */
bool thought_tells(const struct thought *thought);

/* Begins with BOARD, or goes on to it. STATUS_SYSTEM when memory runs out. */
MUST_USE enum status session_reach(struct session *session, const struct board *board,
				   uint64_t score, struct why *why);

/* The MOVE that is made in the last position, and what was thought before. */
void session_decide(struct session *session, int move, const struct thought *thought);

/* Forgets all, but keeps the memory. */
void session_clear(struct session *session);

/* The moves that were made. */
size_t session_moves(const struct session *session);

void session_fini(struct session *session);

#endif
