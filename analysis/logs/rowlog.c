/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs of rows: reading, lookup, writing; see rowlog.h. The parser is written by hand: it reads a
 * log of 100,000 games in a fraction of a second.
 */
#include "analysis/logs/rowlog.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xalloc.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- Columns. */

void rowlog_print(struct rowlog_line *line, const char *format, ...)
{
	const size_t at = line->length < sizeof line->text ? line->length : sizeof line->text;
	va_list args;
	va_start(args, format);
	const int length = vsnprintf(line->text + at, sizeof line->text - at, format, args);
	va_end(args);
	line->length += length > 0 ? (size_t)length : 0;
}

static void line_put(struct rowlog_line *line, const char *bytes, size_t count)
{
	const size_t at = line->length, left = at < sizeof line->text ? sizeof line->text - at : 0;
	if (left)
		memcpy(line->text + at, bytes, count < left ? count : left);
	line->length += count;
}

static bool config_read(const char *text, void *member)
{
	return hash_parse(text, member);
}

static void config_print(struct rowlog_line *line, const void *member)
{
	uint64_t left = *(const uint64_t *)member;
	char digit[16];
	for (int i = 16; i-- > 0; left >>= 4)
		digit[i] = "0123456789abcdef"[left & 15];
	line_put(line, digit, sizeof digit);
}

const struct rowlog_type rowlog_config = {"16 hexadecimal digits", config_read, config_print};

/* Accepts decimal digits only. */
static bool number_read(const char *text, void *member)
{
	return whole_parse(text, member);
}

void rowlog_number_print(struct rowlog_line *line, const void *member)
{
	uint64_t left = *(const uint64_t *)member;
	char digit[20];
	size_t at = sizeof digit;
	do
		digit[--at] = (char)('0' + left % 10);
	while (left /= 10);
	line_put(line, digit + at, sizeof digit - at);
}

const struct rowlog_type rowlog_number = {"a whole number", number_read, rowlog_number_print};

static bool any_read(const char *text, void *member)
{
	*(const char **)member = text;
	return text[text_plain(text)] == '\0';
}

static bool text_read(const char *text, void *member)
{
	return any_read(text, member) && *text;
}

void rowlog_text_print(struct rowlog_line *line, const void *member)
{
	const char *text = *(const char *const *)member;
	const bool quoted = strpbrk(text, "\"#");
	line_put(line, "\"", quoted);
	for (; quoted && *text; text++)
		line_put(line, *text == '"' ? "\"\"" : text, 1 + (*text == '"'));
	line_put(line, text, strlen(text));
	line_put(line, "\"", quoted);
}

#define PLAIN "UTF-8 text without control characters"
const struct rowlog_type rowlog_text = {PLAIN, text_read, rowlog_text_print};
const struct rowlog_type rowlog_any = {PLAIN, any_read, rowlog_text_print};

bool rowlog_real_read(const char *text, void *member)
{
	return isdigit((unsigned char)*text) && real_parse(text, member);
}

static void *member_of(const struct rowlog_column *column, const void *row)
{
	return (char *)row + column->offset;
}

/* ---- Records. */

/*
 * Splits LINE at its tabs; returns the number of columns; FIELD has the first ROWLOG_COLUMNS_MAX.
 */
static int line_split(char *line, char *field[ROWLOG_COLUMNS_MAX])
{
	int count = 0;
	for (char *next; line; line = next, count++) {
		next = strchr(line, '\t');
		if (next)
			*next++ = '\0';
		if (count < ROWLOG_COLUMNS_MAX)
			field[count] = line;
	}
	return count;
}

/* Removes the quotes around FIELD, in place, if it has them. */
static char *field_unquote(char *field)
{
	const size_t length = strlen(field);
	char *to = field;
	if (length < 2 || field[0] != '"' || field[length - 1] != '"')
		return field;
	field[length - 1] = '\0';
	for (const char *from = field + 1; *from; *to++ = *from++)
		from += from[0] == '"' && from[1] == '"';
	*to = '\0';
	return field;
}

