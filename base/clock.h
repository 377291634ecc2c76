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

/* Processor time of this thread in seconds, which does not depend on the load of the machine. */
static inline double clock_thread_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
