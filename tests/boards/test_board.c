/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encodings, symmetries, text, spawns and random streams. */
#include "base/number.h"
#include "base/text.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>

/* Widths by hand from the rule: bit width of cells + (largest spawn exponent) - 1. */
TEST(widths_of_cells_follow_the_largest_reachable_tile)
{
	static const struct {
		const char *shape, *spawn;
		int max_exponent, bits;
	} cases[] = {
	    {"2x2", NULL, 5, 3},	   {"3x3", NULL, 10, 4},	  {"3x4", NULL, 13, 4},
	    {"4x4", NULL, 17, 5},	   {"4x5", NULL, 21, 5},	  {"5x5", NULL, 26, 5},
	    {"5x6", NULL, 31, 5},	   {"6x6", NULL, 37, 6},	  {"4x4", "2:1", 16, 5},
	    {"5x6", "2:0.5,8:0.5", 32, 6}, {"3x5", "4:0.5,2:0.5", 16, 5},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		game_make(&(struct game_options){.shape = cases[i].shape, .spawn = cases[i].spawn},
			  &game);
		assert_int_equal(game.max_exponent, cases[i].max_exponent);
		assert_int_equal(game.bits, cases[i].bits);
	}
}

TEST(symmetric_images_have_one_canonical_form)
{
	for (int i = 0; i < 25; i++) {
		struct game game;
		struct rng rng;
		struct board board, image, form, image_form;
		shape_game(i, &game);
		rng_init(&rng, 8, RNG_TEST, (uint64_t)i);
		for (int n = 0; n < 200; n++) {
			random_board(&game, n % RANDOM_KINDS, &rng, &board);
			board_canonical(&game, &board, &form);
			for (int s = 0; s < game.symmetries; s++) {
				board_symmetry(&game, s, &board, &image);
				board_canonical(&game, &image, &image_form);
				assert_true(board_equal(&form, &image_form));
				assert_int_equal(board_sum(&image), board_sum(&board));
			}
		}
	}
}

/* By hand: of the images the one whose last cells are the least, the last cell of all first. */
TEST(the_least_cells_of_the_canonical_image_are_at_its_end)
{
	static const char *const cases[][2] = {
	    {"2,4,8/16,32,64", "64,32,16/8,4,2"},
	    {"64,2,4/8,16,2", "64,2,4/8,16,2"},
	    {"0,2,0/0,0,4", "0,2,0/4,0,0"},
	    {"2,8/4,16", "16,8/4,2"},
	};
	for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
		struct game game;
		struct board image;
		char text[BOARD_TEXT_MAX];
		game_make(&(struct game_options){.start = cases[n][0]}, &game);
		board_canonical(&game, &game.start, &image);
		board_format(&game, &image, text);
		assert_string_equal(text, cases[n][1]);
	}
}

/* By hand: bit 0 mirrors left-right, bit 1 top-bottom, bit 2 transposes afterwards. */
TEST(symmetric_images_are_numbered_as_documented)
{
	static const struct {
		const char *in;
		int i;
		const char *out;
	} cases[] = {
	    {"2,4,8/16,32,64", 0, "2,4,8/16,32,64"},
	    {"2,4,8/16,32,64", 1, "8,4,2/64,32,16"},
	    {"2,4,8/16,32,64", 2, "16,32,64/2,4,8"},
	    {"2,4,8/16,32,64", 3, "64,32,16/8,4,2"},
	    {"2,4/8,16", 4, "2,8/4,16"},
	    {"2,4/8,16", 5, "4,16/2,8"},
	    {"2,4/8,16", 6, "8,2/16,4"},
	    {"2,4/8,16", 7, "16,4/8,2"},
	};
	for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
		struct game game;
		struct board image;
		char text[BOARD_TEXT_MAX];
		game_make(&(struct game_options){.start = cases[n].in}, &game);
		board_symmetry(&game, cases[n].i, &game.start, &image);
		board_format(&game, &image, text);
		assert_string_equal(text, cases[n].out);
	}
}

