/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Playouts: against a reference that draws the same and moves by the oracle, and exact facts. */
#include "boards/simd/playout.h"
#include "boards/simd/kernel.h"
#include "boards/oracle.h"
#include "tests/exact_values.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>

enum { SEED = 64, GAMES_MAX = 500 };

/*
 * The reference takes the place of a kernel, which is not told the game, and keeps what the oracle
 * says that each lane has earned and made.
 */
static struct {
	const struct game *game;
	uint64_t points[PLAYOUT_LANES], moves[PLAYOUT_LANES];
} reference;

/* xoshiro256+, in the words of its authors' paper. */
static uint64_t reference_next(struct playout_block *block, int stream)
{
	uint64_t s[4];
	for (int i = 0; i < 4; i++)
		s[i] = block->random[i][stream];
	const uint64_t result = s[0] + s[3], t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = (s[3] << 45) | (s[3] >> (64 - 45));
	for (int i = 0; i < 4; i++)
		block->random[i][stream] = s[i];
	return result;
}

static void all_next(struct playout_block *block, uint64_t word[PLAYOUT_STREAMS])
{
	for (int stream = 0; stream < PLAYOUT_STREAMS; stream++)
		word[stream] = reference_next(block, stream);
}

/* The 16 bits of LANE: among 16 lanes, the first eight have theirs in LOW, the others in HIGH. */
static unsigned lane_bits(const uint64_t *low, const uint64_t *high, int lane)
{
	const uint64_t *word = lane % 16 < 8 ? low : high;
	return word[lane / 16 * 2 + lane % 8 / 4] >> lane % 4 * 16 & 0xffff;
}

static void lane_read(const struct playout_block *block, int lane, struct board *board)
{
	const struct game *game = reference.game;
	*board = (struct board){0};
	for (int i = 0; i < game->cells; i++)
		if (block->cell[i][lane] != PLAYOUT_EMPTY)
			board->cell[i / game->cols][i % game->cols] = block->cell[i][lane];
}

static void lane_write(struct playout_block *block, int lane, const struct board *board)
{
	const struct game *game = reference.game;
	for (int i = 0; i < game->cells; i++) {
		uint8_t k = board->cell[i / game->cols][i % game->cols];
		block->cell[i][lane] = k ? k : PLAYOUT_EMPTY;
	}
}

/* The share of N that 16 random bits give: 0 .. N-1. */
static int share(unsigned bits, int n)
{
	return (int)(bits * (unsigned)n / 65536);
}

static void lane_spawn(struct playout_block *block, const struct playout_odds *odds, int lane,
		       struct board *board, unsigned cell_bits, unsigned kind_bits)
{
	const struct game *game = reference.game;
	int which = share(cell_bits, board_empty(game, board)), kind = 0;
	while (kind + 1 < odds->kinds && (int16_t)kind_bits > odds->above[kind + 1])
		block->count[++kind][lane]++;
	for (int r = 0; r < game->rows; r++)
		for (int c = game->cols - 1; c >= 0; c--)
			if (board->cell[r][c] == 0 && which-- == 0)
				board->cell[r][c] = odds->exponent[kind];
}

/* One try to move in LANE: two bits to turn, 16 for the cell and 16 for the kind. */
static void lane_step(struct playout_block *block, const struct playout_odds *odds, int lane,
		      unsigned turn, unsigned cell_bits, unsigned kind_bits)
{
	const struct game *game = reference.game;
	const bool square = game->rows == game->cols;
	int d = LEFT;
	struct board board, image;
	struct moves moves;
	lane_read(block, lane, &board);
	board_symmetry(game, turn & 2 ? (square ? 4 : 3) : 0, &board, &image);
	if (square)
		board_symmetry(game, turn & 1 ? 7 : 0, &image, &board);
	else
		board = image, d = turn & 1 ? UP : LEFT;
	oracle_moves(game, &board, &moves);
	board = moves.after[d];
	if (moves.legal >> d & 1) {
		reference.points[lane] += moves.reward[d];
		reference.moves[lane]++;
		block->count[0][lane]++;
		lane_spawn(block, odds, lane, &board, cell_bits, kind_bits);
	}
	lane_write(block, lane, &board);
}

