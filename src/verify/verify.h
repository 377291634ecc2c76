/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checks of nxn verify: shared data and reporting.
 *
 * A check compares figures of nxn with figures from elsewhere: published ones, those of an
 * independent program, a plain definition. It prints a line for each figure, right or wrong. If it
 * cannot compare, it ends the process.
 */
#ifndef NXN_VERIFY_H
#define NXN_VERIFY_H

#include "agents/external/protocol.h"
#include "analysis/tables/table.h"
#include "boards/board.h"
#include "src/cli/options.h"

/* The files of test vectors. */
enum fact_file { FACTS_PERFT, FACTS_EXPECTIMAX, FACTS_EXACT, FACTS_LAYERS, FACT_FILES };

/* A line of a file of test vectors: its words, and the values of those that are numbers. */
enum { WORDS_MAX = 10 };
struct fact {
	int line;
	const char *word[WORDS_MAX];
	uint64_t count[WORDS_MAX];
	double real[WORDS_MAX]; /* NAN for '-' */
};

struct facts {
	char *text; /* text of the file, which contains the words; NULL: not read yet */
	struct fact *fact;
	size_t n;
};

struct against_options;

struct verify {
	const char *name;    /* name of the command, for messages */
	const char *vectors; /* folder of test vectors */
	uint64_t seed;
	int threads;
	bool thorough;		     /* --long */
	bool list;		     /* list the checks and run none */
	const char *only;	     /* names of the checks to run; NULL: all */
	const char *check;	     /* name of the running check */
	const struct table_out *out; /* receives a row per figure */
	uint64_t lines, failed;
	struct facts facts[FACT_FILES];
	const struct against_options *against; /* the other program to check; NULL: nxn */
	struct program *program;	       /* while it runs; else NULL */
	struct why why;			       /* for verify_must() */
};

/* A board to check. */
struct verify_board {
	const char *shape; /* NULL after the last */
	uint64_t limit;	   /* limit for a check that can stop early; 0: none */
};

struct verify_check {
	const char *name, *summary;
	bool thorough; /* runs only with --long, or if it is named */
	void (*run)(struct verify *verify, const struct verify_board *board);
	struct verify_board boards[6]; /* boards to run it on; none: run once, with NULL */
};

/* Tables of checks, which end with a NULL name. */
extern const struct verify_check rules_checks[], exact_checks[];
extern const struct verify_check *const verify_checks[];

struct against_options {
	const char *command;	 /* command for program_start() */
	struct text_list boards; /* empty: all boards that the program knows */
	uint64_t positions;	 /* number of random positions per board */
	uint64_t steps;		 /* moves of the program's own games, per board */
	double seconds;		 /* time limit of a reply */
};

/*
 * Compares another program with the rules. Ends the process, with STATUS_INPUT if the program
 * cannot be started or does not know a board of the list, and with STATUS_SYSTEM if it does not
 * reply, ends, or sends a reply that cannot be parsed.
 */
void verify_against(struct verify *verify);

struct runs_options {
	const char *name; /* of the command, for messages */
	double fraction;  /* of the games per player and point of training */
	uint64_t seed;	  /* selects the games */
	int threads;
	struct game_options game; /* rules to try besides the default ones */
};

/*
 * Checks RUNS, folders of bundles or of runs: the files of a bundle against their checksums, and
 * games of the logs by playing them again. Prints a line for each player of each run. Does not
 * start other programs that are players (runs.c). STATUS_SYSTEM without a reason if something
 * differs. Ends the process if there is no log or it cannot be read, and after Ctrl-C.
 */
MUST_USE enum status verify_runs(const struct text_list *runs, const struct runs_options *options,
				 struct why *why);

/*
 * Prints the perft counts after PLIES plies from the position START of GAME, or, if START is NULL,
 * from the start of games (rules.c). STATUS_SYSTEM if a count exceeds 64 bits.
 */
MUST_USE enum status verify_counts(const struct game *game, const char *start, int plies,
				   const struct invocation *call, struct why *why);

/*
 * Runs or lists the checks that VERIFY selects, or those of another program. Prints a line for each
 * figure, and how many are as expected. STATUS_SYSTEM without a reason if one is not. If it cannot
 * compare, or after Ctrl-C, it ends the process.
 */
MUST_USE enum status verify_figures(struct verify *verify, const struct invocation *call,
				    struct why *why);

