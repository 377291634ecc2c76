/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Table files of the solver: as the input has them, and once more with checksums of layers, index
 * and head that fit. Games are played by what opens.
 */
#include "agents/solver/optimum.c" /* for the layout of the file */

#include "agents/play.h"
#include "tests/agents/optimum_value.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <unistd.h>

static void positions_ask(const struct optimum *o)
{
	struct board board;
	struct rng rng;
	struct turn turn;
	double worth[DIRECTIONS];
	rng_init(&rng, 1, RNG_SPAWN, 1);
	board_start(&o->base.game, &board, &rng);
	for (int i = 0; i < 12; i++) {
		turn_init(&turn, &o->base.game, &board, 0);
		if (!turn.moves.legal)
			break;
		optimum_value(o, &turn);
		if (optimum_moves(o, &turn, worth))
			for (int d = 0; d < DIRECTIONS; d++)
				FUZZ_CHECK(isnan(worth[d]) == !(turn.moves.legal >> d & 1));
		board = turn.moves.after[__builtin_ctz(turn.moves.legal)];
		board_spawn(&o->base.game, &board, &rng);
	}
}

/* The agent that plays by tables, and whether the layers are what they were. */
static void table_play(const char *path, const struct game *game)
{
	char text[128];
	struct agent *agent;
	struct why why = {""};
	const struct agent_env env = {.game = game};
	snprintf(text, sizeof text, "optimal:file=%s", path);
	if (fuzz_fine(agent_new(text, &env, &agent, &why), &why))
		agent_free(agent);
}

/* Opens the table; with FIX writes into BYTES the checksums that its layers should have. */
static void table_use(const char *path, uint8_t *fix, size_t size)
{
	struct optimum *o;
	struct why why = {""};
	if (!fuzz_fine(optimum_open(path, NULL, false, &o, &why), &why))
		return;
	for (size_t i = 0; fix && i < o->layer_count; i++) {
		const struct optimum_layer *layer = &o->layers[i];
		uint8_t *entry = fix + size - (o->layer_count - i) * ENTRY_BYTES;
		field_put64(entry + 16, XXH3_64bits(layer->at, layer_bytes(&layer->packed)));
	}
	if (!fix) {
		if (optimum_verify(o, &why))
			fuzz_fine(STATUS_INPUT, &why);
		positions_ask(o);
		table_play(path, &o->base.game);
	}
	optimum_close(o);
}

/* Checksums of index and head. */
static void head_mend(uint8_t *bytes, size_t size)
{
	const uint64_t layers = field_get64(bytes + 56);
	if (layers <= (size - HEAD_BYTES) / ENTRY_BYTES) {
		const size_t index = (size_t)layers * ENTRY_BYTES;
		field_put64(bytes + 968, XXH3_64bits(bytes + size - index, index));
	}
	field_put64(bytes + 976, XXH3_64bits(bytes, 976));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	table_use(fuzz_file(data, size), NULL, size);
	if (size < HEAD_BYTES)
		return 0;
	uint8_t *bytes = malloc(size);
	FUZZ_CHECK(bytes);
	memcpy(bytes, data, size);
	head_mend(bytes, size);
	table_use(fuzz_file(bytes, size), bytes, size);
	head_mend(bytes, size);
	table_use(fuzz_file(bytes, size), NULL, size);
	free(bytes);
	return 0;
}