TEST(a_largest_tile_counts_in_every_corner_and_nowhere_else)
{
	static const struct {
		const char *board;
		bool corner;
	} cases[] = {
	    {"8,2,2/2,4,2", true}, {"2,2,8/2,4,2", true},  {"2,4,2/8,2,2", true},
	    {"2,4,2/2,2,8", true}, {"4,8,2/2,4,2", false}, {"4,2,4/4,8,4", false},
	    {"2,8,2/2,2,8", true}, {"8,2/2,4/2,2", true},  {"2,8/2,4/2,2", true},
	    {"2,2/2,4/8,2", true}, {"2,2/2,4/2,8", true},  {"2,2/8,4/2,2", false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		game_make(&(struct game_options){.start = cases[i].board}, &game);
		assert_int_equal(board_max_in_corner(&game, &game.start), cases[i].corner);
	}
}

TEST(a_game_starts_with_the_tiles_asked_for)
{
	static const int asked[] = {0, 1, 2, 7, 9};
	for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
		for (uint64_t n = 0; n < 20; n++) {
			struct game game;
			struct board board;
			struct rng rng;
			game_make(&(struct game_options){.shape = "3x3", .start_tiles = asked[i]},
				  &game);
			rng_init(&rng, 10, RNG_TEST, n);
			board_start(&game, &board, &rng);
			assert_int_equal(9 - board_empty(&game, &board), asked[i] ? asked[i] : 2);
			assert_true(board_max(&board) <= 2);
		}
}

TEST(positions_are_read_and_written_alike)
{
	static const char *const texts[] = {
	    "0,0/0,2",
	    "131072,65536,2,4/0,0,0,0/0,0,0,0/0,0,0,2",
	    "2,4,8,16,32/64,32,16,8,4/2,4,8,16,32",
	    "137438953472,2,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,4",
	};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct game game;
		struct game_options options = {.start = texts[i]};
		struct why why;
		char text[BOARD_TEXT_MAX];
		assert_int_equal(game_init(&game, &options, &why), STATUS_OK);
		board_format(&game, &game.start, text);
		assert_string_equal(text, texts[i]);
	}
}

/* Each wrong text, with the character, row and column (from 1) that the one line must name. */
TEST(malformed_positions_are_refused_at_the_offending_character)
{
	static const struct {
		const char *text;
		size_t at;
		int row, col;
	} cases[] = {
	    {"", 1, 1, 1},
	    {"2", 2, 1, 1},
	    {"2,2", 4, 1, 2},
	    {"2/2", 2, 1, 1},
	    {"2,2/2", 6, 2, 1},
	    {"2,2/2,2,2", 10, 2, 3},
	    {"2,2/2,2/", 9, 3, 1},
	    {"2,3/2,2", 3, 1, 2},
	    {"2,1/2,2", 3, 1, 2},
	    {"2,02/2,2", 3, 1, 2},
	    {"2, 2/2,2", 3, 1, 2},
	    {"2,\n2/2,2\n", 3, 1, 2},
	    {"2,2/2,2 ", 8, 2, 2},
	    {"2,2/2,-2", 7, 2, 2},
	    {"2;2/2,2", 2, 1, 1},
	    {"2,2/x,2", 5, 2, 1},
	    {"2,99999999999999999999/2,2", 3, 1, 2},
	    {"2,562949953421312/2,2", 3, 1, 2},
	    {"2,2,2,2,2,2,2/2,2", 13, 1, 7},
	    {"2,2/2,2/2,2/2,2/2,2/2,2/2,2", 24, 6, 2},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct board board;
		int rows, cols;
		struct why why = {""};
		char expected[64], place[64];
		assert_int_equal(board_parse(cases[i].text, &board, &rows, &cols, &why),
				 STATUS_INPUT);
		snprintf(expected, sizeof expected, "character %zu:", cases[i].at);
		snprintf(place, sizeof place, "(row %d, column %d)", cases[i].row, cases[i].col);
		if (!strstr(why.text, expected) || !strstr(why.text, place) ||
		    strchr(why.text, '\n'))
			fail_msg("'%s': %s", cases[i].text, why.text);
	}
}

TEST(unreachable_positions_are_refused)
{
	static const struct {
		const char *text;
		enum status status;
	} cases[] = {
	    {"32,16/8,4", STATUS_OK},
	    {"32,32/0,0", STATUS_INPUT},
	    {"64,0/0,0", STATUS_INPUT},
	    {"32,16/8,8", STATUS_INPUT},
	    {"131072,65536,2,4/0,0,0,0/0,0,0,0/0,0,0,2", STATUS_OK},
	    {"262144,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", STATUS_INPUT},
	    {"131072,131072,0,0/0,0,0,0/0,0,0,0/0,0,0,0", STATUS_INPUT},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct game_options options = {.start = cases[i].text};
		assert_int_equal(game_init(&game, &options, NULL), cases[i].status);
	}
}

