/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact values of simple players from tests/vectors/exact.txt. */
#ifndef NXN_TESTS_EXACT_VALUES_H
#define NXN_TESTS_EXACT_VALUES_H

#include "tests/games.h"

#include <math.h>
#include <string.h>

/* The value of KEY for SHAPE; NAN if there is none. exact() fails the test instead. */
static inline double exact_look(const char *shape, const char *key)
{
	char line[256], s[8], k[128];
	double value, found = NAN;
	FILE *file = vectors_open("exact.txt");
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "%7s %127s %lf", s, k, &value) == 3 && strcmp(s, shape) == 0 &&
		    strcmp(k, key) == 0)
			found = value;
	fclose(file);
	return found;
}

static inline double exact(const char *shape, const char *key)
{
	const double found = exact_look(shape, key);
	if (isnan(found))
		fail_msg("exact.txt has no %s %s", shape, key);
	return found;
}

#endif
