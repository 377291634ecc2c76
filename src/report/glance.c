/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparison at a glance: for each board its players, best first, by their mean scores, with
 * the largest tile and how far ahead the best is; players against the optimum by their share of
 * it; of a sweep, the settings on the front of score against time; of a duel, how it ended; of a
 * tuning, start and result.
 *
 * Nothing is computed here: the numbers are those of the tables. Colours are those of the figures
 * (plots/style.gp), by the order of players in the table means; page.css has those of a dark page.
 */
#include "src/report/page.h"

#include "analysis/tables/table.h"
#include "base/file.h"
#include "src/report/markup.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SOURCE_BYTES_MAX = 1 << 22, BOARD_MAX = 16, DUEL_NAME_MAX = 512, SOURCES = 8 };

/*
 * ---- Players as dots, in a table. Places are in percent of the cell, so that they fit in any
 * width.
 */

/* A player of a board. Texts belong to others. */
struct dot_row {
	const char *board, *label;
	const char *agent;     /* or NULL */
	struct interval value; /* in percent, if it is a share */
	double games, trained; /* NAN for games: the value is exact */
	const char *tile; /* the largest that was reached, in this share of the games; or NULL */
	double tile_share;
	struct interval time; /* milliseconds a move */
	size_t series;	      /* as plots/style.gp counts them, from 0 */
};

/* The colour of series NUMBER, as plots/style.gp has it. */
static uint32_t series_colour(size_t number)
{
	static const uint32_t colours[] = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
					   0x4d4d4d, 0x56b4e9, 0xd55e00, 0xf0e442};
	uint32_t c = colours[number % 8];
	if (number / 8 % 2 == 0)
		return c;
	return (c >> 16) * 11 / 20 << 16 | (c >> 8 & 0xff) * 11 / 20 << 8 | (c & 0xff) * 11 / 20;
}

/* What the table is of: its column of values, and the one behind the dots. */
enum dots_kind { DOTS_SCORES, DOTS_SHARES, DOTS_MEANS };

struct axis {
	bool timed; /* beside it are times per move */
	bool logarithmic;
	double low, high;
	const char *unit; /* behind its numbers */
};

/* In percent of the axis. */
static double place(const struct axis *axis, double x)
{
	double share = axis->logarithmic
			   ? log(fmax(x, axis->low) / axis->low) / log(axis->high / axis->low)
			   : (x - axis->low) / (axis->high - axis->low);
	return 100 * fmin(fmax(share, 0), 1);
}

static struct axis axis_of(enum dots_kind kind, const struct dot_row *rows, size_t count)
{
	double least = INFINITY, most = 0;
	if (kind == DOTS_SHARES)
		return (struct axis){.high = 100, .unit = "%"};
	for (size_t i = 0; i < count; i++) {
		struct interval x = rows[i].value;
		if (x.value > 0)
			least = fmin(least, x.low > 0 ? x.low : x.value);
		most = fmax(most, fmax(x.value, isnan(x.high) ? 0 : x.high));
	}
	if (most > 0 && most / least > 10)
		return (struct axis){.logarithmic = true,
				     .low = pow(10, floor(log10(least))),
				     .high = most * 1.1,
				     .unit = ""};
	return (struct axis){.high = most > 0 ? most * 1.02 : 1, .unit = ""};
}

/* The step of an axis from 0: 1, 2 or 5 times a power of ten, so that there are two to four. */
static double axis_step(double high)
{
	double power = pow(10, floor(log10(high / 5)));
	double ratio = high / 5 / power;
	return power * (ratio < 1 ? 1 : ratio < 2 ? 2 : ratio < 5 ? 5 : 10);
}

/* Calls TIC for every number on the axis. */
static void tics_each(FILE *out, const struct axis *axis,
		      void (*tic)(FILE *out, const struct axis *axis, double x))
{
	if (axis->logarithmic) {
		for (int i = 0; axis->low * pow(10, i) <= axis->high; i++)
			tic(out, axis, axis->low * pow(10, i));
	} else {
		double step = axis_step(axis->high);
		for (int i = 0; i * step <= axis->high; i++)
			tic(out, axis, i * step);
	}
}

static void tic_line(FILE *out, const struct axis *axis, double x)
{
	double at = place(axis, x);
	fprintf(out, "<line class=\"tic\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"100%%\"/>", at,
		at);
}

