/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts for AVX-512 VBMI2; Makefile.am has the compiler's flags. */
#define TERMS_KERNEL terms_avx512
#include "agents/values/terms_template.h"
