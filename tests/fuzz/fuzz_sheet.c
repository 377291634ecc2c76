/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables read back: every cell is there, and is a text or a number that can be shown. */
#include "src/report/sheet.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { BYTES_MAX = 1 << 14 };

static void column_ask(const struct sheet_block *block, size_t column)
{
	size_t found, low, high;
	char text[SHEET_TEXT_MAX];
	const bool bounds = sheet_bounds(block, column, &low, &high);
	FUZZ_CHECK(sheet_find(block, sheet_name(block, column), &found) && found <= column);
	FUZZ_CHECK(!bounds || (low < block->columns && high < block->columns));
	sheet_is_bound(block, column);
	sheet_is_number(block, column);
	const bool scientific = sheet_is_scientific(block, column);
	for (size_t row = 0; row < block->rows; row++) {
		FUZZ_CHECK(!strpbrk(sheet_cell(block, row, column), "\t\n"));
		sheet_format_as(sheet_number(block, row, column), scientific, text);
		FUZZ_CHECK(strnlen(text, sizeof text) < sizeof text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sheet sheet;
	struct why why = {""};
	enum status status = sheet_read(&sheet, fuzz_file(data, size), BYTES_MAX, &why);
	FUZZ_CHECK(size <= BYTES_MAX || status == STATUS_INPUT);
	if (status) {
		fuzz_refused(status, &why);
		return 0;
	}
	FUZZ_CHECK(!sheet.notes || !sheet.notes[sheet.note_count]);
	for (size_t b = 0; b < sheet.block_count; b++)
		for (size_t column = 0; column < sheet.blocks[b].columns; column++)
			column_ask(&sheet.blocks[b], column);
	sheet_fini(&sheet);
	return 0;
}
