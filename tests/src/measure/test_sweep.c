/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweeps: estimates worked out by hand, the Pareto front against its definition, and tables.
 */
#include "boards/rng.h"
#include "base/append.h"
#include "src/measure/sweep_cells.h"
#include "tests/files.h"

#include <math.h>

static const char *const provenance[] = {"nxn 1", "command: nxn sweep", NULL};
/*
 * Seven rounds of two positions whose mean times are 1.5, 3, 4.5, ... 10.5 ms: the median is 6, and
 * of seven numbers the smallest and the largest hold the median with 1 - 2 / 2^7, 98%. Position i
 * takes 2 (i + 1) / 3 of the mean: medians 4 and 8 over rounds, 6 over positions.
 */
enum { ROUNDS = 7, POSITIONS = 2 };

static void rounds_fill(struct sweep_row rows[ROUNDS * POSITIONS],
			const struct sweep_row *list[ROUNDS * POSITIONS])
{
	static const int order[ROUNDS] = {3, 7, 1, 5, 2, 6, 4};
	for (int i = 0; i < ROUNDS * POSITIONS; i++) {
		const int position = i % POSITIONS;
		rows[i] = (struct sweep_row){
		    .seconds = 0.001 * order[i / POSITIONS] * (position + 1),
		    .nodes = position ? 30 : 20,
		    .probes = 6,
		    .hits = position ? 3 : 0,
		    .depth = position ? 4 : 2,
		};
		list[i] = &rows[i];
	}
}

static void estimates_are_those_worked_out_by_hand(void **state)
{
	struct sweep_row rows[ROUNDS * POSITIONS];
	const struct sweep_row *list[ROUNDS * POSITIONS];
	struct sweep_cell cell = sweep_cell_make("4x4", "expectimax", "1e-3", 2);
	(void)state;
	rounds_fill(rows, list);
	cell.searches = (struct cell_searches){list, ROUNDS, POSITIONS};
	sweep_cells_estimate(&cell, 1);
	assert_int_equal(cell.searched, 2);
	assert_int_equal(cell.rounds, 7);
	assert_true(fabs(cell.mean.value - 6) < 1e-12);
	assert_true(fabs(cell.mean.low - 1.5) < 1e-12);
	assert_true(fabs(cell.mean.high - 10.5) < 1e-12);
	assert_true(fabs(cell.median.value - 6) < 1e-12);
	assert_true(fabs(cell.nodes.value - 25) < 1e-12);
	/* t(0.975, 1) = 12.7062; the standard error is 5 */
	assert_true(fabs(cell.nodes.low - (25 - 63.531)) < 1e-3);
	assert_true(fabs(cell.hit_rate - 3. / 12) < 1e-12);
	assert_true(fabs(cell.reached - 3) < 1e-12);
	sweep_judge(&cell, 1);
	assert_true(cell.cost.value == cell.mean.value);
	assert_false(cell.front);
}

static void what_was_not_measured_is_unknown(void **state)
{
	static const struct sweep_row rows[] = {{.seconds = 0.002, .nodes = 5}};
	const struct sweep_row *list[] = {rows};
	struct sweep_cell cell = sweep_cell_make("4x4", "expectimax", "1e-3", 2);
	(void)state;
	sweep_cells_estimate(&cell, 1);
	assert_true(isnan(cell.mean.value) && isnan(cell.nodes.value) && isnan(cell.hit_rate));
	cell = sweep_cell_make("4x4", "expectimax", "1e-3", 2);
	cell.searches = (struct cell_searches){list, 1, 1};
	sweep_cells_estimate(&cell, 1);
	assert_true(cell.mean.value == 2 && isnan(cell.mean.low) && isnan(cell.mean.high));
	assert_true(isnan(cell.hit_rate));
	cell = sweep_cell_make("4x4", "expectimax", "1e-3", 2);
	cell.played = (struct interval){0.5, 0.4, 0.6};
	sweep_judge(&cell, 1);
	assert_true(cell.cost.value == 0.5);
}

