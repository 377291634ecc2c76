/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: writing and reading; see model.h. Also learners in model files: the header names the
 * class, the game and the training parameters. A file is first read into a new learner, so a
 * rejected file changes nothing.
 *
 * 	offset  bytes
 * 	     0      8  "nxn\r\n\032\n\0": a copy in text mode changes it
 * 	     8      4  format version
 * 	    12      4  sections
 * 	    16      8  training games
 * 	    24     32  agent    texts, each padded with NULs, the last byte always NUL,
 * 	    56      8  board    the others printable ASCII
 * 	    64    128  spawn
 * 	   192    256  layout
 * 	   448   2048  params
 * 	  2496      8  XXH3 of the 2496 bytes before
 * 	  2504         sections, a zstd frame with checksum each
 * 	  last      8  XXH3 of all sections as stored
 *
 * A note, if any, follows: its text, the XXH3 of the text, its length (8 bytes each), "nxn note".
 *
 * Numbers are little-endian. The checksums of zstd verify contents while they are read; the last
 * checksum also covers what zstd leaves out, such as frame headers and the number of sections.
 *
 * A table of floats is a section of records in ascending order: the number of a block and its 64
 * floats as IEEE 754 bits. The last record has only a number, LAST. Equal tables give equal bytes.
 *
 * Memory is limited to struct model_file, a zstd window of at most 8 MiB, and what the caller asks
 * for: nothing in the file determines the size of an allocation here, but a note takes as much as
 * its part of the file. Reading a page of a table that was never written costs a page fault but no
 * memory, since the kernel maps its page of zeros.
 *
 * Invariants: header_encode() writes back byte for byte what header_decode() accepts; no process
 * ever sees part of a file under its final name.
 */
#include "agents/model.h"

#include "agents/agent.h"
#include "agents/fields.h"
#include "base/file.h"
#include "base/virtual_memory.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char note_magic[8] = {'n', 'x', 'n', ' ', 'n', 'o', 't', 'e'};

enum { NOTE_END = 24 };

enum { VERSION = 1, WINDOW_LOG_MAX = 23, BLOCK = 64 };

static const uint64_t LAST = UINT64_MAX;

static const char magic[8] = "nxn\r\n\032\n";

struct model_file {
	XXH3_state_t hash; /* of the sections so far */
	enum status status;
	struct why *why;
	char *path;
	struct model_header header;
	uint32_t section; /* index of the current one */
	/* Reading. */
	ZSTD_DCtx *inflate;
	int fd;
	bool frame_ended; /* the section has no more bytes */
	ZSTD_inBuffer in; /* the filled and used part of `bytes` */
	/* Writing. */
	ZSTD_CCtx *deflate;
	FILE *out;
	char *target;	  /* path of `out` */
	const char *note; /* NULL: none */
	unsigned char bytes[1 << 16];
};

#define TEXT(name, at, size)                                                                       \
	{                                                                                          \
		at, size, size, offsetof(struct model_header, name)                                \
	}
static const struct field_text text_fields[] = {
    TEXT(agent, 24, MODEL_AGENT_MAX),	 TEXT(board, 56, MODEL_BOARD_MAX),
    TEXT(spawn, 64, SPAWN_TEXT_MAX),	 TEXT(layout, 192, MODEL_LAYOUT_MAX),
    TEXT(params, 448, MODEL_PARAMS_MAX),
};
#undef TEXT

enum { TEXT_FIELDS = sizeof text_fields / sizeof text_fields[0] };

_Static_assert(448 + MODEL_PARAMS_MAX + 8 == MODEL_HEADER_BYTES, "the fields fill the head");

static void header_encode(const struct model_header *header,
			  unsigned char bytes[MODEL_HEADER_BYTES])
{
	memset(bytes, 0, MODEL_HEADER_BYTES);
	memcpy(bytes, magic, sizeof magic);
	field_put32(bytes + 8, VERSION);
	field_put32(bytes + 12, header->sections);
	field_put64(bytes + 16, header->games);
	field_texts_put(text_fields, TEXT_FIELDS, header, bytes);
	const size_t hashed = MODEL_HEADER_BYTES - MODEL_HASH_BYTES;
	field_put64(bytes + hashed, XXH3_64bits(bytes, hashed));
}

