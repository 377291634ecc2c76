/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What fuzz targets share; see fuzz.h. */
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const char *fuzz_file(const void *data, size_t size)
{
	static int memory_file = -1;
	static char path[64];
	if (memory_file < 0) {
		memory_file = memfd_create("fuzz", MFD_CLOEXEC);
		snprintf(path, sizeof path, "/proc/self/fd/%d", memory_file);
	}
	FUZZ_CHECK(ftruncate(memory_file, 0) == 0);
	FUZZ_CHECK(pwrite(memory_file, data, size, 0) == (ssize_t)size);
	return path;
}

char *fuzz_text(const void *data, size_t size)
{
	const size_t length = size ? strnlen(data, size) : 0;
	char *text = malloc(length + 1);
	FUZZ_CHECK(text);
	memcpy(text, length ? data : "", length);
	text[length] = '\0';
	return text;
}

char *fuzz_line(char **text)
{
	char *line = *text;
	char *end = line + strcspn(line, "\n");
	*text = *end ? end + 1 : end;
	*end = '\0';
	return line;
}

bool fuzz_fine(enum status status, const struct why *why)
{
	if (!status)
		return true;
	FUZZ_CHECK(status == STATUS_INPUT || status == STATUS_SYSTEM);
	FUZZ_CHECK(why->text[0] && strnlen(why->text, sizeof why->text) < sizeof why->text);
	return false;
}

bool fuzz_deep(const void *data, size_t size)
{
	static unsigned long every;
	if (!every) {
		const char *text = getenv("FUZZ_DEEP");
		every = text ? strtoul(text, NULL, 10) : 1;
		every += every == 0;
	}
	return XXH3_64bits(data, size) % every == 0;
}
