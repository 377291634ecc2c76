/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page: plots/page.html with the style page.css, the script page.js and the data of the runs,
 * which the script shows; the folder is that of the figures' scripts (src/report/figures.h).
 *
 * The data is JSON in an element that no browser runs. It is ASCII without "<", ">" and "&", so
 * that no label, title or figure can end the element or be read as markup. The script shows the
 * data as text. A figure becomes an <img>, in which a browser runs no script and loads nothing.
 *
 *	generator, title, provenance, files; alone: whether the page has one run
 *	runs: name, title, provenance, files, and
 *	  figures: name, caption, files; svg, or its size in bytes if it is too large
 *	  tables: name, caption, files; notes, columns, size, fits and rows; or bytes
 */
#include "src/report/page.h"

#include "analysis/tables/json.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "src/cli/provenance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Limits. The page names and links what exceeds them: tables with more rows, columns or bytes, and
 * figures of more than SVG_BYTES_MAX. Tables of the comparison at a glance may have any number of
 * rows, and GLANCE_BYTES_MAX.
 */
enum {
	PAGE_ROWS_MAX = 400,
	PAGE_COLUMNS_MAX = 100,
	PAGE_BYTES_MAX = 1 << 20,
	GLANCE_BYTES_MAX = 1 << 22,
	SVG_BYTES_MAX = 1 << 21
};

/* ---- Data. */

/* LINES without the command of a table, so that the folder of a run does not change its page. */
static json_t *lines_json(const char *const *lines, bool table)
{
	json_t *array = json_array();
	for (; lines && *lines; lines++)
		if (!table || strncmp(*lines, "command: ", 9) != 0)
			json_array_append_new(array, json_text(*lines));
	return array;
}

/* The existing files of PATH with each ending, as pairs of path and label. */
static json_t *files_json(const char *directory, const char *path)
{
	static const char *const kinds[][2] = {{".svg", "SVG"},	  {".pdf", "PDF"},
					       {".gp", "script"}, {".tsv", "data"},
					       {".tex", "LaTeX"}, {".md", "Markdown"}};
	char file[FOLDER_PATH_MAX];
	const char *dot = strrchr(path, '.');
	const int length = dot ? (int)(dot - path) : (int)strlen(path);
	json_t *files = json_array();
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		path_make(file, "%s/%.*s%s", directory, length, path, kinds[i][0]);
		if (access(file, R_OK) != 0)
			continue;
		json_array_append_new(
		    files,
		    json_pack("[o, s]", json_text(file + strlen(directory) + 1), kinds[i][1]));
	}
	return files;
}

static json_t *item_json(const char *directory, const struct page_item *item)
{
	return json_pack("{s:o, s:o, s:o}", "name", json_text(item->name), "caption",
			 json_text(item->caption), "files", files_json(directory, item->path));
}

/* Counts stay integers in JSON. */
static json_t *cell_json(double x)
{
	return x == floor(x) && fabs(x) < 0x1p53 ? json_integer((json_int_t)x) : json_number(x);
}

/* The rows of TSV; a column of numbers only becomes numbers, any other column texts. */
static json_t *rows_json(const struct tsv *tsv)
{
	json_t *rows = json_array();
	bool number[TSV_COLUMNS_MAX];
	for (size_t c = 0; c < tsv->columns; c++)
		number[c] = tsv_is_number(tsv, c);
	for (size_t r = 0; r < tsv->rows; r++) {
		json_t *row = json_array();
		for (size_t c = 0; c < tsv->columns; c++) {
			const char *cell = tsv_cell(tsv, r, c);
			json_array_append_new(row, number[c]
						       ? cell_json(tsv_number(tsv, r, c).value)
						       : json_text(cell));
		}
		json_array_append_new(rows, row);
	}
	return rows;
}

