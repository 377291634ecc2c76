/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a bundle: one file, index.html, that shows the comparison of players at a glance
 * (glance.c), then every run with its figures, tables and provenance. It loads nothing: style,
 * script and figures are in it. Its template is plots/page.html, with page.css and page.js, found
 * as the scripts of figures are (src/report/figures.h).
 *
 * A figure is an <img> of SVG in a data: URI, of which a browser runs no script and loads nothing,
 * so nothing foreign gets into the page. A second drawing is for dark pages; the style shows one
 * of them. (It is not <picture> that chooses, because browsers print what they showed on the
 * screen then.) A number of a table and its bounds are one cell, which plots/page.js sorts by the
 * number in data-v. Blocks of a table that follow each other with the same columns are one table,
 * with the names of the blocks as a first column.
 */
#include "src/report/page.h"

#include "base/file.h"
#include "src/cli/provenance.h"
#include "src/report/markup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Links and lines. */

/*
 * A relative PATH for href=: "./", then PATH with what is not plain in percent; never a scheme or
 * a host.
 */
static void html_path(FILE *file, const char *path)
{
	fputs("./", file);
	path += strspn(path, "/");
	html_percent(file, path, strlen(path), "/");
}

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

static void links_write(struct page_writer *writer, const char *path)
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

static void files_write(struct page_writer *writer, const char *const *files)
{
	if (!files || !*files)
		return;
	fputs("<p class=\"links\"><span>Files:</span> ", writer->out);
	for (; *files; files++) {
		link_write(writer->out, *files, *files);
		putc(' ', writer->out);
	}
	fputs("</p>\n", writer->out);
}

static void lines_write(struct page_writer *writer, const char *tag, const char *const *lines)
{
	for (; *lines; lines++) {
		fprintf(writer->out, "<%s>", tag);
		html_print(writer->out, "%s", *lines);
		fprintf(writer->out, "</%s>\n", tag);
	}
}

static void provenance_fold_write(struct page_writer *writer, const char *const *lines)
{
	fputs("<details class=\"fold\"><summary><span class=\"name\">provenance</span> "
	      "<span class=\"about\">version, command, seed, machine</span></summary>\n<ul "
	      "class=\"provenance\">\n",
	      writer->out);
	lines_write(writer, "li", lines);
	fputs("</ul></details>\n", writer->out);
}

/* ---- Tables. */

/*
 * What is too large is not part of the page, which names and links the file instead: tables of more
 * than so many rows, columns or bytes, figures of more than SVG_BYTES_MAX.
 */
enum { PAGE_ROWS_MAX = 400, PAGE_COLUMNS_MAX = 100, PAGE_BYTES_MAX = 1 << 20 };

static void head_cell_write(FILE *out, const char *name, bool number)
{
	char *shown = strdupa(name);
	for (char *at = shown; *at; at++)
		*at = *at == '_' ? ' ' : *at;
	html_print(out, "<th scope=\"col\" data-kind=\"%s\">%s</th>", number ? "number" : "text",
		   shown);
}

static bool same_columns(const struct tsv_block *a, const struct tsv_block *b)
{
	if (a->columns != b->columns)
		return false;
	for (size_t c = 0; c < a->columns; c++)
		if (strcmp(tsv_name(a, c), tsv_name(b, c)) != 0)
			return false;
	return true;
}

static bool group_is_number(const struct tsv_block *blocks, size_t count, size_t column)
{
	for (size_t b = 0; b < count; b++)
		if (!tsv_is_number(&blocks[b], column))
			return false;
	return true;
}

static bool group_is_scientific(const struct tsv_block *blocks, size_t count, size_t column)
{
	for (size_t b = 0; b < count; b++)
		if (tsv_is_scientific(&blocks[b], column))
			return true;
	return false;
}

static void text_cell_write(FILE *out, const char *text)
{
	fputs("<td><div>", out);
	html_breakable(out, text);
	fputs("</div></td>", out);
}

/* What is shown of the columns of a group of blocks. */
struct shown_columns {
	bool shown[PAGE_COLUMNS_MAX], number[PAGE_COLUMNS_MAX], scientific[PAGE_COLUMNS_MAX];
};

