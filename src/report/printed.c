/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a table is for print, and how; and in Markdown, as pipe tables. See printed.h. */
#include "src/report/printed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is for print of a table: these columns, or all if there are none. */
static const struct edition {
	const char *name;
	bool data; /* not for print at all */
	const char *columns[12];
} editions[] = {
    {"scores", true, {NULL}},
    {"moves", true, {NULL}},
    {"summary",
     false,
     {"board", "label", "trained", "games", "mean", "median", "iqm", "max", "median_tile",
      "ms_per_move"}},
    {"results",
     false,
     {"board", "label", "trained", "games", "mean", "max", "median_tile", "reach_2048", "goal",
      "reach_goal", "ms_per_move"}},
    {"curve",
     false,
     {"trained", "games", "mean", "max", "reach_2048", "goal", "reach_goal", "sum", "doubt"}},
    {"ratios", false, {"pair", "board", "ratio", "paired_difference", "paired_games"}},
    {"sizes", false, {"label", "board", "mean", "games"}},
    {"sweep", false, {"depth", "ms", "nodes", "hit_rate", "games", "score", "front"}},
    {"boards", false, {"depth", "ms", "nodes", "hit_rate"}},
    {"pareto", false, {"agent", "ms", "score"}},
    {"gap", false, {"agent", "trained", "games", "fraction", "value", "lost", "optimal"}},
    {"duel",
     false,
     {"games", "a", "b", "ratio", "difference", "ahead", "limit", "correlation", "ties",
      "verdict"}},
    {"training", false, {"trained", "games", "mean", "max", "reach_2048", "sum", "doubt"}},
    {"tuning", false, {"generation", "best", "elite", "mean", "held_out", "ratio"}},
};

enum { EDITIONS = sizeof editions / sizeof *editions };

static const struct edition *edition_of(const char *name)
{
	for (size_t i = 0; i < EDITIONS; i++)
		if (strcmp(editions[i].name, name) == 0)
			return &editions[i];
	return NULL;
}

bool printed_is(const char *name)
{
	const struct edition *edition = edition_of(name);
	return !edition || !edition->data;
}

