/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where numbers come from: the `#` lines at the head of every table. */
#ifndef NXN_PROVENANCE_H
#define NXN_PROVENANCE_H

#include "analysis/tables/record.h"
#include "base/status.h"
#include "src/cli/options.h"

#include <stddef.h>
#include <stdint.h>

/* "0.1.0 (commit 1234abc, modified)": version and, where it was built from git, the commit. */
extern const char version_text[];

/* "gcc 12.2.0" */
extern const char compiler_text[];

/* The processor's name, from the first "model name" of /proc/cpuinfo; else the machine type. */
void processor_name(char *name, size_t size);

/* The most lines that there are. */
enum { PROVENANCE_LINES = 14 };

/*
 * Lines without "# ", ending with NULL, as analysis/tables/tables.h and
 * analysis/logs/gamelog.h take them.
 */
struct provenance {
	char *line[PROVENANCE_LINES + 1];
	uint64_t config;
};

/*
 * Version, COMMAND, the hash that identifies the configuration, SEED as text, instruction set,
 * compiler, processor, and TITLE unless it is NULL; neither hash nor seed if SEED is NULL: where
 * the command says all. STATUS_SYSTEM when memory runs out; then there is nothing to free.
 */
MUST_USE enum status provenance_init(struct provenance *provenance, const char *command,
				     uint64_t config, const char *seed, const char *title,
				     struct why *why);

/* Adds the line TEXT, six in all. STATUS_SYSTEM when memory runs out. */
MUST_USE enum status provenance_add(struct provenance *provenance, const char *text,
				    struct why *why);

void provenance_fini(struct provenance *provenance);

/*
 * tables_print() of the result of CALL, without hash and seed. STATUS_SYSTEM as above; then nothing
 * is printed.
 */
MUST_USE enum status result_print(const struct invocation *call, const struct tables *tables,
				  const char *name, const void *data, bool full, struct why *why);

/* The same of RECORD, which is freed. */
MUST_USE enum status record_print(const struct invocation *call, struct record *record,
				  struct why *why);

static inline const char *const *provenance_lines(const struct provenance *provenance)
{
	return (const char *const *)provenance->line;
}

#endif
