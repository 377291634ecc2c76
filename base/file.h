/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths and folders; reading files; replacing files atomically; symbolic links; locks.
 *
 * A file is replaced by writing a temporary file PATH.nxn-N.tmp in the same folder and renaming it
 * when it is on the disk. N is the smallest number that is free: open(2) creates the file with
 * O_EXCL and O_NOFOLLOW, and the writing process holds a lock on it. So other processes recognise
 * and remove the files of killed processes, but not one that is being written.
 */
#ifndef NXN_FILE_H
#define NXN_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * Opens the regular file PATH for reading. Never waits for a pipe, socket or device. STATUS_INPUT
 * if PATH does not exist or is not a regular file, STATUS_SYSTEM otherwise; on failure errno is
 * set, ENOENT if the file does not exist.
 */
MUST_USE enum status input_open(const char *path, FILE **file, struct why *why);

/*
 * Opens PATH like input_open(), but accepts a terminal or a pipe as well, such as /dev/stdin or the
 * <(COMMAND) of a shell, and reads it into memory completely. STATUS_STOPPED if a stop was
 * requested meanwhile (base/stop.h).
 */
MUST_USE enum status input_open_stream(const char *path, FILE **file, struct why *why);

/*
 * Opens an empty file without a path, to read and write: in memory if the system has such files
 * (NAME is then shown in /proc), otherwise in /tmp. Returns -1 with errno on failure.
 */
int unnamed_open(const char *name);

/*
 * Reads the regular file PATH of at most MOST bytes into *BYTES, with a NUL after *SIZE bytes; the
 * caller frees it. Memory grows with the file. Errors as input_open(), and STATUS_INPUT if the file
 * is larger.
 */
MUST_USE enum status file_read(const char *path, size_t most, char **bytes, size_t *size,
			       struct why *why);

/*
 * Reads up to SIZE bytes of FD from offset AT, or from the present position if AT is -1. Returns
 * the number of bytes, less than SIZE only at the end of the file; or -1 with errno.
 */
ssize_t file_read_at(int fd, void *data, size_t size, off_t at);

/* Writes SIZE bytes to FD in the same way. Returns false with errno on failure. */
bool file_write_at(int fd, const void *data, size_t size, off_t at);

enum { FOLDER_PATH_MAX = 4096 };

/* Formats a path. STATUS_INPUT if the path is too long. */
__attribute__((format(printf, 3, 4))) MUST_USE enum status path_format(char path[FOLDER_PATH_MAX],
								       struct why *why,
								       const char *format, ...);

/*
 * Copies TEXT to WORD as part of a file name of the same length: letters, digits and "._-=" stay,
 * all other bytes become '_'.
 */
void path_component(const char *text, char *word);

/*
 * Creates the folder PATH and its parents where they do not exist. STATUS_INPUT if something other
 * than a folder is in the way or PATH is too long, STATUS_SYSTEM if the folder cannot be created.
 */
MUST_USE enum status folder_make(const char *path, struct why *why);

/*
 * Creates the folder PATH in a folder that exists: if another process has removed that folder,
 * folder_make_in() does not create a new one without the files that were in it. STATUS_INPUT if
 * PATH is a symbolic link, so that output stays in the folder that the user named, or is no folder;
 * STATUS_SYSTEM.
 */
MUST_USE enum status folder_make_in(const char *path, struct why *why);

/* STATUS_INPUT if PATH is a symbolic link; EXPECTED ("a file") says what it should be. */
MUST_USE enum status link_refuse(const char *path, const char *expected, struct why *why);

/* STATUS_INPUT if something other than a folder, such as a link to one, is at PATH. */
MUST_USE enum status folder_expect(const char *path, struct why *why);

/*
 * STATUS_INPUT if FOLDER has a page, tables or figures. For a caller that would replace these files
 * but has found no log of nxn there, so that another program may have written them.
 */
MUST_USE enum status results_refuse(const char *folder, struct why *why);

