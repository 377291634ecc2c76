/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The location of files that come with nxn.
 *
 * A program uses ../share/nxn beside its own folder if that exists, so an installation can be moved
 * as a whole; otherwise the source tree in which it was built; otherwise the configured place of
 * installation. An installed program never uses the source tree, which may have changed since the
 * build.
 */
#ifndef NXN_DATA_DIR_H
#define NXN_DATA_DIR_H

#include "base/field.h"
#include "base/file.h"
#include "base/status.h"

enum data_dir {
	DATA_DIR_PLOTS,	      /* NAME.gp */
	DATA_DIR_EXPERIMENTS, /* NAME.yaml */
	DATA_DIR_VECTORS,     /* NAME.txt */
	/* Only in a tree of `make dist-binary`. */
	DATA_DIR_LOCALE,   /* for LOCPATH: C.UTF-8 */
	DATA_DIR_TERMINFO, /* for TERMINFO */
};

/*
 * Writes the path of the folder PLACE, which may not exist. STATUS_INPUT if the path is too long.
 */
MUST_USE enum status data_dir_find(enum data_dir place, char path[FOLDER_PATH_MAX],
				   struct why *why);

/* ---- Experiments. */

/*
 * Finds an experiment file: FILE itself if it exists, otherwise the experiment of that name that
 * comes with nxn. For a bare word the latter comes first, so that a file of the same name in the
 * current folder, such as ./quickstart, does not change its meaning. STATUS_INPUT if neither
 * exists.
 */
MUST_USE enum status builtin_find(const char *file, char path[FOLDER_PATH_MAX], struct why *why);

/*
 * Appends the names of the experiments in alphabetical order. STATUS_SYSTEM if their folder cannot
 * be read or memory runs out.
 */
MUST_USE enum status builtin_list(struct text_list *names, struct why *why);

#endif
