/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contents of files as a number; see input_digest.h.
 *
 * Models (agents/model_format.h) and tables (agents/solver/optimum_format.h) may have gigabytes, but what vouches
 * for their contents stands in the first or the last bytes: checksums of the sections, of the index
 * of the layers. Both formats begin with the letters "nx", which no other file that agents read does.
 */
#include "agents/input_digest.h"

#include "agents/agent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* What an end holds is more than the head of either format. */
enum { END_BYTES = 4096, PIECE_BYTES = 1 << 16 };

/* Adds what FILE has from where it stands on, at most MOST bytes. False with errno. */
static bool piece_add(XXH3_state_t *hash, FILE *file, size_t most)
{
	unsigned char piece[PIECE_BYTES];
	for (size_t n = 1; n > 0 && most > 0; most -= n) {
		n = fread(piece, 1, most < sizeof piece ? most : sizeof piece, file);
		XXH3_64bits_update(hash, piece, n);
	}
	return !ferror(file);
}

static bool contents_add(XXH3_state_t *hash, FILE *file, uint64_t size)
{
	char first[2] = "";
	const bool vouched = fread(first, 1, 2, file) == 2 && memcmp(first, "nx", 2) == 0;
	if (ferror(file) || fseeko(file, 0, SEEK_SET) != 0)
		return false;
	XXH3_64bits_update(hash, &size, sizeof size);
	if (!vouched || size <= 2 * END_BYTES)
		return piece_add(hash, file, SIZE_MAX);
	return piece_add(hash, file, END_BYTES) && fseeko(file, -END_BYTES, SEEK_END) == 0 &&
	       piece_add(hash, file, END_BYTES);
}

static enum status file_add(void *context, const char *path, struct why *why)
{
	struct stat stat;
	/* Opening what is no file must not wait for anybody. */
	const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
	if (!file) {
		const bool missing = errno == ENOENT || errno == ENOTDIR;
		why_errno(why, "%s", path);
		if (descriptor >= 0)
			close(descriptor);
		return missing ? STATUS_INPUT : STATUS_SYSTEM;
	}
	enum status status = STATUS_OK;
	if (fstat(descriptor, &stat) != 0)
		status = why_errno(why, "%s", path);
	else if (!S_ISREG(stat.st_mode))
		status = why_set(why, STATUS_INPUT, "%s: is not a regular file", path);
	else if (!contents_add(context, file, (uint64_t)stat.st_size))
		status = why_errno(why, "%s", path);
	fclose(file);
	return status;
}

enum status agent_input_digest(const char *text, uint64_t *digest, struct why *why)
{
	XXH3_state_t hash;
	XXH3_64bits_reset(&hash);
	const uint64_t nothing = XXH3_64bits_digest(&hash);
	const struct file_visit visit = {file_add, &hash};
	const enum status status = agent_files(text, &visit, why);
	if (status)
		return status;
	const uint64_t sum = XXH3_64bits_digest(&hash);
	*digest = sum == nothing ? 0 : sum;
	return STATUS_OK;
}
