/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs of rows: append-only text files of one kind of record, written as base/append.h describes.
 *
 *   # comments: provenance of the run that wrote the lines below, any number of lines
 *   the names of the columns                                                   (tab-separated)
 *   one record per line, with as many fields
 *
 * A record is one write(2). A process may be killed at any moment, so readers ignore a last line
 * without a newline, and the next writer cuts it off. Lines are read as by base/lines.h.
 *
 * A kind of log is a table of its columns: the name, the functions that read and print it, and the
 * offset of its struct member. Text with a quote or a '#' in it is quoted, with quotes doubled, as
 * in a CSV file, so that readers of tables do not take it for a comment.
 */
#ifndef NXN_ROWLOG_H
#define NXN_ROWLOG_H

#include "base/append.h"

#include <stdbool.h>
#include <stdint.h>

enum { ROWLOG_COLUMNS_MAX = 16, ROWLOG_ROW_MAX = 1024, ROWLOG_LINE_MAX = 8192 };

/* A line under construction. Text beyond its capacity is dropped, but counted in LENGTH. */
struct rowlog_line {
	char text[ROWLOG_LINE_MAX];
	size_t length;
};

__attribute__((format(printf, 2, 3))) void rowlog_print(struct rowlog_line *line,
							const char *format, ...);

/* How the values of a column are read and printed. */
struct rowlog_type {
	const char *wanted; /* the expected value, in messages: "a whole number" */
	/* Parses TEXT, the whole column, into MEMBER; false if it is invalid. */
	bool (*read)(const char *text, void *member);
	/* Appends the value; "NaN" if it is unknown. */
	void (*print)(struct rowlog_line *line, const void *member);
};

/* Building blocks for types of single logs. */
bool rowlog_real_read(const char *text, void *member); /* from 0 */
void rowlog_number_print(struct rowlog_line *line, const void *member);
void rowlog_text_print(struct rowlog_line *line, const void *member);

extern const struct rowlog_type rowlog_config; /* uint64_t, 16 hexadecimal digits */
extern const struct rowlog_type rowlog_number; /* uint64_t */
extern const struct rowlog_type rowlog_text;   /* const char *, not empty */
extern const struct rowlog_type rowlog_any;    /* const char *, not checked */

struct rowlog_column {
	const char *name;
	const struct rowlog_type *type;
	size_t offset; /* of the member that holds the value */
};

struct rowlog_kind {
	const char *stem;   /* of the names of its files: "games" */
	const char *log;    /* in messages, with its article: "a game log" */
	const char *writes; /* likewise, without the article: "game log" */
	const char *names;  /* likewise, the columns, shortened: "config board ... seconds" */
	const char *row;    /* likewise, a record: "a game" */

	struct rowlog_column column[ROWLOG_COLUMNS_MAX];
	int columns;
	uint32_t key;	   /* the columns of the key: bit i for column i */
	uint32_t decision; /* those in which two records of one key must agree */

	size_t size;	 /* bytes of a row, at most ROWLOG_ROW_MAX */
	bool head_first; /* provenance is at the top; else before the rows of each run */
};

/* ---- Reading. */

/*
 * A file whose records are passed to row(), and whose comments, which begin with '#', to comment();
 * the reasons that these return get the file and line. Or else whole lines, the column names among
 * them, are passed to take() as they are. Each may be NULL.
 */
struct rowlog_reader {
	const struct rowlog_kind *kind;
	const char *path;
	enum status (*row)(void *context, const void *row, struct why *why);
	enum status (*comment)(void *context, const char *line, struct why *why);
	enum status (*take)(struct rowlog_reader *reader, char *line, struct why *why);
	void *context;
	size_t number;	    /* of the current line */
	bool names;	    /* the column names have been read */
	size_t whole, torn; /* bytes of whole lines, and of a last one without a newline */
};

/*
 * Reads READER->path; a torn last line is ignored. STATUS_INPUT, with file and line, if the file
 * is not a log of this kind or a record is malformed; STATUS_SYSTEM if it cannot be read; and any
 * error of the reader's functions.
 */
MUST_USE enum status rowlog_lines(struct rowlog_reader *reader, struct why *why);

/*
 * Parses LINE, a record, into ROW, whose texts point into LINE, which is modified. STATUS_INPUT,
 * with file and line, if it is malformed.
 */
MUST_USE enum status rowlog_parse(const struct rowlog_reader *reader, char *line, void *row,
				  struct why *why);

/* Passes each row to take(), whose error is one line. Texts of a row are valid until it returns. */
MUST_USE enum status rowlog_each(const struct rowlog_kind *kind, const char *path,
				 enum status (*take)(void *context, const void *row,
						     struct why *why),
				 void *context, struct why *why);