/* Decodes and checks a header, of which SIZE bytes were read. */
static enum status header_decode(const char *path, const unsigned char *bytes, size_t size,
				 struct model_header *header, struct why *why)
{
	if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
		return why_set(why, STATUS_INPUT,
			       "%s: not a model file, expected one written by nxn", path);
	if (size < MODEL_HEADER_BYTES)
		return why_set(why, STATUS_INPUT,
			       "%s: truncated after %zu bytes, expected a header of %d", path, size,
			       MODEL_HEADER_BYTES);
	if (field_get32(bytes + 8) != VERSION)
		return why_set(why, STATUS_INPUT,
			       "%s: model format version %" PRIu32 ", expected version %d", path,
			       field_get32(bytes + 8), VERSION);
	const size_t hashed = MODEL_HEADER_BYTES - MODEL_HASH_BYTES;
	struct model_header read = {.sections = field_get32(bytes + 12),
				    .games = field_get64(bytes + 16)};
	if (field_get64(bytes + hashed) != XXH3_64bits(bytes, hashed) || read.sections < 1 ||
	    read.sections > MODEL_SECTIONS_MAX ||
	    !field_texts_get(text_fields, TEXT_FIELDS, bytes, &read))
		return why_set(why, STATUS_INPUT,
			       "%s: damaged header, expected contents that match its checksum",
			       path);
	*header = read;
	return STATUS_OK;
}

/* Allocates a model_file; NULL if memory runs out. */
static struct model_file *file_new(const char *path, struct why *why)
{
	struct model_file *file = aligned_alloc(_Alignof(struct model_file), sizeof *file);
	if (!file)
		return NULL;
	*file = (struct model_file){.why = why, .path = strdup(path), .fd = -1};
	file->in.src = file->bytes;
	XXH3_64bits_reset(&file->hash);
	if (file->path)
		return file;
	free(file);
	return NULL;
}

void model_close(struct model_file *file)
{
	if (!file)
		return;
	if (file->out)
		file->status =
		    part_finish(file->out, file->target, STATUS_STOPPED, NULL); /* discards it */
	if (file->fd >= 0)
		close(file->fd);
	ZSTD_freeDCtx(file->inflate);
	ZSTD_freeCCtx(file->deflate);
	free(file->target);
	free(file->path);
	free(file);
}

bool model_reading(const struct model_file *file)
{
	return file->inflate != NULL;
}

/* Whether a learner's sections are being counted; then nothing is written, and nothing fails. */
static bool is_counting(const struct model_file *file)
{
	return !file->inflate && !file->deflate;
}

const char *model_path(const struct model_file *file)
{
	return file->path;
}

const struct model_header *model_header(const struct model_file *file)
{
	return &file->header;
}

enum status model_status(const struct model_file *file)
{
	return file->status;
}

enum status model_fail(struct model_file *file, enum status status, const char *format, ...)
{
	char text[sizeof file->why->text];
	va_list arguments;
	if (file->status || is_counting(file))
		return file->status;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return file->status = why_set(file->why, status, "%s", text);
}

enum status model_reject(struct model_file *file, const char *what, const char *want)
{
	return model_fail(file, STATUS_INPUT, "%s: damaged: %s, expected %s", file->path, what,
			  want);
}

/* Appends SIZE bytes to the file. */
static enum status bytes_write(struct model_file *file, const void *data, size_t size)
{
	if (!file_write_at(fileno(file->out), data, size, -1))
		file->status = why_errno(file->why, "%s: cannot write", file->target);
	return file->status;
}

enum status model_create(struct model_file **file, const char *path,
			 const struct model_header *header, struct why *why)
{
	unsigned char bytes[MODEL_HEADER_BYTES];
	struct model_file *made = file_new(path, why);
	if (made)
		made->deflate = ZSTD_createCCtx();
	if (!made || !made->deflate) {
		model_close(made);
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	}
	made->header = *header;
	ZSTD_CCtx_setParameter(made->deflate, ZSTD_c_checksumFlag, 1);
	header_encode(header, bytes);
	enum status status =
	    part_create_linked(path, "a model file", &made->target, &made->out, why);
	status = status ? status : bytes_write(made, bytes, sizeof bytes);
	if (status)
		model_close(made);
	else
		*file = made;
	return status;
}

