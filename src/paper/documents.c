/* SPDX-License-Identifier: GPL-3.0-or-later */
/* README.md, main.tex and index.html of a bundle: its figures and tables with their captions. */
#include "src/paper/paper.h"

#include "src/cli/provenance.h"
#include "src/report/page.h"
#include "src/report/printed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- README.md */

static void figure_write(FILE *out, const struct paper *paper, const struct paper_item *figure)
{
	const int stem = (int)(strlen(figure->path) - strlen(".svg"));
	fprintf(out, "![%s](%s)\n\n", figure->name, figure->path);
	markdown_text(out, figure->caption);
	fprintf(out, " ([PDF](%.*s.pdf), [script](%.*s.gp)", stem, figure->path, stem,
		figure->path);
	if (paper->latex)
		fprintf(out, ", [LaTeX](%.*s/latex/%s.tex)",
			(int)(strrchr(figure->path, '/') - figure->path), figure->path,
			figure->name);
	fputs(")\n\n", out);
}

static void table_write(FILE *out, const struct paper_item *table)
{
	const int stem = (int)(strlen(table->path) - strlen(".tsv"));
	fprintf(out, "- `%s`: ", table->name);
	markdown_text(out, table->caption);
	fprintf(out, " [TSV](%s)", table->path);
	if (printed_is(table->name))
		fprintf(out, ", [LaTeX](%.*s.tex), [Markdown](%.*s.md)", stem, table->path, stem,
			table->path);
	putc('\n', out);
}

/* The first table of a run stands in the text. */
static enum status run_write(FILE *out, const struct paper *paper, const struct paper_run *run,
			     struct why *why)
{
	char path[FOLDER_PATH_MAX];
	fputs("## ", out);
	markdown_text(out, run->title);
	fputs("\n\n", out);
	enum status status = STATUS_OK;
	if (run->table_count > 0 && printed_is(run->tables[0].name)) {
		status = path_format(path, why, "%s/tables/%s/%s.md", paper->directory, run->name,
				     run->tables[0].name);
		status = status ? status : file_append(out, path, why);
		putc('\n', out);
	}
	for (size_t i = 0; i < run->figure_count; i++)
		figure_write(out, paper, &run->figures[i]);
	for (size_t i = 0; i < run->table_count; i++)
		table_write(out, &run->tables[i]);
	fprintf(out, "\nData: `data/%s/`. Its log begins:\n\n", run->name);
	for (char *const *line = run->provenance; *line; line++)
		fprintf(out, "    %s\n", *line);
	putc('\n', out);
	return status;
}

enum status paper_readme(struct paper *paper, struct why *why)
{
	FILE *out;
	enum status status = paper_create(paper, "README.md", &out, why);
	if (status)
		return status;
	fputs("# Figures and tables of games of 2048\n\n"
	      "`index.html` shows all of this. `figures/` has each figure as SVG and PDF, with the "
	      "gnuplot "
	      "script and the table that draw it: `gnuplot NAME.gp` does so again. `tables/` has "
	      "the tables, "
	      "for programs (`.tsv`, with tabs between columns) and for print; `data/` the logs "
	      "that they "
	      "were made of. `sha256sum -c SHA256SUMS` says whether all files are as they were "
	      "made, and "
	      "`nxn paper --check` with this folder plays some of the games again.\n\n"
	      "Nothing here tells when it was made: the same runs give the same files. What varies "
	      "from "
	      "machine to machine are times (columns `seconds`, `ms`, `training_seconds`), the "
	      "games of "
	      "agents that decide by the clock (`ms=`), and the lines below.\n\n",
	      out);
	if (paper->latex)
		fputs("`pdflatex main.tex` sets all figures and tables.\n\n", out);
	for (char **line = paper->provenance; *line; line++)
		fprintf(out, "    %s\n", *line);
	putc('\n', out);
	for (size_t i = 0; !status && i < paper->run_count; i++)
		status = run_write(out, paper, &paper->runs[i], why);
	return paper_finish(paper, "README.md", out, status, why);
}

/* ---- main.tex */

static const char preamble[] =
    "% pdflatex main.tex\n"
    "\\documentclass[10pt,a4paper]{article}\n"
    "\\usepackage[utf8]{inputenc}\n"
    "% A character that these fonts have not is set as a question mark, and no error.\n"
    "\\makeatletter\\def\\UTFviii@undefined@err#1{?}\\makeatother\n"
    "\\usepackage[margin=20mm]{geometry}\n"
    "\\usepackage{graphicx,color}\n"
    "% The rules of booktabs, or plain ones where that is not installed.\n"
    "\\IfFileExists{booktabs.sty}{\\usepackage{booktabs}}{%\n"
    "  "
    "\\newcommand\\toprule{\\hline}\\newcommand\\midrule{\\hline}\\newcommand\\bottomrule{\\hline}}"
    "\n"
    "% A table that is too wide is made to fit.\n"
    "\\newsavebox\\nxnbox\n"
    "\\newcommand\\nxnfit[1]{\\sbox\\nxnbox{#1}\\noindent\\ifdim\\wd\\nxnbox>\\linewidth\n"
    "  \\resizebox{\\linewidth}{!}{\\usebox\\nxnbox}\\else\\usebox\\nxnbox\\fi}\n"
    "% \\nxnfigure{FOLDER}{NAME}{CAPTION}, \\nxntable{FILE}{CAPTION}; tables may go over pages.\n"
    "\\newcommand\\nxnfigure[3]{\\begin{figure}[htbp]\\centering\n"
    "  {\\graphicspath{{#1}}\\nxnfit{\\input{#1#2.tex}}}\\caption{#3}\\end{figure}}\n"
    "\\newcommand\\nxntable[2]{\\par\\bigskip\\refstepcounter{table}%\n"
    "  \\noindent\\parbox{\\linewidth}{Table \\thetable: "
    "#2}\\par\\nobreak\\medskip{\\small\\noindent\\input{#1}}\\par}\n"
    "\\begin{document}\n";

