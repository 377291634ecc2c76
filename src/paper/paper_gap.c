/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of nxn gap (analysis/logs/gap_log.h) as a game log, to play its games again: a row has
 * points and moves, those of all phases; what it does not have is 0. Rows that stand for all games
 * are left out.
 */
#include "src/paper/paper.h"

#include "analysis/logs/gap_log.h"

#include <math.h>

/* Whether X counts something: a whole number, small enough. */
static bool is_count(double x)
{
	return x == floor(x) && x <= 1e15;
}

static enum status game_take(void *context, const void *read, struct why *why)
{
	const struct gap_row *game = read;
	const double moves = gap_row_total(game).moves;
	if (game->game == GAP_EXACT)
		return STATUS_OK;
	if (!is_count(game->result) || !is_count(moves))
		return why_set(why, STATUS_INPUT,
			       "not a game: its result and its moves are no counts");
	const struct gamelog_player player = {.config = game->config,
					      .trained = game->trained,
					      .board = game->board,
					      .label = game->agent,
					      .agent = game->agent};
	const struct gamelog_row row = {.seed = game->seed,
					.game = game->game,
					.score = (uint64_t)game->result,
					.moves = (uint64_t)moves,
					.seconds = NAN,
					.uncertainty = NAN};
	return gamelog_add(context, &player, &row, why);
}

enum status paper_gap_read(struct gamelog *log, const char *path, struct why *why)
{
	return rowlog_each(&gap_log_kind, path, game_take, log, why);
}
