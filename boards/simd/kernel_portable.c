/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels for any processor; Makefile.am has the compiler's flags. */
#include "boards/simd/lanes_words.h"
#define KERNELS kernels_portable
#include "boards/simd/kernel_template.h"
