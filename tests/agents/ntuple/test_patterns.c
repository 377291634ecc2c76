/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of n-tuples against a search of all motions of the plane: turns, mirrors and shifts that
 * take a form onto the board, or the board onto itself.
 */
#include "agents/ntuple/ntuple.h"
#include "tests/random_board.h"
#include "tests/test.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void read_list(const char *text, const struct game *game, bool sharing,
		      struct patterns *patterns)
{
	struct why why;
	if (patterns_read(text, game, sharing, patterns, &why))
		fail_msg("%s", why.text);
}

/* The tuple that TEXT writes, one digit a cell, on a board of COLS columns. */
static struct pattern written(const char *text, int cols)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	struct pattern pattern = {0};
	for (; *text && *text != ' '; text++) {
		int cell = (int)(strchr(digits, *text) - digits);
		pattern.cell[pattern.length++] = (uint8_t)(cell / cols * ROW_BYTES + cell % cols);
	}
	return pattern;
}

/* (r, c) goes to (rr r + rc c + r0, cr r + cc c + c0). */
struct motion {
	int rr, rc, cr, cc, r0, c0;
};

enum { MOTIONS = 8 * 13 * 13 };

/* The I-th of the motions that shift by -6..6. */
static struct motion motion_of(int i)
{
	int sign = i % 4, turn = i / 4 % 2, shift = i / 8;
	int a = sign & 1 ? -1 : 1, b = sign & 2 ? -1 : 1;
	struct motion m = {.r0 = shift / 13 - 6, .c0 = shift % 13 - 6};
	m.rr = turn ? 0 : a;
	m.rc = turn ? a : 0;
	m.cr = turn ? b : 0;
	m.cc = turn ? 0 : b;
	return m;
}

/* False if a cell leaves the board. */
static bool move_to(const struct game *game, struct motion m, const struct pattern *in,
		    struct pattern *out)
{
	*out = (struct pattern){.length = in->length};
	for (int j = 0; j < in->length; j++) {
		int r = in->cell[j] / ROW_BYTES, c = in->cell[j] % ROW_BYTES;
		int row = m.rr * r + m.rc * c + m.r0, col = m.cr * r + m.cc * c + m.c0;
		if (row < 0 || col < 0 || row >= game->rows || col >= game->cols)
			return false;
		out->cell[j] = (uint8_t)(row * ROW_BYTES + col);
	}
	return true;
}

static uint64_t bits_of(const struct pattern *pattern)
{
	uint64_t bits = 0;
	for (int j = 0; j < pattern->length; j++)
		bits |= UINT64_C(1) << pattern->cell[j];
	return bits;
}

/* Different sets of cells. */
struct cell_sets {
	int count;
	uint64_t bits[1024];
};

static void sets_add(struct cell_sets *sets, uint64_t bits)
{
	for (int k = 0; k < sets->count; k++)
		if (sets->bits[k] == bits)
			return;
	assert_true(sets->count < (int)LENGTH(sets->bits));
	sets->bits[sets->count++] = bits;
}

static bool sets_have(const struct cell_sets *sets, uint64_t bits)
{
	for (int k = 0; k < sets->count; k++)
		if (sets->bits[k] == bits)
			return true;
	return false;
}

/* Everything that the FORMS, written on 4x4, can be moved onto. */
static void forms_everywhere(const struct game *game, const char *forms, struct cell_sets *sets)
{
	for (const char *text = forms; *text; text += strcspn(text, " "), text += *text == ' ') {
		struct pattern form = written(text, 4), moved;
		for (int i = 0; i < MOTIONS; i++)
			if (move_to(game, motion_of(i), &form, &moved))
				sets_add(sets, bits_of(&moved));
	}
}

/* The motions that keep the board on itself: those under which both its corners stay on it. */
static int board_motions(const struct game *game, struct motion found[8])
{
	struct pattern moved, corners = {.length = 2};
	corners.cell[1] = (uint8_t)((game->rows - 1) * ROW_BYTES + game->cols - 1);
	int count = 0;
	for (int i = 0; i < MOTIONS; i++)
		if (move_to(game, motion_of(i), &corners, &moved)) {
			assert_true(count < 8);
			found[count++] = motion_of(i);
		}
	assert_int_equal(count, game->symmetries);
	return count;
}

