/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Summaries and tables of logs small enough to work out by hand. Cells whose games are all alike
 * have intervals of no width, so that whole tables can be written down; a rate of 2 in 2 has
 * Wilson's bounds 1 / (1 + z^2 / 2) = 0.3423802275 and 1.
 */
#include "analysis/tables/tables.h"
#include "tests/files.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

struct game_spec {
	uint64_t config;
	const char *board, *label, *agent;
	uint64_t trained, game, score, max_tile, moves;
	double seconds;
};

#define HEADER                                                                                     \
	"config\tboard\tlabel\tagent\ttrained\tseed\tgame\tscore\tmax_tile\tmoves\tseconds\t"      \
	"tile_sum\tuncertainty\n"

static void log_make(struct gamelog *log, const struct game_spec *games, size_t count)
{
	FILE *file = fopen(temporary_path, "w");
	struct why why;

	assert_non_null(file);
	fputs(HEADER, file);
	for (size_t i = 0; i < count; i++) {
		const struct game_spec *g = &games[i];
		char seconds[32];
		snprintf(seconds, sizeof seconds, isnan(g->seconds) ? "NaN" : "%.6f", g->seconds);
		fprintf(file,
			"%016" PRIx64 "\t%s\t%s\t%s\t%" PRIu64 "\t1\t%" PRIu64 "\t%" PRIu64
			"\t%" PRIu64 "\t%" PRIu64 "\t%s\tNaN\tNaN\n",
			g->config, g->board, g->label, g->agent, g->trained, g->game, g->score,
			g->max_tile, g->moves, seconds);
	}
	assert_int_equal(fclose(file), 0);
	gamelog_init(log);
	assert_works(gamelog_read(log, temporary_path, &why));
}

/* What a test summarises; summarise() makes it of other games, and the end of a test of none. */
static struct gamelog rows;
static struct summary s;

static void drop(void)
{
	summary_fini(&s);
	gamelog_fini(&rows);
	s = (struct summary){0};
	rows = (struct gamelog){0};
}

static int finish(void **state)
{
	drop();
	return temporary_remove(state);
}

static void summarise(const struct game_spec *games, size_t count)
{
	drop();
	log_make(&rows, games, count);
	assert_int_equal(summary_init(&s, &rows, NULL), STATUS_OK);
}

/* Two boards, in the wrong order; a learner with two stages; a player who met nobody on 3x3. */
static const struct game_spec alike[] = {
    {1, "4x4", "first", "first:depth=2", 0, 0, 2000, 128, 100, 0.1},
    {1, "4x4", "first", "first:depth=2", 0, 1, 2000, 128, 100, 0.1},
    {2, "4x4", "learner", "learner", 10, 0, 500, 32, 50, NAN},
    {2, "4x4", "learner", "learner", 10, 1, 500, 32, 50, NAN},
    {3, "4x4", "learner", "learner", 20, 0, 1000, 64, 80, 0.04},
    {3, "4x4", "learner", "learner", 20, 1, 1000, 64, 80, 0.04},
    {4, "3x3", "first", "first:depth=2", 0, 0, 40, 8, 20, 0.01},
    {4, "3x3", "first", "first:depth=2", 0, 1, 40, 32, 20, 0.01},
};

static void cells_come_by_size_and_then_by_appearance(void **state)
{
	(void)state;
	summarise(alike, 8);
	assert_int_equal(s.cell_count, 4);
	assert_string_equal(s.cells[0].board, "3x3");
	assert_int_equal(s.cells[0].size, 9);
	assert_string_equal(s.cells[1].label, "first");
	assert_int_equal(s.cells[2].trained, 10);
	assert_int_equal(s.cells[3].trained, 20);
	assert_int_equal(s.label_count, 2);
	assert_string_equal(s.labels[0], "first");
	assert_string_equal(s.labels[1], "learner");
}

static void the_most_trained_of_a_player_is_final(void **state)
{
	(void)state;
	summarise(alike, 8);
	assert_true(s.cells[0].final && s.cells[1].final && s.cells[3].final);
	assert_false(s.cells[2].final);
	assert_ptr_equal(summary_find(&s, "4x4", "learner"), &s.cells[3]);
	assert_null(summary_find(&s, "3x3", "learner"));
}

