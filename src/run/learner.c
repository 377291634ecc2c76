/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The learner that `nxn train` is asked to train; see learner.h. */
#include "src/run/learner.h"

#include "agents/model.h"
#include "base/atomic_file.h"
#include "base/file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The setting in LIST that holds its character AT, a list in it with its commas; its length. */
static int setting_at(const char *list, const char *at, const char **setting)
{
	const char *end = at + strcspn(at, ",");
	*setting = at;
	while (*setting > list &&
	       ((*setting)[-1] != ',' || strcspn(*setting, "=") > strcspn(*setting, ",")))
		--*setting;
	return (int)(end - *setting);
}

/* The first setting of which one is WAS and the other NOW. */
static enum status settings_differ(const char *path, const char *was, const char *now,
				   struct why *why)
{
	const char *was_piece, *now_piece;
	size_t at = 0;
	while (was[at] && was[at] == now[at])
		at++;
	const int was_length = setting_at(was, was + at, &was_piece);
	const int now_length = setting_at(now, now + at, &now_piece);
	return why_set(why, STATUS_INPUT, "%s: exists and was trained with %.*s, not %.*s", path,
		       was_length, was_piece, now_length, now_piece);
}

/*
 * Whether the model was trained with the parameters asked for, all but the file and what only
 * matters in play, which come first.
 */
static enum status model_check(const struct learner *learner, const char *path, struct why *why)
{
	struct model_file *file;
	enum status status = model_open(&file, path, why);
	if (status)
		return status;
	const struct model_head *head = model_head(file);
	const char *params = head->params;
	const size_t length = strcspn(params, "=") + 1;
	char key[MODEL_PARAMS_MAX + 2];
	snprintf(key, sizeof key, ",%.*s", (int)length, params);
	const char *asked = strstr(learner->settings, key);
	if (strcmp(head->agent, learner->agent->class->name) != 0 || !asked)
		status = why_set(why, STATUS_INPUT, "%s: exists and was trained as %s, not as %s",
				 path, head->agent, learner->canonical);
	else if (strcmp(asked + 1, params) != 0)
		status = settings_differ(path, params, asked + 1, why);
	model_close(file);
	return status;
}

/* Names the agents that learn. */
static enum status learns_not(const char *agent, struct why *why)
{
	char names[128] = "";
	for (int i = 0; agent_classes[i]; i++) {
		const size_t used = strlen(names);
		if (agent_classes[i]->learn)
			snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
				 agent_classes[i]->name);
	}
	return why_set(why, STATUS_INPUT, "%s does not learn; expected one of %s", agent, names);
}

static enum status class_check(const struct learner *learner, int threads, struct why *why)
{
	const struct agent_class *class = agent_class_of(learner->canonical);
	if (!class->learn)
		return learns_not(learner->canonical, why);
	if (threads > 1 && !class->shared && !class->uses_team)
		return why_set(why, STATUS_INPUT,
			       "--threads: %s learns with one thread only, not with %d",
			       class->name, threads);
	return STATUS_OK;
}

/* Takes over what the model has learned, if it exists. */
static enum status model_load(struct learner *learner, const char *path, struct why *why)
{
	enum status locked = lock_take(&learner->lock, path, why);
	if (locked)
		return locked;
	leftovers_remove(path);
	if (access(path, F_OK) != 0)
		return STATUS_OK;
	enum status status = model_check(learner, path, why);
	return status ? status : agent_load(learner->agent, path, why);
}

enum status learner_init(struct learner *learner, const struct trainer_options *options,
			 struct why *why)
{
	*learner = (struct learner){0};
	struct agent_env env = {.game = &learner->game};
	enum status status = game_init(&learner->game, &options->game, why);
	if (!status)
		status = agent_canonical(options->agent, learner->canonical, why);
	if (!status)
		status = agent_settings(options->agent, learner->settings, why);
	if (!status)
		status = class_check(learner, options->threads, why);
	if (!status)
		status = agent_new(learner->canonical, &env, &learner->agent, why);
	if (status)
		return status;
	if (learner->agent->class->trained(learner->agent->self) > 0)
		status = why_set(why, STATUS_INPUT,
				 "%s: training goes on from the model given as --out only",
				 learner->canonical);
	if (!status)
		status = model_load(learner, options->model, why);
	if (status)
		learner_fini(learner);
	return status;
}

void learner_fini(struct learner *learner)
{
	agent_free(learner->agent);
	lock_release(&learner->lock);
	learner->agent = NULL;
}