static void tic_label(FILE *out, const struct axis *axis, double x)
{
	static const struct {
		double size;
		const char *letter;
	} sizes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {0, ""}};
	double at = place(axis, x);
	int i = 0;
	while (x < sizes[i].size)
		i++;
	fprintf(out, "<text x=\"%.2f%%\" y=\"12\" text-anchor=\"%s\">%g%s%s</text>", at,
		at < 4	  ? "start"
		: at > 94 ? "end"
			  : "middle",
		sizes[i].size > 0 ? x / sizes[i].size : x, sizes[i].letter, axis->unit);
}

static void whisker_write(FILE *out, const struct axis *axis, struct interval x)
{
	double low = place(axis, x.low), high = place(axis, x.high);
	fprintf(out,
		"<g class=\"whisker\"><line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"12\" y2=\"12\"/>"
		"<line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"8\" y2=\"16\"/>"
		"<line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"8\" y2=\"16\"/></g>",
		low, high, low, low, high, high);
}

static void dot_write(struct page_writer *w, const struct axis *axis, const struct dot_row *row)
{
	fputs("<td class=\"dot\" role=\"cell\"><svg aria-hidden=\"true\" width=\"100%\" "
	      "height=\"24\">",
	      w->out);
	tics_each(w->out, axis, tic_line);
	if (isfinite(row->value.low) && isfinite(row->value.high))
		whisker_write(w->out, axis, row->value);
	if (isfinite(row->value.value))
		fprintf(w->out, "<circle cx=\"%.2f%%\" cy=\"12\" r=\"4.5\" fill=\"#%06x\"/>",
			place(axis, row->value.value), series_colour(row->series));
	fputs("</svg></td>", w->out);
}

/* A cell up to its text, which page.js sorts by X. */
static void cell_open(FILE *out, double x, const char *class)
{
	fprintf(out, "<td class=\"n %s\" role=\"cell\"", class);
	if (isfinite(x))
		fprintf(out, " data-v=\"%.10g\"", x);
	putc('>', out);
}

static void value_cell_write(FILE *out, struct interval x, const char *class)
{
	cell_open(out, x.value, class);
	html_number(out, x, false);
	fputs("</td>", out);
}

/* A share in percent and a time in its unit, as a terminal shows them. */
static void percent_cell_write(FILE *out, struct interval percent)
{
	char text[GRID_TEXT_MAX];
	const struct interval share = {percent.value / 100, percent.low / 100, percent.high / 100};
	if (isfinite(share.low) && isfinite(share.high))
		percent_text(share, 2, text);
	else
		share_text(share.value, 2, text);
	cell_open(out, percent.value, "mean");
	html_measure(out, text);
	fputs("</td>", out);
}

static void time_cell_write(FILE *out, struct interval ms)
{
	char text[GRID_TEXT_MAX];
	if (isfinite(ms.low) && isfinite(ms.high))
		times_text(ms, text);
	else
		time_text(ms.value, text);
	cell_open(out, ms.value, "more time");
	html_measure(out, text);
	fputs("</td>", out);
}

static void tile_cell_write(FILE *out, const struct dot_row *row)
{
	if (!row->tile) {
		fputs("<td class=\"n more\" role=\"cell\">&#8211;</td>", out);
		return;
	}
	html_print(out, "<td class=\"n more\" role=\"cell\" data-v=\"%s\">", row->tile);
	html_print(out, "<span class=\"chip\">%s</span>", row->tile);
	fprintf(out, " <span class=\"ci\">in %.0f of %.0f games</span></td>",
		row->tile_share * row->games, row->games);
}

/* Whether LABEL says all that AGENT does, which is canonical: its name and each parameter. */
static bool label_says(const char *label, const char *agent)
{
	const size_t name = strcspn(agent, ":");
	if (strcspn(label, ":") != name || strncmp(label, agent, name) != 0)
		return false;
	for (const char *at = agent + name; *at;) {
		const size_t length = 1 + strcspn(at + 1, ",");
		const char *said = label + name;
		while (*said &&
		       (strncmp(said + 1, at + 1, length - 1) != 0 || !strchr(",", said[length])))
			said += 1 + strcspn(said + 1, ",");
		if (!*said)
			return false;
		at += length;
	}
	return true;
}

