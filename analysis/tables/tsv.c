/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables read back; see tsv.h. The file is read whole and cut at its tabs and newlines in place;
 * the cells of all blocks point into it. gnuplot knows no escape for a quote, so none is undone.
 */
#include "analysis/tables/tsv.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads PATH into TEXT, which ends with a NUL and has no other. */
static enum status text_read(const char *path, size_t most, char **text, struct why *why)
{
	size_t size;
	enum status status = file_read(path, most, text, &size, why);
	if (status)
		return status;
	if (!memchr(*text, '\0', size)) {
		lines_unify(*text, size);
		return STATUS_OK;
	}
	free(*text);
	*text = NULL;
	return why_set(why, STATUS_INPUT, "%s: has a NUL in it, so is no table", path);
}

/* ARRAY, moved if it must, with room for one behind COUNT elements; NULL without memory. */
static void *room_make(void *array, size_t count, size_t size)
{
	if (count & (count - 1)) /* there is room up to the next power of 2 */
		return array;
	return reallocarray(array, count ? 2 * count : 1, size);
}

static bool note_add(struct tsv *tsv, const char *note)
{
	const char **grown = room_make(tsv->notes, tsv->note_count + 1, sizeof *grown);
	if (!grown)
		return false;
	tsv->notes = grown;
	grown[tsv->note_count++] = note;
	grown[tsv->note_count] = NULL;
	return true;
}

static bool block_add(struct tsv *tsv, const char *name)
{
	struct tsv_block *grown = room_make(tsv->blocks, tsv->block_count, sizeof *grown);
	if (!grown)
		return false;
	tsv->blocks = grown;
	grown[tsv->block_count++] = (struct tsv_block){.name = name};
	return true;
}

/* What is known above a line. */
struct reading {
	struct tsv *tsv;
	const char *path, *name; /* of the block to come, or NULL */
	size_t line;
	bool in_block;
};

static enum status out_of_memory(const struct reading *r, struct why *why)
{
	return why_set(why, STATUS_SYSTEM, "%s: out of memory", r->path);
}

static bool is_quoted(const char *cell, size_t length)
{
	return length > 1 && cell[0] == '"' && cell[length - 1] == '"';
}

/* Whether the LENGTH bytes of CELL are text between quotes, a number or NaN. */
static bool cell_valid(const char *cell, size_t length)
{
	double x;
	return is_quoted(cell, length) || (length == 3 && memcmp(cell, "NaN", 3) == 0) ||
	       real_scan(cell, &x) == cell + length;
}

enum status tsv_row_check(const char *path, size_t number, const char *line, size_t columns,
			  struct why *why)
{
	size_t count = 0;
	for (size_t length; line; line = line[length] ? line + length + 1 : NULL) {
		length = strcspn(line, "\t");
		count++;
		if (!cell_valid(line, length))
			return why_set(why, STATUS_INPUT,
				       "%s:%zu: column %zu: '%.*s' is not a number; text stands "
				       "between quotes",
				       path, number, count, length < 40 ? (int)length : 40, line);
	}
	return count == columns
		   ? STATUS_OK
		   : why_set(why, STATUS_INPUT, "%s:%zu: %zu cells under %zu names of columns",
			     path, number, count, columns);
}

/* Cuts LINE into cells without their quotes, and returns how many; 0 without memory. */
static size_t cells_add(struct tsv *tsv, char *line)
{
	size_t count = 0;
	for (char *cell; (cell = strsep(&line, "\t")); count++) {
		const size_t length = strlen(cell);
		if (is_quoted(cell, length))
			*(cell++ + length - 1) = '\0';
		const char **grown = room_make(tsv->cells, tsv->cell_count, sizeof *grown);
		if (!grown)
			return 0;
		tsv->cells = grown;
		grown[tsv->cell_count++] = cell;
	}
	return count;
}

static enum status comment_take(struct reading *r, char *line, struct why *why)
{
	char *text = line + 1 + (line[1] == ' ');
	bool block = strncmp(text, "block ", 6) == 0;
	size_t number = block ? 6 + strspn(text + 6, "0123456789") : 0;
	r->in_block = false;
	if (block && strncmp(text + number, ": ", 2) == 0)
		r->name = text + number + 2;
	else if (r->tsv->block_count == 0 && !note_add(r->tsv, text))
		return out_of_memory(r, why);
	return STATUS_OK;
}

