/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command lines. One table of options per command provides parsing, --help, completion and the man
 * page.
 *
 * A malformed argument ends the process with one line and exit status 2.
 */
#ifndef NXN_OPTIONS_H
#define NXN_OPTIONS_H

#include "analysis/tables/table.h"
#include "base/field.h"
#include "boards/game.h"

#include <stdbool.h>
#include <stddef.h>

enum { THREADS_MAX = 1024 };

/* Limits of --memory, in bytes. */
#define MEMORY_MIN 0x1p20
#define MEMORY_MAX 0x1p50

/* How a command does its work. */
struct pace {
	int threads;
	double budget; /* seconds after which to stop; 0: no limit */
	bool progress; /* show progress even if standard error is not a terminal */
};

/*
 * An option of a command, which sets a member of the command's input. A row without a name begins
 * GROUP of --help, under the heading `field.help` unless that is "". A table ends with a row
 * without help.
 */
struct command_option {
	struct field field;
	int letter;	      /* short option, or 0 */
	const char *argument; /* word in --help, also used for completion; NULL: none */
	/*
	 * Reads TEXT into MEMBER instead of the reader of the field's kind; TEXT is NULL if an
	 * optional argument is missing. STATUS_INPUT with WHAT, the option with its dashes.
	 */
	enum status (*read)(void *member, const char *what, const char *text, struct why *why);
	bool each;     /* call read() for each piece of the argument between commas */
	bool optional; /* the argument may be left out */
	size_t given;  /* offset of a bool that the option sets to true; 0: none */
	/* Sets the member's value if the option is not given; NULL: the command's default. */
	void (*initial)(void *member);
	int group; /* group in --help; ascending, starting with 0 */
};

/* How a command was called. */
struct invocation {
	const char *name; /* argv[0]: "nxn compare" */
	char *provenance; /* "nxn compare ..." */
	char *resume;	  /* the same to start it again: with the path of the program, or mpirun */
	/*
	 * Prints the result to standard output in the --format. With tsv and json, standard output
	 * contains only the table, and everything else goes to standard error.
	 */
	struct table_printer printer;
};

/* A subcommand: its input and its work. */
struct command {
	const struct command_option *options; /* ends with OPTIONS_END; NULL: none */
	const char *arguments;		      /* arguments in --help; NULL: none are allowed */
	const char *missing; /* error message without arguments; NULL: not an error */
	/* Handles one argument that is not an option. STATUS_INPUT if it is not allowed. */
	enum status (*argument)(void *input, const char *argument, struct why *why);
	/* Checks the input as a whole; NULL: no check. STATUS_INPUT. */
	enum status (*check)(void *input, struct why *why);
	/* Text of --help: before the options, a '\v', and after them; it ends with examples. */
	const char *doc;
	void (*details)(FILE *out); /* prints more after `doc`; NULL: nothing */
	/* The input: SIZE bytes, initialised from DEFAULTS. */
	const void *defaults;
	size_t size;
	/*
	 * Does the work. The reason of a failure is printed, unless it is empty because run() has
	 * printed it.
	 */
	enum status (*run)(void *input, const struct invocation *call, struct why *why);
	bool shared; /* several ranks can share the work */
};

/* Sets the members of a struct command for its input from the constant DEFAULTS. */
#define COMMAND_INPUT(DEFAULTS) .defaults = &(DEFAULTS), .size = sizeof(DEFAULTS)

/*
 * Parses ARGV up to the first argument and returns the index of that argument. Ends the process as
 * command_start() does.
 */
int options_skip(const struct command *command, int argc, char **argv);

/*
 * Parses ARGV, runs COMMAND, prints the reason of a failure and returns the exit status. Ends the
 * process with one line and exit status 2 if ARGV is wrong, and with 0 after --help. PREFIX
 * precedes the program on a command line that starts it again. SAID receives everything except the
 * table if standard output is reserved for a table.
 */
int command_start(const struct command *command, int argc, char **argv, const char *prefix,
		  FILE *said);

/*
 * Returns the exit status for STATUS and prints the reason of a failure, unless it is empty, as of
 * the command NAME.
 */
int command_exit(const char *name, enum status status, const struct why *why);

