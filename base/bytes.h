/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are read whole. */
#ifndef NXN_BYTES_READ_H
#define NXN_BYTES_READ_H

#include "base/status.h"

#include <stddef.h>

/*
 * Reads the file PATH, of at most MOST bytes: *size of them in *bytes, for free(), with a NUL behind
 * them. Memory is taken as the file needs it. STATUS_INPUT if there is none, it is a folder, or larger;
 * STATUS_SYSTEM.
 */
MUST_USE enum status bytes_read(const char *path, size_t most, char **bytes, size_t *size,
				struct why *why);

#endif
