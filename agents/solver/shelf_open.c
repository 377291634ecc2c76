/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shelves made and taken up again; see shelf.h and shelf_format.h.
 *
 * Heads are followed from piece to piece. What ends in the middle of a piece, or has zeros where a
 * head should be, is what a killed process leaves behind: the file is cut off there. A head that is
 * neither whole nor zeros is damage, and nothing is cut off.
 */
#include "agents/fields.h"
#include "agents/solver/shelf_format.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "nxl\r\n\032\n\001";

enum { TEXT_AT = 8, HASH_AT = TEXT_AT + sizeof(struct shelf_head) };

_Static_assert(HASH_AT + 8 <= SHELF_HEAD_BYTES, "the head has room for its fields");

void piece_encode(const struct piece_entry *piece, unsigned char bytes[PIECE_HEAD_BYTES])
{
	memset(bytes, 0, PIECE_HEAD_BYTES);
	bytes[0] = (unsigned char)piece->kind;
	bytes[4] = (unsigned char)piece->form;
	bytes[5] = (unsigned char)piece->width;
	bytes[6] = 'p';
	bytes[7] = 'c';
	field_put64(bytes + 8, piece->sum);
	field_put64(bytes + 16, piece->count);
	field_put64(bytes + 24, piece->bytes);
	field_put64(bytes + 32, piece->hash[0]);
	field_put64(bytes + 40, piece->hash[1]);
	field_put64(bytes + 56, XXH3_64bits_withSeed(bytes, 56, (XXH64_hash_t)piece->at));
}

/* Whether the entries take as many bytes as the head says. */
static bool piece_fits(const struct piece_entry *piece)
{
	struct codes codes;
	switch (piece->form) {
	case FORM_CODES:
		if (!codes_fit(piece->width, piece->count))
			return false;
		codes_plan(&codes, piece->width, piece->count);
		return piece->bytes == codes.directory + codes.rests;
	case FORM_VALUES:
		return piece->count <= SIZE_MAX / 16 && piece->bytes == piece->count * 8;
	case FORM_BYTES:
		return piece->count <= SIZE_MAX / 16 && piece->bytes == piece->count;
	default:
		return false;
	}
}

bool piece_decode(const unsigned char bytes[PIECE_HEAD_BYTES], off_t at, struct piece_entry *piece)
{
	*piece = (struct piece_entry){
	    .kind = bytes[0],
	    .form = bytes[4],
	    .width = bytes[5],
	    .sum = field_get64(bytes + 8),
	    .count = field_get64(bytes + 16),
	    .bytes = field_get64(bytes + 24),
	    .hash = {field_get64(bytes + 32), field_get64(bytes + 40)},
	    .at = at,
	};
	return field_get64(bytes + 56) == XXH3_64bits_withSeed(bytes, 56, (XXH64_hash_t)at) &&
	       piece->kind < PIECES && piece_fits(piece);
}

static void head_encode(const struct shelf_head *head, unsigned char bytes[SHELF_HEAD_BYTES])
{
	memset(bytes, 0, SHELF_HEAD_BYTES);
	memcpy(bytes, magic, sizeof magic);
	memcpy(bytes + TEXT_AT, head->text, strnlen(head->text, sizeof head->text - 1));
	field_put64(bytes + HASH_AT, XXH3_64bits(bytes, HASH_AT));
}

static enum status head_write(struct shelf *shelf, const unsigned char *bytes, struct why *why)
{
	struct outflow out;
	outflow_init(&out, shelf->fd, 0);
	outflow_bytes(&out, bytes, SHELF_HEAD_BYTES);
	errno = out.error;
	if (out.error)
		return why_errno(
		    why, "%s: cannot be written; --work DIR names another folder for layers",
		    shelf->path);
	shelf->end = SHELF_HEAD_BYTES;
	return STATUS_OK;
}

static bool text_sound(const unsigned char *bytes)
{
	return field_text_sound(bytes + TEXT_AT, sizeof(struct shelf_head));
}

/* Begins a file, or checks the head of one; a head of which only the beginning is there is torn. */
static enum status head_settle(struct shelf *shelf, const struct shelf_head *head, struct why *why)
{
	unsigned char want[SHELF_HEAD_BYTES], has[SHELF_HEAD_BYTES];
	head_encode(head, want);
	assert(text_sound(want));
	const ssize_t got = file_read_at(shelf->fd, has, sizeof has, 0);
	if (got < 0)
		return why_errno(why, "%s: cannot be read", shelf->path);
	const size_t size = (size_t)got;
	if (memcmp(has, magic, size < sizeof magic ? size : sizeof magic) != 0)
		return why_set(why, STATUS_INPUT,
			       "%s: not a file of layers, expected one written by this version of "
			       "nxn, or none",
			       shelf->path);
	if (size < sizeof has)
		return head_write(shelf, want, why);
	if (field_get64(has + HASH_AT) != XXH3_64bits(has, HASH_AT) || !text_sound(has))
		return why_set(why, STATUS_INPUT,
			       "%s: damaged head, expected contents that match its checksum; "
			       "without the file solving begins anew",
			       shelf->path);
	if (memcmp(want, has, HASH_AT) != 0)
		return why_set(why, STATUS_INPUT,
			       "%s: layers of '%.300s', expected '%.300s'; another folder is for "
			       "another task",
			       shelf->path, (const char *)has + TEXT_AT,
			       (const char *)want + TEXT_AT);
	shelf->end = SHELF_HEAD_BYTES;
	return STATUS_OK;
}

