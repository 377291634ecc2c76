/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading model files that nobody vouches for; see model.h and model_format.h.
 *
 * Memory is what the reader holds, a fixed buffer and a zstd window of at most 8 MiB, and what the
 * caller asks for: nothing in the file sizes an allocation here.
 */
#include "agents/model_format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WINDOW_LOG_MAX = 23 };

struct model_reader {
	XXH3_state_t hash; /* of the sections so far */
	ZSTD_DCtx *zstd;
	struct model_head head;
	uint32_t section; /* being read, from 0 */
	bool frame_ended; /* nothing is left of it */
	int fd;
	char *path;
	ZSTD_inBuffer in; /* what of `bytes` is filled and used */
	unsigned char bytes[1 << 16];
};

/* The number of bytes got, less than SIZE only at the end of the file; -1 with errno. */
static ssize_t read_some(int fd, unsigned char *data, size_t size)
{
	size_t got = 0;
	while (got < size) {
		ssize_t n = read(fd, data + got, size - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

/* Opens PATH; O_NONBLOCK, lest a named pipe keeps us waiting for a writer. */
static enum status file_open(const char *path, int *fd, struct why *why)
{
	struct stat st;
	int opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (opened < 0) {
		bool absent = errno == ENOENT || errno == ENOTDIR;
		why_errno(why, "%s: cannot open the model", path);
		return absent ? STATUS_INPUT : STATUS_SYSTEM;
	}
	if (fstat(opened, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(opened);
		return why_set(why, STATUS_INPUT, "%s: not a regular file, expected a model file",
			       path);
	}
	*fd = opened;
	return STATUS_OK;
}

static enum status head_read(struct model_reader *r, struct why *why)
{
	unsigned char bytes[MODEL_HEAD_BYTES];
	ssize_t got = read_some(r->fd, bytes, sizeof bytes);
	if (got < 0)
		return why_errno(why, "%s: cannot read", r->path);
	return model_head_decode(r->path, bytes, (size_t)got, &r->head, why);
}

enum status model_open(struct model_reader **reader, const char *path, struct why *why)
{
	int fd = -1;
	enum status status = file_open(path, &fd, why);
	if (status != STATUS_OK)
		return status;
	struct model_reader *r = aligned_alloc(_Alignof(struct model_reader), sizeof *r);
	if (!r) {
		close(fd);
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	}
	*r = (struct model_reader){.fd = fd};
	r->in.src = r->bytes;
	XXH3_64bits_reset(&r->hash);
	r->path = strdup(path);
	r->zstd = ZSTD_createDCtx();
	if (r->path && r->zstd) {
		ZSTD_DCtx_setParameter(r->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
		status = head_read(r, why);
	} else {
		status = why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	}
	if (status != STATUS_OK) {
		model_close(r);
		return status;
	}
	*reader = r;
	return STATUS_OK;
}

const struct model_head *model_head(const struct model_reader *reader)
{
	return &reader->head;
}

enum status model_expect(const struct model_reader *reader, const struct model_head *want,
			 struct why *why)
{
	const struct model_head *head = &reader->head;
	const struct {
		const char *what, *has, *wants;
	} texts[] = {
	    {"agent", head->agent, want->agent},
	    {"board", head->board, want->board},
	    {"spawn rule", head->spawn, want->spawn},
	    {"layout", head->layout, want->layout},
	};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (strcmp(texts[i].has, texts[i].wants) != 0)
			return why_set(why, STATUS_INPUT,
				       "%s: a model for %s '%s', expected %s '%s'", reader->path,
				       texts[i].what, texts[i].has, texts[i].what, texts[i].wants);
	if (head->sections != want->sections)
		return why_set(why, STATUS_INPUT,
			       "%s: a model of %" PRIu32 " sections, expected %" PRIu32,
			       reader->path, head->sections, want->sections);
	return STATUS_OK;
}

enum status model_reject(const struct model_reader *reader, const char *what, const char *want,
			 struct why *why)
{
	return why_set(why, STATUS_INPUT, "%s: damaged: %s, expected %s", reader->path, what, want);
}

/* Makes sure that at least one byte of input is there. */
static enum status refill(struct model_reader *r, struct why *why)
{
	if (r->in.pos < r->in.size)
		return STATUS_OK;
	ssize_t got = read_some(r->fd, r->bytes, sizeof r->bytes);
	if (got < 0)
		return why_errno(why, "%s: cannot read", r->path);
	if (got == 0)
		return why_set(why, STATUS_INPUT,
			       "%s: truncated, expected %" PRIu32 " sections and a checksum",
			       r->path, r->head.sections);
	r->in.pos = 0;
	r->in.size = (size_t)got;
	return STATUS_OK;
}

/* One step of decompression into OUT. */
static enum status inflate_some(struct model_reader *r, ZSTD_outBuffer *out, struct why *why)
{
	enum status status = refill(r, why);
	if (status != STATUS_OK)
		return status;
	size_t before = r->in.pos;
	size_t left = ZSTD_decompressStream(r->zstd, out, &r->in);
	if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", r->path);
	if (ZSTD_isError(left))
		return model_reject(r, ZSTD_getErrorName(left), "a zstd frame with its checksum",
				    why);
	XXH3_64bits_update(&r->hash, r->bytes + before, r->in.pos - before);
	r->frame_ended = left == 0;
	return STATUS_OK;
}

static enum status ends_early(const struct model_reader *r, struct why *why)
{
	return model_reject(r, "a section ends early", "more data", why);
}

enum status model_read_more(struct model_reader *r, void *data, size_t size, bool *more,
			    struct why *why)
{
	ZSTD_outBuffer out = {data, size, 0};
	assert(r->section < r->head.sections);
	while (!r->frame_ended && out.pos < size) {
		enum status status = inflate_some(r, &out, why);
		if (status != STATUS_OK)
			return status;
	}
	if (out.pos > 0 && out.pos < size)
		return ends_early(r, why);
	*more = out.pos == size;
	return STATUS_OK;
}

enum status model_read(struct model_reader *r, void *data, size_t size, struct why *why)
{
	bool more;
	enum status status = model_read_more(r, data, size, &more, why);
	return status || more ? status : ends_early(r, why);
}

enum status model_read_end(struct model_reader *r, struct why *why)
{
	unsigned char extra;
	ZSTD_outBuffer out = {&extra, sizeof extra, 0};
	assert(r->section < r->head.sections);
	while (!r->frame_ended && out.pos == 0) {
		enum status status = inflate_some(r, &out, why);
		if (status != STATUS_OK)
			return status;
	}
	if (out.pos > 0)
		return model_reject(r, "a section goes on", "its end", why);
	r->frame_ended = false;
	r->section++;
	return STATUS_OK;
}

enum status model_finish(struct model_reader *r, struct why *why)
{
	unsigned char hash[MODEL_HASH_BYTES];
	assert(r->section == r->head.sections);
	for (int i = 0; i < MODEL_HASH_BYTES; i++) {
		enum status status = refill(r, why);
		if (status != STATUS_OK)
			return status;
		hash[i] = r->bytes[r->in.pos++];
	}
	if (model_get64(hash) != XXH3_64bits_digest(&r->hash))
		return model_reject(r, "the checksum differs", "the one the file ends with", why);
	unsigned char extra;
	const ssize_t got = r->in.pos < r->in.size ? 1 : read_some(r->fd, &extra, 1);
	if (got < 0)
		return why_errno(why, "%s: cannot read", r->path);
	if (got > 0)
		return model_reject(r, "something follows the checksum", "the end of the file",
				    why);
	return STATUS_OK;
}

void model_close(struct model_reader *reader)
{
	if (!reader)
		return;
	close(reader->fd);
	ZSTD_freeDCtx(reader->zstd);
	free(reader->path);
	free(reader);
}