/* The bound that game_admits() checks is an invariant: play from the fullest positions keeps it. */
TEST(play_never_leaves_the_admitted_positions)
{
	static const char *const starts[] = {"16,16/8,0", "32,16/8,0",
					     "512,512,256/32,64,128/16,8,0"};
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		for (uint64_t n = 0; n < 500; n++) {
			struct game game;
			struct game_options options = {.start = starts[i]};
			struct moves moves;
			struct rng rng;
			assert_int_equal(game_init(&game, &options, NULL), STATUS_OK);
			struct board board = game.start;
			rng_init(&rng, 3, RNG_TEST, n);
			for (game.moves(&board, &moves); moves.legal; game.moves(&board, &moves)) {
				int d = __builtin_ctz(moves.legal);
				board = moves.after[d];
				board_spawn(&game, &board, &rng);
				assert_int_equal(game_admits(&game, &board, NULL), STATUS_OK);
			}
		}
}

/* Of spawn rules with the character (from 1) at which the part that is wrong begins. */
TEST(wrong_games_are_refused)
{
	static const struct {
		struct game_options options;
		const char *says;
	} cases[] = {
	    {{.shape = "1x6"}, "1x6"},
	    {{.shape = "7x7"}, "7x7"},
	    {{.shape = "4"}, "'4'"},
	    {{.shape = "4x"}, "4x"},
	    {{.shape = "4x44"}, "4x44"},
	    {{.shape = ""}, "''"},
	    {{.shape = "4x4", .start_tiles = 17}, "17"},
	    {{.shape = "4x4", .start_tiles = -1}, "-1"},
	    {{.shape = "4x4", .start = "2,2/2,2"}, "2,2/2,2"},
	    {{.shape = "2x2", .start = "0,0/0,0"}, "an empty board"},
	    {{.spawn = ""}, "character 1: "},
	    {{.spawn = "2"}, "character 1: "},
	    {{.spawn = "2:0.9"}, "add up to 0.9, expected 1"},
	    {{.spawn = "2:0.9,4:0.2"}, "add up to 1.1, expected 1"},
	    {{.spawn = "3:1"}, "character 1: "},
	    {{.spawn = "512:1"}, "character 1: "},
	    {{.spawn = "2:1.5,4:-0.5"}, "character 1: "},
	    {{.spawn = "2:0.9,4:0.1,"}, "character 13: "},
	    {{.spawn = "2:0.9;4:0.1"}, "character 6: "},
	    {{.spawn = "2:nan"}, "character 1: "},
	    {{.spawn = "2:0.5,2:0.5"}, "character 7: expected up to 8 different TILE:PROBABILITY"},
	    {{.spawn = "2:0.9,4:0"}, "character 7: "},
	    {{.spawn = "2:1.5"}, "character 1: "},
	    {{.spawn = "2:0.5,4:0.5,x"}, "character 13: "},
	    {{.spawn = "2:0.9 ,4:0.1"}, "character 6: expected ','"},
	    {{.spawn = "2:0.1,4:0.1,8:0.1,16:0.1,32:0.1,64:0.1,128:0.1,256:0.2,2:0.1"},
	     "character 56: "},
	    {{.spawn = "2:0.9,4:0.0999"}, "add up to 0.9999, expected 1"},
	    {{.spawn = "2:0.12345678912,4:0.12345678922,8:0.12345678932,16:0.12345678942,"
		       "32:0.12345678952,64:0.12345678962,128:0.12345678972,256:0.13580247446"},
	     "expected probabilities of at most 10 decimals"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct why why = {""};
		if (game_init(&game, &cases[i].options, &why) != STATUS_INPUT)
			fail_msg("case %zu was accepted", i);
		if (!strstr(why.text, cases[i].says))
			fail_msg("'%s' does not say '%s'", why.text, cases[i].says);
	}
}

TEST(spawn_rules_are_written_as_they_are_read)
{
	static const char *const rules[][2] = {
	    {"2:0.9,4:0.1", "2:0.9,4:0.1"},
	    {"4:0.1,2:0.9", "2:0.9,4:0.1"},
	    {"2:1", "2:1"},
	    {"2:0.7,4:0.2,8:0.1", "2:0.7,4:0.2,8:0.1"},
	    {"256:1", "256:1"},
	    {"2:0.3333333333,4:0.3333333333,8:0.3333333334",
	     "2:0.3333333333,4:0.3333333333,8:0.3333333334"},
	    {"2:0.1234567891,4:0.1234567892,8:0.1234567893,16:0.1234567894,32:0.1234567895,"
	     "64:0.1234567896,128:0.1234567897,256:0.1358024742",
	     "2:0.1234567891,4:0.1234567892,8:0.1234567893,16:0.1234567894,32:0.1234567895,"
	     "64:0.1234567896,128:0.1234567897,256:0.1358024742"},
	};
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		struct game game;
		game_make(&(struct game_options){.spawn = rules[i][0]}, &game);
		assert_string_equal(game.spawn.text, rules[i][1]);
	}
}

