/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and figures of a game log; see report.h. */
#include "src/report/report.h"

#include "analysis/tables/tables.h"
#include "analysis/tables/tsv.h"
#include "src/report/page.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "agents/agent.h"
#include "analysis/logs/parts.h"
#include "src/cli/provenance.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const char report_clocked[] =
    "agents with ms= decide by the clock: their games depend on the machine and its load, and "
    "cannot be repeated exactly";

static bool summary_clocked(const struct summary *summary)
{
	for (size_t i = 0; i < summary->cell_count; i++)
		if (agent_clocked(summary->cells[i].agent))
			return true;
	return false;
}

/* Whether commands A and B ask for the same work. */
static bool commands_alike(const char *a, const char *b)
{
	char *x = command_reduce(a), *y = command_reduce(b);
	const bool alike = strcmp(x, y) == 0;
	free(x);
	free(y);
	return alike;
}

void report_commands_note(struct provenance *provenance, const struct gamelog *log)
{
	enum { NAMED = 3 };
	const char *own = note_find(provenance_lines(provenance), "command: ");
	size_t others = 0;
	for (size_t i = 0; i < log->command_count; i++) {
		bool named = own && commands_alike(log->commands[i], own);
		for (size_t k = 0; k < i && !named; k++)
			named = commands_alike(log->commands[i], log->commands[k]);
		if (!named && others++ < NAMED)
			provenance_add(provenance, "games by: %s", log->commands[i]);
	}
	if (others > NAMED)
		provenance_add(provenance, "games by: %zu more commands, in the log",
			       others - NAMED);
}

/* Prints SUMMARY, and writes its tables. */
static enum status summary_report(const struct summary *summary,
				  const struct report_options *options,
				  struct provenance *provenance, struct why *why)
{
	const struct table_printer *printer = &options->printer;
	const bool text = printer->file && printer->format == FORMAT_TEXT,
		   clocked = summary_clocked(summary);
	const char *const *lines = provenance_lines(provenance);
	if (summary->uncounted)
		provenance_add(provenance, NOTE_COUNTED "%s", summary->uncounted);
	if (clocked)
		provenance_add(provenance, "%s", report_clocked);
	if (text && options->spread)
		spread_print(printer->file, summary, options->full);
	else if (printer->file)
		tables_print(printer, &summary_tables, options->table, summary, options->full,
			     lines);
	if (text && clocked)
		text_printf(printer->file, "Note: %s.", report_clocked);
	fflush(printer->file);
	return options->directory
		   ? tables_write(options->directory, &summary_tables, summary, lines, why)
		   : STATUS_OK;
}

/* "Tuning of AGENT", with the agent that the table names, or the title of a learning curve. */
static enum status single_title(const struct figure *figure, const char *table, char **title,
				struct why *why)
{
	enum { TABLE_BYTES_MAX = 1 << 30 };
	struct tsv tsv;
	enum status status = tsv_read(&tsv, table, TABLE_BYTES_MAX, why);
	if (status)
		return status;
	const char *agent = tsv_note(&tsv, "agent: "), *own = tsv_note(&tsv, "title: ");
	*title = strcmp(figure->name, "tuning") == 0
		     ? xasprintf("Tuning of %s", agent ? agent : "an agent")
		     : xstrdup(own ? own : "A learning curve");
	tsv_fini(&tsv);
	return STATUS_OK;
}

enum status report_single(const struct figure *figure, const char *table, const char *directory,
			  struct why *why)
{
	char from[FOLDER_PATH_MAX], copy[FOLDER_PATH_MAX], drawn[FOLDER_PATH_MAX];
	char *title = NULL;
	struct lock lock = {0};
	enum status status = folder_lock(&lock, directory, false, why);
	path_make(from, "%s/tables", directory);
	path_make(copy, "%s/%s.tsv", from, figure->name);
	path_make(drawn, "%s/figures", directory);
	status = status ? status : figure_single_leave(figure, table, from, why);
	status = status ? status : single_title(figure, copy, &title, why);
	status = status ? status : figure_make(figure, 0, from, drawn, why);
	status = status ? status : page_of_folder(directory, title, NULL, figure->name, why);
	/* Remove the folder if it is empty. */
	if (status)
		rmdir(from);
	free(title);
	lock_release(&lock);
	return status;
}

void report_figures_remove(const char *directory)
{
	char path[FOLDER_PATH_MAX];
	figures_remove(path_make(path, "%s/figures", directory));
	unlink(path_make(path, "%s/index.html", directory));
}

enum status report_figures(const char *directory, const char *title, const char *command,
			   struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	path_make(from, "%s/tables", directory);
	enum status status = figures_write(from, 0, path_make(to, "%s/figures", directory), why);
	status = status ? status : page_of_folder(directory, title, command, NULL, why);
	/* The tables are nxn's own, so any failure is one of the system. */
	return status ? STATUS_SYSTEM : STATUS_OK;
}

/* STATUS_INPUT, with the names of all players, if SUMMARY has no player AGAINST. */
static enum status against_check(const struct summary *s, const char *against, struct why *why)
{
	char list[400] = "";
	for (size_t i = 0, used = 0; against && i < s->label_count; i++, used = strlen(list)) {
		if (strcmp(s->labels[i], against) == 0)
			return STATUS_OK;
		snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", s->labels[i]);
	}
	return !against ? STATUS_OK
			: why_set(why, STATUS_INPUT, "--against: no player '%s'; there are %s",
				  against, list);
}

