/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sets of n-tuples that have a name; see patterns.h.
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
#include "agents/ntuple/patterns_read.h"

#include <string.h>

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

static uint64_t cell_bits(const struct pattern *pattern)
{
	uint64_t bits = 0;
	for (int j = 0; j < pattern->length; j++)
		bits |= UINT64_C(1) << pattern->cell[j];
	return bits;
}

/* Whether an earlier tuple has the same cells, or with sharing one of its images. */
static bool is_there(const struct reading *reading, const struct pattern *pattern)
{
	uint64_t image_bits[ORIENTATIONS];
	const int images = reading->sharing ? reading->game->symmetries : 1;
	for (int i = 0; i < images; i++) {
		struct pattern image;
		pattern_image(reading->game, i, pattern, &image);
		image_bits[i] = cell_bits(&image);
	}
	for (int k = 0; k < reading->list.count; k++) {
		const uint64_t bits = cell_bits(&reading->list.pattern[k]);
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
static enum status append_form(struct reading *reading, const struct pattern *form, int turns,
			       int *found)
{
	for (int i = 0; i < turns; i++) {
		struct pattern turned = form_turned(form, i), placed;
		for (int place = 0; place < reading->game->cells; place++) {
			int r = place / reading->game->cols, c = place % reading->game->cols;
			if (!form_put(reading->game, &turned, r, c, &placed))
				continue;
			++*found;
			enum status status = is_there(reading, &placed)
						 ? STATUS_OK
						 : reading_append(reading, &placed);
			if (status)
				return status;
		}
	}
	return STATUS_OK;
}

static enum status lines_read(struct reading *reading, int *found)
{
	struct pattern row = form_rectangle(1, reading->game->cols);
	struct pattern col = form_rectangle(reading->game->rows, 1);
	enum status status = append_form(reading, &row, 1, found);
	return status ? status : append_form(reading, &col, 1, found);
}

static enum status rectangles_read(struct reading *reading, const char *text, size_t length,
				   int *found)
{
	int rows = length == 3 && text[1] == 'x' ? pattern_digit(text[0]) : 0;
	int cols = rows ? pattern_digit(text[2]) : 0;
	if (rows < 1 || cols < 1 || rows * cols > PATTERN_CELLS)
		return reading_refuse(reading,
				      "expected rectangles=RxC of at most %d cells, such as "
				      "rectangles=2x3",
				      PATTERN_CELLS);
	struct pattern form = form_rectangle(rows, cols);
	return append_form(reading, &form, ORIENTATIONS, found);
}

static enum status snakes_read(struct reading *reading, const char *text, size_t length, int *found)
{
	const struct game *game = reading->game;
	int cells = length == 1 ? pattern_digit(text[0]) : 0;
	if (cells < 1 || cells > PATTERN_CELLS)
		return reading_refuse(reading,
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
		    is_there(reading, &pattern) ? STATUS_OK : reading_append(reading, &pattern);
		if (status)
			return status;
	}
	return STATUS_OK;
}

/* On 4x4 the tuples as they are, elsewhere their forms in all places. */
static enum status published_read(struct reading *reading, const char *tuples, int *found)
{
	bool as_it_is =
	    reading->game->rows == PUBLISHED_SIDE && reading->game->cols == PUBLISHED_SIDE;
	enum status status = STATUS_OK;
	while (*tuples && !status) {
		size_t length = strcspn(tuples, " ");
		if (as_it_is) {
			status = reading_append_digits(reading, tuples, length);
			++*found;
		} else {
			struct pattern form;
			pattern_digits(tuples, length, PUBLISHED_SIDE, &form);
			form_align(&form);
			status = append_form(reading, &form, ORIENTATIONS, found);
		}
		tuples += length;
		tuples += strspn(tuples, " ");
	}
	return status;
}

/* Whether the item is NAME, or where NAME ends with '=' begins with it. */
static bool item_is(const struct reading *reading, const char *name)
{
	size_t length = strlen(name);
	return reading->length >= length && memcmp(reading->item, name, length) == 0 &&
	       (reading->length == length || name[length - 1] == '=');
}

enum status reading_set(struct reading *reading, int *found)
{
	const char *equals = memchr(reading->item, '=', reading->length);
	const char *text = equals ? equals + 1 : "";
	size_t length = equals ? reading->length - (size_t)(text - reading->item) : 0;
	*found = 0;
	if (item_is(reading, "lines"))
		return lines_read(reading, found);
	if (item_is(reading, "rectangles="))
		return rectangles_read(reading, text, length, found);
	if (item_is(reading, "snakes="))
		return snakes_read(reading, text, length, found);
	for (int i = 0; i < PUBLISHED; i++)
		if (item_is(reading, published[i].name))
			return published_read(reading, published[i].tuples, found);
	*found = -1;
	return STATUS_OK;
}
