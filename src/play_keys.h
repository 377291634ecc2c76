/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a person presses: keys of a terminal, or letters on standard input. There is no end to wait
 * for behind a key, and none gets lost.
 */
#ifndef NXN_PLAY_KEYS_H
#define NXN_PLAY_KEYS_H

#include "boards/game.h"

#include <termios.h>

/* A direction, or one of these. */
enum press {
	PRESS_BACK = DIRECTIONS,
	PRESS_ASK,
	PRESS_QUIT,
	PRESS_REDRAW,
	PRESS_NOTHING, /* in time, or a signal came */
	PRESS_OTHER,
	PRESS_END, /* of the input */
};

struct keys {
	bool raw; /* the terminal gives keys as they are pressed */
	struct termios before;
	unsigned char bytes[256];
	int count, at;
	uint64_t taken; /* bytes of the input so far */
	int other;	/* the byte of PRESS_OTHER */
};

/*
 * Reads keys from standard input, RAW or as it is. Raw, Ctrl-C still sends its signal; Ctrl-Z and
 * Ctrl-\ do nothing, since they would leave the terminal as it is. STATUS_SYSTEM if it cannot be set.
 */
MUST_USE enum status keys_open(struct keys *keys, bool raw, struct why *why);

/* The next key, in MILLISECONDS. White space does not count. */
enum press keys_next(struct keys *keys, int milliseconds);

/* Gives the terminal back as it was. */
void keys_close(struct keys *keys);

#endif
