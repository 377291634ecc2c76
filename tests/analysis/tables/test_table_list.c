/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of tables has every table, with a caption and columns that there are. */
#include "analysis/tables/table_list.h"
#include "analysis/tables/tables.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

static bool has_column(const struct table *table, const char *name)
{
	for (const struct table_column *c = table->columns; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return true;
	return false;
}

static void every_table_is_shown_with_columns_that_it_has(void **state)
{
	static const struct tables *const all[] = {&summary_tables, &gap_tables};
	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (const struct table *t = all[i]->table; t->name; t++) {
			const struct shown_table *shown = shown_table_find(t->name);
			if (!shown)
				fail_msg("shown_tables lacks '%s'", t->name);
			for (const char *const *name = shown->printed; *name; name++)
				if (!has_column(t, *name))
					fail_msg("%s has no column '%s' to print", t->name, *name);
		}
}

static void every_table_has_a_caption(void **state)
{
	(void)state;
	for (const struct shown_table *t = shown_tables; t->name; t++)
		if (!t->caption || t->caption[strlen(t->caption) - 1] != '.')
			fail_msg("%s: no sentence is its caption", t->name);
	assert_null(shown_table_find("nothing"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_table_is_shown_with_columns_that_it_has),
	    cmocka_unit_test(every_table_has_a_caption),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
