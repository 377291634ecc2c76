/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What hot code asks of the compiler: bodies with constant sides, inlined, and loops unrolled. */
#ifndef NXN_INLINE_H
#define NXN_INLINE_H

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/*
 * A function that reads or writes what another thread may write at that time, on purpose: its head
 * or its file says why that is sound. ThreadSanitizer is then not to report it; nothing else
 * changes.
 */
#define RACES __attribute__((no_sanitize("thread")))

/*
 * Before a loop of at most 8 rounds, known at compile time: no loop is left, and arrays indexed by
 * its counter become registers. clang takes the GNU spelling for another wish, to unroll at the
 * end.
 */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

#endif