static void run_typeset(FILE *out, const struct paper_run *run)
{
	fputs("\\section{", out);
	latex_text(out, run->title);
	fputs("}\n", out);
	for (size_t i = 0; i < run->figure_count; i++) {
		fprintf(out, "\\nxnfigure{figures/%s/latex/}{%s}{", run->name,
			run->figures[i].name);
		latex_text(out, run->figures[i].caption);
		fputs("}\n", out);
	}
	for (size_t i = 0; i < run->table_count; i++) {
		if (!printed_is(run->tables[i].name))
			continue;
		fprintf(out, "\\nxntable{tables/%s/%s.tex}{", run->name, run->tables[i].name);
		latex_text(out, run->tables[i].caption);
		fputs("}\n", out);
	}
	fputs("\\clearpage\n", out);
}

enum status paper_main(struct paper *paper, struct why *why)
{
	FILE *out;
	enum status status = paper_create(paper, "main.tex", &out, why);
	if (status)
		return status;
	fputs(preamble, out);
	for (size_t i = 0; i < paper->run_count; i++)
		run_typeset(out, &paper->runs[i]);
	fputs("\\end{document}\n", out);
	return paper_finish(paper, "main.tex", out, STATUS_OK, why);
}

/* ---- index.html (src/report/page.h) */

enum { FILES_MAX = 12 };

/* The parts of a run, as a page takes them. */
struct run_parts {
	struct page_figure figures[PAPER_ITEMS_MAX];
	struct page_table tables[PAPER_ITEMS_MAX];
	const char *files[FILES_MAX + 1];
};

/* The files of RUN in data/, but not those in folders there. */
static void files_find(const struct paper *paper, const struct paper_run *run,
		       struct run_parts *parts)
{
	char prefix[PAPER_NAME_MAX + 8];
	size_t count = 0, length = (size_t)snprintf(prefix, sizeof prefix, "data/%s/", run->name);
	for (size_t i = 0; i < paper->files.n && count < FILES_MAX; i++) {
		const char *path = paper->files.item[i];
		if (strncmp(path, prefix, length) == 0 && !strchr(path + length, '/'))
			parts->files[count++] = path;
	}
}

static struct page_section section_make(const struct paper *paper, const struct paper_run *run,
					struct run_parts *parts)
{
	for (size_t i = 0; i < run->figure_count; i++) {
		const struct paper_item *item = &run->figures[i];
		parts->figures[i] =
		    (struct page_figure){item->name, item->path, item->dark, item->caption};
	}
	for (size_t i = 0; i < run->table_count; i++) {
		const struct paper_item *item = &run->tables[i];
		parts->tables[i] =
		    (struct page_table){item->name, item->path, item->caption, i == 0};
	}
	files_find(paper, run, parts);
	return (struct page_section){
	    .name = run->name,
	    .title = run->title,
	    .figures = parts->figures,
	    .figure_count = run->figure_count,
	    .tables = parts->tables,
	    .table_count = run->table_count,
	    .provenance = (const char *const *)run->provenance,
	    .files = parts->files,
	};
}

/* What the bundle is, in a sentence. */
static void bundle_describe(const struct paper *paper, char *text, size_t size)
{
	size_t drawn = 0, tables = 0, runs = paper->run_count;
	for (size_t i = 0; i < runs; i++) {
		drawn += paper->runs[i].figure_count;
		tables += paper->runs[i].table_count;
	}
	snprintf(text, size,
		 "Results of playing 2048 by machine: %zu figure%s and %zu table%s of %zu run%s, "
		 "with the logs of the games that they were made of.",
		 drawn, drawn == 1 ? "" : "s", tables, tables == 1 ? "" : "s", runs,
		 runs == 1 ? "" : "s");
}

enum status paper_page(struct paper *paper, struct why *why)
{
	static const char *const files[] = {"README.md", "provenance.txt", "SHA256SUMS", NULL};
	static const char *const with_main[] = {"README.md", "main.tex", "provenance.txt",
						"SHA256SUMS", NULL};
	char generator[128], what[256];
	const char *const notes[] = {what, NULL};
	struct run_parts *parts = calloc(paper->run_count, sizeof *parts);
	struct page_section *sections = calloc(paper->run_count, sizeof *sections);
	enum status status = STATUS_OK;
	snprintf(generator, sizeof generator, "nxn %.100s", version_text);
	bundle_describe(paper, what, sizeof what);
	if (!parts || !sections)
		status = why_set(why, STATUS_SYSTEM, "index.html: out of memory");
	for (size_t i = 0; !status && i < paper->run_count; i++)
		sections[i] = section_make(paper, &paper->runs[i], &parts[i]);
	const struct page page = {
	    .title = paper->run_count == 1 ? paper->runs[0].title : "Games of 2048",
	    .notes = notes,
	    .sections = sections,
	    .section_count = paper->run_count,
	    .provenance = (const char *const *)paper->provenance,
	    .files = paper->latex ? with_main : files,
	    .generator = generator,
	};
	status = status ? status : page_write(&page, paper->directory, why);
	free(parts);
	free(sections);
	return status ? status : paper_note(paper, "index.html", why);
}
