/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * N-tuple networks against their definition: what features show, sums of weights, large
 * tiles. Nothing here knows where in its table a weight is, only that contents have places of their
 * own.
 */
#include "agents/ntuple/network.c"
#include "agents/ntuple/td.c"
#include "base/virtual_memory.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>
#include <unistd.h>

static void patterns_of(const char *text, const struct game *game, enum network_share share,
			struct patterns *patterns)
{
	struct why why;
	if (patterns_read(text, game, share, patterns, &why))
		fail_msg("%s", why.text);
}

/* What cell J of a tuple shows, when exponents from LEVELS on count as the one below. */
static unsigned digit(const struct board *board, const struct pattern *pattern, int j, int levels)
{
	const int k = board->cell[pattern->cell[j] / ROW_BYTES][pattern->cell[j] % ROW_BYTES];
	return (unsigned)(k < levels ? k : levels - 1);
}

/* The tuple of feature F and what it shows, as one number; different ones are different. */
static uint64_t contents(const struct game *game, const struct patterns *patterns, int symmetries,
			 int levels, const struct board *board, int f)
{
	const struct pattern *pattern = &patterns->pattern[f / symmetries];
	uint64_t all = (uint64_t)(f / symmetries);
	struct board image;
	board_symmetry(game, f % symmetries, board, &image);
	for (int j = 0; j < PATTERN_CELLS; j++)
		all = all * 64 + (j < pattern->length ? digit(&image, pattern, j, levels) : 0);
	return all;
}

/* Which contents were seen at an index, and the other way round. */
enum { SEEN_SLOTS = 1 << 17 };

struct seen {
	uint32_t round[SEEN_SLOTS];
	uint64_t key[SEEN_SLOTS], value[SEEN_SLOTS];
};

static struct seen *seen_new(void)
{
	struct seen *seen = calloc(1, sizeof *seen);
	assert_non_null(seen);
	return seen;
}

/* Whether KEY was seen with no other value in this ROUND. */
static bool seen_only_with(struct seen *seen, uint32_t round, uint64_t key, uint64_t value)
{
	uint64_t at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 47;
	while (seen->round[at] == round && seen->key[at] != key)
		at = (at + 1) % SEEN_SLOTS;
	if (seen->round[at] == round)
		return seen->value[at] == value;
	seen->round[at] = round;
	seen->key[at] = key;
	seen->value[at] = value;
	return true;
}

static const char *const sets[] = {
    "lines",	"0,31,120,3021", "rectangles=2x2", "rectangles=2x3",
    "snakes=5", "snakes=7",	 "snakes=8",	   "8x6",
};
enum { SETS = sizeof sets / sizeof sets[0], BOARDS = 36 };

/* Makes the indexer of a case, false where there is none: the shape is too small for the tuples, or
 * there are too many features or weights. */
static bool indexer_of(const struct game *game, const char *set, enum network_share share,
		       int levels, struct patterns *patterns, struct indexer *indexer,
		       uint64_t *size)
{
	struct why why;
	uint64_t first[PATTERNS_MAX];
	if (patterns_read(set, game, share, patterns, &why))
		return false;
	*size = indexer_init(indexer, game, patterns, share, levels, 1, first);
	return *size <= UINT32_MAX && indexer->features <= FEATURES_MAX;
}

/* index[i * stride + f]: feature f of boards[i], i < n. */
static void indices_of(const struct indexer *indexer, const struct board *boards, size_t n,
		       uint32_t *index)
{
	for (size_t i = 0; i < n; i++)
		indexer->kernel.run(indexer, &boards[i], index + i * (size_t)indexer->stride);
}

/* That INDEX are the places of the wide indices of a board. */
static void expect_wide(const struct indexer *indexer, const struct board *board,
			const uint32_t *index)
{
	uint64_t wide[FEATURES_MAX];
	indexer->kernel.run_wide(indexer, board, wide);
	for (int f = 0; f < indexer->stride; f++)
		assert_true(index_place(indexer, wide[f]) == index[f]);
}

