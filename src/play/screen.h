/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a game looks like on a terminal of any size: a function of what there is to show and of what
 * the terminal can show, and of nothing else.
 */
#ifndef NXN_PLAY_SCREEN_H
#define NXN_PLAY_SCREEN_H

#include "agents/agent.h"
#include "src/play/canvas.h"

/* Texts end with NULL in lists; they are sorted by how much they matter. */
struct scene {
	const struct game *game;
	const struct board *board;
	const char *title; /* who plays what */
	uint64_t score;
	size_t move, moves;		 /* made before BOARD; and in all of what was played */
	const struct decision *decision; /* in BOARD; NULL: none */
	double seconds;			 /* that it took; negative if not known */
	int chosen;			 /* a direction, or -1 */
	const char *state;		 /* what is going on */
	const char *message;		 /* in place of that; NULL or empty: none */
	const char *const *keys;	 /* what keys do, shortly */
	const char *const *help;	 /* lines to show in place of the board; NULL: the board */
};

/*
 * Draws SCENE onto CANVAS, which is blank. The board comes first: it is whole, with every
 * tile to be read, wherever the canvas has a line a row and three columns a cell (but one); then the
 * score, what goes on, what moves are worth, and the rest. Less room than that gets one line that
 * says so.
 */
void scene_draw(const struct scene *scene, struct canvas *canvas);

#endif
