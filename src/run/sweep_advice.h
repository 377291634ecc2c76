/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep recommends for a time a move. */
#ifndef NXN_SWEEP_ADVICE_H
#define NXN_SWEEP_ADVICE_H

#include "analysis/tables/sweep_tables.h"
#include "src/run/sweep_report.h"

/*
 * Prints, for each budget of the sweep and each board, the best cell within it (sweep_best()), with
 * its intervals and a command that plays it; nothing without budgets. STATUS_SYSTEM when memory
 * runs out.
 */
MUST_USE enum status sweep_advise(const struct sweep_run *run, const struct sweep_cells *cells,
				  struct why *why);

#endif
