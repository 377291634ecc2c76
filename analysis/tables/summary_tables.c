/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a game log and of its summary. Each table for programs has one kind of row.
 *
 * For people: the players of each board, ranked, and the best two compared; or tables in full.
 */
#include "analysis/tables/tables.h"

#include "base/number.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>

enum { QUANTILES_MAX = 2000, EXPONENT_2048 = 11 };

#define CELL(title, kind, member) TABLE_COLUMN(struct cell, title, kind, member)
#define CELL_FIXED(title, kind, member, places)                                                    \
	TABLE_FIXED(struct cell, title, kind, member, places)

static void head_write(FILE *file, const void *data)
{
	(void)data;
	fprintf(file, "# %s\n", stats_method);
}

/* ---- For programs. */

/* The first columns of several tables. */
#define PLAYER_COLUMNS                                                                             \
	CELL("board", TEXT, board), CELL("cells", INT, size), CELL("label", TEXT, label),          \
	    CELL("agent", TEXT, agent), CELL("trained", NUMBER, trained),                          \
	    CELL("games", COUNT, games), CELL("mean", INTERVAL, mean)

static const struct table_column summary_columns[] = {
    PLAYER_COLUMNS,
    CELL("median", INTERVAL, spread[QUANTITY_SCORE].median),
    CELL("iqm", INTERVAL, iqm),
    CELL("sd", INTERVAL, spread[QUANTITY_SCORE].sd),
    CELL("min", REAL, spread[QUANTITY_SCORE].min),
    CELL_FIXED("max", REAL, spread[QUANTITY_SCORE].max, 0),
    CELL_FIXED("median_tile", INTERVAL, spread[QUANTITY_TILE].median, 0),
    CELL("moves", INTERVAL, moves),
    CELL("ms_per_move", TIMES, ms_per_move),
    CELL("tile_sum", INTERVAL, sum),
    CELL("uncertainty", INTERVAL, uncertainty),
    {0},
};

static void summary_rows(const struct table_out *out, const void *data)
{
	const struct summary *s = data;

	for (size_t i = 0; i < s->cell_count; i++)
		table_put(out, &s->cells[i]);
}

/* One quantity of a cell. */
struct spread_row {
	struct cell cell;
	const char *quantity;
	struct spread spread;
};

#define SPREAD(title, kind, member) TABLE_COLUMN(struct spread_row, title, kind, member)

static const struct table_column spread_columns[] = {
    SPREAD("quantity", TEXT, quantity),	       SPREAD("board", TEXT, cell.board),
    SPREAD("cells", INT, cell.size),	       SPREAD("label", TEXT, cell.label),
    SPREAD("agent", TEXT, cell.agent),	       SPREAD("trained", NUMBER, cell.trained),
    SPREAD("games", COUNT, cell.games),	       SPREAD("min", REAL, spread.min),
    SPREAD("median", INTERVAL, spread.median), SPREAD("max", REAL, spread.max),
    SPREAD("sd", INTERVAL, spread.sd),	       {0},
};

static void spread_rows(const struct table_out *out, const void *data)
{
	static const char *const names[QUANTITIES] = {"score", "largest tile", "moves", "seconds"};
	const struct summary *s = data;

	for (enum quantity q = 0; q < QUANTITIES; q++)
		for (size_t i = 0; i < s->cell_count; i++)
			table_put(out, &(struct spread_row){s->cells[i], names[q],
							    s->cells[i].spread[q]});
}

/*
 * The exponent of the tile that good players of a board of SIZE cells reach in some games and not
 * in all: 2048 on 4x4, 16384 on 5x5, 131072 on 6x6, 512 on 3x3.
 */
static int goal_exponent(int size)
{
	return EXPONENT_2048 + (size - 16) / 3;
}

static struct interval goal_of(const void *row)
{
	const struct cell *c = row;

	return (struct interval){(double)(UINT64_C(1) << goal_exponent(c->size)), NAN, NAN};
}

static struct interval goal_reach(const void *row)
{
	const struct cell *c = row;

	return c->tiles[goal_exponent(c->size)].reach;
}

