/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checks of nxn verify: what each may use, and how it reports.
 *
 * A check compares figures of nxn with figures from elsewhere: published ones, those of an
 * independent program, a plain definition. It prints a line for each figure, right or wrong. What
 * keeps it from comparing ends the process.
 */
#ifndef NXN_VERIFY_H
#define NXN_VERIFY_H

#include "agents/external/protocol.h"
#include "analysis/tables/table.h"
#include "boards/board.h"
#include "src/cli/options.h"

/* The files of vectors. */
enum fact_file { FACTS_PERFT, FACTS_EXPECTIMAX, FACTS_EXACT, FACTS_LAYERS, FACT_FILES };

/* A line of such a file: its words, and those that are numbers. */
enum { WORDS_MAX = 10 };
struct fact {
	int line;
	const char *word[WORDS_MAX];
	uint64_t count[WORDS_MAX];
	double real[WORDS_MAX]; /* NAN for '-' */
};

struct facts {
	char *text; /* that the words are in; NULL: not read yet */
	struct fact *fact;
	size_t n, room;
};

struct verify {
	const char *name;    /* of the command */
	const char *vectors; /* folder */
	uint64_t seed;
	int threads;
	bool thorough;		     /* --long */
	bool list;		     /* the checks, and run none */
	const char *only;	     /* these checks; NULL: all */
	const char *check;	     /* the name of the one that runs */
	const struct table_out *out; /* gets a row per figure */
	uint64_t lines, failed;
	struct facts facts[FACT_FILES];
};

/* A board that a check is for. */
struct verify_board {
	const char *shape; /* NULL after the last */
	uint64_t limit;	   /* of a check that can stop before the end; 0: none */
};

