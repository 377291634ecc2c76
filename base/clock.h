/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elapsed time. */
#ifndef NXN_CLOCK_H
#define NXN_CLOCK_H

#include <time.h>

/* Seconds since some fixed moment; never runs backwards. */
static inline double clock_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*
 * The time SECONDS from now, less than a second, for waits by CLOCK_MONOTONIC: by the wall clock
 * they would last as long as somebody sets it back.
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

/* Seconds of this thread on a processor, so that a crowded machine does not count. */
static inline double clock_thread_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
