/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files of a bundle: provenance.txt, by which it is known, SHA256SUMS, as sha256sum writes and
 * checks it, and those between; see paper.h.
 */
#include "src/paper/paper.h"

#include "base/file.h"
#include "src/cli/provenance.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* The first line of provenance.txt, by which a bundle is known. */
static const char mark[] = "nxn bundle 1";

static const char sums[] = "SHA256SUMS";
static const char old_sums[] = "SHA256SUMS.old";

enum status paper_bundle_find(const char *path, bool *found, struct why *why)
{
	char file[FOLDER_PATH_MAX], line[sizeof mark + 1] = "";
	enum status status = path_format(file, why, "%s/provenance.txt", path);
	if (status)
		return status;
	FILE *in = fopen(file, "re");
	*found = in && fgets(line, sizeof line, in) && strncmp(line, mark, sizeof mark - 1) == 0;
	if (in ? ferror(in) != 0 && errno != EISDIR : errno != ENOENT && errno != ENOTDIR)
		status = why_errno(why, "%s: cannot be read", file);
	if (in)
		fclose(in);
	return status;
}

/*
 * Whether the folder may become a bundle: it is not there, or empty but for the beginning of one.
 */
static enum status folder_find_free(const char *path, bool *vacant, struct why *why)
{
	DIR *files = opendir(path);
	*vacant = !files && errno == ENOENT;
	if (!files)
		return *vacant || errno == ENOTDIR ? STATUS_OK
						   : why_errno(why, "%s: cannot be read", path);
	*vacant = true;
	errno = 0;
	for (struct dirent *file; *vacant && (file = readdir(files));)
		*vacant = strcmp(file->d_name, ".") == 0 || strcmp(file->d_name, "..") == 0 ||
			  strcmp(file->d_name, "provenance.txt.part") == 0;
	enum status status = errno ? why_errno(why, "%s: cannot be read", path) : STATUS_OK;
	closedir(files);
	return status;
}

/* The lines of RUN that tell its games from others. */
static void run_write(FILE *file, const struct paper_run *run)
{
	static const char *const wanted[] = {"nxn ", "command: ", "configuration: ", "seed: "};
	fprintf(file, "run %s: from %s\n", run->name, run->source);
	for (char *const *line = run->provenance; *line; line++)
		for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
			if (strncmp(*line, wanted[i], strlen(wanted[i])) == 0)
				fprintf(file, "run %s: %s\n", run->name, *line);
}

enum status paper_provenance(struct paper *paper, struct why *why)
{
	FILE *file;
	enum status status = paper_create(paper, "provenance.txt", &file, why);
	if (status)
		return status;
	fprintf(file, "%s\n", mark);
	for (char **line = paper->provenance; *line; line++)
		fprintf(file, "%s\n", *line);
	for (size_t i = 0; i < paper->run_count; i++)
		run_write(file, &paper->runs[i]);
	return paper_finish(paper, "provenance.txt", file, STATUS_OK, why);
}

/* Puts the sums of an earlier bundle aside: from now on it is not whole. STATUS_SYSTEM. */
static enum status sums_unseal(const struct paper *paper, struct why *why)
{
	char whole[FOLDER_PATH_MAX], old[FOLDER_PATH_MAX];
	enum status status = path_format(whole, why, "%s/%s", paper->directory, sums);
	status = status ? status : path_format(old, why, "%s/%s", paper->directory, old_sums);
	if (!status && rename(whole, old) != 0 && errno != ENOENT && errno != ENOTDIR)
		status = why_errno(why, "%s: cannot be put aside", whole);
	return status;
}

enum status paper_begin(struct paper *paper, struct why *why)
{
	bool bundle, vacant = false;
	enum status status = paper_bundle_find(paper->directory, &bundle, why);
	if (!status && !bundle)
		status = folder_find_free(paper->directory, &vacant, why);
	if (!status && !bundle && !vacant)
		status = why_set(why, STATUS_INPUT,
				 "%s: is there, and no bundle of nxn paper; give another folder",
				 paper->directory);
	status = status ? status : sums_unseal(paper, why);
	return status ? status : paper_provenance(paper, why);
}

enum status paper_origin(struct paper *paper, const char *command, struct why *why)
{
	struct utsname system;
	struct provenance p;
	char *host;
	if (uname(&system) != 0)
		return why_errno(why, "the name of this machine");
	enum status status = provenance_init(&p, command, 0, "", why);
	if (status)
		return status;
	if (asprintf(&host, "host: %.64s, %.64s %.64s %.64s", system.nodename, system.sysname,
		     system.release, system.machine) < 0) {
		provenance_fini(&p);
		return why_set(why, STATUS_SYSTEM, "provenance: out of memory");
	}
	/* Configuration and seed are those of the runs. */
	free(p.line[2]);
	free(p.line[3]);
	char *lines[] = {p.line[0], p.line[1], host, p.line[4], p.line[5], p.line[6]};
	memcpy(paper->provenance, lines, sizeof lines);
	return STATUS_OK;
}

