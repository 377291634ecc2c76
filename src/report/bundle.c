/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a bundle from the runs, and replaces an earlier bundle; see bundle.h.
 *
 * The content of an argument decides its kind, not its name: a folder with a log is a run, a file
 * with the header of a curve or of a tuning is a single table, any other file is a game log.
 * Tables are copied from the run, byte for byte. If a run has none, or parts of its log are not
 * merged, the tables of its games are made here.
 */
#include "src/report/bundle.h"

#include "analysis/logs/parts.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/cli/data_dir.h"
#include "src/cli/provenance.h"
#include "src/report/print.h"
#include "src/report/report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { RUNS_MAX = 200, TABLE_MAX = 1 << 26 };

/* ---- Files. */

enum status bundle_create(struct bundle *bundle, FILE **file, struct why *why, const char *format,
			  ...)
{
	char name[FOLDER_PATH_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(name, sizeof name, format, args);
	va_end(args);
	char *slash = strrchr(path_make(bundle->file, "%s/%s", bundle->stage, name), '/');
	*slash = '\0';
	enum status status = folder_make(bundle->file, why);
	*slash = '/';
	if (status)
		return status;
	*file = fopen(bundle->file, "wxe");
	return *file ? STATUS_OK : why_errno(why, "%s: cannot write", bundle->file);
}

enum status bundle_close(struct bundle *bundle, FILE *file, enum status status, struct why *why)
{
	const bool written = stream_flush(file);
	const int error = errno;
	if (fclose(file) == 0 && written)
		return status;
	errno = written ? errno : error;
	return status ? status : why_errno(why, "%s: cannot write", bundle->file);
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

/* Copies the file FROM, if it exists, to FOLDER/RUN/NAME of the bundle. */
static enum status file_copy(struct bundle *bundle, const struct bundle_run *run, const char *from,
			     const char *folder, const char *name, struct why *why)
{
	FILE *out;
	if (access(from, F_OK) != 0)
		return STATUS_OK;
	enum status status =
	    bundle_create(bundle, &out, why, "%s/%s/%s", folder, run->page.name, name);
	return status ? status : bundle_close(bundle, out, file_append(out, from, why), why);
}

static bool has_file(const char *folder, const char *file)
{
	char path[FOLDER_PATH_MAX];
	return access(path_make(path, "%s/%s", folder, file), F_OK) == 0;
}

/* ---- The runs. */

static bool name_taken(struct bundle *bundle, const char *name)
{
	for (size_t i = 0; i < bundle->run_count; i++)
		if (strcmp(bundle->runs[i].page.name, name) == 0)
			return true;
	return false;
}

/* Makes a unique name from the last component of PATH without SUFFIX. */
static void run_name(struct bundle *bundle, const char *path, const char *suffix,
		     char name[PAGE_NAME_MAX])
{
	char whole[FOLDER_PATH_MAX], word[FOLDER_PATH_MAX];
	snprintf(whole, sizeof whole, "%s", path);
	for (size_t end = strlen(whole); end > 1 && whole[end - 1] == '/';)
		whole[--end] = '\0';
	path_component(basename(whole), word);
	size_t length = strlen(word), cut = strlen(suffix);
	if (length > cut && strcmp(word + length - cut, suffix) == 0)
		word[length - cut] = '\0';
	const char *stem = strspn(word, ".") == strlen(word) ? "run" : word;
	snprintf(name, PAGE_NAME_MAX, "%.48s", stem);
	for (int i = 2; name_taken(bundle, name); i++)
		snprintf(name, PAGE_NAME_MAX, "%.48s-%d", stem, i);
}

/* Appends a copy of RUN, which has a source, and a log or a figure. */
static enum status run_append(struct bundle *bundle, struct bundle_run run, struct why *why)
{
	for (size_t i = 0; i < bundle->run_count; i++)
		if (!run.curves && strcmp(bundle->runs[i].source, run.source) == 0)
			return why_set(why, STATUS_INPUT, "%s: is named twice", run.source);
	if (bundle->run_count == RUNS_MAX)
		return why_set(why, STATUS_INPUT, "more than %d runs", RUNS_MAX);
	run_name(bundle, run.source, ".tsv", run.page.name);
	page_title(&run.page, run.page.name);
	run.source = xstrdup(run.source);
	bundle->runs = xreallocarray(bundle->runs, bundle->run_count + 1, sizeof run);
	bundle->runs[bundle->run_count++] = run;
	return STATUS_OK;
}

static int is_table(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return dot && strcmp(dot, ".tsv") == 0;
}

/* Appends the tables of train and tune in the folder PATH. */
static enum status tables_append(struct bundle *bundle, const char *path, struct why *why)
{
	char file[FOLDER_PATH_MAX];
	struct dirent **entries;
	const size_t before = bundle->run_count;
	enum status status = STATUS_OK;
	const struct figure *figure;
	const int count = scandir(path, &entries, is_table, alphasort);
	if (count < 0)
		return why_errno(why, "%s: cannot be read", path);
	for (int i = 0; i < count; i++) {
		path_make(file, "%s/%s", path, entries[i]->d_name);
		status = status ? status : figure_single(file, &figure, why);
		if (!status && figure)
			status = run_append(
			    bundle, (struct bundle_run){.source = file, .single = figure}, why);
		free(entries[i]);
	}
	free(entries);
	if (!status && bundle->run_count == before)
		status = why_set(why, STATUS_INPUT,
				 "%s: holds no run: no games.tsv, gap.tsv or searches.tsv, and no "
				 "table of nxn train --curve or nxn tune",
				 path);
	return status;
}

/* Whether the tables of FOLDER are of an earlier run: the next one removes results.tsv. */
static bool tables_outdated(const char *folder)
{
	return has_file(folder, "tables/summary.tsv") && !has_file(folder, "tables/results.tsv");
}

static enum status folder_append(struct bundle *bundle, const char *path, struct why *why)
{
	struct parts parts;
	char lack[PARTS_LACK_MAX];
	if (has_file(path, "SHA256SUMS") && has_file(path, "provenance.txt"))
		return why_set(why, STATUS_INPUT,
			       "%s: is a bundle of nxn report; name the runs that it is of", path);
	for (size_t i = 0; log_kinds[i]; i++) {
		const struct rowlog_kind *kind = log_kinds[i];
		enum status status = parts_all(kind, path, &parts, why);
		if (status)
			return status;
		const size_t n = parts.n;
		const bool games = kind == &gamelog_kind,
			   lacks = !games && parts_lack(kind, &parts, lack);
		parts_free(&parts);
		if (lacks)
			return why_set(why, STATUS_INPUT, "%s: %s", path, lack);
		if (!n)
			continue;
		char log[FOLDER_PATH_MAX];
		path_make(log, "%s.tsv", kind->stem);
		const bool made = n > 1 || !has_file(path, log) || !has_file(path, "tables") ||
				  (games && tables_outdated(path));
		if (made && !games)
			return why_set(why, STATUS_INPUT,
				       "%s: has no tables of all of its log; the command that it "
				       "is of, without --shard, goes on and makes them",
				       path);
		const bool anew = games && bundle->options->against;
		return run_append(
		    bundle,
		    (struct bundle_run){.source = path, .log = kind, .logged = made || anew}, why);
	}
	return tables_append(bundle, path, why);
}

/* Appends the run or the runs of ARGUMENT. */
static enum status argument_append(struct bundle *bundle, const char *argument, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct stat there;
	const struct figure *figure = NULL;
	if (stat(argument, &there) != 0 && builtin_find(argument, path, NULL) == STATUS_OK)
		return why_set(why, STATUS_INPUT,
			       "%s: is an experiment; first nxn compare %s, then report the folder "
			       "that it leaves",
			       argument, argument);
	if (stat(argument, &there) != 0)
		return why_errno(why, "%s", argument) == STATUS_OK ? STATUS_OK : STATUS_INPUT;
	if (S_ISDIR(there.st_mode))
		return folder_append(bundle, argument, why);
	/* The file is read twice and copied, which a pipe does not permit. */
	if (!S_ISREG(there.st_mode))
		return why_set(why, STATUS_INPUT,
			       "%s: not a regular file, expected a folder of results or a table",
			       argument);
	enum status status = figure_single(argument, &figure, why);
	struct bundle_run run = {.source = argument, .single = figure};
	if (!status && !figure)
		run = (struct bundle_run){.source = argument, .log = &gamelog_kind, .logged = true};
	return status ? status : run_append(bundle, run, why);
}

/* ---- Data. */

static int is_visible(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return entry->d_name[0] != '.' &&
	       !(dot && (strcmp(dot, ".tmp") == 0 || strcmp(dot, ".part") == 0 ||
			 strcmp(dot, ".lock") == 0));
}

/* Copies the files in SOURCE/FOLDER, if that exists, to data/RUN/FOLDER. */
static enum status folder_copy(struct bundle *bundle, const struct bundle_run *run,
			       const char *folder, struct why *why)
{
	struct stat there;
	struct dirent **entries;
	char source[FOLDER_PATH_MAX], from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	path_make(source, "%s/%s", run->source, folder);
	const int count = scandir(source, &entries, is_visible, alphasort);
	enum status status = STATUS_OK;
	for (int i = 0; i < count; i++) {
		path_make(from, "%s/%s", source, entries[i]->d_name);
		path_make(to, "%s/%s", folder, entries[i]->d_name);
		if (!status && stat(from, &there) == 0 && S_ISREG(there.st_mode))
			status = file_copy(bundle, run, from, "data", to, why);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return status;
}

/* Copies the logs of KIND of RUN; parts stay separate. */
static enum status logs_copy(struct bundle *bundle, struct bundle_run *run,
			     const struct rowlog_kind *kind, struct why *why)
{
	struct parts parts;
	enum status status = parts_all(kind, run->source, &parts, why);
	if (!status && kind == run->log)
		status = page_provenance_read(&run->page, parts.path[parts.n - 1], why);
	for (size_t i = 0; !status && i < parts.n; i++)
		status =
		    file_copy(bundle, run, parts.path[i], "data", basename(parts.path[i]), why);
	parts_free(&parts);
	return status;
}

static enum status data_copy(struct bundle *bundle, struct bundle_run *run, struct why *why)
{
	struct stat there;
	char positions[FOLDER_PATH_MAX];
	enum status status = STATUS_OK;
	if (stat(run->source, &there) == 0 && !S_ISDIR(there.st_mode)) {
		status = page_provenance_read(&run->page, run->source, why);
		return status ? status
			      : file_copy(bundle, run, run->source, "data", basename(run->source),
					  why);
	}
	for (size_t i = 0; !status && log_kinds[i]; i++)
		status = logs_copy(bundle, run, log_kinds[i], why);
	path_make(positions, "%s/positions.txt", run->source);
	status = status ? status : file_copy(bundle, run, positions, "data", "positions.txt", why);
	status = status ? status : folder_copy(bundle, run, "traces", why);
	return status || !bundle->options->models ? status
						  : folder_copy(bundle, run, "models", why);
}

/* ---- Tables. */

/* Copies the tables that RUN has. */
static enum status tables_copy(struct bundle *bundle, const struct bundle_run *run, struct why *why)
{
	enum status status = STATUS_OK;
	char name[FOLDER_PATH_MAX], from[FOLDER_PATH_MAX];
	for (const struct shown_table *t = shown_tables; !status && t->name; t++) {
		path_make(name, "%s.tsv", t->name);
		path_make(from, "%s/tables/%s", run->source, name);
		status = file_copy(bundle, run, from, "tables", name, why);
	}
	return status;
}

/* Computes the tables of RUN from its games. */
static enum status tables_make(struct bundle *bundle, const struct bundle_run *run,
			       const struct invocation *call, struct why *why)
{
	char *source = (char *)run->source;
	const struct text_list paths = {&source, 1};
	char made[FOLDER_PATH_MAX], from[FOLDER_PATH_MAX], parent[FOLDER_PATH_MAX],
	    to[FOLDER_PATH_MAX];
	path_make(made, "%s/made", bundle->stage);
	path_make(from, "%s/tables", made);
	path_make(parent, "%s/tables", bundle->stage);
	path_make(to, "%s/%s", parent, run->page.name);
	const struct report_options report = {.directory = made,
					      .against = bundle->options->against};
	enum status status = report_logs(&paths, call->provenance, &report, why);
	if (!status && ((mkdir(parent, 0777) != 0 && errno != EEXIST) || rename(from, to) != 0 ||
			rmdir(made) != 0))
		status = why_errno(why, "%s: cannot be put in its place", from);
	return status;
}

/* Copies the table of RUN, which is a single table. */
static enum status single_copy(struct bundle *bundle, const struct bundle_run *run, struct why *why)
{
	FILE *out;
	enum status status =
	    bundle_create(bundle, &out, why, "tables/%s/%s.tsv", run->page.name, run->single->name);
	return status ? status
		      : bundle_close(bundle, out,
				     figure_single_copy(run->single, run->source, out, why), why);
}

static bool is_curve(const struct bundle_run *run)
{
	return run->single && strcmp(run->single->name, "training") == 0;
}

/* Appends the learning curve RUN, under its name, to OUT; its title ends with the board. */
static enum status curve_append(const struct bundle *bundle, const struct bundle_run *run,
				FILE *out, struct why *why)
{
	static const char *const names[] = {"trained",	 "games", "mean",   "mean_low",
					    "mean_high", "max",	  "seconds"};
	char path[FOLDER_PATH_MAX];
	struct tsv tsv;
	size_t column;
	path_make(path, "%s/tables/%s/training.tsv", bundle->stage, run->page.name);
	enum status status = tsv_read(&tsv, path, TABLE_MAX, why);
	if (status)
		return status;
	const char *title = tsv_note(&tsv, "title: "), *space = title ? strrchr(title, ' ') : NULL;
	for (size_t row = 0; row < tsv.rows; row++) {
		fprintf(out, "\"%s\"\t\"%s\"", space ? space + 1 : "board", run->page.name);
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			fprintf(out, "\t%s",
				tsv_find(&tsv, names[k], &column) ? tsv_cell(&tsv, row, column)
								  : "NaN");
		fputc('\n', out);
	}
	tsv_fini(&tsv);
	return STATUS_OK;
}

/* Writes the table of all learning curves, from their tables in the bundle. */
static enum status curves_make(struct bundle *bundle, const struct bundle_run *run, struct why *why)
{
	FILE *out;
	enum status status =
	    bundle_create(bundle, &out, why, "tables/%s/curves.tsv", run->page.name);
	if (status)
		return status;
	fputs("# units: scores in points; trained in games; seconds of training\n"
	      "\"board\"\t\"label\"\t\"trained\"\t\"games\"\t\"mean\"\t\"mean_low\"\t"
	      "\"mean_high\"\t\"max\"\t\"seconds\"\n",
	      out);
	for (size_t i = 0; !status && i < bundle->run_count; i++)
		if (is_curve(&bundle->runs[i]))
			status = curve_append(bundle, &bundle->runs[i], out, why);
	return bundle_close(bundle, out, status, why);
}

/* If there are several learning curves, appends a run with all of them. */
static enum status curves_join(struct bundle *bundle, struct why *why)
{
	size_t curves = 0;
	for (size_t i = 0; i < bundle->run_count; i++)
		curves += is_curve(&bundle->runs[i]);
	if (curves < 2)
		return STATUS_OK;
	enum status status =
	    run_append(bundle, (struct bundle_run){.source = "curves", .curves = true}, why);
	if (!status)
		page_title(&bundle->runs[bundle->run_count - 1].page, "Learning curves");
	return status;
}

/* Warns, once per RUN, if TSV notes games that are missing or not counted. */
static void run_warn(struct bundle_run *run, const struct tsv *tsv)
{
	static const char *const marks[] = {NOTE_UNFINISHED, NOTE_COUNTED};
	const bool warned = run->warned;
	for (size_t i = 0; i < sizeof marks / sizeof *marks && !warned; i++) {
		const char *note = tsv_note(tsv, marks[i]);
		if (!note)
			continue;
		fprintf(stderr, "nxn: warning: %s: %s%s\n", run->source, marks[i], note);
		run->warned = true;
	}
}

/* Writes TSV, laid out as SHOWN, in LaTeX or Markdown. */
static enum status printed_add(struct bundle *bundle, const struct bundle_run *run,
			       const struct shown_table *shown, const struct tsv *tsv, bool latex,
			       struct why *why)
{
	FILE *file;
	enum status status = bundle_create(bundle, &file, why, "tables/%s/%s.%s", run->page.name,
					   shown->name, latex ? "tex" : "md");
	if (status)
		return status;
	table_print(file, tsv, shown, latex);
	return bundle_close(bundle, file, STATUS_OK, why);
}

/* Adds the table SHOWN to RUN, if it exists. */
static enum status item_add(struct bundle *bundle, struct bundle_run *run,
			    const struct shown_table *shown, struct why *why)
{
	char place[FOLDER_PATH_MAX];
	struct tsv tsv;
	path_make(place, "%s/tables/%s/%s.tsv", bundle->stage, run->page.name, shown->name);
	if (access(place, F_OK) != 0)
		return STATUS_OK;
	enum status status = tsv_read(&tsv, place, TABLE_MAX, why);
	if (status)
		return status;
	run_warn(run, &tsv);
	if (page_table_add(&run->page, shown, place + strlen(bundle->stage) + 1, &tsv) &&
	    !shown->data) {
		status = printed_add(bundle, run, shown, &tsv, true, why);
		status = status ? status : printed_add(bundle, run, shown, &tsv, false, why);
	}
	tsv_fini(&tsv);
	return status;
}

static enum status tables_add(struct bundle *bundle, struct bundle_run *run,
			      const struct invocation *call, struct why *why)
{
	enum status status = run->single   ? single_copy(bundle, run, why)
			     : run->curves ? curves_make(bundle, run, why)
			     : run->logged ? tables_make(bundle, run, call, why)
					   : tables_copy(bundle, run, why);
	if (!status && !run->single && !run->curves &&
	    (run->logged || has_file(run->source, "games.tsv")))
		status = bundle_players(bundle, run, why);
	for (const struct shown_table *t = shown_tables; !status && t->name; t++)
		status = item_add(bundle, run, t, why);
	if (!status && run->page.table_count == 0)
		status = why_set(why, STATUS_INPUT,
				 "%s/tables: has none of the tables of a run; the same command "
				 "makes them again",
				 run->source);
	return status;
}

static enum status figures_add(struct bundle *bundle, struct bundle_run *run, struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX], below[PAGE_NAME_MAX + 1];
	snprintf(below, sizeof below, "/%s", run->page.name);
	path_make(from, "%s/tables%s", bundle->stage, below);
	path_make(to, "%s/figures%s", bundle->stage, below);
	/* The tables are nxn's own, so any failure is one of the system. */
	if (folder_make(to, why) || figures_write(from, bundle->options->width, to, why))
		return STATUS_SYSTEM;
	return page_figures_add(&run->page, bundle->stage, below, why);
}

/* ---- Provenance. */

/* Sets the bundle's own provenance: COMMAND, version, machine. */
static enum status bundle_origin(struct bundle *bundle, const char *command, struct why *why)
{
	struct utsname system;
	struct provenance p;
	char *host;
	if (uname(&system) != 0)
		return why_errno(why, "the name of this machine");
	/* Without hash and seed: the runs have their own. */
	enum status status = provenance_init(&p, command, 0, NULL, NULL, why);
	if (status)
		return status;
	host = xasprintf("host: %.64s, %.64s %.64s %.64s", system.nodename, system.sysname,
			 system.release, system.machine);
	char *lines[] = {p.line[0], p.line[1], host, p.line[2], p.line[3], p.line[4]};
	memcpy(bundle->provenance, lines, sizeof lines);
	return STATUS_OK;
}

/* Writes the lines of RUN that identify its games. */
static void run_write(FILE *file, const struct bundle_run *run)
{
	static const char *const wanted[] = {"nxn ", "command: ", "configuration: ", "seed: "};
	fprintf(file, "run %s: from %s\n", run->page.name, run->source);
	for (char *const *line = run->page.provenance; *line; line++)
		for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
			if (strncmp(*line, wanted[i], strlen(wanted[i])) == 0)
				fprintf(file, "run %s: %s\n", run->page.name, *line);
}

/* Writes provenance.txt; the provenance of all runs must have been read. */
static enum status provenance_write(struct bundle *bundle, struct why *why)
{
	FILE *file;
	enum status status = bundle_create(bundle, &file, why, "provenance.txt");
	if (status)
		return status;
	fprintf(file, "%s\n", bundle_mark);
	for (char *const *line = bundle->provenance; *line; line++)
		fprintf(file, "%s\n", *line);
	for (size_t i = 0; i < bundle->run_count; i++)
		if (!bundle->runs[i].curves)
			run_write(file, &bundle->runs[i]);
	return bundle_close(bundle, file, STATUS_OK, why);
}

/* ---- The page. */

static int is_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && entry->d_type != DT_DIR;
}

/* Lists the files of RUN in data/, without those in subfolders. */
static void data_find(struct bundle *bundle, struct page_run *run)
{
	struct dirent **found;
	char path[FOLDER_PATH_MAX];
	path_make(path, "%s/data/%s", bundle->stage, run->name);
	const int count = scandir(path, &found, is_file, alphasort);
	for (int i = 0; i < count; i++) {
		if (i < PAGE_FILES_MAX)
			run->files[i] = xasprintf("data/%s/%s", run->name, found[i]->d_name);
		free(found[i]);
	}
	if (count >= 0)
		free(found);
}

static enum status bundle_page(struct bundle *bundle, struct why *why)
{
	struct page_run *runs[RUNS_MAX];
	const struct page page = {.directory = bundle->stage,
				  .runs = runs,
				  .run_count = bundle->run_count,
				  .provenance = (const char *const *)bundle->provenance,
				  .files = {"README.md", "provenance.txt", "SHA256SUMS",
					    bundle->options->latex ? "main.tex" : NULL}};
	for (size_t i = 0; i < bundle->run_count; i++) {
		runs[i] = &bundle->runs[i].page;
		data_find(bundle, runs[i]);
	}
	return page_write(&page, why);
}

/* ---- Replacing the folder. */

/* Whether NAME is a part of a bundle, or a file that pdflatex makes from main.tex. */
static bool is_part(const char *name)
{
	static const char *const parts[] = {
	    ".",      "..",   "provenance.txt", "README.md", "index.html", "main.tex",	"figures",
	    "tables", "data", "main.pdf",	"main.aux",  "main.log",   "SHA256SUMS"};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strcmp(parts[i], name) == 0)
			return true;
	return false;
}

