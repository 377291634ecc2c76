/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables and the selection rules of a tree search; see tree.h.
 *
 * Rules, with q(a) the scaled Q(s, a), N the visits of a, and S their sum over the moves of s:
 *
 *   printed   q(a) + c P(s, a) / (1 + N)             Dedieu, Amar, Deep Reinforcement Learning for
 *                                                    2048, section 5.2, where c is called alpha
 *   puct      q(a) + c P(s, a) sqrt(S) / (1 + N)     Silver et al., Mastering the game of Go,
 *                                                    Nature 529, 2016, Methods
 *   ucb1      q(a) + c sqrt(ln S / N)                Kocsis, Szepesvari, Bandit based Monte-Carlo
 *                                                    planning, ECML 2006
 *   even      -N
 *
 * What the returns are measured in differs from points to shares of 2048, and grows with the board;
 * so that one c means the same everywhere, q(a) = (Q(s, a) - offset) / width with
 *
 *   none      0 and 1, as printed
 *   range     the least, and the largest less the least, of all Q(s, a) of this decision so far
 *             (Schrittwieser et al., Mastering Atari, Go, chess and shogi, 2020, Appendix B)
 *   sd        mean and standard deviation of the returns of this decision's simulations so far
 *
 * width is 1 as long as it would be 0. A move that no return is known of has q = 0 (`zero`, which
 * is the paper's Q before its first visit), the mean of its position's known returns (`mean`), or
 * comes before all others (`first`).
 */
#include "agents/search/tree.h"

#include "base/virtual_memory.h"
#include "boards/simd/bytes.h"

#include <math.h>

enum status tree_init(struct tree *tree, uint64_t room, struct why *why)
{
	void *nodes = NULL, *slots = NULL;
	*tree = (struct tree){.room = (uint32_t)room, .slots = 2};
	while (tree->slots < 2 * room)
		tree->slots *= 2;
	enum status status =
	    virtual_memory_map(room, sizeof *tree->node, "positions of a tree search", &nodes, why);
	tree->node = nodes;
	if (!status)
		status = virtual_memory_map(tree->slots, sizeof *tree->slot,
					    "positions of a tree search", &slots, why);
	tree->slot = slots;
	tree_clear(tree);
	return status;
}

void tree_fini(struct tree *tree)
{
	virtual_memory_unmap(tree->node, tree->room, sizeof *tree->node);
	virtual_memory_unmap(tree->slot, tree->slots, sizeof *tree->slot);
	*tree = (struct tree){0};
}

void tree_clear(struct tree *tree)
{
	tree->count = 0;
	tree->generation++;
	tree->returns = 0;
	tree->mean = tree->squares = 0;
	tree->least = INFINITY;
	tree->most = -INFINITY;
}

static uint64_t board_hash(const struct board *board)
{
	uint64_t hash = 0;
	for (int r = 0; r < SIDE_MAX; r++) {
		hash = (hash ^ row_load(board->cell[r])) * 0x9e3779b97f4a7c15;
		hash ^= hash >> 29;
	}
	return hash;
}

struct tree_node *tree_find(struct tree *tree, const struct board *board, bool *fresh)
{
	const uint64_t mask = tree->slots - 1;
	uint64_t at = board_hash(board) & mask;
	*fresh = false;
	for (; tree->slot[at] >> 32 == tree->generation; at = (at + 1) & mask) {
		struct tree_node *node = &tree->node[(uint32_t)tree->slot[at]];
		if (board_equal(&node->board, board))
			return node;
	}
	if (tree->count == tree->room)
		return NULL;
	tree->slot[at] = (uint64_t)tree->generation << 32 | tree->count;
	struct tree_node *node = &tree->node[tree->count++];
	*node = (struct tree_node){.board = *board};
	*fresh = true;
	return node;
}

double tree_q(const struct tree_node *node, int move)
{
	return node->done[move] ? node->sum[move] / node->done[move] : NAN;
}

void tree_scale(struct tree *tree, int norm)
{
	tree->offset = 0;
	tree->width = 1;
	if (norm == TREE_NORM_NONE || !tree->returns)
		return;
	tree->offset = norm == TREE_NORM_RANGE ? tree->least : tree->mean;
	const double width = norm == TREE_NORM_RANGE ? tree->most - tree->least
						     : sqrt(tree->squares / (double)tree->returns);
	if (width > 0)
		tree->width = width;
}

static double scaled(const struct tree *tree, double q)
{
	return (q - tree->offset) / tree->width;
}

/* The scaled q of a move in NODE that no return is known of. */
static double untried_q(const struct tree *tree, const struct tree_node *node, int untried)
{
	double sum = 0;
	uint64_t done = 0;
	if (untried == TREE_UNTRIED_ZERO)
		return 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		sum += node->sum[d];
		done += node->done[d];
	}
	return done ? scaled(tree, sum / (double)done) : 0;
}

/* What exploring move D is worth after VISITS in all, ROOT their square root. */
static double bonus(const struct tree_node *node, int d, double visits, double root,
		    const struct tree_rule *rule)
{
	const double tried = node->tried[d];
	switch (rule->select) {
	case TREE_PRINTED:
		return rule->c * node->prior[d] / (1 + tried);
	case TREE_PUCT:
		return rule->c * node->prior[d] * root / (1 + tried);
	default:
		return node->tried[d] ? rule->c * sqrt(log(visits) / tried) : INFINITY;
	}
}

/* worth[d]: what the rule makes the largest of. */
static void moves_worth(const struct tree *tree, const struct tree_node *node, unsigned legal,
			const struct tree_rule *rule, double worth[DIRECTIONS])
{
	double visits = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		visits += node->tried[d];
	const double untried = untried_q(tree, node, rule->untried), root = sqrt(visits);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(legal >> d & 1))
			continue;
		if (rule->select == TREE_EVEN)
			worth[d] = -(double)node->tried[d];
		else if (rule->untried == TREE_UNTRIED_FIRST && !node->tried[d])
			worth[d] = INFINITY;
		else
			worth[d] = (node->done[d] ? scaled(tree, tree_q(node, d)) : untried) +
				   bonus(node, d, visits, root, rule);
	}
}

int tree_choose(const struct tree *tree, const struct tree_node *node, unsigned legal,
		const struct tree_rule *rule, struct rng *rng)
{
	double worth[DIRECTIONS];
	int best = -1;
	uint32_t equal = 0;
	moves_worth(tree, node, legal, rule, worth);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(legal >> d & 1))
			continue;
		if (best < 0 || worth[d] > worth[best]) {
			best = d;
			equal = 1;
		} else if (!(worth[d] < worth[best]) && rng_below(rng, ++equal) == 0) {
			best = d; /* the n-th with probability 1/n: that makes all equally likely */
		}
	}
	return best;
}

void tree_learn(struct tree *tree, struct tree_node *node, int move, double returned)
{
	node->done[move]++;
	node->sum[move] += returned;
	const double q = tree_q(node, move);
	tree->least = fmin(tree->least, q);
	tree->most = fmax(tree->most, q);
}

/* Welford, Note on a method for calculating corrected sums of squares and products, 1962. */
void tree_count(struct tree *tree, double returned)
{
	const double off = returned - tree->mean;
	tree->returns++;
	tree->mean += off / (double)tree->returns;
	tree->squares += off * (returned - tree->mean);
}
