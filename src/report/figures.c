/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures: which there are, and the files that they consist of; src/report/gnuplot.c draws them.
 *
 * The script left beside a figure is the installed one with the style that it loads in its place,
 * so that an author can take three files away and restyle them. It is also the one that draws the
 * figure: what is left behind is what was drawn.
 */
#include "src/report/figures.h"

#include "base/append.h"
#include "base/file.h"
#include "src/cli/data_dir.h"
#include "src/report/texts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct figure figures[] = {
    {"tiles", "tiles", {"tiles"}, NULL},
    {"scores", "scores", {"scores", "sizes"}, NULL},
    {"curve", "curve", {"curve", "sizes"}, NULL},
    {"learning", "learning", {"curve", "sizes"}, NULL},
    {"certainty", "certainty", {"curve", "sizes"}, "doubt"},
    {"moves", "moves", {"moves", "sizes"}, "doubt"},
    {"sizes", "sizes", {"sizes", "ratios"}, NULL},
    {"sweep", "sweep", {"sweep"}, NULL},
    {"boards", "sweep", {"boards"}, NULL},
    {"pareto", "pareto", {"pareto"}, NULL},
    {"gap", "gap", {"gap"}, NULL},
    {"gap-phase", "gap-phase", {"gap-phase"}, NULL},
    {"gap-learning", "gap-learning", {"gap-learning", "gap-phase"}, NULL},
    {"duel", "duel", {"duel"}, "ratio_low"},
    {NULL, NULL, {NULL}, NULL},
};

const struct figure figures_single[] = {
    {"training", "training", {"training"}, NULL},
    {"tuning", "tuning", {"tuning"}, NULL},
    {NULL, NULL, {NULL}, NULL},
};

enum status figures_folder(char path[FOLDER_PATH_MAX], struct why *why)
{
	const char *folder = getenv("NXN_PLOTS");
	if (folder && *folder)
		return path_format(path, why, "%s", folder);
	return data_dir_find(DATA_DIR_PLOTS, path, why);
}

/* The number of the column NAME in a row of quoted column names, or -1. */
static int column_find(char *names, const char *name)
{
	int number = 0;

	for (char *at; (at = strsep(&names, "\t\n")); number++)
		if (*at == '"' && strncmp(at + 1, name, strlen(name)) == 0 &&
		    strcmp(at + 1 + strlen(name), "\"") == 0)
			return number;
	return -1;
}

/* Whether a ROW has a number in the column NUMBER that is not 0. */
static bool row_has_number(char *row, int number)
{
	char *field = NULL;

	for (int i = 0; i <= number; i++)
		field = strsep(&row, "\t\n");
	return number >= 0 && field && *field && strcmp(field, "NaN") != 0 &&
	       strtod(field, NULL) != 0;
}

/*
 * Whether a table has a row below a row of column names, with a number in COLUMN that is not 0 unless it is NULL;
 * one that is not there has none.
 */
static enum status table_has_rows(const char *path, const char *column, bool *has, struct why *why)
{
	FILE *file = fopen(path, "r");
	enum status status = STATUS_OK;
	char *line = NULL;
	size_t size = 0;
	int rows = 0, number = -1; /* rows one below the other; that of the column */

	*has = false;
	if (!file)
		return errno == ENOENT ? STATUS_OK : why_errno(why, "%s: cannot read", path);
	while (!*has && getline(&line, &size, file) > 0) {
		rows = *line == '#' || *line == '\n' ? 0 : rows + 1;
		if (rows == 1 && column)
			number = column_find(line, column);
		else if (rows > 1)
			*has = !column || row_has_number(line, number);
	}
	if (!*has && lines_cut_short(file))
		status = why_errno(why, "%s: cannot read", path);
	free(line);
	fclose(file);
	return status;
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Leaves the script of FIGURE in the folder TO, as NAME.gp. */
static enum status script_leave(const struct figure *figure, const char *to, struct why *why)
{
	char folder[FOLDER_PATH_MAX], script[FOLDER_PATH_MAX], style[FOLDER_PATH_MAX],
	    path[FOLDER_PATH_MAX];
	enum status status = figures_folder(folder, why);
	if (!status)
		status = path_format(script, why, "%s/%s.gp", folder, figure->script);

