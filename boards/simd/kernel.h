/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The code that is compiled for each instruction set: rules and playouts of each shape, spawns,
 * and work on keys (keys.h). game_init() selects it.
 *
 * A file kernels_*.c defines a few vector operations and includes these templates in this order:
 * kernel_template.h (one position), playout_template.h (64 games), keys_template.h (many keys).
 */
#ifndef NXN_KERNEL_H
#define NXN_KERNEL_H

#include "boards/game.h"
#include "boards/simd/inline.h"
#include "boards/simd/keys.h"

/* One of three expressions, for code that is compiled for each instruction set. */
#if defined NXN_X86_64
#define ISA_PICK(isa, portable, avx2, avx512)                                                      \
	((isa) == ISA_AVX512 ? (avx512) : (isa) == ISA_AVX2 ? (avx2) : (portable))
#else
#define ISA_PICK(isa, portable, avx2, avx512) (portable)
#endif

/* The longest line of a shape. Shapes without sides above 4 need fewer lanes. */
#define SHAPE_LENGTH(rows, cols) ((rows) > (cols) ? (rows) : (cols))
#define SHAPE_SMALL(rows, cols) (SHAPE_LENGTH(rows, cols) <= 4)

enum {
	PLAYOUT_LANES = 64,
	PLAYOUT_STREAMS = PLAYOUT_LANES / 8,
	PLAYOUT_EMPTY = 127, /* an empty cell; a saturating increment keeps it */
};

/*
 * Running games, one per lane: cell[r * cols + c][lane] is an exponent or PLAYOUT_EMPTY. Each group
 * of 16 lanes has two generators, so that the draws do not depend on the vector width.
 */
struct playout_block {
	_Alignas(64) uint8_t cell[CELLS_MAX][PLAYOUT_LANES];
	_Alignas(64) uint64_t random[4][PLAYOUT_STREAMS];
	/* count[0]: moves. count[i], i > 0: spawns of kind i or higher. Modulo 256. */
	_Alignas(64) uint8_t count[SPAWN_KINDS_MAX][PLAYOUT_LANES];
};

/* A kind >= i > 0 appears if a uniform random number in -32768 .. 32767 exceeds above[i]. */
struct playout_odds {
	int kinds;
	uint8_t exponent[SPAWN_KINDS_MAX];
	int16_t above[SPAWN_KINDS_MAX];
};

/* The kernels of a shape; the members are those of struct game. */
struct kernel {
	int rows, cols;
	void (*moves)(const struct board *board, struct moves *moves);
	bool (*over)(const struct board *board);
	uint64_t (*playout)(struct playout_block *block, const struct playout_odds *odds,
			    int steps);
};

/* The kernels of an instruction set. */
struct kernels {
	const struct kernel *shape; /* one entry per shape */
	void (*spawn_into)(const struct game *game, const struct board *from, struct board *to,
			   struct rng *rng);
	struct keys_kernel keys;
};

extern const struct kernels kernels_portable, kernels_avx2, kernels_avx512;

#endif
