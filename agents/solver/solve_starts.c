/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The positions that games start from, images folded, with their probabilities: a given one, or
 * start tiles spawned one after the other on an empty board.
 */
#include "agents/solver/solving.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

static int seeds_ascend(const void *a, const void *b)
{
	const struct solve_seed *x = a, *y = b;
	if (x->sum != y->sum)
		return x->sum < y->sum ? -1 : 1;
	return (x->code > y->code) - (x->code < y->code);
}

/* Sorts seeds by sum and code, and joins those that are equal; their number. */
static size_t seeds_join(struct solve_seed *seeds, size_t n)
{
	size_t kept = 0;
	qsort(seeds, n, sizeof *seeds, seeds_ascend);
	for (size_t i = 0; i < n; i++) {
		if (kept && seeds_ascend(&seeds[kept - 1], &seeds[i]) == 0)
			seeds[kept - 1].probability += seeds[i].probability;
		else
			seeds[kept++] = seeds[i];
	}
	return kept;
}

/* All positions that one more tile makes of SEED, at NEXT; their number. */
static size_t seed_spawn(const struct solving *solving, const struct solve_seed *seed,
			 struct solve_seed *next)
{
	const struct spawn_rule *spawn = &solving->game->spawn;
	const struct keys *keys = &solving->keys;
	uint64_t code[CELLS_MAX];
	size_t count = 0;
	for (int i = 0; i < spawn->kinds; i++) {
		const int kind = spawn->exponent[i];
		const size_t cells = key_spawns(keys, seed->code, kind, code);
		keys_fold(keys, code, cells);
		for (size_t c = 0; c < cells; c++)
			next[count++] = (struct solve_seed){
			    .code = code[c],
			    .sum = seed->sum + ((uint64_t)1 << kind),
			    .probability =
				seed->probability * spawn->probability[i] / (double)cells};
	}
	return count;
}

/* One more tile on every seed. */
static enum status seeds_spawn(struct solving *solving, struct why *why)
{
	const struct game *game = solving->game;
	const size_t most = (size_t)game->cells * (size_t)game->spawn.kinds;
	const size_t room = solving->seed_count * most;
	size_t count = 0;
	assert(room > 0);
	if (room > solving->budget.limit / sizeof *solving->seeds)
		return why_set(
		    why, STATUS_INPUT,
		    "%s: what games start from takes more than %.0f MiB of memory: allow "
		    "more (--memory), or fewer start tiles than %d",
		    game->name, (double)solving->budget.limit / 0x1p20, game->start_tiles);
	struct solve_seed *next = calloc(room, sizeof *next);
	if (!next)
		return why_set(why, STATUS_SYSTEM, "out of memory for the starts of games");
	for (size_t i = 0; i < solving->seed_count; i++)
		count += seed_spawn(solving, &solving->seeds[i], next + count);
	free(solving->seeds);
	solving->seeds = next;
	solving->seed_count = seeds_join(next, count);
	return STATUS_OK;
}

/* The largest exponent that a start can have. */
static int start_exponent(const struct game *game)
{
	return game->has_start ? board_max(&game->start)
			       : game->spawn.exponent[game->spawn.kinds - 1];
}

static enum status seeds_check(const struct solving *solving, struct why *why)
{
	const struct solve_task *task = solving->task;
	const struct solve_seed *largest = &solving->seeds[solving->seed_count - 1];
	if (largest->sum > solving->last)
		return why_set(why, STATUS_INPUT,
			       "games start with tiles that sum to %" PRIu64
			       ", expected a largest sum of at least that, and not %" PRIu64,
			       largest->sum, solving->last);
	if (task->target && start_exponent(task->game) >= task->target)
		return why_set(why, STATUS_INPUT,
			       "games can start with the tile %" PRIu64
			       ", expected a target above that",
			       UINT64_C(1) << start_exponent(task->game));
	return STATUS_OK;
}

enum status solve_seeds(struct solving *solving, struct why *why)
{
	const struct game *game = solving->game;
	enum status status = STATUS_OK;
	solving->seed_count = 1;
	solving->seeds = calloc(1, sizeof *solving->seeds);
	if (!solving->seeds)
		return why_set(why, STATUS_SYSTEM, "out of memory for the starts of games");
	solving->seeds[0].probability = 1;
	if (game->has_start) {
		solving->seeds[0].code = keys_pack(&solving->keys, &game->start);
		solving->seeds[0].sum = board_sum(&game->start);
		keys_fold(&solving->keys, &solving->seeds[0].code, 1);
	}
	for (int i = 0; !status && !game->has_start && i < game->start_tiles; i++)
		status = seeds_spawn(solving, why);
	if (status)
		return status;
	for (size_t i = 0; i < solving->seed_count; i++)
		keys_mix(&solving->keys, &solving->seeds[i].code, 1);
	solving->first = solving->seeds[0].sum;
	return seeds_check(solving, why);
}
