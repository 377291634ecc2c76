/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions as text: "0,2,4,8/2,2,0,0/0,0,0,0/0,0,0,0", rows from the top; see board.h.
 *
 * Reading is strict: digits without leading zeros, single separators, powers of two, equal rows.
 */
#include "boards/board.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Far below 2^63, so that no sum of 36 tiles overflows; a game's own bound is game_admits(). */
enum { EXPONENT_MAX = 48 };

/* Shows at most this many characters of TEXT: a reason is one line. */
enum { SHOWN_MAX = 80 };

/* Says that the character at AT, in its row and column, is not as it should be. */
static enum status wrong(struct why *why, const char *text, size_t at, const char *problem)
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

/* Reads one tile at TEXT[*at]; NULL on success, else what is wrong with it. */
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
			return wrong(why, text, at, "a row has at most 6 cells");
		const char *problem = tile_read(text, &at, &read.cell[r][c]);
		if (problem)
			return wrong(why, text, tile, problem);
		c++;
		if (text[at] == ',')
			continue;
		if (text[at] != '/' && text[at] != '\0')
			return wrong(why, text, at, "expected ',' or '/'");
		if (r > 0 && c != width)
			return wrong(why, text, at, "rows must have equally many cells");
		if (c < SIDE_MIN)
			return wrong(why, text, at, "a row has at least 2 cells");
		width = c;
		if (text[at] == '\0') {
			if (r + 1 < SIDE_MIN)
				return wrong(why, text, at, "a board has at least 2 rows");
			*board = read;
			*rows = r + 1;
			*cols = width;
			return STATUS_OK;
		}
		c = 0;
		if (++r == SIDE_MAX)
			return wrong(why, text, at, "a board has at most 6 rows");
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
