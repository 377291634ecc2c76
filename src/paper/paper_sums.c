/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA256SUMS of a bundle, as sha256sum writes and checks it; see paper.h. */
#include "src/paper/paper.h"

#include <ctype.h>
#include <errno.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char sums[] = "SHA256SUMS";
static const char old_sums[] = "SHA256SUMS.old";

enum { SHA256_TEXT = SHA256_DIGEST_STRING_LENGTH };

/* The sum of the file PATH. STATUS_SYSTEM if it cannot be read. */
static enum status sha256_file(const char *path, char text[SHA256_TEXT], struct why *why)
{
	SHA2_CTX hash;
	unsigned char bytes[1 << 14];
	FILE *file = fopen(path, "re");
	if (!file)
		return why_errno(why, "%s: cannot be read", path);
	SHA256Init(&hash);
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
		SHA256Update(&hash, bytes, n);
	const bool failed = ferror(file);
	fclose(file);
	if (failed)
		return why_errno(why, "%s: cannot be read", path);
	SHA256End(&hash, text);
	return STATUS_OK;
}

/*
 * Takes the next line of FILE apart: its sum and its path. False at the end, and, with an empty PATH, at
 * a line that is none. A path that leads out of the bundle is none.
 */
static bool sum_next(FILE *file, char sum[SHA256_TEXT], char path[FOLDER_PATH_MAX])
{
	char line[FOLDER_PATH_MAX + SHA256_TEXT + 4];
	snprintf(path, FOLDER_PATH_MAX, "-");
	if (!fgets(line, sizeof line, file))
		return false;
	*path = '\0';
	size_t length = strcspn(line, "\n");
	if (line[length] != '\n' || length < SHA256_TEXT + 2 ||
	    strspn(line, "0123456789abcdef") != SHA256_TEXT - 1 ||
	    strncmp(line + SHA256_TEXT - 1, "  ", 2) != 0)
		return false;
	line[length] = '\0';
	memcpy(sum, line, SHA256_TEXT - 1);
	sum[SHA256_TEXT - 1] = '\0';
	const char *name = line + SHA256_TEXT + 1;
	if (*name == '/' || strstr(name, ".."))
		return false;
	for (const char *c = name; *c; c++)
		if (iscntrl((unsigned char)*c)) /* it will be shown on somebody's terminal */
			return false;
	snprintf(path, FOLDER_PATH_MAX, "%.*s", FOLDER_PATH_MAX - 1, name);
	return true;
}

static bool noted(const struct paper *paper, const char *path)
{
	for (size_t i = 0; i < paper->files.n; i++)
		if (strcmp(paper->files.item[i], path) == 0)
			return true;
	return false;
}

/* Removes the file PATH of the bundle, if it is there. */
static enum status file_remove(const struct paper *paper, const char *path, struct why *why)
{
	char place[FOLDER_PATH_MAX];
	enum status status = path_format(place, why, "%s/%s", paper->directory, path);
	if (!status && unlink(place) != 0 && errno != ENOENT && errno != ENOTDIR)
		status = why_errno(why, "%s: cannot be removed", place);
	return status;
}

/* Removes what the sums of an earlier bundle name and this one has not. */
static enum status old_remove(const struct paper *paper, struct why *why)
{
	char old[FOLDER_PATH_MAX], sum[SHA256_TEXT], path[FOLDER_PATH_MAX];
	enum status status = path_format(old, why, "%s/%s", paper->directory, old_sums);
	if (status)
		return status;
	FILE *file = fopen(old, "re");
	if (!file)
		return errno == ENOENT ? STATUS_OK : why_errno(why, "%s: cannot be read", old);
	while (!status && sum_next(file, sum, path))
		if (!noted(paper, path))
			status = file_remove(paper, path, why);
	if (!status && ferror(file))
		status = why_errno(why, "%s: cannot be read", old);
	fclose(file);
	return status ? status : file_remove(paper, old_sums, why);
}

enum status paper_unseal(const struct paper *paper, struct why *why)
{
	char whole[FOLDER_PATH_MAX], old[FOLDER_PATH_MAX];
	enum status status = path_format(whole, why, "%s/%s", paper->directory, sums);
	status = status ? status : path_format(old, why, "%s/%s", paper->directory, old_sums);
	if (!status && rename(whole, old) != 0 && errno != ENOENT && errno != ENOTDIR)
		status = why_errno(why, "%s: cannot be put aside", whole);
	return status;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

enum status paper_end(struct paper *paper, struct why *why)
{
	FILE *file;
	char path[FOLDER_PATH_MAX], sum[SHA256_TEXT];
	qsort(paper->files.item, paper->files.n, sizeof *paper->files.item, by_name);
	enum status status = old_remove(paper, why);
	status = status ? status : paper_create(paper, sums, &file, why);
	if (status)
		return status;
	for (size_t i = 0; !status && i < paper->files.n; i++) {
		status = path_format(path, why, "%s/%s", paper->directory, paper->files.item[i]);
		status = status ? status : sha256_file(path, sum, why);
		if (!status)
			fprintf(file, "%s  %s\n", sum, paper->files.item[i]);
	}
	return paper_finish(paper, sums, file, status, why);
}

enum status paper_sums_check(const char *directory, size_t *files, size_t *bad, struct why *why)
{
	char place[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	char sum[SHA256_TEXT], found[SHA256_TEXT];
	struct why reason;
	enum status status = path_format(place, why, "%s/%s", directory, sums);
	FILE *file = status ? NULL : fopen(place, "re");
	if (!file)
		return status ? status
			      : why_set(why, STATUS_INPUT,
					"%s: is not there: the bundle is not whole; the nxn paper "
					"that made "
					"it goes on with it",
					place);
	for (*files = *bad = 0; !status && sum_next(file, sum, path); ++*files) {
		status = path_format(place, why, "%s/%s", directory, path);
		const char *what = "differs from its checksum";
		if (!status && sha256_file(place, found, &reason))
			what = "cannot be read";
		else if (!status && strcmp(sum, found) == 0)
			continue;
		*bad += !status;
		if (!status)
			printf("%s: %s\n", path, what);
	}
	if (!status && ferror(file))
		status = why_errno(why, "%s/%s: cannot be read", directory, sums);
	if (!status && *path == '\0')
		status = why_set(why, STATUS_INPUT, "%s/%s: line %zu is no checksum of a file",
				 directory, sums, *files + 1);
	fclose(file);
	return status;
}