static void label_write(FILE *out, const struct dot_row *row)
{
	fputs("<th scope=\"row\" role=\"rowheader\">", out);
	html_breakable(out, row->label);
	if (row->trained > 0) {
		fputs(" <span class=\"about\">after ", out);
		html_number(out, (struct interval){row->trained, NAN, NAN}, false);
		fputs(" training games</span>", out);
	}
	/* "expectimax" adds nothing to the label "expectimax:depth=2", which is the default. */
	if (row->agent && !label_says(row->label, row->agent)) {
		fputs(" <code>", out);
		html_breakable(out, row->agent);
		fputs("</code>", out);
	}
	fputs("</th>", out);
}

static void row_write(struct page_writer *w, const struct axis *axis, enum dots_kind kind,
		      const struct dot_row *row, bool best)
{
	FILE *out = w->out;
	fprintf(out, "<tr role=\"row\"%s>", best ? " class=\"best\"" : "");
	label_write(out, row);
	if (kind == DOTS_SHARES)
		percent_cell_write(out, row->value);
	else
		value_cell_write(out, row->value, "mean");
	dot_write(w, axis, row);
	if (kind == DOTS_SCORES)
		tile_cell_write(out, row);
	if (axis->timed)
		time_cell_write(out, row->time);
	if (isnan(row->games))
		fputs("<td class=\"n exact\" role=\"cell\">exact</td>", out);
	else
		value_cell_write(out, (struct interval){row->games, NAN, NAN}, "games");
	fputs("</tr>\n", out);
}

static void head_cell_write(FILE *out, const char *kind, const char *text)
{
	html_print(out, "<th scope=\"col\" role=\"columnheader\" data-kind=\"%s\">%s</th>", kind,
		   text);
}

static void head_write(FILE *out, const struct axis *axis, enum dots_kind kind)
{
	fputs("<thead role=\"rowgroup\"><tr role=\"row\">", out);
	head_cell_write(out, "text", "player");
	head_cell_write(out, "number", kind == DOTS_SHARES ? "share of the optimum" : "mean score");
	fprintf(out,
		"<th scope=\"col\" role=\"columnheader\" class=\"dot\"><span class=\"unseen\">%s"
		"</span><svg aria-hidden=\"true\" width=\"100%%\" height=\"16\">",
		axis->logarithmic ? "on a logarithmic axis" : "dot");
	tics_each(out, axis, tic_label);
	fputs("</svg></th>", out);
	if (kind == DOTS_SCORES)
		head_cell_write(out, "number", "best tile");
	if (axis->timed)
		head_cell_write(out, "number", "time per move");
	head_cell_write(out, "number", "games");
	fputs("</tr></thead>\n", out);
}

static bool rows_have_intervals(const struct dot_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (isfinite(rows[i].value.low) && isfinite(rows[i].value.high))
			return true;
	return false;
}

/*
 * Writes a table of ROWS, the best first, which is set off. The axis begins at 0; it is
 * logarithmic where values span more than a factor of 10, and a line below says
 * so. Dots and axis are for the eye alone: the numbers are in the table.
 */
static void dots_write(struct page_writer *w, const char *title, enum dots_kind kind,
		       const struct dot_row *rows, size_t count)
{
	struct axis axis = axis_of(kind, rows, count);
	for (size_t i = 0; i < count; i++)
		axis.timed |= rows[i].time.value > 0;
	html_print(w->out, "<table class=\"glance%s sortable\" role=\"table\" aria-label=\"%s\">",
		   axis.timed ? " timed" : "", title);
	head_write(w->out, &axis, kind);
	fputs("<tbody role=\"rowgroup\">\n", w->out);
	for (size_t i = 0; i < count; i++)
		row_write(w, &axis, kind, &rows[i], i == 0 && count > 1);
	fputs("</tbody></table>\n", w->out);
	const bool explains = !w->dots_explained && rows_have_intervals(rows, count);
	w->dots_explained |= explains;
	if (explains || axis.logarithmic)
		fprintf(w->out, "<p class=\"small\">%s%s%s</p>\n",
			explains ? "A dot is the estimate, the line through it the 95% interval."
				 : "",
			explains && axis.logarithmic ? " " : "",
			axis.logarithmic ? "The axis is logarithmic." : "");
}

