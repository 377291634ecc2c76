/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaves of chance nodes under the value strong for AVX-512 VBMI2. */
#define LEAVES_TABLE const struct strong_leaves strong_leaves_avx512[]
#include "agents/values/strong_leaves_template.h"
