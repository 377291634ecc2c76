/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The search, in blocks. A depth-first search would visit positions one at a time. Here each level
 * works on a block of positions: it makes all their after-states and looks them up in the table,
 * expands those that are missing, and evaluates the leaves of all of them in batches. So cache
 * lines of the table arrive while others are requested, and a leaf costs a lane of a vector.
 *
 *     chances_solve()   after-states -> children, one per spawn: leaves, or nodes of a block
 *     nodes_solve()     a block of nodes -> their after-states -> chances_solve() on those that the
 *                       table lacks
 *
 * A position that occurs twice in a block is solved once: the second occurrence waits and then
 * finds the entry.
 *
 * Chance nodes whose children by a kind of spawn are all leaves are queued, and value_leaf_sums()
 * evaluates the leaves of up to LEAF_NODES of them together.
 *
 * A move that cannot be the best of its position is not searched in full (Ballard, The *-minimax
 * search procedure for trees containing chance nodes, Artificial Intelligence 21, 1983). In each
 * position but the root, the move whose after-state has the greatest value is searched first; it is
 * the rival of the other moves. Of these, the children by the likeliest kind of spawn come first,
 * cell by cell, and a move is given up when the remaining children cannot lift it above its rival:
 *
 *   Let U be an upper bound of all values in the tree: of leaves by value_class.bound, of positions
 *   without a move because U >= terminal, hence of all maxima over moves and means over spawns.
 *   Let B be the value of a chance node with U for each child that was not searched. Its true value
 *   V has the same other children, and no child above U, so V <= B. If B <= R, the value of the
 *   rival, then max(R, V) = R, and the position has its true value with B in the place of V.
 *
 *   Rounding: the bound of a value is below 2^34 in magnitude. A computed mean of numbers up to
 *   such a bound exceeds it by at most 2^-13, and 128 levels of means by at most 2^-6. U is 1 more
 *   than the bound, so every computed value is below U - 1/2, and the sum over the missing cells is
 *   at least 1/2 below U times their number. Rounding in any order cannot make up for that, as
 *   36 terms below 2^40 are off by at most 2^-7. The operations that follow, products with
 *   nonnegative numbers and sums of two, are the same for V and B, and rounding is monotonic.
 *
 *   U does not depend on path probabilities, so B holds wherever the values of the searched
 *   children do, in the interval of the bounded value (below). The table stores B, marked as a
 *   bound; a probe uses it if the rival's value is not below B.
 *
 * This costs more than it saves if path probabilities are close to the cutoff, or if the children
 * are leaves, which fill batches; all moves are then searched in full. The root has the true values
 * of all its moves. It is unknown whether more depth could change a move that was given up; a
 * search that must report this searches everything in full (search->deepens).
 *
 * A value depends neither on this order nor on the table: sums are made in the order of the cells,
 * kinds in their order, and the first of equal moves is the best. So any number of threads gives
 * the same values.
 *
 * With leaf=state, a position one own move before the end is itself a leaf of the batch, and so is
 * a position whose children will all be cut off: its value sums over all the spawns that follow.
 *
 * The transposition table, of fixed size, is for chance nodes. With a cutoff, the value of an
 * after-state depends on the remaining depth and also on the probability p of the path to it,
 * because p determines which descendants are cut off, and only for that reason: for all p in an
 * interval [low, high) the same descendants are cut off and the value is the same. A search knows
 * the interval when it returns: the intersection of the intervals of the children, scaled by their
 * probabilities. An entry stores the interval, and a probe succeeds only for a p inside. So a
 * search with the table returns exactly what the recurrence returns, in any order of positions, and
 * an entry remains valid across moves and games. Entries and probes measure probabilities in units
 * of the cutoff, since only p / cutoff matters, so an entry is also valid for searches with other
 * cutoffs.
 *
 * Entries are identified by a 64-bit hash of the position and depth, in addition to the bits that
 * select the bucket. The probability of confusing two positions is about 2^-64 per probe.
 *
 * Threads share the table without locks: the words of an entry are read and written one by one, and
 * an entry that another thread has partly changed is not recognised, because the hash is stored
 * combined with the other words (Hyatt and Mann, A lock-less transposition table implementation for
 * parallel search, ICGA Journal 25, 2002).
 */
#include "agents/search/search.h"

#include "base/clock.h"
#include "base/stop.h"
#include "base/thread_team.h"
#include "base/virtual_memory.h"
#include "boards/simd/bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	NODES = 64, /* nodes of a block */
	CHANCES = NODES * DIRECTIONS,
	LEAF_NODES = 64, /* nodes of a call of value_leaf_sums() */
	SLOTS = 2048,
	GROUPS = 512,
	LEVELS = 130, /* for depth 128 */
	SEEN = 2 * CHANCES,
	RANKED = 20,	  /* in cutoffs; at lower probabilities ordering moves does not pay */
	CUT_DEPTH = 2,	  /* own moves left; with less depth all moves are searched in full */
	SHARED_DEPTH = 3, /* minimal depth of after-states for other threads */
	TASKS_LEFT = 3,	  /* minimal number of tasks per thread in the remaining work */
};

/* Smaller cutoffs are not used as the unit, since floats could not hold the quotients. */
#define CUTOFF_UNIT 1e-30

/* Terminal values of larger magnitude give no bound: see above. */
#define BOUND_MOST 0x1p34

