/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Agents out of text: `name:key=value,key=value`; see agent.h.
 *
 * The text is read twice: first the values (`value=NAME`), so that their keys are known whatever
 * the order, then everything else.
 */
#include "agents/agent.h"

#include "base/text.h"
#include "agents/setting.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct agent_class *agent_class_of(const char *text)
{
	size_t length = strcspn(text, ":");
	for (int i = 0; agent_classes[i]; i++)
		if (strlen(agent_classes[i]->name) == length &&
		    memcmp(agent_classes[i]->name, text, length) == 0)
			return agent_classes[i];
	return NULL;
}

static void word_append(char *list, size_t size, const char *word)
{
	size_t used = strlen(list);
	snprintf(list + used, size - used, "%s%s", used ? ", " : "", word);
}

static enum status agent_unknown(const char *text, struct why *why)
{
	char names[512] = "", hint[HINT_MAX];
	size_t length = strcspn(text, ":");
	struct guess guess = guess_start(text, length);
	for (int i = 0; agent_classes[i]; i++) {
		const char *name = agent_classes[i]->name;
		word_append(names, sizeof names, name);
		guess_try(&guess, name, strlen(name));
	}
	return why_set(why, STATUS_INPUT, "agent '%.*s': %sexpected one of %s",
		       (int)(length < 40 ? length : 40), text, guess_hint(&guess, hint), names);
}

/* The value that a PARAM_VALUE parameter of this agent holds, or NULL. */
static struct value **value_slot(const struct param *param, void *self)
{
	return (struct value **)(void *)((char *)self + param->offset);
}

/* The parameter called NAME among the agent's own and those of its values; *OWNER is its state. */
static const struct param *key_find(struct agent *agent, const char *name, size_t length,
				    void **owner)
{
	const struct param *found = param_find(agent->class->params, name, length);
	*owner = agent->self;
	for (const struct param *p = agent->class->params; !found && p->name; p++) {
		if (p->kind != PARAM_VALUE)
			continue;
		struct value *value = *value_slot(p, agent->self);
		found = param_find(value->class->params, name, length);
		*owner = value->self;
	}
	return found;
}

static enum status key_unknown(const struct agent *agent, const char *name, size_t length,
			       struct why *why)
{
	char names[700] = "", hint[HINT_MAX];
	struct guess guess = guess_start(name, length);
	const struct param *params = agent->class->params;
	for (const struct param *p = params; p->name; p++)
		word_append(names, sizeof names, p->name);
	for (const struct param *p = params; p->name; p++)
		if (p->kind == PARAM_VALUE) {
			const struct param *q = (*value_slot(p, agent->self))->class->params;
			for (; q->name; q++)
				word_append(names, sizeof names, q->name);
		}
	for (const char *word = names; *word;) {
		size_t word_length = strcspn(word, ",");
		guess_try(&guess, word, word_length);
		word += word_length;
		word += strspn(word, ", ");
	}
	return why_set(why, STATUS_INPUT, "%s has no key '%.*s': %s%s%s", agent->class->name,
		       (int)(length < 40 ? length : 40), name, guess_hint(&guess, hint),
		       names[0] ? "expected one of " : "it takes none", names);
}

static enum status value_set(struct agent *agent, const struct param *param, const char *text,
			     struct why *why)
{
	struct value *value;
	enum status status = value_new(text, &value, why);
	if (status)
		return status;
	struct value **at = value_slot(param, agent->self);
	value_free(*at);
	*at = value;
	return STATUS_OK;
}

/* The first reading of the settings: values, wherever their names are. */
static enum status values_read(struct agent *agent, const char *text, struct why *why)
{
	struct setting setting;
	for (const char *at = text; *at;) {
		if (at != text && !setting_equals(at)) {
			setting_skip(&at); /* the second reading knows what it belongs to */
			continue;
		}
		enum status status = setting_read(agent->class, &at, at == text, &setting, why);
		if (status)
			return status;
		const struct param *param =
		    param_find(agent->class->params, setting.key, setting.key_length);
		if (!param || param->kind != PARAM_VALUE)
			continue;
		status = value_set(agent, param, setting.text, why);
		if (status)
			return status;
	}
	return STATUS_OK;
}