static void a_cell_holds_the_estimates_of_its_games(void **state)
{
	static const struct game_spec games[] = {
	    {1, "4x4", "a", "a", 0, 0, 400, 64, 100, 0.1},
	    {1, "4x4", "a", "a", 0, 1, 100, 16, 50, 0.2},
	    {1, "4x4", "a", "a", 0, 2, 200, 16, 60, NAN},
	    {1, "4x4", "a", "a", 0, 3, 900, 128, 190, 0.3},
	    {1, "4x4", "a", "a", 0, 4, 400, 64, 100, 0.4},
	};
	(void)state;
	summarise(games, 5);
	const struct cell *c = &s.cells[0];
	assert_int_equal(c->games, 5);
	assert_true(fabs(c->mean.value - 400) < 1e-9);
	assert_true(c->mean.low > 100 && c->mean.low < 400 && c->mean.high > 400);
	assert_true(c->spread[QUANTITY_SCORE].median.value == 400);
	assert_true(fabs(c->iqm.value - (0.75 * 200 + 400 + 0.75 * 400) / 2.5) < 1e-9);
	assert_true(
	    fabs(c->spread[QUANTITY_SCORE].sd.value - sqrt((90000 + 40000 + 250000) / 4.0)) < 1e-9);
	assert_true(c->spread[QUANTITY_SCORE].min == 100 && c->spread[QUANTITY_SCORE].max == 900);
	assert_true(fabs(c->moves.value - 100) < 1e-9);
	const struct spread *tile = &c->spread[QUANTITY_TILE], *moves = &c->spread[QUANTITY_MOVES];
	const struct spread *seconds = &c->spread[QUANTITY_SECONDS];
	assert_true(tile->min == 16 && tile->median.value == 64 && tile->max == 128);
	assert_true(isnan(tile->median.low) && isnan(tile->median.high));
	/* Deviations from 57.6: two of -41.6, two of 6.4, 70.4; from 100: -50, -40, 90; 0.25 s. */
	assert_true(fabs(tile->sd.value - sqrt((2 * 1730.56 + 2 * 40.96 + 4956.16) / 4)) < 1e-9);
	assert_true(moves->min == 50 && moves->median.value == 100 && moves->max == 190);
	assert_true(fabs(moves->sd.value - sqrt((2500 + 1600 + 8100) / 4.0)) < 1e-9);
	assert_true(seconds->min == 0.1 && seconds->median.value == 0.25 && seconds->max == 0.4);
	assert_true(fabs(seconds->sd.value - sqrt(0.05 / 3)) < 1e-9);
	/* 1 second for 440 moves: the game without its seconds does not count. */
	assert_true(fabs(c->ms_per_move.value - 1000.0 / 440) < 1e-9);
	assert_true(c->ms_per_move.low < c->ms_per_move.value);
	assert_int_equal(c->tiles[4].games, 2);
	assert_int_equal(c->tiles[5].games, 0);
	assert_int_equal(c->tiles[4].reached, 5);
	assert_int_equal(c->tiles[5].reached, 3);
	assert_int_equal(c->tiles[7].reached, 1);
	assert_int_equal(c->tiles[8].reached, 0);
	assert_true(c->tiles[5].reach.value == 0.6);
}

static void pairs_are_the_games_that_both_played(void **state)
{
	static const struct game_spec games[] = {
	    {2, "4x4", "b", "b", 0, 2, 150, 16, 10, NAN},
	    {1, "4x4", "a", "a", 0, 1, 300, 16, 10, NAN},
	    {2, "4x4", "b", "b", 0, 0, 50, 16, 10, NAN},
	    {1, "4x4", "a", "a", 0, 2, 999, 16, 10, NAN},
	    {1, "4x4", "a", "a", 0, 0, 150, 16, 10, NAN},
	    {2, "4x4", "b", "b", 0, 1, 300, 16, 10, NAN},
	    {1, "4x4", "a", "a", 0, 3, 111, 16, 10, NAN},
	};
	(void)state;
	summarise(games, 7);
	const struct cell *a = summary_find(&s, "4x4", "a"), *b = summary_find(&s, "4x4", "b");
	const struct paired paired = cells_paired(b, a), turned = cells_paired(a, b);
	assert_int_equal(paired.games, 3);
	assert_true(fabs(paired.difference.value + 949.0 / 3) < 1e-12);
	assert_true(paired.won.value == 0);
	assert_true(fabs(paired.tied.value - 1.0 / 3) < 1e-12);
	assert_true(fabs(turned.difference.value - 949.0 / 3) < 1e-12);
	assert_true(fabs(turned.won.value - 2.0 / 3) < 1e-12);
	assert_true(fabs(cells_ratio(b, a).value - (500.0 / 3) / (1560.0 / 4)) < 1e-12);
	const struct interval ratio = cells_ratio(a, b);
	assert_true(fabs(ratio.value - (1560.0 / 4) / (500.0 / 3)) < 1e-12);
	assert_true(ratio.low < ratio.value && ratio.value < ratio.high);
}

static void a_label_shared_by_two_agents_gives_way_to_their_text(void **state)
{
	static const struct game_spec games[] = {
	    {1, "4x4", "x", "x:depth=1", 0, 0, 100, 16, 10, NAN},
	    {2, "4x4", "x", "x:depth=2", 0, 0, 200, 16, 10, NAN},
	    {3, "4x4", "y", "y", 0, 0, 300, 16, 10, NAN},
	};
	(void)state;
	summarise(games, 3);
	assert_int_equal(s.label_count, 3);
	assert_string_equal(s.labels[0], "x:depth=1");
	assert_string_equal(s.labels[1], "x:depth=2");
	assert_string_equal(s.labels[2], "y");
}

static void one_agent_by_two_rules_is_two_players(void **state)
{
	static const struct game_spec games[] = {
	    {0xab, "4x4", "x", "x", 0, 0, 100, 16, 10, NAN},
	    {0x12345678, "4x4", "x", "x", 0, 0, 200, 16, 10, NAN},
	    {0xac, "4x4", "y", "y", 0, 0, 300, 16, 10, NAN},
	};
	(void)state;
	summarise(games, 3);
	assert_int_equal(s.label_count, 3);
	assert_string_equal(s.labels[0], "x~0000ab");
	assert_string_equal(s.labels[1], "x~345678");
	assert_string_equal(s.labels[2], "y");
	assert_true(s.cells[0].mean.value == 100 && s.cells[1].mean.value == 200);
}

