/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Provenance: the `#` lines at the head of every table. */
#ifndef NXN_PROVENANCE_H
#define NXN_PROVENANCE_H

#include "analysis/tables/record.h"
#include "base/status.h"
#include "src/cli/options.h"

#include <stddef.h>
#include <stdint.h>

/* The version and, if built from git, the commit: "0.1.0 (commit 1234abc, modified)". */
extern const char version_text[];

/* The compiler: "gcc 12.2.0". */
extern const char compiler_text[];

/*
 * Writes the processor's name, the first "model name" of /proc/cpuinfo, or else the machine type.
 */
void processor_name(char *name, size_t size);

/* Maximal number of lines. */
enum { PROVENANCE_LINES = 20 };

/*
 * Lines without "# ", ending with NULL, in the form for analysis/tables/tables.h and
 * analysis/logs/gamelog.h.
 */
struct provenance {
	char *line[PROVENANCE_LINES + 1];
	uint64_t config;
};

/*
 * Initialises the lines: version, COMMAND, the hash CONFIG of the configuration, SEED as text,
 * instruction set, compiler, processor, and TITLE unless it is NULL. SEED is NULL if the command
 * determines everything; the lines of hash and seed are then omitted. STATUS_INPUT for an invalid
 * NXN_ISA; PROVENANCE then needs no provenance_fini().
 */
MUST_USE enum status provenance_init(struct provenance *provenance, const char *command,
				     uint64_t config, const char *seed, const char *title,
				     struct why *why);

/* Appends a line. Characters that are not plain, such as a newline in a tuned text, become '?'. */
__attribute__((format(printf, 2, 3))) void provenance_add(struct provenance *provenance,
							  const char *format, ...);

/* Prefixes of lines: how much of a stopped run is done; the games of which players do not count. */
#define NOTE_UNFINISHED "unfinished: "
#define NOTE_COUNTED "counted: "

void provenance_fini(struct provenance *provenance);

/*
 * Calls tables_print() for the result of CALL, for programs the first of TABLES, with provenance,
 * but without hash and seed. Errors of provenance_init(), with nothing printed.
 */
MUST_USE enum status result_print(const struct invocation *call, const struct tables *tables,
				  const void *data, struct why *why);

/* Prints RECORD like result_print(), and frees it. */
MUST_USE enum status record_print(const struct invocation *call, struct record *record,
				  struct why *why);

static inline const char *const *provenance_lines(const struct provenance *provenance)
{
	return (const char *const *)provenance->line;
}

#endif
