/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a solver has come; see solve_show.h. Backwards the number of positions is known. Forwards
 * it is not, but on boards in full the share of all positions that have at most a given share of
 * the largest sum hardly depends on the board: at every tenth of the sum it differs by less than
 * 0.02 between 2x3 and 3x3 (tests/vectors/layers.txt). What remains of that pass is estimated by
 * it.
 */
#include "src/run/solve_show.h"

#include "base/clock.h"
#include "base/stop.h"

#include <inttypes.h>
#include <stdio.h>

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
