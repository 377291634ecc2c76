/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bundle, from what is to go into it to its checksums; see paper.h.
 *
 * What an argument names is told by what is there, never by how it is called. A folder with
 * games.tsv, searches.tsv or gap.tsv is a run; a file that begins with the columns of a curve or of
 * a tuning is one of its own; what is no folder and no table is an experiment. A bundle is known by
 * provenance.txt; SHA256SUMS is as sha256sum writes and checks it.
 *
 * A bundle is made in the new folder STAGE below its own. When all of it is there, the sums of the
 * earlier one are removed, then each file and folder of the new one takes the place of the old one,
 * the sums last.
 */
#include "analysis/logs/parts.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/cli/data_dir.h"
#include "src/cli/provenance.h"
#include "src/paper/paper.h"
#include "src/games/experiment.h"
#include "src/measure/experiment_file.h"
#include "src/measure/launch.h"
#include "src/measure/sweep.h"
#include "src/report/print.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* ---- Files. */

/* The first line of provenance.txt, by which a bundle is known. */
static const char mark[] = "nxn bundle 1";

static const char sums[] = "SHA256SUMS";

/* What a bundle may consist of: marked first, whole last; and what pdflatex makes of its main.tex. */
static const char *const bundle_entries[] = {
    "provenance.txt", "README.md", "index.html", "main.tex", "figures", "tables",
    "data",	      "main.pdf",  "main.aux",	 "main.log", sums};

enum { ENTRIES = sizeof bundle_entries / sizeof *bundle_entries };

/* Whether PATH is the folder of a bundle. STATUS_SYSTEM. */
static enum status paper_bundle_find(const char *path, bool *found, struct why *why)
{
	char file[FOLDER_PATH_MAX], line[sizeof mark + 1] = "";
	enum status status = path_format(file, why, "%s/provenance.txt", path);
	if (status)
		return status;
	FILE *in;
	*found = false;
	if (input_open(file, &in, why))
		return errno == ENOENT || errno == ENOTDIR || errno == EISDIR ? STATUS_OK
									      : STATUS_SYSTEM;
	*found = fgets(line, sizeof line, in) && strncmp(line, mark, sizeof mark - 1) == 0;
	if (ferror(in))
		status = why_errno(why, "%s: cannot be read", file);
	fclose(in);
	return status;
}

/* Whether one of the runs is of SOURCE. */
static bool source_taken(const struct paper *paper, const char *source)
{
	for (size_t i = 0; i < paper->run_count; i++)
		if (strcmp(paper->runs[i].source, source) == 0)
			return true;
	return false;
}

enum { SOURCES_MAX = 300, PROVENANCE_MAX = 1 << 24 };

/*
 * Replaces a bundle of other runs, which its provenance.txt names, only where it was named, and says
 * so. STATUS_INPUT, STATUS_SYSTEM.
 */
static enum status replace_check(const struct paper *paper, struct why *why)
{
	char path[FOLDER_PATH_MAX], sources[SOURCES_MAX] = "", *text;
	size_t count = 0, used = 0, size;
	bool same = true;
	enum status status = path_format(path, why, "%s/provenance.txt", paper->directory);
	status = status ? status : file_read(path, PROVENANCE_MAX, &text, &size, why);
	if (status)
		return status;
	char *rest = text;
	for (char *line; (line = strsep(&rest, "\n"));) {
		const char *source = strstr(line, ": from ");
		if (strncmp(line, "run ", 4) != 0 || !source)
			continue;
		source += strlen(": from ");
		same = same && source_taken(paper, source);
		if (used < SOURCES_MAX)
			used += (size_t)snprintf(sources + used, SOURCES_MAX - used, "%s%s",
						 count++ ? ", " : "", source);
	}
	free(text);
	if (same && count == paper->run_count)
		return STATUS_OK;
	const char *of = *sources ? sources : "no run";
	if (!paper->named)
		return why_set(why, STATUS_INPUT,
			       "%s: is a bundle of %s; --out %s replaces it, --out with another "
			       "folder keeps it",
			       paper->directory, of, paper->directory);
	printf("Replaces the bundle of %s in %s.\n", of, paper->directory);
	return STATUS_OK;
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
			  strncmp(file->d_name, "provenance.txt.nxn-", 19) == 0 ||
			  strncmp(file->d_name, ".nxn", 4) == 0;
	enum status status = errno ? why_errno(why, "%s: cannot be read", path) : STATUS_OK;
	closedir(files);
	return status;
}

