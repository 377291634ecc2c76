/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colours of figures on a dark page.
 *
 * A figure is drawn for white paper. Black becomes the colour of text, greys are mirrored between the
 * paper's colour and that of text, and a colour with less than 3:1 contrast to dark paper (WCAG 2.2,
 * 1.4.11, non-text contrast) is mixed with white until it has it; all other colours stay. What changes is written as
 * var(--cRRGGBB,#rrggbb), so it is right without the definitions too.
 */
#ifndef NXN_PAGE_COLOURS_H
#define NXN_PAGE_COLOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { COLOURS_MAX = 256 };

/* 0xRRGGBB. Dark paper and its text: as in plots/page.css. */
enum { COLOUR_DARK_PAPER = 0x1c1e22, COLOUR_DARK_TEXT = 0xe9e6e0 };

struct colours {
	uint32_t used[COLOURS_MAX]; /* those that change; no more than that do */
	size_t count;
};

/* What RGB, not black, is on dark paper. */
uint32_t colour_dark(uint32_t rgb);

/* The ratio of contrast between two colours, 1 to 21 (WCAG 2.2). */
double colour_contrast(uint32_t a, uint32_t b);

/* Reads "#rrggbb", "rgb(R, G, B)", "black" or "white"; LENGTH bytes. False for all else. */
bool colour_read(const char *text, size_t length, uint32_t *rgb);

/* Writes RGB as a value for SVG and CSS, and notes it in COLOURS if it changes. */
void colour_write(FILE *file, uint32_t rgb, struct colours *colours);

/* The definitions for a dark page: "--cRRGGBB:#rrggbb;" each. */
void colours_define(FILE *file, const struct colours *colours);

#endif
