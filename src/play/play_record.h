/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games that an agent plays for a record file, many at a time. */
#ifndef NXN_PLAY_RECORD_H
#define NXN_PLAY_RECORD_H

#include "src/run/experiment.h"
#include "src/play/play_book.h"

struct recording_options {
	const char *path;     /* of the record file */
	const char *command;  /* for its provenance */
	const char *name;     /* of the program, for what is told on standard error */
	uint64_t seed, first; /* the number of the first game */
	uint64_t games;
	int threads;
};

/*
 * What the games of AGENT on GAME are filed under, in an experiment of one entry, to be freed by
 * experiment_fini(). Errors as experiment_add().
 */
MUST_USE enum status player_init(struct experiment *experiment, const struct game *game,
				 const char *agent, struct why *why);

/* Makes BOOK that of PLAYER under SEED, and opens it. */
MUST_USE enum status player_book_open(struct book *book, const struct experiment *player,
				      const struct recording_options *options, struct why *why);

/*
 * Plays the games of OPTIONS that are not in the file yet, on several threads, and appends each when
 * it ends, so that their order depends on the threads. *BEFORE games were there, *PLAYED were added.
 * STATUS_STOPPED after a signal; else as agent_new() and record_append().
 */
MUST_USE enum status recording_play(const struct experiment *player,
				    const struct recording_options *options, uint64_t *before,
				    uint64_t *played, struct why *why);

#endif
