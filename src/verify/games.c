/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparisons of nxn or another program with the rules: positions, and games that are checked move
 * by move.
 *
 * Random positions are of several kinds, which find different mistakes: chains of equal tiles find
 * mistakes in merging, tiles near the largest find those in encoding.
 *
 * Games: every position must be the after-state by the plain rules plus one new tile, every list of
 * legal moves that of its position, every score the last score plus the points of the move.
 *
 * New tiles: the place of a new tile among the n empty cells, in reading order, must be uniform.
 * There is a chi-squared test for each n, since a count of empty cells that is not updated, a
 * common mistake, affects the last of them. The sum of chi-squared over all n reveals a small bias
 * in all tests, and tiles that are too regular. The start tiles of a game are tested in random
 * order, as if each were a new tile.
 */
#include "agents/play.h"
#include "analysis/stats/stats.h"
#include "boards/oracle.h"
#include "src/verify/verify.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/*
 * Minimal expected count of a bin; moves per game start; moves per game; minimal degrees of
 * freedom.
 */
enum { EXPECTED_MIN = 10, MOVES_A_START = 10, GAME_MOVES = 200, FREEDOM_MIN = 10 };

/* ---- Positions. */

/* Sparse; full; many equal tiles; tiles near the largest; from a random game. */
enum position_kind { SPARSE, FULL, MERGES, TOP, PLAYED, POSITION_KINDS };

/* Lowers tiles until the bounds of game_admits() hold: the i-th largest is at most E - i. */
static void tiles_lower(const struct game *game, struct board *board)
{
	bool done[SIDE_MAX * ROW_BYTES] = {false};
	for (int bound = game->max_exponent, rank = 0; rank < game->cells; rank++, bound--) {
		int most = -1;
		for (int r = 0; r < game->rows; r++)
			for (int c = 0; c < game->cols; c++) {
				const int at = r * ROW_BYTES + c;
				if (!done[at] &&
				    (most < 0 || *board_at(board, at) > *board_at(board, most)))
					most = at;
			}
		assert(most >= 0);
		done[most] = true;
		if (*board_at(board, most) > bound)
			*board_at(board, most) = (uint8_t)bound;
	}
}

static uint8_t exponent_draw(const struct game *game, enum position_kind kind, struct rng *rng)
{
	const uint32_t top = (uint32_t)game->max_exponent;
	switch (kind) {
	case SPARSE:
		return (uint8_t)(rng_below(rng, 3) ? 0 : 1 + rng_below(rng, top));
	case FULL:
		return (uint8_t)(1 + rng_below(rng, 4));
	case MERGES:
		return (uint8_t)rng_below(rng, 3);
	default:
		return (uint8_t)(top - rng_below(rng, top < 4 ? top : 4));
	}
}

/* Draws a position from a random game by the plain rules. */
static void position_play(const struct game *game, struct rng *rng, struct board *board)
{
	struct moves moves;
	board_start(game, board, rng);
	for (uint32_t left = rng_below(rng, GAME_MOVES); left > 0; left--) {
		oracle_moves(game, board, &moves);
		if (!moves.legal)
			return;
		*board = moves.after[moves_any(&moves, rng)];
		board_spawn(game, board, rng);
	}
}

/* Draws position I of SEED; kinds alternate, and game_admits() accepts all positions. */
static void position_draw(const struct game *game, uint64_t seed, uint64_t i, struct board *board)
{
	const enum position_kind kind = (enum position_kind)(i % POSITION_KINDS);
	struct rng rng;
	rng_init(&rng, seed, RNG_TEST, i);
	*board = (struct board){0};
	if (kind == PLAYED) {
		position_play(game, &rng, board);
		return;
	}
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			board->cell[r][c] = exponent_draw(game, kind, &rng);
	tiles_lower(game, board);
}

/* Whether move D is the same in FOUND and EXPECTED. */
static bool move_agrees(const struct moves *found, const struct moves *expected, int d)
{
	const bool legal = expected->legal >> d & 1;
	return legal == (found->legal >> d & 1) &&
	       (!legal || (found->reward[d] == expected->reward[d] &&
			   board_equal(&found->after[d], &expected->after[d])));
}

/* Tallies the four moves FOUND in a position. */
static void moves_compare(const struct game *game, const struct board *board,
			  const struct moves *found, const struct moves *expected,
			  struct agreement *tally)
{
	char position[BOARD_TEXT_MAX], is[BOARD_TEXT_MAX + 24] = "", should[sizeof is] = "";
	int d = 0;
	while (d < DIRECTIONS && move_agrees(found, expected, d))
		d++;
	board_format(game, board, position);
	if (d < DIRECTIONS) {
		move_format(game, found, d, is, sizeof is);
		move_format(game, expected, d, should, sizeof should);
	}
	agree_add(tally, d == DIRECTIONS, "%s %c: %s, expected %s", position, direction_letters[d],
		  is, should);
}

