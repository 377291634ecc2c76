/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table files written, refused, damaged in every byte, forged. */
#include "agents/fields.h"
#include "agents/solver/packed_keys.h"
#include "tests/files.h"
#include "tests/agents/folder.h"
#include "tests/agents/tables.h"
#include "tests/test.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* The layout of the file, as the head comment of optimum.c has it. */
enum { HEAD_BYTES = 984, ENTRY_BYTES = 24 };

static void open_refused(const char *from, const struct game *game, const char *part)
{
	struct optimum *o;
	struct why why = {""};
	assert_int_equal(optimum_open(from, game, false, &o, &why), STATUS_INPUT);
	assert_int_equal(strncmp(why.text, from, strlen(from)), 0);
	assert_null(strchr(why.text, '\n'));
	if (!strstr(why.text, part))
		fail_msg("'%s' does not say '%s'", why.text, part);
}

static void table_of_2x2(struct solved *s)
{
	table_make(s, &(struct game_options){.shape = "2x2"}, GOAL_SCORE, 0, 0, path);
}

TEST(a_table_of_another_game_is_refused)
{
	struct solved s;
	struct game game;
	table_of_2x2(&s);
	game_of("2x3", &game);
	open_refused(path, &game, "a table for 2x2 boards, expected one for 2x3");
	game_make(&(struct game_options){.shape = "2x2", .spawn = "2:1"}, &game);
	open_refused(path, &game, "a table for spawn rule '2:0.9,4:0.1', expected one for '2:1'");
	naive_free(&s.naive);
}

TEST(what_is_not_a_table_is_refused)
{
	open_refused("not/there", NULL, "No such file");
	open_refused(folder, NULL, "not a regular file");
	file_store(other, "", 0);
	open_refused(other, NULL, "empty");
	file_store(other, "nxt\r\n\032\n", 7);
	open_refused(other, NULL, "not a table file, expected one that nxn solve --out wrote");
	file_store(other, "nxt\r\n\032\n\002", 8);
	open_refused(other, NULL, "table format version 2, expected version 1");
	file_store(other, "nxt\r\n\032\n\001", 8);
	open_refused(other, NULL, "truncated after 8 bytes");
}

/* Of every so many bytes one is looked at; cli_damage.sh with DAMAGE_STEP=1 looks at all. */
enum { EVERY = 3 };

TEST(a_table_cut_anywhere_is_refused)
{
	struct solved s;
	size_t size;
	table_of_2x2(&s);
	unsigned char *bytes = file_load(path, &size);
	for (size_t cut = 0; cut < size; cut += EVERY) {
		file_store(other, bytes, cut);
		open_refused(other, NULL, "expected");
	}
	unsigned char *longer = calloc(size + 8, 1);
	memcpy(longer, bytes, size);
	file_store(other, longer, size + 8);
	open_refused(other, NULL, "damaged");
	free(longer);
	free(bytes);
	naive_free(&s.naive);
}

/* Looks up every position; the number of values that differ from what was found naively. */
static int wrong_values(const struct optimum *o, struct solved *s, int *unknown)
{
	int wrong = 0;
	*unknown = 0;
	for (size_t i = 0; i < s->naive.capacity; i++) {
		const struct naive_entry *e = &s->naive.entries[i];
		if (!e->used)
			continue;
		struct turn turn = turn_of(&s->game, &e->board);
		const double value = optimum_value(o, &turn);
		*unknown += isnan(value);
		wrong += !isnan(value) && !near(value, e->value);
	}
	return wrong;
}