static void cell_write(FILE *out, const struct tsv_block *block, size_t row, size_t column,
		       const struct shown_columns *columns)
{
	if (!columns->number[column]) {
		text_cell_write(out, tsv_cell(block, row, column));
		return;
	}
	struct interval x = tsv_number(block, row, column);
	fputs("<td class=\"n\"", out);
	if (isfinite(x.value))
		fprintf(out, " data-v=\"%.10g\"", x.value);
	putc('>', out);
	if (column_is_plain(tsv_name(block, column)))
		html_tile(out, x);
	else
		html_number(out, x, columns->scientific[column]);
	fputs("</td>", out);
}

static void rows_write(FILE *out, const struct tsv_block *block,
		       const struct shown_columns *columns, bool named)
{
	for (size_t r = 0; r < block->rows; r++) {
		fputs("<tr>", out);
		if (named)
			text_cell_write(out, block->name);
		for (size_t c = 0; c < block->columns; c++)
			if (columns->shown[c])
				cell_write(out, block, r, c, columns);
		fputs("</tr>\n", out);
	}
}

/* COUNT blocks of the same columns as one table. */
static void group_write(FILE *out, const char *title, const struct tsv_block *blocks, size_t count)
{
	struct shown_columns columns = {0};
	bool named = count > 1;
	for (size_t c = 0; c < blocks->columns; c++) {
		columns.shown[c] = !tsv_is_bound(blocks, c);
		columns.number[c] = group_is_number(blocks, count, c);
		columns.scientific[c] = group_is_scientific(blocks, count, c);
	}
	html_print(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">",
		   title);
	fputs("<table class=\"sortable\">", out);
	if (!named && *blocks->name)
		html_print(out, "<caption>%s</caption>", blocks->name);
	fputs("<thead><tr>", out);
	if (named)
		head_cell_write(out, "series", false);
	for (size_t c = 0; c < blocks->columns; c++)
		if (columns.shown[c])
			head_cell_write(out, tsv_name(blocks, c), columns.number[c]);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t b = 0; b < count; b++)
		rows_write(out, &blocks[b], &columns, named);
	fputs("</tbody></table></div>\n", out);
}

static void blocks_write(FILE *out, const char *title, const struct tsv *tsv)
{
	for (size_t b = 0; b < tsv->block_count;) {
		size_t count = 1;
		while (b + count < tsv->block_count &&
		       same_columns(&tsv->blocks[b], &tsv->blocks[b + count]))
			count++;
		group_write(out, title, &tsv->blocks[b], count);
		b += count;
	}
	for (const char *const *note = tsv->notes; *note; note++)
		if (strncmp(*note, "units:", 6) == 0)
			html_print(out, "<p class=\"small\">%s.</p>\n", *note);
}

/* Keeps what TSV says of its intervals for the end of the page, once. */
static enum status intervals_keep(struct page_writer *w, const struct tsv *tsv)
{
	for (const char *const *note = tsv->notes; *note; note++) {
		bool known = strncmp(*note, "95% intervals:", 14) != 0;
		for (size_t i = 0; !known && i < w->notes.n; i++)
			known = strcmp(w->notes.item[i], *note) == 0;
		if (!known)
			return list_add(&w->notes, *note, strlen(*note), w->why);
	}
	return STATUS_OK;
}

/* Rows, and the most columns of a block. */
static void table_size(const struct tsv *tsv, size_t *rows, size_t *columns)
{
	*rows = *columns = 0;
	for (size_t b = 0; b < tsv->block_count; b++) {
		*rows += tsv->blocks[b].rows;
		if (tsv->blocks[b].columns > *columns)
			*columns = tsv->blocks[b].columns;
	}
}

