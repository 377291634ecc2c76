/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaves of chance nodes under the value strong for any processor. */
#define LEAVES_TABLE const struct strong_leaves strong_leaves_portable[]
#include "agents/values/strong_leaves_template.h"
