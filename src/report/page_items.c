/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data of a page: the tables and figures of a run with captions, the lines of its log.
 *
 * A caption describes the figure or table and gives the number of games; where the experiment
 * reproduces a figure or table of a paper, it names that. The method of the intervals appears once
 * a run. Numbers and methods are read from the table.
 */
#include "src/report/page.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/xalloc.h"
#include "src/cli/provenance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TABLE_MAX = 1 << 30 };

/* ---- The command that made a table. */

/* The length of the first word of COMMAND, a line for a shell. */
static size_t word_length(const char *command)
{
	size_t n = 0;
	for (bool quoted = false; command[n] && (quoted || command[n] != ' '); n++) {
		if (command[n] == '\'')
			quoted = !quoted;
		else if (!quoted && command[n] == '\\' && command[n + 1])
			n++;
	}
	return n;
}

/*
 * Whether WORD of LENGTH bytes is an option that sets where or how games are played, not which;
 * *NEXT: whether the next word is its value.
 */
static bool is_how(const char *word, size_t length, bool *next)
{
	static const struct {
		const char *name;
		bool valued;
	} options[] = {{"--out", true},	  {"--threads", true}, {"--time-budget", true},
		       {"--shard", true}, {"--format", true},  {"--progress", false},
		       {"--full", false}};
	const size_t n = strcspn(word, "= ");
	*next = length == 2 && (strncmp(word, "-o", 2) == 0 || strncmp(word, "-j", 2) == 0);
	if (*next || (length > 2 && (strncmp(word, "-o", 2) == 0 || strncmp(word, "-j", 2) == 0)))
		return true;
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (strlen(options[i].name) == n && strncmp(word, options[i].name, n) == 0) {
			*next = n == length && options[i].valued;
			return true;
		}
	return false;
}

char *command_reduce(const char *command)
{
	char *text = xstrdup(command), *end = text;
	bool skipped = false;
	for (const char *at = command; *at;) {
		const size_t length = word_length(at), step = length + (at[length] == ' ');
		bool next = false;
		if (!skipped && !is_how(at, length, &next))
			end = mempcpy(end, at, step);
		skipped = next;
		at += step;
	}
	end[end > text && end[-1] == ' ' ? -1 : 0] = '\0';
	return text;
}

/* ---- Captions. The title in the head of a table identifies the experiment. */

#define STANFORD "Mayer-Hirshfeld, Navarro, Saleh, AI Agent for 2048"
#define MIT "Dedieu, Amar, Deep Reinforcement Learning for 2048"
#define LAB "2048-Temporal Difference Learning (Deep Learning and Practice, lab 3)"
#define PAPER "Expectimax against Q-learning"
#define RATES "Temporal differences: learning rates"
#define GROUPS "Temporal differences: groups of tuples"

/* The figures and tables of papers that experiments reproduce. */
static const struct origin {
	const char *title; /* the beginning of the experiment's title */
	bool figure;
	const char *name, *text;
} origins[] = {
    {PAPER, true, "tiles", "what figures 2, 4 and 6 of " STANFORD ", show"},
    {PAPER, true, "scores", "what figures 3, 5 and 7 of " STANFORD ", show"},
    {PAPER, true, "curve", "what figure 8 of " STANFORD ", shows"},
    {PAPER, false, "results", "what table 2 of " STANFORD ", shows"},
    {PAPER, false, "ratios", "what table 2 of " STANFORD ", shows"},
    {PAPER, false, "parameters", "what table 1 of " STANFORD ", shows"},
    {"Q-learning: score over training", true, "curve", "what figure 8 of " STANFORD ", shows"},
    {"Expectimax on 4x4: time per", true, "sweep", "what figure 9 of " STANFORD ", shows"},
    {"Expectimax with a cutoff", true, "boards", "what figure 10 of " STANFORD ", shows"},
    {"Policy networks: final sums", true, "certainty", "what figures 3, 4 and 5 of " MIT ", show"},
    {"Policy networks: final sums", true, "moves", "what figure 6 of " MIT ", shows"},
    {RATES, true, "learning", "what figures 2 and 10 of the report " LAB " show"},
    {RATES, false, "results", "what the first half of table 2 of the report " LAB " shows"},
    {RATES, false, "reach", "what figure 1 of the report " LAB " shows"},
    {GROUPS, true, "learning", "what figure 11 of the report " LAB " shows"},
    {GROUPS, false, "results", "what the second half of table 2 of the report " LAB " shows"},
    {GROUPS, false, "reach", "what figure 1 of the report " LAB " shows"},
};

/* Adds the source in a paper of the figure or table NAME, if the experiment of TSV has one. */
static void origin_add(FILE *text, bool figure, const char *name, const struct tsv *tsv)
{
	const char *title = tsv_note(tsv, "title: ");
	for (size_t i = 0; title && i < sizeof origins / sizeof *origins; i++) {
		const struct origin *o = &origins[i];
		if (o->figure == figure && strcmp(o->name, name) == 0 &&
		    strncmp(title, o->title, strlen(o->title)) == 0)
			fprintf(text, " It shows %s.", o->text);
	}
}

