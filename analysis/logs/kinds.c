/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of logs, and the columns of two of them: games compared with the optimum, and searches;
 * see rowlog.h. gamelog.c has the columns of the game log.
 */
#include "analysis/logs/gamelog.h"

#include "base/number.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* ---- The log of games compared with the optimum. */

struct gap_phase gap_row_total(const struct gap_row *row)
{
	struct gap_phase total = {0};
	for (int k = 0; k < GAP_PHASES; k++) {
		total.moves += row->phase[k].moves;
		total.optimal += row->phase[k].optimal;
		total.lost += row->phase[k].lost;
	}
	return total;
}

/* Reads one EXPONENT:MOVES:OPTIMAL:LOST, of an exponent above LAST; returns the rest, or NULL. */
static const char *phase_read(const char *text, struct gap_phase *phases, long *last)
{
	uint64_t exponent;
	const char *at = whole_scan(text, &exponent);
	if (!at || exponent >= GAP_PHASES || (long)exponent <= *last)
		return NULL;
	*last = (long)exponent;
	struct gap_phase *phase = &phases[exponent];
	double *const members[] = {&phase->moves, &phase->optimal, &phase->lost};
	for (size_t i = 0; at && i < sizeof members / sizeof *members; i++)
		at = *at == ':' && isdigit((unsigned char)at[1]) ? real_scan(at + 1, members[i])
								 : NULL;
	return at && phase->moves > 0 && phase->optimal <= phase->moves ? at : NULL;
}

static bool phases_read(const char *text, void *member)
{
	struct gap_phase *const phase = member;
	long last = -1;
	if (strcmp(text, "-") == 0)
		return true;
	while ((text = phase_read(text, phase, &last)) && *text == ',')
		text++;
	return text && *text == '\0';
}

/* Adding 0 turns -0 into 0, since the log has no negative numbers. */
static void real_print(struct rowlog_line *line, const char *before, double x)
{
	char text[REAL_TEXT_MAX];
	real_format(x + 0.0, text);
	rowlog_print(line, "%s%s", before, text);
}

static void phases_print(struct rowlog_line *line, const void *member)
{
	const struct gap_phase *phase = member;
	const char *before = "";
	for (int k = 0; k < GAP_PHASES; k++) {
		if (!(phase[k].moves > 0))
			continue;
		rowlog_print(line, "%s%d", before, k);
		real_print(line, ":", phase[k].moves);
		real_print(line, ":", phase[k].optimal);
		real_print(line, ":", phase[k].lost);
		before = ",";
	}
	if (!*before)
		rowlog_print(line, "-");
}

static bool game_read(const char *text, void *member)
{
	uint64_t *const game = member;
	*game = GAP_EXACT;
	return strcmp(text, "exact") == 0 || rowlog_number.read(text, game);
}

static void game_print(struct rowlog_line *line, const void *member)
{
	if (*(const uint64_t *)member == GAP_EXACT)
		rowlog_print(line, "exact");
	else
		rowlog_number_print(line, member);
}

static void result_print(struct rowlog_line *line, const void *member)
{
	real_print(line, "", *(const double *)member);
}

static const struct rowlog_type phases_type = {"phases", phases_read, phases_print};
static const struct rowlog_type game_type = {"a game", game_read, game_print};
static const struct rowlog_type result_type = {"a result", rowlog_real_read, result_print};

enum { CONFIG, BOARD, AGENT, TRAINED, SEED, GAME, RESULT, PHASES, COLUMNS };

#define ROW(member) offsetof(struct gap_row, member)

const struct rowlog_kind gap_log_kind = {
    .stem = "gap",
    .log = "a log of games compared with the optimum",
    .writes = "log",
    .names = "config board agent ... phases",
    .row = "a game",
    .column = {{"config", &rowlog_config, ROW(config)},
	       {"board", &rowlog_any, ROW(board)},
	       {"agent", &rowlog_any, ROW(agent)},
	       {"trained", &rowlog_number, ROW(trained)},
	       {"seed", &rowlog_number, ROW(seed)},
	       {"game", &game_type, ROW(game)},
	       {"result", &result_type, ROW(result)},
	       {"phases", &phases_type, ROW(phase)}},
    .columns = COLUMNS,
    .key = 1 << CONFIG | 1 << SEED | 1 << GAME,
    .decision = 1 << RESULT | 1 << PHASES,
    .size = sizeof(struct gap_row),
};

/* ---- The log of searches. */

static void seconds_print(struct rowlog_line *line, const void *member)
{
	rowlog_print(line, "%.9f", *(const double *)member);
}

static const struct rowlog_type seconds_type = {"seconds", rowlog_real_read, seconds_print};

enum { POSITION = AGENT + 1, ROUND = 9, SWEEP_COLUMNS };

#define SEARCH(member) offsetof(struct sweep_row, member)

const struct rowlog_kind sweep_log_kind = {
    .stem = "searches",
    .log = "the log of a sweep",
    .writes = "log",
    .names = "config board agent ... round",
    .row = "a search",
    .column = {{"config", &rowlog_config, SEARCH(config)},
	       {"board", &rowlog_any, SEARCH(board)},
	       {"agent", &rowlog_any, SEARCH(agent)},
	       {"position", &rowlog_text, SEARCH(position)},
	       {"seconds", &seconds_type, SEARCH(seconds)},
	       {"nodes", &rowlog_number, SEARCH(nodes)},
	       {"probes", &rowlog_number, SEARCH(probes)},
	       {"hits", &rowlog_number, SEARCH(hits)},
	       {"depth", &rowlog_number, SEARCH(depth)},
	       {"round", &rowlog_number, SEARCH(round)}},
    .columns = SWEEP_COLUMNS,
    .key = 1 << CONFIG | 1 << POSITION | 1 << ROUND,
    .size = sizeof(struct sweep_row),
};

const struct rowlog_kind *const log_kinds[] = {&sweep_log_kind, &gap_log_kind, &gamelog_kind, NULL};
