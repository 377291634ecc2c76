/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a fuzz target without libFuzzer: over the files that it is given, then over changed copies
 * of them, the same ones every time. This makes the targets ordinary tests, with any compiler and
 * any sanitizer; it is guided by nothing, so it finds less in a day than libFuzzer does in a
 * minute.
 *
 *	fuzz_NAME [-runs=N] [-seconds=N] FOLDER|FILE...
 *
 * Mutations: bits flipped, bytes set to what tends to matter, pieces removed, doubled, or taken out
 * of another input, numbers changed by a little. An input that takes longer than SECONDS (60) or a
 * process that takes more than 1 GiB ends the test.
 */
#include "tests/fuzz/fuzz.h"

#include "boards/rng.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INPUT_MAX = 1 << 16, INPUTS_MAX = 4096, MEMORY_MAX_KB = 1 << 20 };

struct input {
	uint8_t *data;
	size_t size;
};

static struct input inputs[INPUTS_MAX];
static size_t count;
static struct rng rng;
static char at[512]; /* what is being run, for the signal handler */

/* Only a target that has a mutator of its own defines it. */
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
						     unsigned seed);

static size_t below(size_t n)
{
	return rng_below(&rng, (uint32_t)n);
}

/* Makes room for, or removes, bytes at PLACE; the new size. */
static size_t piece_move(uint8_t *data, size_t size, size_t most)
{
	const size_t from = below(size), length = 1 + below(size - from), to = below(size + 1);
	uint8_t piece[INPUT_MAX];
	if (below(2)) {
		memmove(data + from, data + from + length, size - from - length);
		return size - length;
	}
	if (size + length > most)
		return size;
	memcpy(piece, data + from, length);
	memmove(data + to + length, data + to, size - to);
	memcpy(data + to, piece, length);
	return size + length;
}

/* A piece of another input over, or into, this one. */
static size_t piece_take(uint8_t *data, size_t size, size_t most)
{
	const struct input *other = &inputs[below(count)];
	if (other->size == 0)
		return size;
	const size_t from = below(other->size), to = below(size);
	size_t length = 1 + below(other->size - from);
	length = length < most - to ? length : most - to;
	memcpy(data + to, other->data + from, length);
	return to + length > size ? to + length : size;
}

static void number_change(uint8_t *data, size_t size)
{
	static const uint64_t odd[] = {0,
				       1,
				       UINT64_MAX,
				       INT64_MAX,
				       UINT32_MAX,
				       INT32_MAX,
				       (uint64_t)1 << 32,
				       (uint64_t)1 << 60,
				       0x7ff0000000000000,
				       0x7ff8000000000000,
				       0x7f800000};
	const size_t width = (size_t)1 << below(4);
	uint64_t x = 0;
	if (width > size)
		return;
	uint8_t *place = data + below(size - width + 1);
	memcpy(&x, place, width);
	x = below(2) ? odd[below(sizeof odd / sizeof *odd)] : x + below(33) - 16;
	memcpy(place, &x, width);
}

static void byte_change(uint8_t *data, size_t size)
{
	static const char marks[] = "\0\n\t ,:;=+-/.x#0189aeinf{}[]&*\"'\\%\x7f\x80\xff";
	uint8_t *byte = data + below(size);
	switch (below(3)) {
	case 0:
		*byte ^= (uint8_t)(1 << below(8));
		break;
	case 1:
		*byte = (uint8_t)marks[below(sizeof marks - 1)];
		break;
	default:
		*byte = (uint8_t)below(256);
	}
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
	if (size == 0 && most > 0) {
		data[0] = (uint8_t)below(256);
		return 1;
	}
	for (size_t n = 1 + below(4); n > 0 && size > 0; n--)
		switch (below(6)) {
		case 0:
			size = piece_move(data, size, most);
			break;
		case 1:
			size = piece_take(data, size, most);
			break;
		case 2:
			number_change(data, size);
			break;
		default:
			byte_change(data, size);
		}
	return size;
}

static void input_read(const char *path)
{
	FILE *in = fopen(path, "re");
	if (!in || count == INPUTS_MAX) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(2);
	}
	struct input *input = &inputs[count++];
	input->data = malloc(INPUT_MAX);
	FUZZ_CHECK(input->data);
	input->size = fread(input->data, 1, INPUT_MAX, in);
	fclose(in);
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Sorted, so that every machine mutates the same. */
static void inputs_read(const char *path)
{
	struct stat st;
	struct dirent **names;
	if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
		input_read(path);
		return;
	}
	const int n = scandir(path, &names, visible, alphasort);
	for (int i = 0; i < n; i++) {
		char file[4096];
		snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
		input_read(file);
		free(names[i]);
	}
	if (n > 0)
		free(names);
}

/* A crash is told with what has led to it: the inputs can be made again, for nothing is random. */
static void crash_tell(int signal_number)
{
	static const char text[] = "stopped at ";
	ssize_t n = write(2, text, sizeof text - 1);
	n = write(2, at, strlen(at));
	n = write(2, "\n", 1);
	(void)n;
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* Without a byte of room behind the input, so that sanitizers see what is read there. */
static void run(const uint8_t *data, size_t size, unsigned seconds)
{
	uint8_t *exact = malloc(size ? size : 1);
	FUZZ_CHECK(exact);
	memcpy(exact, size ? data : (const uint8_t *)"", size);
	alarm(seconds);
	LLVMFuzzerTestOneInput(exact, size);
	alarm(0);
	free(exact);
}

static void mutate_and_run(size_t number, unsigned seconds)
{
	static uint8_t data[INPUT_MAX];
	rng_init(&rng, 1, RNG_AGENT, number);
	const struct input *input = &inputs[below(count)];
	size_t size = input->size;
	memcpy(data, input->data, size);
	if (LLVMFuzzerCustomMutator)
		size = LLVMFuzzerCustomMutator(data, size, INPUT_MAX, (unsigned)number);
	else
		size = LLVMFuzzerMutate(data, size, INPUT_MAX);
	run(data, size, seconds);
}

int main(int argc, char **argv)
{
	size_t runs = 0;
	unsigned seconds = 60;
	struct rusage usage;
	for (int i = 1; i < argc; i++)
		if (sscanf(argv[i], "-runs=%zu", &runs) != 1 &&
		    sscanf(argv[i], "-seconds=%u", &seconds) != 1)
			inputs_read(argv[i]);
	if (count == 0) {
		fprintf(stderr, "%s: no inputs\n", argv[0]);
		return 2;
	}
	signal(SIGALRM, crash_tell);
	signal(SIGABRT, crash_tell);
	for (size_t i = 0; i < count; i++) {
		snprintf(at, sizeof at, "%s: input %zu", argv[0], i);
		run(inputs[i].data, inputs[i].size, seconds);
	}
	for (size_t i = 0; i < runs; i++) {
		snprintf(at, sizeof at, "%s: mutation %zu", argv[0], i);
		mutate_and_run(i, seconds);
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%zu inputs, %zu mutations, %ld MiB\n", count, runs, usage.ru_maxrss >> 10);
	for (size_t i = 0; i < count; i++)
		free(inputs[i].data);
	return usage.ru_maxrss > MEMORY_MAX_KB ? 1 : 0;
}