static const struct table_column results_columns[] = {
    PLAYER_COLUMNS,
    CELL_FIXED("max", REAL, spread[QUANTITY_SCORE].max, 0),
    CELL_FIXED("median_tile", INTERVAL, spread[QUANTITY_TILE].median, 0),
    CELL("reach_2048", SHARES, tiles[EXPONENT_2048].reach),
    {.name = "goal", .value = TABLE_REAL, .get = goal_of, .decimals = 1},
    {.name = "reach_goal", .value = TABLE_SHARES, .get = goal_reach},
    CELL("ms_per_move", TIMES, ms_per_move),
    {0},
};

static void results_rows(const struct table_out *out, const void *data)
{
	const struct summary *s = data;

	for (size_t i = 0; i < s->cell_count; i++)
		if (s->cells[i].final)
			table_put(out, &s->cells[i]);
}

static bool tile_seen(const struct summary_board *board, int exponent)
{
	for (size_t i = 0; i < board->n; i++)
		if (board->ranked[i]->tiles[exponent].games > 0)
			return true;
	return false;
}

/* The share of the games of a player that a tile was in. */
struct rate_row {
	const char *board, *label;
	int size;
	uint64_t tile;
	struct interval share;
};

#define RATE(title, kind, member) TABLE_COLUMN(struct rate_row, title, kind, member)

static const struct table_column rate_columns[] = {
    RATE("board", TEXT, board), RATE("cells", INT, size),     RATE("label", TEXT, label),
    RATE("tile", NUMBER, tile), RATE("share", SHARES, share), {0},
};

/*
 * The exponents of the tiles of a board: from the smallest to the largest that was the largest of a
 * game; none if no game counts.
 */
static void tiles_range(const struct summary_board *board, int *first, int *last)
{
	*first = 0;
	*last = TILE_EXPONENTS - 1;
	while (*first <= *last && !tile_seen(board, *first))
		++*first;
	while (*first < *last && !tile_seen(board, *last))
		--*last;
}

/* Writes the rows of each board, with the same tiles for each player. */
static void rates_rows(const struct table_out *out, const struct summary *s, bool reach)
{
	int first, last;

	for (size_t b = 0; b < s->board_count; b++) {
		tiles_range(&s->boards[b], &first, &last);
		for (size_t k = 0; k < s->label_count; k++) {
			const struct cell *c = summary_final(s, b, k);
			for (int e = first; c && e <= last; e++)
				table_put(out, &(struct rate_row){
						   c->board, c->label, c->size, UINT64_C(1) << e,
						   reach ? c->tiles[e].reach : c->tiles[e].share});
		}
	}
}

static void tiles_rows(const struct table_out *out, const void *data)
{
	rates_rows(out, data, false);
}

static void reach_rows(const struct table_out *out, const void *data)
{
	rates_rows(out, data, true);
}

/* The share of games with at most a score. */
struct quantile {
	const char *board, *label;
	double score, share;
};

static const struct table_column score_columns[] = {
    TABLE_COLUMN(struct quantile, "board", TEXT, board),
    TABLE_COLUMN(struct quantile, "label", TEXT, label),
    TABLE_COLUMN(struct quantile, "score", REAL, score),
    TABLE_COLUMN(struct quantile, "cumulative_share", SHARE, share),
    {0},
};

static void scores_rows(const struct table_out *out, const void *data)
{
	const struct summary *s = data;

	for (size_t i = 0; i < s->cell_count; i++) {
		const struct cell *c = &s->cells[i];
		if (!c->final)
			continue;
		const size_t rows = c->games < QUANTILES_MAX ? c->games : QUANTILES_MAX;
		for (size_t k = 1; k <= rows; k++) {
			const size_t rank = (k * c->games + rows - 1) / rows;
			table_put(out, &(struct quantile){c->board, c->label, c->scores[rank - 1],
							  (double)rank / (double)c->games});
		}
	}
}

