/* SPDX-License-Identifier: GPL-3.0-or-later */
/* README.md and main.tex of a bundle: figures and tables with their captions; see bundle.h. */
#include "src/report/bundle.h"

#include "src/report/print.h"

#include <string.h>

/* Appends the file NAME of plots/ to OUT. */
static void template_append(struct bundle *bundle, FILE *out, const char *name)
{
	char folder[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	bundle_must(bundle, figures_folder(folder, &bundle->why));
	file_append(bundle, out, path_make(path, "%s/%s", folder, name));
}

static void figure_write(FILE *out, const struct page_item *figure)
{
	const int stem = (int)(strlen(figure->path) - strlen(".svg"));
	fprintf(out, "![%s](%s)\n\n", figure->name, figure->path);
	text_print(out, figure->caption, false);
	fprintf(out, " ([PDF](%.*s.pdf), [script](%.*s.gp))\n\n", stem, figure->path, stem,
		figure->path);
}

/* Whether TABLE is also written as LaTeX and Markdown. */
static bool is_printed(const struct page_item *table)
{
	return !shown_table_find(table->name)->data;
}

static void item_table_write(FILE *out, const struct page_item *table)
{
	const int stem = (int)(strlen(table->path) - strlen(".tsv"));
	fprintf(out, "- `%s`: ", table->name);
	text_print(out, table->caption, false);
	fprintf(out, " [TSV](%s)", table->path);
	if (is_printed(table))
		fprintf(out, ", [LaTeX](%.*s.tex), [Markdown](%.*s.md)", stem, table->path, stem,
			table->path);
	putc('\n', out);
}

/* Writes the section of RUN with its first table in full. */
static void run_text_write(FILE *out, struct bundle *bundle, const struct page_run *run)
{
	char path[FOLDER_PATH_MAX];
	fputs("## ", out);
	text_print(out, run->title, false);
	fputs("\n\n", out);
	if (run->table_count > 0 && is_printed(&run->tables[0])) {
		path_make(path, "%s/tables/%s/%s.md", bundle->stage, run->name,
			  run->tables[0].name);
		file_append(bundle, out, path);
		putc('\n', out);
	}
	if (run->intervals) {
		text_print(out, run->intervals, false);
		fputs("\n\n", out);
	}
	for (size_t i = 0; i < run->figure_count; i++)
		figure_write(out, &run->figures[i]);
	for (size_t i = 0; i < run->table_count; i++)
		item_table_write(out, &run->tables[i]);
	fprintf(out, "\nData: `data/%s/`. Its log begins:\n\n", run->name);
	for (char *const *line = run->provenance; *line; line++)
		fprintf(out, "    %s\n", *line);
	putc('\n', out);
}

static void readme_write(struct bundle *bundle)
{
	FILE *out = bundle_create(bundle, "README.md");
	template_append(bundle, out, "bundle.md");
	if (bundle->options->latex)
		fputs("`pdflatex main.tex` sets all figures and tables.\n\n", out);
	for (char *const *line = bundle->provenance; *line; line++)
		fprintf(out, "    %s\n", *line);
	putc('\n', out);
	for (size_t i = 0; i < bundle->run_count; i++)
		run_text_write(out, bundle, &bundle->runs[i].page);
	bundle_close(bundle, out);
}

static void table_typeset(FILE *out, const struct page_run *run, const struct page_item *table)
{
	if (!is_printed(table))
		return;
	fprintf(out, "\\nxntable{tables/%s/%s.tex}{", run->name, table->name);
	text_print(out, table->caption, true);
	fputs("}\n", out);
}

static void title_typeset(FILE *out, const char *level, const struct page_run *run)
{
	fprintf(out, "\\%s{", level);
	text_print(out, run->title, true);
	fputs("}\n", out);
}

/* Writes the first table of RUN and its figures. */
static void run_typeset(FILE *out, const struct page_run *run)
{
	title_typeset(out, "section", run);
	text_print(out, run->intervals ? run->intervals : "", true);
	putc('\n', out);
	if (run->table_count > 0)
		table_typeset(out, run, run->tables);
	for (size_t i = 0; i < run->figure_count; i++) {
		fprintf(out, "\\nxnfigure{figures/%s/%s.pdf}{", run->name, run->figures[i].name);
		text_print(out, run->figures[i].caption, true);
		fputs("}\n", out);
	}
}

/* Writes the other tables of all runs. */
static void appendix_typeset(FILE *out, struct bundle *bundle)
{
	fputs("\\clearpage\\appendix\\section{Further tables}\n", out);
	for (size_t i = 0; i < bundle->run_count; i++) {
		const struct page_run *run = &bundle->runs[i].page;
		if (run->table_count > 1)
			title_typeset(out, "subsection", run);
		for (size_t k = 1; k < run->table_count; k++)
			table_typeset(out, run, &run->tables[k]);
	}
}

static void main_write(struct bundle *bundle)
{
	FILE *out = bundle_create(bundle, "main.tex");
	template_append(bundle, out, "main.tex");
	for (size_t i = 0; i < bundle->run_count; i++)
		run_typeset(out, &bundle->runs[i].page);
	appendix_typeset(out, bundle);
	fputs("\\end{document}\n", out);
	bundle_close(bundle, out);
}

void bundle_documents(struct bundle *bundle)
{
	readme_write(bundle);
	if (bundle->options->latex)
		main_write(bundle);
}