static uint64_t bits_moved(const struct game *game, struct motion m, uint64_t bits)
{
	uint64_t moved = 0;
	for (int cell = 0; cell < 64; cell++) {
		struct pattern one = {.length = 1, .cell = {(uint8_t)cell}}, image;
		if (bits >> cell & 1) {
			assert_true(move_to(game, m, &one, &image));
			moved |= bits_of(&image);
		}
	}
	return moved;
}

/* How many there are if those that the board's motions take to one another count once. */
static int orbits(const struct game *game, const struct cell_sets *sets)
{
	struct motion motions[8];
	int n = board_motions(game, motions), count = 0;
	for (int k = 0; k < sets->count; k++) {
		struct cell_sets images = {0};
		for (int i = 0; i < n; i++)
			sets_add(&images, bits_moved(game, motions[i], sets->bits[k]));
		bool first = true;
		for (int other = 0; other < k; other++)
			first = first && !sets_have(&images, sets->bits[other]);
		count += first;
	}
	return count;
}

static void add_rectangle(struct cell_sets *sets, int r, int c, int rows, int cols)
{
	uint64_t bits = 0;
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < cols; j++)
			bits |= UINT64_C(1) << ((r + i) * ROW_BYTES + c + j);
	sets_add(sets, bits);
}

static void lines_everywhere(const struct game *game, struct cell_sets *sets)
{
	for (int r = 0; r < game->rows; r++)
		add_rectangle(sets, r, 0, 1, game->cols);
	for (int c = 0; c < game->cols; c++)
		add_rectangle(sets, 0, c, game->rows, 1);
}

/* The snake walked step by step: along the row, and down at its ends. */
static void snakes_everywhere(const struct game *game, int cells, struct cell_sets *sets)
{
	int walk[CELLS_MAX], r = 0, c = 0, step = 1;
	for (int n = 0; n < game->cells; n++) {
		walk[n] = r * ROW_BYTES + c;
		if (c + step < 0 || c + step >= game->cols) {
			r++;
			step = -step;
		} else {
			c += step;
		}
	}
	for (int n = 0; n + cells <= game->cells; n++) {
		uint64_t bits = 0;
		for (int j = 0; j < cells; j++)
			bits |= UINT64_C(1) << walk[n + j];
		sets_add(sets, bits);
	}
}

#define GROUP0 "012345 456789 012456 45689a"
#define GROUP1 "156 0125 01259 04589a"
#define GROUP2 "01259 6abde 12569 0125"
#define EIGHT "012456 456789 012345 234569 01259a 345678 134567 01489a"

/* The forms of a set on 4x4; "" for those that are not made of forms in all places. */
static const struct {
	const char *name, *forms;
} sets[] = {
    {"lines", ""},
    {"snakes=6", ""},
    {"snakes=1", ""},
    {"snakes=8", ""},
    {"rectangles=2x3", "012456"},
    {"rectangles=3x2", "012456"},
    {"group0", GROUP0},
    {"rectangles=2x2", "0145"},
    {"rectangles=1x3", "012"},
    {"group1", GROUP1},
    {"rectangles=1x1", "0"},
    {"rectangles=4x2", "01234567"},
    {"group2", GROUP2},
    {"4x6", GROUP0},
    {"8x6", EIGHT},
};

static void set_everywhere(const struct game *game, size_t set, struct cell_sets *everywhere)
{
	*everywhere = (struct cell_sets){0};
	if (strcmp(sets[set].name, "lines") == 0)
		lines_everywhere(game, everywhere);
	else if (strncmp(sets[set].name, "snakes=", 7) == 0)
		snakes_everywhere(game, atoi(sets[set].name + 7), everywhere);
	else
		forms_everywhere(game, sets[set].forms, everywhere);
}

