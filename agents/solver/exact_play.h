/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The games of an agent, exactly: how likely each position is that it can reach, and from that its
 * expected score and what its moves lose against an optimum.
 */
#ifndef NXN_EXACT_PLAY_H
#define NXN_EXACT_PLAY_H

#include "agents/agent.h"

enum { EXACT_EXPONENTS = 64 }; /* more than there are */

struct optimum;

/* Of the moves made while the largest tile has a given exponent, in one game. */
struct exact_phase {
	double visits;	/* how many are expected */
	double optimal; /* of these, as good as the best; 0 without an optimum */
	double loss;	/* points expected to be lost by them; 0 without an optimum */
};

struct exact_play {
	double score, sd, moves;	  /* of a game; points */
	double max_tile[EXACT_EXPONENTS]; /* the probability of each largest exponent at the end */
	uint64_t states;		  /* positions that it can reach; of images one if folded */
	bool folded;			  /* the agent plays images of its moves in images */
	struct exact_phase phase[EXACT_EXPONENTS];
	uint64_t peak; /* bytes of memory taken at most */
};

struct exact_play_task {
	const struct game *game;
	const char *agent; /* as agent_new() reads it */
	/* What is best: expected scores of the same game; NULL: not asked for. */
	const struct optimum *optimum;
	double tie;	  /* a move within tie * max(1, |best|) of the best is optimal */
	uint64_t max_sum; /* the game ends when the tiles sum to more; 0: it does not */
	uint64_t memory;  /* bytes that positions may take; agents take their own; 0: no limit */
	int threads;
	/*
	 * The positions whose tiles sum to SUM are done, LAST being the largest sum there can be
	 * and STATES the number of positions so far; false to stop. May be NULL. Called by this
	 * thread.
	 */
	bool (*tell)(void *context, uint64_t sum, uint64_t last, uint64_t states);
	void *context;
};

/*
 * Follows all games of the agent at once. The same bits for any number of threads. sd comes out
 * of a difference: what is less than some 1e-7 of the score is not to be believed.
 *
 * STATUS_INPUT: what agent_new() says; an agent that is not known to be a function of the
 * position (POLICY_UNKNOWN); a board of positions that do not fit into 64 bits; a max_sum that
 * games start above; an optimum of something else, or damaged; more memory than allowed.
 * STATUS_SYSTEM: memory denied, threads. What agent_check() says of an agent that failed
 * meanwhile. STATUS_STOPPED by tell().
 */
MUST_USE enum status exact_play(const struct exact_play_task *task, struct exact_play *result,
				struct why *why);

#endif
