/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks over MPI; see ranks.h. MPI_THREAD_FUNNELED: only the main thread comes here.
 *
 * Libraries wait for messages by asking for them without a pause, which takes a processor from
 * those who work. Here whoever waits sleeps in between, longer and longer up to WAIT_MAX; so all
 * waiting is for something that can be asked for, and blocking calls are not used but to begin and
 * to end.
 */
#include "src/games/ranks.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NOTE_TAG = 1, WAIT_MIN = 20000, WAIT_MAX = 2000000 }; /* nanoseconds */

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
	MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
	if (provided < MPI_THREAD_FUNNELED) {
		fprintf(stderr, "%s: this MPI does not allow of threads\n", ranks_link.program);
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

static void broadcast(void *bytes, size_t size)
{
	enum { PIECE = 1 << 20 };
	for (size_t at = 0; at < size; at += PIECE) {
		const size_t left = size - at;
		MPI_Request request;
		MPI_Ibcast((char *)bytes + at, (int)(left < PIECE ? left : PIECE), MPI_BYTE, 0,
			   MPI_COMM_WORLD, &request);
		request_wait(&request);
	}
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

/* A note under way. */
struct parcel {
	struct parcel *after;
	MPI_Request request;
	struct ranks_note note;
};

/* Parcels are sent in order, and so the first of the list has mostly been taken first. */
struct ranks_post {
	struct parcel *first, **last;
};

static enum status post_open(struct ranks_post **post, struct why *why)
{
	struct ranks_post *p = calloc(1, sizeof *p);
	if (!p)
		return why_errno(why, "messages between ranks");
	p->last = &p->first;
	*post = p;
	return STATUS_OK;
}

/* Frees the parcels in front that have been taken. */
static void parcels_free(struct ranks_post *post)
{
	int done = 1;
	for (struct parcel *parcel; (parcel = post->first);) {
		MPI_Test(&parcel->request, &done, MPI_STATUS_IGNORE);
		if (!done)
			return;
		post->first = parcel->after;
		free(parcel);
	}
	post->last = &post->first;
}

static void post_send(struct ranks_post *post, int to, const struct ranks_note *note)
{
	struct parcel *parcel = malloc(sizeof *parcel);
	if (!parcel) {
		fprintf(stderr, "%s: out of memory for messages between ranks\n",
			ranks_link.program);
		fflush(stderr);
		abort_all(1);
	}
	parcel->after = NULL;
	parcel->note = *note;
	MPI_Isend(&parcel->note, (int)sizeof parcel->note, MPI_BYTE, to, NOTE_TAG, MPI_COMM_WORLD,
		  &parcel->request);
	*post->last = parcel;
	post->last = &parcel->after;
	parcels_free(post);
}

static bool post_take(struct ranks_post *post, int *from, struct ranks_note *note)
{
	int there;
	MPI_Status status;
	MPI_Iprobe(MPI_ANY_SOURCE, NOTE_TAG, MPI_COMM_WORLD, &there, &status);
	if (!there) {
		parcels_free(post);
		return false;
	}
	*from = status.MPI_SOURCE;
	MPI_Recv(note, (int)sizeof *note, MPI_BYTE, *from, NOTE_TAG, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	return true;
}

static void post_close(struct ranks_post *post)
{
	if (!post)
		return;
	for (struct parcel *parcel; (parcel = post->first);) {
		request_wait(&parcel->request);
		post->first = parcel->after;
		free(parcel);
	}
	free(post);
}

const struct ranks_link ranks_link = {
    .program = "nxn-mpi",
    .possible = true,
    .join = join,
    .rank = rank_of_this,
    .size = rank_count,
    .gather = gather,
    .broadcast = broadcast,
    .abort = abort_all,
    .leave = leave,
    .post_open = post_open,
    .post_send = post_send,
    .post_take = post_take,
    .post_close = post_close,
};
