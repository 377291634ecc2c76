/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of batches for AVX-512 VBMI2; Makefile.am has the compiler's flags. */
#include "boards/simd/lanes_wide_avx512.h"
#define WIDE_STRONG
#define WIDE_KERNELS wide_avx512
#include "agents/values/wide_template.h"
