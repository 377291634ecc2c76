/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of `nxn train`; see trainer.h.
 *
 * Training is cut into stretches. In a stretch the threads learn until over() tells one after the
 * other, each at the end of its game, that it is time to save, or that this is the end; then the
 * threads are gone, and the learner is saved. What an open block has come to goes into the curve
 * before the model that it belongs to (src/run/curve.h), games under way go into the model, so that
 * a checkpoint may be at the end of any game.
 *
 * Invariant: t->at.trained is the number of games of which over() was told, which between stretches
 * is what the learner itself says.
 */
#include "src/run/trainer.h"

#include "base/atomic_file.h"
#include "base/clock.h"
#include "src/run/curve.h"
#include "src/run/experiment.h"
#include "src/run/learner.h"
#include "src/run/progress.h"
#include "base/stop.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trainer {
	const struct trainer_options *options;
	struct learner learner;
	struct agent *agent; /* the learner's */
	struct curve curve;
	bool has_curve;

	pthread_mutex_t lock; /* of all below, while threads learn */
	struct curve_point at;
	struct tally block; /* open */
	struct tally last;  /* the last whole one that ended in this run */
	struct curve_point last_at;
	double started, before; /* the stretch: clock, and seconds of training before it */
	bool pausing;		/* over() is false from now on */
	struct progress progress;
	enum status status; /* of writing a row */
	struct why why;
};

/* One of the threads that learn. */
struct pupil {
	struct trainer *trainer;
	int number;
	pthread_t thread;
};

/* Calls of learn() at the same time. */
static int trainer_pupils(const struct trainer *t)
{
	return t->agent->class->uses_team ? 1 : t->options->threads;
}

/* Whether all is done that was asked for. */
static bool trainer_done(const struct trainer *t)
{
	return t->at.trained >= t->options->episodes || t->at.seconds >= t->options->budget;
}

/* A line for a reader of a log. */
static void block_tell(const struct trainer *t)
{
	char brief[TALLY_BRIEF_MAX];
	double elapsed = clock_seconds() - t->progress.started;
	tally_brief(&t->last, brief);
	progress_clear(&t->progress);
	fprintf(stderr, "%" PRIu64 " games, %.0f s, %.3g games/s, %.3g M moves/s: %s\n",
		t->at.trained, t->at.seconds, (double)t->progress.training.done / elapsed,
		1e-6 * (double)t->progress.moves / elapsed, brief);
}

/* Ends the open block, if there is a game in it, with a row of the curve. */
static void block_end(struct trainer *t)
{
	if (t->block.games + t->block.partial == 0)
		return;
	if (t->has_curve && !t->status)
		t->status = curve_row(&t->curve, &t->at, &t->block, &t->why);
	/* The last block may be cut short; then the one before it tells more. */
	if (t->block.games + t->block.partial >= t->last.games + t->last.partial) {
		t->last = t->block;
		t->last_at = t->at;
	}
	t->block = (struct tally){0};
	tally_brief(&t->last, t->progress.note);
	if (t->options->verbose)
		block_tell(t);
}

static bool trainer_over(void *context, const struct outcome *outcome)
{
	struct trainer *t = context;
	const struct trainer_options *options = t->options;
	pthread_mutex_lock(&t->lock);
	double elapsed = clock_seconds() - t->started;
	t->at.trained++;
	t->at.seconds = t->before + elapsed;
	tally_add(&t->block, outcome);
	atomic_fetch_add(&t->progress.training.done, 1);
	atomic_fetch_add(&t->progress.moves, outcome->moves);
	if (t->at.trained % options->block == 0)
		block_end(t);
	if (t->at.trained % options->checkpoint == 0 || elapsed >= options->checkpoint_interval ||
	    t->status || trainer_done(t) || stop_requested())
		t->pausing = true;
	progress_tick(&t->progress);
	bool go_on = !t->pausing;
	pthread_mutex_unlock(&t->lock);
	return go_on;
}

static void *pupil_learn(void *context)
{
	struct pupil *pupil = context;
	struct trainer *t = pupil->trainer;
	/*
	 * A single pupil begins games as if there were no end, so that a model that is trained
	 * further is the same as one trained in one go. With several, none must be beyond the end.
	 */
	const bool alone = trainer_pupils(t) == 1;
	const struct training_request request = {.seed = t->options->seed,
						 .end = alone ? UINT64_MAX : t->options->episodes,
						 .thread = pupil->number,
						 .threads = t->options->threads,
						 .over = trainer_over,
						 .context = t};
	t->agent->class->learn(t->agent->self, &request);
	return NULL;
}

/* Ends the stretch that has just begun, when the threads that it needs cannot be had. */
static void stretch_abandon(struct trainer *t, int error)
{
	pthread_mutex_lock(&t->lock);
	t->status = why_set(&t->why, STATUS_SYSTEM, "--threads: cannot start %d: %s",
			    t->options->threads, strerror(error));
	t->pausing = true;
	pthread_mutex_unlock(&t->lock);
}

