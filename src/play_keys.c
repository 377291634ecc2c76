/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys by read(2) and poll(2), which a signal ends even where read(2) would be begun again; arrows
 * are the sequences ESC [ A and ESC O A of ECMA-48 terminals, to D. See play_keys.h.
 */
#include "src/play_keys.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* A byte of a sequence follows at once; or it was the Escape key. */
enum {
	SEQUENCE_MILLISECONDS = 50,
	BYTE_NONE = -1,
	BYTE_END = -2,
	ESCAPE = 27,
	CTRL_D = 4,
	CTRL_L = 12
};

enum status keys_open(struct keys *keys, bool raw, struct why *why)
{
	struct keys made = {.raw = raw};
	if (raw) {
		if (tcgetattr(STDIN_FILENO, &made.before) != 0)
			return why_errno(why, "the terminal cannot be read");
		struct termios mode = made.before;
		mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
		mode.c_cc[VMIN] = 1;
		mode.c_cc[VTIME] = 0;
		mode.c_cc[VSUSP] = _POSIX_VDISABLE;
		mode.c_cc[VQUIT] = _POSIX_VDISABLE;
		if (tcsetattr(STDIN_FILENO, TCSADRAIN, &mode) != 0)
			return why_errno(why, "the terminal cannot be set");
	}
	*keys = made;
	return STATUS_OK;
}

void keys_close(struct keys *keys)
{
	if (keys->raw)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &keys->before);
	keys->raw = false;
}

/* The next byte, BYTE_NONE if there is none in time, BYTE_END behind the last. */
static int byte_next(struct keys *keys, int milliseconds)
{
	if (keys->at == keys->count) {
		struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
		int ready = poll(&input, 1, milliseconds);
		if (ready <= 0)
			return ready == 0 || errno == EINTR || errno == EAGAIN ? BYTE_NONE
									       : BYTE_END;
		ssize_t count = read(STDIN_FILENO, keys->bytes, sizeof keys->bytes);
		if (count < 0 && (errno == EINTR || errno == EAGAIN))
			return BYTE_NONE;
		if (count <= 0)
			return BYTE_END;
		keys->count = (int)count;
		keys->at = 0;
	}
	keys->taken++;
	return keys->bytes[keys->at++];
}

/* What the bytes behind an Escape come to. */
static enum press sequence_read(struct keys *keys)
{
	static const enum press arrows[] = {(enum press)UP, (enum press)DOWN, (enum press)RIGHT,
					    (enum press)LEFT};
	int byte = byte_next(keys, SEQUENCE_MILLISECONDS);
	if (byte != '[' && byte != 'O')
		return PRESS_OTHER;
	do
		byte = byte_next(keys, SEQUENCE_MILLISECONDS);
	while (byte >= ' ' && byte < '@');
	return byte >= 'A' && byte <= 'D' ? arrows[byte - 'A'] : PRESS_OTHER;
}

/* What a letter stands for: wasd and hjkl, and what record files write. */
static enum press letter_read(int byte)
{
	switch (byte) {
	case 'w':
	case 'k':
	case 'u':
	case 'U':
		return (enum press)UP;
	case 'd':
	case 'l':
	case 'r':
	case 'R':
		return (enum press)RIGHT;
	case 's':
	case 'j':
	case 'D':
		return (enum press)DOWN;
	case 'a':
	case 'h':
	case 'L':
		return (enum press)LEFT;
	case 'z':
		return PRESS_BACK;
	case '?':
		return PRESS_ASK;
	case 'q':
	case CTRL_D:
		return PRESS_QUIT;
	case CTRL_L:
		return PRESS_REDRAW;
	default:
		return PRESS_OTHER;
	}
}

enum press keys_next(struct keys *keys, int milliseconds)
{
	int byte = byte_next(keys, milliseconds);
	while (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n')
		byte = byte_next(keys, milliseconds);
	if (byte == BYTE_NONE)
		return PRESS_NOTHING;
	if (byte == BYTE_END)
		return PRESS_END;
	keys->other = byte;
	return byte == ESCAPE ? sequence_read(keys) : letter_read(byte);
}
