/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures that become part of a page. */
#ifndef NXN_PAGE_SVG_H
#define NXN_PAGE_SVG_H

#include "base/status.h"
#include "src/report/page_colours.h"

#include <stdio.h>

/* Larger figures are no part of a page. */
enum { SVG_BYTES_MAX = 1 << 21 };

struct svg_options {
	const char *prefix;	 /* of every id in it: a word */
	const char *description; /* for those who do not see it */
	struct colours *colours;
};

/*
 * Writes the file PATH, as gnuplot draws them, as an <svg> element that is safe in any page: shapes and texts of a short
 * list of elements and attributes, without scripts, styles, links or anything from elsewhere; colours
 * that follow the page, its own ids. STATUS_INPUT, with the line, for what is no well-formed SVG, larger
 * than SVG_BYTES_MAX, or not there; STATUS_SYSTEM if it cannot be read. What was written before a failure is no element.
 */
MUST_USE enum status svg_inline(FILE *out, const char *path, const struct svg_options *options,
				struct why *why);

#endif
