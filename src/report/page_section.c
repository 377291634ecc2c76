/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run in a page: notes, figures, tables, where it comes from, and links to its files. */
#include "src/report/page_parts.h"

#include "base/file.h"
#include "src/report/html.h"
#include "src/report/page_svg.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *suffix, *text;
} kinds[] = {{".svg", "SVG"},  {".pdf", "PDF"},	  {".gp", "script"},
	     {".tsv", "data"}, {".tex", "LaTeX"}, {".md", "Markdown"}};

static void link_write(FILE *out, const char *path, const char *text)
{
	fputs("<a href=\"", out);
	html_path(out, path);
	html_print(out, "\">%s</a>", text);
}

void links_write(struct page_writer *writer, const char *path)
{
	char file[FOLDER_PATH_MAX];
	const char *dot = strrchr(path, '.');
	int length = dot ? (int)(dot - path) : (int)strlen(path),
	    skip = (int)strlen(writer->directory) + 1;
	fputs("<p class=\"links\">", writer->out);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (path_format(file, NULL, "%s/%.*s%s", writer->directory, length, path,
				kinds[i].suffix) ||
		    access(file, R_OK) != 0)
			continue;
		link_write(writer->out, file + skip, kinds[i].text);
		putc(' ', writer->out);
	}
	fputs("</p>\n", writer->out);
}

void files_write(struct page_writer *writer, const char *title, const char *const *files)
{
	if (!files || !*files)
		return;
	html_print(writer->out, "<p class=\"links\"><span>%s</span> ", title);
	for (; *files; files++) {
		link_write(writer->out, *files, *files);
		putc(' ', writer->out);
	}
	fputs("</p>\n", writer->out);
}

void lines_write(struct page_writer *writer, const char *tag, const char *const *lines)
{
	for (; lines && *lines; lines++) {
		fprintf(writer->out, "<%s>", tag);
		html_text(writer->out, *lines);
		fprintf(writer->out, "</%s>\n", tag);
	}
}

void provenance_fold_write(struct page_writer *writer, const char *const *lines)
{
	if (!lines || !*lines)
		return;
	fputs("<details class=\"fold\"><summary><span class=\"name\">provenance</span> "
	      "<span class=\"about\">version, command, seed, machine</span></summary>\n<ul "
	      "class=\"provenance\">\n",
	      writer->out);
	lines_write(writer, "li", lines);
	fputs("</ul></details>\n", writer->out);
}

/* The figure itself, or that it is too large. */
static enum status drawing_write(struct page_writer *w, const struct page_figure *figure)
{
	char path[FOLDER_PATH_MAX], prefix[32];
	struct stat file;
	enum status status = path_format(path, w->why, "%s/%s", w->directory, figure->path);
	if (status)
		return status;
	if (stat(path, &file) == 0 && file.st_size > SVG_BYTES_MAX) {
		fprintf(w->out, "<p>Too large to be shown here: %.1f MB.</p>\n",
			(double)file.st_size / 1e6);
		return STATUS_OK;
	}
	snprintf(prefix, sizeof prefix, "f%u", ++w->figures);
	struct svg_options options = {
	    .prefix = prefix,
	    .description = figure->caption ? figure->caption : figure->name,
	    .colours = &w->colours,
	};
	html_print(w->out, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">",
		   figure->name);
	status = svg_inline(w->out, path, &options, w->why);
	fputs("</div>\n", w->out);
	return status;
}

static enum status figure_write(struct page_writer *w, const struct page_section *section,
				const struct page_figure *figure)
{
	fputs("<figure id=\"run-", w->out);
	html_word(w->out, section->name);
	fputs("-figure-", w->out);
	html_word(w->out, figure->name);
	fputs("\">\n", w->out);
	enum status status = drawing_write(w, figure);
	html_print(w->out, "<figcaption><p><b>%s</b> %s</p>", figure->name,
		   figure->caption ? figure->caption : "");
	links_write(w, figure->path);
	fputs("</figcaption></figure>\n", w->out);
	return status;
}

enum status section_write(struct page_writer *w, const struct page_section *section)
{
	enum status status = STATUS_OK;
	fputs("<section class=\"run\" id=\"run-", w->out);
	html_word(w->out, section->name);
	html_print(w->out, "\">\n<h2>%s</h2>\n", section->title ? section->title : section->name);
	if (section->title && strcmp(section->title, section->name) != 0)
		html_print(w->out, "<p class=\"small\">run <code>%s</code></p>\n", section->name);
	lines_write(w, "p", section->notes);
	if (section->figure_count > 0)
		fputs("<h3>Figures</h3>\n<div class=\"figures\">\n", w->out);
	for (size_t i = 0; !status && i < section->figure_count; i++)
		status = figure_write(w, section, &section->figures[i]);
	if (section->figure_count > 0)
		fputs("</div>\n", w->out);
	if (section->table_count > 0)
		fputs("<h3>Tables</h3>\n", w->out);
	for (size_t i = 0; !status && i < section->table_count; i++)
		status = table_fold_write(w, section, &section->tables[i]);
	if (section->provenance || section->files)
		fputs("<h3>Where it comes from</h3>\n", w->out);
	provenance_fold_write(w, section->provenance);
	files_write(w, "Files:", section->files);
	fputs("</section>\n", w->out);
	return status;
}
