/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a bundle: whole, with nothing from elsewhere, players in order, and labels that try
 * to be more than text. Each test works in an empty folder of its own with a small bundle.
 */
#include "src/cli/built.h"
#include "src/report/page.c"
#include "tests/files.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE_MAX = 1 << 20 };

/* A label that would end an attribute, an element, a style or a script. */
#define EVIL "<script>alert(1)</script></style>\" onload=\"x' {{title}} &amp; größer"
#define EVIL_TEXT                                                                                  \
	"&lt;script&gt;alert(1)&lt;/script&gt;&lt;/style&gt;&quot; onload=&quot;x&#39; {{title}} " \
	"&amp;amp; größer"

#define SUMMARY_HEAD                                                                               \
	"# nxn 0\n# units: points\n\"board\"\t\"label\"\t\"agent\"\t\"trained\"\t\"games\"\t"      \
	"\"mean\"\t\"mean_low\"\t\"mean_high\"\n"
static const char summary[] =
    SUMMARY_HEAD "\"3x3\"\t\"slow\"\t\"slow\"\t0\t40\t250\t200\t300\n"
		 "\"3x3\"\t\"learner\"\t\"qlearn\"\t100\t40\t900\t800\t1000\n"
		 "\"3x3\"\t\"learner\"\t\"qlearn:rate=2\"\t200\t40\t500\t400\t1000\n"
		 "\"3x3\"\t\"none\"\t\"none\"\t0\t0\tNaN\tNaN\tNaN\n"
		 "\"4x4\"\t\"slow\"\t\"slow\"\t0\t7\t10\t9\t11\n"
		 "\"4x4\"\t\"" EVIL "\"\t\"" EVIL "\"\t0\t7\t100000\t90000\t110000\n";
static const char tiles[] =
    "# block 0: 3x3\n\"tile\"\t\"slow\"\t\"slow low\"\t\"slow high\"\t\"learner\"\t\"learner "
    "low\"\t"
    "\"learner high\"\n32\t0.75\t0.5\t0.9\t0.1\t0\t0.2\n64\t0.25\t0.1\t0.5\t0.7\t0.6\t0.8\n"
    "128\t0\t0\t0.2\t0.2\t0.1\t0.3\n";
static const char means[] = "# block 0: learner\n\"board\"\t\"mean\"\n\"3x3\"\t500\n\n\n"
			    "# block 1: slow\n\"board\"\t\"mean\"\n\"3x3\"\t250\n\"4x4\"\t10\n";
static const char ratios[] =
    "# block 0: learner / slow\n\"board\"\t\"ratio\"\t\"ratio_low\"\t\"ratio_high\"\n"
    "\"3x3\"\t2\t1.5\t2.6\n";
static const char drawing[] = "<svg viewBox='0 0 420 200'><script>alert(2)</script>"
			      "<image href='http://a'/><g id='a' onclick='x'/></svg>";
#define DRAWN                                                                                      \
	"data:image/svg+xml,%3Csvg viewBox=%270 0 420 200%27%3E%3Cscript%3Ealert(2)%3C/"           \
	"script%3E%3Cimage href=%27http://a%27/%3E%3Cg id=%27a%27 onclick=%27x%27/%3E%3C/svg%3E"

static char page_text[PAGE_MAX];

static void page_read(void)
{
	FILE *file = fopen("index.html", "r");
	assert_non_null(file);
	size_t size = fread(page_text, 1, PAGE_MAX - 1, file);
	page_text[size] = '\0';
	assert_true(size < PAGE_MAX - 1);
	fclose(file);
}

static char dark[] = "<svg>dark</svg>";
static struct page_run plain = {
    .name = "run1",
    .title = "A run",
    .figures = {{"tiles", "tiles.svg", "What they reach.", dark}},
    .figure_count = 1,
    .tables = {{"summary", "summary.tsv", "Players.", NULL},
	       {"tiles", "tiles.tsv", "Tiles.", NULL},
	       {"means", "means.tsv", "", NULL},
	       {"ratios", "ratios.tsv", "", NULL}},
    .table_count = 4,
};

