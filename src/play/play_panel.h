/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts around a board: what there is to say, in as many lines as there are. */
#ifndef NXN_PLAY_PANEL_H
#define NXN_PLAY_PANEL_H

#include "src/play/screen.h"

/* What a panel has: a bit each, in the order from top to bottom. */
enum panel_item {
	PANEL_TITLE = 1,
	PANEL_STATUS = 2, /* score, largest tile, moves */
	PANEL_VALUES = 4, /* of the four moves */
	PANEL_SEARCH = 8, /* depth, positions, time */
	PANEL_STATE = 16,
	PANEL_KEYS = 32,
	PANEL_ALL = 63,
	PANEL_ITEMS = 6,
};

enum { NUMBER_MAX = 32 };

/*
 * Writes VALUE, which is no NAN, in at most WIDTH columns, from 4 on, with as many decimals as fit up
 * to DECIMALS: large ones as 12k or 3.4M, beyond that as 1e15.
 */
void number_fit(char text[NUMBER_MAX], int width, int decimals, double value);

/* The lines that ITEMS take in COLUMNS if there are as many as they like. */
int panel_lines(const struct scene *scene, unsigned items, int columns);

/*
 * Draws ITEMS into AREA; those that matter least are left out where there are too few lines, and
 * what does not fit in a line as well.
 */
void panel_draw(const struct scene *scene, unsigned items, struct canvas *canvas, struct area area);

#endif
