/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of recorded games: every game read is written as the line that it was read from. */
#include "boards/record.c"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* Its text is read again, as the same game. */
static void line_again(const struct record_line *line)
{
	struct record_parser parser = {0};
	struct record_line again;
	struct why why = {""};
	char *text;
	size_t length;
	FUZZ_CHECK(!record_format(line, &text, &length, &why));
	FUZZ_CHECK(length > 0 && text[length - 1] == '\n');
	text[length - 1] = '\0';
	FUZZ_CHECK(!record_parse(&parser, text, &again, &why));
	FUZZ_CHECK(again.record.moves == line->record.moves &&
		   again.record.score == line->record.score &&
		   strcmp(again.player, line->player) == 0);
	free(parser.move);
	free(text);
}

static void games_read(const char *path)
{
	struct record_reader *reader;
	const struct record_line *line;
	struct why why = {""};
	if (!fuzz_fine(record_reader_open(path, &reader, &why), &why))
		return;
	while (fuzz_fine(record_reader_next(reader, &line, &why), &why) && line)
		line_again(line);
	record_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct game game;
	struct records records;
	struct record_writer writer;
	struct why why = {""};
	games_read(path);
	FUZZ_CHECK(!game_init(&game, &(struct game_options){.shape = "2x2"}, &why));
	if (!records_read(path, &game, &records, &why))
		records_free(&records);
	enum status status = record_writer_open(&writer, path, "nobody", NULL, &why);
	if (!status)
		status = append_close(&writer.file, &why);
	fuzz_fine(status, &why);
	return 0;
}
