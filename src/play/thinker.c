/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thinking agent; see thinker.h. Each question has a thread of its own. Nothing is shared while
 * it runs, so there is no lock, and an agent that thinks for minutes never keeps a key waiting.
 */
#include "src/play/thinker.h"

#include "agents/play.h"
#include "base/clock.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* How long a thread that is to end may take. */
enum { END_MILLISECONDS = 100 };

struct thinker {
	struct game game;
	struct agent *agent;
	pthread_t thread;
	int ready;  /* an eventfd: the answer is there */
	bool asked; /* and the answer was not taken yet */
	double began;
	/* The thread's, while there is one. */
	struct turn turn;
	struct thought thought;
	enum status status;
	struct why why;
};

enum status thinker_new(const char *spec, const struct game *game, struct thinker **thinker,
			struct why *why)
{
	struct thinker *made = calloc(1, sizeof *made);
	if (!made)
		return why_errno(why, "a player");
	made->game = *game;
	made->ready = eventfd(0, EFD_CLOEXEC);
	const struct agent_env env = {.game = &made->game};
	enum status status =
	    made->ready < 0 ? why_errno(why, "a player") : agent_new(spec, &env, &made->agent, why);
	if (status)
		thinker_free(made);
	else
		*thinker = made;
	return status;
}

static void *thinker_run(void *context)
{
	struct thinker *thinker = context;
	const struct agent *agent = thinker->agent;
	struct thought *thought = &thinker->thought;
	decision_init(&thought->decision);
	thought->move =
	    agent->class->act(agent->self, &thinker->turn, &thought->choices, &thought->decision);
	thought->seconds = clock_seconds() - thinker->began;
	thinker->status = agent_check(agent, &thinker->why);
	eventfd_write(thinker->ready, 1);
	return NULL;
}

/* The thread gets no signal but for a fault of its own: the others are for the terminal. */
static int thread_start(struct thinker *thinker)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	sigset_t others, mask;
	sigfillset(&others);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		sigdelset(&others, faults[i]);
	pthread_sigmask(SIG_SETMASK, &others, &mask);
	const int error = pthread_create(&thinker->thread, NULL, thinker_run, thinker);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return error;
}

enum status thinker_ask(struct thinker *thinker, const struct board *board, uint64_t score,
			const struct rng *choices, struct why *why)
{
	thinker->thought.board = *board;
	thinker->thought.choices = *choices;
	thinker->began = clock_seconds();
	turn_init(&thinker->turn, &thinker->game, &thinker->thought.board, score);
	if (thread_start(thinker))
		return why_set(why, STATUS_SYSTEM, "a thread could not be started");
	thinker->asked = true;
	return STATUS_OK;
}

double thinker_busy(const struct thinker *thinker)
{
	return thinker && thinker->asked ? clock_seconds() - thinker->began : 0;
}

bool thinker_take(struct thinker *thinker, int milliseconds, struct thought *thought,
		  enum status *status, struct why *why)
{
	struct pollfd ready = {.fd = thinker ? thinker->ready : -1, .events = POLLIN};
	eventfd_t answers;
	if (!thinker || !thinker->asked || poll(&ready, 1, milliseconds) <= 0)
		return false;
	eventfd_read(thinker->ready, &answers);
	pthread_join(thinker->thread, NULL);
	thinker->asked = false;
	*thought = thinker->thought;
	*status = thinker->status;
	if (*status)
		*why = thinker->why;
	return true;
}

void thinker_free(struct thinker *thinker)
{
	struct thought thought;
	enum status status;
	struct why why;
	if (!thinker)
		return;
	if (thinker->asked && !thinker_take(thinker, END_MILLISECONDS, &thought, &status, &why)) {
		pthread_detach(thinker->thread);
		return;
	}
	agent_free(thinker->agent);
	if (thinker->ready >= 0)
		close(thinker->ready);
	free(thinker);
}
