/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What training was about to do, in model files: numbers of games, games under way, restarts; see
 * td.h. A section of 64-bit little-endian numbers, boards as 48 bytes.
 */
#include "agents/ntuple/td_file.h"

#include "base/virtual_memory.h"

#include <assert.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* Writing stops at the first failure, which is told in the end. */
struct out {
	struct model_writer *writer;
	enum status status;
	struct why *why;
};

static void put(struct out *out, uint64_t x)
{
	const uint64_t bytes = htole64(x);
	if (!out->status)
		out->status = model_write(out->writer, &bytes, sizeof bytes, out->why);
}

static void put_real(struct out *out, double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	put(out, bits);
}

static void put_board(struct out *out, const struct board *board)
{
	if (!out->status)
		out->status = model_write(out->writer, board, sizeof *board, out->why);
}

static void put_game(struct out *out, const struct td_game *game)
{
	put(out, game->episode);
	for (int i = 0; i < 2; i++)
		put(out, game->rng.key[i]);
	for (int i = 0; i < 4; i++)
		put(out, game->rng.counter[i]);
	for (int i = 0; i < 4; i++)
		put(out, game->rng.block[i]);
	put(out, game->rng.used);
	put(out, game->outcome.score);
	put(out, game->outcome.moves);
	put(out, game->outcome.partial);
	put_board(out, &game->outcome.last);
	put(out, game->steps);
	for (size_t i = 0; i < game->steps; i++) {
		put_board(out, &game->path[i].board);
		put_real(out, game->path[i].reward);
	}
}

enum status td_save(const struct td *td, struct model_writer *writer, struct why *why)
{
	struct out out = {.writer = writer, .why = why};
	if (atomic_load(&td->starved))
		return why_set(why, STATUS_SYSTEM, "out of memory for the games under way");
	put(&out, td->begun);
	put(&out, (uint64_t)td->stage);
	put(&out, (uint64_t)td->count);
	for (int i = 0; i < td->count; i++)
		put_game(&out, &td->waiting[i]);
	for (int s = 0; s < STAGES_MAX; s++) {
		const struct td_restarts *r = &td->restarts[s];
		put(&out, r->count);
		for (uint64_t i = 0; i < r->count && i < RESTARTS_MAX; i++) {
			put_board(&out, &r->entry[i].board);
			put(&out, r->entry[i].score);
		}
	}
	return out.status ? out.status : model_write_end(writer, why);
}

/* Reading likewise. */
struct in {
	struct model_reader *reader;
	const struct game *game;
	uint64_t room; /* bytes that games under way may take together */
	enum status status;
	struct why *why;
};

static void reject(struct in *in, const char *what, const char *want)
{
	if (!in->status)
		in->status = model_reject(in->reader, what, want, in->why);
}

/* The next number, which is at most MOST; 0 after a failure. */
static uint64_t get(struct in *in, uint64_t most)
{
	uint64_t bytes = 0;
	if (!in->status)
		in->status = model_read(in->reader, &bytes, sizeof bytes, in->why);
	if (in->status)
		return 0;
	const uint64_t x = le64toh(bytes);
	if (x > most)
		reject(in, "a number is too large", "what training can write");
	return in->status ? 0 : x;
}

/* The points of a move. */
static double get_reward(struct in *in)
{
	const uint64_t bits = get(in, UINT64_MAX);
	double x;
	memcpy(&x, &bits, sizeof x);
	if (!(x >= 0 && x <= 0x1p64))
		reject(in, "a reward that no move has", "points");
	return x;
}

static void get_board(struct in *in, struct board *board)
{
	*board = (struct board){0};
	if (!in->status)
		in->status = model_read(in->reader, board, sizeof *board, in->why);
	bool sound = board_max(board) <= in->game->max_exponent;
	for (int r = 0; r < SIDE_MAX; r++)
		for (int c = 0; c < ROW_BYTES; c++)
			if (r >= in->game->rows || c >= in->game->cols)
				sound &= board->cell[r][c] == 0;
	if (!sound || game_admits(in->game, board, NULL))
		reject(in, "a board that the game cannot have", "positions of the model's board");
}

/* Room for a step more; a file that claims more than it has ends before much is taken. */
static bool step_room(struct in *in, struct td_game *game)
{
	if (game->steps < game->capacity)
		return true;
	const size_t room = game->capacity * 2 + TRACE_MAX,
		     more = (room - game->capacity) * sizeof *game->path;
	if (more > in->room) {
		in->status = why_set(in->why, STATUS_SYSTEM,
				     "no memory for the games under way: expected half of the "
				     "machine's to be enough");
		return false;
	}
	struct td_step *path = realloc(game->path, room * sizeof *path);
	if (!path) {
		in->status =
		    why_set(in->why, STATUS_SYSTEM, "out of memory for the games under way");
		return false;
	}
	in->room -= more;
	game->path = path;
	game->capacity = room;
	return true;
}

static void get_game(struct in *in, size_t most, struct td_game *game)
{
	*game = (struct td_game){.episode = get(in, UINT64_MAX)};
	for (int i = 0; i < 2; i++)
		game->rng.key[i] = (uint32_t)get(in, UINT32_MAX);
	for (int i = 0; i < 4; i++)
		game->rng.counter[i] = (uint32_t)get(in, UINT32_MAX);
	for (int i = 0; i < 4; i++)
		game->rng.block[i] = (uint32_t)get(in, UINT32_MAX);
	game->rng.used = (unsigned)get(in, 4);
	game->outcome.score = get(in, UINT64_MAX);
	game->outcome.moves = get(in, UINT64_MAX);
	game->outcome.partial = get(in, 1);
	get_board(in, &game->outcome.last);
	const size_t steps = (size_t)get(in, most);
	while (!in->status && game->steps < steps && step_room(in, game)) {
		struct td_step *step = &game->path[game->steps++];
		get_board(in, &step->board);
		step->reward = get_reward(in);
	}
}

static void get_restarts(struct in *in, struct td_restarts *r)
{
	r->count = get(in, r->entry ? UINT64_MAX : 0);
	assert(r->entry || !r->count);
	for (uint64_t i = 0; i < r->count && i < RESTARTS_MAX; i++) {
		get_board(in, &r->entry[i].board);
		r->entry[i].score = get(in, UINT64_MAX);
	}
}

enum status td_load(struct td *td, uint64_t games, struct model_reader *reader, struct why *why)
{
	enum { WAITING_MAX = 1 << 16 };
	struct in in = {.reader = reader,
			.game = td->network->game,
			.room = virtual_memory_share(),
			.why = why};
	const bool backward = td->options.order == ORDER_BACKWARD;
	atomic_store(&td->games, games);
	td->begun = get(&in, UINT64_MAX);
	td->stage = (int)get(&in, STAGES_MAX - 1);
	const int count = (int)get(&in, WAITING_MAX);
	td->waiting = calloc((size_t)count + 1, sizeof *td->waiting);
	if (!td->waiting)
		return why_set(why, STATUS_SYSTEM, "out of memory for games under way");
	while (!in.status && td->count < count)
		get_game(&in, backward ? SIZE_MAX / 2 : (size_t)td->options.trace,
			 &td->waiting[td->count++]);
	for (int s = 0; s < STAGES_MAX; s++)
		get_restarts(&in, &td->restarts[s]);
	if (!in.status && td->begun != games + (uint64_t)count)
		reject(&in, "the games do not add up", "those begun to be over or under way");
	return in.status ? in.status : model_read_end(reader, why);
}
