/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Monte Carlo tree search, after Dedieu, Amar, Deep Reinforcement Learning for 2048, section 5.2.
 *
 * For positions s and moves a, tables have N(s, a), the number of simulations through a; Q(s, a),
 * the mean of their returns; and P(s, a), the prior: the probabilities of another agent's moves in
 * s. A simulation starts from the position to be decided. A rule chooses a move, a random tile
 * appears, and so on, until `depth` own moves are made or the game is over. The position s_L at the
 * end of a simulation has the value
 *
 *   reward=max     the largest tile at the end of a roll-out from s_L / 2048, the paper's V
 *   reward=score   the points of a roll-out from s_L on
 *   rollout=none   value(s_L), or the maximum over moves as with leaf=after in expectimax
 *
 * averaged over `rollouts` games. With rewards=1 the points between s and s_L, for reward=max
 * divided by 2048, are added to the return of s. After `sims` simulations, or `ms` milliseconds,
 * the agent makes the move with the most visits (ties: the larger Q, then the first direction), or
 * the move with the largest Q.
 *
 * Rules of choice, with q(a) the scaled Q(s, a), N the visits of a, S their sum over all moves:
 *
 *   printed   q(a) + c P(s, a) / (1 + N)             the paper, where c is called alpha
 *   puct      q(a) + c P(s, a) sqrt(S) / (1 + N)     Silver et al., Mastering the game of Go,
 *                                                    Nature 529, 2016, Methods
 *   ucb1      q(a) + c sqrt(ln S / N)                Kocsis, Szepesvari, Bandit based Monte-Carlo
 *                                                    planning, ECML 2006
 *   even      -N
 *
 * Returns are points or shares of 2048, and grow with the board. So that one c means the same
 * everywhere, q(a) = (Q(s, a) - offset) / width, where offset and width are
 *
 *   none      0 and 1, as printed
 *   range     the least, and the largest minus the least, of all Q(s, a) of this decision so far
 *             (Schrittwieser et al., Mastering Atari, Go, chess and shogi, 2020, Appendix B)
 *   sd        mean and standard deviation of the returns of this decision's simulations so far
 *
 * A width of 0 becomes 1. A move without returns has q = 0 (untried=zero, the paper's Q before the
 * first visit), the mean of its position's returns (mean), or comes before all others (first).
 *
 * Chance nodes are closed: a position after a spawn has its own tables, whichever moves led to it.
 * The tables last for one decision: the position that follows has only the visits after one of many
 * spawns, too few to be worth keeping (docs/mcts.md has the count).
 *
 * Deviations, each with a parameter for the paper's method: Q is scaled before the term of c is
 * added (norm, untried; the paper's are none, zero); in simulations tiles appear by the rule of the
 * game, in the paper only 2s (spawns=2; prior and rollout search by the rule of the game); a
 * simulation may end at its first new position (grow=node); `leaves` simulations run at a time so
 * that their roll-outs fill the lanes of boards/simd/playout.h: the visits of earlier ones count,
 * but not their returns (leaves=1 is the paper's). The paper has no rule for equal moves; here a
 * simulation draws one.
 *
 * depth=1, select=even, decide=value is flat Monte Carlo. Check value: on 2x2 the Q of the moves
 * with rewards=1,reward=score and depth=24 are close to those of the optimal player
 * (tests/agents/search/test_mcts.c).
 *
 * All games of a batch of roll-outs are played together. Games of the agent random use
 * boards/simd/playout.h, which plays the same games many times faster; a test compares the two.
 * Draws from the stream in each step: by the prior's act(), if it has no chances(), for all new
 * positions; then for each simulation, in order, by tree_choose() and by the spawn; at the end by
 * the roll-outs: playouts take one seed; other games proceed in rounds, first the moves of all
 * games, then their spawns.
 */
#include "agents/agent.h"
#include "agents/play.h"
#include "base/clock.h"
#include "base/stop.h"
#include "base/virtual_memory.h"
#include "boards/simd/bytes.h"
#include "boards/simd/playout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A position in the tree. Invariant: done[a] <= tried[a]; sum[a] is the sum of done[a] returns. */
struct tree_node {
	struct board board;
	double prior[DIRECTIONS], sum[DIRECTIONS];
	uint32_t tried[DIRECTIONS]; /* simulations that went through a */
	uint32_t done[DIRECTIONS];  /* simulations with known returns */
};

enum tree_select { TREE_PRINTED, TREE_PUCT, TREE_UCB1, TREE_EVEN };
enum tree_norm { TREE_NORM_NONE, TREE_NORM_RANGE, TREE_NORM_SD };
enum tree_untried { TREE_UNTRIED_ZERO, TREE_UNTRIED_MEAN, TREE_UNTRIED_FIRST };
enum { LEAF_AUTO, LEAF_STATE, LEAF_AFTER };
enum { REWARD_MAX, REWARD_SCORE };

struct tree {
	uint32_t count, room; /* positions; room is below 2^31 */
	struct tree_node *node;

	/* slot[i]: generation << 32 | position; empty if the generation is another */
	uint64_t *slot;
	uint64_t slots; /* a power of two, at least twice the room */
	uint32_t generation;

	/* Statistics for scaling Q: returns of whole simulations, smallest and largest Q(s, a). */
	uint64_t returns;
	double mean, squares, least, most;
	double offset, width; /* q = (Q - offset) / width, at the last tree_scale() */
};

/* Buffers for roll-outs, or for positions that a value evaluates. */
struct rollouts {
	struct board *board, *last;
	struct playout *result;
	struct turn *turn;
	double (*chance)[DIRECTIONS];
	int *move;
	size_t *game_of;
	double *worth;
};

struct simulation_step {
	struct tree_node *node;
	int move;
	double reward;
};

struct mcts {
	bool interrupted; /* a move was cut short by a request to stop */

	/* Parameters. */
	int64_t sims, depth, leaves, rollouts, rollout_moves, memory;
	char prior[FIELD_TEXT_MAX], rollout[FIELD_TEXT_MAX];
	struct value *value;
	int leaf, reward, rewards, select, norm, untried, grow, decide, spawns; /* choices */
	double uniform, terminal, c, ms;

	const struct game *game; /* game of simulations: the real one, or `twos` */
	struct game twos;	 /* the game with spawns of 2 only */
	/* NULL if not needed. Without a player of roll-outs these are boards/simd/playout.h. */
	struct agent *prior_agent, *rollout_agent;
	struct tree tree;
	struct leaf_rule rule; /* of the value */
	double points;	       /* weight of a point made in the tree; 0: not counted */
	size_t width;	       /* maximal number of parallel simulations */

	/* Statistics of this decision. */
	uint64_t simulations, nodes;
	int deepest;

	/* The parallel simulations. */
	struct turn *turn;
	struct board *board;
	struct simulation_step *step; /* [width][depth] */
	int *length;
	size_t *walking;
	double *worth;
	/* Positions that need a prior. */
	struct turn *asked;
	struct tree_node **asking;
	double (*chance)[DIRECTIONS];
	struct rollouts games;
};

/* Bytes per position, including slots. */
enum { TREE_NODE_BYTES = sizeof(struct tree_node) + 4 * sizeof(uint64_t) };

static void tree_clear(struct tree *tree)
{
	tree->count = 0;
	tree->generation++;
	tree->returns = 0;
	tree->mean = tree->squares = 0;
	tree->least = INFINITY;
	tree->most = -INFINITY;
}

/*
 * Initialises an empty tree for at most ROOM positions, 1 .. 2^31 - 1. Call tree_fini() also on
 * failure.
 */
static enum status tree_init(struct tree *tree, uint64_t room, struct why *why)
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

static void tree_fini(struct tree *tree)
{
	virtual_memory_unmap(tree->node, tree->room, sizeof *tree->node);
	virtual_memory_unmap(tree->slot, tree->slots, sizeof *tree->slot);
	*tree = (struct tree){0};
}

/* Returns the node of BOARD, or creates it (*FRESH); NULL if there is no room. */
static struct tree_node *tree_find(struct tree *tree, const struct board *board, bool *fresh)
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

/* Returns Q(s, a), or NAN if no return is known. */
static double tree_q(const struct tree_node *node, int move)
{
	return node->done[move] ? node->sum[move] / node->done[move] : NAN;
}

/* Updates the scale of Q. */
static void tree_scale(struct tree *tree, int norm)
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

/* Returns the scaled q of a move in NODE without a known return. */
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

/*
 * Returns the exploration bonus of move D after VISITS of NODE in total; ROOT is their square root.
 */
static double bonus(const struct mcts *m, const struct tree_node *node, int d, double visits,
		    double root)
{
	const double tried = node->tried[d];
	switch (m->select) {
	case TREE_PRINTED:
		return m->c * node->prior[d] / (1 + tried);
	case TREE_PUCT:
		return m->c * node->prior[d] * root / (1 + tried);
	default:
		return node->tried[d] ? m->c * sqrt(log(visits) / tried) : INFINITY;
	}
}

/* Sets worth[d] to the score of move d under the selection rule. */
static void moves_score(const struct mcts *m, const struct tree_node *node, unsigned legal,
			double worth[DIRECTIONS])
{
	const struct tree *tree = &m->tree;
	double visits = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		visits += node->tried[d];
	const double untried = untried_q(tree, node, m->untried), root = sqrt(visits);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(legal >> d & 1))
			continue;
		if (m->select == TREE_EVEN)
			worth[d] = -(double)node->tried[d];
		else if (m->untried == TREE_UNTRIED_FIRST && !node->tried[d])
			worth[d] = INFINITY;
		else
			worth[d] = (node->done[d] ? scaled(tree, tree_q(node, d)) : untried) +
				   bonus(m, node, d, visits, root);
	}
}

