/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the library: objects, conversion of positions, error reasons. */
#ifndef NXN_LIBNXN_H
#define NXN_LIBNXN_H

#include "agents/agent.h"
#include "boards/board.h"
#include "lib/nxn.h"

#include <string.h>

struct nxn_game {
	struct game game;
};

struct nxn_rng {
	struct rng rng;
};

struct nxn_agent {
	const struct nxn_game *game;
	struct agent *agent;
	char *text;	/* in canonical form */
	bool untrained; /* may play before it has learned anything */
};

_Static_assert((int)NXN_OK == (int)STATUS_OK && (int)NXN_INPUT == (int)STATUS_INPUT &&
		   (int)NXN_SYSTEM == (int)STATUS_SYSTEM && (int)NXN_STOPPED == (int)STATUS_STOPPED,
	       "a status is one of nxn.h");
_Static_assert(sizeof(struct nxn_why) == sizeof(struct why), "a reason is one of nxn.h");
_Static_assert((int)NXN_CELLS_MAX == (int)CELLS_MAX &&
		   (int)NXN_BOARD_TEXT_MAX == (int)BOARD_TEXT_MAX,
	       "the sizes of nxn.h");
_Static_assert((int)NXN_UP == (int)UP && (int)NXN_RIGHT == (int)RIGHT &&
		   (int)NXN_DOWN == (int)DOWN && (int)NXN_LEFT == (int)LEFT,
	       "the directions of nxn.h");

static inline struct why *reason(struct nxn_why *why)
{
	return (struct why *)(void *)why;
}

static inline enum nxn_status public_status(enum status status)
{
	return (enum nxn_status)status;
}

/* Copies ROWS rows of COLS bytes, which begin TO_STEP and FROM_STEP bytes apart. */
static inline __attribute__((always_inline)) void rows_copy(uint8_t *to, size_t to_step,
							    const uint8_t *from, size_t from_step,
							    int rows, size_t cols)
{
	for (; rows > 0; rows--, to += to_step, from += from_step)
		memcpy(to, from, cols);
}

/* Copies the rows of GAME. Inlined, so that the number of columns is a constant. */
static inline __attribute__((always_inline)) void cells_copy(const struct game *game, uint8_t *to,
							     size_t to_step, const uint8_t *from,
							     size_t from_step)
{
	switch (game->cols) {
	case 2:
		rows_copy(to, to_step, from, from_step, game->rows, 2);
		break;
	case 3:
		rows_copy(to, to_step, from, from_step, game->rows, 3);
		break;
	case 4:
		rows_copy(to, to_step, from, from_step, game->rows, 4);
		break;
	case 5:
		rows_copy(to, to_step, from, from_step, game->rows, 5);
		break;
	default:
		rows_copy(to, to_step, from, from_step, game->rows, 6);
		break;
	}
}

/* Converts CELLS[rows][cols] to a board. */
static inline void board_load(const struct game *game, const uint8_t *cells, struct board *board)
{
	*board = (struct board){0};
	cells_copy(game, board->cell[0], ROW_BYTES, cells, (size_t)game->cols);
}

static inline void board_store(const struct game *game, const struct board *board, uint8_t *cells)
{
	cells_copy(game, cells, (size_t)game->cols, board->cell[0], ROW_BYTES);
}

/*
 * Checks position I of CELLS and converts it to BOARD. STATUS_INPUT names the position as number I.
 */
enum status board_take(const struct game *game, const uint8_t *cells, size_t i, struct board *board,
		       struct why *why);

#endif