/* Everything that is written of the summary; the caller frees it. */
static char *everything(void)
{
	FILE *file = printed();

	summary_tables.print(file, &s, true);
	summary_tables.print(file, &s, false);
	for (const struct table *table = summary_tables.table; table->name; table++)
		table_write(file, &summary_tables, table, &s, NULL);
	return taken(file);
}

/* The table NAME of the summary, or of its games; the caller frees it. */
static char *table_printed(const struct tables *tables, const char *name, const void *data)
{
	static const char *const provenance[] = {"nxn 1", NULL};
	FILE *file = printed();

	table_write(file, tables, table_find(tables, name), data, provenance);
	return taken(file);
}

/* What people see of the summary on a screen of so many columns; the caller frees it. */
static char *screen(const char *columns, bool full)
{
	FILE *file = printed();

	setenv("COLUMNS", columns, 1);
	summary_tables.print(file, &s, full);
	unsetenv("COLUMNS");
	return taken(file);
}

static void with_labels_announced_the_order_of_games_changes_nothing(void **state)
{
	static const char *const labels[] = {"c", "a", "d", "b"};
	struct game_spec games[80], turned[80];
	char *text[2];

	(void)state;
	for (uint64_t i = 0; i < 80; i++) {
		const char *label = labels[i % 4];
		games[i] = (struct game_spec){1 + i % 8,      i % 8 < 4 ? "4x4" : "5x5",
					      label,	      label,
					      i % 4 / 3,      i / 8,
					      i * 37 % 101,   UINT64_C(16) << i % 3,
					      1 + i * 7 % 11, 0.5};
		turned[79 - i] = games[i];
	}
	for (int turn = 0; turn < 2; turn++) {
		struct gamelog all;
		drop();
		log_make(&all, turn ? turned : games, 80);
		gamelog_init(&rows);
		for (int i = 0; i < 4; i++)
			gamelog_announce(&rows, labels[i]);
		for (size_t i = 0; i < all.count; i++) {
			struct gamelog_player player = *all.rows[i].player;
			assert_int_equal(gamelog_add(&rows, &player, &all.rows[i], NULL),
					 STATUS_OK);
		}
		gamelog_fini(&all);
		assert_int_equal(summary_init(&s, &rows, NULL), STATUS_OK);
		assert_string_equal(s.labels[0], "c");
		assert_string_equal(s.cells[1].label, "a");
		text[turn] = everything();
	}
	assert_string_equal(text[0], text[1]);
	free(text[0]);
	free(text[1]);
}

static void fast_players_have_their_milliseconds_to_three_digits(void **state)
{
	static const struct game_spec games[] = {
	    {1, "4x4", "fast", "fast", 0, 0, 100, 16, 1000, 0.001234},
	    {1, "4x4", "fast", "fast", 0, 1, 100, 16, 1000, 0.001235},
	};
	(void)state;
	summarise(games, 2);
	char *text = everything();
	/* t(1) = 12.706 errors of 0.0004 are half a hundredth. */
	assert_has(text, "1.23 us [1.23, 1.24]");
	free(text);
}

static void long_labels_are_not_cut(void **state)
{
	static const char *const label = "expectimax:depth=2,cutoff=0,value=heuristic,w_empty=3.5";
	(void)state;
	summarise((struct game_spec[]){{1, "4x4", label, "x", 0, 0, 9, 16, 10, NAN},
				       {2, "4x4", "y", "y", 0, 0, 8, 16, 10, NAN}},
		  2);
	char *text = everything();
	assert_has(text, "value=heuristic,w_empty=3.5  y  ");
	free(text);
}

static void the_order_of_games_in_the_log_changes_no_number(void **state)
{
	struct game_spec forward[40], backward[40];
	struct interval number[3];

	(void)state;
	for (uint64_t i = 0; i < 40; i++) {
		forward[i] = (struct game_spec){1, "4x4", "a", "a", 0, i, i * i, 16, i, 1};
		backward[39 - i] = forward[i];
	}
	summarise(forward, 40);
	memcpy(number, (struct interval[]){s.cells->mean, s.cells->iqm, s.cells->moves},
	       sizeof number);
	summarise(backward, 40);
	assert_memory_equal(number,
			    ((struct interval[]){s.cells->mean, s.cells->iqm, s.cells->moves}),
			    sizeof number);
}

static void one_game_is_summarised_without_bounds(void **state)
{
	(void)state;
	summarise(alike, 1);
	assert_true(s.cells[0].mean.value == 2000);
	assert_true(isnan(s.cells[0].mean.low) &&
		    isnan(s.cells[0].spread[QUANTITY_TILE].median.low));
	char *text = everything();
	assert_has(text, "2000 [-, -]");
	assert_null(strstr(text, "nan"));
	free(text);
}

