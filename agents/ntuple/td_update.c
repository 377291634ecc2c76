/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sharing out an error among weights; see td.h for the three rates. */
#include "agents/ntuple/td_lane.h"

#include <math.h>

/* A weight moves by STEP; one that was never learned starts from the stage before. */
RACES static inline void weight_move(struct network *network, int stage, uint32_t index, float step)
{
	float *weight = network->weight + (uint64_t)stage * network->size + index;
	*weight = (stage ? network_weight(network, stage, index) : *weight) + step;
}

RACES static void adjust_fixed(struct network *network, const struct td_sight *sight, float step)
{
	const uint32_t *index = sight->index;
	const int features = network->indexer.features;
	float *weight = network->weight;
	int f = 0;
	/* By far the most frequent case, and twice as fast as what follows. */
	for (; sight->stage == 0 && f + 2 <= features; f += 2) {
		const struct index_pair two = index_two(index + f);
		weight[two.a] += step;
		weight[two.b] += step;
	}
	for (; f < features; f++)
		weight_move(network, sight->stage, index[f], step);
}

/* rate[f] = |sum| / size of what the features have agreed on so far; 1 where there is nothing yet. */
RACES static void rates_take(const struct coherence *coherence, const uint32_t *index, int stride,
			     float *rate)
{
	float size[FEATURES_MAX];
	for (int f = 0; f < stride; f += FEATURES_STEP) {
		UNROLL for (int j = 0; j < FEATURES_STEP; j++)
		{
			const struct coherence c = coherence[index[f + j]];
			size[f + j] = c.size;
			rate[f + j] = c.sum;
		}
		for (int j = 0; j < FEATURES_STEP; j++) {
			const float among = size[f + j] > 0 ? size[f + j] : 1;
			const float agreed = size[f + j] > 0 ? fabsf(rate[f + j]) : 1;
			rate[f + j] = agreed / among;
		}
	}
}

/* Rates first, then updates, so that a feature that is there twice has one rate. */
RACES static void adjust_tc(struct network *network, const struct td_sight *sight, float step,
			    float error)
{
	const uint32_t *index = sight->index;
	const int features = network->indexer.features, stage = sight->stage;
	const float size = fabsf(error);
	struct coherence *coherence = network->coherence + (uint64_t)stage * network->size;
	float *weight = network->weight, rate[FEATURES_MAX];
	rates_take(coherence, index, network->indexer.stride, rate);
	for (int f = 0; f < features; f++) {
		struct coherence *c = &coherence[index[f]];
		/* NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult): there are stride rates */
		if (stage == 0)
			weight[index[f]] += rate[f] * step;
		else
			weight_move(network, stage, index[f], rate[f] * step);
		/* NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult) */
		c->sum += error;
		c->size += size;
	}
}

RACES static void adjust_visits(struct network *network, const struct td_sight *sight, float step)
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