enum { TT_ENTRIES = 2, TT_LIMITED = 1 << 8, TT_BOUND = 1 << 9, DEPTH_MASK = TT_LIMITED - 1 };

/*
 * word[0]: the hash, exclusive-or the other words; word[1]: the value, or a bound; word[2]: the
 * interval as two floats, rounded inwards, so that an entry never claims too much; word[3]:
 * generation << 32 | TT_LIMITED | TT_BOUND | depth. All 0: empty.
 */
struct tt_entry {
	_Atomic uint64_t word[4];
};

/* A cache line. */
struct tt_bucket {
	_Alignas(64) struct tt_entry entry[TT_ENTRIES];
};

/*
 * A value, the interval of path probabilities for which it holds, and whether more depth could
 * change it.
 */
struct bounded_value {
	double value, low, high;
	bool limited;
	bool bound; /* `value` is an upper bound, not necessarily the true value */
};

struct tt_key {
	uint64_t bucket, check;
};

/* Allocates a table of at most BYTES, but at least one bucket. */
static enum status tt_init(struct transposition_table *tt, const struct game *game, int64_t bytes,
			   struct why *why)
{
	uint64_t buckets = 1;
	while (buckets * 2 * sizeof(struct tt_bucket) <= (uint64_t)bytes)
		buckets *= 2;
	size_t size = buckets * sizeof(struct tt_bucket);
	void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (made == MAP_FAILED)
		return why_errno(why, "transposition table of %zu bytes", size);
	virtual_memory_use_huge_pages(made, size, 1);
	*tt = (struct transposition_table){.buckets = made,
					   .all = buckets - 1,
					   .mask = buckets - 1,
					   .now = 1,
					   .unit = 1,
					   .scale = 1,
					   .narrow = game->cols * 2 <= ROW_BYTES};
	return STATUS_OK;
}

static void tt_fini(struct transposition_table *tt)
{
	if (tt->buckets)
		munmap(tt->buckets, (tt->all + 1) * sizeof *tt->buckets);
	tt->buckets = NULL;
}

/*
 * Uses a part of the table that suits ENTRIES, so that a small search stays in the processor's
 * caches. Most entries are lost when the part changes. No other thread may use the table meanwhile.
 */
static void tt_resize(struct transposition_table *tt, uint64_t entries)
{
	uint64_t mask = tt->all;
	while (mask && mask / 2 >= entries)
		mask /= 2;
	tt->mask = mask;
}

__extension__ typedef unsigned __int128 tt_sum;

/*
 * Hashes the rows and the depth (below 256) with the NH family (Black, Halevi, Krawczyk, Krovetz,
 * Rogaway: UMAC, CRYPTO 1999): two different inputs have the same 128-bit sum with probability
 * 2^-64 over its constants. Bucket and check are two different compressions of the sum. Prefetches
 * the cache line of the bucket.
 */
static struct tt_key tt_key(const struct transposition_table *tt, const struct board *after,
			    int depth)
{
	/* Odd numbers without structure: the first digits of pi after the point, in hexadecimal. */
	const uint64_t d0 = 0x243f6a8885a308d3u, d1 = 0x13198a2e03707345u, d2 = 0xa4093822299f31d1u,
		       d3 = 0x082efa98ec4e6c89u, d4 = 0x452821e638d01377u, d5 = 0xbe5466cf34e90c6du,
		       d6 = 0x3f84d5b5b5470917u;
	uint64_t row[SIDE_MAX];
	tt_sum sum;
#pragma GCC unroll 8
	for (int r = 0; r < SIDE_MAX; r++)
		row[r] = row_load(after->cell[r]);
	if (tt->narrow)
		sum = (tt_sum)((row[0] | row[1] << 32) + d0) * ((row[2] | row[3] << 32) + d1) +
		      (tt_sum)((row[4] | row[5] << 32) + d2) * ((uint64_t)depth + d3);
	else
		sum = (tt_sum)((row[0] | (uint64_t)depth << 56) + d0) * (row[1] + d1) +
		      (tt_sum)(row[2] + d2) * (row[3] + d3) + (tt_sum)(row[4] + d4) * (row[5] + d5);
	const uint64_t low = (uint64_t)sum, high = (uint64_t)(sum >> 64);
	const uint64_t turned = high ^ (low << 32 | low >> 32);
	struct tt_key key = {((low ^ (high << 32 | high >> 32)) * d6 >> 24) & tt->mask,
			     turned ? turned : 1};
	__builtin_prefetch(&tt->buckets[key.bucket]);
	return key;
}

static uint64_t tt_word(const struct tt_entry *entry, int i)
{
	return atomic_load_explicit(&entry->word[i], memory_order_relaxed);
}

static void entry_write(struct tt_entry *entry, uint64_t check, uint64_t value, uint64_t interval,
			uint64_t rest)
{
	const uint64_t word[4] = {check ^ value ^ interval ^ rest, value, interval, rest};
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++)
		atomic_store_explicit(&entry->word[i], word[i], memory_order_relaxed);
}

static uint64_t this_generation(const struct transposition_table *tt)
{
	return (uint64_t)tt->now << 32;
}

/*
 * Looks up KEY for path probability P: returns true and sets BOUNDED_VALUE if there is an entry,
 * either a value or a bound that is not above RIVAL.
 */
