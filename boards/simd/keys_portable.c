/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work on many keys for any processor. */
#define KEYS_KERNEL keys_portable
#define KEY_LANES 2
#include "boards/simd/keys_template.h"
