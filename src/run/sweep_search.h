/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time of one search. For a search of one thread it is the thread's time on a processor, or the
 * time that passed if that is less, so that a busy machine counts for little; for a search of
 * several threads it is the time that passed.
 */
#ifndef NXN_SWEEP_SEARCH_H
#define NXN_SWEEP_SEARCH_H

#include "src/run/experiment.h"

/* What decides how long the searches of ENTRY take, with WORKERS of them at a time. */
uint64_t sweep_config(const struct entry *entry, int workers);

/* How many cells are timed at a time: THREADS, or one if its search has threads of its own. */
int sweep_workers(const struct experiment *experiment, int threads);

/* The clock that times the searches of ENTRY, in words. */
const char *search_clock(const struct entry *entry);

/*
 * Asks AGENT, the player of ENTRY, for its move on BOARD, which has one; the seconds that took. What
 * it draws at random depends on SEED and NUMBER alone.
 */
double search_time(const struct entry *entry, struct agent *agent, const struct board *board,
		   uint64_t seed, uint64_t number, struct decision *decision);

/*
 * Has AGENT search other positions, cheap ones, often or long enough to touch all pages of its
 * table: they are made when they are first touched, which takes longer than a shallow search.
 */
void search_warm(const struct entry *entry, struct agent *agent, uint64_t seed);

#endif
