/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by all checks: running them, printing lines, reading test vectors; see verify.h. */
#include "src/verify/verify.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/cli/data_dir.h"
#include "src/cli/provenance.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void verify_must(struct verify *verify, enum status status)
{
	if (!status)
		return;
	program_end(verify->program);
	exit(command_exit(verify->name, status, &verify->why));
}

struct game verify_game(struct verify *verify, const struct game_options *options)
{
	struct game game;
	verify_must(verify, game_init(&game, options, &verify->why));
	return game;
}

const struct verify_check *const verify_checks[] = {rules_checks, exact_checks, NULL};

enum { WHAT_MAX = 256, LINE_WIDTH = 118, FACTS_BYTES_MAX = 1 << 24 };

/* The files with the kinds of their words: text, a leaf, an integer, a real number or '-'. */
static const struct {
	const char *name, *kinds, *expected;
} files[FACT_FILES] = {
    [FACTS_PERFT] = {"perft.txt", "ttnnnnnnnn", "SHAPE BOARD and eight whole numbers"},
    [FACTS_EXPECTIMAX] = {"expectimax.txt", "lttnrtrrrr",
			  "LEAF SHAPE BOARD d V BEST and four values"},
    [FACTS_EXACT] = {"exact.txt", "ttr", "SHAPE KEY VALUE"},
    [FACTS_LAYERS] = {"layers.txt", "tnnnnnnn", "SHAPE and seven whole numbers"},
};

struct verify_figure {
	const char *check, *what, *found, *expected;
	bool good;
};

#define COLUMN(title, kind, member) TABLE_COLUMN(struct verify_figure, title, kind, member)

static const struct table_column verify_columns[] = {
    COLUMN("check", TEXT, check),	COLUMN("what", TEXT, what), COLUMN("found", TEXT, found),
    COLUMN("expected", TEXT, expected), COLUMN("ok", FLAG, good),   {0},
};

