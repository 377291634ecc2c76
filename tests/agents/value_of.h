/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values for tests. */
#ifndef NXN_TESTS_VALUE_OF_H
#define NXN_TESTS_VALUE_OF_H

#include "agents/value.h"
#include "tests/games.h"
#include "tests/texts.h"

#include <string.h>

/* The value NAME for GAME with SETTINGS, "key=value,key=value". */
static inline struct value *value_of(const char *name, const char *settings,
				     const struct game *game)
{
	const struct agent_env env = {.game = game};
	struct value *value;
	struct why why;
	if (value_new(name, &value, &why))
		fail_msg("%s", why.text);
	while (*settings) {
		const size_t key = strcspn(settings, "="), size = strcspn(settings, ",");
		const struct field *param = field_find(value->class->params, settings, key);
		assert_non_null(param);
		if (field_read(param, param->name, value->self,
			       text_of("%.*s", (int)(size - key - 1), settings + key + 1), &why))
			fail_msg("%s", why.text);
		settings += size + (settings[size] == ',');
	}
	if (value_init(value, &env, &why))
		fail_msg("%s on %s: %s", name, game->name, why.text);
	return value;
}

#endif
