/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model files: what is written is read, and nothing else is. */
#include "agents/fields.h"
#include "agents/model.h"
#include "tests/agents/agent_of.h"
#include "tests/files.h"
#include "tests/agents/folder.h"
#include "tests/test.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

static const struct model_header head = {
    .agent = "someone",
    .board = "3x4",
    .spawn = "2:0.9,4:0.1",
    .layout = "a layout",
    .params = "eta=0.5",
    .games = UINT64_C(0x123456789abcdef0),
    .sections = 2,
};

/* Two sections: 100,000 bytes i * i >> 5, pushed in uneven pieces, and the text "end". */
enum { LONG = 100000 };

static void long_fill(unsigned char data[LONG])
{
	for (unsigned i = 0; i < LONG; i++)
		data[i] = (unsigned char)(i * i >> 5);
}

static void sample_write(const char *to)
{
	struct model_file *writer;
	struct why why;
	unsigned char data[LONG];
	long_fill(data);
	assert_int_equal(model_create(&writer, to, &head, &why), STATUS_OK);
	for (size_t at = 0, size; at < LONG; at += size) {
		size = at * 3 / 2 + 1;
		size = size < LONG - at ? size : LONG - at;
		assert_int_equal(model_write(writer, data + at, size), STATUS_OK);
	}
	assert_int_equal(model_section_end(writer), STATUS_OK);
	assert_int_equal(model_write(writer, "end", 3), STATUS_OK);
	assert_int_equal(model_section_end(writer), STATUS_OK);
	assert_int_equal(model_finish(writer), STATUS_OK);
	model_close(writer);
}

/* Reads the sample as far as it goes; the contents are compared only when all was accepted. */
static enum status sample_read(const char *from, struct why *why)
{
	struct model_file *reader;
	unsigned char want[LONG], data[LONG], end[3];
	enum status status = model_open(&reader, from, why);
	if (status)
		return status;
	for (size_t at = 0; at < LONG; at += LONG / 8)
		model_bytes(reader, data + at, LONG / 8);
	model_section_end(reader);
	model_bytes(reader, end, sizeof end);
	model_section_end(reader);
	status = model_finish(reader);
	if (!status) {
		long_fill(want);
		assert_memory_equal(data, want, LONG);
		assert_memory_equal(end, "end", 3);
	}
	model_close(reader);
	return status;
}

/* The sample is refused as input, in one line that begins with its path and says what is right. */
static void sample_refused(const char *from, const char *part)
{
	struct why why = {""};
	assert_int_equal(sample_read(from, &why), STATUS_INPUT);
	assert_int_equal(strncmp(why.text, from, strlen(from)), 0);
	assert_non_null(strstr(why.text, "expected"));
	assert_null(strchr(why.text, '\n'));
	if (!strstr(why.text, part))
		fail_msg("'%s' does not say '%s'", why.text, part);
}

TEST(what_is_written_is_read)
{
	struct why why;
	struct model_file *reader;
	sample_write(path);
	assert_int_equal(sample_read(path, &why), STATUS_OK);
	assert_int_equal(model_open(&reader, path, &why), STATUS_OK);
	const struct model_header *got = model_header(reader);
	assert_string_equal(got->agent, head.agent);
	assert_string_equal(got->board, head.board);
	assert_string_equal(got->spawn, head.spawn);
	assert_string_equal(got->layout, head.layout);
	assert_string_equal(got->params, head.params);
	assert_true(got->games == head.games);
	assert_int_equal(got->sections, head.sections);
	model_close(reader);
}

/* The layout documented in model.c, byte by byte. */
TEST(numbers_in_the_file_are_little_endian)
{
	static const unsigned char want[24] = {'n',  'x',  'n',	 '\r', '\n', 26,   '\n', 0,
					       1,    0,	   0,	 0,    2,    0,	   0,	 0,
					       0xf0, 0xde, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12};
	size_t size;
	sample_write(path);
	unsigned char *bytes = file_load(path, &size);
	assert_memory_equal(bytes, want, sizeof want);
	assert_string_equal((char *)bytes + 24, "someone");
	assert_memory_equal(bytes + 2504, "\x28\xb5\x2f\xfd",
			    4);	      /* a zstd frame: RFC 8878, 3.1.1 */
	assert_true(bytes[2508] & 4); /* with a checksum: 3.1.1.1.1 */
	free(bytes);
}

