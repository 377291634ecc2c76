/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters: one table a class, with three uses: --help, checking what a user wrote, and the
 * canonical text that results are filed under.
 *
 * A parameter lives in the private state of its agent or value, at `offset`:
 *   PARAM_REAL    double, NAN for its word
 *   PARAM_INT     int64_t, PARAM_WORD for its word
 *   PARAM_SIZE    int64_t, bytes, with an optional suffix K, M or G (powers of 1024)
 *   PARAM_CHOICE  int, the index into `choices` ("sqrt|linear")
 *   PARAM_TEXT    char[PARAM_TEXT_MAX]
 *   PARAM_FILE    the same, the path of a file that is read, or ""
 *   PARAM_COMMAND the same, a program and its arguments, or ""
 *   PARAM_AGENT   the same, another agent, with '+' for ',' in its settings; or a word that is none
 *   PARAM_VALUE   struct value *  (agents/value.h), written `value=NAME` or `value=NAME:TEXT`
 */
#ifndef NXN_PARAM_H
#define NXN_PARAM_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PARAM_TEXT_MAX = 512, SPEC_MAX = 2048 };

/* What PARAM_INT holds when it is set to its word. */
#define PARAM_WORD INT64_MIN

enum param_kind {
	PARAM_REAL,
	PARAM_INT,
	PARAM_SIZE,
	PARAM_CHOICE,
	PARAM_TEXT,
	PARAM_FILE,
	PARAM_COMMAND,
	PARAM_AGENT,
	PARAM_VALUE
};

/* A table of these ends with a NULL name. */
struct param {
	const char *name;
	enum param_kind kind;
	size_t offset;
	const char *fallback; /* the default, as a user would write it */
	double min, max;      /* of numbers */
	/* Of PARAM_CHOICE; for a number a word that may stand instead ("auto"), or NULL. */
	const char *choices;
	const char *doc; /* one line, units included */
	/*
	 * Of a real: a size that makes a difference, for a search that begins at 0 (nxn tune); may
	 * be 0 where the default is a number of that size. PER_TILE: of it times a large tile.
	 */
	double scale;
	bool per_tile;
};

/* The beginning of an entry: the member NAME_ of the struct TYPE_ is a parameter of that name. */
#define PARAM_FIELD(kind_, type_, name_)                                                           \
	.name = #name_, .kind = kind_, .offset = offsetof(struct type_, name_)

/* Whether it holds text as it was written. */
static inline bool param_is_text(const struct param *param)
{
	return param->kind == PARAM_TEXT || param->kind == PARAM_FILE ||
	       param->kind == PARAM_COMMAND || param->kind == PARAM_AGENT;
}

/*
 * Sets the parameter of the state SELF from TEXT. STATUS_INPUT, naming the legal range or choices,
 * if TEXT does not fit. PARAM_VALUE is not handled here.
 */
MUST_USE enum status param_set(const struct param *param, void *self, const char *text,
			       struct why *why);

/* Zeroed state of SIZE bytes for free(), aligned for any kernel; NULL if memory runs out. */
void *params_state(size_t size);

/* The entry called NAME (LENGTH bytes), or NULL. */
const struct param *param_find(const struct param *params, const char *name, size_t length);

/* Sets every parameter but PARAM_VALUE to its default. Tables are trusted: defaults are legal. */
void params_default(const struct param *params, void *self);

/*
 * Appends ",key=value" to TEXT of SIZE bytes, in table order: ALL parameters, or those that differ
 * from their defaults.
 */
void params_format(const struct param *params, const void *self, bool all, char *text, size_t size);

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
	char text[PARAM_TEXT_MAX];
};

/*
 * Reads the piece at *AT, the FIRST or not, for the table PARAMS of OWNER, and steps behind it and
 * its comma. STATUS_INPUT if it is neither key=value nor the first, or too long.
 */
MUST_USE enum status setting_read(const char *owner, const struct param *params, const char **at,
				  bool first, struct setting *setting, struct why *why);

/*
 * Goes on with SETTING, which was read with its key and is a text: the pieces at *AT that have no
 * key belong to it, with their commas. STATUS_INPUT if it gets too long.
 */
MUST_USE enum status setting_go_on(const char *owner, const char **at, struct setting *setting,
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