/*
 * Selects a move among LEGAL ones in NODE by the rule; breaks ties at random with RNG. Running
 * simulations count as visits, so that parallel simulations spread out (Liu, Chen, Yu, Zhai, Zhou,
 * Liu: Watch the Unobserved, ICLR 2020, section 4: unfinished samples count in the bonus, not in
 * Q).
 */
static int tree_choose(const struct mcts *m, const struct tree_node *node, unsigned legal,
		       struct rng *rng)
{
	double worth[DIRECTIONS];
	int best = -1;
	uint32_t equal = 0;
	moves_score(m, node, legal, worth);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(legal >> d & 1))
			continue;
		if (best < 0 || worth[d] > worth[best]) {
			best = d;
			equal = 1;
		} else if (!(worth[d] < worth[best]) && rng_below(rng, ++equal) == 0) {
			best = d; /* the n-th with probability 1/n, so all are equally likely */
		}
	}
	return best;
}

/* Adds RETURNED, the return of a simulation that went through MOVE in NODE. */
static void tree_backup(struct tree *tree, struct tree_node *node, int move, double returned)
{
	node->done[move]++;
	node->sum[move] += returned;
	const double q = tree_q(node, move);
	tree->least = fmin(tree->least, q);
	tree->most = fmax(tree->most, q);
}