static void fold_write(struct page_writer *w, const struct page_run *run,
		       const struct page_item *table, const struct tsv *tsv, off_t bytes)
{
	FILE *out = w->out;
	size_t rows = 0, columns = 0;
	if (tsv)
		table_size(tsv, &rows, &columns);
	const bool main = table == run->tables; /* shown open if it is short */
	bool fits = tsv && rows <= PAGE_ROWS_MAX && columns <= PAGE_COLUMNS_MAX;
	fputs("<details class=\"fold\" id=\"run-", out);
	html_word(out, run->name);
	fputs("-table-", out);
	html_word(out, table->name);
	fputs(main && fits && rows <= 24 ? "\" open=\"open\">" : "\">", out);
	html_print(out, "<summary><span class=\"name\">%s</span> <span class=\"about\">%s</span>",
		   table->name, table->caption);
	if (tsv)
		fprintf(out, " <span class=\"size\">%zu row%s</span></summary>\n", rows,
			rows == 1 ? "" : "s");
	else
		fprintf(out, " <span class=\"size\">%.1f MB</span></summary>\n",
			(double)bytes / 1e6);
	links_write(w, table->path);
	if (fits)
		blocks_write(out, table->name, tsv);
	else
		fputs("<p>Too large to be shown here; the file has all of it.</p>\n", out);
	fputs("</details>\n", out);
}

static enum status table_fold_write(struct page_writer *writer, const struct page_run *run,
				    const struct page_item *table)
{
	char path[FOLDER_PATH_MAX];
	struct stat file;
	struct tsv tsv;
	enum status status =
	    path_format(path, writer->why, "%s/%s", writer->directory, table->path);
	if (status)
		return status;
	if (stat(path, &file) == 0 && file.st_size > PAGE_BYTES_MAX) {
		fold_write(writer, run, table, NULL, file.st_size);
		return STATUS_OK;
	}
	status = tsv_read(&tsv, path, PAGE_BYTES_MAX, writer->why);
	if (status)
		return status;
	fold_write(writer, run, table, &tsv, 0);
	status = intervals_keep(writer, &tsv);
	tsv_fini(&tsv);
	return status;
}

/* ---- Figures. */

/* What a browser shows at the size of its viewBox, and where that is WIDE, on a row of its own. */
enum { SVG_BYTES_MAX = 1 << 21, WIDE = 600 };

/*
 * Reads the size of the drawing SVG, in pixels; PATH is for messages. STATUS_INPUT if it has none.
 */
static enum status size_read(const char *svg, const char *path, double *width, double *height,
			     struct why *why)
{
	const char *root = strstr(svg, "<svg"), *end = root ? strchr(root, '>') : NULL;
	const char *box = root ? strstr(root, "viewBox=") : NULL;
	if (!end || !box || box > end ||
	    sscanf(box, "viewBox=%*[\"']%*f %*f %lf %lf", width, height) != 2 || !(*width > 0) ||
	    !(*height > 0) || *width > 1e5 || *height > 1e5)
		return why_set(why, STATUS_INPUT, "%s: no figure that a page can show", path);
	return STATUS_OK;
}

/* A data: URI of SIZE bytes of the media TYPE, without markup, for src=. */
static void html_data(FILE *file, const char *type, const char *bytes, size_t size)
{
	fprintf(file, "data:%s,", type);
	html_percent(file, bytes, size, " /:;=,()!*+?@$~");
}

/* One drawing, for pages of the theme CLASS. */
static void image_write(FILE *out, const struct page_item *figure, const char *class,
			const char *svg, double width, double height)
{
	fprintf(out, "<img class=\"drawing %s\" width=\"%g\" height=\"%g\" style=\"--w:%g\" %s",
		class, width, height, width, width > WIDE ? "data-wide=\"wide\" " : "");
	html_print(out, "alt=\"%s\" src=\"", figure->caption);
	html_data(out, "image/svg+xml", svg, strlen(svg));
	fputs("\"/>", out);
}

/* The figure itself, or that it is too large. */
static enum status drawing_write(struct page_writer *w, const struct page_item *figure)
{
	char path[FOLDER_PATH_MAX], *svg;
	struct stat file;
	size_t size;
	double width, height;
	enum status status = path_format(path, w->why, "%s/%s", w->directory, figure->path);
	if (status)
		return status;
	if (stat(path, &file) == 0 && file.st_size > SVG_BYTES_MAX) {
		fprintf(w->out, "<p>Too large to be shown here: %.1f MB.</p>\n",
			(double)file.st_size / 1e6);
		return STATUS_OK;
	}
	status = file_read(path, SVG_BYTES_MAX, &svg, &size, w->why);
	if (status)
		return status;
	status = size_read(svg, path, &width, &height, w->why);
	if (!status) {
		html_print(w->out,
			   "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">",
			   figure->name);
		image_write(w->out, figure, figure->dark ? "light" : "", svg, width, height);
		if (figure->dark)
			image_write(w->out, figure, "dark", figure->dark, width, height);
		fputs("</div>\n", w->out);
	}
	free(svg);
	return status;
}