/* What the list must be: all of EVERYWHERE, or with sharing one of each orbit. */
static void check_list(const struct game *game, const char *name, bool sharing,
		       const struct cell_sets *everywhere)
{
	struct patterns list;
	struct cell_sets there = {0};
	read_list(name, game, sharing, &list);
	for (int k = 0; k < list.count; k++) {
		uint64_t bits = bits_of(&list.pattern[k]);
		assert_int_equal(__builtin_popcountll(bits), list.pattern[k].length);
		assert_true(sets_have(everywhere, bits));
		sets_add(&there, bits);
	}
	assert_int_equal(there.count, list.count);
	if (sharing)
		assert_int_equal(orbits(game, &there), list.count);
	int expected = sharing ? orbits(game, everywhere) : everywhere->count;
	if (list.count != expected)
		fail_msg("%s on %s: %d, expected %d", name, game->name, list.count, expected);
}

static bool is_published(size_t set)
{
	return strchr(sets[set].forms, ' ') != NULL;
}

TEST(sets_have_every_place_or_one_an_orbit_on_every_shape)
{
	for (int shape = 0; shape < 25; shape++)
		for (size_t i = 0; i < LENGTH(sets); i++) {
			struct game game;
			struct cell_sets everywhere;
			shape_game(shape, &game);
			set_everywhere(&game, i, &everywhere);
			if (is_published(i) && strcmp(game.name, "4x4") == 0)
				continue;
			for (int sharing = 0; sharing < 2; sharing++) {
				int all = sharing ? orbits(&game, &everywhere) : everywhere.count;
				struct patterns list;
				struct why why = {""};
				if (all > 0 && all <= PATTERNS_MAX) {
					check_list(&game, sets[i].name, sharing, &everywhere);
					continue;
				}
				assert_int_equal(patterns_read(sets[i].name, &game,
							       (enum network_share)sharing, &list,
							       &why),
						 STATUS_INPUT);
				assert_non_null(strstr(why.text, all ? "at most 128" : "no room"));
			}
		}
}

/*
 * Counted by another program, which turns forms as complex numbers and takes the least image of
 * each. A set of more than PATTERNS_MAX is refused. On 4x4 the published sets are as printed.
 */
static const struct {
	const char *shape, *set;
	int all, sharing;
} tuple_counts[] = {
    {"3x4", "lines", 7, 4},	 {"3x4", "rectangles=2x2", 6, 2},  {"3x4", "rectangles=2x3", 7, 3},
    {"3x4", "snakes=6", 7, 4},	 {"3x4", "group0", 15, 5},	   {"3x4", "4x6", 15, 5},
    {"3x4", "group1", 54, 16},	 {"3x4", "group2", 66, 19},	   {"3x4", "8x6", 61, 17},
    {"4x4", "lines", 8, 2},	 {"4x4", "rectangles=2x2", 9, 3},  {"4x4", "rectangles=2x3", 12, 2},
    {"4x4", "snakes=6", 11, 6},	 {"4x4", "group0", 4, 4},	   {"4x4", "4x6", 4, 4},
    {"4x4", "group1", 4, 4},	 {"4x4", "group2", 4, 4},	   {"4x4", "8x6", 8, 8},
    {"4x5", "lines", 9, 5},	 {"4x5", "rectangles=2x2", 12, 4}, {"4x5", "rectangles=2x3", 17, 6},
    {"4x5", "snakes=6", 15, 8},	 {"4x5", "group0", 57, 16},	   {"4x5", "4x6", 57, 16},
    {"4x5", "group1", 130, 35},	 {"4x5", "group2", 174, 46},	   {"4x5", "8x6", 235, 61},
    {"5x5", "lines", 10, 3},	 {"5x5", "rectangles=2x2", 16, 3}, {"5x5", "rectangles=2x3", 24, 4},
    {"5x5", "snakes=6", 20, 10}, {"5x5", "group0", 88, 12},	   {"5x5", "4x6", 88, 12},
    {"5x5", "group1", 184, 30},	 {"5x5", "group2", 252, 35},	   {"5x5", "8x6", 368, 47},
    {"6x6", "lines", 12, 3},	 {"6x6", "rectangles=2x2", 25, 6}, {"6x6", "rectangles=2x3", 40, 6},
    {"6x6", "snakes=6", 31, 16}, {"6x6", "group0", 160, 21},	   {"6x6", "4x6", 160, 21},
    {"6x6", "group1", 308, 43},	 {"6x6", "group2", 432, 54},	   {"6x6", "8x6", 680, 86},
};

