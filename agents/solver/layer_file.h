/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layers of a solver on the disk: pieces appended to one file, each with checksums, read back in
 * any order.
 *
 * A piece is what a layer has of one kind. Only whole pieces count: a torn one at the end is cut
 * off when the file is opened again, whenever the process was killed. A power cut may cost more:
 * pieces are not forced to the disk one by one, so damage in the middle is possible then, and
 * found.
 *
 * Checksums find accidents. A file that was forged, with the right ones, does no harm in here,
 * but its reader has to expect any codes, values and numbers of entries.
 *
 * One thread writes at a time, while no other reads; any number read at a time.
 */
#ifndef NXN_LAYER_FILE_H
#define NXN_LAYER_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of states and after-states ascending codes (agents/solver/key_sets.h); doubles; bytes. */
enum piece_kind { PIECE_STATES, PIECE_AFTERSTATES, PIECE_VALUES, PIECE_COUNTS, PIECES };

enum { LAYER_TASK_MAX = 1024 };

struct layer_file;

/*
 * FOLDER NULL: an unnamed temporary file in $TMPDIR, or in /tmp. Otherwise FOLDER/layers.nxl,
 * which is locked, and made (with the folder) if it is missing. TASK is a line of less than
 * LAYER_TASK_MAX bytes with all that must be the same for going on: game, spawn rule, start,
 * goal, limits, version. Codes have WIDTH bits. STATUS_INPUT if the file was written for another
 * task, another process has it, it is something else, or damaged before its last piece;
 * STATUS_SYSTEM if it cannot be made or read.
 */
MUST_USE enum status layer_file_open(struct layer_file **file, const char *folder, const char *task,
				     int width, struct why *why);

/* Number of entries of a piece, or SIZE_MAX if it is not there. */
size_t layer_file_count(const struct layer_file *file, enum piece_kind kind, uint64_t sum);

/*
 * Appends the piece KIND of layer SUM, which is not there yet, with N entries of DATA: codes
 * (then N is below 2^32), doubles, or bytes. STATUS_SYSTEM, with what to do, if the disk is full;
 * the piece is not there then, and all others still are.
 */
MUST_USE enum status layer_file_put(struct layer_file *file, enum piece_kind kind, uint64_t sum,
				    const void *data, size_t n, struct why *why);

/*
 * Whether the piece was there when the file was opened: an earlier run wrote it, or somebody else.
 */
bool layer_file_found(const struct layer_file *file, enum piece_kind kind, uint64_t sum);

/*
 * Reads a piece that is there: layer_file_count() entries into DATA. STATUS_INPUT if its checksum
 * is wrong, or it has entries of another form than its kind, or codes of another width;
 * STATUS_SYSTEM if it cannot be read; DATA is undefined then.
 */
MUST_USE enum status layer_file_get(const struct layer_file *file, enum piece_kind kind,
				    uint64_t sum, void *data, struct why *why);

/* Its size on the disk. */
uint64_t layer_file_bytes(const struct layer_file *file);

/* A file in a folder is on the disk when this returns. NULL is fine. */
void layer_file_close(struct layer_file *file);

#endif
