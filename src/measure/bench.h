/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn bench: the speed of the hot paths. */
#ifndef NXN_BENCH_H
#define NXN_BENCH_H

#include "src/cli/options.h"

enum { REPEATS_MAX = 1000 };

struct bench_options {
	struct text_list boards;
	int repeats;
};

/* Measures all boards on all instruction sets of this machine, and prints the results. */
MUST_USE enum status bench(const struct bench_options *options, const struct invocation *call,
			   struct why *why);

#endif
