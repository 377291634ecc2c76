/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, intervals and blocks as text; see format.h. */
#include "analysis/tables/format.h"

#include <math.h>

int block_begin(FILE *file, int *blocks)
{
	if (*blocks > 0)
		fputs("\n\n", file);
	return (*blocks)++;
}

void text_write(FILE *file, const char *text, const char *suffix)
{
	putc('"', file);
	for (; *text; text++)
		putc(*text == '"' ? '\'' : *text, file);
	fprintf(file, "%s\"", suffix);
}

void header_write(FILE *file, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(file, "%s\"%s\"", i ? "\t" : "", names[i]);
	putc('\n', file);
}

void number_write(FILE *file, double x)
{
	if (isfinite(x))
		fprintf(file, "\t%.10g", x);
	else
		fputs("\tNaN", file);
}

void interval_write(FILE *file, struct interval x)
{
	number_write(file, x.value);
	number_write(file, x.low);
	number_write(file, x.high);
}

void interval_text(struct interval x, int decimals, char text[GRID_TEXT_MAX])
{
	if (isnan(x.value))
		snprintf(text, GRID_TEXT_MAX, "-");
	else if (isnan(x.low) || isnan(x.high))
		snprintf(text, GRID_TEXT_MAX, "%.*f [-, -]", decimals, x.value);
	else
		snprintf(text, GRID_TEXT_MAX, "%.*f [%.*f, %.*f]", decimals, x.value, decimals,
			 x.low, decimals, x.high);
}

void number_text(double x, int decimals, char text[GRID_TEXT_MAX])
{
	if (isnan(x))
		snprintf(text, GRID_TEXT_MAX, "-");
	else
		snprintf(text, GRID_TEXT_MAX, "%.*f", decimals, x);
}

void percent_text(struct interval x, char text[GRID_TEXT_MAX])
{
	interval_text((struct interval){100 * x.value, 100 * x.low, 100 * x.high}, 1, text);
}

int decimals_of(double x)
{
	int decimals = 0;

	x = fabs(x);
	while (x > 0 && x < 100 && decimals < 9) {
		x *= 10;
		decimals++;
	}
	return decimals;
}
