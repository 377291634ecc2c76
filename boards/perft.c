/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perft; see perft.h for the definition.
 *
 * Sequences are not enumerated. A layer maps each distinct board to the number of sequences that
 * lead to the board and the sum of their scores. A move and a spawn each turn one layer into the
 * next and add up the entries of equal boards. S_k and its after-states are layers in turn:
 *
 *     slide:  leaves += leaves, score += score + reward * leaves    over the legal moves
 *     spawn:  leaves += leaves, score += score                      over the empty cells and kinds
 *
 * Invariant: an entry in use has leaves > 0; a free entry has leaves = 0.
 */
#include "boards/perft.h"

#include "base/stop.h"

#include <assert.h>
#include <stdlib.h>

struct perft_entry {
	struct board board;
	uint64_t leaves, score;
};

/*
 * A hash table with linear probing, at most half full; its capacity is a power of two. A zeroed
 * layer is empty.
 */
struct perft_layer {
	struct perft_entry *entries;
	size_t capacity, used;
	bool overflow; /* a sum overflowed, here or earlier, and is UINT64_MAX */
};

/* Returns the entry of BOARD, or the free entry where BOARD belongs. */
static struct perft_entry *layer_find(const struct perft_layer *layer, const struct board *board)
{
	size_t mask = layer->capacity - 1;
	size_t i = board_hash(board) & mask;
	while (layer->entries[i].leaves && !board_equal(&layer->entries[i].board, board))
		i = (i + 1) & mask;
	return &layer->entries[i];
}

static enum status layer_grow(struct perft_layer *layer, struct why *why)
{
	struct perft_layer larger = *layer;
	larger.capacity = layer->capacity ? 2 * layer->capacity : 1024;
	larger.entries = calloc(larger.capacity, sizeof *larger.entries);
	if (!larger.entries)
		return why_set(why, STATUS_SYSTEM,
			       "no memory for more than %zu positions; ask for fewer plies",
			       layer->used);
	for (size_t i = 0; i < layer->capacity; i++)
		if (layer->entries[i].leaves)
			*layer_find(&larger, &layer->entries[i].board) = layer->entries[i];
	free(layer->entries);
	*layer = larger;
	return STATUS_OK;
}

/* Adds TERM to *SUM. On overflow sets *OVERFLOW and saturates. */
static void sum_add(uint64_t *sum, uint64_t term, bool *overflow)
{
	if (__builtin_add_overflow(*sum, term, sum)) {
		*sum = UINT64_MAX;
		*overflow = true;
	}
}

static enum status layer_add(struct perft_layer *layer, const struct board *board, uint64_t leaves,
			     uint64_t score, struct why *why)
{
	if (2 * (layer->used + 1) > layer->capacity) {
		enum status status = layer_grow(layer, why);
		if (status)
			return status;
	}
	struct perft_entry *entry = layer_find(layer, board);
	if (!entry->leaves) {
		entry->board = *board;
		layer->used++;
	}
	sum_add(&entry->leaves, leaves, &layer->overflow);
	sum_add(&entry->score, score, &layer->overflow);
	return STATUS_OK;
}

/* Adds the position of ENTRY to the counts of PERFT, and its after-states to AFTER. */
static enum status entry_slide(const struct game *game, const struct perft_entry *entry,
			       struct perft_layer *after, struct perft *perft, bool *overflow,
			       struct why *why)
{
	struct moves moves;
	game->moves(&entry->board, &moves);
	perft->states++;
	perft->terminal += moves.legal == 0;
	sum_add(&perft->leaves, entry->leaves, overflow);
	sum_add(&perft->leaf_score, entry->score, overflow);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(moves.legal >> d & 1))
			continue;
		perft->pairs++;
		sum_add(&perft->rewards, moves.reward[d], overflow);
		uint64_t score;
		if (__builtin_mul_overflow(moves.reward[d], entry->leaves, &score))
			after->overflow = true;
		sum_add(&score, entry->score, &after->overflow);
		enum status status = layer_add(after, &moves.after[d], entry->leaves, score, why);
		if (status)
			return status;
	}
	return STATUS_OK;
}

/* Adds to NEXT the positions after a spawn on the after-state of ENTRY. */
static enum status entry_spawn(const struct game *game, const struct perft_entry *entry,
			       struct perft_layer *next, struct why *why)
{
	uint8_t cells[CELLS_MAX];
	for (int i = board_empty_cells(game, &entry->board, cells); i-- > 0;) {
		for (int kind = 0; kind < game->spawn.kinds; kind++) {
			struct board spawned = entry->board;
			*board_at(&spawned, cells[i]) = game->spawn.exponent[kind];
			enum status status =
			    layer_add(next, &spawned, entry->leaves, entry->score, why);
			if (status)
				return status;
		}
	}
	return STATUS_OK;
}

/* Counts LAYER in PERFT and replaces it by its after-states; by its spawns if PERFT is NULL. */
static enum status layer_step(const struct game *game, struct perft_layer *layer,
			      struct perft *perft, bool *overflow, struct why *why)
{
	struct perft_layer next = {.overflow = layer->overflow};
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < layer->capacity; i++) {
		const struct perft_entry *entry = &layer->entries[i];
		if (stop_requested())
			status =
			    why_set(why, STATUS_STOPPED, "stopped while positions were counted");
		else if (entry->leaves)
			status = perft ? entry_slide(game, entry, &next, perft, overflow, why)
				       : entry_spawn(game, entry, &next, why);
	}
	free(layer->entries);
	*layer = next;
	return status;
}

/* Fills the empty LAYER with the boards that games start from, one leaf each. */
static enum status layer_start(const struct game *game, struct perft_layer *layer, struct why *why)
{
	enum status status = layer_add(layer, &(struct board){0}, 1, 0, why);
	for (int tile = 0; !status && tile < game->start_tiles; tile++)
		status = layer_step(game, layer, NULL, NULL, why);
	for (size_t i = 0; i < layer->capacity; i++)
		layer->entries[i].leaves = layer->entries[i].leaves > 0;
	return status;
}

enum status perft_count(const struct game *game, const struct board *board, int plies,
			struct perft *perft, struct why *why)
{
	assert(plies >= 0);
	struct perft_layer layer = {0};
	struct perft count = {0};
	bool overflow = false;
	enum status status =
	    board ? layer_add(&layer, board, 1, 0, why) : layer_start(game, &layer, why);
	for (int k = 0; !status && k <= plies; k++) {
		if (k > 0)
			status = layer_step(game, &layer, NULL, NULL, why);
		count = (struct perft){0};
		overflow = layer.overflow;
		if (!status)
			status = layer_step(game, &layer, &count, &overflow, why);
		count.afterstates = layer.used;
	}
	free(layer.entries);
	if (status)
		return status;
	if (overflow)
		return why_set(why, STATUS_SYSTEM,
			       "a count does not fit in 64 bits; ask for fewer plies");
	*perft = count;
	return STATUS_OK;
}
