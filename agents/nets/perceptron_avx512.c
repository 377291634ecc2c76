/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of perceptrons: avx512. */
#define KERNEL const struct perceptron_kernel perceptron_avx512
#define FLOATS 16
#define BLOCK_ROWS 6
#define BLOCK_VECTORS 4
#include "agents/nets/perceptron_template.h"
