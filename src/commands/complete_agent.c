/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Candidates for an agent with its settings; see complete.h. */
#include "src/commands/complete.h"

#include "agents/agent.h"

#include <string.h>

static void complete_names(const struct completion *c, const char *text)
{
	for (int i = 0; agent_classes[i]; i++)
		complete_add(c, text, agent_classes[i]->name, agent_classes[i]->needs ? ":" : "");
	for (const struct agent_alias *alias = agent_aliases; alias->name; alias++)
		complete_add(c, text, alias->name, "");
}

static const struct field *value_params(const char *text, size_t length)
{
	for (int i = 0; value_classes[i]; i++)
		if (is_name(value_classes[i]->name, text, length))
			return value_classes[i]->params;
	return NULL;
}

/* An agent's parameters, and those of the value that it uses; or NULL. */
struct settings {
	const struct field *agent, *value;
};

/* Updates SETTINGS by the agents and values that TEXT names before END. */
static void settings_read(struct settings *settings, const char *text, const char *end)
{
	while (text < end) {
		const char *comma = memchr(text, ',', (size_t)(end - text));
		const char *piece = comma ? comma : end;
		const size_t name = strcspn(text, ":=,;");
		for (int i = 0; text[name] != '=' && agent_classes[i]; i++) {
			if (!is_name(agent_classes[i]->name, text, name))
				continue;
			*settings = (struct settings){.agent = agent_classes[i]->params};
			for (const struct field *p = settings->agent; p->name; p++)
				if (p->kind == FIELD_VALUE)
					settings->value =
					    value_params(p->fallback, strlen(p->fallback));
			text += name + (text[name] == ':');
			break;
		}
		if (strncmp(text, "value=", 6) == 0)
			settings->value = value_params(text + 6, strcspn(text + 6, ":,;"));
		text = piece + 1;
	}
}

/* The choices, or the metavariable, of the parameter NAME (LENGTH bytes) of PARAMS; or NULL. */
static const char *param_choices(const struct field *params, const char *name, size_t length)
{
	const struct field *p = params ? field_find(params, name, length) : NULL;
	return !p			? NULL
	       : field_is_chars(p)	? "FILE"
	       : p->kind == FIELD_VALUE ? "VALUE"
					: p->choices;
}

static void keys_add(const struct completion *c, const struct field *params, const char *text)
{
	for (const struct field *p = params; p && p->name; p++)
		complete_add(c, text, p->name, "=");
}

/* Adds the candidates for the value of the setting TEXT, "key=...". */
static void choices_add(const struct completion *c, const struct settings *settings,
			const char *text)
{
	const size_t key = strcspn(text, "=");
	const char *choices = param_choices(settings->agent, text, key);
	const char *last = text + key + 1;
	if (!choices)
		choices = param_choices(settings->value, text, key);
	if (choices && strcmp(choices, "VALUE") == 0 && strchr(last, ':')) {
		/* A value may have a file: value=ntuple:FILE. */
		const struct field *value = value_params(last, strcspn(last, ":"));
		choices = value && field_is_chars(value) ? "FILE" : NULL;
		last = strchr(last, ':') + 1;
	}
	if (choices)
		complete_kind(c, choices, last);
}

void complete_agent(const struct completion *c, const char *text, bool list)
{
	const char *semicolon = list ? strrchr(text, ';') : NULL;
	const char *first = semicolon ? semicolon + 1 : text, *comma = strrchr(first, ',');
	const char *last = comma ? comma + 1 : first;
	const size_t name = strcspn(last, ":=");
	struct settings settings = {NULL, NULL};
	settings_read(&settings, first, last);
	if (last[name] == ':') {
		settings_read(&settings, last, last + name);
		last += name + 1;
		/* A bare word is the first parameter. */
		if (!strchr(last, '=') && settings.agent && field_is_chars(settings.agent))
			complete_kind(c, "FILE", last);
	} else if (last[name] != '=' && (!settings.agent || (list && !strchr(text, ';')))) {
		complete_names(c, last);
	}
	if (strchr(last, '=')) {
		choices_add(c, &settings, last);
		return;
	}
	keys_add(c, settings.agent, last);
	keys_add(c, settings.value, last);
}