static void random_boards(const struct game *game, struct rng *rng, struct board boards[BOARDS])
{
	for (int i = 0; i < BOARDS; i++)
		random_board(game, i % RANDOM_KINDS, rng, &boards[i]);
}

/* A case, in which contents and indices must belong together one to one. */
static void expect_places(const struct game *game, const struct patterns *patterns, int symmetries,
			  const struct indexer *indexer, uint64_t size, struct seen *seen[2],
			  uint32_t round)
{
	struct board boards[BOARDS];
	struct rng rng;
	uint32_t *index = calloc((size_t)BOARDS * (size_t)indexer->stride, sizeof *index);
	assert_non_null(index);
	rng_init(&rng, 1, RNG_TEST, round);
	random_boards(game, &rng, boards);
	indices_of(indexer, boards, BOARDS, index);
	for (int i = 0; i < BOARDS; i++)
		expect_wide(indexer, &boards[i], index + i * indexer->stride);
	for (int i = 0; i < BOARDS; i++)
		for (int f = 0; f < indexer->features; f++) {
			const uint64_t at = index[i * indexer->stride + f],
				       shown = contents(game, patterns, symmetries, indexer->levels,
							&boards[i], f);
			if (index_place(indexer, at) >= size ||
			    !seen_only_with(seen[0], round, at, shown) ||
			    !seen_only_with(seen[1], round, shown, at))
				fail_msg("%s, %d levels, feature %d, board %d: index %llu",
					 game->name, indexer->levels, f, i, (unsigned long long)at);
		}
	free(index);
}

TEST(every_shape_has_a_weight_for_what_a_tuple_shows_and_no_other)
{
	static const int levels[] = {2, 5, 0, 38, INDEXER_LEVELS};
	struct seen *seen[2] = {seen_new(), seen_new()};
	uint32_t round = 0;
	for (int s = 0; s < 25; s++)
		for (int k = 0; k < SETS; k++)
			for (int l = 0; l < 10; l++) {
				struct game game;
				struct patterns patterns;
				static struct indexer indexer;
				uint64_t size;
				shape_game(s, &game);
				const int symmetries = l % 2 ? game.symmetries : 1;
				const int n = levels[l / 2] ? levels[l / 2]
							    : network_levels(&game, SHARE_ORBIT);
				const enum network_share share = l % 2 ? SHARE_ORBIT : SHARE_NONE;
				if (indexer_of(&game, sets[k], share, n, &patterns, &indexer,
					       &size))
					expect_places(&game, &patterns, symmetries, &indexer, size,
						      seen, ++round);
			}
	assert_true(round > 1000);
	free(seen[0]);
	free(seen[1]);
}

/* The indices of a case from the kernels of ISA. */
static bool isa_indices(enum isa isa, int shape, const char *set, enum network_share share,
			int levels, size_t n, uint32_t *index, size_t room)
{
	struct game game;
	struct patterns patterns;
	static struct indexer indexer;
	struct board boards[BOARDS];
	struct rng rng;
	uint64_t size;
	assert_true(isa_ask(isa));
	shape_game(shape, &game);
	if (!indexer_of(&game, set, share, levels, &patterns, &indexer, &size))
		return false;
	assert_true(n * (size_t)indexer.stride <= room);
	rng_init(&rng, 2, RNG_TEST, (uint64_t)shape);
	random_boards(&game, &rng, boards);
	indices_of(&indexer, boards, n, index);
	for (size_t i = 0; share != SHARE_ALL && i < n; i++)
		expect_wide(&indexer, &boards[i], index + i * (size_t)indexer.stride);
	return true;
}

