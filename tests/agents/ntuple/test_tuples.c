/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The features of every shape, and that their indices tell contents apart. */
#include "agents/ntuple/lazy.h"
#include "agents/ntuple/tuples.h"
#include "tests/games.h"

/* Lines and rectangles of the three boards of the paper, as it counts them. */
static void the_papers_boards_have_12_24_and_40_rectangles(void **state)
{
	(void)state;
	static const struct {
		const char *shape;
		int lines, rectangles;
	} cases[] = {{"4x4", 8, 12}, {"5x5", 10, 24}, {"6x6", 12, 40}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct tuples tuples;
		game_of(cases[i].shape, &game);
		tuples_init(&tuples, &game, game.max_exponent + 1);
		assert_int_equal(tuples.count, cases[i].lines + cases[i].rectangles);
		for (int k = 0; k < cases[i].lines; k++)
			assert_int_equal(tuples.tuple[k].length, game.rows);
		for (int k = cases[i].lines; k < tuples.count; k++)
			assert_int_equal(tuples.tuple[k].length, 6);
	}
}

/* A row of C cells has room for C - c + 1 pieces of width c. */
static void every_shape_has_as_many_features_as_the_formula_says(void **state)
{
	(void)state;
	for (int rows = SIDE_MIN; rows <= SIDE_MAX; rows++)
		for (int cols = SIDE_MIN; cols <= SIDE_MAX; cols++) {
			char shape[32];
			struct game game;
			struct tuples tuples;
			snprintf(shape, sizeof shape, "%dx%d", rows, cols);
			game_of(shape, &game);
			tuples_init(&tuples, &game, game.max_exponent + 1);
			int flat = (rows - 1) * (cols - 2), upright = (rows - 2) * (cols - 1);
			assert_int_equal(tuples.count, rows + cols + flat + upright);
		}
}

/* The cells of a tuple as a set, and whether they are a line or a rectangle. */
static uint64_t tuple_cells(const struct game *game, const struct tuple *tuple)
{
	uint64_t cells = 0;
	int top = SIDE_MAX, left = SIDE_MAX, bottom = 0, right = 0;
	for (int j = 0; j < tuple->length; j++) {
		int r = tuple->cell[j] / ROW_BYTES, c = tuple->cell[j] % ROW_BYTES;
		assert_true(r < game->rows && c < game->cols);
		assert_false(cells >> tuple->cell[j] & 1);
		cells |= UINT64_C(1) << tuple->cell[j];
		top = r < top ? r : top;
		left = c < left ? c : left;
		bottom = r > bottom ? r : bottom;
		right = c > right ? c : right;
	}
	int high = bottom - top + 1, wide = right - left + 1;
	assert_int_equal(high * wide, tuple->length);
	assert_true((high == 1 && wide == game->cols) || (wide == 1 && high == game->rows) ||
		    (high == 2 && wide == 3) || (high == 3 && wide == 2));
	return cells;
}

/* On 6x6 a line and a rectangle both have six cells. */
static void features_are_different_lines_and_rectangles(void **state)
{
	(void)state;
	static const char *const shapes[] = {"2x2", "2x3", "3x2", "2x6",
					     "3x5", "4x4", "5x6", "6x6"};
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		struct game game;
		struct tuples tuples;
		uint64_t cells[TUPLES_MAX];
		game_of(shapes[i], &game);
		tuples_init(&tuples, &game, game.max_exponent + 1);
		for (int k = 0; k < tuples.count; k++) {
			cells[k] = tuple_cells(&game, &tuples.tuple[k]);
			for (int other = 0; other < k; other++)
				assert_true(cells[other] != cells[k]);
		}
	}
}

/* Writes NUMBER in base LEVELS into the cells of a tuple. */
static void tuple_fill(const struct tuple *tuple, int levels, uint64_t number, struct board *board)
{
	*board = (struct board){0};
	for (int j = 0; j < tuple->length; j++) {
		(&board->cell[0][0])[tuple->cell[j]] = (uint8_t)(number % (uint64_t)levels);
		number /= (uint64_t)levels;
	}
}

/* Goes through all contents of tuple K, which must all have indices of their own. */
static void check_unique(const struct tuples *tuples, int k)
{
	uint64_t first = tuples->base[k], contents = 1;
	uint64_t last = k + 1 < tuples->count ? tuples->base[k + 1] : tuples->size;
	for (int j = 0; j < tuples->tuple[k].length; j++)
		contents *= (uint64_t)tuples->levels;
	bool *seen = calloc(last - first, sizeof *seen);
	assert_non_null(seen);
	for (uint64_t n = 0; n < contents; n++) {
		struct board board;
		uint64_t index[TUPLES_MAX];
		tuple_fill(&tuples->tuple[k], tuples->levels, n, &board);
		tuples_index(tuples, &board, index);
		assert_true(index[k] >= first && index[k] < last);
		assert_false(seen[index[k] - first]);
		seen[index[k] - first] = true;
	}
	free(seen);
}

