/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where files are that come with nxn.
 *
 * A program takes them from ../share/nxn beside its own folder, if that is there, so that an
 * installation can be moved as a whole; from the source where it was built; and else from where
 * it was to be installed. What is installed never looks at the source, which could by then be
 * anybody's.
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
};

/* The folder of PLACE, which need not be there. STATUS_INPUT if its name is too long. */
MUST_USE enum status data_dir_find(enum data_dir place, char path[FOLDER_PATH_MAX],
				   struct why *why);

/* ---- The experiments among them. */

/*
 * FILE itself if it exists, or else the experiment of that name that comes with nxn; the other way
 * round for a bare word, which must not change its meaning where some file is called so, such as
 * ./quickstart. STATUS_INPUT if there is neither.
 */
MUST_USE enum status builtin_find(const char *file, char path[FOLDER_PATH_MAX], struct why *why);

/*
 * Adds their names in alphabetical order. STATUS_SYSTEM if their folder cannot be read, or memory
 * runs out.
 */
MUST_USE enum status builtin_list(struct text_list *names, struct why *why);

#endif