static const struct table_column curve_columns[] = {
    CELL("board", TEXT, board),
    CELL("label", TEXT, label),
    CELL("trained", NUMBER, trained),
    CELL("games", COUNT, games),
    CELL("mean", INTERVAL, mean),
    CELL("median", REAL, spread[QUANTITY_SCORE].median.value),
    CELL_FIXED("max", REAL, spread[QUANTITY_SCORE].max, 0),
    CELL("reach_2048", SHARES, tiles[EXPONENT_2048].reach),
    CELL("seconds", REAL, training),
    {.name = "goal", .value = TABLE_REAL, .get = goal_of, .decimals = 1},
    {.name = "reach_goal", .value = TABLE_SHARES, .get = goal_reach},
    CELL("tile_sum", INTERVAL, sum),
    CELL("uncertainty", INTERVAL, uncertainty),
    {0},
};

static void curve_rows(const struct table_out *out, const void *data)
{
	const struct summary *s = data;

	for (const struct cell *c = s->cells; c < s->cells + s->cell_count; c++)
		if (summary_final(s, c->board_number, c->label_number)->trained > 0)
			table_put(out, c);
}

static const struct table_column mean_columns[] = {
    CELL("label", TEXT, label),	  CELL("board", TEXT, board),  CELL("cells", INT, size),
    CELL("mean", INTERVAL, mean), CELL("games", COUNT, games), {0},
};

static void means_rows(const struct table_out *out, const void *data)
{
	const struct summary *s = data;

	for (size_t k = 0; k < s->label_count; k++)
		for (size_t b = 0; b < s->board_count; b++) {
			const struct cell *c = summary_player(s, b, k);
			if (c)
				table_put(out, c);
		}
}

/* Two players on a board. */
struct comparison {
	const char *a, *b, *board;
	int size;
	struct interval ratio;
	struct paired paired;
};

#define PAIR(title, kind, member) TABLE_COLUMN(struct comparison, title, kind, member)

static const struct table_column ratio_columns[] = {
    PAIR("a", TEXT, a),
    PAIR("b", TEXT, b),
    PAIR("board", TEXT, board),
    PAIR("cells", INT, size),
    PAIR("ratio", INTERVAL, ratio),
    {.name = "paired_difference",
     .value = TABLE_INTERVAL,
     .offset = offsetof(struct comparison, paired.difference),
     .bounds = "paired"},
    PAIR("paired_games", COUNT, paired.games),
    {0},
};

/* Writes the rows of labels K and L, one for each board of both. */
static void ratios_of(const struct table_out *out, const struct summary *s, size_t k, size_t l)
{
	for (size_t i = 0; i < s->board_count; i++) {
		const struct cell *a = summary_final(s, i, k), *b = summary_final(s, i, l);
		if (a && b)
			table_put(out, &(struct comparison){a->label, b->label, a->board, a->size,
							    cells_ratio(a, b), cells_paired(a, b)});
	}
}

static void ratios_rows(const struct table_out *out, const void *data)
{
	const struct summary *s = data;

	for (size_t a = 0; a < s->label_count; a++)
		for (size_t b = a + 1; b < s->label_count; b++)
			ratios_of(out, s, a, b);
}

/* ---- Games. */

struct game_row {
	struct gamelog_player player;
	struct gamelog_row row;
	char config[HASH_DIGITS + 1];
	double tile_sum;
};

#define GAME(title, kind, member) TABLE_COLUMN(struct game_row, title, kind, member)

static const struct table_column game_columns[] = {
    GAME("board", TEXT, player.board),
    GAME("cells", INT, player.cells),
    GAME("label", TEXT, player.label),
    GAME("agent", TEXT, player.agent),
    GAME("config", CHARS, config),
    GAME("trained", NUMBER, player.trained),
    GAME("seed", NUMBER, row.seed),
    GAME("game", NUMBER, row.game),
    GAME("score", NUMBER, row.score),
    GAME("max_tile", NUMBER, row.max_tile),
    GAME("moves", NUMBER, row.moves),
    GAME("seconds", REAL, row.seconds),
    GAME("tile_sum", REAL, tile_sum),
    GAME("uncertainty", REAL, row.uncertainty),
    {0},
};

