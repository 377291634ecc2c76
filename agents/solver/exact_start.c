/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The positions that games start with: a tile after another on the empty board, equal positions
 * together, so that not the orders are counted in which tiles can come.
 */
#include "agents/solver/exact_work.h"

/* What the positions of FROM become by one more tile, in TO. */
static void tile_add(struct exact_work *work, const struct exact_table *from,
		     struct exact_table *to)
{
	struct exact_draft *draft = &work->worker->draft;
	for (size_t i = 0; i < from->n; i++) {
		uint64_t key = from->code[i];
		keys_unmix(&work->keys, &key, 1);
		draft->n = 0;
		for (int kind = 0; kind < work->game->spawn.kinds; kind++)
			exact_spawn(work, key, &from->mass[i], kind, draft);
		exact_encode(work, draft);
		exact_table_add(&work->budget, to, work->keys.width, draft->code, draft->mass,
				draft->n);
	}
}

/* Each position of TABLE into the layer of its sum. */
static void layers_fill(struct exact_work *work, const struct exact_table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		struct board board;
		uint64_t key = table->code[i];
		keys_unmix(&work->keys, &key, 1);
		keys_unpack(&work->keys, key, &board);
		struct exact_layer *layer = exact_layer_at(work, board_sum(&board));
		if (!layer)
			return;
		exact_table_add(&work->budget,
				&layer->part[exact_part(table->code[i], work->keys.width)],
				work->keys.width, &table->code[i], &table->mass[i], 1);
	}
}

void exact_start(struct exact_work *work)
{
	const struct game *game = work->game;
	const int tiles = game->has_start ? 0 : game->start_tiles;
	struct exact_draft *draft = &work->worker->draft;
	struct exact_table table = {0};
	draft->n = 1;
	draft->code[0] = keys_pack(&work->keys, &game->start);
	draft->mass[0] = (struct exact_mass){.p = 1};
	exact_encode(work, draft);
	exact_table_add(&work->budget, &table, work->keys.width, draft->code, draft->mass, 1);
	for (int i = 0; i < tiles; i++) {
		struct exact_table next = {0};
		tile_add(work, &table, &next);
		exact_table_fini(&work->budget, &table);
		table = next;
	}
	layers_fill(work, &table);
	exact_table_fini(&work->budget, &table);
}
