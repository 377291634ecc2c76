/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions to compare rules in, and games that are checked move by move.
 *
 * Drawn positions are of all kinds, each of which finds other mistakes: chains of equal tiles those
 * of merging, tiles near the largest those of encoding.
 *
 * Games: every position must be the after-state by the plain rules and one new tile, every list of
 * legal moves that of the position shown with it, every score the one before and the points of the
 * move. The score of a whole game is also computed from its tiles alone: a tile 2^k that was made
 * of tiles 2 is worth (k - 1) 2^k points, and what appeared as 2^s came without its (s - 1) 2^s.
 *
 * Where tiles appear: the place of a new tile among the n empty cells, in reading order, is
 * uniform. Each n has its chi-squared test, since a count of empty cells that is out of date, a
 * common mistake, shows at the last of them. The start tiles of a game are taken in random order,
 * so each is such a tile, too.
 */
#include "agents/play.h"
#include "analysis/stats/stats.h"
#include "boards/oracle.h"
#include "src/verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* What a bin of a test must expect; moves of games for one start at least; moves of a position. */
enum { EXPECTED_MIN = 10, MOVES_A_START = 10, GAME_MOVES = 200 };

/* ---- Positions. */

/* Sparse; full; many equal tiles; tiles near the largest; out of a random game. */
enum position_kind { SPARSE, FULL, MERGES, TOP, PLAYED, POSITION_KINDS };

struct cell_place {
	int r, c;
};

/* Lowers tiles until no bound of game_admits() is broken: the i-th largest is at most E - i. */
static void tiles_lower(const struct game *game, struct board *board)
{
	bool done[SIDE_MAX][SIDE_MAX] = {{false}};
	for (int rank = 0; rank < game->cells; rank++) {
		struct cell_place most = {-1, 0};
		for (int r = 0; r < game->rows; r++)
			for (int c = 0; c < game->cols; c++)
				if (!done[r][c] &&
				    (most.r < 0 || board->cell[r][c] > board->cell[most.r][most.c]))
					most = (struct cell_place){r, c};
		done[most.r][most.c] = true;
		const int bound = game->max_exponent - rank;
		if (board->cell[most.r][most.c] > bound)
			board->cell[most.r][most.c] = (uint8_t)bound;
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

/* A position out of a game by the plain rules. */
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

void position_draw(const struct game *game, uint64_t seed, uint64_t i, struct board *board)
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

/* "4:4,0/0,0", or "-" if D is not legal. */
static void move_format(const struct game *game, const struct moves *moves, int d, char *text,
			size_t size)
{
	char board[BOARD_TEXT_MAX];
	board_format(game, &moves->after[d], board);
	if (moves->legal >> d & 1)
		snprintf(text, size, "%" PRIu64 ":%s", moves->reward[d], board);
	else
		snprintf(text, size, "-");
}

/* Whether move D is the same in both. */
static bool move_agrees(const struct moves *found, const struct moves *expected, int d)
{
	const bool legal = expected->legal >> d & 1;
	return legal == (found->legal >> d & 1) &&
	       (!legal || (found->reward[d] == expected->reward[d] &&
			   board_equal(&found->after[d], &expected->after[d])));
}

void moves_compare(const struct game *game, const struct board *board, const struct moves *found,
		   const struct moves *expected, struct agreement *tally)
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
	agree_add(tally, d == DIRECTIONS, "%s %c: %s, expected %s", position, "URDL "[d], is,
		  should);
}

bool ability_holds(const struct ability *ability, const struct moves *moves)
{
	for (int d = 0; d < DIRECTIONS; d++)
		if (ability->largest && board_max(&moves->after[d]) > ability->largest)
			return false;
	return true;
}

/* ---- Games. */

/* The kind of a tile of EXPONENT, or -1. */
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

/* Points that the tiles of BOARD would be worth, had they all been made of tiles 2. */
static uint64_t tiles_points(const struct game *game, const struct board *board)
{
	uint64_t points = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			const int k = board->cell[r][c];
			points += k > 0 ? (uint64_t)(k - 1) << k : 0;
		}
	return points;
}

/* Whether AFTER is BEFORE and one tile, of *KIND at *PLACE. */
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

