/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions for the eye: plain text, and tiles on a terminal. Writes to standard output. */
#ifndef NXN_SCREEN_H
#define NXN_SCREEN_H

#include "boards/board.h"

/* A line a row, tiles in columns, '.' for an empty cell. */
void screen_print(const struct game *game, const struct board *board);

/*
 * Takes over the terminal: an empty screen, no cursor. SIGINT, SIGTERM and SIGHUP give it back
 * before they end the process.
 */
void screen_open(void);

struct screen_size {
	int columns, lines;
};

/* That of the terminal at this moment; 80 columns of 24 lines if it does not tell. */
struct screen_size screen_size(void);

/*
 * Shows a position between the lines of ABOVE and of BELOW (which may be NULL), in place of what
 * there was; with colours unless NO_COLOR is set (https://no-color.org). 6x6 with five lines of text
 * fits into 80 columns and 24 lines; a smaller screen gets smaller cells.
 */
void screen_show(const struct game *game, const struct board *board, const char *above,
		 const char *below);

/* Gives the terminal back as it was. */
void screen_close(void);

#endif
