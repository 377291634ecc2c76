/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that request an orderly end; see stop.h. The flag is global for the signal handler. */
#include "base/stop.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>

static atomic_int requested;

/* Keeps the first signal: a batch system sends another one when it stops waiting. */
void stop_request(int signal_number)
{
	int none = 0;
	atomic_compare_exchange_strong(&requested, &none, signal_number);
}

/* Whether SIGHUP is ignored, as under nohup, where the program must continue. */
static bool hangup_ignored(void)
{
	struct sigaction action;
	return sigaction(SIGHUP, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void handle(const int *signals, size_t count, unsigned flags)
{
	struct sigaction action = {.sa_handler = stop_request,
				   .sa_flags = (int)(SA_RESTART | flags)};
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < count; i++)
		sigaction(signals[i], &action, NULL);
}

void stop_catch(void)
{
	/* SA_RESETHAND: the second signal of the same kind has its default effect. */
	static const int signals[] = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};
	const size_t count = sizeof signals / sizeof *signals;
	/* The system repeats SIGXCPU every second after the limit. */
	static const int reminders[] = {SIGXCPU};
	handle(signals, hangup_ignored() ? count - 1 : count, SA_RESETHAND);
	handle(reminders, 1, 0);
}

void stop_catch_terminal(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	handle(signals, sizeof signals / sizeof *signals, 0);
}

void stop_after(double seconds)
{
	static const int signals[] = {SIGALRM};
	const double whole = floor(seconds);
	struct itimerval timer = {.it_value = {.tv_sec = (time_t)whole,
					       .tv_usec = (suseconds_t)((seconds - whole) * 1e6)}};
	if (seconds <= 0)
		return;
	/* A zero interval would disable the timer. */
	if (!timer.it_value.tv_sec && !timer.it_value.tv_usec)
		timer.it_value.tv_usec = 1;
	handle(signals, 1, 0);
	setitimer(ITIMER_REAL, &timer, NULL);
}

void stop_cancel(void)
{
	int budget = SIGALRM;
	static const struct itimerval never;
	setitimer(ITIMER_REAL, &never, NULL);
	atomic_compare_exchange_strong(&requested, &budget, 0);
}

bool stop_requested(void)
{
	return atomic_load_explicit(&requested, memory_order_relaxed) != 0;
}

int stop_signal(void)
{
	return atomic_load(&requested);
}
