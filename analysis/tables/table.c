/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables as text; see table.h.
 */
#include "analysis/tables/table.h"

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xalloc.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Parts. */

void text_write(FILE *file, const char *text)
{
	putc('"', file);
	for (; *text; text++)
		putc(*text == '"' ? '\'' : *text, file);
	putc('"', file);
}

static void real_write(FILE *file, double x)
{
	if (isfinite(x))
		fprintf(file, "%.10g", x);
	else
		fputs("NaN", file);
}

void number_write(FILE *file, double x)
{
	putc('\t', file);
	real_write(file, x);
}

void interval_write(FILE *file, struct interval x)
{
	number_write(file, x.value);
	number_write(file, x.low);
	number_write(file, x.high);
}

/* The most that decimals_of() returns. */
enum { DECIMALS_MAX = 9 };

/* X with DECIMALS; with an exponent from 1e15 on, and below 1e-6 if DECIMALS is the most. */
static const char *real_text(double x, int decimals, char text[REAL_TEXT_MAX])
{
	const double size = fabs(x);
	const bool small = decimals >= DECIMALS_MAX && size > 0 && size < 1e-6;
	snprintf(text, REAL_TEXT_MAX, small || size >= 1e15 ? "%.*e" : "%.*f",
		 small || size >= 1e15 ? 3 : decimals, x);
	return text;
}

/* "value UNIT", or if BOUNDED "value UNIT [low, high]". */
static void measure_text(struct interval x, int decimals, const char *unit, bool bounded,
			 char text[GRID_TEXT_MAX])
{
	char value[REAL_TEXT_MAX], low[REAL_TEXT_MAX], high[REAL_TEXT_MAX];
	real_text(x.value, decimals, value);
	if (isnan(x.value))
		snprintf(text, GRID_TEXT_MAX, "-");
	else if (!bounded)
		snprintf(text, GRID_TEXT_MAX, "%s%s", value, unit);
	else if (isnan(x.low) || isnan(x.high))
		snprintf(text, GRID_TEXT_MAX, "%s%s [-, -]", value, unit);
	else
		snprintf(text, GRID_TEXT_MAX, "%s%s [%s, %s]", value, unit,
			 real_text(x.low, decimals, low), real_text(x.high, decimals, high));
}

void number_text(double x, int decimals, char text[GRID_TEXT_MAX])
{
	measure_text((struct interval){.value = x}, decimals, "", false, text);
}

void interval_text(struct interval x, int decimals, char text[GRID_TEXT_MAX])
{
	measure_text(x, decimals, "", true, text);
}

/* Whether X is not 1, but is shown as 1. */
static bool looks_like_one(double x, int decimals)
{
	return x != 1 && fabs(x - 1) < 0.5 * pow(10, -decimals);
}

void ratio_text(struct interval x, int decimals, char text[GRID_TEXT_MAX])
{
	enum { MOST = 6 };
	while (decimals < MOST &&
	       (looks_like_one(x.low, decimals) || looks_like_one(x.high, decimals)))
		decimals++;
	interval_text(x, decimals, text);
}

