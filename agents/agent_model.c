/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Learners in model files: what the files of all of them have alike. See struct agent_model.
 *
 * The head says the class, the game, and the parameters that the learner was trained with. What is
 * read becomes a learner of its own first, so that a file that is refused changes nothing.
 */
#include "agents/agent.h"
#include "agents/model.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void head_fill(const struct agent_class *class, const struct game *game, const void *self,
		      struct model_head *head)
{
	char settings[MODEL_PARAMS_MAX] = "";
	*head = (struct model_head){.games = class->trained(self)};
	snprintf(head->agent, sizeof head->agent, "%s", class->name);
	snprintf(head->board, sizeof head->board, "%s", game->name);
	spawn_format(&game->spawn, head->spawn);
	params_format(class->model->params, self, true, settings, sizeof settings);
	snprintf(head->params, sizeof head->params, "%s", settings + strspn(settings, ","));
	class->model->describe(self, head);
}

enum status agent_save(const struct agent *agent, const char *path, struct why *why)
{
	struct model_head head;
	struct model_file *file;
	head_fill(agent->class, agent->game, agent->self, &head);
	enum status status = model_create(&file, path, &head, why);
	if (status)
		return status;
	agent->class->model->sections(agent->self, file);
	status = model_finish(file);
	model_close(file);
	return status;
}

/* Makes of SELF, which has its parameters and nothing else, what FILE holds. */
static enum status learner_read(const struct agent_class *class, void *self,
				const struct game *game, struct model_file *file, struct why *why)
{
	const struct agent_model *model = class->model;
	struct model_head want;
	enum status status = model->make(self, game, why);
	if (status)
		return status;
	head_fill(class, game, self, &want);
	if (model->layout_is_learned)
		memcpy(want.layout, model_head(file)->layout, sizeof want.layout);
	if (!model_expect(file, &want))
		model->sections(self, file);
	if (model->layout_is_learned) {
		model->describe(self, &want);
		model_expect(file, &want);
	}
	status = model_finish(file);
	if (status)
		class->fini(self);
	return status;
}

enum status agent_load(struct agent *agent, const char *path, struct why *why)
{
	const struct agent_class *class = agent->class;
	struct model_file *file;
	enum status status = model_open(&file, path, why);
	if (status)
		return status;
	void *self = params_state(class->size);
	if (self) {
		params_copy(class->params, agent->self, self);
		status = learner_read(class, self, agent->game, file, why);
	} else {
		status = why_set(why, STATUS_SYSTEM, "out of memory for %s", class->name);
	}
	model_close(file);
	if (status) {
		free(self);
		return status;
	}
	if (class->model->keep)
		class->model->keep(self, agent->self);
	class->fini(agent->self);
	free(agent->self);
	agent->self = self;
	return STATUS_OK;
}

/* The parameters that the head of FILE names, into SELF. */
static enum status settings_take(const struct agent_class *class, void *self,
				 struct model_file *file)
{
	for (const char *at = model_head(file)->params; *at;) {
		char now[PARAM_TEXT_MAX + 64] = "", was[PARAM_TEXT_MAX + 64] = "";
		struct setting setting;
		const struct param *param = NULL;
		if (!setting_read(class->name, class->model->params, &at, false, &setting, NULL) &&
		    !setting_go_on(class->name, &at, &setting, NULL))
			param = param_find(class->model->params, setting.key, setting.key_length);
		const struct param one[] = {param ? *param : (struct param){0}, {0}};
		params_format(one, self, false, now, sizeof now);
		if (!param || param_set(param, self, setting.text, NULL))
			return model_reject(file, "unknown settings", "those of nxn info");
		params_format(one, self, true, was, sizeof was);
		if (now[0] && strcmp(now, was) != 0)
			return model_fail(file, STATUS_INPUT, "%s: was trained with %s, not %s",
					  model_path(file), was + 1, now + 1);
	}
	return STATUS_OK;
}

enum status agent_restore(const struct agent_class *class, void *self, const struct game *game,
			  const char *path, struct why *why)
{
	struct model_file *file;
	enum status status = model_open(&file, path, why);
	if (status)
		return status;
	struct model_head want = *model_head(file);
	snprintf(want.agent, sizeof want.agent, "%s", class->name);
	snprintf(want.board, sizeof want.board, "%s", game->name);
	status = model_expect(file, &want);
	if (!status)
		status = settings_take(class, self, file);
	if (!status)
		status = learner_read(class, self, game, file, why);
	model_close(file);
	return status;
}