static void games_rows(const struct table_out *out, const void *data)
{
	const struct gamelog *log = data;

	for (size_t i = 0; i < log->count; i++) {
		const struct gamelog_row *row = &log->rows[i];
		struct game_row game = {.player = *row->player,
					.row = *row,
					.tile_sum = row->sum > 0 ? (double)row->sum : NAN};
		snprintf(game.config, sizeof game.config, "%016" PRIx64, row->player->config);
		table_put(out, &game);
	}
}

const struct tables gamelog_tables = {
    .table =
	{
	    TABLE("games",
		  "score in points, seconds of one processor; tile_sum: of the tiles in the end; "
		  "uncertainty: mean distance to certainty of a move, 0 to 1.5; trained in games",
		  game_columns, games_rows),
	},
};

/* ---- For people. */

/* The least and the most games of a final cell on these BOARDS, COUNT of them. */
static void games_range(const struct summary_board *boards, size_t count, size_t *least,
			size_t *most)
{
	*least = SIZE_MAX;
	*most = 0;
	for (size_t b = 0; b < count; b++)
		for (size_t i = 0; i < boards[b].n; i++) {
			const size_t games = boards[b].ranked[i]->games;
			*least = games < *least ? games : *least;
			*most = games > *most ? games : *most;
		}
}

static void method_print(FILE *file)
{
	putc('\n', file);
	text_printf(file, "%s.", stats_method);
}

static void unfinished_print(FILE *file, const struct summary *s)
{
	if (s->unfinished)
		text_printf(file, "Unfinished: %s.", s->unfinished);
	if (s->uncounted)
		text_printf(file, "Counted: %s.", s->uncounted);
	if (s->unfinished || s->uncounted)
		putc('\n', file);
}

void spread_print(FILE *file, const void *summary, bool full)
{
	unfinished_print(file, summary);
	tables_text(file, &summary_tables, (const char *const[]){"spread", NULL}, summary);
	if (full)
		method_print(file);
}

static void ranked_rows(const struct table_out *out, const void *data)
{
	const struct summary_board *board = data;

	for (size_t i = 0; i < board->n; i++)
		table_put(out, board->ranked[i]);
}

/* The largest tile of all games, and the share of them that reached it: "2048 (7%)". */
static void best_tile_text(const void *row, char text[GRID_TEXT_MAX])
{
	const struct cell *c = row;
	int e = TILE_EXPONENTS - 1;

	if (c->games == 0) {
		snprintf(text, GRID_TEXT_MAX, "-");
		return;
	}
	while (e > 0 && c->tiles[e].games == 0)
		e--;
	const double percent = 100 * c->tiles[e].reach.value;
	snprintf(text, GRID_TEXT_MAX, "%" PRIu64 " (%.*f%%)", UINT64_C(1) << e, percent < 1,
		 percent);
}

static void equal_print(FILE *file, const struct cell *a, const struct cell *b)
{
	if (a->games == 1)
		text_printf(file, "%s and %s have the same score in the one game.", a->label,
			    b->label);
	else
		text_printf(file, "%s and %s have the same score in all %zu games.", a->label,
			    b->label, a->games);
}

/* Prints how A compares with B, the two best of a board. */
static void verdict_print(FILE *file, const struct cell *a, const struct cell *b,
			  struct interval ratio)
{
	char text[GRID_TEXT_MAX], more[GRID_TEXT_MAX] = "";
	const bool decided = ratio.low > 1;
	const double games = stats_games_factor(ratio) * (double)(a->games + b->games) / 2;

	ratio_text(ratio, decimals_of(ratio.value), text);
	/* Two digits: it is a rough estimate. */
	const double digits = pow(10, floor(log10(games)) - 1);
	if (!decided && games < 1e9)
		snprintf(
		    more, sizeof more,
		    "; about %.0f games each would show it 9 times in 10 if that is the true ratio",
		    ceil(games / digits) * digits);
	text_printf(file, "%s scores %s times as much as %s%s%s.", a->label, text, b->label,
		    decided ? "" : ": undecided", more);
}

