/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables in LaTeX; see printed.h. */
#include "src/printed.h"

#include <string.h>

enum { ROWS_A_PAGE = 45 };

void latex_text(FILE *file, const char *text)
{
	static const struct {
		char from;
		const char *to;
	} marks[] = {
	    {'\\', "\\textbackslash{}"},
	    {'~', "\\textasciitilde{}"},
	    {'^', "\\textasciicircum{}"},
	    {'<', "$<$"},
	    {'>', "$>$"},
	    {'|', "$|$"},
	    {'"', "''"},
	    {'`', "\\textasciigrave{}"},
	};
	if (*text == '[' || *text == '*') /* behind the end of a row these would be part of that */
		fputs("{}", file);
	for (; *text; text++) {
		const char *to = NULL;
		for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
			if (*text == marks[i].from)
				to = marks[i].to;
		if (to)
			fputs(to, file);
		else if (strchr("{}$&#_%", *text))
			fprintf(file, "\\%c", *text);
		else if (text[0] == '-' && text[1] == '-')
			fputs("-{}", file); /* two would become one dash */
		else
			putc(*text, file);
	}
}

static void head_write(FILE *file, const struct printed *p)
{
	char text[PRINTED_TEXT_MAX];
	fputs("\\nxnfit{\\begin{tabular}{@{}", file);
	for (size_t i = 0; i < p->columns; i++)
		putc(p->column[i].text ? 'l' : 'r', file);
	fputs("@{}}\n\\toprule\n", file);
	if (*p->block->name) {
		fprintf(file, "\\multicolumn{%zu}{@{}l@{}}{\\textbf{", p->columns);
		latex_text(file, p->block->name);
		fputs("}} \\\\\n", file);
	}
	for (size_t i = 0; i < p->columns; i++) {
		printed_title(p, i, text);
		fputs(i ? " & " : "", file);
		latex_text(file, text);
	}
	fputs(" \\\\\n\\midrule\n", file);
}

/* A number, "value [low, high]", whose signs are no hyphens. */
static void number_latex(FILE *file, const char *text)
{
	for (const char *at = text; *at; at++) {
		if (*at == '-' && (at == text || strchr(" [", at[-1])))
			fputs("$-$", file);
		else
			putc(*at, file);
	}
}

static void row_write(FILE *file, const struct printed *p, size_t row)
{
	char text[PRINTED_TEXT_MAX];
	for (size_t i = 0; i < p->columns; i++) {
		printed_cell(p, row, i, text);
		fputs(i ? " & " : "", file);
		if (strcmp(text, "-") == 0)
			fputs("--", file);
		else if (!p->column[i].text)
			number_latex(file, text);
		else
			latex_text(file, text);
	}
	fputs(" \\\\\n", file);
}

static void block_write(FILE *file, const struct printed *p)
{
	size_t written = 0;
	for (size_t row = 0; row < p->block->rows; row++) {
		if (!printed_row(p, row))
			continue;
		if (written > 0 && written % ROWS_A_PAGE == 0)
			fputs("\\bottomrule\n\\end{tabular}}\\par\\medskip\n", file);
		if (written % ROWS_A_PAGE == 0)
			head_write(file, p);
		row_write(file, p, row);
		written++;
	}
	if (written > 0)
		fputs("\\bottomrule\n\\end{tabular}}\\par\\medskip\n", file);
}

void printed_latex(FILE *file, const struct sheet *sheet, const char *name)
{
	struct printed printed;
	for (size_t i = 0; i < sheet->note_count; i++)
		fprintf(file, "%% %s\n", sheet->notes[i]);
	fputs("% \\usepackage{booktabs}; \\nxnfit may make what is too wide fit\n"
	      "\\providecommand{\\nxnfit}[1]{#1}\n",
	      file);
	for (size_t i = 0; i < sheet->block_count; i++) {
		printed_init(&printed, &sheet->blocks[i], name);
		if (printed.columns > 0)
			block_write(file, &printed);
	}
}
