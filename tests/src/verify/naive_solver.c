/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The optimum of a small board, naively: every position there is in one table, unfolded, with the
 * rules of boards/oracle.h and a recursion. What tests/src/commands/cli_solve.sh holds `nxn solve`
 * against where no vectors are. Never optimised. On 2x2 it finds 662 positions and 66.9641494571
 * points.
 *
 *     naive_solver SHAPE SPAWN START-TILES START|- GOAL TARGET|0 MAX-SUM|0
 *
 * prints the lines of `nxn solve --full`, but for those that begin with #.
 */
#include "boards/oracle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum goal { SCORE, TARGET, MOVES, BEST_SCORE, BEST_MOVES };
static const char *const goals[] = {"score", "target", "moves", "best-score", "best-moves"};
static const char *const keys[] = {"expected_score", "p_reach", "expected_moves", "max_score",
				   "max_moves"};

enum { PLACES = 1 << 21, SUM_MAX = 1 << 14 };

/* A position or an after-state, by its packed form; free where the key is 0. */
struct entry {
	uint64_t key;
	double value;
};

struct table {
	struct entry *entry;
	uint64_t n;
};

/* Of positions or after-states: all, and one of each symmetry class. */
struct count {
	uint64_t all, folded;
};

struct layer {
	struct count states, live, afterstates, pairs;
};

struct solver {
	struct game game;
	enum goal goal;
	int target;
	uint64_t max_sum;
	struct table states, afterstates;
	struct layer layer[SUM_MAX / 2], total;
	int max_exponent;
};

static struct entry *table_find(struct table *table, uint64_t key)
{
	uint64_t i = key * 0x9E3779B97F4A7C15u >> 43;
	while (table->entry[i].key && table->entry[i].key != key)
		i = (i + 1) % PLACES;
	return &table->entry[i];
}

static uint64_t key_of(const struct game *game, const struct board *board)
{
	struct packed packed;
	board_pack(game, board, &packed);
	return packed.word[0];
}

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

/* Enters KEY; NULL if it is there already. */
static struct entry *table_add(struct table *table, uint64_t key)
{
	struct entry *entry = table_find(table, key);
	if (entry->key)
		return NULL;
	if (++table->n > PLACES / 2) {
		fputs("naive_solver: too many positions\n", stderr);
		exit(1);
	}
	entry->key = key;
	return entry;
}

static bool is_best_case(const struct solver *s)
{
	return s->goal == BEST_SCORE || s->goal == BEST_MOVES;
}

static double state_value(struct solver *s, const struct board *board);

/* What comes after an after-state: the mean over spawns, or the best of them. */
static double after_value(struct solver *s, const struct board *board)
{
	const struct spawn_rule *rule = &s->game.spawn;
	uint8_t cells[CELLS_MAX];
	double mean = 0, best = 0;
	const int n = board_empty_cells(&s->game, board, cells);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < rule->kinds; k++) {
			struct board next = *board;
			*board_at(&next, cells[i]) = rule->exponent[k];
			const double value = state_value(s, &next);
			mean += rule->probability[k] / n * value;
			best = value > best ? value : best;
		}
	return is_best_case(s) ? best : mean;
}

static double move_gain(const struct solver *s, uint64_t reward)
{
	if (s->goal == SCORE || s->goal == BEST_SCORE)
		return (double)reward;
	return s->goal == TARGET ? 0 : 1;
}

static bool is_won(const struct solver *s, const struct board *board)
{
	return s->target && board_max(board) >= s->target;
}

/* Enters all that is to be counted of a position that is new. */
static void state_count(struct solver *s, const struct board *board, const struct moves *moves)
{
	const bool folded = is_folded(&s->game, board);
	struct layer *layer = &s->layer[board_sum(board) / 2], *total = &s->total;
	count_add(&layer->states, &total->states, 1, folded);
	count_add(&layer->live, &total->live, moves->legal != 0, folded);
	s->max_exponent = board_max(board) > s->max_exponent ? board_max(board) : s->max_exponent;
	count_add(&layer->pairs, &total->pairs, (uint64_t)__builtin_popcount(moves->legal), folded);
	for (int d = 0; d < DIRECTIONS; d++) {
		const struct board *after = &moves->after[d];
		if ((moves->legal & 1u << d) && !is_won(s, after) &&
		    table_add(&s->afterstates, key_of(&s->game, after)))
			count_add(&layer->afterstates, &total->afterstates, 1,
				  is_folded(&s->game, after));
	}
}

