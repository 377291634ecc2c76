/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables read back: every cell is there, and is a text or a number that can be shown. */
#include "analysis/tables/tsv.c"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { BYTES_MAX = 1 << 14 };

static void column_ask(const struct tsv_block *block, size_t column)
{
	size_t found, low, high;
	char text[TSV_TEXT_MAX];
	const bool bounds = tsv_bounds(block, column, &low, &high);
	FUZZ_CHECK(tsv_find(block, tsv_name(block, column), &found) && found <= column);
	FUZZ_CHECK(!bounds || (low < block->columns && high < block->columns));
	tsv_is_bound(block, column);
	tsv_is_number(block, column);
	const bool scientific = tsv_is_scientific(block, column);
	for (size_t row = 0; row < block->rows; row++) {
		FUZZ_CHECK(!strpbrk(tsv_cell(block, row, column), "\t\n"));
		interval_format(tsv_number(block, row, column), scientific, text);
		FUZZ_CHECK(strnlen(text, sizeof text) < sizeof text);
	}
}

static void blocks_ask(const struct tsv *tsv)
{
	for (size_t b = 0; b < tsv->block_count; b++)
		for (size_t column = 0; column < tsv->blocks[b].columns; column++)
			column_ask(&tsv->blocks[b], column);
}

/* The table in the file PATH as if it was called NAME. */
static void split_as(const char *name, const char *path)
{
	char called[32];
	struct tsv tsv;
	struct why why = {""};
	if (tsv_read(&tsv, path, BYTES_MAX, &why))
		return;
	snprintf(called, sizeof called, "%s.tsv", name);
	enum status status = tsv_split(&tsv, called, &why);
	if (status)
		fuzz_refused(status, &why);
	blocks_ask(&tsv);
	tsv_fini(&tsv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tsv tsv;
	struct why why = {""};
	enum status status = tsv_read(&tsv, fuzz_file(data, size), BYTES_MAX, &why);
	FUZZ_CHECK(size <= BYTES_MAX || status == STATUS_INPUT);
	if (status) {
		fuzz_refused(status, &why);
		return 0;
	}
	FUZZ_CHECK(!tsv.notes || !tsv.notes[tsv.note_count]);
	blocks_ask(&tsv);
	tsv_fini(&tsv);
	for (size_t i = 0; i < sizeof splits / sizeof *splits; i++)
		split_as(splits[i].name, fuzz_file(data, size));
	return 0;
}
