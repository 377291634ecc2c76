/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layers of a solver on the disk: pieces appended to one file, each with checksums, read back in
 * any order.
 *
 * A piece is what a layer has of a kind: ascending codes (boards/simd/keys.h, packed as
 * agents/solver/codes.h says), doubles, or bytes. Whole pieces are all that counts: a torn one at
 * the end is cut off when the file is taken up again, whenever the process was killed. A power
 * cut may cost more: pieces are not forced to the disk one by one, so damage in the middle is
 * possible then, and found.
 *
 * Checksums find accidents. A file that somebody forged, with the right ones, does no harm in
 * here, but who reads it has to expect any codes, values and numbers of entries.
 *
 * One thread writes at a time, while no other reads; any number read at a time.
 */
#ifndef NXN_SHELF_H
#define NXN_SHELF_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum piece { PIECE_STATES, PIECE_AFTERSTATES, PIECE_VALUES, PIECE_COUNTS, PIECES };

/*
 * All that must agree for going on: game, spawn rule, start, goal, limits, width of codes, version.
 * One line; what stands behind its NUL does not matter.
 */
struct shelf_head {
	char text[1024];
};

struct shelf;

/*
 * FOLDER NULL: an unnamed temporary file in $TMPDIR, or in /tmp. Otherwise FOLDER/layers.nxl,
 * which is made if missing (and the folder), taken up if it is there, and locked. STATUS_INPUT if
 * it was written for another head, another process has it, it is something else, or damaged
 * before its last piece; STATUS_SYSTEM if it cannot be made or read.
 */
MUST_USE enum status shelf_open(struct shelf **shelf, const char *folder,
				const struct shelf_head *head, struct why *why);

/* Number of entries of a piece, or SIZE_MAX if it is not there. */
size_t shelf_count(const struct shelf *shelf, enum piece kind, uint64_t sum);

/*
 * Appends the piece KIND of layer SUM, which is not there yet: N ascending codes of WIDTH bits, N
 * below 2^32; N doubles; N bytes. STATUS_SYSTEM, with what to do, if there is no room on the disk;
 * the piece is not there then, and all others still are.
 */
MUST_USE enum status shelf_put_codes(struct shelf *shelf, enum piece kind, uint64_t sum, int width,
				     const uint64_t *code, size_t n, struct why *why);
MUST_USE enum status shelf_put_values(struct shelf *shelf, enum piece kind, uint64_t sum,
				      const double *value, size_t n, struct why *why);
MUST_USE enum status shelf_put_bytes(struct shelf *shelf, enum piece kind, uint64_t sum,
				     const void *data, size_t n, struct why *why);

/* Whether the piece is there, and was when the shelf was opened: an earlier run wrote it, or nobody knows who. */
bool shelf_found(const struct shelf *shelf, enum piece kind, uint64_t sum);

/*
 * Reads a piece that is there into room for shelf_count() entries. STATUS_INPUT if its checksum is
 * wrong, or it was not put by the function of that name and with that width, STATUS_SYSTEM if it
 * cannot be read; what was read means nothing then.
 */
MUST_USE enum status shelf_get_codes(const struct shelf *shelf, enum piece kind, uint64_t sum,
				     int width, uint64_t *code, struct why *why);
MUST_USE enum status shelf_get_values(const struct shelf *shelf, enum piece kind, uint64_t sum,
				      double *value, struct why *why);
MUST_USE enum status shelf_get_bytes(const struct shelf *shelf, enum piece kind, uint64_t sum,
				     void *data, struct why *why);

/* On the disk. */
uint64_t shelf_bytes(const struct shelf *shelf);

/* A shelf in a folder is on the disk when this returns. NULL is fine. */
void shelf_close(struct shelf *shelf);

#endif
