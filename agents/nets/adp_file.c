/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files of the agent adp. The weights are a section of doubles; the batch that is not complete is
 * another one: the number of its games, then each in 64-bit numbers as struct adp_game has them. All is
 * little-endian. The layout of the head tells the weights as well, so that nxn info shows them.
 */
#include "agents/nets/adp.h"
#include "agents/model.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>

/* More states or points than training could ever come to, and sums of them fit. */
#define COUNT_MOST ((uint64_t)1 << 48)

static void layout_format(const double weight[ADP_WEIGHTS], char layout[MODEL_LAYOUT_MAX])
{
	static const char *const names[ADP_WEIGHTS] = {"corner", "vertical", "horizontal",
						       "diagonal", "constant"};
	int used = 0;
	for (int i = 0; i < ADP_WEIGHTS; i++) {
		char number[REAL_TEXT_MAX];
		real_format(weight[i], number);
		used += snprintf(layout + used, (size_t)(MODEL_LAYOUT_MAX - used), "%s%s %s",
				 i ? ", " : "", names[i], number);
	}
}

static void describe(const void *self, struct model_head *head)
{
	head->sections = 2;
	layout_format(((const struct adp *)self)->knowledge->weight, head->layout);
}

static void weights_section(double weight[ADP_WEIGHTS], struct model_file *file)
{
	for (int i = 0; i < ADP_WEIGHTS; i++) {
		weight[i] = model_real(file, weight[i]);
		if (isfinite(weight[i]))
			continue;
		if (model_reading(file))
			model_reject(file, "a weight is not finite", "finite numbers");
		else
			model_fail(file, STATUS_INPUT,
				   "%s: not written: a weight is not finite, training diverged",
				   model_path(file));
	}
	model_section_end(file);
}

static void game_section(struct adp_game *game, int max_exponent, struct model_file *file)
{
	game->score = model_number(file, game->score, COUNT_MOST);
	game->sum = model_number(file, game->sum, COUNT_MOST);
	game->exponent = model_number(file, game->exponent, UINT64_MAX);
	if (game->exponent > (uint64_t)max_exponent)
		model_reject(file, "a tile is too large", "one of the board");
	for (int i = 0; i < ADP_PATTERNS; i++)
		game->states[i] = model_number(file, game->states[i], COUNT_MOST);
}

static void sections(void *self, struct model_file *file)
{
	struct adp *adp = self;
	struct adp_knowledge *own = &adp->own;
	own->trained = model_head(file)->games;
	weights_section(own->weight, file);
	const uint64_t games = model_number(file, own->games, UINT64_MAX);
	if (games >= ADP_BATCH_MAX || games > own->trained)
		model_reject(file, "a batch of too many games", "fewer");
	for (own->games = 0; !model_status(file) && own->games < games; own->games++)
		game_section(&own->game[own->games], adp->game->max_exponent, file);
	model_section_end(file);
}

const struct agent_model adp_model = {
    .params = adp_params + 1,
    .make = adp_make,
    .describe = describe,
    .layout_is_learned = true,
    .sections = sections,
};
