/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work on many keys for AVX-512; Makefile.am has the compiler's flags. */
#define KEYS_KERNEL keys_avx512
#define KEY_LANES 8
#include "boards/simd/keys_template.h"
