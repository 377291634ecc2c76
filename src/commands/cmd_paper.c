/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn paper: figures and tables of finished runs, as a bundle; and games of it played again. */
#include "src/commands/command.h"
#include "src/run/experiment.h"
#include "src/run/launch.h"
#include "base/file.h"
#include "src/cli/options.h"
#include "src/paper/paper.h"
#include "src/cli/provenance.h"
#include "base/stop.h"
#include "src/run/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct paper_options {
	struct text_list runs;
	const char *directory;
	bool latex, models, check, no_times;
	struct paper_check checking;
};

static void fraction_take(struct argp_state *state, const char *what, char *text, void *field)
{
	char *end;
	double x = strtod(text, &end);
	if (*text && *end == '%' && end[1] == '\0') {
		x /= 100;
		end++;
	}
	if (!*text || *end || strspn(text, "0123456789.e-%") != strlen(text) || !(x > 0 && x <= 1))
		option_error(state, "%s: '%.40s' is not a share above 0 and at most 1, or 100%%",
			     what, text);
	*(double *)field = x;
}

static void options_check(struct argp_state *state, void *input)
{
	const struct paper_options *options = input;
	for (size_t i = 0; i < options->runs.n; i++)
		if (!*options->runs.item[i])
			option_error(state, "a RUN must not be empty");
	if (options->checking.fraction > 0 && !options->check)
		option_error(state, "--fraction: is the share of games that --check plays again; "
				    "--check is missing");
}

#define FIELD(M) offsetof(struct paper_options, M)

static const struct command_option options_table[] = {
    OPTION("out", 'o', "DIR", OPTION_NAME, FIELD(directory),
	   "Folder of the bundle (default out/bundle); one that is there is made anew"),
    OPTION("latex", 0, NULL, OPTION_FLAG, FIELD(latex),
	   "Also draw figures with text set by LaTeX, and write main.tex, which includes all "
	   "figures and tables"),
    OPTION("models", 0, NULL, OPTION_FLAG, FIELD(models),
	   "Also put what learners have learned into the bundle"),
    OPTION("no-times", 0, NULL, OPTION_FLAG, FIELD(no_times),
	   "Leave out how long games of experiments took that are played for this"),
    OPTION_GROUP_MARK(1, ""),
    OPTION("check", 0, NULL, OPTION_FLAG, FIELD(check),
	   "Play games of the runs, or of a bundle, again and compare them"),
    OPTION_TAKEN("fraction", 0, "SHARE", FIELD(checking.fraction), fraction_take,
		 "Share of the games of each player to check, at least one of each (default 1%)"),
    OPTION_GROUP_MARK(2, "Rules that games to check were played by, if not the usual ones:"),
    RULE_OPTIONS(checking.game),
    OPTION_GROUP_MARK(3, ""),
    SEED_OPTION(checking.seed),
    THREADS_OPTION(checking.threads),
    {0},
};

static const char doc[] =
    "Makes a bundle of figures and tables of each RUN: a folder that run, compare, duel, sweep or "
    "gap has left, a table of nxn train --curve or nxn tune or a folder of such, or an experiment, "
    "a file or one that comes with nxn, which is then run first, in DIR/runs. Figures are SVG and "
    "PDF, each with the script and the table that draw it; tables are for programs (TSV) and for "
    "print (LaTeX with booktabs, Markdown); with the logs, where they come from, and checksums. "
    "Interrupted, the same command goes on; the same runs give the same bundle, byte for byte.\v"
    "With --check, games of the logs, chosen by --seed, are played again as their agent says, with "
    "models that are still there, and compared: score, largest tile, moves, and of players that "
    "tell chances sum and doubt, bit for bit. Learners in the midst of their training whose "
    "weights have gone, and agents that decide by the clock, cannot be checked, and are named. The "
    "exit status is 1 if a game came out otherwise or a file of the bundle differs from its "
    "checksum. --seed is for that choice alone.\n\n"
    "EXAMPLES\n"
    "  nxn compare -b 3x3 -a random,corners -g 40 -o out/e --no-figures\n"
    "  nxn paper out/e --out out/bundle --latex\n"
    "  nxn paper --check out/bundle --fraction 10%";

/* ---- The bundle. */