static bool tt_probe(struct transposition_table *tt, struct tt_key key, double p, double rival,
		     struct bounded_value *bounded_value)
{
	p *= tt->scale;
	struct tt_entry *entry = tt->buckets[key.bucket].entry;
#pragma GCC unroll 2
	for (int i = 0; i < TT_ENTRIES; i++) {
		const uint64_t value = tt_word(&entry[i], 1), interval = tt_word(&entry[i], 2),
			       rest = tt_word(&entry[i], 3);
		if ((tt_word(&entry[i], 0) ^ value ^ interval ^ rest) != key.check)
			continue;
		float ends[2];
		memcpy(ends, &interval, sizeof ends);
		const bool old = (uint32_t)(rest >> 32) != tt->now;
		if (p < (double)ends[0] || p >= (double)ends[1] || (old && tt->forgets))
			continue;
		memcpy(&bounded_value->value, &value, sizeof value);
		bounded_value->bound = rest & TT_BOUND;
		if (bounded_value->bound && !(bounded_value->value <= rival))
			continue;
		bounded_value->low = (double)ends[0] * tt->unit;
		bounded_value->high = (double)ends[1] * tt->unit;
		bounded_value->limited = rest & TT_LIMITED;
		if (old)
			entry_write(&entry[i], key.check, value, interval,
				    this_generation(tt) | (uint32_t)rest);
		return true;
	}
	return false;
}

static float float_above(double x)
{
	float y = (float)x;
	return (double)y < x ? nextafterf(y, INFINITY) : y;
}

static float float_below(double x)
{
	float y = (float)x;
	return (double)y > x ? nextafterf(y, 0) : y;
}

/* Returns the worth of keeping an entry: 0 for an older one, less for a shallow one. */
static uint64_t entry_worth(const struct transposition_table *tt, const struct tt_entry *entry)
{
	const uint64_t rest = tt_word(entry, 3);
	/* No branch: the processor could not foresee it. */
	return (rest >> 32 == tt->now) * (1 + (rest & DEPTH_MASK));
}

/* Stores BOUNDED_VALUE; replaces an older or shallower entry if the bucket is full. */
static void tt_store(struct transposition_table *tt, struct tt_key key, int depth,
		     const struct bounded_value *bounded_value)
{
	struct tt_entry *entry = tt->buckets[key.bucket].entry;
	const float ends[2] = {float_above(bounded_value->low * tt->scale),
			       float_below(bounded_value->high * tt->scale)};
	uint64_t value, interval;
	memcpy(&value, &bounded_value->value, sizeof value);
	memcpy(&interval, ends, sizeof interval);
	const int worst = entry_worth(tt, &entry[1]) < entry_worth(tt, &entry[0]);
	entry_write(&entry[worst], key.check, value, interval,
		    this_generation(tt) | (bounded_value->limited ? TT_LIMITED : 0) |
			(bounded_value->bound ? TT_BOUND : 0) | (uint32_t)depth);
}

/* The part of a chance node to search: the likeliest kind of spawn first, the rest if necessary. */
enum part { PART_ALL, PART_MAIN, PART_REST };

/* An after-state and its value, the expectation over spawns. */
struct chance {
	struct board after;
	double p; /* probability of the path to it */
	double reward;
	double rival;	 /* value of another move of the same position */
	double main_sum; /* sum over the likeliest kind in the first `done` empty cells */
	int done;
	enum part part; /* part to search next */
	struct tt_key key;
	struct bounded_value bounded_value;
};

/* A position, with the player to move, that is searched further. */
struct node {
	struct board board;
	double p, q;	     /* probability of the path to it; of the spawn alone */
	struct chance *from; /* parent; the node narrows its interval */
	double *to;	     /* destination of its value */
	int first, chances;  /* its after-states in the next level */
	int first_move;	     /* the move to search first; -1: search all in full */
};

/* The children of a chance node by one kind of spawn: a sum, or SLOTS to be added to it. */
struct group {
	struct chance *from;
	double sum;
	const double *slots; /* values to add to `sum`, or NULL */
	int count;
	int empty; /* number of empty cells of the chance node */
};

struct level {
	int nodes, groups, slots;
	struct node node[NODES];
	struct chance chance[CHANCES]; /* after-states of the nodes of the level above */
	struct chance *to_expand[CHANCES], *pending[CHANCES], *unfinished[CHANCES];
	int unfinished_count;
	struct group group[GROUPS];
	double slot[SLOTS];
	uint16_t seen[SEEN];
};

/* Chance nodes whose leaves are evaluated together. */
struct leaf_queue {
	size_t n;
	struct leaf_node node[LEAF_NODES];
};

struct searcher {
	struct search *search;
	struct search_counts counts;
	uint64_t begun; /* nodes when this search started */
	struct leaf_queue leaves;
	struct level *level; /* LEVELS of them; pages exist once they are used */
};

static bool stopped(const struct searcher *t)
{
	return atomic_load_explicit(&t->search->stopped, memory_order_relaxed);
}

static void budget_check(const struct searcher *t)
{
	const struct search *search = t->search;
	if ((search->nodes_max && t->counts.nodes - t->begun > search->nodes_max) ||
	    (search->deadline < INFINITY && clock_seconds() > search->deadline &&
	     clock_thread_seconds() > search->thread_deadline) ||
	    stop_requested())
		atomic_store_explicit(&t->search->stopped, true, memory_order_relaxed);
}