/* Whether the comparison at a glance uses the table NAME. */
static bool is_glanced(const char *name)
{
	static const char *const names[] = {"summary", "tiles", "means", "ratios",
					    "gap",     "sweep", "duel",	 "tuning"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Adds columns and size of TSV to TABLE, and its rows if they are few or ITEM is glanced at. */
static void table_fill(json_t *table, const struct page_item *item, const struct tsv *tsv)
{
	json_t *columns = json_array();
	for (size_t c = 0; c < tsv->columns; c++)
		json_array_append_new(columns, json_text(tsv_name(tsv, c)));
	const bool fits = tsv->rows <= PAGE_ROWS_MAX && tsv->columns <= PAGE_COLUMNS_MAX;
	json_object_set_new(table, "columns", columns);
	json_object_set_new(table, "size", json_integer((json_int_t)tsv->rows));
	json_object_set_new(table, "fits", json_boolean(fits));
	if (fits || is_glanced(item->name))
		json_object_set_new(table, "rows", rows_json(tsv));
}

static enum status table_data(json_t *tables, const char *directory, const struct page_item *item,
			      struct why *why)
{
	const struct shown_table *shown = shown_table_find(item->name);
	const off_t most = is_glanced(item->name) ? GLANCE_BYTES_MAX : PAGE_BYTES_MAX;
	char path[FOLDER_PATH_MAX];
	struct stat file;
	struct tsv tsv, wide;
	json_t *table = item_json(directory, item);
	json_array_append_new(tables, table);
	path_make(path, "%s/%s", directory, item->path);
	if (stat(path, &file) == 0 && file.st_size > most) {
		json_object_set_new(table, "bytes", json_integer(file.st_size));
		return STATUS_OK;
	}
	enum status status = tsv_read(&tsv, path, (size_t)most, why);
	if (status)
		return status;
	json_object_set_new(table, "notes", lines_json(tsv.notes, true));
	if (shown && shown->wide && tsv_widen(&tsv, 0, tsv.rows, &wide)) {
		table_fill(table, item, &wide);
		tsv_fini(&wide);
	} else {
		table_fill(table, item, &tsv);
	}
	tsv_fini(&tsv);
	return STATUS_OK;
}

/* STATUS_INPUT if SVG, read from the file PATH, has no valid size. */
static enum status size_check(const char *svg, const char *path, struct why *why)
{
	double width = 0, height = 0;
	const char *root = strstr(svg, "<svg"), *end = root ? strchr(root, '>') : NULL;
	const char *box = root ? strstr(root, "viewBox=") : NULL;
	if (!end || !box || box > end ||
	    sscanf(box, "viewBox=%*[\"']%*f %*f %lf %lf", &width, &height) != 2 || !(width > 0) ||
	    !(height > 0) || width > 1e5 || height > 1e5)
		return why_set(why, STATUS_INPUT, "%s: no figure that a page can show", path);
	return STATUS_OK;
}

static enum status figure_json(json_t *drawn, const char *directory, const struct page_item *item,
			       struct why *why)
{
	char path[FOLDER_PATH_MAX], *svg;
	struct stat file;
	size_t size;
	json_t *figure = item_json(directory, item);
	json_array_append_new(drawn, figure);
	path_make(path, "%s/%s", directory, item->path);
	if (stat(path, &file) == 0 && file.st_size > SVG_BYTES_MAX) {
		json_object_set_new(figure, "bytes", json_integer(file.st_size));
		return STATUS_OK;
	}
	enum status status = file_read(path, SVG_BYTES_MAX, &svg, &size, why);
	if (status)
		return status;
	status = size_check(svg, path, why);
	json_object_set_new(figure, "svg", json_text(svg));
	free(svg);
	return status;
}

static enum status run_json(json_t *runs, const char *directory, const struct page_run *run,
			    struct why *why)
{
	enum status status = STATUS_OK;
	json_t *drawn = json_array(), *tables = json_array();
	json_array_append_new(
	    runs, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_text(run->name), "title",
			    json_text(run->title), "provenance",
			    lines_json((const char *const *)run->provenance, false), "files",
			    lines_json(run->files, false), "figures", drawn, "tables", tables));
	for (size_t i = 0; !status && i < run->figure_count; i++)
		status = figure_json(drawn, directory, &run->figures[i], why);
	for (size_t i = 0; !status && i < run->table_count; i++)
		status = table_data(tables, directory, &run->tables[i], why);
	return status;
}

/* The JSON of PAGE for {{data}} of the template, for free(). */
static enum status data_make(const struct page *page, char **text, struct why *why)
{
	const bool alone = !page->provenance && page->run_count == 1;
	const struct page_run *first = page->run_count ? page->runs[0] : NULL;
	char generator[160];
	json_t *runs = json_array();
	enum status status = STATUS_OK;
	snprintf(generator, sizeof generator, "nxn %.140s", version_text);
	json_t *json = json_pack(
	    "{s:o, s:o, s:b, s:o, s:o, s:o}", "generator", json_text(generator), "title",
	    json_text(page->run_count == 1 ? first->title : "Games of 2048"), "alone", alone,
	    "provenance",
	    lines_json(alone ? (const char *const *)first->provenance : page->provenance, false),
	    "files", lines_json(alone ? first->files : page->files, false), "runs", runs);
	for (size_t i = 0; !status && i < page->run_count; i++)
		status = run_json(runs, page->directory, page->runs[i], why);
	*text = json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(10));
	if (!*text)
		xalloc_fail();
	json_decref(json);
	return status;
}

