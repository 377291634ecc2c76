/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and figures of a game log; see report.h. */
#include "src/report/report.h"

#include "analysis/tables/summary_tables.h"
#include "src/report/figures.h"
#include "base/file.h"
#include "src/cli/options.h"

#include <stdlib.h>

const char report_clocked[] =
    "agents with ms= decide by the clock: their games depend on the machine and its load, and "
    "cannot be repeated exactly";

bool agent_clocked(const char *agent)
{
	return agent_sets(agent, "ms"); /* canonical: a default would not be there */
}

static bool summary_clocked(const struct summary *summary)
{
	for (size_t i = 0; i < summary->cell_count; i++)
		if (agent_clocked(summary->cells[i].agent))
			return true;
	return false;
}

/* PROVENANCE and what else is to be said of SUMMARY, on the heap; NULL without memory. */
static const char **lines_make(const struct summary *summary, const char *const *provenance)
{
	size_t n = 0;
	while (provenance[n])
		n++;
	const char **lines = calloc(n + 2, sizeof *lines);
	for (size_t i = 0; lines && i < n; i++)
		lines[i] = provenance[i];
	if (lines && summary_clocked(summary))
		lines[n] = report_clocked;
	return lines;
}

static enum status summary_tables_write(const struct summary *summary,
					const struct report_options *options, struct why *why)
{
	const char **lines = lines_make(summary, options->provenance);
	if (!lines)
		return why_errno(why, "%s", options->directory);
	enum status status = tables_write(options->directory, &summary_tables, summary, lines, why);
	free(lines);
	return status;
}

enum status report_figures(const char *directory, struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	enum status status = path_format(from, why, "%s/tables", directory);
	if (!status)
		status = path_format(to, why, "%s/figures", directory);
	if (!status)
		status = figures_write(from, to, why);
	/* Whatever a figure fails for, it is not what the user gave. */
	return status ? STATUS_SYSTEM : STATUS_OK;
}

enum status report_make(const struct gamelog *log, const struct report_options *options,
			struct why *why)
{
	struct summary summary;
	enum status status = summary_init(&summary, log, why);
	if (status)
		return status;
	summary_tables.print(stdout, &summary);
	if (summary_clocked(&summary))
		printf("Note: %s.\n", report_clocked);
	fflush(stdout);
	if (options->directory)
		status = summary_tables_write(&summary, options, why);
	if (!status && options->directory && options->figures)
		status = report_figures(options->directory, why);
	summary_fini(&summary);
	return status;
}

enum status report_print_table(const struct gamelog *log, const char *name,
			       const char *const *provenance, struct why *why)
{
	struct summary summary;
	enum status status = summary_init(&summary, log, why);
	if (status)
		return status;
	const char **lines = lines_make(&summary, provenance);
	if (lines)
		table_write(stdout, &summary_tables, table_find(&summary_tables, name), &summary,
			    lines);
	else
		status = why_errno(why, "table %s", name);
	free(lines);
	summary_fini(&summary);
	return status;
}
