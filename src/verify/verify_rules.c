/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of the rules and of encodings; see verify_rules.h.
 *
 * The plain rules walk over tiles: every tile in its turn, those nearest to the wall first, goes as
 * far as it can, and merges with the tile it meets if that is equal and was not made by this move.
 * Check value: 4,2,2,2 to the left is 4,4,2 with 4 points, 2,2,2,2 is 4,4 with 8.
 */
#include "src/verify/verify_rules.h"

#include "boards/simd/keys.h"

#include <inttypes.h>
#include <stdlib.h>

enum { RULES_POSITIONS = 400, PACKED_POSITIONS = 200, GAME_MOVES = 200 };

struct data_dir {
	int r, c;
};

static bool place_inside(const struct game *game, struct data_dir p)
{
	return p.r >= 0 && p.r < game->rows && p.c >= 0 && p.c < game->cols;
}

/* Moves the tile at FROM by steps of (DR, DC); the points that it earns. */
static uint64_t tile_move(const struct game *game, struct board *board, struct data_dir from,
			  int dr, int dc, bool made[SIDE_MAX][SIDE_MAX])
{
	const uint8_t tile = board->cell[from.r][from.c];
	struct data_dir at = from, next = {from.r + dr, from.c + dc};
	board->cell[from.r][from.c] = 0;
	while (place_inside(game, next) && !board->cell[next.r][next.c]) {
		at = next;
		next = (struct data_dir){at.r + dr, at.c + dc};
	}
	if (place_inside(game, next) && board->cell[next.r][next.c] == tile &&
	    !made[next.r][next.c]) {
		made[next.r][next.c] = true;
		return UINT64_C(1) << ++board->cell[next.r][next.c];
	}
	board->cell[at.r][at.c] = tile;
	return 0;
}

void plain_moves(const struct game *game, const struct board *board, struct moves *moves)
{
	static const int step[DIRECTIONS][2] = {
	    [UP] = {-1, 0}, [RIGHT] = {0, 1}, [DOWN] = {1, 0}, [LEFT] = {0, -1}};
	moves->legal = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		const int dr = step[d][0], dc = step[d][1];
		bool made[SIDE_MAX][SIDE_MAX] = {{false}};
		struct board after = *board;
		moves->reward[d] = 0;
		for (int i = 0; i < game->cells; i++) {
			/* Reading order from the wall that tiles move to. */
			const int n = dr > 0 || dc > 0 ? game->cells - 1 - i : i;
			const struct data_dir p = {n / game->cols, n % game->cols};
			if (after.cell[p.r][p.c])
				moves->reward[d] += tile_move(game, &after, p, dr, dc, made);
		}
		moves->after[d] = after;
		if (!board_equal(&after, board))
			moves->legal |= 1u << d;
	}
}

/* Lowers tiles until no bound of game_admits() is broken: the i-th largest is at most E - i. */
static void tiles_lower(const struct game *game, struct board *board)
{
	bool done[SIDE_MAX][SIDE_MAX] = {{false}};
	for (int rank = 0; rank < game->cells; rank++) {
		struct data_dir most = {-1, 0};
		for (int r = 0; r < game->rows; r++)
			for (int c = 0; c < game->cols; c++)
				if (!done[r][c] &&
				    (most.r < 0 || board->cell[r][c] > board->cell[most.r][most.c]))
					most = (struct data_dir){r, c};
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
		plain_moves(game, board, &moves);
		if (!moves.legal)
			return;
		*board = moves.after[moves_any(&moves, rng)];
		board_spawn(game, board, rng);
	}
}

void position_draw(const struct game *game, enum position_kind kind, struct rng *rng,
		   struct board *board)
{
	*board = (struct board){0};
	if (kind == PLAYED) {
		position_play(game, rng, board);
		return;
	}
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			board->cell[r][c] = exponent_draw(game, kind, rng);
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

void rules_compare(const struct game *game, uint64_t seed, int n, struct agreement *tally)
{
	struct rng rng;
	for (int i = 0; i < n * POSITION_KINDS; i++) {
		char text[DIFFERENCE_MAX] = "";
		struct board board;
		struct moves found, expected;
		rng_init(&rng, seed, RNG_TEST, (uint64_t)i);
		position_draw(game, (enum position_kind)(i % POSITION_KINDS), &rng, &board);
		plain_moves(game, &board, &expected);
		game->moves(&board, &found);
		bool agrees = !moves_differ(game, &board, &found, &expected, text);
		if (agrees && game->over(&board) != !expected.legal) {
			board_format(game, &board, text);
			agrees = false;
		}
		agree_add(tally, agrees, "%s, %s: %s", game->name, isa_name(game->isa), text);
	}
}

enum status verify_afterstates(struct verify *verify, struct why *why)
{
	for (int isa = 0; isa < ISAS; isa++) {
		struct agreement tally = {0};
		char what[80];
		if (!isa_available((enum isa)isa))
			continue;
		for (int i = 0; i < SHAPES; i++) {
			char shape[8];
			struct game game;
			shape_name(i, shape);
			enum status status = verify_game(shape, NULL, (enum isa)isa, &game, why);
			if (status)
				return status;
			rules_compare(&game, verify->seed, RULES_POSITIONS, &tally);
		}
		snprintf(what, sizeof what, "%s: positions of 25 boards, four moves each",
			 isa_name((enum isa)isa));
		verify_tally(verify, what, &tally);
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

void packed_compare_all(const struct game *game, uint64_t seed, int n, struct agreement *tally)
{
	struct rng rng;
	for (int i = 0; i < n * POSITION_KINDS; i++) {
		char text[BOARD_TEXT_MAX];
		struct board board;
		rng_init(&rng, seed, RNG_TEST, (uint64_t)i);
		position_draw(game, (enum position_kind)(i % POSITION_KINDS), &rng, &board);
		board_format(game, &board, text);
		agree_add(tally, position_survives(game, &board), "%s", text);
	}
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

/* On every board whose keys fit into 64 bits. */
static enum status keys_compare(uint64_t seed, struct agreement *tally, struct why *why)
{
	for (int s = 0; s < SHAPES; s++) {
		char shape[8], text[BOARD_TEXT_MAX];
		struct game game;
		struct keys keys;
		struct rng rng;
		shape_name(s, shape);
		enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
		if (status)
			return status;
		if (keys_init(&keys, &game, game.max_exponent, true, NULL) != STATUS_OK)
			continue;
		for (int i = 0; i < PACKED_POSITIONS * POSITION_KINDS; i++) {
			struct board board;
			rng_init(&rng, seed, RNG_TEST, (uint64_t)i);
			position_draw(&game, (enum position_kind)(i % POSITION_KINDS), &rng,
				      &board);
			board_format(&game, &board, text);
			agree_add(tally, key_agrees(&keys, &game, &board), "%s", text);
		}
	}
	return STATUS_OK;
}

enum status verify_encodings(struct verify *verify, struct why *why)
{
	struct agreement packed = {0}, keys = {0};
	for (int i = 0; i < SHAPES; i++) {
		char shape[8];
		struct game game;
		shape_name(i, shape);
		enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
		if (status)
			return status;
		packed_compare_all(&game, verify->seed, PACKED_POSITIONS, &packed);
	}
	enum status status = keys_compare(verify->seed, &keys, why);
	if (status)
		return status;
	verify_tally(verify, "positions of 25 boards packed, as text, in all images", &packed);
	verify_tally(verify, "positions as 64-bit keys, folded, mixed, images counted", &keys);
	return STATUS_OK;
}