/* ---- Boards, one after the other. */

/* The tables of a section; those that it does not have are empty. */
struct glance_tables {
	struct tsv summary, tiles, means, ratios, gap, sweep, duel, tuning;
};

/* Of dot_rows, for qsort(): best first, those without a value last. */
static int dot_row_order(const void *a, const void *b)
{
	const struct dot_row *x = a, *y = b;
	double p = x->value.value, q = y->value.value;
	if (isnan(p) || isnan(q))
		return isnan(p) - isnan(q);
	return (p < q) - (p > q);
}

/* Which series LABEL is. */
static size_t label_series(const struct glance_tables *tables, const char *label)
{
	for (size_t b = 0; b < tables->means.block_count; b++)
		if (strcmp(tables->means.blocks[b].name, label) == 0)
			return b;
	return 0;
}

/*
 * The last tile of BOARD that LABEL reached in some game, and in what share of them it was the
 * largest.
 */
static void tile_find(const struct glance_tables *tables, struct dot_row *row)
{
	size_t column;
	for (size_t b = 0; b < tables->tiles.block_count; b++) {
		const struct tsv_block *block = &tables->tiles.blocks[b];
		if (strcmp(block->name, row->board) != 0 || !tsv_find(block, row->label, &column))
			continue;
		for (size_t r = 0; r < block->rows; r++) {
			struct interval share = tsv_number(block, r, column);
			if (!(share.value > 0))
				continue;
			row->tile = tsv_cell(block, r, 0);
			row->tile_share = share.value;
		}
	}
}

/* Two players in the table of ratios. */
struct compared {
	struct interval ratio, difference; /* of the mean scores; of those of the games of both */
	double games;			   /* that both played; NAN: not told */
};

/* "A / B" of the ratios of BOARD. */
static bool ratio_find(const struct glance_tables *tables, const char *board, const char *a,
		       const char *b, struct compared *compared)
{
	size_t length = strlen(a), boards, column, difference, games;
	for (size_t i = 0; i < tables->ratios.block_count; i++) {
		const struct tsv_block *block = &tables->ratios.blocks[i];
		const char *name = block->name;
		if (strncmp(name, a, length) != 0 || strncmp(name + length, " / ", 3) != 0 ||
		    strcmp(name + length + 3, b) != 0 || !tsv_find(block, "board", &boards) ||
		    !tsv_find(block, "ratio", &column))
			continue;
		const bool told = tsv_find(block, "paired_difference", &difference) &&
				  tsv_find(block, "paired_games", &games);
		for (size_t r = 0; r < block->rows; r++) {
			if (strcmp(tsv_cell(block, r, boards), board) != 0)
				continue;
			*compared =
			    (struct compared){.ratio = tsv_number(block, r, column), .games = NAN};
			if (told) {
				compared->difference = tsv_number(block, r, difference);
				compared->games = tsv_number(block, r, games).value;
			}
			return true;
		}
	}
	return false;
}

/* Whether A and B have the same score in all their games, and these are several. */
static bool are_equal(const struct compared *c, const struct dot_row *a, const struct dot_row *b)
{
	return c->games > 1 && c->games == a->games && c->games == b->games &&
	       c->difference.value == 0 && !(c->difference.low < 0);
}

/* B / A of A / B. The interval is turned rather than made again, as in the printed table. */
static struct interval turned(struct interval ratio)
{
	return (struct interval){1 / ratio.value, 1 / ratio.high, 1 / ratio.low};
}

/* The verdict where a mean is not positive, so that there is no ratio; X is of A - B or TURNED. */
static void difference_write(FILE *out, const char *a, const char *b, struct interval x,
			     bool is_turned)
{
	if (is_turned)
		x = (struct interval){-x.value, -x.high, -x.low};
	html_print(out, "<p class=\"verdict\"><b>%s</b> scores ", a);
	html_number(out, x, false);
	html_print(out, " points more than <b>%s</b>", b);
	fprintf(out, "%s.</p>\n",
		x.low > 0 || x.high < 0 ? "" : ": the interval includes 0, so it is undecided");
}

