/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data and figures of a bundle: logs, positions, traces, and with --models what was learned;
 * figures, drawn from the tables of the bundle.
 */
#include "src/paper/paper.h"

#include "base/append.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Copies SOURCE/FILE to data/RUN/FILE, if it is there. */
static enum status file_take(struct paper *paper, const struct paper_run *run, const char *file,
			     struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	enum status status = path_format(from, why, "%s/%s", run->source, file);
	status = status ? status : path_format(to, why, "data/%s/%s", run->name, file);
	if (status || access(from, F_OK) != 0)
		return status;
	return paper_copy(paper, from, to, why);
}

static int is_visible(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return entry->d_name[0] != '.' &&
	       !(dot && (strcmp(dot, ".tmp") == 0 || strcmp(dot, ".part") == 0 ||
			 strcmp(dot, ".lock") == 0));
}

/* Copies the files in SOURCE/FOLDER, if it is there. */
static enum status folder_take(struct paper *paper, const struct paper_run *run, const char *folder,
			       struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct stat there;
	struct dirent **entries;
	enum status status = path_format(path, why, "%s/%s", run->source, folder);
	int count = status ? 0 : scandir(path, &entries, is_visible, alphasort);
	if (count < 0)
		return errno == ENOENT ? STATUS_OK : why_errno(why, "%s: cannot be read", path);
	for (int i = 0; i < count; i++) {
		status = status ? status
				: path_format(path, why, "%s/%s/%s", run->source, folder,
					      entries[i]->d_name);
		if (!status && stat(path, &there) == 0 && S_ISREG(there.st_mode))
			status = file_take(paper, run, path + strlen(run->source) + 1, why);
		free(entries[i]);
	}
	if (count > 0)
		free(entries);
	return status;
}

/* Adds what the line "# TEXT" says to line COUNT of the provenance of RUN. */
static enum status provenance_add(struct paper_run *run, int count, char *line, struct why *why)
{
	static const char title[] = "title: ";
	line[strcspn(line, "\n")] = '\0';
	run->provenance[count] = strdup(line + 2);
	if (!run->provenance[count])
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", run->source);
	if (strncmp(line + 2, title, sizeof title - 1) == 0)
		paper_title(run, line + 2 + sizeof title - 1);
	return STATUS_OK;
}

/*
 * The `#` lines at the head of the file PATH: where the numbers of RUN come from. Some logs have
 * them below the names of their columns.
 */
static enum status provenance_take(struct paper_run *run, const char *path, struct why *why)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	int lines = 0;
	bool more = true, names = false;
	enum status status = STATUS_OK;
	if (!file)
		return why_errno(why, "%s: cannot be read", path);
	while (!status && more) {
		const bool got = getline(&line, &size, file) > 0;
		const bool note = got && strncmp(line, "# ", 2) == 0;
		if (!got && lines_cut_short(file))
			status = why_errno(why, "%s: cannot be read", path);
		more = got && lines < PAPER_LINES_MAX && (note || (lines == 0 && !names));
		names = names || !note;
		if (more && note)
			status = provenance_add(run, lines++, line, why);
	}
	free(line);
	fclose(file);
	return status;
}

static enum status single_take(struct paper *paper, struct paper_run *run, struct why *why)
{
	char to[FOLDER_PATH_MAX];
	const char *slash = strrchr(run->source, '/');
	enum status status =
	    path_format(to, why, "data/%s/%s", run->name, slash ? slash + 1 : run->source);
	status = status ? status : provenance_take(run, run->source, why);
	return status ? status : paper_copy(paper, run->source, to, why);
}

enum status paper_data(struct paper *paper, struct paper_run *run, struct why *why)
{
	static const char *const files[] = {"games.tsv", "searches.tsv", "positions.txt",
					    "gap.tsv"};
	static const char *const logs[] = {"games.tsv", "searches.tsv", "gap.tsv"}; /* by kind */
	char path[FOLDER_PATH_MAX];
	if (run->kind == PAPER_SINGLE)
		return single_take(paper, run, why);
	enum status status = path_format(path, why, "%s/%s", run->source, logs[run->kind]);
	status = status ? status : provenance_take(run, path, why);
	for (size_t i = 0; !status && i < sizeof files / sizeof *files; i++)
		status = file_take(paper, run, files[i], why);
	if (!status && *run->experiment) {
		status = path_format(path, why, "data/%s/experiment.yaml", run->name);
		status = status ? status : paper_copy(paper, run->experiment, path, why);
	}
	status = status ? status : folder_take(paper, run, "traces", why);
	return status || !paper->models ? status : folder_take(paper, run, "models", why);
}

/* ---- Figures. */

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

/* Notes the files of FIGURE, which is drawn in the folder figures/RUN. */
static enum status figure_note(struct paper *paper, const struct paper_run *run,
			       const struct figure *figure, struct why *why)
{
	static const char *const forms[] = {"svg", "pdf", "gp", "latex.tex", "latex.pdf"};
	char path[FOLDER_PATH_MAX];
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < (paper->latex ? 5 : 3); i++) {
		const char *dot = strchr(forms[i], '.');
		status = path_format(path, why, "figures/%s/%s%s.%s", run->name,
				     dot ? "latex/" : "", figure->name, dot ? dot + 1 : forms[i]);
		status = status ? status : paper_note(paper, path, why);
	}
	for (const char *const *table = figure->tables; !status && *table; table++) {
		status = path_format(path, why, "figures/%s/%s.tsv", run->name, *table);
		status = status ? status : paper_note(paper, path, why);
	}
	return status;
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
	status = figure_draw_dark(figure, from, &item->dark, why);
	return status ? status : figure_note(paper, run, figure, why);
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

/* Draws the figure of a table of its own. */
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

/* Draws the figures of all tables in the folder FROM into the folder TO. */
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
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	enum status status = path_format(from, why, "%s/tables/%s", paper->directory, run->name);
	status =
	    status ? status : path_format(to, why, "%s/figures/%s", paper->directory, run->name);
	if (status)
		return status;
	return run->kind == PAPER_SINGLE ? single_draw(paper, run, from, to, why)
					 : all_draw(paper, run, from, to, why);
}