/*
 * Adds the return of a whole simulation to the statistics (Welford, Note on a method for
 * calculating corrected sums of squares and products, 1962).
 */
static void tree_count(struct tree *tree, double returned)
{
	const double off = returned - tree->mean;
	tree->returns++;
	tree->mean += off / (double)tree->returns;
	tree->squares += off * (returned - tree->mean);
}

/* Whether a value, and not roll-outs, evaluates the ends of simulations. */
static bool uses_value(const struct mcts *m)
{
	return strcmp(m->rollout, "none") == 0;
}

/* Evaluates positions by a value, all non-terminal ones in one call. */
static void states_evaluate(struct mcts *m, size_t n)
{
	size_t asked = 0;
	for (size_t i = 0; i < n; i++)
		if (m->turn[i].moves.legal)
			m->games.board[asked++] = m->board[i];
	if (asked)
		value_eval(m->value, m->games.board, asked, m->games.worth);
	for (size_t i = 0, next = 0; i < n; i++)
		m->worth[i] = m->turn[i].moves.legal ? m->games.worth[next++] : m->rule.terminal;
}

/* Evaluates positions by the best after-state or move under a value. */
static void afterstates_evaluate(struct mcts *m, size_t n)
{
	for (size_t first = 0; first < n; first += BATCH_MAX) {
		const size_t count = n - first < BATCH_MAX ? n - first : BATCH_MAX;
		struct batch batch;
		for (size_t i = 0; i < count; i++)
			batch_put(&batch, i, &m->board[first + i], m->game->rows);
		value_best(m->value, m->game, &m->rule, &batch, count, m->worth + first);
	}
}

/* Playouts between two looks for a request to stop: on 6x6 a quarter of a second. */
enum { PLAYOUTS = 1 << 16 };

/* Plays COUNT random games from m->games.board to their end, unless a stop is requested. */
static void games_random(struct mcts *m, size_t count, struct rng *rng)
{
	const uint64_t high = rng_u32(rng), seed = high << 32 | rng_u32(rng);
	struct rollouts *games = &m->games;
	for (size_t i = 0; i < count && !stop_requested(); i += PLAYOUTS)
		playouts_run(m->game, games->board + i, count - i < PLAYOUTS ? count - i : PLAYOUTS,
			     seed, i / PLAYOUTS, games->result + i,
			     m->reward == REWARD_MAX ? games->last + i : NULL);
}

/* Makes MOVE in running game K. Returns whether the game continues. */
static bool game_step(struct mcts *m, size_t k, int move, struct rng *rng)
{
	struct playout *result = &m->games.result[m->games.game_of[k]];
	struct turn *turn = &m->games.turn[k];
	result->points += turn->moves.reward[move];
	result->moves++;
	turn_move(turn, &m->games.board[k], move, rng);
	return turn->moves.legal && result->moves != (uint64_t)m->rollout_moves &&
	       !stop_requested();
}

