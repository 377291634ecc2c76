/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another program held against the rules: nxn verify --against. */
#ifndef NXN_VERIFY_AGAINST_H
#define NXN_VERIFY_AGAINST_H

#include "src/cli/options.h"
#include "src/verify/verify.h"

struct against_options {
	const char *command;	 /* as child_start() takes it */
	struct text_list boards; /* empty: all that the program knows */
	uint64_t positions;	 /* drawn on each board */
	double seconds;		 /* that an answer may take */
};

/*
 * Asks the program and prints what it gets right. STATUS_INPUT if it cannot be started or does not know
 * a board of the list; STATUS_SYSTEM if it hangs, ends or cannot be understood.
 */
MUST_USE enum status verify_against(struct verify *verify, const struct against_options *options,
				    struct why *why);

#endif
