/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening table files that nobody vouches for; see optimum.h and optimum_format.h.
 *
 * Sizes in the index are believed only when, together, they fill the file to the byte; a layer takes
 * at least 56 of its bytes, so the list of layers is no longer than a part of it.
 */
#include "agents/fields.h"
#include "agents/solver/optimum_layers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status damaged(const struct optimum *o, const char *what, const char *want,
			   struct why *why)
{
	return why_set(why, STATUS_INPUT, "%s: damaged: %s, expected %s", o->path, what, want);
}

/* Maps the file. O_NONBLOCK, lest a named pipe keeps us waiting for a writer. */
static enum status file_map(struct optimum *o, struct why *why)
{
	struct stat st;
	const int fd = open(o->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) {
		const bool absent = errno == ENOENT || errno == ENOTDIR;
		why_errno(why, "%s: cannot open the table", o->path);
		return absent ? STATUS_INPUT : STATUS_SYSTEM;
	}
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0) {
		close(fd);
		return why_set(why, STATUS_INPUT,
			       "%s: empty or not a regular file, expected a table file", o->path);
	}
	void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	enum status status = STATUS_OK;
	if (map == MAP_FAILED)
		status = why_errno(why, "%s: cannot be mapped into memory", o->path);
	close(fd);
	if (status)
		return status;
	o->bytes = map;
	o->size = (size_t)st.st_size;
	return STATUS_OK;
}

/* Reads up to SIZE bytes of the beginning of PATH; *GOT is 0 if there is no regular file. */
static enum status beginning_read(const char *path, unsigned char *bytes, size_t size, size_t *got,
				  struct why *why)
{
	struct stat st;
	*got = 0;
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? STATUS_OK : why_errno(why, "%s: cannot be read", path);
	enum status status = STATUS_OK;
	const bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	while (regular && *got < size) {
		const ssize_t n = read(fd, bytes + *got, size - *got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			status = why_errno(why, "%s: cannot be read", path);
		if (n <= 0)
			break;
		*got += (size_t)n;
	}
	close(fd);
	return status;
}

bool optimum_claims(const char *path)
{
	unsigned char bytes[8];
	size_t got;
	return !beginning_read(path, bytes, sizeof bytes, &got, NULL) && got > 0 &&
	       optimum_head_claims(bytes, got);
}

enum status optimum_replace_check(const char *path, const struct optimum_head *head,
				  struct why *why)
{
	unsigned char bytes[OPTIMUM_HEAD_BYTES];
	char was_start[BOARD_TEXT_MAX], start[BOARD_TEXT_MAX];
	struct optimum_head was;
	struct optimum_layout layout;
	size_t got;
	enum status status = beginning_read(path, bytes, sizeof bytes, &got, why);
	if (status || got == 0)
		return status;
	if (!optimum_head_claims(bytes, got))
		return why_set(why, STATUS_INPUT,
			       "%s: exists and is not a table file; expected one, or another name",
			       path);
	if (optimum_head_decode(path, bytes, got, &was, &layout, NULL))
		return STATUS_OK;
	if (strcmp(was.board, head->board) == 0 && strcmp(was.spawn, head->spawn) == 0 &&
	    optimum_starts_alike(&was, head))
		return STATUS_OK;
	optimum_starts(&was, was_start);
	optimum_starts(head, start);
	return why_set(why, STATUS_INPUT,
		       "%s: exists and is the table of %s with spawns %s from %s, not of %s with "
		       "spawns %s from %s; expected another name",
		       path, was.board, was.spawn, was_start, head->board, head->spawn, start);
}

static enum status game_check(const struct optimum *o, const struct game *game, struct why *why)
{
	char spawn[SPAWN_TEXT_MAX];
	spawn_format(&game->spawn, spawn);
	if (strcmp(o->head.board, game->name) != 0)
		return why_set(why, STATUS_INPUT, "%s: a table for %s boards, expected one for %s",
			       o->path, o->head.board, game->name);
	if (strcmp(o->head.spawn, spawn) != 0)
		return why_set(why, STATUS_INPUT,
			       "%s: a table for spawn rule '%s', expected one for '%s'", o->path,
			       o->head.spawn, spawn);
	return STATUS_OK;
}

/* Lays the layers over the file, from the end of the head on, the last one first. */
static bool layers_lay(struct optimum *o, const unsigned char *index, size_t room)
{
	const unsigned char *at = o->bytes + OPTIMUM_HEAD_BYTES;
	uint64_t afterstates = 0;
	for (size_t i = o->layer_count; i-- > 0;) {
		const unsigned char *entry = index + i * OPTIMUM_ENTRY_BYTES;
		struct optimum_layer *layer = &o->layers[i];
		layer->sum = field_get64(entry);
		const uint64_t count = field_get64(entry + 8);
		layer->hash = field_get64(entry + 16);
		if (count == 0 || count > room / sizeof(double) ||
		    !codes_fit(o->base.keys.width, count) ||
		    (i + 1 < o->layer_count && layer->sum >= layer[1].sum))
			return false;
		codes_plan(&layer->codes, o->base.keys.width, count);
		const size_t bytes = optimum_layer_bytes(&layer->codes);
		if (bytes > room)
			return false;
		layer->at = at;
		at += bytes;
		room -= bytes;
		afterstates += count;
	}
	return room == 0 && afterstates == o->head.afterstates;
}

static enum status index_read(struct optimum *o, const struct optimum_layout *layout,
			      struct why *why)
{
	const size_t room = o->size - OPTIMUM_HEAD_BYTES;
	if (layout->layers > room / OPTIMUM_ENTRY_BYTES)
		return damaged(o, "the file ends early", "all layers and their index", why);
	const size_t size = (size_t)layout->layers * OPTIMUM_ENTRY_BYTES;
	const unsigned char *index = o->bytes + o->size - size;
	if (XXH3_64bits(index, size) != layout->index_hash)
		return damaged(o, "the index differs from its checksum",
			       "the one it was written with", why);
	o->layer_count = (size_t)layout->layers;
	o->layers = calloc(o->layer_count + 1, sizeof *o->layers);
	if (!o->layers)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", o->path);
	if (!layers_lay(o, index, room - size))
		return damaged(o, "the layers of the index do not fill the file",
			       "ascending sums and the sizes of the layers", why);
	return STATUS_OK;
}

enum status optimum_open(const char *path, const struct game *game, struct optimum **optimum,
			 struct why *why)
{
	struct optimum_layout layout;
	struct optimum *o = aligned_alloc(_Alignof(struct optimum), sizeof *o);
	char *name = strdup(path);
	if (!o || !name) {
		free(o);
		free(name);
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	}
	*o = (struct optimum){.path = name};
	enum status status = file_map(o, why);
	if (!status)
		status = optimum_head_decode(path, o->bytes, o->size, &o->head, &layout, why);
	if (!status && game)
		status = game_check(o, game, why);
	if (!status)
		status = optimum_base_init(&o->base, path, &o->head, why);
	if (!status)
		status = index_read(o, &layout, why);
	if (status) {
		optimum_close(o);
		return status;
	}
	*optimum = o;
	return STATUS_OK;
}

const char *optimum_path(const struct optimum *optimum)
{
	return optimum->path;
}

void optimum_close(struct optimum *optimum)
{
	if (!optimum)
		return;
	if (optimum->bytes)
		munmap((void *)optimum->bytes, optimum->size);
	free(optimum->layers);
	free(optimum->path);
	free(optimum);
}
