/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of layers: pieces are put, read, taken up after every kind of end, and refused when
 * damaged.
 */
#include "agents/solver/packed_keys.h"
#include "agents/solver/solving.h"
#include "agents/fields.h"

#include "tests/files.h"
#include "tests/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char task[] = "2x2 spawn=2:0.9,4:0.1 start_tiles=2 goal=score";

static char folder[40], layers[64], elsewhere[64];

static int folder_setup(void **state)
{
	(void)state;
	/* Files full of holes are read much faster in memory. */
	const bool memory = access("/dev/shm", W_OK) == 0;
	snprintf(folder, sizeof folder, "%stest_layers.XXXXXX", memory ? "/dev/shm/" : "");
	if (!mkdtemp(folder))
		return -1;
	snprintf(layers, sizeof layers, "%s/layers.nxl", folder);
	snprintf(elsewhere, sizeof elsewhere, "%s/made/layers.nxl", folder);
	return 0;
}

static int folder_remove(void **state)
{
	(void)state;
	char made[64];
	snprintf(made, sizeof made, "%s/made", folder);
	unlink(layers);
	unlink(elsewhere);
	rmdir(made);
	return rmdir(folder);
}

static struct layer_file *file_of(const char *in)
{
	struct layer_file *file;
	struct why why;
	if (layer_file_open(&file, in, task, 40, &why))
		fail_msg("%s", why.text);
	return file;
}

/* Layer S of the sample: codes 3 i + s of 40 bits, values i / s, a text; 10 s of the first two. */
enum { SUMS = 4, MOST = 10 * SUMS };

static void codes_fill(uint64_t *code, uint64_t s)
{
	for (uint64_t i = 0; i < 10 * s; i++)
		code[i] = 3 * i + s;
}

static void values_fill(double *value, uint64_t s)
{
	for (uint64_t i = 0; i < 10 * s; i++)
		value[i] = (double)i / (double)s;
}

static void sample_put(struct layer_file *file)
{
	uint64_t code[MOST];
	double value[MOST];
	struct why why;
	for (uint64_t s = 0; s < SUMS; s++) {
		codes_fill(code, s);
		assert_int_equal(layer_file_put(file, PIECE_STATES, s, code, 10 * s, &why), 0);
	}
	for (uint64_t s = SUMS; s-- > 0;) {
		values_fill(value, s);
		assert_int_equal(layer_file_put(file, PIECE_VALUES, s, value, 10 * s, &why), 0);
		assert_int_equal(layer_file_put(file, PIECE_COUNTS, s, "counts", 6, &why), 0);
	}
}

/*
 * Checks whatever of the sample is there: a piece is as it was put, or refused. The number of those
 * that are as they were put.
 */
static int sample_check(const struct layer_file *file, struct why *why)
{
	uint64_t code[MOST];
	double value[MOST];
	_Alignas(8) unsigned char got[MOST * 8];
	int good = 0;
	for (uint64_t s = 0; s < SUMS; s++) {
		const struct {
			enum piece_kind kind;
			const void *want;
			size_t count, bytes;
		} pieces[] = {{PIECE_STATES, code, 10 * s, sizeof *code},
			      {PIECE_VALUES, value, 10 * s, sizeof *value},
			      {PIECE_COUNTS, "counts", 6, 1}};
		codes_fill(code, s);
		values_fill(value, s);
		for (int i = 0; i < 3; i++) {
			const size_t count = layer_file_count(file, pieces[i].kind, s);
			if (count == SIZE_MAX)
				continue;
			assert_int_equal(count, pieces[i].count);
			if (layer_file_get(file, pieces[i].kind, s, got, why))
				continue;
			assert_memory_equal(got, pieces[i].want, count * pieces[i].bytes);
			good++;
		}
	}
	return good;
}

/* The pieces of the sample, complete. */
enum { PIECES_PUT = 3 * SUMS };

static void sample_file(void)
{
	unlink(layers);
	struct layer_file *file = file_of(folder);
	sample_put(file);
	layer_file_close(file);
}

