/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thinking agent; see thinker.h. Each question has its own thread. The two threads share nothing
 * while it runs, so there is no lock, and an agent that thinks for minutes never delays a key.
 */
#include "src/play/thinker.h"

#include "agents/play.h"
#include "base/clock.h"
#include "base/stop.h"
#include "base/xalloc.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Time for a thread to end. */
enum { END_MILLISECONDS = 100, STOP_MILLISECONDS = 3000 };

struct thinker {
	struct game game;
	struct agent *agent;
	pthread_t thread;
	int ready;  /* an eventfd, set when the answer is ready */
	bool asked; /* the answer was not taken yet */
	double began;
	/* Owned by the thread while it runs. */
	struct turn turn;
	struct thought thought;
};

enum status thinker_new(const char *spec, const struct game *game, struct thinker **thinker,
			struct why *why)
{
	struct thinker *made = xcalloc(1, sizeof *made);
	made->game = *game;
	made->ready = eventfd(0, EFD_CLOEXEC);
	const struct agent_env env = {.game = &made->game};
	enum status status =
	    made->ready < 0 ? why_errno(why, "a player") : agent_new(spec, &env, &made->agent, why);
	if (status)
		thinker_free(made);
	else
		*thinker = made;
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): *thinker keeps it */
	return status;
}

static void *thinker_run(void *context)
{
	struct thinker *thinker = context;
	const struct agent *agent = thinker->agent;
	struct thought *thought = &thinker->thought;
	const double began = clock_seconds();
	decision_init(&thought->decision);
	thought->move =
	    agent->class->act(agent->self, &thinker->turn, &thought->choices, &thought->decision);
	thought->seconds = clock_seconds() - began;
	thought->status = agent_check(agent, &thought->why);
	eventfd_write(thinker->ready, 1);
	return NULL;
}

/* Starts the thread with all signals blocked but faults; the terminal's thread gets the others. */
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
	struct thought *thought = &thinker->thought;
	thought->board = *board;
	thought->choices = *choices;
	thinker->began = clock_seconds();
	turn_init(&thinker->turn, &thinker->game, &thought->board, score);
	if (thread_start(thinker))
		return why_set(why, STATUS_SYSTEM, "a thread could not be started");
	thinker->asked = true;
	return STATUS_OK;
}

double thinker_busy(const struct thinker *thinker)
{
	return thinker && thinker->asked ? clock_seconds() - thinker->began : 0;
}

const struct thought *thinker_take(struct thinker *thinker, int milliseconds)
{
	struct pollfd ready = {.fd = thinker ? thinker->ready : -1, .events = POLLIN};
	eventfd_t answers;
	if (!thinker || !thinker->asked || poll(&ready, 1, milliseconds) <= 0)
		return NULL;
	eventfd_read(thinker->ready, &answers);
	pthread_join(thinker->thread, NULL);
	thinker->asked = false;
	return &thinker->thought;
}

/* Whether the thread answers in the time that a session gives it; if not at once, it is stopped. */
static bool thinker_ends(struct thinker *thinker)
{
	if (!thinker->asked || thinker_take(thinker, END_MILLISECONDS))
		return true;
	stop_request(SIGALRM);
	const bool ends = thinker_take(thinker, STOP_MILLISECONDS);
	stop_cancel();
	return ends;
}

void thinker_free(struct thinker *thinker)
{
	if (!thinker)
		return;
	if (!thinker_ends(thinker)) {
		pthread_detach(thinker->thread);
		return;
	}
	agent_free(thinker->agent);
	if (thinker->ready >= 0)
		close(thinker->ready);
	free(thinker);
}
