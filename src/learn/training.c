/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The training loop; see training.h.
 *
 * Training consists of segments. In a segment all threads learn until training_over() returns false
 * to each, at the end of its game, because it is time to save or stop, or training is complete. The
 * threads then end and the learner is saved. Unfinished games are saved with the learner, so a
 * checkpoint can be at the end of any game. Invariant: at.trained is the number of games reported
 * to training_over(); between segments it equals what the learner itself reports.
 */
#include "src/learn/training.h"

#include "base/xalloc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A thread that learns. */
struct training_thread {
	struct training *training;
	int number;
	pthread_t thread;
};

static bool training_over(void *context, const struct outcome *outcome)
{
	struct training *t = context;
	pthread_mutex_lock(&t->mutex);
	const double elapsed = t->timed ? t->clock() - t->started : 0;
	t->at.trained++;
	t->at.seconds = t->before.seconds + elapsed;
	t->over = t->game(t->context, outcome) || t->over;
	t->pausing = t->pausing || t->over || t->at.trained % t->checkpoint == 0 ||
		     elapsed >= t->checkpoint_interval || t->ending(t->context);
	const bool continues = !t->pausing;
	pthread_mutex_unlock(&t->mutex);
	return continues;
}

static void *thread_learn(void *context)
{
	const struct training_thread *thread = context;
	struct training *t = thread->training;
	const bool alone = t->threads == 1 || t->agent->class->uses_team;
	const struct training_request request = {.seed = t->seed,
						 .end = alone ? UINT64_MAX : t->end,
						 .thread = thread->number,
						 .threads = t->threads,
						 .over = training_over,
						 .context = t};
	t->agent->class->learn(t->agent->self, &request);
	return NULL;
}

static enum status segment_learn(struct training *t, struct why *why)
{
	const int threads = t->agent->class->uses_team ? 1 : t->threads;
	int started = 1, error = 0;
	struct training_thread *team = xcalloc((size_t)threads, sizeof *team);
	t->pausing = false;
	t->before = t->at;
	t->started = t->clock();
	for (int i = 0; i < threads; i++)
		team[i] = (struct training_thread){.training = t, .number = i};
	for (; started < threads && !error; started += !error)
		error = pthread_create(&team[started].thread, NULL, thread_learn, &team[started]);
	if (error) {
		pthread_mutex_lock(&t->mutex);
		t->pausing = true;
		pthread_mutex_unlock(&t->mutex);
	} else {
		thread_learn(&team[0]);
	}
	while (--started > 0)
		pthread_join(team[started].thread, NULL);
	t->at.seconds = t->before.seconds + t->clock() - t->started;
	assert(t->at.trained == t->agent->class->trained(t->agent->self));
	free(team);
	return error ? why_set(why, STATUS_SYSTEM, "--threads: cannot start %d: %s", threads,
			       strerror(error))
		     : STATUS_OK;
}

enum status training_run(struct training *t, struct why *why)
{
	enum status status = STATUS_OK;
	pthread_mutex_init(&t->mutex, NULL);
	t->over = false;
	while (!status && !t->over) {
		const bool ending = t->ending(t->context);
		struct why learn_why;
		enum status learned = ending ? STATUS_STOPPED : segment_learn(t, &learn_why);
		status = t->save(t->context, why);
		if (!status && learned) {
			status = learned;
			*why = learn_why;
		}
	}
	pthread_mutex_destroy(&t->mutex);
	return status;
}
