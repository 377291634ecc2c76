/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables as text. A column is described once, and printed for programs or for people.
 *
 * A table for programs is tidy: `#` lines (provenance, how intervals were made, units), one row of
 * quoted column names, and tab-separated rows of as many fields. Text is quoted, missing numbers
 * are NaN, and all intervals are 95%: NAME, NAME_low, NAME_high. tsv.h splits it into blocks for
 * figures.
 *
 * A table for people is text in aligned columns under a header: "value [low, high]", "-" for a
 * missing value. Write errors stay in the FILE: the caller checks ferror() or fclose().
 */
#ifndef NXN_TABLE_H
#define NXN_TABLE_H

#include "analysis/stats/stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { GRID_TEXT_MAX = 160 };

/* ---- Tables of typed columns. */

/* The member of a row at the offset of a column. */
enum table_value {
	TABLE_TEXT,   /* const char * */
	TABLE_CHARS,  /* an array of char */
	TABLE_INT,    /* int */
	TABLE_FLAG,   /* bool; 1 or 0, for people "*" or nothing */
	TABLE_COUNT,  /* size_t */
	TABLE_NUMBER, /* uint64_t */
	TABLE_REAL,   /* double */
	TABLE_SHARE,  /* double, for people in percent */
	TABLE_TIME,   /* double, milliseconds, for people with the unit that suits it */
	TABLE_INTERVAL,
	TABLE_SHARES, /* interval, for people in percent */
	TABLE_TIMES,  /* interval of milliseconds, for people with the unit that suits it */
};

struct table_column {
	const char *name;
	enum table_value value;
	size_t offset;
	int decimals;	    /* for people, plus 1; 0: three significant digits */
	int width;	    /* on a terminal that gets rows one by one; 0: 8, or its name's */
	const char *bounds; /* "X" for X_low and X_high, if X is not NAME */
	/*
	 * Make a value that no member holds: get() a number or an interval; text() a text, for
	 * people or a TABLE_TEXT.
	 */
	struct interval (*get)(const void *row);
	void (*text)(const void *row, char text[GRID_TEXT_MAX]);
};

/* A column of MEMBER of the rows, each a struct ROW; FIXED shows people PLACES decimals. */
#define TABLE_COLUMN(row, title, kind, member)                                                     \
	{                                                                                          \
		.name = title, .value = TABLE_##kind, .offset = offsetof(row, member)              \
	}
#define TABLE_FIXED(row, title, kind, member, places)                                              \
	{                                                                                          \
		.name = title, .value = TABLE_##kind, .offset = offsetof(row, member),             \
		.decimals = 1 + (places)                                                           \
	}

/* Lists of columns end with a NULL name. */
void table_head(FILE *file, const struct table_column *columns);
void table_row(FILE *file, const struct table_column *columns, const void *row);

/* Writes LINES, with "# " before each; LINES ends with NULL, and may be NULL. */
void table_comments(FILE *file, const char *const *lines);

/* The text after PREFIX in the first of LINES that begins with it, or NULL. */
const char *note_find(const char *const *lines, const char *prefix);

/* The output of the rows of a table. */
struct table_out {
	FILE *file;
	const struct table_column *columns;
	const char *name;					   /* of the table */
	void (*put)(const struct table_out *out, const void *row); /* NULL: tab-separated */
};

void table_put(const struct table_out *out, const void *row);

/* How tables are printed. */
enum table_format {
	FORMAT_TEXT, /* for people */
	FORMAT_TSV,  /* for programs: table_write() */
	FORMAT_JSON, /* the same as JSON Lines: table_json() */
};

/* Where a command prints its result, and how. */
struct table_printer {
	FILE *file;
	enum table_format format;
};

/* A table for programs, made of DATA. */
struct table {
	const char *name;  /* also the name of its file, less ".tsv" */
	const char *units; /* of its columns, a line of its head; NULL: none */
	const struct table_column *columns;
	/* Hands each row to table_put(). */
	void (*rows)(const struct table_out *out, const void *data);
	/* Whether people see the values of a row without intervals; NULL: never. */
	bool (*exact)(const void *row);
};

/* A table whose intervals are all estimates. */
#define TABLE(NAME, UNITS, COLUMNS, ROWS)                                                          \
	{                                                                                          \
		.name = (NAME), .units = (UNITS), .columns = (COLUMNS), .rows = (ROWS)             \
	}

/* The tables of one kind of data. */
struct tables {
	/*
	 * Prints for people the answer to the first question; if FULL, the tables by tables_text(),
	 * and the text around them. NULL: rows as they are made, on a terminal in aligned columns,
	 * else with all digits and tabs between.
	 */
	void (*print)(FILE *file, const void *data, bool full);
	/* Writes the `#` lines of each table, after provenance; NULL: none. */
	void (*head)(FILE *file, const void *data);
	struct table table[16]; /* 15 at most, and a NULL name */
};

/* The table called NAME, or NULL. */
const struct table *table_find(const struct tables *tables, const char *name);

/* Writes TABLE of TABLES, made of DATA; PROVENANCE as in table_comments(). */
void table_write(FILE *file, const struct tables *tables, const struct table *table,
		 const void *data, const char *const *provenance);

/*
 * The same as JSON Lines: one object per line. The first is of "kind": "provenance", with the name
 * of the "table", its "units" and "notes", the lines of its head; the others are rows, whose "kind"
 * is the name of the table, with a member per column. A number that is not finite is null.
 */
