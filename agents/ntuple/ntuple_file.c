/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files of the n-tuple learner: training under way, the weights, and for each weight, if the
 * rates need it, how its updates agreed; a section each.
 */
#include "agents/ntuple/ntuple.h"
#include "agents/ntuple/td_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <inttypes.h>
#include <stdio.h>

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

static void describe(const void *self, struct model_head *head)
{
	const struct ntuple *n = self;
	head->sections = n->network->coherence ? 3 : 2;
	layout_format(n->network, head->layout);
}

static void sections(void *self, struct model_file *file)
{
	struct ntuple *n = self;
	struct network *network = &n->own;
	td_sections(&n->td, file);
	model_floats(file, network->weight, floats(network, 1));
	if (network->coherence)
		model_floats(file, &network->coherence->sum, floats(network, 2));
}

const struct agent_model ntuple_model = {
    .params = ntuple_params + 1,
    .make = ntuple_make,
    .describe = describe,
    .sections = sections,
};
