/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The game: shapes and rules, positions, moves, perft, playouts, random streams; see nxn.h.
 *
 * Check value: perft of 0,2/2,0 on 2x2 counts what `nxn verify --plies` counts.
 */
#include "lib/libnxn.h"

#include "boards/perft.h"
#include "boards/simd/playout.h"
#include "config.h"

#include <stdlib.h>

const char *nxn_version(void)
{
	return PACKAGE_VERSION;
}

enum nxn_status nxn_game_new(const char *shape, const char *spawn, int start_tiles,
			     const char *start, struct nxn_game **game, struct nxn_why *why)
{
	const struct game_options options = {
	    .shape = shape, .spawn = spawn, .start_tiles = start_tiles, .start = start};
	struct nxn_game *made = aligned_alloc(_Alignof(struct nxn_game), sizeof *made);
	if (!made)
		return public_status(
		    why_set(reason(why), STATUS_SYSTEM, "out of memory for a game"));
	const enum status status = game_init(&made->game, &options, reason(why));
	if (status) {
		free(made);
		return public_status(status);
	}
	*game = made;
	return NXN_OK;
}

void nxn_game_free(struct nxn_game *game)
{
	free(game);
}

int nxn_game_rows(const struct nxn_game *game)
{
	return game->game.rows;
}

int nxn_game_cols(const struct nxn_game *game)
{
	return game->game.cols;
}

int nxn_game_max_exponent(const struct nxn_game *game)
{
	return game->game.max_exponent;
}

const char *nxn_game_shape(const struct nxn_game *game)
{
	return game->game.name;
}

const char *nxn_game_spawn(const struct nxn_game *game)
{
	return game->game.spawn.text;
}

/* ---- Positions. */

enum status board_take(const struct game *game, const uint8_t *cells, size_t i, struct board *board,
		       struct why *why)
{
	struct why wrong;
	cells += i * (size_t)game->cells;
	for (int at = 0; at < game->cells; at++)
		if (cells[at] > game->max_exponent)
			return why_set(why, STATUS_INPUT,
				       "position %zu: exponent %d in row %d, column %d: no game on "
				       "%s reaches it, expected 0..%d",
				       i, cells[at], at / game->cols + 1, at % game->cols + 1,
				       game->name, game->max_exponent);
	board_load(game, cells, board);
	if (game_admits(game, board, &wrong))
		return why_set(why, STATUS_INPUT, "position %zu: %s", i, wrong.text);
	return STATUS_OK;
}

enum nxn_status nxn_board_read(const struct nxn_game *game, const char *text, uint8_t *cells,
			       struct nxn_why *why)
{
	struct board board;
	const enum status status = board_read(&game->game, text, &board, reason(why));
	if (!status)
		board_store(&game->game, &board, cells);
	return public_status(status);
}

enum nxn_status nxn_board_format(const struct nxn_game *game, const uint8_t *cells,
				 char text[NXN_BOARD_TEXT_MAX], struct nxn_why *why)
{
	struct board board;
	const enum status status = board_take(&game->game, cells, 0, &board, reason(why));
	if (!status)
		board_format(&game->game, &board, text);
	return public_status(status);
}

enum nxn_status nxn_board_check(const struct nxn_game *game, const uint8_t *cells, size_t n,
				struct nxn_why *why)
{
	struct board board;
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < n; i++)
		status = board_take(&game->game, cells, i, &board, reason(why));
	return public_status(status);
}

void nxn_board_canonical(const struct nxn_game *game, const uint8_t *cells, size_t n,
			 uint8_t *canonical)
{
	const size_t size = (size_t)game->game.cells;
	for (size_t i = 0; i < n; i++) {
		struct board board, least;
		board_load(&game->game, cells + i * size, &board);
		board_canonical(&game->game, &board, &least);
		board_store(&game->game, &least, canonical + i * size);
	}
}

