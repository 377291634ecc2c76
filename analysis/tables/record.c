/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of one row; see record.h. Its columns are made of the fields, which are the row as well.
 */
#include "analysis/tables/record.h"

#include "base/text.h"
#include "base/xalloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct record_field {
	char *shown, *name; /* for people, for programs */
	enum table_value kind;
	int decimals; /* plus 1; 0: all digits that it takes */
	char *text;
	uint64_t number;
	bool flag;
	struct interval real; /* a real is its value */
};

/* Adds FIELD, whose name is SHOWN; TEXT may be NULL. */
static void field_add(struct record *r, const char *shown, struct record_field field,
		      const char *text)
{
	field.shown = xstrdup(shown);
	field.name = xstrdup(shown);
	field.text = text ? xstrdup(text) : NULL;
	for (char *at = field.name; *at; at++)
		*at = *at == ' ' || *at == '-' ? '_' : *at;
	r->fields = xgrow(r->fields, r->n, sizeof *r->fields);
	r->fields[r->n++] = field;
}

void record_text(struct record *record, const char *name, const char *text)
{
	field_add(record, name, (struct record_field){.kind = TABLE_TEXT}, text);
}

void record_number(struct record *record, const char *name, uint64_t x)
{
	field_add(record, name, (struct record_field){.kind = TABLE_NUMBER, .number = x}, NULL);
}

void record_flag(struct record *record, const char *name, bool x)
{
	field_add(record, name, (struct record_field){.kind = TABLE_FLAG, .flag = x}, NULL);
}

void record_real(struct record *record, const char *name, double x)
{
	field_add(record, name, (struct record_field){.kind = TABLE_REAL, .real.value = x}, NULL);
}

void record_fixed(struct record *record, const char *name, double x, int decimals)
{
	field_add(
	    record, name,
	    (struct record_field){.kind = TABLE_REAL, .real.value = x, .decimals = 1 + decimals},
	    NULL);
}

void record_interval(struct record *record, const char *name, struct interval x)
{
	field_add(record, name, (struct record_field){.kind = TABLE_INTERVAL, .real = x}, NULL);
}

static void field_text(const struct record_field *field, char text[GRID_TEXT_MAX])
{
	if (field->kind == TABLE_NUMBER)
		snprintf(text, GRID_TEXT_MAX, "%" PRIu64, field->number);
	else if (field->kind == TABLE_FLAG)
		snprintf(text, GRID_TEXT_MAX, "%d", field->flag);
	else if (field->kind == TABLE_INTERVAL)
		interval_text(field->real, decimals_of(field->real.value), text);
	else if (field->decimals)
		snprintf(text, GRID_TEXT_MAX, "%.*f", field->decimals - 1, field->real.value);
	else
		real_format(field->real.value, text);
}

static void record_show(FILE *file, const void *data, bool full)
{
	const struct record *r = data;
	char text[GRID_TEXT_MAX];
	(void)full;
	for (size_t i = 0; i < r->n; i++) {
		const struct record_field *field = &r->fields[i];
		const char *shown = field->kind == TABLE_TEXT ? field->text : text;
		if (field->kind != TABLE_TEXT)
			field_text(field, text);
		fprintf(file, "%-*s%s", r->width, field->shown, r->width ? "" : "\t");
		if (r->width && isatty(fileno(file)))
			text_fill(file, r->width, shown);
		else
			fprintf(file, "%s\n", shown);
	}
}

static void record_row(const struct table_out *out, const void *data)
{
	table_put(out, ((const struct record *)data)->fields);
}

/* Where the value is that a column of KIND has, within a field. */
static size_t value_offset(enum table_value kind)
{
	switch (kind) {
	case TABLE_TEXT:
		return offsetof(struct record_field, text);
	case TABLE_NUMBER:
		return offsetof(struct record_field, number);
	case TABLE_FLAG:
		return offsetof(struct record_field, flag);
	default:
		return offsetof(struct record_field, real);
	}
}

void record_tables(struct record *record, struct tables *tables)
{
	free(record->columns);
	record->columns = xcalloc(record->n + 1, sizeof *record->columns);
	for (size_t i = 0; i < record->n; i++) {
		const struct record_field *field = &record->fields[i];
		const size_t at = i * sizeof *field + value_offset(field->kind);
		record->columns[i] =
		    (struct table_column){.name = field->name, .value = field->kind, .offset = at};
	}
	*tables =
	    (struct tables){.print = record_show,
			    .table = {TABLE(record->name, NULL, record->columns, record_row)}};
}

void record_fini(struct record *record)
{
	for (size_t i = 0; i < record->n; i++) {
		free(record->fields[i].shown);
		free(record->fields[i].name);
		free(record->fields[i].text);
	}
	free(record->fields);
	free(record->columns);
}