/* Plays COUNT games of the player from m->games.turn on. */
static void games_agent_policy(struct mcts *m, size_t count, struct rng *rng)
{
	struct rollouts *games = &m->games;
	for (size_t k = 0; k < count; k++)
		games->game_of[k] = k;
	while (count) {
		size_t left = 0;
		agent_policy_moves(m->rollout_agent, games->turn, count, rng, games->chance,
				   games->move);
		for (size_t k = 0; k < count; k++) {
			const size_t game = games->game_of[k];
			if (!game_step(m, k, games->move[k], rng)) {
				games->last[game] = games->board[k];
				continue;
			}
			games->board[left] = games->board[k];
			games->turn[left] = games->turn[k];
			games->turn[left].board = &games->board[left];
			games->game_of[left++] = game;
		}
		count = left;
	}
}

static double tile_share(const struct board *board)
{
	return ldexp(1, board_max(board)) / 2048;
}

static double game_worth(const struct mcts *m, size_t game)
{
	return m->reward == REWARD_MAX ? tile_share(&m->games.last[game])
				       : (double)m->games.result[game].points;
}

static uint64_t rollouts_worth(struct mcts *m, size_t n, struct rng *rng)
{
	const size_t rollouts = (size_t)m->rollouts;
	size_t count = 0;
	uint64_t made = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < rollouts && m->turn[i].moves.legal; j++, count++) {
			m->games.board[count] = m->games.last[count] = m->board[i];
			m->games.result[count] = (struct playout){0};
			if (!m->rollout_agent)
				continue;
			m->games.turn[count] = m->turn[i];
			m->games.turn[count].board = &m->games.board[count];
		}
	if (m->rollout_agent)
		games_agent_policy(m, count, rng);
	else
		games_random(m, count, rng);
	for (size_t k = 0; k < count; k++)
		made += m->games.result[k].moves;
	for (size_t i = 0, next = 0; i < n; i++) {
		double sum = 0;
		for (size_t j = 0; j < rollouts && m->turn[i].moves.legal; j++)
			sum += game_worth(m, next++);
		m->worth[i] = sum / (double)rollouts;
		if (!m->turn[i].moves.legal)
			m->worth[i] = m->reward == REWARD_MAX ? tile_share(&m->board[i]) : 0;
	}
	return made;
}

/*
 * Sets m->worth[i], i < N, to the value of m->turn[i]. Without a legal move it is `terminal` if
 * there is a value, else the result of the finished game. Returns the number of positions created.
 */
static uint64_t leaves_evaluate(struct mcts *m, size_t n, struct rng *rng)
{
	if (!uses_value(m))
		return rollouts_worth(m, n, rng);
	if (m->leaf == LEAF_AFTER)
		afterstates_evaluate(m, n);
	else
		states_evaluate(m, n);
	return 0;
}

/*
 * Allocates N elements of SIZE bytes, aligned to 64, for free(). Sets *FAILED if memory runs out.
 */
static void *scratch_new(size_t n, size_t size, bool *failed)
{
	void *made = aligned_alloc(64, (n * size + 63) / 64 * 64);
	*failed |= !made;
	return made;
}

/* Allocates the buffers. Call mcts_fini() also on failure. */
static enum status buffers_init(struct mcts *m, struct why *why)
{
	const size_t games = m->width * (size_t)(uses_value(m) ? 1 : m->rollouts);
	const size_t turns = m->rollout_agent ? games : 1; /* playouts need no turns */
	bool failed = false;
	m->turn = scratch_new(m->width, sizeof *m->turn, &failed);
	m->board = scratch_new(m->width, sizeof *m->board, &failed);
	m->step = scratch_new(m->width * (size_t)m->depth, sizeof *m->step, &failed);
	m->length = scratch_new(m->width, sizeof *m->length, &failed);
	m->walking = scratch_new(m->width, sizeof *m->walking, &failed);
	m->worth = scratch_new(m->width, sizeof *m->worth, &failed);
	m->asked = scratch_new(m->width, sizeof *m->asked, &failed);
	m->asking = scratch_new(m->width, sizeof(struct tree_node *), &failed);
	m->chance = scratch_new(m->width, sizeof *m->chance, &failed);
	m->games.board = scratch_new(games, sizeof *m->games.board, &failed);
	m->games.last = scratch_new(games, sizeof *m->games.last, &failed);
	m->games.result = scratch_new(games, sizeof *m->games.result, &failed);
	m->games.turn = scratch_new(turns, sizeof *m->games.turn, &failed);
	m->games.chance = scratch_new(turns, sizeof *m->games.chance, &failed);
	m->games.move = scratch_new(turns, sizeof *m->games.move, &failed);
	m->games.game_of = scratch_new(turns, sizeof *m->games.game_of, &failed);
	m->games.worth = scratch_new(games, sizeof *m->games.worth, &failed);
	return failed ? why_set(why, STATUS_SYSTEM, "out of memory for %zu simulations at a time",
				m->width)
		      : STATUS_OK;
}