TEST(numbers_are_written_with_the_digits_they_need)
{
	static const struct {
		double x;
		const char *text;
	} cases[] = {
	    {0, "0"},
	    {0.1, "0.1"},
	    {-100, "-100"},
	    {1e-5, "1e-05"},
	    {123456789, "123456789"},
	    {1.0 / 3, "0.3333333333333333"},
	    {0.1 + 0.2, "0.30000000000000004"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[REAL_TEXT_MAX];
		real_format(cases[i].x, text);
		assert_string_equal(text, cases[i].text);
	}
}

/* Every set of legal moves: the draw is the number of the move in the set. */
TEST(any_legal_move_is_the_one_whose_number_is_drawn)
{
	struct rng rng;
	rng_init(&rng, 6, RNG_TEST, 0);
	for (unsigned legal = 1; legal < 1u << DIRECTIONS; legal++)
		for (int i = 0; i < 100; i++) {
			const struct moves moves = {.legal = legal};
			struct rng draws = rng;
			unsigned left = legal;
			for (uint32_t n = rng_below(&draws, legal_count(legal)); n > 0; n--)
				left &= left - 1;
			assert_int_equal(moves_any(&moves, &rng), __builtin_ctz(left));
		}
}

TEST(a_stream_is_a_function_of_seed_stream_and_game)
{
	struct rng a, b;
	rng_init(&a, 5, RNG_SPAWN, 6);
	rng_init(&b, 5, RNG_SPAWN, 6);
	for (int i = 0; i < 100; i++)
		assert_int_equal(rng_u32(&a), rng_u32(&b));
	static const struct {
		uint64_t seed, game;
		enum rng_stream stream;
	} others[] = {{6, 6, RNG_SPAWN},
		      {5, 7, RNG_SPAWN},
		      {5, 6, RNG_AGENT},
		      {5 + (1ull << 32), 6, RNG_SPAWN},
		      {5, 6 + (1ull << 32), RNG_SPAWN}};
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		int equal = 0;
		rng_init(&a, 5, RNG_SPAWN, 6);
		rng_init(&b, others[i].seed, others[i].stream, others[i].game);
		for (int n = 0; n < 100; n++)
			equal += rng_u32(&a) == rng_u32(&b);
		assert_true(equal <= 1);
	}
}

/* Random123's kat_vectors for philox4x32 with 10 rounds. */
TEST(philox_gives_its_published_values)
{
	static const struct {
		uint32_t counter[4], key[2], bits[4];
	} cases[] = {
	    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
	    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
	     {0xffffffff, 0xffffffff},
	     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
	    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
	     {0xa4093822, 0x299f31d0},
	     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rng rng = {.used = 4};
		memcpy(rng.counter, cases[i].counter, sizeof rng.counter);
		memcpy(rng.key, cases[i].key, sizeof rng.key);
		for (int n = 0; n < 4; n++)
			assert_int_equal(rng_u32(&rng), cases[i].bits[n]);
	}
}

TEST(bounded_draws_are_uniform)
{
	enum { DRAWS = 360000 };
	for (uint32_t n = 1; n <= 36; n += 5) {
		struct rng rng;
		int counts[36] = {0};
		rng_init(&rng, 6, RNG_TEST, n);
		for (int i = 0; i < DRAWS; i++)
			counts[rng_below(&rng, n)]++;
		double p = 1.0 / n, sd = sqrt(DRAWS * p * (1 - p));
		for (uint32_t k = 0; k < n; k++)
			assert_true(fabs(counts[k] - DRAWS * p) <= 4.5 * sd);
	}
}

/*
 * Scaling 32 bits to 3/4 of their range without rejection would make every third value as likely as
 * the two others together.
 */
TEST(bounds_near_the_width_of_a_draw_are_not_biased)
{
	enum { DRAWS = 30000 };
	struct rng rng;
	int counts[3] = {0};
	rng_init(&rng, 6, RNG_TEST, 100);
	for (int i = 0; i < DRAWS; i++) {
		uint32_t x = rng_below(&rng, 0xc0000000);
		assert_true(x < 0xc0000000);
		counts[x % 3]++;
	}
	for (int k = 0; k < 3; k++)
		assert_true(fabs(counts[k] - DRAWS / 3.0) <= 4.5 * sqrt(DRAWS * 2.0 / 9));
}

TESTS(NULL, NULL)
