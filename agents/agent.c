/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Agents from text, `name:key=value,key=value`, and what can be derived from the text: its
 * canonical form, the files that it names, the real parameters that can be tuned; see agent.h.
 *
 * The text is read twice: first the value (`value=NAME`), so that its keys are known in any order,
 * then everything else.
 */
#include "agents/agent.h"

#include "agents/model.h"
#include "base/file.h"
#include "base/number.h"
#include "base/program.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const struct agent_class *const agent_classes[] = {
#define AGENT(name) &name##_agent,
#include "agents/agents.def"
    NULL,
};

const struct agent_alias agent_aliases[] = {
#define ALIAS(name, text) {#name, text},
#include "agents/agents.def"
    {NULL, NULL},
};

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(word, text, length) == 0;
}

/* Returns the alias called NAME (LENGTH bytes), or NULL. */
static const struct agent_alias *alias_named(const char *name, size_t length)
{
	for (const struct agent_alias *alias = agent_aliases; alias->name; alias++)
		if (is_word(name, length, alias->name))
			return alias;
	return NULL;
}

/* Returns the class of the agent or alias called NAME (LENGTH bytes), or NULL. */
static const struct agent_class *class_named(const char *name, size_t length)
{
	const struct agent_alias *alias = alias_named(name, length);
	if (alias)
		return agent_class_of(alias->text);
	for (int i = 0; agent_classes[i]; i++)
		if (is_word(name, length, agent_classes[i]->name))
			return agent_classes[i];
	return NULL;
}

const struct agent_class *agent_class_of(const char *text)
{
	return class_named(text, strcspn(text, ":"));
}

void agent_names_suggest(struct suggestion *suggestion)
{
	for (int i = 0; agent_classes[i]; i++)
		suggestion_try(suggestion, agent_classes[i]->name, strlen(agent_classes[i]->name));
	for (const struct agent_alias *alias = agent_aliases; alias->name; alias++)
		suggestion_try(suggestion, alias->name, strlen(alias->name));
}

/* Returns advice on NAME (LENGTH bytes), if it is not an agent but has another meaning; or NULL. */
static const char *other_kind_of_name(const char *name, size_t length)
{
	const char *comma = memchr(name, ',', length);
	const size_t key = strcspn(name, ",=");
	if (key > 0 && key < length && name[key] == '=' &&
	    class_named(name + key + 1, length - key - 1))
		return "compare and duel alone give a player a name, as in NAME=AGENT";
	if (key > 0 && key < length && name[key] == '=')
		return "it is a parameter and no agent; parameters follow their agent, with a "
		       "',' between them and no ';', as in expectimax:depth=2,cutoff=0";
	if (comma && class_named(name, (size_t)(comma - name)))
		return memchr(comma, '=', length - (size_t)(comma - name))
			   ? "settings follow a ':', as in expectimax:depth=2"
			   : "a ',' separates agents only in a list without ';'; --agent takes one";
	for (int i = 0; value_classes[i]; i++)
		if (is_word(name, length, value_classes[i]->name))
			return "it is a value, for a search: expectimax:value=NAME";
	if (length > 4 && memcmp(name + length - 4, ".nxn", 4) == 0)
		return "a model follows its agent, as in ntuple:MODEL; nxn info MODEL names "
		       "the agent";
	return memchr(name, '.', length) || memchr(name, '/', length)
		   ? "a program plays by external:COMMAND, as in 'external:python3 FILE'"
		   : NULL;
}

static enum status agent_unknown(const char *text, struct why *why)
{
	char hint[HINT_MAX];
	const size_t length = strcspn(text, ":");
	const char *advice = other_kind_of_name(text, length);
	if (advice)
		return why_set(why, STATUS_INPUT, "agent '%.*s': %s",
			       (int)(length < 40 ? length : 40), text, advice);
	struct suggestion suggestion = suggestion_start(text, length);
	agent_names_suggest(&suggestion);
	return why_set(why, STATUS_INPUT, "agent '%.*s': %sexpected one of %s",
		       (int)(length < 40 ? length : 40), text, suggestion_hint(&suggestion, hint),
		       suggestion.names);
}

/* A table of parameters and the state that holds them. */
struct param_table {
	const struct field *params;
	void *self;
};

/* Sets TABLE to table I of AGENT: its own, then that of its value. False after the last. */
static bool table_at(const struct agent *agent, int i, struct param_table *table)
{
	const struct value *value = agent->value;
	if (i > (value ? 1 : 0))
		return false;
	*table = i ? (struct param_table){value->class->params, value->self}
		   : (struct param_table){agent->class->params, agent->self};
	return true;
}