/* Sets P of the new positions. */
static void priors_ask(struct mcts *m, size_t n, struct rng *rng)
{
	if (!n || !m->prior_agent)
		return;
	agent_policy_chances(m->prior_agent, m->asked, n, rng, m->chance);
	for (size_t i = 0; i < n; i++) {
		const unsigned legal = m->asked[i].moves.legal;
		const double share = m->uniform / __builtin_popcount(legal);
		for (int d = 0; d < DIRECTIONS; d++)
			if (legal >> d & 1)
				m->asking[i]->prior[d] = (1 - m->uniform) * m->chance[i][d] + share;
	}
}

/*
 * Finds or inserts the positions of the simulations in the tree. Returns the number of simulations
 * that continue.
 */
static size_t positions_find(struct mcts *m, size_t n, int depth, struct rng *rng)
{
	size_t left = 0, fresh_ones = 0;
	for (size_t k = 0; k < n; k++) {
		const size_t i = m->walking[k];
		bool fresh;
		struct tree_node *node = tree_find(&m->tree, &m->board[i], &fresh);
		if (!node)
			continue;
		if (fresh) {
			m->asked[fresh_ones] = m->turn[i];
			m->asking[fresh_ones++] = node;
		}
		if (fresh && depth && m->grow)
			continue;
		m->step[i * (size_t)m->depth + (size_t)depth].node = node;
		m->walking[left++] = i;
	}
	priors_ask(m, fresh_ones, rng);
	return left;
}

/* Makes a move of simulation I. Returns whether it can continue. */
static bool simulation_step(struct mcts *m, size_t i, int depth, struct rng *rng)
{
	struct turn *turn = &m->turn[i];
	struct simulation_step *step = &m->step[i * (size_t)m->depth + (size_t)depth];
	step->move = tree_choose(m, step->node, turn->moves.legal, rng);
	step->reward = (double)turn->moves.reward[step->move];
	step->node->tried[step->move]++;
	turn_move(turn, &m->board[i], step->move, rng);
	m->length[i] = depth + 1;
	return turn->moves.legal;
}

/* Runs N simulations to their ends. */
static void simulations_walk(struct mcts *m, size_t n, struct rng *rng)
{
	for (int depth = 0; depth < m->depth && n; depth++) {
		size_t left = 0;
		n = positions_find(m, n, depth, rng);
		m->nodes += n;
		m->deepest = n && depth >= m->deepest ? depth + 1 : m->deepest;
		for (size_t k = 0; k < n; k++) {
			const size_t i = m->walking[k];
			if (simulation_step(m, i, depth, rng))
				m->walking[left++] = i;
		}
		n = left;
	}
}

/*
 * Adds the return of each move of a simulation: the value of the end plus the points from the move
 * on.
 */
static void simulation_backup(struct mcts *m, size_t i)
{
	double returned = m->worth[i];
	for (int depth = m->length[i] - 1; depth >= 0; depth--) {
		struct simulation_step *step = &m->step[i * (size_t)m->depth + (size_t)depth];
		if (m->points > 0)
			returned += m->points * step->reward;
		tree_backup(&m->tree, step->node, step->move, returned);
	}
	tree_count(&m->tree, returned);
}

/*
 * Runs N <= width simulations from ROOT, which has a legal move, in parallel, all of them step by
 * step. None uses the returns of another; tree_choose() spreads them.
 */
static void simulate_run(struct mcts *m, const struct turn *root, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		m->board[i] = *root->board;
		m->turn[i] = *root;
		m->turn[i].game = m->game;
		m->turn[i].board = &m->board[i];
		m->length[i] = 0;
		m->walking[i] = i;
	}
	tree_scale(&m->tree, m->norm);
	simulations_walk(m, n, rng);
	m->nodes += leaves_evaluate(m, n, rng);
	for (size_t i = 0; i < n; i++)
		simulation_backup(m, i);
	m->simulations += n;
}

enum { LEAVES_LEAST = 16, LEAVES_MOST = 256, LEAVES_SHARE = 4 };
enum { SIMS_DEFAULT = 1000, SIMS_MAX = 1000000000, DEPTH_MAX = 64, GAMES_MAX = 1 << 20 };