static enum status figure_write(struct page_writer *w, const struct page_run *run,
				const struct page_item *figure)
{
	fputs("<figure id=\"run-", w->out);
	html_word(w->out, run->name);
	fputs("-figure-", w->out);
	html_word(w->out, figure->name);
	fputs("\">\n", w->out);
	enum status status = drawing_write(w, figure);
	html_print(w->out, "<figcaption><p><b>%s</b> %s</p>", figure->name, figure->caption);
	links_write(w, figure->path);
	fputs("</figcaption></figure>\n", w->out);
	return status;
}

/* ---- The page. */

/* Whether PAGE is of one run, with a title, provenance and files for both. */
static bool is_alone(const struct page *page)
{
	return !page->provenance && page->run_count == 1;
}

static enum status section_write(struct page_writer *w, const struct page_run *run, bool alone)
{
	enum status status = STATUS_OK;
	fputs("<section class=\"run\" id=\"run-", w->out);
	html_word(w->out, run->name);
	html_print(w->out, "\">\n<h2>%s</h2>\n", alone ? "Figures and tables" : run->title);
	if (!alone && strcmp(run->title, run->name) != 0)
		html_print(w->out, "<p class=\"small\">run <code>%s</code></p>\n", run->name);
	if (run->figure_count > 0)
		fputs("<h3>Figures</h3>\n<div class=\"figures\">\n", w->out);
	for (size_t i = 0; !status && i < run->figure_count; i++)
		status = figure_write(w, run, &run->figures[i]);
	if (run->figure_count > 0)
		fputs("</div>\n", w->out);
	if (run->table_count > 0)
		fputs("<h3>Tables</h3>\n", w->out);
	for (size_t i = 0; !status && i < run->table_count; i++)
		status = table_fold_write(w, run, &run->tables[i]);
	if (!alone) {
		fputs("<h3>Where it comes from</h3>\n", w->out);
		if (*run->provenance)
			provenance_fold_write(w, (const char *const *)run->provenance);
		files_write(w, run->files);
	}
	fputs("</section>\n", w->out);
	return status;
}

/* Reads the template NAME; *TEXT is for free(). */
static enum status template_read(const char *name, char **text, struct why *why)
{
	enum { TEMPLATE_MAX = 1 << 20 };
	char folder[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	struct why reason;
	size_t size;
	enum status status = figures_folder(folder, why);
	status = status ? status : path_format(path, why, "%s/%s", folder, name);
	if (status)
		return status;
	status = file_read(path, TEMPLATE_MAX, text, &size, &reason);
	if (status)
		status = why_set(why, STATUS_SYSTEM, "no template: %s (NXN_PLOTS names its folder)",
				 reason.text);
	return status;
}

static enum status template_copy(struct page_writer *w, const char *name)
{
	char *text;
	enum status status = template_read(name, &text, w->why);
	if (status)
		return status;
	fputs(text, w->out);
	free(text);
	return STATUS_OK;
}

static enum status style_write(struct page_writer *w, const struct page *page)
{
	(void)page;
	return template_copy(w, "page.css");
}

static enum status script_write(struct page_writer *w, const struct page *page)
{
	(void)page;
	return template_copy(w, "page.js");
}

static enum status title_write(struct page_writer *w, const struct page *page)
{
	html_print(w->out, "%s", page->run_count == 1 ? page->runs[0]->title : "Games of 2048");
	return STATUS_OK;
}

static enum status generator_write(struct page_writer *w, const struct page *page)
{
	(void)page;
	html_print(w->out, "nxn %s", version_text);
	return STATUS_OK;
}

static enum status contents_write(struct page_writer *w, const struct page *page)
{
	fputs("<li><a href=\"#glance\">At a glance</a></li>\n", w->out);
	for (size_t i = 0; i < page->run_count; i++) {
		fputs("<li><a href=\"#run-", w->out);
		html_word(w->out, page->runs[i]->name);
		html_print(w->out, "\">%s</a></li>\n",
			   is_alone(page) ? "Figures and tables" : page->runs[i]->name);
	}
	fputs("<li><a href=\"#origin\">Provenance</a></li>\n", w->out);
	return STATUS_OK;
}

static enum status glances_write(struct page_writer *w, const struct page *page)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < page->run_count; i++)
		status =
		    glance_write(w, page->runs[i], is_alone(page) ? NULL : page->runs[i]->title);
	return status;
}

