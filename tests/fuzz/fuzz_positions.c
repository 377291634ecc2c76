/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of positions. */
#include "src/measure/positions.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { SHAPES = 3 };
	static const char *const shapes[SHAPES] = {"2x2", "3x5", "4x4"};
	static struct game game[SHAPES];
	const struct game *games[SHAPES];
	struct positions sets[SHAPES] = {0};
	struct why why = {""};
	for (int i = 0; i < SHAPES; i++) {
		games[i] = &game[i];
		if (!game[i].rows)
			FUZZ_CHECK(
			    !game_init(&game[i], &(struct game_options){.shape = shapes[i]}, &why));
	}
	const char *path = fuzz_file(data, size);
	for (size_t n = 1; n <= SHAPES; n += SHAPES - 1) {
		fuzz_fine(positions_read(sets, games, n, path, &why), &why);
		for (int i = 0; i < SHAPES; i++)
			positions_fini(&sets[i]);
	}
	return 0;
}