/* The lines of RUN that tell its games from others. */
static void run_write(FILE *file, const struct paper_run *run)
{
	static const char *const wanted[] = {"nxn ", "command: ", "configuration: ", "seed: "};
	fprintf(file, "run %s: from %s\n", run->page.name, run->source);
	for (char *const *line = run->page.provenance; *line; line++)
		for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
			if (strncmp(*line, wanted[i], strlen(wanted[i])) == 0)
				fprintf(file, "run %s: %s\n", run->page.name, *line);
}

/* Writes provenance.txt in FOLDER: in the end, that of all runs is known. */
static enum status provenance_write(const struct paper *paper, const char *folder, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	FILE *file;
	enum status status = path_format(path, why, "%s/provenance.txt", folder);
	status = status ? status : part_create(path, &file, why);
	if (status)
		return status;
	fprintf(file, "%s\n", mark);
	for (char *const *line = paper->provenance; *line; line++)
		fprintf(file, "%s\n", *line);
	for (size_t i = 0; i < paper->run_count; i++)
		run_write(file, &paper->runs[i]);
	return part_finish(file, path, STATUS_OK, why);
}

static int entry_remove(const char *path, const struct stat *file, int type, struct FTW *place)
{
	(void)file;
	(void)type;
	(void)place;
	return remove(path);
}

/* Removes PATH, if it is there, with all that is in it; follows no link. STATUS_SYSTEM. */
static enum status tree_remove(const char *path, struct why *why)
{
	enum { FOLDERS_OPEN = 16 };
	if (nftw(path, entry_remove, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS) != 0 && errno != ENOENT)
		return why_errno(why, "%s: cannot be removed", path);
	return STATUS_OK;
}

/* Makes the folder that the bundle is made in, without what an earlier attempt has left there. */
static enum status stage_make(struct paper *paper, struct why *why)
{
	enum status status = path_format(paper->stage, why, "%s/.nxn-bundle", paper->directory);
	status = status ? status : tree_remove(paper->stage, why);
	if (!status && mkdir(paper->stage, 0777) != 0)
		status = why_errno(why, "%s: cannot be made", paper->stage);
	return status;
}

/*
 * Makes the folder a bundle of this paper, or goes on with one, and the folder that it is made in.
 * STATUS_INPUT if there is something else.
 */
static enum status paper_begin(struct paper *paper, struct why *why)
{
	bool bundle, vacant = false;
	enum status status = paper_bundle_find(paper->directory, &bundle, why);
	if (!status && bundle)
		status = replace_check(paper, why);
	else if (!status)
		status = folder_find_free(paper->directory, &vacant, why);
	if (!status && !bundle && !vacant)
		status = why_set(why, STATUS_INPUT,
				 "%s: is there, and no bundle of nxn paper; give another folder",
				 paper->directory);
	if (!status && !bundle)
		status = provenance_write(paper, paper->directory, why);
	return status ? status : stage_make(paper, why);
}

