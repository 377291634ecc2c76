/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another program, started directly, never by a shell, with its standard input and output as pipes, in
 * a process group of its own: Ctrl-C in a terminal is not for it.
 */
#ifndef NXN_PROGRAM_H
#define NXN_PROGRAM_H

#include "base/status.h"

#include <stdbool.h>
#include <sys/types.h>

enum { PROGRAM_NAME_MAX = 61 };

struct program {
	pid_t pid;    /* and its process group */
	int to, from; /* its input and output; they do not block, and are closed by the caller */
	char name[PROGRAM_NAME_MAX]; /* the first word of its command, cut off, for messages */
};

/*
 * Starts COMMAND: words separated by blanks, in which '...' and "..." keep blanks and a backslash
 * keeps the next character, except within '...'. STATUS_INPUT if there is no word, a quote is not
 * closed, or there is no such program; STATUS_SYSTEM if the machine cannot start any. The caller waits
 * for its end.
 */
MUST_USE enum status program_start(const char *command, struct program *program, struct why *why);

#endif
