/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers read from text, the same in every locale. Nothing but a decimal number will do: no
 * blanks, no infinity and no NaN.
 */
#ifndef NXN_NUMBER_H
#define NXN_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads the decimal number that TEXT begins with, such as 12, -0.5, .5 or 1e-3, into *X, and
 * returns the text behind it. NULL, and *X as it was, if there is none or it is too large.
 */
const char *real_scan(const char *text, double *x);

/* The same of the whole TEXT; false if it is something else. */
bool real_parse(const char *text, double *x);

/*
 * Reads the decimal digits that TEXT begins with into *N, and returns the text behind them. NULL,
 * and *N as it was, if there are none or the number is too large.
 */
const char *whole_scan(const char *text, uint64_t *n);

/* The same of the whole TEXT; false if it is something else. */
bool whole_parse(const char *text, uint64_t *n);

enum { HASH_DIGITS = 16 };

/* Reads TEXT, 16 hexadecimal digits in lower case and nothing else, into *HASH; false if it is not. */
bool hash_parse(const char *text, uint64_t *hash);

#endif
