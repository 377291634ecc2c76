/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packed codes: what is packed comes back and is found, and nothing else is. */
#include "agents/solver/packed_keys.h"
#include "boards/rng.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* N ascending codes of WIDTH bits: evenly spread, or all as small, or as large, as there are. */
enum spread { EVEN, SMALL, LARGE, SPREADS };

static uint64_t *codes_make(int width, uint64_t n, enum spread spread)
{
	uint64_t *code = malloc((n + 1) * sizeof *code);
	const uint64_t last = ~(uint64_t)0 >> (64 - width);
	/* At least 1, as when there is every code. */
	const uint64_t stride = n > last || n == 0 || last / n == 0 ? 1 : last / n;
	struct rng rng;
	rng_init(&rng, 1, RNG_AGENT, n);
	assert_non_null(code);
	for (uint64_t i = 0; i < n; i++)
		code[i] = spread == SMALL   ? i
			  : spread == LARGE ? last - (n - 1 - i)
					    : i * stride + rng_below(&rng, 1u << 31) % stride;
	return code;
}

/* The codes through a file and back; then its two parts stay in *PARTS. */
static void codes_pass(const struct packed_keys *codes, const uint64_t *code, uint64_t **parts)
{
	static struct outflow out;
	FILE *file = tmpfile();
	const int fd = fileno(file);
	const off_t middle = 64 + (off_t)codes->directory, end = middle + (off_t)codes->rests;
	outflow_init(&out, fd, 64);
	packed_keys_put_directory(codes, code, &out);
	outflow_flush(&out);
	assert_int_equal(out.at, middle);
	packed_keys_put_rests(codes, code, &out);
	outflow_flush(&out);
	assert_int_equal(out.at, end);
	assert_int_equal(out.error, 0);

	*parts = malloc(codes->directory + codes->rests);
	assert_int_equal(pread(fd, *parts, codes->directory + codes->rests, 64), end - 64);
	fclose(file);

	uint64_t *back = calloc(codes->count + 1, sizeof *back);
	assert_true(packed_keys_get(codes, *parts, back));
	assert_memory_equal(back, code, codes->count * sizeof *back);
	free(back);
}

/* The index of CODE in PARTS. */
static uint64_t found(const struct packed_keys *codes, const uint64_t *parts, uint64_t code)
{
	uint64_t index;
	packed_keys_find(codes, parts, &code, 1, &index);
	return index;
}

static void codes_check(int width, uint64_t n, enum spread spread)
{
	struct packed_keys codes;
	uint64_t *code = codes_make(width, n, spread), *parts;
	packed_keys_plan(&codes, width, n);
	codes_pass(&codes, code, &parts);
	for (uint64_t i = 0; i < n; i++) {
		const uint64_t next = code[i] + 1, before = code[i] - 1;
		if (found(&codes, parts, code[i]) != i)
			fail_msg("%d bits: %ju of %ju is not found", width, (uintmax_t)i,
				 (uintmax_t)n);
		if (next <= ~(uint64_t)0 >> (64 - width) && next > code[i])
			assert_int_equal(found(&codes, parts, next),
					 i + 1 < n && code[i + 1] == next ? i + 1 : n);
		if (before < code[i])
			assert_int_equal(found(&codes, parts, before),
					 i > 0 && code[i - 1] == before ? i - 1 : n);
	}
	free(code);
	free(parts);
}

TEST(codes_of_every_width_and_number_come_back_and_are_found)
{
	static const uint64_t numbers[] = {0,  1,  2,  7,  15,	 16,   17,
					   31, 32, 63, 64, 1000, 4095, 4096};
	for (int width = 1; width <= 64; width++)
		for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
			for (int spread = 0; spread < SPREADS; spread++)
				if (packed_keys_fit(width, numbers[i]) &&
				    (numbers[i] < 1000 || width % 8 >= 6))
					codes_check(width, numbers[i], (enum spread)spread);
}

TEST(many_codes_pass_the_ends_of_buffers)
{
	codes_check(36, 200003, EVEN);
	codes_check(48, 100000, EVEN);
	codes_check(60, 65536, EVEN);
}

TEST(a_code_outside_of_the_width_is_not_found)
{
	struct packed_keys codes;
	uint64_t *code = codes_make(12, 100, EVEN), *parts;
	packed_keys_plan(&codes, 12, 100);
	codes_pass(&codes, code, &parts);
	assert_int_equal(found(&codes, parts, 1 << 12), 100);
	assert_int_equal(found(&codes, parts, UINT64_MAX), 100);
	free(code);
	free(parts);
}

/*
 * The figures that packed_keys.h gives: with a million codes of 36 bits, 20 bits left, 16 a bucket
 * at most.
 */
TEST(a_million_codes_of_a_3x3_board_take_three_bytes_each)
{
	struct packed_keys codes;
	packed_keys_plan(&codes, 36, 1000000);
	assert_int_equal(codes.rest, 20);
	assert_int_equal(codes.buckets, 1 << 16);
	assert_in_range(codes.directory + codes.rests, 2700000, 2900000);
	assert_true(packed_keys_fit(64, UINT32_MAX));
	assert_false(packed_keys_fit(64, (uint64_t)UINT32_MAX + 1));
	assert_false(packed_keys_fit(2, 5));
	assert_false(packed_keys_fit(0, 0));
	assert_false(packed_keys_fit(65, 1));
}

/* No word of the directory that is not a count leads out of the array, or is taken for one. */
TEST(a_damaged_directory_is_refused_and_searched_without_harm)
{
	enum { N = 300 };
	struct packed_keys codes;
	uint64_t *code = codes_make(20, N, EVEN), *parts, back[N];
	packed_keys_plan(&codes, 20, N);
	codes_pass(&codes, code, &parts);
	for (size_t at = 0; at <= codes.buckets; at++)
		for (int bit = (int)at % 5; bit < 32; bit += 5) {
			uint32_t *start = (uint32_t *)(void *)parts + at;
			const uint32_t was = *start;
			*start ^= htole32(1u << bit);
			/* Within neighbours it is a directory of other codes. */
			const uint32_t now = le32toh(*start);
			const bool ends = at == 0 || at == codes.buckets;
			const uint32_t *starts = (uint32_t *)(void *)parts;
			const bool fits = !ends && now >= le32toh(starts[at - 1]) &&
					  now <= le32toh(starts[at + 1]);
			assert_int_equal(packed_keys_get(&codes, parts, back), fits);
			for (int i = 0; i < N; i++)
				assert_in_range(found(&codes, parts, code[i]), 0, N);
			*start = was;
		}
	free(code);
	free(parts);
}

TESTS(NULL, NULL)
