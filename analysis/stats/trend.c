/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the lead of a player changes with the size of the board: the slope of the logarithm of a
 * ratio on the logarithm of the number of cells.
 *
 * The slope of least squares is a sum of the log ratios with fixed weights w, and the ratios of
 * different boards are independent. So the bounds of the slope follow from theirs: each ratio adds
 * the square of the distance to its bound that moves the slope in that direction (Zou and Donner,
 * Construction of confidence limits about effect measures, Statistics in Medicine 27, 2008, section
 * 2). The bounds of the ratios are those of stats_ratio().
 *
 * With two boards the slope is the difference of the log ratios over that of the log cells. Check
 * value: ratios 2 [1, 4] on 4 cells and 4 [2, 8] on 16 give 0.5 [-0.2071, 1.2071].
 */
#include "analysis/stats/stats.h"

#include <math.h>

/* The mean of log X[i], and in *SQUARES the sum of squared deviations from it. */
static double logs_mean(const double *x, size_t n, double *squares)
{
	double mean = 0;
	*squares = 0;
	for (size_t i = 0; i < n; i++)
		mean += log(x[i]) / (double)n;
	for (size_t i = 0; i < n; i++)
		*squares += pow(log(x[i]) - mean, 2);
	return mean;
}

struct interval stats_trend(const double *cells, const struct interval *ratio, size_t n)
{
	double squares, below = 0, above = 0, slope = 0;
	const double mean = logs_mean(cells, n, &squares);
	if (n < 2 || !(squares > 1e-12))
		return (struct interval){NAN, NAN, NAN};
	for (size_t i = 0; i < n; i++) {
		const double weight = (log(cells[i]) - mean) / squares;
		const double down = weight * log(ratio[i].value / ratio[i].low);
		const double up = weight * log(ratio[i].high / ratio[i].value);
		slope += weight * log(ratio[i].value);
		below += pow(weight > 0 ? down : up, 2);
		above += pow(weight > 0 ? up : down, 2);
	}
	return (struct interval){slope, slope - sqrt(below), slope + sqrt(above)};
}