static void verify_figure_print(const struct table_out *out, const void *figure)
{
	const struct verify_figure *f = figure;
	/* Omits the expected figure if the figure is right. */
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

void verify_report(struct verify *verify, bool good, const char *found, const char *expected,
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
	if (agrees || tally->cases >= (tally->most ? tally->most : 1))
		return;
	va_list args;
	va_start(args, format);
	vsnprintf(tally->shown[tally->cases++], CASE_TEXT_MAX, format, args);
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
	for (int i = 0; i < tally->cases; i++)
		printf("            %s%s\n", tally->most ? "" : "first: ", tally->shown[i]);
}

bool verify_p(struct verify *verify, double p, int tests, const char *format, ...)
{
	char found[32], expected[32];
	const double bound = FALSE_ALARM / tests;
	va_list args;
	snprintf(found, sizeof found, "p = %.2g", p);
	snprintf(expected, sizeof expected, "p > %.1g", bound);
	va_start(args, format);
	line_print(verify, p > bound, found, expected, format, args);
	va_end(args);
	return p > bound;
}

/* ---- Test vectors. */

/* Parses word I of FACT by its kind. */
static bool word_read(char kind, struct fact *fact, int i)
{
	const char *word = fact->word[i];
	if (kind == 'l')
		return strcmp(word, "zero") == 0 || strcmp(word, "empty") == 0;
	if (kind == 'n')
		return whole_parse(word, &fact->count[i]);
	if (kind != 'r')
		return true;
	fact->real[i] = NAN;
	return strcmp(word, "-") == 0 || real_parse(word, &fact->real[i]);
}

/* Parses LINE in place. Returns whether its words are of KINDS. */
static bool fact_read(char *line, const char *kinds, struct fact *fact)
{
	int n = 0;
	for (char *rest = line, *word; (word = strtok_r(rest, " \t", &rest)); n++) {
		if (!kinds[n])
			return false;
		fact->word[n] = word;
		if (!word_read(kinds[n], fact, n))
			return false;
	}
	return !kinds[n];
}

static void fact_add(struct verify *verify, enum fact_file file, char *line, int number,
		     struct facts *facts)
{
	struct fact fact = {.line = number};
	if (!fact_read(line, files[file].kinds, &fact))
		verify_must(verify, why_set(&verify->why, STATUS_INPUT, "%s/%s:%d: expected %s",
					    verify->vectors, files[file].name, number,
					    files[file].expected));
	facts->fact = xgrow(facts->fact, facts->n, sizeof *facts->fact);
	facts->fact[facts->n++] = fact;
}

const struct facts *facts_read(struct verify *verify, enum fact_file file)
{
	struct facts *f = &verify->facts[file];
	char path[FOLDER_PATH_MAX], *rest, *line;
	struct why *why = &verify->why;
	size_t size = 0;
	if (f->text)
		return f;
	verify_must(verify, path_format(path, why, "%s/%s", verify->vectors, files[file].name));
	verify_must(verify, file_read(path, FACTS_BYTES_MAX, &f->text, &size, why));
	lines_normalize(f->text, size);
	rest = f->text;
	for (int number = 1; (line = strsep(&rest, "\n")); number++)
		if (line[strspn(line, " \t")] && *line != '#')
			fact_add(verify, file, line, number, f);
	return f;
}

double facts_find(struct verify *verify, const char *shape, const char *format, ...)
{
	const struct facts *facts = facts_read(verify, FACTS_EXACT);
	char key[160];
	va_list args;
	va_start(args, format);
	vsnprintf(key, sizeof key, format, args);
	va_end(args);
	for (size_t i = 0; i < facts->n; i++) {
		const struct fact *fact = &facts->fact[i];
		if (strcmp(fact->word[0], shape) == 0 && strcmp(fact->word[1], key) == 0)
			return fact->real[2];
	}
	return NAN;
}

double facts_get(struct verify *verify, const char *shape, const char *key)
{
	const double value = facts_find(verify, shape, "%s", key);
	if (isnan(value))
		verify_must(verify, why_set(&verify->why, STATUS_INPUT, "%s/exact.txt: no %s of %s",
					    verify->vectors, key, shape));
	return value;
}

/* Frees the test vectors. */
static void verify_fini(struct verify *verify)
{
	for (int i = 0; i < FACT_FILES; i++) {
		free(verify->facts[i].fact);
		free(verify->facts[i].text);
	}
}

/* ---- Running the checks. */

static bool check_wanted(const struct verify *verify, const struct verify_check *check)
{
	if (verify->only && fnmatch(verify->only, check->name, 0) != 0)
		return false;
	return !check->thorough || verify->thorough || verify->list ||
	       (verify->only && strcmp(verify->only, check->name) == 0);
}

/* Runs check C, on each of its boards if it has any. */
static void check_run(struct verify *verify, const struct verify_check *c)
{
	const struct verify_board *board = c->boards;
	verify->check = c->name;
	c->run(verify, board->shape ? board : NULL);
	while (board->shape && (++board)->shape)
		c->run(verify, board);
}

/* Runs or lists the selected checks. */
static void checks_run(struct verify *verify)
{
	bool any = false;
	for (const struct verify_check *const *table = verify_checks; *table; table++)
		for (const struct verify_check *c = *table; c->name; c++) {
			if (!check_wanted(verify, c))
				continue;
			any = true;
			if (verify->list)
				table_put(verify->out, c);
			else
				check_run(verify, c);
			verify_must(verify, stop_requested() ? STATUS_STOPPED : STATUS_OK);
		}
	if (!any)
		verify_must(verify, why_set(&verify->why, STATUS_INPUT,
					    "--only: no check is called '%s'; --list lists them, "
					    "and which take --long",
					    verify->only));
}

/* Does the work while its table is printed. */
static void work_rows(const struct table_out *out, const void *data)
{
	struct verify *verify = *(struct verify *const *)data;
	verify->out = out;
	(verify->against ? verify_against : checks_run)(verify);
}

static void figures_print(FILE *file, const void *data, bool full)
{
	(void)full;
	work_rows(&(struct table_out){.file = file, .put = verify_figure_print}, data);
}

static const struct table_column list_columns[] = {
    TABLE_COLUMN(struct verify_check, "check", TEXT, name),
    TABLE_COLUMN(struct verify_check, "summary", TEXT, summary),
    TABLE_COLUMN(struct verify_check, "long", FLAG, thorough),
    {0},
};

static void check_print(const struct table_out *out, const void *check)
{
	const struct verify_check *c = check;
	fprintf(out->file, "%-13s %s%s\n", c->name, c->summary, c->thorough ? " (--long)" : "");
}

static void list_print(FILE *file, const void *data, bool full)
{
	(void)full;
	work_rows(&(struct table_out){.file = file, .put = check_print}, data);
}

enum status verify_figures(struct verify *verify, const struct invocation *call, struct why *why)
{
	static const struct tables figures = {
	    .print = figures_print, .table = {TABLE("verify", NULL, verify_columns, work_rows)}};
	static const struct tables list = {
	    .print = list_print, .table = {TABLE("checks", NULL, list_columns, work_rows)}};
	char vectors[FOLDER_PATH_MAX];
	enum status status =
	    verify->vectors ? STATUS_OK : data_dir_find(DATA_DIR_VECTORS, vectors, why);
	if (status)
		return status;
	verify->name = call->name;
	verify->vectors = verify->vectors ? verify->vectors : vectors;
	status = result_print(call, verify->list ? &list : &figures, &verify, why);
	verify_fini(verify);
	if (status || verify->list)
		return status;
	printf("%" PRIu64 " of %" PRIu64 " figures are as expected%s\n",
	       verify->lines - verify->failed, verify->lines, verify->failed ? "; FAILED" : "");
	*why = (struct why){""};
	return verify->failed ? STATUS_SYSTEM : STATUS_OK;
}
