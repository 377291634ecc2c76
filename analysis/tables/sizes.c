/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Players across boards: the mean score of each player on each board side by side, and how the lead
 * of one over another changes with the size of the board (analysis/stats/trend.c).
 *
 * Players are sorted by the largest board that they have played, then by their means on it. The
 * text says "grows" or "shrinks" only if the interval of the trend excludes 0.
 */
#include "analysis/tables/tables.h"

#include "base/text.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BOARDS_MAX = 64 }; /* more than there are shapes */

/* The players, by the numbers of their labels. */
struct sizes {
	const struct summary *summary;
	size_t *label; /* the best first */
	size_t players;
	size_t reference; /* leads are those over this label */
};

/* The cell of LABEL on the last board that it has played; NULL: none. */
static const struct cell *last_cell(const struct summary *s, size_t label)
{
	const struct cell *last = NULL;
	for (size_t b = 0; b < s->board_count; b++) {
		const struct cell *cell = summary_player(s, b, label);
		last = cell ? cell : last;
	}
	return last;
}

/* Whether A comes before B. */
static bool player_leads(const struct cell *a, const struct cell *b)
{
	if (a->board_number != b->board_number)
		return a->board_number > b->board_number;
	return a->mean.value > b->mean.value || (isnan(b->mean.value) && !isnan(a->mean.value));
}

static void sizes_make(struct sizes *sizes, const struct summary *s)
{
	*sizes =
	    (struct sizes){.summary = s, .label = xcalloc(s->label_count, sizeof *sizes->label)};
	for (size_t k = 0; k < s->label_count; k++) {
		const struct cell *last = last_cell(s, k);
		size_t at = sizes->players;
		if (!last)
			continue;
		for (; at > 0 && player_leads(last, last_cell(s, sizes->label[at - 1])); at--)
			sizes->label[at] = sizes->label[at - 1];
		sizes->label[at] = k;
		sizes->players++;
	}
	sizes->reference = sizes->label[0];
	for (size_t k = 0; s->against && k < s->label_count; k++)
		if (strcmp(s->labels[k], s->against) == 0)
			sizes->reference = s->learners[k];
}

/* ---- Leads. */

/* The lead of one player over another on the boards that both have played. */
struct lead {
	const char *board[BOARDS_MAX];
	double cells[BOARDS_MAX];
	struct interval ratio[BOARDS_MAX];
	size_t n;
	struct interval slope;
};

static void lead_find(struct lead *lead, const struct summary *s, size_t a, size_t b)
{
	lead->n = 0;
	for (size_t i = 0; i < s->board_count; i++) {
		const struct cell *x = summary_player(s, i, a), *y = summary_player(s, i, b);
		if (!x || !y)
			continue;
		lead->ratio[lead->n] = cells_ratio(x, y);
		if (isnan(lead->ratio[lead->n].value))
			continue;
		lead->board[lead->n] = x->board;
		lead->cells[lead->n++] = x->size;
	}
	lead->slope = stats_trend(lead->cells, lead->ratio, lead->n);
}

/* A player against another one on a board, and how that changes over all boards of the two. */
struct lead_row {
	const char *label, *against, *board;
	int cells;
	struct interval ratio; /* of mean scores */
	struct interval slope; /* stats_trend() */
};

const struct table_column lead_columns[] = {
    TABLE_COLUMN(struct lead_row, "label", TEXT, label),
    TABLE_COLUMN(struct lead_row, "board", TEXT, board),
    TABLE_COLUMN(struct lead_row, "cells", INT, cells),
    TABLE_COLUMN(struct lead_row, "ratio", INTERVAL, ratio),
    TABLE_COLUMN(struct lead_row, "slope", INTERVAL, slope),
    TABLE_COLUMN(struct lead_row, "against", TEXT, against),
    {0},
};

void lead_rows(const struct table_out *out, const void *data)
{
	const struct summary *s = data;
	struct sizes sizes;
	struct lead *lead = xcalloc(1, sizeof *lead);
	sizes_make(&sizes, s);
	for (size_t k = 0; s->board_count > 1 && k < sizes.players; k++) {
		if (sizes.label[k] == sizes.reference)
			continue;
		lead_find(lead, s, sizes.label[k], sizes.reference);
		for (size_t i = 0; i < lead->n; i++)
			table_put(out, &(struct lead_row){.label = s->labels[sizes.label[k]],
							  .against = s->labels[sizes.reference],
							  .board = lead->board[i],
							  .cells = (int)lead->cells[i],
							  .ratio = lead->ratio[i],
							  .slope = lead->slope});
	}
	free(lead);
	free(sizes.label);
}

