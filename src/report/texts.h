/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text files that are copied: to files, and into memory for a program that is to read them. */
#ifndef NXN_TEXTS_H
#define NXN_TEXTS_H

#include "base/status.h"

#include <stddef.h>
#include <stdio.h>

/*
 * Copies the file FROM to TO, which appears complete or not at all. A line of it that begins with "load "
 * is replaced by the file LOADED, unless that is NULL. STATUS_SYSTEM; STATUS_INPUT if a path is too long.
 */
MUST_USE enum status text_copy(const char *from, const char *loaded, const char *to,
			       struct why *why);

/*
 * The text of a file, held in memory. What is started can open it, from its beginning and as often as it
 * likes, by a name that holds in all processes; reading there does not fail, nor is it interrupted.
 */
struct held {
	const char *path;
	char name[24];
	FILE *file;
};

/*
 * The same into memory, until held_close(), before which PATH must not go. STATUS_SYSTEM, and there is
 * nothing to close.
 */
MUST_USE enum status held_open(struct held *held, const char *path, const char *loaded,
			       struct why *why);
void held_close(struct held *held);

/* Writes LINE to TEXT, of SIZE bytes, as far as it fits, with the paths in place of names of COUNT held files. */
void held_name(const struct held *held, int count, const char *line, char *text, size_t size);

#endif