/* Whether a program with this ability can represent all after-states. */
static bool ability_holds(const struct ability *ability, const struct moves *moves)
{
	for (int d = 0; d < DIRECTIONS; d++)
		if (ability->largest && board_max(&moves->after[d]) > ability->largest)
			return false;
	return true;
}

/* ---- The subject: another program, or nxn. */

static void subject_moves(struct trial *trial, const struct game *game, const struct board *board,
			  struct moves *moves)
{
	struct verify *verify = trial->verify;
	if (verify->program) {
		verify_must(verify,
			    protocol_moves(verify->program, game, board, moves, &verify->why));
		return;
	}
	game->moves(board, moves);
	if (game->over(board) != !moves->legal) /* counts as four wrong moves */
		moves->legal ^= (1u << DIRECTIONS) - 1;
}

static void subject_start(struct trial *trial, const struct game *game, uint32_t seed,
			  struct observation *seen)
{
	struct verify *verify = trial->verify;
	if (verify->program) {
		verify_must(verify,
			    protocol_start(verify->program, game, seed, seen, &verify->why));
	} else {
		own_game_start(&trial->own, game, seed);
		*seen = trial->own.now;
	}
}

static void subject_step(struct trial *trial, const struct game *game, int move,
			 struct observation *seen)
{
	struct verify *verify = trial->verify;
	if (verify->program) {
		verify_must(verify, protocol_step(verify->program, game, move, seen, &verify->why));
	} else {
		own_game_step(&trial->own, move);
		*seen = trial->own.now;
	}
}

/* ---- Comparing positions. */

/* Checks the move that the program plays in BOARD, which has a legal move. */
static void act_compare(struct trial *trial, const struct game *game, const struct board *board,
			const struct moves *expected)
{
	char position[BOARD_TEXT_MAX];
	double value[DIRECTIONS];
	int move;
	struct verify *verify = trial->verify;
	verify_must(verify, protocol_act(verify->program, game, board, (uint32_t)trial->acts.all,
					 &move, value, &verify->why));
	board_format(game, board, position);
	agree_add(&trial->acts, expected->legal >> move & 1, "%s: plays %c, which is not legal",
		  position, direction_letters[move]);
}

static void position_compare(struct trial *trial, const struct game *game,
			     const struct board *board)
{
	const struct ability *ability = &trial->ability;
	struct moves expected, found;
	oracle_moves(game, board, &expected);
	if (!ability_holds(ability, &expected)) {
		trial->left_out++;
		return;
	}
	if (ability->moves) {
		subject_moves(trial, game, board, &found);
		moves_compare(game, board, &found, &expected, &trial->positions);
	}
	if (ability->act && expected.legal)
		act_compare(trial, game, board, &expected);
}

void trial_positions(struct trial *trial, const struct game *game, uint64_t n)
{
	struct verify *verify = trial->verify;
	const struct facts *facts = facts_read(verify, FACTS_PERFT);
	const char *last = "";
	struct board board;
	/* A board has several rows, one after the other. */
	for (size_t i = 0; i < facts->n; i++) {
		const char *const *word = facts->fact[i].word;
		if (strcmp(word[0], game->name) != 0 || strcmp(word[1], last) == 0)
			continue;
		last = word[1];
		verify_must(verify, board_read(game, word[1], &board, &verify->why));
		position_compare(trial, game, &board);
	}
	for (uint64_t i = 0; i < n; i++) {
		position_draw(game, verify->seed, i, &board);
		position_compare(trial, game, &board);
	}
}

/* ---- Games. */

/* Returns the kind of spawn with EXPONENT, or -1. */
static int tile_kind(const struct game *game, int exponent)
{
	for (int k = 0; k < game->spawn.kinds; k++)
		if (game->spawn.exponent[k] == exponent)
			return k;
	return -1;
}

/* Counts a tile of KIND that appeared at PLACE, an empty cell of BEFORE. */
static void tile_count(const struct game *game, const struct board *before, int place, int kind,
		       struct tile_counts *counts)
{
	uint8_t cells[CELLS_MAX];
	const int n = board_empty_cells(game, before, cells);
	int i = 0;
	while (cells[i] != place)
		i++;
	counts->place[n][i]++;
	counts->kind[kind]++;
}

/* Whether AFTER is BEFORE plus one tile, of *KIND at *PLACE. */
static bool tile_find(const struct game *game, const struct board *before,
		      const struct board *after, int *place, int *kind)
{
	struct board without = *after;
	*place = -1;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			if (!before->cell[r][c] && after->cell[r][c])
				*place = r * ROW_BYTES + c;
	if (*place < 0)
		return false;
	*kind = tile_kind(game, *board_at(&without, *place));
	*board_at(&without, *place) = 0;
	return *kind >= 0 && board_equal(&without, before);
}

