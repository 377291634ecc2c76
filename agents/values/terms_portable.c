/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts for any processor; Makefile.am has the compiler's flags. */
#define TERMS_KERNEL terms_portable
#include "agents/values/terms_template.h"