static enum status written(struct page_run *run, struct why *why)
{
	const struct page page = {.directory = ".", .runs = &run, .run_count = 1};
	return page_write(&page, why);
}

static void page_of(struct page_run *run)
{
	struct why why = {""};
	if (written(run, &why) != STATUS_OK)
		fail_msg("%s", why.text);
	page_read();
}

static void assert_has(const char *text)
{
	if (!strstr(page_text, text))
		fail_msg("the page does not have %s", text);
}

static size_t occurrences(const char *text)
{
	size_t count = 0;
	for (const char *at = page_text; (at = strstr(at, text)); at++)
		count++;
	return count;
}

/* The first place of TEXT behind that of AFTER. */
static const char *place_of(const char *after, const char *text)
{
	const char *at = strstr(page_text, after);
	assert_non_null(at);
	at = strstr(at, text);
	assert_non_null(at);
	return at;
}

/* ---- Whether it is whole: a checker of its own, which knows comments, CDATA, quotes and tags. */

static const char *attributes_skip(const char *at)
{
	for (char quote = '\0'; *at && (quote || *at != '>'); at++) {
		if (quote)
			quote = *at == quote ? '\0' : quote;
		else if (*at == '"' || *at == '\'')
			quote = *at;
		else if (*at == '<')
			fail_msg("< within a tag: %.60s", at - 20);
	}
	return at;
}

static void assert_balanced(void)
{
	char open[64][32];
	int depth = 0;
	for (const char *at = page_text; (at = strchr(at, '<'));) {
		if (strncmp(at, "<![CDATA[", 9) == 0) {
			at = strstr(at, "]]>");
			assert_non_null(at);
			continue;
		}
		const char *name = at + 1 + (at[1] == '/'), *end = attributes_skip(at + 1);
		size_t length = 0;
		while (isalnum((unsigned char)name[length]))
			length++;
		assert_int_equal(*end, '>');
		if (at[1] == '/') {
			if (depth == 0 || strlen(open[depth - 1]) != length ||
			    strncmp(open[depth - 1], name, length) != 0)
				fail_msg("%.30s closes <%s>", at, depth ? open[depth - 1] : "");
			depth--;
		} else if (at[1] != '!' && end[-1] != '/') {
			assert_true(depth < 64 && length > 0 && length < 32);
			memcpy(open[depth], name, length);
			open[depth++][length] = '\0';
		}
		at = end;
	}
	assert_int_equal(depth, 0);
}

/*
 * Nothing is loaded: no element that could, no address in an attribute or a style but of data of
 * the page itself.
 */
static void assert_alone(void)
{
	static const char *const loads[] = {"srcset=", "<link",	  "<iframe", "<object", "<embed",
					    "@import", "fetch(",  "XMLHttp", "url(h",	"url(\"h",
					    "=\"//",   "=\"http", "import("};
	for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
		if (strstr(page_text, loads[i]))
			fail_msg("the page has %s", loads[i]);
	assert_int_equal(occurrences("src="), occurrences(" src=\"data:image/svg+xml,"));
	assert_has("default-src 'none'");
	assert_int_equal(occurrences("<script"), 1);
	assert_int_equal(occurrences("</script"), 1);
	assert_int_equal(occurrences("</style"), 1);
}

static void a_page_is_whole_and_loads_nothing(void **state)
{
	(void)state;
	page_of(&plain);
	assert_balanced();
	assert_alone();
	assert_has("<title>A run</title>");
	assert_has("<h1>A run</h1>");
	assert_has("<h2>Figures and tables</h2>");
	assert_has("<img class=\"drawing light\" width=\"420\" height=\"200\" style=\"--w:420\" "
		   "alt=\"What they reach.\" src=\"" DRAWN "\"/>");
	assert_has("<img class=\"drawing dark\" width=\"420\" height=\"200\" style=\"--w:420\" "
		   "alt=\"What they reach.\" src=\"data:image/svg+xml,%3Csvg%3Edark%3C/svg%3E\"/>");
	assert_int_equal(occurrences("{{"), occurrences(EVIL_TEXT)); /* a label has one */
	assert_int_equal(access("index.html.nxn-1.tmp", F_OK), -1);
}

