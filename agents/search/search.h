/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Depth-limited, memoised expectimax with a probability cutoff: the recurrence behind the agent
 * expectimax, which says what it computes.
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
	uint64_t mask;	    /* the same of those in use */
	uint32_t now;	    /* generation of new entries */
	bool forgets;	    /* entries of older generations are not there */
	bool narrow;	    /* two rows of the game fit into a word */
	double unit, scale; /* the cutoff, 1 for none, and 1 / unit */
};

/* What a search did; see struct decision. */
struct search_counts {
	uint64_t nodes, probes, hits;
};

/* What is searched, and the table; shared by the threads of a search. */
struct search {
	const struct game *game;
	const struct value *value;
	struct leaf_rule rule;
	double cutoff;	     /* may change between searches if it stays above 1e-30 */
	double move_p;	     /* factor of the path's probability for an own move; at most 1 */
	int64_t table_bytes; /* of memory for the table; 0: none */
	bool forgets;	     /* a decision finds nothing of those before in the table */

	bool deepens; /* search_moves() is to tell whether more depth could change the values */

	/*
	 * A budget; 0 and INFINITY: none. A search that has spent it has no result, nor has one in
	 * which the program was asked to stop (base/stop.h).
	 */
	uint64_t nodes_max;
	double deadline;	/* of clock_seconds() */
	double thread_deadline; /* of clock_thread_seconds(), for one thread; both have to pass */
	_Atomic bool stopped;

	struct search_counts counts; /* of all threads since search_begin() */

	/* Private. */
	struct transposition_table tt; /* without buckets: no table */
	struct thread_team *team;      /* NULL: one thread */
	/* spawn_q[i][n]: the probability of a spawn of kind i in one of n empty cells. */
	double spawn_q[SPAWN_KINDS_MAX][CELLS_MAX + 1], spawn_most[CELLS_MAX + 1];
	/* Moves that cannot be the best of their position are given up; not where it deepens. */
	bool cuts;
	bool sums_leaves;	   /* the value sums the leaves of chance nodes of this shape */
	double bound;		   /* no value in this search is above that */
	int main_kind;		   /* the likeliest kind of spawn */
	struct searcher *searcher; /* the scratch memory of each thread */
	int searchers;
};

/*
 * Prepares a search whose public members are set. STATUS_SYSTEM when memory or threads cannot be
 * had. search_fini() is fine after a failure, or on zeroes.
 */
MUST_USE enum status search_init(struct search *search, int threads, struct why *why);
void search_fini(struct search *search);

/*
 * The values of the legal moves of a position, DEPTH own moves deep (1 .. 128), rewards included as
 * the rule says. With search->deepens: true if every one is exact for any greater depth too,
 * because all that was not searched was cut off. With search->stopped set on return, VALUE is not
 * to be used.
 */
bool search_moves(struct search *search, const struct moves *moves, int depth,
		  double value[DIRECTIONS]);

/*
 * Begins another decision: nothing is counted, and older entries of the table are the first to be
 * replaced. Of the table as much is used as suits ENTRIES, so that a small search stays in the
 * caches of the processor; most entries are lost when that changes.
 */
void search_begin(struct search *search, uint64_t entries);

#endif
