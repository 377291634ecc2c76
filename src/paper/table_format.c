/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables for print: what a reader wants of a table for gnuplot
 * (analysis/tables/tables.h), in LaTeX and in Markdown.
 *
 * A column NAME with NAME_low and NAME_high beside it becomes one, "value [low, high]"; shares are
 * in percent, times in the unit that suits each, as on a terminal; numbers are rounded as
 * interval_format() does, with commas between thousands. Columns that few readers look for are left
 * out, and those without any number or that say nothing new; of a learner in the tables `summary`,
 * `spread` and `players` only the row after all of its training. A label is headed "player".
 * The blocks of `ratios` and `means`, of a row or few each, are one table, that of `means` board
 * after board.
 *
 * How a table fits on a page in LaTeX: one that is too wide for a line is cut into parts, one below
 * the other, which all begin with the columns that tell whose row it is and are fitted together, so
 * that their letters are of one size, unless they take more than a page; headings take several
 * lines where that makes a column narrower; long texts are broken. Widths are in halves of a
 * figure, which in a 9-point font are some 2.3 points: commas, points, brackets and spaces take
 * about one, letters take two. LAYOUT_LINE of them, with LAYOUT_GAP between columns, are no wider
 * than a page of 17 cm in 8 points.
 */
#include "src/paper/paper.h"
#include "src/report/markup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is for print. */

enum { PRINTED_TEXT_MAX = GROUPED_TEXT_MAX, PRINTED_COLUMNS_MAX = 512 };

/* A column for print, with its bounds if it has some. */
struct printed_column {
	size_t value;
	bool bounds;	 /* it has an interval */
	bool text;	 /* aligned left */
	bool percent;	 /* a share */
	double ms;	 /* of a time: milliseconds of 1; each cell has the unit that suits it */
	bool plain;	 /* 2048, not 2,048 */
	bool scientific; /* all numbers with an exponent */
};

/* A block for print; columns beyond PRINTED_COLUMNS_MAX are left out. */
struct printed {
	const struct tsv_block *block;
	const char *table; /* its name */
	struct printed_column column[PRINTED_COLUMNS_MAX];
	size_t columns;
};

/* Whether P is the times of games in the table `spread`, which are in seconds. */
static bool is_seconds(const struct printed *p)
{
	return strcmp(p->table, "spread") == 0 && strcmp(p->block->name, "seconds") == 0;
}

/* What a block is called: its cells have units of their own where they are times. */
static const char *block_title(const struct printed *p)
{
	return is_seconds(p) ? "time" : p->block->name;
}

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
    {"spread", false, {"board", "label", "trained", "games", "min", "median", "max", "sd"}},
    {"results",
     false,
     {"board", "label", "trained", "games", "mean", "max", "median_tile", "reach_2048", "goal",
      "reach_goal", "ms_per_move"}},
    {"curve",
     false,
     {"trained", "games", "mean", "max", "reach_2048", "goal", "reach_goal", "tile_sum",
      "uncertainty"}},
    {"ratios", false, {"pair", "board", "ratio", "paired_difference", "paired_games"}},
    {"means", false, {"board", "player", "games", "mean"}},
    {"front", false, {"board", "label", "trained", "games", "mean", "max_tile", "ms_per_move"}},
    {"law", false, {"player", "board", "mean", "law", "exponent"}},
    {"sweep", false, {"depth", "ms", "nodes", "hit_rate", "games", "score", "front"}},
    {"boards", false, {"depth", "ms", "nodes", "hit_rate"}},
    {"pareto", false, {"agent", "ms", "score"}},
    {"gap", false, {"agent", "trained", "games", "fraction", "value", "lost", "optimal"}},
    {"duel",
     false,
     {"games", "a", "b", "ratio", "difference", "ahead", "limit", "correlation", "ties",
      "verdict"}},
    {"training",
     false,
     {"trained", "games", "mean", "max", "reach_2048", "tile_sum", "uncertainty"}},
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

bool table_is_printed(const char *name)
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
static bool column_known(const struct tsv_block *block, size_t column)
{
	for (size_t row = 0; row < block->rows; row++) {
		const char *cell = tsv_cell(block, row, column);
		if (*cell && strcmp(cell, "NaN") != 0)
			return true;
	}
	return false;
}