TEST(what_is_put_is_read_in_any_order)
{
	struct why why;
	const char *places[] = {NULL, folder};
	for (int i = 0; i < 2; i++) {
		struct layer_file *file = file_of(places[i]);
		assert_int_equal(layer_file_count(file, PIECE_STATES, 1), SIZE_MAX);
		sample_put(file);
		assert_int_equal(sample_check(file, &why), PIECES_PUT);
		assert_int_equal(layer_file_count(file, PIECE_AFTERSTATES, 1), SIZE_MAX);
		assert_int_equal(layer_file_count(file, PIECE_STATES, SUMS), SIZE_MAX);
		layer_file_close(file);
	}
	layer_file_close(NULL);
}

TEST(a_file_is_taken_up_again)
{
	struct why why;
	struct stat st;
	sample_file();
	struct layer_file *file = file_of(folder);
	assert_int_equal(sample_check(file, &why), PIECES_PUT);
	assert_int_equal(stat(layers, &st), 0);
	assert_true(layer_file_bytes(file) == (uint64_t)st.st_size);
	assert_int_equal(layer_file_put(file, PIECE_COUNTS, 9, "more", 4, &why), 0);
	layer_file_close(file);
	file = file_of(folder);
	assert_int_equal(sample_check(file, &why), PIECES_PUT);
	assert_int_equal(layer_file_count(file, PIECE_COUNTS, 9), 4);
	layer_file_close(file);
}

TEST(the_folder_is_made)
{
	char made[64];
	snprintf(made, sizeof made, "%s/made", folder);
	struct layer_file *file = file_of(made);
	sample_put(file);
	layer_file_close(file);
	assert_int_equal(access(elsewhere, F_OK), 0);
}

TEST(a_temporary_file_leaves_nothing_behind)
{
	char made[64];
	snprintf(made, sizeof made, "%s/tmp", folder);
	assert_int_equal(mkdir(made, 0777), 0);
	setenv("TMPDIR", made, 1);
	struct layer_file *file = file_of(NULL);
	sample_put(file);
	assert_int_equal(rmdir(made), 0);
	layer_file_close(file);
	struct why why = {""};
	assert_int_equal(layer_file_open(&file, NULL, task, 40, &why), STATUS_SYSTEM);
	assert_non_null(strstr(why.text, made));
	assert_non_null(strstr(why.text, "--work DIR"));
	unsetenv("TMPDIR");
}

/* A file cut off anywhere is taken up with the pieces that are whole, and goes on from there. */
TEST(a_torn_end_is_cut_off_wherever_it_is)
{
	size_t size;
	int most = 0;
	struct why why;
	sample_file();
	unsigned char *bytes = file_load(layers, &size);
	for (size_t cut = 0; cut <= size; cut++) {
		file_store(layers, bytes, cut);
		struct layer_file *file = file_of(folder);
		const int good = sample_check(file, &why);
		/* One piece more at a time. */
		assert_in_range(good, most, most + 1);
		most = good;
		assert_int_equal(layer_file_put(file, PIECE_COUNTS, 9, "more", 4, &why), 0);
		layer_file_close(file);
		file = file_of(folder);
		assert_int_equal(sample_check(file, &why), good);
		assert_int_equal(layer_file_count(file, PIECE_COUNTS, 9), 4);
		layer_file_close(file);
	}
	assert_int_equal(most, PIECES_PUT);
	free(bytes);
}

/* Writes N bytes TAIL into the file of layers, from AT on. */
static void tail_add(size_t at, const void *tail, size_t n)
{
	const int fd = open(layers, O_WRONLY);
	assert_int_equal(pwrite(fd, tail, n, (off_t)at), n);
	assert_int_equal(close(fd), 0);
}

/* As a process leaves it that is killed between the contents of a piece and its head. */
TEST(a_piece_without_its_head_is_cut_off)
{
	size_t size;
	struct why why;
	sample_file();
	unsigned char *bytes = file_load(layers, &size), tail[1000] = {0};
	memset(tail + 200, 0x55, 800);
	tail_add(size, tail, sizeof tail);
	struct layer_file *file = file_of(folder);
	assert_int_equal(sample_check(file, &why), PIECES_PUT);
	assert_true(layer_file_bytes(file) == size);
	layer_file_close(file);
	unsigned char *now = file_load(layers, &(size_t){0});
	assert_memory_equal(now, bytes, size);
	free(now);
	free(bytes);
}

