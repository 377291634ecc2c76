/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file of layers; see solving.h.
 *
 * 	offset  bytes
 * 	     0      8  "nxl\r\n\032\n" and the format version
 * 	     8   1024  the task, padded with NULs
 * 	  1032      8  XXH3 of the 1032 bytes before
 * 	  1040     48  0
 * 	  1088         pieces, each at a multiple of 64, with zeros before it
 *
 * 	in a piece
 * 	     0      4  kind, enum piece_kind
 * 	     4      1  form, enum form
 * 	     5      1  width of codes in bits, or 0
 * 	     6      2  "pc"
 * 	     8      8  sum of the layer
 * 	    16      8  number of entries
 * 	    24      8  bytes of contents
 * 	    32     16  XXH3: for codes of directory and of rests; for others of the contents, and 0
 * 	    48      8  0
 * 	    56      8  XXH3 of the 56 bytes before, seeded with the offset of the piece
 * 	    64         contents
 *
 * Numbers are little-endian. The 64-byte header of a piece, which lies within one page, is written
 * after its contents. Opening a file follows the headers from piece to piece and verifies all
 * contents, even of layers that are not needed again, so no damage is overlooked. If the file ends
 * in the middle of a piece, or has zeros in place of a header, a process was killed: the file is
 * truncated there. A header that is neither valid nor zero is damage; nothing is truncated then.
 *
 * Contents are written through a small buffer and mapped to be read, so a piece needs no memory
 * besides its source or destination. Invariant: the list contains the complete pieces before
 * `end`, and the file has nothing after `end`.
 */
#include "agents/solver/solving.h"

#include "agents/fields.h"
#include "agents/solver/packed_keys.h"
#include "base/array.h"
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const unsigned char zeros[64];
static const char layers_magic[8] = "nxl\r\n\032\n\001";

enum { TASK_AT = 8, TASK_HASH_AT = TASK_AT + LAYER_TASK_MAX };
enum { FILE_HEAD_BYTES = 1088, PIECE_HEAD_BYTES = 64 };

_Static_assert(TASK_HASH_AT + 8 <= FILE_HEAD_BYTES, "the fields fit into the head");

enum form { FORM_CODES, FORM_VALUES, FORM_BYTES };

static const enum form piece_forms[PIECES] = {FORM_CODES, FORM_CODES, FORM_VALUES, FORM_BYTES};

/* A piece: the contents of its header, and its offset. */
struct piece {
	enum piece_kind kind;
	uint64_t sum, count, bytes;
	uint64_t hash[2];
	struct packed_keys packed; /* of codes */
	off_t at;		   /* offset of its header */
};

struct layer_file {
	int fd;
	int width;	      /* bits per code */
	off_t end;	      /* end of the last complete piece */
	off_t found;	      /* value of `end` after opening */
	struct piece *pieces; /* sorted by sum, then kind, once the file is open */
	size_t count, capacity;
	bool named;
	char path[FOLDER_PATH_MAX];
};

static bool is_codes(const struct piece *piece)
{
	return piece_forms[piece->kind] == FORM_CODES;
}

static void piece_encode(const struct piece *piece, int width,
			 unsigned char bytes[PIECE_HEAD_BYTES])
{
	memset(bytes, 0, PIECE_HEAD_BYTES);
	bytes[0] = (unsigned char)piece->kind;
	bytes[4] = (unsigned char)piece_forms[piece->kind];
	bytes[5] = (unsigned char)(is_codes(piece) ? width : 0);
	bytes[6] = 'p';
	bytes[7] = 'c';
	field_put64(bytes + 8, piece->sum);
	field_put64(bytes + 16, piece->count);
	field_put64(bytes + 24, piece->bytes);
	field_put64(bytes + 32, piece->hash[0]);
	field_put64(bytes + 40, piece->hash[1]);
	field_put64(bytes + 56, XXH3_64bits_withSeed(bytes, 56, (XXH64_hash_t)piece->at));
}

/* Sets the bytes of the contents; false if there cannot be so many entries. */
static bool piece_measure(struct piece *piece, int width)
{
	if (piece->count > SIZE_MAX / 16 ||
	    (is_codes(piece) && !packed_keys_fit(width, piece->count)))
		return false;
	piece->bytes =
	    piece->count * (piece_forms[piece->kind] == FORM_VALUES ? sizeof(double) : 1);
	if (is_codes(piece)) {
		packed_keys_plan(&piece->packed, width, piece->count);
		piece->bytes = piece->packed.directory + piece->packed.rests;
	}
	return true;
}

