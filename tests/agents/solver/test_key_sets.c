/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of codes, layers and budgets against sorted arrays. */
#include "agents/solver/solver.c"
#include "agents/solver/solve_forward.c"
#include "boards/rng.h"
#include "tests/games.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* A set takes the square of the number of codes that share their first bits: BUNCHED are few. */
enum { CODES = 100000, BUNCHED = 16000 };
enum { THREADS = 3, CHUNK = 1000 };

static int codes_ascend(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

enum spread { EVEN, ZEROS, ONES }; /* the first bits of most codes: random, 0, 1 */

/* COUNT random codes of WIDTH bits, each some five times. */
static uint64_t *codes_make(size_t count, int width, enum spread spread)
{
	uint64_t *code = calloc(count, sizeof *code);
	struct rng rng;
	assert_non_null(code);
	for (size_t i = 0; i < count; i++) {
		rng_init(&rng, (uint64_t)width, RNG_TEST, i % (count / 5));
		code[i] = (uint64_t)rng_u32(&rng) << 32 | rng_u32(&rng);
		if (spread == ONES && i % 7)
			code[i] |= UINT64_MAX << 50;
		code[i] >>= spread == ZEROS && i % 7 ? 64 - width / 2 : 64 - width;
		code[i] += code[i] == 0;
	}
	return code;
}

/* Sorts CODE and leaves each once; their number. */
static size_t codes_sort(uint64_t *code, size_t count)
{
	size_t kept = 0;
	qsort(code, count, sizeof *code, codes_ascend);
	for (size_t i = 0; i < count; i++)
		if (!kept || code[kept - 1] != code[i])
			code[kept++] = code[i];
	return kept;
}

struct adding {
	struct key_set *set;
	const uint64_t *code;
};

static void add_chunk(void *context, size_t task, int worker)
{
	const struct adding *adding = context;
	key_set_add(adding->set, worker, adding->code + task * CHUNK, CHUNK);
}

/* The same set three times over, whatever was expected, merged at once or in parts. */
static void set_check(int width, enum spread spread)
{
	const size_t count = spread == EVEN ? CODES : BUNCHED;
	const uint64_t expected[] = {0, count, (uint64_t)1 << 40};
	struct budget budget = {.limit = (uint64_t)1 << 30};
	struct thread_team *team;
	struct key_set set;
	struct why why;
	uint64_t *code = codes_make(count, width, spread);
	uint64_t *sorted = codes_make(count, width, spread);
	const size_t n = codes_sort(sorted, count);
	uint64_t *found = calloc(n + 1, sizeof *found);
	assert_int_equal(thread_team_new(THREADS, &team, &why), STATUS_OK);
	assert_int_equal(key_set_init(&set, &budget, team, width, THREADS, &why), STATUS_OK);
	for (int round = 0; round < 3; round++) {
		struct adding adding = {.set = &set, .code = code};
		key_set_expect(&set, expected[round]);
		thread_team_run(team, add_chunk, &adding, count / CHUNK / 2);
		if (round)
			assert_true(key_set_merge(&set));
		adding.code += count / 2;
		thread_team_run(team, add_chunk, &adding, count / CHUNK / 2);
		assert_true(key_set_merge(&set));
		assert_int_equal(key_set_count(&set), n);
		key_set_take(&set, found);
		assert_memory_equal(found, sorted, n * sizeof *found);
		assert_int_equal(key_set_count(&set), 0);
		assert_int_equal(found[n], 0);
	}
	key_set_fini(&set);
	thread_team_free(team);
	assert_int_equal(budget.used, 0);
	assert_true(budget.peak > n * sizeof *found);
	free(found);
	free(sorted);
	free(code);
}

TEST(codes_of_every_width_are_collected_once_and_in_order)
{
	static const int widths[] = {4, 8, 12, 13, 36, 48, 63, 64};
	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
		for (enum spread spread = EVEN; spread <= ONES; spread++)
			set_check(widths[i], spread);
	}
}

TEST(a_set_stops_at_its_budget)
{
	struct budget budget = {.limit = 7 * CODES / 2};
	struct thread_team *team;
	struct key_set set;
	struct why why;
	uint64_t *code = codes_make(CODES, 48, EVEN);
	assert_int_equal(thread_team_new(1, &team, &why), STATUS_OK);
	assert_int_equal(key_set_init(&set, &budget, team, 48, 1, &why), STATUS_OK);
	key_set_add(&set, 0, code, CODES);
	assert_false(key_set_merge(&set));
	assert_true(budget.peak <= budget.limit);
	assert_true(budget.wish > budget.limit);
	key_set_fini(&set);
	thread_team_free(team);
	free(code);
}

