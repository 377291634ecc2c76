/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures: what is left in a folder, that it is the same every time, and that what goes wrong says
 * so and leaves nothing half-drawn. Each test works in an empty folder of its own.
 */
#include "src/cli/built.h"
#include "src/report/figures.h"
#include "tests/files.h"
#include "tests/random_board.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Labels that would be markup, or a quote in the script, if they were not taken as they are. */
#define A "q_l{e}a^rn's"
#define B "expectimax:depth=3,cutoff=0.0001"

/* Tables: the names of their columns, and rows. */
#define TILES "\"board\"\t\"label\"\t\"tile\"\t\"share\"\t\"share_low\"\t\"share_high\"\n"
#define SCORES "\"board\"\t\"label\"\t\"score\"\t\"cumulative_share\"\n"
#define MEANS "\"label\"\t\"board\"\t\"cells\"\t\"mean\"\t\"mean_low\"\t\"mean_high\"\t\"games\"\n"
#define LEADS                                                                                      \
	"\"label\"\t\"board\"\t\"cells\"\t\"ratio\"\t\"ratio_low\"\t\"ratio_high\"\t\"slope\"\t"   \
	"\"slope_low\"\t\"slope_high\"\t\"against\"\n"
#define CURVE_NAMES                                                                                \
	"\"board\"\t\"label\"\t\"trained\"\t\"games\"\t\"mean\"\t\"mean_low\"\t\"mean_high\"\t"    \
	"\"median\"\t\"max\"\t\"reach_2048\"\t\"reach_2048_low\"\t\"reach_2048_high\"\t"           \
	"\"seconds\"\t\"goal\"\t\"reach_goal\"\t\"reach_goal_low\"\t\"reach_goal_high\""
#define CURVE CURVE_NAMES "\n"
#define TOLD_CURVE                                                                                 \
	CURVE_NAMES "\t\"tile_sum\"\t\"tile_sum_low\"\t\"tile_sum_high\"\t\"uncertainty\"\t"       \
		    "\"uncertainty_low\"\t\"uncertainty_high\"\n"
#define MOVES                                                                                      \
	"\"board\"\t\"label\"\t\"trained\"\t\"game\"\t\"move\"\t\"score\"\t\"max_tile\"\t"         \
	"\"empty\"\t\"direction\"\t\"value\"\t\"chance\"\t\"uncertainty\"\t\"legal\"\n"
#define OF(BOARD, LABEL) "\"" BOARD "\"\t\"" LABEL "\"\t"
#define MEAN(LABEL, BOARD, CELLS, MEAN, LOW, HIGH)                                                 \
	OF(LABEL, BOARD) CELLS "\t" MEAN "\t" LOW "\t" HIGH "\t9\n"
#define CURVE_ROW(BOARD, LABEL, TRAINED, MEAN, SECONDS)                                            \
	OF(BOARD, LABEL)                                                                           \
	TRAINED "\t5\t" MEAN "\tNaN\tNaN\t90\t2000\t0\t0\t0.5\t" SECONDS "\t1024\t0.5\t0.1\t0.9\n"
/* With sums and uncertainties. */
#define TOLD_ROW(BOARD, LABEL, TRAINED, TOLD)                                                      \
	OF(BOARD, LABEL)                                                                           \
	TRAINED "\t5\t100\tNaN\tNaN\t90\t2000\t0\t0\t0.5\tNaN\t1024\t0.5\t0.1\t0.9\t" TOLD "\n"
#define MOVE(BOARD, LABEL, TRAINED, MOVE, UNCERTAINTY)                                             \
	OF(BOARD, LABEL)                                                                           \
	TRAINED "\t0\t" MOVE "\t4\t2\t14\t0\tNaN\t0.25\t" UNCERTAINTY "\t4\n"

static const char tiles[] =
    "# units\n" TILES OF("3x4", A) "64\t0.5\t0.1\t0.9\n" OF("3x4", A) "128\t0.5\t0.1\t0.9\n" OF(
	"3x4", B) "64\t0\t0\t0.3\n" OF("3x4", B) "128\t1\t0.7\t1\n" OF("4x4",
								       B) "2048\tNaN\tNaN\tNaN\n";
static const char scores[] =
    "# units\n" SCORES OF("3x4", A) "0\t0.5\n" OF("3x4", A) "800\t1\n" OF("4x4", B) "20000\t1\n";
static const char means[] = "# units\n" MEANS MEAN(A, "4x4", "16", "2000", "NaN", "NaN")
    MEAN(A, "3x4", "12", "400", "-10", "800") MEAN(B, "3x4", "12", "0", "0", "0");