static enum status sections_write(struct page_writer *w, const struct page *page)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < page->run_count; i++)
		status = section_write(w, page->runs[i], is_alone(page));
	return status;
}

/* How intervals were made, behind all tables. */
static enum status intervals_write(struct page_writer *w, const struct page *page)
{
	(void)page;
	if (w->notes.n == 0)
		return STATUS_OK;
	fputs("<section id=\"intervals\"><h2>How intervals were made</h2>\n", w->out);
	for (size_t i = 0; i < w->notes.n; i++)
		html_print(w->out, "<p class=\"small\">%s.</p>\n", w->notes.item[i]);
	fputs("</section>\n", w->out);
	return STATUS_OK;
}

/* What there is, in a sentence. */
static enum status head_write(struct page_writer *w, const struct page *page)
{
	size_t drawn = 0, tables = 0, runs = page->run_count;
	for (size_t i = 0; i < runs; i++) {
		drawn += page->runs[i]->figure_count;
		tables += page->runs[i]->table_count;
	}
	fprintf(w->out, "<p>Results of games of 2048: %zu figure%s and %zu table%s", drawn,
		drawn == 1 ? "" : "s", tables, tables == 1 ? "" : "s");
	if (!is_alone(page))
		fprintf(w->out, " from %zu run%s, with the logs of the games", runs,
			runs == 1 ? "" : "s");
	fputs(".</p>\n", w->out);
	return STATUS_OK;
}

static enum status foot_write(struct page_writer *w, const struct page *page)
{
	const bool alone = is_alone(page);
	const char *const *lines =
	    alone ? (const char *const *)page->runs[0]->provenance : page->provenance;
	if (lines && *lines) {
		fputs("<ul class=\"provenance\">\n", w->out);
		lines_write(w, "li", lines);
		fputs("</ul>\n", w->out);
	}
	files_write(w, alone ? page->runs[0]->files : page->files);
	return STATUS_OK;
}

/* What stands in the template as {{NAME}}. */
static const struct page_part {
	const char *name;
	enum status (*write)(struct page_writer *writer, const struct page *page);
} parts[] = {{"style", style_write},	     {"script", script_write},
	     {"title", title_write},	     {"contents", contents_write},
	     {"glance", glances_write},	     {"sections", sections_write},
	     {"intervals", intervals_write}, {"head", head_write},
	     {"generator", generator_write}, {"foot", foot_write}};

static const struct page_part *part_find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strlen(parts[i].name) == length && memcmp(parts[i].name, name, length) == 0)
			return &parts[i];
	return NULL;
}

/*
 * Writes TEMPLATE with the parts in their places, which are not looked into; any other {{NAME}}
 * stays.
 */
static enum status page_fill(struct page_writer *w, const struct page *page, const char *template)
{
	enum status status = STATUS_OK;
	for (const char *open; !status && (open = strstr(template, "{{"));) {
		const char *close = strstr(open, "}}");
		const struct page_part *part =
		    close ? part_find(open + 2, (size_t)(close - open) - 2) : NULL;
		fwrite(template, 1, (size_t)(open - template) + (part ? 0 : 2), w->out);
		template = part ? close + 2 : open + 2;
		status = part ? part->write(w, page) : STATUS_OK;
	}
	fputs(template, w->out);
	return status;
}

enum status page_write(const struct page *page, struct why *why)
{
	struct page_writer w = {.directory = page->directory, .why = why};
	char path[FOLDER_PATH_MAX], *template;
	enum status status = template_read("page.html", &template, why);
	if (status)
		return status;
	status = path_format(path, why, "%s/index.html", page->directory);
	status = status ? status : part_create(path, &w.out, why);
	if (!status)
		status = part_finish(w.out, path, page_fill(&w, page, template), why);
	free(template);
	list_free(&w.notes);
	return status;
}
