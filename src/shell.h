/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines as a user could type them again. */
#ifndef NXN_SHELL_H
#define NXN_SHELL_H

#include "boards/status.h"

/*
 * The N words of ARGV as one line for a POSIX shell, on the heap: words are quoted where needed,
 * but the first ("nxn compare") is left as it is. STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status shell_join(int n, char **argv, char **line, struct why *why);

#endif
