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

/* Convert between rows of COLS bytes and a board. Inlined, so that COLS is a constant. */
static inline __attribute__((always_inline)) void rows_load(const uint8_t *cells, int rows,
							    size_t cols, struct board *board)
{
	for (int r = 0; r < rows; r++)
		memcpy(board->cell[r], cells + (size_t)r * cols, cols);
}

static inline __attribute__((always_inline)) void rows_store(const struct board *board, int rows,
							     size_t cols, uint8_t *cells)
{
	for (int r = 0; r < rows; r++)
		memcpy(cells + (size_t)r * cols, board->cell[r], cols);
}

/* Converts CELLS[rows][cols] to a board. */
static inline void board_load(const struct game *game, const uint8_t *cells, struct board *board)
{
	*board = (struct board){0};
	switch (game->cols) {
	case 2:
		rows_load(cells, game->rows, 2, board);
		break;
	case 3:
		rows_load(cells, game->rows, 3, board);
		break;
	case 4:
		rows_load(cells, game->rows, 4, board);
		break;
	case 5:
		rows_load(cells, game->rows, 5, board);
		break;
	default:
		rows_load(cells, game->rows, 6, board);
		break;
	}
}

static inline void board_store(const struct game *game, const struct board *board, uint8_t *cells)
{
	switch (game->cols) {
	case 2:
		rows_store(board, game->rows, 2, cells);
		break;
	case 3:
		rows_store(board, game->rows, 3, cells);
		break;
	case 4:
		rows_store(board, game->rows, 4, cells);
		break;
	case 5:
		rows_store(board, game->rows, 5, cells);
		break;
	default:
		rows_store(board, game->rows, 6, cells);
		break;
	}
}

/*
 * Checks position I of CELLS and converts it to BOARD. STATUS_INPUT names the position as number I.
 */
enum status board_take(const struct game *game, const uint8_t *cells, size_t i, struct board *board,
		       struct why *why);

#endif