/* As gnuplot reads it: the table beside the figure. */
static const char means_in_blocks[] =
    "# units\n"
    "# block 0: " A "\n"
    "\"board\"\t\"cells\"\t\"mean\"\t\"mean_low\"\t\"mean_high\"\t\"games\"\n"
    "\"4x4\"\t16\t2000\tNaN\tNaN\t9\n"
    "\"3x4\"\t12\t400\t-10\t800\t9\n\n\n"
    "# block 1: " B "\n"
    "\"board\"\t\"cells\"\t\"mean\"\t\"mean_low\"\t\"mean_high\"\t\"games\"\n"
    "\"3x4\"\t12\t0\t0\t0\t9\n";
/* The table of nxn train --curve: the names of its columns, and with a block. */
#define TRAINING_TILE(T)                                                                           \
	"\t\"reach_" T "\"\t\"reach_" T "_low\"\t\"reach_" T "_high\"\t\"end_" T "\""
#define TRAINING_HEAD                                                                              \
	"# seed: 1\n\"trained\"\t\"games\"\t\"seconds\"\t\"moves\"\t\"mean\"\t\"mean_low\"\t"      \
	"\"mean_high\"\t\"max\"" TRAINING_TILE("256") TRAINING_TILE("512")                         \
	    TRAINING_TILE("1024") "\n"
static const char training_head[] = TRAINING_HEAD;
static const char training[] =
    TRAINING_HEAD "10\t10\t0.5\t900\t2000\t1500\t2500\t6000\t1\t0.7\t1\t0.8\t0.2\t0.1\t0.5\t0.2\t"
		  "0\t0\t0.3\t0\n";
/* The same of a learner that tells the chances of its moves. */
static const char training_told[] =
    "\"trained\"\t\"games\"\t\"seconds\"\t\"moves\"\t\"mean\"\t\"mean_low\"\t\"mean_high\"\t"
    "\"max\"" TRAINING_TILE("256") TRAINING_TILE(
	"512") "\t\"tile_sum\"\t\"tile_sum_low\"\t\"tile_sum_"
	       "high\"\t\"uncertainty\"\t\"uncertainty_low\"\t\"uncertainty_high\"\n"
	       "10\t10\t0.5\t900\t2000\t1500\t2500\t6000\t1\t0.7\t1\t0.8\t0.2\t0.1\t0.5\t0.2\t"
	       "260\t200\t320\t%s\n";
/* Writes tables/TABLE.tsv, as commands leave it. */
static void table_put(const char *table, const char *text)
{
	char path[64];
	snprintf(path, sizeof path, "tables/%s.tsv", table);
	file_write(path, text);
}

/* The usual players, who are known from this table. */
#define ONE_BOARD MEAN(A, "3x4", "12", "400", "300", "500") MEAN(B, "3x4", "12", "40", "30", "50")

/* Leaves one row of each player, for a test that does not look at the usual figures. */
static void tables_empty(void)
{
	table_put("tiles", TILES);
	table_put("scores", SCORES);
	table_put("means", MEANS ONE_BOARD);
	table_put("leads", LEADS);
}

static void assert_same_text(const char *a, const char *b)
{
	char *text = file_text(b);
	assert_file(a, text);
	free(text);
}

static void assert_writes(const char *from, const char *to)
{
	struct why why = {""};
	assert_works(figures_write(from, 0, to, &why));
}

/* How often TEXT is in the file PATH. */
static int occurrences(const char *path, const char *text)
{
	char *all = file_text(path);
	const int count = text_count(all, text);
	free(all);
	return count;
}

