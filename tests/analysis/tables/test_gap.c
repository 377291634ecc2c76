/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Games compared with the optimum: estimates worked out by hand, and tables. That the estimates are
 * those of games: tests/src/commands/cli_gap.sh, against values of an independent program.
 */
#include "analysis/tables/tables.h"
#include "tests/files.h"
#include "tests/near.h"

#include <math.h>

static const char *const provenance[] = {"nxn 1", "command: nxn gap", NULL};

static void assert_close(double x, double y)
{
	assert_near(x, y, 1e-9 * fmax(1, fabs(y)));
}

/* Four games, of which one has no move; an optimum of 100. */
static const struct gap_row games[] = {
    {.game = 0, .result = 60, .phase = {[1] = {4, 2, 10}, [2] = {6, 3, 30}}},
    {.game = 1, .result = 90, .phase = {[1] = {2, 2, 0}, [2] = {8, 6, 20}}},
    {.game = 2, .result = 30, .phase = {[1] = {10, 1, 60}}},
    {.game = 3, .result = 100},
};
static const struct gap_row *const game_list[] = {&games[0], &games[1], &games[2], &games[3]};

static void estimates_are_those_of_their_definitions(void **state)
{
	struct gap_cell cell = {.label = "x", .last = true};
	(void)state;
	gap_cell_estimate(&cell, game_list, 4, 100);
	assert_int_equal(cell.games, 4);
	assert_false(cell.exact);
	assert_close(cell.result.value, 70);
	/* Lost: 40, 20, 60, 0. */
	assert_close(cell.value.value, 70);
	assert_close(cell.fraction.value, 0.7);
	assert_close(cell.distance.value, 0.3);
	assert_true(cell.value.low > 0 && cell.value.low < 70 && cell.value.high > 100);
	assert_close(cell.fraction.low, cell.value.low / 100);
	assert_close(cell.fraction.high, 1); /* of a mean share */
	assert_close(cell.distance.low, 1 - cell.fraction.high);
	assert_close(cell.distance.high, 1 - cell.fraction.low);
	assert_close(cell.moves, 30. / 4);
	assert_close(cell.lost.value, 120. / 30);
	assert_close(cell.optimal.value, 14. / 30);
	/* Results deviate by -10, 20, -40, 30 from their mean, losses by 10, -10, 30, -30. */
	assert_close(cell.gain, 3000. / 2000);
	assert_close(cell.beta, 1);
	/* Result and loss less 100: 0, 10, -10, 0. */
	assert_close(cell.uncertainty, 0);
	assert_int_equal(cell.phase[1].games, 3);
	assert_close(cell.phase[1].moves, 4);
	assert_close(cell.phase[1].lost.value, 70. / 16);
	assert_close(cell.phase[1].optimal.value, 5. / 16);
	assert_int_equal(cell.phase[2].games, 2);
	assert_close(cell.phase[2].lost.value, 50. / 14);
	assert_int_equal(cell.phase[3].games, 0);
	assert_true(isnan(cell.phase[3].lost.value));
}

static double spread_at(const double *result, const double *luck, size_t n, double beta)
{
	double mean = 0, squares = 0;
	for (size_t i = 0; i < n; i++)
		mean += (result[i] - beta * luck[i]) / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += pow(result[i] - beta * luck[i] - mean, 2);
	return squares;
}

static void of_many_games_as_much_luck_is_taken_off_as_leaves_the_least_variance(void **state)
{
	enum { N = 40 };
	struct gap_row many[N] = {0};
	const struct gap_row *list[N];
	double result[N], luck[N], results = 0, all_luck = 0;
	struct gap_cell cell = {0};
	(void)state;
	for (int i = 0; i < N; i++) {
		const int lost = 7 * i % 23, lucky = 5 * i % 17 - 8;
		many[i].result = 100 - lost + 3 * lucky;
		many[i].phase[2] = (struct gap_phase){10, 5, lost + lucky};
		list[i] = &many[i];
		result[i] = many[i].result;
		luck[i] = 4 * lucky;
		results += result[i] / N;
		all_luck += luck[i] / N;
	}
	gap_cell_estimate(&cell, list, N, 100);
	const double least = spread_at(result, luck, N, cell.beta);
	assert_true(least < spread_at(result, luck, N, cell.beta + 0.001));
	assert_true(least < spread_at(result, luck, N, cell.beta - 0.001));
	assert_close(cell.value.value, results - cell.beta * all_luck);
	assert_close(cell.gain, spread_at(result, luck, N, 0) / least);
	assert_true(cell.gain > 1);
	assert_close(cell.fraction.high, cell.value.high / 100);
}

