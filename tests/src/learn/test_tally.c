/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of training games: sums against their definition, text that brings back the same bits. */
#include "src/learn/curve.h"
#include "tests/files.h"

#include <math.h>

static struct tally tally_of(const uint64_t *scores, size_t n)
{
	struct tally tally = {0};
	for (size_t i = 0; i < n; i++) {
		struct outcome outcome = {
		    .score = scores[i], .moves = 10, .max_exponent = (int)(i % 3) + 5};
		tally_add(&tally, &outcome);
	}
	return tally;
}

static void three_scores_have_the_mean_and_interval_worked_out_by_hand(void **state)
{
	(void)state;
	const uint64_t scores[] = {2, 4, 9};
	const struct tally tally = tally_of(scores, 3);
	struct interval mean = tally_mean(&tally.score, tally.games);
	/* sd = sqrt(26 / 2), t(0.975; 2) = 4.302653 (tables) */
	double reach = 4.302653 * sqrt(13.0 / 3);
	assert_true(fabs(mean.value - 5) < 1e-12);
	assert_true(fabs(mean.low - (5 - reach)) < 1e-5);
	assert_true(fabs(mean.high - (5 + reach)) < 1e-5);
	assert_int_equal(tally.max, 9);
	assert_int_equal(tally.moves, 30);
}

static void large_scores_keep_their_digits(void **state)
{
	(void)state;
	enum { N = 1000 };
	uint64_t scores[N];
	for (size_t i = 0; i < N; i++)
		scores[i] = 4000000000000 + (i % 2 ? 1 : 0);
	const struct tally tally = tally_of(scores, N);
	/* 500 of each: every deviation is a half */
	assert_true(fabs(tally.score.squares / (N / 4.0) - 1) < 1e-2);
}

static void tiles_are_reached_by_games_that_end_at_them_or_above(void **state)
{
	(void)state;
	const uint64_t scores[] = {1, 1, 1, 1, 1, 1, 1};
	const struct tally tally = tally_of(scores, 7); /* 5 6 7 5 6 7 5 */
	const double reach[] = {7, 7, 4, 2, 0};
	const double ended[] = {0, 3, 2, 2, 0};
	for (int k = 4; k <= 8; k++) {
		assert_true(fabs(tally_reach(&tally, k).value - reach[k - 4] / 7) < 1e-15);
		assert_true(fabs(tally_ended(&tally, k) - ended[k - 4] / 7) < 1e-15);
	}
}

static void games_from_elsewhere_count_in_no_mean_and_no_rate(void **state)
{
	(void)state;
	const uint64_t scores[] = {100, 300};
	struct tally tally = tally_of(scores, 2), before = tally;
	struct outcome outcome = {.score = 9000, .moves = 7, .max_exponent = 11, .partial = true};
	tally_add(&tally, &outcome);
	assert_int_equal(tally.partial, 1);
	assert_int_equal(tally.moves, before.moves + 7);
	tally.partial = before.partial;
	tally.moves = before.moves;
	assert_memory_equal(&tally, &before, sizeof tally);
}

static void nothing_has_no_mean(void **state)
{
	(void)state;
	char brief[TALLY_BRIEF_MAX];
	const struct tally tally = {0};
	assert_true(isnan(tally_mean(&tally.score, tally.games).value));
	assert_true(isnan(tally_reach(&tally, 8).value));
	assert_true(isnan(tally_ended(&tally, 8)));
	tally_brief(&tally, brief);
	assert_string_equal(brief, "mean -");
}

/* A game of so much UNCERTAINTY that ended with TILES cells of 2 on the board. */
static struct outcome game_of(double uncertainty, int tiles)
{
	struct outcome outcome = {
	    .score = 5, .moves = 3, .max_exponent = 1, .uncertainty = uncertainty};
	for (int i = 0; i < tiles; i++)
		outcome.last.cell[i / 4][i % 4] = 1;
	return outcome;
}