static void a_log_without_games_is_refused(void **state)
{
	struct why why;

	(void)state;
	gamelog_init(&rows);
	assert_refused(STATUS_INPUT, "no finished games", summary_init(&s, &rows, &why));
}

static void a_hundred_thousand_games_are_summarised_within_a_second(void **state)
{
	enum { N = 100000 };
	struct game_spec *games = calloc(N, sizeof *games);
	(void)state;
	assert_non_null(games);
	for (uint64_t i = 0; i < N; i++)
		games[i] = (struct game_spec){1 + i % 4,
					      i % 4 < 2 ? "4x4" : "5x5",
					      i % 2 ? "a" : "b",
					      i % 2 ? "a" : "b",
					      0,
					      i / 4,
					      i * 7919 % 100003,
					      UINT64_C(2) << i % 11,
					      1 + i % 1000,
					      0.5};
	log_make(&rows, games, N);
	clock_t start = clock();
	assert_int_equal(summary_init(&s, &rows, NULL), STATUS_OK);
	assert_true(clock() - start < CLOCKS_PER_SEC);
	assert_int_equal(s.cells[0].games, N / 4);
	assert_int_equal(cells_paired(&s.cells[2], &s.cells[3]).games, N / 4);
	free(games);
}

/* What table NAME says after its units, for the log of so many GAMES. */
static void assert_table_of(const struct game_spec *games, size_t count, const char *name,
			    const char *expected)
{
	summarise(games, count);
	char *text = table_printed(&summary_tables, name, &s), *body = strstr(text, "# units: ");
	assert_int_equal(strncmp(text, "# nxn 1\n# 95% intervals: means by", 32), 0);
	assert_non_null(body);
	assert_string_equal(strchr(body, '\n') + 1, expected);
	free(text);
}

/* The same for the log of games that are alike. */
static void assert_table(const char *name, const char *expected)
{
	assert_table_of(alike, 8, name, expected);
}

/* Wilson's bounds for 0, 1 and 2 of 2. */
#define NONE "0\t0\t0.6576197725"
#define HALF "0.5\t0.09453120573\t0.9054687943"
#define BOTH "1\t0.3423802275\t1"
/* Sum and uncertainty, and the end of the line, where no game tells them. */
#define TOLD_NAMES                                                                                 \
	"\"tile_sum\"\t\"tile_sum_low\"\t\"tile_sum_high\"\t\"uncertainty\"\t"                     \
	"\"uncertainty_low\"\t\"uncertainty_high\"\n"
#define UNTOLD "\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\n"

static void the_summary_table_has_a_row_a_cell(void **state)
{
	(void)state;
	assert_table(
	    "summary",
	    "\"board\"\t\"cells\"\t\"label\"\t\"agent\"\t\"trained\"\t\"games\"\t\"mean\"\t"
	    "\"mean_low\"\t\"mean_high\"\t\"median\"\t\"median_low\"\t\"median_high\"\t\"iqm\"\t"
	    "\"iqm_low\"\t\"iqm_high\"\t\"sd\"\t\"sd_low\"\t\"sd_high\"\t\"min\"\t\"max\"\t"
	    "\"median_tile\"\t\"median_tile_low\"\t\"median_tile_high\"\t\"moves\"\t\"moves_low\"\t"
	    "\"moves_high\"\t\"ms_per_move\"\t\"ms_per_move_low\"\t\"ms_per_move_"
	    "high\"\t" TOLD_NAMES "\"3x3\"\t9\t\"first\"\t\"first:depth=2\"\t0\t2\t"
	    "40\tNaN\tNaN\t40\tNaN\tNaN\t40\tNaN\tNaN\t0\tNaN\tNaN\t40\t40\t"
	    "8\tNaN\tNaN\t20\tNaN\tNaN\t0.5\tNaN\tNaN" UNTOLD
	    "\"4x4\"\t16\t\"first\"\t\"first:depth=2\"\t0\t2\t"
	    "2000\tNaN\tNaN\t2000\tNaN\tNaN\t2000\tNaN\tNaN\t0\tNaN\tNaN\t2000\t2000\t"
	    "128\tNaN\tNaN\t100\tNaN\tNaN\t1\tNaN\tNaN" UNTOLD
	    "\"4x4\"\t16\t\"learner\"\t\"learner\"\t10\t2\t"
	    "500\tNaN\tNaN\t500\tNaN\tNaN\t500\tNaN\tNaN\t0\tNaN\tNaN\t500\t500\t"
	    "32\tNaN\tNaN\t50\tNaN\tNaN\tNaN\tNaN\tNaN" UNTOLD
	    "\"4x4\"\t16\t\"learner\"\t\"learner\"\t20\t2\t"
	    "1000\tNaN\tNaN\t1000\tNaN\tNaN\t1000\tNaN\tNaN\t0\tNaN\tNaN\t1000\t1000\t"
	    "64\tNaN\tNaN\t80\tNaN\tNaN\t0.5\tNaN\tNaN" UNTOLD);
}

#define SPREAD_HEAD                                                                                \
	"\"quantity\"\t\"board\"\t\"cells\"\t\"label\"\t\"agent\"\t\"trained\"\t\"games\"\t"       \
	"\"min\"\t\"median\"\t\"median_low\"\t\"median_high\"\t\"max\"\t\"sd\"\t\"sd_low\"\t"      \
	"\"sd_high\"\n"