/* The same if a mean is not positive, so that there is no ratio. */
static void difference_print(FILE *file, const struct cell *a, const struct cell *b,
			     struct interval difference)
{
	char text[GRID_TEXT_MAX];
	interval_text(difference, decimals_of(difference.value), text);
	text_printf(file, "%s scores %s points more than %s, game by game%s.", a->label, text,
		    b->label, difference.low > 0 ? "" : ": undecided");
}

/* Prints the comparison of A and B, the two best of a board, if there is one. */
static void best_print(FILE *file, const struct cell *a, const struct cell *b)
{
	const struct interval ratio = cells_ratio(a, b);
	const struct paired paired = cells_paired(a, b);
	if (paired.games == a->games && paired.games == b->games && paired.tied.value == 1) {
		putc('\n', file);
		equal_print(file, a, b);
	} else if (!isnan(ratio.low)) {
		putc('\n', file);
		verdict_print(file, a, b, ratio);
	} else if (isnan(ratio.value) && !isnan(paired.difference.low)) {
		putc('\n', file);
		difference_print(file, a, b, paired.difference);
	}
}

/* The players of a board, ranked, and the best two compared. */
static void board_print(FILE *file, const struct summary_board *board)
{
	size_t least, most;

	games_range(board, 1, &least, &most);
	const struct table_column columns[] = {
	    CELL(board->name, TEXT, label),
	    CELL("mean score [95%]", INTERVAL, mean),
	    CELL_FIXED("median tile", REAL, spread[QUANTITY_TILE].median.value, 0),
	    {.name = "best tile", .text = best_tile_text},
	    CELL("per move", TIME, ms_per_move.value),
	    CELL(least < most ? "games" : NULL, COUNT, games),
	    {0},
	};
	table_view_print(
	    file,
	    &(struct table_view){
		.columns = columns, .left = 1, .rows = ranked_rows, .data = board, .fits = true});
	if (board->n > 1)
		best_print(file, board->ranked[0], board->ranked[1]);
	putc('\n', file);
}

/* Whether a board with a learner has players with different numbers of games. */
static bool learners_differ(const struct summary *s)
{
	size_t least, most;

	for (const struct summary_board *b = s->boards; b < s->boards + s->board_count; b++) {
		bool learners = false;
		for (size_t i = 0; i < b->n; i++)
			learners = learners || b->ranked[i]->trained > 0;
		games_range(b, 1, &least, &most);
		if (learners && least < most)
			return true;
	}
	return false;
}

/* Whether all players have played on all boards. */
static bool everywhere(const struct summary *s)
{
	size_t cells = 0;
	for (size_t b = 0; b < s->board_count; b++)
		cells += s->boards[b].n;
	return cells == s->board_count * s->label_count;
}

static void boards_print(FILE *file, const struct summary *s)
{
	const bool lists = s->by_board || s->board_count == 1;
	size_t least, most;

	for (size_t b = 0; lists && b < s->board_count; b++)
		board_print(file, &s->boards[b]);
	games_range(s->boards, s->board_count, &least, &most);
	char games[128] = "";
	if (most == 0)
		*games = '\0';
	else if (least == most && s->cell_count == 1 && !s->unfinished)
		snprintf(games, sizeof games, "%zu game%s. ", most, most == 1 ? "" : "s");
	else if (least == most)
		snprintf(games, sizeof games, "%s%zu game%s of each player on %s board. ",
			 s->unfinished ? "Up to " : "", most, most == 1 ? "" : "s",
			 everywhere(s) ? "each" : "its");
	else
		snprintf(games, sizeof games, "%zu to %zu games of a player on a board%s. ", least,
			 most,
			 learners_differ(s) ? ", those of a learner with its last evaluation" : "");
	text_printf(
	    file, "%s%s", games,
	    lists ? "[low, high]: 95% intervals. Best tile: the largest of all games "
		    "(share of the games that reach it)."
		  : "[low, high] and +-: 95% intervals. --by-board adds a list for each board, "
		    "with tiles, times and a comparison of the best two.");
}

