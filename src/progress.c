/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The progress line; see progress.h. The time left is that of the games left at the speed so far;
 * it is rough, because games of the boards still to come may be longer.
 */
#include "src/progress.h"

#include "src/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

void progress_start(struct progress *progress, bool forced)
{
	progress->started = clock_seconds();
	progress->shown = forced || isatty(STDERR_FILENO);
}

/* "12/300 games 3.4/s ETA 0:01:25" */
static void count_show(const struct progress_count *count, const char *what, double elapsed)
{
	uint64_t done = atomic_load(&count->done), before = atomic_load(&count->before);
	uint64_t left = count->total - before - done;
	fprintf(stderr, "%" PRIu64 "/%" PRIu64 " %s", before + done, count->total, what);
	if (done == 0 || elapsed <= 0)
		return;
	double speed = (double)done / elapsed;
	fprintf(stderr, " %.*f/s", speed < 10 ? 1 : 0, speed);
	if (left == 0)
		return;
	double eta = (double)left / speed;
	if (eta < 100 * 3600)
		fprintf(stderr, " ETA %u:%02u:%02u", (unsigned)eta / 3600, (unsigned)eta / 60 % 60,
			(unsigned)eta % 60);
}

void progress_show(const struct progress *progress)
{
	if (!progress->shown)
		return;
	double elapsed = clock_seconds() - progress->started;
	fputs("\r\033[K", stderr);
	if (progress->games.total)
		count_show(&progress->games, "games", elapsed);
	if (progress->games.total && progress->training.total)
		fputs(", ", stderr);
	if (progress->training.total)
		count_show(&progress->training, "trained", elapsed);
	if (progress->searches.total)
		count_show(&progress->searches, "searches", elapsed);
	fflush(stderr);
}

void progress_tick(struct progress *progress)
{
	double now = clock_seconds();
	if (now - progress->drawn < 0.25)
		return;
	progress->drawn = now;
	progress_show(progress);
}

void progress_clear(const struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
}
