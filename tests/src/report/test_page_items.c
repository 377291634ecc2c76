/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captions: every figure and every table of results has words of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/measure/sweep.c"

#include "src/report/page_items.c"

#include "analysis/tables/tables.h"

static void every_figure_has_a_caption(void **state)
{
	(void)state;
	for (const struct figure *f = figures; f->name; f++)
		if (!words_find(figure_words, f->name))
			fail_msg("figure_words lacks '%s'", f->name);
}

static bool is_taken(const char *name)
{
	const char *const *at = page_tables;
	while (*at && strcmp(*at, name) != 0)
		at++;
	return *at;
}

static void every_table_has_a_caption_and_goes_onto_a_page(void **state)
{
	static const struct tables *const all[] = {&summary_tables, &gap_tables, &sweep_tables};
	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (const struct table *t = all[i]->table; t->name; t++)
			if (!words_find(table_words, t->name))
				fail_msg("table_words lacks '%s'", t->name);
			else if (!is_taken(t->name))
				fail_msg("page_tables lacks '%s'", t->name);
}

/* Adds the table NAME, of boards and COLUMN, to RUN. */
static void table_take(struct page_run *run, const char *name, const char *column,
		       const char *cells)
{
	struct tsv tsv;
	struct why why = {""};
	FILE *file = fopen("captions.tsv", "w");
	assert_non_null(file);
	fprintf(file, "# %s\n# block 0: a\n\"board\"\t\"%s\"\n%s", stats_method, column, cells);
	assert_int_equal(fclose(file), 0);
	if (tsv_read(&tsv, "captions.tsv", TABLE_MAX, &why))
		fail_msg("%s", why.text);
	assert_true(page_table_add(run, name, "captions.tsv", &tsv));
	tsv_fini(&tsv);
	assert_int_equal(unlink("captions.tsv"), 0);
}

static void a_table_without_games_names_the_methods_of_those_that_have_them(void **state)
{
	static struct page_run run;
	(void)state;
	table_take(&run, "results", "games", "\"3x3\"\t20\n\"4x4\"\t30\n");
	table_take(&run, "ratios", "ratio", "\"3x3\"\t1.5\n\"4x4\"\t2\n");
	assert_string_equal(
	    run.tables[1].intervals,
	    "95% intervals: means by BCa bootstrap by saddlepoint approximation; moves, "
	    "paired difference: Student's t.");
	page_run_fini(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_figure_has_a_caption),
	    cmocka_unit_test(every_table_has_a_caption_and_goes_onto_a_page),
	    cmocka_unit_test(a_table_without_games_names_the_methods_of_those_that_have_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
