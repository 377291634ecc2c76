/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is true of the logs of every kind: how a file begins, that a torn last line is left out and
 * cut off, what is refused and then left as it is, and that one writer has a log at a time.
 */
#include "analysis/logs/gamelog.h"
#include "tests/files.h"

#include <fcntl.h>
#include <math.h>

#define PROVENANCE "# nxn 1\n# command: nxn x\n"
static const char *const provenance[] = {"nxn 1", "command: nxn x", NULL};

static enum status game_append(struct rowlog_writer *writer, const char *agent, struct why *why)
{
	const struct gamelog_player player = {
	    .config = 0xab, .board = "4x4", .label = "greedy", .agent = agent};
	const struct gamelog_row row = {.seed = 7,
					.score = 3200,
					.max_tile = 256,
					.moves = 264,
					.seconds = 0.25,
					.uncertainty = NAN};
	return gamelog_append(writer, &player, &row, why);
}

static enum status gap_append(struct rowlog_writer *writer, const char *agent, struct why *why)
{
	const struct gap_row row = {.config = 0xab,
				    .board = "2x2",
				    .agent = agent,
				    .trained = 7,
				    .seed = 3,
				    .game = GAP_EXACT,
				    .result = 0.1,
				    .phase = {[1] = {2, 2, -0.0}, [2] = {3, 2, 1.5}}};
	return rowlog_append(writer, &row, why);
}

static enum status search_append(struct rowlog_writer *writer, const char *agent, struct why *why)
{
	const struct sweep_row row = {.config = 0xab,
				      .board = "2x2",
				      .agent = agent,
				      .position = "0,1/2,3",
				      .seconds = 0.000061,
				      .nodes = 812,
				      .probes = 301,
				      .hits = 44,
				      .depth = 3,
				      .round = 1};
	return rowlog_append(writer, &row, why);
}

/* A kind, its column names, a record as it is written, of the agent "greedy", and others. */
static const struct sample {
	const struct rowlog_kind *kind;
	enum status (*append)(struct rowlog_writer *writer, const char *agent, struct why *why);
	const char *names, *row;
	const char *others; /* records of keys that differ in one column each */
} samples[] = {
    {&gamelog_kind, game_append,
     "config\tboard\tlabel\tagent\ttrained\tseed\tgame\tscore\tmax_tile\tmoves\tseconds"
     "\ttile_sum\tuncertainty\n",
     "00000000000000ab\t4x4\tgreedy\tgreedy\t0\t7\t0\t3200\t256\t264\t0.250000\tNaN\tNaN\n",
     "00000000000000ac\t4x4\tgreedy\tgreedy\t0\t7\t0\t3200\t256\t264\t0.250000\tNaN\tNaN\n"
     "00000000000000ab\t4x4\tgreedy\tgreedy\t0\t8\t0\t3200\t256\t264\t0.250000\tNaN\tNaN\n"
     "00000000000000ab\t4x4\tgreedy\tgreedy\t0\t7\t1\t3200\t256\t264\tNaN\t222\t1.234568\n"},
    {&gap_log_kind, gap_append, "config\tboard\tagent\ttrained\tseed\tgame\tresult\tphases\n",
     "00000000000000ab\t2x2\tgreedy\t7\t3\texact\t0.1\t1:2:2:0,2:3:2:1.5\n",
     "00000000000000ac\t2x2\tgreedy\t7\t3\texact\t0.1\t1:2:2:0,2:3:2:1.5\n"
     "00000000000000ab\t2x2\tgreedy\t7\t4\texact\t0.1\t-\n"
     "00000000000000ab\t2x2\tgreedy\t7\t3\t17\t24\t"
     "23:0.3333333333333333:0.3333333333333333:1e-17\n"},
    {&sweep_log_kind, search_append,
     "config\tboard\tagent\tposition\tseconds\tnodes\tprobes\thits\tdepth\tround\n",
     "00000000000000ab\t2x2\tgreedy\t0,1/2,3\t0.000061000\t812\t301\t44\t3\t1\n",
     "00000000000000ac\t2x2\tgreedy\t0,1/2,3\t0.000061000\t812\t301\t44\t3\t1\n"
     "00000000000000ab\t2x2\tgreedy\t1,0/2,3\t0.000061000\t812\t301\t44\t3\t1\n"
     "00000000000000ab\t2x2\tgreedy\t0,1/2,3\t0.000061000\t812\t301\t44\t3\t2\n"},
};
static const struct sample *sample; /* that a test is about */

