/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Playouts for any processor; Makefile.am has the compiler's flags. */
#include "boards/simd/playout_lanes.h"
#define KERNELS playouts_portable
#include "boards/simd/playout_template.h"
