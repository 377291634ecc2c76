/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a table for print (src/report/printed.h) fits on a page: what is too wide for a line is cut into parts, one
 * below the other, that all begin with the columns that tell whose row it is; headings go over several lines
 * where that makes a column narrower; long texts are to be broken. Widths are in halves of a figure, which
 * in a 9-point font are some 2.3 points: that is about what commas, points, brackets and spaces take, and
 * letters take two. LAYOUT_LINE of them, with LAYOUT_GAP between columns, are no wider than a page of 17 cm is
 * with 8-point ones.
 */
#ifndef NXN_TABLES_LAYOUT_H
#define NXN_TABLES_LAYOUT_H

#include "src/report/printed.h"

enum { LAYOUT_LINE = 224, LAYOUT_GAP = 5, LAYOUT_TEXT = 40 /* characters */ };

struct layout {
	const struct printed *printed;
	size_t widths[PRINTED_COLUMNS_MAX];
	bool keys[PRINTED_COLUMNS_MAX];		    /* they begin every part */
	size_t columns[PRINTED_COLUMNS_MAX], count; /* of the part at hand */
	size_t next;				    /* the first column of the part after it */
};

/* Prepares LAYOUT for PRINTED, which stays the caller's; layout_part() makes each part, false behind the last. */
void layout_init(struct layout *layout, const struct printed *printed);
bool layout_part(struct layout *layout);

/* Whether the texts of COLUMN are to be broken, into lines of LAYOUT_TEXT; the lines of ROW in the part at hand. */
bool layout_breaks(const struct layout *layout, size_t column);
size_t layout_lines(const struct layout *layout, size_t row);

/* The lines of the headings of the part at hand; that of COLUMN at LINE, counted from the last, which is 0. */
size_t layout_head_lines(const struct layout *layout);
void layout_head(const struct layout *layout, size_t column, size_t line,
		 char text[PRINTED_TEXT_MAX]);

#endif