static void summary_print(FILE *file, const void *data, bool full)
{
	static const char *const names[] = {"results", "summary", "ratios", NULL};
	const struct summary *s = data;

	unfinished_print(file, s);
	sizes_print(file, s);
	crossover_print(file, s);
	if (!full) {
		boards_print(file, s);
		return;
	}
	tables_text(file, &summary_tables, names, s);
	method_print(file);
}

/* ---- Front. */

static const struct table_column front_columns[] = {
    PLAYER_COLUMNS,
    CELL_FIXED("max_tile", REAL, spread[QUANTITY_TILE].max, 0),
    CELL("ms_per_move", TIMES, ms_per_move),
    {0},
};

/* Whether the player in place K has no games, or another is at least as good in mean and time. */
static bool is_dominated(const struct summary_board *board, size_t k)
{
	const struct cell *c = board->ranked[k];

	for (size_t i = 0; i < board->n && c->games > 0; i++) {
		const struct cell *other = board->ranked[i];
		const double lead = other->mean.value - c->mean.value;
		const double longer = other->ms_per_move.value - c->ms_per_move.value;
		if (lead >= 0 && !(longer > 0) && (lead > 0 || longer < 0 || i < k))
			return true;
	}
	return c->games == 0;
}

static void front_rows(const struct table_out *out, const void *data)
{
	const struct summary *s = data;

	for (const struct summary_board *b = s->boards; b < s->boards + s->board_count; b++)
		for (size_t k = 0; k < b->n; k++)
			if (!is_dominated(b, k))
				table_put(out, b->ranked[k]);
}

const struct tables summary_tables = {
    .print = summary_print,
    .head = head_write,
    .table =
	{
	    TABLE("results",
		  "scores in points, trained in games, reach as a share of the games, 0 to 1, "
		  "ms_per_move in milliseconds",
		  results_columns, results_rows),
	    TABLE(
		"summary",
		"scores in points, moves per game, ms_per_move in milliseconds, trained in games; "
		"tile_sum: of the tiles in the end; uncertainty: mean distance to certainty of a "
		"move, "
		"0 to 1.5",
		summary_columns, summary_rows),
	    TABLE("spread",
		  "a game: its score in points, largest tile, moves, seconds of one processor; "
		  "trained "
		  "in games",
		  spread_columns, spread_rows),
	    TABLE("tiles", "share of the games whose largest tile it is, 0 to 1", rate_columns,
		  tiles_rows),
	    TABLE("reach", "share of the games that reached the tile, 0 to 1", rate_columns,
		  reach_rows),
	    TABLE("scores", "score in points, share of the games with at most that score, 0 to 1",
		  score_columns, scores_rows),
	    TABLE("curve",
		  "trained in games, scores in points, reach as a share of the games, 0 to 1, "
		  "seconds "
		  "of training; tile_sum: of the tiles in the end; uncertainty: mean distance to "
		  "certainty of a move, 0 to 1.5",
		  curve_columns, curve_rows),
	    TABLE("means", "scores in points", mean_columns, means_rows),
	    TABLE("ratios",
		  "ratio of mean scores of a and b as of independent samples; mean difference in "
		  "points "
		  "over the games both played",
		  ratio_columns, ratios_rows),
	    TABLE("leads",
		  "ratio of the mean score of label to that of against; slope: of log ratio on log "
		  "cells, over all boards of the two",
		  lead_columns, lead_rows),
	    TABLE(
		"law",
		"log2 of the mean score in points as a straight line over one of six functions of "
		"the cells, of players on five boards or more; form: the one with the least error, "
		"rival: another that cannot be told from it; errors in log2 of points, each board "
		"predicted by the others; b: the slope; residual: log2 of the mean less the law's",
		law_columns, law_rows),
	    TABLE(
		"crossover",
		"ratio of the mean scores of learner, over its trainings, and rival; trained: mean "
		"training games; seconds of training; equal: training, in the unit, from which on "
		"the ratio is 1 or more; 0: from the shortest on, NaN: not up to the longest",
		crossover_columns, crossover_rows),
	    TABLE("front",
		  "scores in points, ms_per_move in milliseconds, trained in games; players of a "
		  "board "
		  "that no other beats in less time",
		  front_columns, front_rows),
	},
};