enum { REWARDS_AUTO, REWARDS_NO, REWARDS_YES };
enum { DECIDE_VISITS, DECIDE_VALUE };
enum { SPAWNS_GAME, SPAWNS_TWO };

static const struct field mcts_params[] = {
    {FIELD_MEMBER(FIELD_INTEGER, mcts, sims), .fallback = "auto", .min = 1, .max = SIMS_MAX,
     .choices = "auto", .help = "simulations per move; auto: 1000, or with ms as many as fit"},
    {FIELD_MEMBER(FIELD_INTEGER, mcts, depth), .fallback = "3", .min = 1, .max = DEPTH_MAX,
     .help = "own moves of a simulation in the tree"},
    {FIELD_MEMBER(FIELD_AGENT, mcts, prior), .fallback = "random",
     .help = "agent whose probabilities are the prior, with '+' for ',' in its settings"},
    {FIELD_MEMBER(FIELD_REAL, mcts, uniform), .fallback = "0", .min = 0, .max = 1,
     .help = "share of the prior that is equal for all legal moves", .scale = 0.1},
    {FIELD_MEMBER(FIELD_AGENT, mcts, rollout), .fallback = "random",
     .help = "agent that continues where a simulation ends; none: the value is used"},
    {FIELD_MEMBER(FIELD_INTEGER, mcts, rollouts), .fallback = "1", .min = 1, .max = GAMES_MAX,
     .help = "roll-outs per simulation; the result is their mean"},
    {FIELD_MEMBER(FIELD_INTEGER, mcts, rollout_moves), .fallback = "0", .min = 0, .max = SIMS_MAX,
     .help = "moves per roll-out; 0: to the end of the game"},
    {FIELD_MEMBER(FIELD_VALUE, mcts, value), .fallback = "strong",
     .help = "with rollout=none: value of a position"},
    {FIELD_MEMBER(FIELD_CHOICE, mcts, leaf), .fallback = "auto", .choices = "auto|state|after",
     .help = "what the value evaluates: the position, or the best after-state of one more move; "
	     "auto: what the value was made for"},
    {FIELD_MEMBER(FIELD_CHOICE, mcts, reward), .fallback = "score", .choices = "max|score",
     .help = "result of a roll-out: its largest tile / 2048, or its points"},
    {FIELD_MEMBER(FIELD_CHOICE, mcts, rewards), .fallback = "auto", .choices = "auto|0|1",
     .help = "whether points made in the tree count too; auto: if the results of roll-outs or "
	     "values are in points"},
    {FIELD_MEMBER(FIELD_REAL, mcts, terminal), .fallback = "-100", .min = -1e15, .max = 1e15,
     .help = "with rollout=none: value of a position without a legal move"},
    {FIELD_MEMBER(FIELD_CHOICE, mcts, select), .fallback = "puct",
     .choices = "printed|puct|ucb1|even",
     .help = "rule of the tree: Q + c P / (1 + N), Q + c P sqrt(sum N) / (1 + N), "
	     "Q + c sqrt(ln sum N / N), or all moves equally often"},
    {FIELD_MEMBER(FIELD_REAL, mcts, c), .fallback = "4", .min = 0, .max = 1e12,
     .help = "weight of exploration, in units of the normalised Q"},
    {FIELD_MEMBER(FIELD_CHOICE, mcts, norm), .fallback = "sd", .choices = "none|range|sd",
     .help = "normalisation of Q: none, the range of all Q, or mean and standard deviation of the "
	     "returns"},
    {FIELD_MEMBER(FIELD_CHOICE, mcts, untried), .fallback = "mean", .choices = "zero|mean|first",
     .help = "Q of a move before its first return: 0, the mean of its position, or more than that "
	     "of any other move"},
    {FIELD_MEMBER(FIELD_CHOICE, mcts, grow), .fallback = "path", .choices = "path|node",
     .help = "whether a simulation always goes to its depth, or ends at the first new position"},
    {FIELD_MEMBER(FIELD_CHOICE, mcts, spawns), .fallback = "game", .choices = "game|2",
     .help = "tiles that appear in simulations: by the rule of the game, or 2s only"},
    {FIELD_MEMBER(FIELD_CHOICE, mcts, decide), .fallback = "visits", .choices = "visits|value",
     .help = "the move chosen: most visited, or with the largest Q"},
    {FIELD_MEMBER(FIELD_INTEGER, mcts, leaves), .fallback = "auto", .min = 1, .max = GAMES_MAX,
     .choices = "auto",
     .help = "simulations per batch, each without the returns of the others; auto: a quarter of "
	     "those made so far, 16 to 256"},
    {FIELD_MEMBER(FIELD_BYTES, mcts, memory), .fallback = "256M", .min = 1024, .max = 0x1p38,
     .help = "memory of the tables; when they are full, simulations end where they would grow"},
    {FIELD_MEMBER(FIELD_REAL, mcts, ms), .fallback = "0", .min = 0, .max = 1e9,
     .help = "milliseconds per move, as exactly as batches of simulations allow; 0: no limit",
     .scale = 1},
    {0},
};

