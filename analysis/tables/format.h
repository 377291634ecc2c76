/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, intervals and blocks as text: for gnuplot (see tables.h) and for people. */
#ifndef NXN_FORMAT_H
#define NXN_FORMAT_H

#include "analysis/tables/grid.h"
#include "analysis/stats/stats.h"

#include <stdio.h>

/* Two blank lines before every block but the first; counts blocks, and returns this one's number. */
int block_begin(FILE *file, int *blocks);

/* A row of COUNT quoted column names. */
void header_write(FILE *file, const char *const *names, size_t count);

#define HEADER(file, ...)                                                                          \
	header_write(file, (const char *const[]){__VA_ARGS__},                                     \
		     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Text between quotes, followed by SUFFIX within them; gnuplot knows no escape for a quote. */
void text_write(FILE *file, const char *text, const char *suffix);

/* A tab, then X, or NaN where it is not finite. */
void number_write(FILE *file, double x);

/* Value, low and high like that. */
void interval_write(FILE *file, struct interval x);

/* "value [low, high]" with so many DECIMALS; "-" for what is missing. */
void interval_text(struct interval x, int decimals, char text[GRID_TEXT_MAX]);

/* X with so many DECIMALS, or "-". */
void number_text(double x, int decimals, char text[GRID_TEXT_MAX]);

/* A share from 0 to 1 in percent. */
void percent_text(struct interval x, char text[GRID_TEXT_MAX]);

/* Three significant digits, and never less than whole numbers. */
int decimals_of(double x);

#endif
