/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables for print; see print.h. table_list.c chooses columns and rows; columns without numbers or
 * with repeated information are left out.
 *
 * A column NAME with NAME_low and NAME_high after it becomes one, "value [low, high]". Shares are
 * in percent, times in a suitable unit, as on a terminal; numbers are rounded by interval_format(),
 * with commas between thousands. A label has the title "player".
 *
 * In LaTeX, a table wider than PART_WIDTH characters is split into parts, one below the other, each
 * of which begins with the key columns; one longer than a page is split into pages; a text longer
 * than TEXT_WIDTH characters is broken into lines.
 */
#include "src/report/print.h"

#include "analysis/tables/table.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text. */

static void markdown_text(FILE *file, const char *text)
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

static void latex_text(FILE *file, const char *text)
{
	static const struct {
		char from;
		const char *to;
	} marks[] = {
	    {'\\', "\\textbackslash{}"},
	    {'~', "\\textasciitilde{}"},
	    {'^', "\\textasciicircum{}"},
	    {'<', "$<$"},
	    {'>', "$>$"},
	    {'|', "$|$"},
	    {'"', "''"},
	    {'`', "\\textasciigrave{}"},
	};
	if (*text == '[' || *text == '*') /* either would be an argument of a preceding \\ */
		fputs("{}", file);
	for (; *text; text++) {
		const char *to = NULL;
		for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
			if (*text == marks[i].from)
				to = marks[i].to;
		if (to)
			fputs(to, file);
		else if (strchr("{}$&#_%", *text))
			fprintf(file, "\\%c", *text);
		else if (text[0] == '-' && text[1] == '-')
			fputs("-{}", file); /* "--" would become a dash */
		else
			putc(*text, file);
	}
}

void text_print(FILE *file, const char *text, bool latex)
{
	if (latex)
		latex_text(file, text);
	else
		markdown_text(file, text);
}

/* ---- Columns and rows. */

enum { CELL_MAX = 4 * TSV_TEXT_MAX, PART_WIDTH = 120, TEXT_WIDTH = 40, LINES_A_PAGE = 45 };

struct column {
	size_t place; /* in the table */
	bool text;    /* aligned left */
	bool bounds, share, time;
	bool plain;	 /* 2048, not 2,048 */
	bool scientific; /* all numbers with an exponent */
	bool key;	 /* identifies the row */
};

struct printed {
	const struct tsv *tsv;
	const struct shown_table *shown;
	bool wide; /* one column per player, after two that identify the row */
	struct column column[TSV_COLUMNS_MAX];
	size_t columns;
};

/* Whether COLUMN has any known value. */
static bool column_known(const struct tsv *tsv, size_t column)
{
	for (size_t row = 0; row < tsv->rows; row++) {
		const char *cell = tsv_cell(tsv, row, column);
		if (*cell && strcmp(cell, "NaN") != 0)
			return true;
	}
	return false;
}

/* Whether the column NAME repeats that of tile 2048, because the goal is 2048 in all rows. */
static bool column_repeats(const struct tsv *tsv, const char *name)
{
	size_t goal, reach;
	if ((strcmp(name, "goal") != 0 && strcmp(name, "reach_goal") != 0) ||
	    !tsv_find(tsv, "goal", &goal) || !tsv_find(tsv, "reach_2048", &reach))
		return false;
	for (size_t row = 0; row < tsv->rows; row++)
		if (tsv_number(tsv, row, goal).value != 2048)
			return false;
	return true;
}

static bool is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(name, *names) != 0)
		names++;
	return *names;
}

static void column_add(struct printed *p, size_t place)
{
	static const char *const shares[] = {"hit_rate", "fraction", "optimal",
					     "distance", "ahead",    NULL};
	static const char *const times[] = {"ms", "ms_per_move", NULL};
	static const char *const keys[] = {"board",   "label", "quantity",  "a",     "b",
					   "trained", "tile",  "parameter", "cells", NULL};
	const char *name = tsv_name(p->tsv, place);
	const bool label = p->wide && place >= 2; /* the name of the column is a player's label */
	if (!column_known(p->tsv, place) || column_repeats(p->tsv, name))
		return;
	const bool text = !tsv_is_number(p->tsv, place);
	const bool keyed = p->columns == 0 || p->column[p->columns - 1].key;
	p->column[p->columns] = (struct column){
	    .place = place,
	    .text = text,
	    .bounds = tsv_is_bound(p->tsv, place + 1),
	    .share = (label && p->shown->wide) || is_among(name, shares) ||
		     strncmp(name, "reach_", 6) == 0,
	    .time = !label && is_among(name, times),
	    .scientific = tsv_is_scientific(p->tsv, place),
	    .plain =
		!label && (strstr(name, "tile") || !strcmp(name, "goal") || !strcmp(name, "seed")),
	    .key = p->columns == 0 || (keyed && is_among(name, keys)),
	};
	p->columns++;
}

