/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz targets: each is one function that hands bytes to a parser of nxn, and must come back
 * whatever they are. libFuzzer calls it (docs/trust.md), or tests/fuzz/driver.c, which is an
 * ordinary test.
 *
 * A target that knows more about its input than bytes mutates it itself, by
 * LLVMFuzzerCustomMutator().
 */
#ifndef NXN_FUZZ_H
#define NXN_FUZZ_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The names are libFuzzer's. 0 is the only answer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Changes the SIZE bytes of DATA, which has room for MOST; the new size. For custom mutators. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/*
 * A path at which DATA can be read and written like a file, until the next call. It is in memory: a
 * target runs thousands of times a second.
 */
const char *fuzz_file(const void *data, size_t size);

/*
 * A text of DATA up to its first NUL, as long as it is, so that reading beyond it is seen; for
 * free().
 */
char *fuzz_text(const void *data, size_t size);

/* The next line of TEXT, which goes on behind it; "" at the end. */
char *fuzz_line(char **text);

/*
 * Whether what takes long is to be done with DATA: always, or with FUZZ_DEEP=N in the environment
 * for one input in N, by its hash, so that an input is always treated alike.
 */
bool fuzz_deep(const void *data, size_t size);

/* What must hold whatever the input is. */
#define FUZZ_CHECK(what)                                                                           \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #what);  \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* Whether STATUS is none; else it is of a refusal, which has a reason that a terminal can show. */
bool fuzz_fine(enum status status, const struct why *why);

#endif
