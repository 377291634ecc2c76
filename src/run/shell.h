/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines as a user could type them again. */
#ifndef NXN_SHELL_H
#define NXN_SHELL_H

#include "base/status.h"

/*
 * A command's N words of ARGV as one line for a POSIX shell, on the heap: PROGRAM in place of the
 * "nxn" that argv[0] ("nxn compare") starts with, and all quoted where needed. Call it before argp
 * sorts ARGV. STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status shell_join(const char *program, int n, char **argv, char **line,
				struct why *why);

/*
 * The same as it would be typed to go on: with the name that this program was called by, by mpirun
 * where there are several ranks.
 */
MUST_USE enum status shell_again(int n, char **argv, char **line, struct why *why);

#endif
