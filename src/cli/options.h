/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command lines: one table of options per command, from which come parsing, --help, completion
 * and the man page; and strict readers for what options and experiment files hold.
 *
 * A malformed argument ends the process: one line, exit status 2.
 */
#ifndef NXN_OPTIONS_H
#define NXN_OPTIONS_H

#include "analysis/tables/table.h"
#include "boards/game.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

enum { THREADS_MAX = 1024 };

/* An ordered list of texts, each on the heap. Zeroed is empty. */
struct text_list {
	char **item;
	size_t n;
};

/* How long work is done. */
struct pace {
	int threads;
	double budget; /* seconds after which it stops in order; 0: no end */
	bool progress; /* shown even if standard error is no terminal */
};

/* What the argument of an option becomes: the type of its field, beforehand its default. */
enum option_kind {
	OPTION_GROUP, /* no option: those behind it are in GROUP of --help, below DOC unless "" */
	OPTION_FLAG,  /* bool: set; no argument */
	OPTION_TEXT,  /* const char *: points into argv */
	OPTION_NAME,  /* the same, but not empty */
	OPTION_INT,   /* int in MIN .. MAX */
	OPTION_COUNT, /* uint64_t in MIN .. MAX */
	OPTION_SIZE,  /* size_t in MIN .. MAX */
	OPTION_REAL,  /* double in LOW .. HIGH */
	OPTION_DURATION,  /* double: seconds above 0, given with the unit s, m or h */
	OPTION_BYTES,	  /* uint64_t: a size with K, M, G or T */
	OPTION_LIST,	  /* struct text_list: gets the pieces between commas */
	OPTION_AGENTS,	  /* struct text_list: gets agents, see AGENTS_OPTION */
	OPTION_READ,	  /* what read() makes of it */
	OPTION_READ_EACH, /* the same of each piece between commas */
	OPTION_CALL,	  /* what take() makes of it */
	OPTION_FORMAT,	  /* no field: the format of the invocation's printer */
};

/*
 * An option of a command. The field lies OFFSET bytes into the command's input; take() gets its
 * address and the name of the option with its dashes.
 */
struct command_option {
	const char *name;     /* without the dashes */
	int letter;	      /* or 0 */
	const char *argument; /* its word in --help, which completion goes by; NULL: none */
	const char *doc;
	enum option_kind kind;
	size_t offset;
	uint64_t min, max;
	double low, high;
	void (*take)(struct argp_state *state, const char *what, char *argument, void *field);
	/* Reads TEXT into the field, or adds it. STATUS_INPUT names WHAT. */
	enum status (*read)(void *field, const char *what, const char *text, struct why *why);
	/* Sets the field to what it is without the option; NULL: that of the command's defaults. */
	void (*initial)(void *field);
	int group;     /* of OPTION_GROUP; groups come in ascending order, the first is 0 */
	bool optional; /* the argument may be left out: take() then gets NULL */
};

/* The words that a command was called with, as command lines of a shell. */
struct invocation {
	const char *name; /* argv[0]: "nxn compare" */
	char *provenance; /* "nxn compare ..." */
	char *resume; /* the same with the program as it was called: by mpirun with several ranks */
	/*
	 * Of the result: standard output, as --format says. With tsv and json that has nothing but
	 * the table, and all else that is printed goes to standard error.
	 */
	struct table_printer printer;
};

/* A subcommand: what it is given, and what it does. */
struct command {
	const struct command_option *options; /* ends with a NULL doc; NULL: none */
	const char *arguments;		      /* as --help shows them; NULL: none are allowed */
	const char *missing; /* what to say when there is none; NULL: that is fine */
	/* Takes one argument that is no option. */
	void (*argument)(struct argp_state *state, char *argument, void *input);
	/* Looks at the whole; NULL: it is fine. */
	void (*check)(struct argp_state *state, void *input);
	const char *doc; /* what --help tells; it ends with examples */
	/* The input that options are parsed into: SIZE bytes, DEFAULTS beforehand. */
	const void *defaults;
	size_t size;
	/* The work. The reason of a failure is printed, unless it is empty: then it has been. */
	enum status (*run)(void *input, const struct invocation *call, struct why *why);
	bool shared; /* several ranks can do it together */
};