enum status report_make(const struct gamelog *log, const struct report_options *options,
			struct provenance *provenance, struct why *why)
{
	struct summary summary;
	const bool text = options->printer.format == FORMAT_TEXT;
	if (!text && table_find(&gamelog_tables, options->table)) {
		tables_print(&options->printer, &gamelog_tables, options->table, log, false,
			     provenance_lines(provenance));
		return STATUS_OK;
	}
	enum status status = summary_init(&summary, log, why);
	if (status)
		return status;
	summary.unfinished = note_find(provenance_lines(provenance), NOTE_UNFINISHED);
	summary.against = options->against;
	summary.by_board = options->by_board;
	status = against_check(&summary, options->against, why);
	status = status ? status : summary_report(&summary, options, provenance, why);
	summary_fini(&summary);
	return status;
}

/* ---- Game logs as arguments. */

/* Whether N FOLDERS, read as one, lack a share of their game logs; TEXT then names the share. */
static bool share_missing(char *const *folders, size_t n, char text[PARTS_LACK_MAX])
{
	struct parts all = {0}, parts;
	for (size_t i = 0; i < n; i++) {
		if (parts_find(&gamelog_kind, folders[i], &parts, NULL))
			continue;
		for (size_t k = 0; k < parts.n; k++)
			parts_add(&all, parts.path[k]);
		parts_free(&parts);
	}
	const bool missing = parts_lack(&gamelog_kind, &all, text);
	parts_free(&all);
	return missing;
}

enum status report_shares_check(const struct text_list *runs, bool together, struct why *why)
{
	char text[PARTS_LACK_MAX];
	enum status status = STATUS_OK;
	*why = (struct why){""};
	if (together && !share_missing(runs->item, runs->n, text))
		return STATUS_OK;
	for (size_t i = 0; i < runs->n; i++)
		if (share_missing(&runs->item[i], 1, text)) {
			fprintf(stderr, "nxn: %s: %s\n", runs->item[i], text);
			status = STATUS_SYSTEM;
		}
	return status;
}

/* Calls gamelog_read_paths() and warns on standard error of torn lines, which are left out. */
static enum status logs_read(struct gamelog *log, const struct text_list *paths, struct why *why)
{
	struct parts torn = {0};
	enum status status =
	    gamelog_read_paths(log, (const char *const *)paths->item, paths->n, NULL, &torn, why);
	for (size_t i = 0; !status && i < torn.n; i++)
		torn_warn(torn.path[i], 0);
	parts_free(&torn);
	return status;
}

/* Fills in PROVENANCE for COMMAND; its hash is that of all configurations in LOG. */
static enum status logs_provenance(const struct gamelog *log, const char *command,
				   struct provenance *provenance, struct why *why)
{
	char seed[24];
	uint64_t hash = 0;
	snprintf(seed, sizeof seed, "%" PRIu64, log->rows[0].seed);
	/* A sum does not depend on the order of players. */
	for (size_t i = 0; i < log->player_count; i++)
		hash += XXH3_64bits(&log->players[i]->config, sizeof hash);
	for (size_t i = 1; i < log->count; i++)
		if (log->rows[i].seed != log->rows[0].seed)
			snprintf(seed, sizeof seed, "several");
	return provenance_init(provenance, command, hash, seed, NULL, why);
}

/* The number of games in RESULTS, a table `results`; NaN without that column. */
static double results_games(const struct tsv *results)
{
	size_t column;
	double games = 0;
	if (!tsv_find(results, "games", &column))
		return NAN;
	for (size_t i = 0; i < results->rows; i++)
		games += tsv_number(results, i, column).value;
	return games;
}

/*
 * Adds to PROVENANCE which share the folder DIRECTORY lacks; or else, if the run was stopped, how
 * many of its games were played, by its table of results. If that table has another number of games
 * than LOG, as after a run that was killed, nothing is added: the missing games are not known.
 */
static void unfinished_take(char *directory, const struct gamelog *log,
			    struct provenance *provenance)
{
	enum { RESULTS_BYTES_MAX = 16 << 20 };
	char path[FOLDER_PATH_MAX], share[PARTS_LACK_MAX];
	struct tsv results;
	if (share_missing(&directory, 1, share)) {
		provenance_add(provenance, NOTE_UNFINISHED "%s", share);
		return;
	}
	path_make(path, "%s/tables/results.tsv", directory);
	if (tsv_read(&results, path, RESULTS_BYTES_MAX, NULL))
		return;
	const char *note = tsv_note(&results, NOTE_UNFINISHED);
	if (note && results_games(&results) == (double)summary_games(log))
		provenance_add(provenance, NOTE_UNFINISHED "%s", note);
	tsv_fini(&results);
}

enum status report_logs(const struct text_list *paths, const char *command,
			const struct report_options *options, struct why *why)
{
	struct gamelog log;
	struct provenance provenance;
	struct lock lock = {0};
	enum status status = logs_read(&log, paths, why);
	if (status)
		return status;
	if (options->directory)
		status = folder_lock(&lock, options->directory, false, why);
	if (!status)
		status = logs_provenance(&log, command, &provenance, why);
	if (!status) {
		report_commands_note(&provenance, &log);
		if (paths->n == 1)
			unfinished_take(paths->item[0], &log, &provenance);
		status = report_make(&log, options, &provenance, why);
		provenance_fini(&provenance);
	}
	lock_release(&lock);
	gamelog_fini(&log);
	return status;
}
