/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sharing out an error among weights; see td.h for the three rates. */
#include "agents/td_lane.h"

#include <math.h>

/* A weight moves by STEP; one that was never learned starts from the stage before. */
static inline void weight_move(struct network *network, int stage, uint32_t index, float step)
{
	float *weight = network->weight + (uint64_t)stage * network->size + index;
	*weight = (stage ? network_weight(network, stage, index) : *weight) + step;
}

static void adjust_fixed(struct network *network, const struct td_sight *sight, float step)
{
	const int features = network->indexer.features;
	for (int f = 0; f < features; f++)
		weight_move(network, sight->stage, sight->index[f], step);
}

/* Rates first, then updates, so that a feature that is there twice has one rate. */
static void adjust_tc(struct network *network, const struct td_sight *sight, float step,
		      float error)
{
	const int features = network->indexer.features;
	struct coherence *coherence = network->coherence + (uint64_t)sight->stage * network->size;
	float rate[FEATURES_MAX], size[FEATURES_MAX];
	for (int f = 0; f < features; f++) {
		const struct coherence *c = &coherence[sight->index[f]];
		size[f] = c->size;
		rate[f] = fabsf(c->sum);
	}
	for (int f = 0; f < features; f++)
		rate[f] = size[f] > 0 ? rate[f] / size[f] : 1;
	for (int f = 0; f < features; f++) {
		struct coherence *c = &coherence[sight->index[f]];
		weight_move(network, sight->stage, sight->index[f], rate[f] * step);
		c->sum += error;
		c->size += fabsf(error);
	}
}

static void adjust_visits(struct network *network, const struct td_sight *sight, float step)
{
	const int features = network->indexer.features;
	struct coherence *coherence = network->coherence + (uint64_t)sight->stage * network->size;
	for (int f = 0; f < features; f++) {
		struct coherence *c = &coherence[sight->index[f]];
		c->size += c->size < 0x1p24f; /* a float counts no further */
		weight_move(network, sight->stage, sight->index[f], step / sqrtf(c->size));
	}
}

void td_adjust(struct td *td, double alpha, const struct td_sight *sight, double delta)
{
	const double x = alpha * delta;
	const float step =
	    (float)(td->options.error == ERROR_SQRT ? copysign(sqrt(fabs(x)), x)
						    : x / td->network->indexer.features);
	switch (td->options.rate) {
	case RATE_FIXED:
		adjust_fixed(td->network, sight, step);
		break;
	case RATE_TC:
		adjust_tc(td->network, sight, step, (float)delta);
		break;
	case RATE_VISITS:
		adjust_visits(td->network, sight, step);
		break;
	}
}