/* Every byte has a checksum: of head and index when it is opened, else when it is verified. */
TEST(a_table_changed_anywhere_is_refused)
{
	struct solved s;
	size_t size;
	int opened = 0;
	table_of_2x2(&s);
	unsigned char *bytes = file_load(path, &size);
	for (size_t at = 0; at < size; at += EVERY) {
		struct optimum *o;
		struct why why = {""};
		bytes[at] ^= (unsigned char)(1 + at % 255);
		file_store(other, bytes, size);
		bytes[at] ^= (unsigned char)(1 + at % 255);
		enum status status = optimum_open(other, NULL, false, &o, &why);
		if (!status) {
			opened++;
			status = optimum_verify(o, &why);
			optimum_close(o);
		}
		assert_int_equal(status, STATUS_INPUT);
		assert_int_equal(strncmp(why.text, other, strlen(other)), 0);
		assert_non_null(strstr(why.text, "expected"));
	}
	assert_in_range(EVERY * opened, size / 4, size - HEAD_BYTES + EVERY);
	free(bytes);
	naive_free(&s.naive);
}

/* Makes all checksums of the file agree again, as far as its sizes allow. */
static void checksums_forge(unsigned char *bytes, size_t size, int width)
{
	const uint64_t layers = field_get64(bytes + 56);
	size_t at = HEAD_BYTES;
	if (layers <= (size - at) / ENTRY_BYTES) {
		unsigned char *index = bytes + size - layers * ENTRY_BYTES;
		for (uint64_t i = layers; i-- > 0;) {
			unsigned char *entry = index + i * ENTRY_BYTES;
			struct packed_keys codes;
			const uint64_t count = field_get64(entry + 8);
			if (count > size || !packed_keys_fit(width, count))
				break;
			packed_keys_plan(&codes, width, count);
			const size_t layer = codes.directory + codes.rests + 8 * count;
			if (layer > (size_t)(index - bytes) - at)
				break;
			field_put64(entry + 16, XXH3_64bits(bytes + at, layer));
			at += layer;
		}
		field_put64(bytes + 968, XXH3_64bits(index, layers * ENTRY_BYTES));
	}
	field_put64(bytes + 976, XXH3_64bits(bytes, 976));
}

/* Such a file may be believed, but it does no harm: what a sanitizer watches. */
TEST(forged_checksums_do_no_harm)
{
	static const unsigned char changes[] = {0x01, 0x80, 0xff};
	struct solved s;
	size_t size;
	int opened = 0, refused = 0, unknown;
	table_of_2x2(&s);
	unsigned char *bytes = file_load(path, &size), *forged = malloc(size);
	for (size_t at = 0; at < size; at++)
		for (size_t i = at % EVERY; i < sizeof changes; i += EVERY) {
			struct optimum *o;
			struct why why = {""};
			memcpy(forged, bytes, size);
			forged[at] ^= changes[i];
			checksums_forge(forged, size, 12);
			file_store(other, forged, size);
			if (optimum_open(other, NULL, false, &o, &why)) {
				assert_int_equal(strncmp(why.text, other, strlen(other)), 0);
				assert_null(strchr(why.text, '\n'));
				refused++;
				continue;
			}
			opened++;
			if (strcmp(optimum_header(o)->board, "2x2") == 0)
				wrong_values(o, &s, &unknown);
			optimum_close(o);
		}
	assert_true(opened > 0 && refused > 0);
	free(forged);
	free(bytes);
	naive_free(&s.naive);
}

/* Numbers that no table has, in a head and an index with the right checksums. */
TEST(absurd_numbers_are_refused)
{
	static const struct {
		size_t at, size; /* of the number, from the beginning, or from the last entry */
		bool in_index;
		uint64_t number;
	} cases[] = {
	    {8, 4, false, 0},
	    {8, 4, false, 6},
	    {8, 4, false, UINT32_MAX},
	    {12, 4, false, 5},
	    {12, 4, false, UINT32_MAX},
	    {16, 4, false, GOALS},
	    {16, 4, false, UINT32_MAX},
	    {16, 4, false, GOAL_TARGET},
	    {20, 4, false, 3},
	    {32, 8, false, UINT64_C(0x7ff0000000000000)},
	    {48, 8, false, 0},
	    {56, 8, false, 0},
	    {56, 8, false, UINT64_MAX},
	    {56, 8, false, UINT64_MAX / 24 + 2},
	    {64, 8, false, 0x00303031783030},
	    {0, 8, true, 0},
	    {8, 8, true, 0},
	    {8, 8, true, UINT64_MAX},
	    {8, 8, true, UINT64_C(1) << 61},
	    {8, 8, true, UINT32_MAX},
	};
	struct solved s;
	size_t size;
	table_of_2x2(&s);
	unsigned char *bytes = file_load(path, &size), *forged = malloc(size);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		memcpy(forged, bytes, size);
		unsigned char *to =
		    forged + (cases[i].in_index ? size - ENTRY_BYTES : 0) + cases[i].at;
		if (cases[i].size == 4)
			field_put32(to, (uint32_t)cases[i].number);
		else
			field_put64(to, cases[i].number);
		checksums_forge(forged, size, 12);
		file_store(other, forged, size);
		open_refused(other, NULL, "");
	}
	free(forged);
	free(bytes);
	naive_free(&s.naive);
}

