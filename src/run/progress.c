/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The progress line; see progress.h. The time left is that of the games left at the speed so far;
 * it is rough, because games of the boards still to come may be longer, and a learner's get longer.
 */
#include "src/run/progress.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_BYTES = 512 };

void progress_start(struct progress *progress, bool forced)
{
	progress->started = clock_seconds();
	progress->shown = forced || isatty(STDERR_FILENO);
}

static void eta_show(FILE *out, double eta)
{
	if (eta > 0 && eta < 100 * 3600)
		fprintf(out, " ETA %u:%02u:%02u", (unsigned)eta / 3600, (unsigned)eta / 60 % 60,
			(unsigned)eta % 60);
}

/* "12/300 games 3.4/s"; returns the seconds that what is left will take, 0 if nobody knows. */
static double count_show(FILE *out, const struct progress_count *count, const char *what,
			 double elapsed)
{
	uint64_t done = atomic_load(&count->done), before = atomic_load(&count->before);
	fprintf(out, "%" PRIu64, before + done);
	if (count->total != UINT64_MAX)
		fprintf(out, "/%" PRIu64, count->total);
	fprintf(out, " %s", what);
	if (done == 0 || elapsed <= 0)
		return 0;
	double speed = (double)done / elapsed;
	fprintf(out, " %.*f/s", speed < 10 ? 1 : 0, speed);
	if (count->total == UINT64_MAX || count->total <= before + done)
		return 0;
	return (double)(count->total - before - done) / speed;
}

/* All of the line. */
static void line_show(const struct progress *p, FILE *out)
{
	const struct {
		const struct progress_count *count;
		const char *what;
	} counts[] = {{&p->games, "games"},
		      {&p->training, "trained"},
		      {&p->seconds, "s trained"},
		      {&p->searches, "searches"},
		      {&p->positions, "positions"}};
	double now = clock_seconds(), elapsed = now - p->started;
	double left = p->end > 0 ? p->end - now : 0;
	const char *between = "";
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		if (counts[i].count->total == 0)
			continue;
		fputs(between, out);
		double eta = count_show(out, counts[i].count, counts[i].what, elapsed);
		if (p->end > 0)
			left = eta > 0 && eta < left ? eta : left;
		else
			eta_show(out, eta);
		between = ", ";
	}
	uint64_t moves = atomic_load(&p->moves);
	if (moves > 0 && elapsed > 0)
		fprintf(out, " %.3g M moves/s", 1e-6 * (double)moves / elapsed);
	eta_show(out, left);
	if (*p->note)
		fprintf(out, "; %s", p->note);
}

void progress_show(const struct progress *progress)
{
	char line[LINE_BYTES] = "";
	if (!progress->shown)
		return;
	FILE *out = fmemopen(line, sizeof line, "w");
	if (!out)
		return;
	line_show(progress, out);
	fclose(out);
	line[LINE_BYTES - 1] = '\0';
	/* A line that wraps around could not be taken back. */
	struct winsize window;
	int width = LINE_BYTES;
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
		width = window.ws_col - 1;
	fprintf(stderr, "\r\033[K%.*s", width, line);
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