/* The first parameter column of a tuning; each parameter has a mean and a deviation. */
static size_t tuned_first(const struct printed *p)
{
	size_t ratio;
	return strcmp(p->shown->name, "tuning") == 0 && tsv_find(p->tsv, "ratio", &ratio)
		   ? ratio + 3
		   : p->tsv->columns;
}

static void columns_choose(struct printed *p)
{
	size_t found;
	const bool listed = p->shown->printed[0] && !p->wide;
	for (const char *const *name = p->shown->printed; listed && *name; name++)
		if (tsv_find(p->tsv, *name, &found))
			column_add(p, found);
	/* The means of the tuned parameters. */
	for (size_t i = tuned_first(p); i < p->tsv->columns; i += 2)
		column_add(p, i);
	for (size_t i = 0; !listed && i < p->tsv->columns; i++)
		if (!tsv_is_bound(p->tsv, i))
			column_add(p, i);
}

/* Whether ROW of a table against the optimum is exact: without games and intervals. */
static bool row_exact(const struct printed *p, size_t row)
{
	size_t exact;
	return strcmp(p->shown->name, "gap") == 0 && tsv_find(p->tsv, "exact", &exact) &&
	       tsv_number(p->tsv, row, exact).value == 1;
}

/* Whether ROW is printed: always, or, if `last`, only as the last of a player's adjacent rows. */
static bool row_shown(const struct printed *p, size_t row)
{
	static const char *const keys[] = {"quantity", "board", "label"};
	size_t key;
	bool other = !p->shown->last || row + 1 == p->tsv->rows;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		other = other ||
			(tsv_find(p->tsv, keys[i], &key) &&
			 strcmp(tsv_cell(p->tsv, row, key), tsv_cell(p->tsv, row + 1, key)) != 0);
	return other;
}

/* Makes the title of a column, without markup. */
static void heading_text(const struct printed *p, const struct column *c, char text[CELL_MAX])
{
	const char *name = tsv_name(p->tsv, c->place);
	char title[GRID_TEXT_MAX];
	title_text(name, title);
	/* Labels of players stay as they are. */
	snprintf(text, CELL_MAX, "%.*s%s%s", CELL_MAX - 16, p->wide && c->place >= 2 ? name : title,
		 c->share ? " %" : "",
		 !c->bounds			       ? ""
		 : strcmp(p->shown->name, "duel") == 0 ? " [interval]"
						       : " [95%]");
}

/* Copies NUMBERS with commas between groups of three digits before the decimal point. */
static void digits_group(const char *numbers, char text[CELL_MAX])
{
	size_t used = 0;
	while (*numbers && used < CELL_MAX - 2 * TSV_TEXT_MAX) {
		const size_t whole = strspn(numbers, "0123456789");
		for (size_t i = 0; i < whole; i++) {
			if (i > 0 && (whole - i) % 3 == 0)
				text[used++] = ',';
			text[used++] = *numbers++;
		}
		/* Digits after the decimal point are not grouped. */
		size_t rest =
		    *numbers == '.' ? 1 + strspn(numbers + 1, "0123456789") : *numbers != '\0';
		memcpy(text + used, numbers, rest);
		used += rest;
		numbers += rest;
	}
	text[used] = '\0';
}

/* Formats a number for people. */
static void number_cell(const struct column *c, struct interval x, bool exact, char text[CELL_MAX])
{
	char numbers[TSV_TEXT_MAX];
	if (c->share)
		x = (struct interval){100 * x.value, 100 * x.low, 100 * x.high};
	if (c->plain && c->bounds && isfinite(x.low))
		snprintf(numbers, sizeof numbers, "%.0f [%.0f, %.0f]", x.value, x.low, x.high);
	else
		interval_format(x, c->scientific, numbers);
	if (c->bounds && isfinite(x.value) && isnan(x.low) && !exact)
		strcat(numbers, " [-, -]");
	if (c->plain || strchr(numbers, 'e'))
		snprintf(text, CELL_MAX, "%s", numbers);
	else
		digits_group(numbers, text);
}