static void figures_of_two_runs_do_not_share_ids(void **state)
{
	(void)state;
	struct page_run runs[] = {plain, plain};
	struct page_run *const both[] = {&runs[0], &runs[1]};
	const struct page page = {.directory = ".", .runs = both, .run_count = 2};
	struct why why = {""};
	strcpy(runs[1].name, "run2");
	assert_int_equal(page_write(&page, &why), STATUS_OK);
	page_read();
	assert_int_equal(occurrences("id=\"a\""), 0);
	assert_int_equal(occurrences("id=\"run-run1-figure-tiles\""), 1);
	assert_int_equal(occurrences("id=\"run-run2-figure-tiles\""), 1);
	assert_int_equal(occurrences("id=\"run-run2\""), 1);
	assert_int_equal(occurrences("<h2>A run</h2>"), 2);
	assert_has("<h1>Games of 2048</h1>");
	assert_int_equal(occurrences("id=\"run-run2-table-tiles\""), 1);
	assert_balanced();
}

static void players_come_best_first_with_what_they_reached(void **state)
{
	(void)state;
	page_of(&plain);
	const char *learner = place_of("id=\"glance\"", "rowheader\">learner ");
	const char *slow = place_of("id=\"glance\"", "rowheader\">slow");
	const char *none = place_of("id=\"glance\"", "rowheader\">none");
	assert_true(learner < slow && slow < none);
	/* The last point of training, and its agent. */
	assert_has("after 200 training games");
	assert_null(strstr(page_text, "after 100 training games"));
	assert_true(place_of("rowheader\">learner ", "<code>qlearn:<wbr/>rate=2</code>") < slow);
	assert_has("best tile</th>");
	/* 0.2 of the games of one ended with 128, a quarter of those of the other with 64. */
	assert_true(place_of("rowheader\">learner ",
			     ">128</span> <span class=\"ci\">in 8 of 40 games") < slow);
	assert_true(
	    place_of("rowheader\">slow", ">64</span> <span class=\"ci\">in 10 of 40 games") < none);
	assert_has(
	    "<b>learner</b> scores 2.00 <span class=\"ci\">[1.50, 2.60]</span> times as much as <b>"
	    "slow</b>.");
}

static void dots_are_where_means_lie_on_the_axis(void **state)
{
	(void)state;
	char text[80];
	static const char dot[] = "<circle cx=\"%.2f%%\" cy=\"12\" r=\"4.5\" fill=\"#%s\"/>";
	page_of(&plain);
	/* From 0 to 2% more than the highest bound, 1000; colours in the order of means. */
	snprintf(text, sizeof text, dot, 100 * 500 / 1020., "0072b2");
	place_of("rowheader\">learner ", text);
	snprintf(text, sizeof text, dot, 100 * 250 / 1020., "e69f00");
	place_of("rowheader\">slow", text);
	snprintf(text, sizeof text, "<line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"12\"",
		 100 * 400 / 1020., 100 * 1000 / 1020.);
	place_of("rowheader\">learner ", text);
	/* From 9 to 110000 is more than a factor of 10: tics at 1, 10, ... 100k. */
	place_of("<h4>4x4</h4>", "The axis is logarithmic.");
	/* 10 between 1 and 1.1 times the highest bound. */
	assert_int_equal(occurrences("<circle"), 4);
	snprintf(text, sizeof text, dot, 100 * log(10) / log(121000), "e69f00");
	place_of("<h4>4x4</h4>", text);
	place_of("<h4>4x4</h4>", ">100k</text>");
	assert_true(strstr(page_text, ">on a logarithmic axis<") >
		    strstr(page_text, "<h4>4x4</h4>"));
}

