/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs in parts: processes that share a folder each append to a log of their own, STEM.PART.tsv
 * beside STEM.tsv, and in the end the parts are merged into that one and removed.
 *
 * A part is a log like any other, in the manner of base/append.h. Merging copies lines as they are:
 * every record that the log lacks, and every comment (whence, which players, seconds of training)
 * that it does not have word for word. It can be cut short at any point and done again: a part is
 * removed when the log is on the disk.
 */
#ifndef NXN_PARTS_H
#define NXN_PARTS_H

#include "analysis/logs/rowlog.h"

/* Files by their paths, on the heap. Zeroed is empty. */
struct parts {
	char **path;
	size_t n;
};

/*
 * Finds the parts of the log of KIND in the folder DIRECTORY, in order of their names. STATUS_INPUT
 * if there is no such folder; STATUS_SYSTEM if it cannot be read.
 */
MUST_USE enum status parts_find(const struct rowlog_kind *kind, const char *directory,
				struct parts *parts, struct why *why);
/* The same, and the log itself behind them if it exists. */
MUST_USE enum status parts_all(const struct rowlog_kind *kind, const char *directory,
			       struct parts *parts, struct why *why);
void parts_free(struct parts *parts);

/* Adds the file PATH to PARTS. */
void parts_add(struct parts *parts, const char *path);

struct parts_count {
	size_t files, records, known; /* parts; records taken from them; those that were there */
};

/*
 * Appends to the log DIRECTORY/STEM.tsv, which is made if need be, what it lacks of the records in
 * PARTS, and hands it to the disk; then removes them. Its torn last line is cut off,
 * those of parts are left out. Nothing is touched unless there are parts. COUNT is added to, and
 * may be NULL.
 *
 * STATUS_INPUT if another process is writing the log or one of the parts, if one of them is
 * something else, or if two records of one key differ, with file and line; STATUS_SYSTEM if a file
 * cannot be read or written. The log then has some of the records, and all parts are still there.
 */
MUST_USE enum status parts_merge(const struct rowlog_kind *kind, const char *directory,
				 const struct parts *parts, struct parts_count *count,
				 struct why *why);

/*
 * Whether PARTS, of one folder, lack a share of the division whose names they have: STEM.K-of-N.tsv
 * for K from 1 to N, and in game logs the games of that share; then TEXT says which. Parts of other
 * names, such as those of ranks, may be any.
 */
enum { PARTS_LACK_MAX = 256 };
bool parts_lack(const struct rowlog_kind *kind, const struct parts *parts,
		char text[PARTS_LACK_MAX]);

/*
 * STATUS_INPUT if PARTS, of one folder, are shares of different divisions, or of another than that
 * into COUNT; 0: any one.
 */
MUST_USE enum status parts_check(const struct rowlog_kind *kind, const struct parts *parts,
				 uint64_t count, struct why *why);

#endif
