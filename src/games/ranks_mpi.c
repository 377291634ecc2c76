/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks over MPI; see ranks.h. MPI_THREAD_SERIALIZED: one thread at a time calls MPI.
 *
 * MPI libraries wait for messages by polling without pause, which takes processor time from the
 * workers. Here every wait for other ranks is for something that can be tested, and sleeps between
 * two tests, longer and longer up to WAIT_MAX. Blocking calls are used only where all ranks arrive
 * at the same time, and for the shared counters, which take microseconds.
 */
#include "src/games/ranks.h"

#include "base/xalloc.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MIN = 20000, WAIT_MAX = 2000000 }; /* nanoseconds */

static void request_wait(MPI_Request *request)
{
	int done = 0;
	for (long wait = WAIT_MIN;; wait = wait * 2 < WAIT_MAX ? wait * 2 : WAIT_MAX) {
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
		if (done)
			return;
		nanosleep(&(struct timespec){.tv_nsec = wait}, NULL);
	}
}

static void join(int *argc, char ***argv)
{
	int provided;
	MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
	if (provided < MPI_THREAD_SERIALIZED) {
		fprintf(stderr, "%s: this MPI does not support threads\n", ranks_link.program);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
}

static int rank_of_this(void)
{
	int rank;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return rank;
}

static int rank_count(void)
{
	int size;
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	return size;
}

static void gather(const void *mine, size_t size, void *all)
{
	MPI_Request request;
	assert(size <= INT_MAX);
	MPI_Iallgather(mine, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, MPI_COMM_WORLD,
		       &request);
	request_wait(&request);
}

static __attribute__((noreturn)) void abort_all(int status)
{
	MPI_Abort(MPI_COMM_WORLD, status);
	_exit(status);
}

static void leave(void)
{
	MPI_Finalize();
}

/* An MPI window on memory of rank 0. */
struct ranks_counters {
	MPI_Win window;
	uint64_t *word;
};

static struct ranks_counters *counters_new(size_t count)
{
	struct ranks_counters *counters = xcalloc(1, sizeof *counters);
	const size_t size = rank_of_this() == 0 ? count * sizeof *counters->word : 0;
	char ready = 1, *all = xcalloc((size_t)rank_count(), 1);
	MPI_Win_allocate((MPI_Aint)size, sizeof *counters->word, MPI_INFO_NULL, MPI_COMM_WORLD,
			 &counters->word, &counters->window);
	/* Other ranks may get no address for their empty part. */
	if (size)
		memset(counters->word, 0, size);
	MPI_Win_lock_all(0, counters->window);
	MPI_Win_sync(counters->window);
	gather(&ready, 1, all);
	free(all);
	return counters;
}

static uint64_t counters_add(struct ranks_counters *counters, size_t i, uint64_t x)
{
	uint64_t old = 0;
	MPI_Fetch_and_op(&x, &old, MPI_UINT64_T, 0, (MPI_Aint)i, MPI_SUM, counters->window);
	MPI_Win_flush(0, counters->window);
	return old;
}

static void counters_free(struct ranks_counters *counters)
{
	MPI_Win_unlock_all(counters->window);
	MPI_Win_free(&counters->window);
	free(counters);
}

const struct ranks_link ranks_link = {
    .program = "nxn-mpi",
    .possible = true,
    .join = join,
    .rank = rank_of_this,
    .size = rank_count,
    .gather = gather,
    .abort = abort_all,
    .leave = leave,
    .counters_new = counters_new,
    .counters_free = counters_free,
    .counters_add = counters_add,
};
