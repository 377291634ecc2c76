/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of n-tuples read from text, and images of tuples; see patterns.h. The sets are in
 * agents/ntuple/patterns_sets.c.
 *
 * Almost every word is a tuple of 6x6 as well, so a word that is nearly a name is refused as a
 * misspelling. Nobody loses a tuple by that: its cells can be written in another order.
 */
#include "agents/ntuple/patterns.h"

#include "base/text.h"
#include "agents/ntuple/patterns_read.h"
#include "boards/board.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SETS "lines, rectangles=RxC, snakes=N, group0, group1, group2, 4x6, 8x6"

enum status reading_refuse(const struct reading *reading, const char *format, ...)
{
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return why_set(reading->why, STATUS_INPUT, "tuples '%.*s' on %s: %s",
		       (int)(reading->length < 40 ? reading->length : 40), reading->item,
		       reading->game->name, text);
}

void pattern_image(const struct game *game, int i, const struct pattern *in, struct pattern *out)
{
	/* Every cell shows where it is; in the image it shows where it came from. */
	struct board places = {0}, image;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			places.cell[r][c] = (uint8_t)(r * ROW_BYTES + c);
	board_symmetry(game, i, &places, &image);
	struct pattern result = {.length = in->length};
	for (int j = 0; j < in->length; j++)
		result.cell[j] = *board_at(&image, in->cell[j]);
	*out = result;
}

int pattern_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : CELLS_MAX;
}

void pattern_digits(const char *digits, size_t length, int cols, struct pattern *pattern)
{
	*pattern = (struct pattern){.length = (int)length};
	for (size_t j = 0; j < length; j++) {
		int cell = pattern_digit(digits[j]);
		pattern->cell[j] = (uint8_t)(cell / cols * ROW_BYTES + cell % cols);
	}
}

enum status reading_append(struct reading *reading, const struct pattern *pattern)
{
	if (reading->list.count == PATTERNS_MAX)
		return reading_refuse(reading, "expected at most %d tuples in all", PATTERNS_MAX);
	reading->list.pattern[reading->list.count++] = *pattern;
	return STATUS_OK;
}

enum status reading_append_digits(struct reading *reading, const char *digits, size_t length)
{
	struct pattern pattern;
	pattern_digits(digits, length, reading->game->cols, &pattern);
	for (int k = 0; k < reading->list.count; k++)
		if (memcmp(&reading->list.pattern[k], &pattern, sizeof pattern) == 0)
			return reading_refuse(reading, "%.*s is there already, expected it once",
					      (int)length, digits);
	return reading_append(reading, &pattern);
}

/* The name that the item before its '=' is meant to be. */
static struct guess name_guess(const struct reading *reading)
{
	static const char *const names[] = {"lines",  "rectangles=RxC", "snakes=N", "group0",
					    "group1", "group2",		"4x6",	    "8x6"};
	const char *equals = memchr(reading->item, '=', reading->length);
	struct guess guess =
	    guess_start(reading->item, equals ? (size_t)(equals - reading->item) : reading->length);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		guess_try(&guess, names[i], strcspn(names[i], "="));
	guess.name_length =
	    guess.name ? strlen(guess.name) : 0; /* a hint tells its parameter too */
	return guess;
}

static enum status item_unknown(const struct reading *reading, const char *reason)
{
	char hint[HINT_MAX];
	const struct guess guess = name_guess(reading);
	return reading_refuse(reading, "%s, %sexpected cells or one of " SETS, reason,
			      guess_hint(&guess, hint));
}

/* Whether the item is a name with one mistake at most, or has what only names have. */
static bool is_meant_as_name(const struct reading *reading)
{
	const struct guess guess = name_guess(reading);
	const bool word = guess.name && *guess.name >= 'a';
	return (word && guess.distance <= 1) || memchr(reading->item, '=', reading->length);
}

static enum status tuple_read(struct reading *reading)
{
	bool seen[CELLS_MAX] = {false};
	if (is_meant_as_name(reading))
		return item_unknown(reading, "no such set");
	for (size_t j = 0; j < reading->length; j++) {
		int cell = pattern_digit(reading->item[j]);
		char reason[] = "no cell '?'";
		reason[sizeof "no cell '" - 1] = reading->item[j];
		if (cell >= reading->game->cells)
			return item_unknown(reading, reason);
		if (seen[cell])
			return reading_refuse(reading, "cell %c twice, expected different cells",
					      reading->item[j]);
		seen[cell] = true;
	}
	if (reading->length > PATTERN_CELLS)
		return reading_refuse(reading, "%zu cells, expected at most %d", reading->length,
				      PATTERN_CELLS);
	return reading_append_digits(reading, reading->item, reading->length);
}

static enum status item_read(struct reading *reading)
{
	int before = reading->list.count, found;
	if (reading->length == 0)
		return reading_refuse(reading, "nothing, expected cells or one of " SETS);
	enum status status = reading_set(reading, &found);
	if (status)
		return status;
	if (found < 0)
		return tuple_read(reading);
	if (found == 0)
		return reading_refuse(reading, "no room for it, expected less, such as lines");
	if (reading->list.count == before)
		return reading_refuse(reading,
				      "all of it is there already, expected something new");
	return STATUS_OK;
}

enum status patterns_read(const char *text, const struct game *game, bool sharing,
			  struct patterns *patterns, struct why *why)
{
	struct reading reading = {.game = game, .sharing = sharing, .why = why};
	for (const char *at = text;; at++) {
		reading.item = at;
		reading.length = strcspn(at, ",+");
		enum status status = item_read(&reading);
		if (status)
			return status;
		at += reading.length;
		if (!*at)
			break;
	}
	*patterns = reading.list;
	return STATUS_OK;
}