/* Decodes the header of a piece at AT, with codes of WIDTH bits; false if it is invalid. */
static bool piece_decode(const unsigned char bytes[PIECE_HEAD_BYTES], off_t at, int width,
			 struct piece *piece)
{
	unsigned char same[PIECE_HEAD_BYTES];
	*piece = (struct piece){
	    .kind = bytes[0],
	    .sum = field_get64(bytes + 8),
	    .count = field_get64(bytes + 16),
	    .hash = {field_get64(bytes + 32), field_get64(bytes + 40)},
	    .at = at,
	};
	if (piece->kind >= PIECES || !piece_measure(piece, width))
		return false;
	piece_encode(piece, width, same);
	return memcmp(bytes, same, sizeof same) == 0;
}

static off_t piece_after(off_t end)
{
	return (end + PIECE_HEAD_BYTES - 1) / PIECE_HEAD_BYTES * PIECE_HEAD_BYTES;
}

static int piece_compare(const void *a, const void *b)
{
	const struct piece *p = a, *q = b;
	if (p->sum != q->sum)
		return p->sum < q->sum ? -1 : 1;
	return (p->kind > q->kind) - (p->kind < q->kind);
}

static const struct piece *piece_find(const struct layer_file *file, enum piece_kind kind,
				      uint64_t sum)
{
	const struct piece wanted = {.kind = kind, .sum = sum};
	return file->count
		   ? bsearch(&wanted, file->pieces, file->count, sizeof wanted, piece_compare)
		   : NULL;
}

/* Appends PIECE to the list. STATUS_SYSTEM if memory runs out. */
static enum status piece_append(struct layer_file *file, const struct piece *piece, struct why *why)
{
	struct piece *grown = array_grow(file->pieces, file->count, &file->capacity, sizeof *grown);
	if (!grown)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", file->path);
	file->pieces = grown;
	file->pieces[file->count++] = *piece;
	return STATUS_OK;
}

/* Moves the last piece of the list to its place. */
static void piece_settle(struct layer_file *file)
{
	struct piece *pieces = file->pieces;
	for (size_t i = file->count - 1; i > 0 && piece_compare(&pieces[i - 1], &pieces[i]) > 0;
	     i--) {
		const struct piece after = pieces[i - 1];
		pieces[i - 1] = pieces[i];
		pieces[i] = after;
	}
}

size_t layer_file_count(const struct layer_file *file, enum piece_kind kind, uint64_t sum)
{
	const struct piece *piece = piece_find(file, kind, sum);
	return piece ? (size_t)piece->count : SIZE_MAX;
}

uint64_t layer_file_bytes(const struct layer_file *file)
{
	return (uint64_t)file->end;
}

static enum status write_failed(const struct layer_file *file, int error, struct why *why)
{
	errno = error;
	if (error == ENOSPC || error == EDQUOT || error == EFBIG)
		return why_errno(why,
				 "%s: no room for more than the %.1f GB of layers it has: free "
				 "some, or name another folder with --work DIR",
				 file->path, (double)file->end / 1e9);
	return why_errno(why, "%s: cannot be written", file->path);
}

/* Writes DATA and sets the hashes of PIECE. */
static void contents_write(struct outflow *out, struct piece *piece, const void *data)
{
	if (is_codes(piece)) {
		packed_keys_put_directory(&piece->packed, data, out);
		piece->hash[0] = outflow_hash(out);
		packed_keys_put_rests(&piece->packed, data, out);
		piece->hash[1] = outflow_hash(out);
		return;
	}
	if (piece_forms[piece->kind] == FORM_VALUES)
		outflow_doubles(out, data, (size_t)piece->count);
	else
		outflow_bytes(out, data, (size_t)piece->count);
	piece->hash[0] = outflow_hash(out);
}

