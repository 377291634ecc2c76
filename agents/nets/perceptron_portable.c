/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of perceptrons: portable. */
#define PERCEPTRON(name) name##_portable
#define FLOATS 4
#define BLOCK_ROWS 4
#define BLOCK_VECTORS 2
#include "agents/nets/perceptron_template.h"
