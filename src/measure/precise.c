/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays an experiment until its means are precise.
 *
 * In each round the players with the least precise means play to their next look, as many of them
 * as keep the workers busy, so that time, or a time budget, is spent where it is needed. Whether a
 * player has finished depends on its own games before a look, which are complete then, and not on
 * the games of others or on time. So the same games are played with any number of threads, ranks,
 * shares and interruptions.
 */
#include "src/measure/precise.h"

#include "analysis/stats/stats.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/games/ranks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The progress of an entry. */
struct standing {
	struct experiment_entry *entry;
	uint64_t most, games; /* at most; up to the last look, all in the log */
	double imprecision;   /* of these games */
	bool mine;	      /* it belongs to this share */
};

struct rounds {
	struct standing *standings;
	size_t count;
	double precision;
};

/* The scores of the first N final games of ENTRY in LOG, on the heap; NULL if one is missing. */
static double *scores_find(const struct experiment_entry *entry, const struct gamelog *log,
			   uint64_t n)
{
	const uint64_t config = entry_config(entry, entry_trained(entry)),
		       begin = entry->schedule.evaluate;
	double *scores = xcalloc(n + 1, sizeof *scores);
	for (uint64_t i = 0; i < n; i++) {
		const struct gamelog_row *row = gamelog_find(log, config, entry->seed, begin + i);
		if (!row) {
			free(scores);
			return NULL;
		}
		scores[i] = (double)row->score;
	}
	return scores;
}

static bool has_finished(const struct rounds *r, const struct standing *s)
{
	return !s->mine || s->games == s->most || s->imprecision <= r->precision;
}

/* Takes the looks of S whose games are in LOG; its entry then has the games to the next look. */
static void standing_advance(const struct rounds *r, struct standing *s, const struct gamelog *log)
{
	double *scores = NULL;
	while (!has_finished(r, s)) {
		const uint64_t look = stats_look(s->games, s->most);
		scores = scores_find(s->entry, log, look);
		if (!scores)
			break;
		s->games = look;
		s->imprecision = stats_imprecision(scores, look);
		free(scores);
	}
	s->entry->schedule.games = has_finished(r, s) ? s->games : stats_look(s->games, s->most);
}

/* The least precise first; equal ones in the order of the experiment. */
static int by_imprecision(const void *a, const void *b)
{
	const struct standing *x = *(struct standing *const *)a, *y = *(struct standing *const *)b;
	if (x->imprecision > y->imprecision || x->imprecision < y->imprecision)
		return x->imprecision > y->imprecision ? -1 : 1;
	return (x > y) - (x < y);
}

/* Fills ROUND with the least precise entries, enough for WORKERS; NOTE is about the first. */
static void round_make(struct rounds *r, struct experiment *round, uint64_t workers, char *note)
{
	const struct standing **waiting = xcalloc(r->count + 1, sizeof *waiting);
	uint64_t games = 0;
	size_t n = 0;
	for (size_t i = 0; i < r->count; i++)
		if (!has_finished(r, &r->standings[i]))
			waiting[n++] = &r->standings[i];
	qsort(waiting, n, sizeof *waiting, by_imprecision);
	round->count = 0;
	for (size_t i = 0; i < n && (games < 2 * workers || isinf(waiting[i]->imprecision)); i++) {
		round->entries[round->count++] = waiting[i]->entry;
		games += waiting[i]->entry->schedule.games - waiting[i]->games;
	}
	*note = '\0';
	if (n && isfinite(waiting[0]->imprecision))
		snprintf(note, PROGRESS_NOTE_MAX, "%zu to go, up to +-%.3g%%: %s on %s", n,
			 100 * waiting[0]->imprecision, waiting[0]->entry->label,
			 waiting[0]->entry->game.name);
	free(waiting);
}

/* Counts the games requested so far, and those of them in LOG. */
static struct work_done games_count(const struct rounds *r, const struct gamelog *log)
{
	struct work_done count = {0};
	for (size_t i = 0; i < r->count; i++) {
		if (!r->standings[i].mine)
			continue;
		const struct work_done games =
		    entry_work(r->standings[i].entry, log, &(struct share){0}, 0);
		count.total += games.total;
		count.done += games.done;
	}
	return count;
}

/* Plays round after round with T, whose OPTIONS contain NOTE. */
static enum status rounds_play(struct rounds *r, const struct experiment *experiment,
			       struct tournament *t, const struct tournament_options *options,
			       char *note, struct why *why)
{
	struct work_done ignored;
	struct experiment round = *experiment;
	const uint64_t workers = (uint64_t)options->threads * (uint64_t)ranks_size();
	enum status status = STATUS_OK;
	round.entries = xcalloc(r->count + 1, sizeof(*round.entries));
	for (bool first = true; !status; first = false) {
		round_make(r, &round, workers, note);
		/* The first round is played even if it is empty, to read the log. */
		if (!round.count && !first)
			break;
		status = tournament_games(t, &round, &ignored, why);
		status = ranks_agree("round", round.count, status, why);
		for (size_t i = 0; (!status || status == STATUS_STOPPED) && i < r->count; i++)
			standing_advance(r, &r->standings[i], tournament_log(t));
	}
	free(round.entries);
	return status;
}

enum status precise_play(const struct experiment *experiment,
			 const struct tournament_options *options, struct work_done *count,
			 struct gamelog *games, struct why *why)
{
	char note[PROGRESS_NOTE_MAX] = "";
	struct tournament_options here = *options;
	struct rounds r = {.standings = xcalloc(experiment->count + 1, sizeof *r.standings),
			   .count = experiment->count,
			   .precision = experiment->precision};
	here.own = true;
	here.note = note;
	for (size_t i = 0; i < r.count; i++) {
		struct experiment_entry *entry = experiment->entries[i];
		r.standings[i] = (struct standing){.entry = entry,
						   .most = entry->schedule.games,
						   .imprecision = INFINITY,
						   .mine = share_owns(&options->share, i)};
		entry->schedule.games = stats_look(0, entry->schedule.games);
	}
	struct tournament *t = tournament_new(&here);
	enum status status = rounds_play(&r, experiment, t, &here, note, why);
	if (!status || status == STATUS_STOPPED)
		*count = games_count(&r, tournament_log(t));
	free(r.standings);
	return tournament_end(t, status, games, why);
}

void precise_print(FILE *file, const struct experiment *experiment, const struct gamelog *log)
{
	const struct experiment_entry *worst = NULL;
	double most = experiment->precision;
	size_t missed = 0;
	for (size_t i = 0; i < experiment->count; i++) {
		const struct experiment_entry *entry = experiment->entries[i];
		const uint64_t n = entry->schedule.games;
		double *scores = scores_find(entry, log, n);
		const double imprecision = scores ? stats_imprecision(scores, n) : INFINITY;
		free(scores);
		missed += imprecision > experiment->precision;
		worst = imprecision > most ? entry : worst;
		most = fmax(most, imprecision);
	}
	if (!missed)
		text_printf(file, "All means are within %g%%.", 100 * experiment->precision);
	else
		text_printf(file,
			    "%zu of %zu means are not within %g%%; the widest interval is that of "
			    "%s on %s, after %" PRIu64 " games.",
			    missed, experiment->count, 100 * experiment->precision, worst->label,
			    worst->game.name, worst->schedule.games);
}
