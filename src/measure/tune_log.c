/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table that `nxn tune` writes, and goes on with: a row a generation under a head of
 * provenance, and before each row, as `#` lines, the games and the candidates behind it.
 *
 * A tuning that goes on is done once more from its start, but for the games: what they came to is
 * read from the table. Each line that it comes to must be the next one there; those beyond the end
 * are appended, each by one write(2). So wherever an earlier run was killed, the table becomes what
 * it would have become, and it belongs to this tuning and no other.
 */
#include "src/measure/tune.h"

#include "base/file.h"
#include "base/lines.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Leaves the first WHOLE bytes, here and in the file. */
static enum status torn_cut(struct tune_log *log, size_t whole, struct why *why)
{
	const size_t torn = whole ? log->torn : log->in_file;
	enum status status = append_cut(&log->file, (off_t)(log->in_file - torn), (off_t)torn, why);
	if (status)
		return status;
	log->size = whole;
	log->text[whole] = '\0';
	return STATUS_OK;
}

/* Whether LINE stands among the lines of TEXT up to END. */
static bool line_stands(const char *text, const char *end, const char *line)
{
	const size_t length = strlen(line);
	for (; text < end && strncmp(text, line, length) != 0; text++)
		text = strchr(text, '\n');
	return text < end;
}

/* The end of the last whole line. */
static size_t whole_size(const struct tune_log *log)
{
	const char *last = memrchr(log->text, '\n', log->size);
	return last ? (size_t)(last + 1 - log->text) : 0;
}

/* The line of TEXT that begins with START, or NULL. */
static const char *line_of(const char *text, const char *start)
{
	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (strncmp(text, start, strlen(start)) == 0)
			return text;
	}
	return NULL;
}

/* Where the setting begins in which two lines differ: a NAME=VALUE, or what is between commas. */
static size_t setting_differing(const char *a, const char *b)
{
	size_t at = 0, item = 2 /* behind "# " */, word = 0;
	/*
	 * NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): read(2) has filled it
	 */
	for (; a[at] && a[at] == b[at] && a[at] != '\n'; at++) {
		if (a[at] != ' ')
			continue;
		word = at + 1;
		if (at > 0 && strchr(",;", a[at - 1]))
			item = word;
	}
	return memchr(a + word, '=', strcspn(a + word, " \n")) ? word : item;
}

/* How long the setting at TEXT is. */
static int setting_length(const char *text)
{
	size_t length = 0;
	/* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Branch): read(2) has filled it */
	while (text[length] && text[length] != '\n' && text[length] != ';' &&
	       strncmp(text + length, ", ", 2) != 0)
		length++;
	return (int)(length < 80 ? length : 80);
}

/*
 * Says that the table is of something else than HEAD, and the first setting that differs, if it is
 * there.
 */
static enum status table_refuse(const struct tune_log *log, const char *head, struct why *why)
{
	static const char *const lines[] = {"# tuning: ", "# agent: ", "# seed: "};
	for (size_t i = 0; line_of(log->text, *lines) && i < sizeof lines / sizeof *lines; i++) {
		const char *there = line_of(log->text, lines[i]), *here = line_of(head, lines[i]);
		if (!there || !here)
			continue;
		const size_t at = setting_differing(there, here);
		const int length[] = {setting_length(there + at), setting_length(here + at)};
		if (length[0] == length[1] && !strncmp(there + at, here + at, (size_t)length[0]))
			continue;
		return why_set(
		    why, STATUS_INPUT,
		    "%s: exists and is not the table of this tuning with these settings: "
		    "there '%.*s', here '%.*s'",
		    log->file.path, length[0], there + at, length[1], here + at);
	}
	return why_set(why, STATUS_INPUT,
		       "%s: exists and is not the table of this tuning with these settings",
		       log->file.path);
}

/* Passes over the head of what is there and parts the lines behind it. */
static enum status text_take(struct tune_log *log, const char *head, const char *config,
			     const char *columns, struct why *why)
{
	const size_t whole = whole_size(log);
	char *end = strstr(log->text, columns);
	if (strlen(log->text) < whole || !end || (end > log->text && end[-1] != '\n') ||
	    !line_stands(log->text, end, config))
		return table_refuse(log, head, why);
	/* Only what is this tuning's own is cut; another's file stays as it is. */
	enum status status = torn_cut(log, whole, why);
	if (status)
		return status;
	log->at = (size_t)(end - log->text) + strlen(columns);
	assert(log->at <= whole); /* columns end a line */
	log->number = 1;
	for (const char *c = log->text; c < log->text + log->at; c++)
		log->number += *c == '\n';
	for (char *c = log->text + log->at; *c; c++)
		*c = *c == '\n' ? '\0' : *c;
	return STATUS_OK;
}

static enum status log_take(struct tune_log *log, const char *head, const char *config,
			    const char *columns, struct why *why)
{
	enum status status = file_read(log->file.path, SIZE_MAX / 4, &log->text, &log->size, why);
	if (status)
		return status;
	log->in_file = log->size;
	log->torn = log->size - whole_size(log);
	log->size = lines_unify(log->text, log->size);
	/* Killed while it wrote its head, of which the file then has the beginning. */
	const bool begun = strncmp(log->text, head, log->size) == 0 && log->size < strlen(head);
	if (!begun)
		return text_take(log, head, config, columns, why);
	status = torn_cut(log, 0, why);
	return status ? status : append_write(&log->file, head, strlen(head), why);
}

enum status tune_log_open(struct tune_log *log, const char *path, const char *head,
			  const char *config, const char *columns, struct why *why)
{
	struct tune_log l = {.text = NULL};
	struct stat st;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return why_set(why, STATUS_INPUT, "%s: exists and is not a regular file", path);
	enum status status = append_open(&l.file, path, 0, "table", why);
	if (status)
		return status;
	status = log_take(&l, head, config, columns, why);
	if (status) {
		close(l.file.fd);
		free(l.text);
		return status;
	}
	*log = l;
	return STATUS_OK;
}

enum status tune_log_line(struct tune_log *log, const char *line, struct why *why)
{
	const char *there = tune_log_next(log);
	const size_t length = strlen(line) - 1;
	if (log->file.fd < 0)
		return STATUS_OK;
	if (!there)
		return append_write(&log->file, line, length + 1, why);
	if (strlen(there) != length || memcmp(there, line, length) != 0)
		return why_set(
		    why, STATUS_INPUT, "%s:%zu: not what this tuning comes to: expected '%.*s'",
		    log->file.path, log->number, (int)(length < 100 ? length : 100), line);
	log->at += length + 1;
	log->number++;
	return STATUS_OK;
}

enum status tune_log_end(const struct tune_log *log, struct why *why)
{
	if (!tune_log_next(log))
		return STATUS_OK;
	return why_set(why, STATUS_INPUT, "%s:%zu: not what this tuning comes to: expected its end",
		       log->file.path, log->number);
}

enum status tune_log_close(struct tune_log *log, struct why *why)
{
	if (log->file.fd < 0)
		return STATUS_OK;
	free(log->text);
	return append_close(&log->file, why);
}