TEST(every_instruction_set_gives_the_same_indices)
{
	enum { ROOM = BOARDS * FEATURES_MAX };
	static uint32_t want[ROOM], have[ROOM];
	static const size_t counts[] = {1, 2, 17, BOARDS};
	static const int levels[] = {2, 7, 18, 22, 38};
	for (enum isa isa = ISA_PORTABLE + 1; isa < ISAS; isa++) {
		if (!isa_available(isa))
			continue;
		for (int i = 0; i < 25 * SETS * 15; i++) {
			const int shape = i % 25, l = levels[i / 25 / SETS / 3];
			const char *set = sets[i / 25 % SETS];
			const enum network_share share = (enum network_share)(i / 25 / SETS % 3);
			const size_t n = counts[i % 4];
			memset(want, 0, sizeof want);
			memset(have, 0, sizeof have);
			if (isa_indices(ISA_PORTABLE, shape, set, share, l, n, want, ROOM) &&
			    isa_indices(isa, shape, set, share, l, n, have, ROOM) &&
			    memcmp(want, have, sizeof want) != 0)
				fail_msg("%s differs: shape %d, %s, %d levels", isa_name(isa),
					 shape, set, l);
		}
	}
	unsetenv("NXN_ISA");
}

static void network_of(const struct game *game, const struct network_plan *plan,
		       struct network *network)
{
	struct why why;
	if (network_init(network, game, plan, &why))
		fail_msg("%s", why.text);
}

/* A whole number for the weight of CONTENTS. */
static double weight_of(uint64_t shown)
{
	struct rng rng;
	rng_init(&rng, shown, RNG_TEST, 0);
	return (double)rng_below(&rng, 99) - 49;
}

/* V by the head comment of ntuple.h; sums of few whole numbers are exact in any order. */
static double value_naive(const struct network *network, const struct patterns *patterns,
			  const struct board *board)
{
	const struct network_plan *plan = &network->plan;
	const int images = plan->share == SHARE_NONE ? 1 : network->game->symmetries;
	double sum = plan->start;
	for (int f = 0; f < patterns->count * images; f++)
		sum += weight_of(contents(network->game, patterns, images, plan->levels, board, f));
	return sum;
}

static void tables_fill(const struct network *network, const struct patterns *patterns,
			const struct board *board)
{
	const struct network_plan *plan = &network->plan;
	const int images = plan->share == SHARE_NONE ? 1 : network->game->symmetries;
	uint32_t index[FEATURES_MAX];
	network_lookup(network, board, index);
	for (int f = 0; f < patterns->count * images; f++)
		network->weight[index[f]] = (float)weight_of(
		    contents(network->game, patterns, images, plan->levels, board, f));
}

static void expect_values(const struct game *game, const struct network_plan *plan)
{
	struct network network;
	struct patterns patterns;
	struct board boards[BOARDS];
	struct rng rng;
	double value[BOARDS + 1];
	rng_init(&rng, 4, RNG_TEST, 0);
	random_boards(game, &rng, boards);
	network_of(game, plan, &network);
	patterns_of(plan->tuples, game, plan->share, &patterns);
	for (int i = 0; i < BOARDS; i++)
		tables_fill(&network, &patterns, &boards[i]);
	for (size_t n = 0; n <= BOARDS; n += n < 18 ? 1 : 9) {
		value[n] = -1e9;
		network_eval(&network, boards, n, value);
		assert_true(value[n] == -1e9);
		for (size_t i = 0; i < n; i++)
			assert_true(value[i] == value_naive(&network, &patterns, &boards[i]));
	}
	network_fini(&network);
	network_fini(&network);
}

TEST(a_value_is_the_start_and_the_sum_of_the_weights)
{
	static const struct {
		const char *shape, *tuples;
	} cases[] = {
	    {"2x2", "0123"},
	    {"2x2", "lines"},
	    {"2x3", "012,345,14"},
	    {"3x4", "snakes=5"},
	    {"4x4", "4x6"},
	    {"4x4", "0,1,2"},
	    {"5x5", "snakes=6"},
	    {"6x4", "rectangles=2x3"},
	    {"6x6", "lines+rectangles=2x2"},
	};
	for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		game_of(cases[i / 2].shape, &game);
		expect_values(&game, &(struct network_plan){
					 .tuples = cases[i / 2].tuples,
					 .share = i & 1 ? SHARE_ORBIT : SHARE_NONE,
					 .levels = 6,
					 .start = 12.5,
				     });
	}
}

