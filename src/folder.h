/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths and folders of output. */
#ifndef NXN_FOLDER_H
#define NXN_FOLDER_H

#include "boards/status.h"

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

/* Removes PATH.PID.tmp of processes that are gone: what was left of writing the model file PATH. */
void leftovers_remove(const char *path);

#endif
