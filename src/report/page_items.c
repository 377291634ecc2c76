/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a page shows of a run: its tables, its figures, the lines of its log.
 *
 * Captions tell what is shown, of how many games, how intervals were made, and of which paper it
 * shows what a figure or table of that shows; numbers and methods are read from the table.
 */
#include "src/report/page.h"

#include "analysis/stats/stats.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
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
 * Whether WORD of LENGTH bytes is an option that says where or how games are played, not which;
 * *NEXT: whether its value is the word behind it.
 */
static bool is_how(const char *word, size_t length, bool *next)
{
	static const char *const options[] = {"--out",	  "--threads",	"--time-budget", "--shard",
					      "--format", "--progress", "--full"};
	const size_t n = strcspn(word, "= ");
	*next = length == 2 && (strncmp(word, "-o", 2) == 0 || strncmp(word, "-j", 2) == 0);
	if (*next || (length > 2 && (strncmp(word, "-o", 2) == 0 || strncmp(word, "-j", 2) == 0)))
		return true;
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (strlen(options[i]) == n && strncmp(word, options[i], n) == 0) {
			*next = n == length && i < 5;
			return true;
		}
	return false;
}

/*
 * COMMAND, less what says where and how: equal games are of equal commands. On the heap.
 */
static char *command_reduce(const char *command)
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

/* ---- Words. */

struct caption_text {
	char *at;
	size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void text_add(struct caption_text *text,
							   const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(text->at + text->used, text->size - text->used, format, args);
	va_end(args);
	if (n > 0)
		text->used +=
		    (size_t)n < text->size - text->used ? (size_t)n : text->size - text->used - 1;
}

/*
 * ---- Papers. Which experiment it was is read from the command in the table's head, for folders
 * can be called anything.
 */

#define STANFORD "Mayer-Hirshfeld, Navarro, Saleh, AI Agent for 2048"
#define MIT "Dedieu, Amar, Deep Reinforcement Learning for 2048"
#define LAB "2048-Temporal Difference Learning (Deep Learning and Practice, lab 3)"

/* What experiments show of papers, by figure or table. */
static const struct origin {
	const char *experiment; /* perhaps with "-full" or "-scaled" behind it */
	bool figure;
	const char *name, *text;
} origins[] = {
    {"quickstart", true, "tiles", "what figures 2, 4 and 6 of " STANFORD ", show"},
    {"paper", true, "tiles", "what figures 2, 4 and 6 of " STANFORD ", show"},
    {"quickstart", true, "scores", "what figures 3, 5 and 7 of " STANFORD ", show"},
    {"paper", true, "scores", "what figures 3, 5 and 7 of " STANFORD ", show"},
    {"quickstart", true, "curve", "what figure 8 of " STANFORD ", shows"},
    {"paper", true, "curve", "what figure 8 of " STANFORD ", shows"},
    {"quickstart", false, "results", "what table 2 of " STANFORD ", shows"},
    {"paper", false, "results", "what table 2 of " STANFORD ", shows"},
    {"quickstart", false, "ratios", "what table 2 of " STANFORD ", shows"},
    {"paper", false, "ratios", "what table 2 of " STANFORD ", shows"},
    {"quickstart", false, "parameters", "what table 1 of " STANFORD ", shows"},
    {"paper", false, "parameters", "what table 1 of " STANFORD ", shows"},
    {"figure8", true, "curve", "what figure 8 of " STANFORD ", shows"},
    {"figure9", true, "sweep", "what figure 9 of " STANFORD ", shows"},
    {"figure10", true, "boards", "what figure 10 of " STANFORD ", shows"},
    {"policy-figures", true, "certainty", "what figures 3, 4 and 5 of " MIT ", show"},
    {"policy-figures", true, "moves", "what figure 6 of " MIT ", shows"},
    {"td-rates", true, "learning", "what figures 2 and 10 of the report " LAB " show"},
    {"td-rates", false, "results", "what the first half of table 2 of the report " LAB " shows"},
    {"td-rates", false, "reach", "what figure 1 of the report " LAB " shows"},
    {"td-groups", true, "learning", "what figure 11 of the report " LAB " shows"},
    {"td-groups", false, "results", "what the second half of table 2 of the report " LAB " shows"},
    {"td-groups", false, "reach", "what figure 1 of the report " LAB " shows"},
};

/* Whether WORD of LENGTH bytes is the file of the experiment NAME, with a path, an ending or not. */
static bool names_experiment(const char *word, size_t length, const char *name)
{
	static const char *const ends[] = {"-scaled", "-full", ".yaml"};
	const char *slash = memrchr(word, '/', length);
	const size_t n = strlen(name);
	length -= slash ? (size_t)(slash + 1 - word) : 0;
	word = slash ? slash + 1 : word;
	if (length < n || strncmp(word, name, n) != 0)
		return false;
	word += n;
	length -= n;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const size_t end = strlen(ends[i]);
		if (length >= end && strncmp(word, ends[i], end) == 0) {
			word += end;
			length -= end;
		}
	}
	return length == 0;
}

