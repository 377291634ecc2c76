/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables for print: which columns, which rows, how numbers and markup come out. */
#include "src/report/print.h"
#include "tests/files.h"

static const char summary[] =
    "# nxn 1\n"
    "# seed: 1\n"
    "\"board\"\t\"cells\"\t\"label\"\t\"trained\"\t\"games\"\t\"mean\"\t\"mean_low\"\t\"mean_"
    "high\"\t"
    "\"median_tile\"\t\"doubt\"\n"
    "\"4x4\"\t16\t\"q_1 & <b>|\"\t100\t20\t100.25\t90.5\t110.5\t2048\tNaN\n"
    "\"4x4\"\t16\t\"q_1 & <b>|\"\t20000\t40\t1234567.8\t1200000\t1300000\t16384\tNaN\n"
    "\"5x5\"\t25\t\"q_1 & <b>|\"\t300\t40\t-12.5\t-20\t-5\t64\tNaN\n";

static const char tiles[] =
    "\"board\"\t\"label\"\t\"tile\"\t\"share\"\t\"share_low\"\t\"share_high\"\n"
    "\"3x3\"\t\"a_b\"\t2048\t0.5\t0.25\t0.75\n"
    "\"4x4\"\t\"a_b\"\t64\tNaN\tNaN\tNaN\n"
    "\"4x4\"\t\"a_b\"\t128\t1\t0.9\t1\n";

/* What is printed of the table TEXT, called NAME; on the heap. */
static char *written(bool latex, const char *text, const char *name)
{
	struct why why;
	struct tsv tsv;
	file_write("table.tsv", text);
	assert_int_equal(tsv_read(&tsv, "table.tsv", 1 << 20, &why), STATUS_OK);
	FILE *out = printed();
	static const struct shown_table any = {.name = "any"};
	const struct shown_table *shown = shown_table_find(name);
	table_print(out, &tsv, shown ? shown : &any, latex);
	tsv_fini(&tsv);
	return taken(out);
}

static void tiles_are_whole_numbers_with_their_intervals(void **state)
{
	(void)state;
	char *text = written(false,
			     "\"median_tile\"\t\"median_tile_low\"\t\"median_tile_high\"\n"
			     "32\t16\t32\n2048\t2048\t4096\n",
			     "x");
	assert_string_equal(text, "| median tile \\[95%\\] |\n|---:|\n| 32 [16, 32] |\n"
				  "| 2048 [2048, 4096] |\n");
	free(text);
}

static void times_have_the_unit_that_suits_each(void **state)
{
	static const char times[] =
	    "\"ms_per_move\"\t\"ms_per_move_low\"\t\"ms_per_move_high\"\n"
	    "0.000814\t0.0008\t0.000825\n0.0199\t0.019\t0.021\n12.5\tNaN\tNaN\n";
	(void)state;
	char *text = written(false, times, "x");
	assert_string_equal(text, "| time per move \\[95%\\] |\n|---:|\n| 814 ns [800, 825] |\n"
				  "| 19.9 us [19.0, 21.0] |\n| 12.5 ms [-, -] |\n");
	free(text);
	text = written(true, times, "x");
	assert_non_null(strstr(text, "19.9 $\\mu$s [19.0, 21.0] \\\\\n"));
	free(text);
}

static void a_summary_has_learners_after_training_only(void **state)
{
	(void)state;
	char *text = written(false, summary, "summary");
	assert_string_equal(
	    text, "| board | player | trained | games | mean \\[95%\\] | median tile |\n"
		  "|:---|:---|---:|---:|---:|---:|\n"
		  "| 4x4 | q\\_1 &amp; &lt;b>\\| | 20,000 | 40 | 1,234,568 [1,200,000, "
		  "1,300,000] | 16384 |\n"
		  "| 5x5 | q\\_1 &amp; &lt;b>\\| | 300 | 40 | -12.5 [-20.0, -5.0] | 64 |\n");
	free(text);
}

static void nothing_in_latex_is_markup_that_was_text(void **state)
{
	(void)state;
	char *text = written(true, summary, "summary");
	assert_non_null(strstr(text, "% seed: 1\n"));
	assert_non_null(strstr(text, "\\begin{tabular}{@{}llrrrr@{}}\n\\toprule\n"));
	assert_non_null(strstr(text, "4x4 & q\\_1 \\& $<$b$>$$|$ & 20,000 & 40 & "
				     "1,234,568 [1,200,000, 1,300,000] & 16384 \\\\\n"));
	assert_non_null(strstr(text, "$-$12.5 [$-$20.0, $-$5.0]"));
	assert_null(strstr(text, "100.2"));
	free(text);
	FILE *out = printed();
	text_print(out, "\\{}$&#^_~%`--a-b", true);
	putc(' ', out);
	text_print(out, "[a [b] *", true);
	char *marks = taken(out);
	assert_string_equal(marks, "\\textbackslash{}\\{\\}\\$\\&\\#\\textasciicircum{}\\_"
				   "\\textasciitilde{}\\%\\textasciigrave{}-{}-a-b {}[a [b] *");
	free(marks);
}