/* The next of the places to try in a file: all of the EDGE at either end, some between. */
static size_t place_after(size_t at, size_t size, size_t edge, size_t stride)
{
	if (at < edge || at + edge >= size)
		return at + 1;
	return at + stride < size - edge ? at + stride : size - edge;
}

TEST(a_file_cut_off_anywhere_is_refused)
{
	size_t size;
	sample_write(path);
	unsigned char *bytes = file_load(path, &size);
	for (size_t cut = 0; cut < size; cut = place_after(cut, size, 30, 97)) {
		file_store(other, bytes, cut);
		sample_refused(other, cut < 8 ? "not a model file" : "truncated");
	}
	free(bytes);
}

TEST(a_flipped_bit_anywhere_is_noticed)
{
	size_t size;
	sample_write(path);
	unsigned char *bytes = file_load(path, &size);
	for (size_t at = 0; at < size; at = place_after(at, size, 30, at < 2600 ? 7 : 251))
		for (int bit = 0; bit < 8; bit++) {
			bytes[at] ^= (unsigned char)(1 << bit);
			file_store(other, bytes, size);
			sample_refused(other, at < 8	  ? "not a model file"
					      : at < 12	  ? "version"
					      : at < 2504 ? "damaged header"
							  : "");
			bytes[at] ^= (unsigned char)(1 << bit);
		}
	free(bytes);
}

/* A stranger can compute checksums, too. */
TEST(forged_heads_are_refused)
{
	static const struct {
		size_t at;
		const char *bytes;
		size_t size;
		const char *says;
	} cases[] = {
	    {8, "\2", 1, "version 2, expected version 1"},
	    {12, "\0", 1, "damaged header"},		 /* no section */
	    {12, "\1\x10", 2, "damaged header"},	 /* 4097 sections */
	    {24, "\033[2J", 4, "damaged header"},	 /* an agent that clears the terminal */
	    {24, "someone\0else", 12, "damaged header"}, /* more behind the end */
	    {56, "4x4 4x4 ", 8, "damaged header"},	 /* no end */
	    {448, "caf\xc3\xa9", 5, "damaged header"},	 /* not ASCII */
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t size;
		sample_write(path);
		unsigned char *bytes = file_load(path, &size);
		memcpy(bytes + cases[i].at, cases[i].bytes, cases[i].size);
		uint64_t hash = htole64(XXH3_64bits(bytes, 2496));
		memcpy(bytes + 2496, &hash, sizeof hash);
		file_store(other, bytes, size);
		sample_refused(other, cases[i].says);
		free(bytes);
	}
}

TEST(what_follows_the_end_is_refused)
{
	size_t size;
	sample_write(path);
	unsigned char *bytes = file_load(path, &size);
	bytes = realloc(bytes, size + 1);
	assert_non_null(bytes);
	bytes[size] = 0;
	file_store(other, bytes, size + 1);
	sample_refused(other, "something follows");
	free(bytes);
}

