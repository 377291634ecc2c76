/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Players whose moves are known, held against the optimum in all their games at once
 * (agents/exact_play.h); see gap.h. One after the other: each takes all threads and much memory.
 */
#include "src/gap.h"

#include "agents/exact_play.h"

#include <math.h>
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
	struct gap *gap = context;
	(void)sum;
	(void)last;
	(void)states;
	progress_tick(&gap->progress);
	return !gap_ending(gap);
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
	    .threads = gap->options->threads,
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

enum status gap_exact_all(struct gap *gap, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < gap->experiment.count; i++)
		for (size_t j = 0; !status && j < gap->players[i].stages; j++) {
			struct gap_stage *stage = &gap->players[i].stage[j];
			if (stage->exact && gap_owns(stage, 0) &&
			    !gap_log_find(&gap->played, stage->config, gap->options->seed,
					  GAP_EXACT))
				status = gap_ending(gap) ? STATUS_STOPPED : stage_exact(stage, why);
		}
	return status;
}
