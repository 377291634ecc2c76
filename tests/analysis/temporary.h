/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file for a test to write to, and what is in a file. */
#ifndef NXN_TESTS_TEMPORARY_H
#define NXN_TESTS_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char temporary_path[256];

/* cmocka's setup and teardown: an empty file at temporary_path. */
static int temporary_make(void **state)
{
	const char *folder = getenv("TMPDIR");
	int fd;

	(void)state;
	snprintf(temporary_path, sizeof temporary_path, "%s/nxn-test-XXXXXX",
		 folder ? folder : "/tmp");
	fd = mkstemp(temporary_path);
	return fd < 0 ? -1 : close(fd);
}

static int temporary_remove(void **state)
{
	(void)state;
	unlink(temporary_path);
	return 0;
}

static inline void temporary_write(const char *text, size_t length)
{
	FILE *file = fopen(temporary_path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

/* All of a FILE; the caller frees it. */
static inline char *file_text(FILE *file)
{
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size_t size = (size_t)ftell(file);
	char *text = malloc(size + 1);

	assert_non_null(text);
	rewind(file);
	assert_int_equal(fread(text, 1, size, file), size);
	text[size] = '\0';
	return text;
}

static inline char *temporary_text(void)
{
	FILE *file = fopen(temporary_path, "r");

	assert_non_null(file);
	char *text = file_text(file);
	fclose(file);
	return text;
}

#endif
