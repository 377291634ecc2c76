/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields: members of a struct that users set and see as text.
 *
 * A table of fields describes each member once: its name, kind, offset, range, default and one line
 * of help. The options of commands, the parameters of agents and the keys of experiment files are
 * such tables, so a kind is read and printed the same way everywhere.
 */
#ifndef NXN_FIELD_H
#define NXN_FIELD_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FIELD_TEXT_MAX = 512 };

/* The value of a FIELD_INTEGER that holds the word in `choices` instead of a number. */
#define FIELD_WORD INT64_MIN

/* The C type of the member, and its text. */
enum field_kind {
	FIELD_NONE,	/* no member of its own: a custom reader sets something else */
	FIELD_FLAG,	/* bool: 1 or 0; set by an option without an argument */
	FIELD_INT,	/* int: an integer from min to max */
	FIELD_COUNT,	/* uint64_t: an integer from min to max */
	FIELD_SIZE,	/* size_t: an integer from min to max */
	FIELD_INTEGER,	/* int64_t: an integer from min to max, or the word in `choices` */
	FIELD_REAL,	/* double: from min to max; NAN for the word in `choices` */
	FIELD_SHARE,	/* double: 2% or 0.02; from 1e-9 to max; above 1 only in percent */
	FIELD_DURATION, /* double: seconds above 0, written 90s, 10m or 1.5h */
	FIELD_BYTES,	/* uint64_t: from min to max; K, M, G, T are powers of 1024 */
	FIELD_CHOICE,	/* int: the index of a word in `choices`, "sqrt|linear" */
	FIELD_TEXT,	/* const char *: the text itself, not copied */
	FIELD_NAME,	/* const char *: not copied, not empty */
	FIELD_CHARS,	/* char[FIELD_TEXT_MAX] */
	FIELD_FILE,	/* char[FIELD_TEXT_MAX]: path of a file to read, or "" */
	FIELD_COMMAND,	/* char[FIELD_TEXT_MAX]: a program and its arguments, or "" */
	FIELD_AGENT,	/* char[FIELD_TEXT_MAX]: an agent, with '+' for ',' in its settings */
	FIELD_LIST,	/* struct text_list: each reading appends the pieces between commas */
	FIELD_VALUE,	/* struct value *: read and printed by agents/agent.c */
};

/*
 * A table ends with an entry without a name; a table with nameless entries ends with one without
 * help.
 */
struct field {
	const char *name;
	enum field_kind kind;
	size_t offset;	      /* of the member in its struct */
	const char *fallback; /* the default as text; NULL: the present value of the member */
	double min, max;      /* range of numbers; both 0: a FIELD_COUNT without limits */
	const char *choices;  /* words of a choice; for a number, the word in its place */
	const char *help;     /* one line, with the unit */
	/*
	 * Of a FIELD_REAL: a typical change, by which nxn tune begins to search around 0; 0: the
	 * magnitude of the default. With `per_tile` the scale is divided by a large tile.
	 */
	double scale;
	bool per_tile;
};

/* Begins an entry for the member NAME_ of struct TYPE_, with the same name. */
#define FIELD_MEMBER(kind_, type_, name_)                                                          \
	.name = #name_, .kind = kind_, .offset = offsetof(struct type_, name_)

/* Returns the entry of FIELDS with the first LENGTH bytes of NAME as its name, or NULL. */
const struct field *field_find(const struct field *fields, const char *name, size_t length);

/*
 * Sets the member of FIELD in the struct SELF from TEXT. STATUS_INPUT with WHAT, TEXT and the
 * values that are allowed; STATUS_SYSTEM if memory for a list runs out.
 */
MUST_USE enum status field_read(const struct field *field, const char *what, void *self,
				const char *text, struct why *why);

/*
 * Formats the member with the fewest digits that field_read() reads back as the same value, except
 * durations (seconds without a unit), shares above 1, and lists and values ("").
 */
void field_print(const struct field *field, const void *self, char text[FIELD_TEXT_MAX]);

/* Returns whether the member is an array of characters, which holds a copy of the text. */
static inline bool field_is_chars(const struct field *field)
{
	return field->kind >= FIELD_CHARS && field->kind <= FIELD_AGENT;
}

/*
 * Parses TEXT, an integer from MIN to MAX in decimal digits and nothing else. STATUS_INPUT with
 * WHAT and the range.
 */
MUST_USE enum status number_parse(const char *what, const char *text, uint64_t min, uint64_t max,
				  uint64_t *number, struct why *why);

/* A list of texts on the heap. A zeroed list is empty. */
struct text_list {
	char **item;
	size_t n;
};

/* Appends a copy of the first LENGTH bytes of TEXT. STATUS_SYSTEM if memory runs out. */
MUST_USE enum status list_add(struct text_list *list, const char *text, size_t length,
			      struct why *why);

/*
 * Splits TEXT at SEPARATOR and appends the pieces. If CONTINUES is not NULL and returns true for a
 * piece of LENGTH bytes and the text REST after the separator, then REST does not begin a new piece
 * but continues that one. STATUS_INPUT with WHAT if a piece is empty.
 */
MUST_USE enum status list_split(
    struct text_list *list, const char *what, const char *text, char separator,
    bool (*continues)(const char *piece, size_t length, const char *rest), struct why *why);

void list_free(struct text_list *list);

#endif
