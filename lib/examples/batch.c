/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches of games with your own player, which makes the legal move with the largest reward.
 *
 *     cc batch.c $(pkg-config --cflags --libs nxn) -o batch && ./batch 4x4 100
 *
 * Plays that number of games at once, one per environment, and prints their mean score.
 */
#include <nxn.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH_MAX = 4096 };

static uint8_t cells[BATCH_MAX * NXN_CELLS_MAX], mask[BATCH_MAX][NXN_DIRECTIONS];
static uint8_t terminated[BATCH_MAX], done[BATCH_MAX], action[BATCH_MAX];
static uint64_t gain[BATCH_MAX][NXN_DIRECTIONS], score[BATCH_MAX];

/* Returns the legal move with the largest reward, the first of equal ones. */
static uint8_t most(const uint64_t *reward, const uint8_t *legal)
{
	int best = -1, d;
	for (d = 0; d < NXN_DIRECTIONS; d++)
		if (legal[d] && (best < 0 || reward[d] > reward[best]))
			best = d;
	return best < 0 ? 0 : (uint8_t)best;
}

int main(int argc, char **argv)
{
	const size_t n = argc > 2 ? (size_t)atoi(argv[2]) : 100;
	struct nxn_observation out = {0};
	struct nxn_game *game;
	struct nxn_envs *envs;
	struct nxn_why why;
	double sum = 0;
	size_t i, left = n;
	if (n < 1 || n > BATCH_MAX) {
		fprintf(stderr, "%s games: expected 1 to %d\n", argv[2], BATCH_MAX);
		return 2;
	}
	if (nxn_game_new(argc > 1 ? argv[1] : "4x4", NULL, 0, NULL, &game, &why)) {
		fprintf(stderr, "%s\n", why.text);
		return 2;
	}
	if (nxn_envs_new(game, n, 1, &envs, &why)) {
		fprintf(stderr, "%s\n", why.text);
		nxn_game_free(game);
		return 1;
	}
	out.cells = cells;
	out.mask = mask[0];
	out.terminated = terminated;
	out.score = score;
	nxn_envs_reset(envs, &out);
	while (left > 0) {
		nxn_moves(game, cells, n, NULL, gain[0], NULL);
		for (i = 0; i < n; i++)
			action[i] = most(gain[i], mask[i]);
		if (nxn_envs_step(envs, action, &out, &why))
			break; /* cannot happen, since no action is above 3 */
		/* Only the first game of each environment counts; others follow automatically. */
		for (i = 0; i < n; i++)
			if (terminated[i] && !done[i]) {
				done[i] = 1;
				left--;
				sum += (double)score[i];
			}
	}
	printf("%s\t%zu games\tmean score %.3f\n", nxn_game_shape(game), n, sum / (double)n);
	nxn_envs_free(envs);
	nxn_game_free(game);
	return 0;
}
