/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs in parts, merged: the input is the log, a line of '=', and a part of it. Whatever is wrong
 * with them, what the log had stays in it; what is of an older version gets the columns of today.
 */
#include "analysis/logs/gamelog.h"
#include "analysis/logs/parts.h"
#include "base/file.h"
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], log_path[96], part_path[96];

static void folder_remove(void)
{
	unlink(log_path);
	unlink(part_path);
	rmdir(folder);
}

static void folder_setup(void)
{
	snprintf(folder, sizeof folder, "%s/nxn-fuzz-parts-%d",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (int)getpid());
	FUZZ_CHECK(mkdir(folder, 0700) == 0 && atexit(folder_remove) == 0);
	snprintf(log_path, sizeof log_path, "%s/%s.tsv", folder, gamelog_kind.stem);
	snprintf(part_path, sizeof part_path, "%s/%s.1.tsv", folder, gamelog_kind.stem);
}

static void file_write(const char *path, const uint8_t *data, size_t size)
{
	FILE *out = fopen(path, "we");
	FUZZ_CHECK(out && fwrite(data, 1, size, out) == size && fclose(out) == 0);
}

/* The line; its first column in a log of an older version, of which numbers are written anew. */
static size_t line_length(const uint8_t *line, size_t size, bool older)
{
	size_t length = 0;
	while (length < size && line[length] != '\n' && (!older || line[length] != '\t'))
		length++;
	return length;
}

/* What the log holds begins with the lines of DATA. */
static void log_check(const uint8_t *data, size_t size)
{
	size_t now_size;
	char *now = NULL;
	struct why why;
	const bool older = memmem(data, size, "\tseconds\n", 9);
	FUZZ_CHECK(!file_read(log_path, 1 << 30, &now, &now_size, &why));
	const uint8_t *line = (const uint8_t *)now, *end = line + now_size;
	while (size > 0) {
		const size_t length = line_length(data, size, older);
		FUZZ_CHECK(line_length(line, (size_t)(end - line), older) == length);
		FUZZ_CHECK(memcmp(data, line, length) == 0);
		const uint8_t *next = (const uint8_t *)memchr(data, '\n', size) + 1;
		size -= (size_t)(next - data);
		data = next;
		line = memchr(line, '\n', (size_t)(end - line));
		FUZZ_CHECK(line++);
	}
	free(now);
}

static void parts_join(const uint8_t *data, size_t size)
{
	struct parts parts = {0};
	struct parts_count count = {0};
	struct why why = {""};
	const uint8_t *last = size ? memrchr(data, '\n', size) : NULL;
	FUZZ_CHECK(!parts_find(&gamelog_kind, folder, &parts, &why));
	FUZZ_CHECK(parts.n == 1);
	fuzz_fine(parts_merge(&gamelog_kind, folder, &parts, &count, &why), &why);
	log_check(data, last ? (size_t)(last + 1 - data) : 0);
	parts_free(&parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char border[] = "\n====\n";
	const uint8_t *middle = memmem(data, size, border, sizeof border - 1);
	if (!folder[0])
		folder_setup();
	const size_t first = middle ? (size_t)(middle + 1 - data) : size;
	const size_t second = middle ? first + sizeof border - 2 : size;
	file_write(log_path, data, first);
	file_write(part_path, data + second, size - second);
	parts_join(data, first);
	unlink(log_path);
	unlink(part_path);
	return 0;
}