static enum status row_take(struct reading *r, char *line, struct why *why)
{
	struct tsv *tsv = r->tsv;
	bool names = !r->in_block;
	if (names && !block_add(tsv, r->name ? r->name : ""))
		return out_of_memory(r, why);
	struct tsv_block *block = &tsv->blocks[tsv->block_count - 1];
	if (!names && tsv_row_check(r->path, r->line, line, block->columns, why))
		return STATUS_INPUT;
	const size_t count = cells_add(tsv, line);
	if (count == 0)
		return out_of_memory(r, why);
	if (count > TSV_COLUMNS_MAX)
		return why_set(why, STATUS_INPUT, "%s:%zu: %zu columns, more than %d", r->path,
			       r->line, count, TSV_COLUMNS_MAX);
	block->columns = count;
	block->rows += !names;
	r->in_block = true;
	r->name = NULL;
	return STATUS_OK;
}

static enum status line_take(struct reading *r, char *line, struct why *why)
{
	for (const char *at = line; *(at += text_plain(at)); at++)
		if (*at != '\t')
			return why_set(why, STATUS_INPUT,
				       "%s:%zu: byte %td is no plain text: expected UTF-8 without "
				       "control characters",
				       r->path, r->line, at - line + 1);
	if (*line == '#')
		return comment_take(r, line, why);
	if (*line)
		return row_take(r, line, why);
	r->in_block = false;
	return STATUS_OK;
}

/* ---- What cells are, and how their numbers are written. */

enum { NUMBER_MAX = 28 };

const char *tsv_name(const struct tsv_block *block, size_t column)
{
	return block->cells[column];
}

const char *tsv_cell(const struct tsv_block *block, size_t row, size_t column)
{
	return block->cells[(row + 1) * block->columns + column];
}

bool tsv_find(const struct tsv_block *block, const char *name, size_t *column)
{
	for (size_t c = 0; c < block->columns; c++) {
		if (strcmp(tsv_name(block, c), name) != 0)
			continue;
		*column = c;
		return true;
	}
	return false;
}

/* Whether COLUMN is the bound WHICH, "low" or "high", of a column called X: "X_low" or "X low". */
static bool is_bound_of(const struct tsv_block *block, size_t column, const char *x,
			const char *which)
{
	static const char difference[] = "_difference"; /* paired_difference, paired_low */
	size_t length = strlen(x), cut = sizeof difference - 1;
	if (column >= block->columns)
		return false;
	if (length > cut && strcmp(x + length - cut, difference) == 0)
		length -= cut;
	const char *name = tsv_name(block, column);
	return strncmp(name, x, length) == 0 && (name[length] == '_' || name[length] == ' ') &&
	       strcmp(name + length + 1, which) == 0;
}

/* Sets the columns with the bounds of COLUMN; false if it has none. */
static bool tsv_bounds(const struct tsv_block *block, size_t column, size_t *low, size_t *high)
{
	const char *name = tsv_name(block, column);
	*low = column + 1;
	*high = column + 2;
	return is_bound_of(block, *low, name, "low") && is_bound_of(block, *high, name, "high");
}

bool tsv_is_bound(const struct tsv_block *block, size_t column)
{
	size_t low, high;
	return (column >= 1 && tsv_bounds(block, column - 1, &low, &high)) ||
	       (column >= 2 && tsv_bounds(block, column - 2, &low, &high));
}

/* Sets *X to the number that TEXT is, NAN for "NaN"; false if it is none. */
static bool number_read(const char *text, double *x)
{
	*x = NAN;
	return strcmp(text, "NaN") == 0 || real_parse(text, x);
}

bool tsv_is_number(const struct tsv_block *block, size_t column)
{
	double x;
	for (size_t r = 0; r < block->rows; r++)
		if (!number_read(tsv_cell(block, r, column), &x))
			return false;
	return true;
}

static double cell_number(const struct tsv_block *block, size_t row, size_t column)
{
	double x;
	number_read(tsv_cell(block, row, column), &x);
	return x;
}

struct interval tsv_number(const struct tsv_block *block, size_t row, size_t column)
{
	struct interval x = {cell_number(block, row, column), NAN, NAN};
	size_t low, high;
	if (tsv_bounds(block, column, &low, &high)) {
		x.low = cell_number(block, row, low);
		x.high = cell_number(block, row, high);
	}
	return x;
}

static double half_width(struct interval x)
{
	double half = (x.high - x.low) / 2;
	return half > 0 ? half : 0;
}

/* Nine decimals are as many as are written. */
static bool is_scientific(struct interval x)
{
	double size = fmax(fabs(x.value), half_width(x));
	return size > 0 && (size < 1e-6 || size >= 1e15);
}

bool tsv_is_scientific(const struct tsv_block *block, size_t column)
{
	for (size_t row = 0; row < block->rows; row++)
		if (is_scientific(tsv_number(block, row, column)))
			return true;
	return false;
}

