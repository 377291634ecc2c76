/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work on many keys for AVX2; Makefile.am has the compiler's flags. */
#define KEYS_KERNEL keys_avx2
#define KEY_LANES 4
#include "boards/simd/keys_template.h"