/* A child that is killed while it writes; what it said it had put is there. */
TEST(a_killed_writer_loses_nothing_that_it_has_put)
{
	for (int round = 0; round < 20; round++) {
		int ends[2];
		uint64_t put = 0, sum;
		struct why why;
		unlink(layers);
		assert_int_equal(pipe(ends), 0);
		const pid_t child = fork();
		assert_true(child >= 0);
		if (child == 0) {
			static double value[10000];
			struct layer_file *file = NULL;
			enum status status = layer_file_open(&file, folder, task, 40, &why);
			for (sum = 1; !status; sum++) {
				for (int i = 0; i < 10000; i++)
					value[i] = (double)sum;
				status =
				    layer_file_put(file, PIECE_VALUES, sum, value, 10000, &why);
				if (write(ends[1], &sum, sizeof sum) != sizeof sum)
					break;
			}
			_exit(1);
		}
		close(ends[1]);
		while (put < 2 + (uint64_t)round && read(ends[0], &sum, sizeof sum) == sizeof sum)
			put = sum;
		kill(child, SIGKILL);
		while (read(ends[0], &sum, sizeof sum) == sizeof sum)
			put = sum;
		close(ends[0]);
		assert_int_equal(waitpid(child, NULL, 0), child);
		assert_true(put >= 2);
		static double value[10000];
		struct layer_file *file = file_of(folder);
		for (sum = 1; sum <= put; sum++) {
			assert_int_equal(layer_file_count(file, PIECE_VALUES, sum), 10000);
			assert_int_equal(layer_file_get(file, PIECE_VALUES, sum, value, &why), 0);
			for (int i = 0; i < 10000; i++)
				assert_true(value[i] == (double)sum);
		}
		layer_file_close(file);
	}
}

/* Every byte changed: the file is refused, or a piece, or it was one between pieces. */
TEST(every_byte_that_is_wrong_is_refused)
{
	size_t size;
	sample_file();
	unsigned char *bytes = file_load(layers, &size);
	for (size_t at = 0; at < size; at++) {
		struct layer_file *file;
		struct why why = {""};
		bytes[at] ^= 0x41;
		file_store(layers, bytes, size);
		assert_int_equal(layer_file_open(&file, folder, task, 40, &why), STATUS_INPUT);
		assert_int_equal(strncmp(why.text, layers, strlen(layers)), 0);
		assert_non_null(strstr(why.text, "expected"));
		bytes[at] ^= 0x41;
		/* Nothing may have been cut off. */
		unsigned char *now = file_load(layers, &(size_t){0});
		now[at] ^= 0x41;
		assert_memory_equal(now, bytes, size);
		free(now);
	}
	free(bytes);
}

static void open_refused(const char *with, enum status want, const char *part)
{
	struct layer_file *file;
	struct why why = {""};
	assert_int_equal(layer_file_open(&file, folder, with, 40, &why), want);
	if (!strstr(why.text, part))
		fail_msg("'%s' does not say '%s'", why.text, part);
	assert_int_equal(strncmp(why.text, layers, strlen(layers)), 0);
}

TEST(a_file_of_another_task_is_refused)
{
	sample_file();
	open_refused("3x3", STATUS_INPUT,
		     "layers of '2x2 spawn=2:0.9,4:0.1 start_tiles=2 goal=score', expected '3x3'");
}

/* The head of a piece, as the head comment of layer_file.c has it. */
enum { PIECE_HEAD_BYTES = 64, FORM_CODES = 0, FORM_VALUES, FORM_BYTES, FORMS };

struct piece {
	int kind, form, width;
	uint64_t sum, count, bytes, hash[2];
	off_t at;
};

