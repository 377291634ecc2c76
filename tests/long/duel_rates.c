/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * duel_rates NAME FILE ...: error rates of sequential tests, by duels whose truth is known.
 *
 * A FILE has the scores of two players a line, of games that were played; NAME is what the world is
 * called in which pairs are drawn from it. Another world has normal scores. Prints the tables of
 * docs/duel.md, and fails if nxn's test does not keep what it promises. Effects are given by the
 * games in which a test with one look finds them in 90% of duels, so worlds are alike in them.
 */
#include "tests/analysis/stats/duels.h"
#include "tests/long/duel_rules.h"

#include <stdio.h>

enum { WORLDS_MAX = 8, EFFECTS = 5, DUELS = 4000, SCORES_MAX = 100000 };

/* Games of one look; 0 for no effect. */
static const double effect_games[EFFECTS] = {0, 300, 1000, 3000, 10000};

static int bad;

static void check(const char *what, double x, double low, double high)
{
	if (low <= x && x <= high)
		return;
	printf("FAILED: %s is %.4f, wanted in %.4f .. %.4f\n", what, x, low, high);
	bad = 1;
}

struct tally {
	double apart, wrong, nothing, games; /* shares of duels; games a duel */
};

/* One duel by a rule, whose estimates at all looks are there. */
static void tally_add(struct tally *tally, const struct rule *rule, const struct pairs *pairs)
{
	int decision = 0;
	size_t k = 0;

	while (!(decision = rule_decide(rule, k, &pairs[k])) && k + 1 < rule->test.looks)
		k++;
	tally->apart += abs(decision) == 1;
	tally->wrong += decision == -1;
	tally->nothing += decision == 2;
	tally->games += (double)pairs[k].games;
}

static void world_play(const struct world *world, const struct rule rules[RULES], uint64_t seed,
		       struct tally tally[RULES])
{
	static double a[10000], b[10000];
	struct pairs pairs[BOUNDARY_LOOKS_MAX];
	const struct sequential *s = &rules->test;

	memset(tally, 0, RULES * sizeof *tally);
	for (uint64_t i = 0; i < DUELS; i++) {
		struct rng rng;
		rng_init(&rng, seed, RNG_TEST, i);
		pairs_draw(world, &rng, a, b, 10000);
		for (size_t k = 0; k < s->looks; k++)
			pairs[k] = pairs_estimate(a, b, s->games[k]);
		for (int r = 0; r < RULES; r++)
			tally_add(&tally[r], &rules[r], pairs);
	}
	for (int r = 0; r < RULES; r++) {
		tally[r].apart /= DUELS;
		tally[r].wrong /= DUELS;
		tally[r].nothing /= DUELS;
		tally[r].games /= DUELS;
	}
}

/* The ratio that one look finds in 90% of duels with so many games of this spread. */
static double ratio_of(double games, double spread)
{
	return games > 0 ? exp((1.959964 + 1.281552) * spread / sqrt(games)) : 1;
}

static double world_spread(const struct world *world)
{
	return world->n ? pairs_estimate(world->a, world->b, world->n).spread
			: sqrt(2.) * world->sd;
}

static void rules_compare(const char *name, struct world world, uint64_t seed)
{
	static struct tally tally[EFFECTS][RULES];
	struct rule rules[RULES];
	double spread = world_spread(&world);

	rules_make(rules, log(ratio_of(3000, spread)));
	for (int e = 0; e < EFFECTS; e++) {
		world.ratio = ratio_of(effect_games[e], spread);
		world_play(&world, rules, seed + (uint64_t)e, tally[e]);
	}
	printf("\n%s: false verdicts and games; then verdicts for the better and games, for "
	       "effects of\n| rule | none |",
	       name);
	for (int e = 1; e < EFFECTS; e++)
		printf(" %.0f (%.1f%%) |", effect_games[e],
		       100 * (ratio_of(effect_games[e], spread) - 1));
	printf("\n|---|---|---|---|---|---|\n");
	for (int r = 0; r < RULES; r++) {
		printf("| %s |", rules[r].name);
		for (int e = 0; e < EFFECTS; e++)
			printf(" %.1f%%, %.0f |",
			       100 * (tally[e][r].apart - (e ? tally[e][r].wrong : 0)),
			       tally[e][r].games);
		printf("\n");
	}
	printf("GSPRT takes them for equal in %.1f%%, %.1f%%, %.1f%%, %.1f%%, %.1f%%\n",
	       100 * tally[0][RULE_GSPRT].nothing, 100 * tally[1][RULE_GSPRT].nothing,
	       100 * tally[2][RULE_GSPRT].nothing, 100 * tally[3][RULE_GSPRT].nothing,
	       100 * tally[4][RULE_GSPRT].nothing);
	check("false verdicts", tally[0][0].apart, 0.036, 0.064);
	check("effects of 3000 games found", tally[3][0].apart - tally[3][0].wrong, 0.98, 1);
	check("effects of 10000 games found", tally[4][0].apart - tally[4][0].wrong, 0.82, 0.88);
	check("1.96 at each look", tally[0][RULE_NAIVE].apart, 0.3, 0.42);
}

