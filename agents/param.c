/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameter tables: setting, checking and writing back; text taken apart into settings; see
 * param.h.
 *
 * Invariants: the canonical text of a state, set again on a fresh state, gives the same state,
 * because numbers are written with the fewest digits that read back as themselves. The pieces of a
 * text, put together with commas, are the text.
 */
#include "agents/param.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *slot(const struct param *param, void *self)
{
	return (char *)self + param->offset;
}

static const void *slot_const(const struct param *param, const void *self)
{
	return (const char *)self + param->offset;
}

void *params_state(size_t size)
{
	enum { ALIGNMENT = 64 };
	const size_t whole = (size / ALIGNMENT + 1) * ALIGNMENT;
	void *state = aligned_alloc(ALIGNMENT, whole);
	return state ? memset(state, 0, whole) : NULL;
}

const struct param *param_find(const struct param *params, const char *name, size_t length)
{
	for (; params->name; params++)
		if (strlen(params->name) == length && memcmp(params->name, name, length) == 0)
			return params;
	return NULL;
}

/* Whether TEXT is the word that PARAM takes instead of a number. */
static bool is_word(const struct param *param, const char *text)
{
	return param->choices && strcmp(param->choices, text) == 0;
}

/* " or auto", for messages. */
static const char *or_word(const struct param *param, char text[32])
{
	snprintf(text, 32, param->choices ? " or %s" : "%s", param->choices ? param->choices : "");
	return text;
}

static enum status real_set(const struct param *param, double *out, const char *text,
			    struct why *why)
{
	char *end, word[32];
	double x = strtod(text, &end);
	if (is_word(param, text)) {
		*out = NAN;
		return STATUS_OK;
	}
	/* The first test also keeps out blanks, "inf" and "nan". */
	if (!strchr("+-.0123456789", text[0]) || end == text || *end || !isfinite(x) ||
	    x < param->min || x > param->max || (signbit(x) && param->min >= 0))
		return why_set(why, STATUS_INPUT, "%s=%.40s: expected a number from %g to %g%s",
			       param->name, text, param->min, param->max, or_word(param, word));
	*out = x + 0; /* 0 for -0, so that equal agents have equal texts */
	return STATUS_OK;
}

static enum status int_set(const struct param *param, int64_t *out, const char *text,
			   struct why *why)
{
	char *end, word[32];
	errno = 0;
	long long x = strtoll(text, &end, 10);
	if (is_word(param, text)) {
		*out = PARAM_WORD;
		return STATUS_OK;
	}
	if (!strchr("-0123456789", text[0]) || end == text || *end || errno ||
	    (double)x < param->min || (double)x > param->max)
		return why_set(why, STATUS_INPUT,
			       "%s=%.40s: expected an integer from %.0f to %.0f%s", param->name,
			       text, param->min, param->max, or_word(param, word));
	*out = x;
	return STATUS_OK;
}

static enum status size_set(const struct param *param, int64_t *out, const char *text,
			    struct why *why)
{
	static const char suffixes[] = "KMGT";
	char *end;
	errno = 0;
	long long x = strtoll(text, &end, 10);
	const char *suffix = *end ? strchr(suffixes, *end) : NULL;
	int shift = suffix ? 10 * (int)(suffix - suffixes + 1) : 0;
	if (text[0] < '0' || text[0] > '9' || errno || (*end && (!suffix || end[1])) ||
	    (double)x * (double)(1LL << shift) < param->min ||
	    (double)x * (double)(1LL << shift) > param->max)
		return why_set(why, STATUS_INPUT,
			       "%s=%.40s: expected bytes from %.0f to %.0f, such as 64M",
			       param->name, text, param->min, param->max);
	*out = x << shift;
	return STATUS_OK;
}

/* The NUMBER-th of the words in "a|b|c"; its length, or 0 behind the last. */
static size_t choice_at(const char *choices, int number, const char **word)
{
	while (number-- > 0) {
		choices = strchr(choices, '|');
		if (!choices)
			return 0;
		choices++;
	}
	*word = choices;
	return strcspn(choices, "|");
}

static enum status choice_set(const struct param *param, int *out, const char *text,
			      struct why *why)
{
	const char *word;
	size_t length;
	for (int i = 0; (length = choice_at(param->choices, i, &word)) > 0; i++)
		if (strlen(text) == length && memcmp(word, text, length) == 0) {
			*out = i;
			return STATUS_OK;
		}
	return why_set(why, STATUS_INPUT, "%s=%.40s: expected one of %s", param->name, text,
		       param->choices);
}

static enum status text_set(const struct param *param, char *out, const char *text, struct why *why)
{
	if (strlen(text) >= PARAM_TEXT_MAX)
		return why_set(why, STATUS_INPUT, "%s=%.40s...: expected fewer than %d characters",
			       param->name, text, PARAM_TEXT_MAX);
	memset(out, 0, PARAM_TEXT_MAX);
	strcpy(out, text);
	return STATUS_OK;
}

