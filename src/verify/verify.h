/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checks of nxn verify: what each may use, and how it reports.
 *
 * A check compares figures of nxn with figures from elsewhere: published ones, an independent
 * program's, a plain definition. It prints a line for each figure, right or wrong; what keeps it
 * from comparing at all is its status.
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
	bool read;
	char *text; /* that the words are in */
	struct fact *fact;
	size_t n, room;
};

struct verify {
	const char *vectors; /* folder */
	uint64_t seed;
	int threads;
	bool thorough;		     /* --long */
	const char *check;	     /* the name of the one that runs */
	const struct table_out *out; /* gets a row per figure, a struct verify_figure */
	uint64_t lines, failed;
	struct facts facts[FACT_FILES]; /* read when they are first asked for */
};

/* A figure that was checked. */
struct verify_figure {
	const char *check, *what, *found, *expected;
	bool good;
};

/* The columns of a figure; and what prints it for people. */
extern const struct table_column verify_columns[];
void verify_figure_print(const struct table_out *out, const void *figure);

/* A board that a check is for. */
struct verify_board {
	const char *shape; /* NULL behind the last */
	uint64_t limit;	   /* of a check that can stop before the end; 0: none */
};

struct verify_check {
	const char *name, *summary;
	bool thorough; /* it runs with --long, or when it is asked for */
	enum status (*run)(struct verify *verify, const struct verify_board *board,
			   struct why *why);
	struct verify_board boards[6]; /* to run it on, one by one; none: once, with NULL */
};

/* Tables of checks, each ending with a NULL name; all of them in their order, ending with NULL. */
extern const struct verify_check rules_checks[], exact_checks[];
extern const struct verify_check *const verify_checks[];

/* Frees the vectors. */
void verify_fini(struct verify *verify);

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

/* ---- Lines of the report. */

/*
 * A line: what was compared (FORMAT), the figure found, the one expected, whether that is good
 * enough.
 */
__attribute__((format(printf, 5, 6))) void verify_tell(struct verify *verify, bool good,
						       const char *found, const char *expected,
						       const char *format, ...);

/* How often two ways agreed, and the first cases in which they did not. */
enum { CASE_TEXT_MAX = 1800, CASES_MAX = 5 };
struct agreement {
	uint64_t agreed, all;
	int cases; /* of those below; at most MOST */
	int most;  /* 0: one */
	char shown[CASES_MAX][CASE_TEXT_MAX];
};

/* Counts a case; FORMAT tells it if it is one of the first that differ. */
__attribute__((format(printf, 3, 4))) void agree_add(struct agreement *tally, bool agrees,
						     const char *format, ...);

/* The line of a tally in which all should have agreed, and some must have been. */
__attribute__((format(printf, 3, 4))) void verify_tally(struct verify *verify,
							const struct agreement *tally,
							const char *format, ...);

/*
 * The line of P, the least of the p-values of so many TESTS: a false alarm has a probability of
 * 10^-5.
 */
__attribute__((format(printf, 4, 5))) bool verify_p(struct verify *verify, double p, int tests,
						    const char *format, ...);

/* ---- Vectors. */

/*
 * The lines of FILE, from the folder of vectors; they last until verify_fini(). STATUS_INPUT if
 * there is no such file, or a line has other words than the file should have; STATUS_SYSTEM.
 */
MUST_USE enum status facts_read(struct verify *verify, enum fact_file file,
				const struct facts **facts, struct why *why);

/* The value of "SHAPE KEY VALUE" in exact.txt. STATUS_INPUT if there is none; facts_read(). */
MUST_USE enum status facts_find(struct verify *verify, const char *shape, const char *key,
				double *value, struct why *why);

/* ---- Positions and games by the rules (games.c). */

/* Position number I of those of SEED: of all kinds in turn, and all such that game_admits(). */
void position_draw(const struct game *game, uint64_t seed, uint64_t i, struct board *board);

/* Counts the four moves FOUND in a position as right or wrong: "POSITION U: -, not 4:AFTER". */
void moves_compare(const struct game *game, const struct board *board, const struct moves *found,
		   const struct moves *expected, struct agreement *tally);

/* Who plays games, to be checked move by move: another program, or nxn itself. */
struct game_source {
	enum status (*start)(void *context, const struct game *game, uint32_t seed,
			     struct observation *seen, struct why *why);
	enum status (*step)(void *context, const struct game *game, int move,
			    struct observation *seen, struct why *why);
	void *context;
	struct ability ability; /* of its largest tile */
};

/* Where tiles appeared, by the number of empty cells before and the place among them; and kinds. */
struct tile_counts {
	uint64_t place[CELLS_MAX + 1][CELLS_MAX];
	uint64_t kind[SPAWN_KINDS_MAX];
};

/* The least p-value of some tests, and the count that is furthest off there. */
struct least_p {
	double p;
	int tests;
	char worst[128];
};

/* What games are compared in, on one board after the other. */
struct games_trial {
	struct agreement begun, positions, points, legal, scores;
	struct tile_counts start, later; /* on this board */
	struct least_p start_p, place_p, kind_p;
};

/* Whether a program that can do that holds all after-states. */
bool ability_holds(const struct ability *ability, const struct moves *moves);

/* Compares games of SOURCE until so many MOVES are made. Errors are those of SOURCE. */
MUST_USE enum status games_try(const struct game_source *source, const struct game *game,
			       uint64_t seed, uint64_t moves, struct games_trial *trial,
			       struct why *why);

/* The lines of TRIAL, which was on BOARDS. */
void games_tell(struct verify *verify, const struct games_trial *trial, int start_tiles,
		const char *boards);

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
MUST_USE enum status games_check(struct verify *verify, const struct game *game, const char *player,
				 const char *policy, const struct played_games *games,
				 struct why *why);

#endif
