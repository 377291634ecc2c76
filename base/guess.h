/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name that a misspelt word was meant to be. */
#ifndef NXN_GUESS_H
#define NXN_GUESS_H

#include <stddef.h>

struct guess {
	const char *word;
	size_t length;
	int distance;	  /* in edits, of the closest name so far; 3: none is close */
	const char *name; /* that name, or NULL */
	size_t name_length;
};

/* Nothing tried yet for the first LENGTH bytes of WORD, which outlives the guess, as names do. */
struct guess guess_start(const char *word, size_t length);

/* NAME is what was meant if it is within two edits, no more than half its letters, and closer than those before. */
void guess_try(struct guess *guess, const char *name, size_t length);

/* "did you mean NAME? ", with the space behind it, or "" if there is no name. */
enum { HINT_MAX = 80 };
const char *guess_hint(const struct guess *guess, char hint[HINT_MAX]);

/* Edits between two words. */
int edit_distance(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