/* Compresses DATA and appends it to the section. */
static enum status frame_write(struct model_file *file, const void *data, size_t size,
			       ZSTD_EndDirective directive)
{
	ZSTD_inBuffer in = {data, size, 0};
	if (is_counting(file))
		return STATUS_OK;
	assert(file->section < file->header.sections);
	for (bool done = false; !done && !file->status;) {
		ZSTD_outBuffer out = {file->bytes, sizeof file->bytes, 0};
		const size_t left = ZSTD_compressStream2(file->deflate, &out, &in, directive);
		if (ZSTD_isError(left))
			return model_fail(file, STATUS_SYSTEM, "%s: cannot compress: %s",
					  file->target, ZSTD_getErrorName(left));
		XXH3_64bits_update(&file->hash, file->bytes, out.pos);
		bytes_write(file, file->bytes, out.pos);
		done = directive == ZSTD_e_end ? left == 0 : in.pos == in.size;
	}
	return file->status;
}

enum status model_write(struct model_file *file, const void *data, size_t size)
{
	return frame_write(file, data, size, ZSTD_e_continue);
}

/* Appends NOTE to the file. */
static enum status note_write(struct model_file *file, const char *note)
{
	unsigned char end[NOTE_END];
	const size_t length = strlen(note);
	field_put64(end, XXH3_64bits(note, length));
	field_put64(end + 8, length);
	memcpy(end + 16, note_magic, sizeof note_magic);
	enum status status = bytes_write(file, note, length);
	return status ? status : bytes_write(file, end, sizeof end);
}

static enum status file_commit(struct model_file *file)
{
	unsigned char hash[MODEL_HASH_BYTES];
	FILE *out = file->out;
	if (file->status)
		return file->status;
	field_put64(hash, XXH3_64bits_digest(&file->hash));
	enum status status = bytes_write(file, hash, sizeof hash);
	if (!status && file->note)
		status = note_write(file, file->note);
	file->out = NULL;
	return file->status = part_finish(out, file->target, status, file->why);
}

/*
 * The bytes of agents/built_in.nxn. The symbols are hidden: otherwise compilers for ARM load their
 * addresses from a table, in which linkers drop the offsets of local symbols.
 */
__asm__(".pushsection .rodata\n"
	"nxn_built_in_begin:\n"
	".incbin \"agents/built_in.nxn\"\n"
	"nxn_built_in_end:\n"
	".popsection\n");
#define HIDDEN __attribute__((visibility("hidden")))
extern const unsigned char nxn_built_in_begin[] HIDDEN, nxn_built_in_end[] HIDDEN;
#undef HIDDEN

