/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameter tables: setting, checking and formatting; splitting text into settings; see param.h.
 *
 * Invariants: setting the canonical text of a state on a fresh state gives the same state, because
 * numbers are written with the fewest digits that read back the same. The pieces of a text, joined
 * with commas, are the text.
 */
#include "agents/param.h"

#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *params_state(size_t size)
{
	enum { ALIGNMENT = 64 };
	const size_t whole = (size / ALIGNMENT + 1) * ALIGNMENT;
	void *state = aligned_alloc(ALIGNMENT, whole);
	return state ? memset(state, 0, whole) : NULL;
}

void params_default(const struct field *params, void *self)
{
	for (; params->name; params++) {
		if (params->kind == FIELD_VALUE)
			continue;
		enum status status = field_read(params, params->name, self, params->fallback, NULL);
		(void)status; /* defaults are valid; a test sets every default of every class */
	}
}

/* Formats the default canonically, however the table spells it. */
static void default_print(const struct field *param, char text[FIELD_TEXT_MAX])
{
	union {
		double real;
		int64_t integer;
		int choice;
		char text[FIELD_TEXT_MAX];
	} fallback = {.text = ""};
	struct field at_start = *param;
	at_start.offset = 0;
	enum status status = field_read(&at_start, param->name, &fallback, param->fallback, NULL);
	(void)status; /* defaults are valid */
	field_print(&at_start, &fallback, text);
}

void params_format(const struct field *params, const void *self, bool all, char *text, size_t size)
{
	for (; params->name; params++) {
		char now[FIELD_TEXT_MAX], fallback[FIELD_TEXT_MAX];
		if (params->kind == FIELD_VALUE)
			continue;
		field_print(params, self, now);
		if (!all)
			default_print(params, fallback);
		if (!all && strcmp(now, fallback) == 0)
			continue;
		const size_t used = strlen(text);
		snprintf(text + used, size - used, "%s%s=%s", used ? "," : "", params->name, now);
	}
}

/* Appends LENGTH bytes at PIECE to the text of SETTING, which has USED bytes. */
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

enum status setting_read(const char *owner, const struct field *params, const char **at, bool first,
			 struct setting *setting, struct why *why)
{
	const char *piece = *at, *equals = setting_equals(piece);
	const char *text = equals ? equals + 1 : piece;
	if (!equals && (!first || !params->name)) {
		const size_t length = strcspn(piece, ",");
		return why_set(why, STATUS_INPUT, "%s: '%.*s': expected key=value", owner,
			       (int)(length < 40 ? length : 40), piece);
	}
	setting->bare = !equals;
	setting->key = equals ? piece : params->name;
	setting->key_length = equals ? (size_t)(equals - piece) : strlen(setting->key);
	setting_skip(at);
	return setting_append(owner, text, strcspn(text, ","), 0, setting, why);
}

enum status setting_continue(const char *owner, const char **at, struct setting *setting,
			     struct why *why)
{
	while (**at && **at != ',' && !setting_equals(*at)) {
		size_t length = strcspn(*at, ",");
		/* Includes the comma before the piece. */
		enum status status =
		    setting_append(owner, *at - 1, length + 1, strlen(setting->text), setting, why);
		if (status)
			return status;
		setting_skip(at);
	}
	return STATUS_OK;
}