/* False verdicts by length and level, and what intervals miss. */
static void levels_print(const char *name, struct world world, uint64_t seed)
{
	static const struct {
		uint64_t batch, most;
		double alpha;
	} tests[] = {{20, 100, 0.05}, {20, 200, 0.05}, {50, 1000, 0.05}, {50, 1000, 0.01}};
	struct sequential test;
	double spread = world_spread(&world);

	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		double alpha = tests[i].alpha;
		sequential_init(&test, tests[i].batch, tests[i].most, alpha);
		world.ratio = 1;
		struct rates r = duels_play(&test, &world, 0, 10000, seed + i);
		world.ratio = ratio_of((double)tests[i].most / 2, spread);
		struct rates f = duels_play(&test, &world, 0, 10000, seed + 10 + i);
		printf("| %s | %.0f%% | %d, %d | %.2f%%, %.2f%% | %.2f%% | %.2f%% | %.2f%% | "
		       "%.1f%% | %+.1f%% |\n",
		       name, 100 * alpha, (int)tests[i].batch, (int)tests[i].most,
		       100 * r.verdict[VERDICT_A], 100 * r.verdict[VERDICT_B],
		       100 * r.missed_difference, 100 * f.missed, 100 * f.missed_difference,
		       100 * f.verdict[VERDICT_A], 100 * (exp(f.log_ratio) / world.ratio - 1));
		/* Four standard deviations, and a fifth of the rate for what is not normal. */
		double room = 4 * sqrt(alpha * (1 - alpha) / 10000) + alpha / 5;
		check("false verdicts", r.verdict[VERDICT_A] + r.verdict[VERDICT_B], alpha - room,
		      alpha + room);
		check("ratio missed", f.missed, 0, alpha + room);
		check("difference missed", f.missed_difference, 0, alpha + room);
	}
}

/* Equal within a bound, where it is true and where it is just not. */
static void bounds_print(const char *name, struct world world, uint64_t seed)
{
	struct sequential test;
	double bound = ratio_of(1000, world_spread(&world)) - 1;

	sequential_init(&test, 50, 10000, 0.05);
	world.ratio = 1;
	struct rates equal = duels_play(&test, &world, bound, DUELS, seed);
	world.ratio = 1 + bound;
	struct rates edge = duels_play(&test, &world, bound, DUELS, seed + 1);
	printf("| %s | %.1f%% | %.1f%%, %.1f%%, %.0f | %.2f%%, %.1f%%, %.0f |\n", name, 100 * bound,
	       100 * equal.verdict[VERDICT_EQUAL],
	       100 * (equal.verdict[VERDICT_A] + equal.verdict[VERDICT_B]), equal.games,
	       100 * edge.verdict[VERDICT_EQUAL], 100 * edge.verdict[VERDICT_A], edge.games);
	check("false equality", edge.verdict[VERDICT_EQUAL], 0, 0.035);
	check("false verdicts with a bound", equal.verdict[VERDICT_A] + equal.verdict[VERDICT_B], 0,
	      0.062);
}

/* Whether the mean of X is told from 0 by Student's t, 95%. */
static bool mean_apart(const double *x, size_t n)
{
	struct interval mean = stats_mean_of(mean_of(x, n), 0, n);
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean.value) * (x[i] - mean.value);
	mean = stats_mean_of(mean.value, squares, n);
	return mean.low > 0 || mean.high < 0;
}

