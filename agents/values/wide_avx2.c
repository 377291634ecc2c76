/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of batches for AVX2, BMI2; Makefile.am has the compiler's flags. */
#include "boards/simd/lanes_wide.h"
#define WIDE_STRONG
#define WIDE_KERNELS wide_avx2
#include "agents/values/wide_template.h"
