/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where files are that come with nxn.
 *
 * A program takes them from ../share/nxn beside its own folder, if that is there, so that an
 * installation can be moved as a whole; from the source where it was built; and else from where it was
 * to be installed. What is installed never looks at the source, which could by then be anybody's.
 */
#ifndef NXN_DATA_DIR_H
#define NXN_DATA_DIR_H

#include "base/status.h"
#include "base/file.h"

enum data_dir {
	DATA_DIR_PLOTS,	      /* NAME.gp */
	DATA_DIR_EXPERIMENTS, /* NAME.yaml */
	DATA_DIR_VECTORS,     /* NAME.txt */
};

/* The folder of PLACE, which need not be there. STATUS_INPUT if its name is too long. */
MUST_USE enum status data_dir_find(enum data_dir place, char path[FOLDER_PATH_MAX],
				   struct why *why);

#endif
