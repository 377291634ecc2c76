/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts for AVX2, BMI2; Makefile.am has the compiler's flags. */
#define TERMS_KERNEL terms_avx2
#include "agents/values/terms_template.h"
