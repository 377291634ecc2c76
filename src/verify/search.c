/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Search and solver against each other, in every position that games reach.
 *
 * The solver goes backwards over layers of positions, expectimax forwards from one position to
 * the end of all games: two programs with nothing in common but the rules. With no cutoff, points
 * for values, nothing at the end and a depth beyond the longest game, the search must find what
 * the solver did. The search's table keeps what it has found from position to position, late ones
 * first; that is what makes 2x3 possible in seconds. The positions are enumerated a third way, by
 * plain rules and sorting.
 *
 * Check values: 110 positions on 2x2, 21,752 on 2x3.
 */
#include "src/verify/verify.h"

#include "agents/play.h"
#include "agents/search/search.h"
#include "agents/solver/optimum.h"
#include "agents/solver/solver.h"
#include "base/file.h"
#include "base/stop.h"
#include "boards/oracle.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* Layers by half the sum of the tiles; that of 2x3 is at most 252. */
enum { LAYERS = 256 };

/* Of the search, which keeps them from position to position. */
#define TABLE_BYTES (INT64_C(256) << 20)

struct position_list {
	struct board *board;
	size_t n, capacity;
};

static bool list_push(struct position_list *list, const struct board *board)
{
	if (list->n == list->capacity) {
		const size_t capacity = list->capacity ? 2 * list->capacity : 64;
		struct board *grown =
		    aligned_alloc(_Alignof(struct board), capacity * sizeof *grown);
		if (!grown)
			return false;
		if (list->n)
			memcpy(grown, list->board, list->n * sizeof *grown);
		free(list->board);
		list->board = grown;
		list->capacity = capacity;
	}
	list->board[list->n++] = *board;
	return true;
}

static int board_order(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct board));
}

static void list_unique(struct position_list *list)
{
	size_t kept = 0;
	if (list->n)
		qsort(list->board, list->n, sizeof *list->board, board_order);
	for (size_t i = 0; i < list->n; i++)
		if (kept == 0 || !board_equal(&list->board[i], &list->board[kept - 1]))
			list->board[kept++] = list->board[i];
	list->n = kept;
}

/* What BOARD becomes by a 2 or a 4 in each empty cell, into the layers where that belongs. */
static bool spawns_push(const struct game *game, const struct board *board,
			struct position_list layers[LAYERS])
{
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			for (uint8_t k = 1; k <= 2 && !board->cell[r][c]; k++) {
				struct board next = *board, canonical;
				next.cell[r][c] = k;
				board_canonical(game, &next, &canonical);
				if (!list_push(&layers[board_sum(&canonical) / 2], &canonical))
					return false;
			}
	return true;
}

/* What follows the positions of one layer. */
static bool layer_follow(const struct game *game, const struct position_list *layer,
			 struct position_list layers[LAYERS])
{
	for (size_t i = 0; i < layer->n; i++) {
		struct moves moves;
		oracle_moves(game, &layer->board[i], &moves);
		for (int d = 0; d < DIRECTIONS; d++)
			if (moves.legal >> d & 1 && !spawns_push(game, &moves.after[d], layers))
				return false;
	}
	return true;
}

/* Layer by layer; a position has all its tiles when its layer is looked at. */
static bool layers_fill(const struct game *game, struct position_list layers[LAYERS],
			struct position_list *all)
{
	const struct board empty = {0};
	struct position_list first = {0};
	bool good = spawns_push(game, &empty, layers);
	for (int s = 1; good && s <= 2; s++) { /* one tile: starts have another */
		first = layers[s];
		layers[s] = (struct position_list){0};
		for (size_t i = 0; good && i < first.n; i++)
			if (board_empty(game, &first.board[i]) == game->cells - 1)
				good = spawns_push(game, &first.board[i], layers);
			else
				good = list_push(&layers[s], &first.board[i]);
		free(first.board);
	}
	for (int s = 0; good && s < LAYERS; s++) {
		list_unique(&layers[s]);
		good = layer_follow(game, &layers[s], layers);
		for (size_t i = 0; good && i < layers[s].n; i++)
			good = list_push(all, &layers[s].board[i]);
	}
	return good;
}

/*
 * Lists every position that games of GAME reach from two tiles with the spawns 2 and 4, the first
 * of its images each, by plain rules. STATUS_SYSTEM; the list is free()d by its board.
 */
static enum status positions_reach(const struct game *game, struct position_list *list,
				   struct why *why)
{
	struct position_list all = {0};
	struct position_list *layers = calloc(LAYERS, sizeof *layers);
	const bool good = layers && layers_fill(game, layers, &all);
	for (int s = 0; layers && s < LAYERS; s++)
		free(layers[s].board);
	free(layers);
	if (good)
		*list = all;
	else
		free(all.board);
	return good ? STATUS_OK : why_set(why, STATUS_SYSTEM, "out of memory for positions");
}