/* Counts the tiles of the start BOARD in random order; false if they are not start tiles. */
static bool start_count(const struct game *game, const struct board *board, struct rng *rng,
			struct tile_counts *counts)
{
	uint8_t place[CELLS_MAX];
	uint32_t n = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			if (!board->cell[r][c])
				continue;
			if (tile_kind(game, board->cell[r][c]) < 0)
				return false;
			place[n++] = (uint8_t)(r * ROW_BYTES + c);
		}
	if ((int)n != game->start_tiles)
		return false;
	struct board before = {0}, all = *board;
	while (n > 0) {
		const uint32_t i = rng_below(rng, n);
		const int at = place[i], exponent = *board_at(&all, at);
		place[i] = place[--n];
		tile_count(game, &before, at, tile_kind(game, exponent), counts);
		*board_at(&before, at) = (uint8_t)exponent;
	}
	return true;
}

/* Compares an observation with the rules. */
static void seen_check(const struct game *game, const struct observation *seen,
		       const struct moves *expected, struct agreement *tally)
{
	char board[BOARD_TEXT_MAX], found[DIRECTIONS + 1], right[DIRECTIONS + 1];
	board_format(game, &seen->board, board);
	legal_format(seen->legal, found);
	legal_format(expected->legal, right);
	agree_add(tally, seen->legal == expected->legal, "%s: legal %s, expected %s", board, found,
		  right);
}

/* Compares move D from BEFORE to AFTER with the rules. */
static void step_check(const struct game *game, const struct observation *before,
		       const struct moves *expected, int d, const struct observation *after,
		       struct trial *trial)
{
	char from[BOARD_TEXT_MAX], to[BOARD_TEXT_MAX], right[BOARD_TEXT_MAX];
	int place, kind = 0;
	const struct board *slid = &expected->after[d];
	const uint64_t score = before->score + expected->reward[d];
	const bool found = tile_find(game, slid, &after->board, &place, &kind);
	board_format(game, &before->board, from);
	board_format(game, &after->board, to);
	board_format(game, slid, right);
	agree_add(&trial->moves, found, "%s %c: %s, expected %s and one new tile", from,
		  direction_letters[d], to, right);
	agree_add(&trial->points, after->score == score,
		  "%s %c: score %" PRIu64 " after %" PRIu64 ", expected %" PRIu64, from,
		  direction_letters[d], after->score, before->score, score);
	if (found)
		tile_count(game, slid, place, kind, &trial->spawned);
}

/* A game that is being checked, with random moves from `rng`. */
struct game_seen {
	struct observation now;
	struct rng rng;
};

static void game_begin(struct trial *trial, const struct game *game, uint64_t number,
		       struct game_seen *seen)
{
	char board[BOARD_TEXT_MAX];
	/* The tests of all boards are summed, so their games must be independent. */
	const uint64_t shape = (uint64_t)game->rows * ROW_BYTES + (uint64_t)game->cols;
	rng_init(&seen->rng, trial->verify->seed, RNG_AGENT, number + (shape << 32));
	subject_start(trial, game, rng_u32(&seen->rng), &seen->now);
	const bool good =
	    start_count(game, &seen->now.board, &seen->rng, &trial->start) && seen->now.score == 0;
	board_format(game, &seen->now.board, board);
	agree_add(&trial->begun, good, "%s with %" PRIu64 " points", board, seen->now.score);
}

/* Plays a game until it is over, *LEFT moves are made, or it violates the rules. */
static void game_play(struct trial *trial, const struct game *game, struct game_seen *seen,
		      uint64_t *left)
{
	while (game_admits(game, &seen->now.board, NULL) == STATUS_OK) {
		struct observation next;
		struct moves expected;
		oracle_moves(game, &seen->now.board, &expected);
		seen_check(game, &seen->now, &expected, &trial->legal);
		const struct moves open = {.legal = expected.legal & seen->now.legal};
		if (!open.legal || !*left || !ability_holds(&trial->ability, &expected))
			break;
		const int d = moves_any(&open, &seen->rng);
		subject_step(trial, game, d, &next);
		--*left;
		step_check(game, &seen->now, &expected, d, &next, trial);
		seen->now = next;
	}
}

/*
 * Adds the test of N counts of bins with probabilities P; KINDS: the bins are kinds of tiles, else
 * cells. Omits the test if an expected count is too small for the chi-squared distribution.
 */
