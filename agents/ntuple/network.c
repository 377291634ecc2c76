/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * N-tuple networks from text: the list of tuples, their features, and the tables of weights.
 *
 * A list is items joined by ',' or '+'. In the text of an agent an item with '=' must be joined by
 * '+', since after a comma it would be another parameter. An item is one of
 *
 *   012345         the cells of a tuple, a base 36 digit each (0-9, a-z) in reading order: on 4x4
 *                  0123 is the first row and 048c the first column
 *   lines          every row and every column
 *   rectangles=RxC every place of an R x C and a C x R rectangle
 *   snakes=N       every N consecutive cells of the snake through the board: the first row from
 *                  left to right, the second from right to left, and so on
 *   group0 group1 group2 4x6 8x6    tuples of 4x4, as published; see below
 *
 * On 4x4 a published set is exactly what was printed. On another shape it is the forms of these
 * tuples: each one, rotated and reflected, in every place where it fits. Tuples that fit nowhere
 * are omitted.
 *
 * A set that is made for the shape (all except the published ones on 4x4) omits tuples with the
 * same cells as an earlier one, and, if weights are shared by symmetry, also those with the cells
 * of an image of an earlier one, because they would repeat its features. Published tuples and
 * tuples written cell by cell are never omitted. A word that is both a name and a list of cells (on
 * 6x6 "lines") is the name; such a tuple can be written with its cells in another order.
 *
 * On 6x6 almost every word is a tuple as well, so a word that is nearly a name is rejected as a
 * misspelling. No tuple is lost: its cells can be written in another order.
 *
 * Sources of the published sets: group0, group1 and group2 are three choices of four tuples that
 * have been compared on 4x4; 4x6 is group0 under its other name, K.-H. Yeh, I-C. Wu et al.,
 * Multistage temporal difference learning for 2048-like games, IEEE TCIAIG 9(4), 2017; 8x6 is after
 * K. Matsuzaki, Systematic selection of n-tuple networks with consideration of interinfluence for
 * game 2048, TAAI 2016, in the order of TDL2048.
 *
 * A form is a tuple moved to the top left corner. Sets that are made for a shape put forms in all
 * places, in the order: form, orientation (as written first), place in reading order.
 *
 * Invariant: a set's forms in all places, without sharing, are closed under the symmetries of the
 * shape; with sharing, the images of the remaining tuples are the same sets of cells. Check value:
 * a network without learning has value v0 everywhere.
 */
#include "agents/ntuple/ntuple.h"

#include "base/text.h"
#include "base/virtual_memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#define SET_NAMES "lines, rectangles=RxC, snakes=N, group0, group1, group2, 4x6, 8x6"

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

