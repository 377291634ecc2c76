/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checks of nxn verify: what each may use, and how it reports.
 *
 * A check compares figures of nxn with figures from elsewhere: published ones, an independent
 * program's, a plain definition, another of nxn's own ways to the same thing. It prints a line for
 * each figure, right or wrong; what keeps it from comparing at all is its status.
 */
#ifndef NXN_VERIFY_H
#define NXN_VERIFY_H

#include "analysis/tables/table.h"
#include "boards/board.h"
#include "src/cli/options.h"

struct verify {
	const char *vectors; /* folder */
	uint64_t seed;
	int threads;
	bool thorough;		     /* --long */
	const char *check;	     /* the name of the one that runs */
	const struct table_out *out; /* gets a row per figure, a struct verify_figure */
	uint64_t lines, failed;
};

/* A figure that was checked. */
struct verify_figure {
	const char *check, *what, *found, *expected;
	bool good;
};

/* Its columns; and what puts it into a table for people. */
extern const struct table_column verify_columns[];
void verify_figure_print(const struct table_out *out, const void *figure);

/* A board that a check is for. */
struct verify_board {
	const char *shape; /* NULL behind the last */
	uint64_t max_sum;  /* 0: none */
};

struct verify_check {
	const char *name, *summary;
	bool thorough; /* it runs with --long, or when it is asked for */
	enum status (*run)(struct verify *verify, const struct verify_board *board,
			   struct why *why);
	struct verify_board boards[5]; /* to run it on, one by one; none: once, with NULL */
};

/* Tables of checks, each ending with a NULL name; all of them in their order, ending with NULL. */
extern const struct verify_check rules_checks[], exact_checks[];
extern const struct verify_check *const verify_checks[];

struct against_options {
	const char *command;	 /* as program_start() takes it */
	struct text_list boards; /* empty: all that the program knows */
	uint64_t positions;	 /* drawn on each board */
	uint64_t steps;		 /* moves in games of its own on each board */
	double seconds;		 /* that an answer may take */
};

/*
 * Compares another program with the rules, and prints what it gets right. STATUS_INPUT if it
 * cannot be started or does not know a board of the list; STATUS_SYSTEM if it hangs, ends or
 * cannot be understood.
 */
MUST_USE enum status verify_against(struct verify *verify, const struct against_options *options,
				    struct why *why);

/* Position number I of those of SEED: of all kinds in turn, and all such that game_admits(). */
void position_draw(const struct game *game, uint64_t seed, uint64_t i, struct board *board);

/* Three positions, and some words. */
enum { DIFFERENCE_MAX = 3 * BOARD_TEXT_MAX + 64 };

/* "POSITION U: -, not 4:AFTER" of the first direction that differs; false if there is none. */
bool moves_differ(const struct game *game, const struct board *board, const struct moves *found,
		  const struct moves *expected, char text[DIFFERENCE_MAX]);

/*
 * A line: what was compared (FORMAT), the figure found, the one expected, whether that is good
 * enough.
 */
__attribute__((format(printf, 5, 6))) void verify_tell(struct verify *verify, bool good,
						       const char *found, const char *expected,
						       const char *format, ...);

/* How often two ways agreed, and the first case in which they did not. */
struct agreement {
	uint64_t agreed, all;
	char first[1800]; /* "" if all agreed */
};

/* Counts a case; FORMAT tells it if it is the first that differs. */
__attribute__((format(printf, 3, 4))) void agree_add(struct agreement *tally, bool agrees,
						     const char *format, ...);

/* The line of a tally in which all should have agreed, and some must have been. */
__attribute__((format(printf, 3, 4))) void verify_tally(struct verify *verify,
							const struct agreement *tally,
							const char *format, ...);

/* The range of some p-values. */
struct p_range {
	double least, most;
	int n;
};

void range_add(struct p_range *range, double p);

/* The line of RANGE: a false alarm has a probability of 10^-5. */
__attribute__((format(printf, 3, 4))) void verify_range(struct verify *verify,
							const struct p_range *range,
							const char *format, ...);

/*
 * Calls ONE for every line of the file NAME of vectors that is no comment, until it fails.
 * STATUS_INPUT if there is no such file, STATUS_SYSTEM if it cannot be read.
 */
MUST_USE enum status facts_each(const struct verify *verify, const char *name,
				enum status (*one)(void *context, char *line, int number,
						   struct why *why),
				void *context, struct why *why);

/* Says that line NUMBER of the file NAME is not what was EXPECTED. */
enum status facts_refuse(const struct verify *verify, const char *name, int number,
			 const char *expected, struct why *why);

/* The words of LINE, which is cut up; their number, or WORDS_MAX + 1. */
enum { WORDS_MAX = 12 };
int words_split(char *line, char *word[WORDS_MAX]);
bool word_count(const char *word, uint64_t *number);

/* Every shape that a file has gets a line of the report: tallies by rows and columns. */
struct line_tallies {
	const struct verify *verify;
	struct agreement of[SIDE_MAX + 1][SIDE_MAX + 1];
};

/* COMPARE on every line of the file NAME; then a line of the report for each shape. */
MUST_USE enum status lines_compare(struct verify *verify, const char *name,
				   enum status (*compare)(void *tallies, char *line, int number,
							  struct why *why),
				   const char *what, struct why *why);

/* What games of one player come to. */
struct played_games {
	double score; /* sum */
	uint64_t n, largest[CELLS_MAX + 2];
};

/*
 * Lines of the mean score and of the largest tiles of GAMES, against those of POLICY in exact.txt;
 * PLAYER is what the lines call it (exact.c).
 */
MUST_USE enum status games_check(struct verify *verify, const struct game *game, const char *player,
				 const char *policy, const struct played_games *games,
				 struct why *why);

#endif