static uint64_t reference_run(struct playout_block *block, const struct playout_odds *odds,
			      int steps)
{
	uint64_t turns[PLAYOUT_STREAMS], word[4][PLAYOUT_STREAMS], over = 0;
	for (int step = 0; step < steps; step++) {
		if (step % 4 == 0)
			all_next(block, turns);
		for (int i = 0; i < 4; i++)
			all_next(block, word[i]);
		for (int lane = 0; lane < PLAYOUT_LANES; lane++) {
			unsigned turn = (unsigned)(turns[lane / 8] >> lane % 8 * 8) & 0xff;
			lane_step(block, odds, lane, turn >> (6 - 2 * (step % 4)) & 3,
				  lane_bits(word[0], word[1], lane),
				  lane_bits(word[2], word[3], lane));
		}
	}
	for (int lane = 0; lane < PLAYOUT_LANES; lane++) {
		struct board board;
		struct moves moves;
		lane_read(block, lane, &board);
		oracle_moves(reference.game, &board, &moves);
		if (board_max(&board) && !moves.legal)
			over |= (uint64_t)1 << lane;
	}
	return over;
}

struct games {
	struct board start[GAMES_MAX], last[GAMES_MAX];
	struct playout result[GAMES_MAX];
	size_t n;
};

static void games_play(const struct game *game, uint64_t index, struct games *games)
{
	playouts_run(game, games->start, games->n, SEED, index, games->result, games->last);
}

/* Positions of all kinds; on large boards most of them are full, so that games end soon. */
static void starts_make(const struct game *game, uint64_t stream, size_t n, struct games *games)
{
	static const int kinds[] = {FULL, TOP, SPARSE, FULL, CHAINS};
	struct rng rng;
	rng_init(&rng, SEED, RNG_TEST, stream);
	games->n = n;
	for (size_t i = 0; i < n; i++) {
		int kind = game->cells > 16 && i % 50 != 49 ? kinds[i % 2] : kinds[i % 5];
		random_board(game, kind, &rng, &games->start[i]);
		if (board_max(&games->start[i]) == 0) /* it would not take a lane */
			games->start[i].cell[0][0] = 1;
	}
}

static void reference_set(const struct game *game, struct game *naive)
{
	*naive = *game;
	naive->playout = reference_run;
	memset(&reference, 0, sizeof reference);
	reference.game = naive;
}

static void games_equal(const struct game *game, const struct games *a, const struct games *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->result[i].points != b->result[i].points ||
		    a->result[i].moves != b->result[i].moves ||
		    !board_equal(&a->last[i], &b->last[i]))
			fail_msg("game %zu of %zu on %s with %s differs from the reference", i,
				 a->n, game->name, isa_name(game->isa));
}

/* Plays N games by the reference and on every instruction set. */
static void games_check(const struct game_options *options, size_t n, uint64_t stream)
{
	static struct games naive_games, games;
	struct game game, naive;
	uint64_t points = 0, moves = 0, earned = 0, made = 0;
	game_make(options, &game);
	starts_make(&game, stream, n, &naive_games);
	reference_set(&game, &naive);
	games_play(&naive, stream, &naive_games);
	for (size_t i = 0; i < n; i++) {
		points += naive_games.result[i].points;
		moves += naive_games.result[i].moves;
		if (n <= PLAYOUT_LANES) {
			assert_int_equal(naive_games.result[i].points, reference.points[i]);
			assert_int_equal(naive_games.result[i].moves, reference.moves[i]);
		}
	}
	for (int lane = 0; lane < PLAYOUT_LANES; lane++) {
		earned += reference.points[lane];
		made += reference.moves[lane];
	}
	assert_int_equal(points, earned);
	assert_int_equal(moves, made);
	games = naive_games;
	for (int isa = 0; isa < ISAS; isa++)
		if (isa_ask((enum isa)isa)) {
			game_make(options, &game);
			memset(games.last, 0xff, sizeof games.last);
			memset(games.result, 0xff, sizeof games.result);
			games_play(&game, stream, &games);
			games_equal(&game, &naive_games, &games);
		}
	unsetenv("NXN_ISA");
}