struct verify_check {
	const char *name, *summary;
	bool thorough; /* it runs with --long, or when it is asked for */
	void (*run)(struct verify *verify, const struct verify_board *board);
	struct verify_board boards[6]; /* to run it on, one by one; none: once, with NULL */
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

struct runs_options {
	double
	    fraction;  /* of the games of each player at each point of training, and at least one */
	uint64_t seed; /* of their choice */
	int threads;
	struct game_options
	    game; /* rules that games may have been played by, beside the usual ones */
};

/*
 * Checks RUNS, folders of bundles or of runs: the files of a bundle against their checksums, games
 * of the logs by playing them again; prints a line for each player of each run, whose program it
 * does not start if it is another one (runs.c). STATUS_INPUT if there is no log, or one that cannot
 * be read, STATUS_STOPPED after Ctrl-C, STATUS_SYSTEM without a reason if something differs.
 */
MUST_USE enum status verify_runs(const struct text_list *runs, const struct runs_options *options,
				 struct why *why);

/*
 * Prints what PLIES moves reach from the position START of GAME, or where that has none from the
 * start of games (rules.c). STATUS_SYSTEM if a count does not fit in 64 bits.
 */
MUST_USE enum status verify_counts(const struct game *game, const char *start, int plies,
				   const struct invocation *call, struct why *why);

/*
 * The other side of that protocol (serve.c): answers the requests on standard input, of boards of
 * the shape BOARD, NULL for any, until `quit` or the end of input. UNTRAINED learners may play.
 * STATUS_INPUT for an AGENT or BOARD that there is not.
 */
MUST_USE enum status serve(const char *agent, const char *board, bool untrained, struct why *why);

/*
 * Runs or lists the checks that VERIFY asks for, or those of another program if AGAINST is not
 * NULL, and prints a line for each figure and how many are as expected. STATUS_SYSTEM without a
 * reason if one is not, STATUS_STOPPED after Ctrl-C; and as verify_against().
 */
MUST_USE enum status verify_figures(struct verify *verify, const struct against_options *against,
				    const struct invocation *call, struct why *why);

/* Ends the process for the reason WHY if STATUS is a failure. */
void verify_must(const struct verify *verify, enum status status, const struct why *why);

/* ---- Lines of the report. */

/* What was compared (FORMAT), the figure found, the one expected, whether that is good enough. */
__attribute__((format(printf, 5, 6))) void verify_report(struct verify *verify, bool good,
							 const char *found, const char *expected,
							 const char *format, ...);

/* How often two ways agreed, and the first cases in which they did not. */
enum { CASE_TEXT_MAX = 1800, CASES_MAX = 5 };
struct agreement {
	uint64_t agreed, all;
	int cases; /* of those below */
	int most;  /* of them; 0: one */
	char shown[CASES_MAX][CASE_TEXT_MAX];
};

/* Counts a case; FORMAT describes it if it is one of the first that differ. */
__attribute__((format(printf, 3, 4))) void agree_add(struct agreement *tally, bool agrees,
						     const char *format, ...);

/* The line of a tally in which all should have agreed, and some must have been. */
__attribute__((format(printf, 3, 4))) void verify_tally(struct verify *verify,
							const struct agreement *tally,
							const char *format, ...);

/* The probability of a false alarm in a line of p-values. */
#define FALSE_ALARM 1e-5

/* The line of P, the least of the p-values of so many TESTS. Whether it is good. */
__attribute__((format(printf, 4, 5))) bool verify_p(struct verify *verify, double p, int tests,
						    const char *format, ...);

/* ---- Vectors. */

/* The lines of FILE, from the folder of vectors, until verify_fini(). */
const struct facts *facts_read(struct verify *verify, enum fact_file file);

/* The value of "SHAPE KEY VALUE" in exact.txt, KEY by FORMAT; NAN if there is none. */
__attribute__((format(printf, 3, 4))) double facts_find(struct verify *verify, const char *shape,
							const char *format, ...);

/* The same; a value that is missing ends the process. */
double facts_get(struct verify *verify, const char *shape, const char *key);

/* ---- Positions and games by the rules (games.c). */

/* Who is checked: another program, or nxn itself. */
struct subject {
	struct program *program; /* NULL: nxn */
	struct ability ability;
	/* nxn's own game. */
	struct observation now;
	struct rng spawns;
};

/* Where tiles appeared, by the number of empty cells before and the place among them; and kinds. */
struct tile_counts {
	uint64_t place[CELLS_MAX + 1][CELLS_MAX];
	uint64_t kind[SPAWN_KINDS_MAX];
};

/* Chi-squared tests of the places or kinds of tiles. */
struct tile_tests {
	double least; /* p-value */
	int tests;
	char worst[128]; /* the count that is furthest off in that test */
	double sum;	 /* of chi-squared over all tests */
	int freedom;	 /* of that sum */
};

/* What is compared, on one board after the other. */
struct trial {
	struct agreement positions, acts;
	uint64_t left_out; /* positions with tiles that the subject cannot hold */
	struct agreement begun, moves, points, legal;
	struct tile_counts start, spawned; /* on this board */
	struct tile_tests start_tiles, places, kinds;
};

/*
 * Compares the moves of SUBJECT, and the one that it plays, in the boards of perft.txt and N drawn
 * positions of all kinds. Errors are those of the program.
 */
MUST_USE enum status trial_positions(struct trial *trial, struct subject *subject,
				     struct verify *verify, const struct game *game, uint64_t n,
				     struct why *why);

/* Compares games of SUBJECT until so many MOVES are made. Errors are those of the program. */
MUST_USE enum status trial_games(struct trial *trial, struct subject *subject,
				 const struct game *game, uint64_t seed, uint64_t moves,
				 struct why *why);

/* The lines of the games of TRIAL, which was on BOARDS. */
void trial_report(struct verify *verify, struct trial *trial, const char *boards);

/* ---- Games of a player. */

/* What the games of a player sum up to. */
struct played_games {
	double score;
	uint64_t n, largest[CELLS_MAX + 2];
};

/*
 * Lines of the mean score and of the largest tiles of GAMES, against those of POLICY in exact.txt;
 * PLAYER is what the lines call it (exact.c).
 */
void games_check(struct verify *verify, const struct game *game, const char *player,
		 const char *policy, const struct played_games *games);

#endif
