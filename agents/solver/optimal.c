/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The agent optimal: optimal play by a table that a solver wrote (agents/solver/optimum.h).
 *
 * Among moves whose values agree in nine digits, the agent plays the first of up, right, down,
 * left, since sums of the same numbers in another order may differ in the last digits. In a
 * position that the table lacks, because no game from the start of the table reaches the position,
 * the agent plays the move with the largest reward.
 *
 * The checksums of the whole file are verified before the first move. Instances share the table.
 *
 * Check value: the mean score on 2x2 is 66.9641494571.
 */
#include "agents/solver/optimum.h"
#include "agents/agent.h"

#include <math.h>

struct optimal {
	char file[FIELD_TEXT_MAX];

	struct optimum *own;	       /* NULL if borrowed */
	const struct optimum *optimum; /* own, or another instance's */
};

static const struct field optimal_params[] = {
    {.name = "file",
     .kind = FIELD_FILE,
     .offset = offsetof(struct optimal, file),
     .fallback = "",
     .help = "table that nxn solve --board RxC --out FILE wrote"},
    {0},
};

static enum status optimal_init(void *self, const struct agent_env *env, struct why *why)
{
	struct optimal *optimal = self;
	const struct optimal *owner = env->owner;
	struct why reason;
	if (owner) {
		optimal->optimum = owner->optimum;
		return STATUS_OK;
	}
	if (!optimal->file[0])
		return why_set(why, STATUS_INPUT,
			       "optimal: the table is missing: expected optimal:FILE, with a file "
			       "of nxn solve --board %s --out FILE",
			       env->game->name);
	enum status status = optimum_open(optimal->file, env->game, true, &optimal->own, &reason);
	if (status)
		return why_set(why, status, "optimal: %.1000s", reason.text);
	optimal->optimum = optimal->own;
	return STATUS_OK;
}

/* Returns the first of the best moves, with values that agree in nine digits taken as equal. */
static int best_move(unsigned legal, const double worth[DIRECTIONS])
{
	double best = -INFINITY;
	for (int d = 0; d < DIRECTIONS; d++)
		if (legal >> d & 1)
			best = fmax(best, worth[d]);
	int move = 0;
	while (!(legal >> move & 1) || worth[move] < best - 1e-9 * fabs(best))
		move++;
	return move;
}

static int optimal_act(void *self, const struct turn *turn, struct rng *rng,
		       struct decision *decision)
{
	const struct optimal *optimal = self;
	const unsigned legal = turn->moves.legal;
	double reward[DIRECTIONS];
	(void)rng;
	if (optimum_moves(optimal->optimum, turn, decision->value))
		return best_move(legal, decision->value);
	for (int d = 0; d < DIRECTIONS; d++)
		reward[d] = (double)turn->moves.reward[d];
	return best_move(legal, reward);
}

static void optimal_fini(void *self)
{
	struct optimal *optimal = self;
	optimum_close(optimal->own);
}

const struct agent_class optimal_agent = {
    .name = "optimal",
    .summary = "best play, looked up in a table of nxn solve",
    .needs = "FILE",
    .params = optimal_params,
    .size = sizeof(struct optimal),
    .init = optimal_init,
    .act = optimal_act,
    .policy = POLICY_FIXED,
    .fini = optimal_fini,
};
