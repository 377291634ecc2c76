/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of nxn's rules, and of what it draws at random.
 *
 * They are compared with plain ones (boards/oracle.h) and with the counts of brute force in
 * perft.txt (docs/conformance.md). nxn's own games are checked as those of another program are
 * (games.c). Rectangles show whether a program confuses rows with columns.
 */
#include "agents/play.h"
#include "boards/oracle.h"
#include "boards/perft.h"
#include "boards/simd/playout.h"
#include "src/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { RULES_POSITIONS = 2000, SHAPES = 25 };

/* ---- Games of all shapes. */

/*
 * The game of SHAPE with SPAWN (NULL: the usual) for an instruction set that this machine has; ISAS
 * stands for the usual one. Not while there are threads.
 */
static enum status shape_game(const char *shape, const char *spawn, enum isa isa, struct game *game,
			      struct why *why)
{
	const struct game_options options = {.shape = shape, .spawn = spawn};
	const char *before = getenv("NXN_ISA");
	char *kept = before ? strdup(before) : NULL;
	if (isa != ISAS)
		setenv("NXN_ISA", isa_name(isa), 1);
	enum status status = game_init(game, &options, why);
	if (kept)
		setenv("NXN_ISA", kept, 1);
	else
		unsetenv("NXN_ISA");
	free(kept);
	return status;
}

/* The I-th of the 25 shapes. */
static void shape_name(int i, char name[24])
{
	const int sides = SIDE_MAX - SIDE_MIN + 1;
	snprintf(name, 24, "%dx%d", SIDE_MIN + i / sides, SIDE_MIN + i % sides);
}

/* ---- The rules. */

/* Compares GAME's rules with plain ones. */
static void rules_compare(const struct game *game, uint64_t seed, struct agreement *tally)
{
	for (uint64_t i = 0; i < RULES_POSITIONS; i++) {
		struct board board;
		struct moves found, expected;
		position_draw(game, seed, i, &board);
		oracle_moves(game, &board, &expected);
		game->moves(&board, &found);
		if (game->over(&board) != !expected.legal) /* shows as four wrong moves */
			found.legal ^= (1u << DIRECTIONS) - 1;
		moves_compare(game, &board, &found, &expected, tally);
	}
}