static struct rowlog_writer opened(void)
{
	struct rowlog_writer writer;
	struct why why;
	assert_works(rowlog_open(&writer, sample->kind, temporary_path, provenance, NULL, &why));
	return writer;
}

/* Appends N records to the file; how many bytes of it were cut off. */
static size_t append(int n)
{
	struct rowlog_writer writer = opened();
	struct why why;
	for (int i = 0; i < n; i++)
		assert_works(sample->append(&writer, "greedy", &why));
	assert_int_equal(append_close(&writer.file, NULL), STATUS_OK);
	return writer.file.cut;
}

static enum status count_row(void *context, const void *row, struct why *why)
{
	(void)row;
	(void)why;
	++*(int *)context;
	return STATUS_OK;
}

static int rows_read(void)
{
	struct why why;
	int count = 0;
	assert_works(rowlog_each(sample->kind, temporary_path, count_row, &count, &why));
	return count;
}

/* A file without records, and ROWS of them; the text is the caller's. */
static char *log_text(int rows)
{
	char *text = NULL;
	assert_true(asprintf(&text, "%s%s%s%s%s",
			     sample->kind->head_first ? PROVENANCE : sample->names,
			     sample->kind->head_first ? sample->names
			     : rows		      ? PROVENANCE
						      : "",
			     rows > 0 ? sample->row : "",
			     rows > 1 && !sample->kind->head_first ? PROVENANCE : "",
			     rows > 1 ? sample->row : "") > 0);
	return text;
}

/* Provenance opens the file, or precedes the records of each run. */
static void a_log_begins_and_goes_on(void)
{
	for (int rows = 0; rows < 3; rows++) {
		char *text = log_text(rows);
		assert_int_equal(append(rows > 0), 0);
		assert_file(temporary_path, text);
		assert_int_equal(rows_read(), rows);
		free(text);
	}
}

/* Wherever a file ends, its whole records are there, and a writer goes on behind them. */
static void a_torn_last_line_is_left_out_and_cut_off(void)
{
	char *whole = log_text(1);
	const size_t head = strlen(whole) - strlen(sample->row);
	for (size_t length = 0; length <= strlen(whole); length++) {
		file_store(temporary_path, whole, length);
		const bool record = length == strlen(whole);
		assert_int_equal(rows_read(), record);
		const size_t cut = append(1);
		if (length > head)
			assert_int_equal(cut, record ? 0 : length - head);
		assert_int_equal(rows_read(), 1 + record);
	}
	free(whole);
}

/* Lines may end as on other systems, and a file may begin with a mark of its encoding. */
static void lines_end_as_they_may(void)
{
	char *text = NULL;
	assert_true(asprintf(&text, "\xef\xbb\xbf%.*s\r\n%.*s\r\n%s",
			     (int)strlen(sample->names) - 1, sample->names,
			     (int)strlen(sample->row) - 1, sample->row, sample->row) > 0);
	file_write(temporary_path, text);
	assert_int_equal(rows_read(), 2);
	free(text);
}

/* That TEXT is refused in words with SAYS, and left as it is. */
static void refuses(const char *text, size_t size, const char *says)
{
	struct rowlog_writer writer;
	struct why why;
	int count = 0;
	file_store(temporary_path, text, size);
	assert_refused(STATUS_INPUT, temporary_path,
		       rowlog_each(sample->kind, temporary_path, count_row, &count, &why));
	if (!strstr(why.text, says))
		fail_msg("'%s' does not say '%s'", why.text, says);
	struct rowlog rows = {0};
	assert_int_equal(
	    rowlog_open(&writer, sample->kind, temporary_path, provenance, &rows, &why),
	    STATUS_INPUT);
	rowlog_fini(&rows);
	char *left = file_text(temporary_path);
	assert_memory_equal(left, text, size);
	free(left);
}

