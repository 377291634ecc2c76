/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables as text: what a column holds is said once, and printed for programs or for people.
 *
 * A table for programs is tidy: `#` lines (provenance, how intervals were made, units), one row of
 * quoted column names, and tab-separated rows of as many fields. Text is quoted, missing numbers
 * are NaN, and all intervals are 95%: NAME, NAME_low, NAME_high. tsv.h splits it into blocks for
 * figures.
 *
 * A table for people is text in aligned columns under a header: "value [low, high]", "-" for what
 * is missing. Write errors stay in the FILE: the caller checks ferror() or fclose().
 */
#ifndef NXN_TABLE_H
#define NXN_TABLE_H

#include "analysis/stats/stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { GRID_TEXT_MAX = 160, GRID_COLUMNS_MAX = 16 };

/* ---- Tables of typed columns. */

/* What a row has at the offset of a column. */
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
	int width;	    /* on a terminal where rows come up one by one; 0: 8, or its name's */
	const char *bounds; /* "X" for X_low and X_high, if X is not NAME */
	/*
	 * Makes what no member holds: a number or an interval; or a text, for people or a
	 * TABLE_TEXT.
	 */
	struct interval (*get)(const void *row);
	void (*text)(const void *row, char text[GRID_TEXT_MAX]);
};

/* A column with a MEMBER of the rows, each a ROW; FIXED with so many decimals for people. */
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

/* The lines that a table begins with: "# " before each, ends with NULL; may be NULL. */
void table_comments(FILE *file, const char *const *lines);

/* What follows PREFIX in one of such LINES, or NULL. */
const char *note_find(const char *const *lines, const char *prefix);

/* Where the rows of a table go. */
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
	/* Whether the intervals of a row are numbers, for people; NULL: no row's are. */
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
	 * For people: what answers the first question; FULL: what stands around the tables that are
	 * printed in full, by tables_text(). NULL: the rows of the table as they come up, on a
	 * terminal in aligned columns, else all digits with tabs between.
	 */
	void (*print)(FILE *file, const void *data, bool full);
	/* `#` lines of each, behind provenance; NULL: none. */
	void (*head)(FILE *file, const void *data);
	struct table table[16]; /* 15 at most, and a NULL name */
};

/* The one called NAME, or NULL. */
const struct table *table_find(const struct tables *tables, const char *name);

/* Writes TABLE of TABLES, made of DATA; PROVENANCE as in table_comments(). */
void table_write(FILE *file, const struct tables *tables, const struct table *table,
		 const void *data, const char *const *provenance);

/*
 * The same as JSON Lines: one object per line. The first is of "kind": "provenance", with the name
 * of the "table", its "units" and "notes", an array of the lines of its head; the others are rows,
 * of the kind that the table is called, with a member for each column. What is no number is null.
 */
void table_json(FILE *file, const struct tables *tables, const struct table *table,
		const void *data, const char *const *provenance);

/*
 * Prints for people those of TABLES that NAMES lists, which ends with NULL, and that have rows: the
 * caption, and the columns in print (below) as text, less those in which nothing is known.
 */
void tables_text(FILE *file, const struct tables *tables, const char *const *names,
		 const void *data);

/* Prints the rows of TABLE for people, each as soon as it is made. */
void table_stream(FILE *file, const struct table *table, const void *data);

/*
 * Prints those of TABLES for people, FULL or not, or else the one called NAME, made of DATA;
 * PROVENANCE as in table_comments(), and not for people.
 */
void tables_print(const struct table_printer *printer, const struct tables *tables,
		  const char *name, const void *data, bool full, const char *const *provenance);

/*
 * Writes all of TABLES into the folder DIRECTORY/tables, which is made. STATUS_INPUT if
 * a path is too long, STATUS_SYSTEM if a file cannot be written.
 */
MUST_USE enum status tables_write(const char *directory, const struct tables *tables,
				  const void *data, const char *const *provenance, struct why *why);

/* A table for people. */
struct table_view {
	const struct table_column *columns; /* at most GRID_COLUMNS_MAX */
	int left;			    /* columns that are text; they come first */
	void (*rows)(const struct table_out *out, const void *data); /* as in struct table */
	const void *data;
	bool (*exact)(const void *row); /* likewise */
	bool fits;			/* as struct grid */
};

/* Prints VIEW, if it has rows: whether it has. */
bool table_view_print(FILE *file, const struct table_view *view);

/*
 * ---- How tables are shown that runs leave (table_list.c): the caption, the series, the columns in
 * print. A new table is a row there, beside its columns and rows where they are made.
 */

struct shown_table {
	const char *name, *caption;
	const char
	    *counted; /* of what its games or positions are so many: "per point"; NULL: not told */
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

/* That called NAME, or NULL. */
const struct shown_table *shown_table_find(const char *name);

/* ---- Their parts. */

/* The value of a column of text, which may be made in TEXT; of a column of reals. */
const char *table_text(const struct table_column *column, const void *row,
		       char text[GRID_TEXT_MAX]);
struct interval table_interval(const struct table_column *column, const void *row);

/* Text between quotes, followed by SUFFIX within them; gnuplot knows no escape for a quote. */
void text_write(FILE *file, const char *text, const char *suffix);

/* A tab, then X, or NaN where it is not finite; value, low and high like that. */
void number_write(FILE *file, double x);
void interval_write(FILE *file, struct interval x);

/* X with so many DECIMALS, or "-"; "value [low, high]" like that. */
void number_text(double x, int decimals, char text[GRID_TEXT_MAX]);
void interval_text(struct interval x, int decimals, char text[GRID_TEXT_MAX]);

/* The same of a ratio: with more DECIMALS where a bound that is not 1 would read as 1. */
void ratio_text(struct interval x, int decimals, char text[GRID_TEXT_MAX]);

/* A share from 0 to 1 in percent: "81.2%"; "81.2% [80.1, 82.3]". */
void share_text(double share, int decimals, char text[GRID_TEXT_MAX]);
void percent_text(struct interval x, int decimals, char text[GRID_TEXT_MAX]);

/* The heading of a column NAME for people: "time per move" of "ms_per_move", with room for more. */
void title_text(const char *name, char text[GRID_TEXT_MAX]);

/* Three significant digits, and never less than whole numbers. */
int decimals_of(double x);

/* X milliseconds as "95.1 ns"; "value unit [low, high]" in the unit of the value; "-" for NAN. */
void time_text(double ms, char text[GRID_TEXT_MAX]);
void times_text(struct interval ms, char text[GRID_TEXT_MAX]);

/*
 * Text in aligned columns, as wide as their widest cell. What is wider than the terminal
 * (text_width()) is printed in several parts, one below the other, each with the columns of text.
 */
struct grid {
	int columns; /* at most GRID_COLUMNS_MAX */
	int left;    /* columns that are text, aligned left; they come first */
	bool fits;   /* where that makes all columns fit side by side, what is too long in the last
			text column stands on a line of its own */
	char **text; /* of the cells, row by row; the first row is the header */
	size_t cells;
};

/* Adds the next cell. */
void grid_add(struct grid *grid, const char *text);
int grid_width(const struct grid *grid);
void grid_print(FILE *file, const struct grid *grid);
void grid_fini(struct grid *grid);

#endif
