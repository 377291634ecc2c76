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

void bundle_must(struct bundle *bundle, enum status status)
{
	const struct invocation *call = bundle->call;
	struct why ignored;
	if (!status)
		return;
	if (*bundle->lock.path)
		(void)!tree_remove(bundle->stage, &ignored);
	lock_release(&bundle->lock);
	if (stop_requested()) {
		fprintf(stderr, "%s: stopped; to resume:\n%s\n", call->name, call->resume);
		status = STATUS_STOPPED;
	}
	exit(command_exit(call->name, status, &bundle->why));
}

/* Ends the process with STATUS_INPUT and the reason FORMAT. */
__attribute__((format(printf, 2, 3), noreturn)) static void refuse(struct bundle *bundle,
								   const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(bundle->why.text, sizeof bundle->why.text, format, args);
	va_end(args);
	bundle_must(bundle, STATUS_INPUT);
	abort();
}

FILE *bundle_create(struct bundle *bundle, const char *format, ...)
{
	char name[FOLDER_PATH_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(name, sizeof name, format, args);
	va_end(args);
	char *slash = strrchr(path_make(bundle->file, "%s/%s", bundle->stage, name), '/');
	*slash = '\0';
	bundle_must(bundle, folder_make(bundle->file, &bundle->why));
	*slash = '/';
	FILE *file = fopen(bundle->file, "wxe");
	if (!file)
		bundle_must(bundle, why_errno(&bundle->why, "%s: cannot write", bundle->file));
	return file;
}

void bundle_close(struct bundle *bundle, FILE *file)
{
	if (!stream_flush(file) || fclose(file) != 0)
		bundle_must(bundle, why_errno(&bundle->why, "%s: cannot write", bundle->file));
}

void file_append(struct bundle *bundle, FILE *out, const char *path)
{
	char bytes[1 << 14];
	FILE *in;
	if (input_open(path, &in, &bundle->why))
		bundle_must(bundle, STATUS_SYSTEM);
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
		fwrite(bytes, 1, n, out);
	if (ferror(in))
		bundle_must(bundle, why_errno(&bundle->why, "%s: cannot be read", path));
	fclose(in);
}

/* Copies the file FROM, if it exists, to FOLDER/RUN/NAME of the bundle. */
static void file_copy(struct bundle *bundle, const struct bundle_run *run, const char *from,
		      const char *folder, const char *name)
{
	if (access(from, F_OK) != 0)
		return;
	FILE *out = bundle_create(bundle, "%s/%s/%s", folder, run->page.name, name);
	file_append(bundle, out, from);
	bundle_close(bundle, out);
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

/* Copies PATH to WHOLE without slashes at its end; returns WHOLE. */
static char *folder_path(char whole[FOLDER_PATH_MAX], const char *path)
{
	path_make(whole, "%s", path);
	for (size_t end = strlen(whole); end > 1 && whole[end - 1] == '/';)
		whole[--end] = '\0';
	return whole;
}

/* Makes a unique name from the last component of PATH without SUFFIX. */
static void run_name(struct bundle *bundle, const char *path, const char *suffix,
		     char name[PAGE_NAME_MAX])
{
	char whole[FOLDER_PATH_MAX], word[FOLDER_PATH_MAX];
	path_component(basename(folder_path(whole, path)), word);
	size_t length = strlen(word), cut = strlen(suffix);
	if (length > cut && strcmp(word + length - cut, suffix) == 0)
		word[length - cut] = '\0';
	const char *stem = strspn(word, ".") == strlen(word) ? "run" : word;
	snprintf(name, PAGE_NAME_MAX, "%.48s", stem);
	for (int i = 2; name_taken(bundle, name); i++)
		snprintf(name, PAGE_NAME_MAX, "%.48s-%d", stem, i);
}

/* Appends a copy of RUN, which has a source, and a log or a figure. */
static void run_append(struct bundle *bundle, struct bundle_run run)
{
	for (size_t i = 0; i < bundle->run_count; i++)
		if (!run.curves && strcmp(bundle->runs[i].source, run.source) == 0)
			refuse(bundle, "%s: is named twice", run.source);
	if (bundle->run_count == RUNS_MAX)
		refuse(bundle, "more than %d runs", RUNS_MAX);
	run_name(bundle, run.source, ".tsv", run.page.name);
	page_title(&run.page, run.page.name);
	run.source = xstrdup(run.source);
	bundle->runs = xreallocarray(bundle->runs, bundle->run_count + 1, sizeof run);
	bundle->runs[bundle->run_count++] = run;
}

static int is_table(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return dot && strcmp(dot, ".tsv") == 0;
}

/* Appends the tables of train and tune in the folder PATH. */
static void tables_append(struct bundle *bundle, const char *path)
{
	char file[FOLDER_PATH_MAX];
	struct dirent **entries;
	const size_t before = bundle->run_count;
	const struct figure *figure;
	const int count = scandir(path, &entries, is_table, alphasort);
	if (count < 0)
		bundle_must(bundle, why_errno(&bundle->why, "%s: cannot be read", path));
	for (int i = 0; i < count; i++) {
		path_make(file, "%s/%s", path, entries[i]->d_name);
		bundle_must(bundle, figure_single(file, &figure, &bundle->why));
		if (figure)
			run_append(bundle, (struct bundle_run){.source = file, .single = figure});
		free(entries[i]);
	}
	free(entries);
	if (bundle->run_count == before)
		refuse(bundle,
		       "%s: holds no run: no games.tsv, gap.tsv or searches.tsv, and no table of "
		       "nxn train --curve or nxn tune",
		       path);
}

/* Whether the tables of FOLDER are of an earlier run: the next one removes results.tsv. */
static bool tables_outdated(const char *folder)
{
	return has_file(folder, "tables/summary.tsv") && !has_file(folder, "tables/results.tsv");
}

/* Refuses FOLDER if it is a bundle. */
static enum status bundle_refuse(const char *folder, struct why *why)
{
	if (!has_file(folder, "SHA256SUMS") || !has_file(folder, "provenance.txt"))
		return STATUS_OK;
	return why_set(why, STATUS_INPUT,
		       "%s: is a bundle of nxn report; name the runs that it is of", folder);
}

static void folder_append(struct bundle *bundle, const char *path)
{
	struct parts parts;
	char lack[PARTS_LACK_MAX], log[FOLDER_PATH_MAX];
	bundle_must(bundle, bundle_refuse(path, &bundle->why));
	for (size_t i = 0; log_kinds[i]; i++) {
		const struct rowlog_kind *kind = log_kinds[i];
		bundle_must(bundle, parts_all(kind, path, &parts, &bundle->why));
		const size_t n = parts.n;
		const bool games = kind == &gamelog_kind;
		if (!games && parts_lack(kind, &parts, lack))
			refuse(bundle, "%s: %s", path, lack);
		parts_free(&parts);
		if (!n)
			continue;
		path_make(log, "%s.tsv", kind->stem);
		const bool made = n > 1 || !has_file(path, log) || !has_file(path, "tables") ||
				  (games && tables_outdated(path));
		if (made && !games)
			refuse(bundle,
			       "%s: has no tables of all of its log; the command that it is of, "
			       "without --shard, goes on and makes them",
			       path);
		const bool anew = games && bundle->options->against;
		run_append(bundle, (struct bundle_run){
				       .source = path, .log = kind, .logged = made || anew});
		return;
	}
	tables_append(bundle, path);
}

/* Appends the run or the runs of ARGUMENT. */
static void argument_append(struct bundle *bundle, const char *argument)
{
	char path[FOLDER_PATH_MAX];
	struct stat there;
	const struct figure *figure = NULL;
	if (stat(argument, &there) != 0) {
		const int error = errno;
		if (builtin_find(argument, path, NULL) == STATUS_OK)
			refuse(bundle,
			       "%s: is an experiment; first nxn compare %s, then report the folder "
			       "that it leaves",
			       argument, argument);
		refuse(bundle, "%s: %s", argument, strerror(error));
	}
	if (S_ISDIR(there.st_mode)) {
		folder_append(bundle, argument);
		return;
	}
	/* The file is read twice and copied, which a pipe does not permit. */
	if (!S_ISREG(there.st_mode))
		refuse(bundle, "%s: not a regular file, expected a folder of results or a table",
		       argument);
	bundle_must(bundle, figure_single(argument, &figure, &bundle->why));
	run_append(bundle, (struct bundle_run){.source = argument,
					       .single = figure,
					       .log = figure ? NULL : &gamelog_kind,
					       .logged = !figure});
}

/* The log of FOLDER, if it has one, with all of its shares, and no game log; NULL otherwise. */
static const struct rowlog_kind *other_log(const char *folder)
{
	const struct rowlog_kind *found = NULL;
	struct parts parts;
	char lack[PARTS_LACK_MAX];
	for (size_t i = 0; log_kinds[i]; i++) {
		if (parts_all(log_kinds[i], folder, &parts, NULL))
			return NULL;
		const bool has = parts.n > 0 && !parts_lack(log_kinds[i], &parts, lack);
		const bool games = parts.n > 0 && log_kinds[i] == &gamelog_kind;
		parts_free(&parts);
		if (games)
			return NULL;
		found = has ? log_kinds[i] : found;
	}
	return found;
}

enum status bundle_needed(const struct text_list *runs, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < runs->n; i++) {
		const char *folder = runs->item[i];
		const struct rowlog_kind *log = other_log(folder);
		status = bundle_refuse(folder, why);
		if (!status && log)
			status = why_set(why, STATUS_INPUT,
					 "%s: has %s.tsv but no games.tsv to print; --out DIR "
					 "draws its figures",
					 folder, log->stem);
	}
	return status;
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
static void folder_copy(struct bundle *bundle, const struct bundle_run *run, const char *folder)
{
	struct stat there;
	struct dirent **entries;
	char source[FOLDER_PATH_MAX], from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	path_make(source, "%s/%s", run->source, folder);
	const int count = scandir(source, &entries, is_visible, alphasort);
	for (int i = 0; i < count; i++) {
		path_make(from, "%s/%s", source, entries[i]->d_name);
		path_make(to, "%s/%s", folder, entries[i]->d_name);
		if (stat(from, &there) == 0 && S_ISREG(there.st_mode))
			file_copy(bundle, run, from, "data", to);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

/* Copies the logs of KIND of RUN; parts stay separate. */
static void logs_copy(struct bundle *bundle, struct bundle_run *run, const struct rowlog_kind *kind)
{
	struct parts parts;
	struct why *why = &bundle->why;
	bundle_must(bundle, parts_all(kind, run->source, &parts, why));
	if (kind == run->log)
		bundle_must(bundle, page_provenance_read(&run->page, parts.path[parts.n - 1], why));
	for (size_t i = 0; i < parts.n; i++)
		file_copy(bundle, run, parts.path[i], "data", basename(parts.path[i]));
	parts_free(&parts);
}

static void data_copy(struct bundle *bundle, struct bundle_run *run)
{
	struct stat there;
	char positions[FOLDER_PATH_MAX];
	if (stat(run->source, &there) == 0 && !S_ISDIR(there.st_mode)) {
		bundle_must(bundle, page_provenance_read(&run->page, run->source, &bundle->why));
		file_copy(bundle, run, run->source, "data", basename(run->source));
		return;
	}
	for (size_t i = 0; log_kinds[i]; i++)
		logs_copy(bundle, run, log_kinds[i]);
	path_make(positions, "%s/positions.txt", run->source);
	file_copy(bundle, run, positions, "data", "positions.txt");
	folder_copy(bundle, run, "traces");
	if (bundle->options->models)
		folder_copy(bundle, run, "models");
}

/* ---- Tables. */

/* Copies the tables that RUN has. */
static void tables_copy(struct bundle *bundle, const struct bundle_run *run)
{
	char name[FOLDER_PATH_MAX], from[FOLDER_PATH_MAX];
	for (const struct shown_table *t = shown_tables; t->name; t++) {
		path_make(name, "%s.tsv", t->name);
		path_make(from, "%s/tables/%s", run->source, name);
		file_copy(bundle, run, from, "tables", name);
	}
}

/* Computes the tables of RUN from its games. */
static void tables_make(struct bundle *bundle, const struct bundle_run *run)
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
	bundle_must(bundle, report_logs(&paths, bundle->call->provenance, &report, &bundle->why));
	if ((mkdir(parent, 0777) != 0 && errno != EEXIST) || rename(from, to) != 0 ||
	    rmdir(made) != 0)
		bundle_must(bundle,
			    why_errno(&bundle->why, "%s: cannot be put in its place", from));
}

/* Copies the table of RUN, which is a single table. */
static void single_copy(struct bundle *bundle, const struct bundle_run *run)
{
	FILE *out = bundle_create(bundle, "tables/%s/%s.tsv", run->page.name, run->single->name);
	bundle_must(bundle, figure_single_copy(run->single, run->source, out, &bundle->why));
	bundle_close(bundle, out);
}

static bool is_curve(const struct bundle_run *run)
{
	return run->single && strcmp(run->single->name, "training") == 0;
}

/* Appends the learning curve RUN, under its name, to OUT; its title ends with the board. */
static void curve_append(struct bundle *bundle, const struct bundle_run *run, FILE *out)
{
	static const char *const names[] = {"trained",	 "games", "mean",   "mean_low",
					    "mean_high", "max",	  "seconds"};
	char path[FOLDER_PATH_MAX];
	struct tsv tsv;
	size_t column;
	path_make(path, "%s/tables/%s/training.tsv", bundle->stage, run->page.name);
	bundle_must(bundle, tsv_read(&tsv, path, TABLE_MAX, &bundle->why));
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
}

/* Writes the table of all learning curves, from their tables in the bundle. */
static void curves_make(struct bundle *bundle, const struct bundle_run *run)
{
	FILE *out = bundle_create(bundle, "tables/%s/curves.tsv", run->page.name);
	fputs("# units: scores in points; trained in games; seconds of training\n"
	      "\"board\"\t\"label\"\t\"trained\"\t\"games\"\t\"mean\"\t\"mean_low\"\t"
	      "\"mean_high\"\t\"max\"\t\"seconds\"\n",
	      out);
	for (size_t i = 0; i < bundle->run_count; i++)
		if (is_curve(&bundle->runs[i]))
			curve_append(bundle, &bundle->runs[i], out);
	bundle_close(bundle, out);
}

/* If there are several learning curves, appends a run with all of them. */
static void curves_join(struct bundle *bundle)
{
	size_t curves = 0;
	for (size_t i = 0; i < bundle->run_count; i++)
		curves += is_curve(&bundle->runs[i]);
	if (curves < 2)
		return;
	run_append(bundle, (struct bundle_run){.source = "curves", .curves = true});
	page_title(&bundle->runs[bundle->run_count - 1].page, "Learning curves");
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
static void printed_add(struct bundle *bundle, const struct bundle_run *run,
			const struct shown_table *shown, const struct tsv *tsv, bool latex)
{
	FILE *file = bundle_create(bundle, "tables/%s/%s.%s", run->page.name, shown->name,
				   latex ? "tex" : "md");
	table_print(file, tsv, shown, latex);
	bundle_close(bundle, file);
}

/* Adds the table SHOWN to RUN, if it exists. */
static void item_add(struct bundle *bundle, struct bundle_run *run, const struct shown_table *shown)
{
	char place[FOLDER_PATH_MAX];
	struct tsv tsv;
	path_make(place, "%s/tables/%s/%s.tsv", bundle->stage, run->page.name, shown->name);
	if (access(place, F_OK) != 0)
		return;
	bundle_must(bundle, tsv_read(&tsv, place, TABLE_MAX, &bundle->why));
	run_warn(run, &tsv);
	if (page_table_add(&run->page, shown, place + strlen(bundle->stage) + 1, &tsv) &&
	    !shown->data) {
		printed_add(bundle, run, shown, &tsv, true);
		printed_add(bundle, run, shown, &tsv, false);
	}
	tsv_fini(&tsv);
}

static void tables_add(struct bundle *bundle, struct bundle_run *run)
{
	(run->single   ? single_copy
	 : run->curves ? curves_make
	 : run->logged ? tables_make
		       : tables_copy)(bundle, run);
	if (!run->single && !run->curves && (run->logged || has_file(run->source, "games.tsv")))
		bundle_players(bundle, run);
	for (const struct shown_table *t = shown_tables; t->name; t++)
		item_add(bundle, run, t);
	if (run->page.table_count == 0)
		refuse(bundle,
		       "%s/tables: has none of the tables of a run; the same command makes them "
		       "again",
		       run->source);
}

static void figures_add(struct bundle *bundle, struct bundle_run *run)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX], below[PAGE_NAME_MAX + 1];
	snprintf(below, sizeof below, "/%s", run->page.name);
	path_make(from, "%s/tables%s", bundle->stage, below);
	path_make(to, "%s/figures%s", bundle->stage, below);
	/* The tables are nxn's own, so any failure is one of the system. */
	if (folder_make(to, &bundle->why) ||
	    figures_write(from, bundle->options->width, to, &bundle->why))
		bundle_must(bundle, STATUS_SYSTEM);
	bundle_must(bundle, page_figures_add(&run->page, bundle->stage, below, &bundle->why));
}

/* ---- Provenance. */

/* Sets the bundle's own provenance: command, version, machine. */
static void bundle_origin(struct bundle *bundle)
{
	struct utsname system;
	struct provenance p;
	if (uname(&system) != 0)
		bundle_must(bundle, why_errno(&bundle->why, "the name of this machine"));
	/* Without hash and seed: the runs have their own. */
	bundle_must(bundle,
		    provenance_init(&p, bundle->call->provenance, 0, NULL, NULL, &bundle->why));
	char *host = xasprintf("host: %.64s, %.64s %.64s %.64s", system.nodename, system.sysname,
			       system.release, system.machine);
	char *lines[] = {p.line[0], p.line[1], host, p.line[2], p.line[3], p.line[4]};
	memcpy(bundle->provenance, lines, sizeof lines);
}

/* Writes the lines of RUN that identify its games. */
static void run_write(FILE *file, const struct bundle_run *run)
{
	static const char *const wanted[] = {"nxn ",
					     "command: ", "configuration: ", "seed: ", "rules: "};
	fprintf(file, "run %s: from %s\n", run->page.name, run->source);
	for (char *const *line = run->page.provenance; *line; line++)
		for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
			if (strncmp(*line, wanted[i], strlen(wanted[i])) == 0)
				fprintf(file, "run %s: %s\n", run->page.name, *line);
}

/* Writes provenance.txt; the provenance of all runs must have been read. */
static void provenance_write(struct bundle *bundle)
{
	FILE *file = bundle_create(bundle, "provenance.txt");
	fprintf(file, "%s\n", bundle_mark);
	for (char *const *line = bundle->provenance; *line; line++)
		fprintf(file, "%s\n", *line);
	for (size_t i = 0; i < bundle->run_count; i++)
		if (!bundle->runs[i].curves)
			run_write(file, &bundle->runs[i]);
	bundle_close(bundle, file);
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

static void bundle_page(struct bundle *bundle)
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
	bundle_must(bundle, page_write(&page, &bundle->why));
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

/* Refuses PATH unless it is missing, an empty folder, or a bundle without other files. */
static void place_check(struct bundle *bundle, const char *path)
{
	DIR *files = opendir(path);
	size_t count = 0;
	char other[NAME_MAX + 1] = "";
	if (!files && errno == ENOENT)
		return;
	if (!files)
		refuse(bundle, "%s: is not a folder", path);
	for (struct dirent *file; (file = readdir(files)); count++)
		if (!is_part(file->d_name))
			snprintf(other, sizeof other, "%s", file->d_name);
	closedir(files);
	if (*other)
		refuse(bundle,
		       "%s: is there, and no bundle of nxn report: it has %s; give another folder",
		       path, other);
	if (count > 2 && !has_file(path, "provenance.txt"))
		refuse(bundle, "%s: is there, and no bundle of nxn report; give another folder",
		       path);
}

/* Writes the complete bundle to the disk and replaces an earlier one. */
static void bundle_publish(struct bundle *bundle, const char *place)
{
	struct why *why = &bundle->why;
	const int fd = open(bundle->stage, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || syncfs(fd) != 0)
		bundle_must(bundle,
			    why_errno(why, "%s: cannot be written to the disk", bundle->stage));
	close(fd);
	bundle_must(bundle, tree_remove(place, why));
	if (rename(bundle->stage, place) != 0)
		bundle_must(bundle, why_errno(why, "%s: cannot be put in its place", place));
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

static void run_add(struct bundle *bundle, struct bundle_run *run)
{
	if (!run->curves)
		data_copy(bundle, run);
	tables_add(bundle, run);
	figures_add(bundle, run);
	printf("%s: %zu figure%s, %zu table%s\n", run->page.name, run->page.figure_count,
	       run->page.figure_count == 1 ? "" : "s", run->page.table_count,
	       run->page.table_count == 1 ? "" : "s");
	fflush(stdout);
	bundle_must(bundle, stop_requested() ? STATUS_STOPPED : STATUS_OK);
}

/* Makes the whole bundle in its stage; returns the number of files, without the sums. */
static size_t stage_fill(struct bundle *bundle)
{
	bundle_must(bundle, tree_remove(bundle->stage, &bundle->why));
	bundle_must(bundle, folder_make(bundle->stage, &bundle->why));
	for (size_t i = 0; i < bundle->run_count; i++)
		run_add(bundle, &bundle->runs[i]);
	provenance_write(bundle);
	bundle_documents(bundle);
	bundle_page(bundle);
	return bundle_sums(bundle);
}

/* Makes the bundle, whose runs are known, in PLACE. */
static void place_fill(struct bundle *bundle, const char *place)
{
	place_check(bundle, place);
	path_make(bundle->stage, "%s.nxn-new", place);
	char *slash = strrchr(place, '/');
	if (slash && slash > place) {
		char *parent = xstrdup(place);
		parent[slash - place] = '\0';
		bundle_must(bundle, folder_make(parent, &bundle->why));
		free(parent);
	}
	bundle_must(bundle, folder_lock_beside(&bundle->lock, place, &bundle->why));
	const size_t files = stage_fill(bundle);
	bundle_publish(bundle, place);
	lock_release(&bundle->lock);
	text_printf(stdout,
		    "Bundle of %zu files and their SHA256SUMS in %s; README.md tells what is "
		    "where.",
		    files, place);
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

void bundle_make(const struct bundle_options *options, const struct text_list *runs,
		 const struct invocation *call)
{
	struct bundle bundle = {.options = options, .call = call};
	char place[FOLDER_PATH_MAX];
	link_follow(folder_path(place, options->directory));
	bundle_origin(&bundle);
	for (size_t i = 0; i < runs->n; i++)
		argument_append(&bundle, runs->item[i]);
	curves_join(&bundle);
	place_fill(&bundle, place);
	bundle_fini(&bundle);
}
