/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Depth-limited, memoised expectimax with a probability cutoff.
 *
 * The recurrence of Mayer-Hirshfeld, Navarro and Saleh, AI Agent for 2048, section 5,
 * in the one convention that everything here uses. For a position s with the player to move:
 *
 *   V(s, d) = terminal                                          if no move is legal
 *           = value(s)                                          if d = 0 or Prob(s) < cutoff
 *           = max over legal moves of [reward + E V(s', d-1)]   otherwise
 *
 * s' is the after-state plus one spawn, E the expectation over its cell and kind, and Prob(s) the
 * product of the spawn probabilities on the path from the root, where it is 1. The paper's
 * recurrence adds no rewards: rewards=auto adds them when the value estimates points. An
 * after-state is evaluated kind by kind, cells in reading order: E = sum over kinds of p(kind) *
 * (sum of V) / cells.
 *
 * The table changes nothing but the time: memo.h says what an entry means when Prob(s) decides.
 *
 * Check values: tests/vectors/expectimax.txt, with rewards=1, terminal=0, cutoff=0.
 */
#include "agents/memo.h"
#include "agents/registry.h"

#include <math.h>
#include <string.h>

struct expectimax {
	int64_t depth;
	double cutoff, terminal;
	int rewards; /* a choice */
	struct value *value;
	int64_t tt; /* bytes; 0: no table */

	const struct game *game;
	bool add_rewards;
	struct memo memo;
	uint64_t nodes;
};

enum { REWARDS_AUTO, REWARDS_NO, REWARDS_YES };

static const struct param expectimax_params[] = {
    {.name = "depth",
     .kind = PARAM_INT,
     .offset = offsetof(struct expectimax, depth),
     .fallback = "2",
     .min = 1,
     .max = 64,
     .doc = "own moves looked ahead, each with the spawn that follows"},
    {.name = "cutoff",
     .kind = PARAM_REAL,
     .offset = offsetof(struct expectimax, cutoff),
     .fallback = "0.0001",
     .min = 0,
     .max = 1,
     .doc = "positions reached with a smaller probability are not searched"},
    {.name = "value",
     .kind = PARAM_VALUE,
     .offset = offsetof(struct expectimax, value),
     .fallback = "heuristic",
     .doc = "what a position at the end of the search is worth"},
    {.name = "rewards",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct expectimax, rewards),
     .fallback = "auto",
     .choices = "auto|0|1",
     .doc = "whether the points of a move count; auto: if the value is in points"},
    {.name = "terminal",
     .kind = PARAM_REAL,
     .offset = offsetof(struct expectimax, terminal),
     .fallback = "-100",
     .min = -1e15,
     .max = 1e15,
     .doc = "value of a position without a legal move"},
    {.name = "tt",
     .kind = PARAM_SIZE,
     .offset = offsetof(struct expectimax, tt),
     .fallback = "64M",
     .min = 0,
     .max = 0x1p40,
     .doc = "memory of the transposition table; 0 searches without one"},
    {0},
};

static enum status expectimax_init(void *self, const struct agent_env *env, struct why *why)
{
	struct expectimax *x = self;
	x->game = env->game;
	x->add_rewards =
	    x->rewards == REWARDS_YES || (x->rewards == REWARDS_AUTO && x->value->class->in_points);
	const struct value_env value_env = {.game = env->game};
	enum status status = value_init(x->value, &value_env, why);
	if (status || !x->tt)
		return status;
	return memo_init(&x->memo, x->tt, why);
}

static void expectimax_fini(void *self)
{
	memo_fini(&((struct expectimax *)self)->memo);
}

/*
 * Narrows SPAN to the path probabilities at which a child, reached with probability Q, has CHILD's
 * value. The slack keeps the interval inside its true ends in spite of rounding.
 */
static void span_narrow(struct span *span, const struct span *child, double q)
{
	const double slack = 1e-12;
	double low = child->low / q * (1 + slack), high = child->high / q * (1 - slack);
	span->low = low > span->low ? low : span->low;
	span->high = high < span->high ? high : span->high;
}

/* The sum of the values of AFTER with a tile of exponent K in each of its COUNT empty cells. */
static double leaves_sum(struct expectimax *x, const struct board *after, const uint8_t *cells,
			 int count, uint8_t k)
{
	struct board leaf[CELLS_MAX];
	double value[CELLS_MAX], sum = 0;
	int i = 0;
	do { /* a legal move leaves an empty cell */
		leaf[i] = *after;
		*board_at(&leaf[i], cells[i]) = k;
	} while (++i < count);
	value_eval(x->value, leaf, (size_t)count, value);
	/* Only a full board can be without a move, and only the last empty cell leaves one full. */
	if (count == 1 && x->game->over(&leaf[0]))
		return x->terminal;
	for (i = 0; i < count; i++)
		sum += value[i];
	return sum;
}

/* The same for KINDS exponents, by a closed form where the value has one. */
static void leaves_sums(struct expectimax *x, const struct board *after, const uint8_t *cells,
			int count, const uint8_t *k, int kinds, double *sums)
{
	const struct value_class *class = x->value->class;
	x->nodes += (uint64_t)count * (uint64_t)kinds;
	if (count > 1 && class->spawn_sums)
		class->spawn_sums(x->value->self, after, k, kinds, sums);
	else
		for (int i = 0; i < kinds; i++)
			sums[i] = leaves_sum(x, after, cells, count, k[i]);
}

/* A position about to be searched: what can be done in it, and where the table files that. */
struct node {
	struct moves moves;
	struct memo_key keys[DIRECTIONS];
};

/* Asks the table for its cache lines, which arrive while other nodes are opened. */
static void node_keys(struct expectimax *x, struct node *node, int depth)
{
	for (int d = 0; d < DIRECTIONS && x->tt; d++)
		if (node->moves.legal >> d & 1)
			node->keys[d] = memo_key(&x->memo, &node->moves.after[d], depth);
}

static struct span node_value(struct expectimax *x, const struct node *node, int depth, double p);

/* The same sum for positions that are searched on, DEPTH deep; narrows SPAN. P: of each child. */
static double children_sum(struct expectimax *x, const struct board *after, const uint8_t *cells,
			   int count, uint8_t k, int depth, double p, struct span *span, double q)
{
	struct node nodes[CELLS_MAX];
	double sum = 0;
	for (int i = 0; i < count; i++) {
		struct board child = *after;
		*board_at(&child, cells[i]) = k;
		x->game->moves(&child, &nodes[i].moves);
		node_keys(x, &nodes[i], depth);
	}
	for (int i = 0; i < count; i++) {
		struct span value = node_value(x, &nodes[i], depth, p);
		span_narrow(span, &value, q);
		sum += value.value;
	}
	x->nodes += (uint64_t)count;
	return sum;
}

/* E V(s', depth - 1) over the spawns on AFTER, which was reached with probability P. */
static struct span spawns_value(struct expectimax *x, const struct board *after, int depth,
				double p)
{
	struct span span = {0, 0, INFINITY};
	uint8_t cells[CELLS_MAX], leaf_k[SPAWN_KINDS_MAX];
	double leaf_sums[SPAWN_KINDS_MAX];
	bool leaf[SPAWN_KINDS_MAX];
	const struct spawn_rule *spawn = &x->game->spawn;
	const int count = board_empty_cells(x->game, after, cells);
	int leaves = 0;
	for (int i = 0; i < spawn->kinds; i++) {
		double q = spawn->probability[i] / count;
		bool cut = p * q < x->cutoff;
		struct span here = {0, cut ? 0 : x->cutoff, cut ? x->cutoff : INFINITY};
		if (depth > 1)
			span_narrow(&span, &here, q);
		leaf[i] = depth == 1 || cut;
		if (leaf[i])
			leaf_k[leaves++] = spawn->exponent[i];
	}
	if (leaves)
		leaves_sums(x, after, cells, count, leaf_k, leaves, leaf_sums);
	for (int i = 0, next = 0; i < spawn->kinds; i++) {
		double q = spawn->probability[i] / count;
		double sum = leaf[i] ? leaf_sums[next++]
				     : children_sum(x, after, cells, count, spawn->exponent[i],
						    depth - 1, p * q, &span, q);
		span.value += spawn->probability[i] * (sum / count);
	}
	return span;
}

/* The same for each legal move, from the table where it has it. */
static void afters_value(struct expectimax *x, const struct node *node, int depth, double p,
			 struct span spans[DIRECTIONS])
{
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(node->moves.legal >> d & 1))
			continue;
		if (x->tt && memo_probe(&x->memo, node->keys[d], p, &spans[d]))
			continue;
		spans[d] = spawns_value(x, &node->moves.after[d], depth, p);
		if (x->tt)
			memo_store(&x->memo, node->keys[d], depth, &spans[d]);
	}
}

