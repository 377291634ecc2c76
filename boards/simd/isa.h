/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choice of the instruction set: one list, from worst to best, for all code that is compiled more
 * than once. The environment variable NXN_ISA=portable|avx2|avx512 selects one, so tests can run
 * each that the machine has. Results never depend on the choice.
 */
#ifndef NXN_ISA_H
#define NXN_ISA_H

#include "base/status.h"

#include <stdbool.h>

enum isa { ISA_PORTABLE, ISA_AVX2, ISA_AVX512, ISAS };

const char *isa_name(enum isa isa);

/* Whether this build has code for ISA and this machine runs it. */
bool isa_available(enum isa isa);

/*
 * Sets *ISA to the best available one, or to the one that NXN_ISA names. STATUS_INPUT if that is
 * unknown or not available.
 */
MUST_USE enum status isa_choose(enum isa *isa, struct why *why);

#endif