TEST(games_of_every_shape_and_isa_agree_with_the_oracle)
{
	for (int i = 0; i < 25; i++) {
		struct game game;
		shape_game(i, &game);
		size_t n = (size_t)(game.cells > 16 ? 40 : 120) / (SANITIZED_SHARE > 1 ? 3 : 1);
		games_check(&(struct game_options){.shape = game.name}, n, (uint64_t)i);
		games_check(&(struct game_options){.shape = game.name}, 7, (uint64_t)i + 25);
	}
}

TEST(every_spawn_rule_agrees_with_the_oracle)
{
	static const char *const rules[] = {
	    "2:1",
	    "4:1",
	    "2:0.5,4:0.5",
	    "2:0.1,4:0.9",
	    "2:0.000001,8:0.999999",
	    "4:0.2,16:0.3,64:0.5",
	    "2:0.125,4:0.125,8:0.125,16:0.125,32:0.125,64:0.125,128:0.125,256:0.125",
	    "2:0.3,4:0.2,8:0.1,16:0.1,32:0.1,64:0.1,128:0.09999,256:0.00001",
	};
	static const char *const shapes[] = {"3x3", "2x5", "4x4", "4x3"};
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		games_check(&(struct game_options){.shape = shapes[i % 4], .spawn = rules[i]},
			    i % 2 ? 64 : 100, 50 + i);
}

TEST(games_end_where_nothing_moves_and_no_start_is_forgotten)
{
	static struct games games;
	static const size_t counts[] = {0, 1, 63, 64, 65, 200};
	struct game game;
	game_of("3x4", &game);
	for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
		starts_make(&game, 100 + k, counts[k], &games);
		memset(games.last, 0xff, sizeof games.last);
		games_play(&game, 100 + k, &games);
		for (size_t i = 0; i < games.n; i++) {
			struct moves moves;
			oracle_moves(&game, &games.last[i], &moves);
			assert_int_equal(moves.legal, 0);
			assert_true(board_sum(&games.last[i]) >= board_sum(&games.start[i]));
		}
		assert_int_equal(games.last[games.n].cell[0][0], 0xff);
	}
}

TEST(a_game_that_is_over_or_empty_earns_nothing)
{
	static struct games games;
	struct game game;
	game_of("2x2", &game);
	games.n = 3;
	memset(games.start, 0, sizeof games.start);
	games.start[1] = board_of(&game, "2,4/4,2");
	games_play(&game, 1, &games);
	for (size_t i = 0; i < games.n; i++) {
		assert_int_equal(games.result[i].points, 0);
		assert_int_equal(games.result[i].moves, 0);
	}
	assert_true(board_equal(&games.last[0], &games.start[0]));
	/* An image: a game that is over still turns. */
	assert_int_equal(board_sum(&games.last[1]), 12);
}

TEST(the_last_positions_are_optional)
{
	static struct games games;
	static struct playout alone[GAMES_MAX];
	struct game game;
	game_of("3x3", &game);
	starts_make(&game, 200, 100, &games);
	games_play(&game, 200, &games);
	playouts_run(&game, games.start, games.n, SEED, 200, alone, NULL);
	for (size_t i = 0; i < games.n; i++)
		assert_int_equal(alone[i].points, games.result[i].points);
}

TEST(another_seed_or_index_draws_other_games)
{
	static struct games games;
	static struct playout other[2][GAMES_MAX];
	struct game game;
	size_t same[2] = {0};
	game_of("4x4", &game);
	starts_make(&game, 201, 100, &games);
	for (size_t i = 1; i < games.n; i++)
		games.start[i] = games.start[0];
	games_play(&game, 1, &games);
	playouts_run(&game, games.start, games.n, SEED, 2, other[0], NULL);
	playouts_run(&game, games.start, games.n, SEED + 1, 1, other[1], NULL);
	for (size_t i = 0; i < games.n; i++)
		for (int k = 0; k < 2; k++)
			same[k] += other[k][i].points == games.result[i].points;
	assert_true(same[0] < games.n / 2 && same[1] < games.n / 2);
}

/*
 * Keeps the odds that it is given; no game ends in the first 65536 calls, all do in the next one.
 */
static struct {
	double sum[SPAWN_KINDS_MAX], least[SPAWN_KINDS_MAX], most[SPAWN_KINDS_MAX];
	uint8_t exponent[SPAWN_KINDS_MAX];
	int calls;
} seen;

