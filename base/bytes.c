/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files read whole; see bytes.h. A file's length is a hint: pipes have none, and files grow. */
#include "base/bytes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { FIRST = 4096 };

/* How much room is likely to hold IN, and the byte that tells that it ended; MOST + 1 at most. */
static size_t room_first(FILE *in, size_t most)
{
	struct stat stat;
	size_t room = FIRST;
	if (fstat(fileno(in), &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_size >= 0)
		room = (size_t)stat.st_size + 1;
	return room <= most ? room : most + 1;
}

/* Reads up to MOST + 1 bytes of IN. */
static enum status file_take(FILE *in, size_t most, char **bytes, size_t *size)
{
	size_t room = 0;
	for (size_t next = room_first(in, most); *size == room && room <= most;
	     next = 2 * room <= most ? 2 * room : most + 1) {
		char *grown = realloc(*bytes, next + 1);
		if (!grown)
			return STATUS_SYSTEM;
		*bytes = grown;
		room = next;
		*size += fread(grown + *size, 1, room - *size, in);
		grown[*size] = '\0';
	}
	return ferror(in) ? STATUS_SYSTEM : STATUS_OK;
}

enum status bytes_read(const char *path, size_t most, char **bytes, size_t *size, struct why *why)
{
	*bytes = NULL;
	*size = 0;
	FILE *in = fopen(path, "re");
	if (!in) {
		const bool missing = errno == ENOENT || errno == ENOTDIR;
		why_errno(why, "%s", path);
		return missing ? STATUS_INPUT : STATUS_SYSTEM;
	}
	enum status status = file_take(in, most, bytes, size);
	if (status)
		status = why_file(why, path, NULL);
	else if (*size > most)
		status = why_set(why, STATUS_INPUT, "%s: larger than %zu bytes", path, most);
	fclose(in);
	if (status) {
		free(*bytes);
		*bytes = NULL;
	}
	return status;
}
