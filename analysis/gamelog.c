/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads game logs into memory and finds games there.
 *
 * Rows refer to their player, whose text is kept once: a row takes 56 bytes however long an agent's
 * specification is. Games are found through a hash table with linear probing over row numbers, at
 * most half full.
 */
#include "analysis/gamelog.h"
#include "analysis/gamelog_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gamelog_init(struct gamelog *log)
{
	*log = (struct gamelog){0};
}

void gamelog_fini(struct gamelog *log)
{
	for (size_t i = 0; i < log->player_count; i++) {
		free(log->players[i]->board);
		free(log->players[i]->label);
		free(log->players[i]->agent);
		free(log->players[i]);
	}
	free(log->players);
	free(log->rows);
	free(log->slots);
	gamelog_init(log);
}

static enum status memory(struct why *why)
{
	return why_set(why, STATUS_SYSTEM, "out of memory for the game log");
}

/* Makes room for one more in an array that doubles. */
static bool room_for_one(void **array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return true;
	size_t more = *room ? 2 * *room : 64;
	void *grown = realloc(*array, more * size);
	if (!grown)
		return false;
	*array = grown;
	*room = more;
	return true;
}

/* The slot of a game: its own, or the free one where it would go. */
static size_t *slot_of(const struct gamelog *log, uint64_t config, uint64_t seed, uint64_t game)
{
	uint64_t hash = (config ^ seed * 0x9e3779b97f4a7c15 ^ game) * 0xff51afd7ed558ccd;

	for (size_t i = (hash ^ hash >> 32) & (log->slot_count - 1);;
	     i = (i + 1) & (log->slot_count - 1)) {
		if (!log->slots[i])
			return &log->slots[i];
		const struct gamelog_row *row = &log->rows[log->slots[i] - 1];
		if (row->game == game && row->seed == seed && row->player->config == config)
			return &log->slots[i];
	}
}

bool gamelog_has(const struct gamelog *log, uint64_t config, uint64_t seed, uint64_t game)
{
	return log->count > 0 && *slot_of(log, config, seed, game) != 0;
}

static void slots_fill(struct gamelog *log)
{
	if (log->slots)
		memset(log->slots, 0, log->slot_count * sizeof *log->slots);
	for (size_t i = 0; i < log->count; i++) {
		const struct gamelog_row *row = &log->rows[i];
		*slot_of(log, row->player->config, row->seed, row->game) = i + 1;
	}
}

static bool slots_grow(struct gamelog *log)
{
	if (2 * (log->count + 1) <= log->slot_count)
		return true;
	size_t count = log->slot_count ? 2 * log->slot_count : 256;
	size_t *slots = calloc(count, sizeof *slots);
	if (!slots)
		return false;
	free(log->slots);
	log->slots = slots;
	log->slot_count = count;
	slots_fill(log);
	return true;
}

static bool player_equal(const struct gamelog_player *a, const struct gamelog_player *b)
{
	return a->config == b->config && a->trained == b->trained && !strcmp(a->board, b->board) &&
	       !strcmp(a->label, b->label) && !strcmp(a->agent, b->agent);
}

static struct gamelog_player *player_copy(const struct gamelog_player *player, size_t number)
{
	struct gamelog_player *copy = malloc(sizeof *copy);

	if (!copy)
		return NULL;
	*copy = (struct gamelog_player){
	    .number = number,
	    .config = player->config,
	    .trained = player->trained,
	    .board = strdup(player->board),
	    .label = strdup(player->label),
	    .agent = strdup(player->agent),
	};
	if (copy->board && copy->label && copy->agent)
		return copy;
	free(copy->board);
	free(copy->label);
	free(copy->agent);
	free(copy);
	return NULL;
}

/* The player of the log that equals PLAYER, added if there is none; NULL without memory. */
static const struct gamelog_player *player_intern(struct gamelog *log,
						  const struct gamelog_player *player)
{
	for (size_t i = log->player_count; i-- > 0;)
		if (player_equal(log->players[i], player))
			return log->players[i];
	if (!room_for_one((void **)&log->players, log->player_count, &log->player_room,
			  sizeof *log->players))
		return NULL;
	struct gamelog_player *copy = player_copy(player, log->player_count);
	if (copy)
		log->players[log->player_count++] = copy;
	return copy;
}

static bool row_same(const struct gamelog_row *a, const struct gamelog_row *b)
{
	return a->player == b->player && a->score == b->score && a->max_tile == b->max_tile &&
	       a->moves == b->moves;
}

/* Adds the game on a line, unless it is there. */
static enum status line_add(struct gamelog *log, char *line, const char *path, size_t number,
			    struct why *why)
{
	struct gamelog_player player;
	struct gamelog_row row;

	enum status status = gamelog_parse(line, path, number, &player, &row, why);
	if (status != STATUS_OK)
		return status;
	row.player = player_intern(log, &player);
	if (!row.player || !slots_grow(log) ||
	    !room_for_one((void **)&log->rows, log->count, &log->row_room, sizeof *log->rows))
		return memory(why);
	size_t *slot = slot_of(log, player.config, row.seed, row.game);
	if (*slot == 0) {
		log->rows[log->count++] = row;
		*slot = log->count;
	} else if (row_same(&log->rows[*slot - 1], &row)) {
		log->duplicates++;
	} else {
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: contradicts an earlier result of the same game (config "
			       "%016" PRIx64 ", seed %" PRIu64 ", game %" PRIu64 ")",
			       path, number, player.config, row.seed, row.game);
	}
	return STATUS_OK;
}

static enum status lines_read(struct gamelog *log, FILE *file, const char *path, struct why *why)
{
	enum status status = STATUS_OK;
	bool begun = false, torn = false;
	char *line = NULL;
	size_t room = 0, number = 0;
	ssize_t length;

	while (status == STATUS_OK && !torn && (length = getline(&line, &room, file)) > 0) {
		number++;
		torn = line[length - 1] != '\n';
		if (!torn)
			line[--length] = '\0';
		if (line[0] == '#')
			continue;
		if (!begun)
			status = gamelog_check_header(line, torn, path, number, why);
		else if (strlen(line) != (size_t)length && !torn)
			status =
			    why_set(why, STATUS_INPUT, "%s:%zu: holds a zero byte", path, number);
		else if (!torn)
			status = line_add(log, line, path, number, why);
		begun = true;
	}
	if (status == STATUS_OK && ferror(file))
		status = why_errno(why, "%s: cannot be read", path);
	if (status == STATUS_OK)
		log->torn += torn;
	free(line);
	return status;
}

enum status gamelog_read(struct gamelog *log, const char *path, struct why *why)
{
	size_t count = log->count, duplicates = log->duplicates;
	FILE *file = fopen(path, "re");

	if (!file && errno == ENOENT)
		return why_set(why, STATUS_INPUT, "%s: no such game log", path);
	if (!file)
		return why_errno(why, "%s: cannot be read", path);
	enum status status = lines_read(log, file, path, why);
	fclose(file);
	if (status != STATUS_OK) {
		log->count = count;
		log->duplicates = duplicates;
		slots_fill(log);
	}
	return status;
}
