/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dates of PDF files. What draws them writes when it did so, which would make every bundle another one:
 * the digits of "/CreationDate (D:YYYYMMDDhhmmss" are replaced in place, so that all offsets stay true, by
 * those of SOURCE_DATE_EPOCH (reproducible-builds.org), or of 1970-01-01.
 */
#include "src/paper/paper.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DIGITS = 14 };

static void date_text(char text[DIGITS + 1])
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	char *end;
	struct tm broken;
	time_t when = 0;
	if (epoch && *epoch) {
		long long seconds = strtoll(epoch, &end, 10);
		/* Up to the year 9999, which 14 digits can say. */
		when = *end == '\0' && seconds >= 0 && seconds < 253402300800 ? (time_t)seconds : 0;
	}
	gmtime_r(&when, &broken);
	strftime(text, DIGITS + 1, "%Y%m%d%H%M%S", &broken);
}

/* Where the digits are in FILE, or -1. */
static long digits_find(FILE *file)
{
	static const char key[] = "/CreationDate (D:";
	size_t matched = 0;
	for (int c; (c = getc(file)) != EOF;) {
		matched = c == key[matched] ? matched + 1 : c == key[0] ? 1 : 0;
		if (matched == sizeof key - 1)
			return ftell(file);
	}
	return -1;
}

enum status paper_pdf_date(const char *path, struct why *why)
{
	char date[DIGITS + 1];
	FILE *file = fopen(path, "r+e");
	if (!file)
		return why_errno(why, "%s: cannot be written", path);
	date_text(date);
	long at = digits_find(file);
	if (at >= 0 && fseek(file, at, SEEK_SET) == 0)
		fwrite(date, 1, DIGITS, file);
	bool failed = ferror(file);
	if (fclose(file) != 0 || failed)
		return why_errno(why, "%s: cannot be written", path);
	return STATUS_OK;
}
