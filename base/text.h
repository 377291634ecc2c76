/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text: streams to memory, numbers with the fewest digits, lines of the terminal's width, plain
 * text, suggestions for misspelt names.
 */
#ifndef NXN_TEXT_H
#define NXN_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Opens a stream whose contents become *TEXT, *LENGTH bytes and a NUL, when fclose() returns 0; the
 * caller frees *TEXT. If memory ran out, fclose() returns EOF with errno and *TEXT is NULL. Returns
 * NULL with errno if there is no memory for the stream itself.
 */
FILE *stream_open(char **text, size_t *length);

/*
 * The width of standard output in columns: $COLUMNS, or that of the terminal, else 80; at least 40.
 */
int text_width(void);

/*
 * Prints TEXT and a newline in lines of text_width() columns, broken at blanks, or after commas in
 * words that are too long. INDENT columns of the first line are already used; the other lines begin
 * with INDENT blanks.
 */
void text_fill(FILE *file, int indent, const char *text);

/* text_fill() without an indent for formatted text of at most 4095 bytes. */
__attribute__((format(printf, 2, 3))) void text_printf(FILE *file, const char *format, ...);

/*
 * Decodes the UTF-8 character at TEXT, which ends at END. Returns its length, 1 to 4, and sets
 * *CHARACTER; returns 0 if there is no valid character. Only the shortest form is valid (RFC 3629).
 */
size_t character_read(const char *text, const char *end, uint32_t *character);

/*
 * Returns the number of bytes before the first character of TEXT that is not plain. Plain text is
 * UTF-8 without control characters (C0, DEL, C1), line separators, and characters that change the
 * direction of the text around them, since these could control a terminal or disguise a text.
 */
size_t text_plain(const char *text);

/* Replaces each byte of TEXT that is not plain by '?'. Tabs stay if KEPT is '\t'. */
void text_sanitize(char *text, char kept);

/* A search for the name that the user probably meant by a misspelt word. */
struct suggestion {
	const char *word;
	size_t length;
	int distance;	  /* edit distance of the best name so far; 3: no name is close */
	const char *name; /* the best name, or NULL */
	size_t name_length;
	char names[700]; /* all names tried, "a, b, c", truncated */
};

/*
 * Starts a search for the first LENGTH bytes of WORD. WORD and the names must outlive the result.
 */
struct suggestion suggestion_start(const char *word, size_t length);

/*
 * Makes NAME the suggestion if its edit distance is at most 2, at most half the length of NAME,
 * and less than that of other names.
 */
void suggestion_try(struct suggestion *suggestion, const char *name, size_t length);

/*
 * Writes "did you mean NAME? " with the trailing space, or "" without a suggestion. Returns HINT.
 */
enum { HINT_MAX = 80 };
const char *suggestion_hint(const struct suggestion *suggestion, char hint[HINT_MAX]);

#endif