static void final_sums_and_uncertainties_have_means_of_their_own(void **state)
{
	(void)state;
	const double uncertainties[] = {1.5, 0.25, 0.5};
	const int tiles[] = {1, 2, 6}; /* sums 2, 4, 12: mean 6, squares 16 + 4 + 36 */
	struct tally tally = {0};
	for (int i = 0; i < 3; i++) {
		struct outcome outcome = game_of(uncertainties[i], tiles[i]);
		tally_add(&tally, &outcome);
	}
	struct interval sum = tally_mean(&tally.sum, tally.games),
			uncertainty = tally_mean(&tally.uncertainty, tally.games);
	assert_true(fabs(sum.value - 6) < 1e-12);
	assert_true(fabs(sum.high - (6 + 4.302653 * sqrt(56.0 / 6))) < 1e-5);
	assert_true(fabs(sum.low - (6 - 4.302653 * sqrt(56.0 / 6))) < 1e-5);
	/* 0.75 +- t sqrt((0.75^2 + 0.5^2 + 0.25^2) / 6) */
	assert_true(fabs(uncertainty.value - 0.75) < 1e-12);
	assert_true(fabs(uncertainty.high - (0.75 + 4.302653 * sqrt(0.875 / 6))) < 1e-5);
}

static void a_game_that_tells_no_chances_leaves_no_uncertainty_of_the_block(void **state)
{
	(void)state;
	struct tally tally = {0};
	struct outcome outcome = game_of(0.5, 1);
	tally_add(&tally, &outcome);
	assert_true(tally_mean(&tally.uncertainty, tally.games).value == 0.5);
	outcome = game_of(NAN, 3);
	tally_add(&tally, &outcome);
	assert_true(isnan(tally_mean(&tally.uncertainty, tally.games).value));
	assert_true(tally_mean(&tally.sum, tally.games).value == 4);
}

/* That TALLY is what comes back from its text. */
static void assert_comes_back(const struct tally *tally, struct tally *back)
{
	FILE *out = printed();
	tally_print(tally, out);
	char *text = taken(out);
	assert_true(tally_scan(back, text));
	assert_memory_equal(back, tally, sizeof *tally);
	free(text);
}

static void text_brings_back_the_same_bits_and_goes_on_the_same(void **state)
{
	(void)state;
	const uint64_t scores[] = {3, 1, 4, 1, 59, 26535, 8979323846};
	struct tally tally = tally_of(scores, 7), back = {0};
	struct outcome third = game_of(1.0 / 3, 5);
	tally_add(&tally, &third);
	assert_comes_back(&tally, &back);
	struct outcome outcome = {.score = 271828, .moves = 5, .max_exponent = 63};
	tally_add(&tally, &outcome);
	tally_add(&back, &outcome);
	assert_memory_equal(&back, &tally, sizeof tally);
	assert_comes_back(&tally, &back);
}

static void other_text_is_refused(void **state)
{
	(void)state;
	const char *const bad[] = {
	    "",
	    "games",
	    "games 2 partial 0 moves 1 mean 0x1p+0 squares 0x0p+0 max 1",
	    "games 2 partial 0 moves 1 mean 0x1p+0 squares 0x0p+0 max 1 ended 0 1",
	    "games 2 partial 0 moves 1 mean 0x1p+0 squares 0x0p+0 max 1 ended 0 2 x",
	    "games 2 partial 0 moves x mean 0x1p+0 squares 0x0p+0 max 1 ended 0 2",
	    "games 1 partial 0 moves 1 mean 0x1p+0 squares 0x0p+0 max 1 sum 1 0x1p+0 0x0p+0 ended "
	    "0 1",
	    "games 1 partial 0 moves 1 mean 0x1p+0 squares 0x0p+0 max 1 sum 2 0x1p+0 0x0p+0 doubt "
	    "0 "
	    "0x0p+0 0x0p+0 ended 0 1",
	};
	struct tally tally = {.max = 77}, same = tally;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_false(tally_scan(&tally, bad[i]));
		assert_memory_equal(&tally, &same, sizeof tally);
	}
	assert_true(tally_scan(&tally,
			       "games 2 partial 0 moves 1 mean 0x1p+0 squares 0x0p+0 max 1 sum 2 "
			       "0x1p+1 0x0p+0 doubt 0 0x0p+0 0x0p+0 ended 0 2\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(three_scores_have_the_mean_and_interval_worked_out_by_hand),
	    cmocka_unit_test(large_scores_keep_their_digits),
	    cmocka_unit_test(tiles_are_reached_by_games_that_end_at_them_or_above),
	    cmocka_unit_test(games_from_elsewhere_count_in_no_mean_and_no_rate),
	    cmocka_unit_test(final_sums_and_uncertainties_have_means_of_their_own),
	    cmocka_unit_test(a_game_that_tells_no_chances_leaves_no_uncertainty_of_the_block),
	    cmocka_unit_test(nothing_has_no_mean),
	    cmocka_unit_test(text_brings_back_the_same_bits_and_goes_on_the_same),
	    cmocka_unit_test(other_text_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