static struct sweep_cell point(const char *board, double cost, double score)
{
	struct sweep_cell cell = sweep_cell_make(board, "expectimax", "1e-3", 2);
	cell.played = (struct interval){cost, cost, cost};
	cell.score = (struct interval){score, score, score};
	cell.nodes = (struct interval){cost, cost, cost};
	if (!isnan(score))
		cell.games = 1;
	return cell;
}

static void the_front_has_what_nothing_beats(void **state)
{
	struct sweep_cell cells[] = {
	    point("4x4", 1, 10), point("4x4", 2, 10),	point("4x4", 2, 20),
	    point("4x4", 3, 15), point("4x4", 5, NAN),	point("4x4", 2, 20),
	    point("5x5", 9, 1),	 point("4x4", NAN, 90), point("4x4", 4, 30),
	};
	static const bool front[] = {true, false, true, false, false, true, true, false, true};
	(void)state;
	sweep_judge(cells, 9);
	for (int i = 0; i < 9; i++)
		assert_int_equal(cells[i].front, front[i]);
}

static void the_best_cell_is_within_the_budget(void **state)
{
	struct sweep_cell cells[] = {
	    point("4x4", 1, 10),   point("4x4", 2, 20), point("4x4", 3, 15),
	    point("4x4", 1.5, 20), point("5x5", 2, 50), point("4x4", 0.5, NAN),
	};
	(void)state;
	sweep_judge(cells, 6);
	assert_ptr_equal(sweep_best(cells, 6, "4x4", 100), &cells[3]);
	assert_ptr_equal(sweep_best(cells, 6, "4x4", 1), &cells[0]);
	assert_null(sweep_best(cells, 6, "4x4", 0.9));
	assert_ptr_equal(sweep_best(cells, 6, "5x5", 2), &cells[4]);
	assert_null(sweep_best(cells, 6, "6x6", 2));
}

static void without_games_the_largest_tree_is_best(void **state)
{
	struct sweep_cell cells[] = {point("4x4", 1, NAN), point("4x4", 3, NAN),
				     point("4x4", 2, NAN)};
	(void)state;
	sweep_judge(cells, 3);
	assert_ptr_equal(sweep_best(cells, 3, "4x4", 2.5), &cells[2]);
	cells[0].nodes.value = 2;
	assert_ptr_equal(sweep_best(cells, 3, "4x4", 2.5), &cells[0]);
}

/* Coarse numbers, so that there are ties. */
static void the_front_agrees_with_its_definition_and_holds_every_best(void **state)
{
	enum { N = 12 };
	struct rng rng;
	(void)state;
	rng_init(&rng, 1, RNG_TEST, 0);
	for (int round = 0; round < 500; round++) {
		struct sweep_cell cells[N];
		for (int i = 0; i < N; i++)
			cells[i] = point(rng_below(&rng, 2) ? "4x4" : "5x5", 1 + rng_below(&rng, 6),
					 rng_below(&rng, 6));
		sweep_judge(cells, N);
		for (int i = 0; i < N; i++) {
			bool beaten = false;
			for (int j = 0; j < N; j++) {
				double time = cells[j].cost.value - cells[i].cost.value;
				double score = cells[j].score.value - cells[i].score.value;
				beaten |= strcmp(cells[i].board, cells[j].board) == 0 &&
					  ((time < 0 && score >= 0) || (time <= 0 && score > 0));
			}
			assert_int_equal(cells[i].front, !beaten);
		}
		for (int budget = 1; budget <= 6; budget++) {
			const struct sweep_cell *best = sweep_best(cells, N, "4x4", budget);
			assert_true(!best || best->front);
		}
	}
}

/* The table NAME of CELLS, on the heap, from its first block on. */
static char *written_table(const char *name, const struct sweep_cells *cells)
{
	FILE *file = printed();
	table_write(file, &sweep_tables, table_find(&sweep_tables, name), cells, provenance);
	char *text = taken(file);
	assert_memory_equal(text, "# nxn 1\n# command: nxn sweep\n# time per move", 44);
	char *rows = strstr(text, "\n\"");
	assert_non_null(rows);
	rows = strdup(rows + 1);
	free(text);
	return rows;
}

static void assert_table(const char *name, const struct sweep_cells *cells, const char *expected)
{
	char *text = written_table(name, cells);
	assert_string_equal(text, expected);
	free(text);
}

