/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another program that is asked line by line: one line to its standard input, one line back from
 * its standard output.
 *
 * It is started as base/program.h says, so Ctrl-C in a terminal is for nxn, which then ends it.
 * What it writes to standard error goes where nxn's goes.
 */
#ifndef NXN_CHILD_H
#define NXN_CHILD_H

#include "base/status.h"

#include <stdbool.h>

/* With the NUL; the longest line of a protocol for 6x6 has some 2,200 characters. */
enum { CHILD_LINE_MAX = 4096 };

struct child;

/*
 * Starts COMMAND, with the errors of program_start(). Every answer must come within SECONDS.
 * ENDING, or NULL, is looked at while an answer is waited for; when it is true, STATUS_STOPPED.
 */
MUST_USE enum status child_start(const char *command, double seconds, bool (*ending)(void),
				 struct child **child, struct why *why);

/*
 * Sends LINE (without its end) and waits for the line that answers it, which comes without blanks
 * at its end. STATUS_SYSTEM if the program ends, hangs, answers with a line that is too long or is
 * not plain text, or has said more than it was asked; after a failure every call fails the same
 * way. One thread at a time; any signal mask.
 */
MUST_USE enum status child_ask(struct child *child, const char *line, char answer[CHILD_LINE_MAX],
			       struct why *why);

/* The first word of its command, for messages. */
const char *child_name(const struct child *child);

/* Sends a last line, which has no answer; a program that is gone already is fine. */
void child_tell(struct child *child, const char *line);

/*
 * Ends the program: its input ends; if it runs a second later, it is killed, with all that it has
 * started in its process group. NULL is fine.
 */
void child_end(struct child *child);

#endif
