/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs of rows: append-only text files of one kind of record, in the manner of base/append.h.
 *
 *   # comments: provenance of the run that wrote the lines below, any number of lines
 *   the names of the columns                                                   (tab-separated)
 *   one record per line, with as many fields
 *
 * A record is one write(2), and no line is believed that does not end in a newline: a process may
 * be killed at any moment, and the next writer cuts a torn last line off. Lines are read as by
 * base/lines.h.
 *
 * A kind of log is a table of its columns: the name, how it is read and printed, and the member of
 * a struct that holds it. Text with a quote or a '#' in it stands between quotes, doubled within,
 * as in a CSV file, so that readers of tables do not take it for a comment.
 */
#ifndef NXN_ROWLOG_H
#define NXN_ROWLOG_H

#include "base/append.h"

#include <stdbool.h>
#include <stdint.h>

enum { ROWLOG_COLUMNS_MAX = 16, ROWLOG_ROW_MAX = 1024, ROWLOG_LINE_MAX = 8192 };

/* A line while it is made. What does not fit is left out, and LENGTH counts it. */
struct rowlog_line {
	char text[ROWLOG_LINE_MAX];
	size_t length;
};

__attribute__((format(printf, 2, 3))) void rowlog_print(struct rowlog_line *line,
							const char *format, ...);

/* How the values of a column are read and printed. */
struct rowlog_type {
	const char *wanted; /* what a value should be: "a whole number" */
	/* Reads TEXT, the whole column, into a MEMBER; false if it is no such value. */
	bool (*read)(const char *text, void *member);
	/* Appends the value; "NaN" if it is not known. */
	void (*print)(struct rowlog_line *line, const void *member);
};

/* Parts of which a log makes types of its own. */
bool rowlog_real_read(const char *text, void *member); /* from 0 */
void rowlog_number_print(struct rowlog_line *line, const void *member);
void rowlog_text_print(struct rowlog_line *line, const void *member);

extern const struct rowlog_type rowlog_config; /* uint64_t, 16 hexadecimal digits */
extern const struct rowlog_type rowlog_number; /* uint64_t */
extern const struct rowlog_type rowlog_text;   /* const char *, not empty */
extern const struct rowlog_type rowlog_any;    /* const char *, which nobody looks at */

struct rowlog_column {
	const char *name;
	const struct rowlog_type *type;
	size_t offset; /* of the member that holds the value */
};

/* A kind of log. */
struct rowlog_kind {
	const char *stem;   /* of the names of its files: "games" */
	const char *log;    /* in messages, with its article: "a game log" */
	const char *writes; /* likewise, what another process is writing: "game log" */
	const char *names;  /* likewise, the columns, shortened: "config board ... seconds" */
	const char *row;    /* likewise, a record: "a game" */

	struct rowlog_column column[ROWLOG_COLUMNS_MAX];
	int columns;
	uint32_t key;	   /* columns by which a record is known: bit i for column i */
	uint32_t decision; /* those in which two records of one key must agree */

	size_t size;	 /* bytes of a row, at most ROWLOG_ROW_MAX */
	bool head_first; /* provenance opens the file; else it precedes the rows of each run */
};

/* ---- Reading. */

/*
 * A file whose whole lines are handed to take(): comments, which begin with '#', the line of column
 * names, and then records. NULL checks the column names and takes nothing.
 */
struct rowlog_reader {
	const struct rowlog_kind *kind;
	const char *path;
	enum status (*take)(struct rowlog_reader *reader, char *line, struct why *why);
	void *context;
	size_t number;	    /* of the line */
	bool names;	    /* the column names came before it */
	size_t whole, torn; /* bytes of whole lines, and of a last one without a newline */
};

/*
 * Reads READER->path; a torn last line is left out. STATUS_INPUT, with file and line, for what is
 * not such a file; STATUS_SYSTEM if it cannot be read; and what take() says.
 */
MUST_USE enum status rowlog_lines(struct rowlog_reader *reader, struct why *why);

/*
 * Cuts LINE, a record, at its tabs into ROW, whose texts point into it. STATUS_INPUT, with file and
 * line, if it is none.
 */
MUST_USE enum status rowlog_parse(const struct rowlog_reader *reader, char *line, void *row,
				  struct why *why);

/*
 * Rows that are read one by one. Texts of a row last until take() returns; its reason is one line.
 */
MUST_USE enum status rowlog_each(const struct rowlog_kind *kind, const char *path,
				 enum status (*take)(void *context, const void *row,
						     struct why *why),
				 void *context, struct why *why);

/* ---- Rows in memory, found by their key. */

/* Numbers of rows by 64-bit hash: open addressing, at most half full. Zeroed is empty. */
struct row_index {
	struct row_slot {
		uint64_t hash; /* 0: free */
		uint64_t value;
	} * slot;
	size_t count, room;
};

/* The value that was added for HASH, or NULL. */
uint64_t *row_index_find(const struct row_index *index, uint64_t hash);

/* Adds VALUE for HASH, which is not there yet. */
void row_index_add(struct row_index *index, uint64_t hash, uint64_t value);

