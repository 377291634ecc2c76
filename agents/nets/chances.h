/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chances of moves: out of a network's outputs, and moves out of them. */
#ifndef NXN_CHANCES_H
#define NXN_CHANCES_H

#include "agents/agent.h"
#include "agents/nets/brain.h"

/* Positions that a brain's work needs room for, to be used here. */
enum { CHANCES_ROOM = 64 };

/* The chances of the legal moves out of a network's outputs: their softmax. */
void policy_chances(const float out[DIRECTIONS], unsigned legal, double chance[DIRECTIONS]);

/* A move drawn with its CHANCE. One draw. */
int chances_draw(const double chance[DIRECTIONS], struct rng *rng);

/* The move with the largest CHANCE, the first of equals. */
int chances_best(const double chance[DIRECTIONS]);

/* chances() of an agent class, by BRAIN. */
void brain_chances(const struct brain *brain, struct brain_work *work, const struct turn *turns,
		   size_t n, double (*chance)[DIRECTIONS]);

/* act() of an agent class, by BRAIN: a move that is drawn, or the most likely one. */
int brain_move(const struct brain *brain, struct brain_work *work, const struct turn *turn,
	       bool drawn, struct rng *rng, struct decision *decision);

#endif
