/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much memory a command may take: --memory, and what it is by default. */
#ifndef NXN_MEMORY_H
#define NXN_MEMORY_H

#include <argp.h>
#include <stdint.h>

extern const struct argp options_memory; /* --memory; input uint64_t *, bytes: memory_default() */

/*
 * Half of the memory that this process can have, in bytes: of the machine's, or of the limit that
 * the control group of a container or `ulimit -v` sets. Any thread.
 */
uint64_t memory_default(void);

#endif