/* ---- Rows in memory, with lookup by key. */

/* A map from 64-bit hashes to row numbers: open addressing, at most half full. Zeroed is empty. */
struct row_index {
	struct row_slot {
		uint64_t hash; /* 0: free */
		uint64_t value;
	} * slot;
	size_t count, room;
};

/* The value of HASH, or NULL. */
uint64_t *row_index_find(const struct row_index *index, uint64_t hash);

/* Adds VALUE for HASH, which must be new. */
void row_index_add(struct row_index *index, uint64_t hash, uint64_t value);

/* The rows of files. Zeroed is empty. Texts that are not part of the key are NULL. */
struct rowlog {
	const struct rowlog_kind *kind;
	void *rows;
	size_t count;
	size_t torn; /* bytes of a last line without a newline, of the last file */
	struct row_index index;
};

/*
 * Adds the rows of the file PATH, which is of KIND, to LOG. Fails as rowlog_lines(); LOG may then
 * have some of the rows.
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
 * Opens PATH for appending, creates it if necessary, cuts off a torn last line, and locks it
 * against other writers. Existing rows are read into LOG, unless that is NULL. The lines of
 * PROVENANCE (without "# "; ends with NULL; may be NULL; valid until closing) are written where
 * KIND has them. STATUS_INPUT if another process is writing the file or it is no log of KIND, which
 * leaves it unchanged; STATUS_SYSTEM if it cannot be opened or written. On failure LOG may have
 * some rows.
 */
MUST_USE enum status rowlog_open(struct rowlog_writer *writer, const struct rowlog_kind *kind,
				 const char *path, const char *const *provenance,
				 struct rowlog *log, struct why *why);

/* The same for READER's file, which is read as by rowlog_lines(). */
MUST_USE enum status rowlog_open_with(struct rowlog_writer *writer, struct rowlog_reader *reader,
				      const char *const *provenance, struct why *why);

/*
 * Appends ROW, which is written to the file (not synced) on return. One thread at a time, or any
 * number if KIND has head_first. STATUS_SYSTEM if the row could not be written completely: then
 * nothing more may be appended, so that the torn line is the last; STATUS_INPUT if the line could
 * not be read back, for example because of a control character or its length.
 */
MUST_USE enum status rowlog_append(struct rowlog_writer *writer, const void *row, struct why *why);

/*
 * ---- The log of games that were compared with the optimum: a row a game (kinds.c).
 *
 *   # provenance of the run that wrote the lines below it, any number of lines
 *   config board agent trained seed game result phases                         (tab-separated)
 *   00c0ffee00c0ffee 2x2 greedy 0 1 17 24 1:2:2:0,2:3:2:1.5
 *
 * `config` is a hash of all that decides a game and its losses except seed and number: the game,
 * the agent, its training, and the objective of the optimum. `result` is the value of that
 * objective: points, or 1 if the target was reached and else 0. `phases` lists, for each largest
 * exponent on the board before a move, ascending, EXPONENT:MOVES:OPTIMAL:LOST: the number of moves,
 * how many of them were optimal, and their total loss; or "-" if there was no move.
 *
 * Game "exact" is the average of all games, weighted with their probabilities: its numbers are
 * expected values.
 */

/* Exponents below GAP_PHASES can be logged: tables with larger ones do not fit into any memory. */
enum { GAP_PHASES = 24 };

/* The game number of the row of expected values. */
#define GAP_EXACT UINT64_MAX

/* Moves made while 2^k was the largest tile. */
struct gap_phase {
	double moves, optimal, lost;
};

struct gap_row {
	uint64_t config, trained, seed;
	const char *board, *agent; /* of the player; NULL in rows in memory */
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
 * `config` is a hash of all that decides how long a search takes: of all that decides the move, and
 * of the program, the machine and its load. The key of a search is (config, position, round): every
 * round repeats all searches.
 */

/* One search. */
struct sweep_row {
	uint64_t config;
	const char *board, *agent; /* of the player; NULL in rows in memory */
	const char *position;	   /* in the notation of boards/board.c */
	double seconds;
	uint64_t nodes;	       /* positions generated */
	uint64_t probes, hits; /* of the transposition table */
	uint64_t depth;	       /* look-ahead in own moves */
	uint64_t round;	       /* from 0 */
};

extern const struct rowlog_kind sweep_log_kind;

/* All kinds of logs; ends with NULL. The game log is last: a folder may have it beside another. */
extern const struct rowlog_kind *const log_kinds[];

#endif
