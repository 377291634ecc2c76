/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Appends to record files, in the manner of append.h: what does not begin as a record file, or is no
 * file that could have a last line, stays as it is.
 */
#include "boards/record_line.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A comment that tells people the columns. */
static const char columns_line[] =
    "# board spawn player config seed game start score max_tile end moves";

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

static enum status take_over(struct append_file *to, const char *const *provenance, struct why *why)
{
	struct contents contents;
	struct stat is;
	if (fstat(to->fd, &is) != 0)
		return why_errno(why, "%s: cannot be opened for writing", to->path);
	if (!S_ISREG(is.st_mode))
		return why_set(why, STATUS_INPUT, "%s: not a file that can be gone on with",
			       to->path);
	enum status status = append_lock(to, "file", why);
	if (status)
		return status;
	FILE *file = fopen(to->path, "re");
	if (!file)
		return why_file(why, to->path, "cannot be read");
	bool ours = contents_find(file, &contents);
	if (ferror(file))
		status = why_file(why, to->path, "cannot be read");
	else if (!ours)
		status = why_set(why, STATUS_INPUT,
				 "%s: not a record file: expected '%s' in its first line", to->path,
				 record_format_line);
	fclose(file);
	if (!status)
		status = append_cut(to, contents.whole, contents.size - contents.whole, why);
	if (status || contents.begun)
		return status;
	return append_head(to, record_format_line, provenance, columns_line, why);
}

enum status record_open(struct record_writer *writer, const char *path,
			const char *const *provenance, struct why *why)
{
	struct record_writer w = {0};
	enum status status = append_open(&w.file, path, O_NONBLOCK, why);
	if (status)
		return status;
	status = take_over(&w.file, provenance, why);
	if (status == STATUS_OK)
		*writer = w;
	else
		close(w.file.fd);
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
	if (writer->broken)
		status = why_set(why, STATUS_SYSTEM, "%s: an earlier line could not be written",
				 writer->file.path);
	else
		status = append_write(&writer->file, text, length, why);
	writer->broken = status != STATUS_OK;
	free(text);
	return status;
}

enum status record_close(struct record_writer *writer, struct why *why)
{
	return append_close(&writer->file, why);
}
