/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chances of moves; see chances.h. */
#include "agents/nets/chances.h"

#include <assert.h>

void policy_chances(const float out[DIRECTIONS], unsigned legal, double chance[DIRECTIONS])
{
	softmax(out, DIRECTIONS, legal, chance);
}

int chances_draw(const double chance[DIRECTIONS], struct rng *rng)
{
	double x = rng_real(rng);
	int last = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (chance[d] <= 0)
			continue;
		last = d;
		x -= chance[d];
		if (x < 0)
			break;
	}
	return last;
}

int chances_best(const double chance[DIRECTIONS])
{
	int best = 0;
	for (int d = 1; d < DIRECTIONS; d++)
		if (chance[d] > chance[best])
			best = d;
	return best;
}

/* Of 1 to CHANCES_ROOM turns. */
static void some_chances(const struct brain *brain, struct brain_work *work,
			 const struct turn *turns, size_t n, double (*chance)[DIRECTIONS])
{
	const struct board *board[CHANCES_ROOM];
	float out[CHANCES_ROOM][DIRECTIONS];
	assert(n > 0 && n <= CHANCES_ROOM);
	for (size_t i = 0; i < n; i++)
		board[i] = turns[i].board;
	brain_outputs(brain, work, board, n, out);
	for (size_t i = 0; i < n; i++)
		policy_chances(out[i], turns[i].moves.legal, chance[i]);
}

void brain_chances(const struct brain *brain, struct brain_work *work, const struct turn *turns,
		   size_t n, double (*chance)[DIRECTIONS])
{
	for (size_t i = 0; i < n; i += CHANCES_ROOM)
		some_chances(brain, work, turns + i, n - i < CHANCES_ROOM ? n - i : CHANCES_ROOM,
			     chance + i);
}

int brain_move(const struct brain *brain, struct brain_work *work, const struct turn *turn,
	       bool drawn, struct rng *rng, struct decision *decision)
{
	some_chances(brain, work, turn, 1, &decision->chance);
	for (int d = 0; d < DIRECTIONS; d++)
		if (turn->moves.legal >> d & 1)
			decision->value[d] = decision->chance[d];
	return drawn ? chances_draw(decision->chance, rng) : chances_best(decision->chance);
}
