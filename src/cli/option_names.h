/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of a command line, checked before argp parses them. */
#ifndef NXN_OPTION_NAMES_H
#define NXN_OPTION_NAMES_H

#include "base/status.h"

#include <argp.h>

/*
 * Checks the ARGC arguments in ARGV, from ARGV[1] on, for an option that ARGP has not, or not
 * exactly one of, and for arguments of options that are missing or too many. STATUS_INPUT names the
 * first of them, and the option that is within two edits of it. ARGV[0] is the command that has a
 * --help. FLAGS are those of argp_parse(); of these only ARGP_IN_ORDER counts.
 */
MUST_USE enum status option_names_check(const struct argp *argp, int argc, char **argv,
					unsigned flags, struct why *why);

#endif
