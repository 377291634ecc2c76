/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths and folders; files that are read; files that appear under their name complete or not at
 * all; symbolic links in the place of files and folders; locks of files and folders.
 *
 * A file that is replaced is written under a temporary name in the same folder, PATH.nxn-N.tmp,
 * and renamed when it is on the disk. N is the least number that is free: open(2) makes the file
 * (O_EXCL) and follows no link (O_NOFOLLOW), and the process that writes it holds a lock on it. So
 * the next process tells a file that a killed one has left from one that is being written, and
 * removes it.
 */
#ifndef NXN_FILE_H
#define NXN_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * Opens the regular file PATH for reading; a pipe, socket or device is never waited for. If that
 * fails errno tells why, ENOENT for one. STATUS_INPUT if there is none or it is something else,
 * which the message names; STATUS_SYSTEM.
 */
MUST_USE enum status input_open(const char *path, FILE **file, struct why *why);

/*
 * The same for input that is read once, which may also be a pipe, such as /dev/stdin or the
 * <(COMMAND) of a shell, or a terminal: all of it is read into memory first. STATUS_STOPPED if an
 * end was asked for meanwhile (base/stop.h).
 */
MUST_USE enum status input_open_stream(const char *path, FILE **file, struct why *why);

/*
 * Reads the regular file PATH, of at most MOST bytes: *size of them in *bytes, for free(), with a
 * NUL behind them. Memory is taken as the file needs it. As input_open(); STATUS_INPUT if it is
 * larger.
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
void path_component(const char *text, char *word);

/*
 * Makes the folder PATH and those above it; what is there already is fine. STATUS_INPUT if
 * something other than a folder is in the way, STATUS_SYSTEM if it cannot be made.
 */
MUST_USE enum status folder_make(const char *path, struct why *why);

/*
 * The same for PATH, which is TOP or below it. TOP may be a symbolic link, but no folder below it:
 * the output of nxn stays in the folder that the user has named. STATUS_INPUT also for such a link.
 */
MUST_USE enum status folder_make_below(const char *top, const char *path, struct why *why);

/* STATUS_INPUT if PATH, which is to be EXPECTED ("a file"), is a symbolic link. */
MUST_USE enum status link_refuse(const char *path, const char *expected, struct why *why);

/*
 * Waits until the file PATH is there, for half a minute at most: a file that another machine has
 * put into a shared folder may appear a moment later. Returns at once if the folder itself has
 * gone.
 */
void file_wait(const char *path);

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
 * The same for a file in a folder of results. A symbolic link at PATH is replaced, not followed.
 * part_publish() gives FILE its name and leaves it open; part_finish() also closes it. If STATUS,
 * what the caller has come to, is not STATUS_OK, both remove the file and leave what was at PATH;
 * then, and after any failure, the file is closed. STATUS_INPUT if the path is too long;
 * STATUS_SYSTEM; or STATUS.
 */
MUST_USE enum status part_create(const char *path, FILE **file, struct why *why);
MUST_USE enum status part_publish(FILE *file, const char *path, enum status status,
				  struct why *why);
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
	bool made;		    /* with its folder, which goes if it stays empty */
};

/*
 * Takes the lock of the file NAME, or of the one that it is a symbolic link to. STATUS_INPUT if
 * another process has it; STATUS_SYSTEM if it cannot be made. A process that is killed gives it
 * back.
 */
MUST_USE enum status lock_take(struct lock *lock, const char *name, struct why *why);

/*
 * Makes FOLDER, and takes the lock of whoever writes in it, FOLDER/.nxn.lock. With SHARED, other
 * processes may do the same, but none without. STATUS_INPUT if another process is in the way, which
 * the message tells, or a subfolder that nxn writes to is a symbolic link; STATUS_SYSTEM. A process
 * that has the folder for itself also removes what killed ones have left in it.
 */
MUST_USE enum status folder_lock(struct lock *lock, const char *folder, bool shared,
				 struct why *why);

/* A zeroed lock, or one that was released, is fine. */
void lock_release(struct lock *lock);

/*
 * Removes what killed processes have left of writing PATH, or the file that it is a symbolic link
 * to.
 */
void leftovers_remove(const char *path);

#endif
