/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in aligned columns under a header. */
#ifndef NXN_GRID_H
#define NXN_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { GRID_TEXT_MAX = 160, GRID_COLUMNS_MAX = 16 };

struct grid {
	const char *const *header;
	int columns; /* at most GRID_COLUMNS_MAX */
	int left;    /* columns that are text, aligned left; they come first */
	/* Makes one cell; false if there is no such row. The same each time it is asked. */
	bool (*text)(const void *context, size_t row, int column, char text[GRID_TEXT_MAX]);
	const void *context;
};

/* Columns are as wide as their widest cell. */
void grid_print(FILE *file, const struct grid *grid);

#endif