TEST(levels_are_enough_and_no_more_than_the_board_has)
{
	for (int i = 0; i < 25; i++) {
		struct game game;
		struct network network;
		shape_game(i, &game);
		assert_true(network_levels(&game, SHARE_NONE) <= game.max_exponent + 1);
		assert_true(network_levels(&game, SHARE_NONE) == game.max_exponent + 1 ||
			    game.cells > 8);
		network_of(&game, &(struct network_plan){.tuples = "01", .share = SHARE_NONE},
			   &network);
		assert_int_equal(network.plan.levels, network_levels(&game, SHARE_NONE));
		network_fini(&network);
	}
}

/* PLAN is refused with STATUS in one line that says so; what was to be made is untouched. */
static void expect_refused(const struct game *game, const struct network_plan *plan,
			   enum status status, const char *says)
{
	static struct network network, before;
	struct why why = {""};
	memset(&network, 0x5a, sizeof network);
	memcpy(&before, &network, sizeof network);
	assert_int_equal(network_init(&network, game, plan, &why), status);
	assert_memory_equal(&network, &before, sizeof network);
	assert_null(strchr(why.text, '\n'));
	assert_non_null(strstr(why.text, "expected"));
	if (!strstr(why.text, says))
		fail_msg("'%s' does not say '%s'", why.text, says);
}

TEST(plans_that_cannot_be_are_refused)
{
	struct game game;
	char many[512] = "";
	int count = 0;
	game_of("6x6", &game);
	struct network_plan plan = {.tuples = "0?", .share = SHARE_ORBIT};
	expect_refused(&game, &plan, STATUS_INPUT, "0?");
	for (int a = 0; count < 65; a++)
		for (int b = a + 1; b < 36 && count < 65; b++, count++)
			snprintf(many + strlen(many), sizeof many - strlen(many), "%s%c%c",
				 count ? "," : "", "0123456789abcdefghijklmnopqrstuvwxyz"[a],
				 "0123456789abcdefghijklmnopqrstuvwxyz"[b]);
	plan.tuples = many;
	expect_refused(&game, &plan, STATUS_INPUT, "520 features, expected 1 to 512");
	plan = (struct network_plan){.tuples = "01234567", .share = SHARE_NONE, .levels = 16};
	expect_refused(&game, &plan, STATUS_INPUT, "4.3 billion weights");
	plan.levels = 38;
	expect_refused(&game, &plan, STATUS_INPUT, "fewer levels (38)");
	plan = (struct network_plan){.tuples = "rectangles=1x7", .share = SHARE_ALL};
	expect_refused(&game, &plan, STATUS_INPUT, "no room for it");
	plan.tuples = "rectangles=1x4";
	game_of("3x3", &game);
	expect_refused(&game, &plan, STATUS_INPUT, "on 3x3 are 0 features");
}

/* 22^7 weights of 12 bytes are 27.9 GiB. */
TEST(a_network_larger_than_the_memory_is_refused_before_training)
{
	struct game game;
	const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
	const struct network_plan plan = {
	    .tuples = "0123456", .share = SHARE_ORBIT, .levels = 22, .coherence = true};
	if (memory > 27 * 0x1p30) {
		print_message("# this machine has the memory for it\n");
		return;
	}
	game_of("6x6", &game);
	expect_refused(&game, &plan, STATUS_SYSTEM, "may take 27.9 GiB");
}

/* Half of the machine's memory, of which one page or two are used. */
TEST(space_is_zero_and_there_to_the_end)
{
	const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t counts[] = {1, 7, (1 << 21) / 4, (1 << 21) / 4 + 1, memory / 8};
	struct why why;
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		void *space;
		assert_int_equal(virtual_memory_map(counts[i], 4, "it", &space, &why), STATUS_OK);
		float *x = space;
		assert_true(x[0] == 0 && x[counts[i] - 1] == 0);
		x[counts[i] - 1] = 1;
		virtual_memory_unmap(space, counts[i], 4);
	}
	void *untouched = &why;
	assert_int_equal(virtual_memory_map(UINT64_MAX, 8, "it", &untouched, &why), STATUS_SYSTEM);
	assert_int_equal(virtual_memory_map(memory / 4 + 1, 4, "it", &untouched, &why),
			 STATUS_SYSTEM);
	assert_ptr_equal(untouched, &why);
	assert_non_null(strstr(why.text, "it may take"));
	virtual_memory_unmap(NULL, 1, 1);
}

