/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The learner that `nxn train` is asked to train; see learner.h. */
#include "src/learner.h"

#include "agents/model.h"
#include "src/folder.h"

#include <string.h>
#include <unistd.h>

/* Whether the model was trained with the parameters asked for; a model tells them without the file.
 */
static enum status model_check(const struct learner *learner, const char *path, struct why *why)
{
	struct model_reader *reader;
	enum status status = model_open(&reader, path, why);
	if (status)
		return status;
	const char *params = model_head(reader)->params;
	size_t length = strlen(learner->settings), known = strlen(params);
	/* What a model tells are all settings but the file, which comes first. */
	if (known > length || strcmp(learner->settings + length - known, params) != 0)
		status =
		    why_set(why, STATUS_INPUT, "%s: exists and was trained with '%s', not as %s",
			    path, params, learner->canonical);
	model_close(reader);
	return status;
}

static enum status class_check(const struct learner *learner, int threads, struct why *why)
{
	const struct agent_class *class = agent_class_of(learner->canonical);
	if (!class->learn)
		return why_set(why, STATUS_INPUT, "%s does not learn", learner->canonical);
	if (threads > 1 && !class->shared && !class->crewed)
		return why_set(why, STATUS_INPUT,
			       "--threads: %s learns with one thread only, not with %d",
			       class->name, threads);
	return STATUS_OK;
}

/* Takes over what the model has learned, if it exists. */
static enum status model_load(struct learner *learner, const char *path, struct why *why)
{
	const struct agent *agent = learner->agent;
	enum status locked = lock_take(&learner->lock, path, why);
	if (locked)
		return locked;
	leftovers_remove(path);
	if (access(path, F_OK) != 0)
		return STATUS_OK;
	enum status status = model_check(learner, path, why);
	return status ? status : agent->class->load(agent->self, path, why);
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
