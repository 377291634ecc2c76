/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA256SUMS of a bundle: written, and compared with the files; see bundle.h. */
#include "src/report/bundle.h"

#include "base/lines.h"
#include "base/text.h"
#include "base/xalloc.h"

#include <errno.h>
#include <fts.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char bundle_mark[] = "nxn bundle 1";

static const char sums[] = "SHA256SUMS";

enum { SHA256_TEXT = SHA256_DIGEST_STRING_LENGTH };

/* Sets TEXT to the sum of the regular file PATH; false if it cannot be read. */
static bool sha256_file(const char *path, char text[SHA256_TEXT])
{
	struct stat there;
	return stat(path, &there) == 0 && S_ISREG(there.st_mode) && SHA256File(path, text);
}

/* Whether NAME has a component "..". */
static bool leads_up(const char *name)
{
	for (const char *at = name; (at = strstr(at, "..")); at++)
		if ((at == name || at[-1] == '/') && (!at[2] || at[2] == '/'))
			return true;
	return false;
}

/*
 * The path in LINE, which begins with its sum; NULL if the line is invalid or the path leads out of
 * the bundle.
 */
static const char *sum_path(const char *line)
{
	const size_t digits = SHA256_TEXT - 1;
	if (strspn(line, "0123456789abcdef") != digits || strncmp(line + digits, "  ", 2) != 0)
		return NULL;
	const char *path = line + digits + 2;
	/* The path is printed on a terminal. */
	return *path && *path != '/' && !leads_up(path) && !path[text_plain(path)] ? path : NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the paths of all files of BUNDLE, relative to it, sorted. */
static void files_find(struct bundle *bundle, struct text_list *files)
{
	char *roots[] = {bundle->stage, NULL};
	struct why *why = &bundle->why;
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!tree)
		bundle_must(bundle, why_errno(why, "%s: cannot be read", bundle->stage));
	errno = 0;
	for (FTSENT *entry; (entry = fts_read(tree));) {
		const char *name = entry->fts_path + strlen(bundle->stage) + 1;
		if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR)
			bundle_must(bundle, why_errno(why, "%s: cannot be read", entry->fts_path));
		else if (entry->fts_info == FTS_F)
			bundle_must(bundle, list_add(files, name, strlen(name), why));
	}
	fts_close(tree);
	if (files->n)
		qsort(files->item, files->n, sizeof *files->item, by_name);
}

size_t bundle_sums(struct bundle *bundle)
{
	char path[FOLDER_PATH_MAX], sum[SHA256_TEXT];
	struct text_list files = {0};
	files_find(bundle, &files);
	FILE *file = bundle_create(bundle, "%s", sums);
	for (size_t i = 0; i < files.n; i++) {
		path_make(path, "%s/%s", bundle->stage, files.item[i]);
		if (!sha256_file(path, sum))
			bundle_must(bundle, why_errno(&bundle->why, "%s: cannot be read", path));
		fprintf(file, "%s  %s\n", sum, files.item[i]);
	}
	const size_t count = files.n;
	list_free(&files);
	bundle_close(bundle, file);
	return count;
}

/* Whether PATH is the folder of a bundle. STATUS_SYSTEM. */
static enum status bundle_find(const char *path, bool *found, struct why *why)
{
	char file[FOLDER_PATH_MAX];
	struct lines lines;
	*found = false;
	enum status status = lines_open(&lines, path_make(file, "%s/provenance.txt", path), why);
	if (status)
		return errno == ENOENT || errno == ENOTDIR || errno == EISDIR ? STATUS_OK
									      : STATUS_SYSTEM;
	*found = lines_next(&lines, &status, why) && strcmp(lines.text, bundle_mark) == 0;
	lines_close(&lines);
	return status == STATUS_INPUT ? STATUS_OK : status; /* no text, so no bundle */
}

enum status bundle_verify(const char *directory, bool *bundle, size_t *files, size_t *bad,
			  struct why *why)
{
	char place[FOLDER_PATH_MAX], file[FOLDER_PATH_MAX], found[SHA256_TEXT];
	struct lines lines;
	enum status status = bundle_find(directory, bundle, why);
	if (status || !*bundle)
		return status;
	if (lines_open(&lines, path_make(place, "%s/%s", directory, sums), why))
		return errno != ENOENT ? STATUS_INPUT
				       : why_set(why, STATUS_INPUT,
						 "%s: is not there: the bundle is not whole; nxn "
						 "report makes it again",
						 place);
	for (*files = *bad = 0; !status && lines_next(&lines, &status, why); ++*files) {
		const char *path = lines.ended ? sum_path(lines.text) : NULL;
		if (!path)
			status = why_set(why, STATUS_INPUT, "%s: line %zu is no checksum of a file",
					 place, lines.number);
		else if (!sha256_file(path_make(file, "%s/%s", directory, path), found))
			printf("%s: cannot be read\n", path);
		else if (strncmp(lines.text, found, sizeof found - 1) != 0)
			printf("%s: differs from its checksum\n", path);
		else
			continue;
		++*bad;
	}
	lines_close(&lines);
	return status;
}
