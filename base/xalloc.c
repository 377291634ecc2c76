/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation that cannot fail; see xalloc.h. */
#include "base/xalloc.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xalloc_fail(void)
{
	fputs("nxn: out of memory\n", stderr);
	exit(EXIT_FAILURE);
}

static void *checked(void *pointer)
{
	if (!pointer)
		xalloc_fail();
	return pointer;
}

void *xcalloc(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size ? size : 1));
}

void *xreallocarray(void *array, size_t count, size_t size)
{
	return checked(reallocarray(array, count ? count : 1, size));
}

char *xstrdup(const char *text)
{
	return checked(strdup(text));
}

char *xasprintf(const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	const int length = vasprintf(&text, format, args);
	va_end(args);
	return checked(length < 0 ? NULL : text);
}

FILE *xstream_open(char **text, size_t *length)
{
	return checked(stream_open(text, length));
}

void xstream_close(FILE *stream)
{
	if (fclose(stream) != 0)
		xalloc_fail();
}

void *xgrow(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	return xreallocarray(array, count ? 2 * count : 1, size);
}