static void assert_shows(const char *figure, const char *text)
{
	if (!occurrences(figure, text))
		fail_msg("%s does not show %s", figure, text);
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* That the folder PATH holds the files NAMES, in strcmp()'s order, and no others. */
static void assert_holds(const char *path, const char *names)
{
	char found[1024] = "";
	struct dirent **entries;
	int n = scandir(path, &entries, visible, alphasort);

	assert_true(n >= 0);
	for (int i = 0; i < n; i++) {
		assert_true(strlen(found) + strlen(entries[i]->d_name) + 2 < sizeof found);
		strcat(strcat(found, i ? " " : ""), entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	assert_string_equal(found, names);
}

static bool has_gnuplot(void)
{
	/* Sanitizers see the same code in cli_paper.sh. */
	if (SANITIZED_SHARE > 1)
		return false;
	bool has = system("gnuplot --version >/dev/null 2>&1") == 0;
	if (!has)
		print_message("no gnuplot here: nothing to draw with\n");
	return has;
}

/*
 * From now on gnuplot draws the SVG of scripts in DRAWS, see below, and small files in place of all
 * else: these tests look at SVG. PDF: cli_figures.sh, cli_paper.sh.
 */
static int gnuplot_idle(void)
{
	static char *usual;
	char here[PATH_MAX], text[2 * PATH_MAX];
	usual = usual ? usual : strdup(getenv("PATH"));
	if (!usual || !getcwd(here, sizeof here) || mkdir("bin", 0777) != 0)
		return -1;
	snprintf(text, sizeof text,
		 "#!/bin/sh\n"
		 "name=${3##*/}\n"
		 "case ${4-}:\" ${DRAWS-$name} \" in\n"
		 "pdf:*) echo %%PDF-%%%%EOF ;;\n"
		 "svg:*\" $name \"* | :*) PATH='%s' && exec gnuplot \"$@\" ;;\n"
		 "*) echo '<?xml?></svg>' ;;\n"
		 "esac\n",
		 usual);
	file_write("bin/gnuplot", text);
	snprintf(text, sizeof text, "%s/bin:%s", here, usual);
	unsetenv("DRAWS");
	return chmod("bin/gnuplot", 0777) == 0 ? setenv("PATH", text, 1) : -1;
}

/* This test looks at pictures of these scripts alone. */
static void draws(const char *scripts)
{
	assert_int_equal(setenv("DRAWS", scripts, 1), 0);
}

/* A new folder to work in, with the tables; the scripts are the source tree's. */
static int tables_enter(void **state)
{
	if (folder_enter(state) != 0 || gnuplot_idle() != 0 || mkdir("tables", 0777) != 0 ||
	    mkdir("out", 0777) != 0)
		return -1;
	table_put("tiles", tiles);
	table_put("scores", scores);
	table_put("curve", CURVE);
	table_put("means", means);
	table_put("leads", LEADS);
	return setenv("NXN_PLOTS", PLOTS_SOURCE_DIR, 1);
}

static void a_figure_comes_with_its_script_and_tables(void **state)
{
	(void)state;
	static const char *const names[] = {"tiles", "scores", "means"};
	if (!has_gnuplot())
		return;
	assert_writes("tables", "out/figures");
	assert_holds("out/figures", "means.gp means.pdf means.svg means.tsv "
				    "scores.gp scores.pdf scores.svg scores.tsv "
				    "sizes.gp sizes.pdf sizes.svg "
				    "tiles.gp tiles.pdf tiles.svg tiles.tsv");
	/* Labels are shown as they are, and the table beside a figure has blocks. */
	assert_shows("out/figures/tiles.svg", ">" A "<");
	assert_shows("out/figures/tiles.svg", ">" B "<");
	assert_shows("out/figures/tiles.svg", ">3x4<");
	assert_file("out/figures/means.tsv", means_in_blocks);
	/* Equal tables give equal bytes, and without the variable the source has the scripts. */
	assert_int_equal(unsetenv("NXN_PLOTS"), 0);
	assert_writes("tables", "again");
	/* The script beside a figure draws it again. */
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char command[256], figure[64], again[64];
		snprintf(figure, sizeof figure, "out/figures/%s.svg", names[i]);
		snprintf(again, sizeof again, "again/%s.svg", names[i]);
		assert_same_text(figure, again);
		assert_int_equal(unlink(figure), 0);
		snprintf(command, sizeof command, "cd out/figures && gnuplot -d %s.gp", names[i]);
		assert_int_equal(system(command), 0);
		assert_same_text(figure, again);
	}
}

static void a_training_curve_is_drawn_when_there_is_one(void **state)
{
	(void)state;
	if (!has_gnuplot())
		return;
	draws("curve.gp learning.gp");
	tables_empty();
	table_put("curve", CURVE CURVE_ROW("3x4", A, "0", "100", "NaN")
			       CURVE_ROW("3x4", A, "1000", "1500", "NaN"));
	assert_writes("tables", "out");
	assert_int_equal(access("out/curve.pdf", R_OK), 0);
	assert_int_equal(access("out/learning.pdf", R_OK), 0);
	assert_shows("out/curve.svg", ">training games<");
	assert_shows("out/learning.svg", ">training games<");
	assert_shows("out/learning.svg", ">3x4: share reaching 1024<");
	/* A learner that was trained elsewhere has one point, and that is no curve. */
	table_put("curve", CURVE CURVE_ROW("3x4", A, "1000", "1500", "NaN"));
	assert_writes("tables", "out");
	assert_int_equal(access("out/curve.svg", F_OK), -1);
	assert_int_equal(access("out/learning.svg", F_OK), -1);
}

static void axes_and_marks_fit_what_there_is(void **state)
{
	(void)state;
	if (!has_gnuplot())
		return;
	draws("curve.gp learning.gp scores.gp");
	/*
	 * 46 points, 12 of them marked, and one mark in the key; shares of 0, at most 0.07: an
	 * axis to 0.2.
	 */
	char table[1 << 14] = CURVE, row[128];
	for (int i = 1; i <= 46; i++) {
		snprintf(
		    row, sizeof row,
		    OF("3x4", A) "%d\t5\t100\t80\t120\t90\t2000\t0\t0\t0.5\t1\t1024\t0\t0\t0.07\n",
		    10 * i);
		strcat(table, row);
	}
	table_put("curve", table);
	assert_writes("tables", "out");
	assert_int_equal(occurrences("out/curve.svg", " transform='translate("), 13);
	assert_shows("out/learning.svg", ">0.1<");
	assert_int_equal(occurrences("out/learning.svg", ">0.5<"), 0);
	assert_int_equal(occurrences("out/learning.svg", ">in no game<"), 1);
	/* Scores from 800 to 20000: a logarithmic axis from 500 to 50k. */
	assert_shows("out/scores.svg", ">500<");
	assert_shows("out/scores.svg", ">50k<");
	assert_int_equal(occurrences("out/scores.svg", ">100<"), 0);
}

static void many_players_have_rows_and_panels_of_six(void **state)
{
	(void)state;
	if (!has_gnuplot())
		return;
	draws("curve.gp learning.gp tiles.gp means.gp");
	tables_empty();
	char curve[1 << 12] = CURVE, tile[1 << 12] = TILES, mean[1 << 12] = MEANS, row[256];
	for (int i = 0; i < 9; i++) {
		snprintf(row, sizeof row,
			 CURVE_ROW("4x4", "L%d", "10", "100", "1")
			     CURVE_ROW("4x4", "L%d", "20", "100", "2"),
			 i, i);
		strcat(curve, row);
		snprintf(row, sizeof row, OF("4x4", "L%d") "64\t0.5\t0.4\t0.6\n", i);
		strcat(tile, row);
		snprintf(row, sizeof row, MEAN("L%d", "4x4", "16", "400", "300", "500"), i);
		strcat(mean, row);
	}
	table_put("curve", curve);
	table_put("tiles", tile);
	table_put("means", mean);
	assert_writes("tables", "out");
	/* Names once each, at the rows. */
	for (int i = 0; i < 9; i++) {
		snprintf(row, sizeof row, ">L%d<", i);
		assert_int_equal(occurrences("out/tiles.svg", row), 1);
		assert_int_equal(occurrences("out/means.svg", row), 1);
	}
	assert_int_equal(occurrences("out/means.svg", ">4x4<"), 1);
	assert_int_equal(occurrences("out/curve.svg", ">4x4, 1/2<"), 1);
	assert_int_equal(occurrences("out/curve.svg", ">4x4, 2/2<"), 1);
	assert_shows("out/learning.svg", ">4x4, 2/2: share reaching 1024<");
}

static void learners_of_unequal_games_are_drawn_over_time(void **state)
{
	(void)state;
	if (!has_gnuplot())
		return;
	draws("curve.gp learning.gp");
	tables_empty();
	const char *const times[] = {"5", "NaN"}, *const axis[] = {">seconds of training<",
								   ">training games<"};
	for (int i = 0; i < 2; i++) {
		char text[1 << 12];
		snprintf(text, sizeof text,
			 CURVE CURVE_ROW("3x4", A, "500", "1200", "2")
			     CURVE_ROW("3x4", A, "1000", "1500", "5")
				 CURVE_ROW("3x4", B, "9000", "700", "%s"),
			 times[i]);
		table_put("curve", text);
		assert_writes("tables", "out");
		assert_shows("out/curve.svg", axis[i]);
		assert_shows("out/learning.svg", axis[i]);
	}
}

static void certainty_is_drawn_of_learners_that_tell_chances(void **state)
{
	(void)state;
	if (!has_gnuplot())
		return;
	draws("certainty.gp");
	tables_empty();
	table_put("curve", TOLD_CURVE TOLD_ROW("3x4", B, "10", "NaN\tNaN\tNaN\tNaN\tNaN\tNaN")
			       TOLD_ROW("3x4", B, "20", "NaN\tNaN\tNaN\tNaN\tNaN\tNaN"));
	assert_writes("tables", "out");
	assert_int_equal(access("out/curve.svg", R_OK), 0);
	assert_int_equal(access("out/certainty.svg", F_OK), -1);
	/* Nor is it of those that are always sure, as a search is: there is nothing to see. */
	table_put("curve", TOLD_CURVE TOLD_ROW("3x4", B, "10", "260\t240\t280\t0\t0\t0"));
	assert_writes("tables", "out");
	assert_int_equal(access("out/certainty.svg", F_OK), -1);
	table_put("curve", TOLD_CURVE TOLD_ROW("3x4", B, "10", "NaN\tNaN\tNaN\tNaN\tNaN\tNaN")
			       TOLD_ROW("4x4", A, "10", "260\t240\t280\t1.4\t1.3\t1.5")
				   TOLD_ROW("4x4", A, "20", "300\tNaN\tNaN\t1.2\tNaN\tNaN"));
	assert_writes("tables", "out");
	assert_int_equal(access("out/certainty.pdf", R_OK), 0);
	assert_shows("out/certainty.svg", ">4x4: sum of the tiles in the end<");
	assert_shows("out/certainty.svg", ">4x4: distance to certainty<");
	assert_shows("out/certainty.svg", ">" A "<");
	assert_int_equal(occurrences("out/certainty.svg", ">3x4: "), 0);
	assert_int_equal(occurrences("out/certainty.svg", ">" B "<"), 0);
}

static void moves_are_drawn_before_and_after_training(void **state)
{
	(void)state;
	if (!has_gnuplot())
		return;
	draws("moves.gp");
	tables_empty();
	table_put("moves", MOVES MOVE("4x4", B, "0", "1", "NaN"));
	assert_writes("tables", "out");
	assert_int_equal(access("out/moves.svg", F_OK), -1);
	table_put("moves",
		  MOVES MOVE("4x4", B, "0", "1", "NaN") MOVE("3x4", A, "0", "1", "1.5")
		      MOVE("3x4", A, "0", "2", "1.4") MOVE("3x4", A, "50", "1", "1.1")
			  MOVE("3x4", A, "1000", "1", "0.5") MOVE("3x4", A, "1000", "2", "0"));
	assert_writes("tables", "out");
	assert_int_equal(access("out/moves.pdf", R_OK), 0);
	assert_shows("out/moves.svg", ">3x4 " A ": untrained<");
	assert_shows("out/moves.svg", ">3x4 " A ": after 1k training games<");
	assert_shows("out/moves.svg", ">" A "<");
	assert_int_equal(occurrences("out/moves.svg", "after 50 "), 0);
	assert_int_equal(occurrences("out/moves.svg", ">" B "<"), 0);
	/* Two that do not learn have a panel each, side by side: both are at the bottom. */
	table_put("moves", MOVES MOVE("3x4", A, "0", "1", "1.5") MOVE("3x4", B, "0", "1", "1.4"));
	assert_writes("tables", "out");
	assert_int_equal(occurrences("out/moves.svg", ">move<"), 2);
}

/* The figure of the table PATH, called NAME, or NULL. */
/* Copies the table PATH of its own, and draws FIGURE of it into the folder TO. */
static enum status single_write(const struct figure *figure, double width, const char *path,
				const char *to, struct why *why)
{
	enum status status = figure_single_leave(figure, path, "single", why);
	return status ? status : figure_make(figure, width, "single", to, why);
}

static const struct figure *single_of(const char *path, const char *name)
{
	struct why why;
	const struct figure *found = figures;
	assert_int_equal(figure_single(path, &found, &why), STATUS_OK);
	assert_int_equal(found != NULL, name != NULL);
	if (found)
		assert_string_equal(found->name, name);
	return found;
}

static void the_curve_of_a_training_shows_its_largest_tiles(void **state)
{
	(void)state;
	struct why why;
	single_of("tables/tiles.tsv", NULL);
	single_of("tables/nowhere", NULL);
	single_of("tables", NULL);
	if (!has_gnuplot())
		return;
	file_write("c.tsv", training);
	assert_int_equal(
	    single_write(single_of("c.tsv", "training"), 0, "c.tsv", "out/figures", &why),
	    STATUS_OK);
	assert_holds("out/figures", "training.gp training.pdf training.svg training.tsv");
	assert_same_text("c.tsv", "out/figures/training.tsv");
	assert_shows("out/figures/training.svg", ">512 reached<");
	assert_int_equal(occurrences("out/figures/training.svg", ">1024 reached<"), 0);
}

static void the_curve_of_a_training_shows_uncertainty_where_it_is_told(void **state)
{
	(void)state;
	static const char *const uncertainties[] = {"NaN\tNaN\tNaN", "1.2\t1.1\t1.3"};
	struct why why;
	if (!has_gnuplot())
		return;
	for (int told = 0; told < 2; told++) {
		char text[1 << 12];
		snprintf(text, sizeof text, training_told, uncertainties[told]);
		file_write("c.tsv", text);
		assert_int_equal(
		    single_write(single_of("c.tsv", "training"), 0, "c.tsv", "out", &why),
		    STATUS_OK);
		assert_shows("out/training.svg", ">512 reached<");
		assert_int_equal(occurrences("out/training.svg", ">distance to certainty<"), told);
		assert_int_equal(occurrences("out/training.svg", ">sum of the tiles in the end<"),
				 told);
		assert_int_equal(occurrences("out/training.svg", ">1024 reached<"), 0);
	}
}

static void a_training_without_a_block_or_its_tiles_is_refused(void **state)
{
	(void)state;
	struct why why;
	if (!has_gnuplot())
		return;
	file_write("c.tsv", training_head);
	const struct figure *figure = single_of("c.tsv", "training");
	assert_refused(STATUS_INPUT, "no block of training games has ended",
		       single_write(figure, 0, "c.tsv", "out", &why));
	file_write("c.tsv", CURVE CURVE_ROW("3x4", A, "1000", "1500", "5"));
	single_of("c.tsv", NULL);
	assert_refused(STATUS_SYSTEM, "not a learning curve of nxn train",
		       single_write(figure, 0, "c.tsv", "out", &why));
	assert_holds("out", "training.gp training.tsv");
}

static void what_goes_wrong_is_told_and_leaves_the_figure_that_was_there(void **state)
{
	(void)state;
	static const struct {
		const char *script;
		const char *says;
	} failures[] = {
	    {"set terminal svg\nset output ARG2\nset multiplot\nplot x\nplot nothing\n",
	     "\"out/training.gp\" line 5: "},
	    {"set terminal svg\nset output ARG2\nplot x\nexit status 3\n", "status 3"},
	    {"exit\n", "training.svg: gnuplot has drawn nothing"},
	    {"set print ARG2\nprint 'words'\n", "is no whole svg picture"},
	    {"plot '/nowhere'\n", "gnuplot: "},
	};
	struct why why = {""};
	if (!has_gnuplot())
		return;
	file_write("c.tsv", training);
	const struct figure *figure = single_of("c.tsv", "training");
	assert_int_equal(setenv("NXN_PLOTS", ".", 1), 0);
	assert_refused(STATUS_SYSTEM, "training.gp: cannot read the plot script",
		       single_write(figure, 0, "c.tsv", "out", &why));
	file_write("style.gp", "");
	file_write("out/training.svg", "before");
	for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
		file_write("training.gp", failures[i].script);
		assert_int_equal(single_write(figure, 0, "c.tsv", "out", &why), STATUS_SYSTEM);
		if (!strstr(why.text, failures[i].says))
			fail_msg("\"%s\" does not say \"%s\"", why.text, failures[i].says);
		assert_null(strchr(why.text, '\n'));
		assert_holds("out", "training.gp training.svg training.tsv");
		assert_file("out/training.svg", "before");
	}
}

static void without_gnuplot_scripts_and_tables_are_left(void **state)
{
	(void)state;
	struct why why;
	char *path = strdup(getenv("PATH"));
	assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
	enum status status = figures_write("tables", 0, "out", &why);
	assert_int_equal(setenv("PATH", path, 1), 0);
	free(path);
	assert_int_equal(status, STATUS_SYSTEM);
	assert_non_null(strstr(why.text, "install gnuplot"));
	assert_holds("out", "means.tsv sizes.gp");
}

static void a_folder_without_scripts_is_an_error(void **state)
{
	(void)state;
	struct why why;
	assert_int_equal(setenv("NXN_PLOTS", "/nowhere", 1), 0);
	assert_refused(STATUS_SYSTEM, "/nowhere/sizes.gp: cannot read the plot script",
		       figures_write("tables", 0, "out", &why));
	assert_holds("out", "");
}

static void a_table_that_is_a_folder_is_an_error(void **state)
{
	(void)state;
	if (!has_gnuplot())
		return;
	draws("none");
	assert_int_equal(unlink("tables/tiles.tsv"), 0);
	assert_int_equal(mkdir("tables/tiles.tsv", 0777), 0);
	struct why why = {""};
	assert_int_equal(figures_write("tables", 0, "out", &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, "tables/tiles.tsv: is a folder; expected a file"));
}

static void a_figure_lacks_a_table_or_a_folder(void **state)
{
	(void)state;
	struct why why;
	if (!has_gnuplot())
		return;
	draws("none");
	assert_int_equal(figures_write("tables", 0, "tables/tiles.tsv", &why), STATUS_INPUT);
	assert_int_equal(unlink("tables/means.tsv"), 0);
	assert_refused(STATUS_SYSTEM, "tables/means.tsv: cannot read",
		       figures_write("tables", 0, "out", &why));
	assert_int_equal(access("out/scores.svg", F_OK), -1);
}

#define FIRST_RISES                                                                                \
	MEAN("first", "3x3", "9", "400", "300", "500")                                             \
	MEAN("first", "4x4", "16", "2000", "1800", "2200")                                         \
	MEAN("50% sure", "3x3", "9", "900", "800", "1000")

static void means_have_a_panel_for_each_board(void **state)
{
	(void)state;
	if (!has_gnuplot())
		return;
	draws("means.gp");
	tables_empty();
	table_put("means",
		  MEANS FIRST_RISES MEAN("50% sure", "4x4", "16", "50000", "40000", "60000"));
	assert_writes("tables", "out");
	/* Players have a row in each, in their order. 4x4 has decades, and so has 3x3. */
	assert_int_equal(occurrences("out/means.svg", ">first<"), 2);
	assert_int_equal(occurrences("out/means.svg", ">50% sure<"), 2);
	assert_shows("out/means.svg", ">3x3<");
	assert_shows("out/means.svg", ">4x4<");
	assert_int_equal(occurrences("out/means.svg", ">0<"), 0);
	assert_int_equal(occurrences("out/means.svg", ">500<"), 1);
	assert_int_equal(occurrences("out/means.svg", ">10k<"), 1);
	assert_int_equal(occurrences("out/means.svg", ">mean score (points, log axis)<"), 1);
	/* Without the last row, all begin at 0. */
	table_put("means", MEANS FIRST_RISES);
	assert_writes("tables", "out");
	assert_int_equal(occurrences("out/means.svg", ">0<"), 2);
	assert_int_equal(occurrences("out/means.svg", ">mean score (points)<"), 1);
}

/* What is cut out of long labels is not what tells them apart. */
static void long_labels_stay_distinct(void **state)
{
	(void)state;
	if (!has_gnuplot())
		return;
	draws("means.gp");
	tables_empty();
	table_put("means", MEANS MEAN("expectimax:depth=3,leaf=after,cutoff=0.001,value=strong",
				      "3x3", "9", "400", "300", "500")
			       MEAN("expectimax:depth=3,leaf=after,cutoff=0.01,value=strong", "3x3",
				    "9", "410", "300", "500")
				   MEAN("ntuple:tuples=4x6,stages=16384,curriculum=none,rate=tc",
					"3x3", "9", "420", "300", "500"));
	assert_writes("tables", "out");
	assert_shows("out/means.svg", ">expectimax:d...cutoff=0.001,value...<");
	assert_shows("out/means.svg", ">expectimax:d...cutoff=0.01,value=...<");
	assert_shows("out/means.svg", ">ntuple:tuples=4x6,sta...none,rate=tc<");
}

static void figures_of_an_earlier_time_go(void **state)
{
	(void)state;
	if (!has_gnuplot())
		return;
	draws("none");
	assert_writes("tables", "out");
	table_put("scores", SCORES);
	assert_writes("tables", "out");
	assert_int_equal(access("out/scores.svg", F_OK), -1);
	assert_int_equal(access("out/tiles.svg", R_OK), 0);
	figures_remove("out");
	assert_holds("out", "means.tsv scores.tsv tiles.tsv");
}

static void widths_have_units(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double inches;
	} widths[] = {{"3.4", 3.4}, {"3.4in", 3.4},	{"86.36mm", 3.4}, {"8.636cm", 3.4},
		      {"20", 20},   {"245.718pt", 3.4}, {"2", 2}};
	static const char *const refused[] = {"",   "x",   "1.9", "20.1", "3.4 in", "3.4px",
					      "-3", "nan", "inf", "1e9",  "in",	    " 3.4"};
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		double inches = 0;
		struct why why = {""};
		assert_int_equal(figure_width_read(&inches, "--width", widths[i].text, &why),
				 STATUS_OK);
		assert_true(fabs(inches - widths[i].inches) < 1e-6);
	}
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		double inches = 7;
		struct why why = {""};
		assert_refused(STATUS_INPUT, "is not a width from 2 to 20 inches",
			       figure_width_read(&inches, "--width", refused[i], &why));
		assert_true(inches == 7);
	}
}

