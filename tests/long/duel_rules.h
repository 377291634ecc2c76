/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sequential tests to compare with that of nxn; what they are is in docs/duel.md. */
#ifndef NXN_TESTS_DUEL_RULES_H
#define NXN_TESTS_DUEL_RULES_H

#include "tests/analysis/stats/duels.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { RULES = 9, RULE_GSPRT = 6, RULE_NAIVE, RULE_ONE };

/* A test: limits at looks, or what decides by likelihoods. */
struct rule {
	const char *name;
	struct sequential test;
	double likelihood; /* effect of GSPRT, as a logarithm; 0 for limits */
};

static double spent_square(double t, double alpha)
{
	return alpha * t * t;
}

static void rule_spend(struct rule *rule, const char *name, double (*value)(double, double))
{
	double t[BOUNDARY_LOOKS_MAX];
	struct sequential *s = &rule->test;
	const struct spending spending = {value};

	rule->name = name;
	for (size_t k = 0; k < s->looks; k++)
		t[k] = (double)s->games[k] / (double)s->games[s->looks - 1];
	boundary_spend(t, s->looks, &spending, s->alpha, s->limit);
}

/*
 * The confidence sequence that holds at every game (Robbins, Annals of Mathematical Statistics 41,
 * 1970; for means of any distribution Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform
 * central limit theory and asymptotic confidence sequences, Annals of Statistics 52, 2024),
 * narrowest about SHARPEST games.
 */
static void rule_mixture(struct rule *rule, const char *name, double sharpest)
{
	struct sequential *s = &rule->test;
	double l = -2 * log(s->alpha), r = (l + log(l) + 1) / sharpest;

	rule->name = name;
	for (size_t k = 0; k < s->looks; k++) {
		double nr = (double)s->games[k] * r;
		s->limit[k] = sqrt((nr + 1) / nr * log((nr + 1) / (s->alpha * s->alpha)));
	}
}

static void rules_make(struct rule rules[RULES], double effect)
{
	for (int i = 0; i < RULES; i++) {
		rules[i] = (struct rule){.name = "nxn duel: in proportion"};
		sequential_init(&rules[i].test, 50, 10000, 0.05);
	}
	rule_spend(&rules[1], "O'Brien-Fleming", spent_obrien_fleming);
	rule_spend(&rules[2], "squared", spent_square);
	rule_spend(&rules[3], "Pocock", spent_pocock);
	rule_mixture(&rules[4], "mixture, 500", 500);
	rule_mixture(&rules[5], "mixture, 5000", 5000);
	rules[RULE_GSPRT].name = "GSPRT";
	rules[RULE_GSPRT].likelihood = effect;
	rules[RULE_NAIVE].name = "1.96 at each look";
	rules[RULE_ONE].name = "one look";
	for (size_t k = 0; k < rules[RULE_NAIVE].test.looks; k++) {
		rules[RULE_NAIVE].test.limit[k] = gsl_cdf_ugaussian_Qinv(0.025);
		rules[RULE_ONE].test.limit[k] =
		    k + 1 < rules[RULE_ONE].test.looks ? 1e3 : gsl_cdf_ugaussian_Qinv(0.025);
	}
}

/*
 * Two tests of the generalised likelihood ratio, of +effect and of -effect against 0, as engines of
 * games are tested: 1 or -1 for one of them, 2 for 0, 0 to go on.
 */
static int likelihood_decide(double effect, const struct pairs *p)
{
	double n = (double)p->games, variance = p->spread * p->spread;
	double up = n * effect * (p->log_ratio - effect / 2) / variance;
	double down = n * effect * (-p->log_ratio - effect / 2) / variance;
	double accept = log(0.9 / 0.025), refuse = log(0.1 / 0.975);

	if (up >= accept)
		return 1;
	if (down >= accept)
		return -1;
	return up <= refuse && down <= refuse ? 2 : 0;
}

static int rule_decide(const struct rule *rule, size_t k, const struct pairs *p)
{
	if (rule->likelihood > 0)
		return likelihood_decide(rule->likelihood, p);
	if (rule->test.limit[k] > 100)
		return 0;
	struct look look = sequential_look(&rule->test, k, p, 0);
	return look.verdict == VERDICT_A ? 1 : look.verdict == VERDICT_B ? -1 : 0;
}

#endif