/* Whether the column NAME says what that of the tile 2048 says: where the goal is that tile. */
static bool column_repeats(const struct tsv_block *block, const char *name)
{
	size_t goal, reach;
	if ((strcmp(name, "goal") != 0 && strcmp(name, "reach_goal") != 0) ||
	    !tsv_find(block, "goal", &goal) || !tsv_find(block, "reach_2048", &reach))
		return false;
	for (size_t row = 0; row < block->rows; row++)
		if (tsv_number(block, row, goal).value != 2048)
			return false;
	return true;
}

/* What 1 of the column NAME is in milliseconds, 0 if it is no time. */
static double time_scale(const struct printed *p, const char *name)
{
	static const char *const measured[] = {"min", "median", "max", "sd"};
	if (strcmp(name, "ms") == 0 || strcmp(name, "ms_per_move") == 0)
		return 1;
	for (size_t i = 0; is_seconds(p) && i < sizeof measured / sizeof *measured; i++)
		if (strcmp(name, measured[i]) == 0)
			return 1e3;
	return 0;
}

static void column_add(struct printed *p, size_t value)
{
	const char *name = tsv_name(p->block, value);
	if (p->columns == PRINTED_COLUMNS_MAX || !column_known(p->block, value) ||
	    column_repeats(p->block, name))
		return;
	p->column[p->columns++] = (struct printed_column){
	    .value = value,
	    .bounds = tsv_is_bound(p->block, value + 1),
	    .text = !tsv_is_number(p->block, value),
	    .percent = is_share(p->table, name, value),
	    .ms = time_scale(p, name),
	    .scientific = tsv_is_scientific(p->block, value),
	    .plain = column_is_plain(name),
	};
}

/* The first of the columns of a tuning that are parameters, each a mean and a deviation. */
static size_t tuned_first(const struct tsv_block *block, const char *name)
{
	size_t ratio;
	return strcmp(name, "tuning") == 0 && tsv_find(block, "ratio", &ratio) ? ratio + 3
									       : block->columns;
}

/* Whether all of ROW, of players against the optimum, is exact: no games, no intervals. */
static bool row_exact(const struct printed *printed, size_t row)
{
	size_t exact;
	return strcmp(printed->table, "gap") == 0 && tsv_find(printed->block, "exact", &exact) &&
	       tsv_number(printed->block, row, exact).value == 1;
}

static void printed_init(struct printed *printed, const struct tsv_block *block, const char *name)
{
	size_t found;
	const struct edition *edition = edition_of(name);
	*printed = (struct printed){.block = block, .table = name};
	if (edition && edition->columns[0]) {
		for (const char *const *column = edition->columns; *column; column++)
			if (tsv_find(block, *column, &found))
				column_add(printed, found);
		/* The means of the parameters, which are what a tuning is for. */
		for (size_t i = tuned_first(block, name); i < block->columns; i += 2)
			column_add(printed, i);
		return;
	}
	for (size_t i = 0; i < block->columns; i++)
		if (!tsv_is_bound(block, i))
			column_add(printed, i);
}

/* Whether A and B are rows of the same player, of whom B has trained more. */
static bool row_outdone(const struct tsv_block *block, size_t a, size_t b)
{
	static const char *const keys[] = {"board", "label"};
	size_t key, trained;
	for (int i = 0; i < 2; i++)
		if (!tsv_find(block, keys[i], &key) ||
		    strcmp(tsv_cell(block, a, key), tsv_cell(block, b, key)) != 0)
			return false;
	return tsv_find(block, "trained", &trained) &&
	       tsv_number(block, b, trained).value > tsv_number(block, a, trained).value;
}

/* Whether ROW is to be shown. */
static bool printed_row(const struct printed *printed, size_t row)
{
	static const char *const tables[] = {"summary", "spread", "players"};
	size_t table = 0;
	while (table < 3 && strcmp(printed->table, tables[table]) != 0)
		table++;
	if (table == 3)
		return true;
	for (size_t i = 0; i < printed->block->rows; i++)
		if (row_outdone(printed->block, row, i))
			return false;
	return true;
}

/* What the names of blocks are called where these become rows of one table; NULL elsewhere. */
static const char *join_title(const char *name)
{
	static const char *const titles[][2] = {
	    {"ratios", "pair"}, {"means", "player"}, {"law", "player"}};
	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
		if (strcmp(name, titles[i][0]) == 0)
			return titles[i][1];
	return NULL;
}

