/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares two players on a board twice: the ratio of their means as of independent samples, and
 * game by game where they drew the same spawns. The first needs no common games; the second is the
 * sharper the more the spawns decide.
 */
#include "analysis/stats/versus.h"
#include "analysis/stats/summary.h"

#include <stdlib.h>

/* Collects the scores of the games that both played; rows are ordered by (seed, game). */
static size_t games_pair(const struct cell *a, const struct cell *b, double *a_score,
			 double *b_score)
{
	size_t pairs = 0;

	for (size_t i = 0, j = 0; i < a->games && j < b->games;) {
		const struct gamelog_row *x = a->rows[i], *y = b->rows[j];
		bool behind = x->seed != y->seed ? x->seed < y->seed : x->game < y->game;
		if (x->seed == y->seed && x->game == y->game) {
			a_score[pairs] = (double)x->score;
			b_score[pairs++] = (double)y->score;
			i++;
			j++;
		} else if (behind) {
			i++;
		} else {
			j++;
		}
	}
	return pairs;
}

enum status versus_estimate(const struct cell *a, const struct cell *b, unsigned resamples,
			    struct versus *out, struct why *why)
{
	struct versus v = {.a = a, .b = b};
	double *scores = malloc((a->games + b->games) * sizeof *scores);

	if (!scores)
		return why_set(why, STATUS_SYSTEM, "out of memory for a comparison");
	size_t pairs = games_pair(a, b, scores, scores + a->games);
	v.paired = stats_paired(scores, scores + a->games, pairs);
	free(scores);
	struct sample x = {a->scores, a->games, a->means}, y = {b->scores, b->games, b->means};
	enum status status = stats_ratio(&x, &y, resamples, &v.ratio, why);
	if (status == STATUS_OK)
		*out = v;
	return status;
}

struct versus versus_flip(const struct versus *versus)
{
	const struct interval *ratio = &versus->ratio;
	const struct paired *p = &versus->paired;

	return (struct versus){
	    .a = versus->b,
	    .b = versus->a,
	    .ratio = {1 / ratio->value, 1 / ratio->high, 1 / ratio->low},
	    .paired =
		{
		    .games = p->games,
		    .difference = {-p->difference.value, -p->difference.high, -p->difference.low},
		    .won = p->lost,
		    .tied = p->tied,
		    .lost = p->won,
		},
	};
}