static void no_two_contents_of_a_feature_share_an_index(void **state)
{
	(void)state;
	static const struct {
		const char *shape;
		int levels;
	} cases[] = {{"2x2", 6},  {"2x3", 8}, {"3x5", 5}, {"4x4", 6},
		     {"5x2", 11}, {"6x6", 5}, {"4x4", 2}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct tuples tuples;
		game_of(cases[i].shape, &game);
		tuples_init(&tuples, &game, cases[i].levels);
		for (int k = 0; k<tuples.count; k += tuples.count> 24 ? 7 : 1)
			check_unique(&tuples, k);
	}
}

/* 38^6 contents a tuple would not fit into 32 bits; the corners of the range do not collide. */
static void the_largest_tiles_of_6x6_have_indices_of_their_own(void **state)
{
	(void)state;
	struct game game;
	struct tuples tuples;
	uint64_t seen[64];
	game_of("6x6", &game);
	tuples_init(&tuples, &game, game.max_exponent + 1);
	int last = tuples.count - 1;
	assert_true(tuples.size > UINT64_C(52) * 38 * 38 * 38 * 38 * 38 * 38 - 1);
	for (int corner = 0; corner < 64; corner++) {
		struct board board = {0};
		uint64_t index[TUPLES_MAX];
		for (int j = 0; j < 6; j++)
			(&board.cell[0][0])[tuples.tuple[last].cell[j]] =
			    (uint8_t)(corner >> j & 1 ? game.max_exponent : 0);
		tuples_index(&tuples, &board, index);
		assert_true(index[last] >= tuples.base[last] && index[last] < tuples.size);
		seen[corner] = index[last];
		for (int other = 0; other < corner; other++)
			assert_true(seen[other] != seen[corner]);
	}
}

static void exponents_above_the_levels_count_as_the_largest_level(void **state)
{
	(void)state;
	struct game game;
	struct tuples tuples;
	struct board low = {0}, high = {0}, lower = {0};
	uint64_t a[TUPLES_MAX], b[TUPLES_MAX], c[TUPLES_MAX];
	game_of("4x4", &game);
	tuples_init(&tuples, &game, 12);
	low.cell[1][2] = 11;
	high.cell[1][2] = 17;
	lower.cell[1][2] = 10;
	tuples_index(&tuples, &low, a);
	tuples_index(&tuples, &high, b);
	tuples_index(&tuples, &lower, c);
	assert_memory_equal(a, b, (size_t)tuples.count * sizeof a[0]);
	assert_memory_not_equal(a, c, (size_t)tuples.count * sizeof a[0]);
}

/* Flipping the lowest bit of any digit, as of a 2 for an empty cell, stays in the box. */
static void near_contents_share_a_box(void **state)
{
	(void)state;
	struct game game;
	struct tuples tuples;
	struct board even = {0}, odd = {0};
	uint64_t a[TUPLES_MAX], b[TUPLES_MAX];
	game_of("5x5", &game);
	tuples_init(&tuples, &game, game.max_exponent + 1);
	for (int r = 0; r < 5; r++)
		for (int c = 0; c < 5; c++) {
			even.cell[r][c] = (uint8_t)(2 * c);
			odd.cell[r][c] = (uint8_t)(2 * c + (r + c) % 2);
		}
	tuples_index(&tuples, &even, a);
	tuples_index(&tuples, &odd, b);
	for (int k = 0; k < tuples.count; k++) {
		assert_true(a[k] != b[k]);
		assert_true(a[k] / LAZY_BLOCK == b[k] / LAZY_BLOCK);
	}
}

/* By the head of agents/ntuple/tuples.c: four cells give 2, 2, 1 and 1 low bits to the place in a box. */
static void a_box_holds_all_that_six_low_bits_tell_apart(void **state)
{
	(void)state;
	static const uint8_t last[] = {3, 3, 1, 1};
	struct game game;
	struct tuples tuples;
	struct board zero = {0}, full = {0};
	uint64_t a[TUPLES_MAX], b[TUPLES_MAX];
	game_of("4x4", &game);
	tuples_init(&tuples, &game, game.max_exponent + 1);
	tuples_index(&tuples, &zero, a);
	for (int c = 0; c < 4; c++) {
		full.cell[0][c] = last[c];
		struct board next = {0};
		next.cell[0][c] = (uint8_t)(last[c] + 1);
		tuples_index(&tuples, &next, b);
		assert_true(a[0] / LAZY_BLOCK != b[0] / LAZY_BLOCK);
	}
	tuples_index(&tuples, &full, b);
	assert_true(b[0] == a[0] + LAZY_BLOCK - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_papers_boards_have_12_24_and_40_rectangles),
	    cmocka_unit_test(every_shape_has_as_many_features_as_the_formula_says),
	    cmocka_unit_test(features_are_different_lines_and_rectangles),
	    cmocka_unit_test(no_two_contents_of_a_feature_share_an_index),
	    cmocka_unit_test(the_largest_tiles_of_6x6_have_indices_of_their_own),
	    cmocka_unit_test(exponents_above_the_levels_count_as_the_largest_level),
	    cmocka_unit_test(near_contents_share_a_box),
	    cmocka_unit_test(a_box_holds_all_that_six_low_bits_tell_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
