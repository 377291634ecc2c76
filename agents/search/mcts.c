/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Monte-Carlo tree search, after Dedieu, Amar, Deep Reinforcement Learning for 2048, section 5.2.
 *
 * Tables keep for positions s and moves a: N(s, a), how many simulations went through a; Q(s, a),
 * the mean of what they returned; P(s, a), the prior, the chances of another agent's moves in s. A
 * simulation starts from the position to be decided, goes to the move that the rule of
 * agents/search/tree.c chooses, lets a random tile appear, and so on until it has made `depth` own
 * moves or the game is over. The position s_L where it ends is worth
 *
 *   reward=max     the largest tile at the end of a roll-out from s_L / 2048, the paper's V
 *   reward=score   the points that a roll-out makes from s_L on
 *   rollout=none   value(s_L), or what expectimax's leaf=after makes of it
 *
 * averaged over `rollouts` games. With rewards=1 the points made between s and s_L are added to
 * what comes back to s, for reward=max divided by 2048. After `sims` simulations, or `ms`
 * milliseconds, the move most often visited is made (the larger Q of equally many, then the first
 * direction), or that with the largest Q.
 *
 * Chance nodes are closed: a position after a spawn has tables of its own, whichever moves led to
 * it. The tables live for one decision. Of the positions that could follow, the one that does comes
 * with the visits of one spawn among many, too few to be worth keeping; docs/mcts.md has the count.
 *
 * Where we deviate, by parameters whose other setting is the paper's: Q is scaled before c is added
 * to it (norm, untried; the paper's are none, zero); a move may end the simulation at the first
 * position that is new (grow=node); simulations are made `leaves` at a time so that their roll-outs
 * fill the lanes of boards/simd/playout.h, spread by the visits of those before them but not by
 * their returns (leaves=1 is the paper's). The paper does not say how equal moves are told apart in
 * a simulation: here by lot.
 *
 * depth=1, select=even, decide=value is flat Monte-Carlo. Check value: on 2x2 the Q of the moves
 * with rewards=1,reward=score and depth=24 come near those of the optimal player
 * (tests/agents/search/test_mcts.c).
 */
#include "agents/agent.h"
#include "agents/search/search.h"
#include "agents/search/simulate.h"

#include <math.h>
#include <string.h>

enum { LEAVES_LEAST = 16, LEAVES_MOST = 256, LEAVES_SHARE = 4 };
enum { SIMS_DEFAULT = 1000, SIMS_MAX = 1000000000, DEPTH_MAX = 64, GAMES_MAX = 1 << 20 };

struct mcts {
	int64_t sims, depth, leaves, rollouts, rollout_moves, memory;
	char prior[PARAM_TEXT_MAX], rollout[PARAM_TEXT_MAX];
	struct value *value;
	int leaf, reward, rewards, select, norm, untried, grow, decide; /* choices */
	double uniform, terminal, c, ms;

	struct agent *prior_agent, *rollout_agent;
	struct simulate simulate;
};

enum { LEAF_AUTO, LEAF_STATE, LEAF_AFTER };
enum { REWARD_MAX, REWARD_SCORE };
enum { REWARDS_AUTO, REWARDS_NO, REWARDS_YES };
enum { DECIDE_VISITS, DECIDE_VALUE };

#define FIELD(kind_, name_) .name = #name_, .kind = kind_, .offset = offsetof(struct mcts, name_)

static const struct param mcts_params[] = {
    {FIELD(PARAM_INT, sims), .fallback = "auto", .min = 1, .max = SIMS_MAX, .choices = "auto",
     .doc = "simulations a move; auto: 1000, or with ms as many as fit"},
    {FIELD(PARAM_INT, depth), .fallback = "3", .min = 1, .max = DEPTH_MAX,
     .doc = "own moves of a simulation in the tree"},
    {FIELD(PARAM_AGENT, prior), .fallback = "random",
     .doc = "agent whose chances are the prior, '+' for ',' in its settings"},
    {FIELD(PARAM_REAL, uniform), .fallback = "0", .min = 0, .max = 1,
     .doc = "share of the prior that is alike for all legal moves"},
    {FIELD(PARAM_AGENT, rollout), .fallback = "random",
     .doc = "agent that plays on where a simulation ends; none: the value is asked"},
    {FIELD(PARAM_INT, rollouts), .fallback = "1", .min = 1, .max = GAMES_MAX,
     .doc = "games it plays there, whose mean counts"},
    {FIELD(PARAM_INT, rollout_moves), .fallback = "0", .min = 0, .max = SIMS_MAX,
     .doc = "moves of such a game; 0: to its end"},
    {FIELD(PARAM_VALUE, value), .fallback = "strong",
     .doc = "with rollout=none what judges a position"},
    {FIELD(PARAM_CHOICE, leaf), .fallback = "auto", .choices = "auto|state|after",
     .doc =
	 "what it judges: the position, or the best after-state of one more move; auto: what the "
	 "value was made for"},
    {FIELD(PARAM_CHOICE, reward), .fallback = "score", .choices = "max|score",
     .doc = "what a roll-out is worth: its largest tile / 2048, or the points it makes"},
    {FIELD(PARAM_CHOICE, rewards), .fallback = "auto", .choices = "auto|0|1",
     .doc = "whether points made in the tree count too; auto: if what is added to is points"},
    {FIELD(PARAM_REAL, terminal), .fallback = "-100", .min = -1e15, .max = 1e15,
     .doc = "with rollout=none value of a position without a legal move"},
    {FIELD(PARAM_CHOICE, select), .fallback = "puct", .choices = "printed|puct|ucb1|even",
     .doc = "rule of the tree: Q + c P / (1 + N), Q + c P sqrt(sum N) / (1 + N), "
	    "Q + c sqrt(ln sum N / N), or all moves equally often"},
    {FIELD(PARAM_REAL, c), .fallback = "4", .min = 0, .max = 1e12,
     .doc = "weight of exploration, in what norm makes of Q"},
    {FIELD(PARAM_CHOICE, norm), .fallback = "sd", .choices = "none|range|sd",
     .doc =
	 "what Q is measured in: as it is, the range of all Q, or mean and standard deviation of "
	 "the returns"},
    {FIELD(PARAM_CHOICE, untried), .fallback = "mean", .choices = "zero|mean|first",
     .doc = "Q of a move before its first return: 0, the mean of its position, or above all"},
    {FIELD(PARAM_CHOICE, grow), .fallback = "path", .choices = "path|node",
     .doc = "whether a simulation always goes to its depth, or ends at the first new position"},
    {FIELD(PARAM_CHOICE, decide), .fallback = "visits", .choices = "visits|value",
     .doc = "the move made: most visited, or of the largest Q"},
    {FIELD(PARAM_INT, leaves), .fallback = "auto", .min = 1, .max = GAMES_MAX, .choices = "auto",
     .doc =
	 "simulations made at a time, each without the returns of the others; auto: a quarter of "
	 "those made so far, 16 to 256"},
    {FIELD(PARAM_SIZE, memory), .fallback = "256M", .min = 1024, .max = 0x1p38,
     .doc = "of the tables; when they are full, simulations end where they would grow"},
    {FIELD(PARAM_REAL, ms), .fallback = "0", .min = 0, .max = 1e9,
     .doc = "milliseconds a move, as far as the simulations at a time allow; 0: no such budget"},
    {0},
};

/* The most simulations at a time. */
static int64_t mcts_leaves(const struct mcts *m)
{
	const int64_t leaves = m->leaves == PARAM_WORD ? LEAVES_MOST : m->leaves;
	return m->sims == PARAM_WORD || leaves < m->sims ? leaves : m->sims;
}

static enum status mcts_check(const struct mcts *m, struct why *why)
{
	const bool none = strcmp(m->rollout, "none") == 0;
	if (m->select == TREE_EVEN && m->decide == DECIDE_VISITS)
		return why_set(
		    why, STATUS_INPUT,
		    "mcts: select=even visits every move as often, expected decide=value");
	if (none && (m->rollouts > 1 || m->rollout_moves))
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

/* The agent that parameter KEY names. */
static enum status mcts_agent_new(const char *key, const char *text, const struct agent_env *env,
				  struct agent **agent, struct why *why)
{
	struct why inner;
	const enum status status = agent_nested(text, env, agent, &inner);
	return status ? why_set(why, status, "%s=%.60s: %s", key, text, inner.text) : STATUS_OK;
}

/* The agents and the value that it asks, as far as it asks them. */
static enum status mcts_ask(struct mcts *m, const struct agent_env *env, struct why *why)
{
	const struct mcts *owner = env->owner;
	const bool none = strcmp(m->rollout, "none") == 0;
	enum status status = STATUS_OK;
	if (m->select == TREE_PRINTED || m->select == TREE_PUCT) {
		const struct agent_env theirs = {.game = env->game,
						 .owner = owner ? owner->prior_agent->self : NULL};
		status = mcts_agent_new("prior", m->prior, &theirs, &m->prior_agent, why);
	}
	if (!status && none) {
		const struct value_env theirs = {.game = env->game,
						 .owner = owner ? owner->value->self : NULL};
		status = value_init(m->value, &theirs, why);
	} else if (!status && (strcmp(m->rollout, "random") != 0 || m->rollout_moves)) {
		const struct agent_env theirs = {
		    .game = env->game, .owner = owner ? owner->rollout_agent->self : NULL};
		status = mcts_agent_new("rollout", m->rollout, &theirs, &m->rollout_agent, why);
	}
	return status;
}

/* Positions that the tables can need, or have room for. */
static uint64_t mcts_room(const struct mcts *m)
{
	const uint64_t fit = (uint64_t)m->memory / TREE_NODE_BYTES;
	const uint64_t most = fit < INT32_MAX ? fit : INT32_MAX;
	const uint64_t need = 1 + (uint64_t)m->simulate.depth * (uint64_t)m->sims;
	return need < most ? need : most;
}

static void mcts_judge(struct mcts *m)
{
	const struct value *value = m->simulate.judge.value;
	struct judge *judge = &m->simulate.judge;
	bool points = m->rewards == REWARDS_YES;
	if (m->rewards == REWARDS_AUTO)
		points = value ? value->class->in_points : m->reward == REWARD_SCORE;
	judge->mover = m->rollout_agent;
	judge->rollouts = (size_t)m->rollouts;
	judge->limit = (uint64_t)m->rollout_moves;
	judge->tile = m->reward == REWARD_MAX;
	judge->after = m->leaf == LEAF_AFTER;
	if (m->leaf == LEAF_AUTO && value && value->class->of_after_states)
		judge->after = value->class->of_after_states(value->self);
	judge->rewards = points;
	judge->terminal = m->terminal;
	m->simulate.points = !points ? 0 : !value && m->reward == REWARD_MAX ? 1.0 / 2048 : 1;
}

static void mcts_fini(void *self)
{
	struct mcts *m = self;
	simulate_fini(&m->simulate);
	agent_free(m->prior_agent);
	agent_free(m->rollout_agent);
}

static enum status mcts_init(void *self, const struct agent_env *env, struct why *why)
{
	struct mcts *m = self;
	struct simulate *s = &m->simulate;
	enum status status = mcts_check(m, why);
	if (!status)
		status = mcts_ask(m, env, why);
	if (m->sims == PARAM_WORD)
		m->sims = m->ms > 0 ? SIMS_MAX : SIMS_DEFAULT;
	*s = (struct simulate){
	    .game = env->game,
	    .rule = {.c = m->c, .select = m->select, .norm = m->norm, .untried = m->untried},
	    .judge = {.game = env->game, .value = strcmp(m->rollout, "none") ? NULL : m->value},
	    .prior = m->prior_agent,
	    .uniform = m->uniform,
	    .depth = (int)m->depth,
	    .stops_at_new = m->grow,
	    .width = (size_t)mcts_leaves(m),
	};
	mcts_judge(m);
	if (!status)
		status = tree_init(&s->tree, mcts_room(m), why);
	if (!status)
		status = judge_init(&s->judge, s->width, why);
	if (!status)
		status = simulate_init(s, why);
	if (status)
		mcts_fini(m);
	return status;
}

/* Whether A is to be made rather than B. */
static bool move_better(const struct mcts *m, const struct tree_node *root, int a, int b)
{
	if (m->decide == DECIDE_VISITS && root->tried[a] != root->tried[b])
		return root->tried[a] > root->tried[b];
	return tree_q(root, a) > tree_q(root, b) || (root->tried[a] && !root->tried[b]);
}

static int mcts_decide(struct mcts *m, const struct turn *turn, struct decision *decision)
{
	bool fresh;
	const struct tree_node *root = tree_find(&m->simulate.tree, turn->board, &fresh);
	int best = -1;
	for (int d = 0; d < DIRECTIONS; d++) {
		decision->value[d] = tree_q(root, d);
		decision->chance[d] = (double)root->tried[d] / (double)m->simulate.simulations;
		if (turn->moves.legal >> d & 1 && (best < 0 || move_better(m, root, d, best)))
			best = d;
	}
	decision->nodes = m->simulate.nodes + 1;
	decision->depth = m->simulate.deepest;
	return best;
}

/* How many simulations are next. */
static size_t mcts_next(const struct mcts *m)
{
	const uint64_t done = m->simulate.simulations, left = (uint64_t)m->sims - done;
	size_t next = m->simulate.width;
	if (m->leaves == PARAM_WORD) {
		const size_t share = (size_t)(done / LEAVES_SHARE);
		next = share < next ? share : next;
		next = next < LEAVES_LEAST ? LEAVES_LEAST : next;
	}
	return left < next ? (size_t)left : next;
}

static int mcts_act(void *self, const struct turn *turn, struct rng *rng, struct decision *decision)
{
	struct mcts *m = self;
	struct simulate *s = &m->simulate;
	const double end = m->ms > 0 ? clock_now() + 1e-3 * m->ms : INFINITY;
	simulate_forget(s);
	do {
		simulate_run(s, turn, mcts_next(m), rng);
	} while (s->simulations < (uint64_t)m->sims && (m->ms <= 0 || clock_now() < end));
	return mcts_decide(m, turn, decision);
}

const struct agent_class mcts_agent = {
    .name = "mcts",
    .summary = "Monte-Carlo tree search with a prior and roll-outs, or a value at its end",
    .params = mcts_params,
    .size = sizeof(struct mcts),
    .init = mcts_init,
    .act = mcts_act,
    .fini = mcts_fini,
};