/* Finds the parameter NAME of AGENT or of its value; sets *OWNER to the state that has it. */
static const struct field *key_find(const struct agent *agent, const char *name, size_t length,
				    void **owner)
{
	const struct field *found = NULL;
	struct param_table table;
	for (int i = 0; !found && table_at(agent, i, &table); i++) {
		found = field_find(table.params, name, length);
		*owner = table.self;
	}
	return found;
}

/* A list of names longer than this does not belong on a line of an error. */
enum { NAMES_LONG = 100 };

/* Whether NAME (LENGTH bytes) cannot be a key but can be part of a text that contains a '='. */
static bool is_text(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (strchr(" ./", name[i]))
			return true;
	return false;
}

static enum status key_unknown(const struct agent *agent, const char *name, size_t length,
			       struct why *why)
{
	char hint[HINT_MAX];
	struct suggestion suggestion = suggestion_start(name, length);
	struct param_table table;
	for (int i = 0; table_at(agent, i, &table); i++)
		for (const struct field *p = table.params; p->name; p++)
			suggestion_try(&suggestion, p->name, strlen(p->name));
	const int shown = (int)(length < 40 ? length : 40);
	const char *class = agent->class->name;
	const struct field *first = agent->class->params;
	if (first->name && field_is_chars(first) && is_text(name, length))
		return why_set(why, STATUS_INPUT,
			       "%s has no key '%.*s': a text with a '=' in it needs its key, as in "
			       "%s:%s=...",
			       class, shown, name, class, first->name);
	if (strlen(suggestion.names) > NAMES_LONG)
		return why_set(why, STATUS_INPUT,
			       "%s has no key '%.*s': %s'nxn info %s' lists its keys", class, shown,
			       name, suggestion_hint(&suggestion, hint), class);
	return why_set(why, STATUS_INPUT, "%s has no key '%.*s': %s%s%s", class, shown, name,
		       suggestion_hint(&suggestion, hint),
		       suggestion.names[0] ? "expected one of " : "it takes none",
		       suggestion.names);
}

/*
 * Returns the first setting of the key NAME (LENGTH bytes) in TEXT before END, or NULL. A piece
 * without a key is the first parameter of CLASS, or else continues a text.
 */
static const char *setting_find(const struct agent_class *class, const char *text, const char *end,
				const char *name, size_t length)
{
	for (const char *at = text; at < end; setting_skip(&at)) {
		const char *equals = setting_equals(at);
		const char *key = equals ? at : at == text ? class->params->name : NULL;
		const size_t size = equals ? (size_t)(equals - at) : key ? strlen(key) : 0;
		if (key && size == length && memcmp(key, name, length) == 0)
			return at;
	}
	return NULL;
}

/* Returns the parameter of CLASS that is a value, of which there is at most one, or NULL. */
static const struct field *value_param(const struct agent_class *class)
{
	const struct field *p = class->params;
	while (p->name && p->kind != FIELD_VALUE)
		p++;
	return p->name ? p : NULL;
}

/*
 * The first pass over the settings creates the value, wherever TEXT names it, or the default.
 */
static enum status value_create(struct agent *agent, const char *text, struct why *why)
{
	const struct agent_class *class = agent->class;
	const struct field *param = value_param(class);
	struct setting setting;
	enum status status = STATUS_OK;
	if (!param)
		return STATUS_OK;
	const char *at =
	    setting_find(class, text, text + strlen(text), param->name, strlen(param->name));
	if (at)
		status = setting_read(class->name, class->params, &at, at == text, &setting, why);
	if (!status)
		status = value_new(at ? setting.text : param->fallback, &agent->value, why);
	*(struct value **)(void *)((char *)agent->self + param->offset) = agent->value;
	return status;
}

/* The second pass reads all other settings. */
static enum status settings_read(struct agent *agent, const char *text, struct why *why)
{
	struct setting setting;
	for (const char *at = text; *at;) {
		const char *piece = at;
		enum status status = setting_read(agent->class->name, agent->class->params, &at,
						  at == text, &setting, why);
		if (status)
			return status;
		void *owner;
		const struct field *param =
		    key_find(agent, setting.key, setting.key_length, &owner);
		if (!param)
			return key_unknown(agent, setting.key, setting.key_length, why);
		if (setting_find(agent->class, text, piece, setting.key, setting.key_length))
			return why_set(why, STATUS_INPUT, "%s: key '%s' is there twice",
				       agent->class->name, param->name);
		if (param->kind == FIELD_VALUE)
			continue;
		if (field_is_chars(param) && !setting.bare)
			status = setting_continue(agent->class->name, &at, &setting, why);
		if (!status)
			status = field_read(param, param->name, owner, setting.text, why);
		if (status)
			return status;
	}
	return STATUS_OK;
}

