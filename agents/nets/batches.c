/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Learning by batches; see batches.h.
 *
 * Invariant: learned * size <= told <= (learned + 1) * size, with equality on the right only inside
 * batches_learn().
 */
#include "agents/nets/batches.h"

enum status batches_init(struct batches *b, size_t size, struct why *why)
{
	*b = (struct batches){0};
	return episodes_init(&b->episodes, size, why);
}

void batches_fini(struct batches *b)
{
	episodes_fini(&b->episodes);
	thread_team_free(b->team);
	*b = (struct batches){0};
}

/* A team as the request wants it; fewer threads, if it cannot be had, do the same. */
static void thread_team_suit(struct batches *b, int threads)
{
	if (b->threads == threads)
		return;
	thread_team_free(b->team);
	b->team = NULL;
	if (threads > 1 && thread_team_new(threads, &b->team, NULL))
		threads = 1;
	b->threads = threads;
}

/* Tells of the games that have not been told of; false if one was the last for now. */
static bool batch_tell(struct batches *b, const struct training_request *request)
{
	const uint64_t first = b->learned * b->episodes.count;
	while (b->told < first + b->episodes.count) {
		const struct outcome *outcome = &b->episodes.episode[b->told - first].outcome;
		if (b->told >= request->end)
			return false;
		b->told++;
		if (!request->over(request->context, outcome))
			return false;
	}
	return true;
}

void batches_learn(struct batches *b, const struct batch_rules *rules,
		   const struct training_request *request)
{
	enum status status = STATUS_OK;
	bool more = b->told < request->end;
	thread_team_suit(b, request->threads);
	if (!b->started)
		rules->start(rules->context, request->seed);
	b->started = true;
	while (more && !status && !b->starved) {
		const uint64_t first = b->learned * b->episodes.count;
		status = episodes_play(&b->episodes, rules->brain, &rules->play, request->seed,
				       first, b->team, b->threads, NULL);
		if (status)
			break;
		more = batch_tell(b, request);
		if (b->told < first + b->episodes.count)
			break;
		status = rules->update(rules->context, &b->episodes, request->seed, b->team, NULL);
		b->learned++;
		more &= b->told < request->end;
	}
	b->starved |= status != STATUS_OK;
}

void batches_section(struct batches *b, struct model_file *file)
{
	if (b->starved)
		model_fail(file, STATUS_SYSTEM, "out of memory for the games of a batch");
	b->told = model_number(file, b->told, UINT64_MAX);
	b->learned = model_number(file, b->learned, UINT64_MAX);
	const uint64_t started = model_number(file, b->started, UINT64_MAX);
	b->started = started;
	if (model_reading(file) &&
	    (b->told != model_head(file)->games || b->learned != b->told / b->episodes.count ||
	     started > 1 || started < (b->told > 0)))
		model_reject(file, "numbers of games that do not agree",
			     "whole batches, and part of one");
	model_section_end(file);
}
