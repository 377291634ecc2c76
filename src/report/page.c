/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a bundle; see page.h. Its parts are written into memory, then put in their places in the
 * template: only then is it known which colours of figures need another for dark paper.
 */
#include "src/report/page.h"

#include "base/text.h"
#include "src/report/figures.h"
#include "base/file.h"
#include "src/report/html.h"
#include "src/report/page_parts.h"

#include <stdlib.h>
#include <unistd.h>

enum { TEMPLATE_MAX = 1 << 20 };

enum part { PAGE, STYLE, SCRIPT, CONTENTS, GLANCE, SECTIONS, COLOURS, HEAD, FOOT, PARTS };

/* What the places in the template are called; TEXTS come after the parts. */
enum text { TITLE = PARTS, GENERATOR, TEXTS };
static const char *const names[TEXTS] = {
    [STYLE] = "style",	       [SCRIPT] = "script",	[CONTENTS] = "contents",
    [GLANCE] = "glance",       [SECTIONS] = "sections", [COLOURS] = "colours",
    [HEAD] = "head",	       [FOOT] = "foot",		[TITLE] = "title",
    [GENERATOR] = "generator", [PAGE] = "page"};

/* The template NAME, on the heap. */
static enum status template_read(const char *name, char **text, struct why *why)
{
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

static enum status contents_write(struct page_writer *w, const struct page *page)
{
	fputs("<li><a href=\"#glance\">At a glance</a></li>\n", w->out);
	for (size_t i = 0; i < page->section_count; i++) {
		fputs("<li><a href=\"#run-", w->out);
		html_word(w->out, page->sections[i].name);
		html_print(w->out, "\">%s</a></li>\n", page->sections[i].name);
	}
	fputs("<li><a href=\"#origin\">Provenance</a></li>\n", w->out);
	return STATUS_OK;
}

static enum status glances_write(struct page_writer *w, const struct page *page)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < page->section_count; i++)
		status = glance_write(w, &page->sections[i]);
	return status;
}

static enum status sections_write(struct page_writer *w, const struct page *page)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < page->section_count; i++)
		status = section_write(w, &page->sections[i]);
	return status;
}

static enum status colours_write(struct page_writer *w, const struct page *page)
{
	(void)page;
	colours_define(w->out, &w->colours);
	return STATUS_OK;
}

static enum status head_write(struct page_writer *w, const struct page *page)
{
	lines_write(w, "p", page->notes);
	return STATUS_OK;
}

static enum status foot_write(struct page_writer *w, const struct page *page)
{
	if (page->provenance && *page->provenance) {
		fputs("<ul class=\"provenance\">\n", w->out);
		lines_write(w, "li", page->provenance);
		fputs("</ul>\n", w->out);
	}
	files_write(w, "Files:", page->files);
	return STATUS_OK;
}

static enum status text_write(struct page_writer *w, const char *text)
{
	html_text(w->out, text ? text : "nxn");
	return STATUS_OK;
}

/* Writes part K into memory. */
static enum status part_write(struct page_writer *w, const struct page *page, unsigned k,
			      char **html)
{
	static enum status (*const writers[PARTS])(struct page_writer *, const struct page *) = {
	    [CONTENTS] = contents_write, [GLANCE] = glances_write, [SECTIONS] = sections_write,
	    [COLOURS] = colours_write,	 [HEAD] = head_write,	   [FOOT] = foot_write};
	size_t size;
	w->out = stream_open(html, &size);
	if (!w->out)
		return why_errno(w->why, "%s", w->directory);
	enum status status = k < PARTS ? writers[k](w, page)
				       : text_write(w, k == TITLE ? page->title : page->generator);
	if (fclose(w->out) != 0 && !status)
		status = why_errno(w->why, "%s/index.html: out of memory for it", w->directory);
	return status;
}

static enum status parts_make(const struct page *page, const char *directory, char **parts,
			      struct why *why)
{
	struct page_writer writer = {.directory = directory, .why = why};
	enum status status = template_read("page.html", &parts[PAGE], why);
	status = status ? status : template_read("page.css", &parts[STYLE], why);
	status = status ? status : template_read("page.js", &parts[SCRIPT], why);
	for (unsigned k = CONTENTS; !status && k < TEXTS; k++)
		status = part_write(&writer, page, k, &parts[k]);
	return status;
}

/* The template with PARTS in their places as DIRECTORY/index.html. */
static enum status parts_join(char *const *parts, const char *directory, struct why *why)
{
	char path[FOLDER_PATH_MAX], part[FOLDER_PATH_MAX];
	struct html_slot slots[TEXTS] = {{NULL, NULL}};
	enum status status = path_format(path, why, "%s/index.html", directory);
	status = status ? status : path_format(part, why, "%s.part", path);
	if (status)
		return status;
	for (unsigned k = STYLE; k < TEXTS; k++)
		slots[k - STYLE] = (struct html_slot){names[k], parts[k]};
	FILE *file = fopen(part, "w");
	if (!file)
		return why_errno(why, "%s: cannot write", part);
	html_fill(file, parts[PAGE], slots);
	bool failed = ferror(file);
	if (fclose(file) != 0 || failed || rename(part, path) != 0)
		status = why_errno(why, "%s: cannot write", path);
	if (status)
		unlink(part);
	return status;
}

enum status page_write(const struct page *page, const char *directory, struct why *why)
{
	char *parts[TEXTS] = {NULL};
	enum status status = parts_make(page, directory, parts, why);
	if (!status)
		status = parts_join(parts, directory, why);
	for (unsigned k = 0; k < TEXTS; k++)
		free(parts[k]);
	return status;
}
