/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of perceptrons: avx2. */
#define KERNEL const struct perceptron_kernel perceptron_avx2
#define FLOATS 8
#define BLOCK_ROWS 4
#define BLOCK_VECTORS 2
#include "agents/nets/perceptron_template.h"