/* Writes how far ahead the best player is, if the table of ratios has it. */
static void verdict_write(FILE *out, const struct glance_tables *tables, const struct dot_row *best,
			  const struct dot_row *second)
{
	struct compared found;
	const bool is_turned = ratio_find(tables, best->board, second->label, best->label, &found);
	if (!is_turned && !ratio_find(tables, best->board, best->label, second->label, &found))
		return;
	if (are_equal(&found, best, second)) {
		html_print(out, "<p class=\"verdict\"><b>%s</b> and <b>%s</b> have the same score ",
			   best->label, second->label);
		fprintf(out, "in all %.0f games.</p>\n", found.games);
		return;
	}
	if (isnan(found.ratio.value)) {
		difference_write(out, best->label, second->label, found.difference, is_turned);
		return;
	}
	const struct interval ratio = is_turned ? turned(found.ratio) : found.ratio;
	if (isnan(ratio.value))
		return;
	html_print(out, "<p class=\"verdict\"><b>%s</b> scores ", best->label);
	html_number(out, ratio, false);
	html_print(out, " times as much as <b>%s</b>", second->label);
	bool sure = ratio.low > 1 || ratio.high < 1;
	fprintf(out, "%s.</p>\n", sure ? "" : ": the interval includes 1, so it is undecided");
}

static void board_write(struct page_writer *w, const struct glance_tables *tables,
			struct dot_row *rows, size_t count)
{
	qsort(rows, count, sizeof *rows, dot_row_order);
	html_print(w->out, "<h4>%s</h4>\n", rows->board);
	if (count > 1)
		verdict_write(w->out, tables, &rows[0], &rows[1]);
	dots_write(w, rows->board, rows->tile ? DOTS_SCORES : DOTS_MEANS, rows, count);
}

/* Row R of a summary; false if that has not the columns for it. */
static bool row_read(const struct glance_tables *tables, const struct tsv_block *block, size_t r,
		     struct dot_row *row)
{
	size_t board, label, agent, trained, games, mean, ms;
	if (!tsv_find(block, "board", &board) || !tsv_find(block, "label", &label) ||
	    !tsv_find(block, "agent", &agent) || !tsv_find(block, "trained", &trained) ||
	    !tsv_find(block, "games", &games) || !tsv_find(block, "mean", &mean))
		return false;
	*row = (struct dot_row){
	    .board = tsv_cell(block, r, board),
	    .label = tsv_cell(block, r, label),
	    .agent = tsv_cell(block, r, agent),
	    .value = tsv_number(block, r, mean),
	    .games = tsv_number(block, r, games).value,
	    .trained = tsv_number(block, r, trained).value,
	};
	/* Without bounds: beside a score, the order of size will do. */
	if (tsv_find(block, "ms_per_move", &ms))
		row->time = (struct interval){tsv_number(block, r, ms).value, NAN, NAN};
	row->series = label_series(tables, row->label);
	tile_find(tables, row);
	return true;
}

/* Adds ROW; one of the same board and label is replaced by the later in training. */
static size_t row_add(struct dot_row *rows, size_t count, const struct dot_row *row)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(rows[i].board, row->board) != 0 ||
		    strcmp(rows[i].label, row->label) != 0)
			continue;
		if (!(row->trained < rows[i].trained))
			rows[i] = *row;
		return count;
	}
	rows[count] = *row;
	return count + 1;
}

/*
 * Writes ROWS board after board, in the order in which these first come; sorts them.
 */
static void boards_write(struct page_writer *w, const struct glance_tables *tables,
			 struct dot_row *rows, size_t count)
{
	while (count > 0) {
		size_t same = 1;
		for (size_t i = 1; i < count; i++) {
			if (strcmp(rows[i].board, rows->board) != 0)
				continue;
			struct dot_row row = rows[i];
			memmove(&rows[same + 1], &rows[same], (i - same) * sizeof *rows);
			rows[same++] = row;
		}
		board_write(w, tables, rows, same);
		rows += same;
		count -= same;
	}
}

/* The same for the table summary, each player after its last training. */
static enum status summary_write(struct page_writer *w, const struct glance_tables *tables)
{
	const struct tsv_block *block = tables->summary.blocks;
	struct dot_row *rows = calloc(block->rows + 1, sizeof *rows), row;
	size_t count = 0;
	if (!rows)
		return why_errno(w->why, "%s", w->directory);
	for (size_t r = 0; r < block->rows; r++)
		if (row_read(tables, block, r, &row))
			count = row_add(rows, count, &row);
	boards_write(w, tables, rows, count);
	free(rows);
	return STATUS_OK;
}