/* Whether COMMAND, reduced, ran the experiment NAME: the first word behind "nxn compare" that is no option. */
static bool command_ran(const char *command, const char *name)
{
	static const char verb[] = "nxn compare ";
	if (strncmp(command, verb, strlen(verb)) != 0)
		return false;
	for (const char *at = command + strlen(verb); *at; at += strspn(at, " ")) {
		const size_t length = word_length(at);
		if (*at != '-')
			return names_experiment(at, length, name);
		at += length;
	}
	return false;
}

/* Adds what the figure or table NAME of TSV shows of a paper, if its experiment is made for that. */
static void origin_add(struct caption_text *text, bool figure, const char *name,
		       const struct tsv *tsv)
{
	const char *command = tsv_note(tsv, "command: ");
	char *reduced = command_reduce(command ? command : "");
	for (size_t i = 0; i < sizeof origins / sizeof *origins; i++)
		if (origins[i].figure == figure && strcmp(origins[i].name, name) == 0 &&
		    command_ran(reduced, origins[i].experiment))
			text_add(text, " It shows %s.", origins[i].text);
	free(reduced);
}

/* The least and the most of column NAME; false if there is none. */
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

/* "16 to 40 games per player and board." */
static void count_add(struct caption_text *text, const struct tsv *tsv, const char *column,
		      const char *what)
{
	double least, most;
	if (!range_find(tsv, column, &least, &most) || most <= 0)
		return;
	if (least <= 0 || tsv_note(tsv, "unfinished: "))
		text_add(text, " Up to %.0f %s.", most, what);
	else if (least == most)
		text_add(text, " %.0f %s.", most, what);
	else
		text_add(text, " %.0f to %.0f %s.", least, most, what);
}

/* Of a duel: who plays, how many games, the decision. */
static void duel_add(struct caption_text *text, const struct tsv *tsv)
{
	double first, last;
	size_t decision;
	const char *players = tsv_note(tsv, "A: ");
	if (players)
		text_add(text, " A: %.*s.", (int)strcspn(players, ";"), players);
	players = players ? strstr(players, "; B: ") : NULL;
	if (players)
		text_add(text, " B: %.*s.", (int)strcspn(players + 5, ";"), players + 5);
	if (range_find(tsv, "games", &first, &last))
		text_add(text, " %.0f games of each.", last);
	if (!tsv_find(tsv, "verdict", &decision) || tsv->rows == 0)
		return;
	const char *word = tsv_cell(tsv, tsv->rows - 1, decision);
	text_add(text, " Verdict: %s.",
		 strcmp(word, "equal") == 0 ? "equal within the bound"
		 : *word		    ? word
					    : "undecided");
}

/* How many games or positions TSV, SHOWN so, is of. */
static void games_add(struct caption_text *text, const struct page_run *run,
		      const struct shown_table *shown, const struct tsv *tsv)
{
	if (strcmp(shown->name, "duel") == 0) {
		duel_add(text, tsv);
	} else if (shown->counted && strcmp(shown->counted, "run") == 0) {
		text_add(text, "%s", run->games);
	} else if (shown->counted) {
		count_add(text, tsv, "searched", "positions searched per board");
		count_add(text, tsv, "games", shown->counted);
	}
}