/* Returns the maximal number of parallel simulations. */
static int64_t mcts_leaves(const struct mcts *m)
{
	const int64_t leaves = m->leaves == FIELD_WORD ? LEAVES_MOST : m->leaves;
	return m->sims == FIELD_WORD || leaves < m->sims ? leaves : m->sims;
}

static enum status mcts_check(const struct mcts *m, struct why *why)
{
	if (m->select == TREE_EVEN && m->decide == DECIDE_VISITS)
		return why_set(
		    why, STATUS_INPUT,
		    "mcts: select=even visits every move as often, expected decide=value");
	if (uses_value(m) && (m->rollouts > 1 || m->rollout_moves))
		return why_set(why, STATUS_INPUT,
			       "mcts: rollout=none plays no games, expected no rollouts and no "
			       "rollout_moves");
	if (mcts_leaves(m) * m->rollouts > GAMES_MAX)
		return why_set(
		    why, STATUS_INPUT,
		    "mcts: %lld simulations with rollouts=%lld are too many games at a time, "
		    "expected at most %d",
		    (long long)mcts_leaves(m), (long long)m->rollouts, GAMES_MAX);
	return STATUS_OK;
}

/* Creates the agent that parameter KEY names. */
static enum status mcts_agent_new(const char *key, const char *text, const struct agent_env *env,
				  struct agent **agent, struct why *why)
{
	struct why inner;
	const enum status status = agent_nested(text, env, agent, &inner);
	return status ? why_set(why, status, "%s=%.60s: %s", key, text, inner.text) : STATUS_OK;
}

/* Creates the agents and the value that the parameters need. */
static enum status mcts_ask(struct mcts *m, const struct agent_env *env, struct why *why)
{
	const struct mcts *owner = env->owner;
	struct agent_env inner_env = *env;
	enum status status = STATUS_OK;
	if (m->select == TREE_PRINTED || m->select == TREE_PUCT) {
		inner_env.owner = owner ? owner->prior_agent->self : NULL;
		status = mcts_agent_new("prior", m->prior, &inner_env, &m->prior_agent, why);
	}
	if (!status && uses_value(m)) {
		inner_env.owner = owner ? owner->value->self : NULL;
		status = value_init(m->value, &inner_env, why);
	} else if (!status && (strcmp(m->rollout, "random") != 0 || m->rollout_moves)) {
		inner_env.owner = owner ? owner->rollout_agent->self : NULL;
		status = mcts_agent_new("rollout", m->rollout, &inner_env, &m->rollout_agent, why);
	}
	return status;
}

/* Returns the number of positions that the tables can need or hold. */
static uint64_t mcts_room(const struct mcts *m)
{
	const uint64_t fit = (uint64_t)m->memory / TREE_NODE_BYTES;
	const uint64_t most = fit < INT32_MAX ? fit : INT32_MAX;
	const uint64_t need = 1 + (uint64_t)m->depth * (uint64_t)m->sims;
	return need < most ? need : most;
}

/* Sets the game of simulations. */
static void mcts_game_set(struct mcts *m, const struct game *game)
{
	m->game = game;
	if (m->spawns != SPAWNS_TWO)
		return;
	m->twos = *game;
	m->twos.spawn = (struct spawn_rule){.kinds = 1, .exponent = {1}, .probability = {1}};
	m->game = &m->twos;
}

/* Resolves what is evaluated at the end of simulations, and whether points in the tree count. */
static void mcts_leaf_set(struct mcts *m)
{
	const struct value_class *class = uses_value(m) ? m->value->class : NULL;
	bool points = m->rewards == REWARDS_YES, after = m->leaf == LEAF_AFTER;
	if (m->rewards == REWARDS_AUTO)
		points = class ? class->in_points : m->reward == REWARD_SCORE;
	if (m->leaf == LEAF_AUTO && class && class->of_after_states)
		after = class->of_after_states(m->value->self);
	m->leaf = after ? LEAF_AFTER : LEAF_STATE;
	m->rewards = points ? REWARDS_YES : REWARDS_NO;
	m->rule = leaf_rule_of(m->game, false, points, m->terminal);
	m->points = !points ? 0 : !class && m->reward == REWARD_MAX ? 1.0 / 2048 : 1;
}