/* V(s, depth) for depth >= 1 and Prob(s) = P not below the cutoff. */
static struct span node_value(struct expectimax *x, const struct node *node, int depth, double p)
{
	struct span spans[DIRECTIONS], best = {x->terminal, 0, INFINITY};
	afters_value(x, node, depth, p, spans);
	for (int d = 0, first = 1; d < DIRECTIONS; d++) {
		if (!(node->moves.legal >> d & 1))
			continue;
		double reward = x->add_rewards ? (double)node->moves.reward[d] : 0;
		double value = spans[d].value + reward;
		best.value = first || value > best.value ? value : best.value;
		span_narrow(&best, &spans[d], 1);
		first = 0;
	}
	return best;
}

static int expectimax_act(void *self, const struct turn *turn, struct rng *rng,
			  struct verdict *verdict)
{
	struct expectimax *x = self;
	struct node root = {.moves = turn->moves};
	struct span spans[DIRECTIONS];
	int best = -1;
	(void)rng;
	x->nodes = 1;
	memo_age(&x->memo);
	node_keys(x, &root, (int)x->depth);
	afters_value(x, &root, (int)x->depth, 1, spans);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(turn->moves.legal >> d & 1))
			continue;
		double reward = x->add_rewards ? (double)turn->moves.reward[d] : 0;
		verdict->value[d] = spans[d].value + reward;
		if (best < 0 || verdict->value[d] > verdict->value[best])
			best = d;
	}
	verdict->nodes = x->nodes;
	return best;
}

const struct agent_class expectimax_agent = {
    .name = "expectimax",
    .summary = "depth-limited search with a probability cutoff and a table",
    .params = expectimax_params,
    .size = sizeof(struct expectimax),
    .init = expectimax_init,
    .act = expectimax_act,
    .fini = expectimax_fini,
};
