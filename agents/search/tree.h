/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a tree search: for positions s and moves a, the number of visits N(s, a), the mean
 * return Q(s, a) and the prior probability P(s, a); and the rule that chooses the next move of a
 * simulation from them. agents/search/mcts.c says what is computed with them.
 */
#ifndef NXN_TREE_H
#define NXN_TREE_H

#include "boards/board.h"

/* A position. Invariant: done[a] <= tried[a]; sum[a] is of done[a] returns. */
struct tree_node {
	struct board board;
	double prior[DIRECTIONS], sum[DIRECTIONS];
	uint32_t tried[DIRECTIONS]; /* simulations that went through a */
	uint32_t done[DIRECTIONS];  /* those whose return is known */
};

enum tree_select { TREE_PRINTED, TREE_PUCT, TREE_UCB1, TREE_EVEN };
enum tree_norm { TREE_NORM_NONE, TREE_NORM_RANGE, TREE_NORM_SD };
enum tree_untried { TREE_UNTRIED_ZERO, TREE_UNTRIED_MEAN, TREE_UNTRIED_FIRST };

/* How the next move is chosen; the members are parameters of the agent mcts. */
struct tree_rule {
	double c;
	int select, norm, untried; /* of the enums above */
};

struct tree {
	uint32_t count, room; /* positions; room is below 2^31 */
	struct tree_node *node;

	/* slot[i]: generation << 32 | position, empty if it is of another generation */
	uint64_t *slot;
	uint64_t slots; /* a power of two, at least twice the room */
	uint32_t generation;

	/* What Q is scaled by: returns of whole simulations, least and largest Q(s, a) seen. */
	uint64_t returns;
	double mean, squares, least, most;
	double offset, width; /* q = (Q - offset) / width, as of tree_scale() */
};

/*
 * An empty tree for at most ROOM positions, 1 .. 2^31 - 1. STATUS_SYSTEM if there is no memory.
 * tree_fini() is fine after a failure, or on zeroes.
 */
MUST_USE enum status tree_init(struct tree *tree, uint64_t room, struct why *why);
void tree_fini(struct tree *tree);

/* Bytes that a position takes, its slots included. */
enum { TREE_NODE_BYTES = sizeof(struct tree_node) + 4 * sizeof(uint64_t) };

/* Forgets everything. */
void tree_clear(struct tree *tree);

/* The position BOARD; made with zeroes if it is new (*FRESH), or NULL if there is no room. */
struct tree_node *tree_find(struct tree *tree, const struct board *board, bool *fresh);

/* Q(s, a), or NAN where no return is known. */
double tree_q(const struct tree_node *node, int move);

/* Brings what Q is scaled by up to date with the returns; NORM is an enum tree_norm. */
void tree_scale(struct tree *tree, int norm);

/*
 * The move that RULE chooses among LEGAL ones in NODE; of equal ones any, by draws from RNG.
 * Simulations under way count as visits, so that they spread (Liu, Chen, Yu, Zhai, Zhou, Liu: Watch
 * the Unobserved, ICLR 2020, section 4: O counts in the bonus, not in Q).
 */
int tree_choose(const struct tree *tree, const struct tree_node *node, unsigned legal,
		const struct tree_rule *rule, struct rng *rng);

/* A simulation that went through MOVE came to RETURNED from NODE on. */
void tree_learn(struct tree *tree, struct tree_node *node, int move, double returned);

/* The return of a whole simulation, from the root on. */
void tree_count(struct tree *tree, double returned);

#endif
