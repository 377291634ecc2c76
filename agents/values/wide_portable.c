/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of batches for any processor; Makefile.am has the compiler's flags. */
#include "boards/simd/lanes_wide.h"
#define WIDE_KERNELS wide_portable
#include "agents/values/wide_template.h"
