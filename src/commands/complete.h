/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Candidates for a word of a command line, printed one per line. */
#ifndef NXN_COMPLETE_H
#define NXN_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The word to complete. A candidate replaces its end, the argument TEXT of the functions below. */
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

/* Adds the candidates that begin with TEXT for an argument METAVARIABLE of --help (complete.c). */
void complete_kind(const struct completion *c, const char *metavariable, const char *text);

/* Adds candidates for an agent, NAME:KEY=VALUE,..., or for the last of a LIST with ',' or ';'. */
void complete_agent(const struct completion *c, const char *text, bool list);

#endif