static void results_that_are_all_the_same_are_not_certain(void **state)
{
	enum { N = 40 };
	struct gap_row many[N] = {0};
	const struct gap_row *list[N];
	struct gap_cell cell = {0};
	(void)state;
	for (int i = 0; i < N; i++) {
		many[i].phase[2] = (struct gap_phase){10, 5, 0.5 + 0.01 * (i % 11)};
		list[i] = &many[i];
	}
	cell.chance = true;
	gap_cell_estimate(&cell, list, N, 0.6);
	/* Wilson, of none: [0, z^2 / (n + z^2)]. */
	assert_close(cell.result.value, 0);
	assert_close(cell.result.low, 0);
	assert_true(fabs(cell.result.high - 3.8414588 / (N + 3.8414588)) < 1e-6);
	assert_close(cell.beta, 1);
	assert_true(cell.value.low < cell.value.value && cell.value.value < cell.value.high);
	assert_close(cell.value.value,
		     0.6 - gap_row_total(&many[0]).lost - 0.01 * (3 * 55 + 21) / N);
}

/* Losses from 0 to 1, and the tile never reached: 0 of 40 says more than a mean near 0.1 +- 0.1. */
static void a_tile_that_is_far_off_is_judged_by_games(void **state)
{
	enum { N = 40 };
	struct gap_row many[N] = {0};
	const struct gap_row *list[N];
	struct gap_cell cell = {.chance = true};
	(void)state;
	for (int i = 0; i < N; i++) {
		many[i].phase[2] = (struct gap_phase){10, 5, i % 2};
		list[i] = &many[i];
	}
	gap_cell_estimate(&cell, list, N, 0.6);
	assert_close(cell.beta, 0);
	assert_close(cell.value.value, 0);
	assert_close(cell.value.low, 0);
	assert_close(cell.value.high, cell.result.high);
	assert_close(cell.fraction.high, cell.result.high / 0.6);
	assert_true(isnan(cell.gain));
}

static void results_of_a_target_are_shares(void **state)
{
	struct gap_row many[4] = {0};
	const struct gap_row *list[4];
	struct gap_cell cell = {.chance = true};
	(void)state;
	for (int i = 0; i < 4; i++) {
		many[i].result = i == 2;
		many[i].phase[2] = (struct gap_phase){10, 5, 0.1 * i};
		list[i] = &many[i];
	}
	gap_cell_estimate(&cell, list, 4, 0.6);
	/* Wilson, of 1 in 4: Newcombe, Statistics in Medicine 17 (1998), formula of method 3. */
	const double z2 = 3.8414588, half = sqrt(z2 * (z2 + 4 * 4 * 0.25 * 0.75));
	assert_close(cell.result.value, 0.25);
	assert_true(fabs(cell.result.low - (2 + z2 - half) / (2 * (4 + z2))) < 1e-6);
	assert_true(fabs(cell.result.high - (2 + z2 + half) / (2 * (4 + z2))) < 1e-6);
}

static void luck_is_in_standard_errors(void **state)
{
	struct gap_cell cell = {0};
	(void)state;
	/* Against 104: -4, 6, -14, -4: mean -4, squares 0 + 100 + 100 + 0, error sqrt(200 / 12). */
	gap_cell_estimate(&cell, game_list, 4, 104);
	assert_close(cell.uncertainty, -4 / sqrt(200. / 12));
}

static void few_games_tell_little_and_none_nothing(void **state)
{
	struct gap_cell cell = {0};
	(void)state;
	gap_cell_estimate(&cell, game_list, 1, 100);
	assert_close(cell.value.value, 60);
	assert_true(isnan(cell.value.low) && isnan(cell.gain) && isnan(cell.uncertainty));
	gap_cell_estimate(&cell, game_list, 0, 100);
	assert_int_equal(cell.games, 0);
	assert_true(isnan(cell.value.value) && isnan(cell.result.value) && isnan(cell.moves));
	gap_cell_estimate(&cell, &game_list[3], 1, 100);
	assert_true(isnan(cell.lost.value));
	assert_close(cell.value.value, 100);
}

