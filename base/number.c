/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsing and formatting numbers; see number.h. strtod(3) and strtoull(3) alone would also accept
 * blanks, signs, hexadecimal digits, infinity and NaN, so the text is checked first. Conversions
 * use the locale "C", since a program with libnxn may have a locale with a decimal comma.
 */
#include "base/number.h"

#include "config.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_XLOCALE_H
#include <xlocale.h>
#endif

static size_t digits_length(const char *text)
{
	return strspn(text, "0123456789");
}

/* Returns the length of the decimal number that TEXT begins with, or 0. */
static size_t real_length(const char *text)
{
	size_t length = *text == '+' || *text == '-';
	const size_t before = digits_length(text + length);
	const size_t point = text[length + before] == '.';
	const size_t after = point ? digits_length(text + length + before + point) : 0;
	if (before + after == 0)
		return 0;
	length += before + point + after;
	if (text[length] != 'e' && text[length] != 'E')
		return length;
	const size_t sign = text[length + 1] == '+' || text[length + 1] == '-';
	const size_t digits = digits_length(text + length + 1 + sign);
	return digits ? length + 1 + sign + digits : length;
}

/* The locale "C", which glibc and musl never free; it takes no memory. */
static locale_t c_locale(void)
{
	return newlocale(LC_ALL_MASK, "C", NULL);
}

const char *real_scan(const char *text, double *x)
{
	const size_t length = real_length(text);
	const double number = length ? strtod_l(text, NULL, c_locale()) : NAN;
	if (!isfinite(number))
		return NULL;
	*x = number;
	return text + length;
}

bool real_parse(const char *text, double *x)
{
	double number;
	const char *end = real_scan(text, &number);
	if (!end || *end)
		return false;
	*x = number;
	return true;
}

/* 17 digits always suffice for a double. */
void real_format(double x, char text[REAL_TEXT_MAX])
{
	const locale_t caller = uselocale(c_locale());
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, REAL_TEXT_MAX, "%.*g", digits, x);
		if (strtod(text, NULL) == x)
			break;
	}
	uselocale(caller);
}

const char *whole_scan(const char *text, uint64_t *n)
{
	char *end;
	if (!digits_length(text))
		return NULL;
	errno = 0;
	const unsigned long long number = strtoull(text, &end, 10);
	if (errno)
		return NULL;
	*n = number;
	return end;
}

bool whole_parse(const char *text, uint64_t *n)
{
	uint64_t number;
	const char *end = whole_scan(text, &number);
	if (!end || *end)
		return false;
	*n = number;
	return true;
}

bool hash_parse(const char *text, uint64_t *hash)
{
	if (strspn(text, "0123456789abcdef") != HASH_DIGITS || text[HASH_DIGITS])
		return false;
	*hash = strtoull(text, NULL, 16);
	return true;
}