/* ---- The other kinds of runs. */

static bool gap_row_read(const struct tsv_block *block, size_t r, struct dot_row *row)
{
	size_t agent, trained, games, exact, fraction;
	if (!tsv_find(block, "agent", &agent) || !tsv_find(block, "trained", &trained) ||
	    !tsv_find(block, "games", &games) || !tsv_find(block, "exact", &exact) ||
	    !tsv_find(block, "fraction", &fraction))
		return false;
	const struct interval share = tsv_number(block, r, fraction);
	*row = (struct dot_row){
	    .label = tsv_cell(block, r, agent),
	    .value = {100 * share.value, 100 * share.low, 100 * share.high},
	    .games = tsv_number(block, r, games).value,
	    .trained = tsv_number(block, r, trained).value,
	    .series = r,
	};
	if (tsv_number(block, r, exact).value == 1)
		row->value.low = row->value.high = row->games = NAN;
	return true;
}

static enum status gap_write(struct page_writer *w, const struct tsv_block *block)
{
	size_t count = 0;
	struct dot_row *rows = calloc(block->rows + 1, sizeof *rows);
	if (!rows)
		return why_errno(w->why, "%s", w->directory);
	for (size_t r = 0; r < block->rows; r++)
		count += gap_row_read(block, r, &rows[count]);
	qsort(rows, count, sizeof *rows, dot_row_order);
	if (count > 0)
		dots_write(w, "share of the optimum", DOTS_SHARES, rows, count);
	free(rows);
	return STATUS_OK;
}

/* Cuts "3x3 A / B", a duel's name, into its words, in NAME. False for anything else. */
static bool duel_name_cut(char *name, char *words[3])
{
	char *space = strchr(name, ' '), *slash = space ? strstr(space, " / ") : NULL;
	if (!slash)
		return false;
	*space = *slash = '\0';
	words[0] = name;
	words[1] = space + 1;
	words[2] = slash + 3;
	return true;
}

/* The last look of a duel: both players, their ratio, the decision. False if BLOCK is no duel. */
static bool duel_write(struct page_writer *w, const struct tsv_block *block)
{
	char name[2 * DUEL_NAME_MAX], *words[3];
	size_t games, a, b, ratio, decision;
	snprintf(name, sizeof name, "%s", block->name);
	if (!duel_name_cut(name, words) || !tsv_find(block, "games", &games) ||
	    !tsv_find(block, "a", &a) || !tsv_find(block, "b", &b) ||
	    !tsv_find(block, "ratio", &ratio) || !tsv_find(block, "verdict", &decision))
		return false;
	const size_t last = block->rows - 1;
	const char *decided = tsv_cell(block, last, decision);
	struct dot_row rows[2];
	for (size_t i = 0; i < 2; i++)
		rows[i] = (struct dot_row){
		    .board = words[0],
		    .label = words[1 + i],
		    .value = tsv_number(block, last, i == 0 ? a : b),
		    .games = tsv_number(block, last, games).value,
		    .series = i,
		};
	qsort(rows, 2, sizeof *rows, dot_row_order);
	struct interval x = tsv_number(block, last, ratio);
	if (x.value < 1)
		x = turned(x);
	html_print(w->out, "<h4>%s</h4>\n<p class=\"verdict\"><b>%s</b> scores ", words[0],
		   rows[0].label);
	if (isnan(x.value))
		fputs("more than", w->out);
	else
		html_number(w->out, x, false);
	html_print(w->out, "%s <b>%s</b>%s.</p>\n", isnan(x.value) ? "" : " times as much as",
		   rows[1].label,
		   strcmp(decided, "equal") == 0 ? ": they are equal within the bound of the duel"
		   : *decided			 ? ""
						 : ": the duel ended undecided");
	dots_write(w, words[0], DOTS_MEANS, rows, 2);
	return true;
}

/*
 * A cell of a sweep that has games, with the time that its front is judged by; FRONT: if no other
 * beats it in both score and time.
 */