#define FIRST_3X3 "\"3x3\"\t9\t\"first\"\t\"first:depth=2\"\t0\t2\t"
#define FIRST_4X4 "\"4x4\"\t16\t\"first\"\t\"first:depth=2\"\t0\t2\t"
#define LEARNER_10 "\"4x4\"\t16\t\"learner\"\t\"learner\"\t10\t2\t"
#define LEARNER_20 "\"4x4\"\t16\t\"learner\"\t\"learner\"\t20\t2\t"
/* Two games with the same number, and two without one. */
#define TWICE(x) x "\t" x "\tNaN\tNaN\t" x "\t0\tNaN\tNaN\n"
#define NEVER "NaN\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\n"

static void the_spread_table_has_a_row_per_quantity_and_cell(void **state)
{
	char eights[256];
	/* Of 8 and 32: s^2 = 288, its variance (m4 + s^4) / 2 with m4 = s^4 / 4. */
	const double sd = sqrt(288), factor = exp(tan(0.475 * M_PI) * sqrt(5 / 32.));
#define SCORE "\"score\"\t"
#define TILE "\"largest tile\"\t"
#define MOVES "\"moves\"\t"
#define SECONDS "\"seconds\"\t"
	static const char expected[] =
	    SPREAD_HEAD SCORE FIRST_3X3 TWICE("40") SCORE FIRST_4X4 TWICE("2000")
		SCORE LEARNER_10 TWICE("500") SCORE LEARNER_20 TWICE("1000") TILE FIRST_3X3
	    "8\t8\tNaN\tNaN\t32\t%s" TILE FIRST_4X4 TWICE("128") TILE LEARNER_10 TWICE("32")
		TILE LEARNER_20 TWICE("64") MOVES FIRST_3X3 TWICE("20") MOVES FIRST_4X4 TWICE("100")
		    MOVES LEARNER_10 TWICE("50") MOVES LEARNER_20 TWICE("80")
			SECONDS FIRST_3X3 TWICE("0.01") SECONDS FIRST_4X4 TWICE("0.1")
			    SECONDS LEARNER_10 NEVER SECONDS LEARNER_20 TWICE("0.04");

	(void)state;
	snprintf(eights, sizeof eights, "%.10g\t%.10g\t%.10g\n", sd, sd / factor, sd * factor);
	const char *place = strstr(expected, "%s");
	char *text = NULL;
	assert_true(
	    asprintf(&text, "%.*s%s%s", (int)(place - expected), expected, eights, place + 2) > 0);
	assert_table("spread", text);
	free(text);
}

static void for_people_a_spread_has_a_row_a_quantity_of_final_cells(void **state)
{
	static const struct game_spec games[] = {
	    {1, "4x4", "a", "a", 0, 0, 400, 64, 100, 0.125},
	    {1, "4x4", "a", "a", 0, 1, 101, 16, 51, 0.25},
	    {2, "4x4", "l", "l", 10, 0, 100, 16, 50, NAN},
	    {3, "4x4", "l", "l", 20, 0, 300, 32, 60, NAN},
	};

	(void)state;
	summarise(games, 4);
	FILE *file = printed();
	setenv("COLUMNS", "200", 1); /* in one part */
	spread_print(file, &s, true);
	unsetenv("COLUMNS");
	char *text = taken(file);
	static const char *const lines[] = {
	    "score         4x4    a             0      2    101    250 [-, -]    400",
	    "score         4x4    l            20      1    300    300 [-, -]    300",
	    "largest tile  4x4    a             0      2     16     16 [-, -]     64",
	    "moves         4x4    a             0      2     51   75.5 [-, -]    100",
	    "seconds       4x4    a             0      2  0.125  0.188 [-, -]  0.250",
	    "seconds       4x4    l            20      1      -             -      -",
	};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_has(text, lines[i]);
	assert_null(strstr(text, "4x4    l            10"));
	assert_null(strstr(text, "nan"));
	free(text);
}

#define RATES                                                                                      \
	"\"board\"\t\"cells\"\t\"label\"\t\"tile\"\t\"share\"\t\"share_low\"\t\"share_high\"\n"
#define F3 "\"3x3\"\t9\t\"first\"\t"
#define F4 "\"4x4\"\t16\t\"first\"\t"
#define L4 "\"4x4\"\t16\t\"learner\"\t"

static void tile_tables_double_from_the_smallest_to_the_largest_seen(void **state)
{
	(void)state;
	assert_table("tiles",
		     RATES F3 "8\t" HALF "\n" F3 "16\t" NONE "\n" F3 "32\t" HALF "\n" F4 "64\t" NONE
			      "\n" F4 "128\t" BOTH "\n" L4 "64\t" BOTH "\n" L4 "128\t" NONE "\n");
	assert_table("reach",
		     RATES F3 "8\t" BOTH "\n" F3 "16\t" HALF "\n" F3 "32\t" HALF "\n" F4 "64\t" BOTH
			      "\n" F4 "128\t" BOTH "\n" L4 "64\t" BOTH "\n" L4 "128\t" NONE "\n");
}

