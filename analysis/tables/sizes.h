/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Players across boards, and learners over their training; see sizes.c and crossover.c. */
#ifndef NXN_SIZES_H
#define NXN_SIZES_H

#include "analysis/tables/summary.h"
#include "analysis/tables/table.h"

/* A player against another one on a board, and how that changes over all boards of the two. */
struct lead_row {
	const char *label, *against, *board;
	int cells;
	struct interval ratio; /* of mean scores */
	struct interval slope; /* stats_trend() */
};

/* leads: one row per player and board, of a struct summary; none for a single board. */
extern const struct table_column lead_columns[];
void lead_rows(const struct table_out *out, const void *summary);

/* law: one row per board and label with a law (analysis/stats/laws.h). */
extern const struct table_column law_columns[];
void law_rows(const struct table_out *out, const void *summary);

/*
 * For people: players by boards, and how the lead of the best, or of summary->against, over the
 * first three others changes with the size of the board, or theirs over it. Nothing for a single
 * board.
 */
void sizes_print(FILE *file, const struct summary *summary);

/*
 * crossover: one row per board, learner that was trained several times, player that does not learn,
 * and point of training; and for people, a sentence on each pair.
 */
extern const struct table_column crossover_columns[];
void crossover_rows(const struct table_out *out, const void *summary);
void crossover_print(FILE *file, const struct summary *summary);

#endif
