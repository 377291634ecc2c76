/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command lines: one table of options per command, from which come parsing, --help, completion
 * and the man page.
 *
 * A malformed argument ends the process: one line, exit status 2.
 */
#ifndef NXN_OPTIONS_H
#define NXN_OPTIONS_H

#include "analysis/tables/table.h"
#include "base/field.h"
#include "boards/game.h"

#include <stdbool.h>
#include <stddef.h>

enum { THREADS_MAX = 1024 };

/* Of --memory, in bytes. */
#define MEMORY_MIN 0x1p20
#define MEMORY_MAX 0x1p50

/* How long work is done. */
struct pace {
	int threads;
	double budget; /* seconds after which it stops in order; 0: no end */
	bool progress; /* shown even if standard error is no terminal */
};

/*
 * An option of a command: a member of the command's input. A row without a name begins GROUP of
 * --help, below `field.help` unless that is "". A table ends with a row without help.
 */
struct command_option {
	struct field field;
	int letter;	      /* or 0 */
	const char *argument; /* its word in --help, which completion goes by; NULL: none */
	/*
	 * Reads TEXT into MEMBER, in place of the kind's own reader; NULL for TEXT if an optional
	 * argument is missing. STATUS_INPUT names WHAT, the option with its dashes.
	 */
	enum status (*read)(void *member, const char *what, const char *text, struct why *why);
	bool each;     /* read() gets each piece of the argument between commas */
	bool optional; /* the argument may be left out */
	/* Sets the member to what it is without the option; NULL: that of the command's defaults. */
	void (*initial)(void *member);
	int group; /* groups come in ascending order, the first is 0 */
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
	/* Takes one argument that is no option. STATUS_INPUT if there is no place for it. */
	enum status (*argument)(void *input, const char *argument, struct why *why);
	/* Looks at the whole; NULL: it is fine. STATUS_INPUT. */
	enum status (*check)(void *input, struct why *why);
	/* What --help tells: before the options, a '\v', and after them; it ends with examples. */
	const char *doc;
	void (*details)(FILE *out); /* prints what follows the doc; NULL: nothing */
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
 * Parses ARGV up to the first argument, whose place is the result; ends the process as
 * command_start() does.
 */
int options_skip(const struct command *command, int argc, char **argv);

/*
 * Parses ARGV, runs COMMAND, prints why it failed and returns its exit status; or ends the process:
 * with one line and exit status 2 for what is wrong in ARGV, with 0 after --help. PREFIX is what
 * stands before the program to start it again; SAID is where a command says what is no table when
 * standard output is for a table alone.
 */
int command_start(const struct command *command, int argc, char **argv, const char *prefix,
		  FILE *said);

/*
 * The exit status that STATUS stands for. The reason of a failure is printed, as of the command
 * NAME, unless it is empty.
 */
int command_exit(const char *name, enum status status, const struct why *why);

/* The rows of such a table; MEMBER is the member's offset. */
#define OPTIONS_END                                                                                \
	{                                                                                          \
		.letter = 0                                                                        \
	}
#define OPTION(NAME, LETTER, ARGUMENT, KIND, MEMBER, HELP)                                         \
	{                                                                                          \
		.field = {.name = NAME, .kind = KIND, .offset = MEMBER, .help = HELP},             \
		.letter = LETTER, .argument = ARGUMENT                                             \
	}
#define OPTION_NUMBER(NAME, LETTER, ARGUMENT, KIND, MEMBER, MIN, MAX, HELP)                        \
	{                                                                                          \
		.field = {.name = NAME,                                                            \
			  .kind = KIND,                                                            \
			  .offset = MEMBER,                                                        \
			  .min = (double)(MIN),                                                    \
			  .max = (double)(MAX),                                                    \
			  .help = HELP},                                                           \
		.letter = LETTER, .argument = ARGUMENT                                             \
	}
#define OPTION_CHOICE(NAME, CHOICES, MEMBER, HELP)                                                 \
	{                                                                                          \
		.field = {.name = NAME,                                                            \
			  .kind = FIELD_CHOICE,                                                    \
			  .offset = MEMBER,                                                        \
			  .choices = CHOICES,                                                      \
			  .help = HELP},                                                           \
		.argument = CHOICES                                                                \
	}
#define OPTION_READER(NAME, LETTER, ARGUMENT, MEMBER, READ, HELP)                                  \
	{                                                                                          \
		.field = {.name = NAME, .offset = MEMBER, .help = HELP}, .letter = LETTER,         \
		.argument = ARGUMENT, .read = READ                                                 \
	}
#define OPTION_READER_EACH(NAME, LETTER, ARGUMENT, MEMBER, READ, HELP)                             \
	{                                                                                          \
		.field = {.name = NAME, .offset = MEMBER, .help = HELP}, .letter = LETTER,         \
		.argument = ARGUMENT, .read = READ, .each = true                                   \
	}
#define OPTION_GROUP_MARK(GROUP, HELP)                                                             \
	{                                                                                          \
		.field.help = HELP, .group = GROUP                                                 \
	}

/*
 * Options that several commands share. A command that has one defines FIELD(M), the offset of the
 * member M of its input; M is the member that the option is for.
 */
#define BOARD_OPTION(M)                                                                            \
	OPTION("board", 'b', "RxC", FIELD_TEXT, FIELD(M.shape),                                    \
	       "Board of R rows and C columns, 2x2 to 6x6 (default 4x4)")
#define SPAWN_OPTION(M)                                                                            \
	OPTION("spawn", 0, "TILE:P,...", FIELD_TEXT, FIELD(M.spawn),                               \
	       "Tiles that appear after a move, with their probabilities (default 2:0.9,4:0.1)")
#define RULE_OPTIONS(M)                                                                            \
	OPTION_NUMBER("start-tiles", 0, "N", FIELD_INT, FIELD(M.start_tiles), 1, CELLS_MAX,        \
		      "Tiles spawned before the first move (default 2)"),                          \
	    OPTION("start", 0, "POSITION", FIELD_TEXT, FIELD(M.start),                             \
		   "Position to start from: rows from the top separated by '/', tiles by ',', 0 "  \
		   "for empty"),                                                                   \
	    SPAWN_OPTION(M)
#define BOARDS_OPTION(M)                                                                           \
	OPTION("boards", 'b', "RxC,...", FIELD_LIST, FIELD(M),                                     \
	       "Boards, as in 3x3,4x4,5x6; 2x2 to 6x6 (default 4x4)")
#define AGENTS_OPTION(M)                                                                           \
	{                                                                                          \
		.field = {.name = "agents",                                                        \
			  .kind = FIELD_LIST,                                                      \
			  .offset = FIELD(M),                                                      \
			  .help = "Agents, as in random,expectimax:depth=2,cutoff=1e-3,corners. "  \
				  "A piece with '=' before any ':' continues the agent before "    \
				  "it. If there is a ';', only ';' separates agents. LABEL=AGENT " \
				  "names a player; {board} becomes the board, as in "              \
				  "TD=ntuple:n{board}.nxn. May be repeated"},                      \
		.letter = 'a', .argument = "SPEC,...", .read = agents_read                         \
	}
#define UNTRAINED_OPTION(M, LABEL)                                                                 \
	OPTION("untrained", 0, NULL, FIELD_FLAG, FIELD(M), "Let untrained learners play" LABEL)
#define SEED_OPTION(M)                                                                             \
	OPTION_NUMBER("seed", 's', "S", FIELD_COUNT, FIELD(M), 0, UINT64_MAX,                      \
		      "Seed of the random streams (default 1)")
#define THREADS_OPTION(M)                                                                          \
	{                                                                                          \
		.field = {.name = "threads",                                                       \
			  .kind = FIELD_INT,                                                       \
			  .offset = FIELD(M),                                                      \
			  .min = 1,                                                                \
			  .max = THREADS_MAX,                                                      \
			  .help = "Worker threads (default: one per processor)"},                  \
		.letter = 'j', .argument = "N", .initial = threads_initial                         \
	}
#define PROGRESS_OPTION(M)                                                                         \
	OPTION(                                                                                    \
	    "progress", 0, NULL, FIELD_FLAG, FIELD(M),                                             \
	    "Show progress as on a terminal even if standard error is none; it then has a line "   \
	    "every minute otherwise")
#define PACE_OPTIONS(M)                                                                            \
	OPTION("time-budget", 0, "TIME", FIELD_DURATION, FIELD(M.budget),                          \
	       "Stop after this time, such as 90s, 10m or 1.5h, with exit status 75 if "           \
	       "work is left; the same command then continues"),                                   \
	    PROGRESS_OPTION(M.progress), THREADS_OPTION(M.threads)
#define MEMORY_OPTION(M)                                                                           \
	{                                                                                          \
		.field = {.name = "memory",                                                        \
			  .kind = FIELD_BYTES,                                                     \
			  .offset = FIELD(M),                                                      \
			  .min = MEMORY_MIN,                                                       \
			  .max = MEMORY_MAX,                                                       \
			  .help = "Largest memory to use, as in 800M or 8G (default: half of the " \
				  "machine's)"},                                                   \
		.letter = 'M', .argument = "SIZE", .initial = memory_initial                       \
	}
#define NO_TIMES_OPTION(M)                                                                         \
	OPTION("no-times", 0, NULL, FIELD_FLAG, FIELD(M),                                          \
	       "Do not record how long games took, so that equal runs give equal logs")
/* Sets the printer of the invocation, no member of the input. */
#define FORMAT_OPTION                                                                              \
	OPTION_CHOICE(                                                                             \
	    "format", "text|tsv|json", 0,                                                          \
	    "Print the result as text (the default) or as a table for programs: tsv, or json "     \
	    "(JSON Lines, one object per row). All other messages then go to standard error")
#define FULL_OPTION(M)                                                                             \
	OPTION("full", 0, NULL, FIELD_FLAG, FIELD(M),                                              \
	       "Print all tables, and how intervals were computed")

/* An int becomes the number of processors that this process may use. */
void threads_initial(void *member);

/*
 * A uint64_t becomes half of the memory that this process can have, in bytes: of the machine's, or
 * of the limit that the control group of a container or `ulimit -v` sets. Any thread.
 */
void memory_initial(void *member);

/*
 * Says on standard error that the file PATH ended in a torn line, of which CUT bytes were cut off;
 * 0: it was left out. Any thread.
 */
void torn_warn(const char *path, size_t cut);

/*
 * The length of the label in TEXT, "LABEL=AGENT", or 0 if it has none: a '=' stands before any ':',
 * and behind it the name of an agent, or anything with a ':'.
 */
size_t agent_label(const char *text);

/*
 * Appends the agents in TEXT to the struct text_list MEMBER. They are separated by ';' where there
 * is one, else by ','; but a piece with a '=' before any ':' continues the agent before it, so that
 * "random,expectimax:depth=2,cutoff=1e-3,corners" is three agents, unless it is LABEL=AGENT and no
 * parameter of that; and so does a piece that is no
 * agent where that one ends with a text (agents/agent.h). STATUS_INPUT names WHAT if one is empty.
 */
MUST_USE enum status agents_read(void *member, const char *what, const char *text, struct why *why);

/* A struct command's argument(): appends to the list that INPUT begins with. */
MUST_USE enum status argument_add(void *input, const char *argument, struct why *why);

/* The same: keeps ARGUMENT at the pointer that INPUT begins with, where no other may be. */
MUST_USE enum status argument_keep(void *input, const char *argument, struct why *why);

/* What --version prints. */
void version_print(FILE *out);

/* How COMMAND, called NAME, is used, as --help prints it. */
void command_help(const struct command *command, const char *name, FILE *out);

/*
 * PREFIX, then a command's N words of ARGV as one line for a POSIX shell, on the heap, quoted
 * where needed. argv[0] begins with "nxn", as in "nxn compare", in whose place PROGRAM is put.
 * STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status shell_join(const char *prefix, const char *program, int n, char **argv,
				char **line, struct why *why);

#endif