/*
 * Narrows BOUNDED_VALUE to the path probabilities for which a child, reached with probability Q,
 * has a value that holds for [low, high). The slack keeps the interval inside the true one despite
 * rounding.
 */
static void bounded_value_narrow(struct bounded_value *bounded_value, double low, double high,
				 double q)
{
	const double slack = 1e-12;
	low = low / q * (1 + slack);
	high = high / q * (1 - slack);
	bounded_value->low = low > bounded_value->low ? low : bounded_value->low;
	bounded_value->high = high < bounded_value->high ? high : bounded_value->high;
}

static void bounded_value_intersect(struct bounded_value *bounded_value,
				    const struct bounded_value *other)
{
	bounded_value->low = other->low > bounded_value->low ? other->low : bounded_value->low;
	bounded_value->high = other->high < bounded_value->high ? other->high : bounded_value->high;
	bounded_value->limited |= other->limited;
}

/* Evaluates the queued leaves. */
static void leaves_flush(struct searcher *t)
{
	struct leaf_queue *leaves = &t->leaves;
	const struct search *search = t->search;
	value_leaf_sums(search->value, search->game, &search->rule, leaves->node, leaves->n);
	leaves->n = 0;
}

static void nodes_solve(struct searcher *t, struct level *level, int depth);

/* The children of a chance node by spawns of exponent K and probability Q. */
struct child {
	struct group *group;
	double q;
	uint8_t k;
};

/* The kinds of spawn at a chance node whose children are evaluated the same way. */
struct children {
	int kinds;
	struct child child[SPAWN_KINDS_MAX];
};

/* Adds the CHILD of a chance node in CELLS, as nodes with DEPTH own moves left. */
static void nodes_add(struct searcher *t, struct level *level, const struct child *child,
		      const uint8_t *cells, int depth)
{
	struct group *group = child->group;
	struct chance *from = group->from;
	if (level->nodes + group->count > NODES)
		nodes_solve(t, level, depth);
	double *to = level->slot + level->slots;
	group->slots = to;
	level->slots += group->count;
	t->counts.nodes += (uint64_t)group->count;
	for (int i = 0; i < group->count; i++) {
		struct node *node = &level->node[level->nodes++];
		node->board = from->after;
		*board_at(&node->board, cells[i]) = child->k;
		node->p = from->p * child->q;
		node->q = child->q;
		node->from = from;
		node->to = to + i;
	}
}

/* How children of a chance node by one kind of spawn are evaluated. */
enum child_kind { CHILD_SUM, CHILD_LEAF, CHILD_NODE, CHILD_KINDS };

/*
 * Returns how to evaluate children that a spawn of probability Q reaches from a node of probability
 * P, and narrows BOUNDED_VALUE to the probabilities for which this is the same. With leaf=state a
 * child is a leaf if it has one own move left, or if everything after it is cut off; it has COUNT -
 * 1 empty cells or, after a merge, more.
 */
static enum child_kind child_kind_of(const struct search *search,
				     struct bounded_value *bounded_value, double p, double q,
				     int count, int depth)
{
	const bool spawns = search->rule.spawns;
	const enum child_kind leaf = spawns ? CHILD_SUM : CHILD_LEAF;
	if (depth == 1) {
		const bool limited = p >= search->cutoff;
		/* The value is the same for all p, but not whether more depth could change it. */
		if (search->deepens)
			bounded_value_narrow(bounded_value, limited ? search->cutoff : 0,
					     limited ? INFINITY : search->cutoff, q);
		bounded_value->limited |= limited;
		return leaf;
	}
	if (p < search->cutoff) {
		bounded_value_narrow(bounded_value, 0, search->cutoff, q);
		return leaf;
	}
	if (!spawns || depth == 2) {
		bounded_value_narrow(bounded_value, search->cutoff, INFINITY, q);
		bounded_value->limited |= spawns;
		return spawns ? CHILD_LEAF : CHILD_NODE;
	}
	const double most = search->spawn_most[count > 1 ? count - 1 : 1];
	const bool last = p * search->move_p * most < search->cutoff;
	const double end = search->cutoff / (search->move_p * most);
	if (last)
		bounded_value_narrow(bounded_value, search->cutoff, end * (1 - 1e-12), q);
	else
		bounded_value_narrow(bounded_value, end * (1 + 1e-12), INFINITY, q);
	return last ? CHILD_LEAF : CHILD_NODE;
}

/* Whether spawns of KIND belong to the part of FROM that is searched now. */
static bool part_has(const struct search *search, const struct chance *from, int kind)
{
	return from->part == PART_ALL || (from->part == PART_MAIN) == (kind == search->main_kind);
}

/* Makes the groups of FROM for COUNT of its EMPTY cells, sorted by evaluation. */
static void children_sort(const struct search *search, struct level *level, struct chance *from,
			  int count, int empty, int depth, struct children children[CHILD_KINDS])
{
	const struct spawn_rule *spawn = &search->game->spawn;
	for (int kind = 0; kind < CHILD_KINDS; kind++)
		children[kind].kinds = 0;
	for (int i = 0; i < spawn->kinds; i++) {
		struct group *group = &level->group[level->groups++];
		const double q = search->spawn_q[i][empty];
		const double sum = i == search->main_kind ? from->main_sum : 0;
		*group = (struct group){from, sum, NULL, count, empty};
		if (!part_has(search, from, i))
			continue;
		struct children *same = &children[child_kind_of(search, &from->bounded_value,
								from->p * q, q, empty, depth)];
		same->child[same->kinds++] = (struct child){group, q, spawn->exponent[i]};
	}
}

