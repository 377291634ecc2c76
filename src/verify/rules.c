/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of nxn's rules, and of what it draws at random.
 *
 * They are compared with plain ones (boards/oracle.h) and with the counts of brute force in
 * perft.txt (docs/conformance.md), and its encodings there and back.
 *
 * Drawn positions are of all kinds, each of which finds other mistakes: chains of equal tiles those
 * of merging, tiles near the largest those of encoding. Rectangles show whether a program confuses
 * rows with columns.
 */
#include "agents/play.h"
#include "analysis/stats/stats.h"
#include "boards/oracle.h"
#include "boards/perft.h"
#include "boards/simd/keys.h"
#include "boards/simd/playout.h"
#include "src/verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RULES_POSITIONS = 400, PACKED_POSITIONS = 200, GAME_MOVES = 200 };

/* ---- Games of all shapes. */

enum { SHAPES = 25 };

/* The game of SHAPE for an instruction set that this machine has. Not while there are threads. */
static enum status verify_game(const char *shape, const char *spawn, enum isa isa,
			       struct game *game, struct why *why)
{
	char *before = getenv("NXN_ISA");
	char *kept = before ? strdup(before) : NULL;
	setenv("NXN_ISA", isa_name(isa), 1);
	const struct game_options options = {.shape = shape, .spawn = spawn};
	enum status status = game_init(game, &options, why);
	if (kept)
		setenv("NXN_ISA", kept, 1);
	else
		unsetenv("NXN_ISA");
	free(kept);
	return status;
}

/* The I-th of the 25 shapes. */
static void shape_name(int i, char name[8])
{
	const int sides = SIDE_MAX - SIDE_MIN + 1;
	name[0] = (char)('0' + SIDE_MIN + i / sides);
	name[1] = 'x';
	name[2] = (char)('0' + SIDE_MIN + i % sides);
	name[3] = '\0';
}

/*
 * Calls ONE for the games of all 25 shapes with SPAWN (NULL: the usual), on ISA (ISAS: the usual).
 */
static enum status shapes_each(const char *spawn, enum isa isa,
			       void (*one)(void *context, const struct game *game), void *context,
			       struct why *why)
{
	enum status status = STATUS_OK;
	for (int i = 0; !status && i < SHAPES; i++) {
		char shape[8];
		struct game game;
		shape_name(i, shape);
		const struct game_options options = {.shape = shape, .spawn = spawn};
		status = isa == ISAS ? game_init(&game, &options, why)
				     : verify_game(shape, spawn, isa, &game, why);
		if (!status)
			one(context, &game);
	}
	return status;
}

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