/* Of how few and how many games or positions the means of TSV are; false if it does not tell. */
static bool samples_find(const struct tsv *tsv, double *least, double *most)
{
	double searched_least, searched_most;
	const bool games = range_find(tsv, "games", least, most) && *most > 0;
	if (!range_find(tsv, "searched", &searched_least, &searched_most))
		return games;
	*least = games && *least > 0 && *least < searched_least ? *least : searched_least;
	*most = games && *most > searched_most ? *most : searched_most;
	return true;
}

/*
 * The method of intervals of means in AT, of LENGTH bytes; of methods that it names by the number
 * of games (stats_method) those that TSV, or RUN where that does not tell, has numbers for.
 */
static void means_add(struct caption_text *text, const struct page_run *run, const struct tsv *tsv,
		      const char *at, size_t length)
{
	static const char by_games[] = " by Student's t on the logarithm below 15";
	double least, most;
	char method[STATS_METHOD_MAX];
	const char *by = memmem(at, length, by_games, sizeof by_games - 1), *means;
	if (!samples_find(tsv, &least, &most)) {
		least = run->least;
		most = run->most;
	}
	if (!by || !(most > 0)) {
		text_add(text, "%.*s", (int)length, at);
		return;
	}
	stats_method_of((size_t)fmax(least, 1), (size_t)most, method);
	means = strstr(method, " by ");
	text_add(text, "%.*s%.*s", (int)(by - at), at, (int)strcspn(means, ";"), means);
}

/* The parts of the note on intervals that KINDS ask for. */
static void intervals_add(struct caption_text *text, const struct page_run *run,
			  const struct tsv *tsv, int kinds)
{
	static const char *const begins[] = {"", "rates", "moves, paired", "medians",
					     "ms per move"};
	const char *note = tsv_note(tsv, "95% intervals: ");
	int count = 0;
	for (int part = 0; kinds && note && *note; part++) {
		size_t length = strcspn(note, ";");
		const char *at = note + strspn(note, " ");
		bool wanted = part == 0 && kinds & MEANS;
		for (int i = 1; i < 5; i++)
			wanted = wanted || (part > 0 && kinds & 1 << i &&
					    strncmp(at, begins[i], strlen(begins[i])) == 0);
		if (wanted && !count && kinds == RATES &&
		    strncmp(at, "rates: Wilson", length - (size_t)(at - note)) == 0) {
			text_add(text, "95%% intervals: Wilson's, for rates");
			count++;
		} else if (wanted) {
			text_add(text, "%s", count++ ? "; " : "95% intervals: ");
			means_add(text, run, tsv, at, length - (size_t)(at - note));
		}
		note += length + (note[length] == ';');
	}
	if (count)
		text_add(text, ".");
}

/*
 * Makes the captions of ITEM, a figure or a table, from TEXT, the INTERVALS that it tells of, and
 * TSV, the table of it, which is SHOWN so.
 */
static void caption_make(const struct page_run *run, struct page_item *item, const char *words,
			 int kinds, const struct shown_table *shown, bool figure,
			 const struct tsv *tsv)
{
	struct caption_text text = {item->caption, sizeof item->caption, 0},
			    intervals = {item->intervals, sizeof item->intervals, 0};
	const char *unfinished = tsv_note(tsv, "unfinished: ");
	const char *counted = tsv_note(tsv, "counted: ");
	text_add(&text, "%s", words);
	games_add(&text, run, shown, tsv);
	if (unfinished)
		text_add(&text, " Unfinished: %s.", unfinished);
	if (counted)
		text_add(&text, " Counted: %s.", counted);
	origin_add(&text, figure, item->name, tsv);
	intervals_add(&intervals, run, tsv, kinds);
}

