/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The settings in the text of an agent, one after another: pieces between commas.
 */
#ifndef NXN_SETTING_H
#define NXN_SETTING_H

#include "agents/agent.h"

/* One "key=value", or a bare first word for the first parameter. */
struct setting {
	const char *key; /* KEY_LENGTH characters */
	size_t key_length;
	bool bare;
	char text[PARAM_TEXT_MAX];
};

/* The '=' behind the key of the piece at AT, or NULL; one behind a '+' is part of a list. */
const char *setting_equals(const char *at);

/* Steps behind the piece at *AT and its comma. */
void setting_skip(const char **at);

/*
 * Reads the piece at *AT, the FIRST or not, and steps behind it and its comma. STATUS_INPUT if it is
 * neither key=value nor the first, or too long.
 */
MUST_USE enum status setting_read(const struct agent_class *class, const char **at, bool first,
				  struct setting *setting, struct why *why);

/*
 * Goes on with SETTING, which was read with its key and is a text: the pieces at *AT that have no
 * key belong to it, with their commas. STATUS_INPUT if it gets too long.
 */
MUST_USE enum status setting_go_on(const struct agent_class *class, const char **at,
				   struct setting *setting, struct why *why);

#endif