/* ---- The rules. */

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
		snprintf(text, DIFFERENCE_MAX, "%s %c: %s, expected %s", position, "URDL"[d], is,
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

static enum status verify_afterstates(struct verify *verify, const struct verify_board *board,
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

/* The counts of a row of perft.txt, in its order. */
enum { PERFT_COUNTS = 7 };

static const struct {
	const char *name;
	size_t offset; /* in struct perft */
} perft_counts[PERFT_COUNTS] = {
    {"states", offsetof(struct perft, states)},
    {"terminal", offsetof(struct perft, terminal)},
    {"pairs", offsetof(struct perft, pairs)},
    {"afterstates", offsetof(struct perft, afterstates)},
    {"rewards", offsetof(struct perft, rewards)},
    {"leaves", offsetof(struct perft, leaves)},
    {"leaf_score", offsetof(struct perft, leaf_score)},
};

/* Compares the counts behind POSITION and PLIES in a line. */
static enum status perft_compare(const char *position, uint64_t plies,
				 const uint64_t wanted[PERFT_COUNTS], int line,
				 struct line_tallies *tallies, struct why *why)
{
	struct game game;
	struct perft perft;
	enum status status = game_init(&game, &(struct game_options){.start = position}, why);
	if (!status)
		status = perft_count(&game, &game.start, (int)plies, &perft, why);
	if (status)
		return status;
	for (int i = 0; i < PERFT_COUNTS; i++) {
		uint64_t got;
		memcpy(&got, (const char *)&perft + perft_counts[i].offset, sizeof got);
		agree_add(&tallies->of[game.rows][game.cols], got == wanted[i],
			  "perft.txt:%d: %s are %" PRIu64 ", expected %" PRIu64, line,
			  perft_counts[i].name, got, wanted[i]);
	}
	return STATUS_OK;
}

/* One line of perft.txt. */
static enum status perft_line(void *context, char *line, int number, struct why *why)
{
	struct line_tallies *tallies = context;
	char *word[WORDS_MAX];
	uint64_t plies = 0, wanted[PERFT_COUNTS];
	bool sound = words_split(line, word) == 3 + PERFT_COUNTS && word_count(word[2], &plies) &&
		     plies <= INT32_MAX;
	for (int i = 0; sound && i < PERFT_COUNTS; i++)
		sound = word_count(word[3 + i], &wanted[i]);
	if (!sound)
		return facts_refuse(tallies->verify, "perft.txt", number,
				    "SHAPE BOARD and eight whole numbers", why);
	if (strstr(word[0], "1x") == word[0]) /* nxn has no single lines */
		return STATUS_OK;
	return perft_compare(word[1], plies, wanted, number, tallies, why);
}

static enum status verify_perft(struct verify *verify, const struct verify_board *board,
				struct why *why)
{
	(void)board;
	return lines_compare(verify, "perft.txt", perft_line, "counts of brute force", why);
}

/* ---- Encodings. */

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

static enum status verify_encodings(struct verify *verify, const struct verify_board *board,
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
	verify_tally(verify, &keys.tally, "64-bit keys: folded, mixed, images counted");
	return STATUS_OK;
}

/*
 * ---- What is drawn at random: the generator, spawns and playouts, against published or exact
 * figures.
 *
 * With a fixed seed every figure is the same on every machine, so these checks do not fail by bad
 * luck. With another --seed they do, once in some 10^5 times: p-values must be above 10^-5
 * divided by their number, and means within four standard errors, which fails 6 times in 10^5.
 */

enum {
	SPAWNS = 40000,
	BINS_MAX = CELLS_MAX * SPAWN_KINDS_MAX,
	PLAYOUTS = 64,
	MEAN_GAMES = 20032, /* a multiple of that */
};

static enum status verify_streams(struct verify *verify, const struct verify_board *board,
				  struct why *why)
{
	/* Random123's kat_vectors of philox4x32 with 10 rounds. */
	static const struct {
		uint32_t counter[4], key[2];
		const char *bits;
	} known[] = {
	    {{0, 0, 0, 0}, {0, 0}, "6627e8d5e169c58dbc57ac4c9b00dbd8"},
	    {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
	     {UINT32_MAX, UINT32_MAX},
	     "408f276d41c83b0ea20bc7c66d5451fd"},
	    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
	     {0xa4093822, 0x299f31d0},
	     "d16cfe0994fdcceb5001e42024126ea1"},
	};
	struct agreement tally = {0};
	(void)board;
	(void)why;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		char bits[33] = "";
		struct rng rng = {.used = 4};
		memcpy(rng.counter, known[i].counter, sizeof rng.counter);
		memcpy(rng.key, known[i].key, sizeof rng.key);
		for (int n = 0; n < 4; n++)
			snprintf(bits + 8 * n, 9, "%08" PRIx32, rng_u32(&rng));
		agree_add(&tally, strcmp(bits, known[i].bits) == 0, "%s, expected %s", bits,
			  known[i].bits);
	}
	verify_tally(verify, &tally, "published answers of Philox4x32-10");
	return STATUS_OK;
}

/*
 * The bin of what appeared in AFTER: the number of the cell among the empty ones, and of the kind.
 */
static int spawn_bin(const struct game *game, const struct board *before, const struct board *after)
{
	int empty = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			if (before->cell[r][c])
				continue;
			for (int k = 0; k < game->spawn.kinds; k++)
				if (after->cell[r][c] == game->spawn.exponent[k])
					return empty * game->spawn.kinds + k;
			empty++;
		}
	return -1;
}

/*
 * The p-value (stats_chi_squared()) of DRAWS spawns of SPAWN in BOARD: every empty cell as likely
 * as another, kinds as the game's rule says.
 */
static double spawns_p(const struct game *game, const struct board *board,
		       void (*spawn)(const struct game *game, struct board *board, struct rng *rng),
		       uint64_t seed, int draws)
{
	uint64_t count[BINS_MAX] = {0};
	double p[BINS_MAX];
	struct rng rng;
	const int cells = board_empty(game, board), bins = cells * game->spawn.kinds;
	for (int i = 0; i < bins; i++)
		p[i] = game->spawn.probability[i % game->spawn.kinds] / cells;
	rng_init(&rng, seed, RNG_TEST, (uint64_t)game->rows * ROW_BYTES + (uint64_t)game->cols);
	for (int i = 0; i < draws; i++) {
		struct board after = *board;
		spawn(game, &after, &rng);
		const int bin = spawn_bin(game, board, &after);
		if (bin < 0)
			return 0; /* it was no spawn */
		count[bin]++;
	}
	return stats_chi_squared(count, p, (size_t)bins);
}

/* Spawns on every shape. */
struct spawning {
	uint64_t seed;
	bool half; /* every other cell is taken */
	struct p_range range;
};

static void spawns_one(void *context, const struct game *game)
{
	struct spawning *s = context;
	struct board board = {0};
	for (int r = 0; s->half && r < game->rows; r++)
		for (int c = r % 2; c < game->cols; c += 2)
			board.cell[r][c] = 1;
	range_add(&s->range, spawns_p(game, &board, board_spawn, s->seed, SPAWNS));
}