/* Counts the tiles of BOARD, taken in random order; false if they are not those of a start. */
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

static void legal_format(unsigned legal, char text[DIRECTIONS + 1])
{
	int n = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		if (legal >> d & 1)
			text[n++] = "URDL"[d];
	if (!n)
		text[n++] = '-';
	text[n] = '\0';
}

/* Compares what the game shows with the rules. */
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

/*
 * A move D from BEFORE to AFTER; *SPAWNED gets the points of the new tile. False if there is none.
 */
static bool step_check(const struct game *game, const struct observation *before,
		       const struct moves *expected, int d, const struct observation *after,
		       struct games_trial *g, uint64_t *spawned)
{
	char from[BOARD_TEXT_MAX], to[BOARD_TEXT_MAX], right[BOARD_TEXT_MAX];
	int place, kind = 0;
	const struct board *slid = &expected->after[d];
	const uint64_t score = before->score + expected->reward[d];
	const bool found = tile_find(game, slid, &after->board, &place, &kind);
	board_format(game, &before->board, from);
	board_format(game, &after->board, to);
	board_format(game, slid, right);
	agree_add(&g->positions, found, "%s %c: %s, expected %s and one new tile", from, "URDL"[d],
		  to, right);
	agree_add(&g->points, after->score == score,
		  "%s %c: score %" PRIu64 " after %" PRIu64 ", expected %" PRIu64, from, "URDL"[d],
		  after -> score, before -> score, score);
	if (!found)
		return false;
	tile_count(game, slid, place, kind, &g->later);
	const int s = game->spawn.exponent[kind];
	*spawned += (uint64_t)(s - 1) << s;
	return true;
}

/* A game that is played; SPAWNED: the points that its spawned tiles were never paid for. */
struct game_seen {
	struct observation now;
	struct rng rng;
	uint64_t spawned;
	bool whole; /* by the rules so far */
};

/* Begins game NUMBER. */
static enum status game_begin(const struct game_source *source, const struct game *game,
			      uint64_t seed, uint64_t number, struct games_trial *trial,
			      struct game_seen *seen, struct why *why)
{
	char board[BOARD_TEXT_MAX];
	rng_init(&seen->rng, seed, RNG_AGENT, number);
	enum status status =
	    source->start(source->context, game, rng_u32(&seen->rng), &seen->now, why);
	if (status)
		return status;
	seen->whole =
	    start_count(game, &seen->now.board, &seen->rng, &trial->start) && seen->now.score == 0;
	seen->spawned = tiles_points(game, &seen->now.board);
	board_format(game, &seen->now.board, board);
	agree_add(&trial->begun, seen->whole, "%s with %" PRIu64 " points", board, seen->now.score);
	return STATUS_OK;
}

/* The score of a game that was played by the rules, from its tiles. */
static void score_check(const struct game *game, const struct game_seen *seen,
			struct games_trial *trial)
{
	char board[BOARD_TEXT_MAX];
	const uint64_t right = tiles_points(game, &seen->now.board) - seen->spawned;
	board_format(game, &seen->now.board, board);
	agree_add(&trial->scores, seen->now.score == right,
		  "%s at the end with %" PRIu64 " points; its tiles make %" PRIu64, board,
		  seen->now.score, right);
}

/* Plays a game until it is over, *LEFT moves are made, or it has left the rules. */
static enum status game_play(const struct game_source *source, const struct game *game,
			     struct game_seen *seen, uint64_t *left, struct games_trial *trial,
			     struct why *why)
{
	while (game_admits(game, &seen->now.board, NULL) == STATUS_OK) {
		struct observation next;
		struct moves expected;
		oracle_moves(game, &seen->now.board, &expected);
		seen_check(game, &seen->now, &expected, &trial->legal);
		const struct moves open = {.legal = expected.legal & seen->now.legal};
		if (!open.legal || !*left || !ability_holds(&source->ability, &expected))
			break;
		const int d = moves_any(&open, &seen->rng);
		enum status status = source->step(source->context, game, d, &next, why);
		if (status)
			return status;
		--*left;
		seen->whole &=
		    step_check(game, &seen->now, &expected, d, &next, trial, &seen->spawned);
		seen->now = next;
	}
	if (seen->whole)
		score_check(game, seen, trial);
	return STATUS_OK;
}

