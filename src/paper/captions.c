/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captions: what is shown, of how many games, how intervals were made, and of which paper it shows
 * what a figure or table of that shows. Numbers and methods are read from the table.
 */
#include "src/paper/paper.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

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
    {"paper", false, "players", "what table 1 of " STANFORD ", shows"},
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
    {"tiles", "Share of the games by their largest tile, a panel a board.", RATES},
    {"scores",
     "Cumulative distribution of the scores: the share of games that ended with at most a score.",
     0},
    {"curve", "Mean score of learners over their training.", MEANS},
    {"learning",
     "Learners over their training: mean score, best score, and the share of games that reached a "
     "tile.",
     MEANS | RATES},
    {"certainty",
     "Learners over their training: sum of the tiles in the end of a game, and mean distance of a "
     "move's chances "
     "to certainty, 0 if the move was sure and 1.5 if it was one of four equal ones. Bands: 95% "
     "intervals, Student's t.",
     0},
    {"moves",
     "Distance to certainty of each move of one game, before training and after; grey: what equal "
     "chances "
     "among the legal moves give.",
     0},
    {"sizes", "Mean score against board size, and its ratio to that of one player.", MEANS},
    {"sweep", "Time a move of the search against its depth, a curve a cutoff, a panel a board.",
     MEANS},
    {"boards", "Time a move of the search against its depth, a curve a board, a panel a cutoff.",
     MEANS},
    {"pareto",
     "Mean score against time a move, with the Pareto front: those that no other beats in both. "
     "The number at "
     "a point is its depth.",
     MEANS},
    {"gap", "Expected score as a share of the exact optimum.", MEANS},
    {"gap-phase",
     "What moves lose against the exact optimum, and how many are optimal, by the largest tile "
     "before the move.",
     MEANS},
    {"gap-learning", "Distance of learners to the exact optimum over their training.", MEANS},
    {"duel",
     "A duel: ratio of mean scores, A to B, at each look at the games so far. The band: intervals "
     "that hold at all looks together.",
     0},
    {"training",
     "One learner over its training games: mean and best score of each block, and the share of its "
     "games that "
     "reached a tile. Bands: 95% intervals.",
     0},
    {"tuning",
     "Tuning by the cross-entropy method: score of the best candidate, of those kept and of all, "
     "and of games held "
     "out with 95% intervals; and each parameter, its mean with a band of a standard deviation.",
     0},
    {NULL, NULL, 0},
};

