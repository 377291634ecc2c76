/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text in memory; see stream.h.
 *
 * What open_memstream(3) is for, but for the end of memory: glibc's then drops what it has no room for,
 * or all, while fclose() returns 0.
 */
#include "base/stream.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct stream {
	char **text;
	size_t *length;
	char *data; /* of ROOM bytes, USED of them written, and a NUL behind */
	size_t used, room;
	bool failed;
};

static ssize_t stream_write(void *cookie, const char *data, size_t size)
{
	struct stream *s = cookie;
	if (!s->data || s->room - s->used <= size) {
		const size_t room = 2 * (s->used + size + 64);
		char *grown = s->failed ? NULL : realloc(s->data, room);
		s->failed = !grown;
		if (!grown)
			return 0;
		s->data = grown;
		s->room = room;
	}
	memcpy(s->data + s->used, data, size);
	s->used += size;
	s->data[s->used] = '\0';
	return (ssize_t)size;
}

static int stream_close(void *cookie)
{
	struct stream *s = cookie;
	const bool failed = s->failed || (!s->data && stream_write(s, "", 0) != 0) || !s->data;
	if (failed)
		free(s->data);
	*s->text = failed ? NULL : s->data;
	*s->length = failed ? 0 : s->used;
	free(s);
	errno = failed ? ENOMEM : errno;
	return failed ? EOF : 0;
}

FILE *stream_open(char **text, size_t *length)
{
	static const cookie_io_functions_t functions = {.write = stream_write,
							.close = stream_close};
	struct stream *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->text = text;
	s->length = length;
	FILE *file = fopencookie(s, "w", functions);
	if (!file)
		free(s);
	return file;
}
