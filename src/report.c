/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and figures of a game log; see report.h. */
#include "src/report.h"

#include "analysis/tables.h"
#include "src/figures.h"
#include "src/folder.h"

/* Intervals must not change from one look at a log to the next. */
static const struct bootstrap report_bootstrap = {.seed = 1};

static enum status table_write(const struct table *table, const struct summary *summary,
			       const struct report_options *options, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status =
	    path_format(path, why, "%s/tables/%s.tsv", options->directory, table->name);
	if (status)
		return status;
	FILE *out = fopen(path, "w");
	if (!out)
		return why_errno(why, "%s: cannot be written", path);
	table->write(out, summary, options->provenance);
	bool failed = ferror(out);
	if (fclose(out) || failed)
		return why_errno(why, "%s: cannot be written", path);
	return STATUS_OK;
}

static enum status tables_write(const struct summary *summary, const struct report_options *options,
				struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = path_format(path, why, "%s/tables", options->directory);
	if (!status)
		status = folder_make(path, why);
	for (const struct table *table = tables; !status && table->name; table++)
		status = table_write(table, summary, options, why);
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
	enum status status = summary_init(&summary, log, &report_bootstrap, why);
	if (status)
		return status;
	table_print(stdout, &summary);
	fflush(stdout);
	if (options->directory)
		status = tables_write(&summary, options, why);
	if (!status && options->directory && options->figures)
		status = report_figures(options->directory, why);
	summary_fini(&summary);
	return status;
}

enum status report_print_table(const struct gamelog *log, const char *name,
			       const char *const *provenance, struct why *why)
{
	struct summary summary;
	const struct table *table = table_find(name);
	enum status status = summary_init(&summary, log, &report_bootstrap, why);
	if (status)
		return status;
	table->write(stdout, &summary, provenance);
	summary_fini(&summary);
	return STATUS_OK;
}
