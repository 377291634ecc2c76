/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * forge INPUT MODEL SECTION AT TIMES: writes the unpacked model INPUT (tests/fuzz/model.h) as the
 * model file MODEL, with sound checksums; of section number SECTION what is from byte AT on comes
 * TIMES times. So a small file holds gigabytes.
 */
#include "agents/fields.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/model.c"

enum { INPUT_MAX = 1 << 20, PIECE_MAX = 1 << 20 };

/* SIZE bytes, TIMES times, in larger pieces. */
static void repeat_write(struct model_file *file, const uint8_t *data, size_t size, uint64_t times)
{
	static uint8_t piece[PIECE_MAX];
	const size_t fit = size ? PIECE_MAX / size : 0;
	for (size_t i = 0; i < fit; i++)
		memcpy(piece + i * size, data, size);
	for (; fit && times && !model_status(file); times -= times < fit ? times : fit)
		model_write(file, piece, (times < fit ? times : fit) * size);
}

static void sections_write(struct model_file *file, const uint8_t *data, size_t size, char **how)
{
	const uint32_t section = (uint32_t)atoi(how[0]);
	const size_t at = strtoull(how[1], NULL, 10);
	for (uint32_t i = 0; i < model_header(file)->sections; i++) {
		const size_t length = size >= 4 ? field_get32(data) : 0;
		FUZZ_CHECK(size >= 4 && length <= size - 4);
		const size_t plain = i == section && at < length ? at : length;
		model_write(file, data + 4, plain);
		repeat_write(file, data + 4 + plain, length - plain, strtoull(how[2], NULL, 10));
		model_section_end(file);
		data += 4 + length;
		size -= 4 + length;
	}
}

int main(int argc, char **argv)
{
	static uint8_t data[INPUT_MAX];
	struct model_header head;
	struct model_file *file;
	struct why why = {""};
	FILE *in = argc == 6 ? fopen(argv[1], "re") : NULL;
	if (!in)
		return 2;
	const size_t size = fread(data, 1, sizeof data, in);
	fclose(in);
	const size_t at = model_unpacked_head(data, size, &head);
	enum status status = model_create(&file, argv[2], &head, &why);
	if (!status) {
		sections_write(file, data + at, size - at, argv + 3);
		status = model_finish(file);
		model_close(file);
	}
	if (status)
		fprintf(stderr, "%s\n", why.text);
	return status ? 1 : 0;
}
