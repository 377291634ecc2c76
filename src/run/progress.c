/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The progress line; see progress.h. Where cells are known, the time left is estimated for each of
 * them from its own games, because games of one board and player may take a million times as long
 * as those of another. It is a lower bound while some have not played yet, and a learner's games
 * get longer. Otherwise it is that of the work left at the speed so far.
 */
#include "src/run/progress.h"

#include "base/clock.h"
#include "base/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Speeds tell nothing before: files are read and memory is touched for the first time. */
enum { STEADY_SECONDS = 5 };

enum { LINE_BYTES = 512 };

void progress_start(struct progress *progress, bool forced)
{
	progress->started = clock_seconds();
	progress->shown = forced || isatty(STDERR_FILENO);
}

/* A bound below a second tells nothing. */
static void eta_show(FILE *out, double eta, bool least)
{
	if (!(eta > (least ? 1 : 0) && eta < 100 * 3600))
		return;
	const unsigned seconds = (unsigned)ceil(eta);
	fprintf(out, " ETA %s%u:%02u:%02u", least ? ">" : "", seconds / 3600, seconds / 60 % 60,
		seconds % 60);
}

uint64_t progress_clock(void)
{
	return (uint64_t)(1e9 * clock_seconds());
}

uint64_t progress_lap(uint64_t *then)
{
	const uint64_t now = progress_clock(), time = now > *then ? now - *then : 0;
	*then = now;
	return time;
}

/* Seconds for DONE of COUNT took TIME nanoseconds: those of the rest, at least NOW for one. */
static double rest_seconds(uint64_t count, uint64_t done, uint64_t time, double now, bool *least)
{
	if (done >= count)
		return 0;
	*least = *least || done == 0;
	const double each = done ? 1e-9 * (double)time / (double)done : now;
	return (double)(count - done) * each;
}

/* The seconds that are left of a cell's training and games; *SERIAL of them one after the other. */
static double cell_left(const struct progress_cell *c, double *serial, bool *least)
{
	const uint64_t begun = atomic_load(&c->begun), clock = progress_clock();
	const double now = begun && clock > begun ? 1e-9 * (double)(clock - begun) : 0;
	const uint64_t learning = atomic_load(&c->learning), time = atomic_load(&c->training_time);
	double training =
	    rest_seconds(atomic_load(&c->training), atomic_load(&c->trained), learning, now, least);
	if (time > 0)
		training = time > learning ? 1e-9 * (double)(time - learning) : 0;
	const uint64_t played = atomic_load(&c->played);
	const double games = rest_seconds(c->games, played, atomic_load(&c->playing), now, least);
	/* What is done last takes one game at least. */
	const double one = c->games > played ? games / (double)(c->games - played) : 0;
	*serial = training + one;
	return training + games;
}

double progress_left(const struct progress *p, bool *least)
{
	double all = 0, longest = 0;
	*least = false;
	for (size_t i = 0; i < p->cell_count; i++) {
		double serial;
		all += cell_left(&p->cells[i], &serial, least);
		longest = fmax(longest, serial);
	}
	return fmax(all / (p->workers > 0 ? p->workers : 1), longest);
}

/* The cell at work that has the most left: what everything waits for. */
static void cell_show(const struct progress *p, FILE *out)
{
	const struct progress_cell *most = NULL;
	double left = -1;
	for (size_t i = 0; i < p->cell_count; i++) {
		const struct progress_cell *c = &p->cells[i];
		bool least = false;
		double serial;
		const bool works = atomic_load(&c->begun) &&
				   (atomic_load(&c->played) < c->games ||
				    atomic_load(&c->trained) < atomic_load(&c->training));
		const double rest = works ? cell_left(c, &serial, &least) : -1;
		if (rest > left) {
			most = c;
			left = rest;
		}
	}
	if (!most)
		return;
	fprintf(out, "; %s %s", most->board, most->label);
	if (most->games)
		fprintf(out, " %" PRIu64 "/%" PRIu64, (uint64_t)most->played, most->games);
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
	if (count->total == UINT64_MAX || count->total <= before + done || elapsed < STEADY_SECONDS)
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
		else if (!p->cell_count)
			eta_show(out, eta, false);
		between = ", ";
	}
	uint64_t moves = atomic_load(&p->moves);
	if (moves > 0 && elapsed > 0)
		fprintf(out, " %.3g M moves/s", 1e-6 * (double)moves / elapsed);
	bool least = false;
	if (p->cell_count)
		left = progress_left(p, &least);
	eta_show(out, left, least);
	cell_show(p, out);
	if (*p->note)
		fprintf(out, "; %s", p->note);
}

/* Draws the line anew. */
static void progress_show(const struct progress *progress)
{
	static const char cut[] = "...";
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