/*
 * How to write the numbers of an interval: with so many decimals, behind an exponent's digit if it
 * has one.
 */
struct style {
	bool scientific, stripped;
	int decimals;
};

static struct style style_of(struct interval x, bool scientific)
{
	double half = half_width(x), size = fmax(fabs(x.value), half);
	if (scientific && size > 0) {
		double ratio = half > 0 ? floor(log10(size)) - floor(log10(half)) + 1 : 3;
		return (struct style){true, false, (int)fmin(fmax(ratio, 1), 6)};
	}
	if (half > 0)
		return (struct style){false, false, (int)fmin(fmax(1 - floor(log10(half)), 0), 9)};
	if (!(size < 1000) || x.value == floor(x.value))
		return (struct style){false, false, 0};
	return (struct style){false, true, (int)fmin(3 - floor(log10(size)), 9)};
}

static void number_text(double x, struct style style, char text[NUMBER_MAX])
{
	if (isnan(x)) {
		snprintf(text, NUMBER_MAX, "-");
		return;
	}
	snprintf(text, NUMBER_MAX, style.scientific ? "%.*e" : "%.*f", style.decimals, x);
	char *last = text + strlen(text) - 1;
	while (style.stripped && *last == '0')
		*last-- = '\0';
	if (style.stripped && *last == '.')
		*last = '\0';
}

void interval_format(struct interval x, bool scientific, char text[TSV_TEXT_MAX])
{
	char value[NUMBER_MAX], low[NUMBER_MAX], high[NUMBER_MAX];
	struct style style = style_of(x, scientific || is_scientific(x));
	number_text(x.value, style, value);
	number_text(x.low, style, low);
	number_text(x.high, style, high);
	if (isnan(x.low) && isnan(x.high))
		snprintf(text, TSV_TEXT_MAX, "%s", value);
	else
		snprintf(text, TSV_TEXT_MAX, "%s [%s, %s]", value, low, high);
}

/* ---- Split into blocks. */

/* How the table NAME is split. */
struct split {
	const char *name;
	const char *block; /* the name of a block, $COLUMN for the cell of that */
	const char
	    *wide[3]; /* columns: whose values become columns; the key of a row; the values */
};

static const struct split splits[] = {
    {"spread", "$quantity", {NULL}},
    {"tiles", "$board", {"label", "tile", "share"}},
    {"reach", "$board", {"label", "tile", "share"}},
    {"scores", "$board $label", {NULL}},
    {"curve", "$board $label", {NULL}},
    {"moves", "$board $label", {NULL}},
    {"means", "$label", {NULL}},
    {"law", "$label", {NULL}},
    {"ratios", "$a / $b", {NULL}},
    {"sweep", "$board cutoff=$cutoff", {NULL}},
    {"boards", "cutoff=$cutoff $board", {NULL}},
    {"pareto", "$board $series", {NULL}},
    {"gap-phase", "$agent", {NULL}},
    {"gap-learning", "$agent", {NULL}},
};

/* How the table of the file PATH is split; NULL if it is not. */
static const struct split *split_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
		const size_t length = strlen(splits[i].name);
		if (strncmp(name, splits[i].name, length) == 0 &&
		    strcmp(name + length, ".tsv") == 0)
			return &splits[i];
	}
	return NULL;
}

bool tsv_splits(const char *path)
{
	return split_of(path) != NULL;
}

/* The column that $NAME at *AT is, and what follows the name; false if there is none. */
static bool key_find(const struct tsv_block *block, const char **at, size_t *column)
{
	char name[16];
	size_t length = 0;
	for (++*at; islower((unsigned char)**at) && length + 1 < sizeof name; ++*at)
		name[length++] = **at;
	name[length] = '\0';
	return tsv_find(block, name, column);
}

/* Whether BLOCK has all columns that name a block of SPLIT; sets these in KEYS. */
static bool keys_find(const struct tsv_block *block, const struct split *split,
		      bool keys[TSV_COLUMNS_MAX])
{
	size_t column;
	memset(keys, 0, TSV_COLUMNS_MAX * sizeof *keys);
	for (const char *at = split->block; *at;) {
		if (*at != '$') {
			at++;
			continue;
		}
		if (!key_find(block, &at, &column))
			return false;
		keys[column] = true;
	}
	return true;
}

