/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory for programs whose only answer to a lack of it is to end: one line on standard error, exit
 * status 1. For src/, and analysis/ without stats; never in what a library of others may call.
 */
#ifndef NXN_XALLOC_H
#define NXN_XALLOC_H

#include <stddef.h>
#include <stdio.h>

/* Ends the process as all below do. */
_Noreturn void xalloc_fail(void);

/* As calloc(), reallocarray(), strdup() and asprintf(); free() what they return. */
void *xcalloc(size_t count, size_t size);
void *xreallocarray(void *array, size_t count, size_t size);
char *xstrdup(const char *text);
__attribute__((format(printf, 1, 2))) char *xasprintf(const char *format, ...);

/* stream_open(), and fclose() of such a stream. */
FILE *xstream_open(char **text, size_t *length);
void xstream_close(FILE *stream);

/*
 * ARRAY of COUNT elements of SIZE bytes, with space for one more; space is made for the next power
 * of 2, so COUNT alone tells how much there is.
 */
void *xgrow(void *array, size_t count, size_t size);

#endif
