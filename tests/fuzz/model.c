/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs and unpacks model files for fuzz targets; see model.h. */
#include "tests/fuzz/model.h"

#include "agents/model.c"
#include "tests/fuzz/fuzz.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include <inttypes.h>

enum { FILE_MAX = 1 << 20, SECTION_MAX = 1 << 18 };

/* All of a section into DATA; its size. */
static size_t section_read(struct model_file *reader, uint8_t *data)
{
	const size_t size = model_read_some(reader, data, SECTION_MAX);
	if (model_section_end(reader))
		FUZZ_CHECK(size < SECTION_MAX);
	return size;
}

bool model_unpack(const char *path, FILE *out)
{
	static uint8_t data[SECTION_MAX];
	struct model_file *reader;
	struct why why;
	if (model_open(&reader, path, &why))
		return false;
	const struct model_header *head = model_header(reader);
	fprintf(out, "%s\n%s\n%s\n%s\n%s\n%" PRIu64 "\n%" PRIu32 "\n", head->agent, head->board,
		head->spawn, head->layout, head->params, head->games, head->sections);
	for (uint32_t i = 0; i < head->sections; i++) {
		unsigned char length[4];
		const size_t size = section_read(reader, data);
		field_put32(length, (uint32_t)size);
		fwrite(length, 1, sizeof length, out);
		fwrite(data, 1, size, out);
	}
	model_close(reader);
	return true;
}

/* The next line of DATA into TEXT, cut off where it is too long; the bytes that it took. */
static size_t line_take(const uint8_t *data, size_t size, char *text, size_t room)
{
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	const size_t length = end ? (size_t)(end - data) : size;
	const size_t kept = length < room - 1 ? length : room - 1;
	for (size_t i = 0; i < kept; i++) /* the reader refuses what a terminal cannot show */
		text[i] = (char)(data[i] < ' ' || data[i] > '~' ? '?' : data[i]);
	memset(text + kept, 0, room - kept);
	return end ? length + 1 : length;
}

size_t model_unpacked_head(const uint8_t *data, size_t size, struct model_header *head)
{
	char number[32];
	size_t at = 0;
	*head = (struct model_header){0};
	at += line_take(data + at, size - at, head->agent, sizeof head->agent);
	at += line_take(data + at, size - at, head->board, sizeof head->board);
	at += line_take(data + at, size - at, head->spawn, sizeof head->spawn);
	at += line_take(data + at, size - at, head->layout, sizeof head->layout);
	at += line_take(data + at, size - at, head->params, sizeof head->params);
	at += line_take(data + at, size - at, number, sizeof number);
	head->games = strtoull(number, NULL, 10);
	at += line_take(data + at, size - at, number, sizeof number);
	head->sections = (uint32_t)strtoul(number, NULL, 10);
	return at;
}

/* A frame of SIZE bytes at OUT, which has ROOM; its size. */
static size_t section_pack(const uint8_t *data, size_t size, uint8_t *out, size_t room)
{
	static ZSTD_CCtx *zstd;
	if (!zstd) {
		zstd = ZSTD_createCCtx();
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, -5);
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, 17);
	}
	const size_t written = ZSTD_compress2(zstd, out, room, data, size);
	FUZZ_CHECK(!ZSTD_isError(written));
	return written;
}

const char *model_pack(const struct model_header *head, const uint8_t *data, size_t size)
{
	static uint8_t file[FILE_MAX];
	size_t used = MODEL_HEADER_BYTES;
	const uint32_t sections = head->sections < 64 ? head->sections : 64;
	header_encode(head, file);
	for (uint32_t i = 0; i < sections; i++) {
		size_t length = size >= 4 ? field_get32(data) : 0;
		data += size >= 4 ? 4 : 0;
		size -= size >= 4 ? 4 : 0;
		length = length < size ? length : size;
		if (i + 1 == sections) /* the last one has what is left */
			length = size;
		if (used + ZSTD_compressBound(length) + 8 > sizeof file)
			break;
		used += section_pack(data, length, file + used, sizeof file - used - 8);
		data += length;
		size -= length;
	}
	field_put64(file + used, XXH3_64bits(file + MODEL_HEADER_BYTES, used - MODEL_HEADER_BYTES));
	return fuzz_file(file, used + 8);
}
