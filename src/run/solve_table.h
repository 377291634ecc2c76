/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of nxn solve on standard output: `key value` lines with a tab between. */
#ifndef NXN_SOLVE_TABLE_H
#define NXN_SOLVE_TABLE_H

#include "src/run/solve.h"

/*
 * The `#` lines: version, COMMAND, what else decides numbers. WHAT is hashed with the game, as the
 * configuration. STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status solve_head_print(const struct game *game, const char *command,
				      const char *what, struct why *why);

/* The lines board, spawn and start or start_tiles. */
void solve_game_print(const struct game *game);

/* "KEY\tX\n", with the fewest digits that read back as X. */
void solve_real_print(const char *key, double x);

/* "KEY\tN\n" */
void solve_count_print(const char *key, uint64_t n);

/* All of RESULT, after SECONDS of work. */
MUST_USE enum status solve_table_print(const struct solve_options *options, const struct game *game,
				       const char *command, const struct solve_result *result,
				       double seconds, struct why *why);

#endif