/* Parses LINE, which is modified, into ROW. */
static enum status line_read(const struct rowlog_kind *kind, char *line, void *row, struct why *why)
{
	char *field[ROWLOG_COLUMNS_MAX];
	const int count = line_split(line, field);
	memset(row, 0, kind->size);
	if (count != kind->columns)
		return why_set(why, STATUS_INPUT, "%d column%s, %s has %d", count,
			       count == 1 ? "" : "s", kind->row, kind->columns);
	for (int i = 0; i < count; i++) {
		const struct rowlog_column *column = &kind->column[i];
		if (!column->type->read(field_unquote(field[i]), member_of(column, row)))
			return why_set(why, STATUS_INPUT, "%s is '%.40s', not %s", column->name,
				       field[i], column->type->wanted);
	}
	return STATUS_OK;
}

enum status rowlog_parse(const struct rowlog_reader *reader, char *line, void *row, struct why *why)
{
	struct why reason;
	const enum status status = line_read(reader->kind, line, row, &reason);
	return status
		   ? why_set(why, status, "%s:%zu: %s", reader->path, reader->number, reason.text)
		   : STATUS_OK;
}

/* ---- Lines. */

/* Whether LINE is the column names or, if TORN, a beginning of them. */
static bool names_fit(const struct rowlog_kind *kind, const char *line, bool torn)
{
	for (int i = 0; i < kind->columns; i++) {
		const char *name = kind->column[i].name;
		const size_t length = strlen(name), there = strcspn(line, "\t");
		const bool last = i == kind->columns - 1;
		if (torn && !line[there])
			return there <= length && strncmp(line, name, there) == 0;
		if (there != length || memcmp(line, name, length) != 0 || last == !!line[there])
			return false;
		line += length + 1;
	}
	return !torn;
}

/* Passes LINE, a comment or a record, to the function for it. */
static enum status part_take(const struct rowlog_reader *reader, char *line, struct why *why)
{
	_Alignas(max_align_t) char row[ROWLOG_ROW_MAX];
	struct why reason;
	enum status status = STATUS_OK;
	if (*line == '#') {
		if (reader->comment)
			status = reader->comment(reader->context, line, &reason);
	} else if (reader->names && reader->row) {
		status = line_read(reader->kind, line, row, &reason);
		if (!status)
			status = reader->row(reader->context, row, &reason);
	}
	if (status)
		why_set(why, status, "%s:%zu: %s", reader->path, reader->number, reason.text);
	return status;
}

static enum status line_take(struct rowlog_reader *reader, char *line, struct why *why)
{
	const struct rowlog_kind *kind = reader->kind;
	const bool names = *line != '#' && !reader->names;
	if (names && !names_fit(kind, line, false))
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: not %s: expected the column names %s, found '%.40s'",
			       reader->path, reader->number, kind->log, kind->names, line);
	enum status status =
	    reader->take ? reader->take(reader, line, why) : part_take(reader, line, why);
	/* Rows are checked cell by cell; tables and pages copy comments too. */
	if (!status && *line == '#')
		status = line_plain(reader->path, reader->number, line, why);
	reader->names = reader->names || names;
	return status;
}

enum status rowlog_lines(struct rowlog_reader *reader, struct why *why)
{
	struct lines lines;
	enum status status = lines_open(&lines, reader->path, why);
	if (status)
		return status;
	while (!status && lines_next(&lines, &status, why)) {
		reader->number = lines.number;
		if (lines.ended || (!reader->names && *lines.text != '#' &&
				    !names_fit(reader->kind, lines.text, true)))
			status = line_take(reader, lines.text, why);
	}
	reader->whole = lines.whole;
	reader->torn = lines.torn;
	lines_close(&lines);
	return status;
}

enum status rowlog_each(const struct rowlog_kind *kind, const char *path,
			enum status (*take)(void *context, const void *row, struct why *why),
			void *context, struct why *why)
{
	struct rowlog_reader reader = {.kind = kind, .path = path, .row = take, .context = context};
	return rowlog_lines(&reader, why);
}

/* ---- Rows in memory. */

