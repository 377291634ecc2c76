/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact play: the probability of each position that an agent can reach, and from these its expected
 * score and the points that its moves lose against an optimum.
 */
#ifndef NXN_EXACT_PLAY_H
#define NXN_EXACT_PLAY_H

#include "agents/agent.h"

enum { EXACT_EXPONENTS = 64 }; /* greater than any exponent */

struct optimum;
struct solve_progress;

/* Statistics of the moves made while the largest tile has a given exponent, per game. */
struct exact_phase {
	double visits;	/* expected number of moves */
	double optimal; /* of these, optimal moves; 0 without an optimum */
	double loss;	/* expected points that they lose; 0 without an optimum */
};

struct exact_play {
	double score, sd, moves;	  /* per game; score and sd in points */
	double squares;			  /* expected squared score */
	double max_tile[EXACT_EXPONENTS]; /* probability of each largest exponent at the end */
	uint64_t states; /* reachable positions; symmetric images count once if `folded` */
	bool folded;	 /* the agent's moves are symmetric */
	struct exact_phase phase[EXACT_EXPONENTS];
	uint64_t peak; /* maximal bytes of memory used */
};

struct exact_play_task {
	const struct game *game;
	const char *agent; /* text for agent_new() */
	/* Optimal expected scores of the same game; NULL: no comparison. */
	const struct optimum *optimum;
	double tie; /* a move within tie * max(1, |best|) of the best is optimal */
	/* The game ends when the tiles sum to more; at least the sum of each start. 0: no limit. */
	uint64_t max_sum;
	uint64_t memory; /* limit in bytes for positions, not for the agents; 0: no limit */
	int threads;
	/*
	 * Called by the calling thread when the positions with one tile sum are done, with the
	 * members sum, last and states (agents/solver/solver.h). Returns false to stop. May be
	 * NULL.
	 */
	bool (*tell)(void *context, const struct solve_progress *progress);
	void *context;
};

/*
 * Follows all games of the agent at once. The result is the same, bit for bit, for any number of
 * threads. sd is the root of a difference, so an sd below about 1e-7 of the score is not reliable.
 *
 * STATUS_INPUT: errors of agent_new(); an agent whose move is not known to be a function of the
 * position (POLICY_UNKNOWN); a board whose positions need more than 64 bits; an optimum of another
 * game, goal or max_sum, or a damaged one; more memory needed than allowed. STATUS_SYSTEM: out of
 * memory, threads. Errors of agent_check() if the agent failed. STATUS_STOPPED if tell() returns
 * false.
 */
MUST_USE enum status exact_play(const struct exact_play_task *task, struct exact_play *result,
				struct why *why);

#endif