/* STATUS_INPUT unless PATH is missing, an empty folder, or a bundle without other files. */
static enum status place_check(const char *path, struct why *why)
{
	DIR *files = opendir(path);
	size_t count = 0;
	char other[NAME_MAX + 1] = "";
	if (!files)
		return errno == ENOENT ? STATUS_OK
				       : why_set(why, STATUS_INPUT, "%s: is not a folder", path);
	for (struct dirent *file; (file = readdir(files)); count++)
		if (!is_part(file->d_name))
			snprintf(other, sizeof other, "%s", file->d_name);
	closedir(files);
	if (*other)
		return why_set(why, STATUS_INPUT,
			       "%s: is there, and no bundle of nxn report: it has %s; give another "
			       "folder",
			       path, other);
	return count <= 2 || has_file(path, "provenance.txt")
		   ? STATUS_OK
		   : why_set(why, STATUS_INPUT,
			     "%s: is there, and no bundle of nxn report; give another folder",
			     path);
}

static int entry_remove(const char *path, const struct stat *file, int type, struct FTW *place)
{
	(void)file;
	(void)type;
	(void)place;
	return remove(path);
}

/* Removes PATH, if it exists, with its contents; follows no link. STATUS_SYSTEM. */
static enum status tree_remove(const char *path, struct why *why)
{
	enum { FOLDERS_OPEN = 16 };
	if (nftw(path, entry_remove, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS) != 0 && errno != ENOENT)
		return why_errno(why, "%s: cannot be removed", path);
	return STATUS_OK;
}