/* The value of a position with the player to move. */
static double state_value(struct solver *s, const struct board *board)
{
	struct moves moves;
	double best = 0;
	if (is_won(s, board))
		return s->goal == TARGET;
	if (s->max_sum && board_sum(board) > s->max_sum)
		return 0;
	struct entry *entry = table_find(&s->states, key_of(&s->game, board));
	if (entry->key)
		return entry->value;
	entry = table_add(&s->states, key_of(&s->game, board));
	oracle_moves(&s->game, board, &moves);
	state_count(s, board, &moves);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(moves.legal & 1u << d))
			continue;
		const bool won = is_won(s, &moves.after[d]);
		const double value = move_gain(s, moves.reward[d]) +
				     (won ? s->goal == TARGET : after_value(s, &moves.after[d]));
		best = value > best ? value : best;
	}
	entry->value = best;
	return best;
}

/* What a game is worth that begins with LEFT more tiles on BOARD. */
static double start_value(struct solver *s, const struct board *board, int left)
{
	const struct spawn_rule *rule = &s->game.spawn;
	uint8_t cells[CELLS_MAX];
	double mean = 0, best = 0;
	if (left == 0)
		return state_value(s, board);
	const int n = board_empty_cells(&s->game, board, cells);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < rule->kinds; k++) {
			struct board next = *board;
			*board_at(&next, cells[i]) = rule->exponent[k];
			const double value = start_value(s, &next, left - 1);
			if (left == 1 && is_folded(&s->game, &next)) {
				char text[BOARD_TEXT_MAX];
				board_format(&s->game, &next, text);
				printf("start_value.%s\t%.17g\n", text, value);
			}
			mean += rule->probability[k] / n * value;
			best = value > best ? value : best;
		}
	return is_best_case(s) ? best : mean;
}

/*
 * The value of the game. Positions that cannot be told apart by symmetry are one, wherever they
 * come from, so that every image of a given start is one to start from.
 */
static double game_value(struct solver *s)
{
	for (int i = 0; s->game.has_start && i < s->game.symmetries; i++) {
		struct board image;
		board_symmetry(&s->game, i, &s->game.start, &image);
		state_value(s, &image);
	}
	return start_value(s, &s->game.start, s->game.has_start ? 0 : s->game.start_tiles);
}

static void count_print(const char *key, struct count count)
{
	printf("%s\t%" PRIu64 "\n%s_raw\t%" PRIu64 "\n", key, count.folded, key, count.all);
}

static void layers_print(const struct solver *s)
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

static void totals_print(const struct solver *s, double value)
{
	const struct count terminal = {s->total.states.all - s->total.live.all,
				       s->total.states.folded - s->total.live.folded};
	count_print("states", s->total.states);
	count_print("terminal", terminal);
	count_print("afterstates", s->total.afterstates);
	count_print("move_pairs", s->total.pairs);
	printf("max_tile\t%" PRIu64 "\n", (uint64_t)1 << s->max_exponent);
	printf("%s", keys[s->goal]);
	if (s->goal == TARGET)
		printf(".%" PRIu64, (uint64_t)1 << s->target);
	printf("\t%.17g\n", value);
}

static int goal_of(const char *name)
{
	for (int i = 0; i < (int)(sizeof goals / sizeof *goals); i++)
		if (strcmp(goals[i], name) == 0)
			return i;
	exit(2);
}

int main(int argc, char **argv)
{
	struct why why;
	struct solver *s = calloc(1, sizeof *s);
	if (argc != 8 || !s)
		return 2;
	const uint64_t target = strtoull(argv[6], NULL, 10);
	const struct game_options options = {.shape = argv[1],
					     .spawn = argv[2],
					     .start_tiles = atoi(argv[3]),
					     .start = argv[4][0] == '-' ? NULL : argv[4]};
	s->goal = (enum goal)goal_of(argv[5]);
	s->target = target ? __builtin_ctzll(target) : 0;
	s->max_sum = strtoull(argv[7], NULL, 10);
	s->states.entry = calloc(PLACES, sizeof *s->states.entry);
	s->afterstates.entry = calloc(PLACES, sizeof *s->afterstates.entry);
	if (!s->states.entry || !s->afterstates.entry || game_init(&s->game, &options, &why) ||
	    s->game.cells * s->game.bits > 64)
		return 2;
	totals_print(s, game_value(s));
	layers_print(s);
	free(s->afterstates.entry);
	free(s->states.entry);
	free(s);
	return 0;
}
