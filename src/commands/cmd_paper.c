/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn paper: figures and tables of finished runs, as a bundle; and games of it played again. */
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
	bool check;
	struct paper_check checking;
};

static enum status options_check(void *input, struct why *why)
{
	const struct paper_options *options = input;
	for (size_t i = 0; i < options->runs.n; i++)
		if (!*options->runs.item[i])
			return why_set(why, STATUS_INPUT, "a RUN must not be empty");
	if (options->checking.fraction > 0 && !options->check)
		return why_set(why, STATUS_INPUT,
			       "--fraction: is the share of games that --check plays again; "
			       "--check is missing");
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
    OPTION_GROUP_MARK(1, ""),
    OPTION("check", 0, NULL, FIELD_FLAG, FIELD(check),
	   "Play games of the runs, or of a bundle, again and compare them"),
    OPTION_NUMBER("fraction", 0, "SHARE", FIELD_SHARE, FIELD(checking.fraction), 0, 1,
		  "Share of the games of each player to check, at least one of each (default 1%)"),
    OPTION_GROUP_MARK(2, "Rules of the games to check, if not the default:"),
    RULE_OPTIONS(checking.game),
    OPTION_GROUP_MARK(3, ""),
    SEED_OPTION(checking.seed),
    THREADS_OPTION(checking.threads),
    OPTIONS_END,
};

static const char doc[] =
    "Makes a bundle of figures and tables of each RUN: a folder that run, compare, duel, sweep or "
    "gap has left; a table of nxn train --curve or nxn tune, or a folder of such tables; or an "
    "experiment, by file or name, which is run first, in DIR/runs. Figures are SVG and PDF, each "
    "with the script and the table that draw it. Tables are TSV for programs, and LaTeX (booktabs) "
    "and Markdown for print. Logs, provenance and checksums are included. After an interruption "
    "the same command continues. The same runs give the same bundle, byte for byte.\v"
    "With --check, games of the logs, chosen by --seed, are played again as their agent says, with "
    "models that are still there, and compared bit for bit: score, largest tile, moves, and for "
    "players that report probabilities sum and uncertainty. nxn cannot check learners in the "
    "middle of training whose weights are gone, or agents that decide by the clock; it names them. "
    "The exit status is 1 if a game differs or a file of the bundle differs from its checksum.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn compare -b 3x3 -a random,corners -g 40 -o out/e --no-figures\n"
    "  nxn paper out/e --out out/bundle --latex\n"
    "  nxn paper --check out/bundle --fraction 10%";

static enum status paper_run(void *input, const struct invocation *call, struct why *why)
{
	struct paper_options *options = input;
	if (options->checking.fraction == 0)
		options->checking.fraction = 0.01;
	stop_catch();
	options->paper.threads = options->checking.threads;
	options->paper.named = options->paper.directory;
	if (!options->paper.named)
		options->paper.directory = "out/bundle";
	return options->check ? paper_check(&options->runs, &options->checking, why)
			      : paper_bundle(&options->paper, &options->runs, call, why);
}

static const struct paper_options defaults = {.checking = {.seed = 1}};

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