/* With a time per move, the number of simulations is not fixed. */
static void mcts_resolve(void *self, const struct game *game)
{
	struct mcts *m = self;
	(void)game;
	if (m->ms > 0 && m->sims == SIMS_MAX)
		m->sims = FIELD_WORD;
}

static void mcts_fini(void *self)
{
	struct mcts *m = self;
	void *const buffers[] = {m->turn,	m->board,	 m->step,	m->length,
				 m->walking,	m->worth,	 m->asked,	m->asking,
				 m->chance,	m->games.board,	 m->games.last, m->games.result,
				 m->games.turn, m->games.chance, m->games.move, m->games.game_of,
				 m->games.worth};
	for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
		free(buffers[i]);
	tree_fini(&m->tree);
	agent_free(m->prior_agent);
	agent_free(m->rollout_agent);
}

/* Returns the failure of the prior or of the roll-outs' player. */
static enum status mcts_agents_check(const void *self, struct why *why)
{
	const struct mcts *m = self;
	enum status status = m->prior_agent ? agent_check(m->prior_agent, why) : STATUS_OK;
	if (!status && m->rollout_agent)
		status = agent_check(m->rollout_agent, why);
	return status;
}

static enum status mcts_init(void *self, const struct agent_env *env, struct why *why)
{
	struct mcts *m = self;
	enum status status = mcts_check(m, why);
	if (!status)
		status = mcts_ask(m, env, why);
	if (m->sims == FIELD_WORD)
		m->sims = m->ms > 0 ? SIMS_MAX : SIMS_DEFAULT;
	mcts_game_set(m, env->game);
	m->width = (size_t)mcts_leaves(m);
	mcts_leaf_set(m);
	if (!status)
		status = tree_init(&m->tree, mcts_room(m), why);
	if (!status)
		status = buffers_init(m, why);
	if (status)
		mcts_fini(m);
	return status;
}

/* Whether move A is better than B. */
static bool move_better(const struct mcts *m, const struct tree_node *root, int a, int b)
{
	if (m->decide == DECIDE_VISITS && root->tried[a] != root->tried[b])
		return root->tried[a] > root->tried[b];
	return tree_q(root, a) > tree_q(root, b) || (root->tried[a] && !root->tried[b]);
}

static int mcts_decide(struct mcts *m, const struct turn *turn, struct decision *decision)
{
	bool fresh;
	const struct tree_node *root = tree_find(&m->tree, turn->board, &fresh);
	int best = -1;
	for (int d = 0; d < DIRECTIONS; d++) {
		decision->value[d] = tree_q(root, d);
		decision->chance[d] = (double)root->tried[d] / (double)m->simulations;
		if (turn->moves.legal >> d & 1 && (best < 0 || move_better(m, root, d, best)))
			best = d;
	}
	decision->nodes = m->nodes + 1;
	decision->depth = m->deepest;
	return best;
}

/* Returns the number of simulations to run next. */
static size_t mcts_next(const struct mcts *m)
{
	const uint64_t done = m->simulations, left = (uint64_t)m->sims - done;
	size_t next = m->width;
	if (m->leaves == FIELD_WORD) {
		const size_t share = (size_t)(done / LEAVES_SHARE);
		next = share < next ? share : next;
		next = next < LEAVES_LEAST ? LEAVES_LEAST : next;
	}
	return left < next ? (size_t)left : next;
}

static int mcts_act(void *self, const struct turn *turn, struct rng *rng, struct decision *decision)
{
	struct mcts *m = self;
	const double end = m->ms > 0 ? clock_seconds() + 1e-3 * m->ms : INFINITY;
	tree_clear(&m->tree);
	m->simulations = m->nodes = 0;
	m->deepest = 0;
	do {
		simulate_run(m, turn, mcts_next(m), rng);
		m->interrupted = stop_requested();
	} while (m->simulations < (uint64_t)m->sims && (m->ms <= 0 || clock_seconds() < end) &&
		 !m->interrupted);
	return mcts_decide(m, turn, decision);
}

/* After Ctrl-C the move may differ from the move after all simulations. */
static bool mcts_interrupted(const void *self)
{
	return ((const struct mcts *)self)->interrupted;
}

const struct agent_class mcts_agent = {
    .name = "mcts",
    .summary = "Monte Carlo tree search with a prior and roll-outs, or with a value",
    .params = mcts_params,
    .size = sizeof(struct mcts),
    .init = mcts_init,
    .act = mcts_act,
    .resolve = mcts_resolve,
    .interrupted = mcts_interrupted,
    .check = mcts_agents_check,
    .fini = mcts_fini,
};
