/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs in a folder of results, and a process's share of the work if several processes use one
 * folder.
 *
 * --shard I/N selects share I of N: every N-th game, cell of a search or learner. All shares
 * together do the same as one process without --shard. A process with a share appends to a part of
 * each log, such as games.3-of-8.tsv beside games.tsv (analysis/logs/parts.h), makes no tables, and
 * repeats nothing that the log or any part already contains. A process without a share first merges
 * all existing parts, and so resumes the work of any number of processes.
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

/* A share. A zeroed share is all of the work, written to the logs themselves. */
struct share {
	uint64_t index, count;	   /* 1 <= index <= count; or both 0 */
	char part[SHARE_PART_MAX]; /* name of its parts: "3-of-8"; or "" */
};

/* The option --shard, which sets the member M. */
#define SHARE_OPTION(M)                                                                            \
	{                                                                                          \
		.field = {.name = "shard",                                                         \
			  .offset = FIELD(M),                                                      \
			  .help = "Do share I of N of the work; all shares use the same folder. "  \
				  "slurm: the share of this task of a job array, of srun, or "     \
				  "of both. Afterwards the same command without --shard merges "   \
				  "the logs of all shares"},                                       \
		.argument = "I/N", .initial = share_of_rank, .read = share_read                    \
	}
MUST_USE enum status share_read(void *member, const char *what, const char *text, struct why *why);

/* Whether piece N of the work belongs to SHARE. The caller numbers the pieces. */
static inline bool share_owns(const struct share *share, uint64_t n)
{
	return share->count <= 1 || n % share->count == share->index - 1;
}

/*
 * Writes the path of the log of KIND in DIRECTORY that SHARE appends to. STATUS_INPUT if it is too
 * long.
 */
MUST_USE enum status share_log_path(const struct share *share, const struct rowlog_kind *kind,
				    const char *directory, char path[FOLDER_PATH_MAX],
				    struct why *why);

/*
 * Whether that log is read-only: the file, or the folder if the file does not exist, belongs to
 * another user or is on a read-only file system. Finished results can then still be shown.
 */
bool share_read_only(const struct share *share, const struct rowlog_kind *kind,
		     const char *directory);

/*
 * Sets a struct share for this rank of nxn-mpi. It owns all of the work, since the pool distributes
 * units (src/games/pool.h). Its parts are called "rank-R", except for rank 0, which writes the logs
 * themselves.
 */
void share_of_rank(void *field);

/* A log of which several processes and ranks write parts, for this process. */
struct shared_log {
	const struct rowlog_kind *kind;
	const struct share *share;
	const char *directory;
	const struct provenance *provenance; /* outlives the log */
	struct gamelog *games;		     /* destination for game logs; NULL: `rows` */

	bool read_only;		     /* the log is read-only */
	struct rowlog rows;	     /* rows of earlier runs */
	struct rowlog_writer writer; /* writer of this process */
};

/*
 * Opens and reads a log, after merging all parts of earlier runs if this process writes the log
 * itself. All ranks call it; rank 0 goes first. A read-only log is only read. Errors as
 * parts_merge(), rowlog_open() and rowlog_read(); the log is closed then.
 */
MUST_USE enum status shared_log_open(struct shared_log *log, struct why *why);

/*
 * Calls pool_run() with PROGRESS, which it starts unless the caller has. All ranks call it after
 * preparations that ended with STATUS and WHY, and skip the work if STATUS is a failure on one of
 * them. Frees POOL. Returns the first failure of all that; STATUS_SYSTEM, before work, if the log
 * is read-only and COUNT shows that some WHAT ("games") are missing.
 */
MUST_USE enum status shared_log_work(const struct shared_log *log, struct pool *pool,
				     struct progress *progress, const struct progress_count *count,
				     const char *what, bool forced, enum status status,
				     struct why *why);

/*
 * Appends ROW, a result of POOL's work. STATUS_STOPPED after an earlier failure to append;
 * otherwise as rowlog_append(). Any thread.
 */
MUST_USE enum status shared_log_append(struct shared_log *log, struct pool *pool, const void *row,
				       struct why *why);

/*
 * Closes the log after work that ended with STATUS and WHY; then rank 0 merges the parts of all
 * ranks. Returns STATUS, or the error of closing if STATUS is STATUS_OK or STATUS_STOPPED.
 */
MUST_USE enum status shared_log_close(struct shared_log *log, enum status status, struct why *why);

/*
 * Adds to LOG the games in DIRECTORY: those of its games.tsv, if it exists, and of all its parts;
 * none if the folder does not exist. Errors as gamelog_read() and parts_find(). The other function
 * does the same for ROWS of KIND, with errors as rowlog_read(); its folder must exist.
 */
MUST_USE enum status logs_read_folder(struct gamelog *log, const char *directory, struct why *why);
MUST_USE enum status rows_read_folder(struct rowlog *rows, const struct rowlog_kind *kind,
				      const char *directory, struct why *why);

/*
 * Sets *THERE to whether DIRECTORY has a log of nxn, of games, searches or gaps, or a part of one.
 * Errors as parts_all().
 */
MUST_USE enum status logs_there(const char *directory, bool *there, struct why *why);

#endif
