/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plain rules; see oracle.h. Check value: sliding 4,2,2,2 to the left gives 4,4,2,0 and
 * 4 points.
 */
#include "boards/oracle.h"

/* Slides LINE[0..n-1] towards index 0 and merges each tile at most once. Returns the points. */
static uint64_t line_slide(int *line, int n)
{
	int tiles[SIDE_MAX] = {0}, count = 0, out[SIDE_MAX] = {0}, used = 0;
	uint64_t points = 0;
	for (int i = 0; i < n; i++)
		if (line[i])
			tiles[count++] = line[i];
	for (int i = 0; i < count; i++) {
		if (i + 1 < count && tiles[i] == tiles[i + 1]) {
			out[used] = tiles[i] + 1;
			points += (uint64_t)1 << out[used];
			used++;
			i++;
		} else {
			out[used++] = tiles[i];
		}
	}
	for (int i = 0; i < n; i++)
		line[i] = out[i];
	return points;
}

/* Returns the cell K steps from the wall on line I in direction D. */
static uint8_t *line_cell(const struct game *game, struct board *board, int d, int i, int k)
{
	switch (d) {
	case UP:
		return &board->cell[k][i];
	case DOWN:
		return &board->cell[game->rows - 1 - k][i];
	case LEFT:
		return &board->cell[i][k];
	default:
		return &board->cell[i][game->cols - 1 - k];
	}
}

void oracle_moves_by(const struct game *game, const struct board *board,
		     uint64_t (*slide)(int *line, int n), struct moves *moves)
{
	moves->legal = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		const bool vertical = d == UP || d == DOWN;
		const int lines = vertical ? game->cols : game->rows;
		const int length = vertical ? game->rows : game->cols;
		struct board after = *board;
		moves->reward[d] = 0;
		for (int i = 0; i < lines; i++) {
			int line[SIDE_MAX];
			for (int k = 0; k < length; k++)
				line[k] = *line_cell(game, &after, d, i, k);
			moves->reward[d] += slide(line, length);
			for (int k = 0; k < length; k++)
				*line_cell(game, &after, d, i, k) = (uint8_t)line[k];
		}
		moves->after[d] = after;
		if (!board_equal(&after, board))
			moves->legal |= 1u << d;
	}
}

void oracle_moves(const struct game *game, const struct board *board, struct moves *moves)
{
	oracle_moves_by(game, board, line_slide, moves);
}
