/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules, compiled for each shape; game_init() picks one. */
#ifndef NXN_KERNEL_H
#define NXN_KERNEL_H

#include "boards/game.h"

struct kernel {
	int rows, cols;
	void (*moves)(const struct board *board, struct moves *moves);
	bool (*over)(const struct board *board);
};

/* The kernel of a shape, or NULL when there is none. */
const struct kernel *kernel_find(int rows, int cols);

#endif
