/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Follows symbolic links; see links.h. Only the last name of a path can be one that matters: those of
 * folders are followed by every call. Not realpath(3), which needs a file at the end.
 */
#include "base/links.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As many as Linux follows. */
enum { LINKS_MAX = 40 };

/* Whether AT is a link; then *NEXT is where it leads, or NULL when memory runs out. */
static bool link_read(const char *at, char **next)
{
	char to[PATH_MAX];
	const ssize_t length = readlink(at, to, sizeof to - 1);
	if (length <= 0)
		return false;
	to[length] = '\0';
	const char *slash = strrchr(at, '/');
	const int folder = slash && *to != '/' ? (int)(slash + 1 - at) : 0;
	if (asprintf(next, "%.*s%s", folder, at, to) < 0)
		*next = NULL;
	return true;
}

enum status links_follow(const char *path, char **target, struct why *why)
{
	char *at = strdup(path), *next;
	for (int i = 0; at && i <= LINKS_MAX; i++) {
		if (!link_read(at, &next)) {
			*target = at;
			return STATUS_OK;
		}
		free(at);
		at = next;
	}
	if (!at)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	free(at);
	return why_set(why, STATUS_INPUT,
		       "%s: a symbolic link that leads in a circle; expected a file", path);
}