/* Rows of a table of options. MEMBER is an offset in the command's input. */
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
 * Options that several commands share. A command that uses one defines FIELD(M), the offset of the
 * member M of its input; the argument M is the member for the option.
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
#define SEED_OPTION(M) SEED_OPTION_GIVEN(M, 0)
/* The same; GIVEN as in struct command_option. */
#define SEED_OPTION_GIVEN(M, GIVEN)                                                                \
	{                                                                                          \
		.field = {.name = "seed",                                                          \
			  .kind = FIELD_COUNT,                                                     \
			  .offset = FIELD(M),                                                      \
			  .max = (double)UINT64_MAX,                                               \
			  .help = "Seed of the random streams (default 1)"},                       \
		.letter = 's', .argument = "S", .given = GIVEN                                     \
	}
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
	OPTION("progress", 0, NULL, FIELD_FLAG, FIELD(M),                                          \
	       "Show progress as on a terminal even if standard error is not one (by default, a "  \
	       "line every minute then)")
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
/* Sets the printer of the invocation, not a member of the input. */
#define FORMAT_OPTION                                                                              \
	OPTION_CHOICE(                                                                             \
	    "format", "text|tsv|json", 0,                                                          \
	    "Print the result as text (the default) or as a table for programs: tsv, or json "     \
	    "(JSON Lines, one object per row). All other messages then go to standard error")
#define FULL_OPTION(M)                                                                             \
	OPTION("full", 0, NULL, FIELD_FLAG, FIELD(M),                                              \
	       "Print all tables, and how intervals were computed")

/* Sets an int to the number of processors that this process may use. */
void threads_initial(void *member);

/*
 * Sets a uint64_t to half of the memory that this process can have, in bytes: of the machine's
 * memory, or of the limit set by the control group of a container or by `ulimit -v`. Any thread.
 */
void memory_initial(void *member);

/*
 * Warns on standard error that the file PATH ended with an incomplete line, of which CUT bytes were
 * removed; 0 means that the line was ignored. Any thread.
 */
void torn_warn(const char *path, size_t cut);

/*
 * Returns the length of the label in TEXT, "LABEL=AGENT", or 0 if there is none: a '=' before any
 * ':', followed by the name of an agent or by anything with a ':'.
 */
size_t agent_label(const char *text);

/*
 * Appends the agents in TEXT to the struct text_list MEMBER. Agents are separated by ';' if TEXT
 * contains one, otherwise by ','. A piece with a '=' before any ':' continues the agent before it,
 * so "random,expectimax:depth=2,cutoff=1e-3,corners" is three agents, unless it is LABEL=AGENT and
 * not a parameter of that agent. A piece that is not an agent also continues the agent before it if
 * that ends with a text parameter (agents/agent.h). STATUS_INPUT with WHAT if an agent is empty.
 */
MUST_USE enum status agents_read(void *member, const char *what, const char *text, struct why *why);

/* A rule for check() of a struct command, and the error message if it is broken. */
struct option_rule {
	bool broken;
	const char *message;
};

/* STATUS_INPUT for the first of RULES that is broken; they end with one without a message. */
MUST_USE enum status rules_check(const struct option_rule *rules, struct why *why);

/* For argument() of a struct command: appends ARGUMENT to the list at the beginning of INPUT. */
MUST_USE enum status argument_add(void *input, const char *argument, struct why *why);

/*
 * For argument() of a struct command: stores ARGUMENT in the pointer at the beginning of INPUT;
 * STATUS_INPUT if there already is one.
 */
MUST_USE enum status argument_keep(void *input, const char *argument, struct why *why);

/* Prints the text of --version. */
void version_print(FILE *out);

/* Prints the --help of COMMAND under NAME. */
void command_help(const struct command *command, const char *name, FILE *out);

/*
 * Sets *LINE to PREFIX followed by the N words of ARGV as one line for a POSIX shell, on the heap,
 * quoted where necessary. argv[0] begins with "nxn", as in "nxn compare"; PROGRAM replaces that
 * word. STATUS_SYSTEM if memory runs out.
 */
MUST_USE enum status shell_join(const char *prefix, const char *program, int n, char **argv,
				char **line, struct why *why);

#endif