/* The name of the block that ROW belongs to, on the heap; NULL without memory. */
static char *block_name(const struct tsv_block *block, const struct split *split, size_t row)
{
	char *text = NULL;
	size_t length, column;
	FILE *memory = stream_open(&text, &length);
	for (const char *at = split->block; memory && *at;) {
		if (*at == '$' && key_find(block, &at, &column))
			fputs(tsv_cell(block, row, column), memory);
		else
			putc(*at++, memory);
	}
	if (memory && fclose(memory) == 0)
		return text;
	free(text);
	return NULL;
}

/* Keeps TEXT, of the heap; NULL, and it is gone, without memory or if it is NULL. */
static const char *name_keep(struct tsv *tsv, char *text)
{
	char **grown = text ? room_make(tsv->names, tsv->name_count, sizeof *grown) : NULL;
	if (!grown) {
		free(text);
		return NULL;
	}
	tsv->names = grown;
	return grown[tsv->name_count++] = text;
}

/* The rows from FIRST on that agree in the columns KEYS. */
static size_t rows_alike(const struct tsv_block *whole, size_t first, const bool *keys)
{
	size_t rows = 1;
	for (bool same = true; same && first + rows < whole->rows; rows += same)
		for (size_t c = 0; same && c < whole->columns; c++)
			same = !keys[c] || strcmp(tsv_cell(whole, first, c),
						  tsv_cell(whole, first + rows, c)) == 0;
	return rows;
}

/* Fills BLOCK with its rows of WHOLE from FIRST on, without the columns KEYS. */
static void long_fill(struct tsv_block *block, const char **cells, const struct tsv_block *whole,
		      size_t first, const bool *keys)
{
	for (size_t r = 0; r <= block->rows; r++)
		for (size_t c = 0; c < whole->columns; c++)
			if (!keys[c])
				*cells++ =
				    r ? tsv_cell(whole, first + r - 1, c) : tsv_name(whole, c);
	for (size_t c = 0; c < whole->columns; c++)
		block->columns += !keys[c];
}

/* The columns of a table whose labels become columns. */
struct wide {
	size_t label, key, value;
};

static bool wide_find(const struct tsv_block *whole, const struct split *split, struct wide *wide)
{
	size_t low, high;
	return tsv_find(whole, split->wide[0], &wide->label) &&
	       tsv_find(whole, split->wide[1], &wide->key) &&
	       tsv_find(whole, split->wide[2], &wide->value) &&
	       tsv_bounds(whole, wide->value, &low, &high);
}

/* Whether rows FIRST to FIRST + ROWS are those of some labels, each with the same KEYS keys. */
static bool rows_are_wide(const struct tsv_block *whole, const struct wide *w, size_t first,
			  size_t rows, size_t keys)
{
	bool regular = rows % keys == 0;
	for (size_t r = 0; regular && r < rows; r++)
		regular = strcmp(tsv_cell(whole, first + r, w->label),
				 tsv_cell(whole, first + r / keys * keys, w->label)) == 0 &&
			  strcmp(tsv_cell(whole, first + r, w->key),
				 tsv_cell(whole, first + r % keys, w->key)) == 0;
	return regular;
}

/* The same as long_fill(), a row per key and three columns per label. */
static enum status wide_fill(struct tsv *tsv, struct tsv_block *block, const char **cells,
			     const struct tsv_block *whole, size_t first, const struct wide *w,
			     const char *path, struct why *why)
{
	static const char *const ends[] = {"", " low", " high"};
	const size_t rows = block->rows;
	bool label[TSV_COLUMNS_MAX] = {[0] = false};
	label[w->label] = true;
	size_t keys = rows_alike(whole, first, label);
	keys = keys < rows ? keys : rows;
	if (!rows_are_wide(whole, w, first, rows, keys))
		return why_set(why, STATUS_INPUT, "%s: %s: the labels have not the same tiles",
			       path, block->name);
	block->rows = keys;
	block->columns = 1 + 3 * (rows / keys);
	*cells++ = tsv_name(whole, w->key);
	for (size_t r = 0; r < rows; r += keys)
		for (size_t i = 0; i < 3; i++) {
			char *name = NULL;
			if (asprintf(&name, "%s%s", tsv_cell(whole, first + r, w->label), ends[i]) <
			    0)
				name = NULL;
			if (!(*cells++ = name_keep(tsv, name)))
				return why_errno(why, "%s", block->name);
		}
	for (size_t k = 0; k < keys; k++) {
		*cells++ = tsv_cell(whole, first + k, w->key);
		for (size_t r = k; r < rows; r += keys)
			for (size_t i = 0; i < 3; i++)
				*cells++ = tsv_cell(whole, first + r, w->value + i);
	}
	return STATUS_OK;
}

