/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays an experiment until its means are precise; see precise.c. */
#ifndef NXN_PRECISE_H
#define NXN_PRECISE_H

#include "src/measure/tournament.h"

#include <stdio.h>

/*
 * As tournament_play(), but each player stops at the first look (analysis/stats/precision.c) at
 * which its mean is within EXPERIMENT->precision, and after schedule.games games at most. Sets
 * schedule.games to the games that the player was given. A share has whole players.
 */
MUST_USE enum status precise_play(const struct experiment *experiment,
				  const struct tournament_options *options, struct work_done *count,
				  struct gamelog *games, struct why *why);

/*
 * Prints "All means are within 5%." or, by the games in LOG, how many are not and the widest
 * interval.
 */
void precise_print(FILE *file, const struct experiment *experiment, const struct gamelog *log);

#endif