/* The piece at AT: true if there is one; otherwise the file is to end here, or STATUS tells why not. */
static bool piece_next(struct shelf *shelf, off_t at, off_t size, enum status *status,
		       struct why *why)
{
	static const unsigned char zeros[PIECE_HEAD_BYTES];
	unsigned char bytes[PIECE_HEAD_BYTES];
	struct piece_entry piece;
	const ssize_t got = file_read_at(shelf->fd, bytes, sizeof bytes, at);
	if (got < 0)
		*status = why_errno(why, "%s: cannot be read", shelf->path);
	if (got < (ssize_t)sizeof bytes || memcmp(bytes, zeros, sizeof bytes) == 0)
		return false;
	if (!piece_decode(bytes, at, &piece) ||
	    shelf_count(shelf, piece.kind, piece.sum) != SIZE_MAX) {
		*status = why_set(why, STATUS_INPUT,
				  "%s: damaged at byte %jd, expected a piece of a layer; without "
				  "the file solving begins anew",
				  shelf->path, (intmax_t)at);
		return false;
	}
	if (piece.bytes > (uint64_t)(size - at - PIECE_HEAD_BYTES))
		return false;
	*status = shelf_enter(shelf, &piece, why);
	shelf->end = at + PIECE_HEAD_BYTES + (off_t)piece.bytes;
	return !*status;
}

/* Finds the whole pieces and cuts off what follows them. */
static enum status pieces_find(struct shelf *shelf, struct why *why)
{
	struct stat st;
	enum status status = STATUS_OK;
	if (fstat(shelf->fd, &st) != 0)
		return why_errno(why, "%s: cannot be read", shelf->path);
	while (piece_next(shelf, shelf_next(shelf->end), st.st_size, &status, why))
		;
	if (!status && st.st_size > shelf->end && ftruncate(shelf->fd, shelf->end) != 0)
		status = why_errno(why, "%s: cannot cut off its torn last piece", shelf->path);
	return status;
}

static enum status temporary_open(struct shelf *shelf, struct why *why)
{
	const char *folder = getenv("TMPDIR");
	folder = folder && *folder ? folder : "/tmp";
	snprintf(shelf->path, sizeof shelf->path, "%s/nxn-layers-XXXXXX", folder);
	shelf->fd = mkostemp(shelf->path, O_CLOEXEC);
	if (shelf->fd < 0)
		return why_errno(why,
				 "%s: cannot make a temporary file there; --work DIR names another "
				 "folder",
				 folder);
	unlink(shelf->path);
	snprintf(shelf->path, sizeof shelf->path, "a temporary file in %s", folder);
	return STATUS_OK;
}

static enum status named_open(struct shelf *shelf, const char *folder, struct why *why)
{
	struct stat st;
	shelf->named = true;
	const int length = snprintf(shelf->path, sizeof shelf->path, "%s/layers.nxl", folder);
	if ((size_t)length >= sizeof shelf->path)
		return why_set(why, STATUS_INPUT, "%.80s...: too long a path", folder);
	const bool made = mkdir(folder, 0777) == 0;
	if (!made && errno == ENOTDIR)
		return why_set(why, STATUS_INPUT,
			       "%s: is below what is not a folder; expected a folder for layers",
			       folder);
	if (!made && errno != EEXIST)
		return why_errno(why, "%s: cannot make the folder", folder);
	/* O_NONBLOCK, lest a named pipe keeps us waiting. */
	shelf->fd = open(shelf->path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
	if (shelf->fd < 0 && errno == ENOTDIR)
		return why_set(why, STATUS_INPUT,
			       "%s: is not a folder; expected a folder for layers", folder);
	if (shelf->fd < 0)
		return why_file(why, shelf->path, "cannot be opened for writing");
	if (fstat(shelf->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return why_set(why, STATUS_INPUT,
			       "%s: not a regular file, expected a file of layers, or none",
			       shelf->path);
	/* Where there are no locks, as on some network file systems, it goes on without one. */
	if (flock(shelf->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return why_set(why, STATUS_INPUT,
			       "%s: another process is at work on it, expected a folder of its own",
			       shelf->path);
	return STATUS_OK;
}

enum status shelf_open(struct shelf **shelf, const char *folder, const struct shelf_head *head,
		       struct why *why)
{
	struct shelf *s = calloc(1, sizeof *s);
	if (!s)
		return why_set(why, STATUS_SYSTEM, "out of memory for a solver's layers");
	s->fd = -1;
	enum status status = folder ? named_open(s, folder, why) : temporary_open(s, why);
	if (!status)
		status = head_settle(s, head, why);
	if (!status)
		status = pieces_find(s, why);
	if (status) {
		s->named = false; /* nothing to force to the disk */
		shelf_close(s);
		return status;
	}
	s->found = s->end;
	*shelf = s;
	return STATUS_OK;
}
