/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Players as bars; see page_bars.h. Places are in percent of the cell, so that bars fit in any width. */
#include "src/report/page_bars.h"

#include "src/report/html.h"

#include <math.h>
#include <string.h>

struct axis {
	bool logarithmic;
	double low, high;
};

/* In percent of the axis. */
static double place(const struct axis *axis, double x)
{
	double share = axis->logarithmic
			   ? log(fmax(x, axis->low) / axis->low) / log(axis->high / axis->low)
			   : (x - axis->low) / (axis->high - axis->low);
	return 100 * fmin(fmax(share, 0), 1);
}

static struct axis axis_of(const struct bar_row *rows, size_t count)
{
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < count; i++) {
		struct interval x = rows[i].value;
		if (x.value > 0)
			least = fmin(least, x.low > 0 ? x.low : x.value);
		most = fmax(most, fmax(x.value, isnan(x.high) ? 0 : x.high));
	}
	if (most > 0 && most / least > 30)
		return (struct axis){true, pow(10, floor(log10(least))), most * 1.1};
	return (struct axis){false, 0, most > 0 ? most * 1.02 : 1};
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
	fprintf(out, "<text x=\"%.2f%%\" y=\"12\" text-anchor=\"%s\">%g%s</text>", at,
		at < 4	  ? "start"
		: at > 94 ? "end"
			  : "middle",
		sizes[i].size > 0 ? x / sizes[i].size : x, sizes[i].letter);
}

static void whisker_write(FILE *out, const struct axis *axis, struct interval x, const char *class)
{
	double low = place(axis, x.low), high = place(axis, x.high);
	fprintf(out,
		"<g class=\"%s\"><line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"12\" y2=\"12\"/>"
		"<line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"8\" y2=\"16\"/>"
		"<line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"8\" y2=\"16\"/></g>",
		class, low, high, low, low, high, high);
}

static void bar_write(struct page_writer *w, const struct axis *axis, const struct bar_row *row)
{
	fputs("<td class=\"bar\" role=\"cell\"><svg aria-hidden=\"true\" width=\"100%\" "
	      "height=\"24\">",
	      w->out);
	tics_each(w->out, axis, tic_line);
	if (isfinite(row->value.value)) {
		fprintf(w->out,
			"<rect x=\"0\" y=\"5\" height=\"14\" rx=\"2\" width=\"%.2f%%\" fill=\"",
			place(axis, row->value.value));
		colour_write(w->out, row->colour, &w->colours);
		fputs("\"/>", w->out);
	}
	if (isfinite(row->value.low) && isfinite(row->value.high)) {
		whisker_write(w->out, axis, row->value, "halo");
		whisker_write(w->out, axis, row->value, "whisker");
	}
	fputs("</svg></td>", w->out);
}

static void value_cell_write(FILE *out, struct interval x, const char *class)
{
	fprintf(out, "<td class=\"n %s\" role=\"cell\"", class);
	if (isfinite(x.value))
		fprintf(out, " data-v=\"%.10g\"", x.value);
	putc('>', out);
	number_html(out, x);
	fputs("</td>", out);
}

static void tile_cell_write(FILE *out, const struct bar_row *row)
{
	if (!row->tile) {
		fputs("<td class=\"n more\" role=\"cell\">&#8211;</td>", out);
		return;
	}
	html_print(out, "<td class=\"n more\" role=\"cell\" data-v=\"%s\">", row->tile);
	html_print(out, "<span class=\"chip\">%s</span>", row->tile);
	fprintf(out, " <span class=\"ci\">in %.3g%% of games</span></td>", 100 * row->tile_share);
}

static void label_write(FILE *out, const struct bar_row *row)
{
	fputs("<th scope=\"row\" role=\"rowheader\">", out);
	html_breakable(out, row->label);
	if (row->trained > 0) {
		fputs(" <span class=\"about\">after ", out);
		number_html(out, (struct interval){row->trained, NAN, NAN});
		fputs(" training games</span>", out);
	}
	/* "expectimax" tells less than the label "expectimax:depth=2". */
	if (row->agent && strncmp(row->label, row->agent, strlen(row->agent)) != 0) {
		fputs(" <code>", out);
		html_breakable(out, row->agent);
		fputs("</code>", out);
	}
	fputs("</th>", out);
}

static void row_write(struct page_writer *w, const struct axis *axis, enum bars_kind kind,
		      const struct bar_row *row, bool best)
{
	FILE *out = w->out;
	fprintf(out, "<tr role=\"row\"%s>", best ? " class=\"best\"" : "");
	label_write(out, row);
	value_cell_write(out, row->value, "mean");
	bar_write(w, axis, row);
	if (kind == BARS_SCORES)
		tile_cell_write(out, row);
	else if (kind == BARS_TIMES)
		value_cell_write(out, row->time, "more ms");
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

static void head_write(FILE *out, const struct axis *axis, enum bars_kind kind)
{
	fputs("<thead role=\"rowgroup\"><tr role=\"row\">", out);
	head_cell_write(out, "text", "player");
	head_cell_write(out, "number", kind == BARS_SHARES ? "share of the optimum" : "mean score");
	fprintf(out,
		"<th scope=\"col\" role=\"columnheader\" class=\"bar\"><span class=\"unseen\">bar%s"
		"</span><svg aria-hidden=\"true\" width=\"100%%\" height=\"16\">",
		axis->logarithmic ? ", logarithmic" : "");
	tics_each(out, axis, tic_label);
	fputs("</svg></th>", out);
	if (kind == BARS_SCORES)
		head_cell_write(out, "number", "largest tile");
	else if (kind == BARS_TIMES)
		head_cell_write(out, "number", "ms a move");
	head_cell_write(out, "number", "games");
	fputs("</tr></thead>\n", out);
}

void bars_write(struct page_writer *w, const char *title, enum bars_kind kind,
		const struct bar_row *rows, size_t count)
{
	struct axis axis = axis_of(rows, count);
	html_print(w->out, "<table class=\"glance sortable\" role=\"table\" aria-label=\"%s\">",
		   title);
	head_write(w->out, &axis, kind);
	fputs("<tbody role=\"rowgroup\">\n", w->out);
	for (size_t i = 0; i < count; i++)
		row_write(w, &axis, kind, &rows[i], i == 0 && count > 1);
	fputs("</tbody></table>\n", w->out);
	if (axis.logarithmic)
		fputs("<p class=\"small\">Bars on a logarithmic axis.</p>\n", w->out);
}
