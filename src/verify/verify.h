/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checks of nxn verify (table in src/commands/cmd_verify.c): what each may use, and how it tells what it found.
 *
 * A check compares figures of nxn with figures from elsewhere: published ones, an independent
 * program's, a plain definition, another of nxn's own ways to the same thing. It prints a line for
 * each figure by verify_tell(), right or wrong; what keeps it from comparing at all is its status.
 */
#ifndef NXN_VERIFY_H
#define NXN_VERIFY_H

#include "boards/board.h"

#include <stdio.h>

struct verify {
	const char *vectors; /* folder */
	uint64_t seed;
	int threads;
	bool thorough;	   /* --long */
	const char *check; /* the name of the one that runs */
	uint64_t lines, failed;
};

struct verify_check {
	const char *name, *summary;
	bool thorough; /* it runs with --long, or when it is asked for */
	enum status (*run)(struct verify *verify, struct why *why);
};

/* All of them, ending with a NULL name (src/commands/cmd_verify.c). */
extern const struct verify_check verify_checks[];

/* A line: what was compared, the figure found, the one expected, and whether that is good enough. */
void verify_tell(struct verify *verify, bool good, const char *what, const char *found,
		 const char *expected);

/* How often two ways agreed, and the first case in which they did not. */
struct agreement {
	uint64_t agreed, all;
	char first[1800]; /* "" if all agreed */
};

/* Counts a case; FORMAT tells it if it is the first that differs. */
__attribute__((format(printf, 3, 4))) void agree_add(struct agreement *tally, bool agrees,
						     const char *format, ...);

/* verify_tell() of a tally in which all should have agreed, and some must have been. */
void verify_tally(struct verify *verify, const char *what, const struct agreement *tally);

/* verify_tell() of numbers that agree up to a RELATIVE difference. */
void verify_number(struct verify *verify, const char *what, double found, double expected,
		   double relative);

/* The game of SHAPE for an instruction set that this machine has. Not while there are threads. */
MUST_USE enum status verify_game(const char *shape, const char *spawn, enum isa isa,
				 struct game *game, struct why *why);

/* The I-th of the 25 shapes. */
enum { SHAPES = 25 };
void shape_name(int i, char name[8]);

/* Opens the file NAME of vectors. STATUS_INPUT if it is not there. */
MUST_USE enum status facts_open(const struct verify *verify, const char *name, FILE **file,
				struct why *why);

/* The next line that is no comment, without its end; false at the end. *LINE and *SIZE as getline(). */
bool facts_next(FILE *file, char **line, size_t *size, int *number);

/* When facts_next() was false: STATUS_SYSTEM if the rest of the file NAME could not be read. */
MUST_USE enum status facts_end(const struct verify *verify, const char *name, FILE *file,
			       struct why *why);

/* The fact KEY of SHAPE in exact.txt. STATUS_INPUT if it is not there. */
MUST_USE enum status facts_find(const struct verify *verify, const char *shape, const char *key,
				double *value, struct why *why);

/* The checks. */
enum status verify_perft(struct verify *verify, struct why *why);
enum status verify_afterstates(struct verify *verify, struct why *why);
enum status verify_encodings(struct verify *verify, struct why *why);
enum status verify_streams(struct verify *verify, struct why *why);
enum status verify_spawns(struct verify *verify, struct why *why);
enum status verify_playouts(struct verify *verify, struct why *why);
enum status verify_expectimax(struct verify *verify, struct why *why);
enum status verify_simulations(struct verify *verify, struct why *why);
enum status verify_policies(struct verify *verify, struct why *why);
enum status verify_policies_long(struct verify *verify, struct why *why);
enum status verify_search(struct verify *verify, struct why *why);
enum status verify_solver(struct verify *verify, struct why *why);
enum status verify_solver_long(struct verify *verify, struct why *why);
enum status verify_layers(struct verify *verify, struct why *why);
enum status verify_layers_long(struct verify *verify, struct why *why);

#endif
