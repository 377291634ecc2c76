/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of n-tuples read from text, images of tuples, and the sets that have a name; see patterns.h.
 *
 * Almost every word is a tuple of 6x6 as well, so a word that is nearly a name is refused as a
 * misspelling. Nobody loses a tuple by that: its cells can be written in another order.
 *
 * Where the published sets are from: group0, group1 and group2 are three choices of four tuples that
 * have been compared on 4x4; 4x6 is group0 under its other name, K.-H. Yeh, I-C. Wu et al.,
 * Multistage temporal difference learning for 2048-like games, IEEE TCIAIG 9(4), 2017; 8x6 is after
 * K. Matsuzaki, Systematic selection of n-tuple networks with consideration of interinfluence for
 * game 2048, TAAI 2016, in the order of TDL2048.
 *
 * A form is a tuple moved into the top left corner. The sets made for a shape put forms in all
 * places, in the order: form, orientation (as written first), place in reading order.
 *
 * Invariant: a set's forms in all places, without sharing, are closed under the symmetries of the
 * shape, and with sharing the images of what is left are the same sets of cells.
 */
#include "agents/ntuple/patterns.h"

#include "base/text.h"
#include "boards/board.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SETS "lines, rectangles=RxC, snakes=N, group0, group1, group2, 4x6, 8x6"

enum { ORIENTATIONS = 8, PUBLISHED_SIDE = 4 };

static const struct {
	const char *name, *tuples;
} published[] = {
    {"group0", "012345 456789 012456 45689a"},
    {"group1", "156 0125 01259 04589a"},
    {"group2", "01259 6abde 12569 0125"},
    {"4x6", "012345 456789 012456 45689a"},
    {"8x6", "012456 456789 012345 234569 01259a 345678 134567 01489a"},
};
enum { PUBLISHED = sizeof published / sizeof published[0] };

/* A list while it is read. Refusals are STATUS_INPUT, and name the item and the shape. */
struct pattern_reader {
	const struct game *game;
	bool sharing;
	const char *item; /* what is being read, LENGTH characters */
	size_t length;
	struct patterns list; /* so far */
	struct why *why;
};