static uint64_t odds_keep(struct playout_block *block, const struct playout_odds *odds, int steps)
{
	(void)block;
	(void)steps;
	memcpy(seen.exponent, odds->exponent, sizeof seen.exponent);
	for (int i = 1; i < odds->kinds; i++) {
		const double p = (32767 - odds->above[i]) / 65536.;
		seen.sum[i] += p;
		seen.least[i] = seen.calls ? fmin(seen.least[i], p) : p;
		seen.most[i] = seen.calls ? fmax(seen.most[i], p) : p;
	}
	return ++seen.calls < 65536 ? 0 : ~(uint64_t)0;
}

TEST(kinds_have_their_odds_in_every_move_and_on_average)
{
	const char *const rule = "2:0.3,4:0.4,8:0.2,16:0.0999,32:0.000099999,64:0.000000001";
	static const uint8_t by_odds[] = {2, 1, 3, 4, 5, 6};
	static const double probability[] = {0.4, 0.3, 0.2, 0.0999, 0.000099999, 0.000000001};
	struct board start = {0};
	struct playout result;
	struct game game;
	double below = 0;
	game_make(&(struct game_options){.shape = "3x3", .spawn = rule}, &game);
	game.playout = odds_keep;
	for (int place = 0; place < 3 * ROW_BYTES; place++)
		*board_at(&start, place) = place % ROW_BYTES < 3; /* boards are full at the end */
	memset(&seen, 0, sizeof seen);
	playouts_run(&game, &start, 1, SEED, 0, &result, NULL);
	assert_int_equal(seen.calls, 65536);
	for (int i = 0; i < game.spawn.kinds; i++) {
		assert_int_equal(seen.exponent[i], by_odds[i]);
		if (i > 0) {
			assert_true(fabs(seen.sum[i] / 65536 - (1 - below)) <= 0x1p-32);
			assert_true(fabs(seen.least[i] - (1 - below)) < 0x1p-16);
			assert_true(fabs(seen.most[i] - (1 - below)) < 0x1p-16);
		}
		below += probability[i];
	}
}

/*
 * N games from the beginning: their mean points and moves, and how often each tile was the largest.
 */
struct means {
	double points, moves, moves_squared, max[64];
};

static void means_of_games(const struct game *game, size_t n, struct means *means)
{
	static struct games games;
	games.n = GAMES_MAX;
	*means = (struct means){0};
	for (uint64_t i = 0; i < n / GAMES_MAX; i++) {
		struct rng rng;
		rng_init(&rng, SEED, RNG_TEST, 1000 + i);
		for (size_t k = 0; k < games.n; k++)
			board_start(game, &games.start[k], &rng);
		games_play(game, i, &games);
		for (size_t k = 0; k < games.n; k++) {
			means->points += (double)games.result[k].points / (double)n;
			const double moves = (double)games.result[k].moves;
			means->moves += moves / (double)n;
			means->moves_squared += moves * moves / (double)n;
			means->max[board_max(&games.last[k])] += 1 / (double)n;
		}
	}
}

TEST(games_of_small_boards_come_to_the_exact_means)
{
	static const char *const shapes[] = {"2x2", "2x3", "3x3"};
	const size_t n = 500000 / SANITIZED_SHARE;
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		struct game game;
		struct means means;
		game_of(shapes[i], &game);
		means_of_games(&game, n, &means);
		const double points = exact(shapes[i], "policy.random.score");
		const double error = exact(shapes[i], "policy.random.sd") / sqrt((double)n);
		assert_true(fabs(means.points - points) < 4 * error);
		const double variance = means.moves_squared - means.moves * means.moves;
		assert_true(fabs(means.moves - exact(shapes[i], "policy.random.moves")) <
			    4 * sqrt(variance / (double)n));
		for (int k = 2; k <= 6; k++) {
			char key[100];
			snprintf(key, sizeof key, "policy.random.p_max_tile.%d", 1 << k);
			if (i == 0 && k > 5)
				continue;
			const double p = exact(shapes[i], key);
			assert_true(fabs(means.max[k] - p) < 4 * sqrt(p * (1 - p) / (double)n));
		}
	}
}

TESTS(NULL, NULL)