/*
 * Adds the test of the N counts of bins with probabilities P; KINDS: they are kinds of tiles, else
 * cells. A test in which some bin expects too little for the distribution to hold is left out.
 */
static void least_add(const struct game *game, const uint64_t *count, const double *p, int n,
		      bool kinds, struct least_p *least)
{
	double all = 0, furthest = -1;
	int worst = 0;
	for (int i = 0; i < n; i++)
		all += (double)count[i];
	for (int i = 0; i < n; i++) {
		if (all * p[i] < EXPECTED_MIN)
			return;
		const double off = fabs((double)count[i] - all * p[i]) / sqrt(all * p[i]);
		worst = off > furthest ? i : worst;
		furthest = fmax(off, furthest);
	}
	const double found = stats_chi_squared(count, p, (size_t)n);
	char bin[48];
	if (kinds)
		snprintf(bin, sizeof bin, "tile %d", 1 << game->spawn.exponent[worst]);
	else
		snprintf(bin, sizeof bin, "cell %d of %d empty ones", worst + 1, n);
	if (!least->tests || found < least->p) {
		least->p = found;
		snprintf(least->worst, sizeof least->worst,
			 "%s: %" PRIu64 " of %.0f new tiles, expected %.1f", bin, count[worst], all,
			 all * p[worst]);
	}
	least->tests++;
}

static void places_add(const struct game *game, const struct tile_counts *counts,
		       struct least_p *least)
{
	double p[CELLS_MAX];
	for (int n = 2; n <= game->cells; n++) {
		for (int i = 0; i < n; i++)
			p[i] = 1.0 / n;
		least_add(game, counts->place[n], p, n, false, least);
	}
}

static void kinds_add(const struct game *game, const struct tile_counts *counts,
		      struct least_p *least)
{
	if (game->spawn.kinds > 1)
		least_add(game, counts->kind, game->spawn.probability, game->spawn.kinds, true,
			  least);
}

/* The tests of the tiles on one board. */
static void tiles_test(const struct game *game, struct games_trial *trial)
{
	places_add(game, &trial->start, &trial->start_p);
	kinds_add(game, &trial->start, &trial->start_p);
	places_add(game, &trial->later, &trial->place_p);
	kinds_add(game, &trial->later, &trial->kind_p);
	trial->start = trial->later = (struct tile_counts){0};
}

enum status games_try(const struct game_source *source, const struct game *game, uint64_t seed,
		      uint64_t moves, struct games_trial *trial, struct why *why)
{
	struct game_seen seen;
	enum status status = STATUS_OK;
	uint64_t number = 0;
	for (uint64_t left = moves; !status && left > 0; number++) {
		const uint64_t before = left;
		status = game_begin(source, game, seed, number, trial, &seen, why);
		if (!status)
			status = game_play(source, game, &seen, &left, trial, why);
		left -= left == before;
	}
	/* On large boards games are few: more of their starts. */
	for (; !status && number < moves / MOVES_A_START; number++)
		status = game_begin(source, game, seed, number, trial, &seen, why);
	tiles_test(game, trial);
	return status;
}

/* The line of some tests, if there are any: one that is too even is no mistake. */
static void least_tell(struct verify *verify, const struct least_p *least, const char *boards,
		       const char *what)
{
	if (least->tests && !verify_p(verify, least->p, least->tests, "%s: %s", boards, what))
		printf("            %s\n", least->worst);
}

void games_tell(struct verify *verify, const struct games_trial *trial, int start_tiles,
		const char *boards)
{
	verify_tally(verify, &trial->begun, "%s: games begun, %d tiles and no points", boards,
		     start_tiles);
	verify_tally(verify, &trial->positions, "%s: moves of games, one new tile each", boards);
	verify_tally(verify, &trial->points, "%s: moves of games, points", boards);
	verify_tally(verify, &trial->legal, "%s: positions of games, legal moves", boards);
	verify_tally(verify, &trial->scores, "%s: games, score against tiles", boards);
	least_tell(verify, &trial->start_p, boards, "start tiles, cells and kinds");
	least_tell(verify, &trial->place_p, boards, "new tiles, cells");
	least_tell(verify, &trial->kind_p, boards, "new tiles, kinds");
}
