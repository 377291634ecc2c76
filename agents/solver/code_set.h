/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set of codes (boards/simd/keys.h) that many threads collect: what one finds is kept once, in
 * order.
 *
 * The first bits of a code say to which part of the set it belongs. Workers put what they find
 * into buckets, one for each worker and part, without a lock; then each part is merged by one of
 * them. A part is a table in which a code stands behind its first bits, in ascending order, so
 * that taking the set out needs no sorting.
 */
#ifndef NXN_CODE_SET_H
#define NXN_CODE_SET_H

#include "agents/solver/budget.h"
#include "base/thread_team.h"

struct code_part;

struct code_set {
	struct budget *budget;
	struct thread_team *team;
	int width, workers;
	int part_bits, parts; /* 2^part_bits */
	struct code_part *part;
	struct buffer *bucket; /* [worker * parts_max + part] */
	size_t *bucket_used;
	_Atomic bool failed;
};

/*
 * An empty set of codes of WIDTH bits, none of them 0, found by WORKERS threads of TEAM.
 * STATUS_SYSTEM if there is no memory.
 */
MUST_USE enum status code_set_init(struct code_set *set, struct budget *budget,
				   struct thread_team *team, int width, int workers,
				   struct why *why);

/* Before the first code of an empty set: some EXPECTED of them may come. A matter of speed alone. */
void code_set_expect(struct code_set *set, uint64_t expected);

/* N codes found by WORKER. Different workers may call it at the same time. */
void code_set_add(struct code_set *set, int worker, const uint64_t *code, size_t n);

/* What was added since the last merge joins the set. False if the budget was not enough for that. */
bool code_set_merge(struct code_set *set);

/* The number of codes in it, as of the last merge. */
size_t code_set_count(const struct code_set *set);

/* Puts them in ascending order into CODE, which has room for them, and empties the set. */
void code_set_take(struct code_set *set, uint64_t *code);

void code_set_fini(struct code_set *set);

#endif
