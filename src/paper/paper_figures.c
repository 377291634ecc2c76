/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of a bundle, drawn from its own tables. */
#include "src/paper/paper.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TABLE_MAX = 1 << 26 };

/* Draws FIGURE of the folder FROM for LaTeX. */
static enum status latex_draw(const struct figure *figure, const char *from, struct why *why)
{
	char to[FOLDER_PATH_MAX], pdf[FOLDER_PATH_MAX];
	enum status status = path_format(to, why, "%s/latex", from);
	status = status ? status : figure_draw_latex(figure, from, to, why);
	status = status ? status : path_format(pdf, why, "%s/%s.pdf", to, figure->name);
	return status ? status : paper_pdf_date(pdf, why);
}

/* What FIGURE, which is drawn in the folder FROM, is called in RUN. */
static enum status figure_add(struct paper *paper, struct paper_run *run,
			      const struct figure *figure, const char *from, struct why *why)
{
	char table[FOLDER_PATH_MAX], pdf[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	struct sheet sheet;
	struct paper_item *item = &run->figures[run->figure_count];
	enum status status = path_format(table, why, "%s/%s.tsv", from, figure->tables[0]);
	status = status ? status : path_format(pdf, why, "%s/%s.pdf", from, figure->name);
	status =
	    status ? status : path_format(path, why, "figures/%s/%s.svg", run->name, figure->name);
	status = status ? status : paper_pdf_date(pdf, why);
	if (!status && paper->latex)
		status = latex_draw(figure, from, why);
	status = status ? status : sheet_read(&sheet, table, TABLE_MAX, why);
	if (status)
		return status;
	snprintf(item->name, sizeof item->name, "%s", figure->name);
	snprintf(item->path, sizeof item->path, "%.255s", path);
	paper_figure_caption(run, figure->name, &sheet, item->caption);
	run->figure_count++;
	sheet_fini(&sheet);
	return figure_draw_dark(figure, from, &item->dark, why);
}

/* Removes figures of an earlier time, so that those that are there are those that were drawn. */
static void figures_remove(const char *folder)
{
	static const char *const forms[] = {"svg", "pdf", "gp"};
	char path[FOLDER_PATH_MAX];
	for (const struct figure *f = figures; f->name; f++)
		for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
			if (path_format(path, NULL, "%s/%s.%s", folder, f->name, forms[i]) ==
			    STATUS_OK)
				unlink(path);
}

static enum status single_draw(struct paper *paper, struct paper_run *run, const char *from,
			       const char *to, struct why *why)
{
	char table[FOLDER_PATH_MAX];
	const struct figure *figure;
	enum status status = figure_single(run->source, &figure, why);
	if (status || !figure || run->table_count == 0)
		return status;
	status = path_format(table, why, "%s/%s.tsv", from, figure->name);
	status = status ? status : figure_single_write(figure, table, to, why);
	return status ? status : figure_add(paper, run, figure, to, why);
}

static enum status all_draw(struct paper *paper, struct paper_run *run, const char *from,
			    const char *to, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	figures_remove(to);
	enum status status = figures_write(from, to, why);
	for (const struct figure *f = figures; !status && f->name; f++) {
		status = path_format(path, why, "%s/%s.svg", to, f->name);
		if (!status && access(path, F_OK) == 0)
			status = figure_add(paper, run, f, to, why);
	}
	return status;
}

enum status paper_figures(struct paper *paper, struct paper_run *run, struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX], noted[FOLDER_PATH_MAX];
	enum status status = path_format(from, why, "%s/tables/%s", paper->directory, run->name);
	status =
	    status ? status : path_format(to, why, "%s/figures/%s", paper->directory, run->name);
	status = status ? status : path_format(noted, why, "figures/%s", run->name);
	if (!status)
		status = run->kind == PAPER_SINGLE ? single_draw(paper, run, from, to, why)
						   : all_draw(paper, run, from, to, why);
	if (status || run->figure_count == 0)
		return status;
	status = paper_note_all(paper, noted, why);
	if (!status && paper->latex) {
		status = path_format(noted, why, "figures/%s/latex", run->name);
		status = status ? status : paper_note_all(paper, noted, why);
	}
	return status;
}
