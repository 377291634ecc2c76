/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces of a shelf, written and read; see shelf.h and shelf_format.h.
 *
 * Everything flows through small buffers, so a piece takes no memory besides what it is made from
 * or read into.
 *
 * Invariant: the list has the whole pieces that lie before `end`, and the file nothing behind it.
 */
#include "agents/solver/shelf_format.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

size_t shelf_place(const struct shelf *shelf, enum piece kind, uint64_t sum)
{
	size_t low = 0, high = shelf->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct piece_entry *p = &shelf->pieces[middle];
		if (p->kind < kind || (p->kind == kind && p->sum < sum))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct piece_entry *piece_find(const struct shelf *shelf, enum piece kind,
					    uint64_t sum)
{
	const size_t i = shelf_place(shelf, kind, sum);
	const struct piece_entry *p = i < shelf->count ? &shelf->pieces[i] : NULL;
	return p && p->kind == kind && p->sum == sum ? p : NULL;
}

enum status shelf_enter(struct shelf *shelf, const struct piece_entry *piece, struct why *why)
{
	if (shelf->count == shelf->capacity) {
		const size_t capacity = shelf->capacity * 2 + 64;
		struct piece_entry *grown = realloc(shelf->pieces, capacity * sizeof *grown);
		if (!grown)
			return why_set(why, STATUS_SYSTEM, "%s: out of memory", shelf->path);
		shelf->pieces = grown;
		shelf->capacity = capacity;
	}
	const size_t i = shelf_place(shelf, piece->kind, piece->sum);
	memmove(shelf->pieces + i + 1, shelf->pieces + i,
		(shelf->count - i) * sizeof *shelf->pieces);
	shelf->pieces[i] = *piece;
	shelf->count++;
	return STATUS_OK;
}

size_t shelf_count(const struct shelf *shelf, enum piece kind, uint64_t sum)
{
	const struct piece_entry *piece = piece_find(shelf, kind, sum);
	return piece ? (size_t)piece->count : SIZE_MAX;
}

uint64_t shelf_bytes(const struct shelf *shelf)
{
	return (uint64_t)shelf->end;
}

static enum status write_failed(const struct shelf *shelf, int error, struct why *why)
{
	errno = error;
	if (error == ENOSPC || error == EDQUOT || error == EFBIG)
		return why_errno(why,
				 "%s: no room for more than the %.1f GB of layers it has: free "
				 "some, or name another folder with --work DIR",
				 shelf->path, (double)shelf->end / 1e9);
	return why_errno(why, "%s: cannot be written", shelf->path);
}

/* Begins a piece: its contents go into OUT. */
static struct piece_entry piece_begin(const struct shelf *shelf, enum piece kind, enum form form,
				      uint64_t sum, uint64_t count, struct outflow *out)
{
	assert(kind < PIECES && !piece_find(shelf, kind, sum));
	struct piece_entry piece = {
	    .kind = kind,
	    .form = form,
	    .sum = sum,
	    .count = count,
	    .at = shelf_next(shelf->end),
	};
	outflow_init(out, shelf->fd, piece.at + PIECE_HEAD_BYTES);
	return piece;
}

/* Ends a piece whose contents are in the file. */
static enum status piece_end(struct shelf *shelf, struct piece_entry *piece, struct outflow *out,
			     struct why *why)
{
	unsigned char bytes[PIECE_HEAD_BYTES];
	const off_t end = out->at;
	piece->bytes = (uint64_t)(end - piece->at - PIECE_HEAD_BYTES);
	piece_encode(piece, bytes);
	out->at = piece->at;
	outflow_bytes(out, bytes, sizeof bytes);
	enum status status =
	    out->error ? write_failed(shelf, out->error, why) : shelf_enter(shelf, piece, why);
	if (!status)
		shelf->end = end;
	else if (ftruncate(shelf->fd, shelf->end) != 0)
		errno = 0; /* It is cut off when the file is taken up again. */
	return status;
}

enum status shelf_put_codes(struct shelf *shelf, enum piece kind, uint64_t sum, int width,
			    const uint64_t *code, size_t n, struct why *why)
{
	struct outflow out;
	struct codes codes;
	codes_plan(&codes, width, n);
	struct piece_entry piece = piece_begin(shelf, kind, FORM_CODES, sum, n, &out);
	piece.width = width;
	codes_put_directory(&codes, code, &out);
	piece.hash[0] = outflow_hash(&out);
	codes_put_rests(&codes, code, &out);
	piece.hash[1] = outflow_hash(&out);
	return piece_end(shelf, &piece, &out, why);
}

enum status shelf_put_values(struct shelf *shelf, enum piece kind, uint64_t sum,
			     const double *value, size_t n, struct why *why)
{
	struct outflow out;
	struct piece_entry piece = piece_begin(shelf, kind, FORM_VALUES, sum, n, &out);
	outflow_doubles(&out, value, n);
	piece.hash[0] = outflow_hash(&out);
	return piece_end(shelf, &piece, &out, why);
}

enum status shelf_put_bytes(struct shelf *shelf, enum piece kind, uint64_t sum, const void *data,
			    size_t n, struct why *why)
{
	struct outflow out;
	struct piece_entry piece = piece_begin(shelf, kind, FORM_BYTES, sum, n, &out);
	outflow_bytes(&out, data, n);
	piece.hash[0] = outflow_hash(&out);
	return piece_end(shelf, &piece, &out, why);
}

bool shelf_found(const struct shelf *shelf, enum piece kind, uint64_t sum)
{
	const struct piece_entry *piece = piece_find(shelf, kind, sum);
	return piece && piece->at < shelf->found;
}

static enum status damaged(const struct shelf *shelf, const struct piece_entry *piece,
			   struct why *why)
{
	return why_set(why, STATUS_INPUT,
		       "%s: damaged in layer %" PRIu64
		       ", expected contents that match their checksum; without the file solving "
		       "begins anew",
		       shelf->path, piece->sum);
}

/* A piece that is there; a forged file may have it in another form, or of codes of another width. */
static enum status piece_take(const struct shelf *shelf, enum piece kind, uint64_t sum,
			      enum form form, int width, const struct piece_entry **piece,
			      struct why *why)
{
	*piece = piece_find(shelf, kind, sum);
	assert(*piece);
	return (*piece)->form == form && (*piece)->width == width ? STATUS_OK
								  : damaged(shelf, *piece, why);
}

/* Whether what came through IN is what was written with HASH. */
static enum status contents_check(const struct shelf *shelf, const struct piece_entry *piece,
				  struct inflow *in, uint64_t hash, struct why *why)
{
	const uint64_t got = inflow_hash(in);
	errno = in->error;
	if (in->error)
		return why_errno(why, "%s: cannot be read", shelf->path);
	return got == hash ? STATUS_OK : damaged(shelf, piece, why);
}

enum status shelf_get_codes(const struct shelf *shelf, enum piece kind, uint64_t sum, int width,
			    uint64_t *code, struct why *why)
{
	struct inflow directory, rests;
	struct codes codes;
	const struct piece_entry *piece;
	enum status status = piece_take(shelf, kind, sum, FORM_CODES, width, &piece, why);
	if (status)
		return status;
	codes_plan(&codes, piece->width, piece->count);
	const off_t at = piece->at + PIECE_HEAD_BYTES, middle = at + (off_t)codes.directory;
	inflow_init(&directory, shelf->fd, at, middle);
	inflow_init(&rests, shelf->fd, middle, at + (off_t)piece->bytes);
	const bool sound = codes_get(&codes, &directory, &rests, code);
	status = contents_check(shelf, piece, &directory, piece->hash[0], why);
	if (!status)
		status = contents_check(shelf, piece, &rests, piece->hash[1], why);
	if (!status && !sound)
		status = damaged(shelf, piece, why);
	return status;
}

enum status shelf_get_values(const struct shelf *shelf, enum piece kind, uint64_t sum,
			     double *value, struct why *why)
{
	struct inflow in;
	const struct piece_entry *piece;
	enum status status = piece_take(shelf, kind, sum, FORM_VALUES, 0, &piece, why);
	if (status)
		return status;
	const off_t at = piece->at + PIECE_HEAD_BYTES;
	inflow_init(&in, shelf->fd, at, at + (off_t)piece->bytes);
	inflow_doubles(&in, value, (size_t)piece->count);
	return contents_check(shelf, piece, &in, piece->hash[0], why);
}

enum status shelf_get_bytes(const struct shelf *shelf, enum piece kind, uint64_t sum, void *data,
			    struct why *why)
{
	struct inflow in;
	const struct piece_entry *piece;
	enum status status = piece_take(shelf, kind, sum, FORM_BYTES, 0, &piece, why);
	if (status)
		return status;
	const off_t at = piece->at + PIECE_HEAD_BYTES;
	inflow_init(&in, shelf->fd, at, at + (off_t)piece->bytes);
	inflow_bytes(&in, data, (size_t)piece->count);
	return contents_check(shelf, piece, &in, piece->hash[0], why);
}

void shelf_close(struct shelf *shelf)
{
	if (!shelf)
		return;
	if (shelf->named)
		fsync(shelf->fd);
	if (shelf->fd >= 0)
		close(shelf->fd);
	free(shelf->pieces);
	free(shelf);
}