/* Brings rows of a board together, for a table of COLUMNS whose second is the board. */
static void rows_by_board(const char **cells, size_t columns, size_t rows)
{
	const size_t row = columns * sizeof *cells;
	size_t at = 0;
	while (at < rows) {
		const char *board = cells[at * columns + 1];
		for (size_t i = at++; i < rows; i++) {
			const char *moved[TSV_COLUMNS_MAX];
			if (i < at || strcmp(cells[i * columns + 1], board) != 0)
				continue;
			memcpy(moved, cells + i * columns, row);
			memmove(cells + (at + 1) * columns, cells + at * columns, (i - at) * row);
			memcpy(cells + at++ * columns, moved, row);
		}
	}
}

/*
 * Sets *JOINED to all blocks of TSV as one, whose first column has their names, if the table NAME
 * is one that is printed so; its cells are for free(). False, too, without memory.
 */
static bool printed_join(const struct tsv *tsv, const char *name, struct tsv_block *joined)
{
	const char *title = join_title(name);
	const size_t columns = tsv->block_count > 0 ? tsv->blocks->columns + 1 : 0;
	size_t rows = 0, at = 0;
	bool alike = title;
	for (size_t i = 0; i < tsv->block_count; i++) {
		rows += tsv->blocks[i].rows;
		alike = alike && tsv->blocks[i].columns + 1 == columns;
	}
	if (!alike || rows == 0)
		return false;
	const char **cells = calloc((rows + 1) * columns, sizeof(char *));
	if (!cells)
		return false;
	for (size_t i = 0; i < tsv->block_count; i++) {
		const struct tsv_block *block = &tsv->blocks[i];
		for (size_t row = i == 0 ? 0 : 1; row <= block->rows; row++) {
			cells[at++] = row == 0 ? title : block->name;
			for (size_t c = 0; c + 1 < columns; c++)
				cells[at++] = block->cells[row * block->columns + c];
		}
	}
	if (strcmp(name, "means") == 0 && columns > 1)
		rows_by_board(cells + columns, columns, rows);
	*joined = (struct tsv_block){.name = "", .columns = columns, .rows = rows, .cells = cells};
	return true;
}

/* The heading of a column. Without any markup, like cells. */
static void printed_title(const struct printed *printed, size_t column, char text[PRINTED_TEXT_MAX])
{
	const struct printed_column *c = &printed->column[column];
	const char *name = tsv_name(printed->block, c->value);
	snprintf(text, PRINTED_TEXT_MAX, "%.*s%s%s", PRINTED_TEXT_MAX - 16,
		 c->ms == 1		      ? "time per move"
		 : strcmp(name, "label") == 0 ? "player"
					      : name,
		 c->percent ? " %" : "",
		 !c->bounds			       ? ""
		 : strcmp(printed->table, "duel") == 0 ? " [interval]"
						       : " [95%]");
	/* Labels of players keep their own. */
	if (strcmp(printed->table, "tiles") != 0 && strcmp(printed->table, "reach") != 0)
		for (char *at = text; *at; at++)
			*at = *at == '_' ? ' ' : *at;
}

/* The text of a cell, "-" where nothing is known. */
static void printed_cell(const struct printed *printed, size_t row, size_t column,
			 char text[PRINTED_TEXT_MAX])
{
	char numbers[TSV_TEXT_MAX];
	const struct printed_column *c = &printed->column[column];
	const char *cell = tsv_cell(printed->block, row, c->value);
	struct interval x = tsv_number(printed->block, row, c->value);
	const bool exact = row_exact(printed, row);
	if (exact && strcmp(tsv_name(printed->block, c->value), "games") == 0) {
		strcpy(text, "exact");
		return;
	}
	if (exact)
		x.low = x.high = NAN;
	if (c->text) {
		snprintf(text, PRINTED_TEXT_MAX, "%s", strcmp(cell, "NaN") ? cell : "-");
		return;
	}
	if (c->ms > 0) {
		x = (struct interval){c->ms * x.value, c->ms * x.low, c->ms * x.high};
		if (c->bounds)
			times_text(x, text);
		else
			time_text(x.value, text);
		return;
	}
	if (c->percent)
		x = (struct interval){100 * x.value, 100 * x.low, 100 * x.high};
	if (c->plain && c->bounds)
		plain_format(x, numbers);
	else
		interval_format(x, c->scientific, numbers);
	if (c->bounds && isfinite(x.value) && isnan(x.low) && !exact)
		strcat(numbers, " [-, -]");
	if (c->plain || strchr(numbers, 'e'))
		snprintf(text, PRINTED_TEXT_MAX, "%s", numbers);
	else
		digits_group(numbers, text);
}

