/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of a terminal, or characters on standard input. There is no end to wait for behind a key, and
 * none gets lost.
 */
#ifndef NXN_PLAY_KEYS_H
#define NXN_PLAY_KEYS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

/* A byte, or one of these. */
enum key {
	KEY_CTRL_D = 4,
	KEY_CTRL_L = 12,
	KEY_UP = 256,
	KEY_RIGHT,
	KEY_DOWN,
	KEY_LEFT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_LAST, /* the key named End */
	KEY_ESCAPE,
	KEY_OTHER,  /* a sequence that is not known */
	KEY_NONE,   /* none in time, or a signal came */
	KEY_SIGNAL, /* there is something in the file of signals */
	KEY_END,    /* of the input */
};

struct keys {
	bool read; /* from standard input */
	bool raw;  /* the terminal gives keys as they are pressed */
	int signals;
	struct termios before;
	unsigned char bytes[256];
	int count, at;
	uint64_t taken; /* bytes of the input so far */
};

/*
 * Reads keys from standard input, a terminal, as they are pressed; Ctrl-C, Ctrl-Z and Ctrl-\ still
 * send their signals. With RAW false there are none. SIGNALS is a file to look at meanwhile, or -1.
 * STATUS_SYSTEM if the terminal cannot be set.
 */
MUST_USE enum status keys_open(struct keys *keys, bool raw, int signals, struct why *why);

/* Reads characters from standard input, whatever that is. */
void keys_open_plain(struct keys *keys);

/* The next key, in MILLISECONDS, or without end if they are negative. */
int keys_next(struct keys *keys, int milliseconds);

/* Gives the terminal back as it was for now; takes it again. */
void keys_restore(const struct keys *keys);
void keys_take(const struct keys *keys);

/* Gives the terminal back as it was. */
void keys_close(struct keys *keys);

#endif
