/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thinking agent; see thinker.h. Each question has its own thread. The two threads share nothing
 * while it runs, so there is no lock, and an agent that thinks for minutes never delays a key.
 */
#include "src/play/thinker.h"

#include "agents/play.h"
#include "base/clock.h"
#include "base/stop.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Time for a thread to end; time for further moves. */
enum { END_MILLISECONDS = 100, STOP_MILLISECONDS = 3000, FURTHER_MILLISECONDS = 16 };

struct thinker {
	struct game game;
	struct agent *agent;
	pthread_t thread;
	int ready;  /* an eventfd, set when the answer is ready */
	bool asked; /* the answer was not taken yet */
	double began;
	/* Owned by the thread while it runs. */
	struct board board;
	struct turn turn;
	struct rng spawns, choices;
	size_t moves, n;
	struct thought thought[THOUGHTS_MAX];
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
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): *thinker keeps it */
	return status;
}

/* Makes the next thought; false if the agent has failed. */
static bool thinker_think(struct thinker *thinker)
{
	const struct agent *agent = thinker->agent;
	struct thought *thought = &thinker->thought[thinker->n];
	const double began = clock_seconds();
	thought->board = thinker->board;
	decision_init(&thought->decision);
	thought->move =
	    agent->class->act(agent->self, &thinker->turn, &thinker->choices, &thought->decision);
	thought->seconds = clock_seconds() - began;
	thought->choices = thinker->choices;
	thinker->n++;
	thinker->status = agent_check(agent, &thinker->why);
	return !thinker->status;
}

static void *thinker_run(void *context)
{
	struct thinker *thinker = context;
	const double until = thinker->began + FURTHER_MILLISECONDS * 1e-3;
	while (thinker_think(thinker) && thinker->n < thinker->moves && clock_seconds() < until) {
		turn_move(&thinker->turn, &thinker->board, thinker->thought[thinker->n - 1].move,
			  &thinker->spawns);
		if (!thinker->turn.moves.legal)
			break;
	}
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
			const struct rng *spawns, const struct rng *choices, size_t moves,
			struct why *why)
{
	thinker->board = *board;
	thinker->spawns = *spawns;
	thinker->choices = *choices;
	thinker->moves = moves < THOUGHTS_MAX ? moves : THOUGHTS_MAX;
	thinker->n = 0;
	thinker->began = clock_seconds();
	turn_init(&thinker->turn, &thinker->game, &thinker->board, score);
	if (thread_start(thinker))
		return why_set(why, STATUS_SYSTEM, "a thread could not be started");
	thinker->asked = true;
	return STATUS_OK;
}

double thinker_busy(const struct thinker *thinker)
{
	return thinker && thinker->asked ? clock_seconds() - thinker->began : 0;
}

const struct thought *thinker_take(struct thinker *thinker, int milliseconds, size_t *n,
				   enum status *status, struct why *why)
{
	struct pollfd ready = {.fd = thinker ? thinker->ready : -1, .events = POLLIN};
	eventfd_t answers;
	if (!thinker || !thinker->asked || poll(&ready, 1, milliseconds) <= 0)
		return NULL;
	eventfd_read(thinker->ready, &answers);
	pthread_join(thinker->thread, NULL);
	thinker->asked = false;
	*n = thinker->n;
	*status = thinker->status;
	if (*status)
		*why = thinker->why;
	return thinker->thought;
}

/* Whether the thread answers in the time that a session gives it; if not at once, it is stopped. */
static bool thinker_ends(struct thinker *thinker)
{
	enum status status;
	struct why why;
	size_t n;
	if (!thinker->asked || thinker_take(thinker, END_MILLISECONDS, &n, &status, &why))
		return true;
	stop_request(SIGALRM);
	const bool ends = thinker_take(thinker, STOP_MILLISECONDS, &n, &status, &why);
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