/* Formats a cell; "-" if its value is unknown. */
static void cell_text(const struct printed *p, size_t row, const struct column *c,
		      char text[CELL_MAX])
{
	const char *cell = tsv_cell(p->tsv, row, c->place);
	struct interval x = tsv_number(p->tsv, row, c->place);
	const bool exact = row_exact(p, row);
	if (exact)
		x.low = x.high = NAN;
	if (exact && strcmp(tsv_name(p->tsv, c->place), "games") == 0)
		snprintf(text, CELL_MAX, "exact");
	else if (c->text)
		snprintf(text, CELL_MAX, "%s", strcmp(cell, "NaN") ? cell : "-");
	else if (c->time)
		(c->bounds ? times_text(x, text) : time_text(x.value, text));
	else
		number_cell(c, x, exact, text);
}

/* ---- Markdown. */

static void markdown_cell(FILE *file, const char *text, bool escaped)
{
	fputs("| ", file);
	if (escaped)
		text_print(file, text, false);
	else
		fputs(text, file); /* the brackets of an interval need no escapes */
	putc(' ', file);
}

static void markdown_write(FILE *file, const struct printed *p)
{
	char text[CELL_MAX];
	for (size_t i = 0; i < p->columns; i++) {
		heading_text(p, &p->column[i], text);
		markdown_cell(file, text, true);
	}
	fputs("|\n", file);
	for (size_t i = 0; i < p->columns; i++)
		fputs(p->column[i].text ? "|:---" : "|---:", file);
	fputs("|\n", file);
	for (size_t row = 0; row < p->tsv->rows; row++) {
		if (!row_shown(p, row))
			continue;
		for (size_t i = 0; i < p->columns; i++) {
			cell_text(p, row, &p->column[i], text);
			markdown_cell(file, text, p->column[i].text);
		}
		fputs("|\n", file);
	}
}

/* ---- LaTeX. */

/* A part of a table: some of its columns. */
struct part {
	const struct printed *printed;
	size_t column[TSV_COLUMNS_MAX], count;
};

/* Writes TEXT in lines of TEXT_WIDTH, which may break after punctuation. */
static void text_broken(FILE *file, const char *text)
{
	char piece[CELL_MAX];
	fprintf(file, "\\parbox[t]{%dem}{\\raggedright\\strut ", TEXT_WIDTH / 2);
	while (*text) {
		size_t length = strcspn(text, ",:;/=");
		length += text[length] != '\0';
		snprintf(piece, sizeof piece, "%.*s", (int)length, text);
		text_print(file, piece, true);
		text += length;
		fputs(*text ? "\\allowbreak{}" : "\\strut}", file);
	}
}

/* Writes a number, "value [low, high]", with minus signs and powers of ten in math mode. */
static void latex_number(FILE *file, const char *text)
{
	for (const char *at = text; *at; at++) {
		if (*at == '-' && (at == text || strchr(" [", at[-1]))) {
			fputs("$-$", file);
		} else if (strncmp(at, "us", 2) == 0) {
			fputs("$\\mu$", file);
		} else if (*at == 'e') {
			char *end;
			fprintf(file, "$\\cdot10^{%ld}$", strtol(at + 1, &end, 10));
			at = end - 1;
		} else {
			putc(*at, file);
		}
	}
}

static void latex_row(FILE *file, const struct part *part, size_t row)
{
	char text[CELL_MAX];
	for (size_t i = 0; i < part->count; i++) {
		const struct column *c = &part->printed->column[part->column[i]];
		cell_text(part->printed, row, c, text);
		fputs(i ? " & " : "", file);
		if (strcmp(text, "-") == 0)
			fputs("--", file);
		else if (!c->text)
			latex_number(file, text);
		else if (strlen(text) > TEXT_WIDTH)
			text_broken(file, text);
		else
			text_print(file, text, true);
	}
	fputs(" \\\\\n", file);
}

