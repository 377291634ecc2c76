/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables read back: cells, bounds, series, numbers for people, and what is no table. Each test
 * works in an empty folder of its own.
 */
#include "analysis/tables/tsv.h"
#include "tests/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void tsv_of(struct tsv *tsv, const char *text)
{
	struct why why = {""};
	file_write("t.tsv", text);
	assert_works(tsv_read(tsv, "t.tsv", 1000, &why));
}

static void a_table_has_notes_names_and_cells(void **state)
{
	(void)state;
	struct tsv s;
	tsv_of(&s, "# nxn 1\n# units: points\n\"a\"\t\"it's <b>\"\n1\t\"x\"\n# open\n2\t\"\"\n\n");
	assert_int_equal(s.note_count, 2);
	assert_string_equal(s.notes[0], "nxn 1");
	assert_string_equal(tsv_note(&s, "units: "), "points");
	assert_null(tsv_note(&s, "open"));
	assert_null(s.notes[2]);
	assert_int_equal(s.columns, 2);
	assert_int_equal(s.rows, 2);
	assert_string_equal(tsv_name(&s, 1), "it's <b>");
	assert_string_equal(tsv_cell(&s, 0, 0), "1");
	assert_string_equal(tsv_cell(&s, 0, 1), "x");
	assert_string_equal(tsv_cell(&s, 1, 1), "");
	assert_true(tsv_is_number(&s, 0));
	assert_false(tsv_is_number(&s, 1));
	tsv_fini(&s);
}

/* The table TEXT, called NAME, as tsv_blocks_write() writes it is EXPECTED. */
static void assert_blocks(const char *name, const char *text, const char *expected)
{
	struct tsv s;
	FILE *file = printed();
	tsv_of(&s, text);
	tsv_blocks_write(file, &s, shown_table_find(name));
	tsv_fini(&s);
	char *found = taken(file);
	assert_string_equal(found, expected);
	free(found);
}

static void a_table_is_split_where_its_keys_change(void **state)
{
	(void)state;
	assert_blocks(
	    "ratios",
	    "# units: x\n\"a\"\t\"b\"\t\"board\"\t\"ratio\"\n\"p q\"\t\"r\"\t\"3x4\"\t1.5\n"
	    "\"p q\"\t\"r\"\t\"4x4\"\tNaN\n\"p\"\t\"7\"\t\"4x4\"\t2\n",
	    "# units: x\n# block 0: p q / r\n\"board\"\t\"ratio\"\n\"3x4\"\t1.5\n"
	    "\"4x4\"\tNaN\n\n\n# block 1: p / 7\n\"board\"\t\"ratio\"\n\"4x4\"\t2\n");
	assert_blocks("means", "\"label\"\t\"mean\"\n", "");
}

#define RATES                                                                                      \
	"\"board\"\t\"cells\"\t\"label\"\t\"tile\"\t\"share\"\t\"share_low\"\t\"share_high\"\n"

static void labels_become_columns_beside_the_tile(void **state)
{
	(void)state;
	static const char rates[] =
	    RATES "\"2x2\"\t4\t\"a\"\t8\t0.5\t0.1\t0.9\n\"2x2\"\t4\t\"a\"\t16\t0.25\t0.1\t0.4\n"
		  "\"2x2\"\t4\t\"b\"\t8\t1\t0.9\t1\n\"2x2\"\t4\t\"b\"\t16\t0\t0\t0.1\n"
		  "\"3x3\"\t9\t\"b\"\t32\t1\tNaN\tNaN\n";
	assert_blocks(
	    "tiles", rates,
	    "# block 0: 2x2\n\"tile\"\t\"a\"\t\"a_low\"\t\"a_high\"\t\"b\"\t\"b_low\"\t"
	    "\"b_high\"\n8\t0.5\t0.1\t0.9\t1\t0.9\t1\n16\t0.25\t0.1\t0.4\t0\t0\t0.1\n"
	    "\n\n# block 1: 3x3\n\"tile\"\t\"b\"\t\"b_low\"\t\"b_high\"\n32\t1\tNaN\tNaN\n");
	/* All boards together: a label has no number where it has not played. */
	struct tsv s, wide;
	tsv_of(&s, rates);
	assert_true(tsv_widen(&s, 0, s.rows, &wide));
	assert_int_equal(wide.rows, 3);
	assert_int_equal(wide.columns, 8);
	assert_string_equal(tsv_cell(&wide, 2, 0), "3x3");
	assert_true(isnan(tsv_number(&wide, 2, 2).value));
	assert_true(tsv_number(&wide, 1, 2).high == 0.4 && tsv_number(&wide, 2, 5).value == 1);
	tsv_fini(&wide);
	tsv_fini(&s);
	tsv_of(&s, "\"board\"\t\"label\"\n");
	assert_false(tsv_widen(&s, 0, 0, &wide));
	tsv_fini(&s);
}

static void an_empty_file_has_no_columns(void **state)
{
	(void)state;
	struct tsv s;
	tsv_of(&s, "");
	assert_int_equal(s.columns, 0);
	assert_int_equal(s.rows, 0);
	assert_null(s.notes[0]);
	tsv_fini(&s);
}

