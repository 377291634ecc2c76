/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn bench: how fast the hot paths are here. */
#ifndef NXN_BENCH_H
#define NXN_BENCH_H

#include "src/cli/options.h"

enum { REPEATS_MAX = 1000 };

struct bench_options {
	struct text_list boards;
	int repeats;
};

/* Measures all boards on all instruction sets of this machine, and prints that. */
MUST_USE enum status bench(const struct bench_options *options, const struct invocation *call,
			   struct why *why);

#endif
