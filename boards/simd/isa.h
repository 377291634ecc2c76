/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which instruction set to use: one ladder, from best to worst, for everything that is compiled
 * more than once. The environment variable NXN_ISA=portable|avx2|avx512 asks for one, so that tests
 * reach each that the machine has; results never depend on it.
 */
#ifndef NXN_ISA_H
#define NXN_ISA_H

#include "base/status.h"

#include <stdbool.h>

enum isa { ISA_PORTABLE, ISA_AVX2, ISA_AVX512, ISAS };

/* "portable", "avx2", "avx512". */
const char *isa_name(enum isa isa);

/* Whether this build has code for ISA and this machine runs it. */
bool isa_available(enum isa isa);

/* The best available, or what NXN_ISA asks for; STATUS_INPUT if that is unknown or unavailable. */
MUST_USE enum status isa_choose(enum isa *isa, struct why *why);

#endif