/* Finds the range of the numbers in column NAME; false if there are none. */
static bool range_find(const struct tsv *tsv, const char *name, double *least, double *most)
{
	size_t column;
	*least = INFINITY;
	*most = -INFINITY;
	for (size_t row = 0; tsv_find(tsv, name, &column) && row < tsv->rows; row++) {
		const double x = tsv_number(tsv, row, column).value;
		*least = x < *least ? x : *least;
		*most = x > *most ? x : *most;
	}
	return *most >= *least;
}

/* Adds the range of COLUMN, such as "16 to 40 games per player and board." */
static void count_add(FILE *text, const struct tsv *tsv, const char *column, const char *what)
{
	double least, most;
	if (!range_find(tsv, column, &least, &most) || most <= 0)
		return;
	if (least <= 0 || tsv_note(tsv, NOTE_UNFINISHED))
		fprintf(text, " Up to %.0f %s.", most, what);
	else if (least == most)
		fprintf(text, " %.0f %s.", most, what);
	else
		fprintf(text, " %.0f to %.0f %s.", least, most, what);
}

/* Adds players, games and verdict of a duel. */
static void duel_add(FILE *text, const struct tsv *tsv)
{
	double first, last;
	size_t decision;
	const char *players = tsv_note(tsv, "A: ");
	if (players)
		fprintf(text, " A: %.*s.", (int)strcspn(players, ";"), players);
	players = players ? strstr(players, "; B: ") : NULL;
	if (players)
		fprintf(text, " B: %.*s.", (int)strcspn(players + 5, ";"), players + 5);
	if (range_find(tsv, "games", &first, &last))
		fprintf(text, " %.0f games of each.", last);
	if (!tsv_find(tsv, "verdict", &decision) || tsv->rows == 0)
		return;
	const char *word = tsv_cell(tsv, tsv->rows - 1, decision);
	fprintf(text, " Verdict: %s.",
		strcmp(word, "equal") == 0 ? "equal within the bound"
		: *word			   ? word
					   : "undecided");
}

/* Adds the number of games or positions of TSV, a table SHOWN. */
static void games_add(FILE *text, const struct page_run *run, const struct shown_table *shown,
		      const struct tsv *tsv)
{
	if (strcmp(shown->name, "duel") == 0) {
		duel_add(text, tsv);
	} else if (shown->counted && strcmp(shown->counted, "run") == 0) {
		fputs(run->games ? run->games : "", text);
	} else if (shown->counted) {
		count_add(text, tsv, "searched", "positions searched per board");
		count_add(text, tsv, "games", shown->counted);
	}
}

/*
 * Makes ITEM in the file PATH, FIGURE or the table SHOWN if that is NULL, of TSV, the table of
 * either.
 */
static void item_make(const struct page_run *run, struct page_item *item,
		      const struct figure *figure, const struct shown_table *shown,
		      const char *path, const struct tsv *tsv)
{
	size_t length;
	FILE *text = xstream_open(&item->caption, &length);
	const char *unfinished = tsv_note(tsv, NOTE_UNFINISHED);
	const char *counted = tsv_note(tsv, NOTE_COUNTED);
	item->name = figure ? figure->name : shown->name;
	item->path = xstrdup(path);
	fputs(figure ? figure->caption : shown->caption, text);
	games_add(text, run, shown, tsv);
	if (unfinished)
		fprintf(text, " Unfinished: %s.", unfinished);
	if (counted)
		fprintf(text, " Counted: %s.", counted);
	origin_add(text, figure, item->name, tsv);
	xstream_close(text);
}

/* Stores the number of games of the table NAME, if it has one, in RUN for later captions. */
static void games_take(struct page_run *run, const char *name, const struct tsv *tsv)
{
	char *games;
	size_t length;
	FILE *text = xstream_open(&games, &length);
	if (strcmp(name, "results") == 0 || strcmp(name, "means") == 0)
		count_add(text, tsv, "games", "games per player and board");
	if (strcmp(name, "sweep") == 0)
		count_add(text, tsv, "searched", "positions searched per board");
	xstream_close(text);
	char *old = *games ? run->games : games;
	run->games = *games ? games : run->games;
	free(old);
}

/* ---- Tables and figures. */

void page_title(struct page_run *run, const char *title)
{
	free(run->title);
	run->title = xstrdup(title);
}

bool page_table_add(struct page_run *run, const struct shown_table *shown, const char *path,
		    const struct tsv *tsv)
{
	const char *title = tsv_note(tsv, "title: "), *method = tsv_note(tsv, "95% intervals: ");
	if (tsv->rows == 0)
		return false;
	if (title)
		page_title(run, title);
	if (method && !run->intervals)
		run->intervals = xasprintf("95%% intervals: %s.", method);
	games_take(run, shown->name, tsv);
	item_make(run, &run->tables[run->table_count++], NULL, shown, path, tsv);
	return true;
}

