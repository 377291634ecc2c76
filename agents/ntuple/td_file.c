/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What training was about to do, in model files: numbers of games, games under way, restarts; see
 * td.h. A section of 64-bit little-endian numbers, boards as 48 bytes.
 */
#include "agents/ntuple/td_file.h"

#include "base/virtual_memory.h"

#include <assert.h>
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

/* Room for a step more; a file that claims more than it has ends before much is taken of *ROOM bytes. */
static bool step_room(struct model_file *file, struct td_game *game, uint64_t *bytes)
{
	if (game->steps < game->capacity)
		return true;
	const size_t room = game->capacity * 2 + TRACE_MAX,
		     more = (room - game->capacity) * sizeof *game->path;
	if (more > *bytes) {
		model_fail(
		    file, STATUS_SYSTEM,
		    "no memory for the games under way: expected half of the machine's to be "
		    "enough");
		return false;
	}
	struct td_step *path = realloc(game->path, room * sizeof *path);
	if (!path) {
		model_fail(file, STATUS_SYSTEM, "out of memory for the games under way");
		return false;
	}
	*bytes -= more;
	game->path = path;
	game->capacity = room;
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
			if (!step_room(file, game, bytes))
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

/* Makes room for the games that were under way. */
static void waiting_make(struct model_file *file, struct td *td, uint64_t count)
{
	td->waiting = calloc((size_t)count + 1, sizeof *td->waiting);
	td->count = td->waiting ? (int)count : 0;
	if (!td->waiting)
		model_fail(file, STATUS_SYSTEM, "out of memory for games under way");
}

void td_sections(struct td *td, struct model_file *file)
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
