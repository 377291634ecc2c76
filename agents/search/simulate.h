/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulations of a tree search, many at a time; agents/search/mcts.c says what is computed. */
#ifndef NXN_SIMULATE_H
#define NXN_SIMULATE_H

#include "agents/search/judge.h"
#include "agents/search/tree.h"

struct simulation_step {
	struct tree_node *node;
	int move;
	double reward;
};

struct simulate {
	const struct game *game;
	struct tree tree;
	struct tree_rule rule;
	struct judge judge;
	struct agent *prior; /* P(s, .) are its chances; NULL if the rule needs none */
	double uniform;	     /* of that the share of all legal moves alike */
	int depth;	     /* own moves of a simulation */
	bool stops_at_new;   /* a simulation ends at the first position that is not in the tree */
	double points;	     /* what a point made in the tree counts; 0 if it does not */
	size_t width;	     /* simulations at a time, at most */

	/* What was done since simulate_forget(). */
	uint64_t simulations, nodes;
	int deepest;

	/* Private: of each simulation under way. */
	struct turn *turn;
	struct board *board;
	struct simulation_step *step; /* [width][depth] */
	int *length;
	size_t *walking;
	double *worth;
	/* Positions whose prior is asked for. */
	struct turn *asked;
	struct tree_node **asking;
	double (*chance)[DIRECTIONS];
};

/*
 * Prepares what is needed besides the tree and the judge. STATUS_SYSTEM if there is no memory.
 * simulate_fini() is fine after a failure, or on zeroes; it gives back the tree and the judge, too.
 */
MUST_USE enum status simulate_init(struct simulate *simulate, struct why *why);
void simulate_fini(struct simulate *simulate);

/* Empties the tables and counts, for another decision. */
void simulate_forget(struct simulate *simulate);

/*
 * Makes N <= width simulations from ROOT on, in which some move is legal. They are chosen without
 * knowing the returns of each other, as tree_choose() says, and go step by step, all of them a
 * step.
 */
void simulate_run(struct simulate *simulate, const struct turn *root, size_t n, struct rng *rng);

#endif
