/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of positions against plain ones and the symmetries of boards/board.h. */
#include "boards/simd/keys.h"
#include "tests/random_board.h"
#include "tests/test.h"

enum { POSITIONS = 500 };

/* The keys with the widest cells that a key of this shape has room for; the largest exponent. */
static int keys_make(const struct game *game, bool fold, struct keys *keys)
{
	struct why why;
	int max = game->max_exponent;
	while (keys_init(keys, game, max, fold, &why))
		max--;
	assert_true(max > 0);
	return max;
}

/* A random position with exponents up to MAX; every other one is symmetric. */
static void position(const struct game *game, int max, uint64_t n, struct board *board)
{
	struct rng rng;
	rng_init(&rng, 11, RNG_TEST, n);
	random_board(game, (int)(n % RANDOM_KINDS), &rng, board);
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			board->cell[r][c] = (uint8_t)(board->cell[r][c] % (max + 1));
			if (n % 2 && c >= (game->cols + 1) / 2)
				board->cell[r][c] = board->cell[r][game->cols - 1 - c];
			if (n % 4 == 3 && r >= (game->rows + 1) / 2)
				board->cell[r][c] = board->cell[game->rows - 1 - r][c];
		}
}

/* The key of a position with BITS a cell, cell by cell. */
static uint64_t naive_key(const struct game *game, int bits, const struct board *board)
{
	uint64_t key = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			key |= (uint64_t)board->cell[r][c] << (r * game->cols + c) * bits;
	return key;
}

/* The least key of all images; *COUNT becomes the number of different ones. */
static uint64_t naive_fold(const struct game *game, int bits, const struct board *board, int *count)
{
	uint64_t seen[8], least = UINT64_MAX;
	*count = 0;
	for (int i = 0; i < game->symmetries; i++) {
		struct board image;
		bool known = false;
		board_symmetry(game, i, board, &image);
		uint64_t key = naive_key(game, bits, &image);
		least = key < least ? key : least;
		for (int j = 0; j < *count; j++)
			known |= seen[j] == key;
		if (!known)
			seen[(*count)++] = key;
	}
	return least;
}

TEST(packing_follows_the_cells_and_round_trips)
{
	for (int i = 0; i < 25; i++) {
		struct game game;
		struct keys keys;
		shape_game(i, &game);
		int max = keys_make(&game, false, &keys);
		for (uint64_t n = 0; n < POSITIONS; n++) {
			struct board board, back;
			position(&game, max, n, &board);
			uint64_t key = keys_pack(&keys, &board);
			assert_int_equal(key, naive_key(&game, keys.bits, &board));
			keys_unpack(&keys, key, &back);
			assert_true(board_equal(&board, &back));
		}
	}
}

/*
 * On every shape with the instruction set that runs; fills KEY with the keys of POSITIONS boards.
 */
static void folded_check(const struct game *game)
{
	struct keys keys;
	uint64_t key[POSITIONS], least[POSITIONS], raw = 0;
	int max = keys_make(game, true, &keys), count;
	for (uint64_t n = 0; n < POSITIONS; n++) {
		struct board board;
		position(game, max, n, &board);
		key[n] = keys_pack(&keys, &board);
		least[n] = naive_fold(game, keys.bits, &board, &count);
		raw += (uint64_t)count;
	}
	keys_fold(&keys, key, POSITIONS);
	assert_memory_equal(key, least, sizeof key);
	assert_int_equal(keys_raw(&keys, key, POSITIONS), raw);
	/* Any number at a time, and no further. */
	for (size_t n = 0; n < 20; n++) {
		uint64_t some[21];
		for (size_t j = 0; j <= n; j++)
			some[j] = key[j];
		keys_mix(&keys, some, n);
		keys_unmix(&keys, some, n);
		assert_memory_equal(some, key, (n + 1) * sizeof *key);
	}
}

TEST(folding_finds_the_least_image_with_every_instruction_set)
{
	for (enum isa isa = 0; isa < ISAS; isa++) {
		if (!isa_available(isa))
			continue;
		setenv("NXN_ISA", isa_name(isa), 1);
		for (int i = 0; i < 25; i++) {
			struct game game;
			shape_game(i, &game);
			folded_check(&game);
		}
	}
	unsetenv("NXN_ISA");
}

static int codes_ascend(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/*
 * All 2^12 keys of 2x2: mixing permutes them. And mixed keys of like positions are spread evenly.
 */
TEST(mixing_permutes_keys_and_spreads_them)
{
	struct game game;
	struct keys keys;
	struct why why;
	uint64_t code[4096];
	int share[16] = {0};
	game_of("2x2", &game);
	assert_int_equal(keys_init(&keys, &game, 5, true, &why), STATUS_OK);
	assert_int_equal(keys.width, 12);
	for (uint64_t i = 0; i < 4096; i++)
		code[i] = i;
	keys_mix(&keys, code, 4096);
	qsort(code, 4096, sizeof *code, codes_ascend);
	for (uint64_t i = 0; i < 4096; i++)
		assert_int_equal(code[i], i);
	/* Of 3x3, all with tiles of 2, 4 and 8 in the last row: 512 * 27 positions. */
	game_of("3x3", &game);
	assert_int_equal(keys_init(&keys, &game, 10, false, &why), STATUS_OK);
	for (uint64_t i = 0; i < 512 * 27; i++) {
		uint64_t one = 0;
		for (int cell = 0; cell < 9; cell++)
			one |= (cell < 6 ? (i / 27 >> cell & 1) + 1 : i % 3 + 1) << 4 * cell;
		one ^= (i % 27 / 3 % 3 + 1) << 28 ^ (i % 27 / 9 + 1) << 32;
		keys_mix(&keys, &one, 1);
		share[one >> 32]++;
	}
	for (int i = 0; i < 16; i++)
		assert_in_range(share[i], 512 * 27 / 16 * 7 / 10, 512 * 27 / 16 * 13 / 10);
}

TEST(positions_that_do_not_fit_are_refused)
{
	struct game game;
	struct keys keys;
	struct why why;
	game_of("4x4", &game);
	assert_int_equal(keys_init(&keys, &game, 15, true, &why), STATUS_OK);
	assert_int_equal(keys.width, 64);
	assert_int_equal(keys_init(&keys, &game, game.max_exponent, true, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, "80 bits, expected at most 64"));
	assert_non_null(strstr(why.text, "no tiles above 32768"));
	game_of("6x6", &game);
	assert_int_equal(keys_init(&keys, &game, 2, true, &why), STATUS_INPUT);
}

TESTS(NULL, NULL)
