/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checks of nxn verify that compare nxn with itself: each sees what is broken, and nothing
 * where nothing is. Those that compare with files are in cli_verify.sh.
 */
#include "src/verify/exact.c"
#include "src/verify/rules.c"

#include "agents/solver/solver.h"
#include "boards/simd/kernel.h"
#include "tests/games.h"

#include <math.h>
#include <unistd.h>

enum { SEED = 3, POSITIONS = 100, DRAWS = 20000 };

/* The right rules of the shape that is tested, for the broken ones to break. */
static struct game right;

static void up_loses_its_points(const struct board *board, struct moves *moves)
{
	right.moves(board, moves);
	moves->reward[UP] = 0;
}

static void left_is_never_legal(const struct board *board, struct moves *moves)
{
	right.moves(board, moves);
	moves->legal &= ~(1u << LEFT);
}

static void large_tiles_do_not_merge(const struct board *board, struct moves *moves)
{
	right.moves(board, moves);
	for (int d = 0; d < DIRECTIONS; d++)
		if (board_max(&moves->after[d]) == right.max_exponent) {
			moves->after[d] = *board;
			moves->reward[d] = 0;
			moves->legal &= ~(1u << d);
		}
}

static bool never_over(const struct board *board)
{
	(void)board;
	return false;
}

static uint64_t disagreements(const struct game *game)
{
	struct agreement agreement = {0};
	rules_compare(game, SEED, POSITIONS, &agreement);
	assert_int_equal(agreement.all, POSITIONS * POSITION_KINDS);
	assert_int_equal(agreement.first[0] != '\0', agreement.agreed < agreement.all);
	return agreement.all - agreement.agreed;
}

static void broken_rules_are_seen_on_every_shape(void **state)
{
	(void)state;
	for (int i = 0; i < SHAPES; i++) {
		char shape[8];
		shape_name(i, shape);
		game_of(shape, &right);
		struct game broken = right;
		assert_int_equal(disagreements(&right), 0);
		broken.moves = up_loses_its_points;
		assert_true(disagreements(&broken) > 0);
		broken.moves = left_is_never_legal;
		assert_true(disagreements(&broken) > 0);
		broken.moves = large_tiles_do_not_merge;
		assert_true(disagreements(&broken) > 0);
		broken = right;
		broken.over = never_over;
		assert_true(disagreements(&broken) > 0);
	}
}

static void positions_are_of_their_kind_and_games_can_hold_them(void **state)
{
	(void)state;
	for (int i = 0; i < SHAPES; i++) {
		char shape[8];
		shape_name(i, shape);
		game_of(shape, &right);
		int largest = 0;
		for (uint64_t n = 0; n < POSITIONS * POSITION_KINDS; n++) {
			const enum position_kind kind = (enum position_kind)(n % POSITION_KINDS);
			struct board board;
			struct why why;
			position_draw(&right, SEED, n, &board);
			if (game_admits(&right, &board, &why))
				fail_msg("%s: %s", shape, why.text);
			if (kind == FULL || kind == TOP)
				assert_int_equal(board_empty(&right, &board), 0);
			if (kind == TOP)
				largest = board_max(&board) > largest ? board_max(&board) : largest;
		}
		assert_int_equal(largest, right.max_exponent);
	}
}

/* By hand: each tile goes as far as it can, and what was merged does not merge again. */
static void the_plain_rules_are_the_rules(void **state)
{
	(void)state;
	static const struct {
		const char *before, *after;
		int d;
		uint64_t reward;
	} cases[] = {
	    {"4,2,2,2/2,2,2,2", "4,4,2,0/4,4,0,0", LEFT, 12},
	    {"4,2,2,2/2,2,2,2", "0,4,2,4/0,0,4,4", RIGHT, 12},
	    {"4,0,2/4,2,0/8,2,0", "8,4,2/8,0,0/0,0,0", UP, 12},
	    {"4,0,2/4,2,0/8,2,0", "0,0,0/8,0,0/8,4,2", DOWN, 12},
	    {"2,0,0,2/8,4,4,8", "4,0,0,0/8,8,8,0", LEFT, 12},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct game game;
		struct moves moves;
		char after[BOARD_TEXT_MAX];
		game_make(&(struct game_options){.start = cases[i].before}, &game);
		oracle_moves(&game, &game.start, &moves);
		board_format(&game, &moves.after[cases[i].d], after);
		assert_string_equal(after, cases[i].after);
		assert_int_equal(moves.reward[cases[i].d], cases[i].reward);
		assert_true(moves.legal >> cases[i].d & 1);
	}
}

static void too_narrow_cells_are_seen(void **state)
{
	(void)state;
	game_of("4x4", &right);
	struct agreement whole = {0}, torn = {0};
	packed_compare_all(&right, SEED, POSITIONS, &whole);
	assert_int_equal(whole.agreed, whole.all);
	struct game narrow = right;
	narrow.bits--;
	packed_compare_all(&narrow, SEED, POSITIONS, &torn);
	assert_true(torn.agreed < torn.all);
}

/* The first empty cell twice as often as another. */
static void spawn_leans(const struct game *game, struct board *board, struct rng *rng)
{
	uint8_t cells[CELLS_MAX];
	const uint32_t n = (uint32_t)board_empty_cells(game, board, cells);
	const uint32_t i = rng_below(rng, n + 1);
	*board_at(board, cells[i == n ? 0 : i]) = rng_below(rng, 10) ? 1 : 2;
}

/* One 4 in eight instead of one in ten. */
static void spawn_large(const struct game *game, struct board *board, struct rng *rng)
{
	uint8_t cells[CELLS_MAX];
	const uint32_t n = (uint32_t)board_empty_cells(game, board, cells);
	*board_at(board, cells[rng_below(rng, n)]) = rng_below(rng, 8) ? 1 : 2;
}

