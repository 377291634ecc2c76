/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of values for AVX-512 VBMI2; Makefile.am has the compiler's flags. */
#include "boards/simd/lanes_wide_avx512.h"

#include "agents/values/batch_template.h"
#include "agents/values/strong_template.h"
#define VALUES_TABLE const struct value_kernel values_avx512[]
#include "agents/values/heuristic_template.h"
