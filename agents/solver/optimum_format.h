/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of a table file; only optimum*.c include this.
 *
 *	offset  bytes
 *	     0      8  "nxt\r\n\032\n" and the format version
 *	     8      4  largest exponent in a key
 *	    12      4  start tiles
 *	    16      4  goal, enum goal
 *	    20      4  target, an exponent
 *	    24      8  largest sum
 *	    32      8  value from the start, a double
 *	    40      8  states
 *	    48      8  after-states
 *	    56      8  layers
 *	    64      8  board    texts, each padded with NULs, the last byte always NUL,
 *	    72    128  spawn    the others printable ASCII
 *	   200    512  start
 *	   712    256  made
 *	   968      8  XXH3 of the index
 *	   976      8  XXH3 of the 976 bytes before
 *	   984         layers by descending sum: directory and rests of their codes (agents/solver/codes.h),
 *	               then their values, doubles
 *	               index, 24 bytes a layer by ascending sum: sum, number of after-states, XXH3 of
 *	               the layer
 *
 * Numbers are little-endian, and every part takes a multiple of 8 bytes. Nowhere does an offset
 * stand: where things are follows from their sizes, which have to fill the file exactly.
 */
#ifndef NXN_OPTIMUM_FORMAT_H
#define NXN_OPTIMUM_FORMAT_H

#include "agents/solver/codes.h"
#include "agents/solver/optimum.h"
#include "boards/simd/keys.h"

enum { OPTIMUM_HEAD_BYTES = 984, OPTIMUM_ENTRY_BYTES = 24 };

/* What a head says besides what its users see. */
struct optimum_layout {
	uint64_t layers;
	uint64_t index_hash;
};

/* The game of a table, and the keys of its after-states. */
struct optimum_base {
	struct game game;
	struct keys keys;
};

void optimum_head_encode(const struct optimum_head *head, const struct optimum_layout *layout,
			 unsigned char bytes[OPTIMUM_HEAD_BYTES]);

/* Whether BYTES begin as a table of any version does. */
bool optimum_head_claims(const unsigned char *bytes, size_t size);

/* SIZE bytes were there to be read. STATUS_INPUT with a line that begins with PATH. */
MUST_USE enum status optimum_head_decode(const char *path, const unsigned char *bytes, size_t size,
					 struct optimum_head *head, struct optimum_layout *layout,
					 struct why *why);

/* Makes the game of HEAD and its keys. STATUS_INPUT with a line that begins with PATH. */
MUST_USE enum status optimum_base_init(struct optimum_base *base, const char *path,
				       const struct optimum_head *head, struct why *why);

/* Bytes of a layer of COUNT after-states. */
static inline size_t optimum_layer_bytes(const struct codes *codes)
{
	return codes->directory + codes->rests + (size_t)codes->count * sizeof(double);
}

#endif