/* The members of a struct command for its input, a constant of the type. */
#define COMMAND_INPUT(DEFAULTS) .defaults = &(DEFAULTS), .size = sizeof(DEFAULTS)

/*
 * Parses ARGV, runs COMMAND, prints why it failed and returns its exit status; or ends the process:
 * with one line and exit status 2 for what is wrong in ARGV, with 0 after --help. PREFIX is what
 * stands before the program to start it again; SAID is where a command says what is no table when
 * standard output is for a table alone.
 */
int command_start(const struct command *command, int argc, char **argv, const char *prefix,
		  FILE *said);

/* Parses by an argp of the caller's: says in one line what is wrong with an option. */
void options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

/* The rows of such a table; FIELD is the field's offset. */
#define OPTION(NAME, LETTER, ARGUMENT, KIND, FIELD, DOC)                                           \
	{                                                                                          \
		.name = NAME, .letter = LETTER, .argument = ARGUMENT, .kind = KIND,                \
		.offset = FIELD, .doc = DOC                                                        \
	}
#define OPTION_NUMBER(NAME, LETTER, ARGUMENT, KIND, FIELD, MIN, MAX, DOC)                          \
	{                                                                                          \
		.name = NAME, .letter = LETTER, .argument = ARGUMENT, .kind = KIND,                \
		.offset = FIELD, .min = MIN, .max = MAX, .doc = DOC                                \
	}
#define OPTION_TAKEN(NAME, LETTER, ARGUMENT, FIELD, TAKE, DOC)                                     \
	{                                                                                          \
		.name = NAME, .letter = LETTER, .argument = ARGUMENT, .kind = OPTION_CALL,         \
		.offset = FIELD, .take = TAKE, .doc = DOC                                          \
	}
#define OPTION_READER(NAME, LETTER, ARGUMENT, KIND, FIELD, READ, DOC)                              \
	{                                                                                          \
		.name = NAME, .letter = LETTER, .argument = ARGUMENT, .kind = KIND,                \
		.offset = FIELD, .read = READ, .doc = DOC                                          \
	}
#define OPTION_GROUP_MARK(GROUP, DOC)                                                              \
	{                                                                                          \
		.kind = OPTION_GROUP, .group = GROUP, .doc = DOC                                   \
	}

/*
 * Options that several commands share. A command that has one defines FIELD(M), the offset of the
 * member M of its input; M is the member that the option is for.
 */
#define BOARD_OPTION(M)                                                                            \
	OPTION("board", 'b', "RxC", OPTION_TEXT, FIELD(M.shape),                                   \
	       "Board of R rows and C columns, 2x2 to 6x6 (default 4x4)")
#define SPAWN_OPTION(M)                                                                            \
	OPTION("spawn", 0, "TILE:P,...", OPTION_TEXT, FIELD(M.spawn),                              \
	       "Tiles that appear after a move, with their probabilities (default 2:0.9,4:0.1)")
#define RULE_OPTIONS(M)                                                                            \
	OPTION_NUMBER("start-tiles", 0, "N", OPTION_INT, FIELD(M.start_tiles), 1, CELLS_MAX,       \
		      "Tiles spawned before the first move (default 2)"),                          \
	    OPTION("start", 0, "POSITION", OPTION_TEXT, FIELD(M.start),                            \
		   "Position to start from: rows from the top separated by '/', tiles by ',', 0 "  \
		   "for empty"),                                                                   \
	    SPAWN_OPTION(M)
#define BOARDS_OPTION(M)                                                                           \
	OPTION("boards", 'b', "RxC,...", OPTION_LIST, FIELD(M),                                    \
	       "Boards, as in 3x3,4x4,5x6; 2x2 to 6x6 (default 4x4)")
#define AGENTS_OPTION(M)                                                                           \
	OPTION("agents", 'a', "SPEC,...", OPTION_AGENTS, FIELD(M),                                 \
	       "Agents, as in random,expectimax:depth=2,cutoff=1e-3,corners. A piece with "        \
	       "'=' before any ':' continues the agent before it. If there is a ';', only ';' "    \
	       "separates agents. May "                                                            \
	       "be repeated")
#define SEED_OPTION(M)                                                                             \
	OPTION_NUMBER("seed", 's', "S", OPTION_COUNT, FIELD(M), 0, UINT64_MAX,                     \
		      "Seed of the random streams (default 1)")
