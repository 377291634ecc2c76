/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables read back: every cell is there, and is a text or a number that can be shown, also in
 * series.
 */
#include "analysis/tables/tsv.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { BYTES_MAX = 1 << 14 };

static void column_ask(const struct tsv *tsv, size_t column)
{
	size_t found;
	char text[TSV_TEXT_MAX];
	FUZZ_CHECK(tsv_find(tsv, tsv_name(tsv, column), &found) && found <= column);
	tsv_is_bound(tsv, column);
	tsv_is_number(tsv, column);
	const bool scientific = tsv_is_scientific(tsv, column);
	for (size_t row = 0; row < tsv->rows; row++) {
		FUZZ_CHECK(!strpbrk(tsv_cell(tsv, row, column), "\t\n"));
		interval_format(tsv_number(tsv, row, column), scientific, text);
		FUZZ_CHECK(strnlen(text, sizeof text) < sizeof text);
	}
}

static void table_ask(const struct tsv *tsv)
{
	for (size_t column = 0; column < tsv->columns; column++)
		column_ask(tsv, column);
}

/* TSV as if it was the table SHOWN. */
static void series_ask(const struct tsv *tsv, const struct shown_table *shown)
{
	struct tsv wide;
	size_t rows = 0;
	while (rows < tsv->rows)
		rows += tsv_series_rows(tsv, shown, rows);
	FUZZ_CHECK(rows == tsv->rows);
	FILE *nowhere = fopen("/dev/null", "w");
	if (nowhere && shown->series)
		tsv_blocks_write(nowhere, tsv, shown);
	if (nowhere)
		fclose(nowhere);
	if (shown->wide && tsv_widen(tsv, 0, tsv->rows, &wide)) {
		table_ask(&wide);
		tsv_fini(&wide);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tsv tsv;
	struct why why = {""};
	enum status status = tsv_read(&tsv, fuzz_file(data, size), BYTES_MAX, &why);
	FUZZ_CHECK(size <= BYTES_MAX || status == STATUS_INPUT);
	if (!fuzz_fine(status, &why))
		return 0;
	FUZZ_CHECK(!tsv.notes[tsv.note_count]);
	table_ask(&tsv);
	for (const struct shown_table *shown = shown_tables; shown->name; shown++)
		series_ask(&tsv, shown);
	tsv_fini(&tsv);
	return 0;
}