TEST(a_note_follows_the_model_and_is_no_part_of_it)
{
	static const char text[] = "0 1000 1.5\n";
	struct game game;
	struct why why;
	size_t size, all;
	char *note;
	game_of("2x2", &game);
	struct agent *agent = agent_of("adp", &game), *copy = agent_of("adp", &game);
	assert_int_equal(agent_save(agent, path, NULL, &why), STATUS_OK);
	free(file_load(path, &size));
	assert_int_equal(model_note(path, &note, &why), STATUS_OK);
	assert_null(note);
	assert_int_equal(agent_save(agent, path, text, &why), STATUS_OK);
	unsigned char *bytes = file_load(path, &all);
	assert_int_equal(all, size + strlen(text) + 24);
	const int fd = open(path, O_RDONLY);
	assert_int_equal(model_size(fd, all), size);
	close(fd);
	assert_int_equal(agent_load(copy, path, &why), STATUS_OK);
	assert_int_equal(model_note(path, &note, &why), STATUS_OK);
	assert_string_equal(note, text);
	free(note);
	for (size_t at = size + 1; at < all; at++) { /* cut off, and with a flipped bit */
		file_store(other, bytes, at);
		assert_int_equal(agent_load(copy, other, &why), STATUS_INPUT);
		bytes[at] ^= 4;
		file_store(other, bytes, all);
		const enum status read = agent_load(copy, other, &why);
		assert_true(model_note(other, &note, &why) || (read && !note));
		bytes[at] ^= 4;
	}
	/* A hole of 65 MiB before the end of a note that is said to be as long. */
	const uint64_t hole = 65 << 20;
	field_put64(bytes + all - 16, hole);
	file_store(other, bytes, size);
	FILE *file = fopen(other, "ab");
	assert_int_equal(ftruncate(fileno(file), (off_t)(size + hole)), 0);
	assert_int_equal(fwrite(bytes + all - 24, 24, 1, file), 1);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(agent_load(copy, other, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, "something follows"));
	agent_free(agent);
	agent_free(copy);
	free(bytes);
}

TEST(foreign_files_are_refused)
{
	char zeros[5000] = {0};
	file_store(other, "", 0);
	sample_refused(other, "not a model file");
	file_store(other, zeros, sizeof zeros);
	sample_refused(other, "not a model file");
	file_store(other, "board\tlabel\tagent\n", 18);
	sample_refused(other, "not a model file");
	sample_refused(folder, "not a regular file");
	assert_int_equal(unlink(other), 0);
	assert_int_equal(mkfifo(other, 0600), 0);
	sample_refused(other, "not a regular file");
	assert_int_equal(unlink(other), 0);
}

TEST(sections_shorter_or_longer_than_asked_for_are_refused)
{
	struct model_file *reader;
	struct why why;
	unsigned char data[LONG + 1];
	sample_write(path);
	assert_int_equal(model_open(&reader, path, &why), STATUS_OK);
	assert_int_equal(model_bytes(reader, data, LONG + 1), STATUS_INPUT);
	assert_non_null(strstr(why.text, "a section ends early, expected more data"));
	model_close(reader);
	assert_int_equal(model_open(&reader, path, &why), STATUS_OK);
	assert_int_equal(model_bytes(reader, data, LONG - 1), STATUS_OK);
	assert_int_equal(model_section_end(reader), STATUS_INPUT);
	assert_non_null(strstr(why.text, "a section is too long, expected its end"));
	model_close(reader);
}

TEST(a_section_may_end_where_more_is_asked_for)
{
	struct model_file *reader;
	struct why why;
	unsigned char data[LONG], want[LONG];
	sample_write(path);
	long_fill(want);
	assert_int_equal(model_open(&reader, path, &why), STATUS_OK);
	assert_int_equal(model_bytes(reader, data, LONG - 8), STATUS_OK);
	assert_int_equal(model_read_some(reader, data + LONG - 8, 9), 8);
	assert_memory_equal(data, want, LONG);
	assert_int_equal(model_read_some(reader, data, 8), 0);
	assert_int_equal(model_section_end(reader), STATUS_OK);
	assert_int_equal(model_bytes(reader, data, 4), STATUS_INPUT);
	assert_non_null(strstr(why.text, "a section ends early, expected more data"));
	model_close(reader);
}