/* A list that is being parsed. Errors are STATUS_INPUT and name the item and the shape. */
struct pattern_reader {
	const struct game *game;
	enum network_share share;
	const char *item; /* the current item, `length` characters */
	size_t length;
	struct patterns list; /* the tuples so far */
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

/*
 * Computes the image of IN under symmetry I < game->symmetries of board_symmetry(): its j-th cell
 * on a board shows what the j-th cell of IN shows on that board's I-th symmetric image. OUT may be
 * IN.
 */
static void pattern_image(const struct game *game, int i, const struct pattern *in,
			  struct pattern *out)
{
	/* Every cell contains its own place, so the image contains the places of origin. */
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

/* Returns the value of a base 36 digit; CELLS_MAX, a cell that no board has, for anything else. */
static int pattern_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : CELLS_MAX;
}

/* Converts DIGITS to a tuple on a board of COLS columns, of at most PATTERN_CELLS cells. */
static void pattern_digits(const char *digits, size_t length, int cols, struct pattern *pattern)
{
	*pattern = (struct pattern){.length = (int)length};
	for (size_t j = 0; j < length; j++) {
		int cell = pattern_digit(digits[j]);
		pattern->cell[j] = (uint8_t)(cell / cols * ROW_BYTES + cell % cols);
	}
}

/* Moves the cells up and left as far as possible. */
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

/* Returns FORM mirrored and transposed by the bits of I, as in board_symmetry(). */
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

/* Sorts the cells into reading order, or with FALLING into the reverse. */
static void pattern_sort(struct pattern *pattern, bool falling)
{
	for (int i = 1; i < pattern->length; i++)
		for (int j = i; j > 0; j--) {
			uint8_t *cell = pattern->cell + j - 1, first = cell[0];
			if (falling ? first >= cell[1] : first <= cell[1])
				break;
			cell[0] = cell[1];
			cell[1] = first;
		}
}

/*
 * Returns the form of PATTERN, which is the same for all places, orientations and orders of its
 * cells.
 */
static struct pattern form_of(const struct pattern *pattern)
{
	struct pattern least = form_turned(pattern, 0);
	pattern_sort(&least, false);
	for (int i = 1; i < ORIENTATIONS; i++) {
		struct pattern turned = form_turned(pattern, i);
		pattern_sort(&turned, false);
		if (memcmp(&turned, &least, sizeof least) < 0)
			least = turned;
	}
	return least;
}

static bool has_pattern(const struct pattern_reader *reader, const struct pattern *pattern)
{
	for (int k = 0; k < reader->list.count; k++)
		if (memcmp(&reader->list.pattern[k], pattern, sizeof *pattern) == 0)
			return true;
	return false;
}

/* Appends a tuple; an error if the list is full. With SHARE_ALL appends its form, once. */
static enum status reader_append(struct pattern_reader *reader, const struct pattern *pattern)
{
	const bool forms = reader->share == SHARE_ALL;
	const struct pattern added = forms ? form_of(pattern) : *pattern;
	if (forms && has_pattern(reader, &added))
		return STATUS_OK;
	if (reader->list.count == PATTERNS_MAX)
		return reader_refuse(reader, "expected at most %d tuples in all", PATTERNS_MAX);
	reader->list.pattern[reader->list.count++] = added;
	return STATUS_OK;
}

/* Appends the tuple written as DIGITS; an error also if the list already has it. */
static enum status reader_append_digits(struct pattern_reader *reader, const char *digits,
					size_t length)
{
	struct pattern pattern;
	pattern_digits(digits, length, reader->game->cols, &pattern);
	if (reader->share != SHARE_ALL && has_pattern(reader, &pattern))
		return reader_refuse(reader, "%.*s is there already, expected it once", (int)length,
				     digits);
	return reader_append(reader, &pattern);
}

static uint64_t cell_bits(const struct pattern *pattern)
{
	uint64_t bits = 0;
	for (int j = 0; j < pattern->length; j++)
		bits |= UINT64_C(1) << pattern->cell[j];
	return bits;
}

/* Whether an earlier tuple, or with sharing one of its images, has the same cells. */
static bool has_cells(const struct pattern_reader *reader, const struct pattern *pattern)
{
	uint64_t image_bits[ORIENTATIONS];
	const int images = reader->share == SHARE_NONE ? 1 : reader->game->symmetries;
	if (reader->share == SHARE_ALL)
		return false;
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

static struct pattern form_rectangle(int rows, int cols)
{
	struct pattern form = {.length = rows * cols};
	for (int j = 0; j < rows * cols; j++)
		form.cell[j] = (uint8_t)(j / cols * ROW_BYTES + j % cols);
	return form;
}

/* Places FORM with its corner in row R, column C; false if it is not on the board. */
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

/* Whether some board has room for FORM. */
static bool form_fits(const struct pattern *form)
{
	for (int j = 0; j < form->length; j++)
		if (form->cell[j] / ROW_BYTES >= SIDE_MAX || form->cell[j] % ROW_BYTES >= SIDE_MAX)
			return false;
	return true;
}

/*
 * Appends FORM in every place, in the first TURNS orientations; *FOUND counts the places. With
 * SHARE_ALL appends it once, even if it has no place on this board.
 */
static enum status append_form(struct pattern_reader *reader, const struct pattern *form, int turns,
			       int *found)
{
	if (reader->share == SHARE_ALL && form_fits(form)) {
		++*found;
		return reader_append(reader, form);
	}
	for (int i = 0; form_fits(form) && i < turns; i++) {
		struct pattern turned = form_turned(form, i), placed;
		for (int place = 0; place < reader->game->cells; place++) {
			int r = place / reader->game->cols, c = place % reader->game->cols;
			if (!form_put(reader->game, &turned, r, c, &placed))
				continue;
			++*found;
			enum status status =
			    has_cells(reader, &placed) ? STATUS_OK : reader_append(reader, &placed);
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
		    has_cells(reader, &pattern) ? STATUS_OK : reader_append(reader, &pattern);
		if (status)
			return status;
	}
	return STATUS_OK;
}

/* Appends published tuples: on 4x4 as they are, elsewhere their forms in all places. */
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

/* Whether the item is NAME, or begins with NAME if that ends with '='. */
static bool item_is(const struct pattern_reader *reader, const char *name)
{
	size_t length = strlen(name);
	return reader->length >= length && memcmp(reader->item, name, length) == 0 &&
	       (reader->length == length || name[length - 1] == '=');
}

/*
 * Appends the set that the item names. *FOUND is the number of its tuples on the shape, including
 * those already in the list; -1 if the item names no set. An error if the numbers of the item are
 * impossible.
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

/* Suggests the name that the item, before its '=', may mean. */
static struct suggestion name_suggest(const struct pattern_reader *reader)
{
	static const char *const names[] = {"lines",  "rectangles=RxC", "snakes=N", "group0",
					    "group1", "group2",		"4x6",	    "8x6"};
	const char *equals = memchr(reader->item, '=', reader->length);
	struct suggestion suggestion = suggestion_start(
	    reader->item, equals ? (size_t)(equals - reader->item) : reader->length);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		suggestion_try(&suggestion, names[i], strcspn(names[i], "="));
	suggestion.name_length =
	    suggestion.name ? strlen(suggestion.name) : 0; /* with its parameter */
	return suggestion;
}

static enum status item_unknown(const struct pattern_reader *reader, const char *reason)
{
	char hint[HINT_MAX];
	const struct suggestion suggestion = name_suggest(reader);
	return reader_refuse(reader, "%s, %sexpected cells or one of " SET_NAMES, reason,
			     suggestion_hint(&suggestion, hint));
}

/* Whether the item is at most one mistake off a name that is a word, or has '=', like a name. */
static bool is_meant_as_name(const struct pattern_reader *reader)
{
	const struct suggestion suggestion = name_suggest(reader);
	const bool word = suggestion.name && *suggestion.name >= 'a';
	return (word && suggestion.distance <= 1) || memchr(reader->item, '=', reader->length);
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
		return reader_refuse(reader, "nothing, expected cells or one of " SET_NAMES);
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

enum status patterns_read(const char *text, const struct game *game, enum network_share share,
			  struct patterns *patterns, struct why *why)
{
	struct pattern_reader reader = {.game = game, .share = share, .why = why};
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

static void feature_set(struct indexer *indexer, int f, const struct pattern *pattern,
			uint64_t first)
{
	struct feature_group *group = &indexer->group[f / FEATURES_STEP];
	uint8_t *place = group->place + 8 * (f % FEATURES_STEP);
	memset(place, NO_PLACE, 8);
	for (int j = 0; j < pattern->length; j++)
		place[j] = pattern->cell[pattern->length - 1 - j];
	group->first[f % FEATURES_STEP] = first;
	group->length[f % FEATURES_STEP] = (uint64_t)pattern->length;
}

/* Returns the digits of feature F of GROUP, in the order of its cells; the last is byte 0. */
static uint64_t feature_digits(const struct indexer *indexer, const struct feature_group *group,
			       int f, const uint8_t *cell)
{
	const uint8_t *place = group->place + 8 * f;
	uint64_t digits = 0;
	for (uint64_t j = 0; j < group->length[f]; j++) {
		unsigned digit = cell[place[j]];
		if (digit >= (unsigned)indexer->levels)
			digit = (unsigned)indexer->levels - 1;
		digits |= (uint64_t)digit << 8 * j;
	}
	return digits;
}

/* Returns the index of DIGITS in a table for tuples of LENGTH cells. */
static uint64_t digits_index(int levels, int length, uint64_t digits)
{
	const uint64_t half = (uint64_t)(levels + 1) / 2;
	uint64_t box = 0, low = 0;
	for (int j = length - 1; j >= 0; j--) {
		const uint64_t digit = digits >> 8 * j & 0xff;
		box = box * half + digit / 2;
		low = low * 2 + digit % 2;
	}
	return (box << length) + low;
}

static uint64_t digits_turned(uint64_t digits, const uint8_t *from)
{
	uint64_t turned = 0;
	for (int j = 0; j < 8; j++)
		turned |= (digits >> 8 * (from[j] % 8) & 0xff) << 8 * j;
	return turned;
}

/* Returns the index of feature I: that of the smallest order of its digits, if it has several. */
static uint64_t feature_index(const struct indexer *indexer, const struct board *board, int i)
{
	const int g = i / FEATURES_STEP, f = i % FEATURES_STEP;
	const struct feature_group *group = &indexer->group[g];
	const uint64_t digits = feature_digits(indexer, group, f, &board->cell[0][0]);
	uint64_t least = digits;
	for (int k = 0; k < indexer->orders[g]; k++) {
		const uint64_t turned = digits_turned(digits, indexer->order[g][k].from + 8 * f);
		least = turned < least ? turned : least;
	}
	return group->first[f] + digits_index(indexer->levels, (int)group->length[f], least);
}

static void portable_run_wide(const struct indexer *indexer, const struct board *board,
			      uint64_t *index)
{
	for (int i = 0; i < indexer->stride; i++)
		index[i] = feature_index(indexer, board, i);
}

static void portable_run(const struct indexer *indexer, const struct board *board, uint32_t *index)
{
	for (int i = 0; i < indexer->stride; i++)
		index[i] = (uint32_t)index_place(indexer, feature_index(indexer, board, i));
}

static struct indexer_kernel kernel_choose(enum isa isa)
{
	switch (isa) {
#if defined NXN_X86_64
	case ISA_AVX512:
		return indexer_avx512;
	case ISA_AVX2:
		return indexer_avx2;
#endif
	default:
		return (struct indexer_kernel){portable_run, portable_run_wide};
	}
}

static uint64_t table_entries(int levels, int length)
{
	uint64_t entries = 1;
	for (int j = 0; j < length; j++)
		entries *= (uint64_t)(levels + 1) / 2 * 2;
	return entries;
}

/* Adds the feature PATTERN, whose table begins at FIRST. Features without room are only counted. */
static void feature_add(struct indexer *indexer, const struct pattern *pattern, uint64_t first)
{
	const int f = indexer->features++;
	if (f < FEATURES_MAX)
		feature_set(indexer, f, pattern, first);
}

/*
 * Finds the orders of cells that map FORM to itself, the identity first. Byte j of the digits in
 * order i is byte from[i][j] of the digits of FORM, as in feature_digits(). Returns their number.
 */
static int form_orders(const struct pattern *form, uint8_t from[ORIENTATIONS][8])
{
	const int n = form->length;
	int found = 0;
	for (int i = 0; i < ORIENTATIONS; i++) {
		const struct pattern turned = form_turned(form, i);
		struct pattern sorted = turned;
		bool new = true;
		pattern_sort(&sorted, false);
		if (memcmp(&sorted, form, sizeof sorted) != 0)
			continue;
		for (int j = 0; j < 8; j++)
			from[found][j] = (uint8_t)j;
		for (int j = 0; j < n; j++) {
			const uint8_t *at = memchr(form->cell, turned.cell[j], (size_t)n);
			from[found][n - 1 - j] = (uint8_t)(n - 1 - (at - form->cell));
		}
		for (int k = 0; k < found; k++)
			new = new &&memcmp(from[k], from[found], 8) != 0;
		found += new;
	}
	return found;
}

/* Gives feature F the same index in all orders of FORM. */
static void orders_set(struct indexer *indexer, int f, const struct pattern *form)
{
	uint8_t from[ORIENTATIONS][8];
	const int g = f / FEATURES_STEP, i = f % FEATURES_STEP, orders = form_orders(form, from);
	/* If others of the group have more orders, the feature repeats its first. */
	for (int k = 0; k < ORDERS_MAX; k++)
		for (int j = 0; j < 8; j++)
			indexer->order[g][k].from[8 * i + j] =
			    (uint8_t)(from[k + 1 < orders ? k + 1 : 0][j] + 8 * (i % 2));
	if (orders - 1 > indexer->orders[g])
		indexer->orders[g] = orders - 1;
}

/* Adds FORM in every place and orientation, each place once. */
static void form_add(struct indexer *indexer, const struct game *game, const struct pattern *form,
		     uint64_t first)
{
	struct pattern turned[ORIENTATIONS];
	for (int i = 0; i < ORIENTATIONS; i++) {
		bool seen = false;
		turned[i] = form_turned(form, i);
		const struct pattern as_it_is = turned[i];
		pattern_sort(&turned[i], false);
		for (int k = 0; k < i; k++)
			seen = seen || memcmp(&turned[k], &turned[i], sizeof turned[k]) == 0;
		for (int place = 0; !seen && place < game->cells; place++) {
			struct pattern placed;
			if (!form_put(game, &as_it_is, place / game->cols, place % game->cols,
				      &placed))
				continue;
			if (indexer->features < FEATURES_MAX)
				orders_set(indexer, indexer->features, form);
			feature_add(indexer, &placed, first);
		}
	}
}

/* Returns the form of the step that begins with feature F. */
static enum step_form step_form(const struct indexer *indexer, int f)
{
	bool fours = f + 2 * FEATURES_STEP <= indexer->stride;
	for (int i = f; fours && i < f + 2 * FEATURES_STEP; i++)
		fours = indexer->group[i / FEATURES_STEP].length[i % FEATURES_STEP] <= 4;
	if (fours)
		return STEP_FOURS;
	return indexer->orders[f / FEATURES_STEP] ? STEP_EIGHTS : STEP_HALVES;
}

/* Copies the J-th byte of feature F into STEP, which begins with feature F - I. */
static void step_byte_set(const struct indexer *indexer, struct feature_step *step, int f, int i,
			  int j)
{
	const int bytes = step->form == STEP_EIGHTS ? 8 : 4;
	const int at = step->form == STEP_HALVES ? j / 4 * 32 + 4 * i + j % 4 : bytes * i + j;
	const int g = f / FEATURES_STEP, from = 8 * (f % FEATURES_STEP) + j;
	const int place = indexer->group[g].place[from];
	const bool dense = indexer->dense && place != NO_PLACE;
	step->place[at] = (uint8_t)(dense ? place / ROW_BYTES * 4 + place % ROW_BYTES : place);
	for (int k = 0; indexer->shared && k < ORDERS_MAX; k++)
		step->order[k][at] =
		    (uint8_t)(indexer->order[g][k].from[from] % 8 + bytes * i % 16);
}

/* Fills the next step, which begins with feature F. Returns the number of its features. */
static int step_add(struct indexer *indexer, int f)
{
	struct feature_step *step = &indexer->step[indexer->steps++];
	*step = (struct feature_step){.form = step_form(indexer, f)};
	const int count = step->form == STEP_FOURS ? 2 * FEATURES_STEP : FEATURES_STEP;
	for (int i = 0; i < 2 * FEATURES_STEP; i++) {
		const int at = f + i % count, g = at / FEATURES_STEP;
		const struct feature_group *group = &indexer->group[g];
		step->first[i] = (uint32_t)group->first[at % FEATURES_STEP];
		step->length[i] = (uint32_t)group->length[at % FEATURES_STEP];
		if (indexer->orders[g] > step->orders)
			step->orders = indexer->orders[g];
		for (int j = 0; i < count && j < 64 / count; j++)
			step_byte_set(indexer, step, at, i, j);
	}
	return count;
}

enum { CACHED_MAX = 1 << 18 }; /* a table of so many weights, 1 MiB, stays in a cache */

/*
 * Computes the features of PATTERNS on GAME: each in one image or, as SHARE says, in all symmetric
 * images, where feature p * game->symmetries + i is image i of pattern p, or in all places. Tables
 * have (2 half)^length entries and follow each other; that of pattern p starts at first[p], a
 * multiple of ALIGN. Returns the end of the last one. If that exceeds 2^32, run() must not be used;
 * with more than FEATURES_MAX features INDEXER must not. LEVELS is from 2 to INDEXER_LEVELS.
 */
static uint64_t indexer_init(struct indexer *indexer, const struct game *game,
			     const struct patterns *patterns, enum network_share share, int levels,
			     unsigned align, uint64_t *first)
{
	uint64_t size = 0;
	bool cached = true;
	const int images = share == SHARE_NONE ? 1 : game->symmetries;
	assert(levels >= 2 && levels <= INDEXER_LEVELS);
	indexer->levels = levels;
	indexer->features = 0;
	indexer->first_cold = 0;
	indexer->shared = share == SHARE_ALL;
	indexer->chunks = (game->rows + 1) / 2;
	memset(indexer->orders, 0, sizeof indexer->orders);
	for (int p = 0; p < patterns->count; p++) {
		const struct pattern *pattern = &patterns->pattern[p];
		const uint64_t entries = table_entries(levels, pattern->length);
		first[p] = (size + align - 1) / align * align;
		size = first[p] + entries;
		if (share == SHARE_ALL)
			form_add(indexer, game, pattern, first[p]);
		for (int i = 0; share != SHARE_ALL && i < images; i++) {
			struct pattern image;
			pattern_image(game, i, pattern, &image);
			feature_add(indexer, &image, first[p]);
		}
		cached = cached && entries <= CACHED_MAX;
		if (cached)
			indexer->first_cold = indexer->features / FEATURES_STEP * FEATURES_STEP;
	}
	int f = indexer->features;
	for (; f % FEATURES_STEP && f < FEATURES_MAX; f++) {
		feature_set(indexer, f, &(struct pattern){0}, 0);
		orders_set(indexer, f, &(struct pattern){0});
	}
	indexer->stride = f;
	indexer->dense =
	    !indexer->shared && game->isa == ISA_AVX2 && game->rows <= 4 && game->cols <= 4;
	indexer->steps = 0;
	for (int next = 0; next < f && f <= FEATURES_MAX;)
		next += step_add(indexer, next);
	indexer->kernel = kernel_choose(game->isa);
	return size;
}

/*
 * Levels for the tiles that strong players reach: 4x4 2^15, as is usual, 5x5 2^19, 6x6 2^21; a
 * table of six cells then has 64, 244 and 433 MiB. These numbers are even, because an odd one needs
 * as much room as the next. Tables with SHARE_ALL have the same levels on all boards.
 */
enum { LEVELS_SHARED = 22 };

static int network_levels(const struct game *game, enum network_share share)
{
	const int grown = 10 + game->cells / 5 * 2, enough = grown < 22 ? grown : 22;
	const int all = game->max_exponent + 1;
	if (share == SHARE_ALL)
		return LEVELS_SHARED;
	return all < enough ? all : enough;
}

static enum status tables_map(struct network *network, struct why *why)
{
	const uint64_t count = network->size;
	size_t entry = sizeof *network->weight;
	char what[80];
	void *space;
	snprintf(what, sizeof what, "a network of %d tuples, %d levels,", network->patterns.count,
		 network->plan.levels);
	if (network->plan.coherence)
		entry += sizeof *network->coherence;
	enum status status = virtual_memory_fits(count, entry, what, why);
	if (!status)
		status = virtual_memory_map(count, sizeof *network->weight, what, &space, why);
	if (status)
		return status;
	network->weight = space;
	if (!network->plan.coherence)
		return STATUS_OK;
	status = virtual_memory_map(count, sizeof *network->coherence, what, &space, why);
	if (!status)
		network->coherence = space;
	return status;
}

/*
 * Reserves address space only. A directory of blocks replaces one mapping of all weights in pages
 * of 4096 bytes, because the weights that play touches are scattered. 400 games of Q-learning on
 * 6x6 update 5.7 million weights, 44 MiB with their visits. They need 3609 MiB of pages with one
 * digit per cell, 1225 MiB with pages that are boxes of 512 similar contents, 429 MiB in boxes of
 * 64 (635 MiB with the directory). 6000 games on 4x4, 12 MiB, need 396, 149 and 79 MiB. Smaller
 * boxes need fewer block bytes (8 weights: 152 MiB on 6x6) but a larger directory. Blocks are
 * allocated in order, so huge pages waste nothing; the directory has none.
 */
static enum status blocks_map(struct network *n, struct why *why)
{
	n->block = n->plan.visits ? 2 * NETWORK_BOX : NETWORK_BOX;
	const uint64_t most = (UINT32_MAX + UINT64_C(1)) / n->block;
	n->boxes = (n->size + NETWORK_BOX - 1) / NETWORK_BOX;
	n->capacity = n->boxes < most ? n->boxes + 1 : most;
	n->size = n->capacity * n->block;
	n->blocks = 1;
	n->directory = virtual_memory_reserve(n->boxes, sizeof *n->directory);
	n->box = virtual_memory_reserve(n->capacity, sizeof *n->box);
	n->weight = virtual_memory_reserve(n->size, sizeof *n->weight);
	if (!n->directory || !n->box || !n->weight)
		return why_errno(why,
				 "cannot map %.0f GiB of address space for weights, expected "
				 "`ulimit -v unlimited` and vm.overcommit_memory 0 or 1",
				 ((double)n->boxes * 4 + (double)n->capacity * 520) / 0x1p30 + 1);
	virtual_memory_use_huge_pages(n->weight, n->size, sizeof *n->weight);
	return STATUS_OK;
}

static enum status features_check(const struct network *network, struct why *why)
{
	const int features = network->indexer.features;
	return features > 0 && features <= FEATURES_MAX
		   ? STATUS_OK
		   : why_set(why, STATUS_INPUT,
			     "tuples that on %s are %d features, expected 1 to %d",
			     network->game->name, features, FEATURES_MAX);
}

enum status network_init(struct network *network, const struct game *game,
			 const struct network_plan *plan, struct why *why)
{
	struct network made = {.game = game, .plan = *plan};
	struct network *n = &made;
	assert(!plan->on_demand || !plan->coherence);
	enum status status = patterns_read(plan->tuples, game, plan->share, &n->patterns, why);
	if (status)
		return status;
	n->plan.tuples = NULL;
	if (!plan->levels)
		n->plan.levels = network_levels(game, plan->share);
	/*
	 * Makes the bottom cells the most significant digits. Of equal moves the first is made, up,
	 * so tiles are large at the top, and the bottom has few different ones: 200 games on 5x5
	 * touch 31 MiB of the directory, compared with 38 MiB in reading order.
	 */
	for (int p = 0; plan->on_demand && p < n->patterns.count; p++)
		pattern_sort(&n->patterns.pattern[p], true);
	n->size = indexer_init(&n->indexer, game, &n->patterns, plan->share, n->plan.levels,
			       plan->on_demand ? NETWORK_BOX : 1, n->first);
	status = features_check(n, why);
	if (status)
		return status;
	if (n->size > UINT32_MAX && !plan->on_demand)
		return why_set(why, STATUS_INPUT,
			       "%.1f billion weights, expected at most 4.2: fewer levels "
			       "(%d), fewer tuples or shorter ones",
			       (double)n->size / 1e9, n->plan.levels);
	if (!plan->on_demand)
		n->size = (n->size + PLACES_STEP - 1) / PLACES_STEP * PLACES_STEP;
	status = plan->on_demand ? blocks_map(n, why) : tables_map(n, why);
	if (status) {
		network_fini(n);
		return status;
	}
	*network = made;
	return STATUS_OK;
}

void network_fini(struct network *network)
{
	virtual_memory_unmap(network->weight, network->size, sizeof *network->weight);
	virtual_memory_unmap(network->coherence, network->size, sizeof *network->coherence);
	virtual_memory_unmap(network->box, network->capacity, sizeof *network->box);
	virtual_memory_unmap(network->directory, network->boxes, sizeof *network->directory);
	*network = (struct network){0};
}

/* Returns the number of the pattern of FROM that equals PATTERN, or -1. */
static int pattern_find(const struct network *from, const struct pattern *pattern)
{
	for (int q = 0; q < from->patterns.count; q++)
		if (memcmp(&from->patterns.pattern[q], pattern, sizeof *pattern) == 0)
			return q;
	return -1;
}

/* Copies the table of FROM's pattern Q to that of TO's pattern P. */
static void table_copy(struct network *to, int p, const struct network *from, int q)
{
	const uint64_t entries = table_entries(to->plan.levels, to->patterns.pattern[p].length);
	/* Writes no zeros, since untouched pages take no memory. */
	for (uint64_t i = 0; i < entries; i++) {
		const float w = from->weight[index_place(&from->indexer, from->first[q] + i)];
		if (w != 0)
			to->weight[index_place(&to->indexer, to->first[p] + i)] = w;
	}
}

/* Checks that the weights of FROM mean the same in TO. STATUS_INPUT if not. */
static enum status plans_compare(const struct network *to, const struct network *from,
				 struct why *why)
{
	const bool same = strcmp(from->game->name, to->game->name) == 0;
	if (from->plan.share != to->plan.share && same)
		return why_set(why, STATUS_INPUT,
			       "its weights are shared in another way; expected the same share=");
	if (from->plan.share != to->plan.share || (to->plan.share != SHARE_ALL && !same))
		return why_set(why, STATUS_INPUT,
			       "a model for board '%s', expected board '%s'; only a model that was "
			       "trained with share=all plays other boards",
			       from->game->name, to->game->name);
	if (from->plan.levels != to->plan.levels)
		return why_set(why, STATUS_INPUT, "weights for levels=%d, expected levels=%d",
			       from->plan.levels, to->plan.levels);
	if (from->plan.start != to->plan.start)
		return why_set(why, STATUS_INPUT, "weights for init=%g, expected init=%g",
			       from->plan.start, to->plan.start);
	return STATUS_OK;
}

enum status network_inherit(struct network *to, const struct network *from, struct why *why)
{
	bool taken[PATTERNS_MAX] = {false};
	assert(!to->directory && !from->directory);
	enum status status = plans_compare(to, from, why);
	if (status)
		return status;
	for (int p = 0; p < to->patterns.count; p++) {
		const int q = pattern_find(from, &to->patterns.pattern[p]);
		if (q < 0)
			continue;
		taken[q] = true;
		table_copy(to, p, from, q);
	}
	for (int q = 0; q < from->patterns.count; q++)
		if (!taken[q])
			return why_set(why, STATUS_INPUT,
				       "weights of a tuple of %d cells that is not among those of "
				       "%s, expected all of them",
				       from->patterns.pattern[q].length, to->game->name);
	return STATUS_OK;
}

enum status network_view(struct network *view, const struct network *of, const struct game *game,
			 struct why *why)
{
	assert(of->plan.share == SHARE_ALL);
	*view = *of;
	view->game = game;
	indexer_init(&view->indexer, game, &of->patterns, SHARE_ALL, of->plan.levels, 1,
		     view->first);
	return features_check(view, why);
}

bool network_box_add(struct network *network, uint64_t box)
{
	if (network->directory[box] || network->blocks == network->capacity)
		return false;
	network->box[network->blocks] = box;
	network->directory[box] = (uint32_t)network->blocks++;
	return true;
}
