/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs in parts: merged, a log has every line that any of them had, once, whatever came in between.
 */
#include "analysis/logs/parts.h"
#include "tests/files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

/* A log of three columns: name, time, result; times may differ. */
static const struct rowlog_kind kind = {
    .stem = "log",
    .log = "a test log",
    .names = "name time result",
    .row = "a test",
    .column = {{.name = "name", .type = &rowlog_any},
	       {.name = "time", .type = &rowlog_any},
	       {.name = "result", .type = &rowlog_number}},
    .columns = 3,
    .key = 1,
    .decision = 4,
    .size = sizeof(uint64_t),
};

#define HEADER "name\ttime\tresult\n"

enum { TEXT_MAX = 1 << 20 };

static bool file_there(const char *name)
{
	return access(name, F_OK) == 0;
}

static enum status merge(struct parts_count *count, struct why *why)
{
	struct parts parts;
	enum status status = parts_find(&kind, ".", &parts, why);
	assert_int_equal(status, STATUS_OK);
	status = parts_merge(&kind, ".", &parts, count, why);
	parts_free(&parts);
	return status;
}

static void merges(struct parts_count *count)
{
	struct why why;
	assert_works(merge(count, &why));
}

static void fails(const char *words)
{
	struct why why;
	struct parts_count count = {0};
	assert_refused(STATUS_INPUT, words, merge(&count, &why));
}

static void records_are_copied_word_for_word_and_parts_removed(void **state)
{
	struct parts_count count = {0};
	(void)state;
	file_write("log.tsv", "# one\n" HEADER "a\t1.50\t7\n# player: x\n");
	file_write("log.1-of-2.tsv",
		   "# one\n# two\n" HEADER "# player: x\n# player: y\nb\t2\t8\na\t9\t7\n");
	file_write("log.2-of-2.tsv", "# one\n" HEADER "c\t\t9\nb\t2.0\t8\n");
	file_write("log.txt", "not a part");
	file_write("other.1.tsv", "not a part");
	merges(&count);
	assert_file("log.tsv", "# one\n" HEADER "a\t1.50\t7\n# player: x\n"
			       "# two\n# player: y\nb\t2\t8\nc\t\t9\n");
	assert_int_equal(count.files, 2);
	assert_int_equal(count.records, 2);
	assert_int_equal(count.known, 2);
	assert_false(file_there("log.1-of-2.tsv") || file_there("log.2-of-2.tsv"));
	assert_true(file_there("log.txt") && file_there("other.1.tsv"));
}

static void without_a_log_the_first_part_begins_one(void **state)
{
	struct parts_count count = {0};
	(void)state;
	file_write("log.a.tsv", "# one\n" HEADER "a\t1\t7\n");
	file_write("log.b.tsv", "# one\n" HEADER "b\t1\t7\n");
	merges(&count);
	assert_file("log.tsv", "# one\n" HEADER "a\t1\t7\nb\t1\t7\n");
	assert_false(file_there("log.a.tsv") || file_there("log.b.tsv"));
	file_write("log.a.tsv", "# one\n" HEADER "a\t1\t7\n");
	merges(&count);
	assert_file("log.tsv", "# one\n" HEADER "a\t1\t7\nb\t1\t7\n");
	assert_int_equal(count.records, 2);
	assert_int_equal(count.known, 1);
}

static void without_parts_nothing_is_touched(void **state)
{
	struct parts_count count = {0};
	(void)state;
	merges(&count);
	assert_false(file_there("log.tsv"));
	file_write("log.tsv", "nothing that is a log");
	merges(&count);
	assert_file("log.tsv", "nothing that is a log");
	assert_int_equal(count.files, 0);
}

