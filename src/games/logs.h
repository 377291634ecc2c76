/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The logs in a folder of results: the share of the work that a process does and logs, where
 * several work in one folder.
 *
 * --shard I/N is share I of N: every N-th game, searched cell or learner, so that all of them
 * together do what one process does, and the same. A process with a share appends to a part of
 * every log, games.3-of-8.tsv beside games.tsv (analysis/logs/parts.h), makes no tables, and plays
 * nothing that is in the log or in any part. A process without one begins by merging all parts
 * there are, and so resumes the work of any number of others.
 */
#ifndef NXN_LOGS_H
#define NXN_LOGS_H

#include "analysis/logs/gamelog.h"
#include "analysis/logs/parts.h"
#include "base/file.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"
#include "src/games/pool.h"

enum { SHARES_MAX = 100000, SHARE_PART_MAX = 32 };

/* Zeroed is everything, written to the logs themselves. */
struct share {
	uint64_t index, count;	   /* 1 <= index <= count; or both 0 */
	char part[SHARE_PART_MAX]; /* what its parts are called: "3-of-8"; or "" */
};

/* The option --shard, for a member M. */
#define SHARE_OPTION(M)                                                                            \
	{                                                                                          \
		.field = {.name = "shard",                                                         \
			  .offset = FIELD(M),                                                      \
			  .help = "Do share I of N of the work; all shares use the same folder. "  \
				  "slurm: the share of this task of a job array. Afterwards "      \
				  "the same command without --shard merges the logs of all "       \
				  "shares"},                                                       \
		.argument = "I/N", .initial = share_of_rank, .read = share_read                    \
	}
MUST_USE enum status share_read(void *member, const char *what, const char *text, struct why *why);

/* Whether the N-th piece of the work belongs to SHARE. The caller numbers the pieces. */
static inline bool share_owns(const struct share *share, uint64_t n)
{
	return share->count <= 1 || n % share->count == share->index - 1;
}

/* The log of KIND in DIRECTORY that SHARE appends to. STATUS_INPUT if the path is too long. */
MUST_USE enum status share_log_path(const struct share *share, const struct rowlog_kind *kind,
				    const char *directory, char path[FOLDER_PATH_MAX],
				    struct why *why);

/*
 * Whether that log may only be read: a file, or if it is not there a folder, of somebody else or on
 * a read-only file system. What is finished can then still be shown.
 */
bool share_read_only(const struct share *share, const struct rowlog_kind *kind,
		     const char *directory);

/*
 * A share becomes that of this rank of nxn-mpi: everything, as units are handed out
 * (src/games/pool.h), with parts called "rank-R", but for rank 0, which has the logs themselves.
 */
void share_of_rank(void *field);

/* A log that all processes and ranks which share a folder write parts of, while this one does. */
struct shared_log {
	const struct rowlog_kind *kind;
	const struct share *share;
	const char *directory;
	const struct provenance *provenance; /* outlives the log */
	struct gamelog *games;		     /* that game logs are read into; NULL: rows are */

	bool read_only;		     /* nothing may be appended */
	struct rowlog rows;	     /* by earlier runs */
	struct rowlog_writer writer; /* of this process */
};

/*
 * Merges all parts that earlier runs have left, if this process writes the log itself, opens and
 * reads; all ranks do, rank 0 first. One that may only be read is only read. As parts_merge(),
 * rowlog_open() and rowlog_read(); then it is closed.
 */
MUST_USE enum status shared_log_open(struct shared_log *log, struct why *why);

/*
 * Before work of which COUNT, of WHAT ("games"), tells how much is missing: STATUS_SYSTEM if that
 * could not be logged.
 */
MUST_USE enum status shared_log_check(const struct shared_log *log,
				      const struct progress_count *count, const char *what,
				      struct why *why);

/*
 * After preparations on all ranks that came to STATUS and WHY: shared_log_check(), then pool_run()
 * with PROGRESS, unless it runs already after progress_start(). Frees POOL. STATUS if it is a
 * failure, or that of any of these.
 */
MUST_USE enum status shared_log_work(const struct shared_log *log, struct pool *pool,
				     struct progress *progress, const struct progress_count *count,
				     const char *what, bool forced, enum status status,
				     struct why *why);

/*
 * Appends ROW, of work of POOL. STATUS_STOPPED after a failure of that; else as rowlog_append().
 * Any thread.
 */
MUST_USE enum status shared_log_append(struct shared_log *log, struct pool *pool, const void *row,
				       struct why *why);

/*
 * The same back, after work that has come to STATUS and WHY: closes; then rank 0 merges the parts
 * of all ranks. STATUS, or the failure of leaving if that is none.
 */
MUST_USE enum status shared_log_close(struct shared_log *log, enum status status, struct why *why);

/*
 * Adds to LOG the games in DIRECTORY: those of its games.tsv, if it exists, and of all parts of
 * that. As gamelog_read() and parts_find(). The same of ROWS of KIND, as rowlog_read().
 */
MUST_USE enum status logs_read_folder(struct gamelog *log, const char *directory, struct why *why);
MUST_USE enum status rows_read_folder(struct rowlog *rows, const struct rowlog_kind *kind,
				      const char *directory, struct why *why);

#endif
