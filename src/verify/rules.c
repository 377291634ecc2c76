/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of the rules against plain ones (boards/oracle.h), and of encodings; positions to try
 * them on.
 */
#include "src/verify/verify.h"

#include "boards/oracle.h"
#include "boards/simd/keys.h"

#include <inttypes.h>
#include <stdio.h>

enum { RULES_POSITIONS = 400, PACKED_POSITIONS = 200, GAME_MOVES = 200 };

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

bool moves_differ(const struct game *game, const struct board *board, const struct moves *found,
		  const struct moves *expected, char text[DIFFERENCE_MAX])
{
	for (int d = 0; d < DIRECTIONS; d++) {
		char position[BOARD_TEXT_MAX], is[BOARD_TEXT_MAX + 24], should[sizeof is];
		const bool legal = expected->legal >> d & 1;
		if (legal == (found->legal >> d & 1) &&
		    (!legal || (found->reward[d] == expected->reward[d] &&
				board_equal(&found->after[d], &expected->after[d]))))
			continue;
		board_format(game, board, position);
		move_format(game, found, d, is, sizeof is);
		move_format(game, expected, d, should, sizeof should);
		snprintf(text, DIFFERENCE_MAX, "%s %c: %s, not %s", position, "URDL"[d], is,
			 should);
		return true;
	}
	return false;
}

/* Tallies GAME's rules against plain ones in N positions of every kind. */
static void rules_compare(const struct game *game, uint64_t seed, int n, struct agreement *tally)
{
	for (int i = 0; i < n * POSITION_KINDS; i++) {
		char text[DIFFERENCE_MAX] = "";
		struct board board;
		struct moves found, expected;
		position_draw(game, seed, (uint64_t)i, &board);
		oracle_moves(game, &board, &expected);
		game->moves(&board, &found);
		bool agrees = !moves_differ(game, &board, &found, &expected, text);
		if (agrees && game->over(&board) != !expected.legal) {
			board_format(game, &board, text);
			agrees = false;
		}
		agree_add(tally, agrees, "%s, %s: %s", game->name, isa_name(game->isa), text);
	}
}

/* A tally over boards. */
struct tallying {
	uint64_t seed;
	struct agreement tally;
};

static void rules_one(void *context, const struct game *game)
{
	struct tallying *t = context;
	rules_compare(game, t->seed, RULES_POSITIONS, &t->tally);
}

enum status verify_afterstates(struct verify *verify, const struct verify_board *board,
			       struct why *why)
{
	(void)board;
	for (enum isa isa = 0; isa < ISAS; isa++) {
		struct tallying t = {.seed = verify->seed};
		if (!isa_available(isa))
			continue;
		enum status status = shapes_each(NULL, isa, rules_one, &t, why);
		if (status)
			return status;
		verify_tally(verify, &t.tally, "%s: positions of 25 boards, four moves each",
			     isa_name(isa));
	}
	return STATUS_OK;
}

/* Packing and text there and back; one canonical form for all images. */
static bool position_survives(const struct game *game, const struct board *board)
{
	char text[BOARD_TEXT_MAX];
	struct packed packed;
	struct board back, canonical, image, other;
	board_pack(game, board, &packed);
	board_unpack(game, &packed, &back);
	if (!board_equal(board, &back))
		return false;
	board_format(game, board, text);
	if (board_read(game, text, &back, NULL) || !board_equal(board, &back))
		return false;
	board_canonical(game, board, &canonical);
	for (int i = 0; i < game->symmetries; i++) {
		board_symmetry(game, i, board, &image);
		board_canonical(game, &image, &other);
		if (!board_equal(&canonical, &other))
			return false;
	}
	return true;
}

/* Tallies encodings of N positions of every kind: what is packed must come out again. */
static void packed_compare_all(const struct game *game, uint64_t seed, int n,
			       struct agreement *tally)
{
	for (int i = 0; i < n * POSITION_KINDS; i++) {
		char text[BOARD_TEXT_MAX];
		struct board board;
		position_draw(game, seed, (uint64_t)i, &board);
		board_format(game, &board, text);
		agree_add(tally, position_survives(game, &board), "%s", text);
	}
}

static void packed_one(void *context, const struct game *game)
{
	struct tallying *t = context;
	packed_compare_all(game, t->seed, PACKED_POSITIONS, &t->tally);
}

/* Folded keys are those of the canonical images, mixing is undone, and images are counted. */
static bool key_agrees(const struct keys *keys, const struct game *game, const struct board *board)
{
	struct board image, back;
	struct packed least, packed;
	uint64_t key = keys_pack(keys, board), folded = key, mixed, images = 0;
	keys_unpack(keys, key, &back);
	keys_fold(keys, &folded, 1);
	mixed = folded;
	keys_mix(keys, &mixed, 1);
	keys_unmix(keys, &mixed, 1);
	board_canonical(game, board, &image);
	board_pack(game, &image, &least);
	bool seen[8] = {false};
	for (int i = 0; i < game->symmetries; i++) {
		struct board a, b;
		board_symmetry(game, i, board, &a);
		for (int j = 0; j < i && !seen[i]; j++) {
			board_symmetry(game, j, board, &b);
			seen[i] = board_equal(&a, &b);
		}
		images += !seen[i];
	}
	keys_unpack(keys, folded, &image);
	board_pack(game, &image, &packed);
	return board_equal(&back, board) && mixed == folded &&
	       packed_compare(&packed, &least) == 0 && keys_raw(keys, &folded, 1) == images;
}

/* Nothing, where keys do not fit into 64 bits. */
static void keys_one(void *context, const struct game *game)
{
	struct tallying *t = context;
	char text[BOARD_TEXT_MAX];
	struct keys keys;
	if (keys_init(&keys, game, game->max_exponent, true, NULL) != STATUS_OK)
		return;
	for (int i = 0; i < PACKED_POSITIONS * POSITION_KINDS; i++) {
		struct board board;
		position_draw(game, t->seed, (uint64_t)i, &board);
		board_format(game, &board, text);
		agree_add(&t->tally, key_agrees(&keys, game, &board), "%s", text);
	}
}

enum status verify_encodings(struct verify *verify, const struct verify_board *board,
			     struct why *why)
{
	struct tallying packed = {.seed = verify->seed}, keys = {.seed = verify->seed};
	(void)board;
	enum status status = shapes_each(NULL, ISAS, packed_one, &packed, why);
	if (!status)
		status = shapes_each(NULL, ISAS, keys_one, &keys, why);
	if (status)
		return status;
	verify_tally(verify, &packed.tally,
		     "positions of 25 boards packed, as text, in all images");
	verify_tally(verify, &keys.tally,
		     "positions as 64-bit keys, folded, mixed, images counted");
	return STATUS_OK;
}