#define THREADS_OPTION(M)                                                                          \
	{                                                                                          \
		.name = "threads", .letter = 'j', .argument = "N", .kind = OPTION_INT,             \
		.offset = FIELD(M), .initial = threads_initial, .min = 1, .max = THREADS_MAX,      \
		.doc = "Worker threads (default: one per processor)"                               \
	}
#define PROGRESS_OPTION(M)                                                                         \
	OPTION("progress", 0, NULL, OPTION_FLAG, FIELD(M),                                         \
	       "Show progress even if standard error is not a terminal")
#define PACE_OPTIONS(M)                                                                            \
	OPTION("time-budget", 0, "TIME", OPTION_DURATION, FIELD(M.budget),                         \
	       "Stop after this time, such as 90s, 10m or 1.5h, with exit status 75 if "           \
	       "work is left; the same command then continues"),                                   \
	    PROGRESS_OPTION(M.progress), THREADS_OPTION(M.threads)
#define MEMORY_OPTION(M)                                                                           \
	{                                                                                          \
		.name = "memory", .letter = 'M', .argument = "SIZE", .kind = OPTION_BYTES,         \
		.offset = FIELD(M), .initial = memory_initial,                                     \
		.doc = "Largest memory to use, as in 800M or 8G (default: half of the machine's)"  \
	}
#define NO_TIMES_OPTION(M)                                                                         \
	OPTION("no-times", 0, NULL, OPTION_FLAG, FIELD(M),                                         \
	       "Do not record how long games took, so that equal runs give equal logs")
#define FORMAT_OPTION                                                                              \
	OPTION("format", 0, "text|tsv|json", OPTION_FORMAT, 0,                                     \
	       "Print the result as text (the default) or as a table for programs: tsv, or json "  \
	       "(JSON Lines, one object per row). All other messages then go to standard error")
#define FULL_OPTION(M)                                                                             \
	OPTION("full", 0, NULL, OPTION_FLAG, FIELD(M),                                             \
	       "Print all tables, and how intervals were computed")

/* An int becomes the number of processors that this process may use. */
void threads_initial(void *field);

/*
 * A uint64_t becomes half of the memory that this process can have, in bytes: of the machine's, or
 * of the limit that the control group of a container or `ulimit -v` sets. Any thread.
 */
void memory_initial(void *field);

/*
 * Says on standard error that the file PATH ended in a torn line, of which CUT bytes were cut off;
 * 0: it was left out. Any thread.
 */
void torn_warn(const char *path, size_t cut);

/* Ends the process from inside an argp parser: "nxn NAME: REASON", exit status 2. */
__attribute__((format(printf, 2, 3), noreturn)) void option_error(struct argp_state *state,
								  const char *reason, ...);

/*
 * Reads a whole number in MIN .. MAX, written in decimal digits and nothing else. STATUS_INPUT
 * names WHAT ("--games", a key) and the range.
 */
MUST_USE enum status number_parse(const char *what, const char *text, uint64_t min, uint64_t max,
				  uint64_t *number, struct why *why);

/* number_parse() inside an argp parser: the number, or the end of the process. */
uint64_t option_number(struct argp_state *state, const char *what, const char *text, uint64_t min,
		       uint64_t max);

/* A struct command's argument(): appends to the list that INPUT begins with. */
void argument_add(struct argp_state *state, char *argument, void *input);

/* Appends a copy of the first LENGTH bytes of TEXT. STATUS_SYSTEM when memory runs out. */
MUST_USE enum status list_add(struct text_list *list, const char *text, size_t length,
			      struct why *why);

/* Appends the pieces of TEXT between commas. STATUS_INPUT, naming WHAT, if a piece is empty. */
MUST_USE enum status list_split(struct text_list *list, const char *what, const char *text,
				struct why *why);

void list_free(struct text_list *list);

/*
 * PREFIX, then a command's N words of ARGV as one line for a POSIX shell, on the heap, quoted
 * where needed. argv[0] begins with "nxn", as in "nxn compare", in whose place PROGRAM is put.
 * STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status shell_join(const char *prefix, const char *program, int n, char **argv,
				char **line, struct why *why);

#endif