/* Writes the complete bundle to the disk and replaces an earlier one. */
static enum status bundle_publish(struct bundle *bundle, const char *place, struct why *why)
{
	const int fd = open(bundle->stage, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || syncfs(fd) != 0)
		return why_errno(why, "%s: cannot be written to the disk", bundle->stage);
	close(fd);
	enum status status = tree_remove(place, why);
	if (!status && rename(bundle->stage, place) != 0)
		status = why_errno(why, "%s: cannot be put in its place", place);
	return status;
}

/* ---- The whole. */

static void bundle_fini(struct bundle *bundle)
{
	for (size_t i = 0; i < bundle->run_count; i++) {
		for (const char **file = bundle->runs[i].page.files; *file; file++)
			free((char *)*file);
		free((char *)bundle->runs[i].source);
		page_run_fini(&bundle->runs[i].page);
	}
	free(bundle->runs);
	for (char **line = bundle->provenance; *line; line++)
		free(*line);
}

static enum status run_add(struct bundle *bundle, struct bundle_run *run,
			   const struct invocation *call, struct why *why)
{
	enum status status = run->curves ? STATUS_OK : data_copy(bundle, run, why);
	status = status ? status : tables_add(bundle, run, call, why);
	status = status ? status : figures_add(bundle, run, why);
	if (!status)
		printf("%s: %zu figure%s, %zu table%s\n", run->page.name, run->page.figure_count,
		       run->page.figure_count == 1 ? "" : "s", run->page.table_count,
		       run->page.table_count == 1 ? "" : "s");
	fflush(stdout);
	return stop_requested() ? STATUS_STOPPED : status;
}

