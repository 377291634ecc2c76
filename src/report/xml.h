/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small reader of XML (1.0), from tag to tag: nothing but what figures need, and nothing believed. */
#ifndef NXN_XML_H
#define NXN_XML_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct xml {
	const char *path; /* for messages */
	const char *start, *at, *end;
	struct why *why;
};

/* A piece of the file. */
struct span {
	const char *at;
	size_t length;
};

bool span_is(struct span a, const char *text);
bool span_among(struct span a, const char *const *list); /* which ends with NULL */

/* STATUS_INPUT: WHAT is wrong, with file and line. */
enum status xml_wrong(const struct xml *x, const char *what);

/* Whether what is to come begins with TEXT. */
bool xml_begins(const struct xml *x, const char *text);

/* Passes what is to come up to the end of the first END. STATUS_INPUT without one. */
MUST_USE enum status xml_pass(struct xml *x, const char *end);

void xml_blanks(struct xml *x);

/* Takes a name; of length 0 if there is none. */
struct span xml_name(struct xml *x);

/* Takes NAME = 'VALUE' behind blanks; NAME is of length 0 at the end of a tag. STATUS_INPUT. */
MUST_USE enum status xml_attribute(struct xml *x, struct span *name, struct span *value);

/* The code of the character that the reference &NAME; is to, or 0. */
unsigned long xml_reference(struct span name);

#endif
