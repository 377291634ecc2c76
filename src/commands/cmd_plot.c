/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn plot: tables and figures again, from game logs, and the figure of a learning curve. */
#include "src/commands/command.h"
#include "src/report/figures.h"
#include "base/file.h"
#include "src/cli/options.h"
#include "src/report/report.h"

#include <stdio.h>
#include <stdlib.h>

struct plot_options {
	struct text_list logs;
	const char *directory;
	double width;
	bool full;
};

#define FIELD(M) offsetof(struct plot_options, M)

static const struct command_option options_table[] = {
    OPTION("out", 'o', "DIR", FIELD_NAME, FIELD(directory),
	   "Folder for tables and figures (default out/plot)"),
    WIDTH_OPTION(width),
    FULL_OPTION(full),
    OPTIONS_END,
};

static const char doc[] =
    "Prints the results of the games in LOG, a game log or a folder with one, and writes their "
    "tables, figures and page of results. Several logs are combined. If LOG is a learning curve of "
    "nxn train --curve or a table of nxn tune, nxn plot draws its figure: scores and the share of "
    "games that reached tiles, or scores and parameters over generations.\v"
    "EXAMPLES\n"
    "  nxn compare -a random,greedy -g 20 -o out/d --no-figures\n"
    "  nxn plot out/d --out out/d\n"
    "  nxn train qlearn -b 3x3 -e 500 -o c.nxn --curve c.tsv --block 50\n"
    "  nxn plot c.tsv --out out/c";

static enum status plot(const struct plot_options *options, const struct invocation *call,
			struct why *why)
{
	const struct report_options report = {.printer = call->printer,
					      .directory = options->directory,
					      .command = call->provenance,
					      .width = options->width,
					      .full = options->full};
	enum status status = report_logs(&options->logs, call->provenance, &report, why);
	if (!status)
		printf("\nPage %s/index.html; beside it tables/ and figures/.\n",
		       options->directory);
	return status;
}

static enum status plot_single(const struct figure *figure, const struct plot_options *options,
			       struct why *why)
{
	enum status status =
	    report_single(figure, options->width, options->logs.item[0], options->directory, why);
	if (!status)
		printf("Page %s/index.html; beside it figures/%s.svg and .pdf.\n",
		       options->directory, figure->name);
	return status;
}

static enum status plot_run(void *input, const struct invocation *call, struct why *why)
{
	const struct plot_options *options = input;
	const struct figure *single = NULL;
	enum status status = STATUS_OK;
	if (options->logs.n == 1)
		status = figure_single(options->logs.item[0], &single, why);
	if (status)
		return status;
	return single ? plot_single(single, options, why) : plot(options, call, why);
}

static const struct plot_options defaults = {.directory = "out/plot"};

const struct command cmd_plot = {
    .options = options_table,
    .arguments = "LOG...",
    .missing = LOGS_MISSING,
    .argument = argument_add,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = plot_run,
};