void title_text(const char *name, char text[GRID_TEXT_MAX])
{
	static const char *const words[][2] = {
	    {"label", "player"}, {"ms", "time per move"}, {"ms_per_move", "time per move"}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		name = strcmp(name, words[i][0]) == 0 ? words[i][1] : name;
	snprintf(text, GRID_TEXT_MAX, "%.*s", GRID_TEXT_MAX - 16, name);
	for (char *at = text; *at; at++)
		*at = *at == '_' ? ' ' : *at;
}

void percent_text(struct interval x, int decimals, char text[GRID_TEXT_MAX])
{
	measure_text((struct interval){100 * x.value, 100 * x.low, 100 * x.high}, decimals, "%",
		     true, text);
}

void share_text(double share, int decimals, char text[GRID_TEXT_MAX])
{
	measure_text((struct interval){.value = 100 * share}, decimals, "%", false, text);
}

/* The unit for a time of MS milliseconds; sets *IN_MS to the units in a millisecond. */
static const char *time_unit(double ms, double *in_ms)
{
	static const struct {
		const char *name;
		double in_ms;
	} units[] = {{"ns", 1e6}, {"us", 1e3}, {"ms", 1}, {"s", 1e-3}};
	size_t i = 0;
	/* A time that rounds to 1000 of a unit is shown in the next. */
	while (i + 1 < sizeof units / sizeof *units && ms * units[i].in_ms >= 999.5)
		i++;
	*in_ms = units[i].in_ms;
	return units[i].name;
}

static void milliseconds_text(struct interval ms, bool bounded, char text[GRID_TEXT_MAX])
{
	double scale;
	char unit[8];
	snprintf(unit, sizeof unit, " %s", time_unit(ms.value, &scale));
	measure_text((struct interval){ms.value * scale, ms.low * scale, ms.high * scale},
		     decimals_of(fmax(ms.value * scale, 1)), unit, bounded, text);
}

void time_text(double ms, char text[GRID_TEXT_MAX])
{
	milliseconds_text((struct interval){.value = ms}, false, text);
}

void times_text(struct interval ms, char text[GRID_TEXT_MAX])
{
	milliseconds_text(ms, true, text);
}

int decimals_of(double x)
{
	int decimals = 0;

	x = fabs(x);
	while (x > 0 && x < 100 && decimals < DECIMALS_MAX) {
		x *= 10;
		decimals++;
	}
	return decimals;
}

enum { SEPARATOR = 2 }; /* blanks between columns */

void grid_add(struct grid *grid, const char *text)
{
	grid->text = xgrow(grid->text, grid->cells, sizeof *grid->text);
	grid->text[grid->cells++] = xstrdup(text);
}

void grid_fini(struct grid *grid)
{
	for (size_t i = 0; i < grid->cells; i++)
		free(grid->text[i]);
	free(grid->text);
}

/* A line that is being printed. Blanks are written only before text, so no line ends with any. */
struct grid_line {
	FILE *file;
	int blanks;
};

/* Prints TEXT in a cell of WIDTH, on the LEFT or on the right; a separator follows. */
static void cell_print(struct grid_line *line, bool left, int width, const char *text)
{
	const int rest = width - (int)strlen(text);

	line->blanks += left ? 0 : rest;
	if (*text) {
		fprintf(line->file, "%*s%s", line->blanks, "", text);
		line->blanks = 0;
	}
	line->blanks += (left ? rest : 0) + SEPARATOR;
}

static void line_end(struct grid_line *line)
{
	putc('\n', line->file);
	line->blanks = 0;
}

/* The width of columns FROM to TO - 1, with a separator each. */
static int columns_width(const int *width, int from, int to)
{
	int sum = 0;

	for (int i = from; i < to; i++)
		sum += SEPARATOR + width[i];
	return sum;
}

/* The widths of the columns, on the heap. */
static int *widths_find(const struct grid *grid)
{
	int *width = xcalloc((size_t)grid->columns, sizeof *width);
	for (size_t i = 0; i < grid->cells; i++) {
		const int own = (int)strlen(grid->text[i]);
		int *widest = &width[i % (size_t)grid->columns];
		*widest = own > *widest ? own : *widest;
	}
	return width;
}

int grid_width(const struct grid *grid)
{
	int *width = widths_find(grid);
	const int sum = columns_width(width, 0, grid->columns) - SEPARATOR;
	free(width);
	return sum;
}

/* The widths of columns; narrows the last text column if all columns fit that way. */
static int *widths_fit(const struct grid *grid)
{
	const int label = grid->left - 1, over = grid_width(grid) - text_width();
	int *width = widths_find(grid);

	if (grid->fits && over > 0 && label >= 0 && label < grid->columns - 1 &&
	    width[label] - over >= (int)strlen(grid->text[label]))
		width[label] -= over;
	return width;
}

/* Prints the columns of text, and then columns FROM to TO - 1. */
static void part_print(FILE *file, const struct grid *grid, const int *width, int from, int to)
{
	struct grid_line line = {.file = file};

	for (size_t row = 0; row < grid->cells; row += (size_t)grid->columns) {
		for (int i = 0; i < to; i++) {
			if (i >= grid->left && i < from)
				continue;
			const char *text = grid->text[row + (size_t)i];
			const bool wide = (int)strlen(text) > width[i];
			cell_print(&line, i < grid->left, wide ? (int)strlen(text) : width[i],
				   text);
			if (!wide)
				continue;
			line_end(&line);
			line.blanks = columns_width(width, 0, i + 1);
		}
		line_end(&line);
	}
}

/*
 * The end of the columns from FROM on that fit after those of text: at least one, if any is left.
 */
static int part_end(const struct grid *grid, const int *width, int from)
{
	const int room = text_width() + SEPARATOR - columns_width(width, 0, grid->left);
	int to = from + (from < grid->columns);

	while (to < grid->columns && columns_width(width, from, to + 1) <= room)
		to++;
	return to;
}

void grid_print(FILE *file, const struct grid *grid)
{
	int *width = widths_fit(grid);

	for (int from = grid->left, to = 0; to < grid->columns; from = to) {
		to = part_end(grid, width, from);
		if (from > grid->left)
			putc('\n', file);
		part_print(file, grid, width, from, to);
	}
	free(width);
}

/* ---- Typed columns. */

static const void *member_of(const struct table_column *column, const void *row)
{
	return (const char *)row + column->offset;
}

static bool is_text(const struct table_column *column)
{
	return column->value == TABLE_TEXT || column->value == TABLE_CHARS;
}

static bool is_real(const struct table_column *column)
{
	return column->value >= TABLE_REAL;
}

static bool has_bounds(const struct table_column *column)
{
	return column->value >= TABLE_INTERVAL;
}

/* An interval, or a number without bounds. */
struct interval table_interval(const struct table_column *column, const void *row)
{
	const void *member = member_of(column, row);

	if (column->get)
		return column->get(row);
	if (has_bounds(column))
		return *(const struct interval *)member;
	return (struct interval){*(const double *)member, NAN, NAN};
}

void table_comments(FILE *file, const char *const *lines)
{
	for (; lines && *lines; lines++)
		fprintf(file, "# %s\n", *lines);
}

const char *note_find(const char *const *lines, const char *prefix)
{
	for (; *lines; lines++)
		if (strncmp(*lines, prefix, strlen(prefix)) == 0)
			return *lines + strlen(prefix);
	return NULL;
}

void table_head(FILE *file, const struct table_column *columns)
{
	for (const struct table_column *c = columns; c->name; c++) {
		const char *bounds = c->bounds ? c->bounds : c->name;
		fprintf(file, "%s\"%s\"", c == columns ? "" : "\t", c->name);
		if (has_bounds(c))
			fprintf(file, "\t\"%s_low\"\t\"%s_high\"", bounds, bounds);
	}
	putc('\n', file);
}

const char *table_text(const struct table_column *column, const void *row, char made[GRID_TEXT_MAX])
{
	const void *member = member_of(column, row);

	if (is_real(column))
		return NULL;
	if (is_text(column) && column->text)
		column->text(row, made);
	else if (is_text(column))
		return column->value == TABLE_CHARS ? member : *(const char *const *)member;
	else if (column->value == TABLE_INT)
		snprintf(made, GRID_TEXT_MAX, "%d", *(const int *)member);
	else if (column->value == TABLE_FLAG)
		snprintf(made, GRID_TEXT_MAX, "%d", *(const bool *)member);
	else if (column->value == TABLE_COUNT)
		snprintf(made, GRID_TEXT_MAX, "%zu", *(const size_t *)member);
	else
		snprintf(made, GRID_TEXT_MAX, "%" PRIu64, *(const uint64_t *)member);
	return made;
}

/* The value of COLUMN without its bounds. */
static void value_write(FILE *file, const struct table_column *column, const void *row)
{
	char made[GRID_TEXT_MAX];
	const char *text = table_text(column, row, made);

	if (!text)
		real_write(file, table_interval(column, row).value);
	else if (is_text(column))
		text_write(file, text);
	else
		fputs(text, file);
}

void table_row(FILE *file, const struct table_column *columns, const void *row)
{
	for (const struct table_column *c = columns; c->name; c++) {
		if (c != columns)
			putc('\t', file);
		value_write(file, c, row);
		if (!has_bounds(c))
			continue;
		const struct interval x = table_interval(c, row);
		number_write(file, x.low);
		number_write(file, x.high);
	}
	putc('\n', file);
}

void table_put(const struct table_out *out, const void *row)
{
	if (out->put)
		out->put(out, row);
	else
		table_row(out->file, out->columns, row);
}

const struct table *table_find(const struct tables *tables, const char *name)
{
	for (const struct table *table = tables->table; table->name; table++)
		if (strcmp(table->name, name) == 0)
			return table;
	return NULL;
}

void table_write(FILE *file, const struct tables *tables, const struct table *table,
		 const void *data, const char *const *provenance)
{
	table_comments(file, provenance);
	if (tables->head)
		tables->head(file, data);
	if (table->units)
		fprintf(file, "# units: %s\n", table->units);
	table_head(file, table->columns);
	table->rows(&(struct table_out){file, table->columns, table->name, NULL}, data);
}

enum status tables_write(const char *directory, const struct tables *tables, const void *data,
			 const char *const *provenance, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = path_format(path, why, "%s/tables", directory);

	if (!status)
		status = folder_make_in(path, why);
	for (const struct table *table = tables->table; !status && table->name; table++) {
		status = path_format(path, why, "%s/tables/%s.tsv", directory, table->name);
		FILE *file;
		status = status ? status : part_create(path, &file, why);
		if (status)
			break;
		table_write(file, tables, table, data, provenance);
		status = part_finish(file, path, STATUS_OK, why);
	}
	return status;
}

/* ---- For people. */

static bool is_whole(double x)
{
	return isnan(x) || x == floor(x);
}

/* A number for people; without its interval if EXACT. */
static void number_show(const struct table_column *column, const void *row, bool exact,
			char text[GRID_TEXT_MAX])
{
	const bool percent = column->value == TABLE_SHARE || column->value == TABLE_SHARES;
	const struct interval x = table_interval(column, row);
	const bool whole = is_whole(x.value) && is_whole(x.low) && is_whole(x.high);
	const int decimals = column->decimals	 ? column->decimals - 1
			     : whole && !percent ? 0
						 : decimals_of(percent ? 100 * x.value : x.value);

	if (column->value == TABLE_TIME)
		time_text(x.value, text);
	else if (column->value == TABLE_TIMES)
		times_text(x, text);
	else if (exact || !has_bounds(column))
		(percent ? share_text : number_text)(x.value, decimals, text);
	else
		(percent ? percent_text : interval_text)(x, decimals, text);
}

/* A cell for people; TEXT is used where the row holds no text itself. */
static const char *cell_text(const struct table_column *c, const void *row, bool exact,
			     char text[GRID_TEXT_MAX])
{
	if (c->text)
		c->text(row, text);
	else if (is_real(c))
		number_show(c, row, exact, text);
	else if (c->value == TABLE_FLAG)
		snprintf(text, GRID_TEXT_MAX, "%s", *(const bool *)member_of(c, row) ? "*" : "");
	else
		return table_text(c, row, text);
	return text;
}

/* ---- Tables in aligned columns: rows are made once, so the texts of their cells are kept. */

struct cells {
	struct table_out out; /* first, so that cells_put() gets the struct */
	struct grid grid;
	const struct table_column **column;
	bool last; /* keep only the last row of a player, after all of its training */
	bool (*exact)(const void *row);
};

static void column_add(struct cells *cells, const struct table_column *column, const char *header)
{
	struct grid *grid = &cells->grid;

	assert(column->name);
	grid->left += grid->left == grid->columns && is_text(column);
	cells->column = xgrow(cells->column, (size_t)grid->columns, sizeof *cells->column);
	cells->column[grid->columns++] = column;
	grid_add(grid, header);
}

/* Adds COLUMN under its title for people. */
static void column_show(struct cells *cells, const struct table_column *column)
{
	char title[GRID_TEXT_MAX];

	title_text(column->name, title);
	strcat(title, has_bounds(column) ? " [95%]" : "");
	column_add(cells, column, title);
}

/* Adds the COLUMNS that SHOWN lists, or all if it lists none. */
static void columns_choose(struct cells *cells, const struct shown_table *shown,
			   const struct table_column *columns)
{
	for (const char *const *name = shown->printed; *name; name++) {
		const struct table_column *c = columns;
		while (c->name && strcmp(c->name, *name) != 0)
			c++;
		column_show(cells, c);
	}
	for (const struct table_column *c = columns; !shown->printed[0] && c->name; c++)
		column_show(cells, c);
}

/* Whether the last row has the texts of the row before: the same player, with more training. */
static bool player_repeats(const struct grid *grid)
{
	const size_t columns = (size_t)grid->columns, last = grid->cells - columns;

	for (size_t i = 0; i < (size_t)grid->left; i++)
		if (last < 2 * columns ||
		    strcmp(grid->text[last + i], grid->text[last - columns + i]) != 0)
			return false;
	return true;
}

static void cells_put(const struct table_out *out, const void *row)
{
	struct cells *cells = (struct cells *)out;
	struct grid *grid = &cells->grid;
	const size_t columns = (size_t)grid->columns;
	char text[GRID_TEXT_MAX];

	for (size_t i = 0; i < columns; i++)
		grid_add(grid,
			 cell_text(cells->column[i], row, cells->exact && cells->exact(row), text));
	if (!cells->last || !player_repeats(grid))
		return;
	char **last = grid->text + grid->cells - columns;
	for (size_t i = 0; i < columns; i++) {
		free(last[i - columns]);
		last[i - columns] = last[i];
	}
	grid->cells -= columns;
}

static void cells_fini(struct cells *cells)
{
	grid_fini(&cells->grid);
	free(cells->column);
}

static void column_drop(struct grid *grid, size_t column)
{
	const size_t columns = (size_t)grid->columns;
	size_t kept = 0;

	for (size_t i = 0; i < grid->cells; i++)
		if (i % columns == column)
			free(grid->text[i]);
		else
			grid->text[kept++] = grid->text[i];
	grid->cells = kept;
	grid->columns--;
	grid->left -= column < (size_t)grid->left;
}

/* Drops the columns without a known value. */
static void unknown_drop(struct grid *grid)
{
	for (size_t c = (size_t)grid->columns; c-- > 0;) {
		bool known = false;
		for (size_t i = c + (size_t)grid->columns; i < grid->cells;
		     i += (size_t)grid->columns)
			known = known || strcmp(grid->text[i], "-") != 0;
		if (!known)
			column_drop(grid, c);
	}
}

bool table_view_print(FILE *file, const struct table_view *view)
{
	struct cells cells = {.out = {file, view->columns, NULL, cells_put}, .exact = view->exact};

	for (const struct table_column *c = view->columns; c->name; c++)
		column_add(&cells, c, c->name);
	cells.grid.left = view->left;
	cells.grid.fits = view->fits;
	view->rows(&cells.out, view->data);
	const bool any = cells.grid.cells > (size_t)cells.grid.columns;
	if (any)
		grid_print(file, &cells.grid);
	cells_fini(&cells);
	return any;
}

void tables_text(FILE *file, const struct tables *tables, const char *const *names,
		 const void *data)
{
	const char *between = "";

	for (; *names; names++) {
		const struct table *table = table_find(tables, *names);
		const struct shown_table *shown = shown_table_find(*names);
		struct cells cells = {.out = {file, table->columns, table->name, cells_put},
				      .last = shown->last,
				      .exact = table->exact};
		columns_choose(&cells, shown, table->columns);
		table->rows(&cells.out, data);
		if (cells.grid.cells > (size_t)cells.grid.columns) {
			unknown_drop(&cells.grid);
			fputs(between, file);
			text_printf(file, "%s", shown->caption);
			putc('\n', file);
			grid_print(file, &cells.grid);
			between = "\n";
		}
		cells_fini(&cells);
	}
}

/* ---- Rows that are printed as they are made, before the widths of columns are known. */

enum { STREAM_WIDTH = 8 };

const char *table_plain(const struct table_column *column, const void *row, bool aligned,
			char made[GRID_TEXT_MAX])
{
	if (column->text) {
		column->text(row, made);
		return made;
	}
	if (!is_real(column))
		return table_text(column, row, made);
	const double x = table_interval(column, row).value;
	if (isnan(x))
		snprintf(made, GRID_TEXT_MAX, aligned ? "-" : "NaN");
	else if (column->decimals)
		number_text(x, column->decimals - 1, made);
	else if (aligned)
		snprintf(made, GRID_TEXT_MAX, "%.6g", x);
	else
		real_format(x, made);
	return made;
}

static int stream_width(const struct table_column *column)
{
	const int name = (int)strlen(column->name);

	return column->width ? column->width : name > STREAM_WIDTH ? name : STREAM_WIDTH;
}

/* The width of the first column: its own, or less if the other columns leave less of a line. */
static int stream_first(const struct table_column *columns)
{
	int room = text_width();
	const int own = stream_width(columns);

	for (const struct table_column *c = columns + 1; c->name; c++)
		room -= SEPARATOR + stream_width(c);
	return own < room ? own : room > 0 ? room : 1;
}

/* Prints a line with ROW, or with the names of columns if ROW is NULL. */
static void stream_line(const struct table_out *out, const void *row)
{
	const bool aligned = isatty(fileno(out->file));
	struct grid_line line = {.file = out->file};
	char made[GRID_TEXT_MAX];
	int end = 0;

	for (const struct table_column *c = out->columns; c->name; c++) {
		const char *text = row ? table_plain(c, row, aligned, made) : c->name;
		const int width = c == out->columns ? stream_first(c) : stream_width(c);
		const bool wide = (int)strlen(text) > width;
		if (!aligned) {
			fprintf(out->file, "%s%s", c == out->columns ? "" : "\t", text);
			continue;
		}
		cell_print(&line, is_text(c), wide ? (int)strlen(text) : width, text);
		end += width + SEPARATOR;
		if (wide && c == out->columns) {
			line_end(&line);
			line.blanks = end;
		}
	}
	line_end(&line);
}

void table_stream(FILE *file, const struct table *table, const void *data)
{
	const struct table_out out = {file, table->columns, table->name, stream_line};

	stream_line(&out, NULL);
	table->rows(&out, data);
}