/* Queues the chance node AFTER; groups_finish() or a full queue evaluates its leaves. */
static struct leaf_node *leaf_take(struct searcher *t, const struct board *after, int kinds)
{
	if (t->leaves.n == LEAF_NODES)
		leaves_flush(t);
	struct leaf_node *node = &t->leaves.node[t->leaves.n++];
	node->after = after;
	node->kinds = kinds;
	node->count = 0;
	return node;
}

/* Queues the children of the chance node AFTER, with COUNT empty CELLS, that are LEAVES. */
static void leaves_add(struct searcher *t, const struct board *after, const uint8_t *cells,
		       int count, const struct children *leaves)
{
	struct leaf_node *node = leaf_take(t, after, leaves->kinds);
	node->count = count;
	memcpy(node->cells, cells, (size_t)count);
	for (int i = 0; i < leaves->kinds; i++) {
		node->k[i] = leaves->child[i].k;
		node->sum[i] = &leaves->child[i].group->sum;
	}
}

/*
 * Returns the number of cells in which to try the likeliest spawn next: all for leaves, which fill
 * batches; one for nodes, which are expensive.
 */
static int part_count(const struct search *search, const struct chance *from, int empty, int depth)
{
	const double p = from->p * search->spawn_q[search->main_kind][empty];
	return depth == 1 || p < search->cutoff ? empty : 1;
}

static int empty_count(const struct game *game, const struct board *board)
{
	uint64_t columns = 0; /* number of empty cells in each column */
	for (int r = 0; r < game->rows; r++)
		columns += zero_bytes(row_load(board->cell[r]), game->cols) >> 7;
	return (int)(columns * 0x0101010101010101u >> 56);
}

/* Makes the CHILDREN of FROM in COUNT of its empty CELLS. */
static void children_make(struct searcher *t, struct level *level, struct chance *from,
			  const uint8_t *cells, int count, int depth,
			  const struct children children[CHILD_KINDS])
{
	const struct search *search = t->search;
	const struct children *summed = &children[CHILD_SUM], *nodes = &children[CHILD_NODE];
	double sums[SPAWN_KINDS_MAX];
	uint8_t k[SPAWN_KINDS_MAX];
	if (children[CHILD_LEAF].kinds)
		leaves_add(t, &from->after, cells, count, &children[CHILD_LEAF]);
	for (int i = 0; i < nodes->kinds; i++)
		nodes_add(t, level, &nodes->child[i], cells, depth - 1);
	if (!summed->kinds)
		return;
	for (int i = 0; i < summed->kinds; i++)
		k[i] = summed->child[i].k;
	value_spawn_sums(search->value, search->game, search->rule.terminal, &from->after, cells,
			 count, k, summed->kinds, sums);
	for (int i = 0; i < summed->kinds; i++)
		summed->child[i].group->sum = sums[i];
}

/* chance_expand() where all children are leaves because DEPTH is 1, which is most of a search. */
static void leaves_expand(struct searcher *t, struct level *level, struct chance *from)
{
	const struct search *search = t->search;
	const struct spawn_rule *spawn = &search->game->spawn;
	const int empty = empty_count(search->game, &from->after);
	struct group *group = &level->group[level->groups];
	struct leaf_node *node = leaf_take(t, &from->after, spawn->kinds);
	const bool limited = from->p * search->spawn_most[empty] >= search->cutoff;
	from->bounded_value = (struct bounded_value){0, 0, INFINITY, limited, false};
	for (int i = 0; i < spawn->kinds; i++) {
		group[i] = (struct group){from, 0, NULL, empty, empty};
		node->k[i] = spawn->exponent[i];
		node->sum[i] = &group[i].sum;
	}
	level->groups += spawn->kinds;
	t->counts.nodes += (uint64_t)(empty * spawn->kinds);
}

/* Evaluates or creates the children of FROM. */
static void chance_expand(struct searcher *t, struct level *level, struct chance *from, int depth)
{
	const struct search *search = t->search;
	if (depth == 1 && !search->deepens && !search->rule.spawns) {
		leaves_expand(t, level, from);
		return;
	}
	uint8_t cells[CELLS_MAX];
	const int empty = board_empty_cells(search->game, &from->after, cells);
	int count = empty, done = 0;
	struct children children[CHILD_KINDS]; /* not cleared, for speed */
	if (from->part == PART_MAIN) {
		done = from->done;
		count = part_count(search, from, empty, depth);
	}
	if (from->part == PART_ALL || (from->part == PART_MAIN && !from->done))
		from->bounded_value = (struct bounded_value){0, 0, INFINITY, false, false};
	children_sort(search, level, from, count, empty, depth, children);
	t->counts.nodes += (uint64_t)(count * children[CHILD_LEAF].kinds);
	children_make(t, level, from, cells + done, count, depth, children);
}

/* Adds the slots of a group to its sum, in order. */
static void slots_sum(struct group *group)
{
	double sum = group->sum;
	for (int i = 0; i < group->count; i++)
		sum += group->slots[i];
	group->sum = sum;
}

/* Sums two groups in the time of one, in which each addition waits for the one before. */
static void slots_sum_two(struct group *a, struct group *b)
{
	double x = a->sum, y = b->sum;
	for (int i = 0; i < a->count; i++) {
		x += a->slots[i];
		y += b->slots[i];
	}
	a->sum = x;
	b->sum = y;
}

