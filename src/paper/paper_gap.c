/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of nxn gap (analysis/logs/gap_log.h) as a game log, to play its games again: a row has points and
 * moves, those of all phases; what it does not have is 0. Rows that stand for all games are left out.
 */
#include "src/paper/paper_again.h"

#include "analysis/logs/rowlog.h"

#include <math.h>
#include <string.h>

enum { CONFIG, BOARD, AGENT, TRAINED, SEED, GAME, RESULT, PHASES, COLUMNS };

/* The moves of "EXPONENT:MOVES:OPTIMAL:LOST,...", or of "-". False for anything else. */
static bool moves_read(const char *phases, uint64_t *moves)
{
	*moves = 0;
	if (strcmp(phases, "-") == 0)
		return true;
	for (const char *at = phases; at; at = strchr(at, ',')) {
		double n;
		at += *at == ',';
		const char *colon = strchr(at, ':');
		if (!colon || !rowlog_real(colon + 1, &n) || n > 1e15)
			return false;
		*moves += (uint64_t)n;
	}
	return true;
}

static enum status row_take(void *context, char *const *field, struct why *why)
{
	struct gamelog_player player = {
	    .board = field[BOARD], .label = field[AGENT], .agent = field[AGENT]};
	struct gamelog_row row = {.seconds = NAN, .uncertainty = NAN};
	double result;
	if (strcmp(field[GAME], "exact") == 0)
		return STATUS_OK;
	const char *end = rowlog_real(field[RESULT], &result);
	if (!end || *end || result != floor(result) || result > 1e15 ||
	    !rowlog_number(field[CONFIG], 16, &player.config) ||
	    !rowlog_number(field[TRAINED], 10, &player.trained) ||
	    !rowlog_number(field[SEED], 10, &row.seed) ||
	    !rowlog_number(field[GAME], 10, &row.game) || !moves_read(field[PHASES], &row.moves))
		return STATUS_INPUT;
	row.score = (uint64_t)result;
	return gamelog_add(context, &player, &row, why);
}

enum status again_gap_read(struct gamelog *log, const char *path, struct why *why)
{
	static const struct rowlog_kind kind = {
	    .header = "config\tboard\tagent\ttrained\tseed\tgame\tresult\tphases",
	    .columns = COLUMNS,
	    .log = "the log of a gap",
	    .names = "config board agent trained seed game result phases",
	    .row = "a game",
	    .take = row_take,
	};
	size_t torn;
	return rowlog_read(&kind, path, log, &torn, why);
}
