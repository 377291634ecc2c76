/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths, folders, and files that are read whole. */
#ifndef NXN_FILE_H
#define NXN_FILE_H

#include "base/status.h"

#include <stddef.h>
#include <stdio.h>

/*
 * Reads the file PATH, of at most MOST bytes: *size of them in *bytes, for free(), with a NUL behind
 * them. Memory is taken as the file needs it. STATUS_INPUT if there is none, it is a folder, or larger;
 * STATUS_SYSTEM.
 */
MUST_USE enum status file_read(const char *path, size_t most, char **bytes, size_t *size,
			       struct why *why);

enum { FOLDER_PATH_MAX = 4096 };

/* Formats a path. STATUS_INPUT if it is too long. */
__attribute__((format(printf, 3, 4))) MUST_USE enum status path_format(char path[FOLDER_PATH_MAX],
								       struct why *why,
								       const char *format, ...);

/*
 * TEXT as part of a file's name: as long as it is, with '_' for what is not a letter, a digit or one
 * of "._-=". WORD has room for it.
 */
void path_word(const char *text, char *word);

/*
 * Makes the folder PATH and those above it; what is there already is fine. STATUS_INPUT if
 * something other than a folder is in the way, STATUS_SYSTEM if it cannot be made.
 */
MUST_USE enum status folder_make(const char *path, struct why *why);

/*
 * Waits until the file PATH is there, for half a minute at most: a file that another machine has put
 * into a shared folder may appear a moment later. Returns at once if the folder itself has gone.
 */
void file_await(const char *path);

#endif
