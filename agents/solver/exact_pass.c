/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one position passes on to its after-states, and an after-state to positions: the recurrences of
 * agents/solver/exact_play.c. What is passed on adds up to what there was, but for games that end.
 */
#include "agents/solver/exact_work.h"

#include "agents/solver/optimum.h"
#include "agents/play.h"

#include <math.h>

/* The largest exponent of KEY. */
static int key_max(const struct keys *keys, uint64_t key)
{
	const uint64_t ones = ((uint64_t)1 << keys->bits) - 1;
	uint64_t seen = 1;
	for (; key; key >>= keys->bits)
		seen |= (uint64_t)1 << (key & ones);
	return 63 - __builtin_clzll(seen);
}

static void draft_add(struct exact_draft *draft, uint64_t key, double p, double score,
		      double squares)
{
	draft->code[draft->n] = key;
	draft->mass[draft->n++] = (struct exact_mass){p, score, squares};
}

void exact_spawn(const struct exact_work *work, uint64_t key, const struct exact_mass *mass,
		 int kind, struct exact_draft *draft)
{
	const struct spawn_rule *spawn = &work->game->spawn;
	const size_t first = draft->n;
	draft->n += key_spawns(&work->keys, key, spawn->exponent[kind], draft->code + first);
	const double q = spawn->probability[kind] / (double)(draft->n - first);
	for (size_t i = first; i < draft->n; i++)
		draft->mass[i] =
		    (struct exact_mass){mass->p * q, mass->score * q, mass->squares * q};
}

/* Games end with largest exponent K. */
static void total_end(struct exact_total *total, const struct exact_mass *mass, int k)
{
	total->score += mass->score;
	total->squares += mass->squares;
	total->max_tile[k] += mass->p;
}

/* What moves with CHANCE lose, in a position that is reached with probability P. */
static void moves_compare(struct exact_work *work, const struct turn *turn,
			  const double chance[DIRECTIONS], double p, struct exact_phase *phase)
{
	double worth[DIRECTIONS], best = -INFINITY;
	if (!optimum_moves(work->task->optimum, turn, worth)) {
		work->unknown = true;
		return;
	}
	for (int d = 0; d < DIRECTIONS; d++)
		best = fmax(best, worth[d]);
	const double least = best - work->task->tie * fmax(1, fabs(best));
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(chance[d] > 0))
			continue;
		phase->loss += p * chance[d] * (best - worth[d]);
		phase->optimal += worth[d] >= least ? p * chance[d] : 0;
	}
}

/* A position with a legal move. */
static void turn_play(struct exact_work *work, struct exact_worker *worker, const struct turn *turn,
		      const struct exact_mass *mass, struct exact_phase *phase)
{
	double chance[DIRECTIONS];
	agent_act_chances(worker->agent, turn, chance);
	phase->visits += mass->p;
	if (work->task->optimum)
		moves_compare(work, turn, chance, mass->p, phase);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(chance[d] > 0))
			continue;
		const double reward = (double)turn->moves.reward[d];
		const double score = mass->score + reward * mass->p;
		const double squares =
		    mass->squares + reward * (2 * mass->score + reward * mass->p);
		draft_add(&worker->draft, keys_pack(&work->keys, &turn->moves.after[d]),
			  chance[d] * mass->p, chance[d] * score, chance[d] * squares);
	}
}

void exact_move(struct exact_work *work, struct exact_worker *worker, uint64_t key,
		const struct exact_mass *mass, struct exact_total *total)
{
	struct board board;
	struct turn turn;
	const int k = key_max(&work->keys, key);
	keys_unpack(&work->keys, key, &board);
	turn_init(&turn, work->game, &board, 0);
	if (turn.moves.legal)
		turn_play(work, worker, &turn, mass, &total->phase[k]);
	else
		total_end(total, mass, k);
}

void exact_spawn_beyond(const struct exact_work *work, uint64_t key, const struct exact_mass *mass,
			int kind, struct exact_total *total)
{
	const struct spawn_rule *spawn = &work->game->spawn;
	const double q = spawn->probability[kind];
	const int most = key_max(&work->keys, key), k = spawn->exponent[kind];
	total_end(total, &(struct exact_mass){mass->p * q, mass->score * q, mass->squares * q},
		  most > k ? most : k);
}