static enum status verify_afterstates(struct verify *verify, const struct verify_board *board,
				      struct why *why)
{
	(void)board;
	for (enum isa isa = 0; isa < ISAS; isa++) {
		struct agreement tally = {0};
		for (int i = 0; isa_available(isa) && i < SHAPES; i++) {
			char shape[24];
			struct game game;
			shape_name(i, shape);
			enum status status = shape_game(shape, NULL, isa, &game, why);
			if (status)
				return status;
			rules_compare(&game, verify->seed, &tally);
		}
		if (isa_available(isa))
			verify_tally(verify, &tally, "%s: positions of 25 boards, four moves each",
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

/* Compares the counts of a row. */
static enum status perft_compare(const struct fact *row, struct agreement *tally, struct why *why)
{
	struct game game;
	struct perft perft;
	enum status status = game_init(&game, &(struct game_options){.start = row->word[1]}, why);
	if (!status)
		status = perft_count(&game, &game.start, (int)row->count[2], &perft, why);
	if (status)
		return status;
	for (int i = 0; i < PERFT_COUNTS; i++) {
		uint64_t got;
		memcpy(&got, (const char *)&perft + perft_counts[i].offset, sizeof got);
		agree_add(tally, got == row->count[3 + i],
			  "perft.txt:%d: %s are %" PRIu64 ", expected %" PRIu64, row->line,
			  perft_counts[i].name, got, row->count[3 + i]);
	}
	return STATUS_OK;
}

static enum status verify_perft(struct verify *verify, const struct verify_board *board,
				struct why *why)
{
	const struct facts *facts;
	(void)board;
	enum status status = facts_read(verify, FACTS_PERFT, &facts, why);
	for (int s = 0; !status && s < SHAPES; s++) {
		char shape[24];
		struct agreement tally = {0};
		shape_name(s, shape);
		for (size_t i = 0; !status && i < facts->n; i++)
			if (strcmp(facts->fact[i].word[0], shape) == 0)
				status = perft_compare(&facts->fact[i], &tally, why);
		if (tally.all)
			verify_tally(verify, &tally, "%s: counts of brute force", shape);
	}
	return status;
}

/*
 * ---- What is drawn at random: the generator, spawns and playouts, against published or exact
 * figures.
 *
 * With a fixed seed every figure is the same on every machine, so these checks do not fail by bad
 * luck. With another --seed they do, once in some 10^5 times.
 */

enum { SPAWN_MOVES = 4000, PLAYOUTS = 64, MEAN_GAMES = 20032 /* a multiple of that */ };

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

/* A game of nxn itself. */
struct own_game {
	struct observation now;
	struct rng rng;
};

static void own_observe(const struct game *game, struct own_game *own, struct observation *seen)
{
	struct moves moves;
	game->moves(&own->now.board, &moves);
	own->now.legal = moves.legal;
	*seen = own->now;
}

static enum status own_start(void *context, const struct game *game, uint32_t seed,
			     struct observation *seen, struct why *why)
{
	struct own_game *own = context;
	(void)why;
	*own = (struct own_game){0};
	rng_init(&own->rng, seed, RNG_SPAWN, 0);
	board_start(game, &own->now.board, &own->rng);
	own_observe(game, own, seen);
	return STATUS_OK;
}

static enum status own_step(void *context, const struct game *game, int move,
			    struct observation *seen, struct why *why)
{
	struct own_game *own = context;
	struct moves moves;
	(void)why;
	game->moves(&own->now.board, &moves);
	own->now.board = moves.after[move];
	own->now.score += moves.reward[move];
	board_spawn(game, &own->now.board, &own->rng);
	own_observe(game, own, seen);
	return STATUS_OK;
}

/* Games on all shapes with SPAWN. */
static enum status spawns_check(struct verify *verify, const char *spawn, const char *boards,
				struct why *why)
{
	struct own_game own;
	struct games_trial *trial = calloc(1, sizeof *trial);
	const struct game_source source = {own_start, own_step, &own, {0}};
	enum status status = trial ? STATUS_OK : why_set(why, STATUS_SYSTEM, "out of memory");
	for (int i = 0; !status && i < SHAPES; i++) {
		char shape[24];
		struct game game;
		shape_name(i, shape);
		status = shape_game(shape, spawn, ISAS, &game, why);
		if (!status)
			status = games_try(&source, &game, verify->seed, SPAWN_MOVES, trial, why);
	}
	if (!status)
		games_tell(verify, trial, 2, boards);
	free(trial);
	return status;
}

static enum status verify_spawns(struct verify *verify, const struct verify_board *board,
				 struct why *why)
{
	(void)board;
	enum status status = spawns_check(verify, NULL, "25 boards", why);
	return status ? status
		      : spawns_check(verify, "2:0.5,4:0.3,8:0.2", "25 boards, 3 kinds", why);
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

/* Playouts are games of the agent random. */
static enum status playouts_check(struct verify *verify, const char *shape, enum isa isa,
				  struct why *why)
{
	struct game game;
	struct played_games games = {0};
	struct board starts[PLAYOUTS], last[PLAYOUTS];
	struct playout result[PLAYOUTS];
	char player[32];
	enum status status = shape_game(shape, NULL, isa, &game, why);
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
	snprintf(player, sizeof player, "playouts, %s", isa_name(isa));
	return games_check(verify, &game, player, "random", &games, why);
}

static enum status verify_playouts(struct verify *verify, const struct verify_board *board,
				   struct why *why)
{
	enum status status = STATUS_OK;
	for (enum isa isa = 0; !status && isa < ISAS; isa++)
		if (isa_available(isa))
			status = playouts_check(verify, board->shape, isa, why);
	return status;
}

const struct verify_check rules_checks[] = {
    {.name = "perft",
     .summary = "positions within some moves of given ones, counted: perft.txt",
     .run = verify_perft},
    {.name = "afterstates",
     .summary = "the rules against a plain definition: boards, instruction sets",
     .run = verify_afterstates},
    {.name = "streams",
     .summary = "the random generator's published answers",
     .run = verify_streams},
    {.name = "spawns",
     .summary = "nxn's games: where new tiles appear, and which: chi-squared",
     .run = verify_spawns},
    {.name = "playouts",
     .summary = "fast random games with all instruction sets: means exact",
     .run = verify_playouts,
     .boards = {{"2x2", 0}, {"2x3", 0}, {"3x3", 0}}},
    {0},
};