enum status paper_create(const struct paper *paper, const char *path, FILE **file, struct why *why)
{
	char place[FOLDER_PATH_MAX], folder[FOLDER_PATH_MAX];
	enum status status = path_format(place, why, "%s/%s", paper->directory, path);
	status = status
		     ? status
		     : path_format(folder, why, "%.*s", (int)(strrchr(place, '/') - place), place);
	status = status ? status : folder_make(folder, why);
	return status ? status : part_create(place, file, why);
}

enum status paper_finish(struct paper *paper, const char *path, FILE *file, enum status status,
			 struct why *why)
{
	char place[FOLDER_PATH_MAX];
	snprintf(place, sizeof place, "%s/%s", paper->directory, path);
	status = part_finish(file, place, status, why);
	return status ? status : paper_note(paper, path, why);
}

enum status file_append(FILE *out, const char *path, struct why *why)
{
	char bytes[1 << 14];
	FILE *in = fopen(path, "re");
	if (!in)
		return why_errno(why, "%s: cannot be read", path);
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
		fwrite(bytes, 1, n, out);
	enum status status = ferror(in) ? why_errno(why, "%s: cannot be read", path) : STATUS_OK;
	fclose(in);
	return status;
}

enum status paper_copy(struct paper *paper, const char *from, const char *path, struct why *why)
{
	FILE *out;
	enum status status = paper_create(paper, path, &out, why);
	if (status)
		return status;
	return paper_finish(paper, path, out, file_append(out, from, why), why);
}

static bool is_noted(const struct paper *paper, const char *path)
{
	for (size_t i = 0; i < paper->files.n; i++)
		if (strcmp(paper->files.item[i], path) == 0)
			return true;
	return false;
}

enum status paper_note(struct paper *paper, const char *path, struct why *why)
{
	return is_noted(paper, path) ? STATUS_OK : list_add(&paper->files, path, strlen(path), why);
}

/* ---- SHA256SUMS. */

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
 * Takes the next line of FILE apart: its sum and its path. False at the end, and, with an empty
 * PATH, at a line that is none. A path that leads out of the bundle is none.
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
		if (!is_noted(paper, path))
			status = file_remove(paper, path, why);
	if (!status && ferror(file))
		status = why_errno(why, "%s: cannot be read", old);
	fclose(file);
	return status ? status : file_remove(paper, old_sums, why);
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

/*
 * ---- Dates of PDF files. What draws them writes when it did so, which would make every bundle
 * another one: the digits of "/CreationDate (D:YYYYMMDDhhmmss" are replaced in place, so that all
 * offsets stay true, by those of SOURCE_DATE_EPOCH (reproducible-builds.org), or of 1970-01-01.
 */

enum { DIGITS = 14 };

static void date_text(char text[DIGITS + 1])
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	char *end;
	struct tm broken;
	time_t when = 0;
	if (epoch && *epoch) {
		long long seconds = strtoll(epoch, &end, 10);
		/* Up to the year 9999, which 14 digits can say. */
		when = *end == '\0' && seconds >= 0 && seconds < 253402300800 ? (time_t)seconds : 0;
	}
	gmtime_r(&when, &broken);
	strftime(text, DIGITS + 1, "%Y%m%d%H%M%S", &broken);
}

/* Where the digits are in FILE, or -1. */
static long digits_find(FILE *file)
{
	static const char key[] = "/CreationDate (D:";
	size_t matched = 0;
	for (int c; (c = getc(file)) != EOF;) {
		matched = c == key[matched] ? matched + 1 : c == key[0] ? 1 : 0;
		if (matched == sizeof key - 1)
			return ftell(file);
	}
	return -1;
}

enum status paper_pdf_date(const char *path, struct why *why)
{
	char date[DIGITS + 1];
	FILE *file = fopen(path, "r+e");
	if (!file)
		return why_errno(why, "%s: cannot be written", path);
	date_text(date);
	long at = digits_find(file);
	if (at >= 0 && fseek(file, at, SEEK_SET) == 0)
		fwrite(date, 1, DIGITS, file);
	bool failed = ferror(file);
	if (fclose(file) != 0 || failed)
		return why_errno(why, "%s: cannot be written", path);
	return STATUS_OK;
}
