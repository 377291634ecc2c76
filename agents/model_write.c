/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing model files: a stream of zstd frames into a temporary that is renamed when all of it has
 * reached the disk; see model.h.
 *
 * Invariant: nobody ever sees a part of a file under its final name.
 */
#include "agents/model_format.h"
#include "base/atomic_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

struct model_writer {
	XXH3_state_t hash; /* of the sections so far */
	ZSTD_CCtx *zstd;
	uint32_t sections_left;
	struct atomic_file atomic;
	unsigned char out[1 << 16];
};

enum status model_create(struct model_writer **writer, const char *path,
			 const struct model_head *head, struct why *why)
{
	struct atomic_file atomic;
	enum status status = atomic_file_begin(&atomic, path, "a model file", why);
	if (status != STATUS_OK)
		return status;
	struct model_writer *w = aligned_alloc(_Alignof(struct model_writer), sizeof *w);
	if (!w) {
		atomic_file_abort(&atomic);
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	}
	*w = (struct model_writer){.atomic = atomic, .sections_left = head->sections};
	XXH3_64bits_reset(&w->hash);
	w->zstd = ZSTD_createCCtx();
	if (!w->zstd) {
		status = why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
		goto fail;
	}
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
	unsigned char bytes[MODEL_HEAD_BYTES];
	model_head_encode(head, bytes);
	status = atomic_file_write(&w->atomic, bytes, sizeof bytes, why);
	if (status != STATUS_OK)
		goto fail;
	*writer = w;
	return STATUS_OK;
fail:
	model_abort(w);
	return status;
}

static enum status frame_write(struct model_writer *w, const void *data, size_t size,
			       ZSTD_EndDirective directive, struct why *why)
{
	ZSTD_inBuffer in = {data, size, 0};
	bool done = false;
	while (!done) {
		ZSTD_outBuffer out = {w->out, sizeof w->out, 0};
		size_t left = ZSTD_compressStream2(w->zstd, &out, &in, directive);
		if (ZSTD_isError(left))
			return why_set(why, STATUS_SYSTEM, "%s: cannot compress: %s",
				       w->atomic.temporary, ZSTD_getErrorName(left));
		XXH3_64bits_update(&w->hash, w->out, out.pos);
		enum status status = atomic_file_write(&w->atomic, w->out, out.pos, why);
		if (status != STATUS_OK)
			return status;
		done = directive == ZSTD_e_end ? left == 0 : in.pos == in.size;
	}
	return STATUS_OK;
}

enum status model_write(struct model_writer *writer, const void *data, size_t size, struct why *why)
{
	assert(writer->sections_left > 0);
	return frame_write(writer, data, size, ZSTD_e_continue, why);
}

enum status model_write_end(struct model_writer *writer, struct why *why)
{
	assert(writer->sections_left > 0);
	writer->sections_left--;
	return frame_write(writer, NULL, 0, ZSTD_e_end, why);
}

enum status model_commit(struct model_writer *w, struct why *why)
{
	assert(w->sections_left == 0);
	unsigned char hash[MODEL_HASH_BYTES];
	model_put64(hash, XXH3_64bits_digest(&w->hash));
	enum status status = atomic_file_write(&w->atomic, hash, sizeof hash, why);
	if (status == STATUS_OK)
		status = atomic_file_commit(&w->atomic, why);
	model_abort(w);
	return status;
}

void model_abort(struct model_writer *writer)
{
	if (!writer)
		return;
	atomic_file_abort(&writer->atomic);
	ZSTD_freeCCtx(writer->zstd);
	free(writer);
}