static enum status verify_spawns(struct verify *verify, const struct verify_board *board,
				 struct why *why)
{
	static const struct {
		const char *spawn, *what;
		bool half;
	} cases[] = {{NULL, "cells and kinds on 25 empty boards", false},
		     {NULL, "on 25 boards with every other cell taken", true},
		     {"2:0.5,4:0.3,8:0.2", "three kinds on 25 empty boards", false}};
	(void)board;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct spawning s = {.seed = verify->seed, .half = cases[i].half};
		enum status status = shapes_each(cases[i].spawn, ISAS, spawns_one, &s, why);
		if (status)
			return status;
		verify_range(verify, &s.range, "%s", cases[i].what);
	}
	return STATUS_OK;
}

/* Starts of games, N of them. */
static void starts_draw(const struct game *game, uint64_t seed, size_t n, struct board *starts)
{
	for (size_t i = 0; i < n; i++) {
		struct rng rng;
		rng_init(&rng, seed, RNG_SPAWN, i);
		board_start(game, &starts[i], &rng);
	}
}

/* Tallies N playouts of A against the same of B, which is the same game. */
static void playouts_compare(const struct game *a, const struct game *b, uint64_t seed, size_t n,
			     struct agreement *tally)
{
	struct board starts[PLAYOUTS], last[2][PLAYOUTS];
	struct playout result[2][PLAYOUTS];
	for (size_t done = 0; done < n; done += PLAYOUTS) {
		starts_draw(a, seed + done, PLAYOUTS, starts);
		playouts_run(a, starts, PLAYOUTS, seed, done, result[0], last[0]);
		playouts_run(b, starts, PLAYOUTS, seed, done, result[1], last[1]);
		for (int i = 0; i < PLAYOUTS; i++)
			agree_add(tally,
				  memcmp(&result[0][i], &result[1][i], sizeof **result) == 0 &&
				      board_equal(&last[0][i], &last[1][i]),
				  "%s, %s: %" PRIu64 " points in %" PRIu64
				  " moves, expected %" PRIu64 " in %" PRIu64,
				  a->name, isa_name(a->isa), result[0][i].points,
				  result[0][i].moves, result[1][i].points, result[1][i].moves);
	}
}

struct playing {
	uint64_t seed;
	struct agreement tally;
};

static void playouts_one(void *context, const struct game *game)
{
	struct playing *p = context;
	struct game portable;
	struct why why;
	if (verify_game(game->name, NULL, ISA_PORTABLE, &portable, &why))
		agree_add(&p->tally, false, "%s", why.text);
	else
		playouts_compare(game, &portable, p->seed, PLAYOUTS, &p->tally);
}

/* Playouts are games of the agent random. */
static enum status playouts_exact(struct verify *verify, const char *shape, struct why *why)
{
	struct game game;
	struct played_games games = {0};
	struct board starts[PLAYOUTS], last[PLAYOUTS];
	struct playout result[PLAYOUTS];
	enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
	if (status)
		return status;
	for (uint64_t done = 0; done < MEAN_GAMES; done += PLAYOUTS) {
		starts_draw(&game, verify->seed + done, PLAYOUTS, starts);
		playouts_run(&game, starts, PLAYOUTS, verify->seed, done, result, last);
		for (int i = 0; i < PLAYOUTS; i++) {
			games.score += (double)result[i].points;
			games.largest[board_max(&last[i])]++;
			games.n++;
		}
	}
	return games_check(verify, &game, "playouts", "random", &games, why);
}

static enum status verify_playouts(struct verify *verify, const struct verify_board *board,
				   struct why *why)
{
	static const char *const shapes[] = {"2x2", "2x3", "3x3"};
	enum status status = STATUS_OK;
	(void)board;
	for (enum isa isa = ISA_PORTABLE + 1; !status && isa < ISAS; isa++) {
		struct playing p = {.seed = verify->seed};
		if (!isa_available(isa))
			continue;
		status = shapes_each(NULL, isa, playouts_one, &p, why);
		if (!status)
			verify_tally(verify, &p.tally, "%s and portable: games on 25 boards",
				     isa_name(isa));
	}
	for (int i = 0; !status && i < 3; i++)
		status = playouts_exact(verify, shapes[i], why);
	return status;
}

const struct verify_check rules_checks[] = {
    {.name = "perft",
     .summary = "positions within some moves of given ones, counted: perft.txt",
     .run = verify_perft},
    {.name = "afterstates",
     .summary = "the rules against a plain definition: boards, instruction sets",
     .run = verify_afterstates},
    {.name = "encodings",
     .summary = "positions packed, folded, as keys and as text, and back",
     .run = verify_encodings},
    {.name = "streams",
     .summary = "the random generator's published answers",
     .run = verify_streams},
    {.name = "spawns",
     .summary = "where new tiles appear, and which: chi-squared",
     .run = verify_spawns},
    {.name = "playouts",
     .summary = "fast random games: all instruction sets alike, means exact",
     .run = verify_playouts},
    {0},
};
