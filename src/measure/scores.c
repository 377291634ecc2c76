/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores of games that nxn did not play: reading and statistics; see scores.h. */
#include "src/measure/scores.h"

#include "analysis/tables/table.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Files. */

/*
 * Returns the field at *AT, cut in place and without its quotes, and moves *AT to the next field or
 * NULL. Returns NULL if a quote at the start of the field is not closed at its end.
 */
static char *field_cut(char **at, char separator)
{
	char *field = *at, *from = field, *to = field;
	bool open = *from == '"';
	for (from += open; *from && (open || *from != separator); *to++ = *from++)
		if (open && *from == '"' && *++from != '"') {
			open = false;
			break;
		}
	if (open || (*from && *from != separator))
		return NULL;
	*at = *from ? from + 1 : NULL;
	*to = '\0';
	return field;
}

/* The state of reading a file. */
struct scores_reader {
	struct scores *scores;
	const char *column; /* NULL: a score per line */
	size_t index;	    /* index of the column */
	size_t columns;	    /* number of columns */
	size_t line;
	size_t empty; /* the first empty line after the last score, or 0 */
	char separator;
	bool names; /* the column names have been read */
};

/* Sets *FIELD to the next field, number COLUMN of its line. */
static enum status field_next(const struct scores_reader *r, char **at, size_t column, char **field,
			      struct why *why)
{
	*field = field_cut(at, r->separator);
	return *field ? STATUS_OK
		      : why_set(why, STATUS_INPUT,
				"%s:%zu: column %zu: the quote is not closed at its end",
				r->scores->path, r->line, column + 1);
}

/* Finds the column in LINE, the column names. */
static enum status header_parse(struct scores_reader *r, char *line, struct why *why)
{
	/* The log of a stopped run has too many short games. */
	if (strncmp(line, "config\tboard\t", strlen("config\tboard\t")) == 0)
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: is a log of nxn: not all of its games may count; expected "
			       "scores of other programs, and 'nxn report FOLDER' for a log",
			       r->scores->path, r->line);
	char *all = xstrdup(line), *at = line, *name;
	enum status status = STATUS_OK;
	r->separator = strchr(line, '\t') ? '\t' : ',';
	r->names = true;
	size_t found = 0;
	for (; !status && at; r->columns++) {
		status = field_next(r, &at, r->columns, &name, why);
		if (status || strcmp(name, r->column) != 0)
			continue;
		r->index = r->columns;
		found++;
	}
	if (!status && found != 1)
		status = why_set(why, STATUS_INPUT, "%s:%zu: %s '%s'; expected it among '%.200s'",
				 r->scores->path, r->line,
				 found ? "more than one column" : "no column", r->column, all);
	free(all);
	return status;
}

/* Parses a number, with blanks around it. */
static bool score_parse(char *text, double *score)
{
	text += strspn(text, " \t");
	size_t length = strlen(text);
	while (length > 0 && strchr(" \t", text[length - 1]))
		length--;
	text[length] = '\0';
	return real_parse(text, score);
}

static enum status score_line_parse(struct scores_reader *r, char *line, struct why *why)
{
	struct scores *s = r->scores;
	/* If scores are paired by line, the empty line is a game. */
	if (r->empty)
		return why_set(why, STATUS_INPUT, "%s:%zu: is empty; expected a score", s->path,
			       r->empty);
	char *field = line, *at = line;
	size_t columns = 0;
	for (char *cut; r->column && at; columns++) {
		enum status status = field_next(r, &at, columns, &cut, why);
		if (status)
			return status;
		field = columns == r->index ? cut : field;
	}
	if (columns != r->columns)
		return why_set(why, STATUS_INPUT, "%s:%zu: %zu column%s, expected %zu", s->path,
			       r->line, columns, columns == 1 ? "" : "s", r->columns);
	double score;
	if (!score_parse(field, &score))
		return r->column
			   ? why_set(why, STATUS_INPUT,
				     "%s:%zu: column %zu: '%.40s' is no score; expected a number",
				     s->path, r->line, r->index + 1, field)
			   : why_set(why, STATUS_INPUT,
				     "%s:%zu: '%.40s' is no score; expected one number per line, "
				     "or a table and --column",
				     s->path, r->line, field);
	if (!stats_accepts(score))
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: '%.40s' is out of range: expected 0, or 1e-50 to 1e50 in "
			       "magnitude",
			       s->path, r->line, field);
	s->score = xgrow(s->score, s->n, sizeof *s->score);
	s->score[s->n++] = score;
	return STATUS_OK;
}

