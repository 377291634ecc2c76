/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All tables that runs leave, and how each is shown: its caption, its series, its columns in print.
 * A new table is a row here, beside its columns and rows where they are made (table.h).
 */
#ifndef NXN_TABLE_LIST_H
#define NXN_TABLE_LIST_H

#include <stdbool.h>

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

#endif
