/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The optimum of a small board by tests/agents/naive.h, in the words of `nxn solve --full`: what
 * tests/src/commands/cli_solve.sh compares `nxn solve` with where no vectors are. On 2x2 it finds
 * 662 positions and 66.9641494571 points.
 *
 *     naive_solver SHAPE SPAWN START-TILES START|- GOAL TARGET|0 MAX-SUM|0
 *
 * prints the lines of `nxn solve --full`, but for those that begin with #.
 */
#include "tests/agents/naive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* In the order of enum goal. */
static const char *const goals[] = {"score", "target", "moves", "best-score", "best-moves"};
static const char *const keys[] = {"expected_score", "p_reach", "expected_moves", "max_score",
				   "max_moves"};

enum { SUM_MAX = 1 << 14 };

/* Of positions or after-states: all, and one of each symmetry class. */
struct count {
	uint64_t all, folded;
};

struct layer {
	struct count states, live, afterstates, pairs;
};

/* Counted by half the sum of the tiles. */
struct counts {
	struct layer layer[SUM_MAX / 2], total;
	struct naive afterstates; /* those counted */
	int max_exponent;
};

/* Whether BOARD is the one of its images that stands for all. */
static bool is_folded(const struct game *game, const struct board *board)
{
	struct board canonical;
	board_canonical(game, board, &canonical);
	return board_equal(board, &canonical);
}

static void count_add(struct count *layer, struct count *total, uint64_t n, bool folded)
{
	layer->all += n;
	total->all += n;
	layer->folded += folded ? n : 0;
	total->folded += folded ? n : 0;
}

static bool is_won(const struct naive *naive, const struct board *board)
{
	return naive->goal == GOAL_TARGET && board_max(board) >= naive->target;
}

/* Counts a position and its after-states, which other positions may have as well. */
static void state_count(const struct naive *naive, const struct board *board, struct counts *counts)
{
	struct moves moves;
	struct layer *layer = &counts->layer[board_sum(board) / 2], *total = &counts->total;
	const bool folded = is_folded(naive->game, board);
	oracle_moves(naive->game, board, &moves);
	count_add(&layer->states, &total->states, 1, folded);
	count_add(&layer->live, &total->live, moves.legal != 0, folded);
	count_add(&layer->pairs, &total->pairs, (uint64_t)__builtin_popcount(moves.legal), folded);
	if (board_max(board) > counts->max_exponent)
		counts->max_exponent = board_max(board);
	for (int d = 0; d < DIRECTIONS; d++) {
		const struct board *after = &moves.after[d];
		struct naive *known = &counts->afterstates;
		if (!(moves.legal >> d & 1) || is_won(naive, after) ||
		    (known->capacity && naive_slot(known, after)->used))
			continue;
		naive_file(known, after, 0);
		count_add(&layer->afterstates, &total->afterstates, 1,
			  is_folded(naive->game, after));
	}
}

/* Prints the values of the positions that LEFT more tiles make of BOARD. */
static void starts_print(struct naive *naive, const struct board *board, int left)
{
	const struct game *game = naive->game;
	char text[BOARD_TEXT_MAX];
	uint8_t cells[CELLS_MAX];
	if (left == 0) {
		board_format(game, board, text);
		if (is_folded(game, board))
			printf("start_value.%s\t%.17g\n", text, naive_after(naive, board, 0));
		return;
	}
	const int n = board_empty_cells(game, board, cells);
	for (int i = 0; i < n * game->spawn.kinds; i++) {
		struct board next = *board;
		*board_at(&next, cells[i % n]) = game->spawn.exponent[i / n];
		starts_print(naive, &next, left - 1);
	}
}

/*
 * The value of the game. Positions that cannot be told apart by symmetry are one, wherever they
 * come from, so that every image of a given start is one to start from.
 */
static double game_value(struct naive *naive)
{
	const struct game *game = naive->game;
	for (int i = 0; game->has_start && i < game->symmetries; i++) {
		struct board image;
		board_symmetry(game, i, &game->start, &image);
		naive_value(naive, &image);
	}
	const double value = naive_solve(naive);
	if (!game->has_start)
		starts_print(naive, &game->start, game->start_tiles);
	return value;
}

static void count_print(const char *key, struct count count)
{
	printf("%s\t%" PRIu64 "\n%s_raw\t%" PRIu64 "\n", key, count.folded, key, count.all);
}

static void layers_print(const struct counts *s)
{
	for (int i = 0; i < SUM_MAX / 2; i++) {
		const struct layer *l = &s->layer[i];
		if (l->states.all)
			printf("%d\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
			       "\t%" PRIu64 "\n",
			       2 * i, l->states.folded, l->states.all, l->live.folded, l->live.all,
			       l->afterstates.folded, l->afterstates.all);
	}
}

static void totals_print(const struct naive *naive, const struct counts *counts, double value)
{
	const struct layer *total = &counts->total;
	const struct count terminal = {total->states.all - total->live.all,
				       total->states.folded - total->live.folded};
	count_print("states", total->states);
	count_print("terminal", terminal);
	count_print("afterstates", total->afterstates);
	count_print("move_pairs", total->pairs);
	printf("max_tile\t%" PRIu64 "\n", (uint64_t)1 << counts->max_exponent);
	printf("%s", keys[naive->goal]);
	if (naive->goal == GOAL_TARGET)
		printf(".%" PRIu64, (uint64_t)1 << naive->target);
	printf("\t%.17g\n", value);
}

static enum goal goal_of(const char *name)
{
	for (int i = 0; i < GOALS; i++)
		if (strcmp(goals[i], name) == 0)
			return (enum goal)i;
	exit(2);
}

int main(int argc, char **argv)
{
	struct why why;
	struct game game;
	static struct counts counts;
	if (argc != 8)
		return 2;
	const uint64_t target = strtoull(argv[6], NULL, 10);
	const struct game_options options = {.shape = argv[1],
					     .spawn = argv[2],
					     .start_tiles = atoi(argv[3]),
					     .start = argv[4][0] == '-' ? NULL : argv[4]};
	struct naive naive = {.game = &game,
			      .goal = goal_of(argv[5]),
			      .target = target ? __builtin_ctzll(target) : 0,
			      .max_sum = strtoull(argv[7], NULL, 10)};
	if (game_init(&game, &options, &why))
		return 2;
	counts.afterstates.game = &game;
	const double value = game_value(&naive);
	for (size_t i = 0; i < naive.capacity; i++)
		if (naive.entries[i].used)
			state_count(&naive, &naive.entries[i].board, &counts);
	totals_print(&naive, &counts, value);
	layers_print(&counts);
	naive_free(&counts.afterstates);
	naive_free(&naive);
	return 0;
}
