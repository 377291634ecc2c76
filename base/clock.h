/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elapsed time. */
#ifndef NXN_CLOCK_H
#define NXN_CLOCK_H

#include <time.h>

/* Seconds since a fixed moment in the past; never decreases. */
static inline double clock_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*
 * The time SECONDS (less than 1) from now on CLOCK_MONOTONIC, for timed waits. By the wall clock,
 * a wait would take longer if a user set the clock back.
 */
static inline struct timespec clock_after(double seconds)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += (long)(seconds * 1e9);
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	return until;
}

/* Processor time of this thread in seconds, which does not depend on the load of the machine. */
static inline double clock_thread_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