/* Makes the whole bundle in its stage; sets *COUNT to the number of files, without the sums. */
static enum status stage_fill(struct bundle *bundle, const struct invocation *call, size_t *count,
			      struct why *why)
{
	enum status status = tree_remove(bundle->stage, why);
	status = status ? status : folder_make(bundle->stage, why);
	for (size_t i = 0; !status && i < bundle->run_count; i++)
		status = run_add(bundle, &bundle->runs[i], call, why);
	status = status ? status : provenance_write(bundle, why);
	status = status ? status : bundle_documents(bundle, why);
	status = status ? status : bundle_page(bundle, why);
	return status ? status : bundle_sums(bundle, count, why);
}

/* Makes the bundle, whose runs are known, in PLACE. */
static enum status place_fill(struct bundle *bundle, const char *place,
			      const struct invocation *call, struct why *why)
{
	struct lock lock = {0};
	size_t files = 0;
	enum status status = place_check(place, why);
	path_make(bundle->stage, "%s.nxn-new", place);
	char *slash = status ? NULL : strrchr(place, '/');
	if (slash && slash > place) {
		char *parent = xstrdup(place);
		parent[slash - place] = '\0';
		status = folder_make(parent, why);
		free(parent);
	}
	status = status ? status : folder_lock_beside(&lock, place, why);
	if (status)
		return status;
	status = stage_fill(bundle, call, &files, why);
	status = status ? status : bundle_publish(bundle, place, why);
	if (status) {
		struct why ignored;
		(void)!tree_remove(bundle->stage, &ignored);
	}
	lock_release(&lock);
	if (!status)
		text_printf(stdout,
			    "Bundle of %zu files and their SHA256SUMS in %s; README.md tells what "
			    "is where.",
			    files, place);
	return status;
}

