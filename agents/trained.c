/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What model files of all learners have alike; see trained.h. */
#include "agents/trained.h"

#include <stdio.h>
#include <string.h>

void trained_head(const struct agent_class *class, const struct game *game,
		  const struct param *params, const void *self, struct model_head *head)
{
	char settings[MODEL_PARAMS_MAX] = "";
	*head = (struct model_head){0};
	snprintf(head->agent, sizeof head->agent, "%s", class->name);
	snprintf(head->board, sizeof head->board, "%s", game->name);
	spawn_format(&game->spawn, head->spawn);
	params_format(params, self, true, settings, sizeof settings);
	snprintf(head->params, sizeof head->params, "%s", settings + strspn(settings, ","));
}

enum status trained_save(const char *path, const struct model_head *head,
			 enum status (*write)(const void *self, struct model_writer *writer,
					      struct why *why),
			 const void *self, struct why *why)
{
	struct model_writer *writer;
	enum status status = model_create(&writer, path, head, why);
	if (status)
		return status;
	status = write(self, writer, why);
	if (status) {
		model_abort(writer);
		return status;
	}
	return model_commit(writer, why);
}

/* The parameters that the head of a file names, into SELF. */
static enum status settings_take(const struct agent_class *class, const struct param *params,
				 void *self, const struct model_reader *reader, const char *file,
				 struct why *why)
{
	for (const char *at = model_head(reader)->params; *at;) {
		char now[PARAM_TEXT_MAX + 64] = "", was[PARAM_TEXT_MAX + 64] = "";
		struct setting setting;
		const struct param *param = NULL;
		if (!setting_read(class->name, params, &at, false, &setting, why) &&
		    !setting_go_on(class->name, &at, &setting, why))
			param = param_find(params, setting.key, setting.key_length);
		const struct param one[] = {param ? *param : (struct param){0}, {0}};
		params_format(one, self, false, now, sizeof now);
		if (!param || param_set(param, self, setting.text, why))
			return model_reject(reader, "unknown settings", "those of nxn info", why);
		params_format(one, self, true, was, sizeof was);
		if (now[0] && strcmp(now, was) != 0)
			return why_set(why, STATUS_INPUT, "%s: was trained with %s, not %s", file,
				       was + 1, now + 1);
	}
	return STATUS_OK;
}

enum status trained_open(const char *file, const struct agent_class *class, const struct game *game,
			 const struct param *params, void *self, struct model_reader **reader,
			 struct why *why)
{
	struct model_reader *made;
	enum status status = model_open(&made, file, why);
	if (status)
		return status;
	struct model_head want = *model_head(made);
	snprintf(want.agent, sizeof want.agent, "%s", class->name);
	snprintf(want.board, sizeof want.board, "%s", game->name);
	status = model_expect(made, &want, why);
	if (!status)
		status = settings_take(class, params, self, made, file, why);
	if (status)
		model_close(made);
	else
		*reader = made;
	return status;
}
