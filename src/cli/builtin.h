/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The experiments that come with nxn. */
#ifndef NXN_BUILTIN_H
#define NXN_BUILTIN_H

#include "base/status.h"
#include "base/file.h"

#include <stdio.h>

/*
 * FILE itself if it exists, or else the experiment of that name that comes with nxn; the other way
 * round for a bare word, which must not change its meaning where some file is called so, such as
 * ./quickstart. STATUS_INPUT if there is neither.
 */
MUST_USE enum status builtin_find(const char *file, char path[FOLDER_PATH_MAX], struct why *why);

/* Their names in alphabetical order, a space before each. STATUS_SYSTEM if their folder cannot be read. */
MUST_USE enum status builtin_print(FILE *out, struct why *why);

#endif