void table_json(FILE *file, const struct tables *tables, const struct table *table,
		const void *data, const char *const *provenance);

/*
 * Prints for people the TABLES that NAMES lists, which ends with NULL, except those without rows:
 * the caption, and the columns in print (below) as text, except those without a known value.
 */
void tables_text(FILE *file, const struct tables *tables, const char *const *names,
		 const void *data);

/* Prints the rows of TABLE for people, each as soon as it is made. */
void table_stream(FILE *file, const struct table *table, const void *data);

/*
 * Prints TABLES, made of DATA: for people by print(), FULL or not; or else the one called NAME, for
 * programs with PROVENANCE as in table_comments().
 */
void tables_print(const struct table_printer *printer, const struct tables *tables,
		  const char *name, const void *data, bool full, const char *const *provenance);

/*
 * Writes all of TABLES into the folder DIRECTORY/tables, which it makes. STATUS_INPUT if a path is
 * too long, STATUS_SYSTEM if a file cannot be written.
 */
MUST_USE enum status tables_write(const char *directory, const struct tables *tables,
				  const void *data, const char *const *provenance, struct why *why);

/* A table for people. */
struct table_view {
	const struct table_column *columns;
	int left; /* columns that are text; they come first */
	void (*rows)(const struct table_out *out, const void *data); /* as in struct table */
	const void *data;
	bool (*exact)(const void *row); /* likewise */
	bool fits;			/* as struct grid */
};

/* Prints VIEW if it has rows; returns whether it has any. */
bool table_view_print(FILE *file, const struct table_view *view);

/*
 * ---- How the tables of runs are shown (table_list.c): caption, series, columns in print. A new
 * table needs a row there, besides its columns and the function that makes its rows.
 */

struct shown_table {
	const char *name, *caption;
	const char
	    *counted; /* the words after the number of its games: "games per point"; NULL: none */
	const char
	    *series; /* the name of a series, $COLUMN for a cell of its rows; NULL: one series */
	bool wide;   /* each player is a column beside the tile */
	bool across; /* the same in print, beside the board, if there are several */
	bool data;   /* not printed: a row is a game or a move */
	bool last;   /* printed: of a learner only the row after all of its training */
	const char *printed[14]; /* these columns; none: all */
};

/* In the order in which a reader wants them; ends with a NULL name. */
extern const struct shown_table shown_tables[];

/* The entry called NAME, or NULL. */
const struct shown_table *shown_table_find(const char *name);

/* ---- Parts of tables. */

/*
 * The value of a column: a text, or the digits of a whole number, in the row or in MADE; of a
 * column of reals NULL, and its number.
 */
const char *table_text(const struct table_column *column, const void *row,
		       char made[GRID_TEXT_MAX]);
struct interval table_interval(const struct table_column *column, const void *row);

/*
 * The text of a cell of table_stream(), in the row or in MADE: in ALIGNED columns with few digits,
 * else with all.
 */
const char *table_plain(const struct table_column *column, const void *row, bool aligned,
			char made[GRID_TEXT_MAX]);

/* Writes TEXT between quotes; a quote in TEXT becomes ', as gnuplot has no escape. */
void text_write(FILE *file, const char *text);

/* Write a tab and X, or NaN if it is not finite; likewise value, low and high. */
void number_write(FILE *file, double x);
void interval_write(FILE *file, struct interval x);

/* X with so many DECIMALS, or "-" for NAN; likewise "value [low, high]". */
void number_text(double x, int decimals, char text[GRID_TEXT_MAX]);
void interval_text(struct interval x, int decimals, char text[GRID_TEXT_MAX]);

/* The same of a ratio: with more DECIMALS where a bound that is not 1 would read as 1. */
void ratio_text(struct interval x, int decimals, char text[GRID_TEXT_MAX]);

/* A share from 0 to 1 in percent: "81.2%"; "81.2% [80.1, 82.3]". */
void share_text(double share, int decimals, char text[GRID_TEXT_MAX]);
void percent_text(struct interval x, int decimals, char text[GRID_TEXT_MAX]);

/* The heading of column NAME for people, "time per move" for "ms_per_move", with room for more. */
void title_text(const char *name, char text[GRID_TEXT_MAX]);

/* The decimals of X for three significant digits, at most 9; 0 from 100 on. */
int decimals_of(double x);

/* X milliseconds as "95.1 ns"; "value unit [low, high]" in the unit of the value; "-" for NAN. */
void time_text(double ms, char text[GRID_TEXT_MAX]);
void times_text(struct interval ms, char text[GRID_TEXT_MAX]);

/*
 * Text in aligned columns, as wide as their widest cell. A grid wider than the terminal
 * (text_width()) is printed in several parts, one below the other, each with the columns of text.
 */
struct grid {
	int columns;
	int left;    /* columns that are text, aligned left; they come first */
	bool fits;   /* if all columns fit side by side that way, cells too long in the last text
			column take lines of their own */
	char **text; /* of the cells, row by row; the first row is the header */
	size_t cells;
};

/* Adds the next cell. */
void grid_add(struct grid *grid, const char *text);
int grid_width(const struct grid *grid);
void grid_print(FILE *file, const struct grid *grid);
void grid_fini(struct grid *grid);

#endif
