/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of what is drawn at random: the generator, spawns and playouts, against published or exact
 * figures.
 *
 * With a fixed seed every figure is the same on every machine, so these checks do not fail by bad
 * luck. With another --seed they do, once in some 10^5 times: p-values must be above 10^-5
 * divided by their number, and means within four standard errors, which fails 6 times in 10^5.
 */
#include "src/verify/verify.h"

#include "agents/play.h"
#include "analysis/stats/stats.h"
#include "boards/simd/playout.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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
		agree_add(&tally, strcmp(bits, known[i].bits) == 0, "%s, not %s", bits,
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
				  "%s, %s: %" PRIu64 " points in %" PRIu64 " moves, not %" PRIu64
				  " in %" PRIu64,
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

const struct verify_check chance_checks[] = {
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