/* ---- The template. */

/* Reads the template NAME; *TEXT is for free(). */
static enum status template_read(const char *name, char **text, struct why *why)
{
	enum { TEMPLATE_MAX = 1 << 20 };
	char folder[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	struct why reason;
	size_t size;
	enum status status = figures_folder(folder, why);
	if (status)
		return status;
	status =
	    file_read(path_make(path, "%s/%s", folder, name), TEMPLATE_MAX, text, &size, &reason);
	if (status)
		status = why_set(why, STATUS_SYSTEM, "no template: %s (NXN_PLOTS names its folder)",
				 reason.text);
	return status;
}

/* Writes JSON with "<", ">" and "&", which occur in strings only, as escapes. */
static void data_write(FILE *out, const char *json)
{
	for (; *json; json++)
		if (strchr("<>&", *json))
			fprintf(out, "\\u%04x", (unsigned)(unsigned char)*json);
		else
			putc(*json, out);
}

enum { PARTS = 4 };

/* Writes the template PART[0] with the other parts at their marks; any other {{NAME}} stays. */
static void template_fill(FILE *out, char *const part[PARTS])
{
	static const char *const places[PARTS] = {"", "{{style}}", "{{script}}", "{{data}}"};
	for (const char *at = part[0]; *at;) {
		size_t i = PARTS - 1;
		while (i > 0 && strncmp(at, places[i], strlen(places[i])) != 0)
			i--;
		if (i == PARTS - 1)
			data_write(out, part[i]);
		else if (i > 0)
			fputs(part[i], out);
		else
			putc(*at, out);
		at += i > 0 ? strlen(places[i]) : 1;
	}
}

enum status page_write(const struct page *page, struct why *why)
{
	static const char *const names[PARTS - 1] = {"page.html", "page.css", "page.js"};
	char *part[PARTS] = {NULL}, path[FOLDER_PATH_MAX];
	FILE *out;
	enum status status = STATUS_OK;
	path_make(path, "%s/index.html", page->directory);
	for (size_t i = 0; !status && i < PARTS - 1; i++)
		status = template_read(names[i], &part[i], why);
	status = status ? status : data_make(page, &part[PARTS - 1], why);
	status = status ? status : part_create(path, &out, why);
	if (!status) {
		template_fill(out, part);
		status = part_finish(out, path, STATUS_OK, why);
	}
	for (size_t i = 0; i < PARTS; i++)
		free(part[i]);
	return status;
}
