/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of tests: whole files as bytes and as text, a file to write to, a folder to work in. */
#ifndef NXN_TESTS_FILES_H
#define NXN_TESTS_FILES_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Reads all of FILE and appends a NUL; the caller frees the text. */
static inline char *stream_text(FILE *file, size_t *size)
{
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*size = (size_t)ftell(file);
	rewind(file);
	char *text = malloc(*size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, *size, file), *size);
	text[*size] = '\0';
	return text;
}

static inline void *file_load(const char *from, size_t *size)
{
	FILE *file = fopen(from, "rb");
	assert_non_null(file);
	void *bytes = stream_text(file, size);
	fclose(file);
	return bytes;
}

static inline char *file_text(const char *from)
{
	size_t size;
	return file_load(from, &size);
}

/* The file NAME is TEXT. */
static inline void assert_file(const char *name, const char *text)
{
	char *found = file_text(name);
	assert_string_equal(found, text);
	free(found);
}

/* A file for a function that prints; taken() closes it and has its text, which the caller frees. */
static inline FILE *printed(void)
{
	FILE *file = tmpfile();
	assert_non_null(file);
	return file;
}

static inline char *taken(FILE *file)
{
	size_t size;
	char *text = stream_text(file, &size);
	fclose(file);
	return text;
}

static inline void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in:\n%s", part, text);
}

/*
 * CALL, which leaves its reason in why, succeeds; or fails with STATUS and a reason that has SAYS.
 */
#define assert_works(CALL)                                                                         \
	do {                                                                                       \
		if ((CALL) != STATUS_OK)                                                           \
			fail_msg("%s: %s", #CALL, why.text);                                       \
	} while (0)
#define assert_refused(STATUS, SAYS, CALL)                                                         \
	do {                                                                                       \
		assert_int_equal(CALL, STATUS);                                                    \
		assert_has(why.text, SAYS);                                                        \
	} while (0)

static inline int text_count(const char *text, const char *part)
{
	int count = 0;
	for (const char *at = text; (at = strstr(at, part)); at++)
		count++;
	return count;
}

static inline void file_store(const char *to, const void *bytes, size_t size)
{
	FILE *file = fopen(to, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static inline void file_write(const char *to, const char *text)
{
	file_store(to, text, strlen(text));
}

/*
 * Files may grow to at most BYTES from now on, without a signal, as if the disk were full; a limit
 * of RLIM_INFINITY ends that.
 */
static inline void files_limit(rlim_t bytes)
{
	struct rlimit limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	signal(SIGXFSZ, bytes == RLIM_INFINITY ? SIG_DFL : SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static char temporary_path[256];

/* cmocka's setup and teardown: an empty file at temporary_path. */
static inline int temporary_make(void **state)
{
	const char *where = getenv("TMPDIR");
	(void)state;
	snprintf(temporary_path, sizeof temporary_path, "%s/nxn-test-XXXXXX",
		 where ? where : "/tmp");
	const int fd = mkstemp(temporary_path);
	return fd < 0 ? -1 : close(fd);
}

static inline int temporary_remove(void **state)
{
	(void)state;
	unlink(temporary_path);
	return 0;
}

/* cmocka's setup and teardown: a new folder to work in, removed with its contents. */
static inline int folder_enter(void **state)
{
	char *made = strdup("/tmp/nxn-test-XXXXXX");
	*state = made;
	return made && mkdtemp(made) && chdir(made) == 0 ? 0 : -1;
}

static inline int folder_leave(void **state)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
	free(*state);
	return chdir("/") || system(command);
}

#endif