static void piece_encode(const struct piece *piece, unsigned char bytes[PIECE_HEAD_BYTES])
{
	const uint64_t number[] = {piece->sum,	   piece->count,   piece->bytes,
				   piece->hash[0], piece->hash[1], 0};
	field_put32(bytes, (uint32_t)piece->kind);
	bytes[4] = (unsigned char)piece->form;
	bytes[5] = (unsigned char)piece->width;
	memcpy(bytes + 6, "pc", 2);
	for (int i = 0; i < 6; i++)
		field_put64(bytes + 8 + 8 * i, number[i]);
	field_put64(bytes + 56, XXH3_64bits_withSeed(bytes, 56, (XXH64_hash_t)piece->at));
}

/* The checksum of N zeros. */
static uint64_t zeros_hash(uint64_t n)
{
	static const unsigned char some[1 << 20];
	XXH3_state_t hash;
	XXH3_64bits_reset(&hash);
	for (uint64_t step; n > 0; n -= step) {
		step = n < sizeof some ? n : sizeof some;
		XXH3_64bits_update(&hash, some, (size_t)step);
	}
	return XXH3_64bits_digest(&hash);
}

/* Heads with the right checksum that no piece has. */
TEST(forged_pieces_are_refused)
{
	struct packed_keys packed;
	packed_keys_plan(&packed, 40, 2);
	const struct piece good = {
	    .kind = PIECE_STATES,
	    .form = FORM_CODES,
	    .width = 40,
	    .sum = 99,
	    .count = 2,
	    .bytes = 32,
	    .hash = {zeros_hash(packed.directory), zeros_hash(packed.rests)},
	};
	struct piece forged[9];
	for (int i = 0; i < 9; i++)
		forged[i] = good;
	forged[0].kind = PIECES;
	forged[1].form = FORMS;
	forged[2].width = 0;
	forged[3].width = 65;
	forged[4].count = UINT64_MAX;
	forged[5].bytes = 33;
	forged[6].sum = 1; /* which is there already */
	forged[7] = (struct piece){.kind = PIECE_VALUES,
				   .form = FORM_VALUES,
				   .sum = 99,
				   .count = UINT64_MAX / 8 + 4,
				   .bytes = 24};
	forged[8] = (struct piece){.kind = PIECE_VALUES,
				   .form = FORM_BYTES,
				   .sum = 99,
				   .count = UINT64_MAX,
				   .bytes = UINT64_MAX};
	for (int i = -1; i < 9; i++) {
		struct stat st;
		unsigned char bytes[1000] = {0};
		sample_file();
		assert_int_equal(stat(layers, &st), 0);
		struct piece piece = i < 0 ? good : forged[i];
		piece.at = (st.st_size + 63) / 64 * 64;
		piece_encode(&piece, bytes);
		tail_add((size_t)piece.at, bytes, sizeof bytes);
		if (i < 0)
			layer_file_close(file_of(folder));
		else
			open_refused(task, STATUS_INPUT, "damaged at byte");
	}
}

/* No solver writes layers of values in this order without their codes, and so many of them. */
TEST(pieces_in_descending_order_take_no_longer)
{
	enum { MANY = 200000 };
	struct stat st;
	unsigned char *bytes = calloc(MANY, PIECE_HEAD_BYTES);
	assert_non_null(bytes);
	sample_file();
	assert_int_equal(stat(layers, &st), 0);
	const off_t first = (st.st_size + 63) / 64 * 64;
	for (int i = 0; i < MANY; i++) {
		const struct piece empty = {.kind = PIECE_VALUES,
					    .form = FORM_VALUES,
					    .sum = (uint64_t)(SUMS + MANY - i),
					    .hash = {zeros_hash(0)},
					    .at = first + i * PIECE_HEAD_BYTES};
		piece_encode(&empty, bytes + (size_t)i * PIECE_HEAD_BYTES);
	}
	tail_add((size_t)first, bytes, (size_t)MANY * PIECE_HEAD_BYTES);
	free(bytes);
	struct layer_file *file = file_of(folder);
	for (uint64_t sum = SUMS + 1; sum <= SUMS + MANY; sum++)
		assert_int_equal(layer_file_count(file, PIECE_VALUES, sum), 0);
	assert_int_equal(layer_file_count(file, PIECE_VALUES, SUMS + MANY + 1), SIZE_MAX);
	layer_file_close(file);
}

