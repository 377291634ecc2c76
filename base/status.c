/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formatting error messages; see status.h. */
#include "base/status.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum status why_set(struct why *why, enum status status, const char *format, ...)
{
	if (why) {
		va_list args;
		va_start(args, format);
		vsnprintf(why->text, sizeof why->text, format, args);
		va_end(args);
		text_sanitize(why->text, '\t'); /* messages may quote rows of tables */
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
		text_sanitize(why->text, '\t');
	}
	return error == ENAMETOOLONG ? STATUS_INPUT : STATUS_SYSTEM;
}

enum status why_file(struct why *why, const char *path, const char *what)
{
	const int error = errno;
	if (error == EISDIR)
		return why_set(why, STATUS_INPUT, "%s: is a folder; expected a file", path);
	const enum status status =
	    what ? why_errno(why, "%s: %s", path, what) : why_errno(why, "%s", path);
	/*
	 * ENOTDIR: a component of the path is a file; ENXIO: a socket, or a pipe without a reader.
	 */
	const bool wrong = error == ENOENT || error == ENOTDIR || error == ENXIO;
	return wrong ? STATUS_INPUT : status;
}

enum status text_check(const char *what, const char *text, size_t most, struct why *why)
{
	uint32_t c;
	const size_t length = strlen(text), plain = text_plain(text);
	if (length == 0)
		return why_set(why, STATUS_INPUT, "%s: must not be empty", what);
	if (length > most)
		return why_set(why, STATUS_INPUT,
			       "%s: '%.40s...' has %zu bytes; expected at most %zu", what, text,
			       length, most);
	if (plain == length)
		return STATUS_OK;
	if (!character_read(text + plain, text + length, &c))
		return why_set(why, STATUS_INPUT, "%s: '%.80s': byte %zu is not UTF-8", what, text,
			       plain + 1);
	return why_set(why, STATUS_INPUT,
		       "%s: '%.80s': byte %zu is a control character or changes the direction of "
		       "text (U+%04" PRIX32 "); expected plain text",
		       what, text, plain + 1, c);
}
