/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What perfect play is after: the goals that a board can be solved for. */
#ifndef NXN_GOAL_H
#define NXN_GOAL_H

enum goal {
	GOAL_SCORE,	 /* expected points */
	GOAL_TARGET,	 /* probability of ever owning a tile */
	GOAL_MOVES,	 /* expected number of moves */
	GOAL_BEST_SCORE, /* points with the best luck */
	GOAL_BEST_MOVES, /* moves with the best luck */
	GOALS,
};

/* The goal in a word or two: "score". */
static inline const char *goal_name(enum goal goal)
{
	static const char *const names[GOALS] = {"score", "target", "moves", "best score",
						 "best moves"};
	return names[goal];
}

#endif
