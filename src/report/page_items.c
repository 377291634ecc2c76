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

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TABLE_MAX = 1 << 30 };

/*
 * ---- Papers. Which experiment it was is read from the command in the table's head, for folders
 * can be called anything.
 */

#define STANFORD "Mayer-Hirshfeld, Navarro, Saleh, AI Agent for 2048"
#define MIT "Dedieu, Amar, Deep Reinforcement Learning for 2048"
#define LAB "2048-Temporal Difference Learning (Deep Learning and Practice, lab 3)"

/* What experiments show of papers, by figure or table. */
static const struct origin {
	const char *experiments; /* separated by blanks; or with "-full", "-scaled" behind them */
	bool figure;
	const char *name, *text;
} origins[] = {
    {"quickstart paper", true, "tiles", "what figures 2, 4 and 6 of " STANFORD ", show"},
    {"quickstart paper", true, "scores", "what figures 3, 5 and 7 of " STANFORD ", show"},
    {"quickstart paper", true, "curve", "what figure 8 of " STANFORD ", shows"},
    {"quickstart paper", false, "results", "what table 2 of " STANFORD ", shows"},
    {"quickstart paper", false, "ratios", "what table 2 of " STANFORD ", shows"},
    {"quickstart paper", false, "parameters", "what table 1 of " STANFORD ", shows"},
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

enum { ORIGINS = sizeof origins / sizeof *origins };

/*
 * Whether WORD of LENGTH bytes names the experiment NAME of N bytes, with a path, an ending or
 * not.
 */
static bool word_is(const char *word, size_t length, const char *name, size_t n)
{
	static const char *const ends[] = {"-scaled", "-full", ".yaml"};
	for (size_t i = 0; i < length; i++)
		if (word[i] == '/')
			return word_is(word + i + 1, length - i - 1, name, n);
	if (length < n || strncmp(word, name, n) != 0)
		return false;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (length >= n + strlen(ends[i]) &&
		    strncmp(word + n, ends[i], strlen(ends[i])) == 0)
			n += strlen(ends[i]);
	return n == length;
}

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

/* Whether WORD of LENGTH bytes names one of EXPERIMENTS. */
static bool word_among(const char *word, size_t length, const char *experiments)
{
	for (size_t n; *experiments; experiments += n + (experiments[n] == ' ')) {
		n = strcspn(experiments, " ");
		if (word_is(word, length, experiments, n))
			return true;
	}
	return false;
}

/*
 * Whether COMMAND ran one of EXPERIMENTS: it is the word behind "nxn run" that belongs to no
 * option.
 */
static bool command_ran(const char *command, const char *experiments)
{
	static const char run[] = "nxn run ";
	bool value = false;
	if (!command || strncmp(command, run, sizeof run - 1) != 0)
		return false;
	for (const char *at = command + sizeof run - 1; *at;) {
		size_t length = word_length(at);
		if (*at != '-' && !value)
			return word_among(at, length, experiments);
		is_how(at, length, &value);
		at += length + (at[length] == ' ');
	}
	return false;
}

/*
 * What the figure or table NAME shows of a paper, such as "what table 1 of ..., shows", if
 * COMMAND, which may be NULL, ran an experiment made for that; or else NULL.
 */
static const char *origin_find(const char *command, bool figure, const char *name)
{
	for (size_t i = 0; i < ORIGINS; i++)
		if (origins[i].figure == figure && strcmp(origins[i].name, name) == 0 &&
		    command_ran(command, origins[i].experiments))
			return origins[i].text;
	return NULL;
}

/* ---- Words. */

/* Which parts of the note on intervals are about a figure or table. */
enum { MEANS = 1, RATES = 2, PAIRS = 4, TILES = 8, TIMES = 16, ALL = 31 };

static const struct caption_words {
	const char *name, *text;
	int intervals;
} figure_words[] = {
    {"means", "Mean score of each player on each board.", MEANS},
    {"tiles", "Share of the games by their largest tile, one panel per board.", RATES},
    {"scores", "Cumulative distribution of the scores: the share of games with at most that score.",
     0},
    {"curve", "Mean score of learners over their training.", MEANS},
    {"learning",
     "Learners over their training: mean score, best score, and the share of games that reached a "
     "tile.",
     MEANS | RATES},
    {"certainty",
     "Learners over their training: sum of the final tiles of a game, and mean distance of a move "
     "to certainty: 0 if the move was certain, 1.5 if it was one of four equally probable moves. "
     "Bands: 95% intervals, Student's t.",
     0},
    {"moves",
     "Distance to certainty of each move of one game, before training and after; grey: equal "
     "probabilities of all legal moves.",
     0},
    {"law",
     "Mean score against the number of cells, with the law fitted to each player: log2 of the "
     "score is a power of the number of cells; the key has the exponent. Below: mean scores "
     "divided by the law.",
     MEANS},
    {"sweep",
     "Time per move of the search against its depth: one curve per cutoff, one panel per board.",
     MEANS},
    {"boards",
     "Time per move of the search against its depth: one curve per board, one panel per cutoff.",
     MEANS},
    {"pareto",
     "Mean score against time per move, with the Pareto front: the settings that no other beats in "
     "both. The number at a point is its depth.",
     MEANS},
    {"gap", "Expected score of each player as a share of the exact optimum.", MEANS},
    {"gap-phase",
     "Points that moves lose against the exact optimum, and share of optimal moves, by the largest "
     "tile before the move.",
     MEANS},
    {"gap-learning", "Distance of learners to the exact optimum over their training.", MEANS},
    {"duel",
     "A duel: ratio of mean scores, A to B, at each look. Band: intervals that hold at all looks "
     "together.",
     0},
    {"training",
     "One learner over its training games: mean and best score of each block, and the share of "
     "its games that reached a tile. Bands: 95% intervals.",
     0},
    {"tuning",
     "Tuning by the cross-entropy method. Scores: of the best candidate, of the elite (the "
     "candidates that the next generation is fitted to), of all candidates, and of held-out games "
     "with 95% intervals. Parameters: the mean of each, with a band of one standard deviation.",
     0},
    {NULL, NULL, 0},
};

static const struct caption_words table_words[] = {
    {"results", "Results after all training.", MEANS | RATES | TILES | TIMES},
    {"summary", "Statistics of the scores; for learners the file has every stage of training.",
     ALL},
    {"spread", "Minimum, median, maximum and standard deviation of the measurements of a game.",
     TILES},
    {"ratios", "Ratios of mean scores, and mean differences over the games that both played.",
     MEANS | PAIRS},
    {"tiles", "Share of the games by their largest tile.", RATES},
    {"reach", "Share of the games that reached each tile.", RATES},
    {"curve", "Learners over their training.", MEANS | RATES},
    {"means", "Mean scores by player and board.", MEANS},
    {"front", "The players of each board that no other player beats in score with less time.",
     MEANS | TIMES},
    {"law",
     "The law of size of each player: log2 of the mean score as a power of the number of "
     "cells.",
     MEANS},
    {"scores", "Cumulative distribution of the scores.", 0},
    {"moves", "Traced games, move by move.", 0},
    {"parameters", "All parameters of the players, by board.", 0},
    {"players", "Players, and the keys under which their games are filed.", 0},
    {"sweep", "The search at every depth and cutoff.", MEANS},
    {"boards", "The search by board.", MEANS},
    {"pareto", "Score against time per move.", MEANS},
    {"gap", "Players against the exact optimum.", MEANS},
    {"gap-phase", "Points lost by moves, by the largest tile.", MEANS},
    {"gap-learning", "Distance to the optimum over training.", MEANS},
    {"duel", "A duel, look by look; its intervals hold at all looks together.", 0},
    {"training", "The learning curve.", 0},
    {"tuning", "Generations of the tuning.", 0},
    {NULL, NULL, 0},
};

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

static const char *note_find(const struct tsv *tsv, const char *prefix)
{
	for (size_t i = 0; i < tsv->note_count; i++)
		if (strncmp(tsv->notes[i], prefix, strlen(prefix)) == 0)
			return tsv->notes[i] + strlen(prefix);
	return NULL;
}

static void origin_add(struct caption_text *text, bool figure, const char *name,
		       const struct tsv *tsv)
{
	const char *shown = origin_find(note_find(tsv, "command: "), figure, name);
	if (shown)
		text_add(text, " It shows %s.", shown);
}

/* The least and the most of column NAME over all blocks; false if there is none. */
static bool range_find(const struct tsv *tsv, const char *name, double *least, double *most)
{
	size_t column;
	*least = INFINITY;
	*most = -INFINITY;
	for (size_t b = 0; b < tsv->block_count; b++) {
		const struct tsv_block *block = &tsv->blocks[b];
		for (size_t row = 0; tsv_find(block, name, &column) && row < block->rows; row++) {
			double x = tsv_number(block, row, column).value;
			*least = x < *least ? x : *least;
			*most = x > *most ? x : *most;
		}
	}
	return *most >= *least;
}

/* How far the run of TSV came if it was stopped, or NULL: then players may be missing in TSV. */
static const char *unfinished_find(const struct tsv *tsv)
{
	return note_find(tsv, "unfinished: ");
}

/* "16 to 40 games per player and board." */
static void count_add(struct caption_text *text, const struct tsv *tsv, const char *column,
		      const char *what)
{
	double least, most;
	if (!range_find(tsv, column, &least, &most) || most <= 0)
		return;
	if (least <= 0 || unfinished_find(tsv))
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
	const char *players = note_find(tsv, "A: ");
	const struct tsv_block *block = &tsv->blocks[0];
	if (players)
		text_add(text, " A: %.*s.", (int)strcspn(players, ";"), players);
	players = players ? strstr(players, "; B: ") : NULL;
	if (players)
		text_add(text, " B: %.*s.", (int)strcspn(players + 5, ";"), players + 5);
	if (range_find(tsv, "games", &first, &last))
		text_add(text, " %.0f games of each.", last);
	if (!tsv_find(block, "verdict", &decision) || block->rows == 0)
		return;
	const char *word = tsv_cell(block, block->rows - 1, decision);
	text_add(text, " Verdict: %s.",
		 strcmp(word, "equal") == 0 ? "equal within the bound"
		 : *word		    ? word
					    : "undecided");
}

/* In tables without a column of games, a row may be a game. */
static void games_add(struct caption_text *text, const struct page_run *run, const char *name,
		      const struct tsv *tsv)
{
	if (strcmp(name, "scores") == 0) {
		size_t least = SIZE_MAX, most = 0;
		for (size_t b = 0; b < tsv->block_count; b++) {
			least = tsv->blocks[b].rows < least ? tsv->blocks[b].rows : least;
			most = tsv->blocks[b].rows > most ? tsv->blocks[b].rows : most;
		}
		if (unfinished_find(tsv))
			text_add(text, "%s", run->games);
		else if (most >= 2000)
			text_add(text, " At least %zu games per player and board.", least);
		else if (least == most)
			text_add(text, " %zu games per player and board.", most);
		else
			text_add(text, " %zu to %zu games per player and board.", least, most);
	} else if (strcmp(name, "duel") == 0) {
		duel_add(text, tsv);
	} else if (strcmp(name, "tiles") == 0 || strcmp(name, "reach") == 0 ||
		   strcmp(name, "boards") == 0) {
		text_add(text, "%s", run->games);
	} else if (strcmp(name, "tuning") != 0 && strcmp(name, "players") != 0 &&
		   strcmp(name, "parameters") != 0) {
		count_add(text, tsv, "searched", "positions searched per board");
		count_add(text, tsv, "games",
			  strcmp(name, "curve") == 0 || strcmp(name, "learning") == 0 ||
				  strcmp(name, "certainty") == 0
			      ? "games per point"
			  : strcmp(name, "training") == 0 ? "games per block"
							  : "games per player and board");
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
	const char *note = note_find(tsv, "95% intervals: ");
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

static const struct caption_words *words_find(const struct caption_words *words, const char *name)
{
	while (words->name && strcmp(words->name, name) != 0)
		words++;
	return words->name ? words : NULL;
}

/* The captions of ITEM, a figure or table drawn from TSV or that. */
static void caption_make(const struct page_run *run, const struct caption_words *words, bool figure,
			 struct page_item *item, const struct tsv *tsv)
{
	struct caption_text text = {item->caption, sizeof item->caption, 0},
			    intervals = {item->intervals, sizeof item->intervals, 0};
	text_add(&text, "%s", words ? words->text : item->name);
	games_add(&text, run, item->name, tsv);
	const char *unfinished = unfinished_find(tsv);
	if (unfinished)
		text_add(&text, " Unfinished: %s.", unfinished);
	const char *counted = note_find(tsv, "counted: ");
	if (counted)
		text_add(&text, " Counted: %s.", counted);
	origin_add(&text, figure, item->name, tsv);
	intervals_add(&intervals, run, tsv, words ? words->intervals : 0);
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

const char *const page_tables[] = {"results", "means",	"summary", "spread",	"ratios",
				   "tiles",   "reach",	"curve",   "law",	"sweep",
				   "boards",  "pareto", "gap",	   "gap-phase", "gap-learning",
				   "front",   "duel",	"scores",  "moves",	NULL};

static bool has_rows(const struct tsv *tsv)
{
	for (size_t i = 0; i < tsv->block_count; i++)
		if (tsv->blocks[i].rows > 0)
			return true;
	return false;
}

void page_title(struct page_run *run, const char *title)
{
	size_t length = strnlen(title, PAGE_TITLE_MAX - 1);
	while (length > 0 && title[length] && ((unsigned char)title[length] & 0xc0) == 0x80)
		length--;
	snprintf(run->title, sizeof run->title, "%.*s", (int)length, title);
}

/* The title of the experiment: tables have it where a log of before has not. */
static void title_take(struct page_run *run, const struct tsv *tsv)
{
	static const char title[] = "title: ";
	for (size_t i = 0; i < tsv->note_count; i++)
		if (strncmp(tsv->notes[i], title, sizeof title - 1) == 0)
			page_title(run, tsv->notes[i] + sizeof title - 1);
}

static void item_set(struct page_item *item, const char *name, const char *path)
{
	snprintf(item->name, sizeof item->name, "%.63s", name);
	snprintf(item->path, sizeof item->path, "%.255s", path);
}

bool page_table_add(struct page_run *run, const char *name, const char *path, const struct tsv *tsv)
{
	if (!has_rows(tsv))
		return false;
	struct page_item *item = &run->tables[run->table_count++];
	item_set(item, name, path);
	title_take(run, tsv);
	games_take(run, name, tsv);
	caption_make(run, words_find(table_words, name), false, item, tsv);
	return true;
}

enum status page_figure_add(struct page_run *run, const struct figure *figure, const char *from,
			    const char *path, struct why *why)
{
	char table[FOLDER_PATH_MAX];
	struct tsv tsv;
	enum status status = path_format(table, why, "%s/%s.tsv", from, figure->tables[0]);
	status = status ? status : tsv_read(&tsv, table, TABLE_MAX, why);
	if (status)
		return status;
	struct page_item *item = &run->figures[run->figure_count++];
	item_set(item, figure->name, path);
	caption_make(run, words_find(figure_words, figure->name), true, item, &tsv);
	tsv_fini(&tsv);
	return figure_draw_dark(figure, from, &item->dark, why);
}

/* ---- Where it comes from. */

/* Adds what the line "# TEXT" of the file PATH says to line COUNT of the provenance of RUN. */
static enum status provenance_take(struct page_run *run, int count, const char *line,
				   const char *path, struct why *why)
{
	static const char title[] = "title: ";
	run->provenance[count] = strdup(line + 2);
	if (!run->provenance[count])
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	if (strncmp(line + 2, title, sizeof title - 1) == 0)
		page_title(run, line + 2 + sizeof title - 1);
	return STATUS_OK;
}

enum status page_provenance_read(struct page_run *run, const char *path, struct why *why)
{
	struct lines lines;
	int count = 0;
	bool more = true, names = false;
	enum status status = lines_open(&lines, path, why);
	if (status)
		return status;
	while (!status && more && lines_next(&lines, &status, why)) {
		const bool note = strncmp(lines.text, "# ", 2) == 0;
		more = count < PAGE_LINES_MAX && (note || (count == 0 && !names));
		names = names || !note;
		if (more && note)
			status = provenance_take(run, count++, lines.text, path, why);
	}
	lines_close(&lines);
	return status;
}

void page_run_fini(struct page_run *run)
{
	for (char **line = run->provenance; *line; line++)
		free(*line);
	for (size_t i = 0; i < run->figure_count; i++)
		free(run->figures[i].dark);
}

/* ---- The page of a table of its own. */

static enum status single_add(struct page_run *run, const char *directory,
			      const struct figure *figure, struct why *why)
{
	char path[FOLDER_PATH_MAX], from[FOLDER_PATH_MAX], title[PAGE_TITLE_MAX];
	struct tsv tsv;
	enum status status = path_format(path, why, "%s/tables/%s.tsv", directory, figure->name);
	status = status ? status : path_format(from, why, "%s/figures", directory);
	status = status ? status : page_provenance_read(run, path, why);
	status = status ? status : tsv_read(&tsv, path, TABLE_MAX, why);
	if (status)
		return status;
	const char *agent = note_find(&tsv, "agent: ");
	snprintf(title, sizeof title, "Tuning of %s", agent ? agent : "an agent");
	page_title(run, strcmp(figure->name, "tuning") == 0 ? title : "A learning curve");
	page_table_add(run, figure->name, path + strlen(directory) + 1, &tsv);
	tsv_fini(&tsv);
	snprintf(path, sizeof path, "figures/%s.svg", figure->name);
	return page_figure_add(run, figure, from, path, why);
}

enum status page_of_single(const char *directory, const struct figure *figure, struct why *why)
{
	struct page_run *run = calloc(1, sizeof *run);
	const struct page page = {.directory = directory, .runs = &run, .run_count = 1};
	enum status status = run ? STATUS_OK : why_errno(why, "a page");
	if (status)
		return status;
	snprintf(run->name, sizeof run->name, "run");
	status = single_add(run, directory, figure, why);
	status = status ? status : page_write(&page, why);
	page_run_fini(run);
	free(run);
	return status;
}

/* ---- The page of a folder. */

/*
 * COMMAND, less what says where and how: equal games are of equal commands. On the heap, or NULL.
 */
static char *command_reduce(const char *command)
{
	char *text = strdup(command), *end = text;
	bool skipped = false;
	for (const char *at = command; text && *at;) {
		const size_t length = word_length(at), step = length + (at[length] == ' ');
		bool next = false;
		if (!skipped && !is_how(at, length, &next))
			end = mempcpy(end, at, step);
		skipped = next;
		at += step;
	}
	if (text)
		end[end > text && end[-1] == ' ' ? -1 : 0] = '\0';
	return text;
}

/* Whether COMMAND wrote TSV. */
static bool is_of(const struct tsv *tsv, const char *command)
{
	const char *noted = note_find(tsv, "command: ");
	return noted && strcmp(noted, command) == 0;
}

/* Takes what the notes of a table tell of where all come from. */
static enum status notes_take(struct page_run *run, const struct tsv *tsv, struct why *why)
{
	static const char *const wanted[] = {
	    "nxn ",	  "command: ",	 "configuration: ", "seed: ",	    "instruction set: ",
	    "compiler: ", "processor: ", "agents with ",    "unfinished: ", "counted: "};
	static const char command[] = "command: ";
	size_t count = 0;
	for (size_t i = 0; i < tsv->note_count; i++)
		for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
			if (strncmp(tsv->notes[i], wanted[k], strlen(wanted[k])) != 0)
				continue;
			run->provenance[count] = strncmp(tsv->notes[i], command, sizeof command - 1)
						     ? strdup(tsv->notes[i])
						     : command_reduce(tsv->notes[i]);
			if (!run->provenance[count++])
				return why_errno(why, "where tables come from");
			break;
		}
	return STATUS_OK;
}

/* Adds the table NAME of the folder, if it is there and COMMAND wrote it. */
static enum status folder_table(struct page_run *run, const char *directory, const char *name,
				const char *command, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct tsv tsv;
	enum status status = path_format(path, why, "%s/tables/%s.tsv", directory, name);
	if (status || access(path, F_OK) != 0)
		return status;
	status = tsv_read(&tsv, path, TABLE_MAX, why);
	if (status)
		return status;
	if (is_of(&tsv, command)) {
		if (!*run->provenance)
			status = notes_take(run, &tsv, why);
		page_table_add(run, name, path + strlen(directory) + 1, &tsv);
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
	char drawn[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	enum status status = path_format(drawn, why, "%s/figures", directory);
	for (const struct figure *f = figures; !status && f->name; f++) {
		status = path_format(path, why, "%s/%s.svg", drawn, f->name);
		if (!status && has_table(run, f->tables[0]) && access(path, F_OK) == 0)
			status = page_figure_add(run, f, drawn, path + strlen(directory) + 1, why);
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
	struct page_run *run = calloc(1, sizeof *run);
	const struct page page = {.directory = directory, .runs = &run, .run_count = 1};
	enum status status = run ? STATUS_OK : why_errno(why, "a page");
	if (status)
		return status;
	snprintf(run->name, sizeof run->name, "run");
	page_title(run, title);
	for (const char *const *name = page_tables; !status && *name; name++)
		status = folder_table(run, directory, *name, command, why);
	status = status ? status : folder_figures(run, directory, why);
	folder_files(run, directory);
	status = status ? status : page_write(&page, why);
	page_run_fini(run);
	free(run);
	return status;
}