/* The network of the agent qlearn, with LEVELS exponents told apart; 0: all. */
static struct network_plan plan_on_demand(const struct game *game, int levels)
{
	return (struct network_plan){
	    .tuples = game->cells < 6 ? "lines" : "lines+rectangles=2x3",
	    .share = SHARE_NONE,
	    .levels = levels ? levels : game->max_exponent + 1,
	    .on_demand = true,
	    .visits = true,
	};
}

static void network_on_demand(const char *shape, int levels, struct game *game,
			      struct network *network)
{
	game_of(shape, game);
	const struct network_plan plan = plan_on_demand(game, levels);
	network_of(game, &plan, network);
}

/* Writes NUMBER in base LEVELS into the cells of a tuple. */
static void tuple_fill(const struct pattern *pattern, int levels, int number, struct board *board)
{
	*board = (struct board){0};
	for (int j = 0; j < pattern->length; j++, number /= levels)
		*board_at(board, pattern->cell[j]) = (uint8_t)(number % levels);
}

/* Goes through all contents of tuple F, which must all have indices of their own. */
static void check_unique(struct network *network, int f)
{
	const struct pattern *pattern = &network->patterns.pattern[f];
	int contents = 1;
	for (int j = 0; j < pattern->length; j++)
		contents *= network->plan.levels;
	for (int n = 0; n < contents; n++) {
		struct board board;
		uint32_t index[FEATURES_MAX], again[FEATURES_MAX];
		tuple_fill(pattern, network->plan.levels, n, &board);
		network_lookup(network, &board, again);
		assert_true(again[f] < network->block || network->weight[again[f]] == 0);
		assert_true(network_grow(network, &board, index));
		network_lookup(network, &board, again);
		assert_int_equal(again[f], index[f]);
		assert_true(index[f] >= network->block);
		assert_true(network->weight[index[f]] == 0);
		network->weight[index[f]] = (float)(n + 1);
	}
	for (int n = 0; n < contents; n++) {
		struct board board;
		uint32_t index[FEATURES_MAX];
		tuple_fill(pattern, network->plan.levels, n, &board);
		network_lookup(network, &board, index);
		assert_true(network->weight[index[f]] == (float)(n + 1));
	}
}

TEST(no_two_contents_of_a_feature_share_a_weight_on_demand)
{
	static const struct {
		const char *shape;
		int levels;
	} cases[] = {{"2x2", 6},  {"2x3", 8}, {"3x5", 5}, {"4x4", 6},
		     {"5x2", 11}, {"6x6", 5}, {"4x4", 2}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct network network;
		network_on_demand(cases[i].shape, cases[i].levels, &game, &network);
		const int features = network.indexer.features;
		for (int f = 0; f<features; f += features> 24 ? 7 : 1)
			check_unique(&network, f);
		network_fini(&network);
	}
}

/*
 * 38^6 contents a tuple would not fit into 32 bits: more than 10^11 weights, 800 GB if they all
 * existed. The corners of the range do not collide, and nothing else is there.
 */
TEST(a_huge_network_holds_only_what_was_asked_for)
{
	struct game game;
	struct network network;
	uint32_t index[FEATURES_MAX];
	network_on_demand("6x6", 0, &game, &network);
	const int last = network.indexer.features - 1;
	assert_true(network.boxes * NETWORK_BOX > UINT64_C(52) * 38 * 38 * 38 * 38 * 38 * 38 - 1);
	for (int round = 0; round < 2; round++)
		for (int corner = 0; corner < 64; corner++) {
			struct board board = {0};
			for (int j = 0; j < 6; j++)
				if (corner >> j & 1)
					*board_at(&board, network.patterns.pattern[last].cell[j]) =
					    (uint8_t)game.max_exponent;
			if (round == 0)
				assert_true(network_grow(&network, &board, index));
			else
				network_lookup(&network, &board, index);
			float *weight = &network.weight[index[last]];
			assert_true(*weight == (float)(round ? corner + 1 : 0));
			*weight = (float)(corner + 1);
		}
	assert_true(network.blocks <= 1 + 64 * 52);
	for (uint64_t b = 1; b < network.blocks; b++)
		assert_true(network.directory[network.box[b]] == b);
	struct board other = {0};
	for (int c = 0; c < 6; c++)
		other.cell[5][c] = other.cell[4][c] = (uint8_t)(c + 4);
	network_lookup(&network, &other, index);
	assert_true(network_sum_exact(&network, 7, index) == 7);
	network_fini(&network);
}