/* What one look after 1000 games says if it asks after means, logarithms, or who is ahead. */
static void statistics_compare(const char *name, struct world world, uint64_t seed)
{
	enum { GAMES = 1000 };
	static double a[GAMES], b[GAMES], x[GAMES];
	struct sequential one;
	double apart[2][4] = {{0}};

	sequential_init(&one, GAMES, GAMES, 0.05);
	for (uint64_t i = 0; i < 2 * DUELS; i++) {
		struct rng rng;
		size_t effect = i % 2;
		world.ratio = ratio_of(effect ? GAMES : 0, world_spread(&world));
		rng_init(&rng, seed, RNG_TEST, i);
		pairs_draw(&world, &rng, a, b, GAMES);
		struct pairs p = pairs_estimate(a, b, GAMES);
		apart[effect][0] += sequential_look(&one, 0, &p, 0).verdict != VERDICT_OPEN;
		for (int k = 0; k < GAMES; k++)
			x[k] = a[k] - b[k];
		apart[effect][1] += mean_apart(x, GAMES);
		for (int k = 0; k < GAMES; k++)
			x[k] = log(fmax(a[k], 1) / fmax(b[k], 1));
		apart[effect][2] += mean_apart(x, GAMES);
		for (int k = 0; k < GAMES; k++)
			x[k] = (a[k] > b[k]) - (a[k] < b[k]);
		apart[effect][3] += mean_apart(x, GAMES);
	}
	printf("| %s |", name);
	for (int k = 0; k < 4; k++)
		printf(" %.1f%%, %.1f%% |", 100 * apart[0][k] / DUELS, 100 * apart[1][k] / DUELS);
	printf("\n");
}

/* Reads pairs of scores; false if there are none. */
static bool world_read(struct world *world, const char *path)
{
	double *a = calloc(2 * SCORES_MAX, sizeof *a), *b = a + SCORES_MAX;
	FILE *in = fopen(path, "r");
	size_t n = 0;

	while (a && in && n < SCORES_MAX && fscanf(in, "%lf %lf", &a[n], &b[n]) == 2)
		n++;
	if (in)
		fclose(in);
	*world = (struct world){.a = a, .b = b, .n = n, .ratio = 1};
	return n > 0;
}

static void world_print(const char *name, const struct world *world)
{
	struct pairs p = pairs_estimate(world->a, world->b, world->n);
	double cube = 0;

	for (size_t i = 0; i < world->n; i++)
		cube += pow(world->a[i] / p.a - world->b[i] / p.b, 3) / (double)world->n;
	printf("| %s | %zu | %.0f, %.0f | %.3f | %.2f | %.2f | %.1f%% | %.1f%% |\n", name, world->n,
	       p.a, p.b, p.spread, cube / pow(p.spread, 3), p.correlation,
	       100 * ((double)p.won + (double)p.tied / 2) / (double)p.games,
	       100 * (double)p.tied / (double)p.games);
}

int main(int argc, char **argv)
{
	const char *name[WORLDS_MAX] = {"normal"};
	struct world world[WORLDS_MAX] = {{.sd = 0.5, .ratio = 1}};
	int worlds = 1;

	for (int i = 1; i + 1 < argc && worlds < WORLDS_MAX; i += 2) {
		name[worlds] = argv[i];
		if (!world_read(&world[worlds++], argv[i + 1])) {
			printf("FAILED: no scores in %s\n", argv[i + 1]);
			return 1;
		}
	}
	printf(
	    "| world | games | mean scores | spread | skewness | correlation | A ahead | ties |\n"
	    "|---|---|---|---|---|---|---|---|\n");
	for (int w = 1; w < worlds; w++)
		world_print(name[w], &world[w]);
	for (int w = 0; w < worlds; w++)
		rules_compare(name[w], world[w], 1000 * (uint64_t)w);
	printf("\n| world | alpha | batch, at most | A, B at no effect | difference missed | ratio "
	       "missed "
	       "at an effect | difference missed | found | estimate "
	       "|\n|---|---|---|---|---|---|---|---|---|\n");
	for (int w = 0; w < worlds; w++)
		levels_print(name[w], world[w], 1000 * (uint64_t)w + 100);
	printf(
	    "\n| world | bound | no effect: equal, apart, games | at the bound: equal, A, games |\n"
	    "|---|---|---|---|\n");
	for (int w = 0; w < worlds; w++)
		bounds_print(name[w], world[w], 1000 * (uint64_t)w + 200);
	printf("\n| world | ratio of means | difference | logarithms | who is ahead "
	       "|\n|---|---|---|---|---|\n");
	for (int w = 1; w < worlds; w++)
		statistics_compare(name[w], world[w], 1000 * (uint64_t)w + 300);
	return bad;
}
