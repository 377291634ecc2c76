/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters: one table of fields (base/field.h) per class, used for --help, for checking input,
 * and for the canonical text under which results are filed. A parameter is a member of the private
 * state of its agent or value. A FIELD_VALUE is written `value=NAME` or `value=NAME:TEXT`.
 */
#ifndef NXN_PARAM_H
#define NXN_PARAM_H

#include "base/field.h"

#include <string.h>

enum { SPEC_MAX = 2048 };

/*
 * Returns zeroed state of SIZE bytes, aligned for any kernel, for free(); NULL if memory runs out.
 */
void *params_state(size_t size);

/* Sets every parameter, except FIELD_VALUE, to its default. Defaults in tables must be valid. */
void params_default(const struct field *params, void *self);

/*
 * Appends "key=value" to TEXT of SIZE bytes, with a comma unless it is empty, in table order, for
 * ALL parameters or only for those that differ from their defaults.
 */
void params_format(const struct field *params, const void *self, bool all, char *text, size_t size);

/*
 * A setting, one piece of "key=value,key=value"; or a first word without a key, which sets the
 * first parameter. An '=' after a '+' belongs to a list of settings inside the value.
 */
struct setting {
	const char *key; /* `key_length` characters */
	size_t key_length;
	bool bare; /* a word without a key */
	char text[FIELD_TEXT_MAX];
};

/*
 * Parses the setting at *AT (FIRST: the first of the text) for the table PARAMS of OWNER, and
 * advances *AT past it and its comma. STATUS_INPUT if it is too long, or neither key=value nor the
 * first.
 */
MUST_USE enum status setting_read(const char *owner, const struct field *params, const char **at,
				  bool first, struct setting *setting, struct why *why);

/*
 * Continues SETTING, a text that was parsed with its key: appends the pieces at *AT that have no
 * key, with their commas. STATUS_INPUT if the text becomes too long.
 */
MUST_USE enum status setting_continue(const char *owner, const char **at, struct setting *setting,
				      struct why *why);

/* Returns the '=' after the key of the setting at AT, or NULL. After '+' or '{' it is text. */
static inline const char *setting_equals(const char *at)
{
	return memchr(at, '=', strcspn(at, ",+{"));
}

/* Advances *AT past its setting and the comma. */
static inline void setting_skip(const char **at)
{
	*at += strcspn(*at, ",");
	*at += **at == ',';
}

#endif
