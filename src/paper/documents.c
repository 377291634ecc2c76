/* SPDX-License-Identifier: GPL-3.0-or-later */
/* README.md and main.tex of a bundle: its figures and tables with their captions. */
#include "src/paper/paper.h"

#include <string.h>

/* ---- README.md */

static void figure_write(FILE *out, const struct paper *paper, const struct paper_item *figure)
{
	const int stem = (int)(strlen(figure->path) - strlen(".svg"));
	fprintf(out, "![%s](%s)\n\n", figure->name, figure->path);
	text_print(out, figure->caption, false);
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
	text_print(out, table->caption, false);
	fprintf(out, " [TSV](%s)", table->path);
	if (table_is_printed(table->name))
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
	text_print(out, run->title, false);
	fputs("\n\n", out);
	enum status status = STATUS_OK;
	if (run->table_count > 0 && table_is_printed(run->tables[0].name)) {
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

static enum status readme_write(struct paper *paper, struct why *why)
{
	FILE *out;
	enum status status = paper_create(paper, "README.md", &out, why);
	if (status)
		return status;
	fputs("# Figures and tables of games of 2048\n\n"
	      "`index.html` shows all of this. `figures/` has each figure as SVG and PDF, with the "
	      "gnuplot script and the table that draw it: `gnuplot NAME.gp` does so again. "
	      "`tables/` has the tables, for programs (`.tsv`, with tabs between columns) and for "
	      "print; `data/` the logs that they were made of. `sha256sum -c SHA256SUMS` says "
	      "whether all files are as they were made, and `nxn paper --check` with this folder "
	      "plays some of the games again.\n\n"
	      "Nothing here tells when it was made: the same runs give the same files. What "
	      "varies from machine to machine are times (columns `seconds`, `ms`, "
	      "`training_seconds`), the games of agents that decide by the clock (`ms=`), and the "
	      "lines below.\n\n",
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
	text_print(out, run->title, true);
	fputs("}\n", out);
	for (size_t i = 0; i < run->figure_count; i++) {
		fprintf(out, "\\nxnfigure{figures/%s/latex/}{%s}{", run->name,
			run->figures[i].name);
		text_print(out, run->figures[i].caption, true);
		fputs("}\n", out);
	}
	for (size_t i = 0; i < run->table_count; i++) {
		if (!table_is_printed(run->tables[i].name))
			continue;
		fprintf(out, "\\nxntable{tables/%s/%s.tex}{", run->name, run->tables[i].name);
		text_print(out, run->tables[i].caption, true);
		fputs("}\n", out);
	}
	fputs("\\clearpage\n", out);
}

static enum status main_write(struct paper *paper, struct why *why)
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

enum status paper_documents(struct paper *paper, struct why *why)
{
	enum status status = readme_write(paper, why);
	return status || !paper->latex ? status : main_write(paper, why);
}