static struct row_slot *slot_of(const struct row_index *index, uint64_t hash)
{
	size_t i = hash & (index->room - 1);
	while (index->slot[i].hash && index->slot[i].hash != hash)
		i = (i + 1) & (index->room - 1);
	return &index->slot[i];
}

uint64_t *row_index_find(const struct row_index *index, uint64_t hash)
{
	hash += hash == 0;
	struct row_slot *slot = index->room ? slot_of(index, hash) : NULL;
	return slot && slot->hash ? &slot->value : NULL;
}

static void index_grow(struct row_index *index)
{
	struct row_index grown = {.count = index->count,
				  .room = index->room ? 2 * index->room : 256};
	grown.slot = xcalloc(grown.room, sizeof *grown.slot);
	for (size_t i = 0; i < index->room; i++)
		if (index->slot[i].hash)
			*slot_of(&grown, index->slot[i].hash) = index->slot[i];
	free(index->slot);
	*index = grown;
}

void row_index_add(struct row_index *index, uint64_t hash, uint64_t value)
{
	if (2 * (index->count + 1) > index->room)
		index_grow(index);
	hash += hash == 0;
	*slot_of(index, hash) = (struct row_slot){hash, value};
	index->count++;
}

/* The hash of the key of ROW. */
static uint64_t key_hash(const struct rowlog_kind *kind, const void *row)
{
	uint64_t hash = 0;
	for (int i = 0; i < kind->columns; i++) {
		const void *member = member_of(&kind->column[i], row);
		if (!(kind->key >> i & 1))
			continue;
		const char *text =
		    kind->column[i].type == &rowlog_text ? *(const char *const *)member : NULL;
		hash = text ? XXH3_64bits_withSeed(text, strlen(text), hash)
			    : XXH3_64bits_withSeed(member, sizeof(uint64_t), hash);
	}
	return hash;
}

static bool key_same(const struct rowlog_kind *kind, const void *a, const void *b)
{
	for (int i = 0; i < kind->columns; i++) {
		const void *x = member_of(&kind->column[i], a), *y = member_of(&kind->column[i], b);
		if (!(kind->key >> i & 1))
			continue;
		if (kind->column[i].type == &rowlog_text
			? strcmp(*(const char *const *)x, *(const char *const *)y) != 0
			: memcmp(x, y, sizeof(uint64_t)) != 0)
			return false;
	}
	return true;
}

static void *row_at(const struct rowlog *log, size_t i)
{
	return (char *)log->rows + i * log->kind->size;
}

/* Returns the row with the key of KEY, or NULL and a free hash for it. */
static const void *row_seek(const struct rowlog *log, const void *key, uint64_t *hash)
{
	const uint64_t *value;
	for (*hash = key_hash(log->kind, key); (value = row_index_find(&log->index, *hash));
	     ++*hash)
		if (key_same(log->kind, row_at(log, *value), key))
			return row_at(log, *value);
	return NULL;
}

const void *rowlog_find(const struct rowlog *log, const void *key)
{
	uint64_t hash;
	return log->count ? row_seek(log, key, &hash) : NULL;
}

/* Copies the texts of ROW that are part of the key, and sets the others to NULL. */
static void texts_keep(const struct rowlog_kind *kind, void *row)
{
	for (int i = 0; i < kind->columns; i++) {
		const struct rowlog_column *column = &kind->column[i];
		char **text = member_of(column, row);
		if (column->type == &rowlog_text || column->type == &rowlog_any)
			*text = kind->key >> i & 1 ? xstrdup(*text) : NULL;
	}
}

static enum status row_keep(void *context, const void *row, struct why *why)
{
	struct rowlog *log = context;
	uint64_t hash;
	(void)why;
	log->rows = xgrow(log->rows, log->count, log->kind->size);
	if (!row_seek(log, row, &hash))
		row_index_add(&log->index, hash, log->count);
	void *copy = row_at(log, log->count++);
	memcpy(copy, row, log->kind->size);
	texts_keep(log->kind, copy);
	return STATUS_OK;
}

enum status rowlog_read(struct rowlog *log, const struct rowlog_kind *kind, const char *path,
			struct why *why)
{
	struct rowlog_reader reader = {.kind = kind, .path = path, .row = row_keep, .context = log};
	log->kind = kind;
	enum status status = rowlog_lines(&reader, why);
	log->torn = reader.torn;
	return status;
}