enum status layer_file_put(struct layer_file *file, enum piece_kind kind, uint64_t sum,
			   const void *data, size_t n, struct why *why)
{
	struct outflow out;
	struct piece piece = {.kind = kind, .sum = sum, .count = n, .at = piece_after(file->end)};
	unsigned char bytes[PIECE_HEAD_BYTES];
	const bool fits = piece_measure(&piece, file->width);
	assert(fits);
	(void)fits;
	if (piece_find(file, kind, sum))
		return STATUS_OK;
	outflow_init(&out, file->fd, piece.at + PIECE_HEAD_BYTES);
	contents_write(&out, &piece, data);
	const off_t end = out.at;
	piece_encode(&piece, file->width, bytes);
	out.at = piece.at;
	outflow_bytes(&out, bytes, sizeof bytes);
	enum status status =
	    out.error ? write_failed(file, out.error, why) : piece_append(file, &piece, why);
	if (!status) {
		piece_settle(file);
		file->end = end;
	} else if (ftruncate(file->fd, file->end) != 0) {
		errno = 0; /* The next opening removes an incomplete piece. */
	}
	return status;
}

/* Reports that WHERE, such as "in layer", and NUMBER have the place of damage. */
static enum status damaged(const struct layer_file *file, const char *where, uint64_t number,
			   const char *expected, struct why *why)
{
	return why_set(why, STATUS_INPUT,
		       "%s: damaged %s %" PRIu64
		       ", expected %s; without the file solving begins anew",
		       file->path, where, number, expected);
}

/*
 * Verifies the checksums of the contents of PIECE, which are at CONTENTS, and copies the entries to
 * DATA, unless that is NULL. False if they are damaged.
 */
static bool contents_read(const struct piece *piece, const unsigned char *contents, void *data)
{
	const struct packed_keys *packed = &piece->packed;
	if (is_codes(piece))
		return XXH3_64bits(contents, packed->directory) == piece->hash[0] &&
		       XXH3_64bits(contents + packed->directory, packed->rests) == piece->hash[1] &&
		       (!data || packed_keys_get(packed, contents, data));
	if (XXH3_64bits(contents, (size_t)piece->bytes) != piece->hash[0])
		return false;
	if (data && piece_forms[piece->kind] == FORM_BYTES)
		memcpy(data, contents, (size_t)piece->count);
	else
		for (uint64_t i = 0; data && i < piece->count; i++)
			((double *)data)[i] = field_get_double(contents + i * sizeof(double));
	return true;
}

/* Reads the contents of PIECE into DATA, if that is not NULL, and verifies their checksums. */
static enum status piece_read(const struct layer_file *file, const struct piece *piece, void *data,
			      struct why *why)
{
	const size_t before = (size_t)piece->at % (size_t)sysconf(_SC_PAGESIZE);
	const size_t size = before + PIECE_HEAD_BYTES + (size_t)piece->bytes;
	unsigned char *map =
	    mmap(NULL, size, PROT_READ, MAP_SHARED, file->fd, piece->at - (off_t)before);
	if (map == MAP_FAILED)
		return why_errno(why, "%s: cannot be read", file->path);
	const bool sound = contents_read(piece, map + before + PIECE_HEAD_BYTES, data);
	munmap(map, size);
	return sound ? STATUS_OK
		     : damaged(file, "in layer", piece->sum, "contents that match their checksum",
			       why);
}

enum status layer_file_get(const struct layer_file *file, enum piece_kind kind, uint64_t sum,
			   void *data, struct why *why)
{
	const struct piece *piece = piece_find(file, kind, sum);
	assert(piece);
	return piece_read(file, piece, data, why);
}

static void task_encode(const char *task, unsigned char bytes[FILE_HEAD_BYTES])
{
	memset(bytes, 0, FILE_HEAD_BYTES);
	memcpy(bytes, layers_magic, sizeof layers_magic);
	memcpy(bytes + TASK_AT, task, strnlen(task, LAYER_TASK_MAX - 1));
	field_put64(bytes + TASK_HASH_AT, XXH3_64bits(bytes, TASK_HASH_AT));
}

static enum status head_write(struct layer_file *file, const unsigned char *bytes, struct why *why)
{
	struct outflow out;
	outflow_init(&out, file->fd, 0);
	outflow_bytes(&out, bytes, FILE_HEAD_BYTES);
	errno = out.error;
	if (out.error)
		return why_errno(
		    why, "%s: cannot be written; --work DIR names another folder for layers",
		    file->path);
	return STATUS_OK;
}

