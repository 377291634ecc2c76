/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A layer of positions and all that leads on from it, by four tasks for each part:
 *
 *     play     positions -> contributions to after-states, sorted by part
 *     merge    those to one part -> its after-states
 *     spawn    after-states -> contributions to positions of later layers, sorted by part
 *     gather   those to one part -> its positions
 *
 * Contributions are added up in the order of the parts they come from, and within these in the order in
 * which they were made. Play and merge take turns, and so do spawn and gather, each time for some
 * positions of every part, so that what is on its way is little and stays in the caches.
 */
#include "agents/solver/exact_work.h"

#include <string.h>

enum { ROUND = 1024 }; /* positions or after-states of a part, from one turn to the next */

static bool broken(const struct exact_work *work)
{
	return work->budget.wish || work->unknown;
}

void exact_encode(const struct exact_work *work, struct exact_draft *draft)
{
	if (work->folded)
		keys_fold(&work->keys, draft->code, draft->n);
	keys_mix(&work->keys, draft->code, draft->n);
}

bool exact_worker_init(struct exact_work *work, struct exact_worker *worker)
{
	const int cells = work->game->cells, most = cells > DIRECTIONS ? cells : DIRECTIONS;
	return exact_draft_init(&work->budget, &worker->draft, (size_t)ROUND * (size_t)most) &&
	       room_reserve(&work->budget, &worker->keys, ROUND, sizeof(uint64_t));
}

/* The keys of the present round of TABLE, in the worker's room for them; their number. */
static size_t round_keys(const struct exact_work *work, const struct exact_worker *worker,
			 const struct exact_table *table)
{
	const size_t left = table->n > work->from ? table->n - work->from : 0;
	const size_t n = left < ROUND ? left : ROUND;
	if (n)
		memcpy(worker->keys.data, table->code + work->from, n * sizeof *table->code);
	keys_unmix(&work->keys, worker->keys.data, n);
	return n;
}

/* Rounds come to little each, so that adding them up loses little. */
static void total_add(struct exact_total *total, const struct exact_total *round)
{
	total->score += round->score;
	total->squares += round->squares;
	for (int k = 0; k < EXACT_EXPONENTS; k++) {
		total->max_tile[k] += round->max_tile[k];
		total->phase[k].visits += round->phase[k].visits;
		total->phase[k].optimal += round->phase[k].optimal;
		total->phase[k].loss += round->phase[k].loss;
	}
}

static void play_task(void *context, size_t part, int number)
{
	struct exact_work *work = context;
	struct exact_worker *worker = &work->worker[number];
	const struct exact_table *table = &work->layers->part[part];
	const size_t n = round_keys(work, worker, table);
	const uint64_t *key = worker->keys.data;
	const struct exact_mass *mass = n ? table->mass + work->from : NULL;
	struct exact_total round = {0};
	worker->draft.n = 0;
	for (size_t i = 0; i < n; i++)
		exact_move(work, worker, key[i], &mass[i], &round);
	total_add(&work->total[part], &round);
	exact_encode(work, &worker->draft);
	exact_spill_sort(&work->budget, &work->spill[0][part], &worker->draft, work->keys.width);
}

/* Adds the contributions to part PART out of SPILL. */
static void spill_gather(struct exact_work *work, const struct exact_spill spill[EXACT_PARTS],
			 size_t part, struct exact_table *table)
{
	for (int i = 0; i < EXACT_PARTS; i++) {
		const uint32_t start = spill[i].start[part], n = spill[i].start[part + 1] - start;
		const uint64_t *code = spill[i].codes.data;
		const struct exact_mass *mass = spill[i].masses.data;
		if (n)
			exact_table_add(&work->budget, table, work->keys.width, code + start,
					mass + start, n);
	}
}

static void merge_task(void *context, size_t part, int number)
{
	struct exact_work *work = context;
	(void)number;
	spill_gather(work, work->spill[0], part, &work->after[part]);
}

static void spawn_task(void *context, size_t part, int number)
{
	struct exact_work *work = context;
	struct exact_worker *worker = &work->worker[number];
	struct exact_draft *draft = &worker->draft;
	const struct exact_table *table = &work->after[part];
	const size_t n = round_keys(work, worker, table);
	const uint64_t *key = worker->keys.data;
	const struct exact_mass *mass = n ? table->mass + work->from : NULL;
	struct exact_total round = {0};
	for (int kind = 0; kind < work->game->spawn.kinds; kind++) {
		draft->n = 0;
		for (size_t i = 0; i < n; i++)
			if (work->target[kind])
				exact_spawn(work, key[i], &mass[i], kind, draft);
			else
				exact_spawn_beyond(work, key[i], &mass[i], kind, &round);
		exact_encode(work, draft);
		exact_spill_sort(&work->budget, &work->spill[kind][part], draft, work->keys.width);
	}
	total_add(&work->total[part], &round);
}

static void gather_task(void *context, size_t part, int number)
{
	struct exact_work *work = context;
	(void)number;
	for (int kind = 0; kind < work->game->spawn.kinds; kind++)
		if (work->target[kind])
			spill_gather(work, work->spill[kind], part,
				     &work->target[kind]->part[part]);
}

/* FIRST and SECOND for all parts of TABLE, in rounds. */
static void rounds(struct exact_work *work, const struct exact_table table[EXACT_PARTS],
		   thread_team_task *first, thread_team_task *second)
{
	size_t most = 0;
	for (int i = 0; i < EXACT_PARTS; i++)
		most = table[i].n > most ? table[i].n : most;
	for (work->from = 0; work->from < most && !broken(work); work->from += ROUND) {
		thread_team_run(work->team, first, work, EXACT_PARTS);
		if (!broken(work))
			thread_team_run(work->team, second, work, EXACT_PARTS);
	}
}

/* The layers that after-states of SUM lead to. */
static void targets_find(struct exact_work *work, uint64_t sum)
{
	const struct spawn_rule *spawn = &work->game->spawn;
	const uint64_t most = work->task->max_sum;
	size_t n = 0;
	for (int i = 0; i < EXACT_PARTS; i++)
		n += work->after[i].n;
	for (int kind = 0; kind < spawn->kinds; kind++) {
		const uint64_t then = sum + ((uint64_t)1 << spawn->exponent[kind]);
		work->target[kind] =
		    !n || (most && then > most) ? NULL : exact_layer_at(work, then);
	}
}

void exact_step(struct exact_work *work)
{
	const struct exact_layer *layer = work->layers;
	for (int i = 0; i < EXACT_PARTS; i++) {
		work->states += layer->part[i].n;
		exact_table_clear(&work->after[i]);
	}
	rounds(work, layer->part, play_task, merge_task);
	targets_find(work, layer->sum);
	rounds(work, work->after, spawn_task, gather_task);
}