static const struct caption_words table_words[] = {
    {"results", "Results after all training.", MEANS | RATES | TILES | TIMES},
    {"summary", "Statistics of the scores; of learners the file has every stage of training.", ALL},
    {"ratios", "Ratios of mean scores, and mean differences over the games that both played.",
     MEANS | PAIRS},
    {"tiles", "Share of the games by their largest tile.", RATES},
    {"reach", "Share of the games that reached at least a tile.", RATES},
    {"curve", "Learners over their training.", MEANS | RATES},
    {"sizes", "Mean scores by board.", MEANS},
    {"scores", "Cumulative distribution of the scores.", 0},
    {"moves", "Traced games, move by move.", 0},
    {"players", "Players, and what their games are filed under.", 0},
    {"sweep", "The search at every depth and cutoff.", MEANS},
    {"boards", "The search by board.", MEANS},
    {"pareto", "Score against time a move.", MEANS},
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

static const char *note_find(const struct sheet *sheet, const char *prefix)
{
	for (size_t i = 0; i < sheet->note_count; i++)
		if (strncmp(sheet->notes[i], prefix, strlen(prefix)) == 0)
			return sheet->notes[i] + strlen(prefix);
	return NULL;
}

static void origin_add(struct caption_text *text, bool figure, const char *name,
		       const struct sheet *sheet)
{
	const char *shown = origin_find(note_find(sheet, "command: "), figure, name);
	if (shown)
		text_add(text, " It shows %s.", shown);
}

/* The least and the most of column NAME over all blocks; false if there is none. */
static bool range_find(const struct sheet *sheet, const char *name, double *least, double *most)
{
	size_t column;
	*least = INFINITY;
	*most = -INFINITY;
	for (size_t b = 0; b < sheet->block_count; b++) {
		const struct sheet_block *block = &sheet->blocks[b];
		for (size_t row = 0; sheet_find(block, name, &column) && row < block->rows; row++) {
			double x = sheet_number(block, row, column).value;
			*least = x < *least ? x : *least;
			*most = x > *most ? x : *most;
		}
	}
	return *most >= *least;
}

/* "16 to 40 games of a player on a board." */
static void count_add(struct caption_text *text, const struct sheet *sheet, const char *column,
		      const char *what)
{
	double least, most;
	if (!range_find(sheet, column, &least, &most) || most <= 0)
		return;
	if (least == most)
		text_add(text, " %.0f %s.", most, what);
	else if (least <= 0)
		text_add(text, " Up to %.0f %s.", most, what);
	else
		text_add(text, " %.0f to %.0f %s.", least, most, what);
}

/* Of a duel: who plays, how many games, the decision. */
static void duel_add(struct caption_text *text, const struct sheet *sheet)
{
	double first, last;
	size_t decision;
	const char *players = note_find(sheet, "A: ");
	const struct sheet_block *block = &sheet->blocks[0];
	if (players)
		text_add(text, " A: %.*s.", (int)strcspn(players, ";"), players);
	players = players ? strstr(players, "; B: ") : NULL;
	if (players)
		text_add(text, " B: %.*s.", (int)strcspn(players + 5, ";"), players + 5);
	if (range_find(sheet, "games", &first, &last))
		text_add(text, " %.0f games of each.", last);
	if (!sheet_find(block, "verdict", &decision) || block->rows == 0)
		return;
	const char *word = sheet_cell(block, block->rows - 1, decision);
	text_add(text, " Verdict: %s.",
		 strcmp(word, "equal") == 0 ? "equal within the bound"
		 : *word		    ? word
					    : "undecided");
}

/* In tables without a column of games, a row may be a game. */
static void games_add(struct caption_text *text, const struct paper_run *run, const char *name,
		      const struct sheet *sheet)
{
	if (strcmp(name, "scores") == 0) {
		size_t least = SIZE_MAX, most = 0;
		for (size_t b = 0; b < sheet->block_count; b++) {
			least = sheet->blocks[b].rows < least ? sheet->blocks[b].rows : least;
			most = sheet->blocks[b].rows > most ? sheet->blocks[b].rows : most;
		}
		if (most >= 2000)
			text_add(text, " At least %zu games of a player on a board.", least);
		else if (least == most)
			text_add(text, " %zu games of a player on a board.", most);
		else
			text_add(text, " %zu to %zu games of a player on a board.", least, most);
	} else if (strcmp(name, "duel") == 0) {
		duel_add(text, sheet);
	} else if (strcmp(name, "tiles") == 0 || strcmp(name, "reach") == 0 ||
		   strcmp(name, "boards") == 0) {
		text_add(text, "%s", run->games);
	} else if (strcmp(name, "tuning") != 0 && strcmp(name, "players") != 0) {
		count_add(text, sheet, "searched", "positions searched of a board");
		count_add(text, sheet, "games",
			  strcmp(name, "curve") == 0 || strcmp(name, "learning") == 0 ||
				  strcmp(name, "certainty") == 0
			      ? "games a point"
			  : strcmp(name, "training") == 0 ? "games a block"
							  : "games of a player on a board");
	}
}

/* The parts of the note on intervals that KINDS ask for. */
static void intervals_add(struct caption_text *text, const struct sheet *sheet, int kinds)
{
	static const char *const begins[] = {"", "rates", "moves, paired", "median tile",
					     "ms per move"};
	const char *note = note_find(sheet, "95% intervals: ");
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
			 bool figure, const char *name, const struct sheet *sheet,
			 char caption[PAPER_CAPTION_MAX])
{
	struct caption_text text = {.at = caption};
	*caption = '\0';
	text_add(&text, "%s", words ? words->text : name);
	games_add(&text, run, name, sheet);
	intervals_add(&text, sheet, words ? words->intervals : 0);
	origin_add(&text, figure, name, sheet);
}

void paper_figure_caption(const struct paper_run *run, const char *name, const struct sheet *sheet,
			  char caption[PAPER_CAPTION_MAX])
{
	caption_make(run, words_find(figure_words, name), true, name, sheet, caption);
}

void paper_table_caption(struct paper_run *run, const char *name, const struct sheet *sheet,
			 char caption[PAPER_CAPTION_MAX])
{
	char games[PAPER_CAPTION_MAX] = "";
	struct caption_text text = {.at = games};
	if (strcmp(name, "results") == 0 || strcmp(name, "sizes") == 0)
		count_add(&text, sheet, "games", "games of a player on a board");
	if (strcmp(name, "sweep") == 0)
		count_add(&text, sheet, "searched", "positions searched of a board");
	if (*games)
		snprintf(run->games, sizeof run->games, "%.*s", (int)sizeof run->games - 1, games);
	caption_make(run, words_find(table_words, name), false, name, sheet, caption);
}
