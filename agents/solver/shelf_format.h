/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of a shelf; only shelf*.c include this.
 *
 *	offset  bytes
 *	     0      8  "nxl\r\n\032\n" and the format version
 *	     8   1024  the text of struct shelf_head, padded with NULs
 *	  1032      8  XXH3 of the 1032 bytes before
 *	  1088         pieces, each from a multiple of 64 on
 *
 *	in a piece
 *	     0      4  kind, enum piece
 *	     4      1  form, enum form
 *	     5      1  width of codes in bits, or 0
 *	     6      2  "pc"
 *	     8      8  sum of the layer
 *	    16      8  number of entries
 *	    24      8  bytes of contents
 *	    32     16  XXH3 of the contents: of codes, the directory and the rests; else the second is 0
 *	    48      8  0
 *	    56      8  XXH3 of the 56 bytes before, the seed the offset of the piece
 *	    64         contents
 *
 * Numbers are little-endian. The first 64 bytes of a piece are written when its contents have been:
 * as long as they are zeros or not whole, the piece is a torn one. They lie within one page.
 */
#ifndef NXN_SHELF_FORMAT_H
#define NXN_SHELF_FORMAT_H

#include "agents/solver/codes.h"
#include "agents/solver/shelf.h"

enum { SHELF_HEAD_BYTES = 1088, PIECE_HEAD_BYTES = 64 };

enum form { FORM_CODES, FORM_VALUES, FORM_BYTES, FORMS };

/* A piece: what its head says, and where it is. */
struct piece_entry {
	enum piece kind;
	enum form form;
	int width;
	uint64_t sum, count, bytes;
	uint64_t hash[2];
	off_t at; /* of its head */
};

struct shelf {
	int fd;
	off_t end;		    /* of the last whole piece */
	off_t found;		    /* the same when the shelf was opened */
	struct piece_entry *pieces; /* by kind, then sum */
	size_t count, capacity;
	bool named;
	char path[1024];
};

/* The place in the list of the piece that has KIND and SUM, or would have. */
size_t shelf_place(const struct shelf *shelf, enum piece kind, uint64_t sum);
/* Adds it to the list. STATUS_SYSTEM if memory runs out. */
MUST_USE enum status shelf_enter(struct shelf *shelf, const struct piece_entry *piece,
				 struct why *why);

void piece_encode(const struct piece_entry *piece, unsigned char bytes[PIECE_HEAD_BYTES]);
/* False if BYTES are not the head of a piece at `at` that contents could follow. */
bool piece_decode(const unsigned char bytes[PIECE_HEAD_BYTES], off_t at, struct piece_entry *piece);

/* Where the next piece begins. */
static inline off_t shelf_next(off_t end)
{
	return (end + PIECE_HEAD_BYTES - 1) / PIECE_HEAD_BYTES * PIECE_HEAD_BYTES;
}

#endif
