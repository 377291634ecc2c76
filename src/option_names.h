/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of options, where one that is misspelt is not known to argp. */
#ifndef NXN_OPTION_NAMES_H
#define NXN_OPTION_NAMES_H

#include <argp.h>

/*
 * The first of the ARGC arguments in ARGV, from ARGV[1] on, that is no long option of ARGP nor the
 * beginning of one, but within two edits of one; *HINT is then that name, which ARGP owns. -1 if there
 * is none. FLAGS are those of argp_parse(); of these only ARGP_IN_ORDER counts.
 */
int option_names_check(const struct argp *argp, int argc, char **argv, unsigned flags,
		       const char **hint);

#endif
