/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory with a limit: work whose size nobody knows beforehand asks here before it takes more.
 *
 * A room is an array that grows and is used again; it holds no more than what was asked for, and is
 * given back by room_free(). A budget may be used by any number of threads, a room by one at a time.
 */
#ifndef NXN_BUDGET_H
#define NXN_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct budget {
	uint64_t limit;	       /* bytes */
	_Atomic uint64_t used; /* at present */
	_Atomic uint64_t peak; /* at most so far */
	_Atomic uint64_t
	    wish; /* what would have been used had it not been refused; 0: nothing was */
};

struct room {
	void *data;  /* zeroed where it was never written */
	size_t size; /* bytes */
};

/*
 * At least COUNT elements of SIZE bytes in ROOM, which keeps what it has. False, with ROOM as it was, if
 * that is more than the budget or the machine has.
 */
bool room_reserve(struct budget *budget, struct room *room, uint64_t count, size_t size);

void room_free(struct budget *budget, struct room *room);

#endif
