/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Games in memory; files are read in gamelog_read.c.
 *
 * Rows refer to their player, whose text is kept once: a row takes 72 bytes however long an agent's
 * specification is. Games are found through a hash table with linear probing over row numbers, at
 * most half full.
 */
#include "analysis/logs/gamelog.h"
#include "analysis/logs/gamelog_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void gamelog_init(struct gamelog *log)
{
	*log = (struct gamelog){0};
}

static void player_free(struct gamelog_player *player)
{
	if (!player)
		return;
	free((char *)player->board);
	free((char *)player->agent);
	free(player);
}

void gamelog_fini(struct gamelog *log)
{
	for (size_t i = 0; i < log->player_count; i++)
		player_free(log->players[i]);
	for (size_t i = 0; i < log->label_count; i++)
		free(log->labels[i]);
	free(log->players);
	free(log->labels);
	free(log->rows);
	free(log->slots);
	free(log->trainings);
	gamelog_init(log);
}

static enum status memory(struct why *why)
{
	return why_set(why, STATUS_SYSTEM, "out of memory for the game log");
}

/* ARRAY with room for one more, in which it doubles; NULL without memory, and ARRAY is as it was. */
static void *room_for_one(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	size_t more = *room ? 2 * *room : 64;
	void *grown = realloc(array, more * size);
	if (grown)
		*room = more;
	return grown;
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

void gamelog_index(struct gamelog *log)
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
	gamelog_index(log);
	return true;
}

/* The place of LABEL, the next one if it is new; false without memory. */
static bool label_place(struct gamelog *log, const char *label, size_t *place)
{
	size_t i = 0;

	while (i < log->label_count && strcmp(log->labels[i], label) != 0)
		i++;
	if (i == log->label_count) {
		char **labels = room_for_one(log->labels, i, &log->label_room, sizeof *labels);
		if (!labels)
			return false;
		log->labels = labels;
		log->labels[i] = strdup(label);
		if (!log->labels[i])
			return false;
		log->label_count++;
	}
	*place = i;
	return true;
}

enum status gamelog_announce(struct gamelog *log, const char *label, struct why *why)
{
	size_t place;

	return label_place(log, label, &place) ? STATUS_OK : memory(why);
}

enum status gamelog_note_training(struct gamelog *log, uint64_t config, double seconds,
				  struct why *why)
{
	struct gamelog_training *trainings = room_for_one(log->trainings, log->training_count,
							  &log->training_room, sizeof *trainings);
	if (!trainings)
		return memory(why);
	log->trainings = trainings;
	log->trainings[log->training_count++] = (struct gamelog_training){config, seconds};
	return STATUS_OK;
}

double gamelog_training(const struct gamelog *log, uint64_t config)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < log->training_count; i++) {
		if (log->trainings[i].config != config)
			continue;
		sum += log->trainings[i].seconds;
		n++;
	}
	return n ? sum / (double)n : NAN;
}

static struct gamelog_player *player_copy(struct gamelog *log, const struct gamelog_player *player)
{
	struct gamelog_player *copy = malloc(sizeof *copy);

	if (!copy)
		return NULL;
	*copy = *player;
	copy->number = log->player_count;
	copy->board = strdup(player->board);
	copy->agent = strdup(player->agent);
	if (!copy->board || !copy->agent || !label_place(log, player->label, &copy->place)) {
		player_free(copy);
		return NULL;
	}
	copy->label = log->labels[copy->place];
	return copy;
}

/* The player of the log with the config of PLAYER, which is added if new; NULL without memory. */
static const struct gamelog_player *player_intern(struct gamelog *log,
						  const struct gamelog_player *player)
{
	for (size_t i = log->player_count; i-- > 0;)
		if (log->players[i]->config == player->config)
			return log->players[i];
	struct gamelog_player **players =
	    room_for_one(log->players, log->player_count, &log->player_room, sizeof *players);
	if (!players)
		return NULL;
	log->players = players;
	struct gamelog_player *copy = player_copy(log, player);
	if (copy)
		log->players[log->player_count++] = copy;
	return copy;
}

/* Whether they are one player by all that config stands for and a log tells. */
static bool player_same(const struct gamelog_player *a, const struct gamelog_player *b)
{
	return a->trained == b->trained && !strcmp(a->board, b->board) &&
	       !strcmp(a->agent, b->agent);
}

static bool row_same(const struct gamelog_row *a, const struct gamelog_row *b)
{
	return a->score == b->score && a->max_tile == b->max_tile && a->moves == b->moves;
}

enum status gamelog_add(struct gamelog *log, const struct gamelog_player *player,
			const struct gamelog_row *row, struct why *why)
{
	const struct gamelog_player *known = player_intern(log, player);
	struct gamelog_row *rows =
	    room_for_one(log->rows, log->count, &log->row_room, sizeof *rows);

	log->rows = rows ? rows : log->rows;
	if (!known || !rows || !slots_grow(log))
		return memory(why);
	if (!player_same(known, player))
		return why_set(why, STATUS_INPUT,
			       "contradicts an earlier line: config %016" PRIx64
			       " is %s on %s after %" PRIu64 " training games",
			       known->config, known->agent, known->board, known->trained);
	size_t *slot = slot_of(log, player->config, row->seed, row->game);
	if (*slot == 0) {
		log->rows[log->count] = *row;
		log->rows[log->count++].player = known;
		*slot = log->count;
	} else if (row_same(&log->rows[*slot - 1], row)) {
		log->duplicates++;
	} else {
		return why_set(why, STATUS_INPUT,
			       "contradicts an earlier result of the same game (config %016" PRIx64
			       ", seed %" PRIu64 ", game %" PRIu64 ")",
			       player->config, row->seed, row->game);
	}
	return STATUS_OK;
}
