/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Game logs as two arrays, players and games; see nxn.h. analysis/logs defines the format and its
 * rules.
 */
#include "lib/libnxn.h"

#include "analysis/logs/gamelog.h"
#include "analysis/logs/parts.h"

#include <stdlib.h>

struct nxn_log {
	struct gamelog log;
	struct parts torn;
	struct nxn_log_player *players;
	struct nxn_log_game *games;
};

static void players_fill(struct nxn_log *log)
{
	for (size_t i = 0; i < log->log.player_count; i++) {
		const struct gamelog_player *player = log->log.players[i];
		log->players[i] = (struct nxn_log_player){.config = player->config,
							  .board = player->board,
							  .label = player->label,
							  .agent = player->agent,
							  .trained = player->trained};
	}
}

/* Copies the games. ENDS[i] is the number of games in the logs 0 .. i. */
static void games_fill(struct nxn_log *log, const size_t *ends)
{
	size_t path = 0;
	for (size_t i = 0; i < log->log.count; i++) {
		const struct gamelog_row *row = &log->log.rows[i];
		while (i >= ends[path])
			path++;
		log->games[i] = (struct nxn_log_game){.player = row->player->number,
						      .log = path,
						      .seed = row->seed,
						      .game = row->game,
						      .score = row->score,
						      .max_tile = row->max_tile,
						      .moves = row->moves,
						      .tile_sum = row->sum,
						      .seconds = row->seconds,
						      .uncertainty = row->uncertainty};
	}
}

enum nxn_status nxn_log_read(const char *const *paths, size_t n, struct nxn_log **log,
			     struct nxn_why *why)
{
	if (n == 0)
		return public_status(why_set(reason(why), STATUS_INPUT,
					     "no log: expected a game log, or the folder of one"));
	struct nxn_log *made = calloc(1, sizeof *made);
	size_t *ends = calloc(n, sizeof *ends);
	enum status status = STATUS_OK;
	if (made && ends)
		status = gamelog_read_paths(&made->log, paths, n, ends, &made->torn, reason(why));
	if (made && ends && !status) {
		made->players = calloc(made->log.player_count, sizeof *made->players);
		made->games = calloc(made->log.count, sizeof *made->games);
	}
	if (!status && (!made || !ends || !made->players || !made->games))
		status = why_set(reason(why), STATUS_SYSTEM, "out of memory for the game log");
	if (!status) {
		players_fill(made);
		games_fill(made, ends);
		*log = made;
	} else {
		nxn_log_close(made);
	}
	free(ends);
	return public_status(status);
}

void nxn_log_close(struct nxn_log *log)
{
	if (!log)
		return;
	gamelog_fini(&log->log);
	parts_free(&log->torn);
	free(log->players);
	free(log->games);
	free(log);
}

const struct nxn_log_player *nxn_log_players(const struct nxn_log *log, size_t *n)
{
	*n = log->log.player_count;
	return log->players;
}

const struct nxn_log_game *nxn_log_games(const struct nxn_log *log, size_t *n)
{
	*n = log->log.count;
	return log->games;
}

size_t nxn_log_torn_count(const struct nxn_log *log)
{
	return log->torn.n;
}

const char *nxn_log_torn(const struct nxn_log *log, size_t i)
{
	return i < log->torn.n ? log->torn.path[i] : NULL;
}
