/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data, tables and figures of a run in a bundle, with their captions.
 *
 * Data: logs, positions, traces, and with --models what was learned. Tables: those of the run byte
 * for byte, and for print (table_format.c); and of a game log the table `players`, which tells what
 * each game is filed under: board label agent trained games seed config training_seconds. Figures
 * are drawn from these tables. Captions tell what is shown, of how many games, how intervals were
 * made, and of which paper it shows what a figure or table of that shows; numbers and methods are
 * read from the table.
 */
#include "src/paper/paper.h"

#include "agents/agent.h"
#include "agents/param.h"
#include "analysis/logs/gamelog.h"
#include "analysis/tables/table.h"
#include "base/append.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

/* Whether an option of LENGTH bytes has its value in the word behind it. */
static bool option_takes(const char *option, size_t length)
{
	static const char *const options[] = {"-o",	   "--out",	    "-j",
					      "--threads", "--time-budget", "--shard"};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (strlen(options[i]) == length && strncmp(option, options[i], length) == 0)
			return true;
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
		size_t length = strcspn(at, " ");
		if (*at != '-' && !value)
			return word_among(at, length, experiments);
		value = option_takes(at, length);
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
    {"tiles", "Share of the games by their largest tile, one panel per board.", RATES},
    {"scores",
     "Cumulative distribution of the scores: the share of games that ended with at most a score.",
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
    {"sizes", "Mean score against board size, and its ratio to that of one player.", MEANS},
    {"law",
     "Mean score against the number of cells, with the law fitted to each player: log2 of the "
     "score is a power of the cells, whose exponent is in the key. Below: mean scores over the "
     "law.",
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
    {"gap", "Expected score as a share of the exact optimum.", MEANS},
    {"gap-phase",
     "What moves lose against the exact optimum, and how many are optimal, by the largest tile "
     "before the move.",
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
     "Tuning by the cross-entropy method: score of the best candidate, of those kept and of all, "
     "and of held-out games with 95% intervals; and the mean of each parameter, with a band of one "
     "standard deviation.",
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
    {"reach", "Share of the games that reached at least a tile.", RATES},
    {"curve", "Learners over their training.", MEANS | RATES},
    {"sizes", "Mean scores by board.", MEANS},
    {"law", "The law of size of each player: log2 of the mean score as a power of the cells.",
     MEANS},
    {"scores", "Cumulative distribution of the scores.", 0},
    {"moves", "Traced games, move by move.", 0},
    {"parameters", "All parameters of the players, by board.", 0},
    {"players", "Players, and what their games are filed under.", 0},
    {"sweep", "The search at every depth and cutoff.", MEANS},
    {"boards", "The search by board.", MEANS},
    {"pareto", "Score against time per move.", MEANS},
    {"gap", "Players against the exact optimum.", MEANS},
    {"gap-phase", "What moves lose, by the largest tile.", MEANS},
    {"gap-learning", "Distance to the optimum over training.", MEANS},
    {"duel", "A duel, look by look; its intervals hold at all looks together.", 0},
    {"training", "The learning curve.", 0},
    {"tuning", "Generations of the tuning.", 0},
    {NULL, NULL, 0},
};

struct caption_text {
	char *at;
	size_t used;
};

__attribute__((format(printf, 2, 3))) static void text_add(struct caption_text *text,
							   const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(text->at + text->used, PAPER_CAPTION_MAX - text->used, format, args);
	va_end(args);
	if (n > 0)
		text->used += (size_t)n < PAPER_CAPTION_MAX - text->used
				  ? (size_t)n
				  : PAPER_CAPTION_MAX - text->used - 1;
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

/* "16 to 40 games per player and board." */
static void count_add(struct caption_text *text, const struct tsv *tsv, const char *column,
		      const char *what)
{
	double least, most;
	if (!range_find(tsv, column, &least, &most) || most <= 0)
		return;
	if (least == most)
		text_add(text, " %.0f %s.", most, what);
	else if (least <= 0)
		text_add(text, " Up to %.0f %s.", most, what);
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
static void games_add(struct caption_text *text, const struct paper_run *run, const char *name,
		      const struct tsv *tsv)
{
	if (strcmp(name, "scores") == 0) {
		size_t least = SIZE_MAX, most = 0;
		for (size_t b = 0; b < tsv->block_count; b++) {
			least = tsv->blocks[b].rows < least ? tsv->blocks[b].rows : least;
			most = tsv->blocks[b].rows > most ? tsv->blocks[b].rows : most;
		}
		if (most >= 2000)
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

/* The parts of the note on intervals that KINDS ask for. */
static void intervals_add(struct caption_text *text, const struct tsv *tsv, int kinds)
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
		if (wanted)
			text_add(text, "%s%.*s", count++ ? "; " : " 95% intervals: ",
				 (int)(length - (size_t)(at - note)), at);
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

static void caption_make(const struct paper_run *run, const struct caption_words *words,
			 bool figure, const char *name, const struct tsv *tsv,
			 char caption[PAPER_CAPTION_MAX])
{
	struct caption_text text = {.at = caption};
	*caption = '\0';
	text_add(&text, "%s", words ? words->text : name);
	games_add(&text, run, name, tsv);
	intervals_add(&text, tsv, words ? words->intervals : 0);
	origin_add(&text, figure, name, tsv);
}

/* The caption of figure NAME, drawn from the table TSV of RUN. */
static void paper_figure_caption(const struct paper_run *run, const char *name,
				 const struct tsv *tsv, char caption[PAPER_CAPTION_MAX])
{
	caption_make(run, words_find(figure_words, name), true, name, tsv, caption);
}

/*
 * The same of table NAME; those that tell the number of games leave it in RUN for others.
 */
static void paper_table_caption(struct paper_run *run, const char *name, const struct tsv *tsv,
				char caption[PAPER_CAPTION_MAX])
{
	char games[PAPER_CAPTION_MAX] = "";
	struct caption_text text = {.at = games};
	if (strcmp(name, "results") == 0 || strcmp(name, "sizes") == 0)
		count_add(&text, tsv, "games", "games per player and board");
	if (strcmp(name, "sweep") == 0)
		count_add(&text, tsv, "searched", "positions searched per board");
	if (*games)
		snprintf(run->games, sizeof run->games, "%.*s", (int)sizeof run->games - 1, games);
	caption_make(run, words_find(table_words, name), false, name, tsv, caption);
}

/* ---- Data. */

/* The title of RUN; cut, between characters, if it is too long. */
static void paper_title(struct paper_run *run, const char *title)
{
	size_t length = strnlen(title, PAPER_TITLE_MAX - 1);
	while (length > 0 && title[length] && ((unsigned char)title[length] & 0xc0) == 0x80)
		length--;
	snprintf(run->title, sizeof run->title, "%.*s", (int)length, title);
}

/* Copies the file FROM into the bundle. */
static enum status paper_copy(struct paper *paper, const char *from, const char *path,
			      struct why *why)
{
	FILE *out;
	enum status status = paper_create(paper, path, &out, why);
	if (status)
		return status;
	return paper_finish(paper, path, out, file_append(out, from, why), why);
}

/* Copies SOURCE/FILE to data/RUN/FILE, if it is there. */
static enum status file_take(struct paper *paper, const struct paper_run *run, const char *file,
			     struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	enum status status = path_format(from, why, "%s/%s", run->source, file);
	status = status ? status : path_format(to, why, "data/%s/%s", run->name, file);
	if (status || access(from, F_OK) != 0)
		return status;
	return paper_copy(paper, from, to, why);
}

static int is_visible(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return entry->d_name[0] != '.' &&
	       !(dot && (strcmp(dot, ".tmp") == 0 || strcmp(dot, ".part") == 0 ||
			 strcmp(dot, ".lock") == 0));
}

/* Copies the files in SOURCE/FOLDER, if it is there. */
static enum status folder_take(struct paper *paper, const struct paper_run *run, const char *folder,
			       struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct stat there;
	struct dirent **entries;
	enum status status = path_format(path, why, "%s/%s", run->source, folder);
	int count = status ? 0 : scandir(path, &entries, is_visible, alphasort);
	if (count < 0)
		return errno == ENOENT ? STATUS_OK : why_errno(why, "%s: cannot be read", path);
	for (int i = 0; i < count; i++) {
		status = status ? status
				: path_format(path, why, "%s/%s/%s", run->source, folder,
					      entries[i]->d_name);
		if (!status && stat(path, &there) == 0 && S_ISREG(there.st_mode))
			status = file_take(paper, run, path + strlen(run->source) + 1, why);
		free(entries[i]);
	}
	if (count > 0)
		free(entries);
	return status;
}

/* Adds what the line "# TEXT" says to line COUNT of the provenance of RUN. */
static enum status provenance_add(struct paper_run *run, int count, char *line, struct why *why)
{
	static const char title[] = "title: ";
	line[strcspn(line, "\n")] = '\0';
	run->provenance[count] = strdup(line + 2);
	if (!run->provenance[count])
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", run->source);
	if (strncmp(line + 2, title, sizeof title - 1) == 0)
		paper_title(run, line + 2 + sizeof title - 1);
	return STATUS_OK;
}

/*
 * The `#` lines at the head of the file PATH: where the numbers of RUN come from. Some logs have
 * them below the names of their columns.
 */
static enum status provenance_take(struct paper_run *run, const char *path, struct why *why)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	int lines = 0;
	bool more = true, names = false;
	enum status status = STATUS_OK;
	if (!file)
		return why_errno(why, "%s: cannot be read", path);
	while (!status && more) {
		const bool got = getline(&line, &size, file) > 0;
		const bool note = got && strncmp(line, "# ", 2) == 0;
		if (!got && lines_cut_short(file))
			status = why_errno(why, "%s: cannot be read", path);
		more = got && lines < PAPER_LINES_MAX && (note || (lines == 0 && !names));
		names = names || !note;
		if (more && note)
			status = provenance_add(run, lines++, line, why);
	}
	free(line);
	fclose(file);
	return status;
}

static enum status single_data(struct paper *paper, struct paper_run *run, struct why *why)
{
	char to[FOLDER_PATH_MAX];
	const char *slash = strrchr(run->source, '/');
	enum status status =
	    path_format(to, why, "data/%s/%s", run->name, slash ? slash + 1 : run->source);
	status = status ? status : provenance_take(run, run->source, why);
	return status ? status : paper_copy(paper, run->source, to, why);
}

static enum status paper_data(struct paper *paper, struct paper_run *run, struct why *why)
{
	static const char *const files[] = {"games.tsv", "searches.tsv", "positions.txt",
					    "gap.tsv"};
	static const char *const logs[] = {"games.tsv", "searches.tsv", "gap.tsv"}; /* by kind */
	char path[FOLDER_PATH_MAX];
	if (run->kind == PAPER_SINGLE)
		return single_data(paper, run, why);
	enum status status = path_format(path, why, "%s/%s", run->source, logs[run->kind]);
	status = status ? status : provenance_take(run, path, why);
	for (size_t i = 0; !status && i < sizeof files / sizeof *files; i++)
		status = file_take(paper, run, files[i], why);
	if (!status && *run->experiment) {
		status = path_format(path, why, "data/%s/experiment.yaml", run->name);
		status = status ? status : paper_copy(paper, run->experiment, path, why);
	}
	status = status ? status : folder_take(paper, run, "traces", why);
	return status || !paper->models ? status : folder_take(paper, run, "models", why);
}

/* ---- Tables. */

/* All that there may be, in the order in which a reader wants them. */
static const char *const names[] = {"results", "summary", "spread", "ratios",	 "tiles",
				    "reach",   "curve",	  "sizes",  "law",	 "sweep",
				    "boards",  "pareto",  "gap",    "gap-phase", "gap-learning",
				    "duel",    "scores",  "moves"};

enum { NAMES = sizeof names / sizeof *names, TABLE_MAX = 1 << 26 };

/* Writes TSV for print. */
static enum status printed_add(struct paper *paper, const struct paper_run *run, const char *name,
			       const struct tsv *tsv, bool latex, struct why *why)
{
	FILE *file;
	char path[FOLDER_PATH_MAX];
	enum status status =
	    path_format(path, why, "tables/%s/%s.%s", run->name, name, latex ? "tex" : "md");
	status = status ? status : paper_create(paper, path, &file, why);
	if (status)
		return status;
	table_print(file, tsv, name, latex);
	return paper_finish(paper, path, file, STATUS_OK, why);
}

static bool has_rows(const struct tsv *tsv)
{
	for (size_t i = 0; i < tsv->block_count; i++)
		if (tsv->blocks[i].rows > 0)
			return true;
	return false;
}

/* The title of the experiment: tables have it where a log of before has not. */
static void title_take(struct paper_run *run, const struct tsv *tsv)
{
	static const char title[] = "title: ";
	for (size_t i = 0; i < tsv->note_count; i++)
		if (strncmp(tsv->notes[i], title, sizeof title - 1) == 0)
			paper_title(run, tsv->notes[i] + sizeof title - 1);
}

/* Adds the table NAME, whose file PATH is in its place in the bundle, to RUN. */
static enum status item_add(struct paper *paper, struct paper_run *run, const char *name,
			    const char *path, struct why *why)
{
	char place[FOLDER_PATH_MAX];
	struct tsv tsv;
	struct paper_item *item = &run->tables[run->table_count];
	enum status status = path_format(place, why, "%s/%s", paper->directory, path);
	status = status ? status : tsv_read(&tsv, place, TABLE_MAX, why);
	if (status)
		return status;
	if (has_rows(&tsv)) {
		snprintf(item->name, sizeof item->name, "%.63s", name);
		snprintf(item->path, sizeof item->path, "%.255s", path);
		title_take(run, &tsv);
		paper_table_caption(run, name, &tsv, item->caption);
		run->table_count++;
		if (table_is_printed(name)) {
			status = printed_add(paper, run, name, &tsv, true, why);
			status = status ? status : printed_add(paper, run, name, &tsv, false, why);
		}
	}
	tsv_fini(&tsv);
	return status;
}

/* Copies the table NAME of RUN if it has it. */
static enum status table_take(struct paper *paper, struct paper_run *run, const char *name,
			      struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	enum status status = path_format(from, why, "%s/tables/%s.tsv", run->source, name);
	status = status ? status : path_format(to, why, "tables/%s/%s.tsv", run->name, name);
	if (status || access(from, F_OK) != 0)
		return status;
	status = paper_copy(paper, from, to, why);
	return status ? status : item_add(paper, run, name, to, why);
}

/* Copies a table of its own: lines between its rows, which are for going on with, are left out. */
static enum status rows_copy(const char *from, FILE *out, struct why *why)
{
	FILE *in = fopen(from, "re");
	char *line = NULL;
	size_t size = 0;
	if (!in)
		return why_errno(why, "%s: cannot be read", from);
	for (bool head = true; getline(&line, &size, in) > 0;) {
		head = head && *line == '#';
		if (head || *line != '#')
			fputs(line, out);
	}
	enum status status =
	    lines_cut_short(in) ? why_errno(why, "%s: cannot be read", from) : STATUS_OK;
	free(line);
	fclose(in);
	return status;
}

/* The same of a table of its own. */
static enum status single_table(struct paper *paper, struct paper_run *run, struct why *why)
{
	FILE *out;
	char path[FOLDER_PATH_MAX];
	const struct figure *figure;
	enum status status = figure_single(run->source, &figure, why);
	if (status)
		return status;
	if (!figure)
		return why_set(why, STATUS_INPUT, "%s: is no table of train or tune any more",
			       run->source);
	status = path_format(path, why, "tables/%s/%s.tsv", run->name, figure->name);
	status = status ? status : paper_create(paper, path, &out, why);
	if (status)
		return status;
	status = rows_copy(run->source, out, why);
	status = paper_finish(paper, path, out, status, why);
	return status ? status : item_add(paper, run, figure->name, path, why);
}

/* What the log has of PLAYER: games, seeds. */
static void player_write(FILE *file, const struct gamelog *log, const struct gamelog_player *player)
{
	uint64_t games = 0, seeds = 0, first = 0;
	for (size_t i = 0; i < log->count; i++) {
		const struct gamelog_row *row = &log->rows[i];
		if (row->player != player)
			continue;
		seeds += games == 0 || row->seed != first;
		first = games++ == 0 ? row->seed : first;
	}
	text_write(file, player->board, "");
	putc('\t', file);
	text_write(file, player->label, "");
	putc('\t', file);
	text_write(file, player->agent, "");
	fprintf(file, "\t%" PRIu64 "\t%" PRIu64 "\t", player->trained, games);
	if (seeds > 1)
		text_write(file, "several", "");
	else
		fprintf(file, "%" PRIu64, first);
	fprintf(file, "\t\"%016" PRIx64 "\"", player->config);
	number_write(file, gamelog_training(log, player->config));
	putc('\n', file);
}

/* By board, label, and training. */
static int by_player(const void *a, const void *b)
{
	const struct gamelog_player *x = *(struct gamelog_player *const *)a,
				    *y = *(struct gamelog_player *const *)b;
	int order = strcmp(x->board, y->board);
	if (order == 0)
		order = (x->place > y->place) - (x->place < y->place);
	if (order == 0)
		order = (x->trained > y->trained) - (x->trained < y->trained);
	return order ? order : (x->config > y->config) - (x->config < y->config);
}

static enum status players_write(struct paper *paper, struct paper_run *run,
				 const struct gamelog *log, struct gamelog_player *const *players,
				 struct why *why)
{
	FILE *file;
	char path[FOLDER_PATH_MAX];
	enum status status = path_format(path, why, "tables/%s/players.tsv", run->name);
	status = status ? status : paper_create(paper, path, &file, why);
	if (!status) {
		table_comments(file, (const char *const *)run->provenance);
		fputs("# units: trained in games; config: what the log knows games by, beside seed "
		      "and number; training_seconds of one processor\n",
		      file);
		fputs("\"board\"\t\"label\"\t\"agent\"\t\"trained\"\t\"games\"\t\"seed\"\t"
		      "\"config\"\t\"training_seconds\"\n",
		      file);
		for (size_t i = 0; i < log->player_count; i++)
			player_write(file, log, players[i]);
		status = paper_finish(paper, path, file, STATUS_OK, why);
	}
	return status ? status : item_add(paper, run, "players", path, why);
}

/*
 * The table `parameters`: all parameters of the players after their training, those that are the
 * defaults included, a column a board.
 */
struct parameter_table {
	char *settings; /* [boards]: of the player called the same on each board, SPEC_MAX each */
	const char **boards;
	size_t count; /* of boards */
};

/* The piece at *AT of settings, "key=value" with the commas of the value; steps behind it. */
static size_t piece_take(const char **at)
{
	const char *begin = *at;
	setting_skip(at);
	while (**at && !setting_equals(*at))
		setting_skip(at);
	return (size_t)(*at - begin) - (**at != '\0');
}

/* The value of the KEY, of LENGTH characters with its '=', among SETTINGS as text; "" for none. */
static void value_find(const char *settings, const char *key, size_t length, char text[SPEC_MAX])
{
	*text = '\0';
	for (const char *at = settings; *at;) {
		const char *piece = at;
		const size_t size = piece_take(&at);
		if (size >= length && strncmp(piece, key, length) == 0)
			snprintf(text, SPEC_MAX, "%.*s", (int)(size - length), piece + length);
	}
}

static const char *settings_on(const struct parameter_table *t, size_t board)
{
	return t->settings + board * SPEC_MAX;
}

/* A row for each parameter of the player LABEL, in the order of the first board that has it. */
static void parameters_write(FILE *file, const struct parameter_table *t, const char *label)
{
	char text[SPEC_MAX];
	for (size_t b = 0; b < t->count; b++)
		for (const char *at = settings_on(t, b); *at;) {
			const char *key = at, *equals = setting_equals(at);
			const size_t length = equals ? (size_t)(equals - at) + 1 : 0;
			bool known = !equals;
			piece_take(&at);
			for (size_t before = 0; before < b && !known; before++) {
				value_find(settings_on(t, before), key, length, text);
				known = *text;
			}
			if (known)
				continue;
			text_write(file, label, "");
			snprintf(text, sizeof text, "%.*s", (int)length - 1, key);
			putc('\t', file);
			text_write(file, text, "");
			for (size_t other = 0; other < t->count; other++) {
				value_find(settings_on(t, other), key, length, text);
				putc('\t', file);
				text_write(file, text, "");
			}
			putc('\n', file);
		}
}

/* Puts the parameters of PLAYER, and how long it was trained, in the place of BOARD. */
static void settings_put(struct parameter_table *t, const struct gamelog_player *player)
{
	char all[SPEC_MAX];
	struct why ignored;
	size_t b = 0;
	while (strcmp(t->boards[b], player->board) != 0) {
		b++;
		assert(b < t->count);
	}
	/* An agent that this nxn does not know, or not so, has what the log says. */
	const bool known = agent_settings(player->agent, all, &ignored) == STATUS_OK;
	const char *text = strchr(known ? all : player->agent, ':');
	char trained[48] = "";
	if (player->trained)
		snprintf(trained, sizeof trained, "training games=%" PRIu64 "%s", player->trained,
			 text ? "," : "");
	snprintf(t->settings + b * SPEC_MAX, SPEC_MAX, "%s%s", trained, text ? text + 1 : "");
}

/* All rows of the table, of N sorted players of LOG. */
static void all_parameters_write(FILE *file, struct parameter_table *t, const struct gamelog *log,
				 struct gamelog_player *const *players)
{
	fputs("# units: as in nxn info; training games: what the player has learned from\n"
	      "\"label\"\t\"parameter\"",
	      file);
	for (size_t b = 0; b < t->count; b++) {
		putc('\t', file);
		text_write(file, t->boards[b], "");
	}
	putc('\n', file);
	for (size_t place = 0; place < log->label_count; place++) {
		memset(t->settings, 0, t->count * SPEC_MAX);
		/* The most trained is the last. */
		for (size_t i = 0; i < log->player_count; i++)
			if (players[i]->place == place)
				settings_put(t, players[i]);
		parameters_write(file, t, log->labels[place]);
	}
}

static enum status parameters_add(struct paper *paper, struct paper_run *run,
				  const struct gamelog *log, struct gamelog_player *const *players,
				  struct why *why)
{
	FILE *file;
	char path[FOLDER_PATH_MAX];
	struct parameter_table t = {.settings = malloc(log->player_count * SPEC_MAX),
				    .boards = calloc(log->player_count, sizeof *t.boards)};
	enum status status = t.settings && t.boards
				 ? path_format(path, why, "tables/%s/parameters.tsv", run->name)
				 : why_errno(why, "%s: parameters", run->source);
	for (size_t i = 0; !status && i < log->player_count; i++)
		if (!t.count || strcmp(t.boards[t.count - 1], players[i]->board) != 0)
			t.boards[t.count++] = players[i]->board;
	status = status ? status : paper_create(paper, path, &file, why);
	if (!status) {
		table_comments(file, (const char *const *)run->provenance);
		all_parameters_write(file, &t, log, players);
		status = paper_finish(paper, path, file, STATUS_OK, why);
	}
	free(t.settings);
	free(t.boards);
	return status ? status : item_add(paper, run, "parameters", path, why);
}

/* The tables `parameters` and `players` of LOG. */
static enum status log_tables(struct paper *paper, struct paper_run *run, const struct gamelog *log,
			      struct why *why)
{
	struct gamelog_player **players =
	    calloc(log->player_count, sizeof(struct gamelog_player *));
	if (!players)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", run->source);
	for (size_t i = 0; i < log->player_count; i++)
		players[i] = log->players[i];
	qsort(players, log->player_count, sizeof(struct gamelog_player *), by_player);
	enum status status = parameters_add(paper, run, log, players, why);
	status = status ? status : players_write(paper, run, log, players, why);
	free(players);
	return status;
}

/* Those, of a run with a game log. */
static enum status players_add(struct paper *paper, struct paper_run *run, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct gamelog log;
	enum status status = path_format(path, why, "%s/games.tsv", run->source);
	if (status || access(path, F_OK) != 0)
		return status;
	gamelog_init(&log);
	status = gamelog_read(&log, path, why);
	if (!status && log.player_count > 0)
		status = log_tables(paper, run, &log, why);
	gamelog_fini(&log);
	return status;
}

static enum status paper_tables(struct paper *paper, struct paper_run *run, struct why *why)
{
	enum status status = STATUS_OK;
	if (run->kind == PAPER_SINGLE)
		return single_table(paper, run, why);
	for (size_t i = 0; !status && i < NAMES; i++)
		status = table_take(paper, run, names[i], why);
	if (!status && run->table_count == 0)
		status = why_set(why, STATUS_INPUT,
				 "%s/tables: has none of the tables of a run; the same command "
				 "makes them again",
				 run->source);
	return status ? status : players_add(paper, run, why);
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

/* The date of the PDF file PATH becomes SOURCE_DATE_EPOCH, or 1970. */
static enum status paper_pdf_date(const char *path, struct why *why)
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

/* ---- Figures. */

/* Draws FIGURE of the folder FROM for LaTeX. */
static enum status latex_draw(const struct figure *figure, const char *from, struct why *why)
{
	char to[FOLDER_PATH_MAX], pdf[FOLDER_PATH_MAX];
	enum status status = path_format(to, why, "%s/latex", from);
	status = status ? status : figure_draw_latex(figure, from, to, why);
	status = status ? status : path_format(pdf, why, "%s/%s.pdf", to, figure->name);
	return status ? status : paper_pdf_date(pdf, why);
}

/* Notes the files of FIGURE, which is drawn in the folder figures/RUN. */
static enum status figure_note(struct paper *paper, const struct paper_run *run,
			       const struct figure *figure, struct why *why)
{
	static const char *const forms[] = {"svg", "pdf", "gp", "latex.tex", "latex.pdf"};
	char path[FOLDER_PATH_MAX];
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < (paper->latex ? 5 : 3); i++) {
		const char *dot = strchr(forms[i], '.');
		status = path_format(path, why, "figures/%s/%s%s.%s", run->name,
				     dot ? "latex/" : "", figure->name, dot ? dot + 1 : forms[i]);
		status = status ? status : paper_note(paper, path, why);
	}
	for (const char *const *table = figure->tables; !status && *table; table++) {
		status = path_format(path, why, "figures/%s/%s.tsv", run->name, *table);
		status = status ? status : paper_note(paper, path, why);
	}
	return status;
}

/* What FIGURE, which is drawn in the folder FROM, is called in RUN. */
static enum status figure_add(struct paper *paper, struct paper_run *run,
			      const struct figure *figure, const char *from, struct why *why)
{
	char table[FOLDER_PATH_MAX], pdf[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	struct tsv tsv;
	struct paper_item *item = &run->figures[run->figure_count];
	enum status status = path_format(table, why, "%s/%s.tsv", from, figure->tables[0]);
	status = status ? status : path_format(pdf, why, "%s/%s.pdf", from, figure->name);
	status =
	    status ? status : path_format(path, why, "figures/%s/%s.svg", run->name, figure->name);
	status = status ? status : paper_pdf_date(pdf, why);
	if (!status && paper->latex)
		status = latex_draw(figure, from, why);
	status = status ? status : tsv_read(&tsv, table, TABLE_MAX, why);
	if (status)
		return status;
	snprintf(item->name, sizeof item->name, "%s", figure->name);
	snprintf(item->path, sizeof item->path, "%.255s", path);
	paper_figure_caption(run, figure->name, &tsv, item->caption);
	run->figure_count++;
	tsv_fini(&tsv);
	status = figure_draw_dark(figure, from, &item->dark, why);
	return status ? status : figure_note(paper, run, figure, why);
}

/* Removes figures of an earlier time, so that those that are there are those that were drawn. */
static void figures_remove(const char *folder)
{
	static const char *const forms[] = {"svg", "pdf", "gp"};
	char path[FOLDER_PATH_MAX];
	for (const struct figure *f = figures; f->name; f++)
		for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
			if (path_format(path, NULL, "%s/%s.%s", folder, f->name, forms[i]) ==
			    STATUS_OK)
				unlink(path);
}

/* Draws the figure of a table of its own. */
static enum status single_draw(struct paper *paper, struct paper_run *run, const char *from,
			       const char *to, struct why *why)
{
	char table[FOLDER_PATH_MAX];
	const struct figure *figure;
	enum status status = figure_single(run->source, &figure, why);
	if (status || !figure || run->table_count == 0)
		return status;
	status = path_format(table, why, "%s/%s.tsv", from, figure->name);
	status = status ? status : figure_single_write(figure, table, to, why);
	return status ? status : figure_add(paper, run, figure, to, why);
}

/* Draws the figures of all tables in the folder FROM into the folder TO. */
static enum status all_draw(struct paper *paper, struct paper_run *run, const char *from,
			    const char *to, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	figures_remove(to);
	/* Whatever a figure fails for, it is not what the user gave. */
	enum status status = figures_write(from, to, why) ? STATUS_SYSTEM : STATUS_OK;
	for (const struct figure *f = figures; !status && f->name; f++) {
		status = path_format(path, why, "%s/%s.svg", to, f->name);
		if (!status && access(path, F_OK) == 0)
			status = figure_add(paper, run, f, to, why);
	}
	return status;
}

static enum status paper_figures(struct paper *paper, struct paper_run *run, struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	enum status status = path_format(from, why, "%s/tables/%s", paper->directory, run->name);
	status =
	    status ? status : path_format(to, why, "%s/figures/%s", paper->directory, run->name);
	if (status)
		return status;
	return run->kind == PAPER_SINGLE ? single_draw(paper, run, from, to, why)
					 : all_draw(paper, run, from, to, why);
}

enum status paper_contents(struct paper *paper, struct paper_run *run, struct why *why)
{
	enum status status = paper_data(paper, run, why);
	status = status ? status : paper_tables(paper, run, why);
	return status ? status : paper_figures(paper, run, why);
}