enum status scores_read(struct scores *scores, const char *path, const char *column,
			struct why *why)
{
	struct scores s = {.path = path};
	struct scores_reader r = {.scores = &s, .column = column};
	struct lines lines;
	enum status status = lines_open_stream(&lines, path, why);
	if (status)
		return status;
	while (!status && lines_next(&lines, &status, why)) {
		r.line = lines.number;
		if (!*lines.text && s.n > 0 && !r.empty)
			r.empty = lines.number;
		else if (*lines.text && *lines.text != '#')
			status = column && !r.names ? header_parse(&r, lines.text, why)
						    : score_line_parse(&r, lines.text, why);
	}
	lines_close(&lines);
	if (!status && s.n == 0)
		status = why_set(why, STATUS_INPUT, "%s: has no scores", path);
	if (status)
		free(s.score);
	else
		*scores = s;
	return status;
}

/* ---- Statistics. */

struct scores_row {
	const char *file;
	size_t games;
	struct interval mean, median, iqm, sd;
	double min, max;
	double *sorted;
};

struct scores_pair {
	const char *a, *b;
	struct interval ratio, difference;
};

struct scores_summary {
	struct scores_row *rows;
	size_t n;
};

static enum status row_make(struct scores_row *row, const char *path, const char *column,
			    struct why *why)
{
	struct scores scores;
	enum status status = scores_read(&scores, path, column, why);
	if (status)
		return status;
	double *x = scores.score;
	const size_t n = scores.n;
	stats_sort(x, n);
	*row = (struct scores_row){.file = path,
				   .games = n,
				   .mean = stats_interval(&stat_mean, x, n),
				   .median = stats_interval(&stat_median, x, n),
				   .iqm = stats_interval(&stat_iqm, x, n),
				   .sd = stats_interval(&stat_sd, x, n),
				   .min = x[0],
				   .max = x[n - 1],
				   .sorted = x};
	return STATUS_OK;
}

/* The row with the greatest mean. */
static const struct scores_row *best_of(const struct scores_summary *s)
{
	const struct scores_row *best = s->rows;
	for (size_t i = 1; i < s->n; i++)
		if (s->rows[i].mean.value > best->mean.value)
			best = &s->rows[i];
	return best;
}

static struct scores_pair pair_of(const struct scores_row *a, const struct scores_row *b)
{
	return (struct scores_pair){a->file, b->file,
				    stats_ratio(a->sorted, a->games, b->sorted, b->games),
				    stats_difference(a->sorted, a->games, b->sorted, b->games)};
}

#define ROW(title, kind, member) TABLE_COLUMN(struct scores_row, title, kind, member)
#define PAIR(title, kind, member) TABLE_COLUMN(struct scores_pair, title, kind, member)

static const struct table_column row_columns[] = {
    ROW("file", TEXT, file),	     ROW("games", COUNT, games), ROW("mean", INTERVAL, mean),
    ROW("median", INTERVAL, median), ROW("iqm", INTERVAL, iqm),	 ROW("sd", INTERVAL, sd),
    ROW("min", REAL, min),	     ROW("max", REAL, max),	 {0},
};

static const struct table_column pair_columns[] = {
    PAIR("a", TEXT, a),
    PAIR("b", TEXT, b),
    PAIR("ratio", INTERVAL, ratio),
    PAIR("difference", INTERVAL, difference),
    {0},
};

static void head_write(FILE *file, const void *data)
{
	(void)data;
	fprintf(file, "# %s\n", stats_method);
}

static void summary_rows(const struct table_out *out, const void *data)
{
	const struct scores_summary *s = data;
	for (size_t i = 0; i < s->n; i++)
		table_put(out, &s->rows[i]);
}

static void ratios_rows(const struct table_out *out, const void *data)
{
	const struct scores_summary *s = data;
	for (size_t a = 0; a < s->n; a++)
		for (size_t b = a + 1; b < s->n; b++) {
			const struct scores_pair pair = pair_of(&s->rows[a], &s->rows[b]);
			table_put(out, &pair);
		}
}

