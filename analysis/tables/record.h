/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of one row whose columns come up as it is made: a result that is a list of names and
 * values.
 */
#ifndef NXN_RECORD_H
#define NXN_RECORD_H

#include "analysis/tables/table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record {
	const char *name; /* of the table */
	/*
	 * As text it is a line per value, name and value with a tab between, or if WIDTH is not 0
	 * with the name filled up to so many characters.
	 */
	int width;
	struct record_field *fields;
	size_t n;
	struct table_column *columns;
};

/*
 * Add a value. In tables for programs ' ' and '-' of the name are '_'. TEXT is copied. Of a fixed
 * number people see so many DECIMALS, of another as many digits as it takes to read the same again.
 */
void record_text(struct record *record, const char *name, const char *text);
void record_number(struct record *record, const char *name, uint64_t x);
void record_flag(struct record *record, const char *name, bool x);
void record_real(struct record *record, const char *name, double x);
void record_fixed(struct record *record, const char *name, double x, int decimals);
void record_interval(struct record *record, const char *name, struct interval x);

/* A record as TABLES, of which it is the data as well; they hold until record_fini(). */
void record_tables(struct record *record, struct tables *tables);

void record_fini(struct record *record);

#endif
