/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text written to memory through a FILE, none of which gets lost unnoticed. */
#ifndef NXN_STREAM_H
#define NXN_STREAM_H

#include <stddef.h>
#include <stdio.h>

/*
 * A file whose contents become *TEXT, with a NUL behind its *LENGTH bytes, when fclose() returns 0; they
 * are the caller's to free. When memory ran out for any of it fclose() returns EOF with errno, and *TEXT
 * is NULL. NULL with errno if there is not even memory to begin.
 */
FILE *stream_open(char **text, size_t *length);

#endif
