/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where numbers come from: the `#` lines at the head of every table. */
#ifndef NXN_PROVENANCE_H
#define NXN_PROVENANCE_H

#include "boards/status.h"

#include <stddef.h>
#include <stdint.h>

/* "0.1.0 (commit 1234abc, modified)": version and, where it was built from git, the commit. */
extern const char version_text[];

/* "gcc 12.2.0" */
extern const char compiler_text[];

/* The processor's name, from the first "model name" of /proc/cpuinfo; else the machine type. */
void processor_name(char *name, size_t size);

/*
 * The `#` lines as one text on the heap, each ending in a newline: version, COMMAND, the
 * configuration hash and seed, instruction set, compiler, processor, and how the intervals were
 * computed. COMMAND is one line. STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status provenance_new(const char *command, uint64_t config, uint64_t seed,
				    char **text, struct why *why);

#endif
