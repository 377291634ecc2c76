/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields; see field.h. base/number.h reads the numbers.
 *
 * Invariant: field_read() reads back what field_print() writes, with the exceptions in field.h.
 */
#include "base/field.h"

#include "base/number.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct field *field_find(const struct field *fields, const char *name, size_t length)
{
	for (; fields->name; fields++)
		if (strlen(fields->name) == length && memcmp(fields->name, name, length) == 0)
			return fields;
	return NULL;
}

/* Writes " or WORD" for messages, or "" if FIELD has no word in place of a number. */
static const char *or_word(const struct field *field, char text[64])
{
	snprintf(text, 64, field->choices ? " or %s" : "%s", field->choices ? field->choices : "");
	return text;
}

static bool is_word(const struct field *field, const char *text)
{
	return field->choices && strcmp(field->choices, text) == 0;
}

static uint64_t number_of(double bound)
{
	return bound >= 0x1p64 ? UINT64_MAX : (uint64_t)bound;
}

enum status number_parse(const char *what, const char *text, uint64_t min, uint64_t max,
			 uint64_t *number, struct why *why)
{
	uint64_t n;
	if (!whole_parse(text, &n) || n < min || n > max)
		return why_set(why, STATUS_INPUT,
			       "%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64, what,
			       text, min, max);
	*number = n;
	return STATUS_OK;
}

static enum status integer_read(const struct field *field, const char *what, int64_t *out,
				const char *text, struct why *why)
{
	char word[64];
	uint64_t n = 0;
	const bool below = *text == '-';
	if (is_word(field, text)) {
		*out = FIELD_WORD;
		return STATUS_OK;
	}
	const bool whole = whole_parse(text + below, &n) && n <= INT64_MAX;
	const int64_t x = below ? -(int64_t)n : (int64_t)n;
	if (!whole || (double)x < field->min || (double)x > field->max)
		return why_set(why, STATUS_INPUT,
			       "%s: '%.80s' is not a whole number from %.0f to %.0f%s", what, text,
			       field->min, field->max, or_word(field, word));
	*out = x;
	return STATUS_OK;
}

static enum status real_read(const struct field *field, const char *what, double *out,
			     const char *text, struct why *why)
{
	double x;
	char word[64];
	if (is_word(field, text)) {
		*out = NAN;
		return STATUS_OK;
	}
	if (!real_parse(text, &x) || x < field->min || x > field->max ||
	    (signbit(x) && field->min >= 0))
		return why_set(why, STATUS_INPUT, "%s: '%.80s' is not a number from %g to %g%s",
			       what, text, field->min, field->max, or_word(field, word));
	*out = x + 0; /* 0 instead of -0, so that equal values have equal texts */
	return STATUS_OK;
}

/* Without a percent sign, a value above 1 is an error: 5 is more likely to mean 5% than 500%. */
static enum status share_read(const struct field *field, const char *what, double *out,
			      const char *text, struct why *why)
{
	double x;
	const char *end = real_scan(text, &x);
	const bool percent = end && strcmp(end, "%") == 0;
	if (percent)
		x /= 100;
	if (!end || (*end && !percent) || !(x >= 1e-9 && x <= field->max))
		return why_set(why, STATUS_INPUT,
			       "%s: '%.80s' is not a share such as 2%% or 0.02, at most %g%%", what,
			       text, 100 * field->max);
	if (!percent && x > 1)
		return why_set(why, STATUS_INPUT, "%s: '%s' would be %g%%; write '%s%%', or that",
			       what, text, 100 * x, text);
	*out = x;
	return STATUS_OK;
}

static enum status duration_read(const char *what, double *out, const char *text, struct why *why)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}};
	double x;
	const char *end = real_scan(text, &x);
	const bool plain = end && text + strspn(text, "0123456789.") == end;
	for (size_t i = 0; plain && i < sizeof units / sizeof *units; i++) {
		const double seconds = x * units[i].seconds;
		if (strcmp(end, units[i].name) != 0 || !(seconds > 0 && seconds < 1e10))
			continue;
		*out = seconds;
		return STATUS_OK;
	}
	return why_set(why, STATUS_INPUT, "%s: '%.80s' is not a time such as 90s, 10m or 1.5h",
		       what, text);
}

static const char suffixes[] = "KMGT";

