/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of one row, for a result that is a list of names and values: each value adds a column. */
#ifndef NXN_RECORD_H
#define NXN_RECORD_H

#include "analysis/tables/table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record {
	const char *name; /* of the table */
	/*
	 * As text, a line per value: the name, a tab and the value, or if WIDTH is not 0, the name
	 * padded to so many characters and the value.
	 */
	int width;
	struct record_field *fields;
	size_t n;
	struct table_column *columns;
};

/*
 * Add a value. Tables for programs have '_' for ' ' and '-' in NAME. TEXT is copied. People see a
 * fixed number with DECIMALS decimals, and another real with the digits that it takes to read it
 * back.
 */
void record_text(struct record *record, const char *name, const char *text);
void record_number(struct record *record, const char *name, uint64_t x);
void record_flag(struct record *record, const char *name, bool x);
void record_real(struct record *record, const char *name, double x);
void record_fixed(struct record *record, const char *name, double x, int decimals);
void record_interval(struct record *record, const char *name, struct interval x);

/*
 * Sets TABLES to the table of RECORD, which is also its data. Both are valid until record_fini().
 */
void record_tables(struct record *record, struct tables *tables);

void record_fini(struct record *record);

#endif