/* ---- Markdown. */

static void markdown_head(FILE *file, const struct printed *p)
{
	char text[PRINTED_TEXT_MAX];
	if (*p->block->name) {
		fputs("**", file);
		text_print(file, block_title(p), false);
		fputs("**\n\n", file);
	}
	for (size_t i = 0; i < p->columns; i++) {
		printed_title(p, i, text);
		fputs("| ", file);
		text_print(file, text, false);
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
			text_print(file, text, false);
		else
			fputs(text, file);
		putc(' ', file);
	}
	fputs("|\n", file);
}

static void markdown_block(FILE *file, const struct printed *p, bool first)
{
	fputs(first ? "" : "\n", file);
	markdown_head(file, p);
	for (size_t row = 0; row < p->block->rows; row++)
		if (printed_row(p, row))
			markdown_row(file, p, row);
}

/* ---- LaTeX: layout. */

enum { LAYOUT_LINE = 224, LAYOUT_GAP = 5, LAYOUT_TEXT = 40 /* characters */ };

struct layout {
	const struct printed *printed;
	size_t widths[PRINTED_COLUMNS_MAX];
	bool keys[PRINTED_COLUMNS_MAX];		    /* they begin every part */
	size_t columns[PRINTED_COLUMNS_MAX], count; /* of the part at hand */
	size_t next;				    /* the first column of the part after it */
};

