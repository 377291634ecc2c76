/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables in LaTeX; see printed.h, and tables_layout.h for what stands beside each other. */
#include "src/report/printed.h"
#include "src/report/tables_layout.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_A_PAGE = 45 };

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

/* TEXT in lines as long as the layout has them, broken behind what stands between its parts. */
static void text_broken(FILE *file, const char *text)
{
	char part[PRINTED_TEXT_MAX];
	fprintf(file, "\\parbox[t]{%dem}{\\raggedright\\strut ", LAYOUT_TEXT / 2);
	while (*text) {
		size_t length = strcspn(text, ",:;/=");
		length += text[length] != '\0';
		snprintf(part, sizeof part, "%.*s", (int)length, text);
		latex_text(file, part);
		text += length;
		fputs(*text ? "\\allowbreak{}" : "\\strut}", file);
	}
}

static void head_write(FILE *file, const struct layout *layout)
{
	char text[PRINTED_TEXT_MAX];
	const struct printed *p = layout->printed;
	fputs("\\nxnfit{\\begin{tabular}{@{}", file);
	for (size_t i = 0; i < layout->count; i++)
		putc(p->column[layout->columns[i]].text ? 'l' : 'r', file);
	fputs("@{}}\n\\toprule\n", file);
	if (*p->block->name) {
		fprintf(file, "\\multicolumn{%zu}{@{}l@{}}{\\textbf{", layout->count);
		latex_text(file, p->block->name);
		fputs("}} \\\\\n", file);
	}
	for (size_t line = layout_head_lines(layout); line-- > 0;) {
		for (size_t i = 0; i < layout->count; i++) {
			layout_head(layout, layout->columns[i], line, text);
			fputs(i ? " & " : "", file);
			latex_text(file, text);
		}
		fputs(" \\\\\n", file);
	}
	fputs("\\midrule\n", file);
}

/* A number, "value [low, high]", whose signs are no hyphens and whose exponents are powers. */
static void number_latex(FILE *file, const char *text)
{
	for (const char *at = text; *at; at++) {
		if (*at == '-' && (at == text || strchr(" [", at[-1]))) {
			fputs("$-$", file);
		} else if (*at == 'e') {
			char *end;
			fprintf(file, "$\\cdot10^{%ld}$", strtol(at + 1, &end, 10));
			at = end - 1;
		} else {
			putc(*at, file);
		}
	}
}

static void row_write(FILE *file, const struct layout *layout, size_t row)
{
	char text[PRINTED_TEXT_MAX];
	for (size_t i = 0; i < layout->count; i++) {
		const size_t column = layout->columns[i];
		printed_cell(layout->printed, row, column, text);
		fputs(i ? " & " : "", file);
		if (strcmp(text, "-") == 0)
			fputs("--", file);
		else if (!layout->printed->column[column].text)
			number_latex(file, text);
		else if (layout_breaks(layout, column) && strlen(text) > LAYOUT_TEXT)
			text_broken(file, text);
		else
			latex_text(file, text);
	}
	fputs(" \\\\\n", file);
}

/* The part at hand, on as many pages as it needs. */
static void part_write(FILE *file, const struct layout *layout)
{
	static const char end[] = "\\bottomrule\n\\end{tabular}}\\par\\medskip\n";
	size_t lines = 0; /* of the tabular that is begun */
	for (size_t row = 0; row < layout->printed->block->rows; row++) {
		if (!printed_row(layout->printed, row))
			continue;
		const size_t more = layout_lines(layout, row);
		if (lines > 0 && lines + more > LINES_A_PAGE) {
			fputs(end, file);
			lines = 0;
		}
		if (lines == 0)
			head_write(file, layout);
		row_write(file, layout, row);
		lines += more;
	}
	if (lines > 0)
		fputs(end, file);
}

static void block_write(FILE *file, const struct printed *p)
{
	struct layout layout;
	layout_init(&layout, p);
	while (layout_part(&layout))
		part_write(file, &layout);
}

void printed_latex(FILE *file, const struct sheet *sheet, const char *name)
{
	struct printed printed;
	struct sheet_block joined;
	for (size_t i = 0; i < sheet->note_count; i++)
		fprintf(file, "%% %s\n", sheet->notes[i]);
	fputs("% \\usepackage{booktabs}; \\nxnfit may make what is too wide fit\n"
	      "\\providecommand{\\nxnfit}[1]{#1}%\n",
	      file);
	if (printed_join(sheet, name, &joined)) {
		printed_init(&printed, &joined, name);
		block_write(file, &printed);
		free(joined.cells);
		return;
	}
	for (size_t i = 0; i < sheet->block_count; i++) {
		printed_init(&printed, &sheet->blocks[i], name);
		if (printed.columns > 0)
			block_write(file, &printed);
	}
}
