/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of n-tuples while it is read: what agents/ntuple/patterns.c and agents/ntuple/patterns_sets.c share.
 *
 * Refusals are STATUS_INPUT, and name the item and the shape.
 */
#ifndef NXN_PATTERNS_READ_H
#define NXN_PATTERNS_READ_H

#include "agents/ntuple/patterns.h"

#include <stddef.h>

struct reading {
	const struct game *game;
	bool sharing;
	const char *item; /* what is being read, LENGTH characters */
	size_t length;
	struct patterns list; /* so far */
	struct why *why;
};

__attribute__((format(printf, 2, 3))) enum status reading_refuse(const struct reading *reading,
								 const char *format, ...);

/* The value of a base 36 digit; of anything else CELLS_MAX, which no board has. */
int pattern_digit(char c);

/* The tuple that DIGITS are on a board of COLS columns: of its cells, at most PATTERN_CELLS. */
void pattern_digits(const char *digits, size_t length, int cols, struct pattern *pattern);

/* Refused if the list is full. */
MUST_USE enum status reading_append(struct reading *reading, const struct pattern *pattern);

/* The same for digits as above, on the shape. Refused also if the list has this tuple. */
MUST_USE enum status reading_append_digits(struct reading *reading, const char *digits,
					   size_t length);

/*
 * Appends the set that the item names. *FOUND is then the number of its tuples on the shape, those
 * that are there already included; -1 if the item names no set. Refused also if its numbers are
 * none that such a set can have.
 */
MUST_USE enum status reading_set(struct reading *reading, int *found);

#endif