static void score_tables_climb_to_one(void **state)
{
	(void)state;
	assert_table("scores", "\"board\"\t\"label\"\t\"score\"\t\"cumulative_share\"\n"
			       "\"3x3\"\t\"first\"\t40\t0.5\n\"3x3\"\t\"first\"\t40\t1\n"
			       "\"4x4\"\t\"first\"\t2000\t0.5\n\"4x4\"\t\"first\"\t2000\t1\n"
			       "\"4x4\"\t\"learner\"\t1000\t0.5\n\"4x4\"\t\"learner\"\t1000\t1\n");
}

static void curves_follow_those_who_train(void **state)
{
	(void)state;
	assert_table("curve",
		     "\"board\"\t\"label\"\t\"trained\"\t\"games\"\t\"mean\"\t\"mean_low\"\t"
		     "\"mean_high\"\t\"median\"\t\"max\"\t\"reach_2048\"\t\"reach_2048_low\"\t"
		     "\"reach_2048_high\"\t\"seconds\"\t\"goal\"\t\"reach_goal\"\t"
		     "\"reach_goal_low\"\t\"reach_goal_high\"\t" TOLD_NAMES
		     "\"4x4\"\t\"learner\"\t10\t2\t500\tNaN\tNaN\t500\t500\t" NONE
		     "\tNaN\t2048\t" NONE UNTOLD
		     "\"4x4\"\t\"learner\"\t20\t2\t1000\tNaN\tNaN\t1000\t1000\t" NONE
		     "\tNaN\t2048\t" NONE UNTOLD);
}

static void sums_and_uncertainties_are_means_of_the_games_that_tell_them(void **state)
{
	/* The last game of p has none. Sums 200, 230, doubts 0.25, 0.75. */
	static const char text[] =
	    HEADER "0000000000000001\t4x4\tp\tp\t10\t1\t0\t900\t64\t90\tNaN\t200\t0.250000\n"
		   "0000000000000001\t4x4\tp\tp\t10\t1\t1\t900\t64\t90\tNaN\t230\t0.750000\n"
		   "0000000000000001\t4x4\tp\tp\t10\t1\t2\t900\t64\t90\tNaN\tNaN\tNaN\n"
		   "0000000000000002\t4x4\tq\tq\t0\t1\t0\t900\t64\t90\tNaN\t200\t1.5\n"
		   "0000000000000003\t4x4\tr\tr\t10\t1\t0\t900\t64\t90\tNaN\tNaN\tNaN\n";
	(void)state;
	file_write(temporary_path, text);
	gamelog_init(&rows);
	assert_int_equal(gamelog_read(&rows, temporary_path, NULL), STATUS_OK);
	assert_int_equal(summary_init(&s, &rows, NULL), STATUS_OK);
	/* Half the range times t(0.975; 1) = 12.7062 (tables). */
	assert_true(fabs(s.cells[0].sum.value - 215) < 1e-9);
	assert_true(fabs(s.cells[0].sum.high - (215 + 12.7062 * 15)) < 1e-2);
	assert_true(fabs(s.cells[0].uncertainty.value - 0.5) < 1e-9);
	assert_true(fabs(s.cells[0].uncertainty.low - (0.5 - 12.7062 * 0.25)) < 1e-3);
	assert_true(s.cells[1].uncertainty.value == 1.5);
	assert_true(isnan(s.cells[2].sum.value) && isnan(s.cells[2].uncertainty.value));
	char *all = everything();
	assert_has(all, "  tile sum [95%]");
	assert_has(all, "   215 [24, 406]  ");
	assert_has(all, "  0.500 [");
	free(all);
}

static void sizes_and_ratios_have_a_row_a_board(void **state)
{
	(void)state;
	assert_table("means", "\"label\"\t\"board\"\t\"cells\"\t\"mean\"\t\"mean_low\"\t"
			      "\"mean_high\"\t\"games\"\n"
			      "\"first\"\t\"3x3\"\t9\t40\tNaN\tNaN\t2\n"
			      "\"first\"\t\"4x4\"\t16\t2000\tNaN\tNaN\t2\n"
			      "\"learner\"\t\"4x4\"\t16\t1000\tNaN\tNaN\t2\n");
	assert_table("ratios",
		     "\"a\"\t\"b\"\t\"board\"\t\"cells\"\t\"ratio\"\t\"ratio_low\"\t"
		     "\"ratio_high\"\t\"paired_difference\"\t\"paired_low\"\t"
		     "\"paired_high\"\t\"paired_games\"\n"
		     "\"first\"\t\"learner\"\t\"4x4\"\t16\t2\tNaN\tNaN\t1000\tNaN\tNaN\t2\n");
}

