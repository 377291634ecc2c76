/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Included before each source by `make analyse`: what analysers cannot know, since they look at one file
 * at a time. A failure that is told about has a status that is not STATUS_OK, so what follows a status
 * of STATUS_OK has its results (boards/status.h).
 */
#include "boards/status.h"

static inline enum status status_failed(enum status status)
{
	if (status == STATUS_OK)
		__builtin_unreachable();
	return status;
}

#define why_set(...) status_failed(why_set(__VA_ARGS__))
#define why_errno(...) status_failed(why_errno(__VA_ARGS__))