/* Tables that tell the number of games leave it in RUN for others. */
static void games_take(struct page_run *run, const char *name, const struct tsv *tsv)
{
	char games[sizeof run->games] = "";
	struct caption_text text = {games, sizeof games, 0};
	if (strcmp(name, "results") == 0 || strcmp(name, "means") == 0)
		count_add(&text, tsv, "games", "games per player and board");
	if (strcmp(name, "sweep") == 0)
		count_add(&text, tsv, "searched", "positions searched per board");
	if (!*games)
		return;
	memcpy(run->games, games, sizeof games);
	samples_find(tsv, &run->least, &run->most);
}

/* ---- Tables and figures. */

void page_title(struct page_run *run, const char *title)
{
	size_t length = strnlen(title, PAGE_TITLE_MAX - 1);
	while (length > 0 && title[length] && ((unsigned char)title[length] & 0xc0) == 0x80)
		length--;
	snprintf(run->title, sizeof run->title, "%.*s", (int)length, title);
}

static void item_set(struct page_item *item, const char *name, const char *path)
{
	snprintf(item->name, sizeof item->name, "%.63s", name);
	snprintf(item->path, sizeof item->path, "%.255s", path);
}

bool page_table_add(struct page_run *run, const struct shown_table *shown, const char *path,
		    const struct tsv *tsv)
{
	const char *title = tsv_note(tsv, "title: ");
	if (tsv->rows == 0)
		return false;
	struct page_item *item = &run->tables[run->table_count++];
	item_set(item, shown->name, path);
	if (title)
		page_title(run, title);
	games_take(run, shown->name, tsv);
	caption_make(run, item, shown->caption, shown->intervals, shown, false, tsv);
	return true;
}

enum status page_figure_add(struct page_run *run, const struct figure *figure, const char *tables,
			    const char *path, struct why *why)
{
	char table[FOLDER_PATH_MAX];
	struct tsv tsv;
	enum status status = path_format(table, why, "%s/%s.tsv", tables, figure->tables[0]);
	status = status ? status : tsv_read(&tsv, table, TABLE_MAX, why);
	if (status)
		return status;
	struct page_item *item = &run->figures[run->figure_count++];
	item_set(item, figure->name, path);
	caption_make(run, item, figure->caption, figure->intervals,
		     shown_table_find(figure->tables[0]), true, &tsv);
	tsv_fini(&tsv);
	return STATUS_OK;
}

/* ---- Where it comes from. */

enum status page_provenance_read(struct page_run *run, const char *path, struct why *why)
{
	static const char title[] = "title: ";
	struct lines lines;
	int count = 0;
	bool more = true, names = false;
	enum status status = lines_open(&lines, path, why);
	if (status)
		return status;
	while (more && lines_next(&lines, &status, why)) {
		const bool note = strncmp(lines.text, "# ", 2) == 0;
		more = count < PAGE_LINES_MAX && (note || (count == 0 && !names));
		names = names || !note;
		if (!more || !note)
			continue;
		run->provenance[count++] = xstrdup(lines.text + 2);
		if (strncmp(lines.text + 2, title, sizeof title - 1) == 0)
			page_title(run, lines.text + 2 + sizeof title - 1);
	}
	lines_close(&lines);
	return status;
}

void page_run_fini(struct page_run *run)
{
	for (char **line = run->provenance; *line; line++)
		free(*line);
}

/* Writes the page of RUN alone, which is done with, if STATUS is that it has been filled. */
static enum status alone_write(struct page_run *run, const char *directory, enum status status,
			       struct why *why)
{
	const struct page page = {.directory = directory, .runs = &run, .run_count = 1};
	snprintf(run->name, sizeof run->name, "run");
	status = status ? status : page_write(&page, why);
	page_run_fini(run);
	free(run);
	return status;
}

/* ---- The page of a table of its own. */

