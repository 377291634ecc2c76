/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layers that a solver left behind, gone on with. The input is the pieces of the file; its head,
 * where pieces begin, and all checksums are mended, so that what they hold is believed.
 */
#include "agents/solver/layer_file.c" /* for the bytes of heads */

#include "agents/solver/solver.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = FILE_HEAD_BYTES + (1 << 17) };

static char folder[64], table[80];
static uint8_t head[FILE_HEAD_BYTES];

/* Stops a solver that was to look no further than a few layers beyond what it found. */
static bool layer_told(void *context, const struct solve_progress *progress)
{
	int *layers = context;
	(void)progress;
	return --*layers > 0;
}

/* Solves 2x2, from the layers that there are LAYERS further at most. */
static enum status task_solve(const struct game *game, int layers, struct why *why)
{
	const struct solve_task task = {.game = game,
					.goal = GOAL_SCORE,
					.memory = 64 << 20,
					.threads = 1,
					.work = folder,
					.out = table,
					.tell = layer_told,
					.context = &layers};
	struct solve_result result;
	enum status status = solve(&task, &result, why);
	if (!status)
		solve_result_free(&result);
	return status;
}

static void layers_path(char path[128])
{
	snprintf(path, 128, "%s/layers.nxl", folder);
}

static void folder_remove(void)
{
	char path[128];
	layers_path(path);
	unlink(path);
	unlink(table);
	rmdir(folder);
}

/* Makes the folder, and learns the head of the task's file from one that the solver writes. */
static void folder_setup(const struct game *game)
{
	char path[128];
	struct why why = {""};
	snprintf(folder, sizeof folder, "%s/nxn-fuzz-layers-%d",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (int)getpid());
	snprintf(table, sizeof table, "%s/table.nxo", folder);
	FUZZ_CHECK(mkdir(folder, 0700) == 0 && atexit(folder_remove) == 0);
	FUZZ_CHECK(!task_solve(game, INT_MAX, &why));
	layers_path(path);
	FILE *in = fopen(path, "re");
	FUZZ_CHECK(in && fread(head, 1, sizeof head, in) == sizeof head);
	fclose(in);
}

/* Makes the piece at BYTES, of SIZE that are left, one that fits its contents; its size. */
static size_t piece_mend(uint8_t *bytes, size_t size, off_t at)
{
	const int width = 12; /* of the codes of 2x2 */
	struct piece piece;
	const size_t room = size - PIECE_HEAD_BYTES;
	(void)piece_decode(bytes, at, width, &piece);
	piece.kind = (enum piece_kind)((unsigned)piece.kind % PIECES);
	if (!piece_measure(&piece, width) || piece.bytes > room)
		return size;
	const uint8_t *contents = bytes + PIECE_HEAD_BYTES;
	struct packed_keys packed = {.directory = (size_t)piece.bytes};
	if (is_codes(&piece)) {
		packed_keys_plan(&packed, width, piece.count);
		piece.hash[1] = XXH3_64bits(contents + packed.directory, packed.rests);
	}
	piece.hash[0] = XXH3_64bits(contents, packed.directory);
	piece_encode(&piece, width, bytes);
	return PIECE_HEAD_BYTES + (size_t)piece.bytes;
}

static void file_write(const uint8_t *data, size_t size)
{
	static _Alignas(8) uint8_t file[FILE_MAX];
	char path[128];
	layers_path(path);
	size = size < FILE_MAX - FILE_HEAD_BYTES ? size : FILE_MAX - FILE_HEAD_BYTES;
	memcpy(file, head, sizeof head);
	memcpy(file + sizeof head, data, size);
	size += sizeof head;
	for (off_t at = FILE_HEAD_BYTES; (size_t)at + PIECE_HEAD_BYTES <= size;)
		at = piece_after(at + (off_t)piece_mend(file + at, size - (size_t)at, at));
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FUZZ_CHECK(fd >= 0 && write(fd, file, size) == (ssize_t)size);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct game game;
	char path[128];
	struct why why = {""};
	if (!folder[0]) {
		FUZZ_CHECK(!game_init(&game, &(struct game_options){.shape = "2x2"}, &why));
		folder_setup(&game);
	}
	file_write(data, size);
	enum status status = task_solve(&game, fuzz_deep(data, size) ? INT_MAX : 3, &why);
	if (status && status != STATUS_STOPPED)
		fuzz_fine(status, &why);
	layers_path(path);
	unlink(path);
	return 0;
}
