/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Guesses at misspelt names; see guess.h. */
#include "base/guess.h"

#include <stdio.h>

/* Optimal string alignment without transpositions (Levenshtein 1966), one row at a time. */
int edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	enum { LONGEST = 64 };
	int row[LONGEST + 1];
	if (a_length > LONGEST || b_length > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= b_length; j++)
		row[j] = (int)j;
	for (size_t i = 1; i <= a_length; i++) {
		int diagonal = row[0];
		row[0] = (int)i;
		for (size_t j = 1; j <= b_length; j++) {
			int replace = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			int shorter = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
			row[j] = replace < shorter ? replace : shorter;
		}
	}
	return row[b_length];
}

struct guess guess_start(const char *word, size_t length)
{
	return (struct guess){.word = word, .length = length, .distance = 3};
}

void guess_try(struct guess *guess, const char *name, size_t length)
{
	const int distance = edit_distance(guess->word, guess->length, name, length);
	if (distance >= guess->distance || 2 * (size_t)distance > length)
		return;
	guess->distance = distance;
	guess->name = name;
	guess->name_length = length;
}

const char *guess_hint(const struct guess *guess, char hint[HINT_MAX])
{
	hint[0] = '\0';
	if (guess->name)
		snprintf(hint, HINT_MAX, "did you mean %.*s? ", (int)guess->name_length,
			 guess->name);
	return hint;
}