/* The best paired with each other one. */
static void best_rows(const struct table_out *out, const void *data)
{
	const struct scores_summary *s = data;
	const struct scores_row *best = best_of(s);
	for (size_t i = 0; i < s->n; i++)
		if (&s->rows[i] != best) {
			const struct scores_pair pair = pair_of(best, &s->rows[i]);
			table_put(out, &pair);
		}
}

/* Whether the ratio of the best to another has no interval, but their difference has one. */
static bool best_undecided(const struct scores_summary *s)
{
	const struct scores_row *best = best_of(s);
	for (size_t i = 0; i < s->n; i++) {
		const struct scores_pair pair = pair_of(best, &s->rows[i]);
		if (isnan(pair.ratio.low) && !isnan(pair.difference.low))
			return true;
	}
	return false;
}

/* Formats whole scores without decimals. */
static void score_text(double x, char text[GRID_TEXT_MAX])
{
	number_text(x, x == floor(x) ? 0 : decimals_of(x), text);
}

static void min_text(const void *row, char text[GRID_TEXT_MAX])
{
	score_text(((const struct scores_row *)row)->min, text);
}

static void max_text(const void *row, char text[GRID_TEXT_MAX])
{
	score_text(((const struct scores_row *)row)->max, text);
}

static void scores_print(FILE *file, const void *data, bool full)
{
	const struct scores_summary *s = data;
	const struct table_column rows[] = {
	    ROW("scores", TEXT, file),	       ROW("games", COUNT, games),
	    ROW("mean [95%]", INTERVAL, mean), ROW("median [95%]", INTERVAL, median),
	    {.name = "max", .text = max_text}, {0},
	};
	const struct table_column all_rows[] = {
	    ROW("scores", TEXT, file),
	    ROW("games", COUNT, games),
	    ROW("mean [95%]", INTERVAL, mean),
	    ROW("median [95%]", INTERVAL, median),
	    ROW("IQM [95%]", INTERVAL, iqm),
	    ROW("standard deviation", INTERVAL, sd),
	    {.name = "min", .text = min_text},
	    {.name = "max", .text = max_text},
	    {0},
	};
	const struct table_column columns[] = {
	    PAIR("mean of", TEXT, a),
	    PAIR("over that of", TEXT, b),
	    PAIR("ratio [95%]", INTERVAL, ratio),
	    PAIR("difference [95%]", INTERVAL, difference),
	    {0},
	};
	table_view_print(file, &(struct table_view){.columns = full ? all_rows : rows,
						    .left = 1,
						    .rows = summary_rows,
						    .data = s});
	if (s->n > 1) {
		putc('\n', file);
		table_view_print(file,
				 &(struct table_view){
				     .columns = columns, .left = 2, .rows = best_rows, .data = s});
		if (best_undecided(s))
			text_printf(file,
				    "\nThe difference of means decides: a ratio needs two means "
				    "whose intervals are above 0.");
	}
	if (full) {
		putc('\n', file);
		text_printf(file, "%s.", stats_method);
	}
}

static const struct tables scores_tables = {
    .print = scores_print,
    .head = head_write,
    .table =
	{
	    TABLE("summary", "as in the files", row_columns, summary_rows),
	    TABLE(
		"ratios",
		"ratio and difference of the means of a and b, as of independent samples; no ratio "
		"where a mean is not positive, and no interval of it where that of a mean reaches "
		"0",
		pair_columns, ratios_rows),
	},
};

enum status scores_report(const struct text_list *files, const char *column,
			  const struct table_printer *printer, const char *name, bool full,
			  const char *provenance, struct why *why)
{
	char command[1024];
	const char *const lines[] = {command, NULL};
	struct scores_summary s = {.rows = xcalloc(files->n, sizeof *s.rows)};
	enum status status = STATUS_OK;
	for (; !status && s.n < files->n; s.n += !status)
		status = row_make(&s.rows[s.n], files->item[s.n], column, why);
	const bool known = printer->format == FORMAT_TEXT || table_find(&scores_tables, name);
	snprintf(command, sizeof command, "command: %s", provenance);
	if (!status && !known)
		status = why_set(why, STATUS_INPUT,
				 "--tsv: of scores there is summary or ratios, not '%s'", name);
	else if (!status)
		tables_print(printer, &scores_tables, name, &s, full, lines);
	for (size_t i = 0; i < s.n; i++)
		free(s.rows[i].sorted);
	free(s.rows);
	return status;
}
