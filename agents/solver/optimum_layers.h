/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An open table; only optimum*.c include this. */
#ifndef NXN_OPTIMUM_LAYERS_H
#define NXN_OPTIMUM_LAYERS_H

#include "agents/solver/optimum_format.h"

#include <stdatomic.h>

/* Whether the contents of a layer were held against their checksum. */
enum { LAYER_UNCHECKED, LAYER_SOUND, LAYER_DAMAGED };

struct optimum_layer {
	uint64_t sum, hash;
	struct codes codes;
	const unsigned char *at; /* directory, rests, values */
	_Atomic int state;	 /* threads that check a layer at the same time find the same */
};

struct optimum {
	struct optimum_head head;
	struct optimum_base base;
	char *path;
	const unsigned char *bytes; /* the file; NULL if it is not mapped */
	size_t size;
	struct optimum_layer *layers; /* by ascending sum */
	size_t layer_count;
};

#endif
