/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of a model file; only model*.c include this.
 *
 *	offset  bytes
 *	     0      8  "nxn\r\n\032\n\0": a copy in text mode does not survive
 *	     8      4  format version
 *	    12      4  sections
 *	    16      8  training games
 *	    24     32  agent    texts, each padded with NULs, the last byte always NUL,
 *	    56      8  board    the others printable ASCII
 *	    64    128  spawn
 *	   192    256  layout
 *	   448   2048  params
 *	  2496      8  XXH3 of the 2496 bytes before
 *	  2504         sections, a zstd frame with checksum each
 *	  last      8  XXH3 of all sections as they stand in the file
 *
 * Numbers are little-endian. zstd's own checksum vouches for contents while they are being read;
 * the last one also for what it leaves out, such as frame headers and the number of sections.
 */
#ifndef NXN_MODEL_FORMAT_H
#define NXN_MODEL_FORMAT_H

#include "agents/model.h"

enum { MODEL_VERSION = 1, MODEL_HEAD_BYTES = 2504, MODEL_HASH_BYTES = 8 };

void model_head_encode(const struct model_head *head, unsigned char bytes[MODEL_HEAD_BYTES]);

/* SIZE bytes were there to be read. STATUS_INPUT with a line that begins with PATH. */
MUST_USE enum status model_head_decode(const char *path, const unsigned char *bytes, size_t size,
				       struct model_head *head, struct why *why);

void model_put64(unsigned char bytes[8], uint64_t x);
uint64_t model_get64(const unsigned char bytes[8]);

#endif