static enum status reader_refuse(const struct pattern_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static enum status reader_refuse(const struct pattern_reader *reader, const char *format, ...)
{
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return why_set(reader->why, STATUS_INPUT, "tuples '%.*s' on %s: %s",
		       (int)(reader->length < 40 ? reader->length : 40), reader->item,
		       reader->game->name, text);
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

/* The value of a base 36 digit; of anything else CELLS_MAX, which no board has. */
static int pattern_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : CELLS_MAX;
}

/* The tuple that DIGITS are on a board of COLS columns: of its cells, at most PATTERN_CELLS. */
static void pattern_digits(const char *digits, size_t length, int cols, struct pattern *pattern)
{
	*pattern = (struct pattern){.length = (int)length};
	for (size_t j = 0; j < length; j++) {
		int cell = pattern_digit(digits[j]);
		pattern->cell[j] = (uint8_t)(cell / cols * ROW_BYTES + cell % cols);
	}
}

/* Refused if the list is full. */
static enum status reader_append(struct pattern_reader *reader, const struct pattern *pattern)
{
	if (reader->list.count == PATTERNS_MAX)
		return reader_refuse(reader, "expected at most %d tuples in all", PATTERNS_MAX);
	reader->list.pattern[reader->list.count++] = *pattern;
	return STATUS_OK;
}

/* The same for digits on the shape. Refused also if the list has this tuple. */
static enum status reader_append_digits(struct pattern_reader *reader, const char *digits,
					size_t length)
{
	struct pattern pattern;
	pattern_digits(digits, length, reader->game->cols, &pattern);
	for (int k = 0; k < reader->list.count; k++)
		if (memcmp(&reader->list.pattern[k], &pattern, sizeof pattern) == 0)
			return reader_refuse(reader, "%.*s is there already, expected it once",
					     (int)length, digits);
	return reader_append(reader, &pattern);
}

static uint64_t cell_bits(const struct pattern *pattern)
{
	uint64_t bits = 0;
	for (int j = 0; j < pattern->length; j++)
		bits |= UINT64_C(1) << pattern->cell[j];
	return bits;
}

/* Whether an earlier tuple has the same cells, or with sharing one of its images. */
static bool is_there(const struct pattern_reader *reader, const struct pattern *pattern)
{
	uint64_t image_bits[ORIENTATIONS];
	const int images = reader->sharing ? reader->game->symmetries : 1;
	for (int i = 0; i < images; i++) {
		struct pattern image;
		pattern_image(reader->game, i, pattern, &image);
		image_bits[i] = cell_bits(&image);
	}
	for (int k = 0; k < reader->list.count; k++) {
		const uint64_t bits = cell_bits(&reader->list.pattern[k]);
		for (int i = 0; i < images; i++)
			if (bits == image_bits[i])
				return true;
	}
	return false;
}

/* Moves the cells up and left as far as they go. */
static void form_align(struct pattern *form)
{
	int top = SIDE_MAX, left = SIDE_MAX;
	for (int j = 0; j < form->length; j++) {
		top = form->cell[j] / ROW_BYTES < top ? form->cell[j] / ROW_BYTES : top;
		left = form->cell[j] % ROW_BYTES < left ? form->cell[j] % ROW_BYTES : left;
	}
	for (int j = 0; j < form->length; j++)
		form->cell[j] = (uint8_t)(form->cell[j] - top * ROW_BYTES - left);
}

/* FORM mirrored and transposed by the bits of I as board_symmetry() does it. */
static struct pattern form_turned(const struct pattern *form, int i)
{
	struct pattern turned = {.length = form->length};
	for (int j = 0; j < form->length; j++) {
		int row = form->cell[j] / ROW_BYTES, col = form->cell[j] % ROW_BYTES;
		row = i & 2 ? SIDE_MAX - 1 - row : row;
		col = i & 1 ? SIDE_MAX - 1 - col : col;
		turned.cell[j] = (uint8_t)(i & 4 ? col * ROW_BYTES + row : row * ROW_BYTES + col);
	}
	form_align(&turned);
	return turned;
}

static struct pattern form_rectangle(int rows, int cols)
{
	struct pattern form = {.length = rows * cols};
	for (int j = 0; j < rows * cols; j++)
		form.cell[j] = (uint8_t)(j / cols * ROW_BYTES + j % cols);
	return form;
}

/* FORM with its corner in row R, column C; false if it is not on the board. */
static bool form_put(const struct game *game, const struct pattern *form, int r, int c,
		     struct pattern *placed)
{
	*placed = *form;
	for (int j = 0; j < form->length; j++) {
		int row = form->cell[j] / ROW_BYTES + r, col = form->cell[j] % ROW_BYTES + c;
		if (row >= game->rows || col >= game->cols)
			return false;
		placed->cell[j] = (uint8_t)(row * ROW_BYTES + col);
	}
	return true;
}

/* FORM in every place, in the first TURNS orientations; *FOUND counts the places. */
static enum status append_form(struct pattern_reader *reader, const struct pattern *form, int turns,
			       int *found)
{
	for (int i = 0; i < turns; i++) {
		struct pattern turned = form_turned(form, i), placed;
		for (int place = 0; place < reader->game->cells; place++) {
			int r = place / reader->game->cols, c = place % reader->game->cols;
			if (!form_put(reader->game, &turned, r, c, &placed))
				continue;
			++*found;
			enum status status =
			    is_there(reader, &placed) ? STATUS_OK : reader_append(reader, &placed);
			if (status)
				return status;
		}
	}
	return STATUS_OK;
}

static enum status lines_read(struct pattern_reader *reader, int *found)
{
	struct pattern row = form_rectangle(1, reader->game->cols);
	struct pattern col = form_rectangle(reader->game->rows, 1);
	enum status status = append_form(reader, &row, 1, found);
	return status ? status : append_form(reader, &col, 1, found);
}

static enum status rectangles_read(struct pattern_reader *reader, const char *text, size_t length,
				   int *found)
{
	int rows = length == 3 && text[1] == 'x' ? pattern_digit(text[0]) : 0;
	int cols = rows ? pattern_digit(text[2]) : 0;
	if (rows < 1 || cols < 1 || rows * cols > PATTERN_CELLS)
		return reader_refuse(reader,
				     "expected rectangles=RxC of at most %d cells, such as "
				     "rectangles=2x3",
				     PATTERN_CELLS);
	struct pattern form = form_rectangle(rows, cols);
	return append_form(reader, &form, ORIENTATIONS, found);
}

static enum status snakes_read(struct pattern_reader *reader, const char *text, size_t length,
			       int *found)
{
	const struct game *game = reader->game;
	int cells = length == 1 ? pattern_digit(text[0]) : 0;
	if (cells < 1 || cells > PATTERN_CELLS)
		return reader_refuse(reader,
				     "expected snakes=N with N from 1 to %d, such as snakes=6",
				     PATTERN_CELLS);
	for (int head = 0; head + cells <= game->cells; head++) {
		struct pattern pattern = {.length = cells};
		for (int j = 0; j < cells; j++) {
			int r = (head + j) / game->cols, c = (head + j) % game->cols;
			pattern.cell[j] =
			    (uint8_t)(r * ROW_BYTES + (r % 2 ? game->cols - 1 - c : c));
		}
		++*found;
		enum status status =
		    is_there(reader, &pattern) ? STATUS_OK : reader_append(reader, &pattern);
		if (status)
			return status;
	}
	return STATUS_OK;
}

/* On 4x4 the tuples as they are, elsewhere their forms in all places. */
static enum status published_read(struct pattern_reader *reader, const char *tuples, int *found)
{
	bool as_it_is =
	    reader->game->rows == PUBLISHED_SIDE && reader->game->cols == PUBLISHED_SIDE;
	enum status status = STATUS_OK;
	while (*tuples && !status) {
		size_t length = strcspn(tuples, " ");
		if (as_it_is) {
			status = reader_append_digits(reader, tuples, length);
			++*found;
		} else {
			struct pattern form;
			pattern_digits(tuples, length, PUBLISHED_SIDE, &form);
			form_align(&form);
			status = append_form(reader, &form, ORIENTATIONS, found);
		}
		tuples += length;
		tuples += strspn(tuples, " ");
	}
	return status;
}

/* Whether the item is NAME, or where NAME ends with '=' begins with it. */
static bool item_is(const struct pattern_reader *reader, const char *name)
{
	size_t length = strlen(name);
	return reader->length >= length && memcmp(reader->item, name, length) == 0 &&
	       (reader->length == length || name[length - 1] == '=');
}

/*
 * Appends the set that the item names. *FOUND is then the number of its tuples on the shape, those
 * that are there already included; -1 if the item names no set. Refused also if its numbers are
 * none that such a set can have.
 */
static enum status reader_set(struct pattern_reader *reader, int *found)
{
	const char *equals = memchr(reader->item, '=', reader->length);
	const char *text = equals ? equals + 1 : "";
	size_t length = equals ? reader->length - (size_t)(text - reader->item) : 0;
	*found = 0;
	if (item_is(reader, "lines"))
		return lines_read(reader, found);
	if (item_is(reader, "rectangles="))
		return rectangles_read(reader, text, length, found);
	if (item_is(reader, "snakes="))
		return snakes_read(reader, text, length, found);
	for (int i = 0; i < PUBLISHED; i++)
		if (item_is(reader, published[i].name))
			return published_read(reader, published[i].tuples, found);
	*found = -1;
	return STATUS_OK;
}

/* The name that the item before its '=' is meant to be. */
static struct guess name_guess(const struct pattern_reader *reader)
{
	static const char *const names[] = {"lines",  "rectangles=RxC", "snakes=N", "group0",
					    "group1", "group2",		"4x6",	    "8x6"};
	const char *equals = memchr(reader->item, '=', reader->length);
	struct guess guess =
	    guess_start(reader->item, equals ? (size_t)(equals - reader->item) : reader->length);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		guess_try(&guess, names[i], strcspn(names[i], "="));
	guess.name_length =
	    guess.name ? strlen(guess.name) : 0; /* a hint tells its parameter too */
	return guess;
}

static enum status item_unknown(const struct pattern_reader *reader, const char *reason)
{
	char hint[HINT_MAX];
	const struct guess guess = name_guess(reader);
	return reader_refuse(reader, "%s, %sexpected cells or one of " SETS, reason,
			     guess_hint(&guess, hint));
}

/* Whether the item is a name with one mistake at most, or has what only names have. */
static bool is_meant_as_name(const struct pattern_reader *reader)
{
	const struct guess guess = name_guess(reader);
	const bool word = guess.name && *guess.name >= 'a';
	return (word && guess.distance <= 1) || memchr(reader->item, '=', reader->length);
}

static enum status tuple_read(struct pattern_reader *reader)
{
	bool seen[CELLS_MAX] = {false};
	if (is_meant_as_name(reader))
		return item_unknown(reader, "no such set");
	for (size_t j = 0; j < reader->length; j++) {
		int cell = pattern_digit(reader->item[j]);
		char reason[] = "no cell '?'";
		reason[sizeof "no cell '" - 1] = reader->item[j];
		if (cell >= reader->game->cells)
			return item_unknown(reader, reason);
		if (seen[cell])
			return reader_refuse(reader, "cell %c twice, expected different cells",
					     reader->item[j]);
		seen[cell] = true;
	}
	if (reader->length > PATTERN_CELLS)
		return reader_refuse(reader, "%zu cells, expected at most %d", reader->length,
				     PATTERN_CELLS);
	return reader_append_digits(reader, reader->item, reader->length);
}

static enum status item_read(struct pattern_reader *reader)
{
	int before = reader->list.count, found;
	if (reader->length == 0)
		return reader_refuse(reader, "nothing, expected cells or one of " SETS);
	enum status status = reader_set(reader, &found);
	if (status)
		return status;
	if (found < 0)
		return tuple_read(reader);
	if (found == 0)
		return reader_refuse(reader, "no room for it, expected less, such as lines");
	if (reader->list.count == before)
		return reader_refuse(reader, "all of it is there already, expected something new");
	return STATUS_OK;
}

enum status patterns_read(const char *text, const struct game *game, bool sharing,
			  struct patterns *patterns, struct why *why)
{
	struct pattern_reader reader = {.game = game, .sharing = sharing, .why = why};
	for (const char *at = text;; at++) {
		reader.item = at;
		reader.length = strcspn(at, ",+");
		enum status status = item_read(&reader);
		if (status)
			return status;
		at += reader.length;
		if (!*at)
			break;
	}
	*patterns = reader.list;
	return STATUS_OK;
}