static void what_is_no_log_is_refused_and_left_as_it_is(void)
{
	static const char *const foreign[] = {"hello", "hello\n", "#!/bin/sh\nrm\n",
					      "config\tboard\n", "configuration"};
	char text[1024];
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		refuses(foreign[i], strlen(foreign[i]), sample->kind->log);
	refuses(sample->row, strlen(sample->row), sample->kind->log);
	/* A column more, a column less, none, the names again, and a zero byte. */
	const int columns = sample->kind->columns;
	char says[64];
	int length = snprintf(text, sizeof text, "%s%.*s\tx\n", sample->names,
			      (int)strlen(sample->row) - 1, sample->row);
	snprintf(says, sizeof says, ":2: %d columns, %s has %d", columns + 1, sample->kind->row,
		 columns);
	refuses(text, (size_t)length, says);
	length = snprintf(text, sizeof text, "%s%s", sample->names, strchr(sample->row, '\t') + 1);
	snprintf(says, sizeof says, ":2: %d columns, ", columns - 1);
	refuses(text, (size_t)length, says);
	length = snprintf(text, sizeof text, "%s\n", sample->names);
	refuses(text, (size_t)length, ":2: 1 column, ");
	length = snprintf(text, sizeof text, "%s%s", sample->names, sample->names);
	refuses(text, (size_t)length, ":2: config is 'config'");
	length = snprintf(text, sizeof text, "%s%s", sample->names, sample->row);
	text[length - 3] = '\0';
	refuses(text, (size_t)length, ":2: holds a zero byte");
}

/* A record that is read, for a log that has the sample alone, and a log that gets all. */
struct copy {
	struct rowlog log;
	struct rowlog_writer writer;
};

static enum status row_copy(void *context, const void *row, struct why *why)
{
	struct copy *copy = context;
	assert_int_equal(rowlog_find(&copy->log, row) != NULL, copy->log.count == 1);
	if (copy->log.count == 1)
		copy->log.count = 2; /* the first record is the one that is there */
	return rowlog_append(&copy->writer, row, why);
}

/* All that is read is what was written; a record is found by its key, and by no other. */
static void what_is_read_was_written(void)
{
	struct copy copy = {0};
	struct why why;
	char *text = NULL, again[sizeof temporary_path + 8];
	assert_true(asprintf(&text, "%s%s%s%s",
			     sample->kind->head_first ? PROVENANCE : sample->names,
			     sample->kind->head_first ? sample->names : PROVENANCE, sample->row,
			     sample->others) > 0);
	append(1);
	assert_int_equal(rowlog_read(&copy.log, sample->kind, temporary_path, &why), STATUS_OK);
	file_write(temporary_path, text);
	snprintf(again, sizeof again, "%s.again", temporary_path);
	assert_int_equal(rowlog_open(&copy.writer, sample->kind, again, provenance, NULL, &why),
			 STATUS_OK);
	assert_works(rowlog_each(sample->kind, temporary_path, row_copy, &copy, &why));
	assert_int_equal(append_close(&copy.writer.file, NULL), STATUS_OK);
	assert_int_equal(rename(again, temporary_path), 0);
	assert_file(temporary_path, text);
	copy.log.count = 1;
	rowlog_fini(&copy.log);
	free(text);
}

/* Cells that make a record none, and what is said to be expected, where that is not plain. */
static const struct {
	int sample, column;
	const char *text, *wanted;
} wrong[] = {
    {0, 0, "ab", "16 hexadecimal digits"},
    {0, 0, "00000000000000AB", ""},
    {0, 0, "00000000000000ab0", ""},
    {0, 1, "4x7", ""},
    {0, 2, "", ""},
    {0, 3, "a\rb", ""},
    {0, 4, "-1", "a whole number"},
    {0, 5, " ", ""},
    {0, 6, "", ""},
    {0, 7, "18446744073709551616", ""},
    {0, 8, "255", ""},
    {0, 9, "2.5", ""},
    {0, 10, "-1", ""},
    {0, 10, "1e999", ""},
    {0, 10, "1s", ""},
    {0, 11, "", "a whole number above 0, or NaN"},
    {0, 11, "0", ""},
    {0, 11, "2.5", ""},
    {0, 12, "-1", "a number from 0, or NaN"},
    {0, 12, "sum=2", ""},
    {1, 3, "-7", ""},
    {1, 5, "all", ""},
    {1, 6, "-24", ""},
    {1, 6, "nan", ""},
    {1, 7, "", ""},
    {1, 7, "1:2:2", ""},
    {1, 7, "1:2:2:0:0", ""},
    {1, 7, "1:2:2:0,", ""},
    {1, 7, "1:2:3:0", ""},
    {1, 7, "1:0:0:0", ""},
    {1, 7, "2:2:2:0,1:2:2:0", ""},
    {1, 7, "24:2:2:0", ""},
    {1, 7, "1:2:2:-1", ""},
    {2, 3, "", "UTF-8 text"},
    {2, 4, "x", "seconds"},
    {2, 4, "-0.1", "seconds"},
    {2, 5, "-1", "a whole number"},
};