static void shares_are_percent_and_players_are_columns(void **state)
{
	(void)state;
	char *text = written(false, tiles, "tiles");
	assert_string_equal(text, "| board | tile | a\\_b % \\[95%\\] |\n|:---|---:|---:|\n"
				  "| 3x3 | 2048 | 50 [25, 75] |\n| 4x4 | 64 | - |\n"
				  "| 4x4 | 128 | 100.0 [90.0, 100.0] |\n");
	free(text);
}

static void long_tables_go_over_pages(void **state)
{
	(void)state;
	char table[4096] = "\"a\"\t\"b\"\n";
	for (int i = 0; i < 100; i++)
		strcat(table, "1\t2\n");
	char *text = written(true, table, "any");
	assert_int_equal(text_count(text, "\\begin{tabular}"), 3);
	free(text);
}

static void wide_tables_come_in_parts_that_begin_with_the_player(void **state)
{
	(void)state;
	/* Nine columns of 26 characters, of which a line has room for some four. */
	char table[4096] = "\"board\"\t\"label\"\t\"trained\"";
	for (int i = 0; i < 9; i++)
		sprintf(table + strlen(table), "\t\"c%d\"", i);
	strcat(table, "\n\"4x4\"\t\"A\"\t10");
	for (int i = 0; i < 9; i++)
		strcat(table, "\t\"0:123456789012345678901234\""); /* text, which is not rounded */
	strcat(table, "\n");
	char *text = written(true, table, "any");
	assert_true(text_count(text, "\\toprule") >= 3);
	assert_int_equal(text_count(text, "4x4 & A & 10 & "), text_count(text, "\\toprule"));
	assert_int_equal(text_count(text, "0:123456789012345678901234"), 9);
	for (int i = 0; i < 9; i++) {
		char name[16];
		snprintf(name, sizeof name, " c%d ", i);
		assert_int_equal(text_count(text, name), 1);
	}
	free(text);
}

static void long_texts_are_broken(void **state)
{
	(void)state;
	char *text = written(true,
			     "\"games\"\t\"agent\"\n"
			     "7\t\"expectimax:depth=1,value=linear9,rewards=0,cutoff=0,tt=0\"\n",
			     "any");
	assert_non_null(strstr(text, "games & agent \\\\\n"));
	assert_non_null(strstr(text, "7 & \\parbox[t]{20em}{\\raggedright\\strut "
				     "expectimax:\\allowbreak{}depth=\\allowbreak{}1,"
				     "\\allowbreak{}value="));
	assert_non_null(strstr(text, "tt=\\allowbreak{}0\\strut} \\\\\n"));
	free(text);
}

static void exponents_are_powers(void **state)
{
	(void)state;
	char *text =
	    written(true, "\"x\"\t\"x_low\"\t\"x_high\"\n-2.5e-08\t-3e-08\t-2e-08\n", "any");
	assert_non_null(strstr(text, "$-$2.50$\\cdot10^{-8}$ [$-$3.00$\\cdot10^{-8}$, "
				     "$-$2.00$\\cdot10^{-8}$] \\\\"));
	free(text);
}

static void text_that_looks_like_a_number_stays_as_it_is(void **state)
{
	(void)state;
	char *text =
	    written(false, "\"board\"\t\"cutoff\"\t\"ms\"\n\"4x4\"\t\"1e-1\"\t2\n", "sweep");
	assert_string_equal(text, "| board | cutoff | time per move |\n|:---|:---|---:|\n"
				  "| 4x4 | 1e-1 | 2.00 ms |\n");
	free(text);
}

static void a_goal_of_2048_is_told_once(void **state)
{
	(void)state;
	static const char table[] = "\"board\"\t\"reach_2048\"\t\"goal\"\t\"reach_goal\"\n"
				    "\"4x4\"\t0.5\t%s\t0.5\n";
	char text[256];
	snprintf(text, sizeof text, table, "2048");
	char *same = written(false, text, "results");
	assert_string_equal(same, "| board | reach 2048 % |\n|:---|---:|\n| 4x4 | 50 |\n");
	free(same);
	snprintf(text, sizeof text, table, "512");
	char *other = written(false, text, "results");
	assert_non_null(strstr(other, "| 4x4 | 50 | 512 | 50 |"));
	free(other);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(tiles_are_whole_numbers_with_their_intervals),
	    cmocka_unit_test(times_have_the_unit_that_suits_each),
	    cmocka_unit_test(a_summary_has_learners_after_training_only),
	    cmocka_unit_test(nothing_in_latex_is_markup_that_was_text),
	    cmocka_unit_test(shares_are_percent_and_players_are_columns),
	    cmocka_unit_test(long_tables_go_over_pages),
	    cmocka_unit_test(wide_tables_come_in_parts_that_begin_with_the_player),
	    cmocka_unit_test(long_texts_are_broken),
	    cmocka_unit_test(exponents_are_powers),
	    cmocka_unit_test(text_that_looks_like_a_number_stays_as_it_is),
	    cmocka_unit_test(a_goal_of_2048_is_told_once),
	};
	return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
