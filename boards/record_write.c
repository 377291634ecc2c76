/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Appends to record files. A file is taken over in this order: lock it, see that it begins as a
 * record file and where its last whole line ends, only then cut and append. Whatever goes wrong
 * before leaves it as it was.
 */
#include "boards/record_line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* One write(2). */
static enum status write_whole(struct record_writer *writer, const char *text, size_t length,
			       struct why *why)
{
	ssize_t written;
	if (writer->broken)
		return why_set(why, STATUS_SYSTEM, "%s: an earlier line could not be written",
			       writer->path);
	do
		written = write(writer->fd, text, length);
	while (written < 0 && errno == EINTR);
	if (written == (ssize_t)length)
		return STATUS_OK;
	writer->broken = true;
	if (written < 0)
		return why_errno(why, "%s: cannot be written", writer->path);
	return why_set(why, STATUS_SYSTEM,
		       "%s: only %zd of %zu bytes could be written; is the disk full?",
		       writer->path, written, length);
}

/* How far what there is of a file is worth keeping. */
struct contents {
	bool begun;  /* it has its first line */
	off_t whole; /* bytes up to the end of the last whole line */
	off_t size;
};

/* Looks through FILE; whether its beginning, if it has one, is that of a record file. */
static bool contents_find(FILE *file, struct contents *contents)
{
	char begin[16] = "";
	size_t length = strlen(record_format_line);
	*contents = (struct contents){0};
	for (int c; (c = getc(file)) != EOF;) {
		if ((size_t)contents->size < length)
			begin[contents->size] = (char)c;
		else if ((size_t)contents->size == length && c != '\n')
			return false;
		contents->size++;
		if (c == '\n')
			contents->whole = contents->size;
	}
	contents->begun = (size_t)contents->size > length;
	size_t known = contents->begun ? length : (size_t)contents->size;
	if (!contents->begun)
		contents->whole = 0;
	return memcmp(begin, record_format_line, known) == 0;
}

static enum status header_write(struct record_writer *writer, const char *const *provenance,
				struct why *why)
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);
	if (!memory)
		return why_errno(why, "%s: cannot make its header", writer->path);
	fprintf(memory, "%s\n", record_format_line);
	for (; provenance && *provenance; provenance++)
		fprintf(memory, "# %s\n", *provenance);
	fputs("# board spawn player config seed game start score max_tile end moves\n", memory);
	enum status status = fclose(memory) == 0
				 ? write_whole(writer, text, length, why)
				 : why_errno(why, "%s: cannot make its header", writer->path);
	free(text);
	return status;
}

static enum status take_over(struct record_writer *writer, const char *const *provenance,
			     struct why *why)
{
	struct contents contents;
	struct stat is;
	if (fstat(writer->fd, &is) != 0)
		return why_errno(why, "%s: cannot be opened for writing", writer->path);
	if (!S_ISREG(is.st_mode))
		return why_set(why, STATUS_INPUT, "%s: not a file that can be gone on with",
			       writer->path);
	if (flock(writer->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return why_set(why, STATUS_INPUT, "%s: another process is writing this file",
			       writer->path);
	FILE *file = fopen(writer->path, "re");
	if (!file)
		return why_errno(why, "%s: cannot be read", writer->path);
	bool ours = contents_find(file, &contents);
	bool failed = ferror(file);
	fclose(file);
	if (failed)
		return why_set(why, STATUS_SYSTEM, "%s: cannot be read", writer->path);
	if (!ours)
		return why_set(why, STATUS_INPUT,
			       "%s: not a record file: expected '%s' in its first line",
			       writer->path, record_format_line);
	if (contents.whole < contents.size && ftruncate(writer->fd, contents.whole) != 0)
		return why_errno(why, "%s: cannot cut off its torn last line", writer->path);
	writer->cut = (size_t)(contents.size - contents.whole);
	return contents.begun ? STATUS_OK : header_write(writer, provenance, why);
}

enum status record_open(struct record_writer *writer, const char *path,
			const char *const *provenance, struct why *why)
{
	struct record_writer w = {.fd = -1};
	if ((size_t)snprintf(w.path, sizeof w.path, "%s", path) >= sizeof w.path)
		return why_set(why, STATUS_INPUT, "%.80s...: too long a path", path);
	w.fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
	if (w.fd < 0)
		return why_errno(why, "%s: cannot be opened for writing", path);
	enum status status = take_over(&w, provenance, why);
	if (status == STATUS_OK)
		*writer = w;
	else
		close(w.fd);
	return status;
}

enum status record_append(struct record_writer *writer, const struct record_line *line,
			  struct why *why)
{
	char *text;
	size_t length;
	enum status status = record_format(line, &text, &length, why);
	if (status)
		return status;
	status = write_whole(writer, text, length, why);
	free(text);
	return status;
}

enum status record_close(struct record_writer *writer, struct why *why)
{
	int fd = writer->fd;
	writer->fd = -1;
	if (fsync(fd) != 0 && errno != EINVAL) {
		enum status status = why_errno(why, "%s: cannot be written to disk", writer->path);
		close(fd);
		return status;
	}
	return close(fd) == 0 ? STATUS_OK : why_errno(why, "%s: cannot be closed", writer->path);
}