/* The rectangle in the corner of 4x4 has six cells, and so its box has all their low bits. */
TEST(a_box_holds_all_that_six_low_bits_tell_apart)
{
	struct game game;
	struct network network;
	struct board board = {0};
	uint32_t first[FEATURES_MAX], index[FEATURES_MAX];
	uint64_t seen = 0;
	enum { CORNER = 8 };
	network_on_demand("4x4", 0, &game, &network);
	assert_true(network_grow(&network, &board, first));
	for (int low = 0; low < 64; low++) {
		for (int j = 0; j < 6; j++)
			board.cell[j / 3][j % 3] = (uint8_t)(low >> j & 1);
		assert_true(network_grow(&network, &board, index));
		assert_int_equal(index[CORNER] / network.block, first[CORNER] / network.block);
		seen |= UINT64_C(1) << index[CORNER] % network.block;
	}
	assert_true(seen == UINT64_MAX);
	for (int j = 0; j < 6; j++) {
		struct board next = {0};
		next.cell[j / 3][j % 3] = 2;
		assert_true(network_grow(&network, &next, index));
		assert_true(index[CORNER] / network.block != first[CORNER] / network.block);
	}
	network_fini(&network);
}

/* What cannot be had any more is said, and block 0 stays what is not there. */
TEST(a_network_without_room_for_a_block_says_so)
{
	struct game game;
	struct network network;
	struct board board = {0};
	uint32_t index[FEATURES_MAX];
	network_on_demand("4x4", 0, &game, &network);
	const uint64_t capacity = network.capacity;
	network.capacity = 5;
	assert_false(network_grow(&network, &board, index));
	assert_true(network.blocks == 5);
	network.capacity = capacity;
	assert_true(network_grow(&network, &board, index));
	assert_true(network.blocks == 1 + 20);
	assert_false(network_box_add(&network, network.box[7]));
	network_fini(&network);
}

/* 29 tuples of 64^8 weights: directories of half a PiB. */
TEST(boxes_beyond_the_address_space_are_the_systems_no)
{
	struct game game;
	game_of("6x6", &game);
	struct network_plan plan = plan_on_demand(&game, INDEXER_LEVELS);
	plan.tuples = "snakes=8";
	expect_refused(&game, &plan, STATUS_SYSTEM, "address space");
}

TEST(tuples_of_one_form_have_one_table)
{
	static const struct {
		const char *shape, *tuples;
		int tables, places;
	} rows[] = {
	    {"4x4", "rectangles=2x2", 1, 9},
	    {"6x6", "rectangles=2x3", 1, 40},
	    {"4x4", "4x6", 2, 36},
	    {"5x5", "4x6", 2, 88},
	    {"6x6", "lines", 1, 12},
	    {"4x5", "lines", 2, 17},
	    {"2x6", "snakes=2", 1, 16},
	    {"3x3", "rectangles=2x2+rectangles=1x4", 2, 4},
	    {"4x4", "012,321,654,159,15,5", 3, 16 + 24 + 16},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct game game;
		struct network network;
		const struct network_plan plan = {
		    .tuples = rows[i].tuples, .share = SHARE_ALL, .levels = 4};
		game_of(rows[i].shape, &game);
		network_of(&game, &plan, &network);
		assert_int_equal(network.patterns.count, rows[i].tables);
		assert_int_equal(network.indexer.features, rows[i].places);
		network_fini(&network);
	}
}

/*
 * FORM turned a quarter or mirrored, from the corner again: rows become columns, or are reversed.
 */
