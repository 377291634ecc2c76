/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Learners that were trained several times against players that do not learn: their ratio at each
 * point of training, and the training after which both score the same (analysis/stats/crossing.c).
 *
 * A learner with a budget of time or positions, such as a search with learned values, is compared
 * with rivals of the same budget, any other learner with all.
 *
 * Point K of a training is its K-th cell. Training is measured in seconds if the log has them for
 * all points, or else in games.
 */
#include "analysis/tables/tables.h"

#include "base/text.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A point of training. */
struct crossover_row {
	const char *board, *learner, *rival, *unit;
	int cells;
	size_t trainings, games;
	double trained, seconds; /* means over trainings */
	struct interval ratio, equal;
	char after[GRID_TEXT_MAX]; /* EQUAL as text; "" if it is not known */
};

#define ROW(title, kind, member) TABLE_COLUMN(struct crossover_row, title, kind, member)

const struct table_column crossover_columns[] = {
    ROW("board", TEXT, board),
    ROW("cells", INT, cells),
    ROW("learner", TEXT, learner),
    ROW("rival", TEXT, rival),
    ROW("trainings", COUNT, trainings),
    ROW("games", COUNT, games),
    TABLE_FIXED(struct crossover_row, "trained", REAL, trained, 0),
    ROW("seconds", REAL, seconds),
    ROW("ratio", INTERVAL, ratio),
    ROW("equal", INTERVAL, equal),
    ROW("unit", TEXT, unit),
    ROW("after", CHARS, after),
    {0},
};

/* Sets *SETTING to KEY=VALUE of AGENT, up to the next comma; returns its length, 0 for none. */
static size_t setting_find(const char *agent, const char *key, const char **setting)
{
	const size_t length = strlen(key);
	for (const char *at = agent; (at = strpbrk(at, ":,")); at++)
		if (strncmp(at + 1, key, length) == 0 && at[1 + length] == '=') {
			*setting = at + 1;
			return strcspn(at + 1, ",");
		}
	return 0;
}

/* Whether RIVAL has the same budget of a move as LEARNER, or LEARNER has none. */
static bool budget_same(const struct cell *learner, const struct cell *rival)
{
	static const char *const keys[] = {"ms", "nodes"};
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		const char *a, *b;
		const size_t n = setting_find(learner->agent, keys[k], &a);
		if (n > 0 &&
		    (setting_find(rival->agent, keys[k], &b) != n || strncmp(a, b, n) != 0))
			return false;
	}
	return true;
}

/* X, a training: "2.1m", games "1200"; "<6s" for 0, ">30m" for INFINITY, by ROWS[N]. */
static void training_text(const struct crossover_row *rows, size_t n, double x,
			  char text[GRID_TEXT_MAX])
{
	const bool games = *rows->unit == 'g', inside = x > 0 && !isinf(x);
	const struct crossover_row *at = x > 0 ? &rows[n - 1] : rows;
	const char *bound = inside ? "" : x > 0 ? ">" : "<";
	x = inside ? x : games ? at->trained : at->seconds;
	if (games)
		snprintf(text, GRID_TEXT_MAX, "%s%.0f", bound, x);
	else if (x < 59.5)
		snprintf(text, GRID_TEXT_MAX, "%s%.2gs", bound, x);
	else if (x < 3570)
		snprintf(text, GRID_TEXT_MAX, "%s%.2gm", bound, x / 60);
	else
		snprintf(text, GRID_TEXT_MAX, x < 99.5 * 3600 ? "%s%.2gh" : "%s%.0fh", bound,
			 x / 3600);
}

/* The training after which ROWS[N] are equal, with bounds of the first BOUNDED; "" if unknown. */
static void after_text(const struct crossover_row *rows, size_t n, size_t bounded,
		       char text[GRID_TEXT_MAX])
{
	char value[GRID_TEXT_MAX], low[GRID_TEXT_MAX], high[GRID_TEXT_MAX];
	const struct interval equal = rows->equal;
	*text = '\0';
	if (isnan(equal.value))
		return;
	training_text(rows, n, equal.value, value);
	snprintf(text, GRID_TEXT_MAX, "%.50s", value);
	if (isnan(equal.low) || isnan(equal.high))
		return;
	training_text(rows, bounded, equal.low, low);
	training_text(rows, bounded, equal.high, high);
	snprintf(text, GRID_TEXT_MAX,
		 strcmp(low, high) == 0 ? "%.50s [%.40s]" : "%.50s [%.40s, %.40s]", value, low,
		 high);
}

