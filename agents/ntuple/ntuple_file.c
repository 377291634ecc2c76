/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files of the n-tuple learners: training under way; in a network on demand, its boxes; the
 * weights; and for each weight, if the rates need it, how its updates agreed. A section each.
 */
#include "agents/ntuple/ntuple.h"

#include "base/virtual_memory.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t number32(struct model_file *file, uint32_t x)
{
	return (uint32_t)model_number(file, x, UINT32_MAX);
}

/* The points of a move. */
static double reward(struct model_file *file, double x)
{
	x = model_real(file, x);
	if (!(x >= 0 && x <= 0x1p64))
		model_reject(file, "a reward that no move has", "points");
	return x;
}

static void position(struct model_file *file, const struct game *game, struct board *board)
{
	model_bytes(file, board, sizeof *board);
	bool sound = board_max(board) <= game->max_exponent;
	for (int r = 0; r < SIDE_MAX; r++)
		for (int c = 0; c < ROW_BYTES; c++)
			if (r >= game->rows || c >= game->cols)
				sound &= board->cell[r][c] == 0;
	if (model_reading(file) && (!sound || game_admits(game, board, NULL)))
		model_reject(file, "a board that the game cannot have",
			     "positions of the model's board");
}

/*
 * Makes the path fit one more step, out of *BYTES; a file that claims more than it has ends before much is
 * taken.
 */
static bool path_grow(struct model_file *file, struct td_game *game, uint64_t *bytes)
{
	if (game->steps < game->capacity)
		return true;
	const size_t capacity = game->capacity * 2 + TRACE_MAX,
		     more = (capacity - game->capacity) * sizeof *game->path;
	if (more > *bytes) {
		model_fail(
		    file, STATUS_SYSTEM,
		    "no memory for the games under way: expected half of the machine's to be "
		    "enough");
		return false;
	}
	struct td_step *path = realloc(game->path, capacity * sizeof *path);
	if (!path) {
		model_fail(file, STATUS_SYSTEM, "out of memory for the games under way");
		return false;
	}
	*bytes -= more;
	game->path = path;
	game->capacity = capacity;
	return true;
}

/* GAME has MOST steps at most; BYTES that games under way may still take together. */
static void game_section(struct model_file *file, const struct td *td, struct td_game *game,
			 uint64_t *bytes)
{
	const struct game *rules = td->network->game;
	const bool backward = td->options.order == ORDER_BACKWARD;
	const size_t most = backward ? SIZE_MAX / 2 : (size_t)td->options.trace;
	game->episode = model_number(file, game->episode, UINT64_MAX);
	for (int i = 0; i < 2; i++)
		game->rng.key[i] = number32(file, game->rng.key[i]);
	for (int i = 0; i < 4; i++)
		game->rng.counter[i] = number32(file, game->rng.counter[i]);
	for (int i = 0; i < 4; i++)
		game->rng.block[i] = number32(file, game->rng.block[i]);
	game->rng.used = (unsigned)model_number(file, game->rng.used, 4);
	game->outcome.score = model_number(file, game->outcome.score, UINT64_MAX);
	game->outcome.moves = model_number(file, game->outcome.moves, UINT64_MAX);
	game->outcome.partial = model_number(file, game->outcome.partial, 1);
	position(file, rules, &game->outcome.last);
	const size_t steps = (size_t)model_number(file, game->steps, most);
	if (model_reading(file))
		game->steps = 0;
	for (size_t i = 0; i < steps && !model_status(file); i++) {
		if (model_reading(file)) {
			if (!path_grow(file, game, bytes))
				break;
			game->steps = i + 1;
		}
		position(file, rules, &game->path[i].board);
		game->path[i].reward = reward(file, game->path[i].reward);
	}
}

static void restarts_section(struct model_file *file, const struct game *rules,
			     struct td_restarts *r)
{
	r->count = model_number(file, r->count, r->entry ? UINT64_MAX : 0);
	assert(r->entry || !r->count);
	for (uint64_t i = 0; i < r->count && i < RESTARTS_MAX && !model_status(file); i++) {
		position(file, rules, &r->entry[i].board);
		r->entry[i].score = model_number(file, r->entry[i].score, UINT64_MAX);
	}
}

/* Makes memory for the games that were under way. */
static void waiting_make(struct model_file *file, struct td *td, uint64_t count)
{
	td->waiting = calloc((size_t)count + 1, sizeof *td->waiting);
	td->count = td->waiting ? (int)count : 0;
	if (!td->waiting)
		model_fail(file, STATUS_SYSTEM, "out of memory for games under way");
}