static bool is_share(const char *table, const char *name, size_t column)
{
	static const char *const names[] = {"hit_rate", "fraction", "optimal", "distance", "ahead"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	bool rates = strcmp(table, "tiles") == 0 || strcmp(table, "reach") == 0;
	return strncmp(name, "reach_", 6) == 0 || (rates && column > 0);
}

/* Whether anything is known in COLUMN. */
static bool column_known(const struct sheet_block *block, size_t column)
{
	for (size_t row = 0; row < block->rows; row++) {
		const char *cell = sheet_cell(block, row, column);
		if (*cell && strcmp(cell, "NaN") != 0)
			return true;
	}
	return false;
}

/* Whether the column NAME says what that of the tile 2048 says: where the goal is that tile. */
static bool column_repeats(const struct sheet_block *block, const char *name)
{
	size_t goal, reach;
	if ((strcmp(name, "goal") != 0 && strcmp(name, "reach_goal") != 0) ||
	    !sheet_find(block, "goal", &goal) || !sheet_find(block, "reach_2048", &reach))
		return false;
	for (size_t row = 0; row < block->rows; row++)
		if (sheet_number(block, row, goal).value != 2048)
			return false;
	return true;
}

static void column_add(struct printed *p, size_t value)
{
	size_t low, high;
	const char *name = sheet_name(p->block, value);
	if (p->columns == PRINTED_COLUMNS_MAX || !column_known(p->block, value) ||
	    column_repeats(p->block, name))
		return;
	p->column[p->columns++] = (struct printed_column){
	    .value = value,
	    .bounds = sheet_bounds(p->block, value, &low, &high),
	    .text = !sheet_is_number(p->block, value),
	    .percent = is_share(p->table, name, value),
	    .scientific = sheet_is_scientific(p->block, value),
	    .plain = strstr(name, "tile") || !strcmp(name, "goal") || !strcmp(name, "seed"),
	};
}

void printed_init(struct printed *printed, const struct sheet_block *block, const char *name)
{
	size_t found;
	const struct edition *edition = edition_of(name);
	*printed = (struct printed){.block = block, .table = name};
	if (edition && edition->columns[0]) {
		for (const char *const *column = edition->columns; *column; column++)
			if (sheet_find(block, *column, &found))
				column_add(printed, found);
		return;
	}
	for (size_t i = 0; i < block->columns; i++)
		if (!sheet_is_bound(block, i))
			column_add(printed, i);
}

/* Whether A and B are rows of the same player, of whom B has trained more. */
static bool row_outdone(const struct sheet_block *block, size_t a, size_t b)
{
	static const char *const keys[] = {"board", "label"};
	size_t key, trained;
	for (int i = 0; i < 2; i++)
		if (!sheet_find(block, keys[i], &key) ||
		    strcmp(sheet_cell(block, a, key), sheet_cell(block, b, key)) != 0)
			return false;
	return sheet_find(block, "trained", &trained) &&
	       sheet_number(block, b, trained).value > sheet_number(block, a, trained).value;
}

bool printed_row(const struct printed *printed, size_t row)
{
	if (strcmp(printed->table, "summary") != 0 && strcmp(printed->table, "players") != 0)
		return true;
	for (size_t i = 0; i < printed->block->rows; i++)
		if (row_outdone(printed->block, row, i))
			return false;
	return true;
}

/* What the names of blocks are called where these become rows of one table; NULL elsewhere. */
static const char *join_title(const char *name)
{
	return strcmp(name, "ratios") == 0 ? "pair" : strcmp(name, "sizes") == 0 ? "label" : NULL;
}

bool printed_join(const struct sheet *sheet, const char *name, struct sheet_block *joined)
{
	const char *title = join_title(name);
	const size_t columns = sheet->block_count > 0 ? sheet->blocks->columns + 1 : 0;
	size_t rows = 0, at = 0;
	bool alike = title;
	for (size_t i = 0; i < sheet->block_count; i++) {
		rows += sheet->blocks[i].rows;
		alike = alike && sheet->blocks[i].columns + 1 == columns;
	}
	if (!alike || rows == 0)
		return false;
	const char **cells = calloc((rows + 1) * columns, sizeof(char *));
	if (!cells)
		return false;
	for (size_t i = 0; i < sheet->block_count; i++) {
		const struct sheet_block *block = &sheet->blocks[i];
		for (size_t row = i == 0 ? 0 : 1; row <= block->rows; row++) {
			cells[at++] = row == 0 ? title : block->name;
			for (size_t c = 0; c + 1 < columns; c++)
				cells[at++] = block->cells[row * block->columns + c];
		}
	}
	*joined =
	    (struct sheet_block){.name = "", .columns = columns, .rows = rows, .cells = cells};
	return true;
}

void printed_title(const struct printed *printed, size_t column, char text[PRINTED_TEXT_MAX])
{
	const struct printed_column *c = &printed->column[column];
	snprintf(text, PRINTED_TEXT_MAX, "%.*s%s%s", PRINTED_TEXT_MAX - 16,
		 sheet_name(printed->block, c->value), c->percent ? " %" : "",
		 !c->bounds			       ? ""
		 : strcmp(printed->table, "duel") == 0 ? " [interval]"
						       : " [95%]");
	/* Labels of players keep their own. */
	if (strcmp(printed->table, "tiles") != 0 && strcmp(printed->table, "reach") != 0)
		for (char *at = text; *at; at++)
			*at = *at == '_' ? ' ' : *at;
}

/* Copies NUMBERS with commas between groups of three digits of the whole part of each. */
static void digits_group(const char *numbers, char text[PRINTED_TEXT_MAX])
{
	size_t used = 0;
	for (const char *at = numbers; *at && used < PRINTED_TEXT_MAX - 2 * SHEET_TEXT_MAX;) {
		size_t whole = strspn(at, "0123456789");
		for (size_t i = 0; i < whole; i++) {
			if (i > 0 && (whole - i) % 3 == 0)
				text[used++] = ',';
			text[used++] = at[i];
		}
		at += whole;
		/* Behind a point there are no groups. */
		size_t rest = *at == '.' ? 1 + strspn(at + 1, "0123456789") : *at != '\0';
		memcpy(text + used, at, rest);
		used += rest;
		at += rest;
	}
	text[used] = '\0';
}

void printed_cell(const struct printed *printed, size_t row, size_t column,
		  char text[PRINTED_TEXT_MAX])
{
	char numbers[SHEET_TEXT_MAX];
	const struct printed_column *c = &printed->column[column];
	const char *cell = sheet_cell(printed->block, row, c->value);
	struct interval x = sheet_number(printed->block, row, c->value);
	if (c->text) {
		snprintf(text, PRINTED_TEXT_MAX, "%s", strcmp(cell, "NaN") ? cell : "-");
		return;
	}
	if (c->percent)
		x = (struct interval){100 * x.value, 100 * x.low, 100 * x.high};
	/* Tiles are whole numbers, however wide their interval. */
	if (c->plain && c->bounds && isfinite(x.value))
		snprintf(numbers, sizeof numbers, "%.0f [%.0f, %.0f]", x.value, x.low, x.high);
	else
		sheet_format_as(x, c->scientific, numbers);
	if (c->plain || strchr(numbers, 'e'))
		snprintf(text, PRINTED_TEXT_MAX, "%s", numbers);
	else
		digits_group(numbers, text);
}

/* ---- Markdown. */

void markdown_text(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", file);
		else if (*text == '&')
			fputs("&amp;", file);
		else if (strchr("\\`*_[]|~#$", *text))
			fprintf(file, "\\%c", *text);
		else
			putc(*text, file);
	}
}