/* Fills the blocks of S, for which there is room, with the rows of WHOLE; WIDE or NULL. */
static enum status blocks_fill(struct tsv *s, const struct tsv_block *whole,
			       const struct split *split, const bool *keys, const struct wide *wide,
			       const char *path, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t first = 0, rows; !status && first < whole->rows; first += rows) {
		struct tsv_block *block = &s->blocks[s->block_count++];
		const char **cells = s->cells + s->cell_count;
		const char *name = name_keep(s, block_name(whole, split, first));
		rows = rows_alike(whole, first, keys);
		*block = (struct tsv_block){.name = name, .rows = rows, .cells = cells};
		if (!name)
			status = why_errno(why, "%s", path);
		else if (wide)
			status = wide_fill(s, block, cells, whole, first, wide, path, why);
		else
			long_fill(block, cells, whole, first, keys);
		s->cell_count += (block->rows + 1) * block->columns;
	}
	return status;
}

/* Splits TSV, the table of the file PATH, into blocks if it is one to be split. */
static enum status tsv_split(struct tsv *tsv, const char *path, struct why *why)
{
	const struct split *split = split_of(path);
	const struct tsv_block *whole = tsv->blocks;
	struct tsv s = *tsv;
	struct wide wide = {0};
	bool keys[TSV_COLUMNS_MAX];
	if (!split || tsv->block_count != 1 || *whole->name || !keys_find(whole, split, keys) ||
	    (*split->wide && !wide_find(whole, split, &wide)))
		return STATUS_OK;
	/* At most a row of names for each row; of a label's row 1 + 3 cells, and as many names. */
	s.cells = calloc(whole->rows + 1, (2 * whole->columns + 8) * sizeof *s.cells);
	s.blocks = calloc(whole->rows + 1, sizeof *s.blocks);
	s.split = true;
	s.block_count = s.cell_count = 0;
	enum status status =
	    s.cells && s.blocks
		? blocks_fill(&s, whole, split, keys, *split->wide ? &wide : NULL, path, why)
		: why_errno(why, "%s", path);
	free(status ? s.cells : tsv->cells);
	free(status ? s.blocks : tsv->blocks);
	tsv->names = s.names;
	tsv->name_count = s.name_count;
	if (!status)
		*tsv = s;
	return status;
}

/* ---- Files. */

enum status tsv_read(struct tsv *tsv, const char *path, size_t most, struct why *why)
{
	struct tsv s = {0};
	struct reading reading = {.tsv = &s, .path = path};
	enum status status = text_read(path, most, &s.text, why);
	if (!status && !note_add(&s, NULL))
		status = out_of_memory(&reading, why);
	s.note_count = 0;
	char *rest = s.text;
	for (char *line; !status && (line = strsep(&rest, "\n"));) {
		reading.line++;
		status = line_take(&reading, line, why);
	}
	if (status) {
		tsv_fini(&s);
		return status;
	}
	for (size_t b = 0, first = 0; b < s.block_count; b++) {
		s.blocks[b].cells = s.cells + first;
		first += (s.blocks[b].rows + 1) * s.blocks[b].columns;
	}
	status = tsv_split(&s, path, why);
	if (status)
		tsv_fini(&s);
	else
		*tsv = s;
	return status;
}

void tsv_fini(struct tsv *tsv)
{
	free(tsv->notes);
	free(tsv->blocks);
	free(tsv->cells);
	free(tsv->text);
	for (size_t i = 0; i < tsv->name_count; i++)
		free(tsv->names[i]);
	free(tsv->names);
}

/* CELL as gnuplot reads it: a number, or text between quotes. */
static void cell_write(FILE *file, const char *cell)
{
	double x;
	const bool number = number_read(cell, &x);
	fprintf(file, number ? "%s" : "\"%s\"", cell);
}

static void block_write(FILE *file, const struct tsv_block *block)
{
	for (size_t c = 0; c < block->columns; c++)
		fprintf(file, "%s\"%s\"", c ? "\t" : "", tsv_name(block, c));
	putc('\n', file);
	for (size_t r = 0; r < block->rows; r++)
		for (size_t c = 0; c < block->columns; c++) {
			cell_write(file, tsv_cell(block, r, c));
			putc(c + 1 < block->columns ? '\t' : '\n', file);
		}
}

void tsv_write(FILE *file, const struct tsv *tsv)
{
	for (size_t i = 0; i < tsv->note_count; i++)
		fprintf(file, "# %s\n", tsv->notes[i]);
	for (size_t b = 0; b < tsv->block_count; b++) {
		fprintf(file, "%s# block %zu: %s\n", b ? "\n\n" : "", b, tsv->blocks[b].name);
		block_write(file, &tsv->blocks[b]);
	}
}
