/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of one or many boards as 64-bit words: byte c of a row is bits 8c .. 8c+7. */
#ifndef NXN_BYTES_H
#define NXN_BYTES_H

#include "boards/game.h"

#include <string.h>

static inline uint64_t row_load(const uint8_t bytes[ROW_BYTES])
{
	uint64_t word;
	memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

static inline void row_store(uint8_t bytes[ROW_BYTES], uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	memcpy(bytes, &word, sizeof word);
}

/*
 * Marks each zero byte among the first COLS by its highest bit. All bytes of WORD must be below
 * 128.
 */
static inline uint64_t zero_bytes(uint64_t word, int cols)
{
	return ~(word + 0x7f7f7f7f7f7f7f7fu) & (0x8080808080808080u >> (64 - 8 * cols));
}

/* Exchanges off-diagonal blocks of SHIFT bits between two rows of a byte matrix. */
static inline void swap_blocks(uint64_t *a, uint64_t *b, int shift, uint64_t mask)
{
	uint64_t difference = ((*a >> shift) ^ *b) & mask;
	*a ^= difference << shift;
	*b ^= difference;
}

/* Transposes an 8 x 8 byte matrix: 4 x 4 blocks, then 2 x 2 blocks, then bytes. */
static inline void transpose_bytes(uint64_t m[8])
{
	for (int r = 0; r < 4; r++)
		swap_blocks(&m[r], &m[r + 4], 32, 0x00000000ffffffffu);
	for (int r = 0; r < 8; r += r % 2 ? 3 : 1)
		swap_blocks(&m[r], &m[r + 2], 16, 0x0000ffff0000ffffu);
	for (int r = 0; r < 8; r += 2)
		swap_blocks(&m[r], &m[r + 1], 8, 0x00ff00ff00ff00ffu);
}

enum { BATCH_MAX = 256 };

/*
 * Many positions of one shape: row[r][i] is row r of position i. Kernels for batches convert rows
 * to lanes (lanes_wide*.h), one position per byte. Rows beyond the shape, and unused positions, may
 * have any contents.
 */
struct batch {
	_Alignas(64) uint64_t row[SIDE_MAX][BATCH_MAX];
};

/* Stores the first ROWS rows of BOARD as position I. */
static inline void batch_put(struct batch *batch, size_t i, const struct board *board, int rows)
{
	for (int r = 0; r < rows; r++)
		batch->row[r][i] = row_load(board->cell[r]);
}

static inline void batch_get(const struct batch *batch, size_t i, struct board *board, int rows)
{
	*board = (struct board){0};
	for (int r = 0; r < rows; r++)
		row_store(board->cell[r], batch->row[r][i]);
}

#endif