enum status param_set(const struct param *param, void *self, const char *text, struct why *why)
{
	switch (param->kind) {
	case PARAM_REAL:
		return real_set(param, slot(param, self), text, why);
	case PARAM_INT:
		return int_set(param, slot(param, self), text, why);
	case PARAM_SIZE:
		return size_set(param, slot(param, self), text, why);
	case PARAM_CHOICE:
		return choice_set(param, slot(param, self), text, why);
	case PARAM_TEXT:
	case PARAM_FILE:
	case PARAM_COMMAND:
	case PARAM_AGENT:
		return text_set(param, slot(param, self), text, why);
	case PARAM_VALUE:
		break;
	}
	return why_set(why, STATUS_INPUT, "%s: not set by text", param->name);
}

void params_default(const struct param *params, void *self)
{
	for (; params->name; params++) {
		if (params->kind == PARAM_VALUE)
			continue;
		enum status status = param_set(params, self, params->fallback, NULL);
		(void)status; /* tables are trusted; a test sets every default of every class */
	}
}

static void param_format(const struct param *param, const void *self, char *text, size_t size)
{
	const void *at = slot_const(param, self);
	const char *word = "";
	char number[REAL_TEXT_MAX];
	int length;
	switch (param->kind) {
	case PARAM_REAL:
		real_format(*(const double *)at, number);
		snprintf(text, size, "%s", isnan(*(const double *)at) ? param->choices : number);
		break;
	case PARAM_INT:
	case PARAM_SIZE:
		snprintf(number, sizeof number, "%" PRId64, *(const int64_t *)at);
		snprintf(text, size, "%s",
			 *(const int64_t *)at == PARAM_WORD ? param->choices : number);
		break;
	case PARAM_CHOICE:
		length = (int)choice_at(param->choices, *(const int *)at, &word);
		snprintf(text, size, "%.*s", length, word);
		break;
	case PARAM_TEXT:
	case PARAM_FILE:
	case PARAM_COMMAND:
	case PARAM_AGENT:
		snprintf(text, size, "%s", (const char *)at);
		break;
	case PARAM_VALUE:
		snprintf(text, size, "%s", "");
		break;
	}
}

/* The default as it is written back, however the table spells it. */
static void default_format(const struct param *param, char *text, size_t size)
{
	union {
		double real;
		int64_t integer;
		int choice;
		char text[PARAM_TEXT_MAX];
	} fallback = {.text = ""};
	struct param at_start = *param;
	at_start.offset = 0;
	enum status status = param_set(&at_start, &fallback, param->fallback, NULL);
	(void)status; /* tables are trusted */
	param_format(&at_start, &fallback, text, size);
}

void params_format(const struct param *params, const void *self, bool all, char *text, size_t size)
{
	for (; params->name; params++) {
		char now[PARAM_TEXT_MAX], fallback[PARAM_TEXT_MAX];
		if (params->kind == PARAM_VALUE)
			continue;
		param_format(params, self, now, sizeof now);
		if (!all)
			default_format(params, fallback, sizeof fallback);
		if (!all && strcmp(now, fallback) == 0)
			continue;
		const size_t used = strlen(text);
		snprintf(text + used, size - used, ",%s=%s", params->name, now);
	}
}

int tiles_read(const char *text, int least, int most, int n, int *exponent)
{
	int count = 0;
	for (const char *at = text; *at; count++) {
		char *end;
		const unsigned long long tile = strtoull(at, &end, 10);
		const int k = tile ? __builtin_ctzll(tile) : 0;
		if (end == at || k < least || k > most || tile != 1ULL << k || count == n ||
		    (*end && (*end != '+' || !end[1])))
			return -1;
		exponent[count] = k;
		least = k + 1;
		at = end + (*end == '+');
	}
	return count;
}

static enum status piece_refuse(const char *owner, const char *piece, struct why *why)
{
	size_t length = strcspn(piece, ",");
	return why_set(why, STATUS_INPUT, "%s: '%.*s': expected key=value", owner,
		       (int)(length < 40 ? length : 40), piece);
}

/* Appends LENGTH bytes at PIECE to the text of SETTING, of which USED are there. */
static enum status setting_append(const char *owner, const char *piece, size_t length, size_t used,
				  struct setting *setting, struct why *why)
{
	if (length >= sizeof setting->text - used)
		return why_set(why, STATUS_INPUT, "%s: the value at '%.40s' is too long", owner,
			       piece);
	memcpy(setting->text + used, piece, length);
	setting->text[used + length] = '\0';
	return STATUS_OK;
}

enum status setting_read(const char *owner, const struct param *params, const char **at, bool first,
			 struct setting *setting, struct why *why)
{
	const char *piece = *at, *equals = setting_equals(piece);
	const char *text = equals ? equals + 1 : piece;
	if (!equals && (!first || !params->name))
		return piece_refuse(owner, piece, why);
	setting->bare = !equals;
	setting->key = equals ? piece : params->name;
	setting->key_length = equals ? (size_t)(equals - piece) : strlen(setting->key);
	setting_skip(at);
	return setting_append(owner, text, strcspn(text, ","), 0, setting, why);
}

enum status setting_go_on(const char *owner, const char **at, struct setting *setting,
			  struct why *why)
{
	while (**at && **at != ',' && !setting_equals(*at)) {
		size_t length = strcspn(*at, ",");
		/* With the comma before it. */
		enum status status =
		    setting_append(owner, *at - 1, length + 1, strlen(setting->text), setting, why);
		if (status)
			return status;
		setting_skip(at);
	}
	return STATUS_OK;
}
