/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters: one table of fields (base/field.h) a class, with three uses: --help, checking what a
 * user wrote, and the canonical text that results are filed under. A parameter lives in the private
 * state of its agent or value. A FIELD_VALUE is written `value=NAME` or `value=NAME:TEXT`.
 */
#ifndef NXN_PARAM_H
#define NXN_PARAM_H

#include "base/field.h"

#include <string.h>

enum { SPEC_MAX = 2048 };

/* Zeroed state of SIZE bytes for free(), aligned for any kernel; NULL if memory runs out. */
void *params_state(size_t size);

/* Sets every parameter but a FIELD_VALUE to its default. Tables are trusted: defaults are legal. */
void params_default(const struct field *params, void *self);

/*
 * Appends ",key=value" to TEXT of SIZE bytes, in table order: ALL parameters, or those that differ
 * from their defaults.
 */
void params_format(const struct field *params, const void *self, bool all, char *text, size_t size);

/*
 * Reads a list of rising tiles, as in 512+1024, with exponents from LEAST to MOST, at most N of
 * them. Their number; -1 if TEXT is no such list.
 */
int tiles_read(const char *text, int least, int most, int n, int *exponent);

/*
 * A piece of "key=value,key=value"; or a first word without a key, which goes to the first
 * parameter. '=' behind a '+' does not count: it belongs to a list of settings in the value.
 */
struct setting {
	const char *key; /* KEY_LENGTH characters */
	size_t key_length;
	bool bare; /* the word has no key */
	char text[FIELD_TEXT_MAX];
};

/*
 * Reads the piece at *AT, the FIRST or not, for the table PARAMS of OWNER, and steps behind it and
 * its comma. STATUS_INPUT if it is neither key=value nor the first, or too long.
 */
MUST_USE enum status setting_read(const char *owner, const struct field *params, const char **at,
				  bool first, struct setting *setting, struct why *why);

/*
 * Goes on with SETTING, which was read with its key and is a text: the pieces at *AT that have no
 * key belong to it, with their commas. STATUS_INPUT if it gets too long.
 */
MUST_USE enum status setting_continue(const char *owner, const char **at, struct setting *setting,
				      struct why *why);

/* The '=' behind the key of the piece at AT, or NULL. */
static inline const char *setting_equals(const char *at)
{
	return memchr(at, '=', strcspn(at, ",+"));
}

/* Steps behind the piece at *AT and its comma. */
static inline void setting_skip(const char **at)
{
	*at += strcspn(*at, ",");
	*at += **at == ',';
}

#endif
