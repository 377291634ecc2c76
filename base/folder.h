/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths and folders of output. */
#ifndef NXN_FOLDER_H
#define NXN_FOLDER_H

#include "base/status.h"

#include <stdio.h>

enum { FOLDER_PATH_MAX = 4096 };

/* Formats a path. STATUS_INPUT if it is too long. */
__attribute__((format(printf, 3, 4))) MUST_USE enum status path_format(char path[FOLDER_PATH_MAX],
								       struct why *why,
								       const char *format, ...);

/*
 * TEXT as part of a file's name: as long as it is, with '_' for what is not a letter, a digit or one
 * of "._-=". WORD has room for it.
 */
void path_word(const char *text, char *word);

/*
 * Makes the folder PATH and those above it; what is there already is fine. STATUS_INPUT if
 * something other than a folder is in the way, STATUS_SYSTEM if it cannot be made.
 */
MUST_USE enum status folder_make(const char *path, struct why *why);

/*
 * Waits until the file PATH is there, for half a minute at most: what another machine has put into a shared
 * folder may be seen a moment later. Not where the folder itself has gone.
 */
void file_await(const char *path);

/*
 * Opens DIRECTORY/tables/NAME.tsv, whose path it puts into PATH, to be written anew; and closes it when
 * all is written. STATUS_INPUT if the path is too long, STATUS_SYSTEM if the file cannot be written.
 */
MUST_USE enum status table_create(const char *directory, const char *name,
				  char path[FOLDER_PATH_MAX], FILE **file, struct why *why);
MUST_USE enum status table_finish(FILE *file, const char *path, struct why *why);

/*
 * Removes PATH.PID.tmp of processes that are gone: what was left of writing the model file PATH, or the
 * one that it is a symbolic link to.
 */
void leftovers_remove(const char *path);

/*
 * Removes all such leftovers of model files in FOLDER, whose processes are taken to be gone: a lock has
 * to keep others out. A FOLDER that is not there has none.
 */
void leftovers_sweep(const char *folder);

#endif
