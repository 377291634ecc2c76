/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Depth-limited, memoised expectimax with a probability cutoff.
 *
 * The recurrence of Mayer-Hirshfeld, Navarro and Saleh, AI Agent for 2048, section 5, in the one
 * convention that this program uses. For a position s with the player to move:
 *
 *   V(s, d) = terminal                                          if no move is legal
 *           = leaf(s)                                           if d = 0 or Prob(s) < cutoff
 *           = max over legal moves of [reward + E V(s', d-1)]   otherwise
 *
 * s' is the after-state plus one spawn, E the expectation over its cell and kind. Prob(s) is the
 * product of the spawn probabilities on the path from the root, where it is 1, and of move_p for
 * each own move. move_p is 1, or 1/4 as in the program of the authors
 * (JDNdeveloper/2048-Smart-Players), which thus treats the player's own moves as random. Their
 * trees are therefore much smaller at the same cutoff (they also cut off at after-states; we only
 * cut off at positions). The paper's recurrence adds no rewards; rewards=auto adds them if the
 * value estimates points. An after-state with n empty cells is evaluated kind by kind, cells in
 * reading order: E = (sum over kinds of p(kind) * (sum of V)) * (1/n).
 *
 *   leaf(s) = value(s)                                        with leaf=state, the paper's
 *           = max over legal moves of [reward + value(after-state)]   with leaf=after
 *
 * leaf=after is usual in programs whose value is for after-states (nneonneo/2048-ai, n-tuple
 * networks); depth d then means d spawns and d + 1 own moves. leaf=auto depends on the value.
 *
 * A budget, `ms` or `nodes`, is spent in one of two ways. With a given cutoff, depths depth, depth
 * + 1, ... are searched until the budget is spent, and the deepest completed search decides. With
 * cutoff=auto a schedule lowers the cutoff as it raises the depth, because at the same cost more
 * depth with a larger cutoff is better than less depth with a smaller one. A step of the schedule
 * with effort e has cutoff 1/e and depth 2.6 + 0.65 log2(0.4 e). At each cost this is close to the
 * best of 220 pairs, measured by what the chosen moves lose in a much deeper search (value strong,
 * leaf=after, 300 to 600 positions each of 4x4, 5x5 and 6x6). A position is searched at one step,
 * and the budget is the average cost of a move: a full board costs many times as much as an open
 * one at the same step, and deserves it. With the same budget for every move, moves lost 1.3 to 1.8
 * times as much on 4x4 as with one step for all moves at the same mean cost. A search that takes
 * more than BUDGET_MOST times the budget is abandoned for a step of an eighth of the effort; that
 * cost nothing in these measurements.
 *
 *   ms      effort = ms * sum of efforts / sum of their times, over about the last SPEED_MOVES
 *           moves, times their total budget / total time, limited to 1/2 .. 2
 *   nodes   effort = nodes / the approximate number of positions in a search of effort 1
 *
 * With `nodes` the decision depends only on the position: the table forgets between decisions.
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
enum { BUDGET_MOST = 4, SPEED_MOVES = 2000 };

/* The efforts of the first and the last step; the smallest cutoff of a step. */
static const double effort_first = 2.5, effort_last = 1e8, cutoff_least = 1e-4;

/*
 * The measured speed of recent searches; each move has 1 - 1 / SPEED_MOVES of the weight of the
 * next.
 */
struct speed {
	double effort, seconds; /* sums over searches */
	double moves, spent;	/* sums over all moves; `spent` in seconds */
};

struct step {
	double cutoff;
	int depth;
};

struct expectimax {
	int64_t depth;
	double cutoff, move_p, terminal;
	int leaf, rewards; /* choices */
	struct value *value;
	int64_t tt; /* bytes; 0: no table */
	double ms;
	int64_t nodes, threads;

	struct search search;
	uint64_t entries; /* expected number of table entries of the next decision */
	bool interrupted; /* a move was cut short by a request to stop */
	bool scheduled;	  /* the schedule spends the budget */
	struct speed speed;
};

enum { LEAF_AUTO, LEAF_STATE, LEAF_AFTER };
enum { REWARDS_AUTO, REWARDS_NO, REWARDS_YES };

static const struct field expectimax_params[] = {
    {FIELD_MEMBER(FIELD_INTEGER, expectimax, depth), .fallback = "2", .min = 1, .max = DEPTH_MAX,
     .choices = "auto",
     .help = "number of own moves to look ahead, each with the spawn that follows; auto: kinds of "
	     "tiles - 2, at least 3; with a budget the least depth"},
    {FIELD_MEMBER(FIELD_REAL, expectimax, cutoff), .fallback = "auto", .min = 0, .max = 1,
     .choices = "auto",
     .help = "positions reached with a smaller probability are not searched; auto: 0.0001, or "
	     "what suits the budget",
     .scale = 1e-4},
    {FIELD_MEMBER(FIELD_REAL, expectimax, move_p), .fallback = "1", .min = 1e-3, .max = 1,
     .help =
	 "factor of an own move in the probability of a path; 0.25 as in the program of the paper"},
    {FIELD_MEMBER(FIELD_VALUE, expectimax, value), .fallback = "heuristic",
     .help = "value of a position at the end of the search"},
    {FIELD_MEMBER(FIELD_CHOICE, expectimax, leaf), .fallback = "auto",
     .choices = "auto|state|after",
     .help =
	 "what is evaluated at the end: the position, or the best after-state of one more move; "
	 "auto: what the value was made for"},
    {FIELD_MEMBER(FIELD_CHOICE, expectimax, rewards), .fallback = "auto", .choices = "auto|0|1",
     .help = "whether the points of a move count; auto: if the value is in points"},
    {FIELD_MEMBER(FIELD_REAL, expectimax, terminal), .fallback = "-100", .min = -1e15, .max = 1e15,
     .help = "value of a position without a legal move"},
    {FIELD_MEMBER(FIELD_BYTES, expectimax, tt), .fallback = "64M", .min = 0, .max = 0x1p40,
     .help = "memory of the transposition table; 0 searches without one"},
    {FIELD_MEMBER(FIELD_REAL, expectimax, ms), .fallback = "0", .min = 0, .max = 1e9,
     .help =
	 "milliseconds per move, spent on more depth; with cutoff=auto an average, with at most "
	 "4 times as many on a move; 0: no limit",
     .scale = 1},
    {FIELD_MEMBER(FIELD_INTEGER, expectimax, nodes), .fallback = "0", .min = 0, .max = 1e15,
     .help = "positions per move, spent on more depth; with cutoff=auto an approximate average, "
	     "with at most 4 times as many on a move; 0: no limit"},
    {FIELD_MEMBER(FIELD_INTEGER, expectimax, threads), .fallback = "1", .min = 1,
     .max = THREADS_MAX, .help = "threads that share a decision, which stays the same"},
    {0},
};

/* Estimates the table entries of the first decision; later ones expect as many as the last took. */
static uint64_t first_entries(const struct expectimax *x)
{
	int64_t depth = x->ms > 0 || x->depth == FIELD_WORD || x->depth > 12 ? 12 : x->depth;
	return (uint64_t)64 << 2 * depth;
}

/* Returns the number of positions in a search of effort 1, without sums over spawns. */
static double effort_nodes(const struct expectimax *x)
{
	return x->search.rule.spawns ? 20 : 60;
}

/* Returns the step of an EFFORT, with depth at least DEPTH. */
static struct step step_of(double effort, int depth)
{
	effort = fmax(effort, effort_first);
	const int own = (int)lrint(2.6 + 0.65 * log2(effort / effort_first));
	return (struct step){fmax(1 / effort, cutoff_least), own > depth ? own : depth};
}

/* Initial estimate of the speed, with the weight of one move: 30 ns per position. */
static void speed_init(struct expectimax *x)
{
	const double seconds = x->ms * 1e-3;
	x->speed = (struct speed){seconds / (30e-9 * effort_nodes(x)), seconds, 1, seconds};
}

/* Returns the effort that takes about the budget. */
static double speed_effort(const struct expectimax *x)
{
	const struct speed *speed = &x->speed;
	const double budget = x->ms * 1e-3, balance = budget * speed->moves / speed->spent;
	return budget * speed->effort / speed->seconds * fmin(fmax(balance, 0.5), 2);
}

/* Records a move that took SECONDS, with a search of EFFORT; 0: without a relevant search. */
static void speed_add(struct speed *speed, double effort, double seconds)
{
	const double keep = 1 - 1.0 / SPEED_MOVES;
	speed->moves = speed->moves * keep + 1;
	speed->spent = speed->spent * keep + seconds;
	if (effort > 0) {
		speed->effort = speed->effort * keep + effort;
		speed->seconds = speed->seconds * keep + seconds;
	}
}

static enum status expectimax_init(void *self, const struct agent_env *env, struct why *why)
{
	struct expectimax *x = self;
	if (x->nodes && (x->threads > 1 || x->ms > 0))
		return why_set(why, STATUS_INPUT,
			       "nodes=%lld: a budget of positions is for one thread and without ms",
			       (long long)x->nodes);
	const struct expectimax *owner = env->owner;
	struct agent_env value_env = *env;
	value_env.owner = owner ? owner->value->self : NULL;
	enum status status = value_init(x->value, &value_env, why);
	if (status)
		return status;
	const struct value_class *class = x->value->class;
	const bool after =
	    x->leaf == LEAF_AFTER || (x->leaf == LEAF_AUTO && class->of_after_states &&
				      class->of_after_states(x->value->self));
	x->scheduled = isnan(x->cutoff) && (x->ms > 0 || x->nodes);
	if (isnan(x->cutoff))
		x->cutoff = cutoff_least;
	const bool rewards =
	    x->rewards == REWARDS_YES || (x->rewards == REWARDS_AUTO && class->in_points);
	x->leaf = after ? LEAF_AFTER : LEAF_STATE;
	x->rewards = rewards ? REWARDS_YES : REWARDS_NO;
	x->search = (struct search){
	    .game = env->game,
	    .value = x->value,
	    .cutoff = x->cutoff,
	    .move_p = x->move_p,
	    .rule = leaf_rule_of(env->game, !after, rewards, x->terminal),
	    .table_bytes = x->tt,
	    .forgets = x->nodes > 0,
	    .deepens = !x->scheduled && (x->ms > 0 || x->nodes),
	};
	x->entries = x->nodes ? (uint64_t)x->nodes : first_entries(x);
	speed_init(x);
	status = search_init(&x->search, (int)x->threads, why);
	if (status)
		search_fini(&x->search);
	return status;
}

/* A schedule has a different cutoff for every move; init() sets the one at which tuning starts. */
static void expectimax_resolve(void *self, const struct game *game)
{
	struct expectimax *x = self;
	(void)game;
	if (x->scheduled)
		x->cutoff = NAN;
}

static void expectimax_fini(void *self)
{
	search_fini(&((struct expectimax *)self)->search);
}

/* The rule of nneonneo/2048-ai: the depth grows with the number of different tiles. */
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

/* Returns the time for the budget: processor time with one thread, elapsed time with several. */
static double budget_seconds(const struct expectimax *x)
{
	return x->threads > 1 ? clock_seconds() : clock_thread_seconds();
}

/*
 * Sets the limits for giving up the search that begins NOW, in budget_seconds(), unless it is the
 * LAST alternative.
 */
static void limits_set(const struct expectimax *x, struct search *search, double now, bool last)
{
	const double most = BUDGET_MOST * x->ms * 1e-3;
	search->nodes_max = last ? 0 : BUDGET_MOST * (uint64_t)x->nodes;
	search->deadline = INFINITY;
	if (last || !(x->ms > 0))
		return;
	search->deadline = clock_seconds() + most;
	search->thread_deadline = x->threads > 1 ? 0 : now + most;
}

/* Searches at the step that fits the budget, or at smaller steps if that takes too long. */
static void search_scheduled(struct expectimax *x, const struct turn *turn, int depth,
			     struct decision *decision)
{
	struct search *search = &x->search;
	const double start = x->ms > 0 ? budget_seconds(x) : 0;
	const double even = x->nodes ? (double)x->nodes / effort_nodes(x) : speed_effort(x);
	const double wanted = fmin(fmax(even, effort_first), effort_last);
	const bool choice = turn->moves.legal & (turn->moves.legal - 1);
	double effort = choice ? wanted : effort_first, now = start;
	for (;;) {
		const struct step step = step_of(effort, depth);
		search->cutoff = step.cutoff;
		limits_set(x, search, now, effort <= effort_first);
		decision->depth = step.depth;
		search_moves(search, &turn->moves, step.depth, decision->value);
		x->interrupted |= search->stopped && stop_requested();
		if (!search->stopped || x->interrupted)
			break;
		effort /= 8;
		now = x->ms > 0 ? budget_seconds(x) : 0;
	}
	if (x->ms > 0)
		speed_add(&x->speed, choice ? wanted : 0, budget_seconds(x) - start);
}

/* Searches deeper than DECISION while the budget lasts. */
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

/* Searches to DEPTH and, while a budget lasts, deeper. */
static void search_deepening(struct expectimax *x, const struct turn *turn, int depth,
			     struct decision *decision)
{
	const double start = x->ms > 0 ? clock_seconds() : 0;
	decision->depth = depth;
	bool exact = search_moves(&x->search, &turn->moves, depth, decision->value);
	x->interrupted |= x->search.stopped;
	if (!exact && !x->interrupted && (x->ms > 0 || x->nodes))
		deepen(x, &turn->moves, start, decision);
}

static int expectimax_act(void *self, const struct turn *turn, struct rng *rng,
			  struct decision *decision)
{
	struct expectimax *x = self;
	const int depth = x->depth == FIELD_WORD ? depth_auto(turn->board) : (int)x->depth;
	(void)rng;
	search_begin(&x->search, x->entries);
	if (x->scheduled)
		search_scheduled(x, turn, depth, decision);
	else
		search_deepening(x, turn, depth, decision);
	const struct search_counts *counts = &x->search.counts;
	decision->nodes = counts->nodes + 1;
	decision->probes = counts->probes;
	decision->hits = counts->hits;
	/*
	 * The next decision needs about as many entries; with `nodes` it must not depend on this.
	 */
	if (!x->nodes)
		x->entries = counts->probes - counts->hits;
	return best_move(&turn->moves, decision->value);
}

/* After Ctrl-C the move may differ from the move of a complete search. */
static bool expectimax_interrupted(const void *self)
{
	return ((const struct expectimax *)self)->interrupted;
}

/* Neither the table nor threads change a value, and with `nodes` the table forgets (see above). */
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
    .resolve = expectimax_resolve,
    .fini = expectimax_fini,
};
