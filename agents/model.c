/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The head of a model file, in memory and in bytes; see model_format.h.
 *
 * Invariant: what model_head_decode() accepts, model_head_encode() writes back byte for byte.
 */
#include "agents/fields.h"
#include "agents/model_format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <inttypes.h>
#include <string.h>

static const char magic[8] = "nxn\r\n\032\n";

struct text_field {
	size_t at, size, offset; /* in the file, and in struct model_head */
};

static const struct text_field text_fields[] = {
    {24, MODEL_AGENT_MAX, offsetof(struct model_head, agent)},
    {56, MODEL_BOARD_MAX, offsetof(struct model_head, board)},
    {64, SPAWN_TEXT_MAX, offsetof(struct model_head, spawn)},
    {192, MODEL_LAYOUT_MAX, offsetof(struct model_head, layout)},
    {448, MODEL_PARAMS_MAX, offsetof(struct model_head, params)},
};

enum { TEXT_FIELDS = sizeof text_fields / sizeof text_fields[0] };

_Static_assert(448 + MODEL_PARAMS_MAX + 8 == MODEL_HEAD_BYTES, "the fields fill the head");

void model_put64(unsigned char bytes[8], uint64_t x)
{
	field_put64(bytes, x);
}

uint64_t model_get64(const unsigned char bytes[8])
{
	return field_get64(bytes);
}

void model_head_encode(const struct model_head *head, unsigned char bytes[MODEL_HEAD_BYTES])
{
	memset(bytes, 0, MODEL_HEAD_BYTES);
	memcpy(bytes, magic, sizeof magic);
	field_put32(bytes + 8, MODEL_VERSION);
	field_put32(bytes + 12, head->sections);
	model_put64(bytes + 16, head->games);
	for (int i = 0; i < TEXT_FIELDS; i++) {
		const struct text_field *f = &text_fields[i];
		const char *text = (const char *)head + f->offset;
		memcpy(bytes + f->at, text, strnlen(text, f->size - 1));
	}
	size_t hashed = MODEL_HEAD_BYTES - MODEL_HASH_BYTES;
	model_put64(bytes + hashed, XXH3_64bits(bytes, hashed));
}

enum status model_head_decode(const char *path, const unsigned char *bytes, size_t size,
			      struct model_head *head, struct why *why)
{
	if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
		return why_set(why, STATUS_INPUT,
			       "%s: not a model file, expected one written by nxn", path);
	if (size < MODEL_HEAD_BYTES)
		return why_set(why, STATUS_INPUT,
			       "%s: truncated after %zu bytes, expected a head of %d", path, size,
			       MODEL_HEAD_BYTES);
	if (field_get32(bytes + 8) != MODEL_VERSION)
		return why_set(why, STATUS_INPUT,
			       "%s: model format version %" PRIu32 ", expected version %d", path,
			       field_get32(bytes + 8), MODEL_VERSION);
	size_t hashed = MODEL_HEAD_BYTES - MODEL_HASH_BYTES;
	bool sound = model_get64(bytes + hashed) == XXH3_64bits(bytes, hashed);
	struct model_head read = {.sections = field_get32(bytes + 12),
				  .games = model_get64(bytes + 16)};
	sound = sound && read.sections >= 1 && read.sections <= MODEL_SECTIONS_MAX;
	for (int i = 0; i < TEXT_FIELDS; i++) {
		const struct text_field *f = &text_fields[i];
		sound = sound && field_text_sound(bytes + f->at, f->size);
		memcpy((char *)&read + f->offset, bytes + f->at, f->size);
	}
	if (!sound)
		return why_set(why, STATUS_INPUT,
			       "%s: damaged head, expected contents that match its checksum", path);
	*head = read;
	return STATUS_OK;
}