/* The rows of files. Zeroed is empty. A text is kept if it is of the key, otherwise it is NULL. */
struct rowlog {
	const struct rowlog_kind *kind;
	void *rows;
	size_t count;
	size_t torn; /* bytes of a last line without a newline, of the last file */
	struct row_index index;
};

/*
 * Adds the rows of the file PATH, which is of KIND, to LOG. Fails as rowlog_lines(): LOG then has
 * some.
 */
MUST_USE enum status rowlog_read(struct rowlog *log, const struct rowlog_kind *kind,
				 const char *path, struct why *why);

/* The first row with the key of KEY, or NULL. Any thread. */
const void *rowlog_find(const struct rowlog *log, const void *key);
void rowlog_fini(struct rowlog *log);

/* ---- Writing. */

struct rowlog_writer {
	struct append_file file;
	const struct rowlog_kind *kind;
	const char *const *provenance; /* not yet written; NULL once it is */
};

/*
 * Opens PATH for appending, creates it if need be, cuts off a torn last line, and keeps other
 * writers out. What is there is read into LOG, unless that is NULL. The lines
 * of PROVENANCE (without "# "; ends with NULL; may be NULL; they stay until closing) are written
 * where KIND has them. STATUS_INPUT if another process is writing it or if it is something else,
 * which is then left as it is; STATUS_SYSTEM if it cannot be opened or written. On failure LOG may
 * have taken some rows.
 */
MUST_USE enum status rowlog_open(struct rowlog_writer *writer, const struct rowlog_kind *kind,
				 const char *path, const char *const *provenance,
				 struct rowlog *log, struct why *why);

/* The same of READER's file, whose lines are taken as by rowlog_lines(). */
MUST_USE enum status rowlog_open_with(struct rowlog_writer *writer, struct rowlog_reader *reader,
				      const char *const *provenance, struct why *why);

/*
 * Appends ROW; it is in the kernel's hands on return. One thread at a time, or any number if KIND
 * has provenance first. STATUS_SYSTEM if it could not be written whole, after which nothing more
 * may be appended, so that the torn line is the last; STATUS_INPUT for what could not be read
 * again, such as a text with a control character, or a line that is too long.
 */
MUST_USE enum status rowlog_append(struct rowlog_writer *writer, const void *row, struct why *why);

/*
 * ---- The log of games that were compared with the optimum: a row a game (kinds.c).
 *
 *   # provenance of the run that wrote the lines below it, any number of lines
 *   config board agent trained seed game result phases                         (tab-separated)
 *   00c0ffee00c0ffee 2x2 greedy 0 1 17 24 1:2:2:0,2:3:2:1.5
 *
 * `config` stands for all that decides a game and what is lost in it but seed and number: the game,
 * the agent, how much it has learned, and what the optimum is of. `result` is what the game is
 * about: points, or 1 if the target was reached and else 0. `phases` has for each largest exponent
 * that stood on the board before a move, ascending: EXPONENT:MOVES:OPTIMAL:LOST, its moves, how
 * many of these were optimal, and what all of them lost; or "-" if there was no move.
 *
 * Game "exact" stands for all games, weighted with their probabilities: then the numbers are
 * expected values.
 */

/* Exponents below GAP_PHASES can be logged: tables of larger ones do not fit into any memory. */
enum { GAP_PHASES = 24 };

/* The number of the row that stands for all games. */
#define GAP_EXACT UINT64_MAX

/* Moves made while 2^k was the largest tile. */
struct gap_phase {
	double moves, optimal, lost;
};

struct gap_row {
	uint64_t config, trained, seed;
	const char *board, *agent; /* who played; NULL in what is read into memory */
	uint64_t game;		   /* or GAP_EXACT */
	double result;
	struct gap_phase phase[GAP_PHASES];
};

/* The sum of all phases. */
struct gap_phase gap_row_total(const struct gap_row *row);

extern const struct rowlog_kind gap_log_kind;

/*
 * ---- The log of a sweep: a row for every position that was searched (kinds.c).
 *
 *   # provenance of the run that wrote the lines below it, any number of lines
 *   config board agent position seconds nodes probes hits depth round          (tab-separated)
 *   00c0ffee00c0ffee 4x4 expectimax:depth=3 0,2,.../... 0.000061 812 301 44 3 0
 *
 * `config` stands for all that decides how long a search takes: what decides the move, and the
 * program, the machine and how much else it does. A search is known by (config, position, round):
 * every round repeats all searches.
 */

/* One search. */
struct sweep_row {
	uint64_t config;
	const char *board, *agent; /* who searched; NULL in what is read */
	const char *position;	   /* as boards/board.c writes it */
	double seconds;
	uint64_t nodes;	       /* positions made and looked at */
	uint64_t probes, hits; /* of the transposition table */
	uint64_t depth;	       /* own moves looked ahead */
	uint64_t round;	       /* from 0 */
};

extern const struct rowlog_kind sweep_log_kind;

/*
 * All kinds of logs; ends with NULL. The game log is the last: a folder may have it beside another.
 */
extern const struct rowlog_kind *const log_kinds[];

#endif