/* Ends the process, and the other program, with the reason verify->why if STATUS is a failure. */
void verify_must(struct verify *verify, enum status status);

/* Makes the game of OPTIONS, or ends the process. */
struct game verify_game(struct verify *verify, const struct game_options *options);

/* ---- Lines of the report. */

/*
 * Reports a figure: what was compared (FORMAT), the figure found and the one expected. GOOD says
 * whether they agree.
 */
__attribute__((format(printf, 5, 6))) void verify_report(struct verify *verify, bool good,
							 const char *found, const char *expected,
							 const char *format, ...);

/* A tally of cases in which two methods agreed or not, with the first differing cases. */
enum { CASE_TEXT_MAX = 1800, CASES_MAX = 5 };
struct agreement {
	uint64_t agreed, all;
	int cases; /* number of cases in `text` */
	int most;  /* maximal number of cases to keep; 0: one */
	char shown[CASES_MAX][CASE_TEXT_MAX];
};

/* Counts a case. FORMAT describes it, for the first cases that differ. */
__attribute__((format(printf, 3, 4))) void agree_add(struct agreement *tally, bool agrees,
						     const char *format, ...);

/* Reports a tally, which must contain cases, all of them agreeing. */
__attribute__((format(printf, 3, 4))) void verify_tally(struct verify *verify,
							const struct agreement *tally,
							const char *format, ...);

/* Probability of a false alarm in a line of p-values. */
#define FALSE_ALARM 1e-5

/* Reports P, the smallest of the p-values of TESTS tests. Returns whether it is large enough. */
__attribute__((format(printf, 4, 5))) bool verify_p(struct verify *verify, double p, int tests,
						    const char *format, ...);

/* ---- Test vectors. */

/* Returns the lines of FILE from the folder of test vectors; valid until verify_fini(). */
const struct facts *facts_read(struct verify *verify, enum fact_file file);

/*
 * Returns VALUE of the line "SHAPE KEY VALUE" of exact.txt, with KEY by FORMAT; NAN if there is
 * none.
 */
__attribute__((format(printf, 3, 4))) double facts_find(struct verify *verify, const char *shape,
							const char *format, ...);

/* Returns the value of KEY; a missing value ends the process. */
double facts_get(struct verify *verify, const char *shape, const char *key);

/* ---- Positions and games by the rules (games.c). */

/*
 * Counts of new tiles, by the number of empty cells before and the place among them; and by kind.
 */
struct tile_counts {
	uint64_t place[CELLS_MAX + 1][CELLS_MAX];
	uint64_t kind[SPAWN_KINDS_MAX];
};

/* Chi-squared tests of the places or the kinds of new tiles. */
struct tile_tests {
	double least; /* smallest p-value */
	int tests;
	char worst[128]; /* the count with the largest deviation in that test */
	double sum;	 /* sum of chi-squared over all tests */
	int freedom;	 /* degrees of freedom of that sum */
};

/* Comparisons of verify->program, or of nxn itself if that is NULL, on several boards. */
struct trial {
	struct verify *verify;
	struct ability ability; /* that of the program; what to compare */
	struct own_game own;	/* of nxn itself */
	/* The results. */
	struct agreement positions, acts;
	uint64_t left_out; /* positions with tiles that the subject cannot represent */
	struct agreement begun, moves, points, legal;
	struct tile_counts start, spawned; /* start tiles and spawned tiles on the present board */
	struct tile_tests start_tiles, places, kinds;
};

/*
 * Compares after-states, and the move of a program, in the boards of perft.txt and in N random
 * positions of all kinds.
 */
void trial_positions(struct trial *trial, const struct game *game, uint64_t n);

/* Compares games until MOVES moves were made. */
void trial_games(struct trial *trial, const struct game *game, uint64_t moves);

/* Reports the games of TRIAL on BOARDS. */
void trial_report(struct trial *trial, const char *boards);

/* ---- Games of a player. */

/* Sums over the games of a player. */
struct played_games {
	double score;
	uint64_t n, largest[CELLS_MAX + 2];
};

/*
 * Reports the mean score and the largest tiles of GAMES, compared with those of POLICY in
 * exact.txt. PLAYER is the name in the report (exact.c).
 */
void games_check(struct verify *verify, const struct game *game, const char *player,
		 const char *policy, const struct played_games *games);

#endif