/* Means of 4 * cells: the power law, a player on five boards; none on four. */
static void five_boards_have_a_law_and_four_have_none(void **state)
{
	static const struct game_spec games[] = {
	    {1, "2x2", "p", "p", 0, 0, 16, 8, 9, NAN}, {2, "2x3", "p", "p", 0, 0, 24, 8, 9, NAN},
	    {3, "2x4", "p", "p", 0, 0, 32, 8, 9, NAN}, {4, "3x3", "p", "p", 0, 0, 36, 8, 9, NAN},
	    {5, "2x5", "p", "p", 0, 0, 40, 8, 9, NAN},
	};
	static const char head[] = "\"label\"\t\"board\"\t\"cells\"\t\"mean\"\t\"mean_low\"\t"
				   "\"mean_high\"\t\"law\"\t\"residual\"\t\"form\"\t\"error\"\t"
				   "\"rival\"\t\"rival_error\"\t\"b\"\t\"b_low\"\t\"b_high\"\n";
	double law, residual, error, b;
	char form[16];

	(void)state;
	summarise(games, 5);
	char *text = table_printed(&summary_tables, "law", &s),
	     *row = strstr(text, "\n\"p\"\t\"2x5\"\t");
	assert_non_null(row);
	assert_int_equal(sscanf(row, "%*s %*s 10 40 NaN NaN %lf %lf \"%15[^\"]\" %lf %*s %*s %lf",
				&law, &residual, form, &error, &b),
			 5);
	assert_true(fabs(law - 40) < 1e-9 && fabs(residual) < 1e-9 && error < 1e-9);
	assert_string_equal(form, "power");
	assert_true(fabs(b - 1) < 1e-9);
	free(text);
	assert_table_of(games, 4, "law", head);
	assert_table("law", head);
}

/*
 * On 3x3 a and c: b is slower than a, and nothing says that d is faster. On 5x5 the faster of
 * equals.
 */
static void the_front_is_who_no_other_beats_in_less_time(void **state)
{
	static const struct game_spec games[] = {
	    {1, "3x3", "c", "c", 0, 0, 200, 8, 10, 0.001},
	    {2, "3x3", "d", "d", 0, 0, 100, 8, 10, NAN},
	    {3, "3x3", "b", "b", 0, 0, 300, 8, 10, 0.02},
	    {4, "3x3", "a", "a:x=1", 0, 0, 400, 16, 10, 0.01},
	    {5, "3x3", "a", "a:x=1", 9, 0, 900, 32, 10, 0.01},
	    {6, "4x4", "b", "b", 0, 0, 50, 8, 10, NAN},
	    {7, "4x4", "c", "c", 0, 0, 60, 8, 10, NAN},
	    {8, "5x5", "a", "a:x=1", 0, 0, 70, 8, 10, 0.02},
	    {9, "5x5", "b", "b", 0, 0, 70, 8, 10, 0.01},
	};
	(void)state;
	assert_table_of(games, 9, "front",
			"\"board\"\t\"cells\"\t\"label\"\t\"agent\"\t\"trained\"\t\"games\"\t"
			"\"mean\"\t\"mean_low\"\t\"mean_high\"\t\"max_tile\"\t\"ms_per_move\"\t"
			"\"ms_per_move_low\"\t\"ms_per_move_high\"\n"
			"\"3x3\"\t9\t\"a\"\t\"a:x=1\"\t9\t1\t900\tNaN\tNaN\t32\t1\tNaN\tNaN\n"
			"\"3x3\"\t9\t\"c\"\t\"c\"\t0\t1\t200\tNaN\tNaN\t8\t0.1\tNaN\tNaN\n"
			"\"4x4\"\t16\t\"c\"\t\"c\"\t0\t1\t60\tNaN\tNaN\t8\tNaN\tNaN\tNaN\n"
			"\"5x5\"\t25\t\"b\"\t\"b\"\t0\t1\t70\tNaN\tNaN\t8\t1\tNaN\tNaN\n");
}

/* One player without and one with told chances; a label that is cut off by nobody. */
static void games_have_a_row_each(void **state)
{
	static const char log_text[] =
	    HEADER "00000000000000a1\t4x4\tp #1\tp\t10\t1\t0\t900\t64\t90\t0.5\t200\t0.25\n"
		   "0000000000000002\t2x3\tq\tq\t0\t1\t7\t9\t8\t4\tNaN\tNaN\tNaN\n";

	(void)state;
	file_write(temporary_path, log_text);
	gamelog_init(&rows);
	assert_int_equal(gamelog_read(&rows, temporary_path, NULL), STATUS_OK);
	char *text = table_printed(&gamelog_tables, "games", &rows);
	assert_int_equal(strncmp(text, "# nxn 1\n# units: ", 17), 0);
	assert_string_equal(
	    strstr(text, "\n\"board\"") + 1,
	    "\"board\"\t\"cells\"\t\"label\"\t\"agent\"\t\"config\"\t\"trained\"\t\"seed\"\t"
	    "\"game\"\t\"score\"\t\"max_tile\"\t\"moves\"\t\"seconds\"\t\"tile_sum\"\t"
	    "\"uncertainty\"\n"
	    "\"4x4\"\t16\t\"p #1\"\t\"p\"\t\"00000000000000a1\"\t10\t1\t0\t900\t64\t90\t0.5\t200\t"
	    "0.25\n"
	    "\"2x3\"\t6\t\"q\"\t\"q\"\t\"0000000000000002\"\t0\t1\t7\t9\t8\t4\tNaN\tNaN\tNaN\n");
	free(text);
}

#define ROW4(values) "\"4x4\"\t\"a\"\t" values "\n"