static void markdown_head(FILE *file, const struct printed *p)
{
	char text[PRINTED_TEXT_MAX];
	if (*p->block->name) {
		fputs("**", file);
		markdown_text(file, p->block->name);
		fputs("**\n\n", file);
	}
	for (size_t i = 0; i < p->columns; i++) {
		printed_title(p, i, text);
		fputs("| ", file);
		markdown_text(file, text);
		putc(' ', file);
	}
	fputs("|\n", file);
	for (size_t i = 0; i < p->columns; i++)
		fputs(p->column[i].text ? "|:---" : "|---:", file);
	fputs("|\n", file);
}

static void markdown_row(FILE *file, const struct printed *p, size_t row)
{
	char text[PRINTED_TEXT_MAX];
	for (size_t i = 0; i < p->columns; i++) {
		printed_cell(p, row, i, text);
		fputs("| ", file);
		/* The brackets of an interval link nothing. */
		if (p->column[i].text)
			markdown_text(file, text);
		else
			fputs(text, file);
		putc(' ', file);
	}
	fputs("|\n", file);
}

static void markdown_block(FILE *file, const struct printed *p)
{
	markdown_head(file, p);
	for (size_t row = 0; row < p->block->rows; row++)
		if (printed_row(p, row))
			markdown_row(file, p, row);
}

void printed_markdown(FILE *file, const struct sheet *sheet, const char *name)
{
	struct printed printed;
	struct sheet_block joined;
	bool begun = false;
	if (printed_join(sheet, name, &joined)) {
		printed_init(&printed, &joined, name);
		markdown_block(file, &printed);
		free(joined.cells);
		return;
	}
	for (size_t i = 0; i < sheet->block_count; i++) {
		printed_init(&printed, &sheet->blocks[i], name);
		if (printed.columns == 0 || sheet->blocks[i].rows == 0)
			continue;
		fputs(begun ? "\n" : "", file);
		begun = true;
		markdown_block(file, &printed);
	}
}
