/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaves of chance nodes under the value strong for AVX2, BMI2. */
#define LEAVES_TABLE const struct strong_leaves strong_leaves_avx2[]
#include "agents/values/strong_leaves_template.h"
