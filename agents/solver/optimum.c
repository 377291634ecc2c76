/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Table files of optimal play: writing, opening, look-ups; see optimum.h.
 *
 * 	offset  bytes
 * 	     0      8  "nxt\r\n\032\n" and the format version
 * 	     8      4  largest exponent in a key
 * 	    12      4  start tiles
 * 	    16      4  goal, enum goal
 * 	    20      4  target, an exponent
 * 	    24      8  largest sum
 * 	    32      8  value from the start, a double
 * 	    40      8  states
 * 	    48      8  after-states
 * 	    56      8  layers
 * 	    64      8  board    texts, each padded with NULs, the last byte always NUL,
 * 	    72    128  spawn    the others printable ASCII
 * 	   200    512  start
 * 	   712    256  made
 * 	   968      8  XXH3 of the index
 * 	   976      8  XXH3 of the 976 bytes before
 * 	   984         layers by descending sum: directory and rests of their codes
 * 	               (agents/solver/packed_keys.h), then their values, doubles
 * 	               index, 24 bytes per layer by ascending sum: sum, number of after-states,
 * 	               XXH3 of the layer
 *
 * Numbers are little-endian, and every part takes a multiple of 8 bytes. No offset is stored: the
 * sizes determine the place of each part. The sizes in the index are trusted only if they fill the
 * file exactly. The index has 24 bytes per layer, so the list of layers in memory is at most about
 * three times as large as the file.
 *
 * A move preserves the sum of the tiles, so all after-states of a position are in the layer of its
 * sum. A look-up folds and mixes the after-states into codes, prefetches the memory that it needs,
 * and finds each code by the directory and a scan of about ten rests.
 *
 * Check value: on 2x2 the start 2,2/0,0 is worth 67.6962640788 points.
 */
#include "agents/solver/optimum.h"

#include "agents/fields.h"
#include "agents/solver/packed_keys.h"
#include "base/array.h"
#include "base/file.h"
#include "boards/simd/keys.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 984, HEAD_HASH_AT = HEAD_BYTES - 8, ENTRY_BYTES = 24 };

/* The fields of the header that struct optimum_header lacks. */
enum { LAYERS_AT = 56, INDEX_HASH_AT = 968 };

/* The game of a table, and the keys of its after-states. */
struct optimum_base {
	struct game game;
	struct keys keys;
};

struct optimum_layer {
	uint64_t sum, hash;
	struct packed_keys packed;
	const unsigned char *at; /* directory, rests, values; NULL in a writer */
};

struct optimum {
	struct optimum_header header;
	struct optimum_base base;
	char *path;
	const unsigned char *bytes; /* the mapped file, or NULL */
	size_t size;
	struct optimum_layer *layers; /* by ascending sum */
	size_t layer_count;
};

static size_t layer_bytes(const struct packed_keys *packed)
{
	return packed->directory + packed->rests + (size_t)packed->count * sizeof(double);
}

static const unsigned char magic[8] = "nxt\r\n\032\n\001";

#define FIELD(name, at, size)                                                                      \
	{                                                                                          \
		at, size, sizeof((struct optimum_header *)0)->name,                                \
		    offsetof(struct optimum_header, name)                                          \
	}
static const struct field_text text_fields[] = {
    FIELD(board, 64, 8),
    FIELD(spawn, 72, 128),
    FIELD(start, 200, 512),
    FIELD(made, 712, 256),
};
#undef FIELD

enum { TEXT_FIELDS = sizeof text_fields / sizeof text_fields[0] };

_Static_assert(BOARD_TEXT_MAX <= 512, "a start fits into its field");
_Static_assert(712 + OPTIMUM_MADE_MAX + 8 == HEAD_HASH_AT, "the fields fill the head");

void optimum_header_game(struct optimum_header *header, const struct game *game)
{
	snprintf(header->board, sizeof header->board, "%s", game->name);
	strcpy(header->spawn, game->spawn.text);
	header->start[0] = '\0';
	if (game->has_start)
		board_format(game, &game->start, header->start);
	header->start_tiles = game->start_tiles;
}

/* Whether two headers have the same board, spawn rule and start. */
static bool games_alike(const struct optimum_header *a, const struct optimum_header *b)
{
	return strcmp(a->board, b->board) == 0 && strcmp(a->spawn, b->spawn) == 0 &&
	       strcmp(a->start, b->start) == 0 && (*a->start || a->start_tiles == b->start_tiles);
}

