/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that one process at a time works on, though others take its place: files that appear under
 * their name by rename(2) cannot be locked themselves, so a file beside them is, NAME.lock, which is
 * gone when the work is over.
 */
#ifndef NXN_LOCK_H
#define NXN_LOCK_H

#include "base/folder.h"

struct lock {
	int fd;
	char path[FOLDER_PATH_MAX]; /* "" while it is not taken */
};

/*
 * Takes the lock of the file NAME, or of the one that it is a symbolic link to. STATUS_INPUT if another
 * process has it; STATUS_SYSTEM if it cannot be made. A process that is killed gives it back.
 */
MUST_USE enum status lock_take(struct lock *lock, const char *name, struct why *why);

/* Fine on zeroes, and once more. */
void lock_release(struct lock *lock);

#endif