/* Opens an anonymous file that contains the built-in model. */
static int built_in_open(void)
{
	const size_t size = (uintptr_t)nxn_built_in_end - (uintptr_t)nxn_built_in_begin;
	const int fd = unnamed_open("built-in");
	if (fd >= 0 && pwrite(fd, nxn_built_in_begin, size, 0) == (ssize_t)size)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

int model_descriptor(const char *path)
{
	return strcmp(path, "built-in") == 0 ? built_in_open()
					     : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

static enum status path_open(const char *path, int *fd, struct why *why)
{
	struct stat st;
	int opened = model_descriptor(path);
	if (opened < 0)
		return why_file(why, path, "cannot open the model");
	if (fstat(opened, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(opened);
		return why_set(why, STATUS_INPUT, "%s: not a regular file, expected a model file",
			       path);
	}
	*fd = opened;
	return STATUS_OK;
}

enum status model_open(struct model_file **file, const char *path, struct why *why)
{
	int fd = -1;
	unsigned char bytes[MODEL_HEADER_BYTES];
	enum status status = path_open(path, &fd, why);
	if (status != STATUS_OK)
		return status;
	const ssize_t got = file_read_at(fd, bytes, sizeof bytes, -1);
	struct model_file *made = file_new(path, why);
	if (made) {
		made->fd = fd;
		made->inflate = ZSTD_createDCtx();
	} else {
		close(fd);
	}
	if (!made || !made->inflate)
		status = why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	else if (got < 0)
		status = why_errno(why, "%s: cannot read", path);
	else
		status = header_decode(path, bytes, (size_t)got, &made->header, why);
	if (status) {
		model_close(made);
		return status;
	}
	ZSTD_DCtx_setParameter(made->inflate, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	*file = made;
	return STATUS_OK;
}

enum status model_game(const char *path, struct game *game, struct why *why)
{
	struct model_file *file;
	enum status status = model_open(&file, path, why);
	if (status)
		return status;
	const struct game_options options = {
	    .shape = file->header.board, .spawn = file->header.spawn, .start_tiles = 2};
	status = game_init(game, &options, why);
	model_close(file);
	return status;
}

/* STATUS_INPUT unless agent, board, spawn rule, layout and number of sections are those of WANT. */
static enum status header_expect(struct model_file *file, const struct model_header *want)
{
	const struct model_header *header = &file->header;
	const struct {
		const char *what, *has, *wants;
	} texts[] = {
	    {"agent", header->agent, want->agent},
	    {"board", header->board, want->board},
	    {"spawn rule", header->spawn, want->spawn},
	    {"layout", header->layout, want->layout},
	};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (strcmp(texts[i].has, texts[i].wants) != 0)
			return model_fail(
			    file, STATUS_INPUT, "%s: a model for %s '%s', expected %s '%s'",
			    file->path, texts[i].what, texts[i].has, texts[i].what, texts[i].wants);
	if (header->sections != want->sections)
		return model_fail(file, STATUS_INPUT,
				  "%s: a model of %" PRIu32 " sections, expected %" PRIu32,
				  file->path, header->sections, want->sections);
	return file->status;
}

/* Ensures that at least one byte of input is available. */
static enum status input_refill(struct model_file *file)
{
	if (file->status || file->in.pos < file->in.size)
		return file->status;
	const ssize_t got = file_read_at(file->fd, file->bytes, sizeof file->bytes, -1);
	file->in.pos = 0;
	file->in.size = got > 0 ? (size_t)got : 0;
	if (got < 0)
		return file->status = why_errno(file->why, "%s: cannot read", file->path);
	if (got == 0)
		model_fail(file, STATUS_INPUT,
			   "%s: truncated, expected %" PRIu32 " sections and a checksum",
			   file->path, file->header.sections);
	return file->status;
}

/* One step of decompression into OUT. */
static enum status inflate_step(struct model_file *file, ZSTD_outBuffer *out)
{
	if (input_refill(file))
		return file->status;
	const size_t before = file->in.pos;
	const size_t left = ZSTD_decompressStream(file->inflate, out, &file->in);
	if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
		return model_fail(file, STATUS_SYSTEM, "%s: out of memory", file->path);
	if (ZSTD_isError(left))
		return model_reject(file, ZSTD_getErrorName(left),
				    "a zstd frame with its checksum");
	XXH3_64bits_update(&file->hash, file->bytes + before, file->in.pos - before);
	file->frame_ended = left == 0;
	return STATUS_OK;
}

size_t model_read_some(struct model_file *file, void *data, size_t size)
{
	ZSTD_outBuffer out = {data, size, 0};
	assert(file->section < file->header.sections);
	while (!file->status && !file->frame_ended && out.pos < size)
		inflate_step(file, &out);
	return file->status ? 0 : out.pos;
}

static enum status model_read(struct model_file *file, void *data, size_t size)
{
	if (model_read_some(file, data, size) < size) {
		model_reject(file, "a section ends early", "more data");
		memset(data, 0, size);
	}
	return file->status;
}

enum status model_section_end(struct model_file *file)
{
	unsigned char extra;
	if (!model_reading(file))
		frame_write(file, NULL, 0, ZSTD_e_end);
	else if (model_read_some(file, &extra, sizeof extra) > 0)
		model_reject(file, "a section is too long", "its end");
	if (!file->status) {
		file->frame_ended = false;
		file->section++;
	}
	return file->status;
}

/*
 * Returns the size of the note's text plus its end in a file of SIZE bytes; 0 if there is no note,
 * or one of more than 64 MiB, which nxn does not write and must not have memory for.
 */
static uint64_t note_size(int fd, uint64_t size, unsigned char end[NOTE_END])
{
	const uint64_t least = MODEL_HEADER_BYTES + MODEL_HASH_BYTES + NOTE_END, most = 64 << 20;
	if (size < least || file_read_at(fd, end, NOTE_END, (off_t)(size - NOTE_END)) != NOTE_END ||
	    memcmp(end + 16, note_magic, sizeof note_magic) != 0 ||
	    field_get64(end + 8) > size - least || field_get64(end + 8) > most)
		return 0;
	return field_get64(end + 8) + NOTE_END;
}

uint64_t model_size(int fd, uint64_t size)
{
	unsigned char end[NOTE_END];
	return size - note_size(fd, size, end);
}

/* Reads the text of a note: the last SIZE bytes of a file of ALL bytes, ending with END. */
static enum status note_read(const char *path, int fd, uint64_t all, uint64_t size,
			     const unsigned char end[NOTE_END], char **note, struct why *why)
{
	const size_t length = (size_t)size - NOTE_END;
	char *text = malloc(length + 1);
	errno = EIO; /* unless a call sets it: the file became shorter */
	if (!text || file_read_at(fd, text, length, (off_t)(all - size)) != (ssize_t)length) {
		enum status status = why_errno(why, "%s: cannot read", path);
		free(text);
		return status;
	}
	text[length] = '\0';
	if (strlen(text) != length || XXH3_64bits(text, length) != field_get64(end)) {
		free(text);
		return why_set(why, STATUS_INPUT,
			       "%s: damaged: a note with a wrong checksum, expected the one "
			       "that was written",
			       path);
	}
	*note = text;
	return STATUS_OK;
}

enum status model_note(const char *path, char **note, struct why *why)
{
	struct model_file *file;
	struct stat st;
	unsigned char end[NOTE_END];
	*note = NULL;
	enum status status = model_open(&file, path, why);
	if (status)
		return status;
	if (fstat(file->fd, &st) != 0)
		status = why_errno(why, "%s: cannot read", path);
	const uint64_t size = status ? 0 : note_size(file->fd, (uint64_t)st.st_size, end);
	if (size)
		status = note_read(path, file->fd, (uint64_t)st.st_size, size, end, note, why);
	model_close(file);
	return status;
}

/* Whether the file continues with the note or ends here. */
static bool at_end(const struct model_file *file)
{
	struct stat st;
	const off_t at = lseek(file->fd, 0, SEEK_CUR) - (off_t)(file->in.size - file->in.pos);
	return fstat(file->fd, &st) == 0 &&
	       (uint64_t)at == model_size(file->fd, (uint64_t)st.st_size);
}

static enum status file_verify(struct model_file *file)
{
	unsigned char hash[MODEL_HASH_BYTES];
	for (int i = 0; i < MODEL_HASH_BYTES && !input_refill(file); i++)
		hash[i] = file->bytes[file->in.pos++];
	if (file->status)
		return file->status;
	if (field_get64(hash) != XXH3_64bits_digest(&file->hash))
		return model_reject(file, "the checksum differs", "the one the file ends with");
	if (!at_end(file))
		return model_reject(file, "something follows the checksum", "the end of the file");
	return file->status;
}

enum status model_verify(struct model_file *file)
{
	struct stat st;
	if (fstat(file->fd, &st) != 0)
		return model_fail(file, STATUS_SYSTEM, "%s: cannot read: %s", file->path,
				  strerror(errno));
	off_t left = (off_t)model_size(file->fd, (uint64_t)st.st_size) - MODEL_HEADER_BYTES -
		     MODEL_HASH_BYTES;
	while (left > 0 && !input_refill(file)) {
		const size_t there = file->in.size - file->in.pos;
		const size_t n = (off_t)there < left ? there : (size_t)left;
		XXH3_64bits_update(&file->hash, file->bytes + file->in.pos, n);
		file->in.pos += n;
		left -= (off_t)n;
	}
	return file_verify(file);
}

enum status model_finish(struct model_file *file)
{
	assert(file->status || file->section == file->header.sections);
	return model_reading(file) ? file_verify(file) : file_commit(file);
}

enum status model_bytes(struct model_file *file, void *data, size_t size)
{
	return model_reading(file) ? model_read(file, data, size) : model_write(file, data, size);
}

uint64_t model_number(struct model_file *file, uint64_t x, uint64_t most)
{
	unsigned char bytes[8];
	field_put64(bytes, x);
	model_bytes(file, bytes, sizeof bytes);
	x = field_get64(bytes);
	if (!model_reading(file) || x <= most)
		return x;
	model_reject(file, "a number is too large", "what training can write");
	return 0;
}

double model_real(struct model_file *file, double x)
{
	unsigned char bytes[8];
	field_put_double(bytes, x);
	model_bytes(file, bytes, sizeof bytes);
	return field_get_double(bytes);
}

bool model_board_valid(const struct game *game, const struct board *board)
{
	bool sound = board_max(board) <= game->max_exponent;
	for (int r = 0; r < SIDE_MAX; r++)
		for (int c = 0; c < ROW_BYTES; c++)
			if (r >= game->rows || c >= game->cols)
				sound &= board->cell[r][c] == 0;
	return sound && game_admits(game, board, NULL) == STATUS_OK;
}

static bool block_empty(const float block[BLOCK])
{
	uint32_t any = 0, bits[BLOCK];
	memcpy(bits, block, sizeof bits);
	for (int i = 0; i < BLOCK; i++)
		any |= bits[i];
	return !any;
}

/* The exponent bits of an infinity or NaN in IEEE 754 are all ones. */
static bool block_finite(const float block[BLOCK])
{
	uint32_t bits[BLOCK];
	bool finite = true;
	memcpy(bits, block, sizeof bits);
	for (int i = 0; i < BLOCK; i++)
		finite &= (bits[i] & 0x7f800000) != 0x7f800000;
	return finite;
}

static enum status floats_write(struct model_file *file, const float *table, uint64_t blocks,
				uint64_t (*place)(uint64_t block))
{
	for (uint64_t b = 0; b < blocks && !file->status; b++) {
		const float *block = table + (place ? place(b) : b) * BLOCK;
		uint32_t bits[BLOCK];
		if (block_empty(block))
			continue;
		if (!block_finite(block))
			return model_fail(file, STATUS_INPUT,
					  "learning diverged: a weight is not finite, expected "
					  "smaller steps");
		memcpy(bits, block, sizeof bits);
		for (int i = 0; i < BLOCK; i++)
			bits[i] = htole32(bits[i]);
		model_number(file, b, UINT64_MAX);
		model_write(file, bits, sizeof bits);
	}
	model_number(file, LAST, UINT64_MAX);
	return file->status;
}

static void block_read(struct model_file *file, float block[BLOCK])
{
	uint32_t bits[BLOCK];
	model_read(file, bits, sizeof bits);
	for (int i = 0; i < BLOCK; i++)
		bits[i] = le32toh(bits[i]);
	memcpy(block, bits, sizeof bits);
	if (!block_finite(block))
		model_reject(file, "a weight is not finite", "numbers");
}

static enum status floats_read(struct model_file *file, float *table, uint64_t blocks,
			       uint64_t (*place)(uint64_t block))
{
	/* A forged or too large model must not exhaust the machine's memory. */
	const uint64_t share = virtual_memory_half(), most = share / (BLOCK * sizeof *table);
	uint64_t read = 0;
	for (uint64_t next = 0;;) {
		const uint64_t number = model_number(file, 0, UINT64_MAX);
		if (file->status || number == LAST)
			return file->status;
		if (number < next || number >= blocks)
			return model_reject(file, "a block in a wrong place",
					    "rising numbers below those there are");
		if (++read > most)
			return model_fail(file, STATUS_SYSTEM,
					  "a model of more weights than the %.1f GiB that are half "
					  "of this machine's memory",
					  (double)share / 0x1p30);
		block_read(file, table + (place ? place(number) : number) * BLOCK);
		next = number + 1;
	}
}

enum status model_floats(struct model_file *file, float *table, uint64_t count,
			 uint64_t (*place)(uint64_t block))
{
	assert(count % BLOCK == 0);
	if (model_reading(file))
		floats_read(file, table, count / BLOCK, place);
	else if (!is_counting(file))
		floats_write(file, table, count / BLOCK, place);
	return model_section_end(file);
}

static void header_fill(const struct agent_class *class, const struct game *game, void *self,
			struct model_header *header)
{
	struct model_file counter = {.fd = -1};
	*header = (struct model_header){.games = class->trained(self)};
	snprintf(header->agent, sizeof header->agent, "%s", class->name);
	snprintf(header->board, sizeof header->board, "%s", game->name);
	strcpy(header->spawn, game->spawn.text);
	params_format(class->model->params, self, true, header->params, sizeof header->params);
	class->model->layout(self, header->layout);
	counter.header = *header;
	class->model->sections(self, &counter);
	header->sections = counter.section;
}

enum status model_replace_check(const struct agent *agent, const char *path, struct why *why)
{
	struct stat st;
	struct why reason;
	struct model_header want;
	struct model_file *old;
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
		return STATUS_OK;
	enum status status = model_open(&old, path, &reason);
	if (!status) {
		header_fill(agent->class, agent->game, agent->self, &want);
		want.sections = old->header.sections;
		if (agent->class->model->layout_is_learned)
			memcpy(want.layout, old->header.layout, sizeof want.layout);
		status = header_expect(old, &want);
		model_close(old);
	}
	return status ? why_set(why, status,
				"%.800s; a file is replaced only by a model of the same learner: "
				"give another name",
				reason.text)
		      : STATUS_OK;
}

enum status agent_save(const struct agent *agent, const char *path, const char *note,
		       struct why *why)
{
	struct model_header header;
	struct model_file *file = NULL;
	header_fill(agent->class, agent->game, agent->self, &header);
	enum status status = model_create(&file, path, &header, why);
	if (status)
		return status;
	file->note = note;
	agent->class->model->sections(agent->self, file);
	status = model_finish(file);
	model_close(file);
	return status;
}

/* Turns SELF, of which only the parameters are set, into the learner in FILE. */
static enum status learner_read(const struct agent_class *class, void *self,
				const struct game *game, struct model_file *file, struct why *why)
{
	const struct agent_model *model = class->model;
	struct model_header want;
	enum status status = model->make(self, game, why);
	if (status)
		return status;
	header_fill(class, game, self, &want);
	if (model->layout_is_learned)
		memcpy(want.layout, model_header(file)->layout, sizeof want.layout);
	if (!header_expect(file, &want))
		model->sections(self, file);
	if (model->layout_is_learned) {
		model->layout(self, want.layout);
		header_expect(file, &want);
	}
	status = model_finish(file);
	if (status)
		class->fini(self);
	return status;
}

static void params_copy(const struct field *params, const void *from, void *to)
{
	for (; params->name; params++) {
		char text[FIELD_TEXT_MAX];
		field_print(params, from, text);
		enum status status = field_read(params, params->name, to, text, NULL);
		(void)status; /* it was valid in the other learner */
	}
}

enum status agent_load(struct agent *agent, const char *path, struct why *why)
{
	const struct agent_class *class = agent->class;
	struct model_file *file;
	enum status status = model_open(&file, path, why);
	if (status)
		return status;
	void *self = params_state(class->size);
	if (self) {
		params_copy(class->params, agent->self, self);
		status = learner_read(class, self, agent->game, file, why);
	} else {
		status = why_set(why, STATUS_SYSTEM, "out of memory for %s", class->name);
	}
	model_close(file);
	if (status) {
		free(self);
		return status;
	}
	if (class->model->keep)
		class->model->keep(self, agent->self);
	class->fini(agent->self);
	free(agent->self);
	agent->self = self;
	return STATUS_OK;
}

/* Checks SETTING, which is no parameter now. */
static enum status retired_check(struct model_file *file, const char *retired,
				 const struct setting *setting)
{
	char text[FIELD_TEXT_MAX + 64];
	snprintf(text, sizeof text, ",%.*s=%s,", (int)setting->key_length, setting->key,
		 setting->text);
	if (retired && strstr(retired, text))
		return STATUS_OK;
	text[strlen(text) - 1] = '\0';
	return model_fail(file, STATUS_INPUT,
			  "%s: was trained with %s, which this version of nxn does not know",
			  model_path(file), text + 1);
}

/* Sets in SELF the parameters that the header of FILE lists. */
static enum status header_settings_read(const struct agent_class *class, void *self,
					struct model_file *file)
{
	for (const char *at = model_header(file)->params; *at;) {
		char now[FIELD_TEXT_MAX + 64] = "", was[FIELD_TEXT_MAX + 64] = "";
		struct setting setting;
		if (setting_read(class->name, class->model->params, &at, false, &setting, NULL) ||
		    setting_continue(class->name, &at, &setting, NULL))
			return model_reject(file, "unknown settings", "those of nxn info");
		const struct field *param =
		    field_find(class->model->params, setting.key, setting.key_length);
		if (!param && retired_check(file, class->model->retired, &setting))
			return file->status;
		const struct field one[] = {param ? *param : (struct field){0}, {0}};
		params_format(one, self, false, now, sizeof now);
		if (param && field_read(param, param->name, self, setting.text, NULL))
			return model_reject(file, "unknown settings", "those of nxn info");
		params_format(one, self, true, was, sizeof was);
		if (now[0] && strcmp(now, was) != 0)
			return model_fail(file, STATUS_INPUT, "%s: was trained with %s, not %s",
					  model_path(file), was, now);
	}
	return STATUS_OK;
}

enum status model_settings(struct model_file *file, const struct agent_class *class,
			   char settings[MODEL_PARAMS_MAX])
{
	void *self = params_state(class->size);
	if (!self)
		return model_fail(file, STATUS_SYSTEM, "%s: out of memory", model_path(file));
	params_default(class->params, self);
	const enum status status = header_settings_read(class, self, file);
	settings[0] = '\0';
	if (!status)
		params_format(class->model->params, self, true, settings, MODEL_PARAMS_MAX);
	free(self);
	return status;
}

/*
 * Turns SELF, whose parameters are set, into the learner in PATH, with the parameters of its
 * training. STATUS_INPUT also if a parameter of SELF is neither the default nor that of the file.
 */
static enum status learner_restore(const struct agent_class *class, void *self,
				   const struct game *game, const char *path, struct why *why)
{
	struct model_file *file;
	enum status status = model_open(&file, path, why);
	if (status)
		return status;
	struct model_header want = *model_header(file);
	snprintf(want.agent, sizeof want.agent, "%s", class->name);
	const bool other_board = class->model->inherit && strcmp(want.board, game->name) != 0;
	if (!other_board)
		snprintf(want.board, sizeof want.board, "%s", game->name);
	snprintf(want.spawn, sizeof want.spawn, "%s", game->spawn.text);
	status = header_expect(file, &want);
	if (!status)
		status = header_settings_read(class, self, file);
	if (!status && !other_board)
		status = learner_read(class, self, game, file, why);
	model_close(file);
	if (status || !other_board)
		return status;
	status = class->model->make(self, game, why);
	if (status)
		return status;
	status = class->model->inherit(self, path, why);
	if (status)
		class->fini(self);
	return status;
}

enum status learner_init(const struct agent_class *class, void *self, const struct agent_env *env,
			 struct why *why)
{
	const char *file = (const char *)self + class->params->offset;
	const bool learns = !env->owner && env->learner && *file == '{';
	if (learns && env->learner->class != class)
		return why_set(why, STATUS_INPUT, "%.80s: expected a learner %s", file,
			       class->name);
	if (env->owner || learns)
		return class->model->borrow(self, env->game,
					    learns ? env->learner->self : env->owner, why);
	return *file ? learner_restore(class, self, env->game, file, why)
		     : class->model->make(self, env->game, why);
}