TEST(the_usual_boards_have_this_many_tuples)
{
	for (size_t i = 0; i < LENGTH(tuple_counts); i++) {
		struct game game;
		struct patterns list;
		game_of(tuple_counts[i].shape, &game);
		read_list(tuple_counts[i].set, &game, true, &list);
		assert_int_equal(list.count, tuple_counts[i].sharing);
		if (tuple_counts[i].all > PATTERNS_MAX) {
			assert_int_equal(
			    patterns_read(tuple_counts[i].set, &game, false, &list, NULL),
			    STATUS_INPUT);
			continue;
		}
		read_list(tuple_counts[i].set, &game, false, &list);
		assert_int_equal(list.count, tuple_counts[i].all);
	}
}

/* The COUNT tuples of EXPECTED, separated by blanks, and no other. */
static void check_written(const struct game *game, const struct patterns *list,
			  const char *expected)
{
	int count = 0;
	for (; *expected; expected += strcspn(expected, " "), expected += *expected == ' ') {
		struct pattern pattern = written(expected, game->cols);
		assert_true(count < list->count);
		assert_memory_equal(&list->pattern[count++], &pattern, sizeof pattern);
	}
	assert_int_equal(count, list->count);
}

TEST(what_is_written_is_kept_as_it_is)
{
	static const struct {
		const char *shape, *text, *expected;
	} rows[] = {
	    {"4x4", "group0", GROUP0},
	    {"4x4", "group1", GROUP1},
	    {"4x4", "group2", GROUP2},
	    {"4x4", "4x6", GROUP0},
	    {"4x4", "8x6", EIGHT},
	    {"4x4", "012345,456789", "012345 456789"},
	    {"4x4", "012345+456789,f", "012345 456789 f"},
	    {"4x4", "0123,3210,cdef,048c", "0123 3210 cdef 048c"},
	    {"2x3", "52,41+30", "52 41 30"},
	    {"6x6", "z0ylrst", "z0ylrst"},
	    {"6x6", "senil", "senil"},
	    {"4x4", "group2+fedcba98", GROUP2 " fedcba98"},
	    {"3x3", "12+snakes=8", "12 01254367 12543678"},
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct game game;
		struct patterns list;
		game_of(rows[i].shape, &game);
		read_list(rows[i].text, &game, false, &list);
		check_written(&game, &list, rows[i].expected);
	}
}

/* By hand. */
TEST(sets_leave_out_what_is_there_already)
{
	static const struct {
		const char *shape, *text;
		bool sharing;
		const char *expected;
	} rows[] = {
	    {"2x3", "lines", false, "012 345 03 14 25"},
	    {"2x3", "lines", true, "012 03 14"},
	    {"2x2", "lines", true, "01"},
	    {"2x3", "210+lines", false, "210 345 03 14 25"},
	    {"2x3", "543+lines", true, "543 03 14"},
	    {"2x3", "lines,rectangles=2x1", true, "012 03 14 01"},
	    {"2x3", "rectangles=1x2", true, "01 03 14"},
	    {"2x2", "012+rectangles=1x2+snakes=3", false, "012 01 23 02 13 013 132"},
	    {"2x2", "rectangles=1x2+snakes=3", true, "01 013"},
	    {"2x3", "group0", true, "012345"},
	    {"2x2", "group1", false, "023 132 201 310"},
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct game game;
		struct patterns list;
		game_of(rows[i].shape, &game);
		read_list(rows[i].text, &game, rows[i].sharing, &list);
		check_written(&game, &list, rows[i].expected);
	}
}