/* Describes the start of games for messages: "2 start tiles", or the position. */
static void starts_format(const struct optimum_header *header, char text[BOARD_TEXT_MAX])
{
	if (*header->start)
		snprintf(text, BOARD_TEXT_MAX, "%s", header->start);
	else
		snprintf(text, BOARD_TEXT_MAX, "%d start tile%s", header->start_tiles,
			 header->start_tiles == 1 ? "" : "s");
}

static void header_encode(const struct optimum_header *header, uint64_t layers, uint64_t index_hash,
			  unsigned char bytes[HEAD_BYTES])
{
	memset(bytes, 0, HEAD_BYTES);
	memcpy(bytes, magic, sizeof magic);
	field_put32(bytes + 8, (uint32_t)header->max_exponent);
	field_put32(bytes + 12, (uint32_t)header->start_tiles);
	field_put32(bytes + 16, (uint32_t)header->goal);
	field_put32(bytes + 20, (uint32_t)header->target);
	field_put64(bytes + 24, header->max_sum);
	field_put_double(bytes + 32, header->value);
	field_put64(bytes + 40, header->states);
	field_put64(bytes + 48, header->afterstates);
	field_put64(bytes + LAYERS_AT, layers);
	field_texts_put(text_fields, TEXT_FIELDS, header, bytes);
	field_put64(bytes + INDEX_HASH_AT, index_hash);
	field_put64(bytes + HEAD_HASH_AT, XXH3_64bits(bytes, HEAD_HASH_AT));
}

static bool header_claims(const unsigned char *bytes, size_t size)
{
	return size >= sizeof magic && memcmp(bytes, magic, sizeof magic - 1) == 0;
}

/* Whether the numbers are possible, as far as can be known without the game. */
static bool header_valid(const struct optimum_header *header)
{
	return header->max_exponent >= 1 && header->max_exponent < 64 && header->start_tiles >= 0 &&
	       header->start_tiles <= CELLS_MAX && (unsigned)header->goal < GOALS &&
	       (header->goal == GOAL_TARGET ? header->target >= 1 && header->target < 64
					    : header->target == 0) &&
	       isfinite(header->value);
}

static enum status header_decode(const char *path, const unsigned char *bytes, size_t size,
				 struct optimum_header *header, struct why *why)
{
	if (!header_claims(bytes, size))
		return why_set(why, STATUS_INPUT,
			       "%s: not a table file, expected one that nxn solve --out wrote",
			       path);
	if (bytes[7] != magic[7])
		return why_set(why, STATUS_INPUT,
			       "%s: table format version %d, expected version %d", path, bytes[7],
			       magic[7]);
	if (size < HEAD_BYTES)
		return why_set(why, STATUS_INPUT,
			       "%s: truncated after %zu bytes, expected a header of %d", path, size,
			       HEAD_BYTES);
	struct optimum_header read = {
	    .max_exponent = (int)field_get32(bytes + 8),
	    .start_tiles = (int)field_get32(bytes + 12),
	    .goal = (enum goal)field_get32(bytes + 16),
	    .target = (int)field_get32(bytes + 20),
	    .max_sum = field_get64(bytes + 24),
	    .value = field_get_double(bytes + 32),
	    .states = field_get64(bytes + 40),
	    .afterstates = field_get64(bytes + 48),
	};
	if (field_get64(bytes + HEAD_HASH_AT) != XXH3_64bits(bytes, HEAD_HASH_AT) ||
	    !field_texts_get(text_fields, TEXT_FIELDS, bytes, &read) || !header_valid(&read))
		return why_set(why, STATUS_INPUT,
			       "%s: damaged header, expected contents that match its checksum",
			       path);
	*header = read;
	return STATUS_OK;
}

static enum status base_init(struct optimum_base *base, const char *path,
			     const struct optimum_header *header, struct why *why)
{
	struct why reason;
	const struct game_options options = {
	    .shape = header->board,
	    .spawn = header->spawn,
	    .start_tiles = header->start_tiles,
	    .start = header->start[0] ? header->start : NULL,
	};
	enum status status = game_init(&base->game, &options, &reason);
	if (!status && header->max_exponent > base->game.max_exponent)
		status = why_set(&reason, STATUS_INPUT,
				 "tiles up to 2^%d on a %s board, expected at most 2^%d",
				 header->max_exponent, base->game.name, base->game.max_exponent);
	if (!status)
		status = keys_init(&base->keys, &base->game, header->max_exponent, true, &reason);
	return status ? why_set(why, status, "%s: %.900s", path, reason.text) : STATUS_OK;
}