/* Frees an agent whose init() was not called. */
static void agent_discard(struct agent *agent)
{
	if (!agent)
		return;
	value_free(agent->value);
	free(agent->self);
	free(agent);
}

/* Creates an agent with its settings, not yet bound to a game. */
static enum status agent_parse(const char *text, struct agent **agent, struct why *why)
{
	const struct agent_class *class = agent_class_of(text);
	const struct agent_alias *alias = alias_named(text, strcspn(text, ":"));
	const char *settings = strchr(text, ':');
	if (!class)
		return agent_unknown(text, why);
	if (alias && settings)
		return why_set(why, STATUS_INPUT, "%.40s: takes no settings; it stands for %s",
			       text, alias->text);
	if (alias)
		settings = strchr(alias->text, ':');
	if (settings && !settings[1])
		return why_set(why, STATUS_INPUT, "%s nothing follows the ':'; expected key=value",
			       text);
	struct agent *made = calloc(1, sizeof *made);
	void *self = params_state(class->size);
	if (!made || !self) {
		free(made);
		free(self);
		return why_set(why, STATUS_SYSTEM, "out of memory for %s", class->name);
	}
	*made = (struct agent){.class = class, .self = self};
	params_default(class->params, self);
	settings = settings ? settings + 1 : "";
	enum status status = value_create(made, settings, why);
	if (!status)
		status = settings_read(made, settings, why);
	if (status)
		agent_discard(made);
	else
		*agent = made;
	return status;
}

enum status agent_new(const char *text, const struct agent_env *env, struct agent **agent,
		      struct why *why)
{
	struct agent *made;
	enum status status = agent_parse(text, &made, why);
	if (status)
		return status;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): set if the status is OK */
	made->game = env->game;
	if (made->class->init)
		status = made->class->init(made->self, env, why);
	else if (made->class->model)
		status = learner_init(made->class, made->self, env, why);
	if (status) {
		agent_discard(made);
		return status;
	}
	*agent = made;
	return STATUS_OK;
}

/* Copies TEXT, a nested agent, with ',' in place of '+', as agent_new() expects it. */
static void nested_text(const char *text, char plain[FIELD_TEXT_MAX])
{
	snprintf(plain, FIELD_TEXT_MAX, "%s", text);
	for (char *c = plain; *c; c++)
		*c = *c == '+' ? ',' : *c;
}

enum status agent_nested(const char *text, const struct agent_env *env, struct agent **agent,
			 struct why *why)
{
	char plain[FIELD_TEXT_MAX];
	nested_text(text, plain);
	return agent_new(plain, env, agent, why);
}

enum status agent_check(const struct agent *agent, struct why *why)
{
	const struct agent_class *class = agent->class;
	const struct value *value = agent->value;
	if (class->interrupted && class->interrupted(agent->self))
		return why_set(why, STATUS_STOPPED, "stopped in the middle of a move");
	enum status status = class->check ? class->check(agent->self, why) : STATUS_OK;
	if (!status && value && value->ready && value->class->check)
		status = value->class->check(value->self, why);
	return status;
}

/* agent_trained_check() for the learner that TEXT, a setting of AGENT, names; OK if none. */
static enum status nested_trained_check(const struct agent *agent, const char *text,
					const char *otherwise, struct why *why)
{
	char plain[FIELD_TEXT_MAX];
	nested_text(text, plain);
	const struct agent_class *class = agent_class_of(plain);
	return class && class->learn ? agent_trained_of(agent->game, plain, otherwise, why)
				     : STATUS_OK;
}

enum status agent_trained_check(const struct agent *agent, const char *text, const char *otherwise,
				struct why *why)
{
	const struct agent_class *class = agent->class;
	enum status status = STATUS_OK;
	if (class->learn && !class->trained(agent->self))
		return why_set(why, STATUS_INPUT,
			       "%s has not been trained: do that by 'nxn train %s --board %s "
			       "--time-budget 1m --out FILE' and name %s:FILE, or %s",
			       text, text, agent->game->name, class->name, otherwise);
	for (const struct field *p = class->params; !status && p->name; p++)
		if (p->kind == FIELD_AGENT)
			status = nested_trained_check(agent, (const char *)agent->self + p->offset,
						      otherwise, why);
	return status;
}

