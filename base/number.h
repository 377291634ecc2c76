/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsing and formatting numbers, independently of the locale. Only decimal numbers are accepted:
 * no blanks, no infinity, no NaN.
 */
#ifndef NXN_NUMBER_H
#define NXN_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parses the decimal number at the start of TEXT, such as 12, -0.5, .5 or 1e-3, into *X, and
 * returns the rest of TEXT. Returns NULL and leaves *X if there is no number or it is too large.
 */
const char *real_scan(const char *text, double *x);

/* Parses the whole TEXT as real_scan() does; false if it is something else. */
bool real_parse(const char *text, double *x);

enum { REAL_TEXT_MAX = 32 };

/* Formats X, which is finite, with the fewest digits that read back as X, and with a point. */
void real_format(double x, char text[REAL_TEXT_MAX]);

/*
 * Parses the decimal digits at the start of TEXT into *N and returns the rest of TEXT. Returns NULL
 * and leaves *N if there are no digits or the number is too large.
 */
const char *whole_scan(const char *text, uint64_t *n);

/* Parses the whole TEXT as whole_scan() does; false if it is something else. */
bool whole_parse(const char *text, uint64_t *n);

enum { HASH_DIGITS = 16 };

/*
 * Parses TEXT, exactly 16 lower-case hexadecimal digits, into *HASH. Returns false for other text.
 */
bool hash_parse(const char *text, uint64_t *hash);

#endif