static bool file_there(const char *name)
{
	struct stat st;
	return stat(name, &st) == 0;
}

TEST(a_table_appears_complete_or_not_at_all)
{
	struct solved s;
	struct optimum_writer *writer;
	struct why why;
	char temporary[128];
	table_of_2x2(&s);
	unlink(other);
	struct optimum_header head = table_head(path);
	snprintf(temporary, sizeof temporary, "%s.nxn-1.tmp", other);
	assert_int_equal(optimum_create(&writer, other, &head, &why), STATUS_OK);
	assert_int_equal(optimum_put(writer, 8, &(uint64_t){5}, &(double){1}, 1, &why), STATUS_OK);
	assert_int_equal(optimum_put(writer, 6, NULL, NULL, 0, &why), STATUS_OK);
	assert_true(file_there(temporary) && !file_there(other));
	assert_int_equal(optimum_finish(writer, NULL, &why), STATUS_OK);
	assert_true(!file_there(temporary) && !file_there(other));
	assert_int_equal(optimum_create(&writer, other, &head, &why), STATUS_OK);
	assert_int_equal(optimum_put(writer, 8, &(uint64_t){5}, &(double){1}, 1, &why), STATUS_OK);
	assert_int_equal(optimum_finish(writer, &head, &why), STATUS_OK);
	assert_true(!file_there(temporary) && file_there(other));
	struct optimum *o = table_open(other, &s.game);
	assert_int_equal(optimum_header(o)->afterstates, 1);
	optimum_close(o);
	naive_free(&s.naive);
}

TEST(a_full_disk_leaves_the_old_table)
{
	enum { CODES = 1000 };
	struct solved s;
	struct optimum_writer *writer;
	struct why why;
	uint64_t code[CODES];
	static const double value[CODES];
	table_of_2x2(&s);
	struct optimum_header head = table_head(path);
	for (uint64_t i = 0; i < CODES; i++)
		code[i] = i;
	files_limit(2000);
	assert_int_equal(optimum_create(&writer, path, &head, &why), STATUS_OK);
	const enum status status = optimum_put(writer, 8, code, value, CODES, &why);
	assert_int_equal(optimum_finish(writer, NULL, &why), STATUS_OK);
	files_limit(RLIM_INFINITY);
	assert_int_equal(status, STATUS_SYSTEM);
	assert_non_null(strstr(why.text, strerror(EFBIG)));
	table_check(path, &s);
	naive_free(&s.naive);
}

TEST(what_cannot_be_written_is_said)
{
	struct solved s;
	struct optimum_writer *writer;
	struct why why;
	struct game game;
	table_of_2x2(&s);
	struct optimum_header head = table_head(path);
	assert_int_equal(optimum_create(&writer, folder, &head, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, "not a regular file"));
	assert_int_equal(optimum_create(&writer, "not/there", &head, &why), STATUS_INPUT);
	assert_int_equal(strncmp(why.text, "not/there", 9), 0);
	game_of("4x4", &game);
	optimum_header_game(&head, &game);
	head.max_exponent = 17;
	assert_int_equal(optimum_create(&writer, other, &head, &why), STATUS_INPUT);
	assert_int_equal(strncmp(why.text, other, strlen(other)), 0);
	naive_free(&s.naive);
}

TESTS(folder_setup, folder_remove)
