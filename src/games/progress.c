/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/games/progress.h"

#include "base/clock.h"
#include "base/number.h"
#include "base/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Earlier speeds are meaningless: files are read and memory is touched for the first time. */
enum { STEADY_SECONDS = 5 };

enum { LINE_BYTES = 512 };

/* Seconds between two lines without a terminal: NXN_PROGRESS_SECONDS, or 60. */
static double report_seconds(void)
{
	const char *text = getenv("NXN_PROGRESS_SECONDS");
	double seconds;
	return text && real_parse(text, &seconds) && seconds > 0 ? seconds : 60;
}

void progress_start(struct progress *progress, bool forced)
{
	progress->started = clock_seconds();
	progress->shown = forced || isatty(STDERR_FILENO);
	/* A redrawn line appears at once, even if the work is short. */
	progress->drawn = progress->shown ? 0 : progress->started;
	progress->interval = progress->shown ? 0.2 : report_seconds();
}

static void eta_show(FILE *out, double eta)
{
	if (!(eta > 0 && eta < 100 * 3600))
		return;
	const unsigned seconds = (unsigned)ceil(eta);
	fprintf(out, " ETA %u:%02u:%02u", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

/* Prints "12/300 games 3.4/s". Returns the estimated seconds for the rest, 0 if unknown. */
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
	if (count->total == UINT64_MAX || count->total <= before + done || elapsed < STEADY_SECONDS)
		return 0;
	return (double)(count->total - before - done) / speed;
}

static void line_show(const struct progress *p, FILE *out)
{
	static const char *const what[PROGRESS_COUNTS] = {"games", "trained", "s trained",
							  "searches", "positions"};
	double now = clock_seconds(), elapsed = now - p->started;
	double left = p->end > 0 ? p->end - now : 0;
	const char *between = "";
	for (size_t i = 0; i < PROGRESS_COUNTS; i++) {
		if (p->count[i].total == 0)
			continue;
		fputs(between, out);
		double eta = count_show(out, &p->count[i], what[i], elapsed);
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

/* Redraws the line; without a terminal, prints another line. */
static void progress_show(const struct progress *progress)
{
	static const char cut[] = "...";
	char line[LINE_BYTES] = "";
	FILE *out = fmemopen(line, sizeof line, "w");
	if (!out)
		return;
	line_show(progress, out);
	fclose(out);
	line[LINE_BYTES - 1] = '\0';
	if (!progress->shown) {
		fprintf(stderr, "nxn: %s\n", line);
		return;
	}
	/* A line that wraps could not be erased. */
	struct winsize window;
	size_t width = LINE_BYTES;
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > sizeof cut)
		width = window.ws_col - 1U;
	if (strlen(line) > width)
		strcpy(line + width - strlen(cut), cut);
	fprintf(stderr, "\r\033[K%s", line);
	fflush(stderr);
}

void progress_tick(struct progress *progress)
{
	double now = clock_seconds();
	if (!(now - progress->drawn >= progress->interval))
		return;
	progress->drawn = now;
	progress_show(progress);
}

void progress_clear(struct progress *progress)
{
	if (!progress->shown)
		return;
	fputs("\r\033[K", stderr);
	progress->drawn = 0;
}

/* ---- The line of a solver. */

static void note_set(struct solve_show *show, const struct solve_progress *p)
{
	struct progress *line = &show->progress;
	const char *pass = show->what ? show->what : p->backward ? "pass 2 of 2" : "pass 1 of 2";
	const int used = snprintf(line->note, sizeof line->note, "%s, sum %" PRIu64, pass, p->sum);
	if (!p->backward && used > 0 && (size_t)used < sizeof line->note)
		snprintf(line->note + used, sizeof line->note - (size_t)used,
			 " of at most %" PRIu64,
			 show->most && show->most < p->last ? show->most : p->last);
}

/* Starts or resumes a pass; positions of earlier runs do not count in the speed of this one. */
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