static enum status single_add(struct page_run *run, const char *directory,
			      const struct figure *figure, struct why *why)
{
	char path[FOLDER_PATH_MAX], tables[FOLDER_PATH_MAX], title[PAGE_TITLE_MAX];
	struct tsv tsv;
	enum status status = path_format(path, why, "%s/tables/%s.tsv", directory, figure->name);
	status = status ? status : path_format(tables, why, "%s/tables", directory);
	status = status ? status : page_provenance_read(run, path, why);
	status = status ? status : tsv_read(&tsv, path, TABLE_MAX, why);
	if (status)
		return status;
	const char *agent = tsv_note(&tsv, "agent: ");
	snprintf(title, sizeof title, "Tuning of %s", agent ? agent : "an agent");
	page_title(run, strcmp(figure->name, "tuning") == 0 ? title : "A learning curve");
	page_table_add(run, shown_table_find(figure->name), path + strlen(directory) + 1, &tsv);
	tsv_fini(&tsv);
	snprintf(path, sizeof path, "figures/%s.svg", figure->name);
	return page_figure_add(run, figure, tables, path, why);
}

enum status page_of_single(const char *directory, const struct figure *figure, struct why *why)
{
	struct page_run *run = xcalloc(1, sizeof *run);
	return alone_write(run, directory, single_add(run, directory, figure, why), why);
}

/* ---- The page of a folder. */

/* Takes what the notes of a table tell of where all come from. */
static void notes_take(struct page_run *run, const struct tsv *tsv)
{
	static const char *const wanted[] = {
	    "nxn ",	  "command: ",	 "configuration: ", "seed: ",	    "instruction set: ",
	    "compiler: ", "processor: ", "agents with ",    "unfinished: ", "counted: "};
	size_t count = 0;
	for (size_t i = 0; i < tsv->note_count; i++)
		for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
			if (strncmp(tsv->notes[i], wanted[k], strlen(wanted[k])) == 0)
				run->provenance[count++] =
				    k == 1 ? command_reduce(tsv->notes[i]) : xstrdup(tsv->notes[i]);
}

/* Adds the table SHOWN of the folder, if it is there and COMMAND wrote it. */
static enum status folder_table(struct page_run *run, const char *directory,
				const struct shown_table *shown, const char *command,
				struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct tsv tsv;
	enum status status = path_format(path, why, "%s/tables/%s.tsv", directory, shown->name);
	if (status || access(path, F_OK) != 0)
		return status;
	status = tsv_read(&tsv, path, TABLE_MAX, why);
	if (status)
		return status;
	const char *noted = tsv_note(&tsv, "command: ");
	if (noted && strcmp(noted, command) == 0) {
		if (!*run->provenance)
			notes_take(run, &tsv);
		page_table_add(run, shown, path + strlen(directory) + 1, &tsv);
	}
	tsv_fini(&tsv);
	return status;
}

static bool has_table(const struct page_run *run, const char *name)
{
	for (size_t i = 0; i < run->table_count; i++)
		if (strcmp(run->tables[i].name, name) == 0)
			return true;
	return false;
}

/* Adds the figures that are drawn of its tables. */
static enum status folder_figures(struct page_run *run, const char *directory, struct why *why)
{
	char tables[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	enum status status = path_format(tables, why, "%s/tables", directory);
	for (const struct figure *f = figures; !status && f->name; f++) {
		status = path_format(path, why, "%s/figures/%s.svg", directory, f->name);
		if (!status && has_table(run, f->tables[0]) && access(path, F_OK) == 0)
			status = page_figure_add(run, f, tables, path + strlen(directory) + 1, why);
	}
	return status;
}

/* The logs that are there. */
static void folder_files(struct page_run *run, const char *directory)
{
	static const char *const logs[] = {"games.tsv", "searches.tsv", "positions.txt", "gap.tsv"};
	char path[FOLDER_PATH_MAX];
	size_t count = 0;
	for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
		if (!path_format(path, NULL, "%s/%s", directory, logs[i]) &&
		    access(path, F_OK) == 0)
			run->files[count++] = logs[i];
}

enum status page_of_folder(const char *directory, const char *title, const char *command,
			   struct why *why)
{
	struct page_run *run = xcalloc(1, sizeof *run);
	enum status status = STATUS_OK;
	page_title(run, title);
	for (const struct shown_table *t = shown_tables; !status && t->name; t++)
		status = folder_table(run, directory, t, command, why);
	status = status ? status : folder_figures(run, directory, why);
	folder_files(run, directory);
	return alone_write(run, directory, status, why);
}
