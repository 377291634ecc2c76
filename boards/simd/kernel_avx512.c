/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels for AVX-512 VBMI2; Makefile.am has the compiler's flags. */
#include "boards/simd/lanes_avx512.h"
#define KERNELS kernels_avx512
#include "boards/simd/kernel_template.h"
