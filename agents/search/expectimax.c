/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Depth-limited, memoised expectimax with a probability cutoff.
 *
 * The recurrence of Mayer-Hirshfeld, Navarro and Saleh, AI Agent for 2048, section 5,
 * in the one convention that everything here uses. For a position s with the player to move:
 *
 *   V(s, d) = terminal                                          if no move is legal
 *           = leaf(s)                                           if d = 0 or Prob(s) < cutoff
 *           = max over legal moves of [reward + E V(s', d-1)]   otherwise
 *
 * s' is the after-state plus one spawn, E the expectation over its cell and kind, and Prob(s) the
 * product of the spawn probabilities on the path from the root, where it is 1, and of move_p for
 * each own move: 1, or 1/4 as in the program of the authors (JDNdeveloper/2048-Smart-Players),
 * which takes the player for a random one there, so that their trees are much smaller at the same
 * cutoff (they are also cut off at after-states; ours at positions only). The paper's recurrence
 * adds no rewards: rewards=auto adds them when the value estimates points. An after-state with n
 * empty cells is evaluated kind by kind, cells in reading order: E = (sum over kinds of p(kind) *
 * (sum of V)) * (1/n).
 *
 *   leaf(s) = value(s)                                        with leaf=state, the paper's
 *           = max over legal moves of [reward + value(after-state)]   with leaf=after
 *
 * leaf=after is what programs do whose value is for after-states (nneonneo/2048-ai, n-tuple
 * networks): depth d then means d spawns and d + 1 own moves. leaf=auto asks the value which.
 *
 * A budget deepens the search move by move: depth, depth + 1, ... until `ms` or `nodes` is spent;
 * the deepest search that was finished decides. With `nodes` the decision depends on the position
 * alone: the table forgets between decisions.
 *
 * agents/search/search.c does the search. Check values: tests/vectors/expectimax.txt, with
 * rewards=1, terminal=0, cutoff=0.
 */
#include "agents/agent.h"
#include "agents/search/search.h"
#include "base/clock.h"
#include "base/stop.h"

#include <math.h>

enum { DEPTH_MAX = 128, THREADS_MAX = 256 };

struct expectimax {
	int64_t depth;
	double cutoff, move_p, terminal;
	int leaf, rewards; /* choices */
	struct value *value;
	int64_t tt; /* bytes; 0: no table */
	double ms;
	int64_t nodes, threads;

	struct search search;
	uint64_t entries; /* of the table that the next decision is likely to make */
	bool interrupted; /* a move was cut short because the program is to stop */
};

enum { LEAF_AUTO, LEAF_STATE, LEAF_AFTER };
enum { REWARDS_AUTO, REWARDS_NO, REWARDS_YES };

static const struct param expectimax_params[] = {
    {PARAM_FIELD(PARAM_INT, expectimax, depth), .fallback = "2", .min = 1, .max = DEPTH_MAX,
     .choices = "auto",
     .doc = "own moves looked ahead, each with the spawn that follows; auto: kinds of tiles - 2, "
	    "at least 3; with a budget the least depth"},
    {PARAM_FIELD(PARAM_REAL, expectimax, cutoff), .fallback = "0.0001", .min = 0, .max = 1,
     .doc = "positions reached with a smaller probability are not searched"},
    {PARAM_FIELD(PARAM_REAL, expectimax, move_p), .fallback = "1", .min = 1e-3, .max = 1,
     .doc =
	 "what an own move multiplies the probability of a path by; 0.25 as in the program of the "
	 "paper"},
    {PARAM_FIELD(PARAM_VALUE, expectimax, value), .fallback = "heuristic",
     .doc = "what a position at the end of the search is worth"},
    {PARAM_FIELD(PARAM_CHOICE, expectimax, leaf), .fallback = "auto", .choices = "auto|state|after",
     .doc = "what is evaluated at the end: the position, or the best after-state of one more move; "
	    "auto: what the value was made for"},
    {PARAM_FIELD(PARAM_CHOICE, expectimax, rewards), .fallback = "auto", .choices = "auto|0|1",
     .doc = "whether the points of a move count; auto: if the value is in points"},
    {PARAM_FIELD(PARAM_REAL, expectimax, terminal), .fallback = "-100", .min = -1e15, .max = 1e15,
     .doc = "value of a position without a legal move"},
    {PARAM_FIELD(PARAM_SIZE, expectimax, tt), .fallback = "64M", .min = 0, .max = 0x1p40,
     .doc = "memory of the transposition table; 0 searches without one"},
    {PARAM_FIELD(PARAM_REAL, expectimax, ms), .fallback = "0", .min = 0, .max = 1e9,
     .doc = "milliseconds a move, spent on more depth; 0: no such budget", .scale = 1},
    {PARAM_FIELD(PARAM_INT, expectimax, nodes), .fallback = "0", .min = 0, .max = 1e15,
     .doc = "positions a move, spent on more depth; 0: no such budget"},
    {PARAM_FIELD(PARAM_INT, expectimax, threads), .fallback = "1", .min = 1, .max = THREADS_MAX,
     .doc = "threads that share a decision, which stays the same"},
    {0},
};

/* A guess at the entries that the first decision will make; later ones follow the one before. */
static uint64_t first_entries(const struct expectimax *x)
{
	int64_t depth = x->ms > 0 || x->depth == PARAM_WORD || x->depth > 12 ? 12 : x->depth;
	return (uint64_t)64 << 2 * depth;
}

static enum status expectimax_init(void *self, const struct agent_env *env, struct why *why)
{
	struct expectimax *x = self;
	if (x->nodes && (x->threads > 1 || x->ms > 0))
		return why_set(why, STATUS_INPUT,
			       "nodes=%lld: a budget of positions is for one thread and without ms",
			       (long long)x->nodes);
	const struct expectimax *owner = env->owner;
	const struct value_env value_env = {.game = env->game,
					    .owner = owner ? owner->value->self : NULL};
	enum status status = value_init(x->value, &value_env, why);
	if (status)
		return status;
	const struct value_class *class = x->value->class;
	const bool after =
	    x->leaf == LEAF_AFTER || (x->leaf == LEAF_AUTO && class->of_after_states &&
				      class->of_after_states(x->value->self));
	const bool rewards =
	    x->rewards == REWARDS_YES || (x->rewards == REWARDS_AUTO && class->in_points);
	x->search = (struct search){
	    .game = env->game,
	    .value = x->value,
	    .cutoff = x->cutoff,
	    .move_p = x->move_p,
	    .rule = leaf_rule_of(env->game, !after, rewards, x->terminal),
	    .table_bytes = x->tt,
	    .forgets = x->nodes > 0,
	};
	x->entries = x->nodes ? (uint64_t)x->nodes : first_entries(x);
	status = search_init(&x->search, (int)x->threads, why);
	if (status)
		search_fini(&x->search);
	return status;
}

static void expectimax_fini(void *self)
{
	search_fini(&((struct expectimax *)self)->search);
}

/* The rule of nneonneo/2048-ai: the more different tiles there are, the more is at stake. */
static int depth_auto(const struct board *board)
{
	uint64_t kinds = 0;
	for (int i = 0; i < SIDE_MAX * ROW_BYTES; i++)
		kinds |= (uint64_t)1 << board->cell[i / ROW_BYTES][i % ROW_BYTES];
	int depth = __builtin_popcountll(kinds & ~(uint64_t)1) - 2;
	return depth > 3 ? depth : 3;
}

static int best_move(const struct moves *moves, const double value[DIRECTIONS])
{
	int best = -1;
	for (int d = 0; d < DIRECTIONS; d++)
		if (moves->legal >> d & 1 && (best < 0 || value[d] > value[best]))
			best = d;
	return best;
}

/* Searches deeper than DECISION says as long as the budget lasts. */
static void deepen(struct expectimax *x, const struct moves *moves, double start,
		   struct decision *decision)
{
	struct search *search = &x->search;
	search->deadline = x->ms > 0 ? start + x->ms * 1e-3 : INFINITY;
	bool exact = false;
	for (int depth = decision->depth + 1; depth <= DEPTH_MAX && !exact; depth++) {
		double value[DIRECTIONS];
		const uint64_t spent = search->counts.nodes;
		if (x->nodes && spent >= (uint64_t)x->nodes)
			break;
		search->nodes_max = x->nodes ? (uint64_t)x->nodes - spent : 0;
		exact = search_moves(search, moves, depth, value);
		if (search->stopped) {
			x->interrupted = stop_requested();
			break;
		}
		for (int d = 0; d < DIRECTIONS; d++)
			if (moves->legal >> d & 1)
				decision->value[d] = value[d];
		decision->depth = depth;
	}
	search->deadline = INFINITY;
	search->nodes_max = 0;
}

static int expectimax_act(void *self, const struct turn *turn, struct rng *rng,
			  struct decision *decision)
{
	struct expectimax *x = self;
	const double start = x->ms > 0 ? clock_seconds() : 0;
	(void)rng;
	search_begin(&x->search, x->entries);
	decision->depth = x->depth == PARAM_WORD ? depth_auto(turn->board) : (int)x->depth;
	bool exact = search_moves(&x->search, &turn->moves, decision->depth, decision->value);
	x->interrupted |= x->search.stopped;
	if (!exact && !x->interrupted && (x->ms > 0 || x->nodes))
		deepen(x, &turn->moves, start, decision);
	const struct search_counts *counts = &x->search.counts;
	decision->nodes = counts->nodes + 1;
	decision->probes = counts->probes;
	decision->hits = counts->hits;
	/* The next position will need about as much room, unless what it finds must not matter. */
	if (!x->nodes)
		x->entries = counts->probes - counts->hits;
	return best_move(&turn->moves, decision->value);
}

/* A move that Ctrl-C cut short is none that the search would make. */
static bool expectimax_interrupted(const void *self)
{
	return ((const struct expectimax *)self)->interrupted;
}

/* Neither the table nor threads change a value, and with `nodes` the table forgets: see above. */
static enum policy_kind expectimax_policy_kind(const void *self)
{
	return ((const struct expectimax *)self)->ms > 0 ? POLICY_UNKNOWN : POLICY_FIXED;
}

const struct agent_class expectimax_agent = {
    .name = "expectimax",
    .summary = "depth-limited search with a probability cutoff and a table",
    .params = expectimax_params,
    .size = sizeof(struct expectimax),
    .init = expectimax_init,
    .act = expectimax_act,
    .interrupted = expectimax_interrupted,
    .policy_kind = expectimax_policy_kind,
    .fini = expectimax_fini,
};
