/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion of nxn's command line in bash. */
#ifndef NXN_COMPLETION_H
#define NXN_COMPLETION_H

#include "base/status.h"

#include <stdio.h>

/* Prints the script for bash. STATUS_SYSTEM if the experiments that come with nxn cannot be listed. */
MUST_USE enum status completion_print(FILE *out, struct why *why);

#endif
