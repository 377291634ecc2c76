/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys by read(2) and poll(2), which a signal ends even where read(2) would be begun again; arrows
 * and their neighbours are sequences ESC [ ... of ECMA-48 and ESC O ... of xterm. See play_keys.h.
 */
#include "src/play/play_keys.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* A byte of a sequence follows at once; or it was the Escape key. */
enum { SEQUENCE_MILLISECONDS = 50, ESCAPE = 27 };

void keys_take(const struct keys *keys)
{
	struct termios mode = keys->before;
	mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
	mode.c_cc[VMIN] = 1;
	mode.c_cc[VTIME] = 0;
	if (keys->raw)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
}

void keys_restore(const struct keys *keys)
{
	if (keys->raw)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &keys->before);
}

enum status keys_open(struct keys *keys, bool raw, int signals, struct why *why)
{
	struct keys made = {.read = raw, .raw = raw, .signals = signals};
	if (raw && tcgetattr(STDIN_FILENO, &made.before) != 0)
		return why_errno(why, "the terminal cannot be read");
	keys_take(&made);
	*keys = made;
	return STATUS_OK;
}

void keys_open_plain(struct keys *keys)
{
	*keys = (struct keys){.read = true, .signals = -1};
}

void keys_close(struct keys *keys)
{
	keys_restore(keys);
	keys->raw = false;
}

/* Waits for a byte. */
static int byte_await(struct keys *keys, int milliseconds)
{
	/* Of negative numbers poll() takes no notice. */
	struct pollfd files[] = {{.fd = keys->read ? STDIN_FILENO : -1, .events = POLLIN},
				 {.fd = keys->signals, .events = POLLIN}};
	int ready = poll(files, 2, milliseconds);
	if (ready <= 0)
		return ready == 0 || errno == EINTR || errno == EAGAIN ? KEY_NONE : KEY_END;
	if (files[1].revents)
		return KEY_SIGNAL;
	ssize_t count = read(STDIN_FILENO, keys->bytes, sizeof keys->bytes);
	if (count < 0 && (errno == EINTR || errno == EAGAIN))
		return KEY_NONE;
	if (count <= 0)
		return KEY_END;
	keys->count = (int)count;
	keys->at = 0;
	return 0;
}

/* The next byte, or KEY_NONE, KEY_SIGNAL, KEY_END. */
static int byte_next(struct keys *keys, int milliseconds)
{
	if (keys->at == keys->count) {
		int other = byte_await(keys, milliseconds);
		if (other)
			return other;
	}
	keys->taken++;
	return keys->bytes[keys->at++];
}

/* The key whose sequence ends with FINAL, with NUMBER in front. */
static int sequence_key(int final, int number)
{
	switch (final) {
	case 'A':
		return KEY_UP;
	case 'B':
		return KEY_DOWN;
	case 'C':
		return KEY_RIGHT;
	case 'D':
		return KEY_LEFT;
	case 'H':
		return KEY_HOME;
	case 'F':
		return KEY_LAST;
	case '~':
		return number == 5		    ? KEY_PAGE_UP
		       : number == 6		    ? KEY_PAGE_DOWN
		       : number == 1 || number == 7 ? KEY_HOME
		       : number == 4 || number == 8 ? KEY_LAST
						    : KEY_OTHER;
	default:
		return KEY_OTHER;
	}
}

/* What the bytes behind an Escape come to. */
static int sequence_read(struct keys *keys)
{
	int number = 0, byte = byte_next(keys, SEQUENCE_MILLISECONDS);
	if (byte == KEY_NONE)
		return KEY_ESCAPE;
	if (byte != '[' && byte != 'O')
		return KEY_OTHER;
	byte = byte_next(keys, SEQUENCE_MILLISECONDS);
	for (; byte >= ' ' && byte < '@'; byte = byte_next(keys, SEQUENCE_MILLISECONDS))
		if (byte >= '0' && byte <= '9' && number < 100)
			number = 10 * number + byte - '0';
	return byte < 256 ? sequence_key(byte, number) : KEY_OTHER;
}

int keys_next(struct keys *keys, int milliseconds)
{
	int byte = byte_next(keys, milliseconds);
	return byte == ESCAPE ? sequence_read(keys) : byte;
}
