/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads beside the one that has the terminal; see play_thread.h. */
#include "src/play/play_thread.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

enum status thread_start(pthread_t *thread, void *(*run)(void *), void *context, struct why *why)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	sigset_t others, mask;
	sigfillset(&others);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		sigdelset(&others, faults[i]);
	pthread_sigmask(SIG_SETMASK, &others, &mask);
	int error = pthread_create(thread, NULL, run, context);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return error ? why_set(why, STATUS_SYSTEM, "a thread could not be started") : STATUS_OK;
}

bool thread_join(pthread_t thread, int milliseconds)
{
	struct timespec until;
	if (milliseconds < 0)
		return pthread_join(thread, NULL) == 0;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += milliseconds * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	return pthread_timedjoin_np(thread, NULL, &until) == 0;
}
