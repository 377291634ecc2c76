/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours on a dark page; see page_colours.h. */
#include "src/report/page_colours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned part(uint32_t rgb, int k)
{
	return rgb >> (16 - 8 * k) & 0xff;
}

/* A and B mixed, SHARE of B. */
static uint32_t mix(uint32_t a, uint32_t b, double share)
{
	uint32_t rgb = 0;
	for (int k = 0; k < 3; k++)
		rgb = rgb << 8 | (uint32_t)lround((1 - share) * part(a, k) + share * part(b, k));
	return rgb;
}

static double luminance(uint32_t rgb)
{
	static const double weights[] = {0.2126, 0.7152, 0.0722};
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		double x = part(rgb, k) / 255.;
		sum += weights[k] * (x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
	}
	return sum;
}

double colour_contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a), y = luminance(b);
	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static bool is_grey(uint32_t rgb)
{
	unsigned r = part(rgb, 0), g = part(rgb, 1), b = part(rgb, 2);
	return abs((int)r - (int)g) <= 8 && abs((int)g - (int)b) <= 8;
}

uint32_t colour_dark(uint32_t rgb)
{
	if (is_grey(rgb))
		return mix(COLOUR_DARK_PAPER, COLOUR_DARK_TEXT, 1 - part(rgb, 1) / 255.);
	uint32_t lighter = rgb;
	for (int step = 1; colour_contrast(lighter, COLOUR_DARK_PAPER) < 3; step++)
		lighter = mix(rgb, 0xffffff, step / 32.);
	return lighter;
}

static bool rgb_read(const char *text, uint32_t *rgb)
{
	unsigned r, g, b;
	char close;
	if (sscanf(text, "rgb(%3u ,%3u ,%3u %c", &r, &g, &b, &close) != 4 || close != ')' ||
	    r > 255 || g > 255 || b > 255)
		return false;
	*rgb = r << 16 | g << 8 | b;
	return true;
}

bool colour_read(const char *text, size_t length, uint32_t *rgb)
{
	char word[32], *end;
	if (length >= sizeof word)
		return false;
	memcpy(word, text, length);
	word[length] = '\0';
	if (strcmp(word, "black") == 0 || strcmp(word, "white") == 0) {
		*rgb = *word == 'b' ? 0 : 0xffffff;
		return true;
	}
	if (*word == '#' && length == 7 && strspn(word + 1, "0123456789abcdefABCDEF") == 6) {
		*rgb = (uint32_t)strtoul(word + 1, &end, 16);
		return true;
	}
	return rgb_read(word, rgb);
}

static bool colour_note(struct colours *colours, uint32_t rgb)
{
	for (size_t i = 0; i < colours->count; i++)
		if (colours->used[i] == rgb)
			return true;
	if (colours->count == COLOURS_MAX)
		return false;
	colours->used[colours->count++] = rgb;
	return true;
}

void colour_write(FILE *file, uint32_t rgb, struct colours *colours)
{
	if (rgb == 0)
		fputs("currentColor", file);
	else if (colour_dark(rgb) != rgb && colour_note(colours, rgb))
		fprintf(file, "var(--c%06x,#%06x)", rgb, rgb);
	else
		fprintf(file, "#%06x", rgb);
}

void colours_define(FILE *file, const struct colours *colours)
{
	for (size_t i = 0; i < colours->count; i++)
		fprintf(file, "--c%06x:#%06x;", colours->used[i], colour_dark(colours->used[i]));
}
