/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing table files; see optimum.h and optimum_format.h. Layers go through a small buffer into a
 * temporary that is renamed when all of it has reached the disk; the head comes last.
 */
#include "agents/fields.h"
#include "agents/solver/optimum_format.h"
#include "base/atomic_file.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

struct entry {
	uint64_t sum, count, hash;
};

struct optimum_writer {
	struct optimum_base base;
	struct atomic_file atomic;
	struct outflow out;
	struct entry *entries; /* by descending sum */
	size_t layers, capacity;
	uint64_t afterstates;
};

enum status optimum_create(struct optimum_writer **writer, const char *path,
			   const struct optimum_head *head, struct why *why)
{
	struct optimum_writer *w = aligned_alloc(_Alignof(struct optimum_writer), sizeof *w);
	if (!w)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	*w = (struct optimum_writer){.atomic.fd = -1};
	enum status status = optimum_base_init(&w->base, path, head, why);
	if (!status)
		status = atomic_file_begin(&w->atomic, path, "a table file", why);
	if (status) {
		free(w);
		return status;
	}
	outflow_init(&w->out, w->atomic.fd, OPTIMUM_HEAD_BYTES);
	*writer = w;
	return STATUS_OK;
}

static enum status write_status(const struct optimum_writer *w, struct why *why)
{
	errno = w->out.error;
	return w->out.error ? why_errno(why, "%s: cannot be written", w->atomic.temporary)
			    : STATUS_OK;
}

static enum status entry_add(struct optimum_writer *w, const struct entry *entry, struct why *why)
{
	if (w->layers == w->capacity) {
		const size_t capacity = w->capacity * 2 + 64;
		struct entry *grown = realloc(w->entries, capacity * sizeof *grown);
		if (!grown)
			return why_set(why, STATUS_SYSTEM, "%s: out of memory", w->atomic.path);
		w->entries = grown;
		w->capacity = capacity;
	}
	w->entries[w->layers++] = *entry;
	w->afterstates += entry->count;
	return STATUS_OK;
}

enum status optimum_put(struct optimum_writer *w, uint64_t sum, const uint64_t *code,
			const double *value, size_t n, struct why *why)
{
	struct codes codes;
	assert(w->layers == 0 || sum < w->entries[w->layers - 1].sum);
	if (n == 0)
		return STATUS_OK;
	codes_plan(&codes, w->base.keys.width, n);
	codes_put_directory(&codes, code, &w->out);
	codes_put_rests(&codes, code, &w->out);
	outflow_doubles(&w->out, value, n);
	const struct entry entry = {sum, n, outflow_hash(&w->out)};
	enum status status = write_status(w, why);
	return status ? status : entry_add(w, &entry, why);
}

/* Writes the index and then the head. */
static enum status ends_write(struct optimum_writer *w, const struct optimum_head *head,
			      struct why *why)
{
	unsigned char bytes[OPTIMUM_HEAD_BYTES];
	struct optimum_head complete = *head;
	struct optimum_layout layout = {.layers = w->layers};
	complete.afterstates = w->afterstates;
	for (size_t i = w->layers; i-- > 0;) {
		outflow_u64(&w->out, w->entries[i].sum);
		outflow_u64(&w->out, w->entries[i].count);
		outflow_u64(&w->out, w->entries[i].hash);
	}
	layout.index_hash = outflow_hash(&w->out);
	optimum_head_encode(&complete, &layout, bytes);
	w->out.at = 0;
	outflow_bytes(&w->out, bytes, sizeof bytes);
	return write_status(w, why);
}

enum status optimum_commit(struct optimum_writer *w, const struct optimum_head *head,
			   struct why *why)
{
	enum status status = ends_write(w, head, why);
	if (!status)
		status = atomic_file_commit(&w->atomic, why);
	optimum_abort(w);
	return status;
}

void optimum_abort(struct optimum_writer *writer)
{
	if (!writer)
		return;
	atomic_file_abort(&writer->atomic);
	free(writer->entries);
	free(writer);
}
