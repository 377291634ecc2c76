/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Playouts for AVX2, BMI2; Makefile.am has the compiler's flags. */
#include "boards/simd/playout_lanes.h"
#define KERNELS playouts_avx2
#include "boards/simd/playout_template.h"