/*
 * What training was about to do: numbers of games, games under way, restarts; 64-bit numbers, boards as 48
 * bytes. Read into a new TD; after a failure that is good for td_fini() alone.
 */
static void training_section(struct td *td, struct model_file *file)
{
	enum { WAITING_MAX = 1 << 16 };
	const uint64_t games = model_head(file)->games;
	uint64_t bytes = virtual_memory_share();
	if (atomic_load(&td->starved))
		model_fail(file, STATUS_SYSTEM, "out of memory for the games under way");
	td->begun = model_number(file, td->begun, UINT64_MAX);
	td->stage = (int)model_number(file, (uint64_t)td->stage, STAGES_MAX - 1);
	const uint64_t count = model_number(file, (uint64_t)td->count, WAITING_MAX);
	if (model_reading(file)) {
		atomic_store(&td->games, games);
		waiting_make(file, td, count);
	}
	for (int i = 0; i < td->count && !model_status(file); i++)
		game_section(file, td, &td->waiting[i], &bytes);
	for (int s = 0; s < STAGES_MAX; s++)
		restarts_section(file, td->network->game, &td->restarts[s]);
	if (model_reading(file) && td->begun != games + count)
		model_reject(file, "the games do not add up",
			     "those begun to be over or under way");
	model_section_end(file);
}

/* Numbers of floats: those of all stages, filled up as the mapping is, or of all blocks. */
static uint64_t floats(const struct network *network, size_t each)
{
	if (network->directory)
		return network->blocks * network->block;
	return (network->size * (uint64_t)network->plan.stages * each + 63) / 64 * 64;
}

/* What must agree for weights to mean the same. */
static void layout_format(const struct network *network, char layout[MODEL_LAYOUT_MAX])
{
	const struct network_plan *plan = &network->plan;
	const uint64_t cells =
	    XXH3_64bits(&network->patterns.pattern,
			(size_t)network->patterns.count * sizeof network->patterns.pattern[0]);
	int used = snprintf(layout, MODEL_LAYOUT_MAX,
			    "%d tuples (%016" PRIx64 ") in %d images, %d levels, low bits apart, "
			    "stages",
			    network->patterns.count, cells, plan->symmetries, plan->levels);
	for (int s = 0; s < plan->stages - 1; s++)
		used += snprintf(layout + used, (size_t)(MODEL_LAYOUT_MAX - used), " %" PRIu64,
				 (uint64_t)1 << plan->threshold[s]);
	if (plan->stages == 1)
		snprintf(layout + used, (size_t)(MODEL_LAYOUT_MAX - used), " 1");
}

void ntuple_describe(const void *self, struct model_head *head)
{
	const struct network *network = ((const struct ntuple *)self)->network;
	head->sections = 2u + (network->directory != NULL) + (network->coherence != NULL);
	layout_format(network, head->layout);
}

/* Lest a forged or merely too large model brings the machine down. */
static void blocks_check(const struct network *network, uint64_t blocks, struct model_file *file)
{
	const uint64_t bytes = network->block * sizeof(float);
	const uint64_t fit = virtual_memory_share() / bytes;
	if (blocks >= network->capacity)
		model_reject(file, "more blocks than the board has boxes", "fewer");
	else if (blocks > fit)
		model_fail(file, STATUS_SYSTEM,
			   "a model of %" PRIu64 " blocks of %" PRIu64
			   " bytes, expected at most the %" PRIu64
			   " that fit into half of this machine's memory",
			   blocks, bytes, fit);
}

/* The boxes, in the order of their blocks. Read into a network without blocks. */
static void boxes_section(struct network *network, struct model_file *file)
{
	const bool reading = model_reading(file);
	const uint64_t blocks = model_number(file, network->blocks - 1, UINT64_MAX);
	if (reading)
		blocks_check(network, blocks, file);
	for (uint64_t b = 1; b <= blocks && !model_status(file); b++) {
		const uint64_t box = model_number(file, network->box[b], UINT64_MAX);
		if (reading && !model_status(file) &&
		    (box >= network->boxes || !network_box_add(network, box)))
			model_reject(file, "a block in a wrong place",
				     "each box of the board at most once");
	}
	model_section_end(file);
}

void ntuple_sections(void *self, struct model_file *file)
{
	struct ntuple *n = self;
	struct network *network = &n->own;
	training_section(&n->td, file);
	if (network->directory)
		boxes_section(network, file);
	model_floats(file, network->weight, floats(network, 1));
	if (network->coherence)
		model_floats(file, &network->coherence->sum, floats(network, 2));
}
