/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all checks share: their lines, games for any instruction set; see verify.h. */
#include "src/verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

void verify_tell(struct verify *verify, bool good, const char *what, const char *found,
		 const char *expected)
{
	printf("%-13s %-56s %-22s %-21s %s\n", verify->check, what, found, expected,
	       good ? "ok" : "FAILED");
	fflush(stdout);
	verify->lines++;
	verify->failed += !good;
}

void agree_add(struct agreement *tally, bool agrees, const char *format, ...)
{
	tally->all++;
	tally->agreed += agrees;
	if (agrees || tally->first[0])
		return;
	va_list args;
	va_start(args, format);
	vsnprintf(tally->first, sizeof tally->first, format, args);
	va_end(args);
}

void verify_tally(struct verify *verify, const char *what, const struct agreement *tally)
{
	char found[32], expected[32];
	snprintf(found, sizeof found, "%" PRIu64 " agree", tally->agreed);
	snprintf(expected, sizeof expected, "%" PRIu64, tally->all);
	verify_tell(verify, tally->all > 0 && tally->agreed == tally->all, what, found, expected);
	if (tally->first[0])
		printf("            first: %s\n", tally->first);
}

void verify_number(struct verify *verify, const char *what, double found, double expected,
		   double relative)
{
	char is[32], should[32];
	snprintf(is, sizeof is, "%.12g", found);
	snprintf(should, sizeof should, "%.12g", expected);
	verify_tell(verify, fabs(found - expected) <= relative * fabs(expected), what, is, should);
}

enum status verify_game(const char *shape, const char *spawn, enum isa isa, struct game *game,
			struct why *why)
{
	char *before = getenv("NXN_ISA");
	char *kept = before ? strdup(before) : NULL;
	setenv("NXN_ISA", isa_name(isa), 1);
	const struct game_options options = {.shape = shape, .spawn = spawn};
	enum status status = game_init(game, &options, why);
	if (kept)
		setenv("NXN_ISA", kept, 1);
	else
		unsetenv("NXN_ISA");
	free(kept);
	return status;
}

void shape_name(int i, char name[8])
{
	const int sides = SIDE_MAX - SIDE_MIN + 1;
	name[0] = (char)('0' + SIDE_MIN + i / sides);
	name[1] = 'x';
	name[2] = (char)('0' + SIDE_MIN + i % sides);
	name[3] = '\0';
}