void nxn_moves(const struct nxn_game *game, const uint8_t *cells, size_t n, uint8_t *after,
	       uint64_t *reward, uint8_t *legal)
{
	const size_t size = (size_t)game->game.cells;
	for (size_t i = 0; i < n; i++) {
		struct board board;
		struct moves moves;
		board_load(&game->game, cells + i * size, &board);
		game->game.moves(&board, &moves);
		for (size_t d = 0; after && d < DIRECTIONS; d++)
			board_store(&game->game, &moves.after[d],
				    after + (i * DIRECTIONS + d) * size);
		if (reward)
			memcpy(reward + i * DIRECTIONS, moves.reward, sizeof moves.reward);
		if (legal)
			legal[i] = (uint8_t)moves.legal;
	}
}

enum nxn_status nxn_perft(const struct nxn_game *game, const uint8_t *cells, int plies,
			  struct nxn_perft_counts *perft, struct nxn_why *why)
{
	struct board board;
	struct perft found;
	enum status status = STATUS_OK;
	if (plies < 0)
		status = why_set(reason(why), STATUS_INPUT, "%d plies: expected 0 or more", plies);
	if (!status)
		status = board_take(&game->game, cells, 0, &board, reason(why));
	if (!status)
		status = perft_count(&game->game, &board, plies, &found, reason(why));
	if (!status)
		*perft = (struct nxn_perft_counts){.states = found.states,
						   .terminal = found.terminal,
						   .pairs = found.pairs,
						   .afterstates = found.afterstates,
						   .rewards = found.rewards,
						   .leaves = found.leaves,
						   .leaf_score = found.leaf_score};
	return public_status(status);
}

enum nxn_status nxn_playouts(const struct nxn_game *game, const uint8_t *cells, size_t n,
			     uint64_t seed, uint64_t index, uint64_t *points, uint64_t *moves,
			     struct nxn_why *why)
{
	const bool fits = n <= SIZE_MAX / 4 / sizeof(struct board);
	struct board *starts =
	    n && fits ? aligned_alloc(_Alignof(struct board), n * sizeof *starts) : NULL;
	struct playout *played = fits ? malloc(n * sizeof *played + 1) : NULL;
	enum status status = STATUS_OK;
	if ((n && !starts) || !played)
		status = why_set(reason(why), STATUS_SYSTEM, "out of memory for %zu playouts", n);
	for (size_t i = 0; !status && i < n; i++)
		status = board_take(&game->game, cells, i, &starts[i], reason(why));
	if (!status && n)
		playouts_run(&game->game, starts, n, seed, index, played, NULL);
	for (size_t i = 0; !status && i < n; i++) {
		if (points)
			points[i] = played[i].points;
		if (moves)
			moves[i] = played[i].moves;
	}
	free(starts);
	free(played);
	return public_status(status);
}

/* ---- Random streams. */

enum nxn_status nxn_rng_new(uint64_t seed, uint32_t stream, uint64_t game, struct nxn_rng **rng,
			    struct nxn_why *why)
{
	struct nxn_rng *made = malloc(sizeof *made);
	if (!made)
		return public_status(
		    why_set(reason(why), STATUS_SYSTEM, "out of memory for a random stream"));
	rng_init(&made->rng, seed, (enum rng_stream)stream, game);
	*rng = made;
	return NXN_OK;
}

void nxn_rng_free(struct nxn_rng *rng)
{
	free(rng);
}

uint32_t nxn_rng_u32(struct nxn_rng *rng)
{
	return rng_u32(&rng->rng);
}

uint32_t nxn_rng_below(struct nxn_rng *rng, uint32_t n)
{
	return rng_below(&rng->rng, n);
}

double nxn_rng_real(struct nxn_rng *rng)
{
	return rng_real(&rng->rng);
}

void nxn_start(const struct nxn_game *game, struct nxn_rng *rng, uint8_t *cells)
{
	struct board board;
	board_start(&game->game, &board, &rng->rng);
	board_store(&game->game, &board, cells);
}

int nxn_spawn(const struct nxn_game *game, struct nxn_rng *rng, uint8_t *cells)
{
	struct board board;
	board_load(&game->game, cells, &board);
	if (board_empty(&game->game, &board) == 0)
		return 0;
	board_spawn(&game->game, &board, &rng->rng);
	board_store(&game->game, &board, cells);
	return 1;
}
