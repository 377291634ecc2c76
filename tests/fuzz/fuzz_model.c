/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files as they are on the disk, of whatever learner: as the input has them, and once more
 * with checksums of head and file that fit, so that what lies behind them is read.
 */
#include "agents/agent.h"
#include "agents/fields.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/learner.h"
#include "tests/fuzz/model.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Loads it as what its head says it is. */
static void file_use(const uint8_t *bytes, size_t size)
{
	char reason[sizeof(struct why)];
	const char *path = fuzz_file(bytes, size);
	struct model_file *reader;
	struct why why = {""};
	if (!fuzz_fine(model_open(&reader, path, &why), &why))
		return;
	const struct model_header head = *model_header(reader);
	model_close(reader);
	const struct agent_class *class = agent_class_of(head.agent);
	if (class && class->model)
		learner_play(class->name, head.board, head.spawn, path, 0, reason, sizeof reason);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	file_use(data, size);
	if (size < MODEL_HEADER_BYTES + MODEL_HASH_BYTES)
		return 0;
	uint8_t *bytes = malloc(size);
	FUZZ_CHECK(bytes);
	memcpy(bytes, data, size);
	const size_t end = size - MODEL_HASH_BYTES, head = MODEL_HEADER_BYTES - MODEL_HASH_BYTES;
	field_put64(bytes + head, XXH3_64bits(bytes, head));
	field_put64(bytes + end, XXH3_64bits(bytes + MODEL_HEADER_BYTES, end - MODEL_HEADER_BYTES));
	file_use(bytes, size);
	free(bytes);
	return 0;
}