TEST(a_file_in_use_is_refused)
{
	sample_file();
	struct layer_file *file = file_of(folder);
	open_refused(task, STATUS_INPUT, "another process");
	layer_file_close(file);
	layer_file_close(file_of(folder));
}

TEST(what_is_not_a_file_is_refused_and_left_alone)
{
	file_store(layers, "a letter", 8);
	open_refused(task, STATUS_INPUT, "not a file of layers");
	size_t size;
	unsigned char *bytes = file_load(layers, &size);
	assert_int_equal(size, 8);
	assert_memory_equal(bytes, "a letter", 8);
	free(bytes);
	unlink(layers);
	assert_int_equal(mkdir(layers, 0777), 0);
	open_refused(task, STATUS_INPUT, "is a folder; expected a file");
	assert_int_equal(rmdir(layers), 0);
	assert_int_equal(mkfifo(layers, 0666), 0);
	open_refused(task, STATUS_INPUT, "not a regular file");
	unlink(layers);
}

TEST(a_folder_that_cannot_be_is_an_error)
{
	struct layer_file *file;
	struct why why;
	char in[80], long_one[300];
	sample_file();
	snprintf(in, sizeof in, "%s/there", layers);
	assert_int_equal(layer_file_open(&file, in, task, 40, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, layers));
	memset(long_one, 'x', sizeof long_one - 1);
	long_one[sizeof long_one - 1] = '\0';
	assert_int_equal(layer_file_open(&file, long_one, task, 40, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, "too long"));
}

/* A limit on the size of files stands for a full disk. */
TEST(a_full_disk_is_told_and_costs_only_the_last_piece)
{
	static double value[20000];
	struct why why = {""};
	sample_file();
	struct layer_file *file = file_of(folder);
	files_limit(100000);
	enum status status = layer_file_put(file, PIECE_VALUES, 100, value, 20000, &why);
	files_limit(RLIM_INFINITY);
	assert_int_equal(status, STATUS_SYSTEM);
	assert_int_equal(strncmp(why.text, layers, strlen(layers)), 0);
	assert_non_null(strstr(why.text, "--work DIR"));
	assert_non_null(strstr(why.text, strerror(EFBIG)));
	assert_int_equal(layer_file_count(file, PIECE_VALUES, 100), SIZE_MAX);
	assert_int_equal(sample_check(file, &why), PIECES_PUT);
	assert_int_equal(layer_file_put(file, PIECE_VALUES, 100, value, 20000, &why), 0);
	layer_file_close(file);
	file = file_of(folder);
	assert_int_equal(layer_file_count(file, PIECE_VALUES, 100), 20000);
	assert_int_equal(sample_check(file, &why), PIECES_PUT);
	layer_file_close(file);
}

/* Behind a piece of 5 GiB, which is a hole in the file. */
TEST(a_file_may_be_larger_than_four_gigabytes)
{
	const uint64_t much = ((uint64_t)4 << 30) + 64;
	unsigned char bytes[PIECE_HEAD_BYTES];
	struct why why;
	unlink(layers);
	struct layer_file *file = file_of(folder);
	struct piece piece = {
	    .kind = PIECE_COUNTS,
	    .form = FORM_BYTES,
	    .sum = 9,
	    .count = much,
	    .bytes = much,
	    .hash = {zeros_hash(much)},
	    .at = (off_t)layer_file_bytes(file),
	};
	layer_file_close(file);
	piece_encode(&piece, bytes);
	tail_add((size_t)piece.at, bytes, sizeof bytes);
	assert_int_equal(truncate(layers, piece.at + PIECE_HEAD_BYTES + (off_t)much), 0);
	file = file_of(folder);
	assert_true(layer_file_count(file, PIECE_COUNTS, 9) == much);
	sample_put(file);
	assert_true(layer_file_bytes(file) > much);
	layer_file_close(file);
	file = file_of(folder);
	assert_true(layer_file_bytes(file) > much);
	assert_int_equal(sample_check(file, &why), PIECES_PUT);
	layer_file_close(file);
}

TESTS(folder_setup, folder_remove)