/*
 * Writes the header of a new file, or checks that of an existing one. An incomplete header, which a
 * killed process left, is written again.
 */
static enum status header_check(struct layer_file *file, const char *task, struct why *why)
{
	unsigned char want[FILE_HEAD_BYTES], has[FILE_HEAD_BYTES];
	task_encode(task, want);
	assert(field_text_valid(want + TASK_AT, LAYER_TASK_MAX));
	const ssize_t got = file_read_at(file->fd, has, sizeof has, 0);
	if (got < 0)
		return why_errno(why, "%s: cannot be read", file->path);
	const size_t size = (size_t)got;
	file->end = FILE_HEAD_BYTES;
	if (memcmp(has, layers_magic, size < sizeof layers_magic ? size : sizeof layers_magic) != 0)
		return why_set(why, STATUS_INPUT,
			       "%s: not a file of layers, expected one written by this version of "
			       "nxn, or none",
			       file->path);
	if (size < sizeof has)
		return head_write(file, want, why);
	if (field_get64(has + TASK_HASH_AT) != XXH3_64bits(has, TASK_HASH_AT) ||
	    !field_text_valid(has + TASK_AT, LAYER_TASK_MAX) ||
	    memcmp(has + TASK_HASH_AT + 8, zeros, FILE_HEAD_BYTES - TASK_HASH_AT - 8) != 0)
		return why_set(why, STATUS_INPUT,
			       "%s: damaged header, expected contents that match its checksum; "
			       "without the file solving begins anew",
			       file->path);
	if (memcmp(want, has, TASK_HASH_AT) != 0)
		return why_set(why, STATUS_INPUT,
			       "%s: layers of '%.300s', expected '%.300s'; another folder is for "
			       "another task",
			       file->path, (const char *)has + TASK_AT,
			       (const char *)want + TASK_AT);
	return STATUS_OK;
}

/*
 * Adds the piece at AT to the end of the list. False if no complete piece is there, so that the
 * file is to be truncated, or if an error is in STATUS.
 */
static bool piece_next(struct layer_file *file, off_t at, off_t size, enum status *status,
		       struct why *why)
{
	unsigned char bytes[PIECE_HEAD_BYTES], before[PIECE_HEAD_BYTES];
	struct piece piece;
	const size_t room = (size_t)(at - file->end);
	const ssize_t got = file_read_at(file->fd, bytes, sizeof bytes, at);
	if (got < 0 || file_read_at(file->fd, before, room, file->end) < 0) {
		*status = why_errno(why, "%s: cannot be read", file->path);
		return false;
	}
	if (got < (ssize_t)sizeof bytes || memcmp(bytes, zeros, sizeof bytes) == 0)
		return false;
	if (memcmp(before, zeros, room) != 0 || !piece_decode(bytes, at, file->width, &piece)) {
		*status = damaged(file, "at byte", (uint64_t)at, "a piece of a layer", why);
		return false;
	}
	if (piece.bytes > (uint64_t)(size - at - PIECE_HEAD_BYTES))
		return false;
	*status = piece_read(file, &piece, NULL, why);
	if (!*status)
		*status = piece_append(file, &piece, why);
	file->end = at + PIECE_HEAD_BYTES + (off_t)piece.bytes;
	return !*status;
}

/*
 * Sorts the list. To insert each piece in its place would take quadratic time for a forged file of
 * millions in descending order. STATUS_INPUT if a piece is there twice.
 */
static enum status pieces_sort(struct layer_file *file, struct why *why)
{
	if (file->count)
		qsort(file->pieces, file->count, sizeof *file->pieces, piece_compare);
	for (size_t i = 1; i < file->count; i++)
		if (piece_compare(&file->pieces[i - 1], &file->pieces[i]) == 0)
			return damaged(file, "at byte", (uint64_t)file->pieces[i].at,
				       "a piece of a layer", why);
	return STATUS_OK;
}

/* Finds the complete pieces and truncates the file after them. */
static enum status pieces_find(struct layer_file *file, struct why *why)
{
	struct stat st;
	enum status status = STATUS_OK;
	if (fstat(file->fd, &st) != 0)
		return why_errno(why, "%s: cannot be read", file->path);
	while (piece_next(file, piece_after(file->end), st.st_size, &status, why))
		;
	status = status ? status : pieces_sort(file, why);
	if (!status && st.st_size > file->end && ftruncate(file->fd, file->end) != 0)
		status = why_errno(why, "%s: cannot cut off its torn last piece", file->path);
	return status;
}

