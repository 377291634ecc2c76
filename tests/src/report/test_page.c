/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of runs as a file: its data is whole, labels stay data, and what goes wrong leaves the
 * page that was. What its script makes of the data: page_script.sh. Each test works in an empty
 * folder of its own with a small bundle.
 */
#include "src/cli/built.h"
#include "src/report/page.h"
#include "tests/files.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A label that would end an attribute, an element, a style, a script, a line of one, or the data.
 */
#define EVIL                                                                                       \
	"<script>alert(1)</script></style>\" onload=\"x' {{data}} ]]> &amp; gr\u00f6\u00dfer "     \
	"\u2028\\"

static const char summary[] = "# nxn 0\n# command: nxn x -o here\n# units: "
			      "points\n\"board\"\t\"label\"\t\"trained\"\t\"mean\"\n"
			      "\"3x3\"\t\"slow\"\t0\t250.5\n\"3x3\"\t\"7\"\t100\tNaN\n";
static const char drawing[] = "<svg viewBox='0 0 420 200'><script>alert(2)</script></svg>";

static struct page_run plain = {
    .name = "run1",
    .title = "A run",
    .figures = {{"tiles", "tiles.svg", "What they reach."}},
    .figure_count = 1,
    .tables = {{"summary", "summary.tsv", "Players."}, {"any", "any.tsv", "Any."}},
    .table_count = 2,
};

static enum status written(struct page_run *run, struct why *why)
{
	const struct page page = {.directory = ".", .runs = &run, .run_count = 1};
	return page_write(&page, why);
}

/* The data of index.html, which no markup is in. */
static json_t *page_data(void)
{
	static const char open[] = "<script type=\"application/json\" id=\"data\">";
	char *text = file_text("index.html"), *data = strstr(text, open);
	assert_non_null(data);
	data += strlen(open);
	char *end = strstr(data, "</script>");
	assert_non_null(end);
	*end = '\0';
	assert_null(strpbrk(data, "<>&"));
	for (const char *at = data; *at; at++)
		assert_true((unsigned char)*at < 128);
	json_t *json = json_loads(data, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(json);
	free(text);
	return json;
}

static json_t *data_of(struct page_run *run)
{
	struct why why = {""};
	assert_works(written(run, &why));
	return page_data();
}

/* The first item of the KIND, "figures" or "tables", of the first run. */
static json_t *first_of(json_t *data, const char *kind)
{
	return json_array_get(
	    json_object_get(json_array_get(json_object_get(data, "runs"), 0), kind), 0);
}

static void assert_text(const char *expected, const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	assert_non_null(text);
	assert_string_equal(text, expected);
}

static void tables_and_figures_are_data(void **state)
{
	(void)state;
	file_write("tiles.pdf", "");
	file_write("summary.md", "");
	json_t *data = data_of(&plain);
	assert_text("A run", data, "title");
	json_t *figure = first_of(data, "figures"), *table = first_of(data, "tables");
	assert_text(drawing, figure, "svg");
	assert_text("What they reach.", figure, "caption");
	char *files = json_dumps(json_object_get(figure, "files"), JSON_COMPACT);
	assert_string_equal(files, "[[\"tiles.svg\",\"SVG\"],[\"tiles.pdf\",\"PDF\"]]");
	free(files);
	/* Text that looks like a number stays text; the command is of this folder alone. */
	char *text = json_dumps(table, JSON_COMPACT | JSON_REAL_PRECISION(10));
	assert_string_equal(
	    text,
	    "{\"name\":\"summary\",\"caption\":\"Players.\",\"files\":[[\"summary.tsv\",\"data\"],"
	    "[\"summary.md\",\"Markdown\"]],\"notes\":[\"nxn 0\",\"units: points\"],\"columns\":"
	    "[\"board\",\"label\",\"trained\",\"mean\"],\"size\":2,\"fits\":true,\"rows\":"
	    "[[\"3x3\",\"slow\",0,250.5],[\"3x3\",\"7\",100,null]]}");
	free(text);
	json_decref(data);
}

static void a_page_loads_nothing(void **state)
{
	(void)state;
	static const char *const loads[] = {"srcset=", "<link",	  "<iframe", "<object",	 "<embed",
					    "@import", "fetch(",  "XMLHttp", "url(",	 "<img",
					    "=\"//",   "=\"http", "import(", "innerHTML"};
	json_decref(data_of(&plain));
	char *text = file_text("index.html");
	for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
		if (strstr(text, loads[i]))
			fail_msg("the page has %s", loads[i]);
	assert_non_null(strstr(text, "default-src 'none'"));
	assert_non_null(strstr(text, "<a href=\"./tables/\">"));
	assert_null(strstr(text, "{{"));
	free(text);
}

static void whatever_a_label_is_it_stays_data(void **state)
{
	(void)state;
	static char evil[] = EVIL, bytes[] = "\xff";
	struct page_run run = {.name = EVIL,
			       .title = EVIL,
			       .figures = {{EVIL, "tiles.svg", EVIL}},
			       .figure_count = 1,
			       .tables = {{EVIL, "evil.tsv", EVIL}},
			       .table_count = 1,
			       .provenance = {evil, bytes}};
	file_write("evil.tsv", "# <b>\n\"<script>\"\n\"</script>{{style}}\"\n");
	json_t *data = data_of(&run), *table = first_of(data, "tables");
	assert_text(EVIL, data, "title");
	assert_text(EVIL, first_of(data, "figures"), "caption");
	assert_text(EVIL, table, "name");
	assert_string_equal(
	    "<script>", json_string_value(json_array_get(json_object_get(table, "columns"), 0)));
	const json_t *row = json_array_get(json_object_get(table, "rows"), 0);
	assert_string_equal("</script>{{style}}", json_string_value(json_array_get(row, 0)));
	assert_string_equal(
	    "?", json_string_value(json_array_get(json_object_get(data, "provenance"), 1)));
	json_decref(data);
	char *text = file_text("index.html");
	assert_int_equal(text_count(text, "</script>"), 2);
	free(text);
}

/* A table of ROWS rows and COLUMNS columns of numbers, named x0, x1, ... */
static void table_make(const char *path, size_t rows, size_t columns)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	for (size_t r = 0; r <= rows; r++)
		for (size_t c = 0; c < columns; c++)
			fprintf(file, r ? "%zu%c" : "\"x%zu\"%c", r ? r * 10 + 70000 : c,
				c + 1 < columns ? '\t' : '\n');
	assert_int_equal(fclose(file), 0);
}