/* Whether a setting in TEXT before PIECE has the key of SETTING, which PIECE begins. */
static bool key_before(const struct agent_class *class, const char *text, const char *piece,
		       const struct setting *setting)
{
	for (const char *at = text; at < piece; setting_skip(&at)) {
		const char *equals = setting_equals(at);
		if (!equals && at != text)
			continue; /* more of a text */
		const char *key = equals ? at : class->params->name;
		const size_t length = equals ? (size_t)(equals - at) : strlen(key);
		if (length == setting->key_length && memcmp(key, setting->key, length) == 0)
			return true;
	}
	return false;
}

/* The second: all else. */
static enum status settings_read(struct agent *agent, const char *text, struct why *why)
{
	struct setting setting;
	for (const char *at = text; *at;) {
		const char *piece = at;
		enum status status = setting_read(agent->class, &at, at == text, &setting, why);
		if (status)
			return status;
		void *owner;
		const struct param *param =
		    key_find(agent, setting.key, setting.key_length, &owner);
		if (!param)
			return key_unknown(agent, setting.key, setting.key_length, why);
		if (key_before(agent->class, text, piece, &setting))
			return why_set(why, STATUS_INPUT, "%s: key '%s' is there twice",
				       agent->class->name, param->name);
		if (param->kind == PARAM_VALUE)
			continue;
		if (param_is_text(param) && !setting.bare)
			status = setting_go_on(agent->class, &at, &setting, why);
		if (!status)
			status = param_set(param, owner, setting.text, why);
		if (status)
			return status;
	}
	return STATUS_OK;
}

static enum status values_default(struct agent *agent, struct why *why)
{
	for (const struct param *p = agent->class->params; p->name; p++)
		if (p->kind == PARAM_VALUE) {
			enum status status = value_set(agent, p, p->fallback, why);
			if (status)
				return status;
		}
	return STATUS_OK;
}

/* Frees an agent whose init has not run. */
static void agent_discard(struct agent *agent)
{
	if (!agent)
		return;
	if (agent->self)
		for (const struct param *p = agent->class->params; p->name; p++)
			if (p->kind == PARAM_VALUE)
				value_free(*value_slot(p, agent->self));
	free(agent->self);
	free(agent);
}

/* Makes an agent with its settings, not yet bound to a game. */
static enum status agent_parse(const char *text, struct agent **agent, struct why *why)
{
	const struct agent_class *class = agent_class_of(text);
	if (!class)
		return agent_unknown(text, why);
	struct agent *made = calloc(1, sizeof *made);
	if (!made)
		return why_set(why, STATUS_SYSTEM, "out of memory for %s", class->name);
	made->class = class;
	made->self = params_state(class->size);
	enum status status = STATUS_SYSTEM;
	if (!made->self) {
		why_set(why, STATUS_SYSTEM, "out of memory for %s", class->name);
		goto fail;
	}
	params_default(class->params, made->self);
	status = values_default(made, why);
	const char *settings = strchr(text, ':');
	settings = settings ? settings + 1 : "";
	if (!status)
		status = values_read(made, settings, why);
	if (!status)
		status = settings_read(made, settings, why);
	if (status)
		goto fail;
	*agent = made;
	return STATUS_OK;
fail:
	agent_discard(made);
	return status;
}

enum status agent_new(const char *text, const struct agent_env *env, struct agent **agent,
		      struct why *why)
{
	struct agent *made;
	enum status status = agent_parse(text, &made, why);
	if (status)
		return status;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it is made, says the status */
	made->game = env->game;
	if (made->class->init)
		status = made->class->init(made->self, env, why);
	if (status) {
		agent_discard(made);
		return status;
	}
	*agent = made;
	return STATUS_OK;
}

/* TEXT as it would be written if it were not part of another agent. */
static void nested_plain(const char *text, char plain[PARAM_TEXT_MAX])
{
	snprintf(plain, PARAM_TEXT_MAX, "%s", text);
	for (char *c = plain; *c; c++)
		*c = *c == '+' ? ',' : *c;
}

enum status agent_nested(const char *text, const struct agent_env *env, struct agent **agent,
			 struct why *why)
{
	char plain[PARAM_TEXT_MAX];
	nested_plain(text, plain);
	const struct agent_class *class = agent_class_of(plain);
	if (class && class->check)
		return why_set(why, STATUS_INPUT, "%s cannot be part of another agent",
			       class->name);
	return agent_new(plain, env, agent, why);
}

enum status agent_check(const struct agent *agent, struct why *why)
{
	return agent->class->check ? agent->class->check(agent->self, why) : STATUS_OK;
}

enum policy_kind agent_policy_kind(const struct agent *agent)
{
	const struct agent_class *class = agent->class;
	return class->policy_kind ? class->policy_kind(agent->self) : POLICY_UNKNOWN;
}

