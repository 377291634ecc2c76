/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files of the n-tuple learner: training under way, the weights, and for each weight, if the
 * rates need it, how its updates agreed; a section each.
 */
#include "agents/ntuple/ntuple.h"
#include "agents/agent.h"
#include "agents/ntuple/sparse.h"
#include "agents/ntuple/td_file.h"
#include "agents/trained.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of floats: those of all stages, filled up as the mapping is. */
static uint64_t floats(const struct network *network, size_t each)
{
	return (network->size * (uint64_t)network->plan.stages * each + 63) / 64 * 64;
}

/* What must agree for weights to mean the same. */
static void layout_format(const struct network *network, char layout[MODEL_LAYOUT_MAX])
{
	const struct network_plan *plan = &network->plan;
	const uint64_t cells =
	    XXH3_64bits(&network->patterns.pattern,
			(size_t)network->patterns.count * sizeof network->patterns.pattern[0]);
	int used = snprintf(layout, MODEL_LAYOUT_MAX,
			    "%d tuples (%016" PRIx64 ") in %d images, %d levels, low bits apart, "
			    "stages",
			    network->patterns.count, cells, plan->symmetries, plan->levels);
	for (int s = 0; s < plan->stages - 1; s++)
		used += snprintf(layout + used, (size_t)(MODEL_LAYOUT_MAX - used), " %" PRIu64,
				 (uint64_t)1 << plan->threshold[s]);
	if (plan->stages == 1)
		snprintf(layout + used, (size_t)(MODEL_LAYOUT_MAX - used), " 1");
}

static void head_fill(const struct ntuple *n, struct model_head *head)
{
	trained_head(&ntuple_agent, n->game, ntuple_params + 1, n, head);
	head->games = atomic_load(&n->knowledge->games);
	head->sections = n->network->coherence ? 3 : 2;
	layout_format(n->network, head->layout);
}

static enum status sections_write(const void *self, struct model_writer *writer, struct why *why)
{
	const struct ntuple *n = self;
	const struct network *network = n->network;
	enum status status = td_save(n->knowledge, writer, why);
	if (!status)
		status = sparse_save(network->weight, floats(network, 1), writer, why);
	if (!status && network->coherence)
		status = sparse_save(&network->coherence->sum, floats(network, 2), writer, why);
	return status;
}

enum status ntuple_save(const void *self, const char *path, struct why *why)
{
	struct model_head head;
	head_fill(self, &head);
	return trained_save(path, &head, sections_write, self, why);
}

/* Reads what follows the head into N, which is new and has its settings and nothing else. */
static enum status sections_read(struct ntuple *n, struct model_reader *reader, struct why *why)
{
	struct model_head want;
	enum status status = ntuple_make(n, why);
	if (status)
		return status;
	head_fill(n, &want);
	status = model_expect(reader, &want, why);
	if (!status)
		status = td_load(&n->td, model_head(reader)->games, reader, why);
	if (!status)
		status = sparse_load(n->own.weight, floats(&n->own, 1), reader, why);
	if (!status && n->own.coherence)
		status = sparse_load(&n->own.coherence->sum, floats(&n->own, 2), reader, why);
	if (!status)
		status = model_finish(reader, why);
	if (status)
		ntuple_fini(n);
	return status;
}

/* N becomes what READ is; both stay where they are, so what points into READ must point into N. */
static void ntuple_move(struct ntuple *n, struct ntuple *read)
{
	*n = *read;
	n->network = &n->own;
	n->knowledge = &n->td;
	n->td.network = &n->own;
}

static enum status read_from(struct ntuple *n, struct model_reader *reader, struct why *why)
{
	struct ntuple *read = params_state(sizeof *read);
	if (!read)
		return why_set(why, STATUS_SYSTEM, "out of memory for a network");
	read->settings = n->settings;
	read->game = n->game;
	enum status status = sections_read(read, reader, why);
	if (!status) {
		ntuple_fini(n);
		ntuple_move(n, read);
	}
	free(read);
	return status;
}

enum status ntuple_load(void *self, const char *path, struct why *why)
{
	struct ntuple *n = self;
	struct model_reader *reader;
	assert(n->knowledge == &n->td);
	enum status status = model_open(&reader, path, why);
	if (status)
		return status;
	status = read_from(n, reader, why);
	model_close(reader);
	return status;
}

enum status ntuple_open(struct ntuple *n, struct why *why)
{
	struct model_reader *reader;
	enum status status = trained_open(n->settings.file, &ntuple_agent, n->game,
					  ntuple_params + 1, n, &reader, why);
	if (status)
		return status;
	status = read_from(n, reader, why);
	model_close(reader);
	return status;
}
