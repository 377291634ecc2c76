/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of n-tuples, for the board of the first line, with every way of sharing. */
#include "agents/ntuple/ntuple.h"
#include "tests/fuzz/fuzz.h"

static void patterns_use(const struct game *game, const struct patterns *patterns,
			 enum network_share share)
{
	FUZZ_CHECK(patterns->count >= 1 && patterns->count <= PATTERNS_MAX);
	for (int k = 0; k < patterns->count; k++) {
		const struct pattern *pattern = &patterns->pattern[k];
		FUZZ_CHECK(pattern->length >= 1 && pattern->length <= PATTERN_CELLS);
		/* A form may lie across the board before it is turned. */
		for (int j = 0; share != SHARE_ALL && j < pattern->length; j++)
			FUZZ_CHECK(pattern->cell[j] / ROW_BYTES < game->rows &&
				   pattern->cell[j] % ROW_BYTES < game->cols);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = text;
	const char *shape = fuzz_line(&rest), *list = fuzz_line(&rest);
	struct game game;
	struct patterns patterns;
	struct why why = {""};
	if (!game_init(&game, &(struct game_options){.shape = shape}, &why))
		for (enum network_share share = SHARE_NONE; share < SHARE_AUTO; share++) {
			if (fuzz_fine(patterns_read(list, &game, share, &patterns, &why), &why))
				patterns_use(&game, &patterns, share);
		}
	free(text);
	return 0;
}