bool agent_symmetric(const struct agent *agent)
{
	const struct agent_class *class = agent->class;
	return class->symmetric && class->symmetric(agent->self);
}

void agent_plays(struct agent *agent, const struct turn *turn, double chance[DIRECTIONS])
{
	const struct agent_class *class = agent->class;
	const enum policy_kind policy_kind = agent_policy_kind(agent);
	assert(policy_kind != POLICY_UNKNOWN);
	if (policy_kind == POLICY_CHANCES && class->chances) {
		class->chances(agent->self, turn, 1, (double(*)[DIRECTIONS])chance);
		return;
	}
	struct decision decision;
	struct rng rng; /* nothing depends on what it draws */
	decision_init(&decision);
	rng_init(&rng, 0, RNG_AGENT, 0);
	const int move = class->act(agent->self, turn, &rng, &decision);
	for (int d = 0; d < DIRECTIONS; d++)
		chance[d] = policy_kind == POLICY_CHANCES ? decision.chance[d] : d == move;
}

void decision_init(struct decision *decision)
{
	*decision = (struct decision){0};
	for (int d = 0; d < DIRECTIONS; d++)
		decision->value[d] = decision->chance[d] = NAN;
}

double decision_uncertainty(const struct decision *decision)
{
	double most = 0, sum = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		sum += decision->chance[d];
		most = fmax(most, decision->chance[d]);
	}
	return 1 - most + (sum - most);
}

void agent_free(struct agent *agent)
{
	if (agent && agent->class->fini)
		agent->class->fini(agent->self);
	agent_discard(agent);
}

/* Those of the parameters PARAMS of the state SELF, but its values'. */
static enum status params_files(const struct param *params, const void *self,
				const struct file_visit *visit, struct why *why)
{
	enum status status = STATUS_OK;
	for (const struct param *p = params; !status && p->name; p++) {
		const char *text = (const char *)self + p->offset;
		char plain[PARAM_TEXT_MAX];
		if (p->kind == PARAM_FILE && *text)
			status = visit->file(visit->context, text, why);
		if (p->kind != PARAM_AGENT)
			continue;
		nested_plain(text, plain);
		/* Else it is a word of that parameter. */
		if (agent_class_of(plain))
			status = agent_files(plain, visit, why);
	}
	return status;
}

enum status agent_files(const char *text, const struct file_visit *visit, struct why *why)
{
	struct agent *agent;
	enum status status = agent_parse(text, &agent, why);
	if (status)
		return status;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it is made, says the status */
	const struct param *params = agent->class->params;
	status = params_files(params, agent->self, visit, why);
	for (const struct param *p = params; !status && p->name; p++)
		if (p->kind == PARAM_VALUE) {
			const struct value *value = *value_slot(p, agent->self);
			status = params_files(value->class->params, value->self, visit, why);
		}
	agent_discard(agent);
	return status;
}

/* Appends ",value=NAME" and the value's settings, ALL or those that are not the defaults. */
static void value_format(const struct param *param, const struct value *value, bool all, char *text)
{
	size_t used = strlen(text);
	if (all || strcmp(value->class->name, param->fallback) != 0)
		snprintf(text + used, SPEC_MAX - used, ",%s=%s", param->name, value->class->name);
	params_format(value->class->params, value->self, all, text, SPEC_MAX);
}

static enum status agent_format(const char *text, bool all, char out[SPEC_MAX], struct why *why)
{
	struct agent *agent;
	enum status status = agent_parse(text, &agent, why);
	if (status)
		return status;
	char settings[SPEC_MAX] = "";
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it is made, says the status */
	params_format(agent->class->params, agent->self, all, settings, sizeof settings);
	for (const struct param *p = agent->class->params; p->name; p++)
		if (p->kind == PARAM_VALUE)
			value_format(p, *value_slot(p, agent->self), all, settings);
	int length = snprintf(out, SPEC_MAX, "%s%s%s", agent->class->name, settings[0] ? ":" : "",
			      settings[0] ? settings + 1 : "");
	if (length >= SPEC_MAX)
		status =
		    why_set(why, STATUS_INPUT, "%s: the settings are too long", agent->class->name);
	agent_discard(agent);
	return status;
}

enum status agent_canonical(const char *text, char canonical[SPEC_MAX], struct why *why)
{
	return agent_format(text, false, canonical, why);
}

enum status agent_settings(const char *text, char settings[SPEC_MAX], struct why *why)
{
	return agent_format(text, true, settings, why);
}
