/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Included before each source by `make analyse`: what analysers cannot know, since they look at one
 * file at a time. A failure that is told about has a status that is not STATUS_OK, so what follows
 * a status of STATUS_OK has its results (base/status.h). No functions: clang's goes five calls
 * deep.
 */
#include "base/status.h"

#define STATUS_FAILED(call)                                                                        \
	({                                                                                         \
		const enum status of_failure = (call);                                             \
		if (of_failure == STATUS_OK)                                                       \
			__builtin_unreachable();                                                   \
		of_failure;                                                                        \
	})

#define why_set(...) STATUS_FAILED(why_set(__VA_ARGS__))
#define why_errno(...) STATUS_FAILED(why_errno(__VA_ARGS__))
#define why_file(...) STATUS_FAILED(why_file(__VA_ARGS__))
