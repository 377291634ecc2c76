/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of what is drawn at random: the generator, spawns, playouts, and mean scores of simple
 * players.
 *
 * With a fixed seed every figure is the same on every machine, so these checks do not fail by bad luck;
 * with another --seed they do, once in some 10^5 times: p-values must be above 10^-5 divided by their
 * number, and means within four standard errors would fail 6 times in 10^5.
 */
#include "src/verify_chance.h"

#include "agents/play.h"
#include "analysis/stats.h"
#include "boards/playout.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	SPAWNS = 40000,
	PLAYOUTS = 64,
	MEAN_GAMES = 20032, /* a multiple of that */
	EXPONENTS = CELLS_MAX + 2,
	BINS_MAX = CELLS_MAX * SPAWN_KINDS_MAX
};

static const double doubt = 1e-5; /* the probability of a false alarm in a line of p-values */

enum status verify_streams(struct verify *verify, struct why *why)
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
	verify_tally(verify, "published answers of Philox4x32-10", &tally);
	return STATUS_OK;
}

/* The bin of what appeared in AFTER: the number of the cell among the empty ones, and of the kind. */
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

double spawns_p(const struct game *game, const struct board *board,
		void (*spawn)(const struct game *game, struct board *board, struct rng *rng),
		uint64_t seed, int draws)
{
	uint64_t count[BINS_MAX] = {0};
	double p[BINS_MAX];
	struct rng rng;
	const int cells = board_empty(game, board), bins = cells * game->spawn.kinds;
	for (int i = 0; i < bins; i++)
		p[i] = game->spawn.probability[i % game->spawn.kinds] / cells;
	rng_init(&rng, seed, RNG_TEST, (uint64_t)(game->rows * ROW_BYTES + game->cols));
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

/* The range of some p-values. */
struct range {
	double least, most;
	int n;
};

static void range_tell(struct verify *verify, const struct range *range, const char *what)
{
	char found[64], expected[64];
	const double bound = doubt / 2 / range->n;
	snprintf(found, sizeof found, "p = %.4f .. %.4f", range->least, range->most);
	snprintf(expected, sizeof expected, "%.0e < p < 1-%.0e", bound, bound);
	verify_tell(verify, range->least > bound && range->most < 1 - bound, what, found, expected);
}

static void range_add(struct range *range, double p)
{
	range->least = range->n ? fmin(range->least, p) : p;
	range->most = range->n ? fmax(range->most, p) : p;
	range->n++;
}

/* Spawns on every shape; with HALF, every other cell is taken. */
static enum status spawns_check(struct verify *verify, const char *spawn, bool half,
				const char *what, struct why *why)
{
	struct range range = {0};
	for (int i = 0; i < SHAPES; i++) {
		char shape[8];
		struct game game;
		struct board board = {0};
		shape_name(i, shape);
		const struct game_options options = {.shape = shape, .spawn = spawn};
		enum status status = game_init(&game, &options, why);
		if (status)
			return status;
		for (int r = 0; half && r < game.rows; r++)
			for (int c = r % 2; c < game.cols; c += 2)
				board.cell[r][c] = 1;
		range_add(&range, spawns_p(&game, &board, board_spawn, verify->seed, SPAWNS));
	}
	range_tell(verify, &range, what);
	return STATUS_OK;
}

enum status verify_spawns(struct verify *verify, struct why *why)
{
	enum status status =
	    spawns_check(verify, NULL, false, "cells and kinds on 25 empty boards", why);
	if (!status)
		status = spawns_check(verify, NULL, true,
				      "on 25 boards with every other cell taken", why);
	if (!status)
		status = spawns_check(verify, "2:0.5,4:0.3,8:0.2", false,
				      "three kinds on 25 empty boards", why);
	return status;
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

void playouts_compare(const struct game *a, const struct game *b, uint64_t seed, size_t n,
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

static enum status playouts_alike(struct verify *verify, enum isa isa, struct why *why)
{
	struct agreement tally = {0};
	char what[80];
	for (int i = 0; i < SHAPES; i++) {
		char shape[8];
		struct game a, b;
		shape_name(i, shape);
		enum status status = verify_game(shape, NULL, isa, &a, why);
		if (!status)
			status = verify_game(shape, NULL, ISA_PORTABLE, &b, why);
		if (status)
			return status;
		playouts_compare(&a, &b, verify->seed, PLAYOUTS, &tally);
	}
	snprintf(what, sizeof what, "%s and portable: games on 25 boards", isa_name(isa));
	verify_tally(verify, what, &tally);
	return STATUS_OK;
}

/* What games of one player come to. */
struct games {
	double score; /* sum */
	uint64_t n, largest[EXPONENTS];
};

void mean_tell(struct verify *verify, const char *shape, const char *player, double mean,
	       uint64_t n, double exact, double sd)
{
	char what[80], found[40], expected[60];
	const double error = sd / sqrt((double)n);
	snprintf(what, sizeof what, "%s: mean of %" PRIu64 " games of %s", shape, n, player);
	snprintf(found, sizeof found, "%.3f (%+.1f s.e.)", mean, (mean - exact) / error);
	snprintf(expected, sizeof expected, "%.3f +- %.3f", exact, 4 * error);
	verify_tell(verify, fabs(mean - exact) <= 4 * error, what, found, expected);
}

static enum status mean_check(struct verify *verify, const struct game *game, const char *player,
			      const char *policy, const struct games *games, struct why *why)
{
	char key[80];
	double exact, sd;
	snprintf(key, sizeof key, "policy.%s.score", policy);
	enum status status = facts_find(verify, game->name, key, &exact, why);
	snprintf(key, sizeof key, "policy.%s.sd", policy);
	if (!status)
		status = facts_find(verify, game->name, key, &sd, why);
	if (!status)
		mean_tell(verify, game->name, player, games->score / (double)games->n, games->n,
			  exact, sd);
	return status;
}

/* The largest tiles: chi-squared, with those of which fewer than five are expected in one bin. */
static enum status tiles_check(struct verify *verify, const struct game *game, const char *player,
			       const char *policy, const struct games *games, struct why *why)
{
	uint64_t count[EXPONENTS + 1] = {0};
	double p[EXPONENTS + 1] = {0}, sum = 0;
	size_t bins = 1; /* the first is for the rare */
	for (int k = 1; k <= game->max_exponent; k++) {
		char key[80];
		double exact;
		snprintf(key, sizeof key, "policy.%s.p_max_tile.%" PRIu64, policy,
			 UINT64_C(1) << k);
		if (facts_find(verify, game->name, key, &exact, NULL))
			exact = 0; /* those that never are the largest are not listed */
		sum += exact;
		const bool rare = exact * (double)games->n < 5;
		count[rare ? 0 : bins] += games->largest[k];
		p[rare ? 0 : bins] += exact;
		bins += !rare;
	}
	if (fabs(sum - 1) > 1e-9)
		return why_set(why, STATUS_INPUT,
			       "%s/exact.txt: policy.%s.p_max_tile of %s add up to %.12g",
			       verify->vectors, policy, game->name, sum);
	/* What cannot be expected a tenth of a time is left out; it must not happen. */
	const bool some = p[0] * (double)games->n >= 0.1;
	char what[80];
	struct range range = {0};
	range_add(&range, count[0] && !some ? 0
			  : some	    ? stats_chi_squared(count, p, bins)
					    : stats_chi_squared(count + 1, p + 1, bins - 1));
	snprintf(what, sizeof what, "%s: their largest tiles, %s", game->name, player);
	range_tell(verify, &range, what);
	return STATUS_OK;
}

static enum status games_check(struct verify *verify, const struct game *game, const char *player,
			       const char *policy, const struct games *games, struct why *why)
{
	enum status status = mean_check(verify, game, player, policy, games, why);
	return status ? status : tiles_check(verify, game, player, policy, games, why);
}

/* Playouts are games of the agent random. */
static enum status playouts_exact(struct verify *verify, const char *shape, struct why *why)
{
	struct game game;
	struct games games = {0};
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

enum status verify_playouts(struct verify *verify, struct why *why)
{
	static const char *const shapes[] = {"2x2", "2x3", "3x3"};
	enum status status = STATUS_OK;
	for (int isa = ISA_PORTABLE + 1; !status && isa < ISAS; isa++)
		if (isa_available((enum isa)isa))
			status = playouts_alike(verify, (enum isa)isa, why);
	for (int i = 0; !status && i < 3; i++)
		status = playouts_exact(verify, shapes[i], why);
	return status;
}

static enum status player_check(struct verify *verify, const char *shape, const char *spec,
				const char *policy, struct why *why)
{
	struct game game;
	struct agent *agent;
	struct games games = {.n = MEAN_GAMES};
	enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
	const struct agent_env env = {.game = &game};
	if (!status)
		status = agent_new(spec, &env, &agent, why);
	if (status)
		return status;
	for (uint64_t i = 0; i < games.n; i++) {
		struct outcome outcome;
		play_game(agent, verify->seed, i, NULL, &outcome);
		games.score += (double)outcome.score;
		games.largest[outcome.max_exponent]++;
	}
	agent_free(agent);
	return games_check(verify, &game, spec, policy, &games, why);
}

enum status verify_simulations(struct verify *verify, struct why *why)
{
	static const char *const shapes[] = {"2x2", "2x3", "3x3"};
	static const struct {
		const char *agent, *policy;
	} players[] = {{"random", "random"},
		       {"greedy", "greedy_URDL"},
		       {"greedy:ties=random", "greedy_random_ties"}};
	enum status status = STATUS_OK;
	for (int s = 0; !status && s < 3; s++)
		for (int i = 0; !status && i < 3; i++)
			status = player_check(verify, shapes[s], players[i].agent,
					      players[i].policy, why);
	return status;
}
