/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats reasons for failure; see status.h. */
#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Tabs stay: rows of tables have them. */
static void line_keep(char *text)
{
	for (; *text; text++)
		if (((unsigned char)*text < ' ' && *text != '\t') || *text == 0x7f)
			*text = '?';
}

enum status why_set(struct why *why, enum status status, const char *format, ...)
{
	if (why) {
		va_list args;
		va_start(args, format);
		vsnprintf(why->text, sizeof why->text, format, args);
		va_end(args);
		line_keep(why->text);
	}
	return status;
}

enum status why_errno(struct why *why, const char *format, ...)
{
	int error = errno;
	if (why) {
		va_list args;
		va_start(args, format);
		int used = vsnprintf(why->text, sizeof why->text, format, args);
		va_end(args);
		size_t length = used < 0 ? 0 : (size_t)used;
		if (length < sizeof why->text)
			snprintf(why->text + length, sizeof why->text - length, ": %s",
				 strerror(error));
		line_keep(why->text);
	}
	return STATUS_SYSTEM;
}

enum status why_file(struct why *why, const char *path, const char *what)
{
	const int error = errno;
	if (error == EISDIR)
		return why_set(why, STATUS_INPUT, "%s: is a folder; expected a file", path);
	if (what)
		why_errno(why, "%s: %s", path, what);
	else
		why_errno(why, "%s", path);
	/*
	 * ENOTDIR: the path leads through a file; ENXIO: to a socket, or a pipe that nobody reads.
	 */
	const bool wrong = error == ENOENT || error == ENOTDIR || error == ENXIO;
	return wrong ? STATUS_INPUT : STATUS_SYSTEM;
}