static void what_is_too_large_is_named_instead(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		size_t rows, columns;
		bool fits, has_rows;
		int bytes;
	} cases[] = {
	    {"any", 401, 2, false, false, 0},
	    {"any", 2, 101, false, false, 0},
	    {"any", 400, 100, true, true, 0},
	    {"any", 100000, 2, false, false, 1408014}, /* 2 numbers of 5 to 7 digits a row */
	    {"summary", 401, 2, false, true, 0}};      /* for the comparison at a glance */
	struct page_run run = {
	    .name = "a", .title = "A", .tables = {{"", "t.tsv", ""}}, .table_count = 1};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		run.tables[0].name = cases[i].name;
		table_make("t.tsv", cases[i].rows, cases[i].columns);
		json_t *data = data_of(&run), *table = first_of(data, "tables");
		assert_int_equal(json_is_true(json_object_get(table, "fits")), cases[i].fits);
		assert_int_equal(json_array_size(json_object_get(table, "rows")),
				 cases[i].has_rows ? cases[i].rows : 0);
		assert_int_equal(json_integer_value(json_object_get(table, "bytes")),
				 cases[i].bytes);
		json_decref(data);
	}
	table_make("big.svg", 200000, 2);
	struct page_run drawn = {
	    .name = "a", .title = "A", .figures = {{"big", "big.svg", ""}}, .figure_count = 1};
	json_t *data = data_of(&drawn);
	assert_null(json_object_get(first_of(data, "figures"), "svg"));
	assert_true(json_integer_value(json_object_get(first_of(data, "figures"), "bytes")) >
		    2 << 20);
	json_decref(data);
}

static void what_goes_wrong_is_told_and_leaves_the_page_that_was(void **state)
{
	(void)state;
	static const struct {
		const char *remove, *path, *text;
		const char *says;
	} failures[] = {
	    {"tiles.svg", NULL, NULL, "./tiles.svg: No such file"},
	    {"any.tsv", NULL, NULL, "./any.tsv: No such file"},
	    {NULL, "tiles.svg", "<svg>\n<g></svg>", "./tiles.svg: no figure that a page can show"},
	    {NULL, "tiles.svg", "", "./tiles.svg: no figure that a page can show"},
	    {NULL, "tiles.svg", "<svg viewBox='0 0 x 1'></svg>",
	     "./tiles.svg: no figure that a page can show"},
	    {NULL, "any.tsv", "\"a\"\n1\t2\n", "./any.tsv:2: "},
	};
	struct why why = {""};
	for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
		file_write("index.html", "before");
		file_write("tiles.svg", drawing);
		file_write("any.tsv", summary);
		if (failures[i].remove)
			assert_int_equal(unlink(failures[i].remove), 0);
		else
			file_write(failures[i].path, failures[i].text);
		assert_refused(STATUS_INPUT, failures[i].says, written(&plain, &why));
		assert_file("index.html", "before");
	}
	assert_int_equal(access("index.html.nxn-1.tmp", F_OK), -1);
}

static void what_stands_in_the_place_of_a_part_is_not_looked_into(void **state)
{
	(void)state;
	file_write("page.html", "{{style}}{{script}}{{style}} {{c}} {{ {{data");
	file_write("page.css", "{{script}}");
	file_write("page.js", "{{data}}");
	assert_int_equal(setenv("NXN_PLOTS", ".", 1), 0);
	struct why why = {""};
	assert_int_equal(written(&plain, &why), STATUS_OK);
	assert_file("index.html", "{{script}}{{data}}{{script}} {{c}} {{ {{data");
}

static void a_page_needs_its_templates_and_a_folder(void **state)
{
	(void)state;
	const struct page nowhere = {.directory = "nowhere"}, page = {.directory = "."};
	struct why why = {""};
	assert_refused(STATUS_SYSTEM,
		       "nowhere/index.html: cannot write: ", page_write(&nowhere, &why));
	assert_int_equal(setenv("NXN_PLOTS", "/nowhere", 1), 0);
	assert_refused(STATUS_SYSTEM, "no template: /nowhere/page.html: No such file",
		       page_write(&page, &why));
}

/* A new folder to work in, with a bundle; the templates are the source tree's. */
static int tables_enter(void **state)
{
	if (folder_enter(state) != 0)
		return -1;
	file_write("summary.tsv", summary);
	file_write("any.tsv", summary);
	file_write("tiles.svg", drawing);
	return setenv("NXN_PLOTS", PLOTS_SOURCE_DIR, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tables_enter, folder_leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(tables_and_figures_are_data),
	    TEST(a_page_loads_nothing),
	    TEST(whatever_a_label_is_it_stays_data),
	    TEST(what_is_too_large_is_named_instead),
	    TEST(what_goes_wrong_is_told_and_leaves_the_page_that_was),
	    TEST(what_stands_in_the_place_of_a_part_is_not_looked_into),
	    TEST(a_page_needs_its_templates_and_a_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