/* As it should be, but never by chance: each cell in its turn. */
static void spawn_in_turn(const struct game *game, struct board *board, struct rng *rng)
{
	uint8_t cells[CELLS_MAX];
	const uint32_t n = (uint32_t)board_empty_cells(game, board, cells);
	const uint32_t i = rng->counter[0]++;
	*board_at(board, cells[i % n]) = i / n % 10 ? 1 : 2;
}

static void spawn_nothing(const struct game *game, struct board *board, struct rng *rng)
{
	(void)game;
	(void)board;
	(void)rng;
}

static void uneven_spawns_are_seen(void **state)
{
	(void)state;
	static const char *const boards[] = {"0,0/0,2", "0,2,0/0,0,4/2,0,0",
					     "0,0,0,0/0,2,0,0/0,0,0,0"};
	for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
		const struct board *board = &right.start;
		game_make(&(struct game_options){.start = boards[i]}, &right);
		const double p = spawns_p(&right, board, board_spawn, SEED, DRAWS);
		assert_true(p > 1e-4 && p < 1 - 1e-4);
		assert_true(spawns_p(&right, board, spawn_leans, SEED, DRAWS) < 1e-7);
		assert_true(spawns_p(&right, board, spawn_large, SEED, DRAWS) < 1e-7);
		assert_true(spawns_p(&right, board, spawn_in_turn, SEED, DRAWS) > 1 - 1e-7);
		assert_true(spawns_p(&right, board, spawn_nothing, SEED, DRAWS) == 0);
	}
}

/* One lane in 64 counts a move too many. */
static uint64_t playout_lax(struct playout_block *block, const struct playout_odds *odds, int steps)
{
	const uint64_t over = right.playout(block, odds, steps);
	block->count[0][0]++;
	return over;
}

static void a_broken_playout_is_seen(void **state)
{
	(void)state;
	game_of("3x4", &right);
	struct game broken = right;
	struct agreement same = {0}, other = {0};
	playouts_compare(&right, &right, SEED, 128, &same);
	assert_int_equal(same.all, 128);
	assert_int_equal(same.agreed, same.all);
	broken.playout = playout_lax;
	playouts_compare(&broken, &right, SEED, 128, &other);
	assert_true(other.agreed < other.all);
}

static void table_of(const struct game *game, enum goal goal, struct optimum **optimum)
{
	char path[] = "test_verify-XXXXXX.opt";
	struct solve_result result;
	struct why why;
	const int file = mkstemps(path, 4);
	if (file < 0)
		fail_msg("%s cannot be made", path);
	close(file);
	const struct solve_task task = {
	    .game = game, .goal = goal, .memory = 1 << 28, .threads = 1, .out = path};
	if (solve(&task, &result, &why) || optimum_open(path, game, optimum, &why))
		fail_msg("%s", why.text);
	solve_result_free(&result);
	unlink(path);
}

static uint64_t search_misses(const struct game *game, const struct position_list *list,
			      uint64_t max_sum, enum goal goal)
{
	struct optimum *optimum;
	struct agreement agreement = {0};
	struct why why;
	table_of(game, goal, &optimum);
	if (search_compare_all(game, list, max_sum, optimum, &agreement, &why))
		fail_msg("%s", why.text);
	optimum_close(optimum);
	assert_int_equal(agreement.all, 184); /* move_pairs of 2x2 in exact.txt */
	return agreement.all - agreement.agreed;
}

/* exact.txt: 110 states on 2x2, whose tiles sum to 60 at most, and 21752 on 2x3. */
static void search_and_solver_agree_only_where_both_are_right(void **state)
{
	(void)state;
	struct position_list list = {0};
	struct why why;
	game_of("2x3", &right);
	assert_int_equal(positions_reach(&right, &list, &why), STATUS_OK);
	assert_int_equal(list.n, 21752);
	free(list.board);
	game_of("2x2", &right);
	assert_int_equal(positions_reach(&right, &list, &why), STATUS_OK);
	assert_int_equal(list.n, 110);
	assert_int_equal(search_misses(&right, &list, 60, GOAL_SCORE), 0);
	assert_true(search_misses(&right, &list, 50, GOAL_SCORE) > 0); /* not deep enough */
	assert_true(search_misses(&right, &list, 60, GOAL_MOVES) > 100);
	free(list.board);
}

static void a_mean_is_right_within_four_standard_errors(void **state)
{
	(void)state;
	const struct table_out out = {.file = stdout, .put = verify_figure_print};
	struct verify verify = {.check = "# test", .out = &out};
	mean_tell(&verify, "2x2", "anybody", 103.9, 100, 100, 10);
	mean_tell(&verify, "2x2", "anybody", 96.1, 100, 100, 10);
	assert_int_equal(verify.failed, 0);
	mean_tell(&verify, "2x2", "anybody", 104.1, 100, 100, 10);
	mean_tell(&verify, "2x2", "anybody", 95.9, 100, 100, 10);
	mean_tell(&verify, "2x2", "anybody", NAN, 100, 100, 10);
	assert_int_equal(verify.failed, 3);
	assert_int_equal(verify.lines, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(broken_rules_are_seen_on_every_shape),
	    cmocka_unit_test(positions_are_of_their_kind_and_games_can_hold_them),
	    cmocka_unit_test(the_plain_rules_are_the_rules),
	    cmocka_unit_test(too_narrow_cells_are_seen),
	    cmocka_unit_test(uneven_spawns_are_seen),
	    cmocka_unit_test(a_broken_playout_is_seen),
	    cmocka_unit_test(search_and_solver_agree_only_where_both_are_right),
	    cmocka_unit_test(a_mean_is_right_within_four_standard_errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
