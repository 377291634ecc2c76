/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of games against what is exact: playouts, and simple players. Means within four standard
 * errors would fail 6 times in 10^5 with another --seed.
 */
#include "src/verify/verify_chance.h"

#include "agents/play.h"
#include "analysis/stats/stats.h"
#include "boards/simd/playout.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	PLAYOUTS = 64,
	MEAN_GAMES = 20032, /* a multiple of that */
	EXPONENTS = CELLS_MAX + 2,
};

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
	struct p_range range = {0};
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