/* Columns that tell whose row it is; so does the first, whatever it is. */
static bool is_key(const char *name)
{
	static const char *const names[] = {"board", "label", "trained"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static size_t width_of(const char *text, size_t length)
{
	size_t width = 0;
	for (size_t i = 0; i < length; i++)
		width += strchr(" ,.:;[]()'|", text[i]) ? 1 : 2;
	return width;
}

/* The length of as many words of TEXT as fit into WIDTH, and at least one. */
static size_t line_length(const char *text, size_t width)
{
	size_t length = strcspn(text, " ");
	while (text[length]) {
		size_t more = length + 1 + strcspn(text + length + 1, " ");
		if (width_of(text, more) > width)
			break;
		length = more;
	}
	return length;
}

/* The lines of TEXT in WIDTH; sets *LONGEST to the width of the longest. */
static size_t lines_count(const char *text, size_t width, size_t *longest)
{
	size_t lines = 0;
	*longest = 0;
	while (*text) {
		size_t length = line_length(text, width);
		size_t own = width_of(text, length);
		*longest = own > *longest ? own : *longest;
		text += length + (text[length] == ' ');
		lines++;
	}
	return lines;
}

/* The width of the cells of COLUMN, which its heading is broken to. */
static size_t cells_width(const struct printed *printed, size_t column)
{
	char text[PRINTED_TEXT_MAX];
	size_t width = 0;
	for (size_t row = 0; row < printed->block->rows; row++) {
		if (!printed_row(printed, row))
			continue;
		printed_cell(printed, row, column, text);
		size_t own = width_of(text, strlen(text));
		width = own > width ? own : width;
	}
	return printed->column[column].text && width > 2 * LAYOUT_TEXT ? 2 * LAYOUT_TEXT + 1
								       : width;
}

static void layout_init(struct layout *layout, const struct printed *printed)
{
	char text[PRINTED_TEXT_MAX];
	size_t longest;
	layout->printed = printed;
	layout->count = layout->next = 0;
	for (size_t i = 0; i < printed->columns; i++) {
		size_t width = cells_width(printed, i);
		printed_title(printed, i, text);
		lines_count(text, width, &longest);
		layout->widths[i] = longest > width ? longest : width;
		layout->keys[i] =
		    i == 0 || is_key(tsv_name(printed->block, printed->column[i].value));
	}
}

/* Adds COLUMN to the part at hand, WIDTH wide so far. */
static size_t column_take(struct layout *layout, size_t column, size_t width)
{
	width += layout->widths[column] + (layout->count > 0 ? LAYOUT_GAP : 0);
	layout->columns[layout->count++] = column;
	return width;
}

/* All columns in their order, if they fit. */
static bool fits_whole(struct layout *layout)
{
	size_t width = 0;
	layout->count = 0;
	for (size_t i = 0; i < layout->printed->columns; i++)
		width = column_take(layout, i, width);
	layout->next = layout->count;
	return width <= LAYOUT_LINE;
}

static bool layout_part(struct layout *layout)
{
	const size_t columns = layout->printed->columns;
	size_t width = 0, keys, i = layout->next;
	if (i >= columns)
		return false;
	if (i == 0 && fits_whole(layout))
		return true;
	layout->count = 0;
	for (size_t k = 0; k < columns; k++)
		if (layout->keys[k])
			width = column_take(layout, k, width);
	for (keys = layout->count; i < columns; i++) {
		if (layout->keys[i])
			continue;
		if (layout->count > keys && width + LAYOUT_GAP + layout->widths[i] > LAYOUT_LINE)
			break;
		width = column_take(layout, i, width);
	}
	while (i < columns && layout->keys[i])
		i++;
	layout->next = i;
	return true;
}

static bool layout_breaks(const struct layout *layout, size_t column)
{
	return layout->printed->column[column].text && layout->widths[column] > 2 * LAYOUT_TEXT;
}

static size_t layout_lines(const struct layout *layout, size_t row)
{
	char text[PRINTED_TEXT_MAX];
	size_t most = 1;
	for (size_t i = 0; i < layout->count; i++) {
		if (!layout_breaks(layout, layout->columns[i]))
			continue;
		printed_cell(layout->printed, row, layout->columns[i], text);
		size_t lines = (strlen(text) + LAYOUT_TEXT - 1) / LAYOUT_TEXT;
		most = lines > most ? lines : most;
	}
	return most;
}

static size_t layout_head_lines(const struct layout *layout)
{
	char text[PRINTED_TEXT_MAX];
	size_t most = 1, longest;
	for (size_t i = 0; i < layout->count; i++) {
		const size_t column = layout->columns[i];
		printed_title(layout->printed, column, text);
		size_t lines = lines_count(text, layout->widths[column], &longest);
		most = lines > most ? lines : most;
	}
	return most;
}

static void layout_head(const struct layout *layout, size_t column, size_t line,
			char text[PRINTED_TEXT_MAX])
{
	char title[PRINTED_TEXT_MAX];
	const size_t width = layout->widths[column];
	size_t longest, at = 0;
	printed_title(layout->printed, column, title);
	size_t lines = lines_count(title, width, &longest);
	*text = '\0';
	if (line >= lines)
		return;
	for (size_t i = lines - 1; i > line; i--) {
		at += line_length(title + at, width);
		at += title[at] == ' ';
	}
	snprintf(text, PRINTED_TEXT_MAX, "%.*s", (int)line_length(title + at, width), title + at);
}

/* ---- LaTeX: text. */

enum { LINES_A_PAGE = 45 };

/* TEXT in lines as long as the layout has them, broken behind what stands between its parts. */
static void text_broken(FILE *file, const char *text)
{
	char part[PRINTED_TEXT_MAX];
	fprintf(file, "\\parbox[t]{%dem}{\\raggedright\\strut ", LAYOUT_TEXT / 2);
	while (*text) {
		size_t length = strcspn(text, ",:;/=");
		length += text[length] != '\0';
		snprintf(part, sizeof part, "%.*s", (int)length, text);
		text_print(file, part, true);
		text += length;
		fputs(*text ? "\\allowbreak{}" : "\\strut}", file);
	}
}

static void latex_head(FILE *file, const struct layout *layout)
{
	char text[PRINTED_TEXT_MAX];
	const struct printed *p = layout->printed;
	fputs("\\begin{tabular}{@{}", file);
	for (size_t i = 0; i < layout->count; i++)
		putc(p->column[layout->columns[i]].text ? 'l' : 'r', file);
	fputs("@{}}\n\\toprule\n", file);
	if (*p->block->name) {
		fprintf(file, "\\multicolumn{%zu}{@{}l@{}}{\\textbf{", layout->count);
		text_print(file, block_title(p), true);
		fputs("}} \\\\\n", file);
	}
	for (size_t line = layout_head_lines(layout); line-- > 0;) {
		for (size_t i = 0; i < layout->count; i++) {
			layout_head(layout, layout->columns[i], line, text);
			fputs(i ? " & " : "", file);
			text_print(file, text, true);
		}
		fputs(" \\\\\n", file);
	}
	fputs("\\midrule\n", file);
}

/* A number, "value [low, high]", whose signs are no hyphens and whose exponents are powers. */
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

static void latex_row(FILE *file, const struct layout *layout, size_t row)
{
	char text[PRINTED_TEXT_MAX];
	for (size_t i = 0; i < layout->count; i++) {
		const size_t column = layout->columns[i];
		printed_cell(layout->printed, row, column, text);
		fputs(i ? " & " : "", file);
		if (strcmp(text, "-") == 0)
			fputs("--", file);
		else if (!layout->printed->column[column].text)
			latex_number(file, text);
		else if (layout_breaks(layout, column) && strlen(text) > LAYOUT_TEXT)
			text_broken(file, text);
		else
			text_print(file, text, true);
	}
	fputs(" \\\\\n", file);
}

/* The part at hand, on as many pages as it needs; TOGETHER: on one, within what is fitted. */
static void latex_part(FILE *file, const struct layout *layout, bool together)
{
	const char *begin = together ? "" : "\\nxnfit{";
	const char *end = together ? "\\bottomrule\n\\end{tabular}"
				   : "\\bottomrule\n\\end{tabular}}\\par\\medskip\n";
	size_t lines = 0; /* of the tabular that is begun */
	for (size_t row = 0; row < layout->printed->block->rows; row++) {
		if (!printed_row(layout->printed, row))
			continue;
		const size_t more = layout_lines(layout, row);
		if (lines > 0 && lines + more > LINES_A_PAGE) {
			fputs(end, file);
			lines = 0;
		}
		if (lines == 0) {
			fputs(begin, file);
			latex_head(file, layout);
		}
		latex_row(file, layout, row);
		lines += more;
	}
	if (lines > 0)
		fputs(end, file);
}

/* The lines of all parts of P, and how many PARTS there are. */
static size_t latex_lines(const struct printed *p, size_t *parts)
{
	struct layout layout;
	size_t lines = 0;
	layout_init(&layout, p);
	for (*parts = 0; layout_part(&layout); ++*parts)
		for (size_t row = 0; row < p->block->rows; row++)
			lines += printed_row(p, row) ? layout_lines(&layout, row) : 0;
	return lines;
}

static void latex_block(FILE *file, const struct printed *p)
{
	struct layout layout;
	size_t parts, lines = latex_lines(p, &parts);
	const bool together = parts > 1 && lines <= LINES_A_PAGE;
	layout_init(&layout, p);
	if (together)
		fputs("\\nxnfit{\\begin{tabular}{@{}l@{}}\n", file);
	for (size_t part = 0; layout_part(&layout); part++) {
		if (together && part > 0)
			fputs(" \\\\[1.5ex]\n", file);
		latex_part(file, &layout, together);
	}
	if (together)
		fputs("\n\\end{tabular}}\\par\\medskip\n", file);
}

/* ---- Both. */

/* One block; FIRST if none was written before it. Whether this one was. */
static bool block_print(FILE *file, const struct tsv_block *block, const char *name, bool latex,
			bool first)
{
	struct printed printed;
	printed_init(&printed, block, name);
	if (printed.columns == 0 || block->rows == 0)
		return false;
	if (latex)
		latex_block(file, &printed);
	else
		markdown_block(file, &printed, first);
	return true;
}

void table_print(FILE *file, const struct tsv *tsv, const char *name, bool latex)
{
	struct tsv_block joined;
	bool begun = false;
	for (size_t i = 0; latex && i < tsv->note_count; i++)
		fprintf(file, "%% %s\n", tsv->notes[i]);
	if (latex)
		fputs("% \\usepackage{booktabs}; \\nxnfit may make what is too wide fit\n"
		      "\\providecommand{\\nxnfit}[1]{#1}%\n",
		      file);
	if (printed_join(tsv, name, &joined)) {
		block_print(file, &joined, name, latex, true);
		free(joined.cells);
		return;
	}
	for (size_t i = 0; i < tsv->block_count; i++)
		if (block_print(file, &tsv->blocks[i], name, latex, !begun))
			begun = true;
}