static void players_come_by_their_last_fraction(void **state)
{
	struct gap_cell cells[] = {
	    {.label = "b", .trained = 100, .last = true, .fraction = {0.5, 0, 0}},
	    {.label = "c", .last = true, .fraction = {0.7, 0, 0}},
	    {.label = "b", .trained = 10, .fraction = {0.9, 0, 0}},
	    {.label = "d", .last = true, .fraction = {NAN, 0, 0}},
	    {.label = "a", .last = true, .fraction = {0.5, 0, 0}},
	};
	static const char order[] = "cabbd";
	(void)state;
	gap_cells_sort(cells, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(cells[i].label[0], order[i]);
	assert_int_equal(cells[2].trained, 10);
	assert_int_equal(cells[3].trained, 100);
	gap_cells_sort(NULL, 0);
}

static char *written_table(const struct table *table, const struct gap_cells *gap)
{
	FILE *file = printed();
	setenv("COLUMNS", "1000", 1); /* lines as they are */
	if (table)
		table_write(file, &gap_tables, table, gap, provenance);
	else
		gap_tables.print(file, gap, true);
	return taken(file);
}

static void tables_have_rows_of_each_player(void **state)
{
	struct gap_cell cells[] = {
	    {.label = "q\"x", .trained = 10, .learner = true},
	    {.label = "q\"x", .trained = 100, .learner = true, .last = true},
	    {.label = "random", .last = true},
	};
	const struct gap_cells gap = {"2x2", "points", 100, 1, cells, 3};
	const struct gap_row *exact = &games[2];
	(void)state;
	for (size_t i = 0; i < 2; i++)
		gap_cell_estimate(&cells[i], game_list, 1, 100);
	struct gap_row all = *exact;
	all.game = GAP_EXACT;
	exact = &all;
	gap_cell_estimate(&cells[2], &exact, 1, 100);

	gap_cells_sort(cells, 3);
	char *text = written_table(&gap_tables.table[0], &gap);
	assert_string_equal(gap_tables.table[0].name, "gap");
	assert_has(text, "# nxn 1\n# command: nxn gap\n# optimum on 2x2: 100 points\n");
	assert_has(text, "\n\"rank\"\t\"agent\"\t");
	assert_has(text, "\n1\t\"q'x\"\t100\t1\t0\t0.6\tNaN\tNaN\t60\tNaN\tNaN\t60\t");
	assert_has(text,
		   "\n2\t\"random\"\t0\t0\t1\t0.3\t0.3\t0.3\t30\t30\t30\t30\t30\t30\t6\t6\t6\t"
		   "0.1\t0.1\t0.1\t10\tNaN\tNaN\tNaN\t100\n");
	free(text);

	text = written_table(&gap_tables.table[1], &gap);
	assert_has(text, "\n\"agent\"\t\"tile\"\t");
	assert_has(text, "\n\"q'x\"\t2\t1\t4\t1\t2.5\tNaN\tNaN\t0.5\tNaN\tNaN\n"
			 "\"q'x\"\t4\t2\t6\t1\t5\t");
	assert_has(text, "\n\"random\"\t2\t1\t10\t0\t6\t6\t6\t0.1\t0.1\t0.1\n");
	free(text);

	text = written_table(&gap_tables.table[2], &gap);
	assert_has(text, "\n\"agent\"\t\"trained\"\t");
	assert_has(text, "\n\"q'x\"\t10\t1\t0.4\tNaN\tNaN\t");
	assert_has(text, "\n\"q'x\"\t100\t1\t0.4\tNaN\tNaN\t");
	assert_null(strstr(text, "random"));
	free(text);
	assert_null(gap_tables.table[3].name);
}

static void people_see_exact_values_without_intervals(void **state)
{
	struct gap_cell cells[] = {{.label = "random", .last = true}, {.label = "x", .last = true}};
	const struct gap_cells gap = {"2x2", "points", 100, 1, cells, 2};
	struct gap_row all = games[2];
	const struct gap_row *exact = &all;
	(void)state;
	all.game = GAP_EXACT;
	gap_cell_estimate(&cells[0], &exact, 1, 100);
	gap_cell_estimate(&cells[1], game_list, 0, 100);
	char *text = written_table(NULL, &gap);
	assert_has(text, "Optimum on 2x2: 100 points.\n");
	assert_has(text, " exact ");
	assert_has(text, " 30.00% ");
	assert_null(strstr(text, "over training"));
	assert_has(text,
		   "95% intervals: Student's t; of means of results from 15 to 500 games BCa");
	/* Intervals are in the heads of columns alone. */
	size_t rows = 0;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		rows += strncmp(line, "random", 6) == 0;
		assert_true(strncmp(line, "agent ", 6) == 0 || !strchr(line, '['));
	}
	assert_true(rows >= 2);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(estimates_are_those_of_their_definitions),
	    cmocka_unit_test(of_many_games_as_much_luck_is_taken_off_as_leaves_the_least_variance),
	    cmocka_unit_test(results_that_are_all_the_same_are_not_certain),
	    cmocka_unit_test(results_of_a_target_are_shares),
	    cmocka_unit_test(a_tile_that_is_far_off_is_judged_by_games),
	    cmocka_unit_test(luck_is_in_standard_errors),
	    cmocka_unit_test(few_games_tell_little_and_none_nothing),
	    cmocka_unit_test(players_come_by_their_last_fraction),
	    cmocka_unit_test(tables_have_rows_of_each_player),
	    cmocka_unit_test(people_see_exact_values_without_intervals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