/* One position: what the search says of its moves, and what the table does. */
static void position_compare(struct search *search, int depth, const struct board *board,
			     const struct optimum *optimum, struct agreement *agreement)
{
	char text[BOARD_TEXT_MAX];
	double worth[DIRECTIONS], value[DIRECTIONS];
	struct turn turn;
	turn_init(&turn, search->game, board, 0);
	if (!turn.moves.legal)
		return;
	search_moves(search, &turn.moves, depth, value);
	board_format(search->game, board, text);
	const bool known = optimum_moves(optimum, &turn, worth);
	for (int d = 0; d < DIRECTIONS; d++)
		if (turn.moves.legal >> d & 1)
			agree_add(agreement,
				  known &&
				      fabs(value[d] - worth[d]) <= 1e-9 * fmax(1, fabs(worth[d])),
				  "%s %c: %.12g, not %.12g", text, "URDL"[d], value[d], worth[d]);
}

/* A search for points, to the end of the game. */
static enum status search_make(const struct game *game, struct value *value, struct search *search,
			       struct why *why)
{
	const struct value_env env = {.game = game};
	*search = (struct search){.game = game,
				  .value = value,
				  .move_p = 1,
				  .rule = leaf_rule_of(game, true, true, 0),
				  .table_bytes = TABLE_BYTES};
	enum status status = value_init(value, &env, why);
	return status ? status : search_init(search, 1, why);
}

/*
 * Tallies, for every move of every position of LIST, its value by expectimax against that of the
 * table, to 1e-9. The search goes as deep as games can last if no tiles sum to more than MAX_SUM.
 * Fails as search_init(), or with STATUS_STOPPED.
 */
static enum status search_compare_all(const struct game *game, const struct position_list *list,
				      uint64_t max_sum, const struct optimum *optimum,
				      struct agreement *agreement, struct why *why)
{
	struct search search = {0};
	struct value *value;
	enum status status = value_new("score", &value, why);
	if (status)
		return status;
	status = search_make(game, value, &search, why);
	for (size_t i = list->n; !status && i > 0; i--) {
		const struct board *board = &list->board[i - 1];
		const uint64_t sum = board_sum(board);
		/* A move and its spawn add two points at least. */
		const int depth = 1 + (sum < max_sum ? (int)(max_sum - sum) / 2 : 0);
		position_compare(&search, depth, board, optimum, agreement);
		status = stop_requested() ? STATUS_STOPPED : STATUS_OK;
	}
	search_fini(&search);
	value_free(value);
	return status;
}

/* Writes the table of GAME to PATH. */
static enum status table_make(const struct verify *verify, const struct game *game,
			      const char *path, uint64_t *max_sum, struct why *why)
{
	struct solve_result result;
	const struct solve_task task = {
	    .game = game, .memory = memory_default(), .threads = verify->threads, .out = path};
	enum status status = solve(&task, &result, why);
	if (status)
		return status;
	*max_sum = result.total.sum;
	solve_result_free(&result);
	return STATUS_OK;
}

/* All positions of GAME: their number, and the values of all their moves. */
static enum status table_check(struct verify *verify, const struct game *game,
			       const struct optimum *optimum, uint64_t max_sum, struct why *why)
{
	struct position_list list = {0};
	struct agreement values = {0};
	enum status status = positions_reach(game, &list, why);
	if (!status)
		status = search_compare_all(game, &list, max_sum, optimum, &values, why);
	free(list.board);
	if (status)
		return status;
	verify_number(verify, (double)list.n, (double)optimum_head(optimum)->states, 0,
		      "%s: positions reached, by plain rules and the solver", game->name);
	verify_tally(verify, &values, "%s: values of all moves, search and solver", game->name);
	return STATUS_OK;
}

enum status verify_search(struct verify *verify, const struct verify_board *board, struct why *why)
{
	char folder[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	struct game game;
	struct optimum *optimum;
	uint64_t max_sum;
	const char *temporary = getenv("TMPDIR");
	enum status status = game_init(&game, &(struct game_options){.shape = board->shape}, why);
	if (!status)
		status = path_format(folder, why, "%s/nxn-verify-XXXXXX",
				     temporary && *temporary ? temporary : "/tmp");
	if (status)
		return status;
	if (!mkdtemp(folder))
		return why_errno(why, "%s", folder);
	status = path_format(path, why, "%s/table.opt", folder);
	if (!status)
		status = table_make(verify, &game, path, &max_sum, why);
	if (!status)
		status = optimum_open(path, &game, &optimum, why);
	unlink(path); /* it stays open */
	rmdir(folder);
	if (status)
		return status;
	status = optimum_verify(optimum, why);
	if (!status)
		status = table_check(verify, &game, optimum, max_sum, why);
	optimum_close(optimum);
	return status;
}