static void groups_sum(struct group *group, int kinds)
{
	if (kinds == 2 && group[0].slots && group[1].slots)
		slots_sum_two(&group[0], &group[1]);
	else
		for (int i = 0; i < kinds; i++)
			if (group[i].slots)
				slots_sum(&group[i]);
}

/* Computes the value of a chance node from the sums of its groups. */
static void chance_finish(const struct search *search, const struct group *group)
{
	double value = 0;
	for (int i = 0; i < search->game->spawn.kinds; i++)
		value += search->rule.probability[i] * group[i].sum;
	group->from->bounded_value.value = value * search->rule.share[group->empty];
}

/*
 * Whether a chance node, of which only some children of the likeliest kind are known, cannot exceed
 * the value of its rival.
 */
static bool chance_fails(const struct search *search, struct group *group)
{
	struct chance *from = group->from;
	const int empty = group->empty;
	struct group *main = &group[search->main_kind];
	from->main_sum = main->sum;
	from->done += main->count;
	for (int i = 0; i < search->game->spawn.kinds; i++)
		if (i != search->main_kind)
			group[i].sum = search->bound * empty;
	main->sum += search->bound * (empty - from->done);
	chance_finish(search, group);
	from->part = from->done < empty ? PART_MAIN : PART_REST;
	return from->bounded_value.value <= from->rival;
}

/* Evaluates all groups of LEVEL, whose chance nodes have DEPTH, and stores them. */
static void groups_finish(struct searcher *t, struct level *level, int depth)
{
	struct search *search = t->search;
	if (level->nodes)
		nodes_solve(t, level, depth - 1);
	if (t->leaves.n)
		leaves_flush(t);
	budget_check(t);
	const int groups = stopped(t) ? 0 : level->groups;
	for (int i = 0; i < groups; i += search->game->spawn.kinds) {
		struct chance *from = level->group[i].from;
		groups_sum(&level->group[i], search->game->spawn.kinds);
		bool solved = true;
		if (from->part == PART_MAIN)
			solved = from->bounded_value.bound = chance_fails(search, &level->group[i]);
		else
			chance_finish(search, &level->group[i]);
		if (!solved)
			level->unfinished[level->unfinished_count++] = from;
		else if (search->tt.buckets)
			tt_store(&search->tt, from->key, depth, &from->bounded_value);
	}
	level->groups = level->slots = level->nodes = 0;
}

/* Searches the current parts of N chance nodes of DEPTH, unless the search is stopped. */
static void parts_solve(struct searcher *t, struct level *level, struct chance **to_expand, int n,
			int depth)
{
	const int kinds = t->search->game->spawn.kinds, most = kinds * t->search->game->cells;
	for (int i = 0; i < n && !stopped(t); i++) {
		if (level->slots + most > SLOTS || level->groups + kinds > GROUPS)
			groups_finish(t, level, depth);
		chance_expand(t, level, to_expand[i], depth);
	}
	groups_finish(t, level, depth);
}

/*
 * Computes the values of N chance nodes; for those that cannot exceed their rivals, an upper bound
 * that does not exceed the rival's value.
 */
static void chances_solve(struct searcher *t, struct level *level, struct chance **to_expand, int n,
			  int depth)
{
	do {
		level->unfinished_count = 0;
		parts_solve(t, level, to_expand, n, depth);
		to_expand = level->unfinished;
		n = level->unfinished_count;
	} while (n && !stopped(t));
}

/* chances_solve() on all threads. A task is a run of chance nodes. */
struct shared_work {
	struct search *search;
	struct chance **to_expand;
	int level, depth;
	int first[CHANCES + 1]; /* first node of each task; the end of the last one */
};

/*
 * Divides N chance nodes into tasks and returns their number: long ones first, since several nodes
 * fill batches better than one, and single ones at the end, so that no thread waits for long.
 */
static size_t tasks_cut(struct shared_work *work, int n)
{
	size_t tasks = 0;
	for (int at = 0; at < n;) {
		const int run = (n - at) / (TASKS_LEFT * work->search->searchers);
		work->first[tasks++] = at;
		at += run > 1 ? run : 1;
	}
	work->first[tasks] = n;
	return tasks;
}

static void shared_task(void *context, size_t task, int worker)
{
	const struct shared_work *work = context;
	struct searcher *t = &work->search->searcher[worker];
	const int first = work->first[task];
	chances_solve(t, &t->level[work->level], work->to_expand + first,
		      work->first[task + 1] - first, work->depth);
}

static void chances_share(struct searcher *t, struct level *level, struct chance **to_expand, int n,
			  int depth)
{
	const ptrdiff_t at = level - t->level;
	/* Level 0 has too few tasks; below level 1 all threads are already working. */
	if (!t->search->team || at != 1 || depth < SHARED_DEPTH) {
		chances_solve(t, level, to_expand, n, depth);
		return;
	}
	struct shared_work work = {
	    .search = t->search, .to_expand = to_expand, .level = (int)at, .depth = depth};
	thread_team_run(t->search->team, shared_task, &work, tasks_cut(&work, n));
}