	status = status ? status : path_format(style, why, "%s/style.gp", folder);
	status = status ? status : path_format(path, why, "%s/%s.gp", to, figure->name);
	if (status)
		return status;
	if (access(script, R_OK) != 0)
		return why_errno(
		    why, "%s: cannot read the plot script (NXN_PLOTS names its folder)", script);
	return text_copy(script, style, path, why);
}

/* Leaves the table SOURCE in the folder TO as NAME.tsv. */
static enum status table_leave(const char *source, const char *name, const char *to,
			       struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = path_format(path, why, "%s/%s.tsv", to, name);
	if (status || same_file(source, path))
		return status;
	return text_copy(source, NULL, path, why);
}

/* Draws FIGURE in the folder TO, where its script and tables are. */
static enum status formats_draw(const struct figure *figure, const char *to, struct why *why)
{
	static const char *const formats[] = {"svg", "pdf"};
	char paths[FIGURE_TABLES_MAX][FOLDER_PATH_MAX];
	const char *tables[FIGURE_TABLES_MAX + 1] = {NULL};
	char script[FOLDER_PATH_MAX], out[FOLDER_PATH_MAX];
	enum status status = path_format(script, why, "%s/%s.gp", to, figure->name);

	for (int i = 0; !status && figure->tables[i]; i++) {
		status = path_format(paths[i], why, "%s/%s.tsv", to, figure->tables[i]);
		tables[i] = paths[i];
	}
	for (size_t i = 0; !status && i < sizeof formats / sizeof *formats; i++) {
		status = path_format(out, why, "%s/%s.%s", to, figure->name, formats[i]);
		status = status ? status : figure_draw(script, formats[i], out, tables, why);
	}
	return status;
}

static enum status figure_write(const struct figure *figure, const char *from, const char *to,
				struct why *why)
{
	char source[FOLDER_PATH_MAX];
	enum status status = script_leave(figure, to, why);

	for (int i = 0; !status && figure->tables[i]; i++) {
		status = path_format(source, why, "%s/%s.tsv", from, figure->tables[i]);
		if (!status)
			status = table_leave(source, figure->tables[i], to, why);
	}
	return status ? status : formats_draw(figure, to, why);
}

/* The next line of FILE that is no comment. *FOUND is false if there is none, or the file is a folder. */
static enum status line_find(FILE *file, const char *path, char **line, bool *found,
			     struct why *why)
{
	size_t size = 0;
	free(*line);
	*line = NULL;
	*found = false;
	while (!*found && getline(line, &size, file) > 0)
		*found = **line != '#';
	return !*found && lines_cut_short(file) && errno != EISDIR
		   ? why_errno(why, "%s: cannot be read", path)
		   : STATUS_OK;
}

enum status figure_single(const char *path, const struct figure **figure, struct why *why)
{
	/* What the row of names begins with, in the order of figures_single. */
	static const char *const first[] = {
	    "\"trained\"\t\"games\"\t\"seconds\"\t",
	    "\"generation\"\t\"best\"\t\"elite\"\t",
	};
	FILE *file = fopen(path, "re");
	char *line = NULL;
	bool names;
	*figure = NULL;
	if (!file)
		return errno == ENOENT || errno == ENOTDIR
			   ? STATUS_OK
			   : why_errno(why, "%s: cannot be read", path);
	enum status status = line_find(file, path, &line, &names, why);
	for (size_t i = 0; names && i < sizeof first / sizeof *first; i++)
		if (strncmp(line, first[i], strlen(first[i])) == 0)
			*figure = &figures_single[i];
	free(line);
	fclose(file);
	return status;
}

/* Refuses a TABLE of FIGURE that has only its names yet: gnuplot would name the copy of it, and its script. */
static enum status rows_check(const struct figure *figure, const char *table, struct why *why)
{
	FILE *file = fopen(table, "re");
	char *line = NULL;
	bool row = false;
	if (!file)
		return why_errno(why, "%s: cannot be read", table);
	enum status status = line_find(file, table, &line, &row, why);
	if (row)
		status = line_find(file, table, &line, &row, why);
	free(line);
	fclose(file);
	if (!status && !row)
		status =
		    why_set(why, STATUS_INPUT, "%s: has no rows: no %s has ended", table,
			    figure == figures_single ? "block of training games" : "generation");
	return status;
}

enum status figure_single_write(const struct figure *figure, const char *table, const char *to,
				struct why *why)
{
	enum status status = rows_check(figure, table, why);
	status = status ? status : folder_make(to, why);
	status = status ? status : script_leave(figure, to, why);
	status = status ? status : table_leave(table, figure->name, to, why);
	return status ? status : formats_draw(figure, to, why);
}

enum status figures_write(const char *from, const char *to, struct why *why)
{
	char table[FOLDER_PATH_MAX];
	bool has;
	enum status status = folder_make(to, why);

	for (const struct figure *f = figures; !status && f->name; f++) {
		status = path_format(table, why, "%s/%s.tsv", from, f->tables[0]);
		if (!status)
			status = table_has_rows(table, f->column, &has, why);
		if (!status && has)
			status = figure_write(f, from, to, why);
	}
	return status;
}
