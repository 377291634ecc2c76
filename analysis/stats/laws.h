/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laws of the size of the board; see laws.c. */
#ifndef NXN_LAWS_H
#define NXN_LAWS_H

#include "analysis/stats/stats.h"

/* Fewer boards than that tell no law of their size; there are not as many shapes as the most. */
enum { LAW_BOARDS_MIN = 5, LAW_BOARDS_MAX = 64, LAW_FORMS = 6 };

/* The law of a player that predicts best. */
struct law {
	const char *form; /* NULL: none, too few boards */
	double a;
	struct interval b; /* no bounds where residuals follow the size */
	double error;	   /* of predictions, in log2 of points */
	const char *rival; /* another form that cannot be told from it; NULL: none */
	double rival_error;
};

/* The law of N means above 1 point on CELLS, ascending. */
struct law stats_law(const double *cells, const double *mean, size_t n);

/* What LAW says of the mean score on so many CELLS, points. */
double law_at(const struct law *law, double cells);

#endif