static void torn_lines_are_left_out(void **state)
{
	struct parts_count count = {0};
	(void)state;
	file_write("log.tsv", HEADER "a\t1\t7\nb\t1");
	file_write("log.1.tsv", HEADER "c\t1\t7\nd\t1\t7");
	file_write("log.2.tsv", "# one\nname\tti");
	file_write("log.3.tsv", "");
	merges(&count);
	assert_file("log.tsv", HEADER "a\t1\t7\nc\t1\t7\n# one\n");
	assert_int_equal(count.files, 3);
}

static void what_is_no_log_or_contradicts_another_is_refused(void **state)
{
	(void)state;
	file_write("log.tsv", HEADER "a\t1\t7\n");
	file_write("log.1.tsv", HEADER "b\t1\t7\na\t1\t8\n");
	fails("log.1.tsv:3: contradicts what ");
	file_write("log.1.tsv", HEADER "b\t1\n");
	fails("log.1.tsv:2: 2 columns, ");
	file_write("log.1.tsv", HEADER "b\t1\t7\nc\t1\tseven\n");
	fails("log.1.tsv:3: result is 'seven', not a whole number");
	file_write("log.1.tsv", "name\tresult\n");
	fails("log.1.tsv:1: not a test log: expected the column names name time result, found "
	      "'name\tresult'");
	file_write("log.1.tsv", "torn, but no log");
	fails("log.1.tsv:1: not a test log");
	assert_true(file_there("log.1.tsv"));
	file_write("log.1.tsv", HEADER "b\t1\t7\n");
	file_write("log.tsv", "something else\n");
	fails("log.tsv:1: not a test log");
	assert_file("log.tsv", "something else\n");
}

static void files_that_are_being_written_are_refused(void **state)
{
	static const char *const names[] = {"log.1.tsv", "log.tsv"};
	(void)state;
	file_write("log.1.tsv", HEADER "b\t1\t7\n");
	file_write("log.tsv", HEADER);
	for (int i = 0; i < 2; i++) {
		const int fd = open(names[i], O_RDONLY);
		assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
		fails("another process is writing this test log");
		close(fd);
	}
	assert_file("log.tsv", HEADER);
	merges(NULL);
	assert_file("log.tsv", HEADER "b\t1\t7\n");
}

/*
 * The file may not grow beyond some bytes, again and again, as on a disk that is full for a while.
 */
static void a_merge_cut_short_is_done_again(void **state)
{
	struct rlimit limit, whole;
	struct why why;
	static char expected[TEXT_MAX];
	(void)state;
	char *end = stpcpy(expected, HEADER);
	for (int i = 0; i < 40000; i++)
		end += sprintf(end, "%d\t0\t%d\n", i, i % 7);
	file_write("log.1.tsv", expected);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &whole), 0);
	signal(SIGXFSZ, SIG_IGN);
	for (rlim_t size = 1000; size < 400000; size += 90001) {
		limit = (struct rlimit){.rlim_cur = size, .rlim_max = whole.rlim_max};
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		const enum status status = merge(NULL, &why);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &whole), 0);
		assert_int_equal(status, STATUS_SYSTEM);
		assert_true(file_there("log.1.tsv"));
	}
	merges(NULL);
	assert_file("log.tsv", expected);
	assert_false(file_there("log.1.tsv"));
}

static void a_missing_folder_is_named(void **state)
{
	struct parts parts;
	struct why why;
	(void)state;
	assert_int_equal(parts_find(&kind, "/nowhere/at/all", &parts, &why), STATUS_INPUT);
	assert_string_equal(why.text, "/nowhere/at/all: there is no such folder");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_enter, folder_leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(records_are_copied_word_for_word_and_parts_removed),
	    TEST(without_a_log_the_first_part_begins_one),
	    TEST(without_parts_nothing_is_touched),
	    TEST(torn_lines_are_left_out),
	    TEST(what_is_no_log_or_contradicts_another_is_refused),
	    TEST(files_that_are_being_written_are_refused),
	    TEST(a_merge_cut_short_is_done_again),
	    TEST(a_missing_folder_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
