/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sampled positions of a sweep as a file; see sweep_leave.h. Several processes that share a sweep
 * leave the same, so whoever finds it done has nothing to do.
 */
#include "src/run/sweep_leave.h"

#include "base/atomic_file.h"
#include "base/text.h"
#include "base/file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Far more than what sampling makes. */
enum { POSITIONS_BYTES = 1 << 30 };

/* The positions as text, on the heap. */
static enum status text_make(const struct sweep_run *run, char **text, size_t *length,
			     struct why *why)
{
	char source[FOLDER_PATH_MAX + 64], board[BOARD_TEXT_MAX];
	FILE *out = stream_open(text, length);
	if (!out)
		return why_errno(why, "out of memory for positions");
	sweep_source(run, source, sizeof source);
	fprintf(out, "# %s\n", source);
	for (size_t b = 0; b < run->boards; b++)
		for (size_t i = 0; i < run->sets[b].n; i++) {
			board_format(run->games[b], &run->sets[b].position[i].board, board);
			fprintf(out, "%s\n", board);
		}
	return fclose(out) ? why_errno(why, "out of memory for positions") : STATUS_OK;
}

/* Where the lines behind the comments at the beginning of TEXT are. */
static const char *comments_skip(const char *text)
{
	while (*text == '#')
		text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
	return text;
}

/* Whether TEXT begins as sweep_source() describes sampled positions. */
static bool is_ours(const char *text)
{
	int length = 0;
	sscanf(text, "# %*u of each board, one a game of %n", &length);
	return length > 0;
}

/* What is at PATH is to stay (*KEPT), or may be replaced, or must not. */
static enum status there_check(const char *path, const char *text, bool *kept, struct why *why)
{
	char *there;
	size_t size;
	*kept = false;
	if (access(path, F_OK) != 0)
		return STATUS_OK;
	enum status status = file_read(path, POSITIONS_BYTES, &there, &size, why);
	if (status)
		return status;
	*kept = strlen(there) == size && strcmp(comments_skip(there), comments_skip(text)) == 0;
	if (!*kept && size && !is_ours(there))
		status = why_set(why, STATUS_INPUT,
				 "%s: exists and is not what nxn sweep wrote; expected that, or "
				 "none",
				 path);
	free(there);
	return status;
}

static enum status text_store(const char *path, const char *text, size_t length, struct why *why)
{
	struct atomic_file atomic;
	enum status status = atomic_file_begin(&atomic, path, "a file of positions", why);
	if (status)
		return status;
	status = atomic_file_write(&atomic, text, length, why);
	if (!status)
		return atomic_file_commit(&atomic, why);
	atomic_file_abort(&atomic);
	return status;
}

enum status positions_leave(const struct sweep_run *run, bool alone, struct why *why)
{
	char path[FOLDER_PATH_MAX], *text = NULL;
	size_t length;
	bool kept;
	enum status status = path_format(path, why, "%s/positions.txt", run->directory);
	if (status)
		return status;
	if (alone)
		leftovers_remove(path);
	status = text_make(run, &text, &length, why);
	if (!status)
		status = there_check(path, text, &kept, why);
	if (!status && !kept)
		status = text_store(path, text, length, why);
	free(text);
	return status;
}
