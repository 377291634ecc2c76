/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures for LaTeX: gnuplot's terminal cairolatex writes OUT.tex, the text as a LaTeX picture, and
 * OUT.pdf, all the rest, which OUT.tex includes under the path that gnuplot was told. Both are drawn
 * as drafts, the path is made the name alone, and then both take their places.
 *
 * gnuplot writes the PDF file itself, and does not look whether it could. So that must have its end,
 * and all before it: where its objects are is told by their distance from the beginning.
 */
#include "src/report/figures.h"

#include "base/append.h"
#include "base/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copies LINE, with what "}{PATH}" in its \includegraphics names called NAME. */
static void line_copy(FILE *out, const char *line, const char *name)
{
	const char *include = strstr(line, "\\includegraphics[width");
	const char *path = include ? strstr(include, "]{") : NULL;
	const char *end = path ? strchr(path, '}') : NULL;
	if (end)
		fprintf(out, "%.*s%s%s", (int)(path + 2 - line), line, name, end);
	else
		fputs(line, out);
}

/* Copies the file FROM to TO with the graphics that it includes called NAME. */
static enum status text_rename(const char *from, const char *to, const char *name, struct why *why)
{
	FILE *in = fopen(from, "re"), *out = in ? fopen(to, "we") : NULL;
	char *line = NULL;
	size_t size = 0;
	enum status status = STATUS_OK;

	if (!out)
		status =
		    why_errno(why, "%s: cannot be %s", in ? to : from, in ? "written" : "read");
	while (!status && getline(&line, &size, in) > 0)
		line_copy(out, line, name);
	if (!status && (lines_cut_short(in) || ferror(out)))
		status = why_errno(why, "%s: cannot be written", to);
	free(line);
	if (in)
		fclose(in);
	if (out && fclose(out) && !status)
		status = why_errno(why, "%s: cannot be written", to);
	return status;
}

/* Refuses a PDF file with a hole: its end tells where its list of objects begins. */
static enum status picture_check(const char *path, struct why *why)
{
	char end[64] = "", word[8] = "";
	long at;
	FILE *file = fopen(path, "re");
	if (!file)
		return why_errno(why, "%s: cannot be read", path);
	if (fseek(file, -40, SEEK_END) == 0)
		end[fread(end, 1, sizeof end - 1, file)] = '\0';
	const char *told = strstr(end, "startxref");
	bool whole = told && sscanf(told, "startxref %ld", &at) == 1 && strstr(told, "%%EOF") &&
		     fseek(file, at, SEEK_SET) == 0 && fscanf(file, "%7s", word) == 1;
	/* That is a table, or since PDF 1.5 an object. */
	whole = whole && (strcmp(word, "xref") == 0 ||
			  (fscanf(file, "%*d %7s", word) == 1 && strcmp(word, "obj") == 0));
	fclose(file);
	return whole ? STATUS_OK
		     : why_set(why, STATUS_SYSTEM,
			       "%s: gnuplot could not write all of it; is the disk full?", path);
}

enum status figure_draw_latex(const char *script, const char *folder, const char *name,
			      const char *const *tables, struct why *why)
{
	char draft[FOLDER_PATH_MAX], picture[FOLDER_PATH_MAX], part[FOLDER_PATH_MAX];
	char text[FOLDER_PATH_MAX], included[FOLDER_PATH_MAX];
	enum status status = path_format(draft, why, "%s/%s.draft", folder, name);
	status = status ? status : path_format(picture, why, "%s/%s.draft.part.pdf", folder, name);
	status = status ? status : path_format(part, why, "%s/%s.tex.part", folder, name);
	status = status ? status : path_format(text, why, "%s/%s.tex", folder, name);
	status = status ? status : path_format(included, why, "%s/%s.pdf", folder, name);
	if (status)
		return status;
	status = figure_draw(script, "tex", draft, tables, why);
	status = status ? status : text_rename(draft, part, name, why);
	status = status ? status : picture_check(picture, why);
	if (!status && (rename(picture, included) != 0 || rename(part, text) != 0))
		status = why_errno(why, "%s: cannot be written", text);
	unlink(draft);
	unlink(picture);
	if (status)
		unlink(part);
	return status;
}
