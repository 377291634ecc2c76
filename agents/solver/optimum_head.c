/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The head of a table file, in memory and in bytes, and the game that it tells of; see
 * optimum_format.h.
 *
 * Invariant: what optimum_head_decode() accepts, optimum_head_encode() writes back byte for byte.
 */
#include "agents/fields.h"
#include "agents/solver/optimum_format.h"

#include <math.h>
#include <stdio.h>

static const unsigned char magic[8] = "nxt\r\n\032\n\001";

struct text_field {
	size_t at, size, room, offset; /* in the file; room and place in struct optimum_head */
};

#define FIELD(name, at, size)                                                                      \
	{                                                                                          \
		at, size, sizeof((struct optimum_head *)0)->name,                                  \
		    offsetof(struct optimum_head, name)                                            \
	}
static const struct text_field text_fields[] = {
    FIELD(board, 64, 8),
    FIELD(spawn, 72, 128),
    FIELD(start, 200, 512),
    FIELD(made, 712, 256),
};
#undef FIELD

enum { TEXT_FIELDS = sizeof text_fields / sizeof text_fields[0], HASH_AT = OPTIMUM_HEAD_BYTES - 8 };

_Static_assert(BOARD_TEXT_MAX <= 512, "a start fits into its field");
_Static_assert(712 + OPTIMUM_MADE_MAX + 8 == HASH_AT, "the fields fill the head");

void optimum_head_game(struct optimum_head *head, const struct game *game)
{
	snprintf(head->board, sizeof head->board, "%s", game->name);
	spawn_format(&game->spawn, head->spawn);
	head->start[0] = '\0';
	if (game->has_start)
		board_format(game, &game->start, head->start);
	head->start_tiles = game->start_tiles;
}

bool optimum_starts_alike(const struct optimum_head *a, const struct optimum_head *b)
{
	return strcmp(a->start, b->start) == 0 && (*a->start || a->start_tiles == b->start_tiles);
}

void optimum_starts(const struct optimum_head *head, char text[BOARD_TEXT_MAX])
{
	if (*head->start)
		snprintf(text, BOARD_TEXT_MAX, "%s", head->start);
	else
		snprintf(text, BOARD_TEXT_MAX, "%d start tile%s", head->start_tiles,
			 head->start_tiles == 1 ? "" : "s");
}

void optimum_head_encode(const struct optimum_head *head, const struct optimum_layout *layout,
			 unsigned char bytes[OPTIMUM_HEAD_BYTES])
{
	memset(bytes, 0, OPTIMUM_HEAD_BYTES);
	memcpy(bytes, magic, sizeof magic);
	field_put32(bytes + 8, (uint32_t)head->max_exponent);
	field_put32(bytes + 12, (uint32_t)head->start_tiles);
	field_put32(bytes + 16, (uint32_t)head->goal);
	field_put32(bytes + 20, (uint32_t)head->target);
	field_put64(bytes + 24, head->max_sum);
	field_put_double(bytes + 32, head->value);
	field_put64(bytes + 40, head->states);
	field_put64(bytes + 48, head->afterstates);
	field_put64(bytes + 56, layout->layers);
	for (int i = 0; i < TEXT_FIELDS; i++) {
		const struct text_field *f = &text_fields[i];
		const char *text = (const char *)head + f->offset;
		memcpy(bytes + f->at, text, strnlen(text, f->room - 1));
	}
	field_put64(bytes + 968, layout->index_hash);
	field_put64(bytes + HASH_AT, XXH3_64bits(bytes, HASH_AT));
}

bool optimum_head_claims(const unsigned char *bytes, size_t size)
{
	return size >= sizeof magic && memcmp(bytes, magic, sizeof magic - 1) == 0;
}

/* What can be said of the numbers without the game. */
static bool head_sound(const struct optimum_head *head)
{
	return head->max_exponent >= 1 && head->max_exponent < 64 && head->start_tiles >= 0 &&
	       head->start_tiles <= CELLS_MAX && (unsigned)head->goal < GOALS &&
	       (head->goal == GOAL_TARGET ? head->target >= 1 && head->target < 64
					  : head->target == 0) &&
	       isfinite(head->value);
}

enum status optimum_head_decode(const char *path, const unsigned char *bytes, size_t size,
				struct optimum_head *head, struct optimum_layout *layout,
				struct why *why)
{
	if (!optimum_head_claims(bytes, size))
		return why_set(why, STATUS_INPUT,
			       "%s: not a table file, expected one that nxn solve --out wrote",
			       path);
	if (bytes[7] != magic[7])
		return why_set(why, STATUS_INPUT,
			       "%s: table format version %d, expected version %d", path, bytes[7],
			       magic[7]);
	if (size < OPTIMUM_HEAD_BYTES)
		return why_set(why, STATUS_INPUT,
			       "%s: truncated after %zu bytes, expected a head of %d", path, size,
			       OPTIMUM_HEAD_BYTES);
	bool sound = field_get64(bytes + HASH_AT) == XXH3_64bits(bytes, HASH_AT);
	struct optimum_head read = {
	    .max_exponent = (int)field_get32(bytes + 8),
	    .start_tiles = (int)field_get32(bytes + 12),
	    .goal = (enum goal)field_get32(bytes + 16),
	    .target = (int)field_get32(bytes + 20),
	    .max_sum = field_get64(bytes + 24),
	    .value = field_get_double(bytes + 32),
	    .states = field_get64(bytes + 40),
	    .afterstates = field_get64(bytes + 48),
	};
	for (int i = 0; i < TEXT_FIELDS; i++) {
		const struct text_field *f = &text_fields[i];
		sound = sound && field_text_sound(bytes + f->at, f->size) &&
			strlen((const char *)bytes + f->at) < f->room;
		if (sound)
			memcpy((char *)&read + f->offset, bytes + f->at, f->room);
	}
	if (!sound || !head_sound(&read))
		return why_set(why, STATUS_INPUT,
			       "%s: damaged head, expected contents that match its checksum", path);
	*head = read;
	*layout = (struct optimum_layout){field_get64(bytes + 56), field_get64(bytes + 968)};
	return STATUS_OK;
}

enum status optimum_base_init(struct optimum_base *base, const char *path,
			      const struct optimum_head *head, struct why *why)
{
	struct why reason;
	const struct game_options options = {
	    .shape = head->board,
	    .spawn = head->spawn,
	    .start_tiles = head->start_tiles,
	    .start = head->start[0] ? head->start : NULL,
	};
	enum status status = game_init(&base->game, &options, &reason);
	if (!status && head->max_exponent > base->game.max_exponent)
		status = why_set(&reason, STATUS_INPUT,
				 "tiles up to 2^%d on a %s board, expected at most 2^%d",
				 head->max_exponent, base->game.name, base->game.max_exponent);
	if (!status)
		status = keys_init(&base->keys, &base->game, head->max_exponent, true, &reason);
	return status ? why_set(why, status, "%s: %.900s", path, reason.text) : STATUS_OK;
}
