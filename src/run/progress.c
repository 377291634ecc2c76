/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The progress line; see progress.h. The time left is that of the games left at the speed so far;
 * it is rough, because games of the boards still to come may be longer, and a learner's get longer.
 */
#include "src/run/progress.h"

#include "base/clock.h"
#include "base/stop.h"

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

/* Draws the line anew. */
static void progress_show(const struct progress *progress)
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
	if (now - progress->drawn < 0.2)
		return;
	progress->drawn = now;
	progress_show(progress);
}

void progress_clear(const struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
}

/* ---- The line of a solver. */

/*
 * Backwards the number of positions is known. Forwards it is not, but on boards in full the share
 * of all positions that have at most a given share of the largest sum hardly depends on the
 * board: at every tenth of the sum it differs by less than 0.02 between 2x3 and 3x3
 * (tests/vectors/layers.txt). What remains of that pass is estimated by it.
 */

/* The share of positions up to I tenths of the largest sum. */
static const double shares[] = {0, 0.047, 0.165, 0.282, 0.422, 0.53, 0.645, 0.771, 0.863, 0.954, 1};

/* Below a tenth the estimate is worth nothing: 0. */
static double share_of(uint64_t sum, uint64_t last)
{
	const double tenths = 10 * (double)sum / (double)last;
	if (!(tenths >= 1))
		return 0;
	if (tenths >= 10)
		return 1;
	const int i = (int)tenths;
	return shares[i] + (tenths - i) * (shares[i + 1] - shares[i]);
}

static void note_set(struct solve_show *show, const struct solve_progress *p)
{
	struct progress *line = &show->progress;
	const char *pass = show->what ? show->what : p->backward ? "pass 2 of 2" : "pass 1 of 2";
	const int used = snprintf(line->note, sizeof line->note, "%s, sum %" PRIu64, pass, p->sum);
	if (p->backward || used < 0 || (size_t)used >= sizeof line->note)
		return;
	const uint64_t last = show->most && show->most < p->last ? show->most : p->last;
	char *rest = line->note + used;
	const size_t size = sizeof line->note - (size_t)used;
	const double share = show->partial ? 0 : share_of(p->sum, last);
	const double elapsed = clock_seconds() - line->started;
	const double done = (double)line->positions.done, before = (double)line->positions.before;
	if (share <= 0 || share >= 1 || done <= 0) {
		snprintf(rest, size, " of at most %" PRIu64, last);
		return;
	}
	const double left = elapsed * ((before + done) * (1 / share - 1)) / done;
	snprintf(rest, size, " of at most %" PRIu64 ", some %.0f s %s", last, left,
		 show->what ? "left" : "to the next pass");
}

/*
 * A pass begins, or is gone on with: what is there already was not done at the speed of this run.
 */
static void pass_begin(struct solve_show *show, const struct solve_progress *p)
{
	struct progress *line = &show->progress;
	*line = (struct progress){0};
	progress_start(line, show->forced);
	line->positions.total = p->backward ? p->states : UINT64_MAX;
	line->positions.before = p->backward ? p->done : p->states;
	show->begun = true;
	show->backward = p->backward;
}

bool solve_show(void *context, const struct solve_progress *p)
{
	struct solve_show *show = context;
	if (!show->begun || show->backward != p->backward)
		pass_begin(show, p);
	struct progress *line = &show->progress;
	line->positions.done = (p->backward ? p->done : p->states) - line->positions.before;
	note_set(show, p);
	progress_tick(line);
	return !stop_requested();
}

void solve_show_end(struct solve_show *show)
{
	if (show->begun)
		progress_clear(&show->progress);
}
