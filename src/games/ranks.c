/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Agreement between ranks and their common end, based on gathering bytes; see ranks.h. */
#include "src/games/ranks.h"

#include "base/stop.h"
#include "base/xalloc.h"

#include <assert.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ranks_mpi.c overrides it in nxn-mpi. */
__attribute__((weak)) const struct ranks_link ranks_link = {.program = "nxn"};

int ranks_rank(void)
{
	return ranks_link.possible ? ranks_link.rank() : 0;
}

int ranks_size(void)
{
	return ranks_link.possible ? ranks_link.size() : 1;
}

enum { PLACE_BYTES = 16 };

/* The state of a rank that arrives at a place. */
struct rank_state {
	char place[PLACE_BYTES]; /* "" at the end of the process */
	uint64_t mark;
	int32_t status, signal; /* at the end: an exit status */
};

/* Gathers the states of all ranks. */
static struct rank_state *states_gather(const struct rank_state *mine)
{
	assert(ranks_link.possible);
	struct rank_state *all = xcalloc((size_t)ranks_size(), sizeof *all);
	ranks_link.gather(mine, sizeof *mine, all);
	return all;
}

/* Waits to be ended by another rank, which has ended alone and prints the reason. */
static _Noreturn void ranks_wait_for_end(void)
{
	for (;;)
		pause();
}

/* Whether some ranks, but not all, have ended. */
static bool ranks_split(const struct rank_state *state)
{
	bool apart = false;
	for (int i = 1; i < ranks_size(); i++)
		apart = apart || !state[i].place[0] != !state[0].place[0];
	return apart;
}

/*
 * Returns the rank that determines the status of all, or -1: the first failure before the first
 * stop.
 */
static int rank_worst(const struct rank_state *state)
{
	int stopped = -1;
	for (int i = ranks_size() - 1; i >= 0; i--)
		if (state[i].status == STATUS_STOPPED)
			stopped = i;
	for (int i = 0; i < ranks_size(); i++)
		if (state[i].status == STATUS_INPUT || state[i].status == STATUS_SYSTEM)
			return i;
	return stopped;
}

/* Copies the reason of RANK to WHY. */
static enum status why_fetch(int rank, enum status status, struct why *why)
{
	assert(ranks_link.possible);
	struct why *all = xcalloc((size_t)ranks_size(), sizeof *all);
	ranks_link.gather(why, sizeof *why, all);
	if (rank)
		why_set(why, status, "rank %d: %.900s", rank, all[rank].text);
	else
		*why = all[rank];
	free(all);
	return status;
}

static enum status states_compare(const struct rank_state *state, struct why *why)
{
	const int worst = rank_worst(state);
	for (int i = 0; i < ranks_size(); i++)
		if (state[i].signal)
			stop_request(state[i].signal);
	if (worst >= 0 && state[worst].status != STATUS_STOPPED)
		return why_fetch(worst, (enum status)state[worst].status, why);
	if (worst >= 0)
		return STATUS_STOPPED;
	for (int i = 1; i < ranks_size(); i++)
		if (state[i].mark != state[0].mark || strcmp(state[i].place, state->place) != 0)
			return why_set(
			    why, STATUS_INPUT,
			    "rank %d does not find what rank 0 does (%s): it must be one "
			    "command and one folder for all",
			    i, state->place);
	return STATUS_OK;
}

enum status ranks_agree(const char *place, uint64_t mark, enum status status, struct why *why)
{
	struct rank_state mine = {.mark = mark, .status = (int32_t)status, .signal = stop_signal()};
	if (ranks_size() == 1)
		return status;
	snprintf(mine.place, sizeof mine.place, "%s", place);
	struct rank_state *state = states_gather(&mine);
	if (ranks_split(state))
		ranks_wait_for_end();
	status = states_compare(state, why);
	free(state);
	return status;
}

/*
 * Ends the work of this rank with exit status STATUS. Returns the exit status of the process, as
 * ranks_join() describes.
 */
static int ranks_end(int status)
{
	const struct rank_state mine = {.status = status};
	const int rank = ranks_rank();
	struct rank_state *state = states_gather(&mine);
	int first = 0;
	if (ranks_split(state)) {
		fflush(stderr);
		ranks_link.abort(status ? status : 1);
	}
	while (first < ranks_size() - 1 && !state[first].status)
		first++;
	status = state[first].status;
	free(state);
	/* A message of all ranks is printed once. */
	if (status && rank == first)
		fflush(stderr);
	ranks_link.leave();
	return rank == 0 ? status : 0;
}

/* The last function that exit() calls. */
static void process_end(int status, void *unused)
{
	(void)unused;
	fflush(stdout);
	status = ranks_end(status);
	__fpurge(stderr);
	_exit(status);
}

void ranks_join(int *argc, char ***argv)
{
	if (!ranks_link.possible)
		return;
	ranks_link.join(argc, argv);
	if (ranks_rank() > 0) {
		/* A full buffer or a failed assertion is still written. */
		setvbuf(stderr, NULL, _IOFBF, 1 << 16);
		if (!freopen("/dev/null", "w", stdout))
			ranks_link.abort(1);
	}
	on_exit(process_end, NULL);
}
