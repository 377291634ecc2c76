/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks over MPI; see ranks.h. MPI_THREAD_SERIALIZED: one thread at a time calls MPI.
 *
 * MPI libraries wait for messages by polling without pause, which takes processor time from the
 * workers. Here every wait for other ranks tests a request and sleeps between two tests, longer
 * each time, up to WAIT_MAX.
 *
 * The shared counters are on rank 0, which answers the messages of the others whenever it uses the
 * counters itself or waits. They are not a window of MPI: Open MPI 4.1 as Debian configures it has
 * none between machines that are connected by TCP.
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
enum { TAG_ADD, TAG_OLD };

struct addition {
	uint64_t i, x;
};

/* The shared counters, on rank 0; NULL if there are none. */
static uint64_t *counter;

/* Rank 0 makes the additions that other ranks have requested, and sends them the old values. */
static void counters_serve(void)
{
	int waiting = 0;
	MPI_Status from;
	while (counter &&
	       (MPI_Iprobe(MPI_ANY_SOURCE, TAG_ADD, MPI_COMM_WORLD, &waiting, &from), waiting)) {
		struct addition add;
		MPI_Recv(&add, sizeof add, MPI_BYTE, from.MPI_SOURCE, TAG_ADD, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		const uint64_t old = counter[add.i];
		counter[add.i] += add.x;
		MPI_Send(&old, 1, MPI_UINT64_T, from.MPI_SOURCE, TAG_OLD, MPI_COMM_WORLD);
	}
}

static void request_wait(MPI_Request *request)
{
	int done = 0;
	for (long wait = WAIT_MIN;; wait = wait * 2 < WAIT_MAX ? wait * 2 : WAIT_MAX) {
		counters_serve();
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

static void counters_new(size_t count)
{
	char ready = 1, *all = xcalloc((size_t)rank_count(), 1);
	if (rank_of_this() == 0)
		counter = xcalloc(count, sizeof *counter);
	/* No rank may add to a counter before rank 0 has created the counters. */
	gather(&ready, 1, all);
	free(all);
}

static uint64_t counters_add(size_t i, uint64_t x)
{
	const struct addition add = {i, x};
	MPI_Request answer;
	uint64_t old;
	counters_serve();
	if (rank_of_this() == 0) {
		old = counter[i];
		counter[i] += x;
		return old;
	}
	MPI_Irecv(&old, 1, MPI_UINT64_T, 0, TAG_OLD, MPI_COMM_WORLD, &answer);
	MPI_Send(&add, sizeof add, MPI_BYTE, 0, TAG_ADD, MPI_COMM_WORLD);
	request_wait(&answer);
	return old;
}

static void counters_free(void)
{
	free(counter);
	counter = NULL;
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