/* A form's cells keep their order, wherever it goes. */
TEST(forms_are_moved_cell_by_cell)
{
	static const char *const shapes[] = {"3x3", "5x5", "4x5", "5x4", "6x6", "2x6"};
	for (size_t s = 0; s < LENGTH(shapes); s++) {
		struct game game;
		struct patterns list;
		game_of(shapes[s], &game);
		read_list("8x6", &game, true, &list);
		for (int k = 0; k < list.count; k++) {
			int found = 0;
			const char *text = EIGHT;
			for (; *text; text += strcspn(text, " "), text += *text == ' ') {
				struct pattern form = written(text, 4), moved;
				for (int i = 0; i < MOTIONS; i++)
					found +=
					    move_to(&game, motion_of(i), &form, &moved) &&
					    memcmp(&moved, &list.pattern[k], sizeof moved) == 0;
			}
			assert_true(found > 0);
		}
	}
}

/* Each mistake with words that its message must contain. */
TEST(mistakes_are_named_and_change_nothing)
{
	static const struct {
		const char *shape, *text, *expected;
	} rows[] = {
	    {"4x4", "", "expected cells or one of lines, rectangles=RxC"},
	    {"4x4", "0123,", "tuples '' on 4x4"},
	    {"4x4", "0123,+lines", "tuples '' on 4x4"},
	    {"4x4", "012g", "tuples '012g' on 4x4: no cell 'g'"},
	    {"4x4", "012A", "no cell 'A'"},
	    {"4x4", "01 2", "no cell ' '"},
	    {"2x3", "016", "no cell '6'"},
	    {"4x4", "0120", "cell 0 twice"},
	    {"6x6", "zaz", "cell z twice"},
	    {"4x4", "012345678", "9 cells, expected at most 8"},
	    {"4x4", "linse", "did you mean lines?"},
	    {"6x6", "line", "did you mean lines?"},
	    {"4x4", "group3", "did you mean group0?"},
	    {"6x6", "grup1", "did you mean group1?"},
	    {"4x4", "8x7", "did you mean 8x6?"},
	    {"6x6", "rectangles", "did you mean rectangles=RxC?"},
	    {"6x6", "snake=6", "did you mean snakes=N?"},
	    {"4x4", "lines=4", "did you mean lines?"},
	    {"6x6", "a=4", "no such set"},
	    {"4x4", "everything", "expected cells or one of lines"},
	    {"4x4", "rectangles=3x3", "at most 8 cells"},
	    {"4x4", "rectangles=0x3", "at most 8 cells"},
	    {"4x4", "rectangles=2", "such as rectangles=2x3"},
	    {"4x4", "rectangles=2x33", "such as rectangles=2x3"},
	    {"4x4", "rectangles=", "such as rectangles=2x3"},
	    {"4x4", "rectangles=?x?", "such as rectangles=2x3"},
	    {"4x4", "snakes=0", "N from 1 to 8"},
	    {"4x4", "snakes=9", "N from 1 to 8"},
	    {"4x4", "snakes=10", "N from 1 to 8"},
	    {"4x4", "snakes=", "N from 1 to 8"},
	    {"2x2", "rectangles=2x3", "no room for it, expected less, such as lines"},
	    {"4x4", "rectangles=1x5", "no room"},
	    {"2x2", "snakes=5", "no room"},
	    {"2x2", "4x6", "no room"},
	    {"4x4", "0123,4567+0123", "0123 is there already"},
	    {"4x4", "012345,group0", "tuples 'group0' on 4x4: 012345 is there already"},
	    {"4x4", "lines,lines", "all of it is there already"},
	    {"4x4", "rectangles=4x1,lines", "all of it is there already"},
	    {"6x6", "8x6", "at most 128 tuples"},
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct game game;
		struct patterns list = {.count = -7};
		struct why why = {""};
		game_of(rows[i].shape, &game);
		if (patterns_read(rows[i].text, &game, false, &list, &why) != STATUS_INPUT)
			fail_msg("'%s' was accepted", rows[i].text);
		if (!strstr(why.text, rows[i].expected))
			fail_msg("'%s': %s", rows[i].text, why.text);
		assert_int_equal(list.count, -7);
		assert_int_equal(patterns_read(rows[i].text, &game, false, &list, NULL),
				 STATUS_INPUT);
	}
}

TESTS(NULL, NULL)