/* The width and the height of the figure PATH, in inches. */
static void size_of(const char *path, double *width, double *height)
{
	char *svg = file_text(path);
	assert_non_null(svg);
	const char *box = strstr(svg, "viewBox=");
	assert_int_equal(sscanf(box, "viewBox=\"0 0 %lf %lf\"", width, height), 2);
	*width /= 120;
	*height /= 120;
	free(svg);
}

static void figures_fit_into_a_column(void **state)
{
	(void)state;
	static const char *const names[] = {"means", "tiles",	 "scores",
					    "curve", "learning", "certainty"};
	struct why why = {""};
	char path[64];
	double width, height, usual_width, usual_height;
	if (!has_gnuplot())
		return;
	draws("means.gp tiles.gp scores.gp curve.gp learning.gp certainty.gp");
	table_put("curve", TOLD_CURVE TOLD_ROW("3x4", A, "10", "260\t240\t280\t1\t0.9\t1.1")
			       TOLD_ROW("3x4", A, "20", "260\t240\t280\t1\t0.9\t1.1"));
	assert_writes("tables", "usual");
	assert_works(figures_write("tables", 3.4, "narrow", &why));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "narrow/%s.svg", names[i]);
		size_of(path, &width, &height);
		assert_true(width <= 3.4);
		snprintf(path, sizeof path, "usual/%s.svg", names[i]);
		size_of(path, &usual_width, &usual_height);
		/* Panels that were side by side are one below the other. */
		if (strcmp(names[i], "learning") == 0)
			assert_true(usual_width > 6.9 && height > 2 * usual_height);
	}
	/* Its script draws the same again. */
	assert_int_equal(rename("narrow/learning.svg", "before.svg"), 0);
	assert_int_equal(system("cd narrow && gnuplot -d learning.gp"), 0);
	assert_same_text("narrow/learning.svg", "before.svg");
}