/* Replaces PLACE, if it is a link, by the folder that the link leads to. */
static void link_follow(char place[FOLDER_PATH_MAX])
{
	struct stat there;
	char *folder =
	    lstat(place, &there) == 0 && S_ISLNK(there.st_mode) ? realpath(place, NULL) : NULL;
	if (folder)
		path_make(place, "%s", folder);
	free(folder);
}

enum status bundle_make(const struct bundle_options *options, const struct text_list *runs,
			const struct invocation *call, struct why *why)
{
	struct bundle bundle = {.options = options};
	char place[FOLDER_PATH_MAX];
	path_make(place, "%s", options->directory);
	for (size_t end = strlen(place); end > 1 && place[end - 1] == '/';)
		place[--end] = '\0';
	link_follow(place);
	enum status status = bundle_origin(&bundle, call->provenance, why);
	for (size_t i = 0; !status && i < runs->n; i++)
		status = argument_append(&bundle, runs->item[i], why);
	status = status ? status : curves_join(&bundle, why);
	status = status ? status : place_fill(&bundle, place, call, why);
	if (status && stop_requested()) {
		fprintf(stderr, "%s: stopped; to resume:\n%s\n", call->name, call->resume);
		status = STATUS_STOPPED;
	}
	bundle_fini(&bundle);
	return status;
}
