/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of an agent taken apart; see setting.h.
 *
 * Invariant: the pieces of a text, put together with commas, are the text.
 */
#include "agents/setting.h"

#include <string.h>

const char *setting_equals(const char *at)
{
	return memchr(at, '=', strcspn(at, ",+"));
}

void setting_skip(const char **at)
{
	*at += strcspn(*at, ",");
	*at += **at == ',';
}

static enum status piece_refuse(const struct agent_class *class, const char *piece, struct why *why)
{
	size_t length = strcspn(piece, ",");
	return why_set(why, STATUS_INPUT, "%s: '%.*s': expected key=value", class->name,
		       (int)(length < 40 ? length : 40), piece);
}

/* Appends LENGTH bytes at PIECE to the text of SETTING, of which USED are there. */
static enum status setting_append(const struct agent_class *class, const char *piece, size_t length,
				  size_t used, struct setting *setting, struct why *why)
{
	if (length >= sizeof setting->text - used)
		return why_set(why, STATUS_INPUT, "%s: the value at '%.40s' is too long",
			       class->name, piece);
	memcpy(setting->text + used, piece, length);
	setting->text[used + length] = '\0';
	return STATUS_OK;
}

enum status setting_read(const struct agent_class *class, const char **at, bool first,
			 struct setting *setting, struct why *why)
{
	const char *piece = *at, *equals = setting_equals(piece);
	const char *text = equals ? equals + 1 : piece;
	if (!equals && (!first || !class->params->name))
		return piece_refuse(class, piece, why);
	setting->bare = !equals;
	setting->key = equals ? piece : class->params->name;
	setting->key_length = equals ? (size_t)(equals - piece) : strlen(setting->key);
	setting_skip(at);
	return setting_append(class, text, strcspn(text, ","), 0, setting, why);
}

enum status setting_go_on(const struct agent_class *class, const char **at, struct setting *setting,
			  struct why *why)
{
	while (**at && **at != ',' && !setting_equals(*at)) {
		size_t length = strcspn(*at, ",");
		/* With the comma before it. */
		enum status status =
		    setting_append(class, *at - 1, length + 1, strlen(setting->text), setting, why);
		if (status)
			return status;
		setting_skip(at);
	}
	return STATUS_OK;
}
