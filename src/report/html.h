/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text into HTML, so that it stays text: what any label, path or file brings along can neither
 * break the page nor put anything into it. All of it is XML as well, so that any parser can check
 * a page.
 */
#ifndef NXN_HTML_H
#define NXN_HTML_H

#include "analysis/stats/stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * TEXT, fit for an element and for an attribute between quotes: markup escaped, bytes that are no
 * UTF-8 and characters that XML does not have replaced by U+FFFD.
 */
void html_text(FILE *file, const char *text);
void html_text_part(FILE *file, const char *text, size_t length);

/* The same, which may be broken into lines behind commas and colons: for long specifications. */
void html_breakable(FILE *file, const char *text);

/* TEXT as a word for id= and #: letters, digits, "-", "_" and "."; all else becomes "-". */
void html_word(FILE *file, const char *text);

/*
 * A relative PATH for href=: "./", then PATH with what is not plain in percent; never a scheme or
 * a host.
 */
void html_path(FILE *file, const char *path);

/* A data: URI of SIZE bytes of the media TYPE, without markup, for src=. */
void html_data(FILE *file, const char *type, const char *bytes, size_t size);

/*
 * A number of a table, "value [low, high]", its digits in threes; with an exponent if SCIENTIFIC,
 * see sheet_format_as().
 */
void html_number(FILE *file, struct interval x, bool scientific);

/* Like fprintf(), with the escaped texts in place of the %s. */
__attribute__((format(printf, 2, 3))) void html_print(FILE *file, const char *format, ...);

#endif
