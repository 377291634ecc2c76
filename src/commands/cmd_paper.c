/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn paper: figures and tables of finished runs, as a bundle; as nxn report has it. */
#include "base/stop.h"
#include "src/cli/options.h"
#include "src/commands/command.h"
#include "src/paper/paper.h"
#include "src/report/report.h"
#include "src/measure/launch.h"

#include <stdlib.h>
#include <string.h>

struct paper_options {
	struct text_list runs;
	struct paper paper;
};

static enum status options_check(void *input, struct why *why)
{
	const struct paper_options *options = input;
	for (size_t i = 0; i < options->runs.n; i++)
		if (!*options->runs.item[i])
			return why_set(why, STATUS_INPUT, "a RUN must not be empty");
	return STATUS_OK;
}

#define FIELD(M) offsetof(struct paper_options, M)

static const struct command_option options_table[] = {
    OPTION("out", 'o', "DIR", FIELD_NAME, FIELD(paper.directory),
	   "Folder of the bundle; a bundle of other runs in it is replaced (default out/bundle, "
	   "which is replaced only if it is named)"),
    OPTION("latex", 0, NULL, FIELD_FLAG, FIELD(paper.latex),
	   "Also write main.tex, a document that includes all figures and tables"),
    WIDTH_OPTION(paper.width),
    OPTION("models", 0, NULL, FIELD_FLAG, FIELD(paper.models),
	   "Also put the models of learners into the bundle"),
    OPTION("no-times", 0, NULL, FIELD_FLAG, FIELD(paper.no_times),
	   "Do not record how long games took in experiments that are run for this"),
    THREADS_OPTION(paper.threads),
    OPTIONS_END,
};

static const char doc[] =
    "Makes a bundle of figures and tables of each RUN: a folder that run, compare, duel, sweep or "
    "gap has left; a table of nxn train --curve or nxn tune, or a folder of such tables; or an "
    "experiment, by file or name, which is run first, in DIR/runs. Figures are SVG and PDF, each "
    "with the script and the table that draw it. Tables are TSV for programs, and LaTeX (booktabs) "
    "and Markdown for print. Logs, provenance and checksums are included. After an interruption "
    "the same command continues. The same runs give the same bundle, byte for byte.\v"
    "EXAMPLES\n"
    "  nxn compare -b 3x3 -a random,corners -g 40 -o out/e --no-figures\n"
    "  nxn paper out/e --out out/bundle --latex";

static enum status paper_run(void *input, const struct invocation *call, struct why *why)
{
	struct paper_options *options = input;
	stop_catch();
	options->paper.named = options->paper.directory;
	if (!options->paper.named)
		options->paper.directory = "out/bundle";
	return paper_bundle(&options->paper, &options->runs, call, why);
}

static const struct paper_options defaults;

const struct command cmd_paper = {
    .options = options_table,
    .arguments = "RUN...",
    .missing = "the run is missing: a folder that run, compare, duel, sweep or gap has "
	       "left, a table of train or tune, or an experiment",
    .argument = argument_add,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = paper_run,
};
