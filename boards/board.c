/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions: counting, starts, symmetries, text; see board.h.
 *
 * Invariants: bytes outside the shape stay 0; the symmetries form the group of the shape.
 */
#include "boards/board.h"

#include "boards/simd/bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int board_empty(const struct game *game, const struct board *board)
{
	int empty = 0;
	for (int r = 0; r < game->rows; r++)
		empty += __builtin_popcountll(zero_bytes(row_load(board->cell[r]), game->cols));
	return empty;
}

/*
 * Writes every place but advances only past empty ones, which avoids a branch that the processor
 * cannot predict.
 */
int board_empty_cells(const struct game *game, const struct board *board, uint8_t *cells)
{
	int count = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			cells[count] = (uint8_t)(r * ROW_BYTES + c);
			count += board->cell[r][c] == 0;
		}
	return count;
}

int board_max(const struct board *board)
{
	const uint8_t *cell = (const uint8_t *)board;
	uint8_t max = 0;
	for (size_t i = 0; i < sizeof *board; i++)
		max = cell[i] > max ? cell[i] : max;
	return max;
}

bool board_max_in_corner(const struct game *game, const struct board *board)
{
	int max = board_max(board), bottom = game->rows - 1, right = game->cols - 1;
	return board->cell[0][0] == max || board->cell[0][right] == max ||
	       board->cell[bottom][0] == max || board->cell[bottom][right] == max;
}

uint64_t board_sum(const struct board *board)
{
	uint64_t sum = 0;
	for (int r = 0; r < SIDE_MAX; r++)
		for (int c = 0; c < ROW_BYTES; c++)
			if (board->cell[r][c])
				sum += (uint64_t)1 << board->cell[r][c];
	return sum;
}

void board_start(const struct game *game, struct board *board, struct rng *rng)
{
	if (game->has_start) {
		*board = game->start;
		return;
	}
	*board = (struct board){0};
	for (int i = 0; i < game->start_tiles; i++)
		board_spawn(game, board, rng);
}

void board_symmetry(const struct game *game, int i, const struct board *in, struct board *out)
{
	struct board result = {0};
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			int row = i & 2 ? game->rows - 1 - r : r;
			int col = i & 1 ? game->cols - 1 - c : c;
			if (i & 4)
				result.cell[col][row] = in->cell[r][c];
			else
				result.cell[row][col] = in->cell[r][c];
		}
	*out = result;
}

/* Compares cell by cell, from the last one. */
static int board_compare(const struct board *a, const struct board *b)
{
	for (int r = SIDE_MAX - 1; r >= 0; r--) {
		const uint64_t x = row_load(a->cell[r]), y = row_load(b->cell[r]);
		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

void board_canonical(const struct game *game, const struct board *in, struct board *out)
{
	struct board image, best = *in;
	for (int i = 1; i < game->symmetries; i++) {
		board_symmetry(game, i, in, &image);
		if (board_compare(&image, &best) < 0)
			best = image;
	}
	*out = best;
}

/*
 * Positions as text: "0,2,4,8/2,2,0,0/0,0,0,0/0,0,0,0", rows from the top.
 * Reading is strict: digits without leading zeros, single separators, powers of two, equal rows.
 */

/* Far below 63, so that no sum of 36 tiles overflows. game_admits() checks the limit of a game. */
enum { EXPONENT_MAX = 48 };

/* Messages quote at most this many characters of TEXT. */
enum { SHOWN_MAX = 80 };

/* Reports PROBLEM at character TEXT[AT], with its row and column. */
static enum status board_error(struct why *why, const char *text, size_t at, const char *problem)
{
	int row = 1, col = 1;
	for (size_t i = 0; i < at; i++) {
		row += text[i] == '/';
		col = text[i] == '/' ? 1 : col + (text[i] == ',');
	}
	const char *more = strnlen(text, SHOWN_MAX + 1) > SHOWN_MAX ? "..." : "";
	return why_set(why, STATUS_INPUT,
		       "position '%.*s%s', character %zu: %s (row %d, column %d)", SHOWN_MAX, text,
		       more, at + 1, problem, row, col);
}

/* Parses a tile at TEXT[*AT]. Returns NULL, or what is wrong with the tile. */
static const char *tile_read(const char *text, size_t *at, uint8_t *exponent)
{
	uint64_t tile = 0;
	size_t i = *at;
	for (; text[i] >= '0' && text[i] <= '9' && i - *at < 16; i++)
		tile = tile * 10 + (uint64_t)(text[i] - '0');
	if (i == *at)
		return "expected a tile, such as 0, 2 or 4";
	if (text[*at] == '0' && i - *at > 1)
		return "a tile has no leading zero";
	if (tile == 1 || (tile & (tile - 1)) || tile > (uint64_t)1 << EXPONENT_MAX)
		return "not a tile: expected 0 or a power of two from 2 to 2^48";
	*exponent = tile ? (uint8_t)__builtin_ctzll(tile) : 0;
	*at = i;
	return NULL;
}

enum status board_parse(const char *text, struct board *board, int *rows, int *cols,
			struct why *why)
{
	struct board read = {0};
	int width = 0;
	size_t at = 0;
	for (int r = 0, c = 0;; at++) {
		size_t tile = at;
		if (c == SIDE_MAX)
			return board_error(why, text, at, "a row has at most 6 cells");
		const char *problem = tile_read(text, &at, &read.cell[r][c]);
		if (problem)
			return board_error(why, text, tile, problem);
		c++;
		if (text[at] == ',')
			continue;
		if (text[at] != '/' && text[at] != '\0')
			return board_error(why, text, at, "expected ',' or '/'");
		if (r > 0 && c != width)
			return board_error(why, text, at, "rows must have equally many cells");
		if (c < SIDE_MIN)
			return board_error(why, text, at, "a row has at least 2 cells");
		width = c;
		if (text[at] == '\0') {
			if (r + 1 < SIDE_MIN)
				return board_error(why, text, at, "a board has at least 2 rows");
			*board = read;
			*rows = r + 1;
			*cols = width;
			return STATUS_OK;
		}
		c = 0;
		if (++r == SIDE_MAX)
			return board_error(why, text, at, "a board has at most 6 rows");
	}
}

enum status board_read(const struct game *game, const char *text, struct board *board,
		       struct why *why)
{
	struct board read;
	int rows = 0, cols = 0;
	enum status status = board_parse(text, &read, &rows, &cols, why);
	if (status)
		return status;
	if (rows != game->rows || cols != game->cols)
		return why_set(why, STATUS_INPUT, "position %s is %dx%d, expected %s", text, rows,
			       cols, game->name);
	status = game_admits(game, &read, why);
	if (status)
		return status;
	*board = read;
	return STATUS_OK;
}

void board_format(const struct game *game, const struct board *board, char text[BOARD_TEXT_MAX])
{
	size_t used = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			int k = board->cell[r][c];
			uint64_t tile = k ? (uint64_t)1 << k : 0;
			const char *mark = c ? "," : r ? "/" : "";
			used += (size_t)snprintf(text + used, BOARD_TEXT_MAX - used, "%s%" PRIu64,
						 mark, tile);
		}
}
