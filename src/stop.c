/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that ask for an orderly end; see stop.h. The flag is the one mutable global of nxn. */
#include "src/stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int requested;

static void on_signal(int signal_number)
{
	atomic_store(&requested, signal_number);
}

void stop_catch(void)
{
	/* SA_RESETHAND: the second signal has its default effect. */
	struct sigaction action = {.sa_handler = on_signal,
				   .sa_flags = (int)(SA_RESTART | SA_RESETHAND)};
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

void stop_catch_terminal(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESTART};
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

bool stop_requested(void)
{
	return atomic_load_explicit(&requested, memory_order_relaxed) != 0;
}

int stop_signal(void)
{
	return atomic_load(&requested);
}