static struct pattern form_moved(const struct pattern *form, bool turn)
{
	struct pattern moved = *form;
	int least[2] = {SIDE_MAX, SIDE_MAX};
	for (int j = 0; j < form->length; j++) {
		const int row = form->cell[j] / ROW_BYTES, col = form->cell[j] % ROW_BYTES,
			  place[2] = {turn ? col : row,
				      turn ? SIDE_MAX - 1 - row : SIDE_MAX - 1 - col};
		for (int k = 0; k < 2; k++)
			least[k] = place[k] < least[k] ? place[k] : least[k];
		moved.cell[j] = (uint8_t)(place[0] * ROW_BYTES + place[1]);
	}
	for (int j = 0; j < form->length; j++)
		moved.cell[j] = (uint8_t)(moved.cell[j] - least[0] * ROW_BYTES - least[1]);
	return moved;
}

/* What a place shows in its least order. */
struct place_shown {
	uint64_t cells; /* bit r * ROW_BYTES + c */
	uint64_t least; /* digits of six bits, those of the first cell highest */
};

/*
 * All places of FORM, in any of its eight orientations, on a BOARD of GAME's shape, by trying them
 * all; returns their number.
 */
static int places_show(const struct game *game, const struct pattern *form,
		       const struct board *board, int levels,
		       struct place_shown shown[FEATURES_MAX])
{
	struct pattern turned = *form;
	int count = 0;
	for (int i = 0; i < 8; i++) {
		turned = form_moved(&turned, i != 4);
		for (int at = 0; at < SIDE_MAX * ROW_BYTES; at++) {
			struct place_shown here = {0};
			bool fits = true;
			for (int j = 0; j < turned.length; j++) {
				const int cell = turned.cell[j] + at, row = cell / ROW_BYTES,
					  col = cell % ROW_BYTES;
				fits = fits && row < game->rows && col < game->cols &&
				       turned.cell[j] % ROW_BYTES + at % ROW_BYTES == col;
				if (!fits)
					break;
				const int k = board->cell[row][col];
				here.cells |= UINT64_C(1) << cell;
				here.least =
				    here.least * 64 + (uint64_t)(k < levels ? k : levels - 1);
			}
			int known = 0;
			while (known < count && shown[known].cells != here.cells)
				known++;
			if (fits && known == count)
				shown[count++] = here;
			else if (fits && here.least < shown[known].least)
				shown[known].least = here.least;
		}
	}
	return count;
}

/* The index in a table as the head comment of indexer.h says. */
static uint64_t index_by_the_book(uint64_t shown, int length, int levels)
{
	const uint64_t half = ((uint64_t)levels + 1) / 2;
	uint64_t box = 0, low = 0;
	for (int j = length - 1; j >= 0; j--) {
		const uint64_t digit = shown >> 6 * j & 63;
		box = box * half + digit / 2;
		low = low * 2 + digit % 2;
	}
	return (box << length) + low;
}

enum { FORM_LEVELS = 7 };

/*
 * A network of three forms, and what it is worth on BOARD if its weights are weight_of() what is
 * shown.
 */
static double shared_value(const struct network *network, const struct board *board, bool fill)
{
	double sum = network->plan.start;
	for (int p = 0; p < network->patterns.count; p++) {
		static struct place_shown shown[FEATURES_MAX];
		const struct pattern *form = &network->patterns.pattern[p];
		const int levels = network->plan.levels,
			  count = places_show(network->game, form, board, levels, shown);
		for (int f = 0; f < count; f++) {
			const uint64_t key = shown[f].least * 8 + (uint64_t)form->length;
			const double weight = weight_of(key);
			sum += weight;
			const uint64_t index =
			    network->first[p] +
			    index_by_the_book(shown[f].least, form->length, levels);
			if (fill)
				network->weight[index_place(&network->indexer, index)] =
				    (float)weight;
		}
	}
	return sum;
}

static void shared_network(const char *shape, const char *tuples, struct game *game,
			   struct network *network)
{
	const struct network_plan plan = {
	    .tuples = tuples, .share = SHARE_ALL, .levels = FORM_LEVELS, .start = 7};
	game_of(shape, game);
	network_of(game, &plan, network);
}