static bool sweep_row_read(const struct tsv_block *block, const char *board, size_t r, bool front,
			   struct dot_row *row)
{
	size_t agent, games, score, ms, is_front;
	if (!tsv_find(block, "agent", &agent) || !tsv_find(block, "games", &games) ||
	    !tsv_find(block, "score", &score) || !tsv_find(block, "ms", &ms) ||
	    !tsv_find(block, "front", &is_front) || isnan(tsv_number(block, r, score).value) ||
	    (front && tsv_number(block, r, is_front).value != 1))
		return false;
	*row = (struct dot_row){
	    .board = board,
	    .label = tsv_cell(block, r, agent),
	    .value = tsv_number(block, r, score),
	    .games = tsv_number(block, r, games).value,
	    .time = tsv_number(block, r, ms),
	};
	return true;
}

/* Room for the rows of all blocks of a sweep, and for their boards. */
struct sweep_rows {
	struct dot_row *rows;
	char (*boards)[BOARD_MAX]; /* the first words of the blocks' names */
	size_t count;
};

static void sweep_read(const struct tsv *tsv, bool front, struct sweep_rows *all)
{
	all->count = 0;
	for (size_t b = 0; b < tsv->block_count; b++) {
		const struct tsv_block *block = &tsv->blocks[b];
		snprintf(all->boards[b], BOARD_MAX, "%.*s", (int)strcspn(block->name, " "),
			 block->name);
		for (size_t r = 0; r < block->rows; r++)
			all->count +=
			    sweep_row_read(block, all->boards[b], r, front, &all->rows[all->count]);
	}
}

/* The settings on the front; all that have scores where times are not known. */
static enum status sweep_write(struct page_writer *w, const struct glance_tables *tables)
{
	size_t rows = 0;
	const struct tsv *tsv = &tables->sweep;
	for (size_t b = 0; b < tsv->block_count; b++)
		rows += tsv->blocks[b].rows;
	struct sweep_rows all = {.rows = calloc(rows + 1, sizeof *all.rows),
				 .boards = calloc(tsv->block_count + 1, sizeof *all.boards)};
	enum status status =
	    all.rows && all.boards ? STATUS_OK : why_errno(w->why, "%s", w->directory);
	if (!status) {
		const char *text =
		    "The settings that no other beats in both score and time of a move.";
		sweep_read(tsv, true, &all);
		if (all.count == 0) {
			sweep_read(tsv, false, &all);
			text = all.count ? "All settings that played games: times were not "
					   "recorded, so none is on a front of score against time."
					 : "No setting has played games, so there are no scores; "
					   "the figures and tables below have the searches.";
		}
		html_print(w->out, "<p class=\"small\">%s</p>\n", text);
		boards_write(w, tables, all.rows, all.count);
	}
	free(all.rows);
	free(all.boards);
	return status;
}

/* ---- A tuning: the start and the result on the same held-out games. */

/* Held-out games of each, NAN if that is not told. */
static double held_out_games(const struct tsv *tsv)
{
	static const char words[] = "held-out games ";
	for (const char *const *note = tsv->notes; *note; note++) {
		const char *at = strncmp(*note, "tuning: ", 8) == 0 ? strstr(*note, words) : NULL;
		if (at)
			return strtod(at + sizeof words - 1, NULL);
	}
	return NAN;
}

/* False if TSV is no tuning, or one of which no generation was held against the start yet. */
static bool tuning_write(struct page_writer *w, const struct tsv *tsv)
{
	const struct tsv_block *block = tsv->blocks;
	size_t held_out, ratio, generation, last = 0;
	if (!tsv_find(block, "held_out", &held_out) || !tsv_find(block, "ratio", &ratio) ||
	    !tsv_find(block, "generation", &generation))
		return false;
	for (size_t r = 1; r < block->rows; r++)
		last = isfinite(tsv_number(block, r, held_out).value) ? r : last;
	if (last == 0)
		return false;
	char label[48];
	snprintf(label, sizeof label, "after %.0f generations",
		 tsv_number(block, last, generation).value);
	struct dot_row rows[2] = {{.label = "start"}, {.label = label, .series = 1}};
	for (size_t i = 0; i < 2; i++) {
		rows[i].value = tsv_number(block, i ? last : 0, held_out);
		rows[i].games = held_out_games(tsv);
	}
	const struct interval x = tsv_number(block, last, ratio);
	fputs("<p class=\"verdict\">On held-out games the tuned parameters score ", w->out);
	html_number(w->out, x, false);
	fprintf(w->out, " times as much as those at the start%s.</p>\n",
		x.low > 1    ? ""
		: x.high < 1 ? ": they are worse"
			     : ": the interval includes 1, so no improvement is shown");
	qsort(rows, 2, sizeof *rows, dot_row_order);
	dots_write(w, "start and result", DOTS_MEANS, rows, 2);
	return true;
}

