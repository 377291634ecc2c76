/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs in parts: processes that share a folder each append to a log of their own, STEM.PART.tsv
 * beside STEM.tsv; in the end the parts are merged into STEM.tsv and removed.
 *
 * A part is a log like any other, written as base/append.h describes. Merging copies lines
 * unchanged: every record that the log lacks, and every comment (provenance, players, training
 * times) that it does not have word for word. An interrupted merge can be repeated, since a part is
 * removed only when the log is on the disk.
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
/* The same, followed by the log itself if it exists. */
MUST_USE enum status parts_all(const struct rowlog_kind *kind, const char *directory,
			       struct parts *parts, struct why *why);
void parts_free(struct parts *parts);

/* Adds the file PATH to PARTS. */
void parts_add(struct parts *parts, const char *path);

struct parts_count {
	size_t files, records, known; /* parts; records added to the log; records that it had */
};

/*
 * Appends to the log DIRECTORY/STEM.tsv, which is created if necessary, all records of PARTS that
 * it lacks, syncs it to the disk, and removes PARTS. A torn last line of the log is cut off, torn
 * last lines of parts are ignored. Without parts nothing is changed. The counts are added to COUNT,
 * which may be NULL.  STATUS_INPUT, with file and line, if another process is writing the log or a
 * part, if a file is of another kind, or if two records of one key differ; STATUS_SYSTEM if a file
 * cannot be read or written. On failure the log may have some of the records, and all parts are
 * kept.
 */
MUST_USE enum status parts_merge(const struct rowlog_kind *kind, const char *directory,
				 const struct parts *parts, struct parts_count *count,
				 struct why *why);

/*
 * Whether PARTS, of one folder, lack a share: a file STEM.K-of-N.tsv for a K from 1 to N or, in
 * game logs, games of that share; TEXT then names it. Parts with other names, such as those of
 * ranks, are ignored.
 */
enum { PARTS_LACK_MAX = 256 };
bool parts_lack(const struct rowlog_kind *kind, const struct parts *parts,
		char text[PARTS_LACK_MAX]);

/*
 * STATUS_INPUT if PARTS, of one folder, are shares of different divisions, or are not divided into
 * COUNT shares; COUNT 0 accepts any division.
 */
MUST_USE enum status parts_check(const struct rowlog_kind *kind, const struct parts *parts,
				 uint64_t count, struct why *why);

#endif
