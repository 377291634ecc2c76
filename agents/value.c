/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creating values by name; weights for shapes; see value.h. */
#include "agents/agent.h"

#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct value_class *const value_classes[] = {
#define VALUE(name) &name##_value,
#include "agents/agents.def"
    NULL,
};

static enum status value_unknown(const char *text, size_t length, struct why *why)
{
	char hint[HINT_MAX];
	struct suggestion suggestion = suggestion_start(text, length);
	for (int i = 0; value_classes[i]; i++)
		suggestion_try(&suggestion, value_classes[i]->name, strlen(value_classes[i]->name));
	return why_set(why, STATUS_INPUT, "value=%.*s: no such value: %sexpected one of %s",
		       (int)(length < 40 ? length : 40), text, suggestion_hint(&suggestion, hint),
		       suggestion.names);
}

enum status value_new(const char *text, struct value **value, struct why *why)
{
	size_t length = strcspn(text, ":");
	const struct value_class *class = NULL;
	for (int i = 0; value_classes[i]; i++)
		if (strlen(value_classes[i]->name) == length &&
		    memcmp(value_classes[i]->name, text, length) == 0)
			class = value_classes[i];
	if (!class)
		return value_unknown(text, length, why);
	struct value *made = calloc(1, sizeof *made);
	void *self = params_state(class->size);
	if (!made || !self) {
		free(made);
		free(self);
		return why_set(why, STATUS_SYSTEM, "out of memory for value=%s", class->name);
	}
	enum status status = STATUS_OK;
	*made = (struct value){.class = class, .self = self};
	params_default(class->params, self);
	if (text[length] && !class->params->name)
		status = why_set(why, STATUS_INPUT, "value=%.40s: %s takes no argument", text,
				 class->name);
	else if (text[length])
		status =
		    field_read(class->params, class->params->name, self, text + length + 1, why);
	if (status)
		value_free(made);
	else
		*value = made;
	return status;
}

enum status value_init(struct value *value, const struct agent_env *env, struct why *why)
{
	enum status status = STATUS_OK;
	if (value->class->init)
		status = value->class->init(value->self, env, why);
	value->ready = status == STATUS_OK;
	return status;
}

void value_free(struct value *value)
{
	if (!value)
		return;
	if (value->ready && value->class->fini)
		value->class->fini(value->self);
	free(value->self);
	free(value);
}

static const struct shape_weights *weights_find(const struct shape_weights *lines, size_t count,
						int set, const struct game *game)
{
	const int rows = game->rows < game->cols ? game->rows : game->cols;
	const struct shape_weights *best = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct shape_weights *line = &lines[i];
		const int cells = line->rows * line->cols;
		if (line->set > set || cells > game->cells)
			continue;
		/* For the same shape, a later line belongs to a newer set. */
		if (!best || cells > best->rows * best->cols ||
		    (cells == best->rows * best->cols &&
		     (line->rows == rows || line->rows == best->rows)))
			best = line;
	}
	assert(best);
	return best;
}

void weights_fill(double *w, size_t n, const struct shape_weights *lines, size_t count, int set,
		  const struct game *game)
{
	const struct shape_weights *line = weights_find(lines, count, set, game);
	for (size_t i = 0; i < n; i++)
		if (isnan(w[i]))
			w[i] = line->w[i];
}
