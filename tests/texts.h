/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts with numbers and names in them. */
#ifndef NXN_TESTS_TEXTS_H
#define NXN_TESTS_TEXTS_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

/* The text of FORMAT, below 1024 bytes; valid until the eighth call from this one on. */
static inline __attribute__((format(printf, 1, 2))) const char *text_of(const char *format, ...)
{
	enum { TEXTS = 8, TEXT_MAX = 1024 };
	static char texts[TEXTS][TEXT_MAX];
	static unsigned next;
	char *text = texts[next++ % TEXTS];
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(text, TEXT_MAX, format, arguments);
	va_end(arguments);
	assert_in_range(length, 0, TEXT_MAX - 1);
	return text;
}

#endif