static void whatever_a_label_is_it_stays_text(void **state)
{
	(void)state;
	static char evil[] = EVIL, bytes[] = "\xff\x01";
	struct page_run run = {
	    .name = EVIL,
	    .title = EVIL,
	    .figures = {{EVIL, "tiles.svg", EVIL, evil}},
	    .figure_count = 1,
	    .tables = {{"summary", "summary.tsv", EVIL, NULL}, {EVIL, "evil.tsv", EVIL, NULL}},
	    .table_count = 2,
	    .provenance = {evil, bytes},
	    .files = {"data/" EVIL "/" EVIL}};
	const char *const lines[] = {evil, bytes, NULL};
	const struct page page = {.directory = ".",
				  .runs = (struct page_run *[]){&run},
				  .run_count = 1,
				  .provenance = lines,
				  .files = {EVIL}};
	struct why why = {""};
	file_write("evil.tsv", "# units: " EVIL "\n# block 0: " EVIL "\n\"" EVIL
			       "\"\t\"n\"\n\"" EVIL "\"\t1\n");
	if (page_write(&page, &why) != STATUS_OK)
		fail_msg("%s", why.text);
	page_read();
	assert_balanced();
	assert_alone();
	assert_null(strstr(page_text, "alert(1)</script>"));
	assert_null(strstr(page_text, "onload=\""));
	/* title, h1, player, agent, cells, caption, units, provenance, ... */
	assert_true(occurrences(EVIL_TEXT) > 15);
	assert_has("<title>" EVIL_TEXT "</title>");
	assert_has("\xef\xbf\xbd\xef\xbf\xbd");
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

static void what_is_too_large_is_linked_instead(void **state)
{
	(void)state;
	struct page_run run = {.name = "a",
			       .tables = {{"rows", "rows.tsv", "", NULL},
					  {"columns", "columns.tsv", "", NULL},
					  {"bytes", "bytes.tsv", "", NULL},
					  {"fits", "fits.tsv", "", NULL}},
			       .table_count = 4,
			       .figures = {{"big", "big.svg", "", NULL}},
			       .figure_count = 1};
	table_make("rows.tsv", PAGE_ROWS_MAX + 1, 2);
	table_make("columns.tsv", 2, PAGE_COLUMNS_MAX + 1);
	table_make("bytes.tsv", 100000, 2); /* 2 numbers of 5 to 7 digits a row: 1 408 014 bytes */
	table_make("fits.tsv", PAGE_ROWS_MAX, 2);
	table_make("big.svg", 200000, 2);
	page_of(&run);
	assert_int_equal(occurrences("Too large to be shown here"), 4);
	assert_has("<span class=\"size\">401 rows</span>");
	assert_has("<span class=\"size\">2 rows</span>");
	assert_has("<span class=\"size\">1.4 MB</span>");
	assert_has("<span class=\"size\">400 rows</span>");
	assert_has("href=\"./bytes.tsv\"");
	assert_has("href=\"./big.svg\"");
	assert_int_equal(occurrences("data-v=\"70010\""), 2); /* of the one that fits */
	assert_has(">70,010</td>");
	assert_true(strlen(page_text) < 200000);
	assert_balanced();
}

static void numbers_sort_by_themselves_and_missing_ones_not_at_all(void **state)
{
	(void)state;
	struct page_run run = {.name = "a", .tables = {{"t", "t.tsv", "", NULL}}, .table_count = 1};
	file_write("t.tsv",
		   "# block 0: b<0>\n\"who\"\t\"x_y\"\t\"x_y_low\"\t\"x_y_high\"\n\"z\"\t"
		   "12345.5\t12000\t13000\n\n\n# block 1: b1\n\"who\"\t\"x_y\"\t\"x_y_low\"\t"
		   "\"x_y_high\"\n\"-\"\tNaN\tNaN\tNaN\n");
	page_of(&run);
	assert_has("<th scope=\"col\" data-kind=\"text\">series</th>"
		   "<th scope=\"col\" data-kind=\"text\">who</th>"
		   "<th scope=\"col\" data-kind=\"number\">x y</th></tr>");
	assert_has(
	    "<td><div>b&lt;0&gt;</div></td><td><div>z</div></td><td class=\"n\" data-v=\"12345.5\">"
	    "12,346 <span class=\"ci\">[12,000, 13,000]</span></td>");
	assert_has("<td><div>b1</div></td><td><div>-</div></td><td class=\"n\">&#8211;</td>");
}

static void files_beside_figures_and_tables_are_linked(void **state)
{
	(void)state;
	file_write("tiles.pdf", "");
	file_write("tiles.gp", "");
	file_write("summary.tex", "");
	file_write("summary.md", "");
	page_of(&plain);
	assert_has("<a href=\"./tiles.svg\">SVG</a> <a href=\"./tiles.pdf\">PDF</a> "
		   "<a href=\"./tiles.gp\">script</a> <a href=\"./tiles.tsv\">data</a>");
	assert_has("<a href=\"./summary.tsv\">data</a> <a href=\"./summary.tex\">LaTeX</a> "
		   "<a href=\"./summary.md\">Markdown</a>");
	assert_null(strstr(page_text, "means.tex"));
}

static void intervals_are_told_once_at_the_end(void **state)
{
	(void)state;
	struct page_run run = {.name = "a",
			       .tables = {{"t", "t.tsv", "", NULL}, {"u", "u.tsv", "", NULL}},
			       .table_count = 2};
	static const char text[] = "# 95% intervals: <means>\n# units: points\n\"n\"\n1\n";
	file_write("t.tsv", text);
	file_write("u.tsv", text);
	page_of(&run);
	assert_int_equal(occurrences("95% intervals: &lt;means&gt;."), 1);
	assert_int_equal(occurrences("units: points."), 2);
	assert_true(strstr(page_text, "95% intervals:") >
		    place_of("id=\"run-a-table-u\"", "</details>"));
}

static void a_gap_shows_shares_of_the_optimum(void **state)
{
	(void)state;
	struct page_run run = {
	    .name = "g", .tables = {{"gap", "gap.tsv", "", NULL}}, .table_count = 1};
	file_write("gap.tsv",
		   "\"agent\"\t\"trained\"\t\"games\"\t\"exact\"\t\"fraction\"\t\"fraction_low\"\t"
		   "\"fraction_high\"\n\"weak\"\t0\t0\t1\t0.25\t0.25\t0.25\n"
		   "\"good\"\t0\t100\t0\t0.5\t0.4\t0.6\n");
	page_of(&run);
	assert_has(">share of the optimum</th>");
	assert_true(place_of("id=\"glance\"", ">good</th>") <
		    place_of("id=\"glance\"", ">weak</th>"));
	place_of(">weak</th>", ">25.00%</td>");
	place_of(">good</th>", ">50.00% <span class=\"ci\">[40.00, 60.00]</span></td>");
	place_of(">weak</th>", ">exact</td>");
	assert_balanced();
}

static void a_sweep_shows_its_front(void **state)
{
	(void)state;
	struct page_run run = {
	    .name = "s", .tables = {{"sweep", "sweep.tsv", "", NULL}}, .table_count = 1};
#define SWEEP_HEAD "\"ms\"\t\"games\"\t\"score\"\t\"played\"\t\"front\"\t\"agent\"\n"
	file_write("sweep.tsv",
		   "# block 0: 4x4 cutoff=1\n" SWEEP_HEAD "0.5\t20\t500\t0.4\t1\t\"quick\"\n"
		   "0.6\t20\t400\t0.3\t0\t\"beaten\"\n\n\n# block 1: 4x4 cutoff=2\n" SWEEP_HEAD
		   "7.5\t20\t900\t8.5\t1\t\"thorough\"\n");
	page_of(&run);
	const char *end = place_of("id=\"glance\"", "</table>");
	assert_true(place_of("id=\"glance\"", ">thorough</th>") <
		    place_of("id=\"glance\"", ">quick</th>"));
	/* With the time that the front is judged by, which is not that of games. */
	assert_true(place_of(">quick</th>", "data-v=\"0.5\"") < end);
	assert_true(place_of("id=\"glance\"", "beaten") > end);
	assert_int_equal(occurrences("<h4>4x4</h4>"), 1);
}

static void a_sweep_without_times_or_games_says_so(void **state)
{
	(void)state;
	struct page_run run = {
	    .name = "s", .tables = {{"sweep", "sweep.tsv", "", NULL}}, .table_count = 1};
	file_write("sweep.tsv",
		   "# block 0: 4x4 cutoff=1\n" SWEEP_HEAD
		   "NaN\t20\t400\tNaN\t0\t\"worse\"\nNaN\t20\t500\tNaN\t0\t\"better\"\n");
	page_of(&run);
	assert_has("All settings that played games: times were not recorded");
	assert_true(place_of("id=\"glance\"", ">better</th>") <
		    place_of("id=\"glance\"", ">worse</th>"));
	file_write("sweep.tsv",
		   "# block 0: 4x4 cutoff=1\n" SWEEP_HEAD "0.1\t0\tNaN\tNaN\t0\t\"searched\"\n");
	page_of(&run);
	assert_has("No setting has played games, so there are no scores");
	assert_balanced();
}

static void a_tuning_compares_start_and_result(void **state)
{
	(void)state;
	struct page_run run = {
	    .name = "t", .tables = {{"tuning", "tuning.tsv", "", NULL}}, .table_count = 1};
#define TUNING_HEAD                                                                                \
	"# tuning: w=1~2; candidates 4, held-out games 70, check "                                 \
	"0\n\"generation\"\t\"held_out\"\t"                                                        \
	"\"held_out_low\"\t\"held_out_high\"\t\"ratio\"\t\"ratio_low\"\t\"ratio_high\"\n"
	file_write("tuning.tsv",
		   TUNING_HEAD "0\t100\t90\t110\t1\t1\t1\n1\tNaN\tNaN\tNaN\tNaN\tNaN\t"
			       "NaN\n2\t150\t140\t160\t1.5\t1.3\t1.7\n");
	page_of(&run);
	assert_has(
	    "tuned parameters score 1.50 <span class=\"ci\">[1.30, 1.70]</span> times as much "
	    "as those at the start.</p>");
	assert_true(place_of("id=\"glance\"", ">after 2 generations</th>") <
		    place_of("id=\"glance\"", ">start</th>"));
	place_of(">start</th>", "data-v=\"70\"");
	file_write("tuning.tsv",
		   TUNING_HEAD "0\t100\t90\t110\t1\t1\t1\n1\t101\t90\t110\t1.01\t0.9\t1.1\n");
	page_of(&run);
	assert_has(": the interval includes 1, so no improvement is shown.</p>");
	assert_balanced();
}

static void an_unfinished_run_says_so(void **state)
{
	(void)state;
	file_write("summary.tsv", "# unfinished: 12 of 300 games\n" SUMMARY_HEAD
				  "\"3x3\"\t\"slow\"\t\"slow\"\t0\t40\t250\t200\t300\n");
	page_of(&plain);
	assert_has("<b>Unfinished:</b> 12 of 300 games.");
	assert_balanced();
}

static void a_run_without_players_says_where_to_look(void **state)
{
	(void)state;
	struct page_run run = {.name = "a b"};
	page_of(&run);
	assert_has("<a href=\"#run-a-b\">its figures</a>");
	assert_balanced();
}

static void equal_bundles_give_equal_pages(void **state)
{
	(void)state;
	page_of(&plain);
	char *before = strdup(page_text);
	page_of(&plain);
	assert_string_equal(page_text, before);
	free(before);
}

static void what_goes_wrong_is_told_and_leaves_the_page_that_was(void **state)
{
	(void)state;
	static const struct {
		const char *remove, *path, *text;
		enum status status;
		const char *says;
	} failures[] = {
	    {"tiles.svg", NULL, NULL, STATUS_INPUT, "./tiles.svg: No such file"},
	    {"tiles.tsv", NULL, NULL, STATUS_INPUT, "./tiles.tsv: No such file"},
	    {NULL, "tiles.svg", "<svg>\n<g></svg>", STATUS_INPUT,
	     "./tiles.svg: no figure that a page can show"},
	    {NULL, "tiles.svg", "", STATUS_INPUT, "./tiles.svg: no figure that a page can show"},
	    {NULL, "tiles.svg", "<svg viewBox='0 0 x 1'></svg>", STATUS_INPUT,
	     "./tiles.svg: no figure that a page can show"},
	    {NULL, "means.tsv", "\"a\"\n1\t2\n", STATUS_INPUT, "./means.tsv:2: "},
	};
	struct why why = {""};
	for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
		file_write("index.html", "before");
		file_write("tiles.svg", drawing);
		file_write("tiles.tsv", tiles);
		file_write("means.tsv", means);
		if (failures[i].remove)
			assert_int_equal(unlink(failures[i].remove), 0);
		else
			file_write(failures[i].path, failures[i].text);
		assert_int_equal(written(&plain, &why), failures[i].status);
		if (!strstr(why.text, failures[i].says))
			fail_msg("\"%s\" does not say \"%s\"", why.text, failures[i].says);
		page_read();
		assert_string_equal(page_text, "before");
	}
	assert_int_equal(access("index.html.nxn-1.tmp", F_OK), -1);
}