/* Puts the bundle, which is whole, in the place of the earlier one. STATUS_SYSTEM. */
static enum status stage_publish(const struct paper *paper, struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	enum status status = path_format(to, why, "%s/%s", paper->directory, sums);
	if (!status && unlink(to) != 0 && errno != ENOENT)
		status = why_errno(why, "%s: cannot be removed", to);
	for (size_t i = 0; !status && i < ENTRIES; i++) {
		status = path_format(from, why, "%s/%s", paper->stage, bundle_entries[i]);
		status = status
			     ? status
			     : path_format(to, why, "%s/%s", paper->directory, bundle_entries[i]);
		struct stat file;
		const bool is_new = !status && lstat(from, &file) == 0;
		if (!status && !(is_new && S_ISREG(file.st_mode)))
			status = tree_remove(to, why);
		if (!status && is_new && rename(from, to) != 0)
			status = why_errno(why, "%s: cannot be put in its place", to);
	}
	return status ? status : tree_remove(paper->stage, why);
}

/* What the bundle is made by, for its provenance: COMMAND, version, machine. */
static enum status paper_origin(struct paper *paper, const char *command, struct why *why)
{
	struct utsname system;
	struct provenance p;
	char *host;
	if (uname(&system) != 0)
		return why_errno(why, "the name of this machine");
	enum status status = provenance_init(&p, command, 0, "", NULL, why);
	if (status)
		return status;
	host = xasprintf("host: %.64s, %.64s %.64s %.64s", system.nodename, system.sysname,
			 system.release, system.machine);
	/* Configuration and seed are those of the runs. */
	free(p.line[2]);
	free(p.line[3]);
	char *lines[] = {p.line[0], p.line[1], host, p.line[4], p.line[5], p.line[6]};
	memcpy(paper->provenance, lines, sizeof lines);
	return STATUS_OK;
}

enum status paper_create(const struct paper *paper, const char *path, char place[FOLDER_PATH_MAX],
			 FILE **file, struct why *why)
{
	char folder[FOLDER_PATH_MAX];
	enum status status = path_format(place, why, "%s/%s", paper->stage, path);
	status = status
		     ? status
		     : path_format(folder, why, "%.*s", (int)(strrchr(place, '/') - place), place);
	status = status ? status : folder_make_below(paper->stage, folder, why);
	return status ? status : part_create(place, file, why);
}

enum status file_append(FILE *out, const char *path, struct why *why)
{
	char bytes[1 << 14];
	FILE *in;
	if (input_open(path, &in, why))
		return STATUS_SYSTEM;
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
		fwrite(bytes, 1, n, out);
	enum status status = ferror(in) ? why_errno(why, "%s: cannot be read", path) : STATUS_OK;
	fclose(in);
	return status;
}

/* ---- SHA256SUMS. */

enum { SHA256_TEXT = SHA256_DIGEST_STRING_LENGTH };

