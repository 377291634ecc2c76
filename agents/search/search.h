/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Depth-limited, memoised expectimax with a probability cutoff. agents/search/expectimax.c, its
 * agent, defines the recurrence.
 */
#ifndef NXN_SEARCH_H
#define NXN_SEARCH_H

#include "agents/value.h"

#include <stdatomic.h>

struct thread_team;
struct tt_bucket;

/* Private to search.c. */
struct transposition_table {
	struct tt_bucket *buckets;
	uint64_t all;	    /* buckets - 1 */
	uint64_t mask;	    /* buckets in use - 1 */
	uint32_t now;	    /* generation of new entries */
	bool forgets;	    /* ignore entries of older generations */
	bool narrow;	    /* two rows of the game fit into a word */
	double unit, scale; /* unit: the cutoff, or 1 without one; scale: 1 / unit */
};

/* Statistics of a search; see struct decision. */
struct search_counts {
	uint64_t nodes, probes, hits;
};

/* The parameters of a search and its table; shared by its threads. */
struct search {
	const struct game *game;
	const struct value *value;
	struct leaf_rule rule;
	double cutoff;	     /* may change between searches; stays above 1e-30 */
	double move_p;	     /* factor of the path probability for an own move; at most 1 */
	int64_t table_bytes; /* bytes of the table; 0: no table */
	bool forgets;	     /* a decision ignores the entries of earlier decisions */

	bool deepens; /* search_moves() reports whether more depth could change the values */

	/*
	 * A budget; 0 and INFINITY: none. A search that exceeds the budget, or during which a stop
	 * was requested (base/stop.h), has no result.
	 */
	uint64_t nodes_max;
	double deadline;	/* of clock_seconds() */
	double thread_deadline; /* of clock_thread_seconds(), for one thread; both must pass */
	_Atomic bool stopped;

	struct search_counts counts; /* of all threads since search_begin() */

	/* Private. */
	struct transposition_table tt; /* without buckets: no table */
	struct thread_team *team;      /* NULL: one thread */
	/* spawn_q[i][n]: the probability of a spawn of kind i in one of n empty cells. */
	double spawn_q[SPAWN_KINDS_MAX][CELLS_MAX + 1], spawn_most[CELLS_MAX + 1];
	/* Give up moves that cannot be the best of their position; not if `deepens`. */
	bool cuts;
	double bound;		   /* upper bound of all values in this search */
	int main_kind;		   /* the likeliest kind of spawn */
	struct searcher *searcher; /* per thread: scratch memory */
	int searchers;
};

/*
 * Initialises a search whose public members are set. STATUS_SYSTEM if memory or threads run out.
 * Call search_fini() also on failure; it accepts a zeroed search.
 */
MUST_USE enum status search_init(struct search *search, int threads, struct why *why);
void search_fini(struct search *search);

/*
 * Computes the values of the legal moves of a position, DEPTH own moves deep (1 .. 128), including
 * rewards as the rule says. With search->deepens, returns true if all values are exact for any
 * greater depth, because everything not searched was cut off. If search->stopped is set on return,
 * VALUE is undefined.
 */
bool search_moves(struct search *search, const struct moves *moves, int depth,
		  double value[DIRECTIONS]);

/*
 * Starts another decision: resets the counts and makes older entries of the table the first to be
 * replaced. Uses a part of the table that suits ENTRIES, so that a small search stays in the
 * processor's caches; when the part changes, most entries are lost.
 */
void search_begin(struct search *search, uint64_t entries);

#endif
