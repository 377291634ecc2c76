/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ranks have to agree about, over the gathering of bytes; see ranks.h. */
#include "src/run/ranks.h"

#include "base/stop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACE_BYTES = 16 };

/* What a rank comes to a place with. */
struct ballot {
	char place[PLACE_BYTES]; /* "" at the end of the process */
	uint64_t mark;
	int32_t status, signal; /* an exit status at the end */
};

/* Lets all ranks know the ballots of all; NULL when memory runs out. */
static struct ballot *ballots_gather(const struct ballot *mine)
{
	struct ballot *all = malloc((size_t)ranks_size() * sizeof *all);
	if (all)
		ranks_gather(mine, sizeof *mine, all);
	return all;
}

/* Another rank has ended alone: it says why, and ends this one as well. */
static _Noreturn void ranks_await_end(void)
{
	for (;;)
		pause();
}

/* Whether a rank has come to the end and another has not. */
static bool ranks_apart(const struct ballot *ballot)
{
	bool apart = false;
	for (int i = 1; i < ranks_size(); i++)
		apart = apart || !ballot[i].place[0] != !ballot[0].place[0];
	return apart;
}

/* The first rank whose status is that of all, or -1: a failure rather than a stop. */
static int rank_worst(const struct ballot *ballot)
{
	int stopped = -1;
	for (int i = ranks_size() - 1; i >= 0; i--)
		if (ballot[i].status == STATUS_STOPPED)
			stopped = i;
	for (int i = 0; i < ranks_size(); i++)
		if (ballot[i].status == STATUS_INPUT || ballot[i].status == STATUS_SYSTEM)
			return i;
	return stopped;
}

/* WHY becomes that of RANK. */
static enum status why_fetch(int rank, enum status status, struct why *why)
{
	struct why *all = malloc((size_t)ranks_size() * sizeof *all);
	if (!all)
		ranks_abort(1);
	ranks_gather(why, sizeof *why, all);
	if (rank)
		why_set(why, status, "rank %d: %.900s", rank, all[rank].text);
	else
		*why = all[rank];
	free(all);
	return status;
}

static enum status ballots_count(const struct ballot *ballot, struct why *why)
{
	const int worst = rank_worst(ballot);
	for (int i = 0; i < ranks_size(); i++)
		if (ballot[i].signal)
			stop_request(ballot[i].signal);
	if (worst >= 0 && ballot[worst].status != STATUS_STOPPED)
		return why_fetch(worst, (enum status)ballot[worst].status, why);
	if (worst >= 0)
		return STATUS_STOPPED;
	for (int i = 1; i < ranks_size(); i++)
		if (ballot[i].mark != ballot[0].mark || strcmp(ballot[i].place, ballot->place) != 0)
			return why_set(why, STATUS_INPUT,
				       "rank %d does not find in the folder what rank 0 does (%s): "
				       "it must be one folder for all",
				       i, ballot->place);
	return STATUS_OK;
}

enum status ranks_agree(const char *place, uint64_t mark, enum status status, struct why *why)
{
	struct ballot mine = {.mark = mark, .status = (int32_t)status, .signal = stop_signal()};
	if (ranks_size() == 1)
		return status;
	snprintf(mine.place, sizeof mine.place, "%s", place);
	struct ballot *ballot = ballots_gather(&mine);
	if (!ballot) {
		fprintf(stderr, "%s: out of memory for %d ranks\n", ranks_program, ranks_size());
		fflush(stderr);
		ranks_abort(1);
	}
	if (ranks_apart(ballot))
		ranks_await_end();
	status = ballots_count(ballot, why);
	free(ballot);
	return status;
}

int ranks_end(int status)
{
	const struct ballot mine = {.status = status};
	const int rank = ranks_rank();
	struct ballot *ballot = ballots_gather(&mine);
	int first = 0;
	if (!ballot || ranks_apart(ballot)) {
		fflush(stderr);
		ranks_abort(status ? status : 1);
	}
	while (first < ranks_size() - 1 && !ballot[first].status)
		first++;
	status = ballot[first].status;
	free(ballot);
	/* What all have to say is said once. */
	if (status && rank == first)
		fflush(stderr);
	ranks_leave();
	return rank == 0 ? status : 0;
}