/* Moves repeated nodes from `to_expand` to `pending`. Returns the number of nodes that stay. */
static int duplicates_part(struct level *level, int n, int *pending)
{
	int stay = 0;
	memset(level->seen, 0, sizeof level->seen);
	*pending = 0;
	for (int i = 0; i < n; i++) {
		struct chance *chance = level->to_expand[i];
		unsigned place = chance->key.check % SEEN;
		while (level->seen[place] &&
		       level->to_expand[level->seen[place] - 1]->key.check != chance->key.check)
			place = (place + 1) % SEEN;
		if (level->seen[place]) {
			level->pending[(*pending)++] = chance;
			continue;
		}
		level->to_expand[stay++] = chance;
		level->seen[place] = (uint16_t)stay;
	}
	return stay;
}

/* Copies the nodes of LIST that the table lacks to `to_expand`. Returns their number. */
static int chances_probe(struct searcher *t, struct level *level, struct chance **list, int n)
{
	int left = 0;
	for (int i = 0; i < n; i++) {
		struct chance *chance = list[i];
		if (tt_probe(&t->search->tt, chance->key, chance->p, chance->rival,
			     &chance->bounded_value))
			t->counts.hits++;
		else
			level->to_expand[left++] = chance;
	}
	return left;
}

/* Computes the values of the first N after-states in PENDING of LEVEL. */
static void level_solve(struct searcher *t, struct level *level, int n, int depth)
{
	if (!t->search->tt.buckets) {
		chances_share(t, level, level->pending, n, depth);
		return;
	}
	t->counts.probes += (uint64_t)n;
	while (n && !stopped(t)) {
		int pending, stay = duplicates_part(
				 level, chances_probe(t, level, level->pending, n), &pending);
		chances_share(t, level, level->to_expand, stay, depth);
		n = pending;
	}
}

/* Marks the first N after-states as pending. Returns N. */
static int pending_expand_all(struct level *level, int n)
{
	for (int i = 0; i < n; i++)
		level->pending[i] = &level->chance[i];
	return n;
}

/* Appends the after-states of a position to the first N of LEVEL. Returns their new number. */
static int chances_open(const struct search *search, struct level *level, int n,
			const struct moves *moves, double p, int depth)
{
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(moves->legal >> d & 1))
			continue;
		struct chance *chance = &level->chance[n++];
		chance->after = moves->after[d];
		chance->reward = search->rule.rewards ? (double)moves->reward[d] : 0;
		chance->p = p * search->move_p;
		chance->part = PART_ALL;
		chance->main_sum = 0;
		chance->done = 0;
		chance->rival = -INFINITY;
		if (search->tt.buckets)
			chance->key = tt_key(&search->tt, &chance->after, depth);
	}
	return n;
}

/* Passes the value of the best after-state of a node to its destination. */
static void node_finish(const struct search *search, const struct level *next, struct node *node)
{
	struct bounded_value best = {search->rule.terminal, 0, INFINITY, false, false};
	for (int i = 0; i < node->chances; i++) {
		const struct chance *chance = &next->chance[node->first + i];
		const double value = chance->bounded_value.value + chance->reward;
		best.value = i == 0 || value > best.value ? value : best.value;
		bounded_value_intersect(&best, &chance->bounded_value);
	}
	*node->to = best.value;
	bounded_value_narrow(&node->from->bounded_value, best.low, best.high,
			     search->move_p * node->q);
	node->from->bounded_value.limited |= best.limited;
}

/* Whether to search one move of a node before the others; not if the cutoff soon ends all paths. */
static bool node_ranks(const struct search *search, const struct node *node)
{
	return node->chances > 1 && node->p >= RANKED * search->cutoff;
}

/* Chooses the first move of each node of LEVEL that orders its moves, otherwise -1. */
static void first_moves_choose(const struct search *search, struct level *level)
{
	struct level *next = level + 1;
	struct board after[CHANCES];
	double first_move[CHANCES];
	size_t n = 0;
	for (int i = 0; i < level->nodes; i++)
		for (int j = 0; node_ranks(search, &level->node[i]) && j < level->node[i].chances;
		     j++)
			after[n++] = next->chance[level->node[i].first + j].after;
	if (n)
		value_eval(search->value, after, n, first_move);
	n = 0;
	for (int i = 0; i < level->nodes; i++) {
		struct node *node = &level->node[i];
		node->first_move = -1;
		if (!node_ranks(search, node))
			continue;
		size_t best = n;
		/* NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult): n > 0 here */
		for (int j = 1; j < node->chances; j++)
			if (first_move[n + (size_t)j] > first_move[best])
				best = n + (size_t)j;
		/* NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult) */
		node->first_move = node->first + (int)(best - n);
		n += (size_t)node->chances;
	}
}

/* Solves the after-states of the nodes of LEVEL, the first moves before their rivals. */
static void rivals_solve(struct searcher *t, struct level *level, int depth)
{
	struct level *next = level + 1;
	int count = 0;
	first_moves_choose(t->search, level);
	for (int i = 0; i < level->nodes; i++) {
		const struct node *node = &level->node[i];
		for (int j = node->first; j < node->first + node->chances; j++)
			if (node->first_move < 0 || j == node->first_move)
				next->pending[count++] = &next->chance[j];
	}
	level_solve(t, next, count, depth);
	count = 0;
	for (int i = 0; i < level->nodes; i++) {
		const struct node *node = &level->node[i];
		for (int j = node->first; j < node->first + node->chances; j++) {
			if (node->first_move < 0 || j == node->first_move)
				continue;
			next->chance[j].part = PART_MAIN;
			next->chance[j].rival = next->chance[node->first_move].bounded_value.value;
			next->pending[count++] = &next->chance[j];
			if (t->search->tt.buckets)
				__builtin_prefetch(
				    &t->search->tt.buckets[next->chance[j].key.bucket]);
		}
	}
	level_solve(t, next, count, depth);
}