/* Learns until it is time to save. */
static void stretch_learn(struct trainer *t, struct pupil *pupils)
{
	int threads = trainer_pupils(t), started = 1, error = 0;
	assert(threads > 0);
	t->pausing = false;
	t->before = t->at.seconds;
	t->started = clock_seconds();
	for (int i = 0; i < threads; i++)
		pupils[i] = (struct pupil){.trainer = t, .number = i};
	for (; started < threads && !error; started += !error)
		error =
		    pthread_create(&pupils[started].thread, NULL, pupil_learn, &pupils[started]);
	if (error)
		stretch_abandon(t, error);
	else
		pupil_learn(&pupils[0]);
	while (--started > 0)
		pthread_join(pupils[started].thread, NULL);
	t->at.seconds = t->before + clock_seconds() - t->started;
	assert(t->at.trained == t->agent->class->trained(t->agent->self));
}

/* Saves the learner, after the curve that leads up to it. */
static enum status trainer_save(struct trainer *t, struct why *why)
{
	enum status status = STATUS_OK;
	if (t->has_curve)
		status = curve_checkpoint(&t->curve, &t->at, &t->block, why);
	return status ? status : agent_save(t->agent, t->options->model, why);
}

static enum status trainer_learn(struct trainer *t, struct why *why)
{
	enum status status = STATUS_OK;
	struct pupil *pupils = calloc((size_t)t->options->threads, sizeof *pupils);
	if (!pupils)
		return why_errno(why, "%d threads", t->options->threads);
	/* A path that cannot be written is better known before there is something to lose. */
	if (t->at.trained == 0)
		status = agent_save(t->agent, t->options->model, why);
	while (!status && !trainer_done(t) && !stop_requested()) {
		stretch_learn(t, pupils);
		if (trainer_done(t))
			block_end(t);
		*why = t->why;
		status = t->status ? t->status : trainer_save(t, why);
	}
	free(pupils);
	return status || trainer_done(t) ? status : STATUS_STOPPED;
}

/* trainer_learn() with the progress line. */
static enum status trainer_show(struct trainer *t, struct why *why)
{
	struct progress *progress = &t->progress;
	progress->training.total = t->options->episodes;
	progress->training.before = t->at.trained;
	progress_start(progress, t->options->progress);
	if (t->options->budget < INFINITY)
		progress->end = progress->started + t->options->budget - t->at.seconds;
	enum status status = trainer_learn(t, why);
	progress_clear(progress);
	return status;
}

/* Opens the learning curve at PATH. */
static enum status trainer_curve_open(struct trainer *t, const char *path, const char *command,
				      struct why *why)
{
	const struct trainer_options *options = t->options;
	char seed[24];
	struct provenance provenance;
	snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
	struct entry entry = {.game = t->learner.game};
	memcpy(entry.settings, t->learner.settings, sizeof entry.settings);
	enum status status =
	    provenance_init(&provenance, command, entry_config(&entry, 0), seed, why);
	if (status)
		return status;
	status = curve_open(&t->curve, path, &t->learner.game, &provenance, &t->at, &t->block, why);
	provenance_fini(&provenance);
	t->has_curve = !status;
	return status;
}

/* trainer_show() with the learning curve at PATH, which is nobody else's. */
static enum status trainer_show_at(struct trainer *t, const char *path, const char *command,
				   struct why *why)
{
	enum status status = trainer_curve_open(t, path, command, why);
	if (status)
		return status;
	status = trainer_show(t, why);
	struct why close_why;
	bool saved = !status || status == STATUS_STOPPED;
	enum status closed = curve_close(&t->curve, &t->at, saved, &close_why);
	if (closed && saved) {
		*why = close_why;
		status = closed;
	}
	return status;
}

/* trainer_show() with the learning curve; a model of another name may be trained with the same. */
static enum status trainer_show_curve(struct trainer *t, const char *command, struct why *why)
{
	char *path;
	struct lock lock = {0};
	enum status status = links_follow(t->options->curve, &path, why);
	if (status)
		return status;
	status = lock_take(&lock, path, why);
	if (!status)
		status = trainer_show_at(t, path, command, why);
	lock_release(&lock);
	free(path);
	return status;
}

/* What there is now, and how the games of the last block went. */
static void trainer_report(const struct trainer *t)
{
	printf("%s: %s on %s after %" PRIu64 " training games\n", t->options->model,
	       t->learner.canonical, t->learner.game.name, t->at.trained);
	bool ended = t->last.games + t->last.partial > 0;
	const struct tally *tally = ended ? &t->last : &t->block;
	uint64_t games = tally->games + tally->partial;
	uint64_t end = ended ? t->last_at.trained : t->at.trained;
	if (games == 0)
		return;
	printf("\nGames %" PRIu64 " to %" PRIu64 ": ", end - games + 1, end);
	tally_report(tally, stdout);
}

enum status trainer_run(const struct trainer_options *options, const char *command, struct why *why)
{
	struct trainer t = {.options = options, .lock = PTHREAD_MUTEX_INITIALIZER};
	enum status status = learner_init(&t.learner, options, why);
	if (status)
		return status;
	t.agent = t.learner.agent;
	t.at.trained = t.agent->class->trained(t.agent->self);
	stop_catch();
	status = options->curve ? trainer_show_curve(&t, command, why) : trainer_show(&t, why);
	if (!status || status == STATUS_STOPPED)
		trainer_report(&t);
	learner_fini(&t.learner);
	return status;
}