/* Formats bytes as in "800M". */
static void bytes_print(double bytes, char text[32])
{
	int power = 0;
	for (; power < 4 && bytes >= 1024 && fmod(bytes, 1024) == 0; power++)
		bytes /= 1024;
	snprintf(text, 32, "%.0f%.1s", bytes, power ? suffixes + power - 1 : "");
}

static enum status bytes_read(const struct field *field, const char *what, uint64_t *out,
			      const char *text, struct why *why)
{
	char least[32], most[32];
	uint64_t number = 0;
	const char *end = whole_scan(text, &number);
	const char *suffix = end && *end ? strchr(suffixes, *end) : NULL;
	const int shift = suffix ? 10 * (int)(suffix - suffixes + 1) : 0;
	const uint64_t min = number_of(field->min), max = number_of(field->max);
	bytes_print(field->min, least);
	bytes_print(field->max, most);
	if (!end || (*end && (!suffix || end[1])) || number > max >> shift || number << shift < min)
		return why_set(why, STATUS_INPUT,
			       "%s: '%.80s' is not a size from %s to %s, such as 64M or 8G", what,
			       text, least, most);
	*out = number << shift;
	return STATUS_OK;
}

/* Finds word NUMBER of "a|b|c" and returns its length, or 0 if there are fewer words. */
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

/* Converts "a|b|c" to "a, b, c". */
static const char *choices_list(const char *choices, char words[FIELD_TEXT_MAX])
{
	size_t n = 0;
	for (; *choices && n + 3 < FIELD_TEXT_MAX; choices++) {
		words[n++] = *choices == '|' ? ',' : *choices;
		if (*choices == '|')
			words[n++] = ' ';
	}
	words[n] = '\0';
	return words;
}

static enum status choice_read(const struct field *field, const char *what, int *out,
			       const char *text, struct why *why)
{
	const char *word;
	char words[FIELD_TEXT_MAX];
	size_t length;
	for (int i = 0; (length = choice_at(field->choices, i, &word)) > 0; i++)
		if (strlen(text) == length && memcmp(word, text, length) == 0) {
			*out = i;
			return STATUS_OK;
		}
	return why_set(why, STATUS_INPUT, "%s: '%.80s' is none of %s", what, text,
		       choices_list(field->choices, words));
}

static enum status chars_read(const char *what, char *out, const char *text, struct why *why)
{
	if (strlen(text) >= FIELD_TEXT_MAX)
		return why_set(why, STATUS_INPUT, "%s: '%.40s...' is longer than %d characters",
			       what, text, FIELD_TEXT_MAX - 1);
	memset(out, 0, FIELD_TEXT_MAX);
	strcpy(out, text);
	return STATUS_OK;
}

static enum status name_read(const char *what, const char **out, const char *text, struct why *why)
{
	if (!*text)
		return why_set(why, STATUS_INPUT, "%s: must not be empty", what);
	*out = text;
	return STATUS_OK;
}

/* Reads a nonnegative integer into the C type of FIELD. */
static enum status natural_read(const struct field *field, const char *what, void *member,
				const char *text, struct why *why)
{
	uint64_t number;
	const double max = field->min == 0 && field->max == 0 ? 0x1p64 : field->max;
	enum status status =
	    number_parse(what, text, number_of(field->min), number_of(max), &number, why);
	if (status)
		return status;
	if (field->kind == FIELD_INT)
		*(int *)member = (int)number;
	else if (field->kind == FIELD_SIZE)
		*(size_t *)member = (size_t)number;
	else
		*(uint64_t *)member = number;
	return STATUS_OK;
}

