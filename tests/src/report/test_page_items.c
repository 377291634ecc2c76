/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captions: every figure and every table of results has words of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/run/sweep.c"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_figure_has_a_caption),
	    cmocka_unit_test(every_table_has_a_caption_and_goes_onto_a_page),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