static void score_tables_of_many_games_keep_two_thousand_quantiles(void **state)
{
	enum { N = 5000 };
	struct game_spec *games = calloc(N, sizeof *games);
	size_t lines = 0;

	(void)state;
	assert_non_null(games);
	for (uint64_t i = 0; i < N; i++)
		games[i] = (struct game_spec){1, "4x4", "a", "a", 0, i, i + 1, 16, 1, NAN};
	summarise(games, N);
	char *text = table_printed(&summary_tables, "scores", &s),
	     *body = strstr(text, "share\"\n") + strlen("share\"\n");
	for (const char *c = body; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 2000);
	assert_int_equal(strncmp(body, ROW4("3\t0.0006") ROW4("5\t0.001") ROW4("8\t0.0016"),
				 strlen(ROW4("3\t0.0006") ROW4("5\t0.001") ROW4("8\t0.0016"))),
			 0);
	assert_non_null(strstr(body, ROW4("5000\t1")));
	free(text);
	free(games);
}

static void in_full_people_see_results_summary_and_ratios(void **state)
{
	static const char *const lines[] = {
	    "Results of each player, of learners after all training.\n\n"
	    "board  player   trained  games   mean [95%]   max  median tile [95%]",
	    "\n3x3    first          0      2    40 [-, -]    40           8 [-, -]",
	    "\n4x4    learner       20      2  1000 [-, -]  1000          64 [-, -]        0% [0, "
	    "66] "
	    " 2048",
	    "\n4x4    first         1.00 ms [-, -]\n",
	    "\n4x4    learner        500 us [-, -]\n",
	    "\na      b        board  ratio [95%]  paired difference [95%]  paired games\n"
	    "first  learner  4x4       2 [-, -]              1000 [-, -]             2\n",
	};

	(void)state;
	summarise(alike, 8);
	char *text = screen("120", true);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_has(text, lines[i]);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (strncmp(line, "95%", 3) != 0)
			assert_true(strlen(line) <= 120);
	free(text);
}

static void lists_by_board_rank_the_players(void **state)
{
	(void)state;
	summarise(alike, 8);
	s.by_board = true;
	char *text = screen("80", false);
	assert_has(text, "4x4      mean score [95%]  median tile   best tile  per move\n"
			 "first         2000 [-, -]          128  128 (100%)   1.00 ms\n"
			 "learner       1000 [-, -]           64   64 (100%)    500 us\n");
	free(text);
}

static void times_have_the_unit_that_suits_them(void **state)
{
	static const struct {
		double ms;
		const char *text;
	} times[] = {{0.0000952, "95.2 ns"}, {0.0009994, "999 ns"}, {0.0009996, "1.00 us"},
		     {0.25, "250 us"},	     {12.3456, "12.3 ms"},  {98765, "98.8 s"}};
	char text[GRID_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		time_text(times[i].ms, text);
		assert_string_equal(text, times[i].text);
	}
	times_text((struct interval){0.5, 0.4, 1.25}, text);
	assert_string_equal(text, "500 us [400, 1250]");
	time_text(NAN, text);
	assert_string_equal(text, "-");
}

#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, temporary_make, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(times_have_the_unit_that_suits_them),
	    WITH_FILE(lists_by_board_rank_the_players),
	    WITH_FILE(cells_come_by_size_and_then_by_appearance),
	    WITH_FILE(the_most_trained_of_a_player_is_final),
	    WITH_FILE(a_cell_holds_the_estimates_of_its_games),
	    WITH_FILE(pairs_are_the_games_that_both_played),
	    WITH_FILE(a_label_shared_by_two_agents_gives_way_to_their_text),
	    WITH_FILE(one_agent_by_two_rules_is_two_players),
	    WITH_FILE(with_labels_announced_the_order_of_games_changes_nothing),
	    WITH_FILE(fast_players_have_their_milliseconds_to_three_digits),
	    WITH_FILE(long_labels_are_not_cut),
	    WITH_FILE(the_order_of_games_in_the_log_changes_no_number),
	    WITH_FILE(one_game_is_summarised_without_bounds),
	    WITH_FILE(a_log_without_games_is_refused),
	    WITH_FILE(a_hundred_thousand_games_are_summarised_within_a_second),
	    WITH_FILE(the_summary_table_has_a_row_a_cell),
	    WITH_FILE(the_spread_table_has_a_row_per_quantity_and_cell),
	    WITH_FILE(for_people_a_spread_has_a_row_a_quantity_of_final_cells),
	    WITH_FILE(tile_tables_double_from_the_smallest_to_the_largest_seen),
	    WITH_FILE(score_tables_climb_to_one),
	    WITH_FILE(curves_follow_those_who_train),
	    WITH_FILE(games_have_a_row_each),
	    WITH_FILE(sums_and_uncertainties_are_means_of_the_games_that_tell_them),
	    WITH_FILE(sizes_and_ratios_have_a_row_a_board),
	    WITH_FILE(five_boards_have_a_law_and_four_have_none),
	    WITH_FILE(the_front_is_who_no_other_beats_in_less_time),
	    WITH_FILE(score_tables_of_many_games_keep_two_thousand_quantiles),
	    WITH_FILE(in_full_people_see_results_summary_and_ratios),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