/* The sum of the file PATH. STATUS_SYSTEM if it cannot be read. */
static enum status sha256_file(const char *path, char text[SHA256_TEXT], struct why *why)
{
	SHA2_CTX hash;
	unsigned char bytes[1 << 14];
	FILE *file;
	if (input_open(path, &file, why))
		return STATUS_SYSTEM;
	SHA256Init(&hash);
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
		SHA256Update(&hash, bytes, n);
	enum status status = ferror(file) ? why_errno(why, "%s: cannot be read", path) : STATUS_OK;
	fclose(file);
	SHA256End(&hash, text);
	return status;
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
	if (name[text_plain(name)]) /* it will be shown on somebody's terminal */
		return false;
	snprintf(path, FOLDER_PATH_MAX, "%.*s", FOLDER_PATH_MAX - 1, name);
	return true;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Adds the files of the bundle in its folder BELOW, "" or one that ends with '/', to its list. */
static enum status files_find(struct paper *paper, const char *below, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct dirent **found;
	struct stat file;
	enum status status = path_format(path, why, "%s/%s", paper->stage, below);
	const int count = status ? 0 : scandir(path, &found, is_visible, alphasort);
	if (count < 0)
		return why_errno(why, "%s: cannot be read", path);
	for (int i = 0; i < count; i++) {
		char *name = xasprintf("%s%s", below, found[i]->d_name);
		status = status ? status : path_format(path, why, "%s/%s", paper->stage, name);
		if (!status && lstat(path, &file) != 0)
			status = why_errno(why, "%s: cannot be read", path);
		if (!status && S_ISDIR(file.st_mode)) {
			char *folder = xasprintf("%s/", name);
			status = files_find(paper, folder, why);
			free(folder);
		} else if (!status) {
			status = list_add(&paper->files, name, strlen(name), why);
		}
		free(name);
		free(found[i]);
	}
	if (count > 0)
		free(found);
	return status;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Writes SHA256SUMS, and puts the bundle in its place. */
static enum status paper_end(struct paper *paper, struct why *why)
{
	FILE *file;
	char place[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX], sum[SHA256_TEXT];
	enum status status = files_find(paper, "", why);
	qsort(paper->files.item, paper->files.n, sizeof *paper->files.item, by_name);
	status = status ? status : paper_create(paper, sums, place, &file, why);
	if (status)
		return status;
	for (size_t i = 0; !status && i < paper->files.n; i++) {
		status = path_format(path, why, "%s/%s", paper->stage, paper->files.item[i]);
		status = status ? status : sha256_file(path, sum, why);
		if (!status)
			fprintf(file, "%s  %s\n", sum, paper->files.item[i]);
	}
	status = part_finish(file, place, status, why);
	return status ? status : stage_publish(paper, why);
}

enum status paper_sums_check(const char *directory, bool *bundle, size_t *files, size_t *bad,
			     struct why *why)
{
	char place[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	char sum[SHA256_TEXT], found[SHA256_TEXT];
	struct why reason;
	enum status status = paper_bundle_find(directory, bundle, why);
	if (status || !*bundle)
		return status;
	status = path_format(place, why, "%s/%s", directory, sums);
	FILE *file;
	if (!status && input_open(place, &file, why))
		status = errno != ENOENT ? STATUS_INPUT
					 : why_set(why, STATUS_INPUT,
						   "%s: is not there: the bundle is not whole; the "
						   "nxn paper that made it goes on with it",
						   place);
	if (status)
		return status;
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

/* ---- What is to go in. */

static bool has_file(const char *folder, const char *file)
{
	char path[FOLDER_PATH_MAX];
	return path_format(path, NULL, "%s/%s", folder, file) == STATUS_OK &&
	       access(path, F_OK) == 0;
}

static bool name_taken(const struct paper *paper, const char *name)
{
	for (size_t i = 0; i < paper->run_count; i++)
		if (strcmp(paper->runs[i].page.name, name) == 0)
			return true;
	return false;
}

/* A name for PATH, its last part without SUFFIX, that no other run has. */
static void run_name(const struct paper *paper, const char *path, const char *suffix,
		     char name[PAGE_NAME_MAX])
{
	char whole[FOLDER_PATH_MAX], word[FOLDER_PATH_MAX];
	snprintf(whole, sizeof whole, "%s", path);
	for (size_t end = strlen(whole); end > 1 && whole[end - 1] == '/';)
		whole[--end] = '\0';
	const char *slash = strrchr(whole, '/'), *last = slash ? slash + 1 : whole;
	path_word(last, word);
	size_t length = strlen(word), cut = strlen(suffix);
	if (length > cut && strcmp(word + length - cut, suffix) == 0)
		word[length - cut] = '\0';
	const char *stem = strspn(word, ".") == strlen(word) ? "run" : word;
	snprintf(name, PAGE_NAME_MAX, "%.48s", stem);
	for (int i = 2; name_taken(paper, name); i++)
		snprintf(name, PAGE_NAME_MAX, "%.48s-%d", stem, i);
}

/*
 * Appends the run of SOURCE, called NAME, for which EXPERIMENT is to be played first unless it is
 * "".
 */
static enum status run_append(struct paper *paper, enum paper_kind kind, const char *source,
			      const char *name, const char *experiment, struct why *why)
{
	for (size_t i = 0; i < paper->run_count; i++)
		if (strcmp(paper->runs[i].source, source) == 0)
			return why_set(why, STATUS_INPUT, "%s: is named twice", source);
	if (paper->run_count == PAPER_RUNS_MAX)
		return why_set(why, STATUS_INPUT, "more than %d runs", PAPER_RUNS_MAX);
	struct paper_run *run = xreallocarray(paper->runs, paper->run_count + 1, sizeof *run);
	paper->runs = run;
	run += paper->run_count;
	memset(run, 0, sizeof *run);
	run->kind = kind;
	snprintf(run->page.name, sizeof run->page.name, "%s", name);
	snprintf(run->page.title, sizeof run->page.title, "%s", name);
	enum status status = path_format(run->source, why, "%s", source);
	status = status ? status : path_format(run->experiment, why, "%s", experiment);
	paper->run_count += !status;
	return status;
}

static enum status table_add(struct paper *paper, const char *path, struct why *why)
{
	char name[PAGE_NAME_MAX];
	run_name(paper, path, ".tsv", name);
	return run_append(paper, PAPER_SINGLE, path, name, "", why);
}

static int is_table(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return dot && strcmp(dot, ".tsv") == 0;
}

/* What is missing of the folder PATH, which has no log that a bundle could be of. */
static enum status folder_refuse(const char *path, struct why *why)
{
	static const struct rowlog_kind *const kinds[] = {&gamelog_kind, &sweep_log_kind,
							  &gap_log_kind};
	struct parts parts;
	size_t found = 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		enum status status = parts_find(kinds[i], path, &parts, why);
		if (status)
			return status;
		found += parts.n;
		parts_free(&parts);
	}
	if (found)
		return why_set(why, STATUS_INPUT,
			       "%s: has shares of a run only; the same command without --shard "
			       "merges them and makes tables",
			       path);
	return why_set(why, STATUS_INPUT,
		       "%s: holds no run: no games.tsv, gap.tsv or searches.tsv, and no table of "
		       "nxn train --curve or nxn tune",
		       path);
}

/* Appends the tables of train and tune in the folder PATH. */
static enum status tables_add(struct paper *paper, const char *path, struct why *why)
{
	char file[FOLDER_PATH_MAX];
	struct dirent **entries;
	size_t before = paper->run_count;
	enum status status = STATUS_OK;
	const struct figure *figure;
	int count = scandir(path, &entries, is_table, alphasort);
	if (count < 0)
		return why_errno(why, "%s: cannot be read", path);
	for (int i = 0; i < count; i++) {
		status =
		    status ? status : path_format(file, why, "%s/%s", path, entries[i]->d_name);
		status = status ? status : figure_single(file, &figure, why);
		if (!status && figure)
			status = table_add(paper, file, why);
		free(entries[i]);
	}
	free(entries);
	if (!status && paper->run_count == before)
		status = folder_refuse(path, why);
	return status;
}

static enum status folder_add(struct paper *paper, const char *path, struct why *why)
{
	static const struct {
		const char *log;
		enum paper_kind kind;
	} kinds[] = {
	    {"searches.tsv", PAPER_SWEEP}, {"gap.tsv", PAPER_GAP}, {"games.tsv", PAPER_GAMES}};
	char name[PAGE_NAME_MAX];
	bool bundle;
	enum status status = paper_bundle_find(path, &bundle, why);
	if (status)
		return status;
	if (bundle)
		return why_set(why, STATUS_INPUT,
			       "%s: is a bundle of nxn paper; name the runs that it is of", path);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!has_file(path, kinds[i].log))
			continue;
		if (!has_file(path, "tables"))
			return why_set(why, STATUS_INPUT,
				       "%s: has a log, but no tables: it was not run to its end; "
				       "the same command goes on with it",
				       path);
		run_name(paper, path, "", name);
		return run_append(paper, kinds[i].kind, path, name, "", why);
	}
	return tables_add(paper, path, why);
}

/* The experiment ARGUMENT, to be played into the bundle's folder. */
static enum status experiment_take(struct paper *paper, const char *argument, struct why *why)
{
	struct experiment experiment;
	char file[FOLDER_PATH_MAX], source[FOLDER_PATH_MAX], name[PAGE_NAME_MAX];
	enum status status = builtin_find(argument, file, why);
	status = status ? status : experiment_read(&experiment, file, why);
	if (status)
		return status;
	const enum paper_kind kind = experiment.sweep ? PAPER_SWEEP : PAPER_GAMES;
	run_name(paper, experiment.name, "", name);
	experiment_fini(&experiment);
	status = path_format(source, why, "%s/runs/%s", paper->directory, name);
	return status ? status : run_append(paper, kind, source, name, file, why);
}

/*
 * Appends the run, or the runs, that ARGUMENT names; an experiment is to be played into
 * DIRECTORY/runs. STATUS_INPUT for anything else, and for what cannot be read.
 */
static enum status paper_add(struct paper *paper, const char *argument, struct why *why)
{
	struct stat there;
	const struct figure *figure = NULL;
	bool exists = stat(argument, &there) == 0;
	if (exists && S_ISDIR(there.st_mode))
		return folder_add(paper, argument, why);
	/* It is read twice and copied. */
	if (exists && !S_ISREG(there.st_mode))
		return why_set(
		    why, STATUS_INPUT,
		    "%s: not a regular file, expected a folder, a table or an experiment",
		    argument);
	enum status status = exists ? figure_single(argument, &figure, why) : STATUS_OK;
	if (status)
		return status;
	if (figure)
		return table_add(paper, argument, why);
	const char *dot = strrchr(argument, '.');
	if (exists && dot && strcmp(dot, ".tsv") == 0)
		return why_set(
		    why, STATUS_INPUT,
		    "%s: is no table of nxn train --curve or nxn tune; of a run, name the folder",
		    argument);
	return experiment_take(paper, argument, why);
}

static void paper_fini(struct paper *paper)
{
	for (size_t i = 0; i < paper->run_count; i++) {
		for (const char **file = paper->runs[i].page.files; *file; file++)
			free((char *)*file);
		page_run_fini(&paper->runs[i].page);
	}
	free(paper->runs);
	for (char **line = paper->provenance; *line; line++)
		free(*line);
	list_free(&paper->files);
}

/* ---- README.md and main.tex: figures and tables with their captions. */

/* Begins OUT with the file NAME of plots/. */
static enum status template_append(FILE *out, const char *name, struct why *why)
{
	char folder[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	enum status status = figures_folder(folder, why);
	status = status ? status : path_format(path, why, "%s/%s", folder, name);
	return status ? status : file_append(out, path, why);
}

static void figure_write(FILE *out, const struct page_item *figure)
{
	const int stem = (int)(strlen(figure->path) - strlen(".svg"));
	fprintf(out, "![%s](%s)\n\n", figure->name, figure->path);
	text_print(out, figure->caption, false);
	fprintf(out, " ([PDF](%.*s.pdf), [script](%.*s.gp))\n\n", stem, figure->path, stem,
		figure->path);
}

/* Whether TABLE has forms for print. */
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

/* The first table of a run stands in the text. */
static enum status run_text_write(FILE *out, const struct paper *paper, const struct page_run *run,
				  struct why *why)
{
	char path[FOLDER_PATH_MAX];
	fputs("## ", out);
	text_print(out, run->title, false);
	fputs("\n\n", out);
	enum status status = STATUS_OK;
	if (run->table_count > 0 && is_printed(&run->tables[0])) {
		status = path_format(path, why, "%s/tables/%s/%s.md", paper->stage, run->name,
				     run->tables[0].name);
		status = status ? status : file_append(out, path, why);
		putc('\n', out);
	}
	text_print(out, run->intervals, false);
	fputs(*run->intervals ? "\n\n" : "", out);
	for (size_t i = 0; i < run->figure_count; i++)
		figure_write(out, &run->figures[i]);
	for (size_t i = 0; i < run->table_count; i++)
		item_table_write(out, &run->tables[i]);
	fprintf(out, "\nData: `data/%s/`. Its log begins:\n\n", run->name);
	for (char *const *line = run->provenance; *line; line++)
		fprintf(out, "    %s\n", *line);
	putc('\n', out);
	return status;
}

static enum status readme_write(const struct paper *paper, struct why *why)
{
	char place[FOLDER_PATH_MAX];
	FILE *out;
	enum status status = paper_create(paper, "README.md", place, &out, why);
	if (status)
		return status;
	status = template_append(out, "bundle.md", why);
	if (paper->latex)
		fputs("`pdflatex main.tex` sets all figures and tables.\n\n", out);
	for (char *const *line = paper->provenance; *line; line++)
		fprintf(out, "    %s\n", *line);
	putc('\n', out);
	for (size_t i = 0; !status && i < paper->run_count; i++)
		status = run_text_write(out, paper, &paper->runs[i].page, why);
	return part_finish(out, place, status, why);
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

/* The first table of RUN and its figures. */
static void run_typeset(FILE *out, const struct page_run *run)
{
	title_typeset(out, "section", run);
	text_print(out, run->intervals, true);
	putc('\n', out);
	if (run->table_count > 0)
		table_typeset(out, run, run->tables);
	for (size_t i = 0; i < run->figure_count; i++) {
		fprintf(out, "\\nxnfigure{figures/%s/%s.pdf}{", run->name, run->figures[i].name);
		text_print(out, run->figures[i].caption, true);
		fputs("}\n", out);
	}
}

/* The other tables of all runs, behind the runs themselves. */
static void appendix_typeset(FILE *out, const struct paper *paper)
{
	fputs("\\clearpage\\appendix\\section{Further tables}\n", out);
	for (size_t i = 0; i < paper->run_count; i++) {
		const struct page_run *run = &paper->runs[i].page;
		if (run->table_count > 1)
			title_typeset(out, "subsection", run);
		for (size_t k = 1; k < run->table_count; k++)
			table_typeset(out, run, &run->tables[k]);
	}
}

static enum status main_write(const struct paper *paper, struct why *why)
{
	char place[FOLDER_PATH_MAX];
	FILE *out;
	enum status status = paper_create(paper, "main.tex", place, &out, why);
	if (status)
		return status;
	status = template_append(out, "main.tex", why);
	for (size_t i = 0; i < paper->run_count; i++)
		run_typeset(out, &paper->runs[i].page);
	appendix_typeset(out, paper);
	fputs("\\end{document}\n", out);
	return part_finish(out, place, status, why);
}

static enum status paper_documents(const struct paper *paper, struct why *why)
{
	enum status status = readme_write(paper, why);
	return status || !paper->latex ? status : main_write(paper, why);
}

/* ---- The page. */

static int is_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && entry->d_type != DT_DIR;
}

/* The files of RUN in data/, but not those in folders there; their paths are for the paper to free. */
static void data_find(struct paper *paper, struct page_run *run)
{
	char path[FOLDER_PATH_MAX];
	struct dirent **found;
	snprintf(path, sizeof path, "%.3000s/data/%s", paper->stage, run->name);
	const int count = scandir(path, &found, is_file, alphasort);
	for (int i = 0; i < count; i++) {
		if (i < PAGE_FILES_MAX)
			run->files[i] = xasprintf("data/%s/%s", run->name, found[i]->d_name);
		free(found[i]);
	}
	if (count >= 0)
		free(found);
}

static enum status paper_page(struct paper *paper, struct why *why)
{
	struct page_run *runs[PAPER_RUNS_MAX];
	struct page page = {.directory = paper->stage,
			    .runs = runs,
			    .run_count = paper->run_count,
			    .provenance = (const char *const *)paper->provenance,
			    .files = {"README.md", "provenance.txt", "SHA256SUMS",
				      paper->latex ? "main.tex" : NULL}};
	for (size_t i = 0; i < paper->run_count; i++) {
		runs[i] = &paper->runs[i].page;
		data_find(paper, runs[i]);
	}
	return page_write(&page, why);
}

/* ---- All of it. */

/* Plays the experiment of RUN as nxn run would. */
static enum status run_play(const struct paper *paper, const struct paper_run *run,
			    const struct invocation *call, struct why *why)
{
	struct experiment experiment;
	char name[] = "nxn run", out[] = "--out", no_times[] = "--no-times";
	char *argv[] = {name, (char *)run->experiment, out, (char *)run->source, no_times};
	struct invocation here = *call;
	const struct launch_options launching = {.directory = run->source,
						 .pace = {.threads = paper->threads},
						 .no_times = paper->no_times,
						 .no_figures = true};
	enum status status =
	    shell_join("", "nxn", paper->no_times ? 5 : 4, argv, &here.provenance, why);
	if (status)
		return status;
	status = experiment_read(&experiment, run->experiment, why);
	if (!status) {
		status = folder_make_below(paper->directory, run->source, why);
		if (!status)
			status = experiment.sweep ? sweep_launch(&experiment, experiment.sweep,
								 &launching, &here, why)
						  : launch(&experiment, &launching, &here, why);
		experiment_fini(&experiment);
		putchar('\n');
	}
	free(here.provenance);
	return status;
}

static enum status run_bundle(struct paper *paper, struct paper_run *run, struct why *why)
{
	enum status status = paper_contents(paper, run, why);
	if (!status)
		printf("%s: %zu figure%s, %zu table%s\n", run->page.name, run->page.figure_count,
		       run->page.figure_count == 1 ? "" : "s", run->page.table_count,
		       run->page.table_count == 1 ? "" : "s");
	fflush(stdout);
	return stop_requested() ? STATUS_STOPPED : status;
}

static enum status bundle_write(struct paper *paper, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < paper->run_count; i++)
		status = run_bundle(paper, &paper->runs[i], why);
	status = status ? status : provenance_write(paper, paper->stage, why);
	status = status ? status : paper_documents(paper, why);
	status = status ? status : paper_page(paper, why);
	return status ? status : paper_end(paper, why);
}

/* Plays what has to be played, then writes the bundle. */
static enum status bundle_make(struct paper *paper, const struct invocation *call, struct why *why)
{
	struct lock lock = {0};
	enum status status = folder_lock(&lock, paper->directory, false, why);
	status = status ? status : paper_begin(paper, why);
	for (size_t i = 0; !status && i < paper->run_count; i++)
		if (*paper->runs[i].experiment)
			status = run_play(paper, &paper->runs[i], call, why);
	if (!status) {
		status = bundle_write(paper, why);
		if (status && stop_requested()) {
			fprintf(stderr, "%s: stopped; to go on:\n%s\n", call->name, call->resume);
			status = STATUS_STOPPED;
		}
	}
	lock_release(&lock);
	if (!status)
		text_printf(stdout,
			    "Bundle of %zu files and their SHA256SUMS in %s; README.md tells what "
			    "is where.",
			    paper->files.n, paper->directory);
	return status;
}

enum status paper_bundle(struct paper *paper, const struct text_list *runs,
			 const struct invocation *call, struct why *why)
{
	enum status status = paper_origin(paper, call->provenance, why);
	for (size_t i = 0; !status && i < runs->n; i++)
		status = paper_add(paper, runs->item[i], why);
	if (!status)
		status = bundle_make(paper, call, why);
	paper_fini(paper);
	return status;
}
