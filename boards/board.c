/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions: counting, spawning, symmetries, packing; see board.h.
 *
 * Invariants: bytes outside the shape stay 0; board_unpack(board_pack(b)) == b for every exponent
 * up to max_exponent; the symmetries form the group of the shape.
 */
#include "boards/board.h"

#include "boards/simd/bytes.h"

int board_empty(const struct game *game, const struct board *board)
{
	int empty = 0;
	for (int r = 0; r < game->rows; r++)
		empty += __builtin_popcountll(zero_bytes(row_load(board->cell[r]), game->cols));
	return empty;
}

/* Writes every place and keeps the empty ones: what comes next is not a branch to guess. */
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
	int max = 0;
	for (int r = 0; r < SIDE_MAX; r++)
		for (int c = 0; c < ROW_BYTES; c++)
			max = board->cell[r][c] > max ? board->cell[r][c] : max;
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

static uint8_t spawn_kind(const struct spawn_rule *rule, struct rng *rng)
{
	double u = rng_real(rng);
	int kind = 0;
	while (kind < rule->kinds - 1 && u >= rule->probability[kind])
		u -= rule->probability[kind++];
	return rule->exponent[kind];
}

void board_spawn(const struct game *game, struct board *board, struct rng *rng)
{
	uint8_t cells[CELLS_MAX];
	uint32_t count = (uint32_t)board_empty_cells(game, board, cells);
	uint8_t *cell = board_at(board, cells[rng_below(rng, count)]);
	*cell = spawn_kind(&game->spawn, rng);
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

void board_transpose(const struct board *in, struct board *out)
{
	uint64_t row[8] = {0};
	for (int r = 0; r < SIDE_MAX; r++)
		row[r] = row_load(in->cell[r]);
	transpose_bytes(row);
	for (int r = 0; r < SIDE_MAX; r++)
		row_store(out->cell[r], row[r]);
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

void board_pack(const struct game *game, const struct board *board, struct packed *packed)
{
	*packed = (struct packed){0};
	int bit = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++, bit += game->bits) {
			uint64_t exponent = board->cell[r][c];
			packed->word[bit / 64] |= exponent << bit % 64;
			if (bit % 64 + game->bits > 64)
				packed->word[bit / 64 + 1] |= exponent >> (64 - bit % 64);
		}
}

void board_unpack(const struct game *game, const struct packed *packed, struct board *board)
{
	*board = (struct board){0};
	int bit = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++, bit += game->bits) {
			uint64_t exponent = packed->word[bit / 64] >> bit % 64;
			if (bit % 64 + game->bits > 64)
				exponent |= packed->word[bit / 64 + 1] << (64 - bit % 64);
			board->cell[r][c] = (uint8_t)(exponent & ((1u << game->bits) - 1));
		}
}

int packed_compare(const struct packed *a, const struct packed *b)
{
	for (int i = 3; i >= 0; i--)
		if (a->word[i] != b->word[i])
			return a->word[i] < b->word[i] ? -1 : 1;
	return 0;
}

void board_canonical(const struct game *game, const struct board *in, struct board *out)
{
	struct board best = *in;
	struct packed least;
	board_pack(game, in, &least);
	for (int i = 1; i < game->symmetries; i++) {
		struct board image;
		struct packed packed;
		board_symmetry(game, i, in, &image);
		board_pack(game, &image, &packed);
		if (packed_compare(&packed, &least) < 0) {
			least = packed;
			best = image;
		}
	}
	*out = best;
}