void rowlog_fini(struct rowlog *log)
{
	for (size_t i = 0; i < log->count; i++)
		for (int c = 0; c < log->kind->columns; c++)
			if (log->kind->key >> c & 1 && log->kind->column[c].type == &rowlog_text)
				free(*(char **)member_of(&log->kind->column[c], row_at(log, i)));
	free(log->rows);
	free(log->index.slot);
	*log = (struct rowlog){0};
}

/* ---- Writing. */

static enum status head_write(const struct rowlog_writer *writer, const char *const *provenance,
			      struct why *why)
{
	const struct rowlog_kind *kind = writer->kind;
	struct rowlog_line names = {.length = 0};
	for (int i = 0; i < kind->columns; i++)
		rowlog_print(&names, "%s%s", i ? "\t" : "", kind->column[i].name);
	return append_header(&writer->file, NULL, kind->head_first ? provenance : NULL, names.text,
			     why);
}

static void row_print(struct rowlog_line *line, const struct rowlog_kind *kind, const void *row)
{
	line->length = 0;
	for (int i = 0; i < kind->columns; i++) {
		const struct rowlog_column *column = &kind->column[i];
		line_put(line, "\t", i > 0);
		column->type->print(line, member_of(column, row));
	}
}

/* Reads the file by READER, cuts off a torn last line, and writes missing column names. */
static enum status file_init(struct rowlog_writer *writer, const char *const *provenance,
			     struct rowlog_reader *reader, struct why *why)
{
	struct append_file *file = &writer->file;
	enum status status = rowlog_lines(reader, why);
	if (!status)
		status = append_truncate(file, (off_t)reader->whole, (off_t)reader->torn, why);
	return status || reader->names ? status : head_write(writer, provenance, why);
}

enum status rowlog_open(struct rowlog_writer *writer, const struct rowlog_kind *kind,
			const char *path, const char *const *provenance, struct rowlog *log,
			struct why *why)
{
	struct rowlog_reader reader = {
	    .kind = kind, .path = path, .row = log ? row_keep : NULL, .context = log};
	if (log)
		log->kind = kind;
	return rowlog_open_with(writer, &reader, provenance, why);
}

enum status rowlog_open_with(struct rowlog_writer *writer, struct rowlog_reader *reader,
			     const char *const *provenance, struct why *why)
{
	const struct rowlog_kind *kind = reader->kind;
	struct rowlog_writer w = {.kind = kind, .provenance = kind->head_first ? NULL : provenance};
	enum status status =
	    append_open(&w.file, reader->path, O_NOFOLLOW, reader->kind->writes, why);
	if (status)
		return status;
	status = file_init(&w, provenance, reader, why);
	if (status)
		close(w.file.fd);
	else
		*writer = w;
	return status;
}

/* Whether LINE can be parsed. */
static enum status line_check(const struct rowlog_kind *kind, const struct rowlog_line *line,
			      struct why *why)
{
	_Alignas(max_align_t) char row[ROWLOG_ROW_MAX];
	char text[ROWLOG_LINE_MAX];
	if (line->length >= sizeof text)
		return why_set(why, STATUS_INPUT, "too long a line: %zu bytes", line->length);
	memcpy(text, line->text, line->length);
	text[line->length] = '\0';
	return line_read(kind, text, row, why);
}

enum status rowlog_append(struct rowlog_writer *writer, const void *row, struct why *why)
{
	struct rowlog_line line;
	struct why reason;
	row_print(&line, writer->kind, row);
	if (line_check(writer->kind, &line, &reason))
		return why_set(why, STATUS_INPUT, "%s: %s", writer->file.path, reason.text);
	line_put(&line, "\n", 1);
	if (writer->provenance) {
		const char *const *provenance = writer->provenance;
		writer->provenance = NULL;
		enum status status = append_header(&writer->file, NULL, provenance, NULL, why);
		if (status)
			return status;
	}
	return append_write(&writer->file, line.text, line.length, why);
}
