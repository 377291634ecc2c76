/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of nxn's rules and random draws.
 *
 * Positions and games are compared with the plain rules, as those of another program are (games.c);
 * counts of positions with the brute-force counts in perft.txt (docs/conformance.md). Rectangles
 * show whether a program confuses rows with columns.
 *
 * With a fixed seed every figure is the same on every machine, so these checks do not fail by
 * chance. With other values of --seed they fail about once in 10^5 runs.
 */
#include "src/verify/verify.h"

#include "analysis/tables/record.h"
#include "boards/perft.h"
#include "boards/simd/playout.h"
#include "src/cli/provenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	SHAPES = 25,
	RULES_POSITIONS = 2000,
	SPAWN_MOVES = 4000,
	PLAYOUTS = 64,
	MEAN_GAMES = 20032 /* a multiple of the batch size */
};

/*
 * Creates the game of SHAPE with SPAWN (NULL: the default) for an available instruction set; ISAS
 * means the default one. Not thread-safe: it changes the environment.
 */
static struct game shape_game(struct verify *verify, const char *shape, const char *spawn,
			      enum isa isa)
{
	const char *before = getenv("NXN_ISA");
	char *kept = before ? strdup(before) : NULL;
	if (isa != ISAS)
		setenv("NXN_ISA", isa_name(isa), 1);
	const struct game game =
	    verify_game(verify, &(struct game_options){.shape = shape, .spawn = spawn});
	if (kept)
		setenv("NXN_ISA", kept, 1);
	else
		unsetenv("NXN_ISA");
	free(kept);
	return game;
}

static const char *shape_name(int i, char name[24])
{
	const int sides = SIDE_MAX - SIDE_MIN + 1;
	snprintf(name, 24, "%dx%d", SIDE_MIN + i / sides, SIDE_MIN + i % sides);
	return name;
}

static void verify_afterstates(struct verify *verify, const struct verify_board *board)
{
	static struct trial trial;
	(void)board;
	for (enum isa isa = 0; isa < ISAS; isa++) {
		trial = (struct trial){.verify = verify, .ability.moves = true};
		for (int i = 0; isa_available(isa) && i < SHAPES; i++) {
			char shape[24];
			const struct game game =
			    shape_game(verify, shape_name(i, shape), NULL, isa);
			trial_positions(&trial, &game, RULES_POSITIONS);
		}
		if (isa_available(isa))
			verify_tally(verify, &trial.positions,
				     "%s: positions of 25 boards, four moves each", isa_name(isa));
	}
}

/* The counts of a row of perft.txt, in order. */
enum { PERFT_COUNTS = 7 };

static const struct {
	const char *name;
	size_t offset; /* offset in struct perft */
} perft_counts[PERFT_COUNTS] = {
    {"states", offsetof(struct perft, states)},
    {"terminal", offsetof(struct perft, terminal)},
    {"pairs", offsetof(struct perft, pairs)},
    {"afterstates", offsetof(struct perft, afterstates)},
    {"rewards", offsetof(struct perft, rewards)},
    {"leaves", offsetof(struct perft, leaves)},
    {"leaf_score", offsetof(struct perft, leaf_score)},
};

static uint64_t perft_number(const struct perft *perft, int i)
{
	uint64_t number;
	memcpy(&number, (const char *)perft + perft_counts[i].offset, sizeof number);
	return number;
}

enum status verify_counts(const struct game *game, const char *start, int plies,
			  const struct invocation *call, struct why *why)
{
	struct record record = {.name = "perft", .width = 13};
	struct perft perft;
	enum status status =
	    perft_count(game, game->has_start ? &game->start : NULL, plies, &perft, why);
	if (status)
		return status;
	record_text(&record, "board", game->name);
	record_text(&record, "position", game->has_start ? start : "start");
	record_number(&record, "plies", (uint64_t)plies);
	for (int i = 0; i < PERFT_COUNTS; i++)
		record_number(&record, perft_counts[i].name, perft_number(&perft, i));
	return record_print(call, &record, why);
}

static void perft_compare(struct verify *verify, const struct fact *row, struct agreement *tally)
{
	struct perft perft;
	const struct game game = verify_game(verify, &(struct game_options){.start = row->word[1]});
	verify_must(verify,
		    perft_count(&game, &game.start, (int)row->count[2], &perft, &verify->why));
	for (int i = 0; i < PERFT_COUNTS; i++) {
		const uint64_t got = perft_number(&perft, i);
		agree_add(tally, got == row->count[3 + i],
			  "perft.txt:%d: %s are %" PRIu64 ", expected %" PRIu64, row->line,
			  perft_counts[i].name, got, row->count[3 + i]);
	}
}

static void verify_perft(struct verify *verify, const struct verify_board *board)
{
	const struct facts *facts = facts_read(verify, FACTS_PERFT);
	(void)board;
	for (int s = 0; s < SHAPES; s++) {
		char shape[24];
		struct agreement tally = {0};
		shape_name(s, shape);
		for (size_t i = 0; i < facts->n; i++)
			if (strcmp(facts->fact[i].word[0], shape) == 0)
				perft_compare(verify, &facts->fact[i], &tally);
		if (tally.all)
			verify_tally(verify, &tally, "%s: counts of brute force", shape);
	}
}

static void verify_streams(struct verify *verify, const struct verify_board *board)
{
	/* kat_vectors of Random123 for philox4x32 with 10 rounds. */
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
}

/* Games on all shapes, with the default spawn rule and with one of three kinds. */
static void verify_spawns(struct verify *verify, const struct verify_board *board)
{
	static const struct {
		const char *spawn, *boards;
	} rules[] = {{NULL, "25 boards"}, {"2:0.5,4:0.3,8:0.2", "25 boards, 3 kinds"}};
	static struct trial trial;
	(void)board;
	for (int k = 0; k < 2; k++) {
		trial = (struct trial){.verify = verify};
		for (int i = 0; i < SHAPES; i++) {
			char shape[24];
			const struct game game =
			    shape_game(verify, shape_name(i, shape), rules[k].spawn, ISAS);
			trial_games(&trial, &game, SPAWN_MOVES);
		}
		trial_report(&trial, rules[k].boards);
	}
}

/* Compares playouts with the exact values of the agent random. */
static void playouts_check(struct verify *verify, const char *shape, enum isa isa)
{
	const struct game game = shape_game(verify, shape, NULL, isa);
	struct played_games games = {0};
	struct board starts[PLAYOUTS], last[PLAYOUTS];
	struct playout result[PLAYOUTS];
	char player[32];
	for (uint64_t done = 0; done < MEAN_GAMES; done += PLAYOUTS) {
		for (uint64_t i = 0; i < PLAYOUTS; i++) {
			struct rng rng;
			rng_init(&rng, verify->seed + done, RNG_SPAWN, i);
			board_start(&game, &starts[i], &rng);
		}
		playouts_run(&game, starts, PLAYOUTS, verify->seed, done, result, last);
		for (int i = 0; i < PLAYOUTS; i++) {
			games.score += (double)result[i].points;
			games.largest[board_max(&last[i])]++;
			games.n++;
		}
	}
	snprintf(player, sizeof player, "playouts, %s", isa_name(isa));
	games_check(verify, &game, player, "random", &games);
}

static void verify_playouts(struct verify *verify, const struct verify_board *board)
{
	for (enum isa isa = 0; isa < ISAS; isa++)
		if (isa_available(isa))
			playouts_check(verify, board->shape, isa);
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
