/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What games of a tuning come to: of a candidate, and of tuned parameters beside those at the start. */
#ifndef NXN_TUNE_REPORT_H
#define NXN_TUNE_REPORT_H

#include "analysis/stats/stats.h"
#include "src/run/tune.h"
#include "src/run/tune_match.h"

/* Two players of the same held-out games. */
struct tune_versus {
	struct interval start, tuned; /* mean scores */
	struct interval ratio;	      /* tuned / start, as independent samples */
	struct paired paired;	      /* tuned - start */
};

/* What N games count for together: the mean over them of what each counts for. */
double tune_objective(const struct tune_options *options, const struct tune_result *games,
		      size_t n);

/* Compares N games each. STATUS_SYSTEM if memory runs out. */
MUST_USE enum status tune_compare(const struct tune_result *tuned, const struct tune_result *start,
				  size_t n, struct tune_versus *versus, struct why *why);

/* What is printed in the end: START and TUNED are agents, who played games of SEED. */
void tune_report(const struct tune_options *options, const char *start, const char *tuned,
		 uint64_t seed, const struct tune_versus *versus);

#endif