TEST(every_place_of_a_form_shows_its_least_order)
{
	static const char *const shapes[] = {"3x3", "4x4", "3x5", "6x4", "5x5", "6x6"},
				 *const tuples[] = {"rectangles=2x2,rectangles=1x3", "lines",
						    "rectangles=2x3", "0125,13,snakes=5", "4x6"};
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0] * 5; i++) {
		struct game game;
		struct network network;
		struct board boards[BOARDS];
		struct rng rng;
		double value[BOARDS];
		shared_network(shapes[i / 5], tuples[i % 5], &game, &network);
		rng_init(&rng, 11, RNG_TEST, i);
		random_boards(&game, &rng, boards);
		for (int b = 0; b < BOARDS; b++)
			shared_value(&network, &boards[b], true);
		network_eval(&network, boards, BOARDS, value);
		for (int b = 0; b < BOARDS; b++)
			assert_true(value[b] == shared_value(&network, &boards[b], false));
		network_fini(&network);
	}
}

TEST(weights_of_forms_move_between_boards)
{
	static const char *const shapes[] = {"4x5", "3x6", "6x6", "3x3"};
	struct network from;
	struct game large;
	struct why why;
	shared_network("6x6", "rectangles=2x2,rectangles=1x3", &large, &from);
	for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
		struct game game;
		struct network to;
		struct board boards[BOARDS];
		struct rng rng;
		double value[BOARDS];
		shared_network(shapes[k], "rectangles=1x2,rectangles=1x3,rectangles=2x2", &game,
			       &to);
		rng_init(&rng, 12, RNG_TEST, k);
		random_boards(&game, &rng, boards);
		for (int b = 0; b < BOARDS; b++)
			shared_value(&from, &boards[b], true);
		assert_int_equal(network_inherit(&to, &from, &why), STATUS_OK);
		network_eval(&to, boards, BOARDS, value);
		/* The form that is new is worth nothing yet. */
		assert_int_equal(to.patterns.pattern[0].length, 2);
		to.patterns.count--;
		memmove(to.patterns.pattern, to.patterns.pattern + 1,
			(size_t)to.patterns.count * sizeof *to.patterns.pattern);
		for (int b = 0; b < BOARDS; b++)
			assert_true(value[b] == shared_value(&to, &boards[b], false));
		network_fini(&to);
	}
	network_fini(&from);
}

static void expect_inherits_not(const char *shape, const struct network_plan *to,
				const char *other_shape, const struct network_plan *from,
				const char *words)
{
	struct game game, other;
	struct network mine, theirs;
	struct why why = {""};
	game_of(shape, &game);
	game_of(other_shape, &other);
	network_of(&game, to, &mine);
	network_of(&other, from, &theirs);
	assert_int_equal(network_inherit(&mine, &theirs, &why), STATUS_INPUT);
	if (!strstr(why.text, words))
		fail_msg("%s: no '%s'", why.text, words);
	network_fini(&mine);
	network_fini(&theirs);
}

TEST(weights_without_a_place_are_refused)
{
	const struct network_plan squares = {.tuples = "rectangles=2x2", .share = SHARE_ALL},
				  both = {.tuples = "rectangles=2x2,lines", .share = SHARE_ALL},
				  orbits = {.tuples = "rectangles=2x2", .share = SHARE_ORBIT},
				  few = {
				      .tuples = "rectangles=2x2", .share = SHARE_ALL, .levels = 5};
	expect_inherits_not("3x3", &squares, "3x3", &both, "weights of a tuple of 3 cells that");
	expect_inherits_not("4x4", &both, "3x3", &both, "weights of a tuple of 3 cells that");
	expect_inherits_not("4x4", &squares, "3x3", &few, "levels=5, expected levels=22");
	expect_inherits_not("3x3", &squares, "3x3", &orbits, "the same share");
	expect_inherits_not("4x4", &orbits, "3x3", &orbits, "a model for board '3x3', expected");
}

TESTS(NULL, NULL)
