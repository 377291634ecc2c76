/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which games of an unfinished run are a sample.
 *
 * Several workers start games in order, 0, 1, 2, ... Of the games that were started last, a run
 * that is stopped has finished the short ones, and not the long ones: with 24 workers and 24 games,
 * the first three to end are the three shortest. So games after the first missing one do not count.
 *
 * The games before it keep some bias: by renewal theory the game under way at a stop is longer than
 * average, and the finished games of its worker are shorter by as much in total. So they count only
 * if they are many compared with the games under way, by a simple rule rather than a sharp one:
 * COUNTED_PER_WORKER games for each worker. If the number of workers is not known, the number of
 * games from the first missing one to the last finished one replaces it: all of them were started
 * while the first missing one was under way. Without a gap and without a plan all games count: one
 * worker has played them, or the run is complete.
 *
 * tests/long/counted.c simulates it; docs/data.md has the figures.
 */
#include "analysis/stats/stats.h"

#include <stdbool.h>

enum { COUNTED_PER_WORKER = 3, COUNTED_PER_STARTED = 2, COUNTED_MIN = 10, STEP_GAMES_MIN = 6 };

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* The step between games: the number of shares if these are the games of one share, or 1. */
static uint64_t step_of(const uint64_t *game, size_t n, const struct games_plan *plan)
{
	uint64_t common = 0;

	for (size_t i = 1; i < n; i++)
		common = common_divisor(game[i] - game[i - 1], common);
	if (plan && plan->step > 1 && common % plan->step == 0)
		return plan->step;
	return !plan && n >= STEP_GAMES_MIN && game[0] < common ? common : 1;
}

/* How many of the first COUNT games belong to a plan that is complete; game NEXT is missing. */
static size_t fulfilled(const uint64_t *game, size_t count, uint64_t next,
			const struct games_plan *plan, size_t plans)
{
	uint64_t most = 0;
	size_t n = 0;

	for (size_t i = 0; i < plans; i++)
		if (plan[i].games <= next && plan[i].games > most)
			most = plan[i].games;
	while (n < count && game[n] < most)
		n++;
	return n;
}

size_t stats_counted(const uint64_t *game, size_t n, const struct games_plan *plan, size_t plans)
{
	const struct games_plan *last = plans ? &plan[plans - 1] : NULL;
	const uint64_t step = n ? step_of(game, n, last) : 1;
	size_t count = 0;

	while (count < n && game[count] == game[0] % step + count * step)
		count++;
	if (n == 0 || (count == n && !last))
		return count;
	const uint64_t next = game[0] % step + count * step;
	const uint64_t started = count < n ? (game[n - 1] - next) / step + 1 : 0;
	if (last && next >= last->games && !started)
		return count;
	const bool many = last && last->workers
			      ? next >= COUNTED_PER_WORKER * last->workers
			      : count >= COUNTED_MIN && count >= COUNTED_PER_STARTED * started;
	return many ? count : fulfilled(game, count, next, plan, plans);
}

bool stats_lacks_share(const uint64_t *game, size_t n)
{
	enum { SHARES_MOST = 64 };
	const uint64_t end = n ? game[n - 1] + 1 : 0;
	for (uint64_t shares = 2; shares <= SHARES_MOST && 2 * shares <= end; shares++) {
		uint64_t count[SHARES_MOST] = {0};
		bool fits = end > n;
		for (size_t i = 0; i < n; i++)
			count[game[i] % shares]++;
		for (uint64_t k = 0; k < shares && fits; k++)
			fits = count[k] == 0 || count[k] == (end - k + shares - 1) / shares;
		if (fits)
			return true;
	}
	return false;
}