/*
 * Waits until the file PATH exists, at most half a minute: a file that another machine created in a
 * shared folder may appear a moment later. Returns at once if the folder no longer exists.
 */
void file_wait(const char *path);

/*
 * Atomic replacement of the file PATH. A symbolic link at PATH is replaced, not followed.
 * part_publish() renames FILE to PATH and leaves it open; part_finish() also closes it. Both take
 * the STATUS of the caller's work: if it is not STATUS_OK, they discard FILE, keep the old file at
 * PATH and return STATUS. After any failure FILE is closed. STATUS_INPUT if PATH is too long; all
 * other errors are STATUS_SYSTEM.
 */
MUST_USE enum status part_create(const char *path, FILE **file, struct why *why);
MUST_USE enum status part_publish(FILE *file, const char *path, enum status status,
				  struct why *why);
MUST_USE enum status part_finish(FILE *file, const char *path, enum status status, struct why *why);

/*
 * part_create() at the end of the links of PATH, which becomes *TARGET, for part_finish() and then
 * free(). KIND names the file in errors ("a model file"). STATUS_INPUT if PATH exists and is not a
 * regular file, is a circular symbolic link, or has no folder; STATUS_SYSTEM if the folder is not
 * writable or memory runs out.
 */
MUST_USE enum status part_create_linked(const char *path, const char *kind, char **target,
					FILE **file, struct why *why);

/*
 * Flushes FILE. Returns whether all data written so far has reached the file; if not, errno is the
 * reason, or EIO if an earlier write failed, since stdio keeps no errno.
 */
bool stream_flush(FILE *file);

/*
 * Finds the path that rename(2) must replace so that writing PATH replaces the target of a symbolic
 * link and not the link: PATH itself, or the end of its chain of links, whether that exists or not.
 * The caller frees *TARGET. STATUS_INPUT if the links are circular; STATUS_SYSTEM if memory runs
 * out.
 */
MUST_USE enum status links_follow(const char *path, char **target, struct why *why);

/*
 * A lock lets one process at a time work on a file. A file that rename(2) replaces cannot be locked
 * itself; the lock is a file NAME.lock beside it, which is removed afterwards.
 */
struct lock {
	int fd;
	char path[FOLDER_PATH_MAX]; /* "" while not held */
	bool made; /* the lock created its folder, which is removed if it stays empty */
	bool busy; /* the lock was not taken, because another process holds it */
};

/*
 * Takes the lock of the file NAME, or of the target if NAME is a symbolic link. The system releases
 * the lock of a killed process. STATUS_INPUT if another process holds the lock, which sets `busy`,
 * or if there is no folder for it; STATUS_SYSTEM if the lock cannot be created.
 */
MUST_USE enum status lock_take(struct lock *lock, const char *name, struct why *why);

/* Whether LOCK is held, and that of the file NAME or of the target of a link NAME. */
bool lock_is_of(const struct lock *lock, const char *name);

/*
 * Creates FOLDER and takes FOLDER/.nxn.lock, the lock for writing in it. Several processes may hold
 * it if all of them ask for it SHARED. If not SHARED, removes the temporary files of killed
 * processes. STATUS_INPUT if another process, which the message names, holds the lock, or something
 * other than a folder has the name of a subfolder that nxn writes to; STATUS_SYSTEM.
 */
MUST_USE enum status folder_lock(struct lock *lock, const char *folder, bool shared,
				 struct why *why);

/* Takes FOLDER.lock, the lock for replacing FOLDER as a whole. Errors as folder_lock(). */
MUST_USE enum status folder_lock_beside(struct lock *lock, const char *folder, struct why *why);

/* Does nothing for a zeroed or released lock. */
void lock_release(struct lock *lock);

/*
 * Removes the temporary files that killed processes left while writing PATH, or the target if PATH
 * is a symbolic link.
 */
void leftovers_remove(const char *path);

#endif