/* The table of RUN called NAME, or NULL. */
static const struct page_item *table_of(const struct page_run *run, const char *name)
{
	for (size_t i = 0; i < run->table_count; i++)
		if (strcmp(run->tables[i].name, name) == 0)
			return &run->tables[i];
	return NULL;
}

enum status page_figures_add(struct page_run *run, const char *directory, const char *below,
			     struct why *why)
{
	char drawn[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	enum status status = STATUS_OK;
	for (const struct figure *f = figures; !status && f->name; f++) {
		const struct page_item *table = table_of(run, f->tables[0]);
		struct tsv tsv;
		path_make(drawn, "%s/figures%s/%s.svg", directory, below, f->name);
		if (!table || access(drawn, F_OK) != 0)
			continue;
		path_make(path, "%s/%s", directory, table->path);
		status = tsv_read(&tsv, path, TABLE_MAX, why);
		if (status)
			break;
		item_make(run, &run->figures[run->figure_count++], f, shown_table_find(table->name),
			  drawn + strlen(directory) + 1, &tsv);
		tsv_fini(&tsv);
	}
	return status;
}

/* ---- Provenance. */

enum status page_provenance_read(struct page_run *run, const char *path, struct why *why)
{
	static const char title[] = "title: ";
	struct lines lines;
	int count = 0;
	bool head = true, names = false;
	enum status status = lines_open(&lines, path, why);
	if (status)
		return status;
	while (lines_next(&lines, &status, why)) {
		const bool note = strncmp(lines.text, "# ", 2) == 0;
		head = head && (note || (count == 0 && !names));
		names = names || !note;
		/* After the head there are commands that continued the log. */
		if (!note || count == PAGE_LINES_MAX ||
		    !(head || strncmp(lines.text, "# command: ", 11) == 0))
			continue;
		run->provenance[count++] = xstrdup(lines.text + 2);
		if (head && strncmp(lines.text + 2, title, sizeof title - 1) == 0)
			page_title(run, lines.text + 2 + sizeof title - 1);
	}
	lines_close(&lines);
	return status;
}

static void items_fini(struct page_item *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(items[i].path);
		free(items[i].caption);
	}
}

void page_run_fini(struct page_run *run)
{
	for (char **line = run->provenance; *line; line++)
		free(*line);
	items_fini(run->figures, run->figure_count);
	items_fini(run->tables, run->table_count);
	free(run->title);
	free(run->games);
	free(run->intervals);
}

/* ---- The page of a folder. */

/*
 * Copies the provenance from the notes of a table: those before the methods and units, which belong
 * to that table alone.
 */
static void notes_take(struct page_run *run, const struct tsv *tsv)
{
	for (size_t i = 0; i < tsv->note_count && i < PAGE_LINES_MAX; i++) {
		const char *note = tsv->notes[i];
		if (strncmp(note, "95% intervals: ", 15) == 0 || strncmp(note, "units: ", 7) == 0)
			break;
		run->provenance[i] =
		    strncmp(note, "command: ", 9) == 0 ? command_reduce(note) : xstrdup(note);
	}
}

/* Adds the table SHOWN of the folder if it exists and, unless COMMAND is NULL, COMMAND wrote it. */
static enum status folder_table(struct page_run *run, const char *directory,
				const struct shown_table *shown, const char *command,
				struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct tsv tsv;
	path_make(path, "%s/tables/%s.tsv", directory, shown->name);
	if (access(path, F_OK) != 0)
		return STATUS_OK;
	enum status status = tsv_read(&tsv, path, TABLE_MAX, why);
	if (status)
		return status;
	const char *noted = tsv_note(&tsv, "command: ");
	if (!command || (noted && strcmp(noted, command) == 0)) {
		if (!*run->provenance)
			notes_take(run, &tsv);
		page_table_add(run, shown, path + strlen(directory) + 1, &tsv);
	}
	tsv_fini(&tsv);
	return STATUS_OK;
}

/* Adds the existing logs. */
static void folder_files(struct page_run *run, const char *directory)
{
	static const char *const logs[] = {"games.tsv", "searches.tsv", "positions.txt", "gap.tsv"};
	char path[FOLDER_PATH_MAX];
	size_t count = 0;
	for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
		if (access(path_make(path, "%s/%s", directory, logs[i]), F_OK) == 0)
			run->files[count++] = logs[i];
}

enum status page_of_folder(const char *directory, const char *title, const char *command,
			   const char *table, struct why *why)
{
	struct page_run *run = xcalloc(1, sizeof *run);
	const struct page page = {.directory = directory, .runs = &run, .run_count = 1};
	enum status status = STATUS_OK;
	snprintf(run->name, sizeof run->name, "run");
	page_title(run, title);
	for (const struct shown_table *t = shown_tables; !status && t->name; t++)
		if (!table || strcmp(t->name, table) == 0)
			status = folder_table(run, directory, t, command, why);
	status = status ? status : page_figures_add(run, directory, "", why);
	folder_files(run, directory);
	status = status ? status : page_write(&page, why);
	page_run_fini(run);
	free(run);
	return status;
}
