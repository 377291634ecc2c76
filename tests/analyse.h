/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `make analyse` includes this file before each source, since an analyser sees one file at a time:
 * functions that report a failure return a status other than STATUS_OK, so after STATUS_OK the
 * results are set (base/status.h). No functions: clang's analyser follows five calls.
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
