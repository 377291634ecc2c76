/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Candidates for a word of a command line, printed a word a line. */
#ifndef NXN_COMPLETE_H
#define NXN_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The word that is completed. A candidate replaces what is from `text` on, a part of it. */
struct completion {
	const char *word;
};

/* Whether NAME is the first LENGTH bytes of TEXT. */
static inline bool is_name(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* Prints the candidate NAME and SUFFIX if NAME begins with TEXT (complete.c). */
void complete_add(const struct completion *c, const char *text, const char *name,
		  const char *suffix);

/* Adds what can begin with TEXT where --help calls it METAVARIABLE (complete.c). */
void complete_kind(const struct completion *c, const char *metavariable, const char *text);

/* An agent, NAME:KEY=VALUE,..., or the last of a LIST between commas or semicolons. */
void complete_agent(const struct completion *c, const char *text, bool list);

#endif