enum status field_read(const struct field *field, const char *what, void *self, const char *text,
		       struct why *why)
{
	void *const member = (char *)self + field->offset;
	switch (field->kind) {
	case FIELD_NONE:
	case FIELD_VALUE:
		break;
	case FIELD_FLAG:
		*(bool *)member = strcmp(text, "0") != 0;
		return STATUS_OK;
	case FIELD_INT:
	case FIELD_COUNT:
	case FIELD_SIZE:
		return natural_read(field, what, member, text, why);
	case FIELD_INTEGER:
		return integer_read(field, what, member, text, why);
	case FIELD_REAL:
		return real_read(field, what, member, text, why);
	case FIELD_SHARE:
		return share_read(field, what, member, text, why);
	case FIELD_DURATION:
		return duration_read(what, member, text, why);
	case FIELD_BYTES:
		return bytes_read(field, what, member, text, why);
	case FIELD_CHOICE:
		return choice_read(field, what, member, text, why);
	case FIELD_TEXT:
		*(const char **)member = text;
		return STATUS_OK;
	case FIELD_NAME:
		return name_read(what, member, text, why);
	case FIELD_CHARS:
	case FIELD_FILE:
	case FIELD_COMMAND:
	case FIELD_AGENT:
		return chars_read(what, member, text, why);
	case FIELD_LIST:
		return list_split(member, what, text, ',', NULL, why);
	}
	return why_set(why, STATUS_INPUT, "%s: not set by text", what);
}

static void real_print(const struct field *field, double x, char text[FIELD_TEXT_MAX])
{
	if (isnan(x) && field->choices)
		snprintf(text, FIELD_TEXT_MAX, "%s", field->choices);
	else
		real_format(x, text);
}

void field_print(const struct field *field, const void *self, char text[FIELD_TEXT_MAX])
{
	const void *const member = (const char *)self + field->offset;
	const char *word = "";
	int length;
	switch (field->kind) {
	case FIELD_FLAG:
		snprintf(text, FIELD_TEXT_MAX, "%d", *(const bool *)member);
		break;
	case FIELD_INT:
		snprintf(text, FIELD_TEXT_MAX, "%d", *(const int *)member);
		break;
	case FIELD_SIZE:
		snprintf(text, FIELD_TEXT_MAX, "%zu", *(const size_t *)member);
		break;
	case FIELD_COUNT:
	case FIELD_BYTES:
		snprintf(text, FIELD_TEXT_MAX, "%" PRIu64, *(const uint64_t *)member);
		break;
	case FIELD_INTEGER:
		if (*(const int64_t *)member == FIELD_WORD)
			snprintf(text, FIELD_TEXT_MAX, "%s", field->choices);
		else
			snprintf(text, FIELD_TEXT_MAX, "%" PRId64, *(const int64_t *)member);
		break;
	case FIELD_REAL:
	case FIELD_SHARE:
	case FIELD_DURATION:
		real_print(field, *(const double *)member, text);
		break;
	case FIELD_CHOICE:
		length = (int)choice_at(field->choices, *(const int *)member, &word);
		snprintf(text, FIELD_TEXT_MAX, "%.*s", length, word);
		break;
	case FIELD_TEXT:
	case FIELD_NAME:
		snprintf(text, FIELD_TEXT_MAX, "%s", *(const char *const *)member);
		break;
	case FIELD_CHARS:
	case FIELD_FILE:
	case FIELD_COMMAND:
	case FIELD_AGENT:
		snprintf(text, FIELD_TEXT_MAX, "%s", (const char *)member);
		break;
	case FIELD_NONE:
	case FIELD_LIST:
	case FIELD_VALUE:
		*text = '\0';
		break;
	}
}

/* ---- Lists. */

enum status list_add(struct text_list *list, const char *text, size_t length, struct why *why)
{
	char **grown = reallocarray(list->item, list->n + 1, sizeof *grown);
	if (!grown)
		return why_errno(why, "a list of %zu", list->n + 1);
	list->item = grown;
	char *copy = strndup(text, length);
	if (!copy)
		return why_errno(why, "a list of %zu", list->n + 1);
	list->item[list->n++] = copy;
	return STATUS_OK;
}

enum status list_split(struct text_list *list, const char *what, const char *text, char separator,
		       bool (*continues)(const char *piece, size_t length, const char *rest),
		       struct why *why)
{
	const char *const stop = (char[]){separator, '\0'};
	for (const char *piece = text;;) {
		size_t length = strcspn(piece, stop);
		while (continues && piece[length] && continues(piece, length, piece + length + 1))
			length += 1 + strcspn(piece + length + 1, stop);
		if (length == 0)
			return why_set(why, STATUS_INPUT, "%s: '%s' has an empty item", what, text);
		enum status status = list_add(list, piece, length, why);
		if (status || !piece[length])
			return status;
		piece += length + 1;
	}
}

void list_free(struct text_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->item[i]);
	free(list->item);
	*list = (struct text_list){0};
}