#define BOARDS "\"cutoff\"\t\"board\"\t\"depth\"\t\"ms\"\t\"ms_low\"\t\"ms_high\"\n"
#define PARETO                                                                                     \
	"\"board\"\t\"series\"\t\"ms\"\t\"ms_low\"\t\"ms_high\"\t\"score\"\t\"score_low\"\t"       \
	"\"score_high\"\t\"depth\"\t\"agent\"\n"
#define SERIES(board, series, values) "\"" board "\"\t\"" series "\"\t" values "\t\"expectimax\"\n"

static void tables_have_a_row_per_point(void **state)
{
	struct sweep_cell cells[] = {
	    point("4x4", 4, 20),  point("4x4", 2, 10),	point("4x4", 1, 10),
	    point("5x5", 3, NAN), point("5x5", NAN, 5), point("5x5", 3, 5),
	};
	const struct sweep_cells all = {.cells = cells, .count = 6},
				 one = {.cells = cells, .count = 3};
	(void)state;
	for (int i = 0; i < 6; i++) {
		cells[i].cutoff = i % 3 < 2 ? "1e-2" : "1e-3";
		cells[i].depth = i % 3 < 2 ? i % 3 + 1 : 1;
	}
	sweep_judge(cells, 6);
	assert_table("boards", &one, BOARDS);
	assert_table("boards", &all,
		     BOARDS "\"1e-2\"\t\"4x4\"\t1\t4\t4\t4\n\"1e-2\"\t\"4x4\"\t2\t2\t2\t2\n"
			    "\"1e-2\"\t\"5x5\"\t1\t3\t3\t3\n\"1e-2\"\t\"5x5\"\t2\tNaN\tNaN\tNaN\n"
			    "\"1e-3\"\t\"4x4\"\t1\t1\t1\t1\n\"1e-3\"\t\"5x5\"\t1\t3\t3\t3\n");
	assert_table("pareto", &all,
		     PARETO SERIES("4x4", "cutoff=1e-2", "4\t4\t4\t20\t20\t20\t1")
			 SERIES("4x4", "cutoff=1e-2", "2\t2\t2\t10\t10\t10\t2")
			     SERIES("4x4", "cutoff=1e-3", "1\t1\t1\t10\t10\t10\t1")
				 SERIES("4x4", "Pareto front", "1\t1\t1\t10\t10\t10\t1")
				     SERIES("4x4", "Pareto front", "4\t4\t4\t20\t20\t20\t1")
					 SERIES("5x5", "cutoff=1e-3", "3\t3\t3\t5\t5\t5\t1")
					     SERIES("5x5", "Pareto front", "3\t3\t3\t5\t5\t5\t1"));
	char *text = written_table("sweep", &all);
	assert_non_null(strstr(text, "\"board\"\t\"cutoff\"\t\"depth\"\t\"ms\"\t"));
	assert_non_null(strstr(text,
			       "\n\"4x4\"\t\"1e-2\"\t1\t4\t4\t4\tNaN\tNaN\tNaN\t4\t4\t4\tNaN"
			       "\tNaN\t0\t0\t1\t20\t20\t20\t4\t4\t4\t1\t0\t\"expectimax\"\n"));
	free(text);
}

static void a_sweep_without_games_has_no_points(void **state)
{
	struct sweep_cell cells[] = {point("4x4", 4, NAN), point("4x4", 2, NAN)};
	(void)state;
	sweep_judge(cells, 2);
	assert_table("pareto", &(struct sweep_cells){.cells = cells, .count = 2}, PARETO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(estimates_are_those_worked_out_by_hand),
	    cmocka_unit_test(what_was_not_measured_is_unknown),
	    cmocka_unit_test(the_front_has_what_nothing_beats),
	    cmocka_unit_test(the_best_cell_is_within_the_budget),
	    cmocka_unit_test(without_games_the_largest_tree_is_best),
	    cmocka_unit_test(the_front_agrees_with_its_definition_and_holds_every_best),
	    cmocka_unit_test(tables_have_a_row_per_point),
	    cmocka_unit_test(a_sweep_without_games_has_no_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
