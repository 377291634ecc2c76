/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields: members of a struct that people set by text and see as text.
 *
 * A table of fields says once what each member is: its name, kind, place, range, default and one
 * line of help. The options of commands, the parameters of agents and the keys of experiment files
 * are such tables, so a kind is read and printed in the same way wherever it occurs.
 */
#ifndef NXN_FIELD_H
#define NXN_FIELD_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FIELD_TEXT_MAX = 512 };

/* The value of a FIELD_INTEGER that is set to its word. */
#define FIELD_WORD INT64_MIN

/* What the member is, and how it is written. */
enum field_kind {
	FIELD_NONE,    /* no member: a custom reader sets something */
	FIELD_FLAG,    /* bool: 1 or 0; an option that is given sets it */
	FIELD_INT,     /* int: a whole number from min to max */
	FIELD_COUNT,   /* uint64_t: the same */
	FIELD_SIZE,    /* size_t: the same */
	FIELD_INTEGER, /* int64_t: the same, or the word of `choices` */
	FIELD_REAL,    /* double: from min to max; NAN for the word of `choices` */
	FIELD_SHARE,   /* double: as 2% or 0.02, above 0 and at most max; above 1 only in percent */
	FIELD_DURATION, /* double: seconds above 0, as 90s, 10m or 1.5h */
	FIELD_BYTES,	/* uint64_t: from min to max, with K, M, G or T for powers of 1024 */
	FIELD_CHOICE,	/* int: the place of a word in `choices`, "sqrt|linear" */
	FIELD_TEXT,	/* const char *: points to the text that was read */
	FIELD_NAME,	/* the same, but not empty */
	FIELD_CHARS,	/* char[FIELD_TEXT_MAX] */
	FIELD_FILE,	/* the same: the path of a file that is read, or "" */
	FIELD_COMMAND,	/* the same: a program and its arguments, or "" */
	FIELD_AGENT,	/* the same: an agent, with '+' for ',' in its settings */
	FIELD_LIST,	/* struct text_list: a text adds its pieces between commas */
	FIELD_VALUE,	/* struct value *, which agents/agent.c reads and prints */
};

/* A table of these ends with one without a name, or, where some have none, without help. */
struct field {
	const char *name;
	enum field_kind kind;
	size_t offset;	      /* of the member in its struct */
	const char *fallback; /* the default, as it would be written; NULL: what the member holds */
	double min, max;      /* of numbers; both 0: any */
	const char *choices;  /* the words of a choice; of a number, one that stands in its place */
	const char *help;     /* one line, with the unit */
	/*
	 * Of a real: a size that makes a difference, for a search that begins at 0 (nxn tune); may
	 * be 0 where the default is a number of that size. PER_TILE: of it times a large tile.
	 */
	double scale;
	bool per_tile;
};

/* The beginning of an entry: the member NAME_ of the struct TYPE_ has that name. */
#define FIELD_MEMBER(kind_, type_, name_)                                                          \
	.name = #name_, .kind = kind_, .offset = offsetof(struct type_, name_)

/* The entry called NAME (LENGTH bytes) of FIELDS, or NULL. */
const struct field *field_find(const struct field *fields, const char *name, size_t length);

/*
 * Sets the member of FIELD in the struct SELF from TEXT. STATUS_INPUT names WHAT, TEXT and what
 * would be right; STATUS_SYSTEM when memory for a list runs out.
 */
MUST_USE enum status field_read(const struct field *field, const char *what, void *self,
				const char *text, struct why *why);

/* Writes the member as field_read() reads it, with the fewest digits that read back the same. */
void field_print(const struct field *field, const void *self, char text[FIELD_TEXT_MAX]);

/* Whether the member is characters as they were written. */
static inline bool field_is_chars(const struct field *field)
{
	return field->kind >= FIELD_CHARS && field->kind <= FIELD_AGENT;
}

/*
 * Reads a whole number from MIN to MAX in decimal digits and nothing else. STATUS_INPUT names WHAT
 * and the range.
 */
MUST_USE enum status number_parse(const char *what, const char *text, uint64_t min, uint64_t max,
				  uint64_t *number, struct why *why);

/* An ordered list of texts, each on the heap. Zeroed is empty. */
struct text_list {
	char **item;
	size_t n;
};

/* Appends a copy of the first LENGTH bytes of TEXT. STATUS_SYSTEM when memory runs out. */
MUST_USE enum status list_add(struct text_list *list, const char *text, size_t length,
			      struct why *why);

/*
 * Appends the pieces of TEXT between SEPARATORs. What follows a separator, REST, belongs to the
 * piece of LENGTH bytes before it if CONTINUES (which may be NULL) says so. STATUS_INPUT names WHAT
 * if a piece is empty.
 */
MUST_USE enum status list_split(
    struct text_list *list, const char *what, const char *text, char separator,
    bool (*continues)(const char *piece, size_t length, const char *rest), struct why *why);

void list_free(struct text_list *list);

#endif