/* Computes the values of the nodes of LEVEL, which have DEPTH own moves left. */
static void nodes_solve(struct searcher *t, struct level *level, int depth)
{
	const struct search *search = t->search;
	struct level *next = level + 1;
	int n = 0;
	for (int i = 0; i < level->nodes; i++) {
		struct node *node = &level->node[i];
		struct moves moves;
		search->game->moves(&node->board, &moves);
		node->first = n;
		n = chances_open(search, next, n, &moves, node->p, depth);
		node->chances = n - node->first;
	}
	if (search->cuts && depth >= CUT_DEPTH)
		rivals_solve(t, level, depth);
	else
		level_solve(t, next, pending_expand_all(next, n), depth);
	for (int i = 0; i < level->nodes && !stopped(t); i++)
		node_finish(search, next, &level->node[i]);
	level->nodes = 0;
}

static void tables_make(struct search *search)
{
	const struct spawn_rule *spawn = &search->game->spawn;
	for (int i = 1; i < spawn->kinds; i++)
		if (spawn->probability[i] > spawn->probability[search->main_kind])
			search->main_kind = i;
	search->cuts = !search->deepens && search->value->class->bound && !search->rule.rewards &&
		       fabs(search->rule.terminal) < BOUND_MOST;
	for (int n = 1; n <= CELLS_MAX; n++) {
		search->spawn_most[n] = 0;
		for (int i = 0; i < spawn->kinds; i++) {
			double q = spawn->probability[i] * search->rule.share[n];
			search->spawn_q[i][n] = q;
			search->spawn_most[n] = fmax(search->spawn_most[n], q);
		}
	}
}

enum status search_init(struct search *search, int threads, struct why *why)
{
	tables_make(search);
	search->deadline = INFINITY;
	if (search->table_bytes) {
		enum status status = tt_init(&search->tt, search->game, search->table_bytes, why);
		if (status)
			return status;
		search->tt.forgets = search->forgets;
	}
	search->searcher = calloc((size_t)threads, sizeof *search->searcher);
	for (int i = 0; search->searcher && i < threads; i++) {
		struct searcher *t = &search->searcher[i];
		t->search = search;
		t->level = virtual_memory_reserve(LEVELS, sizeof *t->level);
		if (!t->level)
			break;
		search->searchers = i + 1;
	}
	if (search->searchers != threads)
		return why_set(why, STATUS_SYSTEM, "out of memory for a search");
	return threads > 1 ? thread_team_new(threads, &search->team, why) : STATUS_OK;
}

void search_fini(struct search *search)
{
	thread_team_free(search->team);
	for (int i = 0; i < search->searchers; i++)
		virtual_memory_unmap(search->searcher[i].level, LEVELS, sizeof(struct level));
	free(search->searcher);
	tt_fini(&search->tt);
}

void search_begin(struct search *search, uint64_t entries)
{
	for (int i = 0; i < search->searchers; i++)
		search->searcher[i].counts = (struct search_counts){0};
	search->counts = (struct search_counts){0};
	search->tt.now++;
	tt_resize(&search->tt, entries);
}

/* Sums the counts of the threads. */
static void counts_sum(struct search *search)
{
	struct search_counts sum = {0};
	for (int i = 0; i < search->searchers; i++) {
		const struct search_counts *counts = &search->searcher[i].counts;
		sum.nodes += counts->nodes;
		sum.probes += counts->probes;
		sum.hits += counts->hits;
	}
	search->counts = sum;
}

/*
 * Sets search->bound to an upper bound of all values in a search of DEPTH from the after-states of
 * MOVES, if the search is deep enough to need one.
 */
static void bound_set(struct search *search, const struct moves *moves, int depth)
{
	const struct value *value = search->value;
	search->bound = search->rule.terminal;
	for (int d = 0; search->cuts && depth > CUT_DEPTH && d < DIRECTIONS; d++)
		if (moves->legal >> d & 1)
			search->bound =
			    fmax(search->bound,
				 value->class->bound(value->self, &moves->after[d], depth));
	search->bound = ceil(search->bound) + 1;
}

bool search_moves(struct search *search, const struct moves *moves, int depth,
		  double value[DIRECTIONS])
{
	struct searcher *t = search->searcher;
	struct level *level = t->level;
	bool limited = false;
	search->stopped = false;
	search->tt.unit = search->cutoff >= CUTOFF_UNIT ? search->cutoff : 1;
	search->tt.scale = 1 / search->tt.unit;
	for (int i = 0; i < search->searchers; i++) {
		search->searcher[i].begun = search->searcher[i].counts.nodes;
		search->searcher[i].leaves.n = 0;
	}
	bound_set(search, moves, depth);
	level_solve(t, level,
		    pending_expand_all(level, chances_open(search, level, 0, moves, 1, depth)),
		    depth);
	counts_sum(search);
	const struct chance *next = level->chance;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(moves->legal >> d & 1))
			continue;
		value[d] = next->bounded_value.value + next->reward;
		limited |= next->bounded_value.limited;
		next++;
	}
	return search->deepens && !limited;
}