/* Sets the training after which the learner and the rival of ROWS[N] are equal. */
static void equal_find(struct crossover_row *rows, size_t n)
{
	double *x = xcalloc(4 * n, sizeof *x), *value = x + n, *low = x + 2 * n, *high = x + 3 * n;
	size_t bounded = 0;
	bool timed = true;
	for (size_t k = 0; k < n; k++)
		timed = timed && rows[k].seconds > 0;
	for (size_t k = 0; k < n; k++) {
		x[k] = timed ? rows[k].seconds : rows[k].trained;
		value[k] = rows[k].ratio.value;
		low[k] = rows[k].ratio.low;
		high[k] = rows[k].ratio.high;
		bounded += bounded == k && !isnan(low[k]);
		rows[k].unit = timed ? "seconds" : "games";
	}
	/* A larger ratio reaches 1 earlier. */
	const struct interval equal = {stats_crossing(x, value, n),
				       stats_crossing(x, high, bounded),
				       stats_crossing(x, low, bounded)};
	for (size_t k = 0; k < n; k++)
		rows[k].equal = equal;
	after_text(rows, n, bounded, rows->after);
	for (size_t k = 1; k < n; k++)
		memcpy(rows[k].after, rows->after, sizeof rows->after);
	free(x);
}

/* Rows, those of a pair side by side. */
struct crossings {
	struct crossover_row *row;
	size_t n;
};

/* Adds the rows of label LEARNER, of which there are N trainings T, against RIVAL. */
static void pair_add(struct crossings *all, const char *learner, const struct one_training *t,
		     size_t n, const struct cell *rival)
{
	const size_t first = all->n;
	struct pooled_point point;
	while ((point = trainings_pool(t, n, all->n - first)).trainings > 0) {
		all->row = xgrow(all->row, all->n, sizeof *all->row);
		all->row[all->n++] = (struct crossover_row){
		    .board = rival->board,
		    .cells = rival->size,
		    .learner = learner,
		    .rival = rival->label,
		    .trainings = point.trainings,
		    .games = point.games,
		    .trained = point.trained,
		    .seconds = point.seconds,
		    .ratio = stats_quotient(point.mean, rival->mean),
		};
	}
	if (all->n > first)
		equal_find(all->row + first, all->n - first);
}

/* Returns the rows in the order of boards, learners and rivals. */
static struct crossings crossings_find(const struct summary *s)
{
	struct crossings all = {0};
	struct one_training *t = xcalloc(s->label_count, sizeof *t);
	for (size_t at = 0; at < s->board_count * s->label_count; at++) {
		const size_t board = at / s->label_count, learner = at % s->label_count;
		const size_t trainings = summary_trainings(s, board, learner, t);
		for (size_t r = 0; trainings > 1 && r < s->label_count; r++) {
			const struct cell *rival = summary_final(s, board, r);
			if (rival && rival->trained == 0 && rival->games > 0 &&
			    budget_same(t[0].cell, rival))
				pair_add(&all, s->labels[learner], t, trainings, rival);
		}
	}
	free(t);
	return all;
}

void crossover_rows(const struct table_out *out, const void *summary)
{
	struct crossings all = crossings_find(summary);
	for (size_t i = 0; i < all.n; i++)
		table_put(out, &all.row[i]);
	free(all.row);
}

/* ---- For people: pairs of which it is known where both score the same. */

static bool same_pair(const struct crossover_row *a, const struct crossover_row *b)
{
	return a->learner == b->learner && strcmp(a->rival, b->rival) == 0;
}

/* Adds the pair of ROW to GRID, with its cells on all boards of S. */
static void pair_line(struct grid *grid, const struct crossings *pairs,
		      const struct crossover_row *row, const struct summary *s)
{
	grid_add(grid, row->learner);
	grid_add(grid, row->rival);
	for (size_t b = 0; b < s->board_count; b++) {
		const char *text = "-";
		for (size_t i = 0; i < pairs->n; i++)
			if (same_pair(&pairs->row[i], row) &&
			    strcmp(pairs->row[i].board, s->boards[b].name) == 0)
				text = pairs->row[i].after;
		grid_add(grid, text);
	}
}

static void pairs_print(FILE *file, const struct crossings *pairs, const struct summary *s)
{
	struct grid grid = {.columns = 2 + (int)s->board_count, .left = 2};
	grid_add(&grid, "learner");
	grid_add(&grid, "equals");
	for (size_t b = 0; b < s->board_count; b++)
		grid_add(&grid, s->boards[b].name);
	for (size_t i = 0; i < pairs->n; i++) {
		size_t first = 0;
		while (!same_pair(&pairs->row[first], &pairs->row[i]))
			first++;
		if (first == i)
			pair_line(&grid, pairs, &pairs->row[i], s);
	}
	grid_print(file, &grid);
	putc('\n', file);
	grid_fini(&grid);
}

void crossover_print(FILE *file, const struct summary *s)
{
	struct crossings pairs = crossings_find(s);
	size_t kept = 0;
	for (size_t i = 0; i < pairs.n; i++)
		if (*pairs.row[i].after)
			pairs.row[kept++] = pairs.row[i];
	pairs.n = kept;
	if (pairs.n) {
		text_printf(file,
			    "Training after which a learner scores as much as another player, in "
			    "%s; [low, high]: 95%% interval, < and >: outside of what was trained.",
			    *pairs.row->unit == 'g' ? "games" : "processor time");
		pairs_print(file, &pairs, s);
	}
	free(pairs.row);
}
