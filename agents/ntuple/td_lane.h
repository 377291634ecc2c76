/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lane: a training game with what is looked up for it ahead of time; see td.h. */
#ifndef NXN_TD_LANE_H
#define NXN_TD_LANE_H

#include "agents/ntuple/td.h"

/* Indices of a board's features, and the stage that they are for. */
struct td_sight {
	int stage;
	uint32_t *index;
};

struct td_lane {
	struct td *td;
	bool live;	/* there is a game */
	bool moved;	/* `moves` are those of the game's position */
	unsigned blind; /* bit d: after[d] of that legal move is still to be found out */
	struct td_game game;
	struct moves moves;
	struct td_sight after[DIRECTIONS]; /* of legal moves */
	struct td_sight past[TRACE_MAX];   /* forward: past[k] is k steps back */
	uint32_t *indices;		   /* room for all of them */
};

MUST_USE enum status td_lane_init(struct td_lane *lane, struct td *td, struct why *why);
/* The game stays with the caller. */
void td_lane_fini(struct td_lane *lane);

/* Takes a game that was begun somewhere; what it looks at is found out anew. */
void td_lane_take(struct td_lane *lane, const struct td_game *game);

/*
 * One move and what it teaches. True when the game has ended. BEFORE, which had its turn just now, or
 * NULL: meanwhile the weights that it will need are asked for, a few after each move of LANE that is
 * evaluated, since the memory takes in only so many requests at once.
 */
bool td_lane_turn(struct td_lane *lane, struct td_lane *before);

/* w += step(delta) for the features of a sight, as the options say; ALPHA is that of the game. */
void td_adjust(struct td *td, double alpha, const struct td_sight *sight, double delta);

/* The network's value of a sight as it is now. */
static inline double td_value(const struct td *td, const struct td_sight *sight)
{
	return (double)network_sum(td->network, sight->stage, sight->index);
}

#endif