/*
 * Reads the table NAME of a section; leaves TSV empty if there is none, or one that is too
 * large.
 */
static enum status source_read(struct page_writer *w, const struct page_run *run, const char *name,
			       struct tsv *tsv)
{
	char path[FOLDER_PATH_MAX];
	for (size_t i = 0; i < run->table_count; i++) {
		if (strcmp(run->tables[i].name, name) != 0)
			continue;
		enum status status =
		    path_format(path, w->why, "%s/%s", w->directory, run->tables[i].path);
		struct stat file;
		if (status || (stat(path, &file) == 0 && file.st_size > SOURCE_BYTES_MAX))
			return status;
		return tsv_read(tsv, path, SOURCE_BYTES_MAX, w->why);
	}
	return STATUS_OK;
}

static bool has_rows(const struct tsv *tsv)
{
	return tsv->block_count > 0 && tsv->blocks->rows > 0;
}

static void nothing_write(struct page_writer *w, const struct page_run *run)
{
	fputs("<p>No players are compared here: see <a href=\"#run-", w->out);
	html_word(w->out, run->name);
	fputs("\">its figures</a>.</p>\n", w->out);
}

/*
 * Writes what the head of a table says of the whole run: how far one that was stopped came, and
 * which settings a sweep recommends; whether it says something.
 */
static bool notes_write(struct page_writer *w, const struct tsv *tsv)
{
	static const struct {
		const char *key, *title, *end;
	} kinds[] = {{"unfinished: ", "Unfinished:", ". The same command does the rest."},
		     {"counted: ", "Counted:", "."},
		     {"recommended: ", "Recommended:", "."}};
	bool said = false;
	for (const char *const *note = tsv->notes; note && *note; note++)
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
			const size_t length = strlen(kinds[i].key);
			if (strncmp(*note, kinds[i].key, length) != 0)
				continue;
			html_print(w->out, "<p class=\"verdict\"><b>%s</b> %s%s</p>\n",
				   kinds[i].title, *note + length, kinds[i].end);
			said = true;
		}
	return said;
}

static enum status players_write(struct page_writer *w, const struct page_run *run,
				 const struct glance_tables *s)
{
	if (has_rows(&s->summary))
		return summary_write(w, s);
	if (has_rows(&s->gap))
		return gap_write(w, s->gap.blocks);
	if (has_rows(&s->duel) && duel_write(w, s->duel.blocks))
		return STATUS_OK;
	if (has_rows(&s->tuning) && tuning_write(w, &s->tuning))
		return STATUS_OK;
	if (has_rows(&s->sweep))
		return sweep_write(w, s);
	nothing_write(w, run);
	return STATUS_OK;
}

enum status glance_write(struct page_writer *w, const struct page_run *run, const char *title)
{
	static const char *const names[SOURCES] = {"summary", "tiles", "means", "ratios",
						   "gap",     "sweep", "duel",	"tuning"};
	struct glance_tables s = {0};
	struct tsv *read[SOURCES] = {&s.summary, &s.tiles, &s.means, &s.ratios,
				     &s.gap,	 &s.sweep, &s.duel,  &s.tuning};
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < SOURCES; i++)
		status = source_read(w, run, names[i], read[i]);
	fputs("<section class=\"card\">", w->out);
	if (title)
		html_print(w->out, "<h3>%s</h3>\n", title);
	for (size_t i = 0; !status && i < SOURCES && !notes_write(w, read[i]); i++)
		continue;
	if (!status)
		status = players_write(w, run, &s);
	fputs("</section>\n", w->out);
	for (size_t i = 0; i < SOURCES; i++)
		tsv_fini(read[i]);
	return status;
}
