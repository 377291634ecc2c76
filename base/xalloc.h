/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation that ends the process if memory runs out, with one line on standard error and exit
 * status 1. For src/ and analysis/ (except stats), never for code of the libraries.
 */
#ifndef NXN_XALLOC_H
#define NXN_XALLOC_H

#include <stddef.h>
#include <stdio.h>

/* Ends the process with the message about memory. */
_Noreturn void xalloc_fail(void);

/* Like calloc(), reallocarray(), strdup() and asprintf(); the caller frees the result. */
void *xcalloc(size_t count, size_t size);
void *xreallocarray(void *array, size_t count, size_t size);
char *xstrdup(const char *text);
__attribute__((format(printf, 1, 2))) char *xasprintf(const char *format, ...);

/* stream_open(), and fclose() of its stream. */
FILE *xstream_open(char **text, size_t *length);
void xstream_close(FILE *stream);

/*
 * Returns ARRAY with room for at least COUNT + 1 elements of SIZE bytes. The room is a power of 2,
 * so COUNT alone determines it.
 */
void *xgrow(void *array, size_t count, size_t size);

#endif
