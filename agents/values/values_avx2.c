/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of values for AVX2, BMI2; Makefile.am has the compiler's flags. */
#include "boards/simd/lanes_wide.h"

#define BATCH_STRONG
#define VALUES_KERNEL values_avx2
#include "agents/values/batch_template.h"
#include "agents/values/heuristic_template.h"