enum status agent_trained_of(const struct game *game, const char *text, const char *otherwise,
			     struct why *why)
{
	struct agent *agent;
	const struct agent_env env = {.game = game};
	enum status status = agent_new(text, &env, &agent, why);
	if (status)
		return status;
	status = agent_trained_check(agent, text, otherwise, why);
	agent_free(agent);
	return status;
}

size_t agent_batch_of(const char *text)
{
	struct agent *agent;
	if (agent_parse(text, &agent, NULL))
		return 1;
	const size_t batch = agent_batch(agent);
	agent_discard(agent);
	return batch;
}

enum policy_kind agent_policy_kind(const struct agent *agent)
{
	const struct agent_class *class = agent->class;
	return class->policy_kind ? class->policy_kind(agent->self) : class->policy;
}

void agent_free(struct agent *agent)
{
	if (agent && agent->class->fini)
		agent->class->fini(agent->self);
	agent_discard(agent);
}

/* Appends "value=NAME" and the value's settings: ALL, or those that are not the defaults. */
static void value_format(const struct agent *agent, bool all, char *text)
{
	const struct value *value = agent->value;
	const struct field *param = value_param(agent->class);
	const size_t used = strlen(text);
	if (all || strcmp(value->class->name, param->fallback) != 0)
		snprintf(text + used, SPEC_MAX - used, "%s%s=%s", used ? "," : "", param->name,
			 value->class->name);
	params_format(value->class->params, value->self, all, text, SPEC_MAX);
}

static enum status agent_format(const char *text, bool all, char out[SPEC_MAX], struct why *why)
{
	struct agent *agent;
	enum status status = agent_parse(text, &agent, why);
	if (status)
		return status;
	char settings[SPEC_MAX] = "";
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): set if the status is OK */
	params_format(agent->class->params, agent->self, all, settings, sizeof settings);
	if (agent->value)
		value_format(agent, all, settings);
	int length =
	    snprintf(out, SPEC_MAX, "%s%s%s", agent->class->name, settings[0] ? ":" : "", settings);
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

bool agent_sets(const char *agent, const char *key)
{
	size_t length = strlen(key);
	for (agent += strcspn(agent, ":"); *agent; agent += strcspn(agent, ",")) {
		agent++;
		if (strncmp(agent, key, length) == 0 && agent[length] == '=')
			return true;
	}
	return false;
}

bool agent_clocked(const char *agent)
{
	while ((agent = strpbrk(agent, ":,+")))
		if (strncmp(++agent, "ms=", 3) == 0)
			return true;
	return false;
}

bool agent_external(const char *agent)
{
	static const char name[] = "external:";
	for (const char *at = agent; (at = strstr(at, name)); at++)
		if (at == agent || at[-1] == '=')
			return true;
	return false;
}

enum status agent_settings(const char *text, char settings[SPEC_MAX], struct why *why)
{
	return agent_format(text, true, settings, why);
}

enum status agent_resolved(const char *text, const struct game *game, char settings[SPEC_MAX],
			   struct why *why)
{
	struct agent *agent;
	enum status status = agent_parse(text, &agent, why);
	if (status)
		return status;
	settings[0] = '\0';
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): set if the status is OK */
	if (agent->class->resolve)
		agent->class->resolve(agent->self, game);
	const struct agent_model *model = agent->class->model;
	params_format(model ? model->params : agent->class->params, agent->self, true, settings,
		      SPEC_MAX);
	agent_discard(agent);
	return STATUS_OK;
}

/* Bytes to hash at each end of a file: more than the header of either format. */
enum { END_BYTES = 4096, PIECE_BYTES = 1 << 16 };

/* Hashes at most MOST bytes of FD from offset AT on. Returns false with errno on failure. */
static bool piece_add(XXH3_state_t *hash, int fd, uint64_t at, uint64_t most)
{
	unsigned char piece[PIECE_BYTES];
	ssize_t n = 1;
	for (; n > 0 && most > 0; at += (uint64_t)n, most -= (uint64_t)n) {
		n = file_read_at(fd, piece, most < sizeof piece ? most : sizeof piece, (off_t)at);
		XXH3_64bits_update(hash, piece, n > 0 ? (size_t)n : 0);
	}
	return n >= 0;
}

/*
 * Models (agents/model.h) and tables (agents/solver/optimum.h) may take gigabytes, but their first
 * or last bytes contain checksums of the sections, or of the index of the layers. Both formats
 * begin with the letters "nx"; no other file that agents read does.
 */
