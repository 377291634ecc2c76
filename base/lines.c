/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of text files; see lines.h. */
#include "base/lines.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char byte_order_mark[] = "\xef\xbb\xbf";

static size_t mark_length(const char *text, size_t length)
{
	const size_t mark = sizeof byte_order_mark - 1;
	return length >= mark && memcmp(text, byte_order_mark, mark) == 0 ? mark : 0;
}

enum status lines_open(struct lines *lines, const char *path, struct why *why)
{
	FILE *file;
	enum status status = input_open(path, &file, why);
	if (!status)
		lines_start(lines, file, path);
	return status;
}

enum status lines_open_stream(struct lines *lines, const char *path, struct why *why)
{
	FILE *file;
	enum status status = input_open_stream(path, &file, why);
	if (!status)
		lines_start(lines, file, path);
	return status;
}

void lines_start(struct lines *lines, FILE *file, const char *path)
{
	*lines = (struct lines){.path = path, .file = file};
}

/* Removes the byte order mark and the line end from the LENGTH bytes that were read. */
static void line_trim(struct lines *lines, size_t length)
{
	const size_t mark = lines->number == 1 ? mark_length(lines->text, length) : 0;
	length -= lines->ended;
	length -= length > mark && lines->text[length - 1] == '\r';
	lines->length = length - mark;
	memmove(lines->text, lines->text + mark, lines->length);
	lines->text[lines->length] = '\0';
}

bool lines_next(struct lines *lines, enum status *status, struct why *why)
{
	errno = 0;
	const ssize_t length = getline(&lines->text, &lines->room, lines->file);
	const bool ended = length > 0 && lines->text[length - 1] == '\n';
	/* After a read error or lack of memory, a partial line is not the last line. */
	if (!ended && (ferror(lines->file) || !feof(lines->file))) {
		*status = why_file(why, lines->path, "cannot be read");
		return false;
	}
	if (length <= 0)
		return false;
	lines->number++;
	lines->ended = ended;
	*(ended ? &lines->whole : &lines->torn) += (size_t)length;
	line_trim(lines, (size_t)length);
	const size_t text = strlen(lines->text);
	if (text == lines->length)
		return true;
	*status = why_set(why, STATUS_INPUT, "%s:%zu: holds a zero byte, character %zu",
			  lines->path, lines->number, text + 1);
	return false;
}

enum status line_plain(const char *path, size_t number, const char *line, struct why *why)
{
	for (const char *at = line; *(at += text_plain(at)); at++)
		if (*at != '\t')
			return why_set(why, STATUS_INPUT,
				       "%s:%zu: byte %td is no plain text: expected UTF-8 without "
				       "control characters",
				       path, number, at - line + 1);
	return STATUS_OK;
}

void lines_end(struct lines *lines)
{
	free(lines->text);
	lines->text = NULL;
}

void lines_close(struct lines *lines)
{
	lines_end(lines);
	fclose(lines->file);
}

size_t lines_normalize(char *text, size_t size)
{
	size_t length = 0;
	for (size_t i = mark_length(text, size); i < size; i++)
		if (text[i] != '\r' || (i + 1 < size && text[i + 1] != '\n'))
			text[length++] = text[i];
	text[length] = '\0';
	return length;
}
