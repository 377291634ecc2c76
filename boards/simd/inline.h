/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiler directives for hot code: inlined bodies with constant sides, unrolled loops. */
#ifndef NXN_INLINE_H
#define NXN_INLINE_H

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/*
 * Marks a function that intentionally reads or writes memory that another thread may be writing.
 * The comment of the function or its file explains why that is safe. Only stops reports of
 * ThreadSanitizer.
 */
#define RACES __attribute__((no_sanitize("thread")))

/*
 * Before a loop with at most 8 iterations, known at compile time: unrolls it completely, so arrays
 * indexed by its counter become registers. clang interprets the GNU spelling differently and
 * unrolls too late.
 */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

#endif
