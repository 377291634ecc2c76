/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text: written to memory through a FILE, numbers that read back the same, lines as wide as the
 * terminal, misspelt names.
 */
#ifndef NXN_TEXT_H
#define NXN_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * A file whose contents become *TEXT, with a NUL behind its *LENGTH bytes, when fclose() returns 0;
 * they are the caller's to free. When memory ran out for any of it fclose() returns EOF with errno,
 * and *TEXT is NULL. NULL with errno if there is not even memory to begin.
 */
FILE *stream_open(char **text, size_t *length);

enum { REAL_TEXT_MAX = 32 };

/* Writes X, which is finite, with the fewest digits that read back as X. */
void real_format(double x, char text[REAL_TEXT_MAX]);

/*
 * The columns that standard output has: those of COLUMNS, or of its terminal; 80 where nobody
 * knows, and at least 40.
 */
int text_width(void);

/*
 * Writes TEXT and a newline, broken at blanks, and words too long for a line behind commas, into
 * lines of text_width(); those behind the first begin with INDENT blanks, and INDENT columns of the
 * first are taken.
 */
void text_fill(FILE *file, int indent, const char *text);

/* The same of what FORMAT makes, without an indent: at most 4095 bytes. */
__attribute__((format(printf, 2, 3))) void text_printf(FILE *file, const char *format, ...);

/*
 * The bytes of the UTF-8 character at TEXT, which ends at END: 1 to 4, with its number in *CHARACTER;
 * 0 if there is none. Only the shortest form counts (RFC 3629).
 */
size_t character_read(const char *text, const char *end, uint32_t *character);

/*
 * How many bytes of TEXT are plain before the first character that is not: UTF-8 without control
 * characters (C0, DEL, C1), line separators, and characters that change the direction of what
 * surrounds them. Plain text cannot command a terminal, nor look like another text by its order.
 */
size_t text_plain(const char *text);

/* Replaces each byte of TEXT that is not plain by '?', tabs too unless KEPT is '\t'. */
void text_sanitize(char *text, char kept);

/* A search for the name that a misspelt word was meant to be. */
struct suggestion {
	const char *word;
	size_t length;
	int distance;	  /* in edits, of the closest name so far; 3: none is close */
	const char *name; /* that name, or NULL */
	size_t name_length;
	char names[700]; /* all names tried, "a, b, c", as far as they fit */
};

/* Starts a guess at the first LENGTH bytes of WORD. WORD and the names must outlive it. */
struct suggestion suggestion_start(const char *word, size_t length);

/* Takes NAME if it is within two edits, at most half its letters, and closer than others. */
void suggestion_try(struct suggestion *suggestion, const char *name, size_t length);

/* Writes "did you mean NAME? " with its last space, or "" if there is no name. Returns HINT. */
enum { HINT_MAX = 80 };
const char *suggestion_hint(const struct suggestion *suggestion, char hint[HINT_MAX]);

#endif
