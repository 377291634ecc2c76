/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all checks share: the lines they print, games, files of facts; see verify.h. */
#include "src/verify/verify.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct verify_check *const verify_checks[] = {rules_checks, exact_checks, NULL};

enum { WHAT_MAX = 256, LINE_WIDTH = 118 };

/* The probability of a false alarm in a line of p-values. */
static const double false_alarm = 1e-5;

#define COLUMN(title, kind, member) TABLE_COLUMN(struct verify_figure, title, kind, member)

const struct table_column verify_columns[] = {
    COLUMN("check", TEXT, check),	COLUMN("what", TEXT, what), COLUMN("found", TEXT, found),
    COLUMN("expected", TEXT, expected), COLUMN("ok", FLAG, good),   {0},
};

void verify_figure_print(const struct table_out *out, const void *figure)
{
	const struct verify_figure *f = figure;
	/* What is expected of a figure that is right is that figure. */
	const int room = text_width() - (int)(11 + 1 + strlen(f->what) + 1 + strlen(" ok"));
	if (f->good && text_width() < LINE_WIDTH)
		fprintf(out->file, "%-11s %s %*s ok\n", f->check, f->what, room > 0 ? room : 0,
			f->found);
	else
		fprintf(out->file, "%-13s %-56s %-22s %-21s %s\n", f->check, f->what, f->found,
			f->expected, f->good ? "ok" : "FAILED");
}

static void line_print(struct verify *verify, bool good, const char *found, const char *expected,
		       const char *format, va_list args)
{
	char what[WHAT_MAX];
	vsnprintf(what, sizeof what, format, args);
	const struct verify_figure figure = {verify->check, what, found, expected, good};
	table_put(verify->out, &figure);
	fflush(verify->out->file);
	verify->lines++;
	verify->failed += !good;
}

void verify_tell(struct verify *verify, bool good, const char *found, const char *expected,
		 const char *format, ...)
{
	va_list args;
	va_start(args, format);
	line_print(verify, good, found, expected, format, args);
	va_end(args);
}

void agree_add(struct agreement *tally, bool agrees, const char *format, ...)
{
	tally->all++;
	tally->agreed += agrees;
	if (agrees || tally->first[0])
		return;
	va_list args;
	va_start(args, format);
	vsnprintf(tally->first, sizeof tally->first, format, args);
	va_end(args);
}

void verify_tally(struct verify *verify, const struct agreement *tally, const char *format, ...)
{
	char found[32], expected[32];
	va_list args;
	snprintf(found, sizeof found, "%" PRIu64 " agree", tally->agreed);
	snprintf(expected, sizeof expected, "%" PRIu64, tally->all);
	va_start(args, format);
	line_print(verify, tally->all > 0 && tally->agreed == tally->all, found, expected, format,
		   args);
	va_end(args);
	if (tally->first[0])
		printf("            first: %s\n", tally->first);
}

void range_add(struct p_range *range, double p)
{
	range->least = range->n ? fmin(range->least, p) : p;
	range->most = range->n ? fmax(range->most, p) : p;
	range->n++;
}

void verify_range(struct verify *verify, const struct p_range *range, const char *format, ...)
{
	char found[64], expected[64];
	const double bound = false_alarm / 2 / range->n;
	va_list args;
	if (range->n > 1)
		snprintf(found, sizeof found, "p = %.4f .. %.4f", range->least, range->most);
	else
		snprintf(found, sizeof found, "p = %.4f", range->least);
	snprintf(expected, sizeof expected, "%.0e < p < 1-%.0e", bound, bound);
	va_start(args, format);
	line_print(verify, range->least > bound && range->most < 1 - bound, found, expected, format,
		   args);
	va_end(args);
}

enum status facts_each(const struct verify *verify, const char *name,
		       enum status (*one)(void *context, char *line, int number, struct why *why),
		       void *context, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct lines lines;
	enum status status = path_format(path, why, "%s/%s", verify->vectors, name);
	status = status ? status : lines_open(&lines, path, why);
	if (status)
		return status;
	while (!status && lines_next(&lines, &status, why)) {
		while (lines.length > 0 && lines.text[lines.length - 1] == ' ')
			lines.text[--lines.length] = '\0';
		if (lines.length > 0 && *lines.text != '#')
			status = one(context, lines.text, (int)lines.number, why);
	}
	lines_close(&lines);
	return status;
}

enum status facts_refuse(const struct verify *verify, const char *name, int number,
			 const char *expected, struct why *why)
{
	return why_set(why, STATUS_INPUT, "%s/%s:%d: expected %s", verify->vectors, name, number,
		       expected);
}

enum status lines_compare(struct verify *verify, const char *name,
			  enum status (*compare)(void *tallies, char *line, int number,
						 struct why *why),
			  const char *what, struct why *why)
{
	struct line_tallies *tallies = calloc(1, sizeof *tallies);
	if (!tallies)
		return why_set(why, STATUS_SYSTEM, "out of memory");
	tallies->verify = verify;
	enum status status = facts_each(verify, name, compare, tallies, why);
	for (int r = SIDE_MIN; !status && r <= SIDE_MAX; r++)
		for (int c = SIDE_MIN; c <= SIDE_MAX; c++)
			if (tallies->of[r][c].all)
				verify_tally(verify, &tallies->of[r][c], "%dx%d: %s", r, c, what);
	free(tallies);
	return status;
}

int words_split(char *line, char *word[WORDS_MAX])
{
	int n = 0;
	for (char *rest = line, *next; (next = strtok_r(rest, " \t", &rest)); n++) {
		if (n == WORDS_MAX)
			return WORDS_MAX + 1;
		word[n] = next;
	}
	return n;
}

bool word_count(const char *word, uint64_t *number)
{
	return whole_parse(word, number);
}
