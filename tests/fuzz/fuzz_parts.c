/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs in parts, merged: the input is the log, a line of '=', and a part of it. Whatever is wrong with
 * them, what the log had stays in it: its bytes, or if it has the columns of an older version, with
 * which it is written anew, its games.
 */
#include "analysis/logs/gamelog.h"
#include "analysis/logs/parts.h"
#include "tests/fuzz/fuzz.h"

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

/* The games of the log; none where it cannot be read. */
static void games_read(struct gamelog *games)
{
	struct why why;
	gamelog_init(games);
	(void)!gamelog_read(games, log_path, &why);
}

/* The log has all games of BEFORE, in the same order. */
static void games_check(const struct gamelog *before)
{
	struct gamelog now;
	games_read(&now);
	FUZZ_CHECK(now.count >= before->count);
	for (size_t i = 0; i < before->count; i++) {
		const struct gamelog_row *old = &before->rows[i], *row = &now.rows[i];
		FUZZ_CHECK(old->player->config == row->player->config && old->seed == row->seed &&
			   old->game == row->game && old->score == row->score &&
			   old->max_tile == row->max_tile && old->moves == row->moves);
	}
	gamelog_fini(&now);
}

/* The log begins with the SIZE bytes of DATA. */
static void bytes_check(const uint8_t *data, size_t size)
{
	uint8_t *now = malloc(size + 1);
	FILE *in = fopen(log_path, "re");
	FUZZ_CHECK(in && now);
	FUZZ_CHECK(fread(now, 1, size, in) == size);
	FUZZ_CHECK(size == 0 || memcmp(now, data, size) == 0);
	fclose(in);
	free(now);
}

static void parts_join(const uint8_t *data, size_t size)
{
	struct parts parts = {0};
	struct parts_count count = {0};
	struct why why = {""};
	struct gamelog before;
	games_read(&before);
	const uint8_t *last = size ? memrchr(data, '\n', size) : NULL;
	FUZZ_CHECK(!parts_find(&gamelog_kind, folder, &parts, &why));
	FUZZ_CHECK(parts.n == 1);
	enum status status = parts_merge(&gamelog_kind, folder, &parts, true, &count, &why);
	if (status)
		fuzz_refused(status, &why);
	games_check(&before);
	if (!memmem(data, size, "\tseconds\n", 9))
		bytes_check(data, last ? (size_t)(last + 1 - data) : 0);
	gamelog_fini(&before);
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
