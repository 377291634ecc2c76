/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbolic links in the place of files. */
#ifndef NXN_LINKS_H
#define NXN_LINKS_H

#include "base/status.h"

/*
 * What rename(2) has to put a file in the place of, so that writing PATH writes the file that PATH leads
 * to and not over the link: PATH, or where its links end, whether there is a file or none. In *TARGET,
 * for free(). STATUS_INPUT if they do not end; STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status links_follow(const char *path, char **target, struct why *why);

#endif