static enum status temporary_open(struct layer_file *file, struct why *why)
{
	const char *folder = getenv("TMPDIR");
	folder = folder && *folder ? folder : "/tmp";
	snprintf(file->path, sizeof file->path, "%s/nxn-layers-XXXXXX", folder);
	file->fd = mkostemp(file->path, O_CLOEXEC);
	if (file->fd < 0)
		return why_errno(why,
				 "%s: cannot make a temporary file there; --work DIR names another "
				 "folder",
				 folder);
	unlink(file->path);
	snprintf(file->path, sizeof file->path, "a temporary file in %s", folder);
	return STATUS_OK;
}

static enum status named_open(struct layer_file *file, const char *folder, struct why *why)
{
	struct stat st;
	file->named = true;
	enum status status = folder_make(folder, why);
	if (!status)
		status = path_format(file->path, why, "%s/layers.nxl", folder);
	if (!status)
		status = link_refuse(file->path, "a file of layers", why);
	if (status)
		return status;
	/* O_NONBLOCK: do not wait for a named pipe. */
	file->fd = open(file->path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (file->fd < 0)
		return why_file(why, file->path, "cannot be opened for writing");
	if (fstat(file->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return why_set(why, STATUS_INPUT,
			       "%s: not a regular file, expected a file of layers, or none",
			       file->path);
	/* Some network file systems have no locks; on these, work without a lock. */
	if (flock(file->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return why_set(why, STATUS_INPUT,
			       "%s: another process is at work on it, expected a folder of its own",
			       file->path);
	return STATUS_OK;
}

enum status layer_file_open(struct layer_file **file, const char *folder, const char *task,
			    int width, struct why *why)
{
	struct layer_file *f = calloc(1, sizeof *f);
	if (!f)
		return why_set(why, STATUS_SYSTEM, "out of memory for a solver's layers");
	f->fd = -1;
	f->width = width;
	enum status status = folder ? named_open(f, folder, why) : temporary_open(f, why);
	if (!status)
		status = header_check(f, task, why);
	if (!status)
		status = pieces_find(f, why);
	if (status) {
		f->named = false; /* no need for fsync() */
		layer_file_close(f);
		return status;
	}
	f->found = f->end;
	*file = f;
	return STATUS_OK;
}

void layer_file_close(struct layer_file *file)
{
	if (!file)
		return;
	if (file->named)
		fsync(file->fd);
	if (file->fd >= 0)
		close(file->fd);
	free(file->pieces);
	free(file);
}

/*
 * Whether the codes of a layer from an earlier run are ascending and belong to positions of its
 * sum. If so, then even from wrong codes all derived positions have the sums of their layers.
 */
static bool codes_valid(const struct solving *solving, const struct key_layer *layer)
{
	const struct keys *keys = &solving->keys;
	const uint64_t *code = key_layer_codes(layer), cell = ((uint64_t)1 << keys->bits) - 1;
	for (size_t i = 0; i < layer->n; i++) {
		uint64_t key = code[i], sum = 0;
		if ((i && code[i - 1] >= key) || (keys->width < 64 && key >> keys->width))
			return false;
		keys_unmix(keys, &key, 1);
		for (int c = 0; c < solving->game->cells; c++)
			sum += ((uint64_t)1 << (key >> c * keys->bits & cell)) & ~(uint64_t)1;
		if (sum != layer->sum)
			return false;
	}
	return true;
}

enum status solving_load(struct solving *solving, enum piece_kind kind, uint64_t sum, bool values,
			 struct key_layer *layer, struct why *why)
{
	const size_t n = layer_file_count(solving->file, kind, sum);
	layer->sum = sum;
	layer->n = n;
	if (!key_layer_reserve(&solving->budget, layer, n, values))
		return solving_short(solving, sum, why);
	enum status status = layer_file_get(solving->file, kind, sum, key_layer_codes(layer), why);
	if (!status && piece_find(solving->file, kind, sum)->at < solving->file->found &&
	    !codes_valid(solving, layer))
		status = solving_refuse(solving, sum, why);
	return status;
}