/* ---- Laws. */

/* A player on a board, and the law of the player. */
struct law_row {
	const char *label, *board;
	int cells;
	struct interval mean;
	double expected; /* the mean by the law, points */
	double residual; /* log2 of the mean less log2 of EXPECTED */
	const char *form, *rival;
	double error, rival_error;
	struct interval b;
};

#define LAW(title, kind, member) TABLE_COLUMN(struct law_row, title, kind, member)

const struct table_column law_columns[] = {
    LAW("label", TEXT, label),	LAW("board", TEXT, board),
    LAW("cells", INT, cells),	LAW("mean", INTERVAL, mean),
    LAW("law", REAL, expected), LAW("residual", REAL, residual),
    LAW("form", TEXT, form),	LAW("error", REAL, error),
    LAW("rival", TEXT, rival),	LAW("rival_error", REAL, rival_error),
    LAW("b", INTERVAL, b),	{0},
};

/* Whether a law can be fitted to CELL: log2 of the mean must be positive. */
static bool law_takes(const struct cell *cell)
{
	return cell && cell->mean.value > 1;
}

static struct law law_of(const struct summary *s, size_t label)
{
	double cells[BOARDS_MAX], mean[BOARDS_MAX];
	size_t n = 0;
	for (size_t b = 0; b < s->board_count; b++) {
		const struct cell *cell = summary_player(s, b, label);
		if (law_takes(cell)) {
			cells[n] = cell->size;
			mean[n++] = cell->mean.value;
		}
	}
	return stats_law(cells, mean, n);
}

void law_rows(const struct table_out *out, const void *data)
{
	const struct summary *s = data;
	struct sizes sizes;
	sizes_make(&sizes, s);
	for (size_t k = 0; k < sizes.players; k++) {
		const struct law law = law_of(s, sizes.label[k]);
		for (size_t b = 0; law.form && b < s->board_count; b++) {
			const struct cell *cell = summary_player(s, b, sizes.label[k]);
			if (!law_takes(cell))
				continue;
			const double expected = law_at(&law, cell->size);
			table_put(out, &(struct law_row){cell->label, cell->board, cell->size,
							 cell->mean, expected,
							 log2(cell->mean.value / expected),
							 law.form, law.rival ? law.rival : "",
							 law.error, law.rival_error, law.b});
		}
	}
	free(sizes.label);
}

/* ---- For people. */

/* X with three digits, up to 9999 as a whole number: "1094", "12.4k", "3.70M". */
static void amount_text(double x, char text[GRID_TEXT_MAX])
{
	static const char suffix[] = "kMGTPE";
	int power = 0;
	if (!(fabs(x) >= 9999.5)) {
		number_text(x, decimals_of(x), text);
		return;
	}
	for (x /= 1000; fabs(x) >= 999.5 && suffix[power + 1]; x /= 1000)
		power++;
	snprintf(text, GRID_TEXT_MAX, "%.*f%c", fabs(x) < 9.995 ? 2 : fabs(x) < 99.95, x,
		 suffix[power]);
}

/* The mean with its bounds, or with the larger distance to them in percent if BRIEF. */
static void mean_text(struct interval mean, bool brief, char text[GRID_TEXT_MAX])
{
	char low[GRID_TEXT_MAX], high[GRID_TEXT_MAX];
	amount_text(mean.value, text);
	if (isnan(mean.low))
		return;
	const size_t used = strlen(text);
	amount_text(mean.low, low);
	amount_text(mean.high, high);
	const double part =
	    100 * fmax(mean.high - mean.value, mean.value - mean.low) / fabs(mean.value);
	if (!brief || !isfinite(part))
		snprintf(text + used, GRID_TEXT_MAX - used, " [%.40s, %.40s]", low, high);
	else
		snprintf(text + used, GRID_TEXT_MAX - used, " +-%.*f%%", part < 0.95, part);
}

