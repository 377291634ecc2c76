/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints tables as JSON Lines, and in the format of a printer; see table.h. Reals have 15
 * significant digits, so that equal numbers are equal text; a whole number beyond 2^63 is written
 * as a real, since jansson has no larger integers.
 */
#include "analysis/tables/json.h"

#include "analysis/tables/table.h"

#include "base/xalloc.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *text)
{
	json_t *json = json_string(text);
	if (json)
		return json;
	char *copy = xstrdup(text);
	for (char *at = copy; *at; at++)
		*at = (unsigned char)*at < 128 ? *at : '?';
	json = json_string(copy);
	free(copy);
	return json;
}

json_t *json_number(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static void bounds_add(json_t *object, const struct table_column *column, struct interval x)
{
	char name[GRID_TEXT_MAX];
	const char *bounds = column->bounds ? column->bounds : column->name;
	snprintf(name, sizeof name, "%s_low", bounds);
	json_object_set_new(object, name, json_number(x.low));
	snprintf(name, sizeof name, "%s_high", bounds);
	json_object_set_new(object, name, json_number(x.high));
}

static json_t *value_json(const struct table_column *column, const void *row)
{
	char made[GRID_TEXT_MAX];
	const char *text = table_text(column, row, made);
	if (!text)
		return json_number(table_interval(column, row).value);
	if (column->value <= TABLE_CHARS)
		return json_text(text);
	const long long whole = strtoll(text, NULL, 10); /* at most LLONG_MAX */
	if (column->value == TABLE_FLAG)
		return json_boolean(whole);
	return whole < LLONG_MAX ? json_integer(whole) : json_real(strtod(text, NULL));
}

static void line_write(FILE *file, json_t *object)
{
	json_dumpf(object, file, JSON_COMPACT | JSON_REAL_PRECISION(15));
	putc('\n', file);
	json_decref(object);
}

static void row_write(const struct table_out *out, const void *row)
{
	json_t *object = json_pack("{s:s}", "kind", out->name);
	for (const struct table_column *c = out->columns; c->name; c++) {
		json_object_set_new(object, c->name, value_json(c, row));
		if (c->value >= TABLE_INTERVAL)
			bounds_add(object, c, table_interval(c, row));
	}
	line_write(out->file, object);
}

void table_json(FILE *file, const struct tables *tables, const struct table *table,
		const void *data, const char *const *provenance)
{
	char *head;
	size_t size;
	json_t *notes = json_array();
	json_t *object = json_pack("{s:s,s:s}", "kind", "provenance", "table", table->name);
	FILE *memory = xstream_open(&head, &size);
	if (tables->head)
		tables->head(memory, data);
	xstream_close(memory);
	for (; provenance && *provenance; provenance++)
		json_array_append_new(notes, json_text(*provenance));
	for (char *line, *rest = head; (line = strsep(&rest, "\n"));)
		if (*line)
			json_array_append_new(notes, json_text(line + strspn(line, "# ")));
	free(head);
	json_object_set_new(object, "notes", notes);
	json_object_set_new(object, "units", table->units ? json_text(table->units) : json_null());
	line_write(file, object);
	table->rows(&(struct table_out){file, table->columns, table->name, row_write}, data);
}

void tables_print(const struct table_printer *printer, const struct tables *tables,
		  const char *name, const void *data, bool full, const char *const *provenance)
{
	if (printer->format == FORMAT_TEXT && tables->print)
		tables->print(printer->file, data, full);
	else if (printer->format == FORMAT_TEXT)
		table_stream(printer->file, table_find(tables, name), data);
	else
		(printer->format == FORMAT_JSON ? table_json : table_write)(
		    printer->file, tables, table_find(tables, name), data, provenance);
}