TEST(a_file_that_cannot_be_had_says_why)
{
	char missing[128], endless[300], full[] = "/dev/full";
	struct model_file *reader = NULL;
	struct model_file *writer = NULL;
	struct why why;
	snprintf(missing, sizeof missing, "%s/none/model", folder);
	assert_int_equal(model_open(&reader, missing, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, missing));
	assert_non_null(strstr(why.text, strerror(ENOENT)));
	memset(endless, 'x', sizeof endless - 1);
	endless[sizeof endless - 1] = '\0';
	assert_int_equal(model_open(&reader, endless, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, strerror(ENAMETOOLONG)));
	assert_int_equal(model_create(&writer, missing, &head, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, missing));
	assert_int_equal(model_create(&writer, full, &head, &why), STATUS_INPUT);
	assert_int_equal(model_create(&writer, folder, &head, &why), STATUS_INPUT);
	assert_null(reader);
	assert_null(writer);
}

TEST(a_file_given_up_leaves_the_old_one_and_nothing_else)
{
	struct model_file *writer;
	struct why why;
	char temporary[128];
	sample_write(path);
	assert_int_equal(model_create(&writer, path, &head, &why), STATUS_OK);
	snprintf(temporary, sizeof temporary, "%s.nxn-1.tmp", path);
	assert_int_equal(access(temporary, F_OK), 0);
	assert_int_equal(model_write(writer, "half", 4), STATUS_OK);
	model_close(writer);
	model_close(NULL);
	assert_int_not_equal(access(temporary, F_OK), 0);
	assert_int_equal(sample_read(path, &why), STATUS_OK);
}

/* Somebody else's link in a folder for all must not lead the writer elsewhere. */
TEST(a_link_under_the_temporary_name_is_not_followed)
{
	struct model_file *writer;
	struct why why;
	char temporary[128];
	snprintf(temporary, sizeof temporary, "%s.nxn-1.tmp", path);
	unlink(other);
	assert_int_equal(symlink("other", temporary), 0);
	assert_int_equal(model_create(&writer, path, &head, &why), STATUS_OK);
	model_close(writer);
	assert_int_not_equal(access(other, F_OK), 0);
	assert_int_equal(unlink(temporary), 0);
}

/* A limit on the size of files stands in for a full disk. */
TEST(a_full_disk_leaves_the_old_file_and_nothing_else)
{
	struct model_file *writer;
	struct why why;
	unsigned char data[LONG];
	uint32_t x = 1;
	for (int i = 0; i < LONG; i++) {
		x = x * 1664525 + 1013904223;
		data[i] = (unsigned char)(x >> 24);
	}
	sample_write(path);
	files_limit(3000);
	assert_int_equal(model_create(&writer, path, &head, &why), STATUS_OK);
	model_write(writer, data, LONG);
	const enum status status = model_section_end(writer);
	model_close(writer);
	files_limit(RLIM_INFINITY);
	assert_int_equal(status, STATUS_SYSTEM);
	assert_non_null(strstr(why.text, strerror(EFBIG)));
	assert_int_equal(sample_read(path, &why), STATUS_OK);
}

/*
 * An empty frame as RFC 8878, 3.1.1, has it: magic number, descriptor (a checksum, no size), window
 * 2^(10 + exponent), one raw and last block of no bytes, the low half of XXH64 of nothing.
 */
TEST(frames_that_want_much_memory_are_refused)
{
	for (unsigned log = 22; log <= 30; log++) {
		unsigned char frame[] = {
		    0x28, 0xb5, 0x2f, 0xfd, 4,	 (unsigned char)((log - 10) << 3), 1, 0,
		    0,	  0x99, 0xe9, 0xd8, 0x51};
		struct model_file *reader;
		struct why why;
		size_t size;
		sample_write(path);
		unsigned char *bytes = file_load(path, &size);
		memcpy(bytes + 2504, frame, sizeof frame);
		file_store(other, bytes, size);
		free(bytes);
		assert_int_equal(model_open(&reader, other, &why), STATUS_OK);
		enum status status = model_section_end(reader);
		assert_int_equal(status, log <= 23 ? STATUS_OK : STATUS_INPUT);
		if (status)
			assert_non_null(strstr(why.text, "too much memory"));
		model_close(reader);
	}
}

TESTS(folder_setup, folder_remove)