/* The means of players, boards side by side. */
static struct grid means_make(const struct sizes *sizes, bool brief)
{
	const struct summary *s = sizes->summary;
	struct grid grid = {.columns = (int)s->board_count + 1, .left = 1};
	char text[GRID_TEXT_MAX];
	grid_add(&grid, brief ? "mean score, +- 95%" : "mean score [95%]");
	for (size_t b = 0; b < s->board_count; b++)
		grid_add(&grid, s->boards[b].name);
	for (size_t k = 0; k < sizes->players; k++) {
		grid_add(&grid, s->labels[sizes->label[k]]);
		for (size_t b = 0; b < s->board_count; b++) {
			const struct cell *cell = summary_player(s, b, sizes->label[k]);
			strcpy(text, "-");
			if (cell)
				mean_text(cell->mean, brief, text);
			grid_add(&grid, text);
		}
	}
	return grid;
}

/* Prints the means with their bounds if all boards fit side by side that way, else briefly. */
static void means_print(FILE *file, const struct sizes *sizes)
{
	struct grid grid = means_make(sizes, false);
	if (grid_width(&grid) > text_width()) {
		grid_fini(&grid);
		grid = means_make(sizes, true);
	}
	grid_print(file, &grid);
	putc('\n', file);
	grid_fini(&grid);
}

/* Prints how the lead of A over B changes with the board, if its slope has bounds. */
static void lead_print(FILE *file, const struct lead *lead, const char *a, const char *b)
{
	char first[GRID_TEXT_MAX], last[GRID_TEXT_MAX], change[GRID_TEXT_MAX];
	const struct interval slope = lead->slope;
	const struct interval factor = {exp2(slope.value), exp2(slope.low), exp2(slope.high)};
	if (isnan(slope.low))
		return;
	const struct interval least = lead->ratio[0], most = lead->ratio[lead->n - 1];
	number_text(least.value, decimals_of(least.value), first);
	number_text(most.value, decimals_of(most.value), last);
	ratio_text(factor, decimals_of(factor.value), change);
	if (slope.low > 0 || slope.high < 0)
		text_printf(file,
			    "%s scores %s times as much as %s on %s and %s times on %s: %s %s with "
			    "the board, by a factor of %s when the cells double.",
			    a, first, b, lead->board[0], last, lead->board[lead->n - 1],
			    least.value > 1 && most.value > 1 ? "its lead" : "the ratio",
			    slope.low > 0 ? "grows" : "shrinks", change);
	else
		text_printf(file,
			    "%s scores %s times as much as %s on %s and %s times on %s: whether "
			    "that changes with the board cannot be told from these games (a factor "
			    "of %s when the cells double).",
			    a, first, b, lead->board[0], last, lead->board[lead->n - 1], change);
}

/* Prints the lead of whichever of A and B scores more on the last board, and sets LEAD to it. */
static void leader_print(FILE *file, struct lead *lead, const struct summary *s, size_t a, size_t b)
{
	lead_find(lead, s, a, b);
	const bool reversed = lead->n > 0 && lead->ratio[lead->n - 1].value < 1;
	if (reversed)
		lead_find(lead, s, b, a);
	lead_print(file, lead, s->labels[reversed ? b : a], s->labels[reversed ? a : b]);
}

/*
 * Prints how the lead between the player of reference and each of the first others changes, and how
 * many more leads there are; returns whether it printed any.
 */
static bool leads_print(FILE *file, const struct sizes *sizes)
{
	enum { LEADS = 3 };
	struct lead *lead = xcalloc(1, sizeof *lead);
	size_t printed = 0, more = 0;
	for (size_t k = 0; k < sizes->players; k++) {
		if (sizes->label[k] == sizes->reference)
			continue;
		if (printed < LEADS)
			leader_print(file, lead, sizes->summary, sizes->reference, sizes->label[k]);
		else
			lead_find(lead, sizes->summary, sizes->reference, sizes->label[k]);
		const bool known = !isnan(lead->slope.low);
		more += known && printed == LEADS;
		printed += known && printed < LEADS;
	}
	if (more)
		text_printf(file, "The table leads has %zu more such ratio%s.", more,
			    more == 1 ? "" : "s");
	free(lead);
	return printed > 0;
}

void sizes_print(FILE *file, const struct summary *s)
{
	struct sizes sizes;
	sizes_make(&sizes, s);
	if (s->board_count > 1) {
		means_print(file, &sizes);
		if (leads_print(file, &sizes))
			putc('\n', file);
	}
	free(sizes.label);
}