static enum status damaged(const struct optimum *o, const char *what, const char *want,
			   struct why *why)
{
	return why_set(why, STATUS_INPUT, "%s: damaged: %s, expected %s", o->path, what, want);
}

/* Maps the file. O_NONBLOCK: do not wait for the writer of a named pipe. */
static enum status file_map(struct optimum *o, struct why *why)
{
	struct stat st;
	const int fd = open(o->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return why_file(why, o->path, "cannot open the table");
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

/* Reads up to SIZE bytes from the beginning of PATH; *GOT is 0 if PATH is no regular file. */
static enum status file_begin_read(const char *path, unsigned char *bytes, size_t size, size_t *got,
				   struct why *why)
{
	FILE *file;
	*got = 0;
	enum status status = input_open(path, &file, why);
	if (status)
		return errno == ENOENT || errno == EINVAL ? STATUS_OK : status;
	*got = fread(bytes, 1, size, file);
	if (ferror(file))
		status = why_errno(why, "%s: cannot be read", path);
	fclose(file);
	return status;
}

bool optimum_claims(const char *path)
{
	unsigned char bytes[8];
	size_t got;
	return !file_begin_read(path, bytes, sizeof bytes, &got, NULL) && got > 0 &&
	       header_claims(bytes, got);
}

enum status optimum_replace_check(const char *path, const struct optimum_header *header,
				  struct why *why)
{
	unsigned char bytes[HEAD_BYTES];
	char was_start[BOARD_TEXT_MAX], start[BOARD_TEXT_MAX];
	struct optimum_header was;
	size_t got;
	enum status status = file_begin_read(path, bytes, sizeof bytes, &got, why);
	if (status || got == 0)
		return status;
	if (!header_claims(bytes, got))
		return why_set(why, STATUS_INPUT,
			       "%s: exists and is not a table file; expected one, or another name",
			       path);
	if (header_decode(path, bytes, got, &was, NULL) || games_alike(&was, header))
		return STATUS_OK;
	starts_format(&was, was_start);
	starts_format(header, start);
	return why_set(why, STATUS_INPUT,
		       "%s: exists and is the table of %s with spawns %s from %s, not of %s with "
		       "spawns %s from %s; expected another name",
		       path, was.board, was.spawn, was_start, header->board, header->spawn, start);
}

static enum status game_check(const struct optimum *o, const struct game *game, struct why *why)
{
	if (strcmp(o->header.board, game->name) != 0)
		return why_set(why, STATUS_INPUT, "%s: a table for %s boards, expected one for %s",
			       o->path, o->header.board, game->name);
	if (strcmp(o->header.spawn, game->spawn.text) != 0)
		return why_set(why, STATUS_INPUT,
			       "%s: a table for spawn rule '%s', expected one for '%s'", o->path,
			       o->header.spawn, game->spawn.text);
	return STATUS_OK;
}

/* Locates the layers, last one first, after the header; false unless they fill ROOM bytes. */
static bool layers_locate(struct optimum *o, const unsigned char *index, size_t room)
{
	const unsigned char *at = o->bytes + HEAD_BYTES;
	uint64_t afterstates = 0;
	for (size_t i = o->layer_count; i-- > 0;) {
		const unsigned char *entry = index + i * ENTRY_BYTES;
		struct optimum_layer *layer = &o->layers[i];
		layer->sum = field_get64(entry);
		const uint64_t count = field_get64(entry + 8);
		layer->hash = field_get64(entry + 16);
		if (count == 0 || count > room / sizeof(double) ||
		    !packed_keys_fit(o->base.keys.width, count) ||
		    (i + 1 < o->layer_count && layer->sum >= layer[1].sum))
			return false;
		packed_keys_plan(&layer->packed, o->base.keys.width, count);
		const size_t bytes = layer_bytes(&layer->packed);
		if (bytes > room)
			return false;
		layer->at = at;
		at += bytes;
		room -= bytes;
		afterstates += count;
	}
	return room == 0 && afterstates == o->header.afterstates;
}

static enum status index_read(struct optimum *o, struct why *why)
{
	const size_t room = o->size - HEAD_BYTES;
	const uint64_t layers = field_get64(o->bytes + LAYERS_AT);
	if (layers > room / ENTRY_BYTES)
		return damaged(o, "the file ends early", "all layers and their index", why);
	const size_t size = (size_t)layers * ENTRY_BYTES;
	const unsigned char *index = o->bytes + o->size - size;
	if (XXH3_64bits(index, size) != field_get64(o->bytes + INDEX_HASH_AT))
		return damaged(o, "the index differs from its checksum",
			       "the one it was written with", why);
	o->layer_count = (size_t)layers;
	o->layers = calloc(o->layer_count + 1, sizeof *o->layers);
	if (!o->layers)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", o->path);
	if (!layers_locate(o, index, room - size))
		return damaged(o, "the layers of the index do not fill the file",
			       "ascending sums and the sizes of the layers", why);
	return STATUS_OK;
}

enum status optimum_open(const char *path, const struct game *game, bool whole,
			 struct optimum **optimum, struct why *why)
{
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
		status = header_decode(path, o->bytes, o->size, &o->header, why);
	if (!status && game)
		status = game_check(o, game, why);
	if (!status)
		status = base_init(&o->base, path, &o->header, why);
	if (!status)
		status = index_read(o, why);
	if (!status && whole)
		status = optimum_verify(o, why);
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

const struct optimum_header *optimum_header(const struct optimum *optimum)
{
	return &optimum->header;
}

enum status optimum_fits(const struct optimum *optimum, const struct game *game, enum goal goal,
			 uint64_t max_sum, struct why *why)
{
	const struct optimum_header *header = &optimum->header;
	struct optimum_header asked = {0};
	char start[BOARD_TEXT_MAX], wanted[BOARD_TEXT_MAX];
	if (header->goal != goal)
		return why_set(why, STATUS_INPUT,
			       "%s: a table of the goal %s, expected one of the goal %s",
			       optimum->path, goal_name(header->goal), goal_name(goal));
	if (header->max_sum != max_sum)
		return why_set(why, STATUS_INPUT,
			       "%s: a table with the largest sum %" PRIu64
			       ", expected one with %" PRIu64 " (0: none)",
			       optimum->path, header->max_sum, max_sum);
	optimum_header_game(&asked, game);
	if (games_alike(header, &asked))
		return STATUS_OK;
	starts_format(header, start);
	starts_format(&asked, wanted);
	return why_set(why, STATUS_INPUT,
		       "%s: a table of other games (%s, %s, %s), expected one of %s, %s, %s",
		       optimum->path, header->board, header->spawn, start, asked.board, asked.spawn,
		       wanted);
}

enum status optimum_verify(const struct optimum *optimum, struct why *why)
{
	for (size_t i = 0; i < optimum->layer_count; i++) {
		const struct optimum_layer *layer = &optimum->layers[i];
		if (XXH3_64bits(layer->at, layer_bytes(&layer->packed)) != layer->hash)
			return why_set(why, STATUS_INPUT,
				       "%s: damaged in layer %" PRIu64
				       ", expected contents that match their checksum",
				       optimum->path, layer->sum);
	}
	return STATUS_OK;
}

static int layer_compare(const void *sum, const void *layer)
{
	const uint64_t a = *(const uint64_t *)sum, b = ((const struct optimum_layer *)layer)->sum;
	return (a > b) - (a < b);
}

static bool won(const struct optimum *o, const struct board *board)
{
	return o->header.goal == GOAL_TARGET && board_max(board) >= o->header.target;
}

/* Sets WORTH of all legal moves; false if one is unknown. */
static bool moves_find(const struct optimum *o, const struct turn *turn, double worth[DIRECTIONS])
{
	const uint64_t sum = board_sum(turn->board);
	const struct optimum_layer *layer =
	    bsearch(&sum, o->layers, o->layer_count, sizeof *layer, layer_compare);
	uint64_t code[DIRECTIONS], index[DIRECTIONS] = {0};
	size_t n = 0, next = 0;
	if (o->header.max_sum && sum > o->header.max_sum && !won(o, turn->board))
		return false;
	keys_pack_moves(&o->base.keys, &turn->moves, code);
	for (unsigned legal = turn->moves.legal; legal; legal &= legal - 1)
		code[n++] = code[__builtin_ctz(legal)];
	keys_fold(&o->base.keys, code, n);
	keys_mix(&o->base.keys, code, n);
	if (layer)
		packed_keys_find(&layer->packed, layer->at, code, n, index);
	for (unsigned legal = turn->moves.legal; legal; legal &= legal - 1, next++) {
		const int d = __builtin_ctz(legal);
		const struct board *after = &turn->moves.after[d];
		if (won(o, after)) {
			worth[d] = 1;
			continue;
		}
		if (!layer || index[next] == layer->packed.count ||
		    board_max(after) > o->header.max_exponent)
			return false;
		const unsigned char *values =
		    layer->at + layer->packed.directory + layer->packed.rests;
		worth[d] = goal_gain(o->header.goal, turn->moves.reward[d]) +
			   field_get_double(values + index[next] * sizeof(double));
		if (!isfinite(worth[d]))
			return false;
	}
	return true;
}

bool optimum_moves(const struct optimum *o, const struct turn *turn, double worth[DIRECTIONS])
{
	for (int d = 0; d < DIRECTIONS; d++)
		worth[d] = NAN;
	if (moves_find(o, turn, worth))
		return true;
	for (int d = 0; d < DIRECTIONS; d++)
		worth[d] = NAN;
	return false;
}

struct optimum_writer {
	struct optimum_base base;
	FILE *file;
	char *target; /* path of `file` */
	struct outflow out;
	struct optimum_layer *layers; /* by descending sum */
	size_t layer_count, capacity;
	uint64_t afterstates;
};

enum status optimum_create(struct optimum_writer **writer, const char *path,
			   const struct optimum_header *header, struct why *why)
{
	struct optimum_writer *w = aligned_alloc(_Alignof(struct optimum_writer), sizeof *w);
	if (!w)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	*w = (struct optimum_writer){.file = NULL};
	enum status status = base_init(&w->base, path, header, why);
	if (!status)
		status = part_create_linked(path, "a table file", &w->target, &w->file, why);
	if (status) {
		free(w);
		return status;
	}
	outflow_init(&w->out, fileno(w->file), HEAD_BYTES);
	*writer = w;
	return STATUS_OK;
}

static enum status write_status(const struct optimum_writer *w, struct why *why)
{
	errno = w->out.error;
	return w->out.error ? why_errno(why, "%s: cannot be written", w->target) : STATUS_OK;
}

enum status optimum_put(struct optimum_writer *w, uint64_t sum, const uint64_t *code,
			const double *value, size_t n, struct why *why)
{
	struct optimum_layer layer = {.sum = sum};
	assert(w->layer_count == 0 || sum < w->layers[w->layer_count - 1].sum);
	if (n == 0)
		return STATUS_OK;
	packed_keys_plan(&layer.packed, w->base.keys.width, n);
	packed_keys_put_directory(&layer.packed, code, &w->out);
	packed_keys_put_rests(&layer.packed, code, &w->out);
	outflow_doubles(&w->out, value, n);
	layer.hash = outflow_hash(&w->out);
	struct optimum_layer *grown =
	    array_grow(w->layers, w->layer_count, &w->capacity, sizeof *grown);
	if (!grown)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", w->target);
	w->layers = grown;
	w->layers[w->layer_count++] = layer;
	w->afterstates += n;
	return write_status(w, why);
}

static enum status ends_write(struct optimum_writer *w, const struct optimum_header *header,
			      struct why *why)
{
	unsigned char bytes[HEAD_BYTES];
	struct optimum_header complete = *header;
	complete.afterstates = w->afterstates;
	for (size_t i = w->layer_count; i-- > 0;) {
		outflow_number(&w->out, w->layers[i].sum, 8);
		outflow_number(&w->out, w->layers[i].packed.count, 8);
		outflow_number(&w->out, w->layers[i].hash, 8);
	}
	header_encode(&complete, w->layer_count, outflow_hash(&w->out), bytes);
	w->out.at = 0;
	outflow_bytes(&w->out, bytes, sizeof bytes);
	return write_status(w, why);
}

enum status optimum_finish(struct optimum_writer *w, const struct optimum_header *header,
			   struct why *why)
{
	enum status status = header ? ends_write(w, header, why) : STATUS_STOPPED;
	status = part_finish(w->file, w->target, status, why);
	free(w->target);
	free(w->layers);
	free(w);
	return header ? status : STATUS_OK;
}
