/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates with confidence intervals, on top of analysis/stats/stats.h; see nxn.h. They are in a
 * separate library because they need GSL.
 */
#include "analysis/stats/stats.h"
#include "lib/nxn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline struct why *reason(struct nxn_why *why)
{
	return (struct why *)(void *)why;
}

static struct nxn_interval public_interval(struct interval interval)
{
	return (struct nxn_interval){interval.value, interval.low, interval.high};
}

/* Copies X[n] to a new array. STATUS_INPUT for a number that stats_accepts() refuses. */
static enum status numbers_copy(const double *x, size_t n, double **copy, struct why *why)
{
	for (size_t i = 0; i < n; i++)
		if (!stats_accepts(x[i]))
			return why_set(
			    why, STATUS_INPUT,
			    "number %zu is %g: expected 0, or 1e-50 to 1e50 in magnitude", i, x[i]);
	double *made = malloc((n + 1) * sizeof *made);
	if (!made)
		return why_set(why, STATUS_SYSTEM, "out of memory for %zu numbers", n);
	if (n)
		memcpy(made, x, n * sizeof *made);
	*copy = made;
	return STATUS_OK;
}

enum nxn_status nxn_estimate(enum nxn_statistic statistic, const double *x, size_t n,
			     struct nxn_interval *interval, struct nxn_why *why)
{
	static const struct statistic *const statistics[] = {[NXN_MEAN] = &stat_mean,
							     [NXN_MEDIAN] = &stat_median,
							     [NXN_SD] = &stat_sd,
							     [NXN_IQM] = &stat_iqm};
	double *sorted;
	enum status status = STATUS_OK;
	if ((unsigned)statistic > NXN_IQM)
		status = why_set(reason(why), STATUS_INPUT, "statistic %d: expected 0..3",
				 (int)statistic);
	if (!status)
		status = numbers_copy(x, n, &sorted, reason(why));
	if (status)
		return (enum nxn_status)status;
	stats_sort(sorted, n);
	*interval = public_interval(stats_interval(statistics[statistic], sorted, n));
	free(sorted);
	return NXN_OK;
}

static double mean_of(const double *x, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

enum nxn_status nxn_estimate_ratio(const double *a, size_t a_n, const double *b, size_t b_n,
				   struct nxn_interval *interval, struct nxn_why *why)
{
	double *x = NULL, *y = NULL;
	enum status status = numbers_copy(a, a_n, &x, reason(why));
	if (!status)
		status = numbers_copy(b, b_n, &y, reason(why));
	if (!status && (!(mean_of(a, a_n) > 0) || !(mean_of(b, b_n) > 0)))
		status = why_set(reason(why), STATUS_INPUT,
				 "means %g and %g: expected positive ones, which have a ratio",
				 mean_of(a, a_n), mean_of(b, b_n));
	if (!status) {
		stats_sort(x, a_n);
		stats_sort(y, b_n);
		*interval = public_interval(stats_ratio(x, a_n, y, b_n));
	}
	free(x);
	free(y);
	return (enum nxn_status)status;
}

enum nxn_status nxn_estimate_paired(const double *a, const double *b, size_t n,
				    struct nxn_interval *interval, struct nxn_why *why)
{
	double *x = NULL, *y = NULL;
	enum status status = numbers_copy(a, n, &x, reason(why));
	if (!status)
		status = numbers_copy(b, n, &y, reason(why));
	if (!status)
		*interval = public_interval(stats_paired(x, y, n).difference);
	free(x);
	free(y);
	return (enum nxn_status)status;
}

struct nxn_interval nxn_estimate_rate(size_t hits, size_t n)
{
	if (n == 0 || hits > n)
		return (struct nxn_interval){NAN, NAN, NAN};
	return public_interval(stats_rate(hits, n));
}
