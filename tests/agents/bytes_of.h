/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files as bytes, to compare them and to damage them. */
#ifndef NXN_TESTS_BYTES_OF_H
#define NXN_TESTS_BYTES_OF_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

/* What FROM holds, on the heap. */
static unsigned char *file_load(const char *from, size_t *size)
{
	FILE *file = fopen(from, "rb");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*size = (size_t)ftell(file);
	rewind(file);
	unsigned char *bytes = malloc(*size);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *size, file), *size);
	fclose(file);
	return bytes;
}

static void file_store(const char *to, const void *bytes, size_t size)
{
	FILE *file = fopen(to, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

#endif
