/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perft against tests/vectors/perft.txt, counted by an independent brute-force program, and against
 * positions small enough to count on paper. The vectors' file opens with the definition.
 */
#include "boards/perft.h"
#include "tests/games.h"
#include "tests/test.h"

#include <inttypes.h>

/* A line of the vectors. */
struct row {
	char shape[8], position[BOARD_TEXT_MAX];
	int plies;
	struct perft perft;
};

/* The next row of SHAPE; false at the end. */
static bool vectors_next(FILE *file, const char *shape, struct row *row)
{
	char line[1024];
	while (fgets(line, sizeof line, file)) {
		struct perft *p = &row->perft;
		if (line[0] == '#')
			continue;
		int fields =
		    sscanf(line,
			   "%7s %468s %d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
			   " %" SCNu64 " %" SCNu64,
			   row->shape, row->position, &row->plies, &p->states, &p->terminal,
			   &p->pairs, &p->afterstates, &p->rewards, &p->leaves, &p->leaf_score);
		if (fields != 10)
			fail_msg("not a row of perft.txt: %s", line);
		if (strcmp(row->shape, shape) == 0)
			return true;
	}
	return false;
}

static void assert_perft(const struct game *game, const char *position, int plies,
			 const struct perft *want)
{
	struct perft got;
	struct why why;
	if (perft_count(game, &game->start, plies, &got, &why))
		fail_msg("%s, %d plies: %s", position, plies, why.text);
	if (memcmp(&got, want, sizeof got) != 0)
		fail_msg("%s, %d plies: other counts", position, plies);
}

static const struct {
	const char *shape;
	int rows;
} shapes[] = {{"2x2", 9},  {"3x3", 7},	{"3x4", 6}, {"4x3", 6},
	      {"4x4", 26}, {"5x5", 18}, {"6x6", 14}};

TEST(every_count_of_every_shape_agrees_with_brute_force)
{
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		FILE *file = vectors_open("perft.txt");
		struct row row;
		int rows = 0;
		for (; vectors_next(file, shapes[i].shape, &row); rows++) {
			struct game game;
			game_make(&(struct game_options){.start = row.position}, &game);
			assert_string_equal(game.name, row.shape);
			/* Greater counts: cli_verify.sh. */
			if (row.perft.leaves < 400000)
				assert_perft(&game, row.position, row.plies, &row.perft);
		}
		fclose(file);
		assert_int_equal(rows, shapes[i].rows);
	}
}

/*
 * From 0,2/2,0 each move leaves two 2s at one wall, and a 2 in one of two cells follows: four
 * boards of three 2s and a hole. All four moves are legal on each and make one 4; 16 after-states
 * pair up.
 */
TEST(a_spawn_rule_with_one_kind_counts_as_on_paper)
{
	struct game game;
	game_make(&(struct game_options){.start = "0,2/2,0", .spawn = "2:1"}, &game);
	assert_perft(&game, "0,2/2,0", 1,
		     &(struct perft){
			 .states = 4, .pairs = 16, .afterstates = 8, .rewards = 64, .leaves = 8});
}

/* As above, but a 4 or an 8 beside two 2s makes a board of its own from each wall and cell. */
TEST(a_rule_with_three_kinds_counts_each_of_them_once)
{
	struct game game;
	struct perft perft;
	struct why why;
	game_make(&(struct game_options){.start = "0,2/2,0", .spawn = "2:0.98,4:0.01,8:0.01"},
		  &game);
	assert_int_equal(perft_count(&game, &game.start, 1, &perft, &why), STATUS_OK);
	assert_int_equal(perft.leaves, 4 * 2 * 3);
	assert_int_equal(perft.states, 4 + 8 + 8);
}

TEST(nothing_follows_a_lost_position)
{
	struct game game;
	game_make(&(struct game_options){.start = "2,4/4,2"}, &game);
	assert_perft(&game, "2,4/4,2", 0, &(struct perft){.states = 1, .terminal = 1, .leaves = 1});
	assert_perft(&game, "2,4/4,2", 1, &(struct perft){0});
	assert_perft(&game, "2,4/4,2", 1000, &(struct perft){0});
}

/* Eight kinds on 2x2 leave 13,106 boards after 15 plies, but more than 2^64 points after 20. */
TEST(a_count_beyond_64_bits_is_refused_and_leaves_the_result_alone)
{
	struct game game;
	struct game_options options = {
	    .start = "0,2/2,0",
	    .spawn = "2:0.125,4:0.125,8:0.125,16:0.125,32:0.125,64:0.125,128:0.125,256:0.125",
	};
	struct perft perft = {.states = 7};
	struct why why;
	game_make(&options, &game);
	assert_int_equal(perft_count(&game, &game.start, 20, &perft, &why), STATUS_SYSTEM);
	assert_string_equal(why.text, "a count does not fit in 64 bits; ask for fewer plies");
	assert_int_equal(perft.states, 7);
	assert_int_equal(perft_count(&game, &game.start, 15, &perft, &why), STATUS_OK);
}

TESTS(NULL, NULL)
