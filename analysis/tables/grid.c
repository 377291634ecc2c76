/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Aligned columns. Cells are made twice, once to measure the columns and once to print them, so
 * nothing needs memory.
 */
#include "analysis/tables/grid.h"

#include <string.h>

static int grid_width(const struct grid *grid, int column)
{
	char text[GRID_TEXT_MAX];
	size_t width = strlen(grid->header[column]);

	for (size_t row = 0; grid->text(grid->context, row, column, text); row++)
		if (strlen(text) > width)
			width = strlen(text);
	return (int)width;
}

static void cell_print(FILE *file, const struct grid *grid, int column, int width, const char *text)
{
	bool last = column == grid->columns - 1;

	if (column < grid->left)
		fprintf(file, "%-*s%s", width, text, last ? "\n" : "  ");
	else
		fprintf(file, "%*s%s", width, text, last ? "\n" : "  ");
}

void grid_print(FILE *file, const struct grid *grid)
{
	char text[GRID_TEXT_MAX];
	int width[GRID_COLUMNS_MAX];

	for (int i = 0; i < grid->columns; i++)
		width[i] = grid_width(grid, i);
	for (int i = 0; i < grid->columns; i++)
		cell_print(file, grid, i, width[i], grid->header[i]);
	for (size_t row = 0; grid->text(grid->context, row, 0, text); row++)
		for (int i = 0; i < grid->columns; i++) {
			grid->text(grid->context, row, i, text);
			cell_print(file, grid, i, width[i], text);
		}
}