static void bounds_belong_to_the_column_they_are_named_after(void **state)
{
	(void)state;
	struct tsv s;
	size_t column;
	tsv_of(
	    &s,
	    "\"mean\"\t\"mean_low\"\t\"mean_high\"\t\"a b\"\t\"a b_low\"\t\"a b_high\"\t\"low\"\t"
	    "\"x_low\"\n5\t4\t6.5\tNaN\t1\t2\t\"12\"\t3\n");
	assert_true(tsv_find(&s, "a b", &column));
	assert_int_equal(column, 3);
	assert_false(tsv_find(&s, "a", &column));
	static const bool bound[] = {false, true, true, false, true, true, false, false};
	for (size_t c = 0; c < 8; c++) {
		assert_int_equal(tsv_is_bound(&s, c), bound[c]);
		assert_int_equal(tsv_is_number(&s, c), c != 6);
	}
	struct interval x = tsv_number(&s, 0, 0);
	assert_true(x.value == 5 && x.low == 4 && x.high == 6.5);
	assert_true(isnan(tsv_number(&s, 0, 3).value));
	assert_true(tsv_number(&s, 0, 3).high == 2);
	tsv_fini(&s);
}

static void numbers_are_rounded_to_their_intervals(void **state)
{
	(void)state;
	static const struct {
		struct interval x;
		const char *text;
	} cases[] = {
	    {{1112.352, 1078.063351, 1146.640649}, "1112 [1078, 1147]"},
	    {{1.40768474, 1.406532813, 1.408836667}, "1.4077 [1.4065, 1.4088]"},
	    {{0.5, 0.25, 0.75}, "0.50 [0.25, 0.75]"},
	    {{2.137500341e-08, 1.97436646e-08, 2.314113311e-08}, "2.14e-08 [1.97e-08, 2.31e-08]"},
	    {{9.58e-05, 8.91e-05, 1.03e-04}, "0.0000958 [0.0000891, 0.0001030]"},
	    {{64, NAN, NAN}, "64"},
	    {{128, 128, 128}, "128 [128, 128]"},
	    {{5468.486797, NAN, NAN}, "5468"},
	    {{0.3944, NAN, NAN}, "0.3944"},
	    {{0.78932325, NAN, NAN}, "0.7893"},
	    {{0.00009014, NAN, NAN}, "0.00009014"},
	    {{0.00012, NAN, NAN}, "0.00012"},
	    {{999.96, NAN, NAN}, "1000"},
	    {{-0.25, NAN, NAN}, "-0.25"},
	    {{1e15, NAN, NAN}, "1.000e+15"},
	    {{0, 0, 0.07134759913}, "0.000 [0.000, 0.071]"},
	    {{NAN, NAN, NAN}, "-"},
	    {{7, NAN, 9}, "7 [-, 9]"},
	    {{131072, NAN, NAN}, "131072"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[TSV_TEXT_MAX];
		interval_format(cases[i].x, false, text);
		assert_string_equal(text, cases[i].text);
	}
}

static void a_column_has_one_notation(void **state)
{
	(void)state;
	static const struct {
		const char *column, *texts[3];
	} cases[] = {
	    {"\"a\"\n0.00009014\n0.000116\n23.5\n", {"0.00009014", "0.000116", "23.5"}},
	    {"\"a\"\n0.25\n1.448e-09\n0\n", {"2.500e-01", "1.448e-09", "0"}},
	    {"\"a\"\nNaN\n2e15\n7\n", {"-", "2.000e+15", "7.000e+00"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tsv s;
		char text[TSV_TEXT_MAX];
		tsv_of(&s, cases[i].column);
		const bool scientific = tsv_is_scientific(&s, 0);
		assert_int_equal(scientific, i > 0);
		for (size_t row = 0; row < 3; row++) {
			interval_format(tsv_number(&s, row, 0), scientific, text);
			assert_string_equal(text, cases[i].texts[row]);
		}
		tsv_fini(&s);
	}
}

static void what_is_no_table_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t length, most;
		const char *says;
	} cases[] = {
	    {"\"a\"\t\"b\"\n1\t2\n1\n", 14, 100, "t.tsv:3: 1 cells under 2 names of columns"},
	    {"\"a\"\t\"b\"\n1\t0x10\n", 15, 100, "t.tsv:2: column 2: '0x10' is not a number"},
	    {"\"a\"\n1\n \n", 8, 100, "t.tsv:3: column 1: ' ' is not a number"},
	    {"\"a\"\ninf\n", 8, 100, "t.tsv:2: column 1: 'inf' is not a number"},
	    {"\"a\"\n12points", 12, 100, "t.tsv:2: column 1: '12points' is not a number"},
	    {"# x\n\"a\"\n1\t2\n", 12, 100, "t.tsv:3: 2 cells under 1 names of columns"},
	    {"\"a\"\n\0\n", 6, 100, "t.tsv: has a NUL in it"},
	    {"\"a\"\n1\n", 6, 5, "t.tsv: larger than 5 bytes"},
	};
	struct tsv s;
	struct why why = {""};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		file_store("t.tsv", cases[i].text, cases[i].length);
		assert_refused(STATUS_INPUT, cases[i].says,
			       tsv_read(&s, "t.tsv", cases[i].most, &why));
	}
	char wide[TSV_COLUMNS_MAX + 1];
	memset(wide, '\t', sizeof wide);
	file_store("t.tsv", wide, sizeof wide);
	assert_refused(STATUS_INPUT, "t.tsv:1: 1002 columns, more than 1000",
		       tsv_read(&s, "t.tsv", 10000, &why));
	assert_int_equal(unlink("t.tsv"), 0);
	assert_int_equal(tsv_read(&s, "t.tsv", 100, &why), STATUS_INPUT);
	assert_string_equal(why.text, "t.tsv: No such file or directory");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_enter, folder_leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_table_has_notes_names_and_cells),
	    TEST(a_table_is_split_where_its_keys_change),
	    TEST(labels_become_columns_beside_the_tile),
	    TEST(an_empty_file_has_no_columns),
	    TEST(bounds_belong_to_the_column_they_are_named_after),
	    TEST(numbers_are_rounded_to_their_intervals),
	    TEST(a_column_has_one_notation),
	    TEST(what_is_no_table_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
