/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Search and solver against each other, in every position that games reach. */
#ifndef NXN_VERIFY_OPTIMUM_H
#define NXN_VERIFY_OPTIMUM_H

#include "agents/solver/optimum.h"
#include "src/verify/verify.h"

struct position_list {
	struct board *board;
	size_t n, room;
};

/*
 * Every position that games of GAME reach from two tiles with the spawns 2 and 4, the first of its
 * images each, by plain rules. STATUS_SYSTEM; the list is free()d by its board.
 */
MUST_USE enum status positions_reach(const struct game *game, struct position_list *list,
				     struct why *why);

/*
 * Tallies, for every move of every position of LIST, its value by expectimax against that of the table,
 * to 1e-9. The search goes as deep as games can last if no tiles sum to more than MAX_SUM. Fails as
 * search_init(), or with STATUS_STOPPED.
 */
MUST_USE enum status search_compare_all(const struct game *game, const struct position_list *list,
					uint64_t max_sum, const struct optimum *optimum,
					struct agreement *agreement, struct why *why);

#endif
