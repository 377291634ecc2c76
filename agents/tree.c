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
 * width is 1 as long as it would be 0. A move that no return is known of has q = 0 (`zero`, which is
 * the paper's Q before its first visit), the mean of its position's known returns (`mean`), or comes
 * before all others (`first`).
 */
#include "agents/tree.h"

#include "agents/space.h"
#include "boards/bytes.h"

#include <math.h>

enum status tree_init(struct tree *tree, uint64_t room, struct why *why)
{
	void *nodes = NULL, *slots = NULL;
	*tree = (struct tree){.room = (uint32_t)room, .slots = 2};
	while (tree->slots < 2 * room)
		tree->slots *= 2;
	enum status status =
	    space_map(room, sizeof *tree->node, "positions of a tree search", &nodes, why);
	tree->node = nodes;
	if (!status)
		status = space_map(tree->slots, sizeof *tree->slot, "positions of a tree search",
				   &slots, why);
	tree->slot = slots;
	tree_clear(tree);
	return status;
}

void tree_fini(struct tree *tree)
{
	space_unmap(tree->node, tree->room, sizeof *tree->node);
	space_unmap(tree->slot, tree->slots, sizeof *tree->slot);
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

struct scale {
	double offset, width;
};

static struct scale tree_scale(const struct tree *tree, int norm)
{
	struct scale scale = {0, 1};
	if (norm == TREE_NORM_NONE || !tree->returns)
		return scale;
	if (norm == TREE_NORM_RANGE)
		scale = (struct scale){tree->least, tree->most - tree->least};
	else
		scale = (struct scale){tree->mean, sqrt(tree->squares / (double)tree->returns)};
	scale.width = scale.width > 0 ? scale.width : 1;
	return scale;
}

/* The scaled q of a move in NODE that no return is known of. */
static double untried_q(const struct tree_node *node, const struct scale *scale, int untried)
{
	double sum = 0;
	uint64_t done = 0;
	if (untried == TREE_UNTRIED_ZERO)
		return 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		sum += node->sum[d];
		done += node->done[d];
	}
	return done ? (sum / (double)done - scale->offset) / scale->width : 0;
}

static double bonus(const struct tree_node *node, int d, double visits,
		    const struct tree_rule *rule)
{
	const double tried = node->tried[d];
	switch (rule->select) {
	case TREE_PRINTED:
		return rule->c * node->prior[d] / (1 + tried);
	case TREE_PUCT:
		return rule->c * node->prior[d] * sqrt(visits) / (1 + tried);
	default:
		return node->tried[d] ? rule->c * sqrt(log(visits) / tried) : INFINITY;
	}
}

int tree_choose(const struct tree *tree, const struct tree_node *node, unsigned legal,
		const struct tree_rule *rule, struct rng *rng)
{
	const struct scale scale = tree_scale(tree, rule->norm);
	const double untried = untried_q(node, &scale, rule->untried);
	double visits = 0, most = -INFINITY;
	int best = -1;
	uint32_t equal = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		visits += node->tried[d];
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(legal >> d & 1))
			continue;
		double worth = -(double)node->tried[d];
		if (rule->select != TREE_EVEN)
			worth = node->done[d] ? (tree_q(node, d) - scale.offset) / scale.width
					      : untried;
		if (rule->select != TREE_EVEN)
			worth += rule->untried == TREE_UNTRIED_FIRST && !node->tried[d]
				     ? INFINITY
				     : bonus(node, d, visits, rule);
		if (best < 0 || worth > most) {
			best = d;
			most = worth;
			equal = 1;
		} else if (!(worth < most) && rng_below(rng, ++equal) == 0) {
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
