/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The traced games of an experiment; see traces.h. */
#include "src/run/traces.h"

#include "analysis/tables/format.h"
#include "base/append.h"
#include "src/run/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum status traces_path(const char *traces, const struct entry *entry, uint64_t trained,
			uint64_t seed, uint64_t index, char path[FOLDER_PATH_MAX], struct why *why)
{
	char label[RESULT_NAME_MAX];
	path_word(entry->label, label);
	uint32_t hash =
	    (uint32_t)(entry_config(entry, trained) ^ seed * UINT64_C(0x9e3779b97f4a7c15));
	return path_format(path, why, "%s/%s-%s-%" PRIu64 "-%" PRIu64 "-%08" PRIx32 ".tsv", traces,
			   entry->game.name, label, trained, index, hash);
}

enum status traces_play(const char *path, struct agent *agent, uint64_t trained, uint64_t seed,
			uint64_t index, const struct play_watch *watch, struct outcome *outcome,
			bool *finished, struct why *why)
{
	struct trace trace;
	enum status status = trace_open(&trace, path, trained, index, NULL, why);
	if (status)
		return status;
	trace.then = watch;
	const struct play_watch tracing = {.move = trace_move, .context = &trace};
	*finished = play_game(agent, seed, index, &tracing, outcome);
	return trace_close(&trace, *finished, why);
}

/* Appends the rows of the file PATH; what is not there has not been played. */
static enum status rows_append(FILE *out, const char *path, struct why *why)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	if (!file && errno == ENOENT)
		return STATUS_OK;
	if (!file)
		return why_errno(why, "%s: cannot be read", path);
	for (bool names = true; getline(&line, &size, file) > 0; names = false)
		if (!names)
			fputs(line, out);
	free(line);
	bool failed = lines_cut_short(file);
	fclose(file);
	return failed ? why_errno(why, "%s: cannot be read", path) : STATUS_OK;
}

/* Appends the games of ENTRY in the folder TRACES. */
static enum status entry_append(FILE *out, const char *traces, const struct experiment *experiment,
				const struct entry *entry, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = STATUS_OK;
	for (uint64_t k = 0; !status && k <= entry->schedule.repeat; k++) {
		uint64_t trained = k ? entry_stage(entry, k) : entry->trained_before;
		bool known = k == 0 || trained > 0;
		for (uint64_t i = 0; !status && known && i < experiment->traces; i++) {
			status =
			    traces_path(traces, entry, trained, experiment->seed, i, path, why);
			status = status ? status : rows_append(out, path, why);
		}
	}
	return status;
}

static enum status table_fill(FILE *out, const char *traces, const struct experiment *experiment,
			      const char *const *provenance, struct why *why)
{
	int blocks = 0;
	enum status status = STATUS_OK;
	for (; *provenance; provenance++)
		fprintf(out, "# %s\n", *provenance);
	fputs("# units: scores in points; doubt: distance to certainty of the move, 0 to 1.5\n",
	      out);
	for (size_t i = 0; !status && i < experiment->count; i++) {
		const struct entry *entry = experiment->entries[i];
		int block = block_begin(out, &blocks);
		fprintf(out, "# block %d: %s %s\n", block, entry->game.name, entry->label);
		trace_names(out);
		status = entry_append(out, traces, experiment, entry, why);
	}
	return status;
}

enum status traces_write(const struct experiment *experiment, const char *directory,
			 const char *const *provenance, struct why *why)
{
	char tables[FOLDER_PATH_MAX], traces[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	enum status status = path_format(tables, why, "%s/tables", directory);
	status = status ? status : path_format(traces, why, "%s/traces", directory);
	status = status ? status : path_format(path, why, "%s/moves.tsv", tables);
	status = status ? status : folder_make(tables, why);
	if (status)
		return status;
	FILE *out = fopen(path, "we");
	if (!out)
		return why_errno(why, "%s: cannot be written", path);
	status = table_fill(out, traces, experiment, provenance, why);
	bool failed = ferror(out);
	if ((fclose(out) || failed) && !status)
		status = why_errno(why, "%s: cannot be written", path);
	return status;
}