static void a_wrong_cell_is_named_with_its_column(void)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char text[1024], says[256];
		const char *at = sample->row;
		if (&samples[wrong[i].sample] != sample)
			continue;
		for (int c = 0; c < wrong[i].column; c++)
			at = strchr(at, '\t') + 1;
		const int length = snprintf(text, sizeof text, "%s%.*s%s%s", sample->names,
					    (int)(at - sample->row), sample->row, wrong[i].text,
					    at + strcspn(at, "\t\n"));
		snprintf(says, sizeof says, ":2: %s is '%s', not %s",
			 sample->kind->column[wrong[i].column].name, wrong[i].text,
			 wrong[i].wanted);
		for (char *mark; (mark = strchr(says, '\r'));)
			*mark = '?';
		refuses(text, (size_t)length, says);
	}
}

static void what_could_not_be_read_again_is_not_written(void)
{
	static char endless[2 * ROWLOG_LINE_MAX];
	const char *const agents[] = {"a\tb", "a\nb", "a\x01", "\xff",
				      memset(endless, 'a', sizeof endless - 1)};
	struct rowlog_writer writer = opened();
	struct why why;
	/* A result holds no more of an agent than fits. */
	for (size_t i = 0; i < 4 + (sample->kind != &gamelog_kind); i++)
		assert_int_equal(sample->append(&writer, agents[i], &why), STATUS_INPUT);
	assert_int_equal(append_close(&writer.file, NULL), STATUS_OK);
	char *text = log_text(0);
	assert_file(temporary_path, text);
	free(text);
}

static void one_writer_has_a_log(void)
{
	struct rowlog_writer writer = opened(), second;
	struct why why;
	assert_refused(STATUS_INPUT, "another process is writing this ",
		       rowlog_open(&second, sample->kind, temporary_path, provenance, NULL, &why));
	assert_int_equal(append_close(&writer.file, NULL), STATUS_OK);
	append(0);
}

static void what_cannot_be_had_is_told(void)
{
	struct rowlog_writer writer;
	struct why why;
	char path[2000];
	int count;
	assert_int_equal(rowlog_each(sample->kind, "/", count_row, &count, &why), STATUS_INPUT);
	assert_string_equal(why.text, "/: is a folder; expected a file");
	assert_int_equal(rowlog_each(sample->kind, "/nowhere/log", count_row, &count, &why),
			 STATUS_INPUT);
	assert_refused(STATUS_INPUT, "/nowhere/log",
		       rowlog_open(&writer, sample->kind, "/nowhere/log", NULL, NULL, &why));
	memset(path, 'x', sizeof path);
	path[sizeof path - 1] = '\0';
	assert_int_equal(rowlog_open(&writer, sample->kind, path, NULL, NULL, &why), STATUS_INPUT);
	if (access("/dev/full", W_OK) != 0)
		return;
	writer = opened();
	assert_int_equal(append_close(&writer.file, NULL), STATUS_OK);
	writer.file.fd = open("/dev/full", O_WRONLY);
	assert_refused(STATUS_SYSTEM, "cannot be written", sample->append(&writer, "greedy", &why));
	close(writer.file.fd);
}

static void logs_of_every_kind_keep_the_rules(void **state)
{
	static void (*const rules[])(void) = {a_log_begins_and_goes_on,
					      a_torn_last_line_is_left_out_and_cut_off,
					      lines_end_as_they_may,
					      what_is_read_was_written,
					      what_is_no_log_is_refused_and_left_as_it_is,
					      a_wrong_cell_is_named_with_its_column,
					      what_could_not_be_read_again_is_not_written,
					      one_writer_has_a_log,
					      what_cannot_be_had_is_told};
	(void)state;
	for (sample = samples; sample < samples + sizeof samples / sizeof *samples; sample++)
		for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
			print_message("%s, rule %zu\n", sample->kind->stem, i);
			file_write(temporary_path, "");
			rules[i]();
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(logs_of_every_kind_keep_the_rules, temporary_make,
					    temporary_remove),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
