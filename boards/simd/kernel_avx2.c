/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels for AVX2, BMI2; Makefile.am has the compiler's flags. */
#include "boards/simd/lanes_avx2.h"
#define KERNELS kernels_avx2
#include "boards/simd/kernel_template.h"
