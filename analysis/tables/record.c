/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of one row; see record.h. The fields are the row; a column is a member of one. */
#include "analysis/tables/record.h"

#include "base/text.h"
#include "base/xalloc.h"

#include <stdlib.h>
#include <unistd.h>

struct record_field {
	char *shown; /* the name for people */
	char *text;
	uint64_t number;
	bool flag;
	struct interval real; /* of a real only the value */
};

/* Adds FIELD, and a column for its member at OFFSET. */
static void field_add(struct record *r, const char *shown, enum table_value kind, size_t offset,
		      int decimals, struct record_field field)
{
	char *name = xstrdup(shown);
	for (char *at = name; *at; at++)
		*at = *at == ' ' || *at == '-' ? '_' : *at;
	field.shown = xstrdup(shown);
	r->fields = xgrow(r->fields, r->n, sizeof *r->fields);
	r->fields[r->n] = field;
	r->columns = xreallocarray(r->columns, r->n + 2, sizeof *r->columns);
	r->columns[r->n] = (struct table_column){.name = name,
						 .value = kind,
						 .offset = r->n * sizeof field + offset,
						 .decimals = decimals};
	r->columns[++r->n] = (struct table_column){0};
}

#define FIELD_ADD(KIND, MEMBER, DECIMALS, ...)                                                     \
	field_add(record, name, TABLE_##KIND, offsetof(struct record_field, MEMBER), DECIMALS,     \
		  (struct record_field){.MEMBER = __VA_ARGS__})

void record_text(struct record *record, const char *name, const char *text)
{
	FIELD_ADD(TEXT, text, 0, xstrdup(text));
}

void record_number(struct record *record, const char *name, uint64_t x)
{
	FIELD_ADD(NUMBER, number, 0, x);
}

void record_flag(struct record *record, const char *name, bool x)
{
	FIELD_ADD(FLAG, flag, 0, x);
}

void record_real(struct record *record, const char *name, double x)
{
	FIELD_ADD(REAL, real, 0, {.value = x});
}

void record_fixed(struct record *record, const char *name, double x, int decimals)
{
	FIELD_ADD(REAL, real, 1 + decimals, {.value = x});
}

void record_interval(struct record *record, const char *name, struct interval x)
{
	FIELD_ADD(INTERVAL, real, 0, x);
}

static void record_show(FILE *file, const void *data, bool full)
{
	const struct record *r = data;
	char text[GRID_TEXT_MAX];
	(void)full;
	for (size_t i = 0; i < r->n; i++) {
		const struct interval x = r->fields[i].real;
		const char *shown = text;
		if (r->columns[i].value == TABLE_INTERVAL)
			interval_text(x, decimals_of(x.value), text);
		else
			shown = table_plain(&r->columns[i], r->fields, false, text);
		fprintf(file, "%-*s%s", r->width, r->fields[i].shown, r->width ? "" : "\t");
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

void record_tables(struct record *record, struct tables *tables)
{
	*tables =
	    (struct tables){.print = record_show,
			    .table = {TABLE(record->name, NULL, record->columns, record_row)}};
}

void record_fini(struct record *record)
{
	for (size_t i = 0; i < record->n; i++) {
		free(record->fields[i].shown);
		free((char *)record->columns[i].name);
		free(record->fields[i].text);
	}
	free(record->fields);
	free(record->columns);
}
