/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index.html of a bundle: its figures and tables handed to src/report/page.h. */
#include "src/paper/paper.h"

#include "src/report/page.h"
#include "src/cli/provenance.h"

#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 12 };

/* What a page is told of a run. */
struct told {
	struct page_figure figures[PAPER_ITEMS_MAX];
	struct page_table tables[PAPER_ITEMS_MAX];
	const char *files[FILES_MAX + 1];
};

/* The files of RUN in data/, but not those in folders there. */
static void files_tell(const struct paper *paper, const struct paper_run *run, struct told *told)
{
	char prefix[PAPER_NAME_MAX + 8];
	size_t count = 0, length = (size_t)snprintf(prefix, sizeof prefix, "data/%s/", run->name);
	for (size_t i = 0; i < paper->files.n && count < FILES_MAX; i++) {
		const char *path = paper->files.item[i];
		if (strncmp(path, prefix, length) == 0 && !strchr(path + length, '/'))
			told->files[count++] = path;
	}
}

static struct page_section run_tell(const struct paper *paper, const struct paper_run *run,
				    struct told *told)
{
	for (size_t i = 0; i < run->figure_count; i++) {
		const struct paper_item *item = &run->figures[i];
		told->figures[i] =
		    (struct page_figure){item->name, item->path, item->dark, item->caption};
	}
	for (size_t i = 0; i < run->table_count; i++) {
		const struct paper_item *item = &run->tables[i];
		told->tables[i] =
		    (struct page_table){item->name, item->path, item->caption, i == 0};
	}
	files_tell(paper, run, told);
	return (struct page_section){
	    .name = run->name,
	    .title = run->title,
	    .figures = told->figures,
	    .figure_count = run->figure_count,
	    .tables = told->tables,
	    .table_count = run->table_count,
	    .provenance = (const char *const *)run->provenance,
	    .files = told->files,
	};
}

/* What the bundle is, in a sentence. */
static void what_tell(const struct paper *paper, char *text, size_t size)
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
	struct told *told = calloc(paper->run_count, sizeof *told);
	struct page_section *sections = calloc(paper->run_count, sizeof *sections);
	enum status status = STATUS_OK;
	snprintf(generator, sizeof generator, "nxn %.100s", version_text);
	what_tell(paper, what, sizeof what);
	if (!told || !sections)
		status = why_set(why, STATUS_SYSTEM, "index.html: out of memory");
	for (size_t i = 0; !status && i < paper->run_count; i++)
		sections[i] = run_tell(paper, &paper->runs[i], &told[i]);
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
	free(told);
	free(sections);
	return status ? status : paper_note(paper, "index.html", why);
}