static bool contents_add(XXH3_state_t *hash, int fd, uint64_t size)
{
	char first[2];
	const bool has_checksums =
	    file_read_at(fd, first, 2, 0) == 2 && memcmp(first, "nx", 2) == 0;
	size = has_checksums ? model_size(fd, size) : size;
	XXH3_64bits_update(hash, &size, sizeof size);
	if (!has_checksums || size <= 2 * END_BYTES)
		return piece_add(hash, fd, 0, has_checksums ? size : UINT64_MAX);
	return piece_add(hash, fd, 0, END_BYTES) &&
	       piece_add(hash, fd, size - END_BYTES, END_BYTES);
}

static enum status file_add(void *hash, const char *path, struct why *why)
{
	struct stat stat;
	enum status status = STATUS_OK;
	const int fd = model_descriptor(path);
	if (fd < 0)
		return why_file(why, path, NULL);
	if (fstat(fd, &stat) != 0)
		status = why_errno(why, "%s", path);
	else if (!S_ISREG(stat.st_mode))
		status = why_set(why, STATUS_INPUT, "%s: is not a regular file", path);
	else if (!contents_add(hash, fd, (uint64_t)stat.st_size))
		status = why_errno(why, "%s", path);
	close(fd);
	return status;
}

static enum status files_add(XXH3_state_t *hash, const char *text, struct why *why);

/* Hashes the files that the parameters of TABLE name, also inside another agent. */
static enum status table_files_add(XXH3_state_t *hash, const struct param_table *table,
				   struct why *why)
{
	enum status status = STATUS_OK;
	for (const struct field *p = table->params; !status && p->name; p++) {
		const char *text = (const char *)table->self + p->offset;
		char plain[FIELD_TEXT_MAX];
		if (p->kind == FIELD_FILE && *text && *text != '{')
			status = file_add(hash, text, why);
		if (p->kind == FIELD_COMMAND && *text)
			status = program_files(text, file_add, hash, why);
		if (p->kind != FIELD_AGENT)
			continue;
		nested_text(text, plain);
		/* A text that names no agent is a word of the parameter. */
		if (agent_class_of(plain))
			status = files_add(hash, plain, why);
	}
	return status;
}

static enum status files_add(XXH3_state_t *hash, const char *text, struct why *why)
{
	struct agent *agent;
	struct param_table table;
	enum status status = agent_parse(text, &agent, why);
	if (status)
		return status;
	for (int i = 0; !status && table_at(agent, i, &table); i++)
		status = table_files_add(hash, &table, why);
	agent_discard(agent);
	return status;
}

enum status agent_input_digest(const char *text, uint64_t *digest, struct why *why)
{
	XXH3_state_t hash;
	XXH3_64bits_reset(&hash);
	const uint64_t nothing = XXH3_64bits_digest(&hash);
	const enum status status = files_add(&hash, text, why);
	if (status)
		return status;
	const uint64_t sum = XXH3_64bits_digest(&hash);
	*digest = sum == nothing ? 0 : sum;
	return STATUS_OK;
}

static bool tunables_have(const struct tunables *tunables, const char *name)
{
	for (size_t i = 0; i < tunables->n; i++)
		if (strcmp(tunables->real[i].param->name, name) == 0)
			return true;
	return false;
}

/*
 * The unit for parameters that scale with tiles: 512 on 3x4, 2048 on 4x4, 46,341 on 5x5, about the
 * largest tile that searches reach there.
 */
static double large_tile(const struct game *game)
{
	return exp2(game->cells / 2.0 + 3);
}

/* The scale in the table, or else the magnitude of the default, if that is a number. */
static double param_scale(const struct field *param, const struct game *game)
{
	double scale = param->scale;
	if (!(scale > 0) && real_scan(param->fallback, &scale))
		scale = fabs(scale);
	assert(scale > 0); /* a test checks this for every class */
	return param->per_tile ? scale / large_tile(game) : scale;
}

/* Reads the parameters after init(), which replaces words such as auto by numbers. */
enum status tunable_list(struct tunables *tunables, const char *text, const struct agent_env *env,
			 struct why *why)
{
	struct agent *agent;
	struct param_table table;
	enum status status = agent_new(text, env, &agent, why);
	if (status)
		return status;
	tunables->n = 0;
	for (int i = 0; table_at(agent, i, &table); i++)
		for (const struct field *p = table.params; p->name; p++) {
			if (p->kind != FIELD_REAL || tunables_have(tunables, p->name))
				continue;
			const double *at = (const void *)((const char *)table.self + p->offset);
			assert(tunables->n < TUNABLE_MAX);
			tunables->real[tunables->n++] =
			    (struct tunable){p, *at, param_scale(p, env->game)};
		}
	agent_free(agent);
	return STATUS_OK;
}