/* Plays the experiment of RUN as nxn run would. */
static enum status run_play(const struct paper_run *run, const struct paper_options *options,
			    const struct invocation *call, struct why *why)
{
	struct experiment experiment;
	char name[] = "nxn run", out[] = "--out", no_times[] = "--no-times";
	char *argv[] = {name, (char *)run->experiment, out, (char *)run->source, no_times};
	struct invocation here = *call;
	const struct launch_options launching = {.directory = run->source,
						 .pace = {.threads = options->checking.threads},
						 .no_times = options->no_times,
						 .no_figures = true};
	enum status status =
	    shell_join("", "nxn", options->no_times ? 5 : 4, argv, &here.provenance, why);
	if (status)
		return status;
	status = experiment_read(&experiment, run->experiment, why);
	if (!status) {
		status = experiment.sweep
			     ? sweep_launch(&experiment, experiment.sweep, &launching, &here, why)
			     : launch(&experiment, &launching, &here, why);
		experiment_fini(&experiment);
		putchar('\n');
	}
	free(here.provenance);
	return status;
}

static enum status run_bundle(struct paper *paper, struct paper_run *run, struct why *why)
{
	enum status status = paper_data(paper, run, why);
	status = status ? status : paper_tables(paper, run, why);
	status = status ? status : paper_figures(paper, run, why);
	if (!status)
		printf("%s: %zu figure%s, %zu table%s\n", run->name, run->figure_count,
		       run->figure_count == 1 ? "" : "s", run->table_count,
		       run->table_count == 1 ? "" : "s");
	fflush(stdout);
	return stop_requested() ? STATUS_STOPPED : status;
}

static enum status bundle_write(struct paper *paper, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < paper->run_count; i++)
		status = run_bundle(paper, &paper->runs[i], why);
	status = status ? status : paper_provenance(paper, why);
	status = status ? status : paper_readme(paper, why);
	if (!status && paper->latex)
		status = paper_main(paper, why);
	status = status ? status : paper_page(paper, why);
	return status ? status : paper_end(paper, why);
}

/* Plays what has to be played, then writes the bundle. */
static enum status bundle_make(struct paper *paper, const struct paper_options *options,
			       const struct invocation *call, struct why *why)
{
	struct lock lock = {0};
	char marked[FOLDER_PATH_MAX];
	enum status status = paper_begin(paper, why);
	status = status ? status : path_format(marked, why, "%s/provenance.txt", paper->directory);
	status = status ? status : lock_take(&lock, marked, why);
	for (size_t i = 0; !status && i < paper->run_count; i++)
		if (*paper->runs[i].experiment)
			status = run_play(&paper->runs[i], options, call, why);
	if (!status) {
		status = bundle_write(paper, why);
		if (status && stop_requested()) {
			fprintf(stderr, "%s: stopped; to go on:\n%s\n", call->name, call->resume);
			status = STATUS_STOPPED;
		}
	}
	lock_release(&lock);
	if (!status)
		printf("Bundle of %zu files in %s; README.md tells what is where.\n",
		       paper->files.n + 1, paper->directory);
	return status;
}

static enum status paper_make(const struct paper_options *options, const struct invocation *call,
			      struct why *why)
{
	struct paper paper = {
	    .directory = options->directory, .latex = options->latex, .models = options->models};
	enum status status = paper_origin(&paper, call->provenance, why);
	for (size_t i = 0; !status && i < options->runs.n; i++)
		status = paper_add(&paper, options->runs.item[i], why);
	if (!status)
		status = bundle_make(&paper, options, call, why);
	paper_fini(&paper);
	return status;
}

/* ---- Checking. */

static enum status paper_verify(const struct paper_options *options, struct why *why)
{
	struct paper_count count = {0};
	size_t files = 0, bad = 0;
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < options->runs.n; i++)
		status = paper_check_folder(options->runs.item[i], &options->checking, &count,
					    &files, &bad, why);
	if (status)
		return status;
	const bool differs = count.bad || bad;
	if (files > 0)
		printf("%zu files, %zu of them other than when the bundle was made\n", files, bad);
	printf("%s: %" PRIu64 " of %" PRIu64 " games played again, %" PRIu64 " came out otherwise",
	       differs	    ? "DIFFERENT"
	       : count.done ? "the same"
			    : "nothing to compare",
	       count.done, count.games, count.bad);
	if (count.left)
		printf("; %" PRIu64 " are of players that cannot be checked", count.left);
	putchar('\n');
	*why = (struct why){""};
	return differs ? STATUS_SYSTEM : STATUS_OK;
}

static enum status paper_run(void *input, const struct invocation *call, struct why *why)
{
	struct paper_options *options = input;
	if (!options->checking.fraction)
		options->checking.fraction = 0.01;
	stop_catch();
	return options->check ? paper_verify(options, why) : paper_make(options, call, why);
}

static const struct paper_options defaults = {.directory = "out/bundle", .checking = {.seed = 1}};

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