static void figures_of_a_column_fit_on_its_page(void **state)
{
	(void)state;
	struct why why = {""};
	double width, height;
	if (!has_gnuplot())
		return;
	draws("learning.gp");
	tables_empty();
	table_put("curve", TOLD_CURVE TOLD_ROW("3x4", A, "10", "260\t240\t280\t1\t0.9\t1.1")
			       TOLD_ROW("3x4", A, "20", "260\t240\t280\t1\t0.9\t1.1")
				   TOLD_ROW("4x4", A, "10", "260\t240\t280\t1\t0.9\t1.1")
				       TOLD_ROW("4x4", A, "20", "260\t240\t280\t1\t0.9\t1.1"));
	assert_works(figures_write("tables", 3.4, "narrow", &why));
	size_of("narrow/learning.svg", &width, &height);
	assert_true(width <= 3.4 && height > 8.4 && height <= 8.5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tables_enter, folder_leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_figure_comes_with_its_script_and_tables),
	    TEST(a_training_curve_is_drawn_when_there_is_one),
	    TEST(axes_and_marks_fit_what_there_is),
	    TEST(many_players_have_rows_and_panels_of_six),
	    TEST(learners_of_unequal_games_are_drawn_over_time),
	    TEST(certainty_is_drawn_of_learners_that_tell_chances),
	    TEST(moves_are_drawn_before_and_after_training),
	    TEST(the_curve_of_a_training_shows_its_largest_tiles),
	    TEST(the_curve_of_a_training_shows_uncertainty_where_it_is_told),
	    TEST(a_training_without_a_block_or_its_tiles_is_refused),
	    TEST(what_goes_wrong_is_told_and_leaves_the_figure_that_was_there),
	    TEST(without_gnuplot_scripts_and_tables_are_left),
	    TEST(a_folder_without_scripts_is_an_error),
	    TEST(a_table_that_is_a_folder_is_an_error),
	    TEST(a_figure_lacks_a_table_or_a_folder),
	    TEST(means_have_a_panel_for_each_board),
	    TEST(long_labels_stay_distinct),
	    TEST(figures_of_an_earlier_time_go),
	    TEST(widths_have_units),
	    TEST(figures_fit_into_a_column),
	    TEST(figures_of_a_column_fit_on_its_page),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
