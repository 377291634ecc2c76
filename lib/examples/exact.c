/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares a player with the exact optimum of a small board: the interval of its mean score over
 * sampled games, its exact expected score, and the score of optimal play.
 *
 *     cc exact.c $(pkg-config --cflags --libs nxn nxn-stats) -o exact && ./exact 2x3 greedy
 */
#include <nxn.h>
#include <stdio.h>

enum { GAMES = 1000 };

static int compare(const char *shape, const char *text, struct nxn_why *why)
{
	static uint64_t score[GAMES];
	static double x[GAMES];
	static struct nxn_exact_score exact;
	struct nxn_game *game = NULL;
	struct nxn_agent *agent = NULL;
	struct nxn_solution best;
	struct nxn_interval mean;
	int i, status = nxn_game_new(shape, NULL, 0, NULL, &game, why);
	if (!status)
		status = nxn_agent_new(game, text, &agent, why);
	if (!status)
		status = nxn_agent_play(agent, 1, 0, GAMES, score, NULL, NULL, why);
	for (i = 0; i < GAMES; i++)
		x[i] = (double)score[i];
	if (!status)
		status = nxn_estimate(NXN_MEAN, x, GAMES, &mean, why);
	if (!status)
		status = nxn_exact_play(game, text, NULL, 1, 0, &exact, why);
	if (!status)
		status = nxn_solve(game, NULL, 1, 0, &best, why);
	if (!status)
		printf("%s\t%s\tsampled %.3f (%.3f to %.3f)\texactly %.6f\tof %.6f\n", shape, text,
		       mean.value, mean.low, mean.high, exact.score, best.value);
	nxn_agent_free(agent);
	nxn_game_free(game);
	return status;
}

int main(int argc, char **argv)
{
	struct nxn_why why;
	if (compare(argc > 1 ? argv[1] : "2x3", argc > 2 ? argv[2] : "greedy", &why)) {
		fprintf(stderr, "%s\n", why.text);
		return 2;
	}
	return 0;
}
