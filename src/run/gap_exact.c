/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Players whose moves are known, held against the optimum in all their games at once
 * (agents/solver/exact_play.h); see gap.h. One after the other on each rank: each takes all threads and much memory.
 * So they are the jobs of a pool with one thread, which starts others.
 */
#include "src/run/gap.h"

#include "agents/solver/exact_play.h"
#include "src/run/ranks.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The player at STAGE as text: one that was trained here is that of its model file. */
static enum status stage_spec(const struct gap_stage *stage, char spec[SPEC_MAX], struct why *why)
{
	char path[FOLDER_PATH_MAX];
	const char *agent = stage->player->entry->agent;
	const struct param *file = agent_class_of(agent)->params;
	int length = snprintf(spec, SPEC_MAX, "%s", agent);
	if (stage->player->trains) {
		enum status status = gap_model_path(stage, path, why);
		if (status)
			return status;
		length = snprintf(spec, SPEC_MAX, "%s%c%s=%s", agent,
				  strchr(agent, ':') ? ',' : ':', file->name, path);
	}
	if (length < 0 || length >= SPEC_MAX)
		return why_set(why, STATUS_INPUT, "%.80s...: the settings are too long", agent);
	return STATUS_OK;
}

static bool go_on(void *context, uint64_t sum, uint64_t last, uint64_t states)
{
	(void)sum;
	(void)last;
	(void)states;
	return !gap_ending(context);
}

static enum status stage_exact(struct gap_stage *stage, struct why *why)
{
	char spec[SPEC_MAX];
	struct exact_play played;
	struct gap *gap = stage->player->gap;
	const struct exact_play_task task = {
	    .game = &gap->game,
	    .agent = spec,
	    .optimum = gap->optimum,
	    .tie = 1e-9,
	    .memory = gap->options->memory,
	    .threads = gap->options->pace.threads,
	    .tell = go_on,
	    .context = gap,
	};
	enum status status = stage_spec(stage, spec, why);
	if (!status)
		status = exact_play(&task, &played, why);
	if (status)
		return status;
	struct gap_row row = {.config = stage->config,
			      .trained = stage->trained,
			      .seed = gap->options->seed,
			      .game = GAP_EXACT,
			      .result = played.score};
	/* Rounding must not make more optimal moves than moves, or negative losses. */
	for (int k = 0; k < GAP_PHASES; k++)
		row.phase[k] = (struct gap_phase){
		    .moves = played.phase[k].visits,
		    .optimal = fmin(played.phase[k].optimal, played.phase[k].visits),
		    .lost = fmax(played.phase[k].loss, 0),
		};
	return gap_result(stage, &row, why);
}

static void exact_run(struct job *job, uint64_t unit, int thread)
{
	struct gap_stage *stage =
	    (struct gap_stage *)((char *)job - offsetof(struct gap_stage, games));
	struct gap *gap = stage->player->gap;
	struct why why;
	(void)unit;
	(void)thread;
	enum status status = gap_ending(gap) ? STATUS_STOPPED : stage_exact(stage, &why);
	if (status && status != STATUS_STOPPED)
		gap_fail(gap, status, &why);
}

/* Whether it is to be worked out here, in the place of games. */
static bool stage_lacks(const struct gap_stage *stage)
{
	const struct gap *gap = stage->player->gap;
	return stage->exact && gap_owns(stage, 0) &&
	       !gap_log_find(&gap->played, stage->config, gap->options->seed, GAP_EXACT);
}

enum status gap_exact_all(struct gap *gap, struct why *why)
{
	bool any = false;
	for (size_t i = 0; i < gap->experiment.count; i++)
		for (size_t j = 0; j < gap->players[i].stages; j++)
			any = any || stage_lacks(&gap->players[i].stage[j]);
	if (!any)
		return STATUS_OK;
	enum status status = pool_new_shared(1, &gap->pool, why);
	status = ranks_agree("exact", 0, status, why);
	for (size_t i = 0; !status && i < gap->experiment.count; i++)
		for (size_t j = 0; j < gap->players[i].stages; j++) {
			struct gap_stage *stage = &gap->players[i].stage[j];
			if (!stage_lacks(stage))
				continue;
			stage->games = (struct job){.run = exact_run, .end = 1};
			pool_add(gap->pool, &stage->games);
		}
	return gap_pool_run(gap, status, why);
}
