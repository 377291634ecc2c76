/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Playouts for AVX-512 VBMI2; Makefile.am has the compiler's flags. */
#include "boards/simd/playout_lanes_avx512.h"
#define KERNELS playouts_avx512
#include "boards/simd/playout_template.h"