static void tests_add(struct tile_tests *tests, const struct game *game, const uint64_t *count,
		      const double *p, int n, bool kinds)
{
	double all = 0, sum = 0, furthest = -1;
	int worst = 0;
	char bin[48];
	for (int i = 0; i < n; i++)
		all += (double)count[i];
	for (int i = 0; i < n; i++) {
		const double off = pow((double)count[i] - all * p[i], 2) / (all * p[i]);
		if (all * p[i] < EXPECTED_MIN)
			return;
		worst = off > furthest ? i : worst;
		furthest = fmax(off, furthest);
		sum += off;
	}
	tests->sum += sum;
	tests->freedom += n - 1;
	const double found = stats_chi_squared(count, p, (size_t)n);
	if (tests->tests++ && found >= tests->least)
		return;
	tests->least = found;
	if (kinds)
		snprintf(bin, sizeof bin, "tile %d", 1 << game->spawn.exponent[worst]);
	else
		snprintf(bin, sizeof bin, "cell %d of %d empty ones", worst + 1, n);
	snprintf(tests->worst, sizeof tests->worst,
		 "%s: %" PRIu64 " of %.0f new tiles, expected %.1f", bin, count[worst], all,
		 all * p[worst]);
}

static void places_add(struct tile_tests *tests, const struct game *game,
		       const struct tile_counts *counts)
{
	double p[CELLS_MAX];
	for (int n = 2; n <= game->cells; n++) {
		for (int i = 0; i < n; i++)
			p[i] = 1.0 / n;
		tests_add(tests, game, counts->place[n], p, n, false);
	}
}

static void kinds_add(struct tile_tests *tests, const struct game *game,
		      const struct tile_counts *counts)
{
	if (game->spawn.kinds > 1)
		tests_add(tests, game, counts->kind, game->spawn.probability, game->spawn.kinds,
			  true);
}

/*
 * Adds the two-sided test of the sum of chi-squared: a large sum means a small bias in all tests, a
 * small one means tiles that are too regular. Uses the cube root of Wilson and Hilferty, Proc.
 * Natl. Acad. Sci. 17, 1931, which is approximately normal from 10 degrees of freedom on.
 */
static void sum_add(struct tile_tests *tests)
{
	const double k = tests->freedom, variance = 2 / (9 * k);
	if (tests->freedom < FREEDOM_MIN)
		return;
	const double z = (cbrt(tests->sum / k) - (1 - variance)) / sqrt(variance);
	const double p = erfc(fabs(z) / sqrt(2));
	const bool found = tests->least * ++tests->tests < FALSE_ALARM;
	tests->least = fmin(p, tests->least);
	/* The message of a single failed test is more precise. */
	if (found || tests->least < p)
		return;
	snprintf(tests->worst, sizeof tests->worst,
		 "all counts are too %s: chi-squared %.1f, expected %d", z < 0 ? "even" : "uneven",
		 tests->sum, tests->freedom);
}

/* Adds the tests of the tiles on one board. */
static void tiles_test(const struct game *game, struct trial *trial)
{
	places_add(&trial->start_tiles, game, &trial->start);
	kinds_add(&trial->start_tiles, game, &trial->start);
	places_add(&trial->places, game, &trial->spawned);
	kinds_add(&trial->kinds, game, &trial->spawned);
	trial->start = trial->spawned = (struct tile_counts){0};
}

void trial_games(struct trial *trial, const struct game *game, uint64_t moves)
{
	struct game_seen seen;
	uint64_t number = 0;
	for (uint64_t left = moves; left > 0; number++) {
		const uint64_t before = left;
		game_begin(trial, game, number, &seen);
		game_play(trial, game, &seen, &left);
		left -= left == before;
	}
	/* On large boards there are few games, so test more starts. */
	for (; number < moves / MOVES_A_START; number++)
		game_begin(trial, game, number, &seen);
	tiles_test(game, trial);
}

/* Reports the tests, if there are any. */
static void tests_report(struct verify *verify, struct tile_tests *tests, const char *boards,
			 const char *what)
{
	sum_add(tests);
	if (tests->tests && !verify_p(verify, tests->least, tests->tests, "%s: %s", boards, what))
		printf("            %s\n", tests->worst);
}

void trial_report(struct trial *trial, const char *boards)
{
	struct verify *verify = trial->verify;
	verify_tally(verify, &trial->begun, "%s: games begun, 2 tiles and no points", boards);
	verify_tally(verify, &trial->moves, "%s: moves of games, one new tile each", boards);
	verify_tally(verify, &trial->points, "%s: moves of games, points", boards);
	verify_tally(verify, &trial->legal, "%s: positions of games, legal moves", boards);
	tests_report(verify, &trial->start_tiles, boards, "start tiles, cells and kinds");
	tests_report(verify, &trial->places, boards, "new tiles, cells");
	tests_report(verify, &trial->kinds, boards, "new tiles, kinds");
}
