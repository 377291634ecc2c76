/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A wall clock that reads an hour ahead, as if it were set back during each wait. For one file of a
 * test program, whose clock_gettime() takes precedence over that of the C library.
 */
#ifndef NXN_TESTS_WALL_CLOCK_H
#define NXN_TESTS_WALL_CLOCK_H

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
	const int result = (int)syscall(SYS_clock_gettime, clock, now);
	if (clock == CLOCK_REALTIME)
		now->tv_sec += 3600;
	return result;
}

/* Sleeps for 1.3 seconds, whatever the clock reads. */
static inline void second_pass(void)
{
	nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 300000000}, NULL);
}

#endif