static void values_of_a_template_are_not_looked_into(void **state)
{
	(void)state;
	struct page_run run = {.title = "{{generator}}"};
	char expected[256];
	file_write("page.html", "{{title}} {{generator}}{{generator}} {{c}} {{ {{title");
	assert_int_equal(setenv("NXN_PLOTS", ".", 1), 0);
	page_of(&run);
	snprintf(expected, sizeof expected, "{{generator}} nxn %snxn %s {{c}} {{ {{title",
		 version_text, version_text);
	assert_string_equal(page_text, expected);
}

static void a_page_needs_its_templates_and_a_folder(void **state)
{
	(void)state;
	const struct page nowhere = {.directory = "nowhere"}, page = {.directory = "."};
	struct why why = {""};
	assert_int_equal(page_write(&nowhere, &why), STATUS_SYSTEM);
	assert_non_null(strstr(why.text, "nowhere/index.html: cannot write: "));
	assert_int_equal(setenv("NXN_PLOTS", "/nowhere", 1), 0);
	assert_int_equal(page_write(&page, &why), STATUS_SYSTEM);
	assert_non_null(strstr(why.text, "no template: /nowhere/page.html: No such file"));
}

/* A new folder to work in, with a bundle; the templates are the source tree's. */
static int tables_enter(void **state)
{
	if (folder_enter(state) != 0)
		return -1;
	file_write("summary.tsv", summary);
	file_write("tiles.tsv", tiles);
	file_write("means.tsv", means);
	file_write("ratios.tsv", ratios);
	file_write("tiles.svg", drawing);
	return setenv("NXN_PLOTS", PLOTS_SOURCE_DIR, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tables_enter, folder_leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_page_is_whole_and_loads_nothing),
	    TEST(figures_of_two_runs_do_not_share_ids),
	    TEST(players_come_best_first_with_what_they_reached),
	    TEST(dots_are_where_means_lie_on_the_axis),
	    TEST(whatever_a_label_is_it_stays_text),
	    TEST(what_is_too_large_is_linked_instead),
	    TEST(numbers_sort_by_themselves_and_missing_ones_not_at_all),
	    TEST(files_beside_figures_and_tables_are_linked),
	    TEST(intervals_are_told_once_at_the_end),
	    TEST(a_gap_shows_shares_of_the_optimum),
	    TEST(a_sweep_shows_its_front),
	    TEST(a_sweep_without_times_or_games_says_so),
	    TEST(a_tuning_compares_start_and_result),
	    TEST(an_unfinished_run_says_so),
	    TEST(a_run_without_players_says_where_to_look),
	    TEST(equal_bundles_give_equal_pages),
	    TEST(what_goes_wrong_is_told_and_leaves_the_page_that_was),
	    TEST(values_of_a_template_are_not_looked_into),
	    TEST(a_page_needs_its_templates_and_a_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
