/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths and folders; files that are read whole, and files that appear under their name complete or
 * not at all; symbolic links in the place of files; locks for files that others replace.
 *
 * Such a file is written under a temporary name in the same folder and renamed when it is on the
 * disk. A symbolic link stays, and the file that it leads to is replaced.
 */
#ifndef NXN_FILE_H
#define NXN_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * Reads the file PATH, of at most MOST bytes: *size of them in *bytes, for free(), with a NUL
 * behind them. Memory is taken as the file needs it. STATUS_INPUT if there is none, it is a folder,
 * or larger; STATUS_SYSTEM.
 */
MUST_USE enum status file_read(const char *path, size_t most, char **bytes, size_t *size,
			       struct why *why);

/*
 * Reads up to SIZE bytes of FD from AT on, or if that is -1 from where it stands. Returns how many
 * there were, less than SIZE only at the end of the file; or -1 with errno.
 */
ssize_t file_read_at(int fd, void *data, size_t size, off_t at);

enum { FOLDER_PATH_MAX = 4096 };

/* Formats a path. STATUS_INPUT if it is too long. */
__attribute__((format(printf, 3, 4))) MUST_USE enum status path_format(char path[FOLDER_PATH_MAX],
								       struct why *why,
								       const char *format, ...);

/*
 * TEXT as part of a file's name: as long as it is, with '_' for what is not a letter, a digit or
 * one of "._-=". WORD has room for it.
 */
void path_word(const char *text, char *word);

/*
 * Makes the folder PATH and those above it; what is there already is fine. STATUS_INPUT if
 * something other than a folder is in the way, STATUS_SYSTEM if it cannot be made.
 */
MUST_USE enum status folder_make(const char *path, struct why *why);

/*
 * Waits until the file PATH is there, for half a minute at most: a file that another machine has
 * put into a shared folder may appear a moment later. Returns at once if the folder itself has
 * gone.
 */
void file_await(const char *path);

/* A file under a temporary name. */
struct atomic_file {
	int fd; /* of the temporary file, for writing */
	char *path, *temporary;
};

/*
 * Begins a file that is to be called PATH; KIND names it in errors ("a model file"). STATUS_INPUT
 * if PATH exists and is not a regular file, or is a symbolic link in a circle, or there is no
 * folder for it; STATUS_SYSTEM if that cannot be written or memory runs out; then there is nothing
 * to abort.
 */
MUST_USE enum status atomic_file_begin(struct atomic_file *file, const char *path, const char *kind,
				       struct why *why);

/* Writes SIZE bytes behind those that it has. STATUS_SYSTEM; it is still to be aborted then. */
MUST_USE enum status atomic_file_write(struct atomic_file *file, const void *data, size_t size,
				       struct why *why);

/* Puts it in its place. On failure what was at PATH before is still there. Ends it either way. */
MUST_USE enum status atomic_file_commit(struct atomic_file *file, struct why *why);

/* Gives up and leaves the file that was at PATH. */
void atomic_file_abort(struct atomic_file *file);

/*
 * The same for a text file that a command can make again: PATH.part, which part_finish() closes and
 * renames to PATH if STATUS is STATUS_OK, and else removes. It is not forced to the disk, and what
 * a killed process has left of it the next one overwrites. STATUS_INPUT if the path is too long;
 * STATUS_SYSTEM; or STATUS.
 */
MUST_USE enum status part_create(const char *path, FILE **file, struct why *why);
MUST_USE enum status part_finish(FILE *file, const char *path, enum status status, struct why *why);

/*
 * Flushes FILE. Returns whether all that was ever written to it has reached it; errno is the reason
 * if not, EIO where stdio keeps none, as an earlier write failed.
 */
bool stream_flush(FILE *file);

/*
 * Finds the path that rename(2) must replace so that writing PATH writes the file that PATH leads
 * to, and not over the link: PATH itself, or where its links end, whether a file is there or not.
 * It comes in *TARGET, for free(). STATUS_INPUT if the links do not end; STATUS_SYSTEM when memory
 * runs out.
 */
MUST_USE enum status links_follow(const char *path, char **target, struct why *why);

/*
 * Lets one process at a time work on a file. A file that rename(2) replaces cannot be locked
 * itself, so NAME.lock beside it is, and is removed when the work is over.
 */
struct lock {
	int fd;
	char path[FOLDER_PATH_MAX]; /* "" while it is not taken */
};

/*
 * Takes the lock of the file NAME, or of the one that it is a symbolic link to. STATUS_INPUT if
 * another process has it; STATUS_SYSTEM if it cannot be made. A process that is killed gives it
 * back.
 */
MUST_USE enum status lock_take(struct lock *lock, const char *name, struct why *why);

/* A zeroed lock, or one that was released, is fine. */
void lock_release(struct lock *lock);

/*
 * Removes what processes that are gone have left of writing PATH, or the file that it is a symbolic
 * link to: PATH.PID.tmp.
 */
void leftovers_remove(const char *path);

/*
 * Removes all such leftovers of model files in FOLDER. The caller holds a lock that keeps other
 * processes out. A FOLDER that is not there has none.
 */
void leftovers_sweep(const char *folder);

#endif