static void latex_head(FILE *file, const struct part *part)
{
	char text[CELL_MAX];
	fputs("\\nxnfit{\\begin{tabular}{@{}", file);
	for (size_t i = 0; i < part->count; i++)
		putc(part->printed->column[part->column[i]].text ? 'l' : 'r', file);
	fputs("@{}}\n\\toprule\n", file);
	for (size_t i = 0; i < part->count; i++) {
		heading_text(part->printed, &part->printed->column[part->column[i]], text);
		fputs(i ? " & " : "", file);
		text_print(file, text, true);
	}
	fputs(" \\\\\n\\midrule\n", file);
}

/* The width of COLUMN in characters, with its title. */
static size_t column_width(const struct printed *p, size_t column)
{
	char text[CELL_MAX];
	heading_text(p, &p->column[column], text);
	size_t width = strlen(text);
	for (size_t row = 0; row < p->tsv->rows; row++) {
		cell_text(p, row, &p->column[column], text);
		const size_t own = strlen(text);
		width = own > width ? own : width;
	}
	return p->column[column].text && width > TEXT_WIDTH ? TEXT_WIDTH : width;
}

/* The number of lines of ROW, with long texts broken. */
static size_t row_lines(const struct part *part, size_t row)
{
	char text[CELL_MAX];
	size_t most = 1;
	for (size_t i = 0; i < part->count; i++) {
		const struct column *c = &part->printed->column[part->column[i]];
		cell_text(part->printed, row, c, text);
		const size_t lines = c->text ? (strlen(text) + TEXT_WIDTH - 1) / TEXT_WIDTH : 1;
		most = lines > most ? lines : most;
	}
	return most;
}

/* Writes PART, on as many pages as needed. */
static void part_write(FILE *file, const struct part *part)
{
	size_t lines = 0; /* of the current tabular */
	for (size_t row = 0; row < part->printed->tsv->rows; row++) {
		if (!row_shown(part->printed, row))
			continue;
		const size_t more = row_lines(part, row);
		if (lines > 0 && lines + more > LINES_A_PAGE) {
			fputs("\\bottomrule\n\\end{tabular}}\\par\\medskip\n", file);
			lines = 0;
		}
		if (lines == 0)
			latex_head(file, part);
		latex_row(file, part, row);
		lines += more;
	}
	fputs("\\bottomrule\n\\end{tabular}}\\par\\medskip\n", file);
}

static void latex_write(FILE *file, const struct printed *p)
{
	enum { GAP = 2 };
	struct part part = {.printed = p};
	size_t keys_width = 0, keys = 0;
	for (; keys < p->columns && p->column[keys].key; keys++) {
		part.column[part.count++] = keys;
		keys_width += column_width(p, keys) + GAP;
	}
	for (size_t i = keys, width = keys_width; i < p->columns; i++) {
		const size_t own = column_width(p, i) + GAP;
		if (part.count > keys && width + own > PART_WIDTH && !p->shown->across) {
			part_write(file, &part);
			part.count = keys;
			width = keys_width;
		}
		part.column[part.count++] = i;
		width += own;
	}
	part_write(file, &part);
}

/* Whether TSV has rows of more than one board. */
static bool has_boards(const struct tsv *tsv)
{
	size_t board;
	for (size_t row = 1; tsv_find(tsv, "board", &board) && row < tsv->rows; row++)
		if (strcmp(tsv_cell(tsv, 0, board), tsv_cell(tsv, row, board)) != 0)
			return true;
	return false;
}

void table_print(FILE *file, const struct tsv *tsv, const struct shown_table *shown, bool latex)
{
	struct tsv wide = {0};
	struct printed *p = xcalloc(1, sizeof *p);
	p->wide = (shown->wide || (shown->across && has_boards(tsv))) &&
		  tsv_widen(tsv, 0, tsv->rows, &wide);
	p->tsv = p->wide ? &wide : tsv;
	p->shown = shown;
	columns_choose(p);
	for (size_t i = 0; latex && i < tsv->note_count; i++)
		fprintf(file, "%% %s\n", tsv->notes[i]);
	if (latex)
		fputs("% \\usepackage{booktabs}; \\nxnfit may make what is too wide fit\n"
		      "\\providecommand{\\nxnfit}[1]{#1}%\n",
		      file);
	if (p->columns > 0 && tsv->rows > 0)
		(latex ? latex_write : markdown_write)(file, p);
	tsv_fini(&wide);
	free(p);
}