TEST(rooms_grow_keep_their_contents_and_are_counted)
{
	struct budget budget = {.limit = 100000};
	struct buffer room = {0};
	assert_true(buffer_reserve(&budget, &room, 10, 8));
	memset(room.data, 7, 80);
	assert_true(buffer_reserve(&budget, &room, 100, 80));
	for (size_t i = 0; i < room.size; i++)
		assert_int_equal(((char *)room.data)[i], i < 80 ? 7 : 0);
	/* An eighth more than before does not fit, but what is asked for does. */
	assert_true(buffer_reserve(&budget, &room, 8100, 1));
	assert_true(buffer_reserve(&budget, &room, 48000, 1));
	assert_true(buffer_reserve(&budget, &room, 51000, 1));
	assert_int_equal(budget.wish, 0);
	const struct buffer before = room;
	assert_int_equal(budget.used, room.size);
	assert_false(buffer_reserve(&budget, &room, 100001, 1));
	assert_false(buffer_reserve(&budget, &room, UINT64_MAX / 2, 8));
	assert_memory_equal(&room, &before, sizeof room);
	buffer_free(&budget, &room);
	assert_int_equal(budget.used, 0);
}

TEST(layers_find_every_code_and_no_other)
{
	static const struct {
		int width;
		enum spread spread;
		size_t n;
	} cases[] = {{64, EVEN, 50000}, {36, ZEROS, 40000}, {12, EVEN, 3000}, {64, EVEN, 1}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct budget budget = {.limit = 1 << 28};
		struct key_layer layer = {0};
		uint64_t *code = codes_make(CODES, cases[i].width, cases[i].spread);
		size_t n = codes_sort(code, CODES);
		n = n < cases[i].n ? n : cases[i].n;
		double *found = calloc(n, sizeof *found);
		assert_non_null(found);
		assert_true(key_layer_reserve(&budget, &layer, n, true));
		layer.n = n;
		for (size_t j = 0; j < n; j++) {
			key_layer_codes(&layer)[j] = code[j];
			key_layer_values(&layer)[j] = (double)j;
		}
		assert_true(key_layer_index(&budget, &layer, cases[i].width));
		key_layer_find(&layer, code, n, found);
		for (size_t j = 0; j < n; j++) {
			assert_true(found[j] == (double)j);
			assert_int_equal(key_layer_seek(&layer, code[j]), j);
			if (j + 1 == n || code[j] + 1 < code[j + 1])
				assert_true(key_layer_seek(&layer, code[j] + 1) == SIZE_MAX);
		}
		key_layer_free(&budget, &layer);
		assert_int_equal(budget.used, 0);
		free(found);
		free(code);
	}
}

/*
 * Copies the layers of TASK in the folder FROM to the folder TO, where the values of layer SUM, of
 * which there are N, are N + MORE; the first is FIRST.
 */
static void layers_copy(struct solve_task *task, const char *from, const char *to, uint64_t sum,
			size_t more, double first)
{
	struct solving source = {0}, copy = {0};
	struct why why;
	task->work = from;
	assert_int_equal(solving_init(&source, task, &why), STATUS_OK);
	task->work = to;
	assert_int_equal(solving_init(&copy, task, &why), STATUS_OK);
	for (uint64_t s = 0; s <= source.last; s++)
		for (enum piece_kind kind = 0; kind < PIECES; kind++) {
			const size_t n = layer_file_count(source.file, kind, s);
			const bool forged = s == sum && kind == PIECE_VALUES;
			if (n == SIZE_MAX)
				continue;
			uint64_t *data = calloc(n + more + 1, sizeof *data);
			assert_int_equal(layer_file_get(source.file, kind, s, data, &why), 0);
			if (forged)
				memcpy(data, &first, sizeof first);
			assert_int_equal(
			    layer_file_put(copy.file, kind, s, data, forged ? n + more : n, &why),
			    STATUS_OK);
			free(data);
		}
	solving_fini(&source);
	solving_fini(&copy);
}

/* Of layers whose values are only copied to the table, too. */
TEST(values_that_cannot_be_are_refused)
{
	static const char path[] = "made/layers.nxl", forged[] = "forged/layers.nxl",
			  out[] = "out.nxo";
	struct game game;
	struct why why;
	struct solve_result result;
	game_of("2x2", &game);
	struct solve_task task = {
	    .game = &game, .goal = GOAL_SCORE, .memory = 1 << 28, .threads = 1, .work = "made"};
	char folder[] = "test_key_sets.XXXXXX";
	assert_true(mkdtemp(folder) && chdir(folder) == 0);
	assert_int_equal(solve(&task, &result, &why), STATUS_OK);
	solve_result_free(&result);
	for (uint64_t sum = 10; sum <= 40; sum *= 2)
		for (int wrong = 0; wrong < 3; wrong++) {
			layers_copy(&task, "made", "forged", sum, wrong == 1 ? 5000 : 0,
				    wrong == 2 ? INFINITY : 0);
			task.out = out;
			const enum status status = solve(&task, &result, &why);
			if (!status)
				solve_result_free(&result);
			assert_int_equal(status, wrong ? STATUS_INPUT : STATUS_OK);
			assert_true(!wrong || strstr(why.text, "damaged in layer"));
			task.out = NULL;
			assert_int_equal(unlink(forged), 0);
			unlink(out);
		}
	assert_true(unlink(path) == 0 && rmdir("made") == 0 && rmdir("forged") == 0);
	assert_true(chdir("..") == 0 && rmdir(folder) == 0);
}

TESTS(NULL, NULL)
