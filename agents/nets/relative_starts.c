/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random layouts for mini-games (Math for reinforcement learning, part 2, section "Everything's
 * relative": "a random layout with 64 as its largest tile").
 *
 * The article does not say how it draws them. Here the largest tile stands in a uniformly chosen
 * cell. Every other cell is empty with probability 1/2, or holds one of the smaller exponents, from
 * the smallest spawn on, uniformly; all independently. What no game could come to (game_admits()),
 * or where no move is legal, is drawn again: so this is that distribution, given that neither is so.
 *
 * Check values: where all layouts will do, the number of tiles is 1 + (cells - 1) / 2 on average. On
 * 2x2 with the largest tile 4 all will do: 4 cells x 2^3 layouts, of which one more tile than the
 * 4 has probability 3/8.
 */
#include "agents/nets/relative_starts.h"

#include <assert.h>

void starts_range(const struct game *game, int *least, int *most)
{
	*least = game->spawn.exponent[0] + 1;
	*most = game->max_exponent - 1;
}

static void layout_draw(const struct game *game, int exponent, struct rng *rng, struct board *board)
{
	const uint32_t least = game->spawn.exponent[0], kinds = (uint32_t)exponent - least;
	const uint32_t largest = rng_below(rng, (uint32_t)game->cells);
	*board = (struct board){0};
	for (int i = 0; i < game->cells; i++) {
		uint8_t *cell = &board->cell[i / game->cols][i % game->cols];
		if ((uint32_t)i == largest)
			*cell = (uint8_t)exponent;
		else if (rng_below(rng, 2))
			*cell = (uint8_t)(least + rng_below(rng, kinds));
	}
}

void starts_draw(const struct game *game, int exponent, struct rng *rng, struct board *board)
{
	struct why why;
	int least, most;
	starts_range(game, &least, &most);
	assert(least <= exponent && exponent <= most);
	do
		layout_draw(game, exponent, rng, board);
	while (game->over(board) || game_admits(game, board, &why));
}
