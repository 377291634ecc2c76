/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What who plays a game and who looks at it share, each in a thread of its own. */
#ifndef NXN_PLAY_STAGE_H
#define NXN_PLAY_STAGE_H

#include "src/play/play_session.h"

#include <pthread.h>

struct stage {
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t changed;
	struct session session;
	const struct game *game;
	char title[2300];   /* who plays what */
	char remark[128];   /* what there is to say behind the game, or nothing */
	uint64_t games;	    /* begun so far */
	bool over;	    /* the game goes no further */
	size_t wanted;	    /* moves that are to be made in all, if the game has so many */
	bool next;	    /* the next game is to begin */
	bool quit;	    /* nothing more is to be done */
	double began;	    /* clock when thinking about the last position began */
	double seconds;	    /* of thinking in this game */
	enum status status; /* of the first failure, which ends all */
	struct why why;
};

void stage_init(struct stage *stage);
void stage_fini(struct stage *stage);

/* Those below are called with the lock held. */

/* Begins a game with BOARD, under the title that FORMAT makes. STATUS_SYSTEM without memory. */
__attribute__((format(printf, 5, 6))) MUST_USE enum status stage_begin(struct stage *stage,
								       const struct game *game,
								       const struct board *board,
								       struct why *why,
								       const char *format, ...);

/* MOVE was made; the game has come to BOARD and SCORE. STATUS_SYSTEM when memory runs out. */
MUST_USE enum status stage_move(struct stage *stage, int move, const struct thought *thought,
				const struct board *board, uint64_t score, struct why *why);

/* The game is over; REMARK, which may be empty, is to be told. */
void stage_end(struct stage *stage, const char *remark);

/* Something is wrong: nothing more will come. */
void stage_fail(struct stage *stage, enum status status, const struct why *why);

#endif
